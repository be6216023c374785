//! The filter exponent that makes good probabilities out of weights.
//!
//! Two aims. Error function 2 of the published program: chi(r) is the share of positions in which
//! the move ranked r was played, and the probabilities of the filtered weights x^xi shall come
//! closest to it, by the sum over positions and moves of (f(move) - chi(rank of move))^2. It is made
//! for weights that only rank; it flattens a model that knows when it is sure. For those that were
//! learned by likelihood the exponent with the largest likelihood is the better one.

use policy::{FeatureSpace, FeatureTracker, Position};

use crate::games::Games;
use crate::measure::Scorer;

/// What a filter is chosen for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Error function 2: probabilities near the share of moves of that rank.
    Ranks,
    /// The largest likelihood.
    Likelihood,
}

/// Positions that are enough to choose by.
const ENOUGH: usize = 20_000;

/// Scores of positions, the largest first, and the rank of the played move from 0.
struct Ranked {
    scores: Vec<f32>,
    played: usize,
}

/// The exponent that calibrates a model on games; 1 if there are none.
pub fn choose_filter(
    space: &FeatureSpace,
    games: &Games,
    scorer: &(impl Scorer + ?Sized),
    aim: Aim,
) -> f32 {
    let mut tracker = FeatureTracker::new(space);
    let mut position = Position::default();
    let mut ranked = Vec::new();
    let mut scores = Vec::new();
    // Some positions of every game rather than all of a few.
    let every = (games.positions() / ENOUGH).max(1);
    let mut count = 0;
    for game in games.iter() {
        game.visit(&mut tracker, &mut position, |position| {
            count += 1;
            if count % every == 0 {
                scorer.scores(position, &mut scores);
                let score = scores[position.played];
                let better = scores.iter().filter(|&&s| s > score).count();
                let equal = scores.iter().filter(|&&s| s == score).count();
                let played = better + equal.div_ceil(2) - 1;
                let mut sorted = scores.clone();
                sorted.sort_unstable_by(|a, b| b.total_cmp(a));
                ranked.push(Ranked { scores: sorted, played });
            }
        });
    }
    if ranked.is_empty() { 1.0 } else { best(&ranked, aim) }
}

/// Chooses on a scale of equal steps, then on a finer one around the best.
fn best(ranked: &[Ranked], aim: Aim) -> f32 {
    let most = ranked.iter().map(|r| r.scores.len()).max().unwrap_or(0);
    let mut chi = vec![0.0; most];
    for r in ranked {
        chi[r.played] += 1.0 / ranked.len() as f64;
    }
    let choose = |middle: f64, step: f64| {
        let candidates = (-12..=12).map(|i| middle * (i as f64 * step).exp());
        let errors = candidates.map(|xi| (error(ranked, &chi, xi, aim), xi));
        errors.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(middle, |(_, xi)| xi)
    };
    choose(choose(1.0, 0.2), 0.02) as f32
}

fn error(ranked: &[Ranked], chi: &[f64], xi: f64, aim: Aim) -> f64 {
    let mut sum = 0.0;
    for r in ranked {
        let top = r.scores.first().copied().unwrap_or(0.0);
        let value = |&s: &f32| (xi * (s - top) as f64).exp();
        let total: f64 = r.scores.iter().map(value).sum();
        sum += match aim {
            Aim::Ranks => {
                let off = r.scores.iter().zip(chi).map(|(s, chi)| value(s) / total - chi);
                off.map(|x| x * x).sum::<f64>()
            }
            Aim::Likelihood => total.ln() - xi * (r.scores[r.played] - top) as f64,
        };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_undoes_sharpening() {
        // Moves are played as often as their weights say, but the scores are three times as sharp.
        let weights = [8.0f32, 4.0, 2.0, 1.0, 1.0];
        let scores: Vec<f32> = weights.iter().map(|w| 3.0 * w.ln()).collect();
        let ranked: Vec<Ranked> = (0..16)
            .map(|i| {
                let played = [8, 12, 14, 15, 16].iter().position(|&end| i < end).unwrap();
                Ranked { scores: scores.clone(), played }
            })
            .collect();
        for aim in [Aim::Ranks, Aim::Likelihood] {
            let xi = best(&ranked, aim);
            assert!((xi - 1.0 / 3.0).abs() < 0.01, "{aim:?}: {xi}");
        }
    }
}
