//! Problems studied: where answers are, what they look like, and how often a method that only looks
//! finds them. The sources are a paper on moves and patterns in problems and the methods that it
//! compares; `docs/tsumego.md` has their figures beside ours.
//!
//! - [`distribution`]: the classes of points and how often each is played;
//! - [`census`]: patterns and how often they are the answer;
//! - [`method`]: ways to guess the answer; [`lessons`]: what they learned, as bytes;
//! - [`trial`]: how often they are right;
//! - [`boost`]: growing the forest of [`::tsumego::Candidates`].

pub mod boost;
pub mod census;
pub mod distribution;
pub mod lessons;
pub mod method;
pub mod trial;

use goban::{Board, Color, Point};
use kifu::Problem;

/// A move of a problem and the position before it.
pub struct Turn {
    /// The position.
    pub board: Box<Board>,
    /// Who moves.
    pub color: Color,
    /// Where.
    pub point: Point,
    /// Number of the move in its line, from 1; odd ones are the first player's.
    pub number: usize,
}

/// The moves of a problem: of each answer and the line after it, each position and move once.
pub fn turns(problem: &Problem) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for line in &problem.lines {
        let mut board = problem.board.clone();
        let mut color = problem.to_play;
        for (i, &point) in line.iter().enumerate() {
            turns.push(Turn { board: board.clone(), color, point, number: i + 1 });
            if board.play(point, color).is_err() {
                break;
            }
            color = !color;
        }
    }
    turns
}
