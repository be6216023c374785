//! Maximum likelihood by stochastic gradient: the modern reference.
//!
//! The model is a softmax over all legal moves; the gradient of its logarithm for a score is 1 for
//! the played move less the probability of each. Steps are those of AdaGrad (Duchi et al. 2011):
//! the rate of a weight falls with the root of the sum of its squared gradients, so that rare
//! patterns learn fast and frequent ones settle. A prior pulls weights towards neutral with the
//! same force in each pass, however rare the feature: what is seldom seen stays near neutral.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoroshiro128PlusPlus;

use crate::measure::{Scorer, softmax};
use crate::method::{Method, Weights};
use crate::walk::Position;

/// How to learn by likelihood.
#[derive(Clone, Copy, Debug)]
pub struct Likelihood {
    /// Step of the first update of a weight.
    pub rate: f32,
    /// What is left of it at the end of the last pass; it falls evenly.
    pub last_rate: f32,
    /// Strength of the prior: as if each weight had been drawn with variance 1 / prior.
    pub prior: f32,
    /// Positions whose gradients are added before a step.
    pub batch: usize,
    /// Moves less likely than this are learned from by chance, as often as they are likely and as
    /// if they were as likely as this: right on average, and a little faster. 0 learns from all.
    pub thin: f32,
    /// Seed of that chance.
    pub seed: u64,
}

impl Default for Likelihood {
    fn default() -> Likelihood {
        Likelihood { rate: 0.1, last_rate: 0.02, prior: 2.0, batch: 8, thin: 0.002, seed: 1 }
    }
}

/// A weight and what its steps depend on, side by side because they are wanted together.
#[derive(Clone, Copy, Default)]
struct Cell {
    log: f32,
    /// The sum of squared gradients.
    squares: f32,
    /// The gradient of the batch so far.
    gradient: f32,
    /// Steps of a pass, counted in the first.
    steps: f32,
}

/// Learns by likelihood. See the module documentation.
pub struct Ascent {
    how: Likelihood,
    rate: f32,
    cells: Vec<Cell>,
    touched: Vec<u32>,
    waiting: usize,
    first_pass: bool,
    random: Xoroshiro128PlusPlus,
    scores: Vec<f32>,
    probabilities: Vec<f32>,
}

/// Thins out unlikely moves: the share of a move's gradient to learn from now.
#[inline(always)]
pub(crate) fn thinned(p: f32, thin: f32, random: &mut Xoroshiro128PlusPlus) -> f32 {
    if p >= thin {
        return p;
    }
    let draw = (random.next_u64() >> 40) as f32 / (1u32 << 24) as f32;
    if draw * thin < p { thin } else { 0.0 }
}

impl Ascent {
    /// Starts with neutral weights.
    pub fn new(how: Likelihood, weights: usize) -> Ascent {
        Ascent {
            how,
            rate: how.rate,
            cells: vec![Cell::default(); weights],
            touched: Vec::new(),
            waiting: 0,
            first_pass: true,
            random: Xoroshiro128PlusPlus::seed_from_u64(how.seed),
            scores: Vec::new(),
            probabilities: Vec::new(),
        }
    }

    /// Adds the gradient of a position, the one by which likelihood falls.
    fn add(&mut self, position: &Position) -> f64 {
        let mut scores = std::mem::take(&mut self.scores);
        self.scores(position, &mut scores);
        let sum = softmax(&scores, &mut self.probabilities);
        let log = scores[position.played] - sum;
        for (i, list) in position.lists().enumerate() {
            let p = self.probabilities[i];
            let step = if i == position.played {
                p - 1.0
            } else {
                thinned(p, self.how.thin, &mut self.random)
            };
            if step == 0.0 {
                continue;
            }
            for &feature in list {
                let cell = &mut self.cells[feature as usize];
                if cell.gradient == 0.0 {
                    self.touched.push(feature);
                }
                cell.gradient += step;
            }
        }
        self.scores = scores;
        log as f64
    }

