//! The eight symmetries of the square board.

use crate::point::{Point, Size};

/// A rotation or reflection: bit 0 mirrors left and right, bit 1 mirrors top and bottom, bit 2
/// then exchanges columns and rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Everything stays where it is.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry(0); 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Symmetry(i as u8);
            i += 1;
        }
        all
    };

    /// Place in [`Symmetry::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Where `p` of a board of this size goes.
    #[inline]
    pub const fn apply(self, p: Point, size: Size) -> Point {
        let last = size.side() - 1;
        let x = if self.0 & 1 != 0 { last - p.x() } else { p.x() };
        let y = if self.0 & 2 != 0 { last - p.y() } else { p.y() };
        if self.0 & 4 != 0 { Point::new(y, x) } else { Point::new(x, y) }
    }

    /// Where the offset `(dx, dy)` goes.
    #[inline]
    pub const fn apply_offset(self, dx: i8, dy: i8) -> (i8, i8) {
        let x = if self.0 & 1 != 0 { -dx } else { dx };
        let y = if self.0 & 2 != 0 { -dy } else { dy };
        if self.0 & 4 != 0 { (y, x) } else { (x, y) }
    }

    /// The symmetry that undoes this one.
    #[inline]
    pub const fn inverse(self) -> Symmetry {
        // Only the quarter turns (an exchange after a single mirroring) are not their own inverse.
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn there_are_eight_and_each_has_its_inverse() {
        let size = Size::NINE;
        let images: HashSet<Vec<Point>> = Symmetry::ALL
            .iter()
            .map(|s| size.points().map(|p| s.apply(p, size)).collect())
            .collect();
        assert_eq!(images.len(), 8);
        for s in Symmetry::ALL {
            for p in size.points() {
                assert_eq!(s.inverse().apply(s.apply(p, size), size), p);
                let (dx, dy) = (p.x() as i8 - 4, p.y() as i8 - 4);
                let q = s.apply(p, size);
                assert_eq!(s.apply_offset(dx, dy), (q.x() as i8 - 4, q.y() as i8 - 4));
            }
        }
    }
}
