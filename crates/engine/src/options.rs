//! How the engine plays.

use std::sync::Arc;
use std::time::Duration;

use knowledge::Book;
use search::Change;

use crate::knowledge_player::Knowledge;
use crate::level::Level;

/// How the engine plays.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Threads that search.
    pub threads: usize,
    /// Memory for the tree.
    pub megabytes: usize,
    /// Seed of the playouts.
    pub seed: u64,
    /// Playouts for a move; no bound if `None`.
    pub visits: Option<u64>,
    /// Time for a move when there is no clock.
    pub time: Duration,
    /// Resigns when the win rate stays below this; never if `None`.
    pub resign: Option<f32>,
    /// Shifts the komi in handicap games so that there is always something to play for.
    pub dynamic_komi: bool,
    /// Plays like someone of this rank; full strength if `None`.
    pub level: Option<Level>,
    /// Plays by known shapes and influence in place of the tree search.
    pub knowledge: Option<Knowledge>,
    /// Opening moves that are played without thinking.
    pub book: Option<Arc<Book>>,
    /// Settings of the search that differ from the usual.
    pub changes: Vec<Change>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            megabytes: 512,
            seed: 1,
            visits: None,
            time: Duration::from_secs(5),
            resign: Some(0.08),
            dynamic_komi: true,
            level: None,
            knowledge: None,
            book: None,
            changes: Vec::new(),
        }
    }
}
