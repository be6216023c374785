//! What a page may ask for: one JSON object a message, `type` says which. docs/web.md has them all.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clocks::StoppedClocks;

/// A message from a page.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Request {
    /// Begin another game on this board.
    New(NewGame),
    /// Put a stone, or pass.
    Play {
        /// A point such as `D4`, or `pass`.
        at: String,
    },
    /// Give up.
    Resign,
    /// Take back one's own last move and what followed.
    Undo,
    /// Who plays which colour from here on, and how well.
    Seats {
        /// Whether people play black and white.
        people: [bool; 2],
        /// Of the engine; full strength without.
        level: Option<String>,
        /// For a move at full strength.
        seconds: Option<f32>,
    },
    /// Count now.
    Score,
    /// Say that a chain is dead, or is not.
    Dead {
        /// One of its stones.
        at: String,
    },
    /// The count is right.
    Accept,
    /// Play on after all.
    Resume,
    /// A clock has run down: look at it.
    Flag,
    /// Look at another position of the game.
    Go {
        /// The number of its node.
        node: usize,
    },
    /// Write a comment.
    Comment {
        /// Which node's.
        node: usize,
        /// Nothing takes it off.
        text: String,
    },
    /// Take a node out with all that follows.
    Delete {
        /// Which.
        node: usize,
    },
    /// Make a variation the main one.
    Promote {
        /// Its first node.
        node: usize,
    },
    /// Put a mark on a point of the present position, or take it off.
    Mark {
        /// The point.
        at: String,
        /// `TR`, `SQ`, `CR`, `MA`, or `LB` for the next letter.
        mark: String,
    },
    /// Set a point up: a stone of a colour, or none.
    Setup {
        /// The point.
        at: String,
        /// `black`, `white` or `empty`.
        stone: String,
    },
    /// A game that is over is studied from now on: moves make variations.
    Study,
    /// The game as a record.
    Save,
    /// The game with all that is needed to go on with it.
    Keep,
    /// Put a game back that was kept.
    Restore {
        /// As it was told: a [`Kept`].
        kept: Value,
        /// Whether it replaces a game on the board.
        #[serde(default)]
        replace: bool,
    },
    /// Think about the position that is looked at, or stop.
    Analyse {
        /// Whether to.
        on: bool,
        /// Playouts for a position.
        visits: Option<u64>,
    },
    /// Count what playouts tell about points and pairs, or stop.
    Statistics {
        /// Whether to.
        on: bool,
    },
    /// Say which stones belong together, which live and whose the points are, or stop.
    Sight {
        /// Whether to.
        on: bool,
    },
    /// Ask two models about the position, or stop.
    Compare {
        /// Whether to.
        on: bool,
        /// Their names in the list of models.
        #[serde(default)]
        models: [String; 2],
        /// The move that both are to give reasons for.
        at: Option<String>,
    },
    /// What speaks for a move.
    Why {
        /// Where.
        at: String,
    },
    /// Walk through the line that is looked at, or stop.
    Review {
        /// Whether to.
        on: bool,
        /// Playouts for each position.
        visits: Option<u64>,
    },
    /// Put a problem of the set on the board, or the same again.
    Problem {
        /// From 0.
        number: usize,
    },
    /// Try a move of a problem; the file answers.
    Try {
        /// A point.
        at: String,
    },
    /// Ask the solver about the position.
    Solve,
    /// Write what the review found into the comments.
    Annotate {
        /// `en` or `ja`.
        #[serde(default)]
        language: String,
    },
}

/// What game to begin.
#[derive(Deserialize, Clone, PartialEq, Debug)]
pub struct NewGame {
    /// Lines, 2 to 25.
    pub size: usize,
    /// Whether people play black and white.
    pub people: [bool; 2],
    /// Of the engine, such as `12k`; full strength without.
    pub level: Option<String>,
    /// For a move at full strength.
    pub seconds: Option<f32>,
    /// By name.
    pub rules: String,
    /// Points for White.
    pub komi: f32,
    /// Stones that Black begins with.
    #[serde(default)]
    pub handicap: usize,
    /// No clock without.
    pub clock: Option<Control>,
}

/// A game as a page keeps it: it comes back as it was told, as another release told it, or damaged. Only
/// the record must be there.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Kept {
    /// SGF, with all variations.
    pub record: String,
    /// The node that is looked at, by its place in the record.
    #[serde(default)]
    pub here: usize,
    /// The end of the game that is being played.
    #[serde(default)]
    pub tip: usize,
    /// How far the game is.
    #[serde(default)]
    pub phase: Stage,
    /// Whether people play black and white.
    #[serde(default = "everyone")]
    pub people: [bool; 2],
    /// Of the engine; full strength without.
    #[serde(default)]
    pub level: Option<String>,
    /// For a move at full strength.
    #[serde(default)]
    pub seconds: Option<f32>,
    /// None without a clock.
    #[serde(default)]
    pub clock: Option<StoppedClocks>,
}

/// People play both colours.
fn everyone() -> [bool; 2] {
    [true, true]
}

/// How far a game is that was kept.
#[derive(Serialize, Deserialize, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Moves are made in turn.
    Playing,
    /// Dead stones are being agreed on.
    Counting,
    /// There is a result.
    Over,
    /// Anything may be tried.
    #[default]
    Study,
}

/// A time control: main time, and periods after it.
#[derive(Deserialize, Serialize, Clone, Copy, PartialEq, Debug)]
pub struct Control {
    /// Seconds before overtime.
    pub main: f64,
    /// Seconds for a move in overtime.
    #[serde(default)]
    pub period: f64,
    /// How many of these.
    #[serde(default)]
    pub periods: u32,
}
