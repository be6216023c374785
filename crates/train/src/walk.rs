//! A walk through a game that knows the features of every legal move at every step.
//!
//! Only what a move touched is looked at again, and only for the player whose turn it is: patterns
//! whose rings changed (and of those, only from the changed ring on, and not beyond the largest
//! known one), tactics near chains that changed. Distances are counted as the position is given
//! out. It agrees with `policy` exactly; tests compare them after every move.

use goban::{Board, Cell, Changes, Color, Point};
use policy::{Meaning, Use};
use shape::{Dictionary, PatternId};

use crate::contact::Contacts;
use crate::frame::Frame;
use crate::lookup::Lookup;
use crate::rings::Rings;

/// What a walk needs to know: a use of the model, a board size, a dictionary. Made once and shared.
pub struct Terrain {
    of: Use,
    frame: Frame,
    lookup: Lookup,
    dictionary: Dictionary,
    /// The features of distances, by the distance; those too far are all the same.
    last: Vec<u16>,
    before_last: Vec<u16>,
}

impl Terrain {
    /// The terrain of games on boards of this size.
    pub fn new(of: Use, dictionary: Dictionary, size: goban::Size) -> Terrain {
        let distances = |meaning: fn(u8) -> Meaning| {
            let number = |d: u8| of.number(meaning(d)).map(|feature| feature.0);
            (0..=80).map_while(number).collect()
        };
        Terrain {
            of,
            lookup: Lookup::new(&dictionary),
            frame: Frame::new(dictionary.family().clone(), size),
            last: distances(Meaning::Last),
            before_last: distances(Meaning::BeforeLast),
            dictionary,
        }
    }

    /// What the model is for.
    pub fn of(&self) -> Use {
        self.of
    }

    /// The board size.
    pub fn size(&self) -> goban::Size {
        self.frame.size()
    }

    /// The patterns.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Takes the patterns back.
    pub fn into_dictionary(self) -> Dictionary {
        self.dictionary
    }

    /// Number of features and patterns together: one weight each.
    pub fn weights(&self) -> usize {
        self.of.features() + self.dictionary.len()
    }
}

/// The legal moves of a position, each as the list of its features: numbers below
/// [`Use::features`] are those of `policy`, the others patterns in the order of the dictionary.
#[derive(Default)]
pub struct Position {
    /// The moves.
    pub moves: Vec<Point>,
    /// Where the features of each move end in `features`.
    ends: Vec<u32>,
    features: Vec<u32>,
    /// The move that was played, as a place in `moves`.
    pub played: usize,
    /// Moves made before.
    pub number: usize,
}

impl Clone for Position {
    fn clone(&self) -> Position {
        let mut copy = Position::default();
        copy.clone_from(self);
        copy
    }

    /// Uses the room that is there.
    fn clone_from(&mut self, other: &Position) {
        self.moves.clone_from(&other.moves);
        self.ends.clone_from(&other.ends);
        self.features.clone_from(&other.features);
        self.played = other.played;
        self.number = other.number;
    }
}

impl Position {
    /// A position by its lists, for tests and examples.
    pub fn from_lists(lists: &[&[u32]], played: usize) -> Position {
        let mut position = Position { played, ..Position::default() };
        for (i, list) in lists.iter().enumerate() {
            position.moves.push(Point::from_index(i));
            position.features.extend_from_slice(list);
            position.ends.push(position.features.len() as u32);
        }
        position
    }

    /// Number of legal moves.
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no legal move.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The features of each move.
    #[inline]
    pub fn lists(&self) -> impl Iterator<Item = &[u32]> + '_ {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let list = &self.features[start as usize..end as usize];
            start = end;
            list
        })
    }

    /// The features of one move.
    #[inline]
    pub fn list(&self, i: usize) -> &[u32] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.features[start as usize..self.ends[i] as usize]
    }

    fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
        self.features.clear();
    }
}

/// What a player's patterns are, by slot.
#[derive(Clone)]
struct Known {
    stages: usize,
    /// The places of the patterns of each stage in the dictionary; those below the count hold.
    indices: Vec<u32>,
    /// The stages that are known.
    counts: Vec<u8>,
}

impl Known {
    fn nothing(frame: &Frame) -> Known {
        let stages = frame.family().stages();
        let indices = vec![0; frame.slots() * stages];
        Known { stages, indices, counts: vec![0; frame.slots()] }
    }

    /// The largest known pattern.
    #[inline(always)]
    fn largest(&self, slot: usize) -> Option<u32> {
        let count = self.counts[slot] as usize;
        (count > 0).then(|| self.indices[slot * self.stages + count - 1])
    }

    fn copy_from(&mut self, other: &Known) {
        self.indices.copy_from_slice(&other.indices);
        self.counts.copy_from_slice(&other.counts);
    }
}

/// A pattern to be looked up.
struct Question {
    slot: u32,
    stage: u8,
    id: PatternId,
    first: u64,
}

