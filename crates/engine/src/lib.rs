//! One game in progress behind plain data: play, think, analyse, judge, keep time.

mod clock;
mod engine;
mod library;
mod request;

pub use clock::TimeControl;
pub use engine::{Choice, Engine, Judgement, Options};
pub use library::Library;
pub use request::{Request, Restriction};
pub use search::{Candidate, Report, Stop};
