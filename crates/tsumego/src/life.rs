//! Life that no sequence of attacking moves can take (Benson's theorem).

use crate::position::Position;
use crate::room::{Cells, Room, Side};

/// The defender's stones that live even if he always passes.
pub(crate) fn alive(room: &Room, position: &Position) -> Cells {
    let stones = position.of(Side::Defender);
    let friends = room.flood(stones & room.befriended, stones);
    let empties = position.empties(room);
    // The places between his stones, and what each touches. A place at the wall is no eye: the wall
    // has liberties outside.
    let mut places: [(Cells, Cells); 48] = [(0, 0); 48];
    let mut count = 0;
    let mut rest = room.inside & !stones;
    while rest != 0 && count < places.len() {
        let place = room.flood(rest & rest.wrapping_neg(), rest);
        rest &= !place;
        if place & room.anchored == 0 {
            places[count] = (place, room.around(place) & stones);
            count += 1;
        }
    }
    if count < 2 && friends == 0 {
        return 0;
    }
    let mut living = stones;
    loop {
        let mut kept = friends;
        let mut rest = living & !friends;
        while rest != 0 {
            let chain = room.flood(rest & rest.wrapping_neg(), living);
            rest &= !chain;
            let liberties = room.around(chain);
            let eyes = places[..count]
                .iter()
                .filter(|(place, around)| {
                    around & !living == 0
                        && place & empties & !liberties == 0
                        && around & chain != 0
                })
                .count();
            if eyes >= 2 {
                kept |= chain;
            }
        }
        if kept == living {
            return living;
        }
        living = kept;
        if living == 0 {
            return 0;
        }
    }
}

/// Whether an empty cell is an eye that the defender need not fill: all around is one chain of his, and
/// a stone there would not reach a friend.
pub(crate) fn is_solid_eye(room: &Room, position: &Position, cell: Cells) -> bool {
    let stones = position.of(Side::Defender);
    let around = room.around(cell);
    if around & !stones != 0 || cell & (room.anchored | room.befriended) != 0 {
        return false;
    }
    let chain = room.flood(around & around.wrapping_neg(), stones);
    around & !chain == 0
}

/// Where the defender may still have eyes.
pub(crate) struct EyeSpace {
    /// Cells without a stone of his that no stone of the wall touches: only these can be in an eye.
    pub(crate) cells: Cells,
    /// Whether he may still reach a friend.
    reaches_friend: bool,
}

impl EyeSpace {
    #[inline]
    pub(crate) fn of(room: &Room, position: &Position) -> EyeSpace {
        let attackers = position.of(Side::Attacker);
        let safe = room.flood(attackers & room.anchored, attackers);
        let touched = safe | room.around(safe) | room.anchored;
        let defenders = position.of(Side::Defender);
        let reaches_friend = room.befriended != 0
            && room.flood(defenders, room.inside & !safe) & room.befriended != 0;
        EyeSpace { cells: room.inside & !touched & !defenders, reaches_friend }
    }

    /// Whether all there is makes one eye at most, and no friend helps. Then he is dead: all other
    /// liberties can be filled from the wall. (It is taken for granted that his stones on the board stay there; he
    /// might also live under stones that were taken.)
    #[inline]
    pub(crate) fn holds_one_eye_at_most(&self, room: &Room) -> bool {
        match self.cells.count_ones() {
            _ if self.reaches_friend => false,
            0 | 1 => true,
            2 => room.around(self.cells & self.cells.wrapping_neg()) & self.cells != 0,
            _ => false,
        }
    }
}
