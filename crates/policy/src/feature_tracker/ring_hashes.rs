//! The hashes of all patterns of a board, kept up to date stone by stone.
//!
//! There is a number for each ring of each part of each point, in the eyes of both players and in
//! every orientation; a stone changes it by one XOR. The sum of the rings up to a stage is the hash
//! of the pattern there, and the least over the orientations makes its identity.

use goban::Color;
use shape::PatternId;

use super::pattern_layout::PatternLayout;

/// The hashes: by slot, colour and ring, a number for each orientation.
#[derive(Clone)]
pub struct RingHashes<'a> {
    layout: &'a PatternLayout,
    /// Orientations that the family has.
    images: usize,
    stages: usize,
    hashes: Vec<u64>,
    /// By colour: slots that changed since they were last taken, and from which stage on.
    changed: [Vec<u8>; 2],
    lists: [Vec<u32>; 2],
}

const UNCHANGED: u8 = u8::MAX;

impl<'a> RingHashes<'a> {
    /// The empty board.
    pub fn new(layout: &'a PatternLayout) -> RingHashes<'a> {
        let (images, stages) = (layout.family().images().len(), layout.family().stages());
        let len = layout.slots() * 2 * stages * images;
        let mut rings = RingHashes {
            layout,
            images,
            stages,
            hashes: vec![0; len],
            changed: [0, 1].map(|_| vec![UNCHANGED; layout.slots()]),
            lists: [Vec::new(), Vec::new()],
        };
        rings.clear();
        rings
    }

    /// The empty board; every pattern is new.
    pub fn clear(&mut self) {
        let (images, stages) = (self.images, self.stages);
        for slot in 0..self.layout.slots() {
            for color in 0..2 {
                for stage in 0..stages {
                    let edge = self.layout.edge(slot, stage);
                    let at = ((slot * 2 + color) * stages + stage) * images;
                    self.hashes[at..at + images].copy_from_slice(&edge[..images]);
                }
                self.mark(color, slot, 0);
            }
        }
    }

    pub(super) fn copy_from(&mut self, other: &RingHashes<'_>) {
        self.hashes.copy_from_slice(&other.hashes);
        for (changed, other) in self.changed.iter_mut().zip(&other.changed) {
            changed.copy_from_slice(other);
        }
        for (list, other) in self.lists.iter_mut().zip(&other.lists) {
            list.clone_from(other);
        }
    }

    /// A stone comes or goes: the same, since hashes are sums without carry.
    pub fn toggle(&mut self, place: usize, color: Color) {
        match self.images {
            8 => self.toggle_in::<8>(place, color),
            2 => self.toggle_in::<2>(place, color),
            _ => self.toggle_in::<1>(place, color),
        }
    }

    fn toggle_in<const N: usize>(&mut self, place: usize, color: Color) {
        let layout = self.layout;
        for seen in layout.seen_by(place) {
            let slot = seen.slot as usize;
            let keys = layout.keys(seen.cell);
            for player in Color::BOTH {
                let own = (player != color) as usize;
                let ring = (slot * 2 + player.index()) * self.stages + seen.stage as usize;
                let hashes = &mut self.hashes[ring * N..(ring + 1) * N];
                for (hash, key) in hashes.iter_mut().zip(&keys[own][..N]) {
                    *hash ^= key;
                }
                self.mark(player.index(), slot, seen.stage);
            }
        }
    }

    #[inline(always)]
    fn mark(&mut self, color: usize, slot: usize, stage: u8) {
        let changed = &mut self.changed[color][slot];
        if *changed == UNCHANGED {
            self.lists[color].push(slot as u32);
        }
        *changed = (*changed).min(stage);
    }

    /// All parts of a place are to be looked at again.
    pub fn mark_place(&mut self, place: usize) {
        for part in 0..self.layout.family().parts() {
            for color in 0..2 {
                self.mark(color, self.layout.slot(place, part), 0);
            }
        }
    }

    /// Hands over the slots that changed for a player since the last time, each with the first
    /// stage that did.
    pub fn take_changed(&mut self, color: Color, mut take: impl FnMut(&Self, usize, usize)) {
        let mut list = std::mem::take(&mut self.lists[color.index()]);
        for slot in list.drain(..) {
            let slot = slot as usize;
            let changed = &mut self.changed[color.index()][slot];
            let stage = std::mem::replace(changed, UNCHANGED);
            take(self, slot, stage as usize);
        }
        self.lists[color.index()] = list;
    }

    /// The identities of the patterns of a slot from stage `from` on, as long as `more` says so.
    #[inline]
    pub fn ids(
        &self,
        color: Color,
        slot: usize,
        from: usize,
        more: impl FnMut(usize, PatternId) -> bool,
    ) {
        match self.images {
            8 => self.ids_of::<8>(color, slot, from, more),
            2 => self.ids_of::<2>(color, slot, from, more),
            _ => self.ids_of::<1>(color, slot, from, more),
        }
    }

    #[inline(always)]
    fn ids_of<const N: usize>(
        &self,
        color: Color,
        slot: usize,
        from: usize,
        mut more: impl FnMut(usize, PatternId) -> bool,
    ) {
        let seals = self.layout.seals(slot);
        let start = (slot * 2 + color.index()) * self.stages * N;
        let rings = &self.hashes[start..start + self.stages * N];
        let mut sums = [0; N];
        for (stage, ring) in rings.chunks_exact(N).enumerate() {
            for (sum, hash) in sums.iter_mut().zip(ring) {
                *sum ^= hash;
            }
            if stage >= from {
                let least = sums.iter().copied().min().unwrap_or_default();
                if !more(stage, seals[stage].close(least)) {
                    return;
                }
            }
        }
    }
}
