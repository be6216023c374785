//! For tests: who wins in a small room, by looking at every position that can come up.
//!
//! No judgement of eyes, no order of moves, no numbers: all positions are listed, and the result runs
//! back from the ends. What is decided by that is decided; a position from which play goes round
//! forever falls to the side that gains by repetition.

use std::collections::HashMap;

use crate::aim::Aim;
use crate::position::Position;
use crate::room::{Room, Side, each};
use crate::threats::Threats;

/// Positions that are listed at most.
const MOST: usize = 400_000;

/// Everything that can come up from a position.
pub(crate) struct Exhaustive {
    places: HashMap<Name, usize>,
    wins: Vec<bool>,
}

type Name = (u128, u128, u128, bool, u8);

fn name(position: &Position) -> Name {
    let [attacker, defender] = position.stones;
    let is_attacker = position.to_move == Side::Attacker;
    (attacker, defender, position.ko, is_attacker, position.spent)
}

impl Exhaustive {
    /// Lists all positions; `None` if there are too many.
    pub(crate) fn new(
        room: &Room,
        aim: Aim,
        threats: Threats,
        root: &Position,
    ) -> Option<Exhaustive> {
        let free = |position: Position| threats.normalised(position);
        let root = free(*root);
        let mut places = HashMap::from([(name(&root), 0)]);
        let mut positions = vec![root];
        let mut next: Vec<Vec<usize>> = Vec::new();
        let mut at = 0;
        while at < positions.len() {
            let position = positions[at];
            let mut after = Vec::new();
            if aim.winner(room, &position).is_none() {
                let empties = position.empties(room) & !position.ko;
                after.extend(each(empties).filter_map(|cell| position.play(room, cell)).map(free));
                after.extend(threats.retaken(room, &position).map(free));
                if position.to_move != aim.doer() || position.ko != 0 {
                    after.push(free(position.pass()));
                }
            }
            let mut children = Vec::new();
            for child in after {
                let fresh = positions.len();
                let place = *places.entry(name(&child)).or_insert(fresh);
                if place == fresh {
                    positions.push(child);
                }
                children.push(place);
            }
            next.push(children);
            at += 1;
            if positions.len() > MOST {
                return None;
            }
        }
        // The side that does not gain by repetition must force its end.
        let forcing = threats.favours().other();
        let mut forced = vec![false; positions.len()];
        loop {
            let mut changed = false;
            for (i, position) in positions.iter().enumerate() {
                if forced[i] {
                    continue;
                }
                let won = if let Some(winner) = aim.winner(room, position) {
                    forcing == winner
                } else if next[i].is_empty() {
                    // Who has to do something has no move.
                    forcing != aim.doer()
                } else if position.to_move == forcing {
                    next[i].iter().any(|&j| forced[j])
                } else {
                    next[i].iter().all(|&j| forced[j])
                };
                if won {
                    forced[i] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let wins = positions
            .iter()
            .zip(&forced)
            .map(|(position, &forced)| forced == (position.to_move == forcing))
            .collect();
        Some(Exhaustive { places, wins })
    }

    /// Whether the side to move wins a position that can come up.
    pub(crate) fn wins(&self, position: &Position) -> Option<bool> {
        self.places.get(&name(position)).map(|&place| self.wins[place])
    }
}
