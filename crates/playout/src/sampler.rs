//! The values of all empty points for both players, kept up to date move by move, and drawing
//! from them.
//!
//! A point's value is class x shapes x tactics. A stone changes the ring of its eight neighbours,
//! whose shapes are looked up anew, and one stage of each part of the points that see it from
//! farther away: their codes are updated without a branch, and only those are looked up again whose
//! known pattern has larger ones at that stage. Look-ups go stage by stage for all points together:
//! each pass is a loop without a branch that chance decides, and its reads of memory do not wait for
//! each other. Tactics are counted again where liberties that matter changed; which points that are
//! is a union of liberty sets. The distance to the last move is multiplied in at each draw.

use goban::{Board, Chain, Color, Point, PointMap, PointSet, Watch};

use crate::code::{Code, Shown, WHITE};
use crate::compiled::Compiled;
use crate::experience::Experience;
use crate::random::Random;
use crate::tactic::{Beside, kind};
use crate::trie::{Node, Pair, Seek, step};
use crate::values::{Draws, LEAST, MOST, Values};

/// The stones that a move takes off.
pub struct Captures(Vec<Point>);

impl Captures {
    /// Room for any move.
    pub fn new() -> Captures {
        Captures(Vec::with_capacity(625))
    }

    /// Forgets the last move.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The stones that the last move took off.
    #[inline]
    pub fn stones(&self) -> &[Point] {
        &self.0
    }
}

impl Default for Captures {
    fn default() -> Captures {
        Captures::new()
    }
}

impl Watch for Captures {
    #[inline]
    fn captured(&mut self, point: Point) {
        self.0.push(point);
    }
}

/// A look-up to make: a *unit*, which is a part of a point, and a stage of it. The known pattern
/// before that stage is where the unit keeps it.
#[derive(Clone, Copy)]
struct Look(u32);

impl Look {
    #[inline(always)]
    fn new(unit: usize) -> Look {
        Look(unit as u32)
    }

    #[inline(always)]
    fn unit(self) -> usize {
        (self.0 & 0xffff) as usize
    }

    #[inline(always)]
    fn stage(self) -> usize {
        (self.0 >> 16) as usize
    }

    #[inline(always)]
    fn next(self) -> Look {
        Look(self.0 + (1 << 16))
    }
}

/// What is known of a part of a point.
#[derive(Clone, Copy)]
struct Unit {
    /// The weights of the largest known pattern.
    weights: Pair,
    shown: Shown,
    /// The stages that matter are below this. 0 for a stone.
    depth: u8,
}

impl Unit {
    const NEUTRAL: Unit = Unit { weights: Pair::NEUTRAL, shown: Shown::from_bits(0), depth: 0 };
}

/// The empty neighbours of a point and the numbers of their rings.
struct Around {
    points: [(Point, usize); 8],
    len: usize,
}

/// A stone is seen by fewer points and parts than this.
pub(crate) const LOOKS: usize = 128;

/// Values of the empty points of a board, and draws from them. `P` and `S` are the most parts and
/// stages beyond the neighbours that it can follow: 1, 0 for 3x3; 1, 2 for N5; 4, 3 for collages. There
/// is no other `P`.
#[derive(Clone)]
pub struct Sampler<const P: usize, const S: usize> {
    /// Codes of the stages of each unit, [`Sampler::WIDTH`] apart; for occupied points too: they may
    /// become empty again. On the heap, as the next: they are too large for the stacks of threads.
    codes: Box<[Code]>,
    /// The known patterns that the stages may continue.
    parents: Box<[Node]>,
    units: PointMap<[Unit; P]>,
    tactics: PointMap<[f32; 2]>,
    values: [Values; 2],
    empty: PointSet,
    /// Empty points next to a chain with one or two liberties.
    low: PointSet,
    /// Empty points next to a chain with one liberty.
    takes: PointSet,
    /// Liberties of each chain when its surroundings were last looked at, 5 for more.
    liberties: [u8; 512],
    /// The kind of each chain, 0 for none.
    kinds: [u16; 512],
    /// Points whose value is to be set again.
    stale: PointSet,
    /// Points whose tactics are to be counted again.
    unread: PointSet,
    looks: [Look; LOOKS],
    /// Where to look.
    seeks: [Seek; LOOKS],
    /// Points taken out of `unread` and `stale`.
    list: [Point; 1024],
    /// Those of them next to a chain with one or two liberties.
    close: [(Point, Beside); 1024],
}

