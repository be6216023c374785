//! How well a model predicts the moves of games: ranks, matches, probabilities, calibration.
//!
//! All legal moves count and passes do not. A move ranks as in `policy::Model::rank`: moves of equal
//! value share the middle of their places, rounded down. Calibration compares rank by rank, so there
//! a tie that holds the played move counts for each of its places with an equal share: on the empty
//! board eight points are alike, and the middle of their places is not where they are likelier.

use policy::Position;
use serde::Serialize;

/// Something that gives every legal move a score: the logarithm of its value.
pub trait Scorer {
    /// The scores of the moves, in their order.
    fn scores(&self, position: &Position, scores: &mut Vec<f32>);
}

/// Logarithms of weights, one for each feature and pattern.
impl Scorer for [f32] {
    fn scores(&self, position: &Position, scores: &mut Vec<f32>) {
        scores.clear();
        scores.extend(
            position.lists().map(|list| list.iter().map(|&i| self[i as usize]).sum::<f32>()),
        );
    }
}

/// Ranks up to this are told one by one.
pub const RANKS: usize = 20;

/// The shares for which `over` and `not` are counted, in percent.
pub const SHARES: [usize; 7] = [5, 10, 20, 30, 50, 70, 90];

/// Phases of the game are this many moves long.
const PHASE: usize = 30;

/// Scores closer than this are equal: what is alike but for symmetry is summed in another order, and
/// rounding must not rank it.
const ALIKE: f32 = 1e-5;

/// The slope of the sigmoid in the error of the gradient method.
pub(crate) const ETA: f64 = 1000.0;

/// The ranks for which matches are counted one by one, beside the whole curve.
pub const PLACES: [usize; 4] = [1, 5, 10, 20];

/// What can be added up over positions, games and corpora. All items of the ladder that are one
/// number follow from it.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Sums {
    /// Positions.
    pub positions: u64,
    candidates: u64,
    rank: f64,
    rank_inverse: f64,
    matches: [u64; PLACES.len()],
    co_match: f64,
    success: f64,
    log_likelihood: f64,
    select: f64,
    select_root: f64,
    error: f64,
    over: [u64; SHARES.len()],
    all_over: [u64; SHARES.len()],
}

impl Sums {
    /// Adds what was seen elsewhere.
    pub fn join(&mut self, other: &Sums) {
        self.positions += other.positions;
        self.candidates += other.candidates;
        self.rank += other.rank;
        self.rank_inverse += other.rank_inverse;
        self.co_match += other.co_match;
        self.success += other.success;
        self.log_likelihood += other.log_likelihood;
        self.select += other.select;
        self.select_root += other.select_root;
        self.error += other.error;
        let counts = [
            (&mut self.matches[..], &other.matches[..]),
            (&mut self.over, &other.over),
            (&mut self.all_over, &other.all_over),
        ];
        for (mine, theirs) in counts {
            mine.iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
        }
    }

    /// The items of the ladder by their names.
    pub fn items(&self) -> Vec<(String, f64)> {
        let n = self.positions.max(1) as f64;
        let others = self.candidates.saturating_sub(self.positions).max(1) as f64;
        let mut items = vec![
            ("Error".to_owned(), self.error / others),
            ("Rank".to_owned(), self.rank / n),
            ("RankInv".to_owned(), n / self.rank_inverse.max(f64::MIN_POSITIVE)),
        ];
        for (place, &count) in PLACES.iter().zip(&self.matches) {
            items.push((format!("Match{place}"), count as f64 / n));
        }
        items.push(("CoMatch".to_owned(), self.co_match / n));
        items.push(("Success".to_owned(), self.success / others));
        items.push(("Select".to_owned(), self.select / n));
        items.push(("SelectRoot".to_owned(), (self.select_root / n).powi(2)));
        for (share, &count) in SHARES.iter().zip(&self.over) {
            items.push((format!("Over{share}"), count as f64 / n));
        }
        for (i, share) in SHARES.iter().enumerate() {
            // Where no move is that likely, none of them was not played.
            let all = self.all_over[i].max(1) as f64;
            let not = if self.all_over[i] == 0 { 0.0 } else { 1.0 - self.over[i] as f64 / all };
            items.push((format!("Not{share}"), not));
        }
        items.push(("MLE".to_owned(), self.log_likelihood / n));
        items
    }
}

