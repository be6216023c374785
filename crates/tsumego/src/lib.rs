//! Life and death.
//!
//! - [`Candidates`] says which moves of a problem look like its answer, without a search: facts about
//!   each move, weighed by a learned forest;
//! - [`Solver`] reads a problem to the end. It closes the board first: a room around the defender's
//!   stones, the rest a wall. In the room a proof search finds who wins and by which moves.

mod aim;
pub mod candidates;
mod closing;
#[cfg(test)]
mod exhaustive;
pub mod facts;
pub mod forest;
mod life;
mod playing;
mod position;
mod proof;
mod reading;
mod room;
pub mod scene;
mod solve;
mod table;
#[cfg(test)]
mod tests;
mod threats;

pub use candidates::Candidates;
pub use reading::{Line, Outcome};
pub use solve::{Goal, MoveRater, Question, Solution, Solver, Tried};
pub use threats::Supply;
