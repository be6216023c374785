//! What a player sees in a position, computed from the board and, where life and death matter, from
//! who owns the points at the ends of playouts. Nothing here searches or plays.
//!
//! - [`Influence`]: which points the stones reach, and what a move would add;
//! - [`Link`]s between nearby stones, and whether they can be cut;
//! - [`Groups`]: chains joined by links, their [`Eye`]s, how strong they are and whether they live;
//! - [`Territory`]: by the published procedure, and by ownership;
//! - [`Ladder`]s, read to the end;
//! - [`Patterns`]: shapes with a move, from a text that people can edit;
//! - [`Book`]: opening moves from records;
//! - [`Fact`]s about a move, for words to be made from.
//!
//! Influence, links, groups and the first territory estimate follow the thesis on frequent patterns
//! (2011); where it leaves something open, the modules say what is decided here.

mod book;
mod eyes;
mod fact;
mod groups;
mod influence;
mod ladders;
mod links;
mod pattern;
mod region;
mod territory;

pub use book::{Book, BookError, Entry};
pub use eyes::{Eye, eyes};
pub use fact::{Fact, Stones, facts};
pub use groups::{Group, Groups, Life};
pub use influence::Influence;
pub use ladders::{Ladder, ladders};
pub use links::{Link, LinkKind, Strength, links};
pub use pattern::{Matched, Pattern, PatternError, PatternKind, Patterns};
pub use region::Region;
pub use territory::Territory;
