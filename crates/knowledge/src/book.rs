//! An opening book: positions from records, each in one orientation of its eight, with the moves that
//! were played there, how often, and how often they won. It is a text, a position a line.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use goban::{Board, Color, Point, Size, Symmetry, zobrist};

/// A move of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// In the orientation of the position that was asked about.
    pub point: Point,
    /// Games with it.
    pub played: u32,
    /// Games with it that the player won.
    pub won: u32,
}

impl Entry {
    /// How much it is worth to be chosen: how often it was played, more if it wins. The share of wins
    /// is taken as if one more game had been won and one lost.
    pub fn weight(&self) -> f64 {
        let wins = (f64::from(self.won) + 1.0) / (f64::from(self.played) + 2.0);
        f64::from(self.played) * wins * wins
    }
}

/// What is wrong with a text of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookError {
    /// The line, from 1.
    pub line: usize,
    /// In words.
    pub what: String,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for BookError {}

/// How often a move was played and won.
type Counts = BTreeMap<usize, [u32; 2]>;

/// An opening book for one board size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    size: Size,
    /// By the hash of a position in its first orientation; moves by their place in reading.
    positions: BTreeMap<u64, Counts>,
}

const HEAD: &str = "harie opening book 1, size";

impl Book {
    /// An empty book.
    pub fn new(size: Size) -> Book {
        Book { size, positions: BTreeMap::new() }
    }

    /// The board that it is for.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Positions in it.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Notes a move that was played on a board of the book's size, and whether its player won.
    pub fn add(&mut self, board: &Board, color: Color, p: Point, won: bool) {
        let (hash, symmetries) = first_orientation(board, color);
        // A symmetric position has several orientations that are first: the first image of the move.
        let place = |s: &Symmetry| self.size.reading_index(s.apply(p, self.size));
        let Some(place) = symmetries.iter().map(place).min() else { return };
        let counts = self.positions.entry(hash).or_default().entry(place).or_default();
        counts[0] += 1;
        counts[1] += u32::from(won);
    }

    /// Drops moves that were played in fewer games, and positions that have none left.
    pub fn prune(&mut self, fewest: u32) {
        for counts in self.positions.values_mut() {
            counts.retain(|_, count| count[0] >= fewest);
        }
        self.positions.retain(|_, counts| !counts.is_empty());
    }

    /// The moves of the book in a position, all symmetric images of a move among them, each with its
    /// share of the games; only legal ones.
    pub fn moves(&self, board: &Board, color: Color) -> Vec<Entry> {
        if board.size() != self.size {
            return Vec::new();
        }
        let (hash, symmetries) = first_orientation(board, color);
        let Some(counts) = self.positions.get(&hash) else { return Vec::new() };
        let mut found: Vec<Entry> = Vec::new();
        for (&place, &[played, won]) in counts {
            let Some(stored) = self.size.points().nth(place) else { continue };
            for symmetry in &symmetries {
                let point = symmetry.inverse().apply(stored, self.size);
                let known = found.iter().any(|entry| entry.point == point);
                if !known && board.is_legal(point, color) {
                    found.push(Entry { point, played, won });
                }
            }
        }
        found
    }

    /// A move drawn by weight; `chance` is from 0 to below 1.
    pub fn choose(&self, board: &Board, color: Color, chance: f64) -> Option<Point> {
        let moves = self.moves(board, color);
        let sum: f64 = moves.iter().map(Entry::weight).sum();
        let mut left = chance * sum;
        for entry in &moves {
            left -= entry.weight();
            if left < 0.0 {
                return Some(entry.point);
            }
        }
        moves.last().map(|entry| entry.point)
    }

    /// As a text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEAD} {}\n", self.size.side());
        for (hash, counts) in &self.positions {
            let _ = write!(text, "{hash:016x}");
            for (place, [played, won]) in counts {
                let point = self.size.points().nth(*place).map_or(String::new(), |p| p.to_string());
                let _ = write!(text, " {point}:{played}:{won}");
            }
            text.push('\n');
        }
        text
    }

    /// Reads a text.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &str) -> Result<Book, BookError> {
        let wrong = |line: usize, what: &str| BookError { line, what: what.to_owned() };
        let mut lines = text.lines().enumerate();
        let head = lines.next().and_then(|(_, line)| line.strip_prefix(HEAD));
        let size = head.and_then(|side| Size::new(side.trim().parse().ok()?));
        let size = size.ok_or_else(|| wrong(1, "this is no opening book of Harie"))?;
        let mut book = Book::new(size);
        for (i, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let mut words = line.split_whitespace();
            let hash = words.next().and_then(|word| u64::from_str_radix(word, 16).ok());
            let hash = hash.ok_or_else(|| wrong(i + 1, "a line begins with a position"))?;
            let counts = book.positions.entry(hash).or_default();
            for word in words {
                let entry = entry(word, size).filter(|(_, [played, won])| won <= played);
                let (place, count) = entry
                    .ok_or_else(|| wrong(i + 1, &format!("'{word}' is not POINT:PLAYED:WON")))?;
                counts.insert(place, count);
            }
        }
        Ok(book)
    }
}

