//! The eight neighbours of a point in one number.

use crate::color::{Cell, Color};

/// The eight neighbours of a point, two bits each in the order of the directions: down, left,
/// right, up in the low byte, then lower left, lower right, upper left, upper right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ring(pub u16);

/// The low bit of each of four two-bit cells.
const LOW: u16 = 0x55;

impl Ring {
    /// The neighbour in direction `d` (0 to 7).
    #[inline]
    pub const fn cell(self, d: usize) -> Cell {
        Cell::from_bits(self.0 >> (2 * d))
    }

    /// Orthogonal neighbours that hold a stone of `color`, bit `2 d` for direction `d`.
    #[inline]
    pub const fn stones(self, color: Color) -> u16 {
        let (black, white) = (self.0 & LOW, self.0 >> 1 & LOW);
        match color {
            Color::Black => black & !white,
            Color::White => white & !black,
        }
    }

    /// Empty orthogonal neighbours, bit `2 d` for direction `d`.
    #[inline]
    pub const fn empties(self) -> u16 {
        !(self.0 | self.0 >> 1) & LOW
    }

    /// Number of empty orthogonal neighbours.
    #[inline]
    pub const fn liberties(self) -> u32 {
        self.empties().count_ones()
    }

    /// Whether an orthogonal neighbour is a stone of `color`.
    #[inline]
    pub const fn has_neighbour(self, color: Color) -> bool {
        self.stones(color) != 0
    }

    /// Whether an orthogonal neighbour is empty.
    #[inline]
    pub const fn has_liberty(self) -> bool {
        self.empties() != 0
    }

    /// Whether every orthogonal neighbour is a stone of `color` or the edge. Edges carry the bits
    /// of both colours, so one mask tells.
    #[inline]
    pub const fn is_surrounded_by(self, color: Color) -> bool {
        let mask = LOW << (color as u16 - 1);
        self.0 & mask == mask
    }

    /// Whether a surrounded point is a real eye by the usual rule of thumb: at most one diagonal
    /// neighbour is the opponent's, none at the edge.
    #[inline]
    pub const fn is_eye_of(self, color: Color) -> bool {
        let diagonal = self.0 >> 8;
        let (black, white) = (diagonal & LOW, diagonal >> 1 & LOW);
        let theirs = match color {
            Color::Black => white & !black,
            Color::White => black & !white,
        };
        let edge = (black & white != 0) as u32;
        self.is_surrounded_by(color) & (theirs.count_ones() + edge < 2)
    }
}
