//! Known patterns as playouts look them up: stage by stage, both colours at once.
//!
//! The first stages see the ring of the eight neighbours only; a table gives the node of every ring.
//! From there on a step leads to a child by the code of the next stage. A ring is shown in the one
//! of its orientations and colourings that comes first, and the codes beyond it are turned
//! likewise; so a pattern is stored once, not in sixteen images, unless its ring is symmetric: an
//! empty one says nothing about orientation and colours.
//!
//! The children of a node stand together in a small hash table of their own, and the nodes that
//! were seen most come first: what is used most lies together. Most steps lead nowhere, and looking
//! for what is not there would be a cache miss each; so every node keeps a mask of its children's
//! hashes that answers "no" for most of them at once.
//!
//! A node has a weight for black and one for white: that of the pattern as each sees it or, where
//! that is not known, of the largest smaller one that is.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use bytemuck::{Pod, Zeroable};
use goban::{Cell, Point, Ring, Size};
use policy::Model;
use shape::{Family, Offset, Sight, State, class};

use crate::code::{Code, CodeLayout, Shown, Turn, near_swapped};
use crate::compiled::{NotForPlayouts, STAGES};
use crate::large_table::LargeTable;
use crate::prefetch::prefetch;
use crate::ring_table::{DIRECTIONS, RingTable};

/// A pair of weights, black's and white's, as the upper halves of two `f32`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Pair(u32);

impl Pair {
    pub(crate) const NEUTRAL: Pair = Pair(0x3f80_3f80);

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
fn round_to_half(weight: f32) -> f32 {
    f32::from_bits((weight.to_bits() + 0x8000) & 0xffff_0000)
}

/// Places take 24 bits.
const MOST_SLOTS: usize = 1 << 24;

/// The code of no stage: an edge in every other cell is nowhere to be seen.
const FREE: u32 = 0x5555_5555;

/// A pattern: what it weighs, and where larger ones are.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Node {
    weights: Pair,
    /// Where the table of its children begins (24 bits), the size of that as a power of two (5
    /// bits), the seed of its hash (2 bits), and whether a pattern that belongs in *this* slot
    /// stands in another.
    place: u32,
    /// A bit for each hash of a child.
    kids: u32,
}

impl Node {
    pub(crate) const NEUTRAL: Node = Node { weights: Pair::NEUTRAL, place: 0, kids: 0 };

    /// Its weights as they are for a point that is shown so.
    #[inline(always)]
    pub(crate) const fn weights(self, shown: Shown) -> Pair {
        Pair(shown.exchange(self.weights.0))
    }

    /// Whether there are larger patterns.
    #[inline(always)]
    pub(crate) const fn has_kids(self) -> bool {
        self.kids != 0
    }

    /// Where the table of the children begins, and its size as a power of two.
    #[inline(always)]
    const fn table(self) -> (usize, u32) {
        ((self.place >> 8) as usize, self.place >> 3 & 31)
    }
}

/// A place in the table: the code that leads to a node from its parent, and the node.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(16))]
pub(crate) struct Slot {
    code: u32,
    node: Node,
}

impl Slot {
    const FREE: Slot = Slot { code: FREE, node: Node::NEUTRAL };

    #[inline(always)]
    const fn is_crowded(self) -> bool {
        self.node.place & 1 != 0
    }
}

/// The node that the neighbours of a point lead to, and how it is shown. Few nodes are met often but
/// all rings are, so this holds the place of the node (24 bits) and not the node: four bytes for each
/// ring and part are what a cache can hold.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Root(u32);

impl Root {
    fn new(place: u32, shown: Shown) -> Root {
        Root(place << 8 | shown.bits() as u32)
    }

    #[inline(always)]
    pub(crate) fn node(self, slots: &[Slot]) -> Node {
        slots[(self.0 >> 8) as usize].node
    }

    #[inline(always)]
    pub(crate) const fn shown(self) -> Shown {
        Shown::from_bits(self.0 as u8)
    }
}

#[inline(always)]
const fn hash(code: u32, seed: u32) -> u32 {
    code.wrapping_mul(0x9e37_79b1 ^ seed << 13)
}

