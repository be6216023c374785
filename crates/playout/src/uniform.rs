//! Light playouts: every legal move that does not fill an own eye is equally likely.

use goban::{Board, Color, Point, Watch};

use crate::draw::Draw;
use crate::observer::Observer;
use crate::outcome::{Outcome, area, area_after_passes};
use crate::random::Random;
use crate::sampler::Captures;

/// Light playouts from one position. Everything they need is set aside here once; a playout
/// allocates nothing.
pub struct Uniform {
    start: Board,
    start_draw: Draw,
    to_move: Color,
    board: Board,
    draw: Draw,
    captures: Captures,
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
            captures: Captures::new(),
        }
    }

    /// The position that the last playout ended in.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays until both pass in turn, or to three times as many moves as the board has points: then
    /// the game circles. On 7x7 and larger hardly any does; on 2x2 nearly half do.
    pub fn run(&mut self, random: &mut Random) -> Outcome {
        self.run_watched(random, &mut ())
    }

    /// The same, watched.
    pub fn run_watched<O: Observer>(&mut self, random: &mut Random, observer: &mut O) -> Outcome {
        self.board.copy_from(&self.start);
        self.draw.copy_from(&self.start_draw, self.start.size());
        let (board, draw, captures) = (&mut self.board, &mut self.draw, &mut self.captures);
        observer.started(board, self.to_move);
        let longest = 3 * board.size().area() as u32;
        let mut color = self.to_move;
        let (mut moves, mut passes) = (0, 0);
        while passes < 2 && moves < longest {
            let picked = draw.pick(board, color, random);
            match picked {
                Some(p) if O::CAPTURES => {
                    captures.clear();
                    board.play_assume_legal(p, color, &mut Both { draw, captures });
                    observer.played(color, picked, captures.stones());
                    passes = 0;
                }
                Some(p) => {
                    board.play_assume_legal(p, color, draw);
                    observer.played(color, picked, &[]);
                    passes = 0;
                }
                None => {
                    board.pass();
                    observer.played(color, None, &[]);
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
        let outcome = Outcome { moves, score };
        observer.finished(board, &outcome);
        outcome
    }
}

/// Keeps the points to draw from up to date, and the captures of a move.
struct Both<'a> {
    draw: &'a mut Draw,
    captures: &'a mut Captures,
}

impl Watch for Both<'_> {
    #[inline]
    fn placed(&mut self, point: Point, color: Color) {
        self.draw.placed(point, color);
    }

    #[inline]
    fn captured(&mut self, point: Point) {
        self.draw.captured(point);
        self.captures.captured(point);
    }
}