impl<const P: usize, const S: usize> Sampler<P, S> {
    /// Places from one unit to the next: one more than stages, for what the last one leads to.
    const WIDTH: usize = (S + 1).next_power_of_two();

    /// The values of a board.
    ///
    /// # Panics
    /// If the model has more parts or stages, or is made ready for another board size.
    #[inline(never)]
    pub fn new(compiled: &Compiled, board: &Board) -> Box<Sampler<P, S>> {
        assert_eq!(compiled.size, board.size(), "the model is made ready for another board size");
        assert!(compiled.parts <= P && compiled.outer <= S, "the model has more parts or stages");
        let nowhere = Point::from_index(0);
        let mut sampler = Box::new(Sampler {
            codes: vec![Code::EMPTY; PointMap::<()>::LEN * P * Self::WIDTH].into(),
            parents: vec![Node::NEUTRAL; PointMap::<()>::LEN * P * Self::WIDTH].into(),
            units: PointMap::filled([Unit::NEUTRAL; P]),
            tactics: PointMap::filled([0.0; 2]),
            values: [Values::NONE; 2],
            empty: PointSet::EMPTY,
            low: PointSet::EMPTY,
            takes: PointSet::EMPTY,
            liberties: [5; 512],
            kinds: [0; 512],
            stale: PointSet::EMPTY,
            unread: PointSet::EMPTY,
            looks: [Look::new(0); LOOKS],
            seeks: [Seek::NOTHING; LOOKS],
            list: [nowhere; 1024],
            close: [(nowhere, Beside::new(board, Point::new(0, 0), &[0; 512])); 1024],
        });
        for p in compiled.size.points() {
            let edges = &compiled.edges[p.index()];
            for (part, edges) in edges.iter().enumerate().take(P) {
                let start = (p.index() * P + part) * Self::WIDTH;
                sampler.codes[start..start + S].copy_from_slice(&edges[..S]);
            }
        }
        for p in compiled.size.points() {
            if let Some(color) = board.cell(p).color() {
                sampler.change_codes(compiled, p, color);
            }
        }
        for chain in board.all_chains() {
            sampler.liberties[chain.index()] = board.liberty_count(chain).min(5) as u8;
            sampler.kinds[chain.index()] = kind(board, chain);
        }
        for p in board.empties() {
            sampler.empty.insert(p);
            sampler.unread.insert(p);
            let ring = compiled.trie.ring(p, board.ring(p));
            let looks = sampler.look_near(compiled, p, ring, 0);
            sampler.look_up(compiled, looks);
        }
        let unread = sampler.count_tactics(compiled, board);
        sampler.set_values(compiled, unread);
        sampler
    }

    /// Makes this equal to `other`, a sampler of a board of the same size, without allocating.
    pub fn copy_from(&mut self, compiled: &Compiled, other: &Sampler<P, S>) {
        let side = compiled.size.side() as usize;
        for y in 0..side {
            let start = Point::new(0, y as u8).index();
            let row = start..start + side;
            if S > 0 {
                let stages = row.start * P * Self::WIDTH..row.end * P * Self::WIDTH;
                self.codes[stages.clone()].copy_from_slice(&other.codes[stages.clone()]);
                self.parents[stages.clone()].copy_from_slice(&other.parents[stages]);
            }
            copy(&mut self.units, &other.units, row.clone());
            copy(&mut self.tactics, &other.tactics, row);
        }
        for (values, others) in self.values.iter_mut().zip(&other.values) {
            values.copy_from(others, compiled.size);
        }
        self.empty = other.empty;
        self.low = other.low;
        self.takes = other.takes;
        self.liberties = other.liberties;
        self.kinds = other.kinds;
    }

    /// The value of a point, without ko and the distance to the last move; 0 for a move that
    /// playouts do not make.
    pub fn value(&self, p: Point, color: Color) -> f32 {
        self.values[color.index()].get(p)
    }

