//! Who owns which point at the end of a playout, a bit a point.

use goban::{Board, Cell, Color, Point, PointSet, Size, score};

/// Reads final positions.
pub struct Reader {
    points: Vec<Point>,
}

impl Reader {
    pub fn new(size: Size) -> Reader {
        Reader { points: size.points().collect() }
    }

    /// The owners of all points: of stones, and of empty points whose neighbours are all one
    /// player's.
    pub fn read(&self, board: &Board, mut put: impl FnMut(usize, [u64; 2])) {
        let mut open = 0;
        for (word, points) in self.points.chunks(64).enumerate() {
            let mut owners = [0; 2];
            // Chance decides what is at a point, so nothing branches on it.
            for (bit, &p) in points.iter().enumerate() {
                let (cell, ring) = (board.cell(p), board.ring(p));
                let empty = (cell == Cell::Empty) as u64;
                for color in Color::BOTH {
                    let stone = (cell == Cell::from(color)) as u64;
                    let eye = empty & ring.is_surrounded_by(color) as u64;
                    owners[color.index()] |= (stone | eye) << bit;
                }
                open |= empty & ring.has_liberty() as u64;
            }
            put(word, owners);
        }
        // A playout that was cut short may leave larger regions open.
        if open != 0 {
            self.read_regions(board, put);
        }
    }

    #[cold]
    fn read_regions(&self, board: &Board, mut put: impl FnMut(usize, [u64; 2])) {
        let found = score::owners(board, &PointSet::EMPTY);
        for (word, points) in self.points.chunks(64).enumerate() {
            let mut owners = [0; 2];
            for (bit, &p) in points.iter().enumerate() {
                if let Some(color) = found[p] {
                    owners[color.index()] |= 1 << bit;
                }
            }
            put(word, owners);
        }
    }
}
