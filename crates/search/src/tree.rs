//! The tree that all threads share. A node is a list of moves, the best first, and edges for those
//! of them that are open; edges live in blocks. Everything that changes while threads search is
//! atomic, so nothing locks; a lost race costs a playout, never the tree.

use std::cell::Cell;
use std::sync::atomic::{AtomicI32, AtomicU16, AtomicU32, AtomicU64, Ordering};

use goban::{Move, Point, PointMap, Size};

use crate::arena::Arena;
use crate::select::bias_of;
use crate::transposition::Transpositions;
use crate::urgency::Bias;

/// Edges of a block.
pub const EDGES: usize = 15;

/// Moves that a node can remember.
pub const MOVES: usize = 126;

/// What a won playout adds to a tally; draws and margins add less.
pub const WON: u64 = 64;

/// No root gets more visits: what they won would not fit into a tally.
pub const MOST_VISITS: u32 = 1 << 25;

/// Visits of a move whose scores are added up; more might not fit into its sum.
pub const fn scored_visits(size: Size) -> u32 {
    i32::MAX as u32 / size.area() as u32
}

const ORDER: Ordering = Ordering::Relaxed;

/// The child of an edge that one thread is about to make.
const IN_WORK: u32 = u32::MAX;

/// Nodes that are walked to between two looks at the time: less than a millisecond.
const STRIDE: usize = 1 << 10;

/// Nodes that are walked to in a few hundredths of a second.
const SMALL: usize = 1 << 16;

/// Visits and what they won, in one word so that they are never seen apart.
#[derive(Default)]
pub struct Tally(AtomicU64);

impl Tally {
    /// Counts a visit that has won nothing yet; says how many there were before.
    #[inline]
    pub fn visit(&self) -> u32 {
        self.0.fetch_add(1, ORDER) as u32
    }

    /// Adds what a visit won, in parts of [`WON`].
    #[inline]
    pub fn win(&self, parts: u64) {
        self.0.fetch_add(parts << 32, ORDER);
    }

    /// A visit and what it won.
    #[inline]
    pub fn add(&self, parts: u64) {
        self.0.fetch_add(parts << 32 | 1, ORDER);
    }

    /// Visits, and the sum of what they won, 1 for a win.
    #[inline]
    pub fn read(&self) -> (f32, f32) {
        let word = self.0.load(ORDER);
        (word as u32 as f32, (word >> 32) as f32 * (1.0 / WON as f32))
    }

    /// The visits.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.0.load(ORDER) as u32
    }

    fn copy_from(&self, other: &Tally) {
        self.0.store(other.0.load(ORDER), ORDER);
    }
}

/// A move in the tree and how it fared.
#[derive(Default)]
pub struct Edge {
    /// Playouts through this move, won by the player who makes it.
    pub tally: Tally,
    /// Playouts in which the player made this move at any later time.
    pub amaf: Tally,
    /// The sum of Black's area less White's, of the first [`scored_visits`].
    pub score: AtomicI32,
    child: AtomicU32,
    prior: AtomicU32,
    mv: AtomicU16,
}

impl Edge {
    fn open(&self, mv: Option<Point>, prior: f32) {
        self.tally.0.store(0, ORDER);
        self.amaf.0.store(0, ORDER);
        self.score.store(0, ORDER);
        self.child.store(0, ORDER);
        self.prior.store(prior.to_bits(), ORDER);
        self.mv.store(code(mv), ORDER);
    }

    /// The move; `None` is a pass.
    #[inline]
    pub fn mv(&self) -> Option<Point> {
        point(self.mv.load(ORDER))
    }

    /// The move.
    pub fn as_move(&self) -> Move {
        self.mv().map_or(Move::Pass, Move::Play)
    }

    /// The move model's probability.
    #[inline]
    pub fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(ORDER))
    }

    /// The node behind this move.
    #[inline]
    pub fn child(&self) -> Option<Node> {
        let child = self.child.load(Ordering::Acquire);
        (child != 0 && child != IN_WORK).then_some(Node(child))
    }

    /// Claims the right to make the child: true for one thread only.
    pub fn claim(&self) -> bool {
        self.child.compare_exchange(0, IN_WORK, Ordering::Acquire, ORDER).is_ok()
    }

    /// Publishes the child that was claimed, or gives the claim up.
    pub fn publish(&self, child: Option<Node>) {
        self.child.store(child.map_or(0, |node| node.0), Ordering::Release);
    }
}

