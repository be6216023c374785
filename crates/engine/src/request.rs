//! What to think about and for how long.

use std::time::Duration;

use goban::{Color, Game, Move};
use search::Restriction;

use crate::engine::expander;

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

impl Request {
    /// The moves of a player that may be looked at. A search that has none looks at a pass.
    pub fn moves(&self, game: &Game, color: Color) -> impl Iterator<Item = Move> {
        let expander = expander(self);
        let board = game.board();
        let points = board.size().points().filter(move |&p| !board.is_eye(p, color));
        points
            .map(Move::Play)
            .chain([Move::Pass])
            .filter(move |&mv| game.check(color, mv).is_ok() && expander.allows(color, mv, 0))
    }
}