/// What is known of the positions after a number of moves.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Moment {
    /// Positions.
    pub positions: u64,
    /// Those whose move ranks first.
    pub first: u64,
    /// The sum of the logarithms of the probability of their moves.
    pub log_likelihood: f64,
}

/// Sums over positions and the curves; see [`Measures::report`].
#[derive(Clone, Default)]
pub struct Measures {
    sums: Sums,
    /// How often the played move had each rank, from 1.
    ranks: Vec<u64>,
    /// Sums of the probabilities of the moves ranked 1 to 20.
    by_rank: [f64; RANKS],
    /// How often they were played, ties divided among their places.
    played_by_rank: [f64; RANKS],
    /// By moves made before.
    moments: Vec<Moment>,
    order: Vec<f32>,
}

/// What the measures say, by the names of the evaluation ladder.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Positions measured.
    pub positions: u64,
    /// L-1: the error of the gradient method for each candidate.
    pub error: f64,
    /// L-2a: mean rank of the played move.
    pub rank: f64,
    /// L-2b: inverse of the mean inverse rank.
    pub rank_inverse: f64,
    /// L-3a: share of positions whose move ranks n or better, for n from 1.
    pub matches: Vec<f64>,
    /// L-3b: area under that curve over all legal moves.
    pub co_match: f64,
    /// Lf-4a: mean probability of the played move.
    pub select: f64,
    /// Lf-4b: square of the mean root of it.
    pub select_root: f64,
    /// Lf-5: share of positions in which the move is more likely than so many percent.
    pub over: Vec<(usize, f64)>,
    /// Lf-6: share of moves more likely than so many percent that were not played.
    pub not: Vec<(usize, f64)>,
    /// Lf-7: mean logarithm of the probability of the played move.
    pub log_likelihood: f64,
    /// Lf-7 by move number, thirty moves each.
    pub phases: Vec<f64>,
    /// Mean probability of the move ranked r, and share of positions in which it was played.
    pub calibration: Vec<(f64, f64)>,
    /// The largest difference between the two for ranks 1 to 10.
    pub miscalibration: f64,
}

/// Scores to probabilities; gives the logarithm of their sum.
pub fn softmax(scores: &[f32], probabilities: &mut Vec<f32>) -> f32 {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    probabilities.clear();
    probabilities.extend(scores.iter().map(|&s| (s - most).exp()));
    let sum: f32 = probabilities.iter().sum();
    let inverse = 1.0 / sum;
    probabilities.iter_mut().for_each(|p| *p *= inverse);
    most + sum.ln()
}

