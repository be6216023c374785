//! Parts of the board that players have names for.

use goban::{Point, Size};

/// A ninth of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // The names say it.
pub enum Region {
    UpperLeft,
    Upper,
    UpperRight,
    Left,
    Centre,
    Right,
    LowerLeft,
    Lower,
    LowerRight,
}

impl Region {
    /// All of them in the order of reading.
    pub const ALL: [Region; 9] = [
        Region::UpperLeft,
        Region::Upper,
        Region::UpperRight,
        Region::Left,
        Region::Centre,
        Region::Right,
        Region::LowerLeft,
        Region::Lower,
        Region::LowerRight,
    ];

    /// The part that a point is in: the outer two fifths are sides.
    pub fn of(p: Point, size: Size) -> Region {
        let side = size.side();
        let part = |x: u8| match 5 * u16::from(x) + 2 {
            at if at < 2 * u16::from(side) => 0,
            at if at >= 3 * u16::from(side) => 2,
            _ => 1,
        };
        Region::ALL[3 * (2 - part(p.y())) + part(p.x())]
    }
}
