//! The move model: what a move looks like, how likely it is, and why. Inference only.
//!
//! - [`Situation`] is what the model looks at; [`Follower`] makes one from each move of a game;
//! - [`tactics`] says what a move does to the chains around it, [`feature`] numbers and words it;
//! - [`Model`] has a weight for each feature and shape and gives values, probabilities, ranks and
//!   reasons; it turns into the bytes of a file and back;
//! - [`FeatureTracker`] follows a game and keeps the features of every legal move up to date; [`FeatureSpace`] is
//!   what it needs to know, [`Position`] what it gives;
//! - [`Rater`] is a model made ready for a board size, and a [`Line`] of play rates its moves by it:
//!   the same as [`Model::rate`], many times faster.

pub mod feature;
mod feature_tracker;
mod file;
mod line;
mod model;
mod rater;
mod situation;
pub mod tactics;

pub use feature::{Feature, Meaning, Use};
pub use feature_tracker::{
    FeatureSpace, FeatureTracker, Lookup, PatternLayout, Position, RingHashes,
};
pub use file::FileError;
pub use line::Line;
pub use model::{About, Model, ModelError, Rated, Reason, ReasonKind, default_cut, grouped, many};
pub use rater::Rater;
pub use situation::{Follower, Situation};
pub use tactics::Tactics;
