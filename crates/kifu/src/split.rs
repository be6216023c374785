//! Splitting a corpus into parts for training, validation and testing.
//!
//! The part depends on the game and a seed and on nothing else: not on the order of the files, not
//! on the other games. Mirror images have the same [`Fingerprint`] and so fall into the same part.

use crate::fingerprint::{Fingerprint, GOLDEN, mix};

/// What a game is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// To learn from.
    Train,
    /// To choose parameters by.
    Validation,
    /// To report on.
    Test,
}

/// Shares that do not make a whole.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error(
    "shares of {validation} and {test} are no split; give two from 0 to 1 that add up to 1 at most"
)]
pub struct BadShares {
    /// The share for validation.
    pub validation: f64,
    /// The share for testing.
    pub test: f64,
}

/// A rule that splits games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Split {
    seed: u64,
    validation: f64,
    test: f64,
}

impl Split {
    /// A rule that gives about these shares of the games to validation and testing, and the rest to
    /// training. Another seed draws other games.
    pub fn new(seed: u64, validation: f64, test: f64) -> Result<Split, BadShares> {
        let share = |x: f64| (0.0..=1.0).contains(&x);
        // A little room for sums such as 0.7 + 0.2 + 0.1 in floating point.
        if share(validation) && share(test) && validation + test <= 1.0 + 1e-9 {
            Ok(Split { seed, validation, test })
        } else {
            Err(BadShares { validation, test })
        }
    }

    /// The part a game belongs to.
    pub fn part(&self, fingerprint: Fingerprint) -> Part {
        let hash = mix(fingerprint.0 ^ mix(self.seed.wrapping_add(GOLDEN)));
        // The upper 53 bits are exact in a float.
        let draw = (hash >> 11) as f64 / (1_u64 << 53) as f64;
        if draw < self.test {
            Part::Test
        } else if draw < self.test + self.validation {
            Part::Validation
        } else {
            Part::Train
        }
    }
}