fn code(mv: Option<Point>) -> u16 {
    mv.map_or(0, |p| p.index() as u16)
}

fn point(code: u16) -> Option<Point> {
    (code != 0).then(|| Point::from_index(code as usize))
}

/// The number of a node: that of its first block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node(pub(crate) u32);

/// Some edges of a node. In the first block of a node `open`, `list`, `growing` and `most` speak for
/// all.
#[derive(Default)]
#[repr(align(64))]
pub struct Block {
    open: AtomicU32,
    next: AtomicU32,
    list: AtomicU32,
    growing: AtomicU32,
    most: AtomicU32,
    _room: [u32; 3],
    edges: [Edge; EDGES],
}

/// The moves of a node, the best first: a code and a probability each.
struct List {
    len: AtomicU32,
    moves: [AtomicU16; MOVES],
    priors: [AtomicU16; MOVES],
}

impl Default for List {
    fn default() -> List {
        List {
            len: AtomicU32::new(0),
            moves: [const { AtomicU16::new(0) }; MOVES],
            priors: [const { AtomicU16::new(0) }; MOVES],
        }
    }
}

impl List {
    /// Brings the likeliest move from place `i` on to this place, with what its probability is
    /// multiplied by. Only one thread at a time may.
    fn bring(&self, i: usize, factor: impl Fn(Option<Point>) -> f32) {
        let len = self.len.load(ORDER) as usize;
        let likely =
            |j: usize| long(self.priors[j].load(ORDER)) * factor(point(self.moves[j].load(ORDER)));
        let mut best = (i, likely(i));
        for j in i + 1..len {
            let now = likely(j);
            if now > best.1 {
                best = (j, now);
            }
        }
        // Those between keep their order.
        let (mv, prior) = (self.moves[best.0].load(ORDER), self.priors[best.0].load(ORDER));
        for j in (i..best.0).rev() {
            self.moves[j + 1].store(self.moves[j].load(ORDER), ORDER);
            self.priors[j + 1].store(self.priors[j].load(ORDER), ORDER);
        }
        self.moves[i].store(mv, ORDER);
        self.priors[i].store(prior, ORDER);
    }
}

/// Probabilities as 16 bits: the upper half of an `f32`, which keeps two digits.
fn short(prior: f32) -> u16 {
    (prior.to_bits() >> 16) as u16
}

fn long(short: u16) -> f32 {
    f32::from_bits((short as u32) << 16)
}

/// The tree.
pub struct Tree {
    blocks: Arena<Block>,
    lists: Arena<List>,
    root: Option<Node>,
    is_stuck: bool,
    /// Finds nodes that another line has already reached.
    pub transpositions: Transpositions,
    /// All playouts, won by the player who moved before the root.
    pub tally: Tally,
}

impl Tree {
    /// A tree that takes at most this many bytes, and at least a few hundred thousand. With
    /// `transpositions` it has a transposition table, which takes a hundredth more.
    pub fn new(bytes: usize, transpositions: bool) -> Tree {
        // A node has one list and seldom more than two blocks.
        let nodes = bytes / (size_of::<List>() + size_of::<Block>() * 5 / 4);
        Tree {
            blocks: Arena::new(nodes * 5 / 4),
            lists: Arena::new(nodes),
            root: None,
            is_stuck: false,
            // Most searches end long before the memory is full.
            transpositions: Transpositions::new(if transpositions { nodes.div_ceil(4) } else { 0 }),
            tally: Tally::default(),
        }
    }

    /// The root, if there is one.
    pub fn root(&self) -> Option<Node> {
        self.root
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.lists.clear();
        self.transpositions.retain(|_| false);
        self.root = None;
        self.is_stuck = false;
        self.tally = Tally::default();
    }

    /// Makes a node the root of an empty tree.
    pub fn plant(&mut self, root: Node) {
        self.root = Some(root);
    }

