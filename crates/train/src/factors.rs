//! Pairs of features, factorised: a factorisation machine (Rendle 2010; for Go, Wistuba and
//! Schmidt-Thieme 2013, "latent factor ranking").
//!
//! A move's score is the sum of its weights and, for every pair of its features, the product of
//! their factors, rows of a few numbers. So the model learns that a hane is worth more next to the
//! last move without having seen every shape at every distance. Learned by likelihood, as
//! [`crate::likelihood`] says; with rows of no numbers, that is all there is.

use policy::Position;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoroshiro128PlusPlus;

use crate::likelihood::{Likelihood, thinned};
use crate::measure::{Scorer, softmax};
use crate::method::{Method, Weights};
use crate::store::{Reader, Writer};

/// A feature's weight, factors, and what their steps depend on.
#[derive(Clone)]
struct Row<const K: usize> {
    log: f32,
    /// The sum of squared gradients.
    squares: f32,
    /// The gradient of the batch so far.
    gradient: f32,
    /// Steps of a pass, counted in the first.
    steps: f32,
    factors: [f32; K],
    factor_squares: [f32; K],
    factor_gradient: [f32; K],
}

/// Learns weights and factors. `K` is the number of factors.
pub struct Pairs<const K: usize> {
    how: Likelihood,
    /// Strength of the prior on factors.
    factor_prior: f32,
    rate: f32,
    rows: Vec<Row<K>>,
    touched: Vec<u32>,
    waiting: usize,
    first_pass: bool,
    random: Xoroshiro128PlusPlus,
    scores: Vec<f32>,
    probabilities: Vec<f32>,
    /// Sums of the factors of each move.
    sums: Vec<[f32; K]>,
}

impl<const K: usize> Pairs<K> {
    /// Starts with neutral weights; the first `features` have small random factors and the rest,
    /// the patterns, none: what is rare begins without an opinion.
    pub fn new(how: Likelihood, factor_prior: f32, weights: usize, features: usize) -> Pairs<K> {
        let mut random = Xoroshiro128PlusPlus::seed_from_u64(how.seed);
        let mut draw = || ((random.next_u64() >> 40) as f32 / (1u32 << 23) as f32 - 1.0) * 0.1;
        let rows = (0..weights).map(|i| Row {
            log: 0.0,
            squares: 0.0,
            gradient: 0.0,
            steps: 0.0,
            factors: std::array::from_fn(|_| if i < features { draw() } else { 0.0 }),
            factor_squares: [0.0; K],
            factor_gradient: [0.0; K],
        });
        let rows = rows.collect();
        Pairs {
            how,
            factor_prior,
            rate: how.rate,
            rows,
            touched: Vec::new(),
            waiting: 0,
            first_pass: true,
            random,
            scores: Vec::new(),
            probabilities: Vec::new(),
            sums: Vec::new(),
        }
    }

    #[inline(always)]
    fn score(&self, list: &[u32]) -> (f32, [f32; K]) {
        let mut sums = [0.0; K];
        let mut squares = [0.0; K];
        let mut score = 0.0;
        for &i in list {
            let row = &self.rows[i as usize];
            score += row.log;
            for k in 0..K {
                let v = row.factors[k];
                sums[k] += v;
                squares[k] += v * v;
            }
        }
        let pairs: f32 = (0..K).map(|k| sums[k] * sums[k] - squares[k]).sum();
        (score + pairs / 2.0, sums)
    }

