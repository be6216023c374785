//! What a search has found, as plain data.

use std::time::Duration;

use goban::{Color, Move, PointMap};

/// One move that the search looked at from the root.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Playouts that began with it.
    pub visits: u64,
    /// How often they were won by the player to move at the root, 0 to 1.
    pub winrate: f32,
    /// A bound that the true win rate is above with good confidence.
    pub lcb: f32,
    /// The expected score for the player to move at the root, komi counted.
    pub score: f32,
    /// The move model's probability.
    pub prior: f32,
    /// The line expected: this move first.
    pub line: Vec<Move>,
    /// Playouts that went through each move of the line.
    pub line_visits: Vec<u64>,
    /// Who owns each point after this move, if it was asked for; see [`Report::ownership`].
    pub ownership: Option<PointMap<f32>>,
}

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Report {
    /// Who is to move at the root: win rates and scores are from this player's view.
    pub to_move: Color,
    /// Playouts below the root, those of earlier searches that were kept included.
    pub visits: u64,
    /// Playouts made by this search.
    pub playouts: u64,
    /// How long this search has run.
    pub elapsed: Duration,
    /// How often the player to move wins, 0 to 1.
    pub winrate: f32,
    /// The expected score for the player to move, komi counted.
    pub score: f32,
    /// The standard deviation of the scores of single playouts; 0 if it is not known.
    pub score_deviation: f32,
    /// The moves looked at, the best first.
    pub candidates: Vec<Candidate>,
    /// The moves that the search has ready and no playout began with, with the probability that it
    /// takes each for.
    pub others: Vec<(Move, f32)>,
    /// Who owns each point at the end of the playouts: from -1, the opponent, to +1, the player to
    /// move.
    pub ownership: PointMap<f32>,
}

impl Report {
    /// The moves that come next. Nothing is known of them but what the position is worth.
    pub fn unvisited(&self) -> impl Iterator<Item = Candidate> {
        self.others.iter().map(|&(mv, prior)| self.unknown(mv, prior))
    }

    /// A move that no playout began with.
    pub fn unknown(&self, mv: Move, prior: f32) -> Candidate {
        Candidate {
            mv,
            visits: 0,
            winrate: self.winrate,
            lcb: 0.0,
            score: self.score,
            prior,
            line: vec![mv],
            line_visits: vec![0],
            ownership: None,
        }
    }
}