    /// A new node with these moves, the best first; the first `open` of them get edges. `None` if
    /// there is no room.
    pub fn node(
        &self,
        moves: impl Iterator<Item = (Option<Point>, f32)>,
        open: usize,
        biases: Option<&PointMap<Bias>>,
    ) -> Option<Node> {
        let list_number = self.lists.take()?;
        let list = self.lists.get(list_number);
        let (mut len, mut most) = (0, 0.0f32);
        for ((mv, prior), (m, p)) in moves.zip(list.moves.iter().zip(&list.priors)) {
            m.store(code(mv), ORDER);
            p.store(short(prior), ORDER);
            most = most.max(long(short(prior)));
            len += 1;
        }
        list.len.store(len, ORDER);
        let node = Node(self.blocks.take()?);
        let block = self.blocks.get(node.0);
        block.open.store(0, ORDER);
        block.next.store(0, ORDER);
        block.growing.store(0, ORDER);
        block.list.store(list_number, ORDER);
        block.most.store(most.to_bits(), ORDER);
        self.grow(node, open, biases)?;
        Some(node)
    }

    /// The probability of the node's likeliest move.
    #[inline]
    pub fn most(&self, node: Node) -> f32 {
        f32::from_bits(self.blocks.get(node.0).most.load(ORDER))
    }

    /// Moves of the node that have edges.
    #[inline]
    pub fn open(&self, node: Node) -> usize {
        self.blocks.get(node.0).open.load(Ordering::Acquire) as usize
    }

    /// Opens moves until `wanted` have edges or all have, in the order of their prior times their bias.
    /// Does not wait for another thread that is already doing so. `None` if there is no room.
    pub fn grow(&self, node: Node, wanted: usize, biases: Option<&PointMap<Bias>>) -> Option<()> {
        let first = self.blocks.get(node.0);
        let list = self.lists.get(first.list.load(ORDER));
        let wanted = wanted.min(list.len.load(ORDER) as usize);
        if wanted <= self.open(node)
            || first.growing.compare_exchange(0, 1, Ordering::Acquire, ORDER).is_err()
        {
            return Some(());
        }
        let mut block = first;
        let mut result = Some(());
        for i in 0..wanted {
            if i > 0 && i.is_multiple_of(EDGES) {
                let mut next = block.next.load(ORDER);
                if next == 0 {
                    let Some(taken) = self.blocks.take() else {
                        result = None;
                        break;
                    };
                    next = taken;
                    self.blocks.get(next).next.store(0, ORDER);
                    block.next.store(next, Ordering::Release);
                }
                block = self.blocks.get(next);
            }
            if i >= self.open(node) {
                if biases.is_some() {
                    list.bring(i, |mv| bias_of(biases, mv).factor);
                }
                let (mv, prior) = (list.moves[i].load(ORDER), list.priors[i].load(ORDER));
                block.edges[i % EDGES].open(point(mv), long(prior));
                first.open.store(i as u32 + 1, Ordering::Release);
            }
        }
        first.growing.store(0, Ordering::Release);
        result
    }

    /// The open edges of a node in the order in which they were opened.
    #[inline]
    pub fn edges(&self, node: Node) -> impl Iterator<Item = &Edge> {
        let mut left = self.open(node);
        let mut block = Some(self.blocks.get(node.0));
        std::iter::from_fn(move || {
            let now = block?;
            let here = left.min(EDGES);
            left -= here;
            let next = now.next.load(Ordering::Acquire);
            block = (left > 0 && next != 0).then(|| self.blocks.get(next));
            Some(&now.edges[..here])
        })
        .flatten()
    }

    /// Moves the root along moves from it; the rest is forgotten. If nothing is known of one of them
    /// the tree is empty afterwards. What was forgotten is free again at once unless the tree is large;
    /// then when there is no room.
    pub fn advance(&mut self, moves: impl Iterator<Item = Option<Point>>) {
        for mv in moves {
            let known = self.root.and_then(|root| {
                let edge = self.edges(root).find(|edge| edge.mv() == mv)?;
                let tally = Tally::default();
                tally.copy_from(&edge.tally);
                Some((edge.child()?, tally))
            });
            let Some((child, tally)) = known else { return self.clear() };
            (self.root, self.tally) = (Some(child), tally);
        }
        // By nodes and not by time, so that one thread with a seed does the same every time.
        let looks = Cell::new(0);
        self.sweep(&|| looks.replace(looks.get() + 1) * STRIDE >= SMALL);
    }

