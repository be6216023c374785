//! What to think about and for how long.

use std::time::Duration;

use goban::{Color, Move};

/// How long to think and what to look at. The default thinks until it is stopped.
#[derive(Clone, Default, Debug)]
pub struct Request {
    /// Stop when the root has this many visits.
    pub visits: Option<u64>,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Report this often; never if `None`.
    pub every: Option<Duration>,
    /// Moves that are not to be looked at.
    pub avoid: Vec<Restriction>,
    /// If there are any for a colour, only these are looked at.
    pub allow: Vec<Restriction>,
    /// Keep the ownership after each candidate.
    pub candidate_ownership: bool,
}

/// Moves of a colour that are forbidden, or the only ones allowed, near the root of the tree.
#[derive(Clone, Debug)]
pub struct Restriction {
    /// Whose moves.
    pub color: Color,
    /// The moves.
    pub moves: Vec<Move>,
    /// It holds for moves less than this many steps from the root: 1 is the root only.
    pub until_depth: usize,
}
