//! The board in the browser: a server for one machine, and the page that it serves.
//!
//! - [`Server`] listens, serves the embedded page and opens a WebSocket for each page;
//! - `tables.rs` has all tables, `table.rs` one of them: a game with its variations, who plays, what is
//!   to be thought about; `request.rs` is what a page may ask for, `view.rs` what it is told;
//! - `workers.rs` are the threads that think, going from table to table with an errand each
//!   (`errand.rs`): nothing that takes time runs where messages are read;
//! - `parsing.rs` reads records that pages send, on threads of its own as well;
//! - a [`Backend`] offers models to compare (`compare.rs`) and results of the laboratory;
//! - [`Limits`] are what a client may ask for.
//!
//! `page/` is written by hand: no build step, nothing from elsewhere. docs/web.md has the protocol.

mod assets;
mod backend;
mod clocks;
mod compare;
mod connection;
mod errand;
mod limits;
mod listener;
mod origin;
mod panes;
mod parsing;
mod problems;
mod record;
mod request;
mod review;
mod server;
mod table;
mod tables;
mod view;
mod workers;

pub use backend::{
    Backend, CorpusCard, EmptyBackend, EvaluationWish, Item, MatchWish, ModelCard, PlayerWish,
    Playing, Solved, SolvedMove, Work,
};
pub use limits::Limits;
pub use server::{Server, Settings};
