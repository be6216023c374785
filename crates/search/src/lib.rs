//! The tree search: UCT with move priors from a learned policy; leaves are judged by learned playouts.
//!
//! - [`Search`] keeps a tree from move to move and makes it grow with any number of
//!   threads; a [`Task`] says what to think about, [`SearchLimits`] how long, a [`Stop`] ends it;
//! - [`Settings`] holds what can be changed about the method;
//! - [`Report`] says what was found.

mod arena;
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
mod transposition;
mod tree;
mod urgency;
mod worker;

pub use expand::{Expander, PASS, Restriction};
pub use limits::SearchLimits;
pub use models::{Models, sharpness};
pub use report::{Candidate, Report};
pub use root::{Agreed, Root};
pub use search::{Search, Task};
pub use settings::{Change, NAMES, Settings, is_setting};
pub use stop::Stop;
