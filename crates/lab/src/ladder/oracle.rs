//! Oracle files: positions judged by a stronger program, a JSON object a line, plain or gzip.
//!
//! `{"id", "size", "komi", "rules", "moves": ["B D5", …], "winrate_black", "score_black", "visits",
//! "candidates": [{"move", "visits", "winrate_black", "score_black", "prior"}], "ownership_black":
//! […]}`. Ownership is in reading order from the top left, +1 Black's and -1 White's. The colour
//! after the last of the moves is to play, Black if there are none.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use goban::{Color, Game, Move, Rules, Size};
use serde::{Deserialize, Serialize};

use crate::fault;

/// What is wrong with an oracle file.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// It cannot be read.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line is not what it should be.
    #[error("{}, line {line}: {why}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Why.
        why: String,
    },
}

/// A move that the judge looked at.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JudgedMove {
    /// As `D5` or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
    /// How much it was looked at.
    pub visits: u64,
    /// Black's chance after it.
    pub winrate_black: f32,
    /// Black's lead after it.
    #[serde(default)]
    pub score_black: f32,
    /// What the judge's own move model says of it.
    #[serde(default)]
    pub prior: f32,
}

/// A judged position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judged {
    /// A name of its own.
    pub id: String,
    /// Lines of the board.
    pub size: u8,
    /// Points for White.
    pub komi: f32,
    /// The name of the rules.
    pub rules: String,
    /// The moves that led to it, as `B D5`.
    pub moves: Vec<String>,
    /// Black's chance.
    pub winrate_black: f32,
    /// Black's lead.
    #[serde(default)]
    pub score_black: f32,
    /// How much the judge thought.
    #[serde(default)]
    pub visits: u64,
    /// The moves it looked at.
    #[serde(default)]
    pub candidates: Vec<JudgedMove>,
    /// Who will own each point.
    #[serde(default)]
    pub ownership_black: Vec<f32>,
}

impl Judged {
    /// The game up to the position.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn game(&self) -> Result<Game, String> {
        let size =
            Size::new(self.size as usize).ok_or(format!("no board has {} lines", self.size))?;
        let rules = Rules::parse(&self.rules).ok_or(format!("no rules '{}'", self.rules))?;
        if !self.ownership_black.is_empty() && self.ownership_black.len() != size.area() {
            let (found, wanted) = (self.ownership_black.len(), size.area());
            return Err(format!("ownership of {found} points where {wanted} are on the board"));
        }
        let mut game = Game::new(size, rules, self.komi);
        for text in &self.moves {
            let (color, mv) = text
                .split_once(' ')
                .and_then(|(color, mv)| Some((Color::parse(color)?, parse_move(mv, size)?)))
                .ok_or_else(|| format!("'{text}' is no move"))?;
            game.play_as(color, mv).map_err(|illegal| format!("{text}: {illegal}"))?;
        }
        Ok(game)
    }

    /// Whether this is a later or the same position of the game that another is of.
    pub fn follows(&self, other: &Judged) -> bool {
        (self.size, &self.rules) == (other.size, &other.rules)
            && self.komi == other.komi
            && self.moves.starts_with(&other.moves)
    }
}

/// A move as text: a point of the board, or a pass.
pub(crate) fn parse_move(text: &str, size: Size) -> Option<Move> {
    match text {
        _ if text.eq_ignore_ascii_case("pass") => Some(Move::Pass),
        _ => size.parse_point(text).map(Move::Play),
    }
}

/// Reads an oracle file, and sees to it that every position can be played to.
///
/// # Errors
/// Which line is wrong and why.
pub fn read_oracle(path: &Path) -> Result<Vec<(Judged, Game)>, OracleError> {
    let io = |error| OracleError::Io { path: path.to_owned(), error };
    let mut bytes = BufReader::new(File::open(path).map_err(io)?);
    let packed = bytes.fill_buf().map_err(io)?.starts_with(&[0x1f, 0x8b]);
    let bytes: Box<dyn Read> =
        if packed { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
    let mut judged = Vec::new();
    for (i, line) in BufReader::new(bytes).lines().enumerate() {
        let line = line.map_err(io)?;
        if line.trim().is_empty() {
            continue;
        }
        let wrong = |why| OracleError::Line { path: path.to_owned(), line: i + 1, why };
        let position: Judged =
            serde_json::from_str(&line).map_err(|error| wrong(judged_wanted(&error)))?;
        let game = position.game().map_err(wrong)?;
        judged.push((position, game));
    }
    Ok(judged)
}

/// What is wrong with a line, and what a line is.
fn judged_wanted(error: &serde_json::Error) -> String {
    format!(
        "{}. A line is a judged position: an object with id, size, komi, rules, moves and \
         winrate_black, as 'harie oracle' writes",
        fault::what(error).trim_end_matches('?')
    )
}

/// Writes a line.
///
/// # Errors
/// If it cannot be written.
pub fn write_judged(out: &mut impl Write, judged: &Judged) -> io::Result<()> {
    let line = serde_json::to_string(judged).map_err(io::Error::other)?;
    writeln!(out, "{line}")
}
