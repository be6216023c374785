//! Which records to take from a corpus.

use std::fmt;
use std::ops::RangeInclusive;

use goban::{Color, Size};

use crate::outcome::{Margin, Outcome};
use crate::rank::Rank;
use crate::record::Record;

/// Conditions on a record; those that are not given hold for every record.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filter {
    /// One of these sizes; empty for any.
    pub sizes: Vec<Size>,
    /// Handicap stones.
    pub handicap: Option<RangeInclusive<usize>>,
    /// Moves of the main line, passes among them.
    pub moves: Option<RangeInclusive<usize>>,
    /// Komi in points; a record without one does not pass.
    pub komi: Option<RangeInclusive<f32>>,
    /// One of these ways to end; empty for any.
    pub endings: Vec<Ending>,
    /// This player won.
    pub winner: Option<Color>,
    /// Both players are at least this strong.
    pub weakest: Option<Rank>,
    /// Neither player is stronger than this.
    pub strongest: Option<Rank>,
}

/// The way a game ended, whoever won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Won by points.
    Points,
    /// Won by resignation.
    Resignation,
    /// Won on time.
    Time,
    /// Won by forfeit.
    Forfeit,
    /// Won, and nobody knows how.
    Won,
    /// A draw.
    Draw,
    /// No result.
    Void,
    /// Not known.
    Unknown,
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        match outcome {
            Outcome::Win(_, Margin::Points(_)) => Ending::Points,
            Outcome::Win(_, Margin::Resignation) => Ending::Resignation,
            Outcome::Win(_, Margin::Time) => Ending::Time,
            Outcome::Win(_, Margin::Forfeit) => Ending::Forfeit,
            Outcome::Win(_, Margin::Unknown) => Ending::Won,
            Outcome::Draw => Ending::Draw,
            Outcome::Void => Ending::Void,
            Outcome::Unknown => Ending::Unknown,
        }
    }
}

/// The condition that a record does not meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reject {
    /// The size of the board.
    Size,
    /// The handicap.
    Handicap,
    /// The number of moves.
    Moves,
    /// The komi.
    Komi,
    /// How the game ended.
    Ending,
    /// Who won.
    Winner,
    /// The strength of a player, or that it is not known.
    Strength,
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reject::Size => "size of the board",
            Reject::Handicap => "handicap",
            Reject::Moves => "number of moves",
            Reject::Komi => "komi",
            Reject::Ending => "way of ending",
            Reject::Winner => "winner",
            Reject::Strength => "strength of the players",
        })
    }
}

impl Filter {
    /// Checks a record; the error is the first condition that it does not meet, so that what is
    /// left out can be counted by reason.
    pub fn check(&self, record: &Record) -> Result<(), Reject> {
        let within = |range: &Option<RangeInclusive<usize>>, n| {
            range.as_ref().is_none_or(|range| range.contains(&n))
        };
        let komi = self
            .komi
            .as_ref()
            .is_none_or(|range| record.komi.is_some_and(|komi| range.contains(&komi)));
        let ending = Ending::from(record.outcome);
        let winner = self.winner.is_none_or(|winner| record.outcome.winner() == Some(winner));
        for (holds, reject) in [
            (self.sizes.is_empty() || self.sizes.contains(&record.size), Reject::Size),
            (within(&self.handicap, record.handicap), Reject::Handicap),
            (within(&self.moves, record.moves.len()), Reject::Moves),
            (komi, Reject::Komi),
            (self.endings.is_empty() || self.endings.contains(&ending), Reject::Ending),
            (winner, Reject::Winner),
            (Color::BOTH.iter().all(|&color| self.is_strong(record, color)), Reject::Strength),
        ] {
            if !holds {
                return Err(reject);
            }
        }
        Ok(())
    }

    /// A rank that is not known, or does not compare, is not enough.
    fn is_strong(&self, record: &Record, color: Color) -> bool {
        if self.weakest.is_none() && self.strongest.is_none() {
            return true;
        }
        let Some(rank) = record.player(color).rank() else { return false };
        self.weakest.is_none_or(|least| rank >= least)
            && self.strongest.is_none_or(|most| rank <= most)
    }
}
