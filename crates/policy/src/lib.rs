//! The move model: what a move looks like, how likely it is, and why. Inference only.
//!
//! - [`Situation`] is what the model looks at; [`Follower`] makes one from each move of a game;
//! - [`tactics`] says what a move does to the chains around it, [`feature`] numbers and words it;
//! - [`Model`] has a weight for each feature and shape and gives values, probabilities, ranks and
//!   reasons; it turns into the bytes of a file and back;
//! - [`Walk`] follows a game and keeps the features of every legal move up to date; [`Terrain`] is
//!   what it needs to know, [`Position`] what it gives;
//! - [`Rater`] is a model made ready for a board size, and a [`Line`] of play rates its moves by it:
//!   the same as [`Model::rate`], many times faster.

pub mod feature;
mod file;
mod line;
mod model;
mod rater;
mod situation;
pub mod tactics;
mod walk;

pub use feature::{Feature, Meaning, Use};
pub use file::FileError;
pub use line::Line;
pub use model::{About, Ground, Model, ModelError, Rated, Reason, default_cut, grouped, many};
pub use rater::Rater;
pub use situation::{Follower, Situation};
pub use tactics::Tactics;
pub use walk::{Frame, Lookup, Position, Rings, Terrain, Walk};
