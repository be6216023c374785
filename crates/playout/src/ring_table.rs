//! A table by the eight neighbours of a point: the first stages of a family see nothing else.

use goban::{Point, PointMap, Ring, Size};

/// The neighbours in the order of [`Ring`]: columns right and rows up.
pub(crate) const DIRECTIONS: [(i8, i8); 8] =
    [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Where the rings of a point stand in tables.
#[derive(Clone, Copy)]
struct Place {
    start: u32,
    /// Which neighbours are off the board.
    kind: u32,
}

/// Numbers every ring that can be around each point of a board; points of the same class and with
/// the same edges share their numbers.
pub(crate) struct RingTable {
    places: PointMap<Place>,
    kinds: Vec<Kind>,
    len: usize,
}

/// Rings with the same edges.
struct Kind {
    /// Directions off the board.
    edges: u8,
    /// The number of the four neighbours beside, and of those across, by their byte of the ring.
    beside: [u16; 256],
    across: [u16; 256],
    len: u32,
}

/// The cells of a byte of a ring that can occur with these edges, numbered in order.
fn numbered(edges: u8, step: u16) -> ([u16; 256], u16) {
    let mut numbers = [0; 256];
    let mut count = 0;
    for (byte, number) in numbers.iter_mut().enumerate() {
        if possible(byte as u8, edges) {
            *number = count * step;
            count += 1;
        }
    }
    (numbers, count)
}

/// Whether a byte of a ring shows the edge in these directions and nowhere else.
fn possible(byte: u8, edges: u8) -> bool {
    (0..4).all(|d| (byte >> (2 * d) & 3 == 3) == (edges >> d & 1 == 1))
}

impl Kind {
    fn new(edges: u8) -> Kind {
        let (beside, count) = numbered(edges & 15, 1);
        let (across, more) = numbered(edges >> 4, count);
        Kind { edges, beside, across, len: count as u32 * more as u32 }
    }

    fn rings(&self) -> impl Iterator<Item = Ring> + '_ {
        (0..=u16::MAX)
            .filter(|r| possible(*r as u8, self.edges & 15))
            .filter(|r| possible((r >> 8) as u8, self.edges >> 4))
            .map(Ring)
    }

    #[inline(always)]
    fn number(&self, ring: Ring) -> u32 {
        self.beside[(ring.0 & 255) as usize] as u32 + self.across[(ring.0 >> 8) as usize] as u32
    }
}

impl RingTable {
    /// The rings of a board, numbered apart for each class of points; `each` learns the number, class
    /// and stones of every one.
    pub(crate) fn new(
        size: Size,
        class: impl Fn(Point) -> u8,
        mut each: impl FnMut(usize, u8, Ring),
    ) -> RingTable {
        let mut kinds: Vec<Kind> = Vec::new();
        let mut known: Vec<(u8, u32, u32)> = Vec::new();
        let mut places = PointMap::filled(Place { start: 0, kind: 0 });
        let mut len = 0;
        for p in size.points() {
            let off = |d: usize| p.offset(DIRECTIONS[d].0, DIRECTIONS[d].1, size).is_none();
            let edges = (0..8).fold(0, |edges, d| edges | (off(d) as u8) << d);
            let kind = kinds.iter().position(|k| k.edges == edges).unwrap_or_else(|| {
                kinds.push(Kind::new(edges));
                kinds.len() - 1
            });
            let (class, number) = (class(p), kind as u32);
            let found = known.iter().find(|&&(c, k, _)| (c, k) == (class, number));
            let start = found.map_or(len, |&(_, _, start)| start);
            places[p] = Place { start, kind: number };
            if start == len {
                let kind = &kinds[kind];
                for ring in kind.rings() {
                    each((start + kind.number(ring)) as usize, class, ring);
                }
                known.push((class, number, start));
                len += kind.len;
            }
        }
        RingTable { places, kinds, len: len as usize }
    }

    /// How many rings there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The number of the ring around a point.
    #[inline(always)]
    pub(crate) fn number(&self, p: Point, ring: Ring) -> usize {
        let place = self.places[p];
        (place.start + self.kinds[place.kind as usize].number(ring)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ring_has_a_number_of_its_own() {
        for size in [2, 3, 9, 19] {
            let size = Size::new(size).unwrap();
            let mut seen = Vec::new();
            let class = |p| shape::class(p, size);
            let rings = RingTable::new(size, class, |number, class, ring| {
                seen.push((number, class, ring.0));
            });
            seen.sort_unstable();
            assert_eq!(seen.len(), rings.len());
            assert!(seen.iter().enumerate().all(|(i, &(number, _, _))| i == number));
            let board = goban::Board::new(size);
            for p in size.points() {
                let (_, class, ring) = seen[rings.number(p, board.ring(p))];
                assert_eq!((class, ring), (shape::class(p, size), board.ring(p).0));
            }
        }
    }
}