    /// Plays a legal move on the board and brings all values up to date.
    #[inline]
    pub fn play(
        &mut self,
        compiled: &Compiled,
        board: &mut Board,
        p: Point,
        color: Color,
        captures: &mut Captures,
    ) {
        // A chain that is swallowed is gone afterwards; what it had must be known before.
        let joined = board.ring(p).stones(color);
        let mut fewest = 5;
        for (d, chain) in board.chains_beside(p).into_iter().enumerate() {
            let liberties = self.liberties[chain.index()];
            fewest = fewest.min(if joined >> (2 * d) & 1 != 0 { liberties } else { 5 });
        }
        captures.clear();
        board.play_assume_legal(p, color, captures);

        self.units[p].iter_mut().for_each(|unit| unit.depth = 0);
        self.empty.remove(p);
        self.low.remove(p);
        self.takes.remove(p);
        self.values.iter_mut().for_each(|values| values.set(p, 0.0));
        let around = self.see_neighbours(compiled, board, p);
        let looks = self.change_codes(compiled, p, color);
        let near = &around.points[..around.len];
        let looks =
            near.iter().fold(looks, |looks, &(q, ring)| self.look_near(compiled, q, ring, looks));
        self.look_up(compiled, looks);
        self.read_around(compiled, board, p);
        if let Some(chain) = board.chain(p) {
            self.liberties[chain.index()] = fewest;
            self.read_chain(board, chain);
        }
        let enemies = board.ring(p).stones(!color);
        for (d, chain) in board.chains_beside(p).into_iter().enumerate() {
            if enemies >> (2 * d) & 1 != 0 {
                self.read_chain(board, chain);
            }
        }
        if !captures.0.is_empty() {
            self.take_off(compiled, board, &captures.0, !color);
        }
        let unread = self.count_tactics(compiled, board);
        self.set_values(compiled, unread);
    }

    #[cold]
    fn take_off(&mut self, compiled: &Compiled, board: &Board, captured: &[Point], color: Color) {
        for &q in captured {
            self.empty.insert(q);
            self.unread.insert(q);
            let looks = self.change_codes(compiled, q, color);
            self.look_up(compiled, looks);
            self.read_around(compiled, board, q);
            for n in board.neighbours(q) {
                if let Some(chain) = board.chain(n) {
                    self.read_chain(board, chain);
                }
            }
        }
        if S > 0 {
            let mut near: PointSet = captured.iter().copied().collect();
            captured.iter().for_each(|&q| near.insert_around(q, 0xff));
            near.intersect(&self.empty);
            for q in near.iter() {
                let ring = compiled.trie.ring(q, board.ring(q));
                let looks = self.look_near(compiled, q, ring, 0);
                self.look_up(compiled, looks);
            }
        }
    }

    /// Marks the neighbours of a point that a stone came to or left: those beside it, and those
    /// across that are surrounded, for they may have become eyes or lost that. If shapes see
    /// nothing but neighbours, all of them: their shape is read with their tactics.
    #[inline(always)]
    fn read_around(&mut self, compiled: &Compiled, board: &Board, p: Point) {
        let mut directions = 0xff;
        if S > 0 {
            directions = (4..8).fold(0x0f, |directions, d| {
                let ring = board.ring(p.neighbour(d));
                directions | (compiled.tactic.is_surrounded(ring) as u8) << d
            });
        }
        self.unread.insert_around(p, directions);
    }

    /// Marks the points that depend on the liberties of a chain whose liberties changed: all its
    /// liberties if it has or had one or two; otherwise it can only matter to what another chain
    /// with few liberties gains by joining. Doing it twice does no harm.
    #[inline]
    fn read_chain(&mut self, board: &Board, chain: Chain) {
        let before = &mut self.liberties[chain.index()];
        let now = board.liberty_count(chain).min(5) as u8;
        let fewest = now.min(*before);
        *before = now;
        self.kinds[chain.index()] = kind(board, chain);
        board.add_liberties_if(chain, fewest <= 2, fewest <= 4, &self.low, &mut self.unread);
        // Hardly ever is there something to capture that is not on the list already.
        if fewest == 1 && !self.takes.is_within(&self.unread) {
            self.read_rescues(board, chain);
        }
    }

    /// Where a chain that touches this one could be captured: that may rescue it, or no longer.
    fn read_rescues(&mut self, board: &Board, chain: Chain) {
        for stone in board.chain_stones(chain) {
            for q in board.neighbours(stone) {
                if let Some(other) = board.chain(q)
                    && other != chain
                    && board.liberty_count(other) == 1
                {
                    board.add_liberties(other, &mut self.unread);
                }
            }
        }
    }

