//! What every way of learning has in common.

use crate::measure::Scorer;
use crate::walk::Position;

/// A way of learning weights. Positions are handed over one by one, in passes through all games.
pub trait Method: Scorer {
    /// Learns from a position, at once or at the end of the pass; gives the logarithm of the
    /// probability that the played move had.
    fn learn(&mut self, position: &Position) -> f64;

    /// A pass begins; `share` of all passes is done.
    fn begin_pass(&mut self, share: f64) {
        let _ = share;
    }

    /// How far learning is within all passes, told now and then: 0 at the start and 1 at the end.
    fn progress(&mut self, share: f64) {
        let _ = share;
    }

    /// The pass is over; false if another would change nothing.
    fn end_pass(&mut self) -> bool {
        true
    }

    /// What was learned so far.
    fn weights(&self) -> Weights;

    /// Everything that is needed to go on later, as numbers.
    fn state(&self) -> Vec<f32>;

    /// Goes on from what [`Method::state`] gave; false if it does not fit.
    fn restore(&mut self, state: &[f32]) -> bool;
}

/// What was learned: the logarithm of the weight of each feature and pattern, and for models with
/// pairs the factors of each, row by row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Weights {
    /// Logarithms of weights.
    pub logs: Vec<f32>,
    /// Factors of a row; 0 without pairs.
    pub width: usize,
    /// Rows of factors.
    pub factors: Vec<f32>,
}

impl Scorer for Weights {
    fn scores(&self, position: &Position, scores: &mut Vec<f32>) {
        self.logs.as_slice().scores(position, scores);
        if self.width > 0 {
            let mut sums = vec![0.0; self.width];
            for (score, list) in scores.iter_mut().zip(position.lists()) {
                *score += pairs(&self.factors, self.width, list, &mut sums);
            }
        }
    }
}

/// The sum over all pairs of a list of the products of their factors: half of what the square of
/// their sum has more than the squares of each.
pub(crate) fn pairs(factors: &[f32], width: usize, list: &[u32], sums: &mut [f32]) -> f32 {
    sums.fill(0.0);
    let mut squares = 0.0;
    for &i in list {
        let row = &factors[i as usize * width..(i as usize + 1) * width];
        for (sum, &v) in sums.iter_mut().zip(row) {
            *sum += v;
            squares += v * v;
        }
    }
    (sums.iter().map(|s| s * s).sum::<f32>() - squares) / 2.0
}
