//! Patterns of Go: families of neighbourhoods, their identity under symmetry and colour, and
//! dictionaries that answer with the largest known one.
//!
//! - [`Family`] describes what is seen: nested centre patterns, collage quadrants, 3x3, Neumann,
//!   Moore, diamonds, fuzzy sectors. A new one is a few lines there;
//! - [`View`] is what a family shows at a point, [`Pattern`] the same by itself, to keep and draw;
//! - [`Dictionary`] holds the known patterns and their counts; [`similarity`] compares two.
//!
//! No I/O: a dictionary turns into bytes and back.

mod dictionary;
mod distance;
mod family;
mod pattern;
mod similarity;

pub use dictionary::{Counts, Dictionary, DictionaryError, PatternIndex};
pub use distance::{CLASSES, Offset, class, offsets};
pub use family::{Family, MOST_CELLS, Sight, State, View};
pub use pattern::{Pattern, PatternId, Seal, key};
pub use similarity::similarity;
