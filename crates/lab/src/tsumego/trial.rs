//! How often methods find the answers of problems, at the first try and within five.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use goban::Point;
use kifu::Problem;
use serde::Serialize;

use super::method::{Guess, Method};
use crate::statistics::wilson;

/// Tries that are counted.
pub const TRIES: usize = 5;

/// Shares of problems answered within 1, 2, … tries.
#[derive(Clone, Default, PartialEq, Debug, Serialize)]
pub struct Rate {
    /// Problems.
    pub n: usize,
    /// Shares within k tries.
    pub top: [f64; TRIES],
    /// Their 95 % intervals (Wilson 1927).
    pub intervals: [[f64; 2]; TRIES],
    /// The share of problems whose answer the method did not even consider.
    pub missed: f64,
}

/// What a trial of a method led to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Trial {
    /// The method.
    pub name: String,
    /// All problems.
    pub all: Rate,
    /// By level.
    pub levels: BTreeMap<String, Rate>,
    /// The strength that goes with the answer rate; see [`dan`].
    pub dan: f64,
}

/// The strength in dan (1 kyu is 0, 2 kyu -1) of a player with an answer rate, a share, by the line
/// that the paper fitted: y = 5.08 x + 24.0, y in per cent.
pub fn dan(share: f64) -> f64 {
    (100.0 * share - 24.0) / 5.08
}

/// The credit for one problem.
#[derive(Clone, Copy, Default)]
struct Credit {
    top: [f64; TRIES],
    missed: bool,
}

/// The credit of a guess: the chance that one of the answers is within the first k.
fn credit(guess: &Guess, answers: &[Point]) -> Credit {
    let is_answer = |p: &Point| answers.contains(p);
    match guess {
        Guess::Chances(chances) => {
            let right = chances.iter().filter(|(p, _)| is_answer(p));
            let missed = right.clone().next().is_none();
            let p: f64 = right.map(|(_, chance)| chance).sum();
            Credit { top: std::array::from_fn(|k| 1.0 - (1.0 - p).powi(k as i32 + 1)), missed }
        }
        Guess::Scores(scores) => {
            let best = scores.iter().filter(|(p, _)| is_answer(p)).map(|s| s.1).reduce(f64::max);
            let Some(best) = best else { return Credit { missed: true, ..Credit::default() } };
            let above = scores.iter().filter(|(_, score)| *score > best).count();
            let equal = scores.iter().filter(|(_, score)| *score == best);
            let right = equal.clone().filter(|(p, _)| is_answer(p)).count();
            let equal = equal.count();
            // Equal moves come in any order: the chance that none of the right ones is among the
            // first of them.
            let top = std::array::from_fn(|k| {
                let places = (k + 1).saturating_sub(above).min(equal);
                let none: f64 = (0..places)
                    .map(|i| (equal - right).saturating_sub(i) as f64 / (equal - i) as f64)
                    .product();
                if places == 0 { 0.0 } else { 1.0 - none }
            });
            Credit { top, missed: false }
        }
    }
}

/// Adds up credits.
fn rate(credits: &[Credit]) -> Rate {
    let n = credits.len();
    let mean = |sum: f64| sum / n.max(1) as f64;
    let top: [f64; TRIES] =
        std::array::from_fn(|k| mean(credits.iter().map(|credit| credit.top[k]).sum()));
    Rate {
        n,
        top,
        intervals: top.map(|share| wilson(share, n).into()),
        missed: mean(credits.iter().filter(|credit| credit.missed).count() as f64),
    }
}

/// Tries a method on problems that have answers. `done` counts problems for a progress bar; with `stop`
/// it ends early and gives what it has.
pub fn trial(
    method: &dyn Method,
    problems: &[Problem],
    threads: usize,
    done: &AtomicUsize,
    stop: &AtomicBool,
) -> Trial {
    let next = AtomicUsize::new(0);
    let credits = Mutex::new(vec![None; problems.len()]);
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, problems.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(problem) = problems.get(place) else { break };
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let guess = method.guess(&problem.board, problem.to_play);
                    let credit = credit(&guess, &problem.answers);
                    credits.lock().expect("no thread panics")[place] = Some(credit);
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let credits = credits.into_inner().expect("no thread panics");
    let mut levels = BTreeMap::<String, Vec<Credit>>::new();
    for (problem, credit) in problems.iter().zip(&credits) {
        levels.entry(problem.level.clone()).or_default().extend(credit);
    }
    let all: Vec<Credit> = credits.into_iter().flatten().collect();
    let all = rate(&all);
    let levels = levels.into_iter().map(|(level, credits)| (level, rate(&credits))).collect();
    Trial { name: method.name(), dan: dan(all.top[0]), all, levels }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str) -> Point {
        Point::parse(name).unwrap()
    }

    fn top(scores: &[(&str, f64)], answers: &[&str]) -> [f64; TRIES] {
        let scores = scores.iter().map(|&(name, score)| (point(name), score)).collect();
        let answers: Vec<Point> = answers.iter().map(|name| point(name)).collect();
        credit(&Guess::Scores(scores), &answers).top
    }

    #[test]
    fn the_place_of_the_answer_counts() {
        let moves = [("A1", 3.0), ("B1", 2.0), ("C1", 1.0)];
        assert_eq!(top(&moves, &["A1"]), [1.0; 5]);
        assert_eq!(top(&moves, &["C1"]), [0.0, 0.0, 1.0, 1.0, 1.0]);
        assert_eq!(top(&moves, &["C1", "B1"]), [0.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(top(&moves, &["J9"]), [0.0; 5]);
    }

    #[test]
    fn equal_moves_share_their_places() {
        let moves = [("A1", 3.0), ("B1", 2.0), ("C1", 2.0), ("D1", 2.0), ("E1", 2.0)];
        assert_eq!(top(&moves, &["E1"]), [0.0, 0.25, 0.5, 0.75, 1.0]);
        let two = top(&moves, &["E1", "B1"]);
        // Of four places, none of two in the first two: 1/2 x 1/3.
        assert!((two[2] - (1.0 - 1.0 / 6.0)).abs() < 1e-12, "{two:?}");
    }

    #[test]
    fn chances_are_tried_again() {
        let guess = Guess::Chances(vec![(point("A1"), 0.5), (point("B1"), 0.5)]);
        let found = credit(&guess, &[point("A1")]);
        assert_eq!(found.top[..3], [0.5, 0.75, 0.875]);
        assert!(!found.missed);
        assert!(credit(&guess, &[point("C1")]).missed);
    }

    #[test]
    fn the_line_of_the_paper() {
        // Its own figures: 13.25 % is -2.12 dan, 18.83 % is -1.02.
        assert!((dan(0.1325) + 2.12).abs() < 0.005);
        assert!((dan(0.1883) + 1.02).abs() < 0.005);
    }
}
