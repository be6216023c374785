//! Games to learn from, in memory: two bytes a move, so that a million games fit beside anything.
//!
//! A game is kept as far as it can be played by every rule set: up to the first illegal move,
//! suicide, or setup in the middle.

use goban::zobrist::mix;
use goban::{Board, Color, Point, Size};
use kifu::{Fingerprint, Part, Record, Seen, Split};
use policy::{FeatureTracker, Position};

/// A move in two bytes: the point's place in tables, the top bit for White; a pass has a place that
/// no point has.
#[derive(Clone, Copy)]
struct Packed(u16);

const PASS: u16 = 0x7fff;
const WHITE: u16 = 0x8000;

impl Packed {
    fn new(color: Color, point: Option<Point>) -> Packed {
        let place = point.map_or(PASS, |p| p.index() as u16);
        Packed(place | if color == Color::White { WHITE } else { 0 })
    }

    fn unpack(self) -> (Color, Option<Point>) {
        let color = if self.0 & WHITE == 0 { Color::Black } else { Color::White };
        let place = self.0 & !WHITE;
        (color, (place != PASS).then(|| Point::from_index(place as usize)))
    }
}

/// A game to learn from.
#[derive(Clone)]
pub struct Game {
    fingerprint: Fingerprint,
    stones: Vec<(Point, Color)>,
    moves: Vec<Packed>,
}

impl Game {
    /// The game of a record, as far as it can be played.
    pub fn new(record: &Record) -> Game {
        const LONGEST: usize = 20_000;
        let until = record.changes.first().map_or(LONGEST, |change| change.after.min(LONGEST));
        let mut moves = Vec::with_capacity(record.moves.len());
        let mut board = Board::with_stones(record.size, record.stones.iter().copied()).ok();
        for m in record.moves.iter().take(until) {
            let Some(board) = &mut board else { break };
            match m.point {
                Some(p) if board.play(p, m.color).is_err() => break,
                Some(_) => {}
                None => board.pass(),
            }
            moves.push(Packed::new(m.color, m.point));
        }
        let stones = if board.is_some() { record.stones.clone() } else { Vec::new() };
        Game { fingerprint: Fingerprint::of(record), stones, moves }
    }

    /// The board before the first move.
    pub fn start(&self, size: Size) -> Board {
        let board = Board::with_stones(size, self.stones.iter().copied());
        board.unwrap_or_else(|_| Board::new(size))
    }

    /// The moves.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = (Color, Option<Point>)> + '_ {
        self.moves.iter().map(|m| m.unpack())
    }

    /// Moves that are no passes.
    pub fn positions(&self) -> usize {
        self.moves().filter(|(_, point)| point.is_some()).count()
    }

    /// Walks through the game and gives out each position in which a stone is played.
    pub fn visit(
        &self,
        tracker: &mut FeatureTracker<'_>,
        position: &mut Position,
        mut visit: impl FnMut(&Position),
    ) {
        let size = tracker.board().size();
        tracker.start(&self.start(size));
        for (number, (color, point)) in self.moves().enumerate() {
            if let Some(p) = point {
                tracker.position(color, position);
                let place = size.reading_index(p);
                // The moves are in reading order.
                let played = position.moves.partition_point(|&q| size.reading_index(q) < place);
                debug_assert_eq!(position.moves.get(played), Some(&p));
                if position.moves.get(played) != Some(&p) {
                    return;
                }
                position.played = played;
                position.number = number;
                visit(position);
            }
            tracker.play(color, point);
        }
    }
}

/// Games on boards of one size, each once.
#[derive(Clone)]
pub struct Games {
    size: Size,
    seen: Seen,
    games: Vec<Game>,
    duplicates: usize,
}

impl Games {
    /// No games yet.
    pub fn new(size: Size) -> Games {
        Games { size, seen: Seen::default(), games: Vec::new(), duplicates: 0 }
    }

    /// Adds a record; false if it is on another board, has no moves, or is there already, also
    /// turned or mirrored.
    pub fn add(&mut self, record: &Record) -> bool {
        if record.size != self.size {
            return false;
        }
        let game = Game::new(record);
        if game.moves.is_empty() {
            return false;
        }
        if !self.seen.insert(game.fingerprint) {
            self.duplicates += 1;
            return false;
        }
        self.games.push(game);
        true
    }

    /// The board size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Records that were not added because their game is there already.
    pub fn duplicates(&self) -> usize {
        self.duplicates
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The games.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Game> {
        self.games.iter()
    }

    /// A game by its place.
    pub fn get(&self, i: usize) -> &Game {
        &self.games[i]
    }

    /// Positions in which a stone is played.
    pub fn positions(&self) -> usize {
        self.games.iter().map(Game::positions).sum()
    }

    /// Keeps only the first games.
    pub fn truncate(&mut self, n: usize) {
        self.games.truncate(n);
    }

    /// The games that a rule gives to one of the parts.
    pub fn part(&self, split: &Split, part: Part) -> Games {
        let games = self.games.iter().filter(|game| split.part(game.fingerprint) == part);
        let games = games.cloned().collect();
        Games { size: self.size, seen: Seen::default(), games, duplicates: 0 }
    }

    /// A number that tells these games, in this order, from others.
    pub fn mark(&self) -> u64 {
        self.games.iter().fold(self.games.len() as u64, |sum, g| mix(sum ^ g.fingerprint.0))
    }
}
