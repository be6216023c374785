//! The laboratory: what models and their playouts are worth, matches between engines, and what
//! their results prove.
//!
//! - [`ladder`] measures models on games and playouts against positions judged by a stronger program;
//! - an [`Analyst`] is an engine that judges positions, for such files;
//! - [`Spec`] reads who plays, [`Player`] is one who is ready to;
//! - [`Contest`] is a match: it deals out games, plays them, and keeps what is finished in a
//!   [`Folder`], from which an interrupted match goes on;
//! - a [`Pool`] of players says who plays whom next, and makes the list of their [`Ratings`];
//! - [`Summary`] is what came out of it, with the [`statistics`] that say how sure it is;
//! - [`review`] goes through a game and finds the moves that decided it;
//! - [`tsumego`] studies problems: statistics, and ways to guess their answers;
//! - [`page`] shows results to people.
//!
//! A game depends on the match's seed and its own number and on nothing else, so that players that
//! count playouts play the same games again, in whatever order and however many at once.

mod analyst;
mod bout;
mod contest;
pub mod fault;
mod finished;
mod folder;
mod gnugo;
pub mod ladder;
mod opening;
pub mod page;
mod player;
mod pool;
mod rating;
mod record;
mod referee;
pub mod review;
mod seat;
mod seed;
mod spec;
pub mod statistics;
mod summary;
pub mod tsumego;
mod wording;

pub use analyst::{Analyst, AnalystError, Effort as AnalystEffort, Eye, Question};
pub use contest::{Contest, ContestError, Plan};
pub use finished::{Effort, Ended, Finished, Side};
pub use folder::{Folder, FolderError, Header};
pub use gnugo::NoGnuGo;
pub use opening::{OpeningError, Openings};
pub use player::Player;
pub use pool::{PairResult, Pairing, Pool, Rated, RatingList, pgn, tally};
pub use rating::{Meeting, PRIOR, Ratings};
pub use referee::Referee;
pub use spec::{Own, Role, Spec, SpecError, read_named};
pub use summary::{Counts, PlayerSummary, SprtSummary, Summary};

/// Bytes packed as gzip does.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let written = packed.write_all(bytes);
    written.and_then(|()| packed.finish()).expect("memory takes what it is given")
}
