//! Learning: from game records to pattern dictionaries and weights.
//!
//! - [`Games`] are kept in memory, two bytes a move;
//! - a [`policy::FeatureTracker`] follows a game and gives a [`policy::Position`] at every step;
//! - [`Extraction`] counts patterns into a dictionary;
//! - a [`Method`] learns weights from positions: [`Ascent`] by likelihood, [`Pairs`] with factorised
//!   pairs, [`Minorise`] as Coulom does, [`Descent`] by ranking, [`Counting`] by counting;
//! - a [`Course`] goes through the games pass by pass, [`Measures`] say how well weights predict, and
//!   [`choose_filter`] calibrates them;
//! - a [`Checkpoint`] puts a course aside between two passes, and going on from it leads to the same
//!   weights as never having stopped.
//!
//! Nothing here reads files or prints: games come from `kifu`, everything else as bytes.

mod calibrate;
mod checkpoint;
mod counting;
mod course;
mod curve;
mod extract;
mod factors;
mod games;
mod gradient;
mod likelihood;
mod measure;
mod method;
mod mm;
mod sketch;
mod store;
mod tally;
mod tour;
mod tracker;

pub use calibrate::{Aim, choose_filter};
pub use checkpoint::{Checkpoint, CheckpointError};
pub use counting::Counting;
pub use course::{Best, Course, Learned, Standing, Step, measure};
pub use curve::{Mark, curve};
pub use extract::{ExtractError, Extracted, Extraction, Meter, by_stage};
pub use factors::Pairs;
pub use games::{Game, Games};
pub use gradient::{Descent, Gradient};
pub use likelihood::{Ascent, Likelihood};
pub use measure::{Measures, Moment, PLACES, RANKS, Report, SHARES, Scorer, Sums, softmax};
pub use method::{Filtered, Method, Weights};
pub use mm::Minorise;
pub use tally::Partial;
