//! Simulated games: fast random play from a position to its end.
//!
//! - [`Uniform`]: light playouts, every legal move that fills no own eye equally likely;
//! - [`Learned`]: playouts that draw from a move model, made ready by [`Compiled`] and kept up to
//!   date by [`Sampler`];
//! - [`Experience`]: what playouts learn while they run;
//! - [`Observer`]s watch playouts; [`statistics`] of points and pairs of points come from them;
//! - [`steering`]: playouts that use the statistics of earlier playouts;
//! - [`Random`]: the seeded numbers they are drawn with;
//! - [`signature`]: totals of fixed playouts, the same on every machine, that change only when
//!   the rules or the playouts do.

mod code;
mod compiled;
mod draw;
mod experience;
mod ladder_escape;
mod large_table;
mod learned;
mod nakade;
mod observer;
mod outcome;
mod prefetch;
mod random;
mod rescue;
mod ring_table;
mod sampler;
mod seki;
mod signature;
pub mod statistics;
pub mod steering;
mod tactic;
mod trie;
mod uniform;
mod values;

pub use compiled::{Compiled, NotForPlayouts, check};
pub use draw::Draw;
pub use experience::{Experience, Rates};
pub use ladder_escape::runs_in_ladder;
pub use learned::{Learned, PlayoutSettings};
pub use observer::Observer;
pub use outcome::{Outcome, owner};
pub use random::Random;
pub use sampler::{Captures, Sampler};
pub use signature::{Signature, signature};
pub use uniform::Uniform;
