//! Which of two moves was made first.
//!
//! A playout adds, for each of its moves, one to every move that comes later: a row of a table of
//! bytes gets a row of zeros and ones added, 32 at a time. The bytes go over into wider numbers
//! before they can overflow.

use goban::{Color, Point, PointMap, Size};

/// The number of a move: Black's in reading order, then White's.
pub fn number(size: Size, color: Color, p: Point) -> usize {
    color.index() * size.area() + size.reading_index(p)
}

/// Playouts that the bytes of a table have room for.
const MOST: u8 = u8::MAX;

/// Rows are this many bytes or a multiple: whole vectors.
const VECTOR: usize = 32;

/// The moves of a playout, and the tables that playouts are added to before they are counted.
pub struct Sequence {
    area: usize,
    /// The place of a point in reading order.
    places: PointMap<u16>,
    /// 1 for a point on which no stone was put yet.
    fresh: PointMap<u8>,
    /// The first stones on all points so far, as numbers of moves.
    moves: Vec<u16>,
    len: usize,
    /// Ones for the moves of a playout that are still to come; all zero between playouts.
    later: Vec<u8>,
    /// For each winner and move, how often each move came later.
    tables: [Vec<u8>; 2],
    /// Playouts in these tables.
    filled: [u8; 2],
}

impl Sequence {
    pub fn new(size: Size) -> Sequence {
        let mut places = PointMap::filled(0);
        for (place, p) in size.points().enumerate() {
            places[p] = place as u16;
        }
        let moves = 2 * size.area();
        let row = moves.next_multiple_of(VECTOR);
        Sequence {
            area: size.area(),
            places,
            fresh: PointMap::filled(1),
            // One place more than points: stones that do not count are written there and left.
            moves: vec![0; size.area() + 1],
            len: 0,
            later: vec![0; row],
            tables: [(); 2].map(|()| vec![0; moves * row]),
            filled: [0; 2],
        }
    }

    /// A playout begins.
    pub fn start(&mut self) {
        self.len = 0;
        self.fresh.as_mut_slice().fill(1);
    }

    /// A stone is put on a point.
    #[inline]
    pub fn play(&mut self, color: Color, p: Point) {
        let fresh = std::mem::take(&mut self.fresh[p]);
        self.moves[self.len] = (color.index() * self.area) as u16 + self.places[p];
        self.len += fresh as usize;
    }

    /// Whether the table of a winner must be counted before another playout.
    pub fn is_full(&self, winner: Color) -> bool {
        self.filled[winner.index()] == MOST
    }

    /// Adds the playout that has ended.
    pub fn finish(&mut self, winner: Color) {
        let moves = &self.moves[..self.len];
        for &m in moves {
            self.later[m as usize] = 1;
        }
        let row = self.later.len();
        let table = &mut self.tables[winner.index()];
        for &m in moves {
            let m = m as usize;
            self.later[m] = 0;
            let counts = &mut table[m * row..(m + 1) * row];
            counts.iter_mut().zip(&self.later).for_each(|(count, later)| *count += later);
        }
        self.filled[winner.index()] += 1;
    }

    /// Moves the counts of both winners over to wider tables.
    pub fn drain_into(&mut self, befores: &mut [Before; 2]) {
        let row = self.later.len();
        for ((table, filled), before) in self.tables.iter_mut().zip(&mut self.filled).zip(befores) {
            if std::mem::take(filled) == 0 {
                continue;
            }
            let rows = table.chunks_exact_mut(row).zip(before.0.chunks_exact_mut(2 * self.area));
            for (bytes, counts) in rows {
                counts.iter_mut().zip(&*bytes).for_each(|(sum, &n)| *sum += n as u32);
                bytes.fill(0);
            }
        }
    }
}

/// Playouts of one winner in which a move was made before another, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Before(Vec<u32>);

impl Before {
    pub fn new(area: usize) -> Before {
        Before(vec![0; 4 * area * area])
    }

    pub fn merge(&mut self, other: &Before) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a += b);
    }

    pub fn get(&self, moves: usize, first: usize, then: usize) -> u64 {
        self.0[first * moves + then] as u64
    }
}