    /// Adds the gradient of a position, the one by which likelihood falls.
    fn add(&mut self, position: &Position) -> f64 {
        let mut scores = std::mem::take(&mut self.scores);
        let mut sums = std::mem::take(&mut self.sums);
        scores.clear();
        sums.clear();
        for list in position.lists() {
            let (score, sum) = self.score(list);
            scores.push(score);
            sums.push(sum);
        }
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
                let row = &mut self.rows[feature as usize];
                if row.gradient == 0.0 {
                    self.touched.push(feature);
                }
                row.gradient += step;
                let others = sums[i].iter().zip(&row.factors);
                for (gradient, (sum, own)) in row.factor_gradient.iter_mut().zip(others) {
                    *gradient += step * (sum - own);
                }
            }
        }
        self.scores = scores;
        self.sums = sums;
        log as f64
    }

    fn step(&mut self) {
        for feature in self.touched.drain(..) {
            let row = &mut self.rows[feature as usize];
            row.steps += self.first_pass as u32 as f32;
            let steps = row.steps.max(1.0);
            let gradient = row.gradient + self.how.prior * row.log / steps;
            row.squares += gradient * gradient;
            row.log -= self.rate * gradient / (row.squares.sqrt() + 1e-6);
            row.gradient = 0.0;
            let pull = self.factor_prior / steps;
            for k in 0..K {
                let gradient = row.factor_gradient[k] + pull * row.factors[k];
                row.factor_squares[k] += gradient * gradient;
                let size = row.factor_squares[k].sqrt() + 1e-6;
                row.factors[k] -= self.rate * gradient / size;
                row.factor_gradient[k] = 0.0;
            }
        }
        self.waiting = 0;
    }
}

impl<const K: usize> Scorer for Pairs<K> {
    fn scores(&self, position: &Position, scores: &mut Vec<f32>) {
        scores.clear();
        scores.extend(position.lists().map(|list| self.score(list).0));
    }
}

impl<const K: usize> Method for Pairs<K> {
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
        Weights {
            logs: self.rows.iter().map(|row| row.log).collect(),
            width: K,
            factors: self.rows.iter().flat_map(|row| row.factors).collect(),
        }
    }

    fn state(&self) -> Vec<u8> {
        let mut state = Writer::default();
        state.number(self.first_pass as u64);
        state.block(&serde_json::to_vec(&self.random).expect("two numbers"));
        for row in &self.rows {
            state.floats(&[row.log, row.squares, row.steps]);
            state.floats(&row.factors);
            state.floats(&row.factor_squares);
        }
        state.0
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let len = 3 + 2 * K;
        let read = |mut state: Reader<'_>| {
            let first_pass = state.flag()?;
            let random = serde_json::from_slice(state.block()?).ok()?;
            let rows = state.floats(self.rows.len() * len)?;
            state.end()?;
            Some((first_pass, random, rows))
        };
        let Some((first_pass, random, rows)) = read(Reader(state)) else { return false };
        (self.first_pass, self.random) = (first_pass, random);
        for (row, kept) in self.rows.iter_mut().zip(rows.chunks_exact(len)) {
            (row.log, row.squares, row.steps) = (kept[0], kept[1], kept[2]);
            row.factors.copy_from_slice(&kept[3..3 + K]);
            row.factor_squares.copy_from_slice(&kept[3 + K..]);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::tests::{position, slopes};

    #[test]
    fn gradients_are_those_of_finite_differences() {
        compare_gradients::<0>();
        compare_gradients::<4>();
    }

    fn compare_gradients<const K: usize>() {
        let how = Likelihood { thin: 0.0, ..Likelihood::default() };
        let mut pairs = Pairs::<K>::new(how, 0.0, 7, 0);
        for (i, row) in pairs.rows.iter_mut().enumerate() {
            row.log = (i * 5 % 7) as f32 / 4.0 - 0.8;
            row.factors = std::array::from_fn(|k| ((i * K + k) * 11 % 17) as f32 / 17.0 - 0.5);
        }
        let weights = pairs.weights();
        let logs = slopes(&weights, 7, |weights, i, h| weights.logs[i] += h);
        let factors = slopes(&weights, 7 * K, |weights, i, h| weights.factors[i] += h);
        pairs.add(&position());
        for (i, row) in pairs.rows.iter().enumerate() {
            assert!((row.gradient - logs[i]).abs() < 1e-3, "{i}");
            for k in 0..K {
                let expected = factors[i * K + k];
                assert!((row.factor_gradient[k] - expected).abs() < 1e-3, "{i} {k}: {expected}");
            }
        }
    }
}
