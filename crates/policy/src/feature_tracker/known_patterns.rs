//! The known patterns of every part of every point, kept up to date for one player.

use goban::{Board, Cell, Color};
use shape::PatternId;

use super::feature_space::FeatureSpace;
use super::pattern_layout::PatternLayout;
use super::ring_hashes::RingHashes;

/// What a player's patterns are, by slot.
#[derive(Clone)]
pub(super) struct KnownPatterns {
    stages: usize,
    /// The places of the patterns of each stage in the dictionary; those below the count hold.
    indices: Vec<u32>,
    /// The stages that are known.
    counts: Vec<u8>,
}

/// A pattern to be looked up.
#[derive(Clone)]
pub(super) struct PatternQuery {
    slot: u32,
    stage: u8,
    id: PatternId,
    first: u64,
}

impl KnownPatterns {
    pub(super) fn nothing(layout: &PatternLayout) -> KnownPatterns {
        let stages = layout.family().stages();
        let indices = vec![0; layout.slots() * stages];
        KnownPatterns { stages, indices, counts: vec![0; layout.slots()] }
    }

    /// The largest known pattern.
    #[inline(always)]
    pub(super) fn largest(&self, slot: usize) -> Option<u32> {
        let count = self.counts[slot] as usize;
        (count > 0).then(|| self.indices[slot * self.stages + count - 1])
    }

    pub(super) fn copy_from(&mut self, other: &KnownPatterns) {
        self.indices.copy_from_slice(&other.indices);
        self.counts.copy_from_slice(&other.counts);
    }

    /// Looks up what changed for `color` and tells the places.
    pub(super) fn look_up(
        &mut self,
        space: &FeatureSpace,
        board: &Board,
        color: Color,
        rings: &mut RingHashes<'_>,
        questions: &mut Vec<PatternQuery>,
        mut seen: impl FnMut(usize),
    ) {
        let (layout, lookup) = (&space.layout, &space.lookup);
        let (parts, stages) = (layout.family().parts(), self.stages);
        if !layout.is_plain() {
            for (place, &p) in layout.points().iter().enumerate() {
                for slot in place * parts..(place + 1) * parts {
                    let found = space.dictionary().at(board, p, color, slot % parts);
                    self.counts[slot] = found.is_some() as u8;
                    self.indices[slot * stages] = found.map_or(0, |index| index.0);
                }
                seen(place);
            }
            return;
        }
        rings.take_changed(color, |rings, slot, from| {
            // An occupied point is looked at when it becomes empty again, and a search that ended
            // before it came to the ring that changed ends there again.
            let is_empty = board.cell(layout.points()[slot / parts]) == Cell::Empty;
            if !is_empty || from > self.counts[slot] as usize {
                return;
            }
            seen(slot / parts);
            self.counts[slot] = from as u8;
            rings.ids(color, slot, from, |stage, id| {
                let (slot, stage) = (slot as u32, stage as u8);
                questions.push(PatternQuery { slot, stage, id, first: 0 });
                true
            });
        });
        for question in questions.iter_mut() {
            question.first = lookup.first(question.id);
        }
        for PatternQuery { slot, stage, id, first } in questions.drain(..) {
            let slot = slot as usize;
            // A stage is known only if those before it are.
            if self.counts[slot] == stage
                && let Some(index) = lookup.find_from(id, first)
            {
                self.indices[slot * stages + stage as usize] = index.0;
                self.counts[slot] = stage + 1;
            }
        }
    }
}
