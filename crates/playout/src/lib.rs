//! Simulated games: fast random play from a position to its end.
//!
//! - [`Uniform`]: light playouts, every legal move that fills no own eye equally likely;
//! - [`Random`]: the seeded numbers they are drawn with;
//! - [`signature`]: totals of fixed playouts, the same on every machine, that change only when
//!   the rules or the playouts do.

mod draw;
mod random;
mod signature;
mod uniform;

pub use draw::Draw;
pub use random::Random;
pub use signature::{Signature, signature};
pub use uniform::{Outcome, Uniform};