/// Follows a game. See the module documentation.
pub struct Walk<'a> {
    terrain: &'a Terrain,
    board: Board,
    changes: Changes,
    moves: [Option<Point>; 2],
    rings: Rings<'a>,
    contacts: Contacts,
    /// By colour: the patterns.
    known: [Known; 2],
    /// The same on the empty board.
    at_start: [Known; 2],
    questions: Vec<Question>,
}

impl<'a> Walk<'a> {
    /// A walk that starts on the empty board.
    pub fn new(terrain: &'a Terrain) -> Walk<'a> {
        let frame = &terrain.frame;
        let mut walk = Walk {
            terrain,
            board: Board::new(frame.size()),
            changes: Changes::new(),
            moves: [None; 2],
            rings: Rings::new(frame),
            contacts: Contacts::new(terrain.of, frame),
            known: [0, 1].map(|_| Known::nothing(frame)),
            at_start: [0, 1].map(|_| Known::nothing(frame)),
            questions: Vec::new(),
        };
        for color in Color::BOTH {
            walk.look_up(color);
        }
        walk.at_start = walk.known.clone();
        walk
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
        for p in self.terrain.frame.size().points() {
            if let Some(color) = board.cell(p).color() {
                self.rings.toggle(self.terrain.frame.place(p), color);
            }
        }
        self.contacts.clear(board);
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The situation as `policy` sees it.
    pub fn situation(&self, to_move: Color) -> policy::Situation<'_> {
        policy::Situation {
            board: &self.board,
            to_move,
            last: self.moves[0],
            before_last: self.moves[1],
            changed: self.changes.chains(),
        }
    }

    /// Plays a legal move (no suicide) or passes.
    pub fn play(&mut self, color: Color, point: Option<Point>) {
        let frame = &self.terrain.frame;
        self.changes.clear();
        match point {
            Some(p) => {
                self.board.play_assume_legal(p, color, &mut self.changes);
                if frame.is_plain() {
                    self.rings.toggle(frame.place(p), color);
                    for &q in self.changes.captured() {
                        self.rings.toggle(frame.place(q), !color);
                        self.rings.mark_place(frame.place(q));
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
        self.look_up(color);
        let frame = &self.terrain.frame;
        let changed = self.changes.chains();
        self.contacts.refresh(frame, &self.board, color, changed, |_| {});
        position.clear();
        let parts = frame.family().parts();
        let base = self.terrain.of.features() as u32;
        let ko = self.board.ko(color);
        let contacts = self.contacts.of_player(color);
        let known = &self.known[color.index()];
        for (place, &p) in frame.points().iter().enumerate() {
            let contact = &contacts[place];
            if self.board.cell(p) != Cell::Empty || !contact.alive || ko == Some(p) {
                continue;
            }
            let features = &mut position.features;
            features.push(frame.class(place) as u32);
            for (last, numbers) in
                [(self.moves[0], &self.terrain.last), (self.moves[1], &self.terrain.before_last)]
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

    /// Brings the patterns of a player up to date.
    fn look_up(&mut self, color: Color) {
        let Walk { terrain, board, rings, known, questions, .. } = self;
        let (frame, lookup) = (&terrain.frame, &terrain.lookup);
        let known = &mut known[color.index()];
        let parts = frame.family().parts();
        let stages = frame.family().stages();
        if !frame.is_plain() {
            for (place, &p) in frame.points().iter().enumerate() {
                for slot in place * parts..(place + 1) * parts {
                    let found = terrain.dictionary.at(board, p, color, slot % parts);
                    known.counts[slot] = found.is_some() as u8;
                    known.indices[slot * stages] = found.map_or(0, |index| index.0);
                }
            }
            return;
        }
        rings.take_changed(color, |rings, slot, from| {
            // An occupied point is looked at when it becomes empty again, and a search that ended
            // before it came to the ring that changed ends there again.
            let is_empty = board.cell(frame.points()[slot / parts]) == Cell::Empty;
            if !is_empty || from > known.counts[slot] as usize {
                return;
            }
            known.counts[slot] = from as u8;
            rings.ids(color, slot, from, |stage, id| {
                let (slot, stage) = (slot as u32, stage as u8);
                questions.push(Question { slot, stage, id, first: 0 });
                true
            });
        });
        for question in questions.iter_mut() {
            question.first = lookup.first(question.id);
        }
        for Question { slot, stage, id, first } in questions.drain(..) {
            let slot = slot as usize;
            // A stage is known only if those before it are.
            if known.counts[slot] == stage
                && let Some(index) = lookup.find_from(id, first)
            {
                known.indices[slot * stages + stage as usize] = index.0;
                known.counts[slot] = stage + 1;
            }
        }
    }
}

/// The Rémi distance between two points.
#[inline(always)]
fn remi(a: Point, b: Point) -> usize {
    let x = a.x().abs_diff(b.x()) as usize;
    let y = a.y().abs_diff(b.y()) as usize;
    x + y + x.max(y)
}