    /// Counts the tactics that were put off, and says of how many points.
    #[inline]
    fn count_tactics(&mut self, compiled: &Compiled, board: &Board) -> usize {
        self.unread.intersect(&self.empty);
        if S > 0 {
            self.stale.unite(&self.unread);
        }
        let unread = self.unread.drain_into(compiled.size, &mut self.list);
        let mut close = 0;
        for i in 0..unread {
            let p = self.list[i & 1023];
            let ring = board.ring(p);
            self.tactics[p] = compiled.tactic.calm(ring);
            if S == 0 {
                let ring = compiled.trie.ring(p, ring);
                for part in 0..compiled.parts.min(P) {
                    self.units[p][part].weights = compiled.trie.root_weights(ring, part);
                }
            }
            let beside = Beside::new(board, p, &self.kinds);
            self.low.set(p, beside.is_close());
            self.takes.set(p, beside.is_in_atari());
            self.close[close & 1023] = (p, beside);
            close += beside.is_close() as usize;
        }
        for i in 0..close {
            let (p, beside) = self.close[i & 1023];
            self.tactics[p] = compiled.tactic.close(board, p, beside);
        }
        unread
    }

    /// Sets the values that something changed: those of the points whose tactics were counted, which
    /// are on the list, and of those that were looked up.
    #[inline]
    fn set_values(&mut self, compiled: &Compiled, unread: usize) {
        let mut stale = unread;
        if S > 0 {
            stale = self.stale.drain_into(compiled.size, &mut self.list);
        }
        for i in 0..stale {
            self.set_value(compiled, self.list[i & 1023]);
        }
    }

    #[inline(always)]
    fn set_value(&mut self, compiled: &Compiled, p: Point) {
        let weights = self.units[p].map(|unit| unit.weights.weights());
        let base = compiled.bases[p];
        for (c, factor) in self.tactics[p].into_iter().enumerate() {
            let shapes = weights.iter().fold(base, |value, part| value * part[c]);
            // Not a number if one part vanishes and another has no bounds: least then.
            #[allow(clippy::manual_clamp)]
            let value = (shapes * factor).max(LEAST).min(MOST);
            self.values[c].set(p, if factor > 0.0 { value } else { 0.0 });
        }
    }

    /// The empty neighbours of a point and the numbers of their rings, whose nodes are being fetched.
    /// No stage of them matters until they are looked up.
    #[inline(always)]
    fn see_neighbours(&mut self, compiled: &Compiled, board: &Board, p: Point) -> Around {
        let mut around = Around { points: [(p, 0); 8], len: 0 };
        if S > 0 {
            for d in 0..8 {
                let q = p.neighbour(d);
                around.points[around.len & 7].0 = q;
                around.len += self.empty.contains(q) as usize;
            }
            for (q, ring) in &mut around.points[..around.len] {
                *ring = compiled.trie.ring(*q, board.ring(*q));
                compiled.trie.fetch_roots(*ring);
                self.units[*q].iter_mut().for_each(|unit| unit.depth = 0);
            }
        }
        around
    }

    /// Changes the codes of the points that see `p`, and puts those on the list of look-ups that it
    /// matters to.
    #[inline(always)]
    fn change_codes(&mut self, compiled: &Compiled, p: Point, color: Color) -> usize {
        let mut looks = 0;
        if S == 0 {
            return 0;
        }
        let (start, end) = compiled.lists[p];
        let units = self.units.as_slice().as_flattened();
        let shift = if color == Color::White { WHITE } else { 0 };
        let here = (p.index() * P) as u32;
        for update in &compiled.updates[start as usize..end as usize] {
            let look = Look(update.look::<P>(here));
            self.codes[look.unit() * Self::WIDTH + look.stage()].flip(update.black, shift);
            // Written always and counted only if it matters: no branch to guess.
            self.looks[looks & (LOOKS - 1)] = look;
            looks += (look.stage() < units[look.unit()].depth as usize) as usize;
        }
        for look in &self.looks[..looks] {
            self.stale.insert_if(Point::from_index(look.unit() / P), true);
        }
        looks
    }

    /// Puts all parts of an empty point on the list of look-ups, which has `looks` so far.
    #[inline(always)]
    fn look_near(&mut self, compiled: &Compiled, p: Point, ring: usize, mut looks: usize) -> usize {
        if S == 0 {
            return 0;
        }
        self.stale.insert_if(p, true);
        let slots = compiled.trie.slots();
        for (part, root) in compiled.trie.roots(ring).iter().enumerate().take(P) {
            let unit = p.index() * P + part;
            let (node, shown) = (root.node(slots), root.shown());
            self.units[p][part] = Unit { weights: node.weights(shown), shown, depth: 0 };
            self.parents[unit * Self::WIDTH] = node;
            self.looks[looks & (LOOKS - 1)] = Look::new(unit);
            looks += node.has_kids() as usize;
        }
        looks
    }

