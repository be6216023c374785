//! Boards as text, in and out.
//!
//! ```text
//!    A B C D E
//!  5 . . . . . 5
//!  4 . O X . . 4
//!  3 . .(O)X . 3
//!  2 . . a . . 2
//!  1 . . . . . 1
//!    A B C D E
//! ```
//!
//! `X` is black, `O` white; brackets go around the last move; lower-case letters name empty points.
//! Coordinates are written always and read or left out; `+`, `,` and `*` are empty points too.

use std::fmt;

use crate::board::{Board, Illegal};
use crate::color::{Cell, Color};
use crate::handicap::star_points;
use crate::point::{Point, Size};

/// A position with the marks that belong to a picture of it.
#[derive(Clone)]
pub struct Diagram {
    /// The stones.
    pub board: Board,
    /// The move to put brackets around.
    pub last: Option<Point>,
    /// Letters on empty points.
    pub labels: Vec<(char, Point)>,
}

/// What is wrong with a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DiagramError {
    /// No row of points was found.
    Empty,
    /// A side below 2 or above 25.
    Size(usize),
    /// A row (counted from the top, from 1) with this many points instead of that many.
    Row {
        /// Which row.
        row: usize,
        /// Points in it.
        found: usize,
        /// Points it should have: as many as there are rows.
        expected: usize,
    },
    /// A character that means nothing here.
    Character {
        /// Which row.
        row: usize,
        /// The character.
        found: char,
    },
    /// A stone of a chain without liberties.
    Liberties(Point),
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiagramError::Empty => f.write_str("the diagram has no rows"),
            DiagramError::Size(side) => {
                write!(f, "the diagram has {side} rows; boards have 2 to 25")
            }
            DiagramError::Row { row, found, expected } => {
                write!(
                    f,
                    "row {row} from the top has {found} points, but there are {expected} rows"
                )
            }
            DiagramError::Character { row, found } => {
                write!(f, "{found:?} in row {row} from the top means nothing; use X, O, . or a-z")
            }
            DiagramError::Liberties(p) => write!(f, "the chain at {p} has no liberty"),
        }
    }
}

impl std::error::Error for DiagramError {}

impl Diagram {
    /// A picture of a board without marks.
    pub fn new(board: &Board) -> Diagram {
        Diagram { board: board.clone(), last: None, labels: Vec::new() }
    }

    /// Reads a diagram.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Diagram, DiagramError> {
        let rows: Vec<&str> = text.lines().filter_map(row_of_points).collect();
        if rows.is_empty() {
            return Err(DiagramError::Empty);
        }
        let size = Size::new(rows.len()).ok_or(DiagramError::Size(rows.len()))?;
        let mut stones = Vec::new();
        let mut labels = Vec::new();
        let mut last = None;
        for (i, row) in rows.iter().enumerate() {
            let y = size.side() - 1 - i as u8;
            let mut x = 0;
            let mut bracket = false;
            for c in row.chars() {
                // A row that is too long is reported below; until then its points are not used.
                let p = (x < size.side()).then(|| Point::new(x, y));
                match c {
                    ' ' | '\t' => continue,
                    '(' => {
                        bracket = true;
                        continue;
                    }
                    ')' => {
                        bracket = false;
                        continue;
                    }
                    '.' | '+' | ',' | '*' => {}
                    'X' | '#' => stones.extend(p.map(|p| (p, Color::Black))),
                    'O' => stones.extend(p.map(|p| (p, Color::White))),
                    'a'..='z' => labels.extend(p.map(|p| (c, p))),
                    _ => return Err(DiagramError::Character { row: i + 1, found: c }),
                }
                if bracket {
                    last = p;
                }
                x = x.saturating_add(1);
            }
            if x != size.side() {
                let expected = rows.len();
                return Err(DiagramError::Row { row: i + 1, found: x as usize, expected });
            }
        }
        let board = Board::with_stones(size, stones).map_err(|(p, why)| {
            debug_assert_eq!(why, Illegal::Suicide);
            DiagramError::Liberties(p)
        })?;
        Ok(Diagram { board, last, labels })
    }

    /// The point with this letter.
    pub fn label(&self, letter: char) -> Option<Point> {
        self.labels.iter().find(|&&(c, _)| c == letter).map(|&(_, p)| p)
    }

    fn symbol(&self, p: Point, stars: &[Point]) -> char {
        match self.board.cell(p) {
            Cell::Black => 'X',
            Cell::White => 'O',
            Cell::Empty | Cell::Edge => {
                let label = self.labels.iter().find(|&&(_, q)| q == p);
                let empty = if stars.contains(&p) { '+' } else { '.' };
                label.map_or(empty, |&(c, _)| c)
            }
        }
    }
}

