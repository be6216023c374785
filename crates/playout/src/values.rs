//! The values of all points for one player, and draws from them.
//!
//! Nothing is summed up from move to move: a draw adds up all rows as vectors, a few lanes at a
//! time, which is quicker than keeping sums in order and cannot drift. No step of a draw depends on
//! a branch that chance decides.

use goban::{Point, Size};
use shape::Offset;
use wide::f32x8;

use crate::random::Random;

/// Rows are this far apart in tables that are indexed by [`Point::index`].
const STRIDE: usize = 26;
/// Places before the first point, so that the rows around any point lie in the table.
const PAD: usize = 64;
const LEN: usize = 896;
/// From the corner of the window around a point to the point.
pub(crate) const CORNER: usize = 2 * STRIDE + 3;
/// Points nearer to the last move than "far".
pub(crate) const NEAR: usize = 12;

/// Values of moves, 0 for what may not be played.
#[derive(Clone)]
pub(crate) struct Values([f32; LEN]);

/// Whatever may be played can be drawn, however unlikely, and no sum overflows.
pub(crate) const LEAST: f32 = 1e-20;
pub(crate) const MOST: f32 = 1e20;

/// How much the points near the last move gain.
pub(crate) struct Near {
    factors: [(Offset, f32); NEAR],
    /// The same as the factors of five rows of eight, of which it is the fourth of the third.
    rows: [f32x8; 5],
}

impl Near {
    /// The points and their factors against points farther away.
    pub(crate) fn new(factors: [(Offset, f32); NEAR]) -> Near {
        Near { factors, rows: rows(&factors, |_| true) }
    }

    /// On the largest board a step of two columns from the edge leads to a point of the next row.
    #[cold]
    fn clipped(&self, last: Point, size: Size) -> [f32x8; 5] {
        rows(&self.factors, |o| last.offset(o.dx, o.dy, size).is_some())
    }
}

fn rows(factors: &[(Offset, f32)], on_board: impl Fn(Offset) -> bool) -> [f32x8; 5] {
    let mut rows = [[1.0; 8]; 5];
    for &(o, factor) in factors.iter().filter(|(o, _)| on_board(*o)) {
        rows[(o.dy + 2) as usize][(o.dx + 3) as usize] = factor;
    }
    rows.map(f32x8::new)
}

/// What a draw depends on besides the values.
pub(crate) struct Draws<'a> {
    pub(crate) size: Size,
    pub(crate) near: &'a Near,
    pub(crate) last: Option<Point>,
    pub(crate) ko: Option<Point>,
    /// Moves less likely than this are not drawn.
    pub(crate) cut: f32,
}

impl Values {
    pub(crate) const NONE: Values = Values([0.0; LEN]);

    #[inline(always)]
    pub(crate) fn get(&self, p: Point) -> f32 {
        self.0[p.index() + PAD]
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, p: Point, value: f32) {
        self.0[p.index() + PAD] = value;
    }

    /// Places from one row to the next.
    pub(crate) const ROW: usize = STRIDE;

    /// The same everywhere.
    pub(crate) fn filled(value: f32) -> Values {
        Values([value; LEN])
    }

    /// The places of a board in vectors.
    #[inline(always)]
    fn vectors(size: Size) -> std::ops::Range<usize> {
        // From the first row on, whole rows: edges are 0 in what is summed up.
        let start = PAD + STRIDE;
        start / 8..(start + (size.side() as usize + 1) * STRIDE).div_ceil(8)
    }

    #[inline(always)]
    fn vector(&self, i: usize) -> f32x8 {
        f32x8::new(self.0.as_chunks::<8>().0[i])
    }

    #[inline(always)]
    fn set_vector(&mut self, i: usize, value: f32x8) {
        self.0.as_chunks_mut::<8>().0[i] = value.to_array();
    }

    /// Nothing anywhere.
    pub(crate) fn clear(&mut self, size: Size) {
        Values::vectors(size).for_each(|i| self.set_vector(i, f32x8::ZERO));
    }

    /// Becomes the product of two tables.
    pub(crate) fn product(&mut self, a: &Values, b: &Values, size: Size) {
        Values::vectors(size).for_each(|i| self.set_vector(i, a.vector(i) * b.vector(i)));
    }

    /// Is multiplied by another table.
    pub(crate) fn multiply(&mut self, other: &Values, size: Size) {
        Values::vectors(size).for_each(|i| self.set_vector(i, self.vector(i) * other.vector(i)));
    }

