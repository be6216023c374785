//! The move model: what a move looks like, how likely it is, and why. Inference only.
//!
//! - [`Situation`] is what the model looks at; [`Follower`] makes one from each move of a game;
//! - [`tactics`] says what a move does to the chains around it, [`feature`] numbers and words it;
//! - [`Model`] has a weight for each feature and shape and gives values, probabilities, ranks and
//!   reasons; it turns into the bytes of a file and back.

pub mod feature;
mod file;
mod model;
mod situation;
pub mod tactics;

pub use feature::{Feature, Meaning, Use};
pub use file::FileError;
pub use model::{About, Model, ModelError, Rated, Reason, default_cut, grouped};
pub use situation::{Follower, Situation};
pub use tactics::Tactics;
