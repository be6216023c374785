//! The rules of Go: points, chains with exact liberties, capture, ko and superko, scoring,
//! handicap, symmetries, and boards as text and pictures. No I/O, no randomness, and a move on a
//! [`Board`] allocates nothing.
//!
//! Three paths through it:
//! - *the fast board*: [`point`](Point) and its tables, [`Board`] and its [`Ring`]s, what a move
//!   tells its [`Watch`];
//! - *a game of Go*: [`Rules`], [`Game`] (superko, undo, prisoners), [`score`], [`handicap`];
//! - *why to believe it*: the slow [`referee`] and the counts of [`perft`].
//!
//! ```
//! use goban::{Diagram, Game, Move, Point, Rules, Size, score::Marks};
//!
//! let mut game = Game::new(Size::NINE, Rules::CHINESE, 7.0);
//! game.play(Move::Play(Point::parse("E5").unwrap())).unwrap();
//! game.play(Move::Pass).unwrap();
//! assert_eq!(game.score(&Marks::default()), 81.0 - 7.0);
//! println!("{}", Diagram::new(game.board()));
//! ```

mod board;
mod change;
mod color;
mod diagram;
mod game;
pub mod handicap;
pub mod ladder;
mod liberties;
pub mod perft;
mod point;
pub mod referee;
mod ring;
mod rules;
pub mod score;
mod svg;
mod symmetry;
pub mod zobrist;

pub use board::{After, Around, Board, Chain, Directions, Illegal};
pub use change::{Changes, Watch};
pub use color::{Cell, Color};
pub use diagram::{Diagram, DiagramError};
pub use game::{Game, Move, result_text};
pub use point::{Point, PointMap, PointSet, Size};
pub use ring::Ring;
pub use rules::{HandicapBonus, Ko, Rules, Scoring};
pub use svg::Picture;
pub use symmetry::Symmetry;