    /// Adds a multiple of another table.
    pub(crate) fn add_scaled(&mut self, other: &Values, scale: f32x8, size: Size) {
        for i in Values::vectors(size) {
            self.set_vector(i, self.vector(i) + other.vector(i) * scale);
        }
    }

    /// Becomes the exponential of another table, which is kept within bounds.
    pub(crate) fn exp_of(&mut self, logs: &mut Values, farthest: f32, size: Size) {
        let (least, most) = (f32x8::splat(-farthest), f32x8::splat(farthest));
        for i in Values::vectors(size) {
            let log = logs.vector(i).max(least).min(most);
            logs.set_vector(i, log);
            self.set_vector(i, log.exp());
        }
    }

    /// The window around a point.
    #[inline(always)]
    pub(crate) fn window(&self, p: Point) -> [f32x8; 5] {
        let start = p.index() + PAD - CORNER;
        std::array::from_fn(|i| {
            let row = self.0[start + i * STRIDE..].first_chunk::<8>();
            f32x8::new(*row.expect("the table is long enough"))
        })
    }

    /// Multiplies the window around a point.
    #[inline(always)]
    pub(crate) fn multiply_window(&mut self, p: Point, factors: &[f32x8; 5]) {
        let start = p.index() + PAD - CORNER;
        for (i, (row, &factor)) in self.window(p).into_iter().zip(factors).enumerate() {
            *self.eight(start + i * STRIDE) = (row * factor).to_array();
        }
    }

    /// Like [`Values::draw`]; `watch` sees the values of the moment and their sum.
    pub(crate) fn draw_watched(
        &mut self,
        draws: &Draws<'_>,
        random: &mut Random,
        watch: impl FnOnce(&Values, f32),
    ) -> Option<Point> {
        let (side, cut) = (draws.size.side() as usize, draws.cut);
        self.at_moment(draws, |values| {
            let total = sum(&values.columns::<4>(side, 0.0));
            if total > 0.0 {
                watch(values, total);
            }
            values.pick_any(side, cut, random)
        })
    }

    #[inline(always)]
    fn pick_any(&self, side: usize, cut: f32, random: &mut Random) -> Option<Point> {
        // Code of its own for the usual sizes: loops of known length.
        match side {
            9 => self.pick::<2>(9, cut, random),
            13 => self.pick::<2>(13, cut, random),
            19 => self.pick::<3>(19, cut, random),
            side @ ..=16 => self.pick::<2>(side, cut, random),
            side @ ..=24 => self.pick::<3>(side, cut, random),
            side => self.pick::<4>(side, cut, random),
        }
    }

    /// Copies the rows of a board.
    pub(crate) fn copy_from(&mut self, other: &Values, size: Size) {
        let end = PAD + (size.side() as usize + 1) * STRIDE;
        self.0[PAD..end].copy_from_slice(&other.0[PAD..end]);
    }

    /// Eight values from a place on.
    #[inline(always)]
    fn eight(&mut self, at: usize) -> &mut [f32; 8] {
        self.0[at..].first_chunk_mut().expect("the table is long enough")
    }

    /// Does something with the values of this very moment: those near the last move raised, none
    /// at ko.
    #[inline(always)]
    fn at_moment<T>(&mut self, draws: &Draws<'_>, act: impl FnOnce(&Values) -> T) -> T {
        let mut plain = [f32x8::ZERO; 5];
        let corner = |last: Point| last.index() + PAD - CORNER;
        if let Some(last) = draws.last {
            let mut rows = &draws.near.rows;
            let clipped;
            if draws.size == Size::MAX {
                clipped = draws.near.clipped(last, draws.size);
                rows = &clipped;
            }
            for (i, (plain, &factors)) in plain.iter_mut().zip(rows).enumerate() {
                // Off the board all values are 0.
                let values = self.eight(corner(last) + i * STRIDE);
                *plain = f32x8::new(*values);
                *values = (*plain * factors).to_array();
            }
        }
        let at_ko = draws.ko.map(|ko| {
            let value = self.get(ko);
            self.set(ko, 0.0);
            (ko, value)
        });
        let done = act(self);
        if let Some((ko, value)) = at_ko {
            self.set(ko, value);
        }
        if let Some(last) = draws.last {
            for (i, plain) in plain.into_iter().enumerate() {
                *self.eight(corner(last) + i * STRIDE) = plain.to_array();
            }
        }
        done
    }

