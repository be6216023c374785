//! What was odd about a record, where, and what was done about it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use goban::{Color, Illegal, Point, Size};

use crate::value::Value;

/// Where a game was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The file, if the game came from one; for an archive, the entry joined to its path.
    pub file: Option<Arc<Path>>,
    /// Number of the game in its file, from 1.
    pub game: usize,
    /// The line of the file on which the game starts, from 1.
    pub line: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}, ", file.display())?;
        }
        write!(f, "game {}, line {}", self.game, self.line)
    }
}

/// Something odd in a record. Reading went on; the text says how.
#[derive(Clone, PartialEq, Debug)]
pub struct Warning {
    /// The file, if there is one.
    pub file: Option<Arc<Path>>,
    /// Number of the game in its file, from 1.
    pub game: usize,
    /// The line of the file, from 1.
    pub line: usize,
    /// Number of the move in the main line, from 1, where the oddity belongs to a move.
    pub move_number: Option<usize>,
    /// What is odd.
    pub kind: WarningKind,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = Origin { file: self.file.clone(), game: self.game, line: self.line };
        origin.fmt(f)?;
        if let Some(number) = self.move_number {
            write!(f, ", move {number}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

/// What is odd, and what was done about it.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WarningKind {
    /// Text outside of the brackets.
    #[error(
        "text that is not part of a game was skipped ({}): \"{excerpt}\"",
        many(*.bytes, "byte")
    )]
    StrayText {
        /// How it begins.
        excerpt: String,
        /// Its length without white space.
        bytes: usize,
    },
    /// The file ends inside a game.
    #[error(
        "the file ends inside the game ({}); the game was closed there",
        open(*.parentheses, *.in_value)
    )]
    Unclosed {
        /// Open parentheses.
        parentheses: usize,
        /// Whether a value was open as well.
        in_value: bool,
    },
    /// Another game starts before this one was closed.
    #[error(
        "another game starts inside this one ({}); this one was closed before it",
        open(*.parentheses, *.in_value)
    )]
    Interrupted {
        /// Open parentheses.
        parentheses: usize,
        /// Whether a value was open as well.
        in_value: bool,
    },
    /// One game is larger than the reader allows.
    #[error(
        "the game is longer than {limit} bytes; {bytes} bytes were skipped, up to the next line \
         that starts a game"
    )]
    TooLong {
        /// The reader's limit.
        limit: usize,
        /// What was skipped.
        bytes: u64,
    },
    /// A property where a node should have been opened.
    #[error("a semicolon is missing before {name}; a node was opened for it")]
    MissingSemicolon {
        /// The first property of the node.
        name: String,
    },
    /// A node after a variation, without parentheses of its own.
    #[error("a node follows a variation; it was read as another variation")]
    NodeAfterVariation,
    /// A property after a variation.
    #[error("{name} follows a variation; it was added to the node before the variation")]
    PropertyAfterVariation {
        /// The property.
        name: String,
    },
    /// A pair of parentheses without a node.
    #[error("a variation without a node was left out")]
    EmptyVariation,
    /// A value that belongs to no property.
    #[error("the value [{excerpt}] has no property name and was skipped")]
    NoName {
        /// How it begins.
        excerpt: String,
    },
    /// A property without a value.
    #[error("{name} has no value; it was kept as {name}[]")]
    NoValue {
        /// The property.
        name: String,
    },
    /// A property name without a capital letter.
    #[error(
        "the property {name} has no capital letter; it was read as {}",
        .name.to_ascii_uppercase()
    )]
    LowerCaseName {
        /// The name as written.
        name: String,
    },
    /// The character set named by CA is not known.
    #[error("the character set \"{named}\" is not known; {used} was used")]
    UnknownCharset {
        /// What CA says.
        named: String,
        /// What the text was read as.
        used: &'static str,
    },
    /// No character set is named and the text is not UTF-8.
    #[error("no character set is named and the text is not UTF-8; it was guessed to be {used}")]
    GuessedCharset {
        /// What the text was read as.
        used: &'static str,
    },
    /// The text is not in the character set that CA names.
    #[error("the text is not {named} although CA says so; it was read as {used}")]
    WrongCharset {
        /// What CA says.
        named: String,
        /// What the text was read as.
        used: &'static str,
    },
    /// Bytes that mean nothing in the character set.
    #[error("malformed {used} was replaced by U+FFFD in {}", many(*.count, "place"))]
    Undecodable {
        /// What the text was read as.
        used: &'static str,
        /// Number of replacements.
        count: usize,
    },
    /// Too many warnings for one game.
    #[error("{} about this game not listed", many(*.count, "more warning"))]
    More {
        /// How many.
        count: usize,
    },

    /// The root says no size.
    #[error("there is no SZ; the board was taken to be {used}")]
    NoSize {
        /// The size taken.
        used: Size,
    },
    /// The size cannot be read.
    #[error("SZ[{text}] is not a size; the board was taken to be {used}")]
    BadSize {
        /// As written.
        text: String,
        /// The size taken.
        used: Size,
    },
    /// The komi cannot be read.
    #[error("KM[{text}] is not a number; the komi is not known")]
    BadKomi {
        /// As written.
        text: String,
    },
    /// A komi in hundredths, as some servers write it.
    #[error("KM[{text}] was read as {komi} points")]
    OddKomi {
        /// As written.
        text: String,
        /// In points.
        komi: f32,
    },
    /// The handicap cannot be read.
    #[error("HA[{text}] is not a number of stones; it was ignored")]
    BadHandicap {
        /// As written.
        text: String,
    },
    /// Handicap without stones.
    #[error(
        "HA[{handicap}] but no stones are set up and White moves first; {} placed on the fixed \
         points",
        many(*.placed, "stone")
    )]
    HandicapPlaced {
        /// What HA says.
        handicap: usize,
        /// Stones placed.
        placed: usize,
    },
    /// Handicap, but Black neither has the stones nor places them.
    #[error("HA[{handicap}] but no stones are set up or placed; the board begins empty")]
    HandicapMissing {
        /// What HA says.
        handicap: usize,
    },
    /// Handicap and stones differ.
    #[error("HA[{handicap}] but {} set up; kept as set up", many(*.stones, "black stone"))]
    HandicapDiffers {
        /// What HA says.
        handicap: usize,
        /// Black stones set up before the first move.
        stones: usize,
    },
    /// The result cannot be read.
    #[error("RE[{text}] is not a result; the result is not known")]
    BadResult {
        /// As written.
        text: String,
    },
    /// The player to move cannot be read.
    #[error("PL[{text}] is not a colour; it was ignored")]
    BadPlayer {
        /// As written.
        text: String,
    },
    /// A setup value is not a point of the board.
    #[error("{name}[{text}] is not on the board; the value was ignored")]
    BadPoint {
        /// The property.
        name: String,
        /// As written.
        text: String,
    },
    /// A point that is not written as SGF wants it, but clear.
    #[error("{name}[{text}] was read as {read}")]
    OddPoint {
        /// The property.
        name: String,
        /// As written.
        text: String,
        /// The point, or a pass.
        read: String,
    },
    /// More than one move in a node.
    #[error("the node holds more than one move; they were played in the order written")]
    SeveralMoves,
    /// A move that is not a point of the board.
    #[error(
        "{name}[{text}] is not a move on this board; the main line ends before it, {} left out",
        many(*.rest, "move")
    )]
    BadMove {
        /// `B` or `W`.
        name: String,
        /// As written.
        text: String,
        /// Moves left out, this one among them.
        rest: usize,
    },
    /// A move against the rules.
    #[error(
        "{color} {point} is illegal: {why}; the main line ends before it, {} left out",
        many(*.rest, "move")
    )]
    IllegalMove {
        /// Who moves.
        color: Color,
        /// Where.
        point: Point,
        /// Why not.
        why: Illegal,
        /// Moves left out, this one among them.
        rest: usize,
    },
    /// Set-up stones without a liberty.
    #[error(
        "the stones set up leave the chain at {point} without a liberty; the main line ends \
         before them, {} left out",
        many(*.rest, "move")
    )]
    NoLiberty {
        /// A stone of such a chain.
        point: Point,
        /// Moves left out.
        rest: usize,
    },
}

