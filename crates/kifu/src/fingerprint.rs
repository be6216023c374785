//! Fingerprints of games: equal for a game and its mirror images, so that duplicates are found and
//! splits keep copies together.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use goban::{Cell, Point, PointMap, Size, Symmetry};

use crate::record::{Change, Record};

/// What is played on which points, up to the eight symmetries of the board.
///
/// Size, stones set up and moves with their colours count; the header does not, and neither do
/// passes at the end, which some records keep and others leave out. The numbers are the same on
/// every machine and in every version, since splits of corpora depend on them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint(pub u64);

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): every bit of the result depends on every
/// bit of the argument.
#[inline]
pub(crate) fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The increment of SplitMix64, the golden ratio; keeps zero from mixing to zero.
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Fingerprint {
    /// The fingerprint of a record.
    pub fn of(record: &Record) -> Fingerprint {
        let size = record.size;
        let mut views = [mix(GOLDEN + u64::from(size.side())); 8];
        fold_cells(&mut views, size, record.stones.iter().map(|&(p, c)| (p, Cell::from(c))));

        let passes = record.moves.iter().rev().take_while(|m| m.point.is_none()).count();
        let mut changes = record.changes.iter().peekable();
        for (played, m) in record.moves[..record.moves.len() - passes].iter().enumerate() {
            while let Some(change) = changes.next_if(|change| change.after <= played) {
                fold_change(&mut views, size, change);
            }
            let color = (m.color as u64) << 16;
            for (view, symmetry) in views.iter_mut().zip(Symmetry::ALL) {
                let place = m.point.map_or(PASS, |point| seen(point, symmetry, size));
                *view = mix(view.wrapping_add(GOLDEN) ^ (color | place));
            }
        }
        for change in changes {
            fold_change(&mut views, size, change);
        }
        Fingerprint(views.into_iter().min().unwrap_or_default())
    }
}

/// The place of a pass: no point has it.
const PASS: u64 = 0xffff;

/// The place of a point seen through a symmetry.
#[inline]
fn seen(point: Point, symmetry: Symmetry, size: Size) -> u64 {
    let image = symmetry.apply(point, size);
    u64::from(image.x()) << 8 | u64::from(image.y())
}

/// Adds stones whose order means nothing.
fn fold_cells(views: &mut [u64; 8], size: Size, cells: impl Iterator<Item = (Point, Cell)>) {
    let mut sums = [0_u64; 8];
    for (point, cell) in cells {
        let cell = (1 + cell as u64) << 20;
        for (sum, symmetry) in sums.iter_mut().zip(Symmetry::ALL) {
            *sum = sum.wrapping_add(mix(GOLDEN ^ (cell | seen(point, symmetry, size))));
        }
    }
    for (view, sum) in views.iter_mut().zip(sums) {
        *view = mix(*view ^ sum);
    }
}

fn fold_change(views: &mut [u64; 8], size: Size, change: &Change) {
    let mut cells = PointMap::filled(None);
    for (point, cell) in change.cells() {
        cells[point] = Some(cell);
    }
    fold_cells(views, size, size.points().filter_map(|point| Some((point, cells[point]?))));
}

/// The fingerprints met so far.
#[derive(Clone, Debug, Default)]
pub struct Seen(HashSet<u64, BuildHasherDefault<AsIs>>);

impl Seen {
    /// Notes a game; false if it or a mirror image was met before.
    pub fn insert(&mut self, fingerprint: Fingerprint) -> bool {
        self.0.insert(fingerprint.0)
    }

    /// Number of different games.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no game was met.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Fingerprints are mixed already.
#[derive(Clone, Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.0 = mix(self.0 ^ u64::from(b));
        }
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
