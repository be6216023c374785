//! Follows a game and keeps the features of every legal move up to date.
//!
//! Only what a move touched is looked at again, and only for the player whose turn it is: patterns
//! whose rings changed (and of those, only from the changed ring on, and not beyond the largest
//! known one), tactics near chains that changed. Distances are counted as the position is given
//! out. It agrees with [`crate::Use::of_move`] and the dictionary exactly; tests compare them after
//! every move.

mod contact;
mod feature_space;
mod known_patterns;
mod lookup;
mod pattern_layout;
mod position;
mod ring_hashes;

use goban::{Board, Cell, Changes, Color, Point};
use shape::PatternIndex;

use crate::situation::{Follower, Situation};
use contact::Contacts;
pub use feature_space::FeatureSpace;
use known_patterns::{KnownPatterns, PatternQuery};
pub use lookup::Lookup;
pub use pattern_layout::PatternLayout;
pub use position::Position;
pub use ring_hashes::RingHashes;

/// Follows a game. See the module documentation.
#[derive(Clone)]
pub struct FeatureTracker<'a> {
    space: &'a FeatureSpace,
    board: Board,
    changes: Changes,
    moves: [Option<Point>; 2],
    rings: RingHashes<'a>,
    contacts: Contacts,
    /// By colour: the patterns.
    known: [KnownPatterns; 2],
    /// The same on the empty board.
    at_start: [KnownPatterns; 2],
    questions: Vec<PatternQuery>,
}

