//! What the engine answers to other programs: sessions of the Go Text Protocol, and the JSON analysis
//! protocol. Both run in process: lines come from a reader and answers go to a writer, so that tests need
//! no program.
//!
//! - [`Session`] carries out the commands of the Go Text Protocol; the crate `gtp` knows its lines;
//! - [`analysis`] answers questions about many positions at once;
//! - [`rules`] reads and writes rules as both protocols do, [`solved`] the answers of the solver;
//! - [`limits`] are the bounds of values that come from outside.
//!
//! Nothing here opens a file or prints: files come through [`Records`], weights through
//! [`engine::Library`] and [`MoveRater`].

pub mod analysis;
pub mod limits;
mod replay;
pub mod rules;
mod session;
pub mod solved;

pub use replay::replay;
pub use session::{Loaded, Records, Session, Settings, Show};

use std::sync::Arc;

use goban::{Board, Color, Point};

/// How good the moves of a problem look, which tells the solver what to read first.
pub type MoveRater = Arc<dyn Fn(&Board, Color) -> Vec<(Point, f32)> + Send + Sync>;
