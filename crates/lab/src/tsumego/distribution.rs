//! Where moves of problems are played: points up to the symmetries of the board, 55 classes on 19x19,
//! named by their two lines: `2-1` is on the second line from one edge and the first from the other.

use std::collections::BTreeMap;
use std::fmt;

use goban::{Point, Size};
use kifu::Problem;

use super::turns;

/// A class of points: its two lines from 1 at the edge, the larger first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    /// The line from the farther edge.
    pub high: u8,
    /// The line from the nearer edge.
    pub low: u8,
}

impl Spot {
    /// The class of a point.
    pub fn of(p: Point, size: Size) -> Spot {
        let line = |v: u8| v.min(size.side() - 1 - v) + 1;
        let (x, y) = (line(p.x()), line(p.y()));
        Spot { high: x.max(y), low: x.min(y) }
    }

    /// Reads a name such as `2-1`.
    pub fn parse(name: &str) -> Option<Spot> {
        let (high, low) = name.split_once('-')?;
        let spot = Spot { high: high.parse().ok()?, low: low.parse().ok()? };
        (1..=spot.high).contains(&spot.low).then_some(spot)
    }

    /// All classes of a board, along the first line, then the second and so on.
    pub fn all(size: Size) -> Vec<Spot> {
        let most = size.side().div_ceil(2);
        (1..=most).flat_map(|low| (low..=most).map(move |high| Spot { high, low })).collect()
    }

    /// The points of a board that are of this class.
    pub fn points(self, size: Size) -> impl Iterator<Item = Point> {
        size.points().filter(move |&p| Spot::of(p, size) == self)
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}-{}", self.high, self.low))
    }
}

/// How often moves were played in each class.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Tally {
    /// Moves.
    pub moves: usize,
    /// Of each class.
    pub spots: BTreeMap<Spot, usize>,
}

impl Tally {
    /// Counts a move.
    pub fn add(&mut self, spot: Spot) {
        self.moves += 1;
        *self.spots.entry(spot).or_default() += 1;
    }

    /// The share of a class.
    pub fn share(&self, spot: Spot) -> f64 {
        let count = self.spots.get(&spot).copied().unwrap_or(0);
        count as f64 / self.moves.max(1) as f64
    }

    /// The classes that were played, the most frequent first.
    pub fn ranked(&self) -> Vec<(Spot, usize)> {
        let mut ranked: Vec<(Spot, usize)> = self.spots.iter().map(|(&s, &n)| (s, n)).collect();
        ranked.sort_by_key(|&(spot, n)| (std::cmp::Reverse(n), spot.low, spot.high));
        ranked
    }
}

/// Where the moves of problems were played.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Distribution {
    /// Problems with an answer.
    pub problems: usize,
    /// By the first player: who is to play in the problem.
    pub first: Tally,
    /// By the second player.
    pub second: Tally,
    /// By the number of the move, from 1.
    pub by_number: Vec<Tally>,
}

impl Distribution {
    /// Counts the moves of a problem.
    pub fn add(&mut self, problem: &Problem) {
        self.problems += usize::from(!problem.answers.is_empty());
        let size = problem.board.size();
        for turn in turns(problem) {
            let spot = Spot::of(turn.point, size);
            let player = if turn.number % 2 == 1 { &mut self.first } else { &mut self.second };
            player.add(spot);
            if self.by_number.len() < turn.number {
                self.by_number.resize_with(turn.number, Tally::default);
            }
            self.by_number[turn.number - 1].add(spot);
        }
    }
}
