//! What to think about and for how long.

use std::time::Duration;

use search::Restriction;

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
