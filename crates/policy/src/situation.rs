//! A position as the move model sees it: the board, whose turn it is, and what just happened.

use goban::{Board, Chain, Changes, Color, Point};

/// A position and the two moves before it.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The board.
    pub board: &'a Board,
    /// Who is to move.
    pub to_move: Color,
    /// The last move, unless it was a pass.
    pub last: Option<Point>,
    /// The move before it, unless that was a pass.
    pub before_last: Option<Point>,
    /// Chains whose liberties the last move changed.
    pub changed: &'a [Chain],
}

impl<'a> Situation<'a> {
    /// A position that comes from nowhere.
    pub fn new(board: &'a Board, to_move: Color) -> Situation<'a> {
        Situation { board, to_move, last: None, before_last: None, changed: &[] }
    }
}

/// Follows a game move by move and gives the situation at each.
#[derive(Clone)]
pub struct Follower {
    board: Box<Board>,
    to_move: Color,
    moves: [Option<Point>; 2],
    changes: Changes,
}

impl Follower {
    /// Starts at a position.
    pub fn new(board: &Board, to_move: Color) -> Follower {
        Follower {
            board: Box::new(board.clone()),
            to_move,
            moves: [None; 2],
            changes: Changes::new(),
        }
    }

    /// Plays a legal move or passes; then it is the other's turn.
    pub fn play(&mut self, color: Color, point: Option<Point>) {
        self.changes.clear();
        match point {
            Some(p) => self.board.play_assume_legal(p, color, &mut self.changes),
            None => self.board.pass(),
        }
        self.moves = [point, self.moves[0]];
        self.to_move = !color;
    }

    /// Says whose turn it is, where a player may move twice.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// Becomes like another that follows a game on the same board.
    pub fn copy_from(&mut self, other: &Follower) {
        self.board.copy_from(&other.board);
        self.to_move = other.to_move;
        self.moves = other.moves;
        self.changes.clone_from(&other.changes);
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    pub(crate) fn moves(&self) -> [Option<Point>; 2] {
        self.moves
    }

    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// The situation now.
    pub fn situation(&self) -> Situation<'_> {
        Situation {
            board: &self.board,
            to_move: self.to_move,
            last: self.moves[0],
            before_last: self.moves[1],
            changed: self.changes.chains(),
        }
    }
}
