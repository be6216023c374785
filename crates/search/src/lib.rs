//! The tree search.

mod models;
mod report;
mod stop;

pub use models::Models;
pub use report::{Candidate, Report};
pub use stop::Stop;
