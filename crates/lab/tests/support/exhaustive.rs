//! Whether a group can be captured, by trying everything: slow, and plain enough to be believed. Every
//! empty point but the settled eyes is tried, and a pass, and no position may come again (positional
//! superko). It ends when the group is captured (it dies), when the rival that it races with is (it
//! lives), and when both players pass (it lives, at least in seki).

use std::collections::HashMap;

use goban::{Board, Cell, Color, Point, zobrist};
use lab::ladder::TestPosition;

/// A search for the fate of a group.
pub struct Exhaustive<'a> {
    position: &'a TestPosition,
    /// Whether results are remembered. They are the same without it, only later.
    remembers: bool,
    /// Whether the group lives, by position, player, whether the last move was a pass, and ko.
    known: HashMap<(u64, Color, bool, Option<Point>), bool>,
    /// The positions on the way here.
    path: Vec<u64>,
}

/// Whether the group lives, and the earliest position of the path that this depends on because it
/// must not come again.
#[derive(Clone, Copy)]
struct Fate {
    lives: bool,
    since: usize,
}

/// Depends on no position of the path.
const NEVER: usize = usize::MAX;

impl<'a> Exhaustive<'a> {
    pub fn new(position: &'a TestPosition, remembers: bool) -> Exhaustive<'a> {
        Exhaustive { position, remembers, known: HashMap::new(), path: Vec::new() }
    }

    /// Whether the group lives with `first` to move.
    pub fn lives(&mut self, first: Color) -> bool {
        let board = &self.position.diagram.board;
        self.path = vec![zobrist::of(board)];
        self.search(board, first, false).lives
    }

    fn search(&mut self, board: &Board, color: Color, passed: bool) -> Fate {
        let is_gone = |p: Point| board.cell(p) == Cell::Empty;
        if is_gone(self.position.group) {
            return Fate { lives: false, since: NEVER };
        }
        if self.position.rival.is_some_and(is_gone) {
            return Fate { lives: true, since: NEVER };
        }
        let depth = self.path.len() - 1;
        let hash = self.path[depth];
        let key = (hash, color, passed, board.ko(color));
        if let Some(&lives) = self.known.get(&key) {
            return Fate { lives, since: NEVER };
        }
        let wanted = color == self.position.owner;
        let mut fate = Fate { lives: !wanted, since: NEVER };
        let points: Vec<Point> =
            board.empties().filter(|&p| !self.position.settled.contains(p)).collect();
        for mv in std::iter::once(None).chain(points.into_iter().map(Some)) {
            let Some(found) = self.follow(board, hash, color, mv, passed) else { continue };
            fate.since = fate.since.min(found.since);
            if found.lives == wanted {
                fate.lives = wanted;
                break;
            }
        }
        // What follows from positions before this one may be otherwise on another way here.
        if self.remembers && fate.since >= depth {
            self.known.insert(key, fate.lives);
            fate.since = NEVER;
        }
        fate
    }

    /// What comes of a move, or a pass; nothing if it is not legal. A move that would repeat a position
    /// counts as one that fails, and what follows from that depends on the position.
    fn follow(
        &mut self,
        board: &Board,
        hash: u64,
        color: Color,
        mv: Option<Point>,
        passed: bool,
    ) -> Option<Fate> {
        let mut next = board.clone();
        let Some(p) = mv else {
            if passed {
                return Some(Fate { lives: true, since: NEVER });
            }
            next.pass();
            return Some(self.search(&next, !color, true));
        };
        board.check(p, color, false).ok()?;
        let after = zobrist::after(board, hash, p, color);
        if let Some(since) = self.path.iter().position(|&seen| seen == after) {
            return Some(Fate { lives: color != self.position.owner, since });
        }
        next.play(p, color).expect("a legal move");
        self.path.push(after);
        let found = self.search(&next, !color, false);
        self.path.pop();
        Some(found)
    }
}
