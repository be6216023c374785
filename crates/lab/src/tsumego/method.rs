//! Ways to guess the answer of a problem by looking, without a search.

use std::collections::BTreeMap;

use goban::{Board, Color, Point};
use policy::{Model, Situation};
use shape::{Dictionary, Family, Pattern, similarity};
use tsumego::Candidates;
use tsumego::scene::{REACH, moves_near_stones};

use super::census::pattern_at;
use super::distribution::{Spot, Tally};

/// What a method says about the moves that it considers.
pub enum Guess {
    /// More is better; equal ones in any order.
    Scores(Vec<(Point, f64)>),
    /// Each try is drawn with these chances, which add up to one.
    Chances(Vec<(Point, f64)>),
}

/// A way to guess.
pub trait Method: Sync {
    /// What tables call it.
    fn name(&self) -> String;
    /// What it says about a position.
    fn guess(&self, board: &Board, to_play: Color) -> Guess;
}

/// Scores of the moves near stones.
fn scores(board: &Board, to_play: Color, score: impl Fn(Point) -> f64) -> Guess {
    let moves = moves_near_stones(board, to_play, REACH);
    Guess::Scores(moves.into_iter().map(|p| (p, score(p))).collect())
}

/// Draws among the points within a Manhattan distance of a stone by the frequencies of their classes.
pub struct ByClass<'a> {
    /// How often answers were of each class.
    pub tally: &'a Tally,
    /// The distance M.
    pub reach: u8,
}

impl Method for ByClass<'_> {
    fn name(&self) -> String {
        format!("random by class, M = {}", self.reach)
    }

    fn guess(&self, board: &Board, to_play: Color) -> Guess {
        let moves = moves_near_stones(board, to_play, self.reach);
        let share = |p: Point| self.tally.share(Spot::of(p, board.size()));
        let sum: f64 = moves.iter().map(|&p| share(p)).sum();
        let sum = if sum > 0.0 { sum } else { 1.0 };
        Guess::Chances(moves.into_iter().map(|p| (p, share(p) / sum)).collect())
    }
}

/// The pattern that was the answer most often comes first.
pub struct Fixed<'a>(pub &'a Dictionary);

impl Method for Fixed<'_> {
    fn name(&self) -> String {
        format!("fixed {}", self.0.family().name())
    }

    fn guess(&self, board: &Board, to_play: Color) -> Guess {
        scores(board, to_play, |p| {
            let known = self.0.at(board, p, to_play, 0);
            known.map_or(0.0, |place| self.0.counts(place).played as f64)
        })
    }
}

/// The move whose surroundings are most like those of a known answer comes first.
pub struct Similar {
    family: Family,
    core: Family,
    near: Family,
    /// Known answers by what is beside the point, then by what is within two.
    by_core: BTreeMap<Pattern, BTreeMap<Pattern, Vec<Pattern>>>,
}

impl Similar {
    /// By the answers of a dictionary of Neumann(4).
    pub fn new(dictionary: &Dictionary) -> Similar {
        let family = dictionary.family().clone();
        let (core, near) = (Family::neumann(1), Family::neumann(2));
        let mut by_core = BTreeMap::<Pattern, BTreeMap<Pattern, Vec<Pattern>>>::new();
        for place in dictionary.indices() {
            let pattern = dictionary.pattern(place);
            // Cells come nearest first: those of Neumann(1) are the first of Neumann(2) and (4).
            let part = |family: &Family| {
                Pattern::new(family, 0, 0, &pattern.states[..family.cells(0).len()])
            };
            let by_near = by_core.entry(part(&core)).or_default();
            by_near.entry(part(&near)).or_default().push(pattern);
        }
        Similar { family, core, near, by_core }
    }

    /// The similarity to the most similar answer. Differences only add up, so what is near the point
    /// bounds the rest, and most answers need not be compared.
    fn nearest(&self, board: &Board, to_play: Color, p: Point) -> i32 {
        let at = |family: &Family| pattern_at(family, board, p, to_play);
        let (whole, near, core) = (at(&self.family), at(&self.near), at(&self.core));
        let mut best = i32::MIN;
        for (bound, by_near) in by_bound(&self.core, &core, &self.by_core) {
            if bound <= best {
                break;
            }
            for (bound, answers) in by_bound(&self.near, &near, by_near) {
                if bound <= best {
                    break;
                }
                let found = answers.iter().map(|known| similarity(&self.family, known, &whole));
                best = found.max().map_or(best, |found| best.max(found));
            }
        }
        best
    }
}

/// The entries of a map with the similarity of their keys to a pattern, the most similar first.
fn by_bound<'a, T>(
    family: &Family,
    pattern: &Pattern,
    map: &'a BTreeMap<Pattern, T>,
) -> Vec<(i32, &'a T)> {
    let bound = |name: &Pattern| similarity(family, name, pattern);
    let mut found: Vec<(i32, &T)> = map.iter().map(|(key, entry)| (bound(key), entry)).collect();
    found.sort_by_key(|&(bound, _)| std::cmp::Reverse(bound));
    found
}

impl Method for Similar {
    fn name(&self) -> String {
        "similarity".to_owned()
    }

    fn guess(&self, board: &Board, to_play: Color) -> Guess {
        scores(board, to_play, |p| self.nearest(board, to_play, p) as f64)
    }
}

/// Nested patterns: the larger the largest known one, the better; of equal sizes the more frequent.
pub struct SemiFixed<'a>(pub &'a Dictionary);

impl Method for SemiFixed<'_> {
    fn name(&self) -> String {
        "semi-fixed".to_owned()
    }

    fn guess(&self, board: &Board, to_play: Color) -> Guess {
        scores(board, to_play, |p| match self.0.at(board, p, to_play, 0) {
            None => 0.0,
            Some(place) => {
                let size = (self.0.stage(place) + 1) as f64;
                size * 1e6 + self.0.counts(place).played as f64
            }
        })
    }
}

/// Patterns that grew where they were too frequent and died where they were too rare; the one that
/// was the answer most often of the times it was seen comes first.
pub struct Flexible<'a>(pub &'a Dictionary);

impl Method for Flexible<'_> {
    fn name(&self) -> String {
        "flexible".to_owned()
    }

    fn guess(&self, board: &Board, to_play: Color) -> Guess {
        scores(board, to_play, |p| {
            let known = self.0.at(board, p, to_play, 0);
            known.map_or(0.0, |place| {
                let counts = self.0.counts(place);
                // As if each had been seen some more times in vain, so that luck does not win.
                counts.played as f64 / (counts.seen as f64 + 10.0)
            })
        })
    }
}

/// A move model of this project.
pub struct Learned<'a> {
    /// What tables call it.
    pub name: String,
    /// The model.
    pub model: &'a Model,
}

impl Method for Learned<'_> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn guess(&self, board: &Board, to_play: Color) -> Guess {
        let situation = Situation::new(board, to_play);
        scores(board, to_play, |p| self.model.value(&situation, p) as f64)
    }
}

impl Method for Candidates {
    fn name(&self) -> String {
        "learned facts".to_owned()
    }

    fn guess(&self, board: &Board, to_play: Color) -> Guess {
        Guess::Scores(self.rate(board, to_play).into_iter().map(|(p, x)| (p, x as f64)).collect())
    }
}
