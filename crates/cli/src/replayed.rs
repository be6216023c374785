//! A record as a game that can be gone on with.

use goban::Game;
use kifu::Record;

use crate::rules;

/// Plays a record up to a number of moves: the game at its start and at its end. What the record
/// does not say is as in `present`.
///
/// # Errors
/// What cannot be played, in words.
pub fn replay(present: &Game, record: &Record, moves: usize) -> Result<(Game, Game), String> {
    let by = record.rules.as_deref().and_then(rules::named).unwrap_or(*present.rules());
    let komi = record.komi.unwrap_or(present.komi());
    record.resume(by, komi, moves).map_err(|why| why.to_string())
}