#[inline(always)]
const fn mask_bit(hash: u32) -> u32 {
    hash >> 27
}

/// The place in a table of 2^`log` slots.
#[inline(always)]
const fn home(hash: u32, log: u32) -> usize {
    (((hash as u64) << log) >> 32) as usize
}

/// Where a pattern may be.
#[derive(Clone, Copy)]
pub(crate) struct Seek {
    code: u32,
    at: u32,
    /// Whether there can be one.
    pub(crate) is_possible: bool,
}

impl Seek {
    pub(crate) const NOTHING: Seek = Seek { code: FREE, at: 0, is_possible: false };
}

/// The patterns of a model for playouts on one board size.
pub(crate) struct Trie {
    rings: RingTable,
    parts: usize,
    /// The node of every ring, for each part.
    roots: LargeTable<Root>,
    /// Its weights.
    root_weights: Vec<Pair>,
    slots: LargeTable<Slot>,
    turns: [[Turn; STAGES]; 8],
    /// Whether any symmetry does more than reverse.
    turning: bool,
}

impl Trie {
    /// The nodes that the neighbours of a point lead to, for each part.
    #[inline(always)]
    pub(crate) fn roots(&self, ring: usize) -> &[Root] {
        &self.roots.items()[ring * self.parts..][..self.parts]
    }

    /// Has the nodes of a ring fetched into the cache.
    #[inline(always)]
    pub(crate) fn fetch_roots(&self, ring: usize) {
        prefetch(self.roots.items(), ring * self.parts);
    }

    /// The weights of that node.
    #[inline(always)]
    pub(crate) fn root_weights(&self, ring: usize, part: usize) -> Pair {
        self.root_weights[ring * self.parts + part]
    }

    /// The number of the ring around a point.
    #[inline(always)]
    pub(crate) fn ring(&self, p: Point, ring: Ring) -> usize {
        self.rings.number(p, ring)
    }

    /// The table that look-ups go to.
    #[inline(always)]
    pub(crate) fn slots(&self) -> &[Slot] {
        self.slots.items()
    }

    /// Where the pattern would be that continues `node` with this code of a stage; it is being
    /// fetched into the cache.
    #[inline(always)]
    pub(crate) fn seek(
        &self,
        slots: &[Slot],
        node: Node,
        shown: Shown,
        stage: usize,
        code: Code,
    ) -> Seek {
        let mut code = code.read(shown);
        if self.turning {
            code = self.turns[shown.turn()][stage & (STAGES - 1)].apply(code);
        }
        let hash = hash(code, node.place >> 1 & 3);
        let (start, log) = node.table();
        let at = start + home(hash, log);
        let is_possible = node.kids >> mask_bit(hash) & 1 != 0;
        prefetch(slots, if is_possible { at } else { 0 });
        Seek { code, at: at as u32, is_possible }
    }

    /// Bytes of all tables.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.slots())
            + self.root_weights.len() * (size_of::<Root>() + size_of::<Pair>())
    }

    /// Puts in all patterns of a model, filter applied.
    pub(crate) fn new(
        model: &Model,
        layout: &CodeLayout,
        size: Size,
    ) -> Result<Trie, NotForPlayouts> {
        let family = model.family();
        let mut seeds = Seeds::new(model, layout);
        let seen_class = |p: Point| if family.sees_class() { class(p, size) } else { 0 };
        let mut shown = Vec::new();
        let rings = RingTable::new(size, seen_class, |number, class, ring| {
            shown.push((number, class, ring));
        });
        let parts = family.parts();
        let mut roots = vec![(0, 0, 0); rings.len() * parts];
        for (number, class, ring) in shown {
            for part in 0..parts {
                let code = seen(family, layout, part, ring);
                let (turn, swap, least) = seeds.orient(code);
                roots[number * parts + part] = (seeds.root(class, least), turn, swap);
            }
        }
        for index in model.dictionary().indices() {
            seeds.plant(index);
        }
        let mut all_turns = [[Turn::default(); STAGES]; 8];
        for (to, (_, turns)) in all_turns.iter_mut().zip(&layout.turns) {
            *to = *turns;
        }
        let (slots, places) = seeds.grow();
        if slots.len() > MOST_SLOTS {
            return Err(NotForPlayouts::TooMany { slots: slots.len() });
        }
        let root = |&(seed, turn, swap): &(u32, usize, usize)| {
            let shown = Shown::new(turn, all_turns[turn][0].reversed, swap);
            Root::new(places[seed as usize], shown)
        };
        let roots: Vec<Root> = roots.iter().map(root).collect();
        let root_weights = roots.iter().map(|root| root.node(&slots).weights(root.shown()));
        let root_weights = root_weights.collect();
        let turning = all_turns.iter().flatten().any(|turn| turn.shift != 0);
        Ok(Trie {
            rings,
            parts,
            roots: LargeTable::new(roots),
            root_weights,
            slots: LargeTable::new(slots),
            turns: all_turns,
            turning,
        })
    }
}

