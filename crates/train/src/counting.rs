//! The simplest baseline: a feature is worth the share of its moves that were played, against the
//! share of all moves. Features are taken one by one, so what two of them share counts twice.

use policy::Position;

use crate::measure::{Scorer, softmax};
use crate::method::{Method, Weights};
use crate::store::{Reader, Writer};

/// Moves that a feature is taken to have been seen in besides those it was, played as often as
/// any move: what is rare stays near neutral.
const PRIOR: f64 = 10.0;

/// Learns by counting, in one pass.
pub struct Counting {
    logs: Vec<f32>,
    /// Played and seen.
    counts: Vec<(u64, u64)>,
    positions: u64,
    moves: u64,
    scores: Vec<f32>,
    probabilities: Vec<f32>,
}

impl Counting {
    /// Nothing counted yet.
    pub fn new(weights: usize) -> Counting {
        Counting {
            logs: vec![0.0; weights],
            counts: vec![(0, 0); weights],
            positions: 0,
            moves: 0,
            scores: Vec::new(),
            probabilities: Vec::new(),
        }
    }
}

impl Scorer for Counting {
    fn scores(&self, position: &Position, scores: &mut Vec<f32>) {
        self.logs.as_slice().scores(position, scores);
    }
}

impl Method for Counting {
    fn learn(&mut self, position: &Position) -> f64 {
        self.positions += 1;
        self.moves += position.len() as u64;
        for (i, list) in position.lists().enumerate() {
            for &feature in list {
                let (played, seen) = &mut self.counts[feature as usize];
                *played += (i == position.played) as u64;
                *seen += 1;
            }
        }
        self.logs.as_slice().scores(position, &mut self.scores);
        let sum = softmax(&self.scores, &mut self.probabilities);
        (self.scores[position.played] - sum) as f64
    }

    fn end_pass(&mut self) -> bool {
        let usual = self.positions as f64 / self.moves.max(1) as f64;
        for (log, &(played, seen)) in self.logs.iter_mut().zip(&self.counts) {
            let share = (played as f64 + PRIOR * usual) / (seen as f64 + PRIOR);
            *log = if usual > 0.0 { (share / usual).ln() as f32 } else { 0.0 };
        }
        false
    }

    fn weights(&self) -> Weights {
        Weights { logs: self.logs.clone(), ..Weights::default() }
    }

    fn state(&self) -> Vec<u8> {
        let mut state = Writer::default();
        state.number(self.positions);
        state.number(self.moves);
        state.floats(&self.logs);
        for &(played, seen) in &self.counts {
            state.number(played);
            state.number(seen);
        }
        state.0
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let read = |mut state: Reader<'_>| {
            let (positions, moves) = (state.number()?, state.number()?);
            let logs = state.floats(self.logs.len())?;
            let count = |_: &(u64, u64)| Some((state.number()?, state.number()?));
            let counts: Option<Vec<_>> = self.counts.iter().map(count).collect();
            state.end()?;
            Some((positions, moves, logs, counts?))
        };
        let Some(kept) = read(Reader(state)) else { return false };
        (self.positions, self.moves, self.logs, self.counts) = kept;
        true
    }
}
