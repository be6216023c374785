//! How often two points end as the same player's.

use super::batch::{COLUMN, Column};

/// Playouts of one result in which both points of a pair were Black's, and White's. Pairs are
/// those of different points, the first in reading order before the second: half a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Both {
    area: usize,
    pairs: [Vec<u32>; 2],
}

impl Both {
    pub fn new(area: usize) -> Both {
        Both { area, pairs: [(); 2].map(|()| vec![0; area * (area - 1) / 2]) }
    }

    /// Adds the playouts of a batch.
    pub fn add(&mut self, columns: [&[Column]; 2]) {
        for (pairs, columns) in self.pairs.iter_mut().zip(columns) {
            let mut rest = pairs.as_mut_slice();
            for (x, a) in columns.iter().enumerate() {
                let (row, behind) = rest.split_at_mut(columns.len() - x - 1);
                rest = behind;
                // A point that is never this player's is with none.
                if *a == [0; COLUMN] {
                    continue;
                }
                for (count, b) in row.iter_mut().zip(&columns[x + 1..]) {
                    *count += a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum::<u32>();
                }
            }
        }
    }

    pub fn merge(&mut self, other: &Both) {
        for (mine, theirs) in self.pairs.iter_mut().zip(&other.pairs) {
            mine.iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
        }
    }

    /// Playouts in which the points at two different places were both this player's.
    pub fn get(&self, player: usize, x: usize, y: usize) -> u64 {
        let (x, y) = (x.min(y), x.max(y));
        // Rows before this one have one entry less each.
        let row = x * (2 * self.area - x - 1) / 2;
        self.pairs[player][row + y - x - 1] as u64
    }
}
