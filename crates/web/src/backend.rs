//! What the server offers beside boards: models to compare, results of the laboratory, matches,
//! evaluations and a solver.
//!
//! The program that starts the server implements [`Backend`]. A page sees names and may ask for one of
//! them; a name is looked up in a list and is never a path, so a page has no way to files.

use std::sync::Arc;
use std::time::Duration;

use engine::{Language, Model};
use goban::{Board, Color};
use serde::{Deserialize, Serialize};

/// A model that can be compared with another.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ModelCard {
    /// What it is asked for by.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Lines of the board that it was learned on.
    pub size: u8,
    /// Whether it draws the moves of playouts; else it orders those of the tree.
    pub playouts: bool,
}

/// A result that can be looked at.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Item {
    /// What it is asked for by.
    pub id: String,
    /// `match`, `ratings`, `evaluation`, `curve`, `page` or `model`.
    pub kind: &'static str,
    /// What people call it.
    pub title: String,
    /// How it stands, in a line.
    pub summary: String,
    /// Goes up whenever it changes: milliseconds since 1970.
    pub changed: u64,
}

/// A match that a page asks for. Nothing in it is a path or a command.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct MatchWish {
    /// The two players; results are the first one's.
    pub players: [PlayerWish; 2],
    /// Lines of the board.
    pub size: u8,
    /// Games to play.
    pub games: usize,
}

/// A player of such a match.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "lowercase", tag = "who")]
pub enum PlayerWish {
    /// The search with so many playouts a move.
    Harie {
        /// Playouts.
        visits: u32,
    },
    /// The search at a level, such as `10k`.
    Level {
        /// The level.
        level: String,
    },
    /// The player that goes by known shapes, with so many playouts a move.
    Knowledge {
        /// Playouts.
        visits: u32,
    },
    /// GNU Go, where it is installed.
    GnuGo,
}

/// An evaluation that a page asks for: names of lists, and a number.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct EvaluationWish {
    /// One model or two, by what they are called in the list of models.
    pub models: Vec<String>,
    /// The games, by what they are called in the list of game records.
    pub corpus: String,
    /// Games at most.
    pub games: usize,
}

/// Game records that models can be measured on.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CorpusCard {
    /// What it is asked for by.
    pub id: String,
    /// How many files it has.
    pub files: usize,
    /// How long they are together.
    pub bytes: u64,
}

/// What was started last: how far it is, or how it ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Work {
    /// `match` or `evaluation`.
    pub kind: &'static str,
    /// The result that comes of it, by the name that it has or will have in the list.
    pub id: String,
    /// `running`, `done`, `stopped` or `failed`.
    pub state: &'static str,
    /// What is being done: `playing`, `reading` or `measuring`.
    pub stage: &'static str,
    /// The model that is being measured.
    pub name: String,
    /// Games done.
    pub done: usize,
    /// Games to do; 0 while that is not known.
    pub of: usize,
    /// Share of the moves so far that the model had first.
    pub match1: Option<f64>,
    /// Why it failed, in words.
    pub why: Option<String>,
}

/// Whether matches and evaluations can be started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Playing {
    /// They cannot.
    Never,
    /// One can.
    Idle,
    /// One is under way.
    Busy,
}

/// What a solver says about a position of life and death.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Solved {
    /// Whether the player to move wants to kill; else to live.
    pub kills: bool,
    /// `works`, `goodko` (won unless there is a threat), `ko` (won with threats), `fails` or `open`.
    pub outcome: &'static str,
    /// Whether one move works and all others that were read are refuted.
    pub proved: bool,
    /// How many first moves were not read, or not to the end.
    pub unknown: usize,
    /// The first moves that were read, the best first.
    pub moves: Vec<SolvedMove>,
    /// Positions looked at.
    pub nodes: u64,
}

/// A first move and the proof of what becomes of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolvedMove {
    /// Where.
    pub at: String,
    /// As for the whole.
    pub outcome: &'static str,
    /// How play goes on, the move first: points, and `pass`.
    pub line: Vec<String>,
}

/// What the server offers beside boards. A call may take time, so none is made where messages are
/// read.
pub trait Backend: Send + Sync {
    /// The models that can be compared.
    fn models(&self) -> Vec<ModelCard> {
        Vec::new()
    }

    /// A model that is listed.
    fn model(&self, _id: &str) -> Option<Arc<Model>> {
        None
    }

    /// Whether there is a laboratory; known at once.
    fn has_laboratory(&self) -> bool {
        false
    }

    /// The results in the laboratory; nothing if there is no laboratory.
    fn results(&self) -> Option<Vec<Item>> {
        None
    }

    /// A page about a result that is listed: one HTML file without scripts, in a language if what it
    /// shows is not written already.
    fn page(&self, _id: &str, _language: Language) -> Option<String> {
        None
    }

    /// Whether there is a solver; known at once. Pages without one show no button for it.
    fn has_solver(&self) -> bool {
        false
    }

    /// Solves a position in this time at most.
    fn solve(&self, _board: &Board, _to_play: Color, _time: Duration) -> Option<Solved> {
        None
    }

    /// Whether matches and evaluations can be started.
    fn playing(&self) -> Playing {
        Playing::Never
    }

    /// Starts a match, one at a time; says which result to watch.
    ///
    /// # Errors
    /// Why not, in words.
    fn play(&self, _wish: &MatchWish) -> Result<String, String> {
        Err("matches are not started from pages here".to_owned())
    }

    /// The game records that models can be measured on.
    fn corpora(&self) -> Vec<CorpusCard> {
        Vec::new()
    }

    /// Starts an evaluation, one at a time with matches; says which result will come of it.
    ///
    /// # Errors
    /// Why not, in words.
    fn measure(&self, _wish: &EvaluationWish) -> Result<String, String> {
        Err("evaluations are not started from pages here".to_owned())
    }

    /// What was started last.
    fn work(&self) -> Option<Work> {
        None
    }

    /// Stops what was started: games that were played stay, what was half measured does not.
    fn stop(&self) {}
}

/// A backend that offers nothing.
#[derive(Clone, Copy, Debug)]
pub struct EmptyBackend;

impl Backend for EmptyBackend {}