    /// Whether time was up before there was room: only an empty tree is sure to get some.
    pub fn is_stuck(&self) -> bool {
        self.is_stuck
    }

    /// Makes room by forgetting what lies behind the least visited moves, until half of it is free
    /// or nothing is left but the root. When time is up it ends at once, and there may be no room yet.
    pub fn prune(&mut self, is_up: impl Fn() -> bool) {
        self.is_stuck = self.make_room(&is_up).is_none();
    }

    fn make_room(&mut self, is_up: &impl Fn() -> bool) -> Option<()> {
        let half = self.lists.capacity().min(self.blocks.capacity()) / 2;
        let mut least = self.enough_for(half, is_up)?;
        loop {
            let mut kept = 0;
            let is_kept = |edge: &Edge| {
                let enough = edge.tally.visits() >= least;
                if !enough {
                    edge.publish(None);
                }
                enough
            };
            self.walk(is_up, is_kept, |node, _| kept += self.blocks_of(node))?;
            if kept <= half || least == u32::MAX {
                break;
            }
            least = least.saturating_mul(2);
        }
        self.sweep(is_up)
    }

    /// Blocks of a node that hold edges.
    fn blocks_of(&self, node: Node) -> usize {
        self.open(node).div_ceil(EDGES)
    }

    /// The least power of two, from 2 on, such that what lies behind moves with so many visits takes
    /// no more than `room` blocks; or less where there are transpositions. Found by one walk through the tree, which
    /// takes long; `None` if time is up before.
    fn enough_for(&self, room: usize, is_up: &impl Fn() -> bool) -> Option<u32> {
        let mut taken = [0; 32];
        self.walk(
            is_up,
            |_| true,
            |node, visits| {
                taken[visits.max(1).ilog2() as usize] += self.blocks_of(node);
            },
        )?;
        let mut level = 31;
        let mut sum = taken[level];
        while level > 1 && sum + taken[level - 1] <= room {
            level -= 1;
            sum += taken[level];
        }
        Some(1 << level)
    }

    /// Takes back what cannot be reached from the root, or nothing if time is up before that is known.
    fn sweep(&mut self, is_up: &impl Fn() -> bool) -> Option<()> {
        let mut blocks = vec![false; self.blocks.capacity() + 1];
        let mut lists = vec![false; self.lists.capacity() + 1];
        self.walk(
            is_up,
            |_| true,
            |node, _| {
                lists[self.blocks.get(node.0).list.load(ORDER) as usize] = true;
                let mut number = node.0;
                while number != 0 {
                    blocks[number as usize] = true;
                    number = self.blocks.get(number).next.load(ORDER);
                }
            },
        )?;
        let unused_blocks = self.blocks.unused(|block| blocks[block as usize], is_up)?;
        let unused_lists = self.lists.unused(|list| lists[list as usize], is_up)?;
        self.transpositions.retain(|node| blocks[node.0 as usize]);
        self.blocks.reclaim(unused_blocks);
        self.lists.reclaim(unused_lists);
        Some(())
    }

