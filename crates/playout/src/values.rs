//! The values of all points for one player, and draws from them.
//!
//! Nothing is summed up from move to move: a draw adds up all rows as vectors, a few lanes at a
//! time, which is quicker than keeping sums in order and cannot drift. The sums on the way are kept
//! until the point is found: the last ones give the column, those of the column the row. A point
//! below the cut-off is put back and another drawn, which comes to the same as leaving all of them
//! out and saves a pass over the board.

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

/// Five rows around a point, eight columns from three to the left of it on.
pub(crate) type Window = [f32x8; 5];

/// How much the points near the last move gain.
pub(crate) struct Near {
    /// The factors of a row, by the column of the last move and the rows between, 3 for any farther
    /// away.
    rows: Vec<[Factors; 4]>,
    /// The factors around the last move, by its column: rows lie so close together that a window
    /// may reach into the next one.
    windows: Vec<Window>,
}

type Factors = [[f32; 8]; 4];

/// Rows between: of two places that are 28 apart, none.
const APART: [u8; 64] = {
    let mut apart = [3; 64];
    let mut i = 0;
    while i < 3 {
        apart[28 + i] = i as u8;
        apart[28 - i] = i as u8;
        i += 1;
    }
    apart
};

impl Near {
    /// The points and their factors against points farther away.
    pub(crate) fn new(factors: [(Offset, f32); NEAR]) -> Near {
        let row = |x: i8, dy: i8| -> Factors {
            let mut row = [[1.0; 8]; 4];
            for &(o, factor) in factors.iter().filter(|(o, _)| o.dy == dy && x + o.dx >= 0) {
                row.as_flattened_mut()[(x + o.dx) as usize] = factor;
            }
            row
        };
        let side = Size::MAX.side() as i8;
        let window = |x: i8| {
            let mut window = [[1.0; 8]; 5];
            for &(o, factor) in factors.iter().filter(|(o, _)| (0..side).contains(&(x + o.dx))) {
                window[(o.dy + 2) as usize][(o.dx + 3) as usize] = factor;
            }
            window.map(f32x8::new)
        };
        Near {
            rows: (0..side).map(|x| [0, 1, 2, 3].map(|dy| row(x, dy))).collect(),
            windows: (0..side).map(window).collect(),
        }
    }

    /// The factors around a move.
    #[inline(always)]
    fn window(&self, last: Point) -> &Window {
        &self.windows[last.x() as usize]
    }

    /// The factors of all rows after a move.
    #[inline(always)]
    fn after(&self, last: Option<Point>) -> Rows<'_> {
        let (x, shift) = last.map_or((0, 0), |last| (last.x() as usize, 28 - last.y() as usize));
        Rows { factors: &self.rows[x], shift }
    }
}

/// The factors of all rows.
#[derive(Clone, Copy)]
struct Rows<'a> {
    factors: &'a [Factors; 4],
    shift: usize,
}

impl Rows<'_> {
    #[inline(always)]
    fn row(&self, y: usize) -> &Factors {
        &self.factors[(APART[(y + self.shift) & 63] & 3) as usize]
    }
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

