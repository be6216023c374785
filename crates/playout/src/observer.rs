//! Those who watch playouts: ownership, criticality and the like are built on this.

use goban::{Board, Color, Point};

use crate::outcome::Outcome;

/// Watches playouts. `()` watches nothing and costs nothing.
pub trait Observer {
    /// Whether `captured` of [`Observer::played`] is looked at; light playouts keep no list of
    /// captures for those who do not.
    const CAPTURES: bool = true;

    /// A playout starts from this position.
    #[inline]
    fn started(&mut self, board: &Board, to_move: Color) {
        let _ = (board, to_move);
    }

    /// A move was made, or a pass; `captured` are the stones it took off.
    #[inline]
    fn played(&mut self, color: Color, point: Option<Point>, captured: &[Point]) {
        let _ = (color, point, captured);
    }

    /// The playout ended in this position.
    #[inline]
    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        let _ = (board, outcome);
    }
}

impl Observer for () {
    const CAPTURES: bool = false;
}

impl<O: Observer> Observer for &mut O {
    const CAPTURES: bool = O::CAPTURES;

    fn started(&mut self, board: &Board, to_move: Color) {
        (**self).started(board, to_move);
    }

    fn played(&mut self, color: Color, point: Option<Point>, captured: &[Point]) {
        (**self).played(color, point, captured);
    }

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        (**self).finished(board, outcome);
    }
}

impl<A: Observer, B: Observer> Observer for (A, B) {
    const CAPTURES: bool = A::CAPTURES || B::CAPTURES;

    fn started(&mut self, board: &Board, to_move: Color) {
        self.0.started(board, to_move);
        self.1.started(board, to_move);
    }

    fn played(&mut self, color: Color, point: Option<Point>, captured: &[Point]) {
        self.0.played(color, point, captured);
        self.1.played(color, point, captured);
    }

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        self.0.finished(board, outcome);
        self.1.finished(board, outcome);
    }
}
