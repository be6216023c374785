//! Playing a record on a board, move by move, as long as it is legal.

use goban::{Board, Cell, Illegal, Point, PointMap, Watch};

use crate::record::{Change, Move, Record};
use crate::tree::{NodeId, Tree};
use crate::warning::{Warning, WarningKind};

/// Where and why a record cannot be played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Moves played before.
    pub played: usize,
    /// Moves left out.
    pub rest: usize,
    /// The node at fault.
    pub node: NodeId,
    /// What is wrong with it.
    pub why: Why,
}

/// What is wrong with a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The move is against the rules.
    Move(Move, Point, Illegal),
    /// The stones set up leave the chain of this one without a liberty.
    Setup(Point),
}

impl Broken {
    /// The warning for the record of this tree.
    pub fn warning(&self, tree: &Tree) -> Warning {
        let rest = self.rest;
        let (number, kind) = match self.why {
            Why::Move(Move { color, .. }, point, why) => {
                (Some(self.played + 1), WarningKind::IllegalMove { color, point, why, rest })
            }
            Why::Setup(point) => (None, WarningKind::NoLiberty { point, rest }),
        };
        tree.warning(self.node, number, kind)
    }
}

/// A walk through the positions of a record.
///
/// ```
/// # let (trees, mut warnings) = kifu::read(b"(;SZ[9];B[ee];W[gc];B[])");
/// # let record = kifu::Record::new(&trees[0], &mut warnings).unwrap();
/// let mut replay = kifu::Replay::new(&record);
/// while let Some(next) = replay.next_move() {
///     let board = replay.board(); // The position in which `next` is about to be played.
///     # assert!(next.point.is_none_or(|p| board.is_legal(p, next.color)));
/// }
/// # assert_eq!(replay.played(), 3);
/// if let Some(broken) = replay.broken() {
///     warnings.push(broken.warning(&trees[0]));
/// }
/// ```
pub struct Replay<'a> {
    record: &'a Record,
    board: Board,
    suicide_allowed: bool,
    played: usize,
    changed: usize,
    /// The move given out and not played yet.
    pending: Option<Move>,
    /// Stones that black and white have taken.
    prisoners: [usize; 2],
    broken: Option<Broken>,
}

impl<'a> Replay<'a> {
    /// Starts before the first move.
    pub fn new(record: &'a Record) -> Replay<'a> {
        let (board, broken) = match Board::with_stones(record.size, record.stones.iter().copied()) {
            Ok(board) => (board, None),
            Err((point, _)) => {
                let rest = record.moves.len();
                let why = Why::Setup(point);
                let broken = Broken { played: 0, rest, node: record.setup, why };
                (Board::new(record.size), Some(broken))
            }
        };
        Replay {
            record,
            board,
            suicide_allowed: record.suicide_allowed(),
            played: 0,
            changed: 0,
            pending: None,
            prisoners: [0; 2],
            broken,
        }
    }

    /// The position: before the move that was given out last, or at the end.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Stones that black and white have taken so far.
    pub fn prisoners(&self) -> [usize; 2] {
        self.prisoners
    }

    /// Moves on the board.
    pub fn played(&self) -> usize {
        self.played
    }

    /// Why the record ended early, if it did.
    pub fn broken(&self) -> Option<Broken> {
        self.broken
    }

    /// Plays the move given out before and gives out the next, which is legal; none at the end or
    /// where the record breaks.
    pub fn next_move(&mut self) -> Option<Move> {
        self.play_pending();
        while self.broken.is_none()
            && let Some(change) = self.record.changes.get(self.changed)
            && change.after <= self.played
        {
            self.changed += 1;
            self.change(change);
        }
        if self.broken.is_some() {
            return None;
        }
        let next = *self.record.moves.get(self.played)?;
        if let Some(point) = next.point
            && let Err(why) = self.board.check(point, next.color, self.suicide_allowed)
        {
            self.break_off(next.node, Why::Move(next, point, why));
            return None;
        }
        self.pending = Some(next);
        self.pending
    }

    fn play_pending(&mut self) {
        let Some(Move { color, point, .. }) = self.pending else { return };
        match point {
            Some(point) => {
                // Stones that a suicide takes off are the opponent's prisoners.
                let suicide = self.board.is_suicide(point, color);
                let captor = if suicide { !color } else { color };
                let mut taken = Taken(0);
                self.board.play_assume_legal(point, color, &mut taken);
                self.prisoners[captor.index()] += taken.0;
            }
            None => self.board.pass(),
        }
        self.pending = None;
        self.played += 1;
    }

    /// Puts stones on and takes stones off.
    fn change(&mut self, change: &Change) {
        let size = self.board.size();
        let mut cells = PointMap::filled(Cell::Empty);
        for point in size.points() {
            cells[point] = self.board.cell(point);
        }
        for (point, cell) in change.cells() {
            cells[point] = cell;
        }
        let stones = size.points().filter_map(|point| Some((point, cells[point].color()?)));
        match Board::with_stones(size, stones) {
            Ok(board) => self.board = board,
            Err((point, _)) => self.break_off(change.node, Why::Setup(point)),
        }
    }

    fn break_off(&mut self, node: NodeId, why: Why) {
        let rest = self.record.moves.len() - self.played;
        self.broken = Some(Broken { played: self.played, rest, node, why });
    }
}

/// Counts the stones that a move takes off.
struct Taken(usize);

impl Watch for Taken {
    fn captured(&mut self, _: Point) {
        self.0 += 1;
    }
}

impl Record {
    /// Visits every legal move of the record with the position before it; says why the record
    /// ended early, if it did.
    pub fn replay(&self, mut visit: impl FnMut(&Board, Move)) -> Option<Broken> {
        let mut replay = Replay::new(self);
        while let Some(next) = replay.next_move() {
            visit(replay.board(), next);
        }
        replay.broken()
    }
}
