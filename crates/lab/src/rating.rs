//! Ratings of players from their results against each other: the model of Bradley and Terry, in which
//! a difference of d Elo wins with probability 1 / (1 + 10^(-d/400)), and the most likely ratings
//! with their errors, as R. Coulom's BayesElo finds them: every player also has some drawn games
//! that were not played, against its opponents, so that one who won everything has a rating too.
//!
//! The logarithm of the likelihood is concave, so that Newton's method finds its only maximum; the
//! inverse of its second derivative there is the covariance of the ratings. A draw counts as half a
//! win and half a loss. Colours are not looked at: in our pairs both players have each as often.

use crate::statistics::{Tally, share};

/// Elo of a natural unit.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Draws that every player is thought to have had.
pub const PRIOR: f64 = 2.0;

/// Results of the first of two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meeting {
    /// A player, by its place.
    pub first: usize,
    /// Another.
    pub second: usize,
    /// What came out of their games.
    pub tally: Tally,
}

/// Ratings and how sure they are.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// In Elo. Without anchors their mean is 0.
    pub elo: Vec<f64>,
    /// Covariances in Elo squared; 0 for anchors.
    pub covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// The most likely ratings of `players` players; those with an anchor keep it.
    pub fn new(players: usize, meetings: &[Meeting], anchors: &[Option<f64>]) -> Ratings {
        let free: Vec<usize> =
            (0..players).filter(|&i| anchors.get(i).copied().flatten().is_none()).collect();
        let anchored = free.len() < players;
        let (games, won) = with_prior(players, meetings);
        let mut rating: Vec<f64> = (0..players)
            .map(|i| anchors.get(i).copied().flatten().unwrap_or(0.0) / SCALE)
            .collect();
        let start = if anchored {
            let fixed: f64 = rating.iter().sum();
            fixed / (players - free.len()) as f64
        } else {
            0.0
        };
        free.iter().for_each(|&i| rating[i] = start);
        for _ in 0..200 {
            let gradient: Vec<f64> = free
                .iter()
                .map(|&i| {
                    let expected = |j: usize| games[i][j] * chance(rating[i] - rating[j]);
                    (0..players).map(|j| won[i][j] - expected(j)).sum()
                })
                .collect();
            let step = solve(curvature(&games, &rating, &free, anchored), gradient);
            let longest = step.iter().fold(0.0, |m: f64, s| m.max(s.abs()));
            // Far from the maximum a step may lead too far.
            let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            free.iter().zip(&step).for_each(|(&i, s)| rating[i] += scale * s);
            if longest < 1e-10 {
                break;
            }
        }
        if !anchored {
            let mean = rating.iter().sum::<f64>() / players.max(1) as f64;
            rating.iter_mut().for_each(|r| *r -= mean);
        }
        let mut covariance = vec![vec![0.0; players]; players];
        let information = curvature(&games, &rating, &free, anchored);
        for (column, &j) in free.iter().enumerate() {
            let mut unit = vec![0.0; free.len()];
            unit[column] = 1.0;
            let solved = solve(information.clone(), unit);
            for (&i, value) in free.iter().zip(solved) {
                // Without anchors only differences are known: the part that moves all is taken off.
                let common = if anchored { 0.0 } else { 1.0 / free.len() as f64 };
                covariance[i][j] = (value - common) * SCALE * SCALE;
            }
        }
        Ratings { elo: rating.into_iter().map(|r| r * SCALE).collect(), covariance }
    }

    /// Half of the 95 % interval of a rating.
    pub fn error(&self, i: usize) -> f64 {
        1.959_964 * self.covariance[i][i].max(0.0).sqrt()
    }

    /// The variance of the difference of two ratings.
    pub fn variance(&self, i: usize, j: usize) -> f64 {
        let c = &self.covariance;
        (c[i][i] + c[j][j] - c[i][j] - c[j][i]).max(0.0)
    }

    /// How likely it is that one is stronger than another.
    pub fn superiority(&self, i: usize, j: usize) -> f64 {
        let deviation = self.variance(i, j).sqrt();
        let difference = self.elo[i] - self.elo[j];
        if deviation == 0.0 {
            return if difference > 0.0 { 1.0 } else { 0.5 };
        }
        normal(difference / deviation)
    }

    /// How likely one wins against another.
    pub fn chance(&self, i: usize, j: usize) -> f64 {
        share(self.elo[i] - self.elo[j])
    }
}

fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Games and points of each player against each other, the thought ones included: each player's
/// draws are divided among its opponents as its games are, among all if it has none.
fn with_prior(players: usize, meetings: &[Meeting]) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let mut games = vec![vec![0.0; players]; players];
    let mut won = vec![vec![0.0; players]; players];
    for &Meeting { first, second, tally } in meetings {
        let (n, points) = (tally.games() as f64, tally.wins as f64 + tally.draws as f64 / 2.0);
        games[first][second] += n;
        games[second][first] += n;
        won[first][second] += points;
        won[second][first] += n - points;
    }
    let played = games.clone();
    for i in 0..players {
        let all: f64 = played[i].iter().sum();
        for j in (0..players).filter(|&j| j != i) {
            let part = if all > 0.0 { played[i][j] / all } else { 1.0 / (players - 1) as f64 };
            let draws = PRIOR * part;
            games[i][j] += draws;
            games[j][i] += draws;
            won[i][j] += draws / 2.0;
            won[j][i] += draws / 2.0;
        }
    }
    (games, won)
}

