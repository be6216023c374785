//! Bounds of the values that front ends and the command line may set.

use std::time::Duration;

/// The longest time that anybody waits for.
pub const DAY: Duration = Duration::from_secs(86_400);

/// The time for a move that has no bound but its visits.
pub const NO_LIMIT: Duration = DAY;

/// The most threads that one search may have.
pub const MOST_THREADS: usize = 1024;

/// More komi than any board has points.
pub const MOST_KOMI: f32 = 1000.0;

/// A time that is long enough to measure and short enough to wait for.
///
/// # Errors
/// What is wanted, in words.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= DAY.as_secs_f64() => Ok(seconds),
        _ => Err("a number of seconds above 0 and up to a day is wanted".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_above_nothing_and_end_within_a_day() {
        assert_eq!((seconds("0.5"), seconds("86400")), (Ok(0.5), Ok(86_400.0)));
        for text in ["0", "-1", "86401", "NaN", "inf", "soon", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