/// The pattern that is sought, which continues `parent`, and whether there is one; otherwise any.
#[inline(always)]
pub(crate) fn step(slots: &[Slot], seek: Seek, parent: impl Fn() -> Node) -> (Node, bool) {
    let mut slot = slots[seek.at as usize];
    if slot.is_crowded() & (slot.code != seek.code) {
        slot = slots[search(slots, parent(), seek)];
    }
    (slot.node, slot.code == seek.code)
}

/// The slot of a child that is not where it belongs, or the first slot, which is free.
#[cold]
fn search(slots: &[Slot], parent: Node, seek: Seek) -> usize {
    let (start, log) = parent.table();
    let table = &slots[start..start + (1 << log)];
    let from_home = (1..table.len()).map(|i| (seek.at as usize - start + i) % table.len());
    let mut taken = from_home.take_while(|&i| table[i].code != FREE);
    taken.find(|&i| table[i].code == seek.code).map_or(0, |i| start + i)
}

/// What a part sees of a ring: the code of its near cells.
fn seen(family: &Family, layout: &CodeLayout, part: usize, ring: Ring) -> u32 {
    if layout.near_stages == 0 {
        return 0;
    }
    let cells = family.cells(layout.near_stages - 1).iter().enumerate();
    cells.fold(0, |code, (i, sight)| {
        let Sight::Point(Offset { dx, dy }) = *sight else { return code };
        let turned = family.turn(part).apply_offset(dx, dy);
        let d = DIRECTIONS.iter().position(|&o| o == turned).expect("a neighbour");
        let bits = match ring.cell(d) {
            Cell::Empty => 0,
            Cell::Black => 1,
            Cell::White => 2,
            Cell::Edge if family.sees_edge() => 3,
            Cell::Edge => 0,
        };
        code | bits << (2 * i)
    })
}

/// A pattern before it has its place in the table.
struct Seed {
    parent: u32,
    code: u32,
    weights: Pair,
    seen: u64,
}

const NO_PARENT: u32 = u32::MAX;

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

type Table<T> = HashMap<u64, T, BuildHasherDefault<Mixed>>;

/// Collects nodes, parents before their children.
struct Seeds<'a> {
    model: &'a Model,
    layout: &'a CodeLayout,
    seeds: Vec<Seed>,
    /// Roots by class and code of the neighbours.
    roots: Table<u32>,
    /// Children by parent and code.
    found: Table<u32>,
    /// Weights of patterns that see neighbours only, by class, stage and code: what black and white
    /// know.
    near: Table<[Option<f32>; 2]>,
    /// Where each symmetry takes the near cells, and the codes that it makes.
    oriented: Table<(usize, usize, u32)>,
}

fn near_key(class: u8, stage: usize, code: u32) -> u64 {
    (class as u64) << 48 | (stage as u64) << 40 | code as u64
}

fn child_key(parent: u32, code: u32) -> u64 {
    (parent as u64) << 32 | code as u64
}

