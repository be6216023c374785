//! The fast board: stones, chains with exact liberty sets, capture, simple ko.
//!
//! One type serves everything from a light playout to a learned one. It knows the stones and the
//! point that simple ko forbids; whose turn it is, the moves made and superko belong to
//! [`crate::Game`]. Nothing here allocates or can fail; what a move changed is told to a [`Watch`].
//!
//! How it is fast:
//! - every point keeps the [`Ring`] of its eight neighbours, two bits each, so that one load
//!   answers which neighbours are empty, mine or his, whether the point is an eye, and what 3x3
//!   shape it is. A stone changes eight rings by one XOR each;
//! - a chain's liberties are a bit set and a count. Taking one away is idempotent, so the four
//!   neighbours of a new stone need no test for "the same chain twice"; other directions go to a
//!   dummy chain, so they need no test at all. A branch that chance decides costs more than the
//!   work it saves;
//! - what is known of a point lies together, and so does what is known of a chain; separate tables
//!   of a power of two in length were a tenth slower, for they fall on the same cache addresses;
//! - chains live in recycled slots, so a board is copied by its used parts only.
//!
//! Bounds checks stay: with this layout, removing them by `unsafe` made playouts slower.

mod around;

pub use around::{After, Around, Directions};

use crate::change::Watch;
use crate::color::{Cell, Color};
use crate::liberties::Liberties;
use crate::point::{Point, PointMap, PointSet, STEPS, Size, WORDS};
use crate::ring::Ring;

/// A place that is no point of any board.
const NOWHERE: Point = Point(0);

/// A chain on the board, as long as no move touches it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Chain(u16);

/// Chains there can be, and one dummy. Every chain has a liberty and no liberty serves more than
/// four chains, so at most four fifths of the 625 points are chains of their own.
pub(crate) const CHAINS: usize = 512;

impl Chain {
    /// The dummy that empty points and edges belong to.
    const NONE: Chain = Chain(0);

    /// The chain's place in tables of length 512.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & (CHAINS - 1)
    }
}

/// What the board knows of one point, side by side because it is wanted together.
#[derive(Clone, Copy)]
struct Site {
    ring: Ring,
    chain: Chain,
    /// The stones of a chain form a circle.
    next: Point,
    cell: Cell,
}

impl Site {
    const EDGE: Site =
        Site { ring: Ring(0xffff), chain: Chain::NONE, next: Point(0), cell: Cell::Edge };
}

/// What the board knows of one chain: two cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Body {
    /// Number of liberties.
    count: u16,
    /// Number of stones.
    length: u16,
    /// A stone of it; in a free slot the next free one.
    first: Point,
    liberties: Liberties,
}

impl Body {
    const NONE: Body = Body { count: 0, length: 0, first: Point(0), liberties: Liberties::NONE };
}

/// Why a move is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// The point is not on the board.
    OffBoard,
    /// There is a stone already.
    Occupied,
    /// The stone's chain would have no liberty.
    Suicide,
    /// It takes back a ko at once.
    Ko,
    /// It repeats an earlier position (positional or situational superko).
    Superko,
}

impl std::fmt::Display for Illegal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Illegal::OffBoard => "the point is not on the board",
            Illegal::Occupied => "the point is occupied",
            Illegal::Suicide => "it would be suicide",
            Illegal::Ko => "it takes back a ko at once",
            Illegal::Superko => "it repeats an earlier position",
        })
    }
}

impl std::error::Error for Illegal {}

/// A position with its chains and liberties. See the module documentation.
#[derive(Clone)]
pub struct Board {
    size: Size,
    /// The point that simple ko forbids to black and to white, or `NOWHERE`.
    ko: [Point; 2],
    stones: [u16; 2],
    /// The chain slots in use are below this; freed ones form a list through `first`.
    high: u16,
    free: u16,
    sites: PointMap<Site>,
    bodies: [Body; CHAINS],
}

