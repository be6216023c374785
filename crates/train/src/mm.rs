//! Minorisation and maximisation for teams of features (Coulom 2007, "Computing Elo ratings of move
//! patterns in the game of Go").
//!
//! A move is a team whose strength is the product of its weights, and the played move won against
//! the others. Each pass brings one group of features to the maximum of a bound on the likelihood:
//! weights are multiplied by the number of their wins over the number to be expected. That is
//! right if no team has two of a group; if it can have m, the m-th root of the quotient is taken
//! (Darroch and Ratcliff 1972), which keeps the bound. So likelihood times prior never falls. The
//! prior is a win and a loss of every feature against one of strength 1.

use policy::{Feature, Meaning, Position, Use};

use crate::measure::{Scorer, softmax};
use crate::method::{Method, Weights};
use crate::store::{Reader, Writer};

/// Groups are updated in turn; patterns first, for they say most.
const GROUPS: usize = 5;

/// Learns by minorisation and maximisation.
pub struct Minorise {
    logs: Vec<f32>,
    /// The group of each feature.
    groups: Vec<u8>,
    /// The groups that have features.
    turns: Vec<u8>,
    passes: usize,
    wins: Vec<f64>,
    expected: Vec<f64>,
    /// The most features of each group that a move had.
    most: [u32; GROUPS],
    scores: Vec<f32>,
    probabilities: Vec<f32>,
}

fn group(of: Use, feature: Feature) -> u8 {
    match of.meaning(feature) {
        Meaning::Last(_) => 2,
        Meaning::BeforeLast(_) => 3,
        Meaning::Position(_) => 4,
        _ => 1,
    }
}

impl Minorise {
    /// Starts with neutral weights.
    pub fn new(of: Use, weights: usize) -> Minorise {
        let features = (0..of.features()).map(|n| group(of, Feature(n as u16)));
        let mut groups: Vec<u8> = features.collect();
        groups.resize(weights, 0);
        let turns = (0..GROUPS as u8).filter(|g| groups.contains(g)).collect();
        Minorise {
            logs: vec![0.0; weights],
            groups,
            turns,
            passes: 0,
            wins: vec![0.0; weights],
            expected: vec![0.0; weights],
            most: [1; GROUPS],
            scores: Vec::new(),
            probabilities: Vec::new(),
        }
    }

    /// The logarithm of the prior of the weights.
    pub fn log_prior(&self) -> f64 {
        self.logs.iter().map(|&x| x as f64 - 2.0 * (x as f64).exp().ln_1p()).sum()
    }
}

impl Scorer for Minorise {
    fn scores(&self, position: &Position, scores: &mut Vec<f32>) {
        self.logs.as_slice().scores(position, scores);
    }
}

impl Method for Minorise {
    fn learn(&mut self, position: &Position) -> f64 {
        self.logs.as_slice().scores(position, &mut self.scores);
        let sum = softmax(&self.scores, &mut self.probabilities);
        let turn = self.turns[self.passes % self.turns.len()];
        for (i, list) in position.lists().enumerate() {
            let p = self.probabilities[i] as f64;
            let won = (i == position.played) as u32 as f64;
            let mut count = 0;
            for &feature in list {
                if self.groups[feature as usize] == turn {
                    self.expected[feature as usize] += p;
                    self.wins[feature as usize] += won;
                    count += 1;
                }
            }
            let most = &mut self.most[turn as usize];
            *most = (*most).max(count);
        }
        (self.scores[position.played] - sum) as f64
    }

    fn end_pass(&mut self) -> bool {
        let turn = self.turns[self.passes % self.turns.len()];
        let root = 1.0 / self.most[turn as usize] as f64;
        for feature in 0..self.logs.len() {
            if self.groups[feature] == turn {
                let x = (self.logs[feature] as f64).exp();
                let wins = self.wins[feature] + 1.0;
                let expected = self.expected[feature] + 2.0 * x / (1.0 + x);
                self.logs[feature] += (root * (wins / expected).ln()) as f32;
            }
        }
        self.wins.fill(0.0);
        self.expected.fill(0.0);
        self.passes += 1;
        true
    }

    fn weights(&self) -> Weights {
        Weights { logs: self.logs.clone(), ..Weights::default() }
    }

    fn state(&self) -> Vec<u8> {
        let mut state = Writer::default();
        state.number(self.passes as u64);
        self.most.iter().for_each(|&most| state.number(most as u64));
        state.floats(&self.logs);
        state.0
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let read = |mut state: Reader<'_>| {
            let passes = state.count()?;
            let mut most = [0; GROUPS];
            for most in &mut most {
                *most = u32::try_from(state.number()?).ok()?;
            }
            let logs = state.floats(self.logs.len())?;
            state.end()?;
            Some((passes, most, logs))
        };
        let Some(kept) = read(Reader(state)) else { return false };
        (self.passes, self.most, self.logs) = kept;
        true
    }
}
