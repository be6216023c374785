//! How accurately playouts judge positions, against a judge who knows better: how far the score is off,
//! by phases of the game, and which stones are dead.
//!
//! The score is estimated in two ways: by the mean of the playouts, and by the published procedure of lines
//! from empty points (`knowledge::Territory`). Stones are called dead by chains, as `harie score` does,
//! and by groups (`knowledge::Groups`), which may also be unsettled.

use goban::{Board, Cell, PointMap};
use knowledge::{Groups, Life, Territory};
use serde::{Deserialize, Serialize};

/// The judge is sure of a chain that it gives to one player by this much, of 1.
const SURE: f32 = 0.6;

/// Verdicts on chains whose fate the judge is sure of.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Verdicts {
    /// Chains that are dead.
    pub dead: u64,
    /// Those of them that were found to be.
    pub found: u64,
    /// Chains that live.
    pub alive: u64,
    /// Those of them that were called dead.
    pub wronged: u64,
    /// Chains of which was said that it depends.
    pub open: u64,
}

impl Verdicts {
    fn add(&mut self, is_dead: bool, said: Life) {
        let called_dead = u64::from(said == Life::Dead);
        if is_dead {
            self.dead += 1;
            self.found += called_dead;
        } else {
            self.alive += 1;
            self.wronged += called_dead;
        }
        self.open += u64::from(said == Life::Unsettled);
    }

    /// The share of the dead that were found.
    pub fn share_found(&self) -> f64 {
        self.found as f64 / self.dead.max(1) as f64
    }

    /// The share of those called dead that live.
    pub fn share_wrong(&self) -> f64 {
        self.wronged as f64 / (self.found + self.wronged).max(1) as f64
    }
}

/// Absolute errors of the score in a phase of the game.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct ScoreOff {
    /// The fewest and the most moves of its positions.
    pub moves: [usize; 2],
    /// Positions.
    pub positions: usize,
    /// Mean error of the mean score of the playouts, in points.
    pub playouts: f64,
    /// Mean error of the published procedure.
    pub lines: f64,
    /// Mean error of calling every game even: what a score must beat.
    pub even: f64,
}

/// The accuracy of playouts, measured against the judge.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Accuracy {
    /// By thirds of the positions by number of moves, and all together last.
    pub score: Vec<ScoreOff>,
    /// By chains.
    pub chains: Verdicts,
    /// By groups.
    pub groups: Verdicts,
}

/// A position with what playouts and the judge say about it.
pub struct JudgedPosition<'a> {
    /// The board.
    pub board: &'a Board,
    /// Moves before it.
    pub moves: usize,
    /// Points for White.
    pub komi: f32,
    /// Who owns each point at the ends of playouts, in reading order, +1 being Black's.
    pub ownership: &'a [f32],
    /// Black's lead by the playouts.
    pub score: f32,
    /// The judge's ownership; may be missing.
    pub judged_ownership: &'a [f32],
    /// Black's lead by the judge.
    pub judged_score: f32,
}

impl Accuracy {
    /// Compares the playouts with the judge.
    pub fn new(all: &[JudgedPosition<'_>]) -> Accuracy {
        let mut accuracy = Accuracy::default();
        let mut errors: Vec<(usize, [f64; 3])> = Vec::new();
        for position in all {
            let ownership = mapped(position.board, position.ownership);
            let groups = Groups::new(position.board, &ownership);
            let [black, white] = Territory::by_lines(position.board, &groups).area;
            let lines = black as f32 - white as f32 - position.komi;
            let off = |score: f32| f64::from((score - position.judged_score).abs());
            errors.push((position.moves, [off(position.score), off(lines), off(0.0)]));
            if position.judged_ownership.len() == position.board.size().area() {
                let judged = mapped(position.board, position.judged_ownership);
                accuracy.compare(position.board, &groups, &ownership, &judged);
            }
        }
        errors.sort_by_key(|&(moves, _)| moves);
        let third = errors.len().div_ceil(3).max(1);
        accuracy.score = errors.chunks(third).map(mean).collect();
        accuracy.score.push(mean(&errors));
        accuracy
    }

    fn compare(
        &mut self,
        board: &Board,
        groups: &Groups,
        ownership: &PointMap<f32>,
        judged: &PointMap<f32>,
    ) {
        for chain in board.all_chains() {
            let kept = |owners: &PointMap<f32>| {
                let sign = |p| if board.cell(p) == Cell::Black { 1.0 } else { -1.0 };
                let sum: f32 = board.chain_stones(chain).map(|p| sign(p) * owners[p]).sum();
                sum / board.length(chain) as f32
            };
            let fate = kept(judged);
            if fate.abs() < SURE {
                continue;
            }
            let by_chain = if kept(ownership) < 0.0 { Life::Dead } else { Life::Alive };
            self.chains.add(fate < 0.0, by_chain);
            let first = board.chain_stones(chain).next();
            let group = first.and_then(|p| groups.at(p)).map_or(Life::Unsettled, |g| g.life);
            self.groups.add(fate < 0.0, group);
        }
    }
}

fn mapped(board: &Board, owners: &[f32]) -> PointMap<f32> {
    let mut map = PointMap::filled(0.0);
    board.size().points().zip(owners).for_each(|(p, &own)| map[p] = own);
    map
}

fn mean(errors: &[(usize, [f64; 3])]) -> ScoreOff {
    let n = errors.len().max(1) as f64;
    let of = |i: usize| errors.iter().map(|(_, e)| e[i]).sum::<f64>() / n;
    let ends = [errors.first(), errors.last()].map(|end| end.map_or(0, |&(moves, _)| moves));
    ScoreOff { moves: ends, positions: errors.len(), playouts: of(0), lines: of(1), even: of(2) }
}

#[cfg(test)]
mod tests {
    use goban::Diagram;

    use super::*;

    #[test]
    fn errors_and_verdicts_by_hand() {
        // Black has the left, White the right; the white stone at A5 is dead.
        let text = "O X . O .\n. X . O O\nX X . O .\n. X . O O\n. X . O .";
        let board = Diagram::parse(text).unwrap().board;
        let area = board.size().area();
        let truth: Vec<f32> = (0..area)
            .map(|i| match i % 5 {
                0 | 1 => 1.0,
                2 => 0.0,
                _ => -1.0,
            })
            .collect();
        // Playouts that let the stone live.
        let mut fooled = truth.clone();
        fooled[0] = -1.0;
        let position = |ownership, moves, score| JudgedPosition {
            board: &board,
            moves,
            komi: 0.5,
            ownership,
            score,
            judged_ownership: &truth,
            judged_score: -0.5,
        };
        let right = Accuracy::new(&[position(&truth, 10, 1.5), position(&truth, 20, -0.5)]);
        assert_eq!((right.chains.dead, right.chains.found, right.chains.wronged), (2, 2, 0));
        assert_eq!((right.groups.found, right.groups.wronged), (2, 0));
        let last = right.score.last().unwrap();
        assert_eq!((last.positions, last.playouts, last.moves), (2, 1.0, [10, 20]));
        assert_eq!((right.score.len(), last.even), (3, 0.5));
        let wrong = Accuracy::new(&[position(&fooled, 10, 0.0)]);
        assert_eq!((wrong.chains.dead, wrong.chains.found), (1, 0));
        assert_eq!(wrong.chains.share_found(), 0.0);
    }
}
