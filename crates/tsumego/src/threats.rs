//! Who has threats for a ko. Threats are not played but assumed: a side that has one may take back a ko
//! at once, as if it had made a threat elsewhere and had been answered.

use crate::position::{Position, mix};
use crate::room::{Room, Side};

/// How many threats a side has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Supply {
    /// None at all.
    Nothing,
    /// Exactly one.
    One,
    /// As many as it needs.
    Many,
}

/// What is assumed of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Threats {
    /// By side.
    of: [Supply; 2],
    /// Who gains by a repetition: a position may not come again by the will of the other side.
    favours: Side,
}

impl Threats {
    /// So many for a side, so many for the other. A side that has more than all others also gains by a
    /// repetition; else `favours` does.
    pub(crate) fn new(side: Side, own: Supply, others: Supply, favours: Side) -> Threats {
        let mut of = [others; 2];
        of[side as usize] = own;
        let favours = match (own, others) {
            (Supply::Many, Supply::Many) => favours,
            (Supply::Many, _) => side,
            (_, Supply::Many) => side.other(),
            _ => favours,
        };
        Threats { of, favours }
    }

    /// This side has as many as it needs, and the other has none.
    pub(crate) fn all(side: Side) -> Threats {
        Threats::new(side, Supply::Many, Supply::Nothing, side)
    }

    /// This side has one, and the other has none.
    pub(crate) fn one(side: Side, favours: Side) -> Threats {
        Threats::new(side, Supply::One, Supply::Nothing, favours)
    }

    /// Nobody has any: who takes first wins.
    pub(crate) fn none(favours: Side) -> Threats {
        Threats::new(favours, Supply::Nothing, Supply::Nothing, favours)
    }

    /// Who gains by a repetition.
    pub(crate) fn favours(self) -> Side {
        self.favours
    }

    /// Who has many is not bound by a ko.
    #[inline]
    pub(crate) fn normalised(self, mut position: Position) -> Position {
        if self.of[position.to_move as usize] == Supply::Many {
            position.ko = 0;
        }
        position
    }

    /// The ko taken back for the one threat that the side to move still has.
    #[inline]
    pub(crate) fn retaken(self, room: &Room, position: &Position) -> Option<Position> {
        let me = position.to_move as usize;
        let has_one = self.of[me] == Supply::One && position.spent >> me & 1 == 0;
        if position.ko == 0 || !has_one {
            return None;
        }
        position.play_for_threat(room)
    }

    /// A number for it.
    pub(crate) fn key(self) -> u64 {
        let place = (self.of[0] as u64) << 3 | (self.of[1] as u64) << 1 | self.favours as u64;
        mix(0x500 + place)
    }
}
