//! A record as a game that can be gone on with.

use goban::Game;
use kifu::{Record, Unplayable};

use crate::rules;

/// Plays a record up to a number of moves: the game at its start and at its end. What the record
/// does not say is as in `present`.
///
/// # Errors
/// What cannot be played.
pub fn replay(present: &Game, record: &Record, moves: usize) -> Result<(Game, Game), Unplayable> {
    let by = record.rules.as_deref().and_then(rules::named).unwrap_or(*present.rules());
    let komi = record.komi.unwrap_or(present.komi());
    record.resume(by, komi, moves)
}
