//! Light playouts: every legal move that does not fill an own eye is equally likely.

use goban::{Board, Color};

use crate::draw::Draw;
use crate::outcome::{Outcome, area, area_after_passes};
use crate::random::Random;

/// Light playouts from one position. Everything they need is set aside here once; a playout
/// allocates nothing.
pub struct Uniform {
    start: Board,
    start_draw: Draw,
    to_move: Color,
    board: Board,
    draw: Draw,
}

impl Uniform {
    /// Playouts from `board` with `to_move` to play first.
    pub fn new(board: &Board, to_move: Color) -> Uniform {
        let draw = Draw::new(board);
        Uniform {
            start: board.clone(),
            start_draw: draw.clone(),
            to_move,
            board: board.clone(),
            draw,
        }
    }

    /// The position that the last playout ended in.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays until both pass in turn, or to three times as many moves as the board has points: then
    /// the game circles. On 7x7 and larger hardly any does; on 2x2 nearly half do.
    pub fn run(&mut self, random: &mut Random) -> Outcome {
        self.board.copy_from(&self.start);
        self.draw.copy_from(&self.start_draw, self.start.size());
        let (board, draw) = (&mut self.board, &mut self.draw);
        let longest = 3 * board.size().area() as u32;
        let mut color = self.to_move;
        let (mut moves, mut passes) = (0, 0);
        while passes < 2 && moves < longest {
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
        let score = match passes {
            2 => area_after_passes(board, draw.points().iter().copied()),
            _ => area(board),
        };
        Outcome { moves, score }
    }
}
