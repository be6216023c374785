//! The tree search: UCT whose moves are ordered and weighed by a learned model and whose leaves are
//! judged by learned playouts.
//!
//! - [`Search`] keeps a tree from move to move and makes it grow with any number of
//!   threads; a [`Task`] says what to think about, [`Limits`] how long, a [`Stop`] ends it;
//! - [`Settings`] holds the parts of the method and their sizes;
//! - [`Report`] says what was found.

mod arena;
mod crossing;
mod expand;
mod limits;
mod models;
mod record;
mod report;
mod root;
mod search;
mod select;
mod settings;
mod steering;
mod stop;
mod tree;
mod urgency;
mod worker;

pub use expand::{Expander, PASS, Restriction};
pub use limits::Limits;
pub use models::{Models, sharpness};
pub use report::{Candidate, Report};
pub use root::{Agreed, Root};
pub use search::{Search, Task};
pub use settings::{Change, NAMES, Settings};
pub use stop::Stop;
