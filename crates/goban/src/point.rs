//! Points, board sizes, and tables and sets indexed by points.
//!
//! All sizes share one stride, so a [`Point`] means the same column and row on every board and its
//! four neighbours lie at constant offsets. The rows are 26 apart: 25 columns and one column of
//! edge, which is the right edge of one row and the left edge of the next.

use std::fmt;
use std::ops::{Index, IndexMut};

/// Distance between a point and the one above it.
pub(crate) const STRIDE: u16 = 26;

/// Length of a table with an entry for every point of the largest board and the edges around it.
pub(crate) const POINTS: usize = 704;

/// Number of 64-bit words of a [`PointSet`].
pub(crate) const WORDS: usize = POINTS / 64;

/// Column letters; `I` is left out, as everywhere in Go.
const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// A point of the board, the same for every board size: column 0 is `A`, row 0 is `1` (the bottom).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(pub(crate) u16);

impl Point {
    /// The point at column `x` from the left and row `y` from the bottom, both from 0.
    ///
    /// # Panics
    /// If `x` or `y` is not below 25.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Point {
        assert!(x < Size::MAX.0 && y < Size::MAX.0, "no such point");
        Point((y as u16 + 1) * STRIDE + x as u16 + 1)
    }

    /// Column from the left, from 0.
    #[inline]
    pub const fn x(self) -> u8 {
        ((self.0 - 1) % STRIDE) as u8
    }

    /// Row from the bottom, from 0.
    #[inline]
    pub const fn y(self) -> u8 {
        ((self.0 - 1) / STRIDE) as u8 - 1
    }

    /// The point's place in tables of length [`PointMap::LEN`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The point at a place in tables; the opposite of [`Point::index`].
    #[inline]
    pub const fn from_index(index: usize) -> Point {
        Point(index as u16)
    }

    /// The neighbour in direction `d` (0 to 7, as in [`crate::Ring`]) of a point of a board; at the
    /// edge that may not be a point of it.
    #[inline]
    pub const fn neighbour(self, d: usize) -> Point {
        self.step(d)
    }

    /// The neighbouring table place in direction `d`; may be an edge.
    #[inline]
    pub(crate) const fn step(self, d: usize) -> Point {
        Point(self.0.wrapping_add_signed(STEPS[d]))
    }

    /// The point `dx` columns right and `dy` rows up, if it is on a board of this size.
    #[inline]
    pub fn offset(self, dx: i8, dy: i8, size: Size) -> Option<Point> {
        let x = self.x() as i8 + dx;
        let y = self.y() as i8 + dy;
        let inside = |v: i8| v >= 0 && (v as u8) < size.0;
        (inside(x) && inside(y)).then(|| Point::new(x as u8, y as u8))
    }

    /// Reads a vertex such as `D4` or `q16`; [`Size::contains`] says whether it is on a board.
    pub fn parse(text: &str) -> Option<Point> {
        let (&letter, row) = text.as_bytes().split_first()?;
        let letter = letter.to_ascii_uppercase();
        let x = COLUMNS.iter().position(|&c| c == letter)?;
        if row.is_empty() || !row.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let y: u8 = text[1..].parse().ok()?;
        (1..=Size::MAX.0).contains(&y).then(|| Point::new(x as u8, y - 1))
    }

    /// The letter of column `x`.
    pub const fn column_letter(x: u8) -> char {
        COLUMNS[x as usize] as char
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", Point::column_letter(self.x()), self.y() + 1))
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Offsets to the eight neighbours: down, left, right, up, then the diagonals in the same order
/// (lower left, lower right, upper left, upper right). The opposite of direction `d` is `d ^ 3`.
pub(crate) const STEPS: [i16; 8] = {
    let s = STRIDE as i16;
    [-s, -1, 1, s, -s - 1, 1 - s, s - 1, s + 1]
};

/// The side of a square board, 2 to 25.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(u8);

impl Size {
    /// The smallest board, 2x2.
    pub const MIN: Size = Size(2);
    /// The largest board, 25x25: the alphabet without I ends there.
    pub const MAX: Size = Size(25);
    /// 9x9.
    pub const NINE: Size = Size(9);
    /// 13x13.
    pub const THIRTEEN: Size = Size(13);
    /// 19x19.
    pub const NINETEEN: Size = Size(19);

    /// A side of `n` points, if that is from 2 to 25.
    pub const fn new(n: usize) -> Option<Size> {
        if n >= Size::MIN.0 as usize && n <= Size::MAX.0 as usize {
            Some(Size(n as u8))
        } else {
            None
        }
    }

    /// Points on a side.
    #[inline]
    pub const fn side(self) -> u8 {
        self.0
    }

    /// Points on the board.
    #[inline]
    pub const fn area(self) -> usize {
        self.0 as usize * self.0 as usize
    }

    /// Whether `p` is on a board of this size.
    #[inline]
    pub const fn contains(self, p: Point) -> bool {
        p.x() < self.0 && p.y() < self.0
    }

    /// Reads a vertex such as `D4` and checks that it is on the board.
    pub fn parse_point(self, text: &str) -> Option<Point> {
        Point::parse(text).filter(|&p| self.contains(p))
    }

    /// All points in reading order: from the upper left, row by row.
    pub fn points(self) -> impl DoubleEndedIterator<Item = Point> + Clone {
        let n = self.0;
        (0..n).rev().flat_map(move |y| (0..n).map(move |x| Point::new(x, y)))
    }

    /// The place of `p` in [`Size::points`].
    #[inline]
    pub const fn reading_index(self, p: Point) -> usize {
        (self.0 - 1 - p.y()) as usize * self.0 as usize + p.x() as usize
    }

    /// Entries of a point table that this size uses, edges included.
    #[inline]
    pub(crate) const fn table_len(self) -> usize {
        (self.0 as usize + 2) * STRIDE as usize + 1
    }

    /// Words of a [`PointSet`] that this size uses.
    #[inline]
    pub(crate) const fn words(self) -> usize {
        (self.0 as usize * (STRIDE as usize + 1)) / 64 + 1
    }
}

impl Default for Size {
    /// 19x19, the size of a record that does not name one.
    fn default() -> Size {
        Size::NINETEEN
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{0}x{0}", self.0))
    }
}

impl fmt::Debug for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A table with one entry a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointMap<T>([T; POINTS]);

impl<T: Copy> PointMap<T> {
    /// Entries of the table: every point of the largest board and the edges around it.
    pub const LEN: usize = POINTS;

    /// The same value everywhere.
    pub const fn filled(value: T) -> PointMap<T> {
        PointMap([value; POINTS])
    }

    /// The entries by [`Point::index`].
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// The entries by [`Point::index`].
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.0
    }

    /// Copies the entries that a board of this size uses.
    #[inline]
    pub fn copy_from(&mut self, other: &PointMap<T>, size: Size) {
        let len = size.table_len();
        self.0[..len].copy_from_slice(&other.0[..len]);
    }
}