    /// Finds the largest known patterns for the look-ups on the list, whose earlier stages are as
    /// they were.
    #[inline]
    fn look_up(&mut self, compiled: &Compiled, mut looks: usize) {
        if S == 0 {
            return;
        }
        let units = self.units.as_mut_slice().as_flattened_mut();
        let slots = compiled.trie.slots();
        while looks > 0 {
            // What is there for each if there is no larger pattern, and those that may have one.
            let mut possible = 0;
            for i in 0..looks {
                let look = self.looks[i & (LOOKS - 1)];
                let at = look.unit() * Self::WIDTH + look.stage();
                let node = self.parents[at];
                let unit = &mut units[look.unit()];
                unit.depth = look.stage() as u8 + 1;
                unit.weights = node.weights(unit.shown);
                let code = self.codes[at];
                let seek = compiled.trie.seek(slots, node, unit.shown, look.stage(), code);
                self.looks[possible & (LOOKS - 1)] = look;
                self.seeks[possible & (LOOKS - 1)] = seek;
                possible += seek.is_possible as usize;
            }
            let mut next = 0;
            for i in 0..possible {
                let (look, seek) = (self.looks[i & (LOOKS - 1)], self.seeks[i & (LOOKS - 1)]);
                let at = look.unit() * Self::WIDTH + look.stage();
                let unit = &mut units[look.unit()];
                let (node, found) = step(slots, seek, || self.parents[at]);
                let larger = node.weights(unit.shown);
                unit.weights = if found { larger } else { unit.weights };
                // Never read if it is not what was sought.
                self.parents[at + 1] = node;
                self.looks[next & (LOOKS - 1)] = look.next();
                next += (found & node.has_kids()) as usize;
            }
            looks = next;
        }
    }

    /// Takes a point out of the draws for `color` until its value is set again.
    pub(crate) fn shut(&mut self, p: Point, color: Color) {
        self.values[color.index()].set(p, 0.0);
    }

    /// Whether a point can be drawn for `color`, ko aside.
    #[inline]
    pub(crate) fn is_open(&self, p: Point, color: Color) -> bool {
        self.values[color.index()].get(p) > 0.0
    }

    /// Draws a move for `color` by the model: never the ko point, nor a move whose probability is
    /// below the cut-off unless all are. `None` if there is nothing to play.
    #[inline]
    pub fn draw(
        &mut self,
        compiled: &Compiled,
        color: Color,
        last: Option<Point>,
        ko: Option<Point>,
        random: &mut Random,
    ) -> Option<Point> {
        self.values[color.index()].draw(&draws(compiled, last, ko), random)
    }

    /// The same by what playouts have learned as well.
    #[inline]
    pub(crate) fn draw_with(
        &self,
        compiled: &Compiled,
        experience: &mut Experience,
        color: Color,
        last: Option<Point>,
        ko: Option<Point>,
        random: &mut Random,
    ) -> Option<Point> {
        let values = &self.values[color.index()];
        experience.draw(values, color, &draws(compiled, last, ko), random)
    }

    /// The probability with which [`Sampler::draw`] draws each point.
    pub fn probabilities(
        &mut self,
        compiled: &Compiled,
        color: Color,
        last: Option<Point>,
        ko: Option<Point>,
    ) -> Vec<(Point, f64)> {
        let kept = self.values[color.index()].kept(&draws(compiled, last, ko));
        let sum: f64 = kept.iter().map(|&(_, value)| value as f64).sum();
        kept.into_iter().map(|(p, value)| (p, value as f64 / sum)).collect()
    }
}

#[inline(always)]
fn draws(compiled: &Compiled, last: Option<Point>, ko: Option<Point>) -> Draws<'_> {
    Draws { size: compiled.size, near: &compiled.near, last, ko, cut: compiled.cut }
}

/// Copies some places of a table.
fn copy<T: Copy>(to: &mut PointMap<T>, from: &PointMap<T>, places: std::ops::Range<usize>) {
    to.as_mut_slice()[places.clone()].copy_from_slice(&from.as_slice()[places]);
}
