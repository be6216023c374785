//! Growing a forest: gradient boosting of a softmax over the moves of a problem (Friedman 2001, with
//! the second-order leaves of Chen and Guestrin 2016). Each tree asks a few questions about the facts
//! of a move and corrects a little of what those before it got wrong.

use std::sync::atomic::{AtomicUsize, Ordering};

use tsumego::forest::{Forest, Node, Tree};

/// How to grow.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Trees.
    pub trees: usize,
    /// Questions from the root to a leaf.
    pub depth: usize,
    /// Share of each correction that is taken.
    pub rate: f32,
    /// Pull of leaves to zero.
    pub prior: f32,
    /// Least evidence (sum of second derivatives) on each side of a question.
    pub evidence: f32,
    /// Share of the facts that a tree may ask about.
    pub facts: f32,
    /// Share of the problems that a tree learns from.
    pub problems: f32,
    /// Seed of these shares.
    pub seed: u64,
    /// Threads; what grows does not depend on them.
    pub threads: usize,
}

impl Default for Growth {
    fn default() -> Growth {
        Growth {
            trees: 300,
            depth: 5,
            rate: 0.08,
            prior: 5.0,
            evidence: 2.0,
            facts: 0.4,
            problems: 0.7,
            seed: 1,
            threads: 2,
        }
    }
}

/// A problem to learn from.
#[derive(Clone)]
pub struct Sample {
    /// Facts of each move, one move after the other.
    pub facts: Vec<f32>,
    /// Which of the moves are answers.
    pub right: Vec<bool>,
    /// How much it counts.
    pub weight: f32,
}

/// Places that a fact is sorted into.
const BINS: usize = 64;

/// The samples as columns of small numbers.
struct Rows {
    /// For each fact, the place of each row.
    columns: Vec<Vec<u8>>,
    /// For each fact, the largest value of each place but the last.
    limits: Vec<Vec<f32>>,
    /// Where each problem begins, and the end.
    starts: Vec<usize>,
    right: Vec<bool>,
    weights: Vec<f32>,
}

impl Rows {
    fn new(samples: &[&Sample], width: usize) -> Rows {
        let mut starts = vec![0];
        for sample in samples {
            starts.push(starts[starts.len() - 1] + sample.right.len());
        }
        let mut columns = Vec::with_capacity(width);
        let mut limits = Vec::with_capacity(width);
        for fact in 0..width {
            let values: Vec<f32> = samples
                .iter()
                .flat_map(|sample| sample.facts.chunks_exact(width).map(move |row| row[fact]))
                .collect();
            let limit = cuts(&values);
            columns.push(
                values.iter().map(|v| limit.partition_point(|limit| limit < v) as u8).collect(),
            );
            limits.push(limit);
        }
        Rows {
            columns,
            limits,
            starts,
            right: samples.iter().flat_map(|sample| sample.right.iter().copied()).collect(),
            weights: samples.iter().map(|sample| sample.weight).collect(),
        }
    }
}

/// Limits that cut values into places of about the same number of rows.
fn cuts(values: &[f32]) -> Vec<f32> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let mut distinct = sorted.clone();
    distinct.dedup();
    if distinct.len() <= BINS {
        return distinct[..distinct.len().saturating_sub(1)].to_vec();
    }
    let mut limits: Vec<f32> = (1..BINS)
        .map(|i| sorted[i * sorted.len() / BINS])
        .filter(|v| Some(v) != sorted.last())
        .collect();
    limits.dedup();
    limits
}

/// A sum of first and second derivatives.
#[derive(Clone, Copy, Default)]
struct Slope {
    first: f32,
    second: f32,
}

/// Numbers from a seed (xorshift; Marsaglia 2003).
struct Draw(u64);

impl Draw {
    fn share(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }
}