    /// Comes once to each node that can be reached from the root by edges that are followed, with the
    /// visits of the edge it came by. `None` if time is up before it has been everywhere: memory is
    /// slow to walk through, and a search must end when it is told to.
    fn walk(
        &self,
        is_up: &impl Fn() -> bool,
        is_followed: impl Fn(&Edge) -> bool,
        mut see: impl FnMut(Node, u32),
    ) -> Option<()> {
        let mut met = vec![false; self.blocks.capacity() + 1];
        let mut nodes: Vec<(Node, u32)> = Vec::new();
        nodes.extend(self.root.map(|root| (root, u32::MAX)));
        let mut seen = 0usize;
        while let Some((node, visits)) = nodes.pop() {
            if std::mem::replace(&mut met[node.0 as usize], true) {
                continue;
            }
            if seen.is_multiple_of(STRIDE) && is_up() {
                return None;
            }
            seen += 1;
            see(node, visits);
            nodes.extend(self.edges(node).filter_map(|edge| {
                let child = edge.child()?;
                is_followed(edge).then(|| (child, edge.tally.visits()))
            }));
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_are_drawn_to_are_opened_first_and_the_others_keep_their_order() {
        let tree = Tree::new(1 << 20, false);
        let at = |x: u8| Some(Point::new(x, 0));
        let moves = (0..19).map(|x| (at(x), 0.5f32.powi(x as i32 + 1)));
        let mut biases = PointMap::filled(Bias::NONE);
        let urgent = Bias { factor: 1024.0, lift: 0.1 };
        biases[Point::new(7, 0)] = urgent;
        let node = tree.node(moves, 3, Some(&biases)).unwrap();
        let opened = || tree.edges(node).map(Edge::mv).collect::<Vec<_>>();
        assert_eq!(opened(), [at(7), at(0), at(1)]);
        // The probabilities are the model's all the same.
        assert_eq!(tree.most(node), 0.5);
        assert_eq!(tree.edges(node).next().unwrap().prior(), 0.5f32.powi(8));
        biases[Point::new(18, 0)] = Bias { factor: 1e9, lift: 0.1 };
        tree.grow(node, 5, Some(&biases)).unwrap();
        assert_eq!(opened(), [7, 0, 1, 18, 2].map(at));
        tree.grow(node, 30, None).unwrap();
        let rest = (3..18).filter(|&x| x != 7);
        assert_eq!(opened(), [7, 0, 1, 18, 2].into_iter().chain(rest).map(at).collect::<Vec<_>>());
    }

    /// A tree without room for more: a hundred moves at the root, and behind them nodes with three
    /// moves each. How often a move was visited falls with its depth.
    fn full(bytes: usize) -> Tree {
        let mut tree = Tree::new(bytes, true);
        let moves = |n: u8| (0..n).map(|i| (Some(Point::new(i % 10, i / 10)), 0.01));
        tree.plant(tree.node(moves(100), 100, None).unwrap());
        let mut level = vec![tree.root().unwrap()];
        let mut visits = 1 << 12;
        let mut is_full = false;
        while !is_full {
            let mut next = Vec::new();
            for edge in level.iter().flat_map(|&node| tree.edges(node)) {
                (0..visits).for_each(|_| edge.tally.add(0));
                let child = tree.node(moves(3), 3, None);
                is_full |= child.is_none();
                edge.publish(child);
                next.extend(child);
            }
            (level, visits) = (next, (visits / 4).max(1));
        }
        tree
    }

    /// Nodes that can be reached.
    fn nodes(tree: &Tree) -> usize {
        let mut nodes = 0;
        tree.walk(&|| false, |_| true, |_, _| nodes += 1).unwrap();
        nodes
    }

    #[test]
    fn when_time_is_up_no_more_room_is_made_and_the_tree_is_whole() {
        let mut tree = full(16 << 20);
        let all = nodes(&tree);
        assert!(all > 8 * STRIDE, "{all}");
        assert!(!tree.is_stuck());
        tree.prune(|| true);
        assert!(nodes(&tree) == all && tree.is_stuck());
        // It may happen anywhere on the way; each walk begins with a look.
        let (looks, mut last) = (Cell::new(0), 0);
        for most in 1.. {
            looks.set(0);
            tree.prune(|| {
                looks.set(looks.get() + 1);
                looks.get() > most
            });
            if looks.get() <= most {
                break;
            }
            assert_eq!(looks.get(), most + 1);
            last = most;
            assert!(tree.node(std::iter::empty(), 0, None).is_none(), "{most}");
            assert!(tree.edges(tree.root().unwrap()).all(|edge| edge.child().is_some()));
        }
        assert!(last > all / STRIDE && !tree.is_stuck(), "{last}");
        assert!(nodes(&tree) <= all / 2 + 1);
        assert!((0..all / 3).all(|_| tree.node(std::iter::empty(), 0, None).is_some()));
    }

    #[test]
    fn what_was_forgotten_is_free_again() {
        let mut tree = full(16 << 20);
        assert!(tree.node(std::iter::empty(), 0, None).is_none());
        let first = tree.edges(tree.root().unwrap()).next().unwrap().mv();
        tree.advance(std::iter::once(first));
        let (kept, has_room) = (nodes(&tree), || tree.node(std::iter::empty(), 0, None).is_some());
        assert!(kept > 10 && (0..10 * kept).all(|_| has_room()), "{kept}");
        // Of a move that nobody knows nothing is kept.
        tree.advance(std::iter::once(Some(Point::new(18, 18))));
        assert!(tree.root().is_none());
    }
}
