//! Life and death.
//!
//! - [`candidates`] says which moves of a problem look like its answer, without a search.

pub mod candidates;
pub mod facts;
pub mod forest;
pub mod scene;

pub use candidates::Candidates;
