//! A position in a closed room: stones of both sides, the ko, whose turn it is.
//!
//! Copied for every move; a chain and its liberties are found by flooding, which in a small room
//! takes a few shifts.

use crate::room::{Cells, Room, Side, each};

/// Stones, ko and turn. What depends on the room is asked with the room at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    pub(crate) stones: [Cells; 2],
    /// The cell that may not be played now because it takes back a ko, or nothing.
    pub(crate) ko: Cells,
    pub(crate) to_move: Side,
    /// Which sides have spent the one threat they had: a bit for each.
    pub(crate) spent: u8,
    /// Hash of the stones.
    pub(crate) hash: u64,
}

impl Position {
    pub(crate) fn new(attacker: Cells, defender: Cells, to_move: Side) -> Position {
        let mut position =
            Position { stones: [attacker, defender], ko: 0, to_move, spent: 0, hash: 0 };
        for side in [Side::Attacker, Side::Defender] {
            for cell in each(position.of(side)) {
                position.hash ^= stone_key(side, cell);
            }
        }
        position
    }

    #[inline]
    pub(crate) fn of(&self, side: Side) -> Cells {
        self.stones[side as usize]
    }

    #[inline]
    pub(crate) fn stones(&self) -> Cells {
        self.stones[0] | self.stones[1]
    }

    #[inline]
    pub(crate) fn empties(&self, room: &Room) -> Cells {
        room.inside & !self.stones()
    }

    /// A number for stones, ko, threats spent and turn.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        let turn = if self.to_move == Side::Attacker { 0 } else { 0x9e37_79b9_7f4a_7c15 };
        let ko = if self.ko == 0 { 0 } else { mix(0x300 + u64::from(self.ko.trailing_zeros())) };
        let spent = if self.spent == 0 { 0 } else { mix(0x400 + u64::from(self.spent)) };
        self.hash ^ turn ^ ko ^ spent
    }

    /// Whether a chain cannot be taken because it is part of the wall.
    #[inline]
    pub(crate) fn is_anchored(room: &Room, side: Side, chain: Cells) -> bool {
        match side {
            Side::Attacker => chain & room.anchored != 0,
            Side::Defender => chain & room.befriended != 0,
        }
    }

    /// The stones taken by a stone of the side to move at `cell`.
    #[inline]
    pub(crate) fn taken(&self, room: &Room, cell: Cells) -> Cells {
        let (me, he) = (self.to_move, self.to_move.other());
        let mine = self.of(me) | cell;
        let his = self.of(he);
        let free = room.inside & !(mine | his);
        let mut taken = 0;
        let mut beside = room.around(cell) & his;
        while beside != 0 {
            let chain = room.flood(beside & beside.wrapping_neg(), his);
            beside &= !chain;
            if room.around(chain) & free == 0 && !Position::is_anchored(room, he, chain) {
                taken |= chain;
            }
        }
        taken
    }

    /// The position after a stone at an empty cell, unless it is suicide. The ko ban is not asked
    /// for here.
    pub(crate) fn play(&self, room: &Room, cell: Cells) -> Option<Position> {
        let (me, he) = (self.to_move, self.to_move.other());
        let taken = self.taken(room, cell);
        let mut next = *self;
        next.stones[me as usize] |= cell;
        next.stones[he as usize] &= !taken;
        let chain = room.flood(cell, next.of(me));
        let liberties = room.around(chain) & next.empties(room);
        let anchored = Position::is_anchored(room, me, chain);
        if liberties == 0 && !anchored {
            return None;
        }
        let is_ko = taken.count_ones() == 1 && chain == cell && liberties == taken && !anchored;
        next.ko = if is_ko { taken } else { 0 };
        next.hash ^= stone_key(me, cell);
        for stone in each(taken) {
            next.hash ^= stone_key(he, stone);
        }
        next.to_move = he;
        Some(next)
    }

    /// The position after taking back the ko that is banned, for a threat.
    pub(crate) fn play_for_threat(&self, room: &Room) -> Option<Position> {
        let spent = self.spent | 1 << self.to_move as u8;
        self.play(room, self.ko).map(|next| Position { spent, ..next })
    }

    /// The position after a pass.
    #[inline]
    pub(crate) fn pass(&self) -> Position {
        Position { ko: 0, to_move: self.to_move.other(), ..*self }
    }
}

#[inline]
fn stone_key(side: Side, cell: Cells) -> u64 {
    mix((side as u64) << 7 | u64::from(cell.trailing_zeros()))
}

/// A well mixed number (the finaliser of splitmix64).
#[inline]
pub(crate) fn mix(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