impl Board {
    /// An empty board.
    pub fn new(size: Size) -> Board {
        let mut board = Board {
            size,
            ko: [NOWHERE; 2],
            stones: [0; 2],
            high: 1,
            free: 0,
            sites: PointMap::filled(Site::EDGE),
            bodies: [Body::NONE; CHAINS],
        };
        // The dummy chain may lend and lose bits, but it never looks dead.
        board.bodies[0].count = 0x8000;
        for p in size.points() {
            board.sites[p].cell = Cell::Empty;
            board.toggle_rings(p, Cell::Edge as u16);
        }
        board
    }

    /// A board with these stones, if every chain has a liberty.
    ///
    /// # Errors
    /// The first stone that is off the board, on top of another, or without a liberty in the end.
    pub fn with_stones(
        size: Size,
        stones: impl IntoIterator<Item = (Point, Color)>,
    ) -> Result<Board, (Point, Illegal)> {
        // All stones stand before liberties are counted, so the order does not matter.
        let mut board = Board::new(size);
        for (p, color) in stones {
            match board.sites[p].cell {
                Cell::Empty => board.put_stone(p, color),
                Cell::Edge => return Err((p, Illegal::OffBoard)),
                Cell::Black | Cell::White => return Err((p, Illegal::Occupied)),
            }
        }
        for p in size.points() {
            if let Some(color) = board.sites[p].cell.color()
                && board.sites[p].chain == Chain::NONE
            {
                let chain = board.collect_chain(p, color);
                if board.bodies[chain.index()].count == 0 {
                    return Err((p, Illegal::Suicide));
                }
            }
        }
        Ok(board)
    }

    /// Makes a chain of the stones connected to `p` that belong to none yet.
    fn collect_chain(&mut self, p: Point, color: Color) -> Chain {
        let chain = self.new_chain();
        let i = chain.index();
        self.sites[p].next = p;
        self.sites[p].chain = chain;
        self.bodies[i].first = p;
        self.bodies[i].length = 1;
        // The circle is the queue: a stone found is put in behind the last one.
        let (mut stone, mut last) = (p, p);
        loop {
            let ring = self.sites[stone].ring;
            for d in 0..4 {
                let q = stone.step(d);
                if ring.stones(color) >> (2 * d) & 1 != 0 && self.sites[q].chain != chain {
                    self.sites[q].chain = chain;
                    self.sites[q].next = p;
                    self.sites[last].next = q;
                    self.bodies[i].length += 1;
                    last = q;
                } else if ring.empties() >> (2 * d) & 1 != 0 {
                    self.bodies[i].count += self.bodies[i].liberties.insert(q);
                }
            }
            stone = self.sites[stone].next;
            if stone == p {
                return chain;
            }
        }
    }

    /// Makes this board equal to `other` by copying what is in use, which is far less than all.
    pub fn copy_from(&mut self, other: &Board) {
        let size = self.size.max(other.size);
        let chains = other.high as usize;
        self.size = other.size;
        self.ko = other.ko;
        self.stones = other.stones;
        self.high = other.high;
        self.free = other.free;
        self.sites.copy_from(&other.sites, size);
        self.bodies[..chains].copy_from_slice(&other.bodies[..chains]);
    }

    /// The board's size.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// What is at `p`.
    #[inline]
    pub fn cell(&self, p: Point) -> Cell {
        self.sites[p].cell
    }

    /// The eight neighbours of `p`.
    #[inline]
    pub fn ring(&self, p: Point) -> Ring {
        self.sites[p].ring
    }

    /// The point that simple ko forbids to `color`, whose stone was just taken there.
    #[inline]
    pub fn ko(&self, color: Color) -> Option<Point> {
        Some(self.ko[color.index()]).filter(|&p| p != NOWHERE)
    }

    /// Stones of `color` on the board.
    #[inline]
    pub fn stones(&self, color: Color) -> usize {
        self.stones[color.index()] as usize
    }