    /// Draws a point by its value; `None` if there is nothing to play.
    #[inline(always)]
    pub(crate) fn draw(&mut self, draws: &Draws<'_>, random: &mut Random) -> Option<Point> {
        let (side, cut) = (draws.size.side() as usize, draws.cut);
        self.at_moment(draws, |values| values.pick_any(side, cut, random))
    }

    /// The points that may be drawn with their values, for tests and explanations.
    pub(crate) fn kept(&mut self, draws: &Draws<'_>) -> Vec<(Point, f32)> {
        let side = draws.size.side() as usize;
        self.at_moment(draws, |values| {
            let total = sum(&values.columns::<4>(side, 0.0));
            let possible = |least: f32| {
                let of = |p: Point| (p, values.get(p));
                let all = draws.size.points().map(of).filter(move |&(_, v)| v > 0.0);
                all.filter(move |&(_, v)| v >= least).collect::<Vec<_>>()
            };
            let kept = possible(total * draws.cut);
            if kept.is_empty() { possible(0.0) } else { kept }
        })
    }

    /// The sums by column of the values that are not below `least`.
    #[inline(always)]
    fn columns<const N: usize>(&self, side: usize, least: f32) -> [f32x8; N] {
        let least = f32x8::splat(least);
        let (rows, _) = self.0[PAD + STRIDE + 1..].as_chunks::<STRIDE>();
        // Two sums side by side: an addition need not wait for the one before.
        let mut columns = [[f32x8::ZERO; N]; 2];
        for (y, row) in rows[..side].iter().enumerate() {
            for (i, column) in columns[y % 2].iter_mut().enumerate() {
                // The last column of the largest board is beyond three vectors.
                let values = match row.as_chunks::<8>().0.get(i) {
                    Some(values) => f32x8::new(*values),
                    None => f32x8::new([row[24], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
                };
                *column += values & values.simd_ge(least);
            }
        }
        std::array::from_fn(|i| columns[0][i] + columns[1][i])
    }

    #[inline(always)]
    fn pick<const N: usize>(&self, side: usize, cut: f32, random: &mut Random) -> Option<Point> {
        let total = sum(&self.columns::<N>(side, 0.0));
        if total == 0.0 {
            return None;
        }
        let mut least = total * cut;
        let mut columns = self.columns::<N>(side, least);
        let mut kept = sum(&columns);
        if kept == 0.0 {
            // If all are below the cut-off, none is cut off.
            least = 0.0;
            columns = self.columns::<N>(side, 0.0);
            kept = total;
        }
        loop {
            let (first, second) = random.two();
            let x = find(&columns, side, kept, first);
            let mut column = [[0.0; 8]; N];
            for (y, value) in column.as_flattened_mut().iter_mut().take(side).enumerate() {
                *value = self.0[PAD + (y + 1) * STRIDE + x + 1];
            }
            let column = column.map(|values| {
                let values = f32x8::new(values);
                values & values.simd_ge(f32x8::splat(least))
            });
            let whole = columns.map(f32x8::to_array).as_flattened()[x.min(8 * N - 1)];
            let y = find(&column, side, whole, second);
            if (x < side) & (y < side) {
                return Some(Point::from_index((y + 1) * STRIDE + x + 1));
            }
        }
    }
}

/// The sum, in an order that is the same on every machine.
#[inline(always)]
fn sum<const N: usize>(values: &[f32x8; N]) -> f32 {
    let lanes = values.iter().fold(f32x8::ZERO, |sum, &values| sum + values);
    let [a, b, c, d, e, f, g, h] = lanes.to_array();
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// The place at which the running sum of the values passes a random part of the whole; once in
/// millions of times, by rounding, none.
#[inline(always)]
fn find<const N: usize>(values: &[f32x8; N], side: usize, whole: f32, random: u32) -> usize {
    // 24 bits, all that fits.
    let target = whole * ((random >> 8) as f32 * (1.0 / (1 << 24) as f32));
    let values = values.map(f32x8::to_array);
    let mut sums = [[f32::INFINITY; 8]; N];
    let mut passed = 0.0;
    let places = sums.as_flattened_mut().iter_mut().zip(values.as_flattened());
    for (sum, value) in places.take(side) {
        passed += value;
        *sum = passed;
    }
    let before = |sums: [f32; 8]| {
        f32x8::new(sums).simd_le(f32x8::splat(target)).to_bitmask().count_ones() as usize
    };
    sums.into_iter().map(before).sum()
}
