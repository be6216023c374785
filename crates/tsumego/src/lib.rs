//! Life and death.
//!
//! A problem is closed first: a room around the defender's stones, the rest of the board a wall.
//! In the room a proof search finds who wins and by which moves.

mod closing;
mod life;
mod position;
mod proof;
mod reading;
mod room;
mod solve;
mod table;

pub use room::Side;
pub use reading::{Line, Outcome};
pub use solve::{Goal, Question, Sight, Solution, Solver, Tried};
