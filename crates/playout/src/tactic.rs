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
        // Direction by direction, with table entries of 1 for what is not there instead of
        // branches: nobody could guess them.
        let around = board.around(p);
        let mut stones_in_atari = [0; 2];
        let mut ate = [1.0; 2];
        let mut has_few = [false; 2];
        for (d, chain) in around.iter().enumerate() {
            let owner = (ring.cell(d) == Cell::White) as usize;
            let liberties = if chain.stone { chain.liberties.min(3) } else { 3 };
            let length = few(chain.length.max(1) as usize);
            stones_in_atari[owner] += if liberties == 1 { chain.length as usize } else { 0 };
            ate[owner] *= if liberties == 2 { self.ate[length] } else { 1.0 };
            has_few[owner] |= liberties <= 2;
        }
        // The chain after the move matters only if a chain with few liberties joins it or there is
        // little room.
        let cramped = ring.liberties() < 2;
        let after = Color::BOTH.map(|color| {
            if cramped | has_few[color.index()] {
                board.after_move_among(p, color, &around)
            } else {
                After { length: 1, liberties: 4 }
            }
        });
        Color::BOTH.map(|color| {
            let (own, other) = (color.index(), (!color).index());
            if after[own].liberties == 0 || ring.is_eye_of(color) {
                return 0.0;
            }
            let mut factor = ate[other];
            if after[own].liberties == 1 {
                factor *= self.self_atari[few(after[own].length)];
            }
            if has_few[own] {
                for (d, chain) in around.iter().enumerate() {
                    let mine = chain.stone & (ring.cell(d) == Cell::from(color));
                    if mine & (chain.liberties <= 2) {
                        let before = chain.liberties as usize;
                        let increase = gain(after[own].liberties, before);
                        factor *= self.nobi[few(chain.length as usize)][before - 1][increase];
                    }
                }
            }
            if stones_in_atari[other] > 0 {
                let increase = gain(after[other].liberties, 1);
                factor *= self.tori[few(stones_in_atari[other])][increase];
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
