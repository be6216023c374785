//! Finding patterns by their identities, millions of times a second.

use shape::{Dictionary, PatternId, PatternIndex};

/// An open table of a dictionary's identities. A slot is one number: the place of the pattern in
/// its low bits and as much of the identity as fits above it. Together with the slot itself that is
/// almost all of the identity: with two million patterns, one search in 10^12 errs.
pub struct Lookup {
    slots: Vec<u64>,
    /// Bits of the place.
    bits: u32,
}

impl Lookup {
    /// The table of a dictionary.
    pub fn new(dictionary: &Dictionary) -> Lookup {
        let len = (dictionary.len() * 2).next_power_of_two().max(16);
        let bits = 64 - (dictionary.len() as u64 + 1).leading_zeros();
        let mut lookup = Lookup { slots: vec![0; len], bits };
        for (id, index) in dictionary.ids() {
            lookup.insert(id, index);
        }
        lookup
    }

    fn insert(&mut self, id: PatternId, index: PatternIndex) {
        let mask = self.slots.len() - 1;
        let mut at = id.0 as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        // A place of 0 marks a free slot, so places count from 1.
        self.slots[at] = id.0 >> self.bits << self.bits | (index.0 as u64 + 1);
    }

    /// What is at the slot where the search for an identity begins. The table is larger than the
    /// caches: who asks for many first lets the memory answer all of them at once.
    #[inline(always)]
    pub fn first(&self, id: PatternId) -> u64 {
        self.slots[id.0 as usize & (self.slots.len() - 1)]
    }

    /// The place of the pattern with this identity.
    #[inline]
    pub fn find(&self, id: PatternId) -> Option<PatternIndex> {
        self.find_from(id, self.first(id))
    }

    /// The same, given what [`Lookup::first`] said.
    #[inline]
    pub fn find_from(&self, id: PatternId, first: u64) -> Option<PatternIndex> {
        let mask = self.slots.len() - 1;
        let mut at = id.0 as usize & mask;
        let mut slot = first;
        loop {
            if slot == 0 {
                return None;
            }
            if slot >> self.bits == id.0 >> self.bits {
                return Some(PatternIndex((slot & ((1 << self.bits) - 1)) as u32 - 1));
            }
            at = (at + 1) & mask;
            slot = self.slots[at];
        }
    }
}
