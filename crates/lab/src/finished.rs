//! A game of a match that is over: a line of `games.jsonl`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of the two players of a match. Colours change from game to game, sides do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The one named first.
    First,
    /// The one named second.
    Second,
}

impl Side {
    /// Both, the first one first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The place in an array with one entry a player.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Who has Black in a game; games are counted from 0.
    pub fn black_in(game: usize) -> Side {
        Side::BOTH[game % 2]
    }

    /// The other one.
    pub fn other(self) -> Side {
        Side::BOTH[1 - self.index()]
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// Two passes, and the points were counted.
    Score,
    /// Somebody gave up.
    Resignation,
    /// Too many moves: counted as it stood.
    Length,
    /// Somebody's clock ran out.
    Time,
    /// A move took longer than any move may.
    Timeout,
    /// A move was against the rules, or no move at all.
    Illegal,
    /// A player did not accept a legal move, or would not make one.
    Refusal,
    /// A player went away.
    Crash,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Ended::Score => "by points",
            Ended::Resignation => "by resignation",
            Ended::Length => "too long",
            Ended::Time => "on time",
            Ended::Timeout => "without an answer",
            Ended::Illegal => "by an illegal move",
            Ended::Refusal => "by a refusal",
            Ended::Crash => "by a crash",
        })
    }
}

/// What a player spent on a game.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Effort {
    /// Moves that it was asked for.
    pub moves: usize,
    /// On all of them.
    pub seconds: f64,
    /// On the one that took longest.
    pub longest: f64,
}

impl Effort {
    /// Counts a move.
    pub fn add(&mut self, seconds: f64) {
        self.moves += 1;
        self.seconds += seconds;
        self.longest = self.longest.max(seconds);
    }

    /// To the millisecond, which is as exact as clocks of other processes are.
    pub fn rounded(self) -> Effort {
        let round = |seconds: f64| (1e3 * seconds).round() / 1e3;
        Effort { moves: self.moves, seconds: round(self.seconds), longest: round(self.longest) }
    }

    /// Counts another game.
    pub fn join(&mut self, other: &Effort) {
        self.moves += other.moves;
        self.seconds += other.seconds;
        self.longest = self.longest.max(other.longest);
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finished {
    /// Its number in the match, from 1; its record is the file of that number.
    pub game: usize,
    /// Who had Black.
    pub black: Side,
    /// Who had White.
    pub white: Side,
    /// As records write it: `B+3.5`, `W+R`, `0`.
    pub result: String,
    /// Who won, if anybody did.
    pub winner: Option<Side>,
    /// How.
    pub ended: Ended,
    /// All moves, those of the opening among them.
    pub moves: usize,
    /// Moves of the opening.
    pub opening: usize,
    /// What the first player spent.
    pub first: Effort,
    /// What the second player spent.
    pub second: Effort,
    /// What was wrong, if something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Who did not play, or count, by the rules of the match, and by which.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Finished {
    /// What a player spent.
    pub fn effort(&self, side: Side) -> &Effort {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}