/// The second derivatives of the logarithm of the likelihood, negative, for the free players. Without
/// anchors a constant makes up for the direction in which nothing is known.
fn curvature(games: &[Vec<f64>], rating: &[f64], free: &[usize], anchored: bool) -> Vec<Vec<f64>> {
    let known = |i: usize, j: usize| {
        let p = chance(rating[i] - rating[j]);
        games[i][j] * p * (1.0 - p)
    };
    let constant = if anchored { 0.0 } else { 1.0 / free.len() as f64 };
    let entry = |i: usize, j: usize| {
        if i == j {
            (0..rating.len()).filter(|&k| k != i).map(|k| known(i, k)).sum::<f64>() + constant
        } else {
            constant - known(i, j)
        }
    };
    free.iter().map(|&i| free.iter().map(|&j| entry(i, j)).collect()).collect()
}

/// Solves a x = b for a symmetric positive a, by elimination.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&r, &s| a[r][i].abs().total_cmp(&a[s][i].abs())).unwrap_or(i);
        a.swap(i, pivot);
        b.swap(i, pivot);
        let top = a[i][i];
        if top.abs() < 1e-300 {
            continue;
        }
        for row in i + 1..n {
            let factor = a[row][i] / top;
            let (above, below) = a.split_at_mut(row);
            below[0][i..].iter_mut().zip(&above[i][i..]).for_each(|(x, y)| *x -= factor * y);
            b[row] -= factor * b[i];
        }
    }
    for i in (0..n).rev() {
        let rest: f64 = (i + 1..n).map(|j| a[i][j] * b[j]).sum();
        b[i] = if a[i][i].abs() < 1e-300 { 0.0 } else { (b[i] - rest) / a[i][i] };
    }
    b
}

/// The normal distribution (Abramowitz and Stegun 26.2.17, to 1e-7).
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = series.iter().rev().fold(0.0, |sum, c| (sum + c) * t);
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * sum;
    if x > 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(first: usize, second: usize, wins: usize, losses: usize) -> Meeting {
        Meeting { first, second, tally: Tally { wins, draws: 0, losses } }
    }

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() < by, "{a} is not {b}");
    }

    #[test]
    fn two_players_are_as_far_apart_as_their_results() {
        let ratings = Ratings::new(2, &[meeting(0, 1, 300, 100)], &[]);
        // Two draws each that were not played: 302 of 404.
        near(ratings.elo[0] - ratings.elo[1], crate::statistics::elo(302.0 / 404.0), 1e-6);
        near(ratings.elo[0] + ratings.elo[1], 0.0, 1e-9);
        // The variance of a difference is 1 / (n p (1 - p)).
        let p: f64 = 302.0 / 404.0;
        near(ratings.variance(0, 1), SCALE * SCALE / (404.0 * p * (1.0 - p)), 1e-6);
        assert!(ratings.superiority(0, 1) > 0.9999);
        near(ratings.chance(0, 1), p, 1e-9);
    }

    #[test]
    fn a_chain_of_players_adds_up_and_the_far_end_is_less_sure() {
        let results = [meeting(0, 1, 150, 50), meeting(1, 2, 150, 50)];
        let ratings = Ratings::new(3, &results, &[Some(0.0)]);
        assert_eq!((ratings.elo[0], ratings.error(0)), (0.0, 0.0));
        let [one, two] = [ratings.elo[1], ratings.elo[2]];
        // The middle player's draws go half to each side: 1.5 games more on each, 3 in all.
        let each = crate::statistics::elo((150.0 + 1.5) / 203.0);
        near(one, -each, 1e-6);
        near(two, -2.0 * each, 1e-6);
        near(ratings.variance(0, 2), 2.0 * ratings.variance(0, 1), 1e-6);
        // Without anchors, the same differences around 0.
        let loose = Ratings::new(3, &results, &[]);
        near(loose.elo[0] - loose.elo[2], -two, 1e-6);
        near(loose.elo.iter().sum(), 0.0, 1e-9);
        near(loose.variance(0, 2), ratings.variance(0, 2), 1e-6);
    }

    #[test]
    fn who_wins_everything_or_has_not_played_has_a_rating() {
        let ratings = Ratings::new(3, &[meeting(0, 1, 20, 0)], &[]);
        assert!(ratings.elo.iter().all(|r| r.is_finite()));
        assert!(ratings.elo[0] > 150.0 && ratings.elo[2].abs() < 1.0, "{:?}", ratings.elo);
        assert!(ratings.error(2) > ratings.error(0));
        let none = Ratings::new(2, &[], &[None, Some(1800.0)]);
        near(none.elo[0], 1800.0, 1e-6);
        near(none.superiority(0, 1), 0.5, 1e-6);
        near(normal(1.959_964), 0.975, 1e-6);
    }
}
