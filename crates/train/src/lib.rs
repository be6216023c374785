//! Learning: from game records to pattern dictionaries and weights.
//!
//! - [`Walk`] follows a game and keeps the features of every legal move up to date; [`Terrain`] is
//!   what it needs to know, [`Position`] what it gives.

mod contact;
mod frame;
mod lookup;
mod walk;

pub use frame::Frame;
pub use lookup::Lookup;
pub use walk::{Position, Terrain, Walk};
