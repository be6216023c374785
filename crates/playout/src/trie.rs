//! Known patterns as playouts look them up: stage by stage, both colours at once.
//!
//! A node stands for a pattern in a fixed orientation; the way from it to a larger one is the *code*
//! of the next ring, two bits a cell. All nodes lie in one open-addressing table, keyed by parent
//! and code, so a step is one probe. Most steps lead nowhere, and a probe for what is not there
//! would be a cache miss each; so every node keeps a mask of its children's codes that answers
//! "no" for nearly all of them at once.
//!
//! A node has a weight for black and one for white: that of the pattern as each sees it or, where
//! that is not known, of the largest smaller one that is.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use policy::Model;
use shape::{CLASSES, Family, Pattern, State};

/// A pattern in the trie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node(pub(crate) u32);

/// A pair of weights, black's and white's, as the upper halves of two `f32`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair(u32);

impl Pair {
    const NEUTRAL: Pair = Pair(0x3f80_3f80);

    /// Both weights.
    #[inline(always)]
    pub(crate) fn weights(self) -> [f32; 2] {
        [f32::from_bits(self.0 & 0xffff_0000), f32::from_bits(self.0 << 16)]
    }

    fn set(&mut self, index: usize, weight: f32) {
        let half = round_to_half(weight).to_bits() >> 16;
        self.0 = match index {
            0 => self.0 & 0xffff | half << 16,
            _ => self.0 & 0xffff_0000 | half,
        };
    }
}

/// The nearest number whose lower 16 bits are zero: the precision that playouts keep, 0.4 %.
pub(crate) fn round_to_half(weight: f32) -> f32 {
    f32::from_bits((weight.to_bits() + 0x8000) & 0xffff_0000)
}

#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Slot {
    /// Parent in the upper half, code in the lower.
    key: u64,
    weights: Pair,
    /// Bit `spread(code)` is set if a child has this code.
    children: u32,
}

const FREE: u64 = u64::MAX;

/// The patterns of a model for playouts.
pub(crate) struct Trie {
    /// The table, then one root for each class.
    slots: Vec<Slot>,
    shift: u32,
    mask: usize,
}

#[inline(always)]
fn spread(code: u32) -> u32 {
    code.wrapping_mul(0x9e37_79b1) >> 27
}

impl Trie {
    /// The root of a class: nothing is seen yet.
    pub(crate) fn root(&self, class: u8) -> Node {
        Node((self.mask + 1 + class as usize) as u32)
    }

    /// The weights of a node.
    #[inline(always)]
    pub(crate) fn weights(&self, node: Node) -> Pair {
        self.slots[node.0 as usize].weights
    }

    /// The pattern that continues `node` with this ring.
    #[inline(always)]
    pub(crate) fn step(&self, node: Node, code: u32) -> Option<Node> {
        if self.slots[node.0 as usize].children >> spread(code) & 1 == 0 {
            return None;
        }
        let key = (node.0 as u64) << 32 | code as u64;
        let mut at = self.home(key);
        loop {
            let slot = &self.slots[at];
            if slot.key == key {
                return Some(Node(at as u32));
            }
            if slot.key == FREE {
                return None;
            }
            at = (at + 1) & self.mask;
        }
    }

    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// Bytes of the table.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot>()
    }

    /// Puts all patterns of a model, filter applied, in all orientations.
    pub(crate) fn new(model: &Model) -> Trie {
        let mut seeds = Seeds::new();
        let dictionary = model.dictionary();
        let family = dictionary.family();
        // In dictionary order smaller stages come first, so parents exist before their children.
        for index in dictionary.indices() {
            let weight = model.shape_weight(index).powf(model.filter);
            let pattern = dictionary.pattern(index);
            for (color, own) in [(0, State::Own), (1, State::Enemy)] {
                for image in family.turned(&pattern) {
                    seeds.plant(family, &image, own, color, weight);
                }
            }
        }
        seeds.grow()
    }
}

/// A pattern before it has its place in the table.
struct Seed {
    parent: u32,
    code: u32,
    weights: Pair,
}

#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_u64(b as u64));
    }

    fn write_u64(&mut self, n: u64) {
        let mixed = (self.0 ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// Collects nodes in the order of their stages.
struct Seeds {
    seeds: Vec<Seed>,
    found: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
}

impl Seeds {
    fn new() -> Seeds {
        // The roots come first.
        let root = |class| Seed { parent: u32::MAX, code: class as u32, weights: Pair::NEUTRAL };
        Seeds { seeds: (0..CLASSES).map(root).collect(), found: HashMap::default() }
    }

    /// Sets the weight that `color` gives a pattern whose stones of `black` are black.
    fn plant(&mut self, family: &Family, p: &Pattern, black: State, color: usize, weight: f32) {
        let mut node = p.class as u32;
        for stage in 0..=p.stage {
            let code = ring_code(family, &p.states, stage, black);
            let key = (node as u64) << 32 | code as u64;
            let parent = node;
            node = *self.found.entry(key).or_insert_with(|| {
                // A colour that does not know the pattern has what it knew before.
                let weights = self.seeds[parent as usize].weights;
                self.seeds.push(Seed { parent, code, weights });
                self.seeds.len() as u32 - 1
            });
        }
        self.seeds[node as usize].weights.set(color, weight);
    }

    fn grow(self) -> Trie {
        // At most half full: a search for what is there ends soon.
        let capacity = (2 * self.seeds.len()).next_power_of_two().max(64);
        let free = Slot { key: FREE, weights: Pair::NEUTRAL, children: 0 };
        let mut trie = Trie {
            slots: vec![free; capacity + CLASSES],
            shift: 64 - capacity.trailing_zeros(),
            mask: capacity - 1,
        };
        let mut places = vec![0; self.seeds.len()];
        for (i, seed) in self.seeds.iter().enumerate() {
            if seed.parent == u32::MAX {
                places[i] = capacity as u32 + seed.code;
                continue;
            }
            let parent = places[seed.parent as usize];
            let key = (parent as u64) << 32 | seed.code as u64;
            let mut at = trie.home(key);
            while trie.slots[at].key != FREE {
                at = (at + 1) & trie.mask;
            }
            trie.slots[at] = Slot { key, weights: seed.weights, children: 0 };
            trie.slots[parent as usize].children |= 1 << spread(seed.code);
            places[i] = at as u32;
        }
        trie
    }
}

/// The code of the cells that a stage adds, two bits each: 1 black, 2 white, 3 edge.
pub(crate) fn ring_code(family: &Family, states: &[State], stage: usize, black: State) -> u32 {
    let start = if stage == 0 { 0 } else { family.cells(stage - 1).len() };
    let end = family.cells(stage).len();
    states[start..end].iter().enumerate().fold(0, |code, (i, &state)| {
        let bits = match state {
            State::Empty => 0,
            State::Edge => 3,
            state if state == black => 1,
            _ => 2,
        };
        code | bits << (2 * i)
    })
}
