//! Light playouts: every legal move that does not fill an own eye is equally likely.

use crate::draw::Draw;
use crate::random::Random;
use goban::{Board, Color};

/// How a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Moves made, passes included.
    pub moves: u32,
    /// Area of black minus area of white, before komi.
    pub score: i32,
}

/// Plays from `board` with `to_move` to two passes.
pub fn run(board: &mut Board, draw: &mut Draw, to_move: Color, random: &mut Random) -> Outcome {
    let limit = 3 * board.size().area() as u32;
    let mut color = to_move;
    let mut passes = 0;
    let mut moves = 0;
    while passes < 2 && moves < limit {
        match draw.pick(board, color, random) {
            Some(p) => {
                board.play_assume_legal(p, color, draw);
                passes = 0;
            }
            None => {
                board.pass();
                passes += 1;
            }
        }
        color = !color;
        moves += 1;
    }
    let mut score = board.stones(Color::Black) as i32 - board.stones(Color::White) as i32;
    for p in draw.empties() {
        let ring = board.ring(p);
        score += ring.is_surrounded_by(Color::Black) as i32;
        score -= ring.is_surrounded_by(Color::White) as i32;
    }
    Outcome { moves, score }
}