impl WarningKind {
    /// Whether the main line ends there although the record goes on.
    pub fn cuts_main_line(&self) -> bool {
        use WarningKind::{BadMove, IllegalMove, NoLiberty};
        matches!(self, BadMove { .. } | IllegalMove { .. } | NoLiberty { .. })
    }
}

/// Says in words what is open.
fn open(parentheses: usize, in_value: bool) -> String {
    let value = if in_value { " and 1 bracket" } else { "" };
    let form = if parentheses == 1 { "is" } else { "es" };
    format!("{parentheses} parenthes{form}{value} open")
}

/// A number of things.
fn many(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Warnings kept of one game. A hostile file could otherwise turn each of its bytes into one.
const MOST_WARNINGS: usize = 100;

/// Collects the warnings of one game, up to a number; the rest is counted.
pub(crate) struct Notes<'a> {
    list: &'a mut Vec<Warning>,
    origin: Origin,
    room: usize,
    more: usize,
    last_line: usize,
}

impl<'a> Notes<'a> {
    pub(crate) fn new(list: &'a mut Vec<Warning>, origin: Origin) -> Notes<'a> {
        Notes { list, last_line: origin.line, origin, room: MOST_WARNINGS, more: 0 }
    }

    /// Whether a further warning would only be counted, so that its text need not be made.
    pub(crate) fn is_full(&self) -> bool {
        self.room == 0
    }

    pub(crate) fn push(&mut self, line: usize, move_number: Option<usize>, kind: WarningKind) {
        // There is one end of the main line at most, and nobody should miss it.
        if self.room == 0 && !kind.cuts_main_line() {
            self.more += 1;
            return;
        }
        self.room = self.room.saturating_sub(1);
        self.last_line = line;
        let Origin { file, game, .. } = self.origin.clone();
        self.list.push(Warning { file, game, line, move_number, kind });
    }

    /// Counts a warning that was not worth making because of [`Notes::is_full`].
    pub(crate) fn count(&mut self) {
        self.more += 1;
    }
}

impl Drop for Notes<'_> {
    fn drop(&mut self) {
        if self.more > 0 {
            let Origin { file, game, .. } = self.origin.clone();
            let kind = WarningKind::More { count: self.more };
            self.list.push(Warning { file, game, line: self.last_line, move_number: None, kind });
        }
    }
}

/// The beginning of a text, with control characters made visible.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut out = String::new();
    for (i, c) in text.trim().chars().enumerate() {
        if i == LONGEST {
            out.push('…');
            break;
        }
        match c {
            '\n' | '\r' | '\t' | '\0'..='\u{1f}' | '\u{7f}' => out.extend(c.escape_debug()),
            _ => out.push(c),
        }
    }
    out
}

/// The beginning of a value.
pub(crate) fn excerpt_of(value: Value<'_>) -> String {
    excerpt(value.raw())
}