    /// The empty points in reading order.
    pub fn empties(&self) -> impl Iterator<Item = Point> + '_ {
        self.size.points().filter(|&p| self.sites[p].cell == Cell::Empty)
    }

    /// The chain that the stone at `p` belongs to.
    #[inline]
    pub fn chain(&self, p: Point) -> Option<Chain> {
        let chain = self.sites[p].chain;
        (chain != Chain::NONE).then_some(chain)
    }

    /// Number of liberties of a chain.
    #[inline]
    pub fn liberty_count(&self, chain: Chain) -> usize {
        self.bodies[chain.index()].count as usize
    }

    /// The liberties of a chain.
    #[inline]
    pub fn liberties(&self, chain: Chain) -> impl Iterator<Item = Point> + '_ {
        self.bodies[chain.index()].liberties.iter(self.size.words())
    }

    /// The liberties of a chain as a set.
    #[inline]
    pub fn liberty_set(&self, chain: Chain) -> PointSet {
        self.liberties(chain).collect()
    }

    /// Adds the liberties of a chain to a set.
    #[inline]
    pub fn add_liberties(&self, chain: Chain, set: &mut PointSet) {
        self.add_liberties_if(chain, true, true, &PointSet::EMPTY, set);
    }

    /// Adds the liberties of a chain to a set: all if `all`, else those in `wanted` if `some`.
    #[inline]
    pub fn add_liberties_if(
        &self,
        chain: Chain,
        all: bool,
        some: bool,
        wanted: &PointSet,
        set: &mut PointSet,
    ) {
        let (all, some) = ((all as u64).wrapping_neg(), (some as u64).wrapping_neg());
        let liberties = &self.bodies[chain.index()].liberties;
        let mut add = |w: usize| {
            set.words[w] |= liberties.word(w) & (wanted.words[w] & some | all);
        };
        // Loops of known length become a few vectors.
        match self.size.words() {
            ..=4 => (0..4).for_each(&mut add),
            5..=9 => (0..9).for_each(&mut add),
            _ => (0..WORDS).for_each(&mut add),
        }
    }

    /// Whether a stone of a chain touches a chain with one liberty, of the other colour of course.
    #[inline]
    pub fn touches_atari(&self, chain: Chain) -> bool {
        let first = self.bodies[chain.index()].first;
        let mut stone = first;
        let mut found = false;
        loop {
            for d in 0..4 {
                let other = self.sites[stone.step(d)].chain;
                found |= (other != chain) & (self.bodies[other.index()].count == 1);
            }
            stone = self.sites[stone].next;
            if stone == first {
                return found;
            }
        }
    }

    /// Number of stones of a chain.
    #[inline]
    pub fn length(&self, chain: Chain) -> usize {
        self.bodies[chain.index()].length as usize
    }

    /// The stones of a chain.
    #[inline]
    pub fn chain_stones(&self, chain: Chain) -> impl Iterator<Item = Point> + '_ {
        let first = self.bodies[chain.index()].first;
        let mut rest = Some(first);
        std::iter::from_fn(move || {
            let stone = rest?;
            let next = self.sites[stone].next;
            rest = (next != first).then_some(next);
            Some(stone)
        })
    }

    /// All chains on the board.
    pub fn all_chains(&self) -> impl Iterator<Item = Chain> + '_ {
        self.size.points().filter_map(|p| {
            let chain = self.chain(p)?;
            (self.bodies[chain.index()].first == p).then_some(chain)
        })
    }

    /// The up to four points next to `p` that are on the board.
    #[inline]
    pub fn neighbours(&self, p: Point) -> impl Iterator<Item = Point> + '_ {
        (0..4).map(move |d| p.step(d)).filter(|&q| self.sites[q].cell != Cell::Edge)
    }

    /// Whether `p` is an eye of `color` that a playout should not fill; see [`Ring::is_eye_of`].
    #[inline]
    pub fn is_eye(&self, p: Point, color: Color) -> bool {
        self.sites[p].ring.is_eye_of(color)
    }

    /// Whether a stone of `color` at the empty point `p` would have no liberty.
    #[inline]
    pub fn is_suicide(&self, p: Point, color: Color) -> bool {
        let ring = self.sites[p].ring;
        !ring.has_liberty() && !self.lives_by_neighbours(p, ring, color)
    }

    /// Whether a stone at `p`, which has no empty neighbour, lives through a friend with another
    /// liberty or an enemy whose last liberty this is. No branches: their outcome is anyone's guess.
    #[inline(always)]
    fn lives_by_neighbours(&self, p: Point, ring: Ring, color: Color) -> bool {
        let mut last = 0;
        for d in 0..4 {
            let count = self.bodies[self.sites[p.step(d)].chain.index()].count;
            last |= ((count == 1) as u16) << (2 * d);
        }
        (ring.stones(color) & !last) | (ring.stones(!color) & last) != 0
    }

    /// Whether `color` may play at `p` when suicide is forbidden: the point is empty, not the ko
    /// point, and the stone would have a liberty.
    #[inline]
    pub fn is_legal(&self, p: Point, color: Color) -> bool {
        let free = self.sites[p].cell == Cell::Empty && self.ko[color.index()] != p;
        free && !self.is_suicide(p, color)
    }

    /// Whether a playout may play the empty point `p`: legal, and no eye of `color`.
    #[inline]
    pub fn is_playable(&self, p: Point, color: Color) -> bool {
        let ring = self.sites[p].ring;
        let inside =
            ring.has_liberty() || !ring.is_eye_of(color) & self.lives_by_neighbours(p, ring, color);
        inside && self.ko[color.index()] != p
    }

    /// Like [`Board::is_legal`], and says what is wrong. Simple ko is the only ko known here.
    pub fn check(&self, p: Point, color: Color, suicide_allowed: bool) -> Result<(), Illegal> {
        match self.sites[p].cell {
            Cell::Edge => Err(Illegal::OffBoard),
            Cell::Black | Cell::White => Err(Illegal::Occupied),
            Cell::Empty if self.ko[color.index()] == p => Err(Illegal::Ko),
            // A lone stone that takes itself off would be a pass in disguise.
            Cell::Empty if self.is_suicide(p, color) => {
                let lone = self.sites[p].ring.stones(color) == 0;
                if suicide_allowed && !lone { Ok(()) } else { Err(Illegal::Suicide) }
            }
            Cell::Empty => Ok(()),
        }
    }

    /// The stones that `color` takes off by playing the empty point `p`, the opponent's or, when
    /// there are none and the move is suicide, its own (less the new stone).
    pub fn captures(&self, p: Point, color: Color) -> PointSet {
        let taken = |owner: Color, suicide: bool| -> PointSet {
            self.neighbours(p)
                .filter(|&q| self.sites[q].cell == Cell::from(owner))
                .filter_map(|q| self.chain(q))
                .filter(|&chain| suicide || self.liberty_count(chain) == 1)
                .flat_map(|chain| self.chain_stones(chain))
                .collect()
        };
        if self.is_suicide(p, color) { taken(color, true) } else { taken(!color, false) }
    }

    /// Passes: only the ko point changes.
    #[inline]
    pub fn pass(&mut self) {
        self.ko = [NOWHERE; 2];
    }

    /// Plays `color` at `p` if it is legal (no suicide).
    pub fn play(&mut self, p: Point, color: Color) -> Result<(), Illegal> {
        self.check(p, color, false)?;
        self.play_assume_legal(p, color, &mut ());
        Ok(())
    }

    /// Plays `color` at the empty point `p` and tells `watch` what changed. The move must be legal,
    /// or a suicide of more than one stone, which takes the chain off.
    #[inline]
    pub fn play_assume_legal<W: Watch>(&mut self, p: Point, color: Color, watch: &mut W) {
        debug_assert!(self.check(p, color, true).is_ok());
        // Each colour has code of its own in which its bits are constants.
        match color {
            Color::Black => self.place(p, Color::Black, watch),
            Color::White => self.place(p, Color::White, watch),
        }
    }

    #[inline(always)]
    fn place<W: Watch>(&mut self, p: Point, color: Color, watch: &mut W) {
        let ring = self.sites[p].ring;
        let mine = ring.stones(color);
        let theirs = ring.stones(!color);
        self.ko = [NOWHERE; 2];
        self.put_stone(p, color);
        watch.placed(p, color);

        // The opponent's chains lose a liberty. The other directions go to the dummy chain, which
        // has none to lose: four loads and stores are cheaper than guessing which to skip.
        let mut dead = 0;
        for d in 0..4 {
            let chain = self.chain_or_dummy(p.step(d), theirs >> (2 * d) & 1).index();
            let left = self.bodies[chain].count - self.bodies[chain].liberties.remove(p);
            self.bodies[chain].count = left;
            dead |= (left == 0) as u32;
        }

        let chain = self.join(p, mine);
        let i = chain.index();
        let count = self.bodies[i].count as i16;
        let delta = self.bodies[i].liberties.extend(p, ring.empties());
        self.bodies[i].count = (count + delta) as u16;

        if dead != 0 {
            self.capture_around(p, color, chain, watch);
        } else if self.bodies[i].count == 0 {
            self.remove_chain(chain, color, watch);
            return;
        }
        if W::LIBERTIES {
            // At the end, so that the watcher meets only chains that exist.
            watch.liberties(chain);
            for d in 0..4 {
                let neighbour = self.chain_or_dummy(p.step(d), theirs >> (2 * d) & 1);
                if neighbour != Chain::NONE {
                    watch.liberties(neighbour);
                }
            }
        }
    }

    /// The chain at `p` if `wanted` is 1, the dummy if it is 0, without a branch.
    #[inline(always)]
    fn chain_or_dummy(&self, p: Point, wanted: u16) -> Chain {
        Chain(self.sites[p].chain.0 & wanted.wrapping_neg())
    }

    /// Makes `p` part of the chains in the directions `mine`, or a chain of its own.
    #[inline(always)]
    fn join(&mut self, p: Point, mine: u16) -> Chain {
        if mine == 0 {
            let chain = self.new_chain();
            let i = chain.index();
            self.bodies[i].length = 1;
            self.bodies[i].first = p;
            self.sites[p].next = p;
            self.sites[p].chain = chain;
            return chain;
        }
        let q = p.step(mine.trailing_zeros() as usize / 2);
        let mut chain = self.sites[q].chain;
        self.sites[p].next = self.sites[q].next;
        self.sites[q].next = p;
        self.sites[p].chain = chain;
        self.bodies[chain.index()].length += 1;
        let mut rest = mine & (mine - 1);
        while rest != 0 {
            let other = self.sites[p.step(rest.trailing_zeros() as usize / 2)].chain;
            if other != chain {
                chain = self.merge(chain, other);
            }
            rest &= rest - 1;
        }
        chain
    }

    /// Merges two chains into the longer one, whose slot stays.
    #[inline(never)]
    fn merge(&mut self, a: Chain, b: Chain) -> Chain {
        let (into, from) = if self.bodies[a.index()].length >= self.bodies[b.index()].length {
            (a, b)
        } else {
            (b, a)
        };
        let (i, j) = (into.index(), from.index());

        let words = self.size.words().min(WORDS);
        let mut count = 0;
        for w in 0..words {
            let union = self.bodies[i].liberties.word(w) | self.bodies[j].liberties.word(w);
            self.bodies[i].liberties.set_word(w, union);
            self.bodies[j].liberties.set_word(w, 0);
            count += union.count_ones() as u16;
        }
        self.bodies[i].count = count;
        self.bodies[j].count = 0;
        self.bodies[i].length += self.bodies[j].length;

        let start = self.bodies[j].first;
        let mut stone = start;
        loop {
            self.sites[stone].chain = into;
            stone = self.sites[stone].next;
            if stone == start {
                break;
            }
        }
        // Swapping one link of each circle makes them one.
        let (x, y) = (self.bodies[i].first, self.bodies[j].first);
        let link = self.sites[x].next;
        self.sites[x].next = self.sites[y].next;
        self.sites[y].next = link;
        self.free_chain(from);
        into
    }

    /// Takes off the opponent's chains that lost their last liberty to the stone at `p`.
    #[inline(never)]
    fn capture_around<W: Watch>(&mut self, p: Point, color: Color, chain: Chain, watch: &mut W) {
        let before = self.stones[(!color).index()];
        let mut last = p;
        for d in 0..4 {
            let q = p.step(d);
            let neighbour = self.sites[q].chain;
            if self.sites[q].cell == Cell::from(!color) && self.bodies[neighbour.index()].count == 0
            {
                self.remove_chain(neighbour, !color, watch);
                last = q;
            }
        }
        let i = chain.index();
        let one_taken = before - self.stones[(!color).index()] == 1;
        if one_taken && self.bodies[i].length == 1 && self.bodies[i].count == 1 {
            self.ko[(!color).index()] = last;
        }
    }

    /// Takes the stones of a chain off the board; its neighbours gain the points as liberties.
    #[inline]
    fn remove_chain<W: Watch>(&mut self, chain: Chain, color: Color, watch: &mut W) {
        let start = self.bodies[chain.index()].first;
        let mut stone = start;
        loop {
            self.take_stone(stone, color);
            watch.captured(stone);
            let enemies = self.sites[stone].ring.stones(!color);
            for d in 0..4 {
                let neighbour = self.chain_or_dummy(stone.step(d), enemies >> (2 * d) & 1);
                let i = neighbour.index();
                self.bodies[i].count += self.bodies[i].liberties.insert(stone);
                if W::LIBERTIES && neighbour != Chain::NONE {
                    watch.liberties(neighbour);
                }
            }
            stone = self.sites[stone].next;
            if stone == start {
                break;
            }
        }
        self.free_chain(chain);
    }

    #[inline]
    fn new_chain(&mut self) -> Chain {
        if self.free != 0 {
            let chain = Chain(self.free);
            self.free = self.bodies[chain.index()].first.0;
            return chain;
        }
        let chain = Chain(self.high);
        self.high += 1;
        self.bodies[chain.index()].liberties = Liberties::NONE;
        self.bodies[chain.index()].count = 0;
        chain
    }

    /// Recycles the slot of a chain that has no liberties left, neither in number nor in bits.
    #[inline]
    fn free_chain(&mut self, chain: Chain) {
        self.bodies[chain.index()].first = Point(self.free);
        self.free = chain.0;
    }

    #[inline(always)]
    fn put_stone(&mut self, p: Point, color: Color) {
        self.sites[p].cell = Cell::from(color);
        self.toggle_rings(p, color as u16);
        self.stones[color.index()] += 1;
    }

    #[inline(always)]
    fn take_stone(&mut self, p: Point, color: Color) {
        self.sites[p].cell = Cell::Empty;
        self.sites[p].chain = Chain::NONE;
        self.toggle_rings(p, color as u16);
        self.stones[color.index()] -= 1;
    }

    /// Flips the two bits that stand for `p` in the rings of its eight neighbours.
    #[inline(always)]
    fn toggle_rings(&mut self, p: Point, cell: u16) {
        for d in 0..STEPS.len() {
            self.sites[p.step(d)].ring.0 ^= cell << (2 * (d ^ 3));
        }
    }
}
