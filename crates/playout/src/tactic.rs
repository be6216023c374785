//! The tactical features of a point for both players at once, as one factor each.
//!
//! The same facts as [`policy::tactics`], which defines them, in the order and with the shortcuts
//! that suit playouts: nearly all points have no chain with one or two liberties around, and then
//! the neighbours alone tell.

use goban::{After, Board, Cell, Color, Point, Ring};
use policy::{Meaning, Model, Use};

/// Factors of the tactical features, the filter applied.
#[derive(Clone)]
pub(crate) struct Tactic {
    /// By stones (1, 2, 3 and more) and increase (-1, 0, 1, 2 and more).
    tori: [[f32; 4]; 3],
    /// By stones, liberties (1, 2) and increase.
    nobi: [[[f32; 4]; 2]; 3],
    ate: [f32; 3],
    rescue: [f32; 3],
    self_atari: [f32; 3],
}

fn few(stones: usize) -> usize {
    stones.min(3) - 1
}

fn gain(after: usize, before: usize) -> usize {
    (after + 1).saturating_sub(before).min(3)
}

impl Tactic {
    /// The factors of a model for playouts.
    pub(crate) fn new(model: &Model) -> Tactic {
        let weight = |meaning: Meaning| {
            let feature = Use::Mc.number(meaning).expect("a feature of playouts");
            model.feature_weight(feature).powf(model.filter)
        };
        let stones = [1, 2, 3];
        let increases = [-1, 0, 1, 2];
        Tactic {
            tori: stones.map(|n| increases.map(|i| weight(Meaning::Tori(n, i)))),
            nobi: stones
                .map(|n| [1, 2].map(|l| increases.map(|i| weight(Meaning::Nobi(n, l, i, false))))),
            ate: stones.map(|n| weight(Meaning::Ate(n, false))),
            rescue: stones.map(|n| weight(Meaning::Rescue(n))),
            self_atari: stones.map(|n| weight(Meaning::SelfAtari(n))),
        }
    }

    /// The factors of the empty point `p` for black and white, 0 where the move is suicide or fills
    /// an own eye, and whether a chain with one or two liberties is around. Ko is not looked at.
    #[inline]
    pub(crate) fn of(&self, board: &Board, p: Point) -> ([f32; 2], bool) {
        let ring = board.ring(p);
        if board.fewest_liberties_around(p) > 2 {
            return (Color::BOTH.map(|color| self.calm(ring, color)), false);
        }
        (self.close(board, p, ring), true)
    }

    /// Every chain around has three liberties or more: a friend means life, and without one the
    /// stone has the liberties it finds.
    #[inline(always)]
    fn calm(&self, ring: Ring, color: Color) -> f32 {
        let alone = [0.0, self.self_atari[0], 1.0, 1.0, 1.0][ring.liberties() as usize];
        let factor = if ring.has_neighbour(color) { 1.0 } else { alone };
        if ring.is_eye_of(color) { 0.0 } else { factor }
    }

    /// Some chain around has one or two liberties.
    fn close(&self, board: &Board, p: Point, ring: Ring) -> [f32; 2] {
        let around = board.around(p);
        // The chain after the move matters only if a chain with few liberties joins it or there is
        // little room.
        let cramped = ring.liberties() < 2;
        let after = Color::BOTH.map(|color| {
            let own = around.of(color);
            let calm =
                own.among(around.in_atari).is_empty() & own.among(around.with_two).is_empty();
            if cramped | !calm {
                board.after_move_among(p, color, &around)
            } else {
                After { length: 1, liberties: 4 }
            }
        });
        Color::BOTH.map(|color| {
            let (own, other) = (around.of(color), around.of(!color));
            let joined = after[color.index()];
            if (joined.liberties == 0) | ring.is_eye_of(color) {
                return 0.0;
            }
            let length = |d: usize| few(around.lengths[d] as usize);
            let mut factor = 1.0;
            if joined.liberties == 1 {
                factor = self.self_atari[few(joined.length)];
            }
            for d in own.among(around.in_atari).iter() {
                factor *= self.nobi[length(d)][0][gain(joined.liberties, 1)];
            }
            for d in own.among(around.with_two).iter() {
                factor *= self.nobi[length(d)][1][gain(joined.liberties, 2)];
            }
            for d in other.among(around.with_two).iter() {
                factor *= self.ate[length(d)];
            }
            let captured = other.among(around.in_atari);
            if !captured.is_empty() {
                let stones: u16 = captured.iter().map(|d| around.lengths[d]).sum();
                let running = after[(!color).index()].liberties;
                factor *= self.tori[few(stones as usize)][gain(running, 1)];
                factor *= self.rescues(board, p, color);
            }
            factor
        })
    }

    /// The product over the own chains in atari that touch a chain captured at `p`.
    #[cold]
    fn rescues(&self, board: &Board, p: Point, color: Color) -> f32 {
        let mut seen = [None; 16];
        let mut count = 0;
        let mut factor = 1.0;
        for enemy in board.chains_around(p, !color).filter(|&c| board.liberty_count(c) == 1) {
            for stone in board.chain_stones(enemy) {
                for q in board.neighbours(stone).filter(|&q| board.cell(q) == Cell::from(color)) {
                    let friend = board.chain(q);
                    let in_atari = friend.is_some_and(|f| board.liberty_count(f) == 1);
                    if in_atari && count < seen.len() && !seen[..count].contains(&friend) {
                        seen[count] = friend;
                        count += 1;
                        factor *= self.rescue[few(board.length(friend.expect("a chain")))];
                    }
                }
            }
        }
        factor
    }
}
