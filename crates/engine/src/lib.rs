//! One game in progress behind plain data: play, think, analyse, judge, keep time.
//!
//! - [`Engine`] is a game and someone who thinks about it; its [`Options`] say how, a [`Request`] what
//!   about and how long, a [`Report`] what came out of it;
//! - [`Library`] holds the models for each board size and is shared by engines;
//! - [`TimeControl`] and the clock behind it say how much time a move may take;
//! - [`Knowledge`] is the published player that goes by known shapes;
//! - [`Level`] makes it play weaker on purpose;
//! - [`statistics`] of playouts are about points and pairs of points;
//! - [`Explanation`] says why a move is good and what was wrong with another, in English and Japanese;
//! - [`review`] goes through a whole game and finds the moves that decided it;
//! - [`Assessment`] has links, groups and territory of a position;
//! - [`judge`] says which stones are dead when a game ends.

mod assessment;
mod clock;
mod ending;
mod engine;
mod explain;
mod hanging;
mod judge;
mod knowledge_player;
mod komi;
mod level;
mod library;
mod options;
mod reason;
mod request;
pub mod review;
mod variety;

pub use assessment::{Assessment, SURE};
pub use clock::TimeControl;
pub use engine::{Choice, Engine};
pub use explain::{
    ExplainedMove, Explanation, Grade, Language, MovePrior, Swing, counted_order, counted_pair,
};
pub use judge::{Judgement, judge};
pub use knowledge_player::{Fired, Knowledge};
pub use komi::area_komi;
pub use level::{Level, NoLevel};
pub use library::Library;
pub use options::Options;
pub use playout::statistics;
pub use policy::{Model, Rated, Reason};
pub use reason::words as reason_words;
pub use request::Request;
pub use search::{Candidate, Report, Restriction, Stop};
