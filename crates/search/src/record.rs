//! What a playout did: its moves in order, for all-moves-as-first, and who owned what at its end.

use std::collections::BTreeMap;

use goban::{Board, Color, Point, PointMap, Size};
use playout::{Observer, Outcome};

/// Watches the playouts of one thread.
pub struct Record {
    /// The moves of the last playout, passes left out.
    pub moves: Vec<(Color, Point)>,
    /// Playouts in which a point ended as Black's less those in which it ended as White's.
    pub ownership: PointMap<i32>,
    /// Playouts seen.
    pub playouts: u64,
    /// Sums of the scores and of their squares.
    pub scores: (f64, f64),
    /// The same after each first move, if asked for.
    by_move: Option<BTreeMap<Option<Point>, Owners>>,
    /// The points of the last final position: +1 Black's, -1 White's.
    last: Vec<(Point, i8)>,
}

/// Playouts and the sums of who owned each point at their ends.
#[derive(Clone)]
struct Owners {
    playouts: u64,
    sums: Box<PointMap<i32>>,
}

impl Owners {
    fn none() -> Owners {
        Owners { playouts: 0, sums: Box::new(PointMap::filled(0)) }
    }
}

impl Record {
    /// A record before the first playout; `by_move` keeps ownership after each first move apart.
    pub fn new(by_move: bool) -> Record {
        Record {
            by_move: by_move.then(BTreeMap::new),
            moves: Vec::with_capacity(2048),
            ownership: PointMap::filled(0),
            playouts: 0,
            scores: (0.0, 0.0),
            last: Vec::with_capacity(1024),
        }
    }

    /// Whether ownership after each first move is kept apart.
    pub fn is_by_move(&self) -> bool {
        self.by_move.is_some()
    }

    /// Who owned each point in the last final position: +1 Black, -1 White.
    pub fn owners(&self) -> &[(Point, i8)] {
        &self.last
    }

    /// Adds what another thread has seen.
    pub fn add(&mut self, other: &Record) {
        let sums = self.ownership.as_mut_slice().iter_mut().zip(other.ownership.as_slice());
        sums.for_each(|(sum, more)| *sum += more);
        self.playouts += other.playouts;
        self.scores.0 += other.scores.0;
        self.scores.1 += other.scores.1;
        if let (Some(mine), Some(theirs)) = (&mut self.by_move, &other.by_move) {
            for (mv, owners) in theirs {
                let sum = mine.entry(*mv).or_insert_with(Owners::none);
                sum.playouts += owners.playouts;
                let sums = sum.sums.as_mut_slice().iter_mut().zip(owners.sums.as_slice());
                sums.for_each(|(sum, more)| *sum += more);
            }
        }
    }

    /// Counts the last final position for the first move that led to it.
    pub fn count_for(&mut self, first: Option<Point>) {
        if let Some(by_move) = &mut self.by_move {
            let owners = by_move.entry(first).or_insert_with(Owners::none);
            owners.playouts += 1;
            self.last.iter().for_each(|&(p, owner)| owners.sums[p] += owner as i32);
        }
    }

    /// Playouts that began with a move, and who owned each point at their ends.
    pub fn owners_after(&self, first: Option<Point>) -> Option<(u64, &PointMap<i32>)> {
        let owners = self.by_move.as_ref()?.get(&first)?;
        Some((owners.playouts, &owners.sums))
    }

    /// Counts a final position.
    pub fn count(&mut self, size: Size, score: i32, owner: impl Fn(Point) -> i8) {
        self.last.clear();
        for p in size.points() {
            let owner = owner(p);
            self.ownership[p] += owner as i32;
            self.last.push((p, owner));
        }
        self.playouts += 1;
        self.scores.0 += score as f64;
        self.scores.1 += (score * score) as f64;
    }
}

impl Observer for Record {
    fn started(&mut self, _: &Board, _: Color) {
        self.moves.clear();
    }

    #[inline]
    fn played(&mut self, color: Color, point: Option<Point>, _: &[Point]) {
        if let Some(p) = point {
            self.moves.push((color, p));
        }
    }

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        self.count(board.size(), outcome.score, |p| playout::owner(board, p));
    }
}
