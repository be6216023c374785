//! What every way of learning has in common.

use goban::Size;
use policy::{About, Feature, Model, ModelError, Position, default_cut};
use shape::{Counts, Dictionary};

use crate::measure::Scorer;

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

    /// Everything that is needed to go on later, between two passes, as bytes.
    fn state(&self) -> Vec<u8>;

    /// Goes on from what [`Method::state`] gave, as if it had never stopped; false if it does not
    /// fit, and then nothing is changed.
    fn restore(&mut self, state: &[u8]) -> bool;
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

/// Rounded to nine bits: three decimal digits, and files become much smaller.
fn rounded(x: f32) -> f32 {
    f32::from_bits(x.to_bits().saturating_add(0x4000) & 0xffff_8000)
}

/// The patterns with counts of two digits: enough for people, and half the size of a file.
fn with_round_counts(dictionary: &Dictionary) -> Dictionary {
    let patterns = dictionary.indices().map(|index| {
        let counts = dictionary.counts(index);
        let counts = Counts { seen: two_digits(counts.seen), played: two_digits(counts.played) };
        (dictionary.pattern(index), counts)
    });
    Dictionary::new(dictionary.family().clone(), patterns)
}

fn two_digits(n: u64) -> u64 {
    let mut unit = 1;
    while n / unit >= 100 {
        unit *= 10;
    }
    (n + unit / 2) / unit * unit
}

impl Weights {
    /// The weights of a model.
    pub fn of(model: &Model) -> Weights {
        let features = model.about.of.features();
        let patterns = model.dictionary().indices().map(|index| model.shape_weight(index));
        let all = (0..features).map(|n| model.feature_weight(Feature(n as u16))).chain(patterns);
        let logs: Vec<f32> = all.map(f32::ln).collect();
        let width = model.pair_row(0).len();
        let factors = (0..logs.len()).flat_map(|place| model.pair_row(place)).copied().collect();
        Weights { logs, width, factors }
    }

    /// A model with these weights, everything rounded that a file need not hold in full.
    ///
    /// # Errors
    /// If they do not fit the dictionary.
    pub fn model(
        &self,
        about: About,
        dictionary: &Dictionary,
        filter: f32,
    ) -> Result<Model, ModelError> {
        let cut = Size::new(about.size as usize).map_or(0.0, default_cut);
        let (features, shapes) = self.logs.split_at(about.of.features().min(self.logs.len()));
        // Beyond these a product of several would leave the range of numbers.
        let weights =
            |logs: &[f32]| logs.iter().map(|x| rounded(x.clamp(-18.0, 18.0).exp())).collect();
        let dictionary = with_round_counts(dictionary);
        let model = Model::new(about, weights(features), dictionary, weights(shapes), filter, cut)?;
        match self.width {
            0 => Ok(model),
            width => {
                // Products of factors are what counts, so small ones need no digits.
                let rounded = |&v: &f32| (v * 128.0).round() / 128.0;
                model.with_pairs(width, self.factors.iter().map(rounded).collect())
            }
        }
    }
}

/// Scores with a filter: sharper or flatter, in the same order.
pub struct Filtered<'a> {
    /// The weights.
    pub weights: &'a Weights,
    /// The exponent.
    pub filter: f32,
}

impl Scorer for Filtered<'_> {
    fn scores(&self, position: &Position, scores: &mut Vec<f32>) {
        self.weights.scores(position, scores);
        scores.iter_mut().for_each(|score| *score *= self.filter);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_keeps_what_matters() {
        assert_eq!([0, 7, 99, 100, 1249, 98_765].map(two_digits), [0, 7, 99, 100, 1200, 99_000]);
        for x in [0.001f32, 0.7, 1.0, 3.3, 5000.0] {
            assert!((rounded(x) / x - 1.0).abs() < 0.002, "{x}");
        }
    }
}