fn entry(word: &str, size: Size) -> Option<(usize, [u32; 2])> {
    let mut parts = word.split(':');
    let point = size.parse_point(parts.next()?)?;
    let count = [parts.next()?.parse().ok()?, parts.next()?.parse().ok()?];
    Some((size.reading_index(point), count)).filter(|_| parts.next().is_none())
}

/// The least hash of a position's orientations, with the player to move and the ko, and the
/// symmetries that lead there.
fn first_orientation(board: &Board, color: Color) -> (u64, Vec<Symmetry>) {
    let size = board.size();
    let hash = |symmetry: &Symmetry| {
        let mut hash = zobrist::EMPTY;
        for p in size.points() {
            if let Some(stone) = board.cell(p).color() {
                hash ^= zobrist::key(symmetry.apply(p, size), stone);
            }
        }
        if let Some(ko) = board.ko(color) {
            hash ^= zobrist::mix(zobrist::key(symmetry.apply(ko, size), color));
        }
        if color == Color::White { hash ^ zobrist::TURN } else { hash }
    };
    let hashes: Vec<(u64, Symmetry)> = Symmetry::ALL.iter().map(|s| (hash(s), *s)).collect();
    let least = hashes.iter().map(|&(hash, _)| hash).min().unwrap_or(0);
    let first = hashes.iter().filter(|&&(hash, _)| hash == least).map(|&(_, s)| s).collect();
    (least, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(text: &str) -> Point {
        Point::parse(text).unwrap()
    }

    #[test]
    fn a_move_is_known_in_all_orientations() {
        let size = Size::NINE;
        let mut book = Book::new(size);
        let mut board = Board::new(size);
        book.add(&board, Color::Black, point("G7"), true);
        board.play(point("G7"), Color::Black).unwrap();
        book.add(&board, Color::White, point("C4"), false);
        let corners = book.moves(&Board::new(size), Color::Black);
        assert_eq!(corners.len(), 4);
        for symmetry in Symmetry::ALL {
            let mut board = Board::new(size);
            board.play(symmetry.apply(point("G7"), size), Color::Black).unwrap();
            let found: Vec<Point> =
                book.moves(&board, Color::White).iter().map(|entry| entry.point).collect();
            // The position is symmetric, so the move has an image.
            assert_eq!(found.len(), 2);
            assert!(found.contains(&symmetry.apply(point("C4"), size)));
        }
        assert!(book.moves(&Board::new(Size::THIRTEEN), Color::Black).is_empty());
        assert!(book.moves(&board, Color::Black).is_empty());
    }

    #[test]
    fn a_text_is_read_back_and_errors_have_lines() {
        let mut book = Book::new(Size::NINE);
        for won in [true, false, true] {
            book.add(&Board::new(Size::NINE), Color::Black, point("E5"), won);
        }
        book.add(&Board::new(Size::NINE), Color::Black, point("C3"), false);
        assert_eq!(Book::parse(&book.to_text()), Ok(book.clone()));
        for (text, line) in [
            ("", 1),
            ("harie opening book 1, size 9\nxyz E5:1:1", 2),
            ("harie opening book 1, size 9\n\n0 E5:1:2", 3),
            ("harie opening book 1, size 99", 1),
        ] {
            assert_eq!(Book::parse(text).unwrap_err().line, line, "{text}");
        }
        // What wins more often and was played more often is drawn more often.
        let moves = book.moves(&Board::new(Size::NINE), Color::Black);
        let weight = |p: &str| moves.iter().find(|e| e.point == point(p)).unwrap().weight();
        assert!(weight("E5") > 4.0 * weight("C3"));
        book.prune(2);
        assert_eq!(book.moves(&Board::new(Size::NINE), Color::Black).len(), 1);
    }
}