impl Measures {
    /// Adds a position after `number` moves whose legal moves have these scores, logarithms of values,
    /// and probabilities.
    pub fn add(&mut self, number: usize, played: usize, scores: &[f32], probabilities: &[f32]) {
        let (score, p) = (scores[played], probabilities[played] as f64);
        let better = scores.iter().filter(|&&s| s > score + ALIKE).count();
        let equal = scores.iter().filter(|&&s| (s - score).abs() <= ALIKE).count();
        let rank = better + equal.div_ceil(2);
        let sums = &mut self.sums;
        sums.positions += 1;
        sums.candidates += scores.len() as u64;
        sums.rank += rank as f64;
        sums.rank_inverse += 1.0 / rank as f64;
        for (place, count) in PLACES.iter().zip(&mut sums.matches) {
            *count += (rank <= *place) as u64;
        }
        if self.ranks.len() < rank {
            self.ranks.resize(rank, 0);
        }
        self.ranks[rank - 1] += 1;
        for place in better..(better + equal).min(RANKS) {
            self.played_by_rank[place] += 1.0 / equal as f64;
        }
        sums.co_match += (scores.len() - rank + 1) as f64 / scores.len() as f64;
        // Moves of the same value are valued below it half of the time.
        let below = scores.len() - better - equal;
        sums.success += below as f64 + (equal - 1) as f64 / 2.0;
        let log = p.max(f64::MIN_POSITIVE).ln();
        sums.log_likelihood += log;
        sums.select += p;
        sums.select_root += p.sqrt();
        let sigmoid = |x: f64| 1.0 / (1.0 + (-ETA * x).exp());
        let others = probabilities.iter().enumerate().filter(|&(i, _)| i != played);
        sums.error += others.map(|(_, &q)| sigmoid(q as f64 - p)).sum::<f64>();
        for (i, &share) in SHARES.iter().enumerate() {
            let share = share as f32 / 100.0;
            sums.over[i] += (probabilities[played] > share) as u64;
            sums.all_over[i] += probabilities.iter().filter(|&&q| q > share).count() as u64;
        }
        if self.moments.len() <= number {
            self.moments.resize(number + 1, Moment::default());
        }
        let moment = &mut self.moments[number];
        moment.positions += 1;
        moment.first += (rank == 1) as u64;
        moment.log_likelihood += log;

        self.order.clear();
        self.order.extend_from_slice(probabilities);
        let top = RANKS.min(self.order.len());
        if top < self.order.len() {
            self.order.select_nth_unstable_by(top, |a, b| b.total_cmp(a));
        }
        self.order[..top].sort_unstable_by(|a, b| b.total_cmp(a));
        for (sum, &q) in self.by_rank.iter_mut().zip(&self.order[..top]) {
            *sum += q as f64;
        }
    }

    /// Scores a position and adds it.
    pub fn score(&mut self, scorer: &(impl Scorer + ?Sized), position: &Position) {
        let (mut scores, mut probabilities) = (Vec::new(), Vec::new());
        scorer.scores(position, &mut scores);
        softmax(&scores, &mut probabilities);
        self.add(position.number, position.played, &scores, &probabilities);
    }

    /// Adds what was seen elsewhere.
    pub fn join(&mut self, other: &Measures) {
        self.sums.join(&other.sums);
        if self.ranks.len() < other.ranks.len() {
            self.ranks.resize(other.ranks.len(), 0);
        }
        self.ranks.iter_mut().zip(&other.ranks).for_each(|(a, b)| *a += b);
        self.by_rank.iter_mut().zip(&other.by_rank).for_each(|(a, b)| *a += b);
        let played = self.played_by_rank.iter_mut().zip(&other.played_by_rank);
        played.for_each(|(a, b)| *a += b);
        if self.moments.len() < other.moments.len() {
            self.moments.resize(other.moments.len(), Moment::default());
        }
        for (a, b) in self.moments.iter_mut().zip(&other.moments) {
            a.positions += b.positions;
            a.first += b.first;
            a.log_likelihood += b.log_likelihood;
        }
    }

    /// What all positions add up to.
    pub fn sums(&self) -> &Sums {
        &self.sums
    }

    /// By the number of moves made before.
    pub fn moments(&self) -> &[Moment] {
        &self.moments
    }

