//! What the proof search remembers of positions: a table of fixed size, two places a bucket. The
//! place whose position took the least work is given up first.

use crate::proof::Numbers;

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    work: u32,
    /// The place of the winning move where there is one.
    best: u8,
    /// More is known of it for the ways by which it was reached.
    by_path: bool,
}

const NOTHING: Entry =
    Entry { key: 0, numbers: Numbers { phi: 1, delta: 1 }, work: 0, best: NO_MOVE, by_path: false };

/// No move is remembered.
pub(crate) const NO_MOVE: u8 = u8::MAX;
/// The move is a pass.
pub(crate) const PASS: u8 = 254;

/// Positions and what is known of them.
pub(crate) struct Table {
    entries: Vec<[Entry; 2]>,
    mask: u64,
}

impl Table {
    /// A table of about this many bytes.
    pub(crate) fn new(bytes: usize) -> Table {
        let buckets = (bytes / size_of::<[Entry; 2]>()).max(1024);
        let buckets =
            if buckets.is_power_of_two() { buckets } else { buckets.next_power_of_two() / 2 };
        Table { entries: vec![[NOTHING; 2]; buckets], mask: buckets as u64 - 1 }
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill([NOTHING; 2]);
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Numbers> {
        let bucket = &self.entries[(key & self.mask) as usize];
        bucket.iter().find(|entry| entry.key == key).map(|entry| entry.numbers)
    }

    /// What is known of a position, and whether more is known of it for the ways that lead to it.
    #[inline]
    pub(crate) fn get_by_path(&self, key: u64) -> Option<(Numbers, bool)> {
        let bucket = &self.entries[(key & self.mask) as usize];
        let entry = bucket.iter().find(|entry| entry.key == key);
        entry.map(|entry| (entry.numbers, entry.by_path))
    }

    /// Says that more is known of a position for the ways that lead to it.
    pub(crate) fn mark_by_path(&mut self, key: u64) {
        let bucket = &mut self.entries[(key & self.mask) as usize];
        if let Some(entry) = bucket.iter_mut().find(|entry| entry.key == key) {
            entry.by_path = true;
        }
    }

    /// The winning move of a position that is won.
    pub(crate) fn best(&self, key: u64) -> u8 {
        let bucket = &self.entries[(key & self.mask) as usize];
        bucket.iter().find(|entry| entry.key == key).map_or(NO_MOVE, |entry| entry.best)
    }

    /// The work that was done on a position.
    pub(crate) fn work(&self, key: u64) -> u64 {
        let bucket = &self.entries[(key & self.mask) as usize];
        bucket.iter().find(|entry| entry.key == key).map_or(0, |entry| u64::from(entry.work))
    }

    #[inline]
    pub(crate) fn put(&mut self, key: u64, numbers: Numbers, work: u64, best: u8) {
        let work = work.min(u64::from(u32::MAX)) as u32;
        let bucket = &mut self.entries[(key & self.mask) as usize];
        let place = match bucket.iter().position(|entry| entry.key == key) {
            Some(place) => place,
            None if bucket[0].work <= bucket[1].work => 0,
            None => 1,
        };
        // What was worked for is kept longer than what was only looked at; a position that comes
        // again keeps what was spent on it.
        let known = bucket[place].key == key;
        let spent = if known { bucket[place].work } else { 0 };
        let by_path = known && bucket[place].by_path;
        bucket[place] = Entry { key, numbers, work: work.max(spent), best, by_path };
    }
}
