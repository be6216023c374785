//! The two players and what a point of the board can hold.

use std::fmt;
use std::ops::Not;

/// A player.
///
/// The numbers are bit flags on purpose: together with [`Cell::Edge`] = `Black | White` they let a
/// single mask ask "is this neighbour mine or off the board" (see [`crate::Board`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// Black, who moves first in an even game.
    Black = 1,
    /// White.
    White = 2,
}

impl Color {
    /// Both players, black first.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// 0 for black, 1 for white: the place in an array with one entry a player.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// Reads `b`, `black`, `w`, `white` in any case, as the text protocols write colours.
    pub fn parse(text: &str) -> Option<Color> {
        if text.eq_ignore_ascii_case("b") || text.eq_ignore_ascii_case("black") {
            Some(Color::Black)
        } else if text.eq_ignore_ascii_case("w") || text.eq_ignore_ascii_case("white") {
            Some(Color::White)
        } else {
            None
        }
    }

    /// `B` or `W`.
    pub const fn letter(self) -> char {
        match self {
            Color::Black => 'B',
            Color::White => 'W',
        }
    }
}

impl Not for Color {
    type Output = Color;

    /// The opponent.
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::Black => "Black",
            Color::White => "White",
        })
    }
}

/// What a point holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Cell {
    /// No stone.
    #[default]
    Empty = 0,
    /// A black stone.
    Black = 1,
    /// A white stone.
    White = 2,
    /// Not a point of the board.
    Edge = 3,
}

impl Cell {
    /// The colour of the stone, if there is one.
    #[inline]
    pub const fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Edge => None,
        }
    }

    /// The cell whose number is the lowest two bits of `bits`.
    #[inline]
    pub const fn from_bits(bits: u16) -> Cell {
        const CELLS: [Cell; 4] = [Cell::Empty, Cell::Black, Cell::White, Cell::Edge];
        CELLS[(bits & 3) as usize]
    }
}

impl From<Color> for Cell {
    #[inline]
    fn from(color: Color) -> Cell {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }
}
