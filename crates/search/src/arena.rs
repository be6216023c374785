//! Room for the tree: equal pieces that any thread may take while a search runs, and that are taken
//! back between searches. Memory is asked for as it is needed.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pieces of one segment.
const SEGMENT: usize = 1 << 10;

/// Pieces between two looks at the time: less than a millisecond.
const LOOK: usize = 1 << 16;

/// A bounded store of pieces, numbered from 1; 0 means none.
pub struct Arena<T> {
    segments: Box<[OnceLock<Box<[T]>>]>,
    capacity: usize,
    /// Pieces handed out at least once.
    fresh: AtomicUsize,
    /// Pieces that were taken back, and how many of those were handed out again.
    returned: Vec<u32>,
    retaken: AtomicUsize,
}

impl<T: Default> Arena<T> {
    /// Room for at least `capacity` pieces.
    pub fn new(capacity: usize) -> Arena<T> {
        let segments = capacity.div_ceil(SEGMENT).clamp(1, u32::MAX as usize / SEGMENT);
        Arena {
            segments: (0..segments).map(|_| OnceLock::new()).collect(),
            capacity: segments * SEGMENT - 1,
            fresh: AtomicUsize::new(0),
            returned: Vec::new(),
            retaken: AtomicUsize::new(0),
        }
    }

    /// Takes a piece; what was in it is still there. `None` when all are in use.
    pub fn take(&self) -> Option<u32> {
        let again = self.retaken.fetch_add(1, Ordering::Relaxed);
        if let Some(&piece) = self.returned.get(again) {
            return Some(piece);
        }
        let number = self.fresh.fetch_add(1, Ordering::Relaxed) + 1;
        if number > self.capacity {
            self.fresh.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        self.segments[number / SEGMENT]
            .get_or_init(|| (0..SEGMENT).map(|_| T::default()).collect());
        Some(number as u32)
    }

    /// The pieces that were handed out and are not in use any more; `None` if time is up before all are
    /// looked at.
    pub fn unused(
        &self,
        in_use: impl Fn(u32) -> bool,
        is_up: &impl Fn() -> bool,
    ) -> Option<Vec<u32>> {
        let handed_out = self.fresh.load(Ordering::Relaxed) as u32;
        let mut unused = Vec::new();
        for first in (1..=handed_out).step_by(LOOK) {
            if is_up() {
                return None;
            }
            let last = handed_out.min(first + LOOK as u32 - 1);
            unused.extend((first..=last).filter(|&piece| !in_use(piece)));
        }
        Some(unused)
    }

    /// Takes back all pieces that are not in use.
    pub fn reclaim(&mut self, unused: Vec<u32>) {
        self.returned = unused;
        *self.retaken.get_mut() = 0;
    }

    /// Takes all pieces back.
    pub fn clear(&mut self) {
        self.returned.clear();
        *self.retaken.get_mut() = 0;
        *self.fresh.get_mut() = 0;
    }

    /// Pieces that can be taken.
    #[cfg(test)]
    fn free(&mut self) -> usize {
        let left = self.returned.len().saturating_sub(*self.retaken.get_mut());
        left + self.capacity.saturating_sub(*self.fresh.get_mut())
    }

    /// Pieces in all.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// A piece that was taken.
    #[inline]
    pub fn get(&self, piece: u32) -> &T {
        let segment = self.segments[piece as usize / SEGMENT].get();
        &segment.expect("a piece that was taken")[piece as usize % SEGMENT]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_taken_once_until_they_are_reclaimed() {
        let mut arena: Arena<u8> = Arena::new(10);
        let mut taken: Vec<u32> = std::iter::from_fn(|| arena.take()).collect();
        assert_eq!(taken.len(), arena.capacity());
        assert_eq!((arena.take(), arena.free()), (None, 0));
        taken.dedup();
        assert_eq!(taken.len(), arena.capacity());
        assert_eq!(arena.unused(|_| false, &|| true), None);
        let unused = arena.unused(|piece| piece != 7 && piece != 9, &|| false).unwrap();
        arena.reclaim(unused);
        assert_eq!(arena.free(), 2);
        assert_eq!(arena.take(), Some(7));
        let unused = arena.unused(|piece| piece != 9 && piece != 11, &|| false).unwrap();
        arena.reclaim(unused);
        assert_eq!([arena.take(), arena.take(), arena.take()], [Some(9), Some(11), None]);
        arena.clear();
        assert_eq!(arena.free(), arena.capacity());
        assert_eq!(arena.take(), Some(1));
    }
}
