//! The gradient method of the published program: rank the played move first.
//!
//! The error of a position is the sum over the moves that were not played of T(f(move) - f(played)),
//! T a steep sigmoid: about the number of moves that look more likely than the played one. With the
//! exponent a of collage patterns ("CP2": a = 2) each term is multiplied by f(move)^a, which stresses
//! the moves that matter in playouts. That factor says how much a term counts and is not itself
//! made smaller: taken into the gradient it would be, by a flat distribution that ranks nothing
//! (tried on 9x9: Match1 fell from 0.32 to 0.28). Weights move by steps of their own size against
//! the sign of the gradient over all games; a step grows while the sign stays and shrinks when it
//! turns. A constraint pulls weights towards 1, and features that are rare are not learned.
//!
//! The method ranks and does not calibrate; [`crate::choose_filter`] does that afterwards.

use policy::Position;

use crate::measure::{ETA, Scorer, softmax};
use crate::method::{Method, Weights};
use crate::store::{Reader, Writer};

/// The constants of the method, as published.
#[derive(Clone, Copy, Debug)]
pub struct Gradient {
    /// Exponent of the weighting by f; 0 for none.
    pub exponent: f64,
    /// Slope of the sigmoid.
    pub eta: f64,
    /// Strength of the constraint.
    pub omega: f64,
    /// Features that occur less often are not learned.
    pub least: f64,
    /// A step is divided by this when the sign turns.
    pub shrink: f32,
    /// A step is multiplied by this while the sign stays.
    pub grow: f32,
    /// The first step.
    pub step: f32,
}

impl Default for Gradient {
    fn default() -> Gradient {
        Gradient {
            exponent: 0.0,
            eta: ETA,
            omega: 1e-10,
            least: 100.0,
            shrink: 1.8,
            grow: 1.2,
            step: 0.5,
        }
    }
}

/// Learns by sign-based steps.
pub struct Descent {
    how: Gradient,
    logs: Vec<f32>,
    steps: Vec<f32>,
    signs: Vec<f32>,
    occurrences: Vec<f64>,
    gradient: Vec<f64>,
    error: f64,
    first_pass: bool,
    scores: Vec<f32>,
    probabilities: Vec<f32>,
}

/// The error of a position, and how it changes with the score of each move while the weighting by
/// f stays as it is.
pub(crate) fn error(how: &Gradient, f: &[f64], played: usize, slopes: &mut Vec<f64>) -> f64 {
    let mut sum = 0.0;
    // First by f itself, the played one apart.
    let mut by_played = 0.0;
    slopes.clear();
    slopes.extend(f.iter().enumerate().map(|(i, &q)| {
        if i == played {
            return 0.0;
        }
        let t = 1.0 / (1.0 + (-how.eta * (q - f[played])).exp());
        let slope = how.eta * t * (1.0 - t);
        if how.exponent == 0.0 {
            sum += t;
            by_played -= slope;
            return slope;
        }
        let weight = q.powf(how.exponent);
        sum += weight * t;
        by_played -= weight * slope;
        weight * slope
    }));
    slopes[played] = by_played;
    // Then by the scores: df_i / ds_j = f_i ([i = j] - f_j).
    let mean: f64 = slopes.iter().zip(f).map(|(s, q)| s * q).sum();
    slopes.iter_mut().zip(f).for_each(|(s, q)| *s = q * (*s - mean));
    sum
}

impl Descent {
    /// Starts with neutral weights.
    pub fn new(how: Gradient, weights: usize) -> Descent {
        Descent {
            how,
            logs: vec![0.0; weights],
            steps: vec![how.step; weights],
            signs: vec![0.0; weights],
            occurrences: vec![0.0; weights],
            gradient: vec![0.0; weights],
            error: 0.0,
            first_pass: true,
            scores: Vec::new(),
            probabilities: Vec::new(),
        }
    }

    /// The error of the pass so far.
    pub fn error(&self) -> f64 {
        self.error
    }
}

impl Scorer for Descent {
    fn scores(&self, position: &Position, scores: &mut Vec<f32>) {
        self.logs.as_slice().scores(position, scores);
    }
}

impl Method for Descent {
    fn begin_pass(&mut self, _: f64) {
        self.error = 0.0;
    }

