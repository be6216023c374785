//! What is around a point, and what a stone there would lead to, without playing it.

use super::{Board, Chain};
use crate::color::Color;
use crate::point::Point;

/// Some of the four directions down, left, right and up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Directions(u16);

impl Directions {
    /// Whether there is none.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The first of some.
    #[inline(always)]
    const fn first(self) -> usize {
        self.0.trailing_zeros() as usize / 2
    }

    /// The directions of a mask, bit `2 d` for direction `d`.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Directions {
        Directions(bits)
    }

    /// Those that are in `others` too.
    #[inline(always)]
    pub const fn among(self, others: Directions) -> Directions {
        Directions(self.0 & others.0)
    }

    /// The directions as numbers 0 to 3.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let d = rest.trailing_zeros() as usize / 2;
                rest &= rest - 1;
                d & 3
            })
        })
    }
}

/// The chains next to a point, direction by direction.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    /// The chain of each direction that has one.
    pub chains: [Chain; 4],
    /// Its liberties.
    pub liberties: [u16; 4],
    /// Its stones.
    pub lengths: [u16; 4],
    /// Directions of black and white stones; a chain that is there twice counts once.
    stones: [Directions; 2],
    /// Directions of chains with one liberty.
    pub in_atari: Directions,
    /// Directions of chains with two liberties.
    pub with_two: Directions,
}

impl Around {
    /// The directions of the chains of `color`, each chain once.
    #[inline(always)]
    pub const fn of(&self, color: Color) -> Directions {
        self.stones[color.index()]
    }
}

/// A chain after a move that was not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct After {
    /// Its stones.
    pub length: usize,
    /// Its liberties.
    pub liberties: usize,
}

impl Board {
    /// The chain that a stone of `color` at the empty point `p` would belong to: its stones and its
    /// liberties, captures taken off. A suicide has no liberties.
    #[inline]
    pub fn after_move(&self, p: Point, color: Color) -> After {
        self.after_move_among(p, color, &self.around(p))
    }

    /// Like [`Board::after_move`], for those who know already what is [`Board::around`] the point.
    #[inline]
    pub fn after_move_among(&self, p: Point, color: Color, around: &Around) -> After {
        let own = around.of(color);
        let taken = around.of(!color).among(around.in_atari);
        let length = 1 + own.iter().map(|d| around.lengths[d]).sum::<u16>();
        let liberties = self.liberties_after(u16::MAX, p, &around.chains, own, taken);
        After { length: length as usize, liberties: liberties as usize }
    }

    /// The liberties of a stone at the empty point `p` when it joins the chains in the directions
    /// `own` and takes off those in the directions `taken`. Once there are `enough` they need not
    /// all be counted.
    #[inline(always)]
    pub fn liberties_after(
        &self,
        enough: u16,
        p: Point,
        chains: &[Chain; 4],
        own: Directions,
        taken: Directions,
    ) -> u16 {
        let empties = self.sites[p].ring.empties();
        let room = empties.count_ones() as u16;
        let mut liberties = match own.len() {
            0 => room,
            1 => {
                // p itself goes, the empty neighbours that the chain did not touch come.
                let body = &self.bodies[chains[own.first() & 3].index()];
                body.count - 1 + room - body.liberties.count_around(p, empties)
            }
            _ => {
                let count = |d: usize| self.bodies[chains[d].index()].count;
                let most = own.iter().map(count).max().unwrap_or(1) - 1;
                if most >= enough { most } else { self.after_joining(p, own, chains, empties) }
            }
        };
        if !taken.is_empty() & (liberties < enough) {
            liberties += self.freed_by(p, own, taken, chains);
        }
        liberties
    }

    /// Liberties of the chains in the directions `own`, joined at `p`.
    fn after_joining(&self, p: Point, own: Directions, chains: &[Chain; 4], empties: u16) -> u16 {
        let words = self.size.words();
        let mut union = self.bodies[chains[own.first() & 3].index()].liberties;
        for d in own.iter().skip(1) {
            let body = &self.bodies[chains[d].index()];
            for w in 0..words {
                union.set_word(w, union.word(w) | body.liberties.word(w));
            }
        }
        union.extend(p, empties);
        (0..words).map(|w| union.word(w).count_ones() as u16).sum()
    }

    /// Stones of the chains `taken` off by a move at `p` that become liberties of the stone there
    /// and its friends.
    fn freed_by(&self, p: Point, own: Directions, taken: Directions, chains: &[Chain; 4]) -> u16 {
        let is_own = |chain: Chain| own.iter().any(|d| chains[d] == chain);
        let touches =
            |q: Point| (0..4).map(|d| q.step(d)).any(|n| n == p || is_own(self.sites[n].chain));
        let freed = |d: usize| match self.bodies[chains[d].index()].length {
            // A stone by itself touches p.
            1 => 1,
            _ => self.chain_stones(chains[d]).filter(|&q| touches(q)).count() as u16,
        };
        taken.iter().map(freed).sum()
    }

    /// The chain in each of the four directions; where there is none, one that has no stones.
    #[inline(always)]
    pub fn chains_beside(&self, p: Point) -> [Chain; 4] {
        std::array::from_fn(|d| self.sites[p.step(d)].chain)
    }

    /// The chains next to `p`, direction by direction.
    #[inline(always)]
    pub fn around(&self, p: Point) -> Around {
        let ring = self.sites[p].ring;
        let [a, b, c, d]: [Chain; 4] = std::array::from_fn(|d| self.sites[p.step(d)].chain);
        let seen = [false, b == a, (c == a) | (c == b), (d == a) | (d == b) | (d == c)];
        let again = (1..4).fold(0, |mask, d| mask | (seen[d] as u16) << (2 * d));
        let chains = [a, b, c, d];
        let mut around = Around {
            chains,
            liberties: chains.map(|chain| self.bodies[chain.index()].count),
            lengths: chains.map(|chain| self.bodies[chain.index()].length),
            stones: Color::BOTH.map(|color| Directions(ring.stones(color) & !again)),
            in_atari: Directions(0),
            with_two: Directions(0),
        };
        for d in 0..4 {
            around.in_atari.0 |= ((around.liberties[d] == 1) as u16) << (2 * d);
            around.with_two.0 |= ((around.liberties[d] == 2) as u16) << (2 * d);
        }
        around
    }

    /// Liberties of the chain next to `p` that has fewest, of either colour; many if there is none.
    #[inline]
    pub fn fewest_liberties_around(&self, p: Point) -> usize {
        // The dummy chain of empty points and edges has more than any other.
        let count = |d: usize| self.bodies[self.sites[p.step(d)].chain.index()].count;
        count(0).min(count(1)).min(count(2).min(count(3))) as usize
    }
}
