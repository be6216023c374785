//! The closed part of the board that a problem is about, as bits of one word.
//!
//! Outside is the attacker's: every point beyond is a wall of his stones that cannot be taken.
//! Chains of his that touch the wall are as safe as it is. Chains of the defender that touch a
//! *friend*, a stone of his that lives outside, live.

use goban::{Color, Point};

/// A set of the room's cells. A row is as wide as the room and one bit more, which is never set, so
/// that shifts do not run from one row into the next.
pub(crate) type Cells = u128;

/// Who attacks and who defends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Wants to take every stone of the target.
    Attacker,
    /// Wants a part of the target to live.
    Defender,
}

impl Side {
    /// The other one.
    #[inline]
    pub fn other(self) -> Side {
        match self {
            Side::Attacker => Side::Defender,
            Side::Defender => Side::Attacker,
        }
    }
}

/// A closed part of the board.
#[derive(Clone, Debug)]
pub struct Room {
    stride: u32,
    /// The cells that there are.
    pub(crate) inside: Cells,
    /// Cells beside the wall.
    pub(crate) anchored: Cells,
    /// Cells beside a stone of the defender's that lives outside.
    pub(crate) befriended: Cells,
    /// Lower left corner on the board.
    origin: Point,
    /// The colour of the defender.
    pub(crate) defender: Color,
}

impl Room {
    /// The room of these points, if it fits: with the wide rows it has 128 cells at most. `beside_wall`
    /// and `beside_friend` say which of its points touch what is outside.
    pub(crate) fn new(
        points: &[Point],
        defender: Color,
        beside_wall: impl Fn(Point) -> bool,
        beside_friend: impl Fn(Point) -> bool,
    ) -> Option<Room> {
        let left = points.iter().map(|p| p.x()).min()?;
        let right = points.iter().map(|p| p.x()).max()?;
        let bottom = points.iter().map(|p| p.y()).min()?;
        let top = points.iter().map(|p| p.y()).max()?;
        let stride = u32::from(right - left) + 2;
        let rows = u32::from(top - bottom) + 1;
        if stride * rows > Cells::BITS {
            return None;
        }
        let origin = Point::new(left, bottom);
        let mut room = Room { stride, inside: 0, anchored: 0, befriended: 0, origin, defender };
        for &p in points {
            let bit = room.raw_cell(p);
            room.inside |= bit;
            if beside_wall(p) {
                room.anchored |= bit;
            }
            if beside_friend(p) {
                room.befriended |= bit;
            }
        }
        Some(room)
    }

    fn raw_cell(&self, p: Point) -> Cells {
        let x = u32::from(p.x() - self.origin.x());
        let y = u32::from(p.y() - self.origin.y());
        1 << (y * self.stride + x)
    }

    /// The cell of a point, if it is in the room.
    pub(crate) fn cell(&self, p: Point) -> Option<Cells> {
        let x = u32::from(p.x().checked_sub(self.origin.x())?);
        let y = u32::from(p.y().checked_sub(self.origin.y())?);
        let place = y * self.stride + x;
        if x >= self.stride - 1 || place >= Cells::BITS {
            return None;
        }
        let bit = 1 << place;
        (self.inside & bit != 0).then_some(bit)
    }

    /// The point of a cell.
    pub(crate) fn point(&self, cell: Cells) -> Point {
        let place = cell.trailing_zeros();
        let (x, y) = (place % self.stride, place / self.stride);
        Point::new(self.origin.x() + x as u8, self.origin.y() + y as u8)
    }

    /// The points of a set.
    pub(crate) fn points(&self, set: Cells) -> Vec<Point> {
        each(set).map(|cell| self.point(cell)).collect()
    }

    /// How many cells the room has.
    pub(crate) fn cells(&self) -> usize {
        self.inside.count_ones() as usize
    }

    /// The cells beside those of a set; of the set itself those that touch others of it.
    #[inline]
    pub(crate) fn around(&self, set: Cells) -> Cells {
        let wide = set << self.stride | set >> self.stride;
        (set << 1 | set >> 1 | wide) & self.inside
    }

    /// The part of `among` that is connected with `seed`.
    #[inline]
    pub(crate) fn flood(&self, seed: Cells, among: Cells) -> Cells {
        let mut all = seed & among;
        loop {
            let more = (all | self.around(all)) & among;
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// The side of a colour.
    pub fn side(&self, color: Color) -> Side {
        if color == self.defender { Side::Defender } else { Side::Attacker }
    }

    /// The colour of a side.
    pub fn color(&self, side: Side) -> Color {
        match side {
            Side::Defender => self.defender,
            Side::Attacker => !self.defender,
        }
    }
}

/// The cells of a set, one by one.
#[inline]
pub(crate) fn each(mut set: Cells) -> impl Iterator<Item = Cells> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let cell = set & set.wrapping_neg();
            set ^= cell;
            cell
        })
    })
}