impl<T> Index<Point> for PointMap<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, p: Point) -> &T {
        &self.0[p.index()]
    }
}

impl<T> IndexMut<Point> for PointMap<T> {
    #[inline(always)]
    fn index_mut(&mut self, p: Point) -> &mut T {
        &mut self.0[p.index()]
    }
}

/// A set of points, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PointSet {
    pub(crate) words: [u64; WORDS],
}

impl PointSet {
    /// The empty set.
    pub const EMPTY: PointSet = PointSet { words: [0; WORDS] };

    /// Adds `p`; says whether it was new.
    #[inline]
    pub fn insert(&mut self, p: Point) -> bool {
        let new = !self.contains(p);
        self.words[p.index() >> 6] |= 1 << (p.0 & 63);
        new
    }

    /// Takes `p` out; says whether it was there.
    #[inline]
    pub fn remove(&mut self, p: Point) -> bool {
        let old = self.contains(p);
        self.words[p.index() >> 6] &= !(1 << (p.0 & 63));
        old
    }

    /// Whether `p` is in the set.
    #[inline]
    pub fn contains(&self, p: Point) -> bool {
        self.words[p.index() >> 6] >> (p.0 & 63) & 1 != 0
    }

    /// Adds `p` if `wanted`, without a branch.
    #[inline]
    pub fn insert_if(&mut self, p: Point, wanted: bool) {
        self.words[p.index() >> 6] |= (wanted as u64) << (p.0 & 63);
    }

    /// Adds `p` or takes it out.
    #[inline]
    pub fn set(&mut self, p: Point, present: bool) {
        let bit = 1 << (p.0 & 63);
        let word = &mut self.words[p.index() >> 6];
        *word = *word & !bit | (present as u64) << (p.0 & 63);
    }

