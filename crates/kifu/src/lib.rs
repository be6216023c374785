//! Game records: trees of moves read from SGF and written back, corpora of many games, and the
//! way from a record to positions on a board.
//!
//! Reading is tolerant and writing is faithful. Whatever is wrong with a file becomes a
//! [`Warning`] that says where, what, and what was done about it; nothing is dropped silently and
//! no input panics. This crate prints nothing and knows no progress bar: [`Corpus::progress`] tells
//! how far the reading is.
//!
//! Three ways in:
//! - one file in memory: [`read`] gives its [`Tree`]s, [`Tree::to_sgf`] writes one;
//! - the games of a stream, one at a time: [`Reader`];
//! - files, folders and archives: [`Corpus`], with [`Filter`], [`Fingerprint`] (duplicates up to
//!   symmetry) and [`Split`] (train, validation, test).
//!
//! A [`Tree`] keeps everything that is in the file. A [`Record`] is its main line as plain data,
//! and a [`Replay`] plays that on a board; a [`Problem`] is a tree read as stones and answers, and a
//! [`Guide`] says what it answers to those who try it.

mod charset;
mod corpus;
mod edit;
mod filter;
mod fingerprint;
mod guide;
mod input;
mod line;
mod outcome;
mod parse;
mod problem;
mod rank;
mod read;
mod record;
mod replay;
mod resume;
mod source;
mod split;
mod tree;
mod value;
mod vertex;
mod warning;
mod write;

pub use corpus::{Corpus, CorpusError, Found, Progress, is_record};
pub use edit::BadName;
pub use filter::{Ending, Filter, Reject};
pub use fingerprint::{Fingerprint, Seen};
pub use guide::{Guide, Said};
pub use outcome::{Margin, Outcome};
pub use problem::{NotAProblem, Problem};
pub use rank::Rank;
pub use read::{DEFAULT_LIMIT, Reader, read};
pub use record::{Area, Change, Move, NotARecord, Player, Record};
pub use replay::{Broken, Replay, Why};
pub use resume::{Resumed, Unplayable, misplaced};
pub use split::{BadShares, Part, Split};
pub use tree::{NodeId, Property, Tree};
pub use value::Value;
pub use vertex::{move_text, point_text};
pub use warning::{Origin, Warning, WarningKind};
pub use write::Layout;