/// The part of a line that shows points, if it does: without row numbers, and not a line of column
/// letters.
fn row_of_points(line: &str) -> Option<&str> {
    let row = line.trim().trim_matches(|c: char| c.is_ascii_digit()).trim();
    let is_header = row.starts_with("A B") || row == "A";
    (!row.is_empty() && !is_header).then_some(row)
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.board.size();
        let stars = star_points(size);
        let letters: Vec<String> =
            (0..size.side()).map(|x| Point::column_letter(x).to_string()).collect();
        let header = letters.join(" ");
        writeln!(f, "   {header}")?;
        for y in (0..size.side()).rev() {
            let mut line = format!("{:2}", y + 1);
            for x in 0..size.side() {
                let p = Point::new(x, y);
                // The bracket behind the last move takes the place of the next gap.
                let behind_last = x > 0 && self.last == Some(Point::new(x - 1, y));
                line.push(match self.last {
                    Some(last) if last == p => '(',
                    _ if behind_last => ')',
                    _ => ' ',
                });
                line.push(self.symbol(p, &stars));
            }
            let closed = self.last == Some(Point::new(size.side() - 1, y));
            line.push(if closed { ')' } else { ' ' });
            writeln!(f, "{line}{}", y + 1)?;
        }
        write!(f, "   {header}")
    }
}

impl fmt::Display for Board {
    /// The diagram of the board without marks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagram::new(self).fmt(f)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn out_and_in_again() {
        let text = "   A B C D E
 5 . . . . . 5
 4 . O X . . 4
 3 . .(O)X . 3
 2 . . a . . 2
 1 . . . .(X)1
   A B C D E";
        // Only one last move: the second bracket wins.
        let diagram = Diagram::parse(text).unwrap();
        assert_eq!(diagram.label('a'), Some(Point::new(2, 1)));
        assert_eq!(diagram.last, Some(Point::new(4, 0)));
        assert_eq!(diagram.board.cell(Point::new(2, 2)), Cell::White);
        assert_eq!(diagram.to_string(), text.replace(".(O)X", ". O X"));
    }

    #[test]
    fn coordinates_may_be_missing() {
        let board = Diagram::parse(". X\nO .").unwrap().board;
        assert_eq!(board.to_string(), "   A B\n 2 . X 2\n 1 O . 1\n   A B");
        assert_eq!(Diagram::parse(".X\nO.").unwrap().board.to_string(), board.to_string());
    }

    #[test]
    fn a_large_board_is_read_back() {
        let mut board = Board::new(Size::MAX);
        board.play(Point::new(0, 24), Color::Black).unwrap();
        board.play(Point::new(24, 0), Color::White).unwrap();
        let text = board.to_string();
        assert_eq!(Diagram::parse(&text).unwrap().board.to_string(), text);
    }

    #[test]
    fn errors_say_where() {
        let error = |text: &str| Diagram::parse(text).err().unwrap().to_string();
        assert_eq!(error(""), "the diagram has no rows");
        assert_eq!(error("..\n..."), "row 2 from the top has 3 points, but there are 2 rows");
        assert_eq!(error("..\n.?"), "'?' in row 2 from the top means nothing; use X, O, . or a-z");
        assert_eq!(error("."), "the diagram has 1 rows; boards have 2 to 25");
        assert_eq!(error("XO\nO."), "the chain at A2 has no liberty");
        assert!(error(&"X".repeat(300)).contains("1 rows"));
        assert!(error(&format!("{}\n..", "X".repeat(300))).contains("points"));
    }
}
