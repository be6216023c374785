//! How sure a mean over games is: games are drawn again and again from those that there are, and the
//! figure is taken of each draw (Efron's bootstrap). Positions of one game are alike, so that games
//! are drawn and not positions.

use playout::Random;

/// Draws.
const DRAWS: usize = 1000;

/// The 95 % intervals of figures of `games` things, each figure of a draw given by `figures`: it
/// sees how often each thing was drawn. One thing tells nothing about others: then there are none.
pub fn interval(
    games: usize,
    seed: u64,
    mut figures: impl FnMut(&[u32]) -> Vec<f64>,
) -> Vec<[f64; 2]> {
    if games < 2 {
        return Vec::new();
    }
    // Many games need few draws: the work is bounded.
    let draws = (20_000_000 / games).clamp(100, DRAWS);
    let mut random = Random::new(seed);
    let mut times = vec![0u32; games];
    let mut drawn: Vec<Vec<f64>> = Vec::new();
    for _ in 0..draws {
        times.fill(0);
        for _ in 0..games {
            times[random.below(games)] += 1;
        }
        let figures = figures(&times);
        drawn.resize(figures.len(), Vec::new());
        drawn.iter_mut().zip(figures).for_each(|(all, figure)| all.push(figure));
    }
    let ends = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        let at = |share: f64| all[((all.len() - 1) as f64 * share).round() as usize];
        [at(0.025), at(0.975)]
    };
    drawn.into_iter().map(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_mean_is_two_standard_errors_wide() {
        // 400 throws of a coin: a standard error of 0.025.
        let throws: Vec<f64> = (0..400).map(|i| (i % 2) as f64).collect();
        let mean = |times: &[u32]| {
            let sum: f64 = throws.iter().zip(times).map(|(x, &n)| x * n as f64).sum();
            vec![sum / 400.0, 7.0]
        };
        let found = interval(400, 1, mean);
        let [low, high] = found[0];
        assert!((low - 0.451).abs() < 0.006 && (high - 0.549).abs() < 0.006, "{low} {high}");
        assert_eq!(found[1], [7.0, 7.0]);
        assert!(interval(0, 1, |_| vec![1.0]).is_empty());
        assert!(interval(1, 1, |_| vec![1.0]).is_empty(), "no interval of one thing");
    }
}
