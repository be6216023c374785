//! What is fought for in a room. One side has to *do* something; the other wins if that never happens.

use crate::life::{self, EyeSpace};
use crate::position::Position;
use crate::room::{Cells, Room, Side};

/// What is fought for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Aim {
    /// The attacker wants to take all of these stones of the defender; one of them has to live.
    Take(Cells),
    /// The defender wants these two chains of his to become one; the attacker wants to keep them apart, or to
    /// take one of them.
    Link(Cells, Cells),
}

/// What a look at a position says.
pub(crate) enum Verdict {
    /// This side has won.
    Won(Side),
    /// It is open: what it may cost the attacker, and the defender.
    Open(u32, u32),
}

impl Aim {
    /// The side that has to do something. It may not pass, except where a ko binds it, and loses when it
    /// has no move left: that is how seki counts as life, and two chains that nobody joins as apart.
    #[inline]
    pub(crate) fn doer(self) -> Side {
        match self {
            Aim::Take(_) => Side::Attacker,
            Aim::Link(..) => Side::Defender,
        }
    }

    /// Who has won by what is on the board, without any judgement.
    #[inline]
    pub(crate) fn winner(self, room: &Room, position: &Position) -> Option<Side> {
        let stones = position.of(Side::Defender);
        match self {
            Aim::Take(target) => (stones & target == 0).then_some(Side::Attacker),
            Aim::Link(a, b) if stones & a == 0 || stones & b == 0 => Some(Side::Attacker),
            Aim::Link(a, b) => (room.flood(a & stones, stones) & b != 0).then_some(Side::Defender),
        }
    }

    /// Who has won by what can be seen, or what it may cost to find out.
    pub(crate) fn judge(self, room: &Room, position: &Position) -> Verdict {
        if let Some(winner) = self.winner(room, position) {
            return Verdict::Won(winner);
        }
        match self {
            Aim::Take(target) => {
                let space = EyeSpace::of(room, position);
                if space.holds_one_eye_at_most(room) {
                    Verdict::Won(Side::Attacker)
                } else if life::alive(room, position) & target != 0 {
                    Verdict::Won(Side::Defender)
                } else {
                    let room = space.cells.count_ones();
                    Verdict::Open(1 + room / 2, 1 + 9u32.saturating_sub(room) / 2)
                }
            }
            Aim::Link(a, b) => match gap(room, position, a, b) {
                None => Verdict::Won(Side::Attacker),
                Some((gap, _)) => Verdict::Open(1 + 4u32.saturating_sub(gap) / 2, gap),
            },
        }
    }

    /// The cells near which the fight is: others are read later.
    pub(crate) fn heart(self, room: &Room, position: &Position) -> Cells {
        match self {
            Aim::Take(_) => EyeSpace::of(room, position).cells,
            Aim::Link(a, b) => gap(room, position, a, b).map_or(0, |(_, between)| between),
        }
    }
}

/// How many stones it takes to join two chains if nobody hinders it, and the cells of the shortest ways;
/// `None` if stones that cannot be taken are between them everywhere.
fn gap(room: &Room, position: &Position, a: Cells, b: Cells) -> Option<(u32, Cells)> {
    let attackers = position.of(Side::Attacker);
    let defenders = position.of(Side::Defender);
    let safe = room.flood(attackers & room.anchored, attackers);
    let open = room.inside & !safe;
    let mut layers = [0 as Cells; 24];
    let mut reached = room.flood(a, defenders);
    let goal = room.flood(b, defenders);
    let mut steps = 0;
    loop {
        layers[steps.min(23)] = reached;
        let beside = room.around(reached) & open & !reached;
        if beside & goal != 0 {
            break;
        }
        if beside == 0 {
            return None;
        }
        reached |= beside;
        reached |= room.flood(reached & defenders, defenders);
        steps += 1;
    }
    // Back from the other chain, by cells that are one step nearer each time.
    let mut between = 0;
    let mut front = goal;
    for step in (1..=steps.min(23)).rev() {
        let newer = layers[step] & !layers[step - 1];
        front = room.flood(room.around(front) & newer, newer);
        between |= front;
    }
    Some((steps as u32, between & !defenders))
}
