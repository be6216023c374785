//! Random games.
pub mod draw;
pub mod random;
pub mod uniform;