impl<'a> FeatureTracker<'a> {
    /// A tracker on the empty board.
    pub fn new(space: &'a FeatureSpace) -> FeatureTracker<'a> {
        let layout = &space.layout;
        let mut tracker = FeatureTracker {
            space,
            board: Board::new(layout.size()),
            changes: Changes::new(),
            moves: [None; 2],
            rings: RingHashes::new(layout),
            contacts: Contacts::new(space.of(), layout),
            known: [0, 1].map(|_| KnownPatterns::nothing(layout)),
            at_start: [0, 1].map(|_| KnownPatterns::nothing(layout)),
            questions: Vec::new(),
        };
        let FeatureTracker { board, rings, known, questions, .. } = &mut tracker;
        for color in Color::BOTH {
            let known = &mut known[color.index()];
            known.look_up(space, board, color, rings, questions, |_| ());
        }
        tracker.at_start = tracker.known.clone();
        tracker
    }

    /// Starts again with these stones on the board.
    pub fn start(&mut self, board: &Board) {
        self.board.copy_from(board);
        self.changes.clear();
        self.moves = [None; 2];
        self.rings.clear();
        for color in Color::BOTH {
            self.rings.take_changed(color, |_, _, _| {});
            self.known[color.index()].copy_from(&self.at_start[color.index()]);
        }
        for p in self.space.layout.size().points() {
            if let Some(color) = board.cell(p).color() {
                self.rings.toggle(self.space.layout.place(p), color);
            }
        }
        self.contacts.clear(board);
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The situation as the model sees it.
    pub fn situation(&self, to_move: Color) -> Situation<'_> {
        Situation {
            board: &self.board,
            to_move,
            last: self.moves[0],
            before_last: self.moves[1],
            changed: self.changes.chains(),
        }
    }

    /// Plays a legal move (no suicide) or passes.
    pub fn play(&mut self, color: Color, point: Option<Point>) {
        let layout = &self.space.layout;
        self.changes.clear();
        match point {
            Some(p) => {
                self.board.play_assume_legal(p, color, &mut self.changes);
                if layout.is_plain() {
                    self.rings.toggle(layout.place(p), color);
                    for &q in self.changes.captured() {
                        self.rings.toggle(layout.place(q), !color);
                        self.rings.mark_place(layout.place(q));
                    }
                }
                self.contacts.played(&self.board, &self.changes);
            }
            None => self.board.pass(),
        }
        self.moves = [point, self.moves[0]];
    }

    /// The legal moves of a player with their features.
    pub fn position(&mut self, color: Color, position: &mut Position) {
        self.refresh(color, |_| ());
        position.clear();
        let layout = &self.space.layout;
        let parts = layout.family().parts();
        let base = self.space.of().features() as u32;
        let contacts = self.contacts.of_player(color);
        let known = &self.known[color.index()];
        for (place, p) in self.legal(color) {
            let contact = &contacts[place];
            let features = &mut position.features;
            features.push(layout.class(place) as u32);
            for (last, numbers) in
                [(self.moves[0], &self.space.last), (self.moves[1], &self.space.before_last)]
            {
                if let Some(last) = last
                    && let Some(&number) = numbers.get(remi(last, p))
                {
                    features.push(number as u32);
                }
            }
            features.extend(contact.features().iter().map(|&f| f as u32));
            for slot in place * parts..(place + 1) * parts {
                if let Some(index) = known.largest(slot) {
                    features.push(base + index);
                }
            }
            position.moves.push(p);
            position.ends.push(position.features.len() as u32);
        }
    }

    /// The largest known pattern of each part of each empty point, for a player.
    pub fn largest(&mut self, color: Color, mut found: impl FnMut(Option<PatternIndex>)) {
        self.refresh(color, |_| ());
        let (parts, known) = (self.space.layout.family().parts(), &self.known[color.index()]);
        for (place, &p) in self.space.layout.points().iter().enumerate() {
            if self.board.cell(p) == Cell::Empty {
                let slots = place * parts..(place + 1) * parts;
                slots.for_each(|slot| found(known.largest(slot).map(PatternIndex)));
            }
        }
    }

    /// Brings patterns and tactics of a player up to date and tells which places were looked at,
    /// some more than once.
    pub(crate) fn refresh(&mut self, color: Color, mut seen: impl FnMut(usize)) {
        let FeatureTracker { space, board, rings, known, questions, contacts, changes, .. } = self;
        known[color.index()].look_up(space, board, color, rings, questions, &mut seen);
        contacts.refresh(&space.layout, board, color, changes.chains(), seen);
    }

    /// The features at a place that do not depend on where the last moves were, as
    /// [`FeatureTracker::position`] numbers them.
    #[inline]
    pub(crate) fn standing(&self, color: Color, place: usize, mut found: impl FnMut(usize)) {
        let layout = &self.space.layout;
        found(layout.class(place) as usize);
        for &feature in self.contacts.of_player(color)[place].features() {
            found(feature as usize);
        }
        let (parts, base) = (layout.family().parts(), self.space.of().features());
        for slot in place * parts..(place + 1) * parts {
            if let Some(index) = self.known[color.index()].largest(slot) {
                found(base + index as usize);
            }
        }
    }

    /// The legal moves of an up-to-date player with their places.
    #[inline]
    pub(crate) fn legal(&self, color: Color) -> impl Iterator<Item = (usize, Point)> + '_ {
        let ko = self.board.ko(color);
        let points = self.space.layout.points().iter().copied();
        points.zip(self.contacts.of_player(color)).enumerate().filter_map(
            move |(place, (p, contact))| {
                let empty = self.board.cell(p) == Cell::Empty;
                (empty && contact.alive && ko != Some(p)).then_some((place, p))
            },
        )
    }

    /// The last move and the one before it, unless they were passes.
    pub(crate) fn moves(&self) -> [Option<Point>; 2] {
        self.moves
    }

    /// Starts again where a game has been followed to.
    pub(crate) fn start_at(&mut self, follower: &Follower) {
        self.start(follower.board());
        self.moves = follower.moves();
        self.changes.clone_from(follower.changes());
    }

    /// Becomes like another tracker of the same feature space, without allocating.
    pub(crate) fn copy_from(&mut self, other: &FeatureTracker<'_>) {
        self.board.copy_from(&other.board);
        self.changes.clone_from(&other.changes);
        self.moves = other.moves;
        self.rings.copy_from(&other.rings);
        self.contacts.copy_from(&other.contacts);
        for (known, other) in self.known.iter_mut().zip(&other.known) {
            known.copy_from(other);
        }
    }
}

/// The Rémi distance between two points.
#[inline(always)]
pub(crate) fn remi(a: Point, b: Point) -> usize {
    let x = a.x().abs_diff(b.x()) as usize;
    let y = a.y().abs_diff(b.y()) as usize;
    x + y + x.max(y)
}
