//! The position that a search starts from, and how a line of moves is followed from it.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use goban::ladder::Ladders;
use goban::{Color, Game, Ko, Move, Point, PointMap, PointSet, zobrist};
use playout::runs_in_ladder;
use policy::{Follower, Line, Rated, Rater, Situation};

/// Hashes that are already random need no further mixing.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only u64 are hashed");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Moves of a ladder that a search does not see through by itself. What is caught sooner may be
/// given away for something, as in a squeeze.
const LONG: usize = 10;

/// How a game ends by a second pass if the players agree about dead stones.
#[derive(Clone, Debug)]
pub struct Agreed {
    /// Black's points less White's, komi counted.
    pub lead: f32,
    /// Whose a point is: +1 Black's, -1 White's, 0 neither's.
    pub owners: PointMap<i8>,
}

/// A game at the move that is to be thought about.
pub struct Root {
    /// The game; `color` need not be the one whose turn it is there.
    pub game: Game,
    /// Who is to move.
    pub color: Color,
    /// How it ends if `color` passes after a pass; `None` if the stones count as they stand.
    pub agreed: Option<Agreed>,
    follower: Follower,
    seen: Arc<HashSet<u64, BuildHasherDefault<IdentityHasher>>>,
}

impl Root {
    /// The end of a game with `color` to move.
    pub fn new(game: &Game, color: Color) -> Root {
        let mut before = game.clone();
        let recent: Vec<(Color, Move)> = std::iter::from_fn(|| before.undo()).take(2).collect();
        let mut follower = Follower::new(before.board(), before.to_move());
        for &(color, mv) in recent.iter().rev() {
            follower.play(color, mv.point());
        }
        follower.set_to_move(color);
        let seen = Arc::new(game.history().iter().copied().collect());
        Root { game: game.clone(), color, agreed: None, follower, seen }
    }

    /// The position as the move model sees it.
    pub fn situation(&self) -> Situation<'_> {
        self.follower.situation()
    }

    /// The variation without moves.
    pub fn variation<'a>(&self, rater: &'a Rater) -> Variation<'a> {
        let start = Line::new(rater, &self.follower);
        Variation {
            line: start.clone(),
            start,
            rated: Vec::new(),
            ladders: Ladders::new(),
            hash: self.game.hash(),
            path: Vec::new(),
            peaceful: true,
            moves: (self.game.moves().len(), self.game.pass_ends(self.color)),
        }
    }
}

/// A line of moves from a root, and the position it leads to.
pub struct Variation<'a> {
    /// The root.
    start: Line<'a>,
    /// The moves from there to the position reached.
    line: Line<'a>,
    rated: Vec<Rated>,
    ladders: Ladders,
    hash: u64,
    /// The positions on the way, as superko sees them.
    path: Vec<u64>,
    /// Whether nothing was taken on the way.
    peaceful: bool,
    /// Moves of the game up to here, and whether the last one was a pass.
    moves: (usize, bool),
}

impl Variation<'_> {
    /// The position reached.
    pub fn situation(&self) -> Situation<'_> {
        self.line.situation()
    }

    /// Rates the moves here for [`Variation::rated`].
    pub fn rate(&mut self) {
        self.line.rate(&mut self.rated);
    }

    /// Those of the rated moves that run in a long ladder which catches them. A model of shapes sees
    /// nothing but the next step, and to it running is the move.
    pub fn runners(&mut self) -> PointSet {
        let Situation { board, to_move, .. } = self.line.situation();
        let (moves, ladders) = (self.rated.iter().map(|rated| rated.point), &mut self.ladders);
        let mut caught = |p: Point| runs_in_ladder(board, p, to_move, ladders);
        moves.filter(|&p| caught(p).is_some_and(|moves| moves >= LONG)).collect()
    }

    /// The legal moves, the best first, where they were last rated.
    pub fn rated(&self) -> &[Rated] {
        &self.rated
    }

    /// Goes back to the root and along `moves`.
    pub fn follow(&mut self, root: &Root, moves: &[Option<Point>]) {
        self.line.copy_from(&self.start);
        self.hash = root.game.hash();
        self.path.clear();
        self.peaceful = true;
        self.moves = (root.game.moves().len() + moves.len(), matches!(moves, [.., None]));
        let mut color = root.color;
        for &mv in moves {
            if let Some(p) = mv {
                let board = self.line.situation().board;
                let stone = self.hash ^ zobrist::key(p, color);
                self.hash = zobrist::after(board, self.hash, p, color);
                self.peaceful &= self.hash == stone;
                self.path.push(root.game.situation(self.hash, !color));
            }
            self.line.play(color, mv);
            color = !color;
        }
    }

    /// The key of the position reached in the transposition table. Only where
    /// nothing was taken on the way, so that no two ways here differ in what superko forbids next, and
    /// only after the same number of moves, so that no line comes back to where it was. Probabilities
    /// and what is forbidden farther on are those of the way that came first.
    pub fn key(&self) -> Option<u64> {
        let (moves, after_pass) = self.moves;
        let how = (moves as u64) << 1 | after_pass as u64;
        self.peaceful.then(|| self.hash ^ how.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Whether a legal stone at `p` would repeat a position that must not be repeated. Along the
    /// path nothing is repeated under any rules: it would lead nowhere.
    pub fn repeats(&self, root: &Root, p: Point) -> bool {
        let situation = self.situation();
        let hash = zobrist::after(situation.board, self.hash, p, situation.to_move);
        let after = root.game.situation(hash, !situation.to_move);
        let superko = root.game.rules().ko != Ko::Simple;
        superko && root.seen.contains(&after) || self.path.contains(&after)
    }
}
