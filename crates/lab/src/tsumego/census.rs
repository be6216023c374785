//! Patterns of moves in problems and how often they were the answer. The states are those of the
//! paper: SAME and DIFF for stones of the player's and the other colour, EMPTY, and OUT for points off
//! the board; a pattern is taken in the first of its eight orientations.

use std::collections::HashMap;

use goban::Point;
use kifu::Problem;
use shape::{Counts, Dictionary, Family, Pattern, PatternId};
use tsumego::scene::{REACH, moves_near_stones};

use super::turns;

/// Counts patterns of a family.
pub struct Census {
    family: Family,
    counts: HashMap<PatternId, (Pattern, Counts)>,
    /// Whether patterns of moves that were not played count as seen.
    others: bool,
}

impl Census {
    /// Nothing counted yet. With `others` all moves near stones count as seen, otherwise only those
    /// that were played.
    pub fn new(family: Family, others: bool) -> Census {
        Census { family, counts: HashMap::new(), others }
    }

    /// Counts the moves of a problem, at every stage of the family.
    pub fn add(&mut self, problem: &Problem) {
        for turn in turns(problem) {
            let moves = match self.others {
                true => moves_near_stones(&turn.board, turn.color, REACH),
                false => vec![turn.point],
            };
            let others = moves.into_iter().filter(|&p| p != turn.point);
            for p in others.chain([turn.point]) {
                let played = u64::from(p == turn.point);
                for part in 0..self.family.parts() {
                    let view = self.family.look(&turn.board, p, turn.color, part);
                    for stage in 0..self.family.stages() {
                        let known = self.counts.entry(view.id(stage));
                        let entry =
                            known.or_insert_with(|| (view.pattern(stage), Counts::default()));
                        entry.1.seen += 1;
                        entry.1.played += played;
                    }
                }
            }
        }
    }

    /// The patterns that were played at least so often.
    pub fn dictionary(&self, least: u64) -> Dictionary {
        let kept = self.counts.values().filter(|(_, counts)| counts.played >= least.max(1));
        Dictionary::new(self.family.clone(), kept.cloned())
    }
}

/// The patterns of a dictionary that were played most, at its last stage.
pub fn most_played(dictionary: &Dictionary, n: usize) -> Vec<(Pattern, Counts)> {
    let last = dictionary.family().stages() - 1;
    let mut places: Vec<_> =
        dictionary.indices().filter(|&place| dictionary.stage(place) == last).collect();
    places.sort_by_key(|&place| std::cmp::Reverse(dictionary.counts(place).played));
    let chosen = places.into_iter().take(n);
    chosen.map(|place| (dictionary.pattern(place), dictionary.counts(place))).collect()
}

/// The stones around a point as a pattern of one part.
pub(crate) fn pattern_at(
    family: &Family,
    board: &goban::Board,
    p: Point,
    color: goban::Color,
) -> Pattern {
    family.look(board, p, color, 0).pattern(family.stages() - 1)
}
