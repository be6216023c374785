//! Records, problems and kept games as text. Reading them takes time: it is done on threads of its own,
//! a few at once and away from every table, and the table takes what comes out.

use std::sync::Arc;

use axum::body::Bytes;
use goban::{Game, Rules, Size};
use kifu::{NodeId, Reader, Tree};
use tokio::sync::Semaphore;

use crate::limits::Limits;
use crate::problems::{self, Opened, Problems};
use crate::record::{self, Standing};
use crate::request::Kept;

/// What is to be read.
#[derive(Debug)]
pub enum Text {
    /// A record or a set of problems, in any character set.
    Record(Bytes),
    /// A problem of the set that is on the table, which is that of so many records.
    Problem {
        /// From 0.
        number: usize,
        /// SGF.
        text: String,
        /// How many records there were.
        records: u64,
    },
    /// A game that a page kept; whether it replaces the game on the table.
    Kept(Box<Kept>, bool),
}

/// A record within the limits, and the position to begin at.
pub struct Sheet {
    /// All of it.
    pub tree: Tree,
    /// The node to look at.
    pub here: NodeId,
    /// The position there.
    pub standing: Standing,
}

/// What was read, for the table that it was read for.
pub enum Parsed {
    /// A record; the problems of its file, if it has any, and why that is not all of them.
    Record(Sheet, Option<Problems>, Option<String>),
    /// A problem of the set.
    Problem {
        /// From 0.
        number: usize,
        /// How many records there were.
        records: u64,
        /// What is to be known of it.
        opened: Opened,
        /// Its record.
        sheet: Sheet,
    },
    /// A game that was kept, and the end of it; whether it replaces the game on the table.
    Kept(Box<Kept>, NodeId, Sheet, bool),
}

/// Room for a few who read.
pub struct Parsers {
    room: Arc<Semaphore>,
    limits: Limits,
}

impl Parsers {
    /// Room for so many as the limits say.
    pub fn new(limits: &Limits) -> Parsers {
        Parsers { room: Arc::new(Semaphore::new(limits.reading)), limits: limits.clone() }
    }

    /// Reads a text.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    pub async fn read(&self, text: Text) -> Result<Parsed, String> {
        let broken = || "it could not be read".to_owned();
        let permit = Arc::clone(&self.room).acquire_owned().await.map_err(|_| broken())?;
        let limits = self.limits.clone();
        // The permit goes with the work: a page that leaves does not end it.
        let work = move || {
            let _permit = permit;
            parse(text, &limits)
        };
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(broken()))
    }
}

/// Reads a text here and now.
pub fn parse(text: Text, limits: &Limits) -> Result<Parsed, String> {
    match text {
        Text::Record(bytes) => {
            if is_no_text(&bytes) {
                return Err("it is no text; an archive has to be unpacked first".to_owned());
            }
            let mut trees = trees(&bytes);
            let first = trees.next().ok_or(NO_RECORD)?;
            record::check(&first, limits)?;
            match Problems::find(&first, trees, limits) {
                Some(found) => {
                    let sheet = Sheet::new(found.tree, found.start, limits)?;
                    Ok(Parsed::Record(sheet, Some(found.problems), found.note))
                }
                None => {
                    let root = first.root();
                    Ok(Parsed::Record(Sheet::new(first, root, limits)?, None, None))
                }
            }
        }
        Text::Problem { number, text, records } => {
            let (opened, tree, start) = problems::open(&text).ok_or("there is no such problem")?;
            let sheet = Sheet::new(tree, start, limits)?;
            Ok(Parsed::Problem { number, records, opened, sheet })
        }
        Text::Kept(kept, replace) => {
            let tree = trees(kept.record.as_bytes()).next().ok_or(NO_RECORD)?;
            let node = |place| tree.node(place).ok_or("the game that was kept is damaged");
            let (here, tip) = (node(kept.here)?, node(kept.tip)?);
            Ok(Parsed::Kept(kept, tip, Sheet::new(tree, here, limits)?, replace))
        }
    }
}

/// Whether there are bytes that no text has: the reader of records is tolerant and would find a game in
/// a picture. UTF-16, which has such bytes, says so at its begin.
fn is_no_text(bytes: &[u8]) -> bool {
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    !is_utf16 && bytes.contains(&0)
}

const NO_RECORD: &str = "there is no game record in it";

/// The games of a text, one at a time; what is odd about them is nobody's concern here.
fn trees(bytes: &[u8]) -> impl Iterator<Item = Tree> {
    let mut reader = Reader::new(bytes);
    std::iter::from_fn(move || reader.next_game(&mut Vec::new()).ok().flatten())
}

impl Sheet {
    fn new(tree: Tree, here: NodeId, limits: &Limits) -> Result<Sheet, String> {
        record::check(&tree, limits)?;
        // What the record does not say.
        let plain = Game::new(Size::NINETEEN, Rules::CHINESE, 7.5);
        let standing = record::standing(&tree, here, &plain)?;
        Ok(Sheet { tree, here, standing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_no_record() {
        let read = |bytes: &'static [u8]| parse(Text::Record(bytes.into()), &Limits::default());
        let zip = b"PK\x03\x04\x14\0\0\0(;SZ[9];B[ee])";
        assert!(read(zip).is_err_and(|why| why.starts_with("it is no text")));
        assert!(read(b"(;SZ[9];B[ee])").is_ok());
        assert!(read(b"\xff\xfe(\0;\0S\0Z\0[\09\0]\0;\0B\0[\0e\0e\0]\0)\0").is_ok());
    }
}
