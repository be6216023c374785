//! Time: the controls that games are played with, what is left, and how much a move may take.

use std::time::Duration;

/// The time control of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// No limit: the engine thinks as long as its options say.
    None,
    /// All moves in this time.
    Absolute {
        /// For the whole game.
        main: Duration,
    },
    /// Each move adds to the time left.
    Increment {
        /// At the start.
        main: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// After the main time, so many stones in each period.
    Canadian {
        /// Before overtime.
        main: Duration,
        /// Of overtime.
        period: Duration,
        /// To be played in each period, at least 1.
        stones: u32,
    },
    /// After the main time, periods of which one is lost whenever a move takes longer.
    Byoyomi {
        /// Before overtime.
        main: Duration,
        /// For a move.
        period: Duration,
        /// That may be used up, at least 1.
        periods: u32,
    },
}
