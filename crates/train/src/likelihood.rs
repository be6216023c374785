//! Maximum likelihood by stochastic gradient: the modern reference.
//!
//! The model is a softmax over all legal moves; the gradient of its logarithm for a score is 1 for
//! the played move less the probability of each. Steps are those of AdaGrad (Duchi et al. 2011):
//! the rate of a weight falls with the root of the sum of its squared gradients, so that rare
//! patterns learn fast and frequent ones settle. A prior pulls weights towards neutral with the
//! same force in each pass, however rare the feature: what is seldom seen stays near neutral.

use rand_core::Rng;
use rand_xoshiro::Xoroshiro128PlusPlus;

use crate::factors::Pairs;

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

/// Learns by likelihood without pairs of features: [`Pairs`] whose rows are empty.
pub type Ascent = Pairs<0>;

impl Ascent {
    /// Starts with neutral weights.
    pub fn plain(how: Likelihood, weights: usize) -> Ascent {
        Pairs::new(how, 0.0, weights, 0)
    }
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

#[cfg(test)]
pub(crate) mod tests {
    use rand_core::SeedableRng;

    use super::*;
    use crate::measure::{Scorer, softmax};
    use crate::method::Weights;
    use policy::Position;

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
    fn thinning_is_right_on_average() {
        let mut random = Xoroshiro128PlusPlus::seed_from_u64(1);
        let sum: f32 = (0..100_000).map(|_| thinned(0.003, 0.01, &mut random)).sum();
        assert!((sum / 100_000.0 - 0.003).abs() < 1e-4);
        assert_eq!(thinned(0.3, 0.01, &mut random), 0.3);
    }
}