    fn learn(&mut self, position: &Position) -> f64 {
        self.logs.as_slice().scores(position, &mut self.scores);
        let sum = softmax(&self.scores, &mut self.probabilities);
        let f: Vec<f64> = self.probabilities.iter().map(|&p| p as f64).collect();
        let mut slopes = Vec::new();
        self.error += error(&self.how, &f, position.played, &mut slopes);
        for (slope, list) in slopes.iter().zip(position.lists()) {
            for &feature in list {
                self.gradient[feature as usize] += slope;
            }
        }
        if self.first_pass {
            for &feature in position.lists().flatten() {
                self.occurrences[feature as usize] += 1.0;
            }
        }
        (self.scores[position.played] - sum) as f64
    }

    fn end_pass(&mut self) -> bool {
        self.first_pass = false;
        let Gradient { omega, least, grow, shrink, .. } = self.how;
        for i in 0..self.logs.len() {
            let rho = self.occurrences[i];
            if rho < least {
                self.gradient[i] = 0.0;
                continue;
            }
            // By the logarithm of x: x times omega (x - 1/x) rho.
            let square = (2.0 * self.logs[i] as f64).exp();
            let slope = self.gradient[i] + omega * (square - 1.0) * rho;
            let sign = if slope == 0.0 { 0.0 } else { slope.signum() as f32 };
            if sign * self.signs[i] > 0.0 {
                self.steps[i] = (self.steps[i] * grow).min(4.0);
            } else if sign * self.signs[i] < 0.0 {
                self.steps[i] /= shrink;
            }
            self.logs[i] = (self.logs[i] - sign * self.steps[i].ln_1p()).clamp(-20.0, 20.0);
            self.signs[i] = sign;
            self.gradient[i] = 0.0;
        }
        true
    }

    fn weights(&self) -> Weights {
        Weights { logs: self.logs.clone(), ..Weights::default() }
    }

    fn state(&self) -> Vec<u8> {
        let mut state = Writer::default();
        state.number(self.first_pass as u64);
        [&self.logs, &self.steps, &self.signs].into_iter().for_each(|xs| state.floats(xs));
        self.occurrences.iter().for_each(|&x| state.real(x));
        state.0
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let n = self.logs.len();
        let read = |mut state: Reader<'_>| {
            let first_pass = state.flag()?;
            let (logs, steps, signs) = (state.floats(n)?, state.floats(n)?, state.floats(n)?);
            let occurrences: Option<Vec<f64>> = (0..n).map(|_| state.real()).collect();
            state.end()?;
            Some((first_pass, logs, steps, signs, occurrences?))
        };
        let Some(kept) = read(Reader(state)) else { return false };
        (self.first_pass, self.logs, self.steps, self.signs, self.occurrences) = kept;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Probabilities of scores.
    fn f(scores: &[f64]) -> Vec<f64> {
        let sum: f64 = scores.iter().map(|s| s.exp()).sum();
        scores.iter().map(|s| s.exp() / sum).collect()
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        let scores = [0.3, -0.2, 0.9, 0.0, 0.35];
        let (eta, played) = (7.0, 1);
        for exponent in [0.0, 1.0, 2.0, 0.5] {
            // A gentle slope, so that no term is flat.
            let how = Gradient { exponent, eta, ..Gradient::default() };
            let weights: Vec<f64> = f(&scores).iter().map(|q| q.powf(exponent)).collect();
            let value = |scores: &[f64]| -> f64 {
                let f = f(scores);
                let others = (0..f.len()).filter(|&i| i != played);
                others.map(|i| weights[i] / (1.0 + (-eta * (f[i] - f[played])).exp())).sum()
            };
            let mut slopes = Vec::new();
            let sum = error(&how, &f(&scores), played, &mut slopes);
            assert!((sum - value(&scores)).abs() < 1e-9);
            for i in 0..scores.len() {
                let h = 1e-6;
                let (mut up, mut down) = (scores, scores);
                up[i] += h;
                down[i] -= h;
                let expected = (value(&up) - value(&down)) / (2.0 * h);
                assert!((slopes[i] - expected).abs() < 1e-6, "{exponent} {i}: {expected}");
            }
        }
    }
}
