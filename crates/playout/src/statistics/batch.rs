//! The ends of playouts with the same result, as columns of bits: for each point a bit a playout.
//! Counts of pairs are then ANDs and population counts over columns, for all playouts at once,
//! instead of a table that every playout touches everywhere.

use goban::Size;

/// Playouts of a batch: a multiple of 64.
const LEN: usize = 256;

/// Words of a column.
pub const COLUMN: usize = LEN / 64;

/// One bit a playout.
pub type Column = [u64; COLUMN];

/// Final positions that wait to be counted.
pub struct Batch {
    area: usize,
    /// For each player and 64 points, a word a playout.
    rows: [Vec<[u64; LEN]>; 2],
    /// For each player and point, a bit a playout.
    columns: [Vec<Column>; 2],
    len: usize,
}

impl Batch {
    pub fn new(size: Size) -> Batch {
        let words = size.area().div_ceil(64);
        Batch {
            area: size.area(),
            rows: [(); 2].map(|()| vec![[0; LEN]; words]),
            columns: [(); 2].map(|()| vec![[0; COLUMN]; 64 * words]),
            len: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_full(&self) -> bool {
        self.len == LEN
    }

    /// Takes the owners of another final position, 64 points at a time.
    pub fn next(&mut self) -> impl FnMut(usize, [u64; 2]) + '_ {
        let playout = self.len;
        self.len += 1;
        let [black, white] = &mut self.rows;
        move |word, owners| {
            black[word][playout] = owners[0];
            white[word][playout] = owners[1];
        }
    }

    /// The columns of both players, points in reading order; the batch is empty afterwards.
    pub fn drain(&mut self) -> [&[Column]; 2] {
        for (rows, columns) in self.rows.iter_mut().zip(&mut self.columns) {
            for (rows, columns) in rows.iter_mut().zip(columns.chunks_exact_mut(64)) {
                // Rows of playouts before are not these.
                rows[self.len..].fill(0);
                for (block, rows) in rows.chunks_exact_mut(64).enumerate() {
                    let rows: &mut [u64; 64] = rows.try_into().expect("a chunk of 64");
                    transpose(rows);
                    for (column, &bits) in columns.iter_mut().zip(rows.iter()) {
                        column[block] = bits;
                    }
                }
            }
        }
        self.len = 0;
        let [black, white] = &self.columns;
        [&black[..self.area], &white[..self.area]]
    }
}

/// Bit `j` of word `i` becomes bit `i` of word `j`: halves, quarters and so on change places.
fn transpose(words: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = u64::MAX >> 32;
    while width != 0 {
        let mut i = 0;
        while i < 64 {
            let moved = (words[i] >> width ^ words[i + width]) & mask;
            words[i] ^= moved << width;
            words[i + width] ^= moved;
            i = (i + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn bits_change_places() {
        let mut random = Random::new(1);
        let words: [u64; 64] = std::array::from_fn(|_| {
            let (high, low) = random.two();
            (high as u64) << 32 | low as u64
        });
        let mut turned = words;
        transpose(&mut turned);
        for (i, word) in words.iter().enumerate() {
            for (j, other) in turned.iter().enumerate() {
                assert_eq!(word >> j & 1, other >> i & 1);
            }
        }
    }

    #[test]
    fn a_batch_forgets_the_one_before() {
        let mut batch = Batch::new(Size::MIN);
        for _ in 0..LEN {
            batch.next()(0, [1, 2]);
        }
        assert!(batch.is_full());
        batch.drain();
        batch.next()(0, [8, 1]);
        let [black, white] = batch.drain().map(|columns| columns.iter().map(|c| c[0]));
        assert_eq!(black.collect::<Vec<_>>(), [0, 0, 0, 1]);
        assert_eq!(white.collect::<Vec<_>>(), [1, 0, 0, 0]);
    }
}