/// Grows a forest. `watch` hears each new tree and ends the growth by saying false.
pub fn grow(
    samples: &[&Sample],
    width: usize,
    how: &Growth,
    mut watch: impl FnMut(&Tree) -> bool,
) -> Forest {
    let rows = Rows::new(samples, width);
    let mut scores = vec![0.0f32; rows.right.len()];
    let mut slopes = vec![Slope::default(); scores.len()];
    let mut draw = Draw(how.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut forest = Forest { width, trees: Vec::new() };
    for _ in 0..how.trees {
        let used: Vec<bool> = rows.weights.iter().map(|_| draw.share() < how.problems).collect();
        for (place, span) in rows.starts.windows(2).enumerate() {
            let span = span[0]..span[1];
            let weight = if used[place] { rows.weights[place] } else { 0.0 };
            derive(&scores[span.clone()], &rows.right[span.clone()], weight, &mut slopes[span]);
        }
        let facts: Vec<usize> = (0..width).filter(|_| draw.share() < how.facts).collect();
        let (tree, leaf) = grow_tree(&rows, &slopes, &facts, how);
        for (score, &leaf) in scores.iter_mut().zip(&leaf) {
            *score += tree.leaves[leaf as usize];
        }
        let go_on = watch(&tree);
        forest.trees.push(tree);
        if !go_on {
            break;
        }
    }
    forest
}

/// The derivatives of minus the logarithm of the probability that an answer is chosen.
fn derive(scores: &[f32], right: &[bool], weight: f32, slopes: &mut [Slope]) {
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let shares: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let all: f32 = shares.iter().sum();
    let good: f32 = shares.iter().zip(right).filter(|(_, right)| **right).map(|(s, _)| s).sum();
    for ((slope, share), &right) in slopes.iter_mut().zip(&shares).zip(right) {
        let p = share / all;
        let wanted = if right { share / good.max(1e-20) } else { 0.0 };
        *slope = Slope { first: weight * (p - wanted), second: weight * (p * (1.0 - p)).max(1e-6) };
    }
}

/// Grows a tree row by row of nodes; also gives the leaf of each row of the samples.
fn grow_tree(rows: &Rows, slopes: &[Slope], facts: &[usize], how: &Growth) -> (Tree, Vec<u16>) {
    let mut place = vec![0u16; slopes.len()];
    let mut nodes = Vec::new();
    for depth in 0..how.depth {
        let width = 1 << depth;
        let best = best_questions(rows, slopes, &place, facts, width, how);
        let questions: Vec<Option<(usize, usize)>> =
            best.iter().map(|best| best.map(|(_, fact, bin)| (fact, bin))).collect();
        for question in &questions {
            nodes.push(match *question {
                Some((fact, bin)) => Node { fact: fact as u16, threshold: rows.limits[fact][bin] },
                // No question is worth asking: all go to the left.
                None => Node { fact: 0, threshold: f32::INFINITY },
            });
        }
        for (row, place) in place.iter_mut().enumerate() {
            let right = match questions[*place as usize] {
                Some((fact, bin)) => rows.columns[fact][row] as usize > bin,
                None => false,
            };
            *place = 2 * *place + right as u16;
        }
    }
    let mut sums = vec![Slope::default(); 1 << how.depth];
    for (slope, &place) in slopes.iter().zip(&place) {
        let sum = &mut sums[place as usize];
        sum.first += slope.first;
        sum.second += slope.second;
    }
    let leaf = |sum: &Slope| -how.rate * sum.first / (sum.second + how.prior);
    (Tree { nodes, leaves: sums.iter().map(leaf).collect() }, place)
}

type Question = (f32, usize, usize);

/// For each node the question that gains most: gain, fact, and the last place of its left side.
fn best_questions(
    rows: &Rows,
    slopes: &[Slope],
    place: &[u16],
    facts: &[usize],
    width: usize,
    how: &Growth,
) -> Vec<Option<Question>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut best: Vec<Option<Question>> = vec![None; width];
        let mut sums = vec![Slope::default(); width * BINS];
        while let Some(&fact) = facts.get(next.fetch_add(1, Ordering::Relaxed)) {
            sums.fill(Slope::default());
            for ((&bin, &node), slope) in rows.columns[fact].iter().zip(place).zip(slopes) {
                let sum = &mut sums[node as usize * BINS + bin as usize];
                sum.first += slope.first;
                sum.second += slope.second;
            }
            for (node, sums) in sums.chunks_exact(BINS).enumerate() {
                if let Some((gain, bin)) = best_cut(&sums[..=rows.limits[fact].len()], how) {
                    better(&mut best[node], (gain, fact, bin));
                }
            }
        }
        best
    };
    let mut all: Vec<Option<Question>> = vec![None; width];
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..how.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mine = work();
        let parts = others.into_iter().map(|other| other.join().expect("adding up cannot fail"));
        for part in parts.chain([mine]) {
            for (best, other) in all.iter_mut().zip(part) {
                other.into_iter().for_each(|other| better(best, other));
            }
        }
    });
    all
}

/// Keeps the better question; of equals the one about the earlier fact.
fn better(best: &mut Option<Question>, other: Question) {
    let wins = match best {
        None => true,
        Some(best) => other.0 > best.0 || (other.0 == best.0 && other.1 < best.1),
    };
    if wins {
        *best = Some(other);
    }
}

fn best_cut(sums: &[Slope], how: &Growth) -> Option<(f32, usize)> {
    let all = sums.iter().fold(Slope::default(), |all, sum| Slope {
        first: all.first + sum.first,
        second: all.second + sum.second,
    });
    let worth = |s: Slope| s.first * s.first / (s.second + how.prior);
    let mut left = Slope::default();
    let mut best = None;
    for (bin, sum) in sums[..sums.len() - 1].iter().enumerate() {
        left.first += sum.first;
        left.second += sum.second;
        let right = Slope { first: all.first - left.first, second: all.second - left.second };
        if left.second < how.evidence || right.second < how.evidence {
            continue;
        }
        let gain = worth(left) + worth(right) - worth(all);
        if gain > 1e-4 && best.is_none_or(|(most, _)| gain > most) {
            best = Some((gain, bin));
        }
    }
    best
}