impl<'a> Seeds<'a> {
    fn new(model: &'a Model, layout: &'a CodeLayout) -> Seeds<'a> {
        let mut near = Table::<[Option<f32>; 2]>::default();
        let dictionary = model.dictionary();
        let family = dictionary.family();
        for index in dictionary.indices().filter(|&i| dictionary.stage(i) < layout.near_stages) {
            let pattern = dictionary.pattern(index);
            let weight = model.shape_weight(index).powf(model.filter);
            for image in family.turned(&pattern) {
                for (color, black) in [State::Own, State::Enemy].into_iter().enumerate() {
                    let code = layout.near_code(&image.states, black);
                    let key = near_key(pattern.class, pattern.stage, code);
                    near.entry(key).or_default()[color] = Some(weight);
                }
            }
        }
        Seeds {
            model,
            layout,
            seeds: Vec::new(),
            roots: Table::default(),
            found: Table::default(),
            near,
            oriented: Table::default(),
        }
    }

    /// The symmetry and colouring that shows a code of the neighbours as the least number, and that
    /// number.
    fn orient(&mut self, code: u32) -> (usize, usize, u32) {
        let (layout, family) = (self.layout, self.model.family());
        *self.oriented.entry(code as u64).or_insert_with(|| {
            let images = layout.turns.iter().enumerate().flat_map(|(t, &(i, _))| {
                let moved = (0..layout.near_cells).fold(0, |moved, cell| {
                    let to = family.images()[i][cell] as usize;
                    moved | (code >> (2 * cell) & 3) << (2 * to)
                });
                [(moved, t, 0), (near_swapped(moved), t, 1)]
            });
            let (least, turn, swap) = images.min().expect("there is the identity");
            (turn, swap, least)
        })
    }

    /// The seed of the neighbours of a point.
    fn root(&mut self, class: u8, code: u32) -> u32 {
        let key = near_key(class, 0, code);
        if let Some(&root) = self.roots.get(&key) {
            return root;
        }
        let family = self.model.family();
        let mut weights = Pair::NEUTRAL;
        for stage in 0..self.layout.near_stages {
            let cells = 2 * family.cells(stage).len();
            let code = code & (u32::MAX >> (32 - cells));
            let known = self.near.get(&near_key(class, stage, code)).copied().unwrap_or_default();
            for (color, weight) in known.into_iter().enumerate() {
                if let Some(weight) = weight {
                    weights.set(color, weight);
                }
            }
        }
        self.seeds.push(Seed { parent: NO_PARENT, code: FREE, weights, seen: 0 });
        let root = self.seeds.len() as u32 - 1;
        self.roots.insert(key, root);
        root
    }

    /// Puts in a pattern of the dictionary in those of its images whose neighbours are shown as
    /// they are, and which this board can show.
    fn plant(&mut self, index: shape::PatternIndex) {
        let (model, layout) = (self.model, self.layout);
        let stage = model.dictionary().stage(index);
        if stage < layout.near_stages {
            return;
        }
        let pattern = model.dictionary().pattern(index);
        let weight = model.shape_weight(index).powf(model.filter);
        let seen = model.dictionary().counts(index).seen;
        let images = model.family().images();
        let mut states = vec![State::Empty; pattern.states.len()];
        for (color, black) in [State::Own, State::Enemy].into_iter().enumerate() {
            let code = layout.near_code(&pattern.states, black);
            for image in images {
                let moved = (0..layout.near_cells)
                    .fold(0, |moved, cell| moved | (code >> (2 * cell) & 3) << (2 * image[cell]));
                if self.orient(moved).2 != moved {
                    continue;
                }
                let Some(&root) = self.roots.get(&near_key(pattern.class, 0, moved)) else {
                    continue;
                };
                for (&state, &to) in pattern.states.iter().zip(image) {
                    states[to as usize] = state;
                }
                let mut node = root;
                for outer in 0..=stage - layout.near_stages {
                    let code = layout.outer_code(outer, &states, black);
                    let parent = node;
                    self.seeds[parent as usize].seen += seen;
                    node = *self.found.entry(child_key(parent, code)).or_insert_with(|| {
                        // A colour that does not know the pattern has what it knew before.
                        let weights = self.seeds[parent as usize].weights;
                        self.seeds.push(Seed { parent, code, weights, seen: 0 });
                        self.seeds.len() as u32 - 1
                    });
                }
                self.seeds[node as usize].weights.set(color, weight);
            }
        }
    }

    /// The slots, and where each seed stands in them.
    fn grow(self) -> (Vec<Slot>, Vec<u32>) {
        let seeds = &self.seeds;
        // The children of each seed in one list.
        let mut ends = vec![0u32; seeds.len() + 1];
        for seed in seeds.iter().filter(|s| s.parent != NO_PARENT) {
            ends[seed.parent as usize + 1] += 1;
        }
        for i in 0..seeds.len() {
            ends[i + 1] += ends[i];
        }
        let mut next = ends.clone();
        let mut children = vec![0u32; ends[seeds.len()] as usize];
        for (i, seed) in seeds.iter().enumerate().filter(|(_, s)| s.parent != NO_PARENT) {
            let at = &mut next[seed.parent as usize];
            children[*at as usize] = i as u32;
            *at += 1;
        }
        // The most seen first, roots before all: the first slot is nobody's child.
        let mut order: Vec<u32> = (0..seeds.len() as u32).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(seeds[i as usize].seen), i));
        let mut slots = vec![Slot::FREE];
        let mut places = vec![0u32; seeds.len()];
        for &i in order.iter().filter(|&&i| seeds[i as usize].parent == NO_PARENT) {
            places[i as usize] = slots.len() as u32;
            let node = Node { weights: seeds[i as usize].weights, ..Node::NEUTRAL };
            slots.push(Slot { code: FREE, node });
        }
        let mut tables = vec![(0, 0); seeds.len()];
        for &i in &order {
            let mine = &children[ends[i as usize] as usize..ends[i as usize + 1] as usize];
            if !mine.is_empty() {
                let codes: Vec<u32> = mine.iter().map(|&c| seeds[c as usize].code).collect();
                let nursery = Nursery::new(&codes);
                let start = slots.len();
                let place = (start as u32) << 8 | nursery.log << 3 | nursery.seed << 1;
                tables[i as usize] = (place, nursery.mask);
                for place in &nursery.places {
                    slots.push(match place {
                        Some((child, crowded)) => {
                            let seed = mine[*child] as usize;
                            places[seed] = slots.len() as u32;
                            let (code, weights) = (seeds[seed].code, seeds[seed].weights);
                            Slot { code, node: Node { weights, place: *crowded as u32, kids: 0 } }
                        }
                        None => Slot::FREE,
                    });
                }
            }
        }
        for (i, &(place, kids)) in tables.iter().enumerate() {
            let node = &mut slots[places[i] as usize].node;
            node.place |= place;
            node.kids = kids;
        }
        (slots, places)
    }
}