    fn step(&mut self) {
        for feature in self.touched.drain(..) {
            let cell = &mut self.cells[feature as usize];
            cell.steps += self.first_pass as u32 as f32;
            let gradient = cell.gradient + self.how.prior * cell.log / cell.steps.max(1.0);
            cell.squares += gradient * gradient;
            cell.log -= self.rate * gradient / (cell.squares.sqrt() + 1e-6);
            cell.gradient = 0.0;
        }
        self.waiting = 0;
    }
}

impl Scorer for Ascent {
    fn scores(&self, position: &Position, scores: &mut Vec<f32>) {
        scores.clear();
        scores.extend(
            position
                .lists()
                .map(|list| list.iter().map(|&i| self.cells[i as usize].log).sum::<f32>()),
        );
    }
}

impl Method for Ascent {
    fn learn(&mut self, position: &Position) -> f64 {
        let log = self.add(position);
        self.waiting += 1;
        if self.waiting >= self.how.batch {
            self.step();
        }
        log
    }

    fn progress(&mut self, share: f64) {
        let share = share.clamp(0.0, 1.0) as f32;
        self.rate = self.how.rate + (self.how.last_rate - self.how.rate) * share;
    }

    fn end_pass(&mut self) -> bool {
        self.step();
        self.first_pass = false;
        true
    }

    fn weights(&self) -> Weights {
        let logs = self.cells.iter().map(|cell| cell.log).collect();
        Weights { logs, ..Weights::default() }
    }

    fn state(&self) -> Vec<f32> {
        self.cells.iter().flat_map(|cell| [cell.log, cell.squares, cell.steps]).collect()
    }

    fn restore(&mut self, state: &[f32]) -> bool {
        if state.len() != self.cells.len() * 3 {
            return false;
        }
        self.first_pass = false;
        for (cell, kept) in self.cells.iter_mut().zip(state.chunks_exact(3)) {
            *cell = Cell { log: kept[0], squares: kept[1], gradient: 0.0, steps: kept[2] };
        }
        true
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::method::Weights;

    /// Moves that share features, one of them with a feature twice.
    pub(crate) fn position() -> Position {
        Position::from_lists(&[&[0, 2, 5], &[1, 2, 2, 4], &[0, 3, 4, 5], &[1, 6]], 1)
    }

    /// The slope of minus the log-likelihood by each number that `put` changes.
    pub(crate) fn slopes(
        weights: &Weights,
        n: usize,
        put: fn(&mut Weights, usize, f32),
    ) -> Vec<f32> {
        let value = |weights: &Weights| {
            let (mut scores, mut shares) = (Vec::new(), Vec::new());
            weights.scores(&position(), &mut scores);
            let sum = softmax(&scores, &mut shares);
            (sum - scores[position().played]) as f64
        };
        let h = 1e-2;
        let slope = |i: usize| {
            let (mut up, mut down) = (weights.clone(), weights.clone());
            put(&mut up, i, h);
            put(&mut down, i, -h);
            ((value(&up) - value(&down)) / (2.0 * h as f64)) as f32
        };
        (0..n).map(slope).collect()
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let how = Likelihood { thin: 0.0, ..Likelihood::default() };
        let mut ascent = Ascent::new(how, 7);
        for (i, cell) in ascent.cells.iter_mut().enumerate() {
            cell.log = (i * 5 % 7) as f32 / 4.0 - 0.8;
        }
        let expected = slopes(&ascent.weights(), 7, |weights, i, h| weights.logs[i] += h);
        ascent.add(&position());
        for (i, cell) in ascent.cells.iter().enumerate() {
            assert!((cell.gradient - expected[i]).abs() < 1e-3, "{i}: {expected:?}");
        }
    }

    #[test]
    fn thinning_is_right_on_average() {
        let mut random = Xoroshiro128PlusPlus::seed_from_u64(1);
        let sum: f32 = (0..100_000).map(|_| thinned(0.003, 0.01, &mut random)).sum();
        assert!((sum / 100_000.0 - 0.003).abs() < 1e-4);
        assert_eq!(thinned(0.3, 0.01, &mut random), 0.3);
    }
}
