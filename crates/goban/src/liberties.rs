//! The liberties of one chain as a bit set that can take in four neighbours at once.

use crate::point::{Point, STRIDE};

/// Enough for the last point's window to begin in, and what makes a chain two cache lines.
const BYTES: usize = 120;

/// A set of points, one bit each, in bytes: the four neighbours of a point span 53 bits, which
/// always lie within eight bytes counted from the byte that holds the first.
#[derive(Clone, Copy)]
pub(crate) struct Liberties([u8; BYTES]);

/// Bits of the neighbours down, left, right and up in a window that starts at the one below.
const AROUND: u64 = 1 | 1 << (STRIDE - 1) | 1 << (STRIDE + 1) | 1 << (2 * STRIDE);

/// Bit of the point itself in such a window.
const HERE: u64 = 1 << STRIDE;

/// Spreads the bits 0, 2, 4, 6 of a mask of directions to the places of [`AROUND`]:
/// 2 and 4 move by STRIDE - 3, 6 by twice that; the copies do not meet, so nothing carries.
const SPREAD: u64 = 1 | 1 << (STRIDE - 3) | 1 << (2 * (STRIDE - 3));

impl Liberties {
    pub(crate) const NONE: Liberties = Liberties([0; BYTES]);

    #[inline(always)]
    fn load(&self, start: usize) -> u64 {
        u64::from_le_bytes(self.0[start..start + 8].try_into().expect("eight bytes"))
    }

    #[inline(always)]
    fn store(&mut self, start: usize, bits: u64) {
        self.0[start..start + 8].copy_from_slice(&bits.to_le_bytes());
    }

    /// The window around `p`: the byte it starts at and the place of `p`'s lower neighbour in it.
    #[inline(always)]
    fn window(p: Point) -> (usize, u16) {
        let below = p.step(0);
        (below.index() >> 3, below.0 & 7)
    }

    /// Takes `p` out; 1 if it was there, else 0.
    #[inline(always)]
    pub(crate) fn remove(&mut self, p: Point) -> u16 {
        let (start, shift) = Liberties::window(p);
        let old = self.load(start);
        self.store(start, old & !(HERE << shift));
        (old >> shift >> STRIDE & 1) as u16
    }

    /// Adds `p`; 1 if it was new, else 0.
    #[inline(always)]
    pub(crate) fn insert(&mut self, p: Point) -> u16 {
        let (start, shift) = Liberties::window(p);
        let old = self.load(start);
        self.store(start, old | HERE << shift);
        (!(old >> shift >> STRIDE) & 1) as u16
    }

    /// A stone of the chain was put at `p`: takes `p` out and adds its neighbours in the
    /// directions of the mask (bit `2 d` for direction `d`). Says by how much the set grew.
    #[inline(always)]
    pub(crate) fn extend(&mut self, p: Point, directions: u16) -> i16 {
        let (start, shift) = Liberties::window(p);
        let around = (directions as u64).wrapping_mul(SPREAD) & AROUND;
        let old = self.load(start);
        let new = (old & !(HERE << shift)) | around << shift;
        self.store(start, new);
        new.count_ones() as i16 - old.count_ones() as i16
    }

    /// How many neighbours of `p` in the directions of the mask are in the set.
    #[inline(always)]
    pub(crate) fn count_around(&self, p: Point, directions: u16) -> u16 {
        let (start, shift) = Liberties::window(p);
        let around = (directions as u64).wrapping_mul(SPREAD) & AROUND;
        (self.load(start) & around << shift).count_ones() as u16
    }

    #[inline(always)]
    pub(crate) fn word(&self, w: usize) -> u64 {
        self.load(w * 8)
    }

    #[inline(always)]
    pub(crate) fn set_word(&mut self, w: usize, word: u64) {
        self.store(w * 8, word);
    }

    /// The points, row by row from the bottom.
    #[inline]
    pub(crate) fn iter(&self, words: usize) -> impl Iterator<Item = Point> + '_ {
        (0..words).flat_map(|w| {
            let mut rest = self.word(w);
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let low = rest.trailing_zeros();
                    rest &= rest - 1;
                    Point((w as u32 * 64 + low) as u16)
                })
            })
        })
    }
}
