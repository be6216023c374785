//! Where a match is kept: `match.json` says what is played, `games.jsonl` has a line for each finished
//! game, and each game has a record. A match goes on where its folder ends.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::finished::Finished;

/// What is wrong with a folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The system says no.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file that we did not write, or that somebody has changed.
    #[error("{}, line {line}: {error}; the folder is damaged, use another", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in it.
        line: usize,
        /// Why.
        error: serde_json::Error,
    },
    /// Games, but nothing that says what of.
    #[error("{}: there are games here but no match.json that says of which match; use another folder",
        .0.display())]
    NoHeader(PathBuf),
    /// Another match.
    #[error("{}: another match is here; use another folder. {differences}", .path.display())]
    Different {
        /// The folder.
        path: PathBuf,
        /// What differs.
        differences: String,
    },
    /// A file in place of a folder.
    #[error("{}: games are kept in a folder, and this is a file; name another", .0.display())]
    NoFolder(PathBuf),
    /// Somebody else writes to it.
    #[error("{}: this match is being played by another process", .0.display())]
    Busy(PathBuf),
}

/// What is played: everything that the games of a match depend on, in words.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Of these files.
    pub format: u32,
    /// The first player.
    pub first: String,
    /// The second player.
    pub second: String,
    /// Lines of the board.
    pub size: u8,
    /// Points for White.
    pub komi: f32,
    /// Their name, or in words.
    pub rules: String,
    /// Where openings come from.
    pub openings: String,
    /// Seconds of each player for the game.
    pub time: Option<f64>,
    /// Seconds that no move may exceed.
    pub move_timeout: f64,
    /// Who counts.
    pub referee: String,
    /// Of the match.
    pub seed: u64,
}

impl Header {
    /// What another header says otherwise.
    fn differences(&self, other: &Header) -> String {
        let [here, there] = [self, other].map(|h| serde_json::to_value(h).unwrap_or_default());
        let fields = here.as_object().into_iter().flatten();
        let other = |name: &String| there.get(name).cloned().unwrap_or_default();
        let differing = fields.filter(|(name, value)| **value != other(name));
        let words = differing.map(|(name, value)| {
            format!("Its {} is {value}, not {}.", name.replace('_', "-"), other(name))
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

/// The folder of a match, open for more games.
pub struct Folder {
    path: PathBuf,
    lines: File,
    done: BTreeMap<usize, Finished>,
}

impl Folder {
    /// Opens or makes the folder of a match.
    ///
    /// # Errors
    /// If it cannot be made or read, or if it belongs to another match.
    pub fn open(path: &Path, header: &Header) -> Result<Folder, FolderError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error| FolderError::Io { path, error }
        };
        if path.exists() && !path.is_dir() {
            return Err(FolderError::NoFolder(path.to_owned()));
        }
        fs::create_dir_all(path).map_err(at(path))?;
        let (head, games) = (path.join("match.json"), path.join("games.jsonl"));
        let is_new = match fs::read(&head) {
            Ok(bytes) => {
                let there: Header = serde_json::from_slice(&bytes).map_err(|error| {
                    FolderError::Damaged { path: head.clone(), line: error.line(), error }
                })?;
                if there != *header {
                    let differences = there.differences(header);
                    return Err(FolderError::Different { path: path.to_owned(), differences });
                }
                false
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if games.exists() {
                    return Err(FolderError::NoHeader(path.to_owned()));
                }
                true
            }
            Err(error) => return Err(at(&head)(error)),
        };
        if is_new {
            let mut text = serde_json::to_string_pretty(header).unwrap_or_default();
            text.push('\n');
            fs::write(&head, text).map_err(at(&head))?;
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut lines = options.open(&games).map_err(at(&games))?;
        // Where files cannot be locked, nobody is kept out.
        if let Err(TryLockError::WouldBlock) = lines.try_lock() {
            return Err(FolderError::Busy(path.to_owned()));
        }
        let mut text = String::new();
        lines.read_to_string(&mut text).map_err(at(&games))?;
        // A line without an end was being written when something worse than Ctrl-C happened.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let done = self::lines(&text[..whole], &games)?;
        lines.set_len(whole as u64).map_err(at(&games))?;
        lines.seek(SeekFrom::End(0)).map_err(at(&games))?;
        Ok(Folder { path: path.to_owned(), lines, done })
    }

    /// What is in the folder of a match, without going on with it; nothing if there is no match.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged.
    pub fn look(path: &Path) -> Result<Option<(Header, Vec<Finished>)>, FolderError> {
        let (head, games) = (path.join("match.json"), path.join("games.jsonl"));
        let io = |path: &PathBuf| {
            let path = path.clone();
            move |error| FolderError::Io { path, error }
        };
        if !head.is_file() {
            return Ok(None);
        }
        let bytes = fs::read(&head).map_err(io(&head))?;
        let header = serde_json::from_slice(&bytes).map_err(|error| FolderError::Damaged {
            path: head.clone(),
            line: error.line(),
            error,
        })?;
        let text = match fs::read_to_string(&games) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(io(&games)(error)),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let done = lines(&text[..whole], &games)?;
        Ok(Some((header, done.into_values().collect())))
    }

    /// The games that are finished, by their numbers.
    pub fn done(&self) -> &BTreeMap<usize, Finished> {
        &self.done
    }

    /// Keeps a finished game: its record first, so that every line has one.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, finished: &Finished, sgf: &str) -> Result<(), FolderError> {
        let record = self.path.join(format!("game-{:04}.sgf", finished.game));
        let io = |path: PathBuf| move |error| FolderError::Io { path, error };
        fs::write(&record, sgf).map_err(io(record))?;
        let mut line = serde_json::to_string(finished).unwrap_or_default();
        line.push('\n');
        let written = self.lines.write_all(line.as_bytes()).and_then(|()| self.lines.flush());
        written.map_err(io(self.path.join("games.jsonl")))?;
        self.done.insert(finished.game, finished.clone());
        Ok(())
    }
}

/// Reads finished games, a line each.
fn lines(text: &str, path: &Path) -> Result<BTreeMap<usize, Finished>, FolderError> {
    let mut done = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let finished: Finished = serde_json::from_str(line).map_err(|error| {
            FolderError::Damaged { path: path.to_owned(), line: number + 1, error }
        })?;
        done.insert(finished.game, finished);
    }
    Ok(done)
}