/// The hash table of some siblings.
struct Nursery {
    log: u32,
    seed: u32,
    mask: u32,
    /// The child in each slot, and whether another one belongs there too.
    places: Vec<Option<(usize, bool)>>,
}

impl Nursery {
    fn new(codes: &[u32]) -> Nursery {
        let tight = codes.len().next_power_of_two().trailing_zeros();
        let few = codes.len() <= 16;
        // Few children find a seed that gives each a place of its own; many would need too much
        // room and may stand in for each other.
        let tries = (tight..=tight + 2).flat_map(|log| (0..4).map(move |seed| (log, seed)));
        let apart = |&(log, seed): &(u32, u32)| {
            let mut homes: Vec<usize> =
                codes.iter().map(|&code| home(hash(code, seed), log)).collect();
            homes.sort_unstable();
            homes.windows(2).all(|pair| pair[0] != pair[1])
        };
        let found = if few { tries.into_iter().find(apart) } else { None };
        let (log, seed) = found.unwrap_or((tight + 1, 0));
        let mut places: Vec<Option<(usize, bool)>> = vec![None; 1 << log];
        let mut mask = 0;
        for (child, &code) in codes.iter().enumerate() {
            let hash = hash(code, seed);
            mask |= 1 << mask_bit(hash);
            let mut at = home(hash, log);
            if let Some((_, crowded)) = &mut places[at] {
                *crowded = true;
            }
            while places[at].is_some() {
                at = (at + 1) & (places.len() - 1);
            }
            places[at] = Some((child, false));
        }
        Nursery { log, seed, mask, places }
    }
}