/// Code of its own for the usual sizes: no row or lane too many.
macro_rules! by_size {
    ($size:expr, $self:ident.$draw:ident($($given:expr),*)) => {
        match $size.side() {
            9 => $self.$draw::<2, 9>($($given),*),
            13 => $self.$draw::<2, 13>($($given),*),
            19 => $self.$draw::<3, 19>($($given),*),
            ..=16 => $self.$draw::<2, 16>($($given),*),
            17..=24 => $self.$draw::<3, 24>($($given),*),
            _ => $self.$draw::<4, 25>($($given),*),
        }
    };
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
    pub(crate) fn window(&self, p: Point) -> Window {
        let start = p.index() + PAD - CORNER;
        std::array::from_fn(|i| {
            let row = self.0[start + i * STRIDE..].first_chunk::<8>();
            f32x8::new(*row.expect("the table is long enough"))
        })
    }

    /// Multiplies the window around a point.
    #[inline(always)]
    pub(crate) fn multiply_window(&mut self, p: Point, factors: &Window) {
        let start = p.index() + PAD - CORNER;
        for (i, (row, &factor)) in self.window(p).into_iter().zip(factors).enumerate() {
            *self.eight(start + i * STRIDE) = (row * factor).to_array();
        }
    }

    /// Becomes `values` as they are at this moment, times what was `learned` about points and about
    /// answers to the last move, and draws from that. What was expected of each point is added to
    /// `expected`; what was expected around the last move comes with the point.
    pub(crate) fn draw_learned(
        &mut self,
        values: &Values,
        learned: (&Values, &[Window]),
        expected: &mut Values,
        draws: &Draws<'_>,
        random: &mut Random,
    ) -> Option<(Point, Window)> {
        by_size!(draws.size, self.pick_learned(values, learned, expected, draws, random))
    }

    #[inline(always)]
    fn pick_learned<const N: usize, const SIDE: usize>(
        &mut self,
        values: &Values,
        learned: (&Values, &[Window]),
        expected: &mut Values,
        draws: &Draws<'_>,
        random: &mut Random,
    ) -> Option<(Point, Window)> {
        let (points, answers) = learned;
        for (y, row) in self.rows_mut()[..SIDE].iter_mut().enumerate() {
            let (values, factors) = (&values.rows()[y], &points.rows()[y]);
            for i in 0..N {
                set_eight_of(row, i, eight_of(values, i) * eight_of(factors, i));
            }
        }
        if let Some(last) = draws.last {
            let (near, answers) = (draws.near.window(last), &answers[last.index()]);
            self.multiply_window(last, &std::array::from_fn(|i| near[i] * answers[i]));
        }
        if let Some(ko) = draws.ko {
            self.set(ko, 0.0);
        }
        let rows = &self.rows()[..SIDE];
        let mut shares = [f32x8::ZERO; 5];
        let seen = |total: f32| {
            let scale = f32x8::splat(1.0 / total);
            for (row, now) in expected.rows_mut().iter_mut().zip(rows) {
                for i in 0..N {
                    set_eight_of(row, i, eight_of(row, i) + eight_of(now, i) * scale);
                }
            }
            if let Some(last) = draws.last {
                shares = self.window(last).map(|row| row * scale);
            }
        };
        let eight = |y: usize, i: usize| eight_of(&rows[y], i);
        let value = |x: usize, y: usize| rows[y][x];
        let drawn = match draw_by::<N, SIDE>(random, draws.cut, eight, value, seen) {
            Drawn::Point(p) => Some(p),
            Drawn::Nothing => None,
            Drawn::Below => self.pick_slowly(&Draws { last: None, ko: None, ..*draws }, random),
        };
        drawn.map(|p| (p, shares))
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

    /// The rows of the largest board. Off a smaller one all values are 0.
    #[inline(always)]
    fn rows(&self) -> &[[f32; STRIDE]] {
        self.0[PAD + STRIDE + 1..].as_chunks().0
    }

    #[inline(always)]
    fn rows_mut(&mut self) -> &mut [[f32; STRIDE]] {
        self.0[PAD + STRIDE + 1..].as_chunks_mut().0
    }

    /// The values become those of this very moment: those near the last move raised, none at ko.
    fn come_to_moment(&mut self, draws: &Draws<'_>) {
        if let Some(last) = draws.last {
            self.multiply_window(last, draws.near.window(last));
        }
        if let Some(ko) = draws.ko {
            self.set(ko, 0.0);
        }
    }

    /// The sum of all values.
    fn total(&self) -> f32 {
        let rows = &self.rows()[..Size::MAX.side() as usize];
        sum(&std::array::from_fn::<f32x8, 4, _>(|i| {
            rows.iter().fold(f32x8::ZERO, |sum, row| sum + eight_of(row, i))
        }))
    }

    /// Draws a point by its value; `None` if there is nothing to play.
    #[inline(always)]
    pub(crate) fn draw(&mut self, draws: &Draws<'_>, random: &mut Random) -> Option<Point> {
        let Some(ko) = draws.ko else { return self.pick_any(draws, random) };
        let value = self.get(ko);
        self.set(ko, 0.0);
        let drawn = self.pick_any(draws, random);
        self.set(ko, value);
        drawn
    }

    /// The points that may be drawn with their values, for tests and explanations.
    pub(crate) fn kept(&self, draws: &Draws<'_>) -> Vec<(Point, f32)> {
        let kept = self.without_cut(draws);
        let all = draws.size.points().map(|p| (p, kept.get(p)));
        all.filter(|&(_, value)| value > 0.0).collect()
    }

    /// The values of this moment, those below the cut-off 0 unless all are below.
    fn without_cut(&self, draws: &Draws<'_>) -> Values {
        let mut now = self.clone();
        now.come_to_moment(draws);
        let least = now.total() * draws.cut;
        if now.0.iter().any(|&value| value > 0.0 && value >= least) {
            now.0.iter_mut().filter(|value| **value < least).for_each(|value| *value = 0.0);
        }
        now
    }

    #[inline(always)]
    fn pick_any(&self, draws: &Draws<'_>, random: &mut Random) -> Option<Point> {
        by_size!(draws.size, self.pick(draws, random))
    }

    #[inline(always)]
    fn pick<const N: usize, const SIDE: usize>(
        &self,
        draws: &Draws<'_>,
        random: &mut Random,
    ) -> Option<Point> {
        let near = draws.near.after(draws.last);
        let rows = &self.rows()[..SIDE];
        let eight = |y: usize, i: usize| eight_of(&rows[y], i) * f32x8::new(near.row(y)[i]);
        let value = |x: usize, y: usize| rows[y][x] * near.row(y).as_flattened()[x];
        match draw_by::<N, SIDE>(random, draws.cut, eight, value, |_| ()) {
            Drawn::Point(p) => Some(p),
            Drawn::Nothing => None,
            Drawn::Below => self.pick_slowly(draws, random),
        }
    }

    /// Draws when many moves are below the cut-off, or all.
    #[cold]
    fn pick_slowly(&self, draws: &Draws<'_>, random: &mut Random) -> Option<Point> {
        let kept = self.without_cut(draws);
        let plain = Draws { last: None, ko: None, cut: 0.0, ..*draws };
        kept.pick_any(&plain, random)
    }
}

/// Draws before those below the cut-off are looked for.
const TRIES: usize = 16;

/// What became of a draw.
enum Drawn {
    Point(Point),
    /// There is nothing to draw from.
    Nothing,
    /// Only values below the cut-off were met.
    Below,
}

/// Draws from rows of `eight` values each, none below the cut-off; `seen` gets the sum of all.
// In one piece: the sums are large, and are copied if they are handed on.
#[inline(always)]
fn draw_by<const N: usize, const SIDE: usize>(
    random: &mut Random,
    cut: f32,
    eight: impl Fn(usize, usize) -> f32x8,
    value: impl Fn(usize, usize) -> f32,
    seen: impl FnOnce(f32),
) -> Drawn {
    // The sums of each column up to each row.
    let mut columns = [f32x8::ZERO; N];
    let sums: [[[f32; 8]; N]; SIDE] = std::array::from_fn(|y| {
        std::array::from_fn(|i| {
            columns[i] += eight(y, i);
            columns[i].to_array()
        })
    });
    let total = sum(&columns);
    if total == 0.0 {
        return Drawn::Nothing;
    }
    seen(total);
    let least = total * cut;
    for _ in 0..TRIES {
        let (first, second) = random.two();
        let x = find(&columns, &sums[SIDE - 1], part_of(total, first));
        let target = part_of(sums[SIDE - 1].as_flattened()[x.min(8 * N - 1)], second);
        let before = |sums: &[[f32; 8]; N]| sums.as_flattened()[x.min(8 * N - 1)] <= target;
        let y = sums.iter().fold(0, |y, sums| y + before(sums) as usize);
        // Once in millions of times, by rounding, there is none.
        let found = (x < SIDE) & (y < SIDE);
        if found && value(x, y) >= least {
            return Drawn::Point(Point::from_index((y + 1) * STRIDE + x + 1));
        }
    }
    Drawn::Below
}

/// Eight values of a row.
#[inline(always)]
fn eight_of(row: &[f32; STRIDE], i: usize) -> f32x8 {
    match row.as_chunks().0.get(i) {
        Some(values) => f32x8::new(*values),
        // The last column of the largest board is beyond three vectors.
        None => f32x8::new([row[24], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    }
}

/// Writes eight values of a row.
#[inline(always)]
fn set_eight_of(row: &mut [f32; STRIDE], i: usize, values: f32x8) {
    match row.as_chunks_mut().0.get_mut(i) {
        Some(eight) => *eight = values.to_array(),
        None => row[24] = values.to_array()[0],
    }
}

/// The sum, in an order that is the same on every machine.
#[inline(always)]
fn sum<const N: usize>(values: &[f32x8; N]) -> f32 {
    lanes(values.iter().fold(f32x8::ZERO, |sum, &values| sum + values))
}

/// The sum of eight.
#[inline(always)]
fn lanes(values: f32x8) -> f32 {
    let [a, b, c, d, e, f, g, h] = values.to_array();
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// A random part of the whole: 24 bits, all that fits.
#[inline(always)]
fn part_of(whole: f32, random: u32) -> f32 {
    whole * ((random >> 8) as f32 * (1.0 / (1 << 24) as f32))
}

/// The place at which the running sum of the values passes the target: first which eight, then
/// which of them.
#[inline(always)]
fn find<const N: usize>(values: &[f32x8; N], same: &[[f32; 8]; N], target: f32) -> usize {
    let (mut eight, mut rest, mut passed) = (0, target, 0.0);
    for &values in &values[..N - 1] {
        passed += lanes(values);
        let beyond = passed <= target;
        eight += beyond as usize;
        rest = if beyond { target - passed } else { rest };
    }
    let mut place = 0;
    let mut passed = 0.0;
    for value in same[eight.min(N - 1)] {
        passed += value;
        place += (passed <= rest) as usize;
    }
    // Beyond all eight by rounding: nowhere.
    if place < 8 { 8 * eight + place } else { usize::MAX }
}