    /// The means of what was added.
    pub fn report(&self) -> Report {
        let sums = &self.sums;
        let n = sums.positions.max(1) as f64;
        let matches: Vec<f64> = self
            .ranks
            .iter()
            .scan(0, |sum, &count| {
                *sum += count;
                Some(*sum as f64 / n)
            })
            .collect();
        let calibration: Vec<(f64, f64)> =
            (0..RANKS).map(|r| (self.by_rank[r] / n, self.played_by_rank[r] / n)).collect();
        let off = calibration[..10].iter().map(|(p, rate)| (p - rate).abs());
        let phase = |moments: &[Moment]| {
            let positions: u64 = moments.iter().map(|m| m.positions).sum();
            let sum: f64 = moments.iter().map(|m| m.log_likelihood).sum();
            sum / positions.max(1) as f64
        };
        Report {
            positions: sums.positions,
            error: sums.error / (sums.candidates.saturating_sub(sums.positions)).max(1) as f64,
            rank: sums.rank / n,
            rank_inverse: n / sums.rank_inverse.max(f64::MIN_POSITIVE),
            co_match: sums.co_match / n,
            select: sums.select / n,
            select_root: (sums.select_root / n).powi(2),
            over: (0..SHARES.len()).map(|i| (SHARES[i], sums.over[i] as f64 / n)).collect(),
            not: (0..SHARES.len())
                .map(|i| (SHARES[i], 1.0 - sums.over[i] as f64 / sums.all_over[i].max(1) as f64))
                .collect(),
            log_likelihood: sums.log_likelihood / n,
            phases: self.moments.chunks(PHASE).map(phase).collect(),
            miscalibration: off.fold(0.0, f64::max),
            calibration,
            matches,
        }
    }
}

impl Report {
    /// Share of positions whose move ranks n or better, n from 1.
    pub fn match_at(&self, n: usize) -> f64 {
        let last = self.matches.last().copied().unwrap_or(0.0);
        self.matches.get(n - 1).copied().unwrap_or(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_ties_and_calibration() {
        let lists: [&[u32]; 5] = [&[0], &[1], &[1], &[1], &[2]];
        let logs = [4f32.ln(), 1f32.ln(), 0.5f32.ln()];
        let mut measures = Measures::default();
        // The first choice, then one of three that are alike, then the last.
        for played in [0, 2, 4] {
            measures.score(logs.as_slice(), &Position::from_lists(&lists, played));
        }
        let report = measures.report();
        // Among places 2 to 4 the tie counts as the middle.
        let third = 1.0 / 3.0;
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} and {b}");
        near(report.rank, (1.0 + 3.0 + 5.0) / 3.0);
        near(report.rank_inverse, 3.0 / (1.0 + 1.0 / 3.0 + 1.0 / 5.0));
        near(report.match_at(1), third);
        near(report.match_at(2), third);
        near(report.match_at(3), 2.0 * third);
        near(report.match_at(300), 1.0);
        near(report.co_match, (1.0 + 0.6 + 0.2) / 3.0);
        let f = [4.0, 1.0, 1.0, 1.0, 0.5].map(|g| g / 7.5);
        near(report.select, (f[0] + f[1] + f[4]) / 3.0);
        near(report.log_likelihood, (f[0] * f[1] * f[4]).ln() / 3.0);
        let expected = [third, third / 3.0, third / 3.0, third / 3.0, third];
        for ((p, rate), (f, expected)) in report.calibration.iter().zip(f.iter().zip(expected)) {
            near(*p, *f);
            near(*rate, expected);
        }
        // One of the three likely ones is played, and that one is above 50 % and above 10 %.
        near(report.over[1].1, 2.0 * third);
        near(report.not[4].1, 2.0 * third);
        let items = measures.sums().items();
        let item = |name: &str| items.iter().find(|(n, _)| n == name).expect("an item").1;
        near(item("Match1"), third);
        near(item("Not50"), 2.0 * third);
        near(item("Not90"), 0.0);
        // Of the four others: all below the first, one below and two alike, none below the last.
        near(item("Success"), (4.0 + 1.0 + 1.0 + 0.0) / 12.0);
        for (name, value) in [("Rank", report.rank), ("MLE", report.log_likelihood)] {
            near(item(name), value);
        }
        // Two halves make the whole.
        let mut halves = [Measures::default(), Measures::default()];
        for (i, played) in [0, 2, 4].into_iter().enumerate() {
            halves[i % 2].score(logs.as_slice(), &Position::from_lists(&lists, played));
        }
        let [mut one, other] = halves;
        one.join(&other);
        let joined = one.report();
        near(joined.rank, report.rank);
        near(joined.error, report.error);
        assert_eq!(joined.matches, report.matches);
        assert_eq!(one.moments()[0].positions, 3);
    }
}
