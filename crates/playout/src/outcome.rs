//! How a playout ended, and who owns what then.

use goban::score::{self, Marks};
use goban::{Board, Color, Point};

/// How a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Moves made, passes included.
    pub moves: u32,
    /// Black's area less White's, before komi.
    pub score: i32,
}

/// The area after both players passed. A point with an empty neighbour is neither an eye nor
/// suicide, so it would have been played: all that are empty now stand alone, and their neighbours
/// tell the owner.
#[inline]
pub(crate) fn area_after_passes(board: &Board, empties: impl Iterator<Item = Point>) -> i32 {
    let stones = |color| board.stones(color) as i32;
    let mut area = stones(Color::Black) - stones(Color::White);
    for p in empties {
        let ring = board.ring(p);
        area += ring.is_surrounded_by(Color::Black) as i32;
        area -= ring.is_surrounded_by(Color::White) as i32;
    }
    area
}

/// The area of any position.
#[cold]
pub(crate) fn area(board: &Board) -> i32 {
    score::area(board, &Marks::default()).difference()
}
