//! Counting a finished game: area or territory, with dead stones and seki marked by someone else.

use crate::board::Board;
use crate::color::{Cell, Color};
use crate::point::{Point, PointMap, PointSet};
use crate::rules::Scoring;

/// What somebody says about the stones at the end of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Marks {
    /// Stones that cannot be saved: taken off before counting.
    pub dead: PointSet,
    /// Stones that live in seki: under territory scoring their surroundings count nothing.
    pub seki: PointSet,
}

/// Points of both players, before komi.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Black's points.
    pub black: u32,
    /// White's points.
    pub white: u32,
}

impl Tally {
    /// Black's points less White's.
    pub fn difference(self) -> i32 {
        self.black as i32 - self.white as i32
    }

    fn add(&mut self, color: Color, points: u32) {
        match color {
            Color::Black => self.black += points,
            Color::White => self.white += points,
        }
    }
}

/// Who owns each point when the marked dead stones are off: the stones' colour, and the colour of
/// an empty region that touches stones of one player only. `None` for dame.
pub fn owners(board: &Board, dead: &PointSet) -> PointMap<Option<Color>> {
    let mut owners = PointMap::filled(None);
    for p in board.size().points() {
        owners[p] = board.cell(p).color().filter(|_| !dead.contains(p));
    }
    for region in regions(board, dead) {
        if let Some(owner) = region.owner() {
            for p in region.points {
                owners[p] = Some(owner);
            }
        }
    }
    owners
}

/// The score by area: stones and surrounded points. Without marks it is the Tromp-Taylor score of
/// the board as it stands.
pub fn area(board: &Board, marks: &Marks) -> Tally {
    let owners = owners(board, &marks.dead);
    let mut tally = Tally::default();
    for owner in board.size().points().filter_map(|p| owners[p]) {
        tally.add(owner, 1);
    }
    tally
}

/// The score by territory: surrounded points, and prisoners with the dead stones among them.
/// `prisoners` are the stones that black and white have taken.
pub fn territory(board: &Board, marks: &Marks, prisoners: [u32; 2]) -> Tally {
    let mut tally = Tally { black: prisoners[0], white: prisoners[1] };
    for p in marks.dead.iter() {
        if let Some(color) = board.cell(p).color() {
            tally.add(!color, 1);
        }
    }
    for region in regions(board, &marks.dead) {
        if let Some(owner) = region.owner()
            && !region.is_beside(board, &marks.seki)
        {
            tally.add(owner, region.points.len() as u32);
        }
    }
    tally
}

/// The score by either way of counting.
pub fn count(board: &Board, scoring: Scoring, marks: &Marks, prisoners: [u32; 2]) -> Tally {
    match scoring {
        Scoring::Area => area(board, marks),
        Scoring::Territory => territory(board, marks, prisoners),
    }
}

/// Connected points without living stones, and the players whose stones they touch.
pub struct Region {
    /// The points.
    pub points: Vec<Point>,
    borders: [Option<Color>; 2],
}

impl Region {
    /// The player whose stones alone it touches.
    pub fn owner(&self) -> Option<Color> {
        match self.borders {
            [Some(owner), None] | [None, Some(owner)] => Some(owner),
            _ => None,
        }
    }

    /// Whether it touches some of these stones.
    pub fn is_beside(&self, board: &Board, stones: &PointSet) -> bool {
        self.points.iter().any(|&p| board.neighbours(p).any(|q| stones.contains(q)))
    }
}

/// The empty regions when the marked dead stones are off.
pub fn regions(board: &Board, dead: &PointSet) -> Vec<Region> {
    let is_open = |p: Point| board.cell(p) == Cell::Empty || dead.contains(p);
    let mut seen = PointSet::EMPTY;
    let mut regions = Vec::new();
    for start in board.size().points() {
        if !is_open(start) || !seen.insert(start) {
            continue;
        }
        let mut region = Region { points: vec![start], borders: [None; 2] };
        let mut next = 0;
        while let Some(&p) = region.points.get(next) {
            next += 1;
            for q in board.neighbours(p) {
                if !is_open(q) {
                    let color = board.cell(q).color().expect("neither empty nor edge");
                    region.borders[color.index()] = Some(color);
                } else if seen.insert(q) {
                    region.points.push(q);
                }
            }
        }
        regions.push(region);
    }
    regions
}