    /// Adds the points of `other`.
    #[inline]
    pub fn unite(&mut self, other: &PointSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Keeps only the points that are in `other` too.
    #[inline]
    pub fn intersect(&mut self, other: &PointSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Whether all points are in `other` too.
    #[inline]
    pub fn is_within(&self, other: &PointSet) -> bool {
        let left = self.words.iter().zip(&other.words).fold(0, |left, (w, o)| left | (w & !o));
        left == 0
    }

    /// Adds the points around `p` in the directions of a mask (bit `d` for direction `d`).
    #[inline]
    pub fn insert_around(&mut self, p: Point, directions: u8) {
        const STEP: usize = STRIDE as usize;
        // Bits from the lower left neighbour on; the eight are 55 bits apart at most.
        let [down, left, right, up, ll, lr, ul, ur] =
            std::array::from_fn(|d| (directions >> d & 1) as u128);
        let below = ll | down << 1 | lr << 2;
        let beside = left | right << 2;
        let above = ul | up << 1 | ur << 2;
        let bits = below | beside << STEP | above << (2 * STEP);
        let start = p.index() - STEP - 1;
        let wide = bits << (start & 63);
        self.words[start >> 6] |= wide as u64;
        if let Some(word) = self.words.get_mut((start >> 6) + 1) {
            *word |= (wide >> 64) as u64;
        }
    }

    /// Writes the points into a list, says how many there are, and leaves the set empty. They must
    /// be on a board of this size. Four points of each word are written, whether they are there or
    /// not: no branch to guess.
    #[inline]
    pub fn drain_into(&mut self, size: Size, list: &mut [Point; 1024]) -> usize {
        let mut len = 0;
        // Of few words none is left out: no branch to guess. Of many most are empty.
        let words = &mut self.words[..size.words().min(WORDS)];
        let mut full = match words.len() {
            ..=4 => (1 << words.len()) - 1,
            _ => words.iter().enumerate().fold(0, |full, (i, &w)| full | ((w != 0) as u32) << i),
        };
        while full != 0 {
            let i = full.trailing_zeros() as usize;
            full &= full - 1;
            let mut rest = std::mem::take(&mut words[i]);
            let count = rest.count_ones() as usize;
            let mut k = 0;
            loop {
                for at in len + k..len + k + 4 {
                    list[at & 1023] = Point((i as u32 * 64 + rest.trailing_zeros()) as u16);
                    rest &= rest.wrapping_sub(1);
                }
                k += 4;
                if k >= count {
                    break;
                }
            }
            len += count;
        }
        len
    }

    /// Hands over all points and leaves the set empty.
    #[inline]
    pub fn drain(&mut self, mut take: impl FnMut(Point)) {
        for (i, word) in self.words.iter_mut().enumerate() {
            let mut rest = std::mem::take(word);
            while rest != 0 {
                take(Point((i as u32 * 64 + rest.trailing_zeros()) as u16));
                rest &= rest - 1;
            }
        }
    }

    /// Number of points.
    #[inline]
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there is no point in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The points, in the order of their table places (row by row from the bottom).
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        bits(&self.words)
    }
}

/// The points whose bits are set in `words`.
#[inline]
pub(crate) fn bits(words: &[u64]) -> impl Iterator<Item = Point> + '_ {
    words.iter().enumerate().flat_map(|(i, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let low = rest.trailing_zeros();
                rest &= rest - 1;
                Point((i as u32 * 64 + low) as u16)
            })
        })
    })
}

impl Default for PointSet {
    fn default() -> PointSet {
        PointSet::EMPTY
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        for p in points {
            set.insert(p);
        }
        set
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for p in points {
            self.insert(p);
        }
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_coordinates_agree() {
        for size in [2, 9, 19, 25].map(|n| Size::new(n).unwrap()) {
            for (i, p) in size.points().enumerate() {
                assert_eq!(Point::parse(&p.to_string()), Some(p));
                assert_eq!(Point::new(p.x(), p.y()), p);
                assert_eq!(size.reading_index(p), i);
                assert!(size.contains(p));
                assert!(p.index() >> 6 < size.words());
                assert!(p.step(7).index() < size.table_len());
            }
            assert_eq!(size.points().count(), size.area());
        }
        assert_eq!(Point::new(3, 3).to_string(), "D4");
        assert_eq!(Point::new(8, 0).to_string(), "J1");
        assert_eq!(Point::parse("z25"), Some(Point::new(24, 24)));
    }

    #[test]
    fn nonsense_is_not_a_vertex() {
        for text in ["", "D", "4", "I5", "D0", "D26", "D+4", "DD", "D4 ", "é4", "D999999999999"] {
            assert_eq!(Point::parse(text), None, "{text:?}");
        }
        assert_eq!(Size::NINE.parse_point("K5"), None);
        assert_eq!(Size::NINE.parse_point("J9"), Some(Point::new(8, 8)));
    }

    #[test]
    fn opposite_directions_cancel() {
        for d in 0..8 {
            assert_eq!(STEPS[d], -STEPS[d ^ 3]);
        }
    }

    #[test]
    fn sets_are_sets() {
        let d4 = Point::new(3, 3);
        let mut set = PointSet::EMPTY;
        assert!(set.insert(d4) && !set.insert(d4));
        assert_eq!((set.len(), set.contains(d4)), (1, true));
        assert_eq!(set.iter().collect::<Vec<_>>(), [d4]);
        assert!(set.remove(d4) && !set.remove(d4) && set.is_empty());
    }
}
