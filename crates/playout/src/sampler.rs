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

use goban::{Board, Chain, Changes, Color, Point, PointMap, PointSet};

use crate::compiled::{Compiled, PARTS, STAGES};
use crate::random::Random;
use crate::tactic::{Beside, kind};
use crate::trie::{Node, Pair};
use crate::values::{Draws, LEAST, MOST, Values};

/// What the sampler knows of the shapes at one point, for `P` parts of up to `S` stages beyond the
/// neighbours.
#[derive(Clone, Copy)]
struct Site<const P: usize, const S: usize> {
    /// Codes of the stages, for occupied points too: they may become empty again.
    codes: [[u32; S]; P],
    /// The known pattern that each stage may continue.
    nodes: [[Node; S]; P],
    /// Weights of the largest known pattern of each part.
    weights: [Pair; P],
    /// The stages that matter to each part are below this. 0 for a stone.
    depths: [u8; P],
}

/// A look-up to make.
#[derive(Clone, Copy)]
struct Look {
    at: u16,
    part: u8,
    stage: u8,
}

/// A stone is seen by fewer points and parts than this.
const LOOKS: usize = 128;

/// Values of the empty points of a board, and draws from them. `P` and `S` are the most parts and
/// stages beyond the neighbours that it can follow: 1, 0 for 3x3; 1, 2 for N5; 4, 3 for collages.
#[derive(Clone)]
pub struct Sampler<const P: usize, const S: usize> {
    sites: PointMap<Site<P, S>>,
    tactics: PointMap<[f32; 2]>,
    values: [Values; 2],
    empty: PointSet,
    /// Empty points next to a chain with one or two liberties.
    low: PointSet,
    /// Liberties of each chain when its surroundings were last looked at, 5 for more.
    liberties: [u8; 512],
    /// The kind of each chain, 0 for none.
    kinds: [u8; 512],
    /// Points whose value is to be set again.
    stale: PointSet,
    /// Points whose tactics are to be counted again.
    unread: PointSet,
    looks: [Look; LOOKS],
    /// Points taken out of `unread` and `stale`.
    list: [Point; 1024],
    /// Those of them next to a chain with one or two liberties.
    close: [(Point, Beside); 1024],
}

impl<const P: usize, const S: usize> Sampler<P, S> {
    /// The values of a board.
    ///
    /// # Panics
    /// If the model has more parts or stages.
    pub fn new(compiled: &Compiled, board: &Board) -> Box<Sampler<P, S>> {
        assert!(compiled.parts <= P && compiled.outer <= S, "the model has more parts or stages");
        let site = Site {
            codes: [[0; S]; P],
            nodes: [[Node::NONE; S]; P],
            weights: [Pair::NEUTRAL; P],
            depths: [0; P],
        };
        let nowhere = Point::from_index(0);
        let mut sampler = Box::new(Sampler {
            sites: PointMap::filled(site),
            tactics: PointMap::filled([0.0; 2]),
            values: [Values::NONE; 2],
            empty: PointSet::EMPTY,
            low: PointSet::EMPTY,
            liberties: [5; 512],
            kinds: [0; 512],
            stale: PointSet::EMPTY,
            unread: PointSet::EMPTY,
            looks: [Look { at: 0, part: 0, stage: 0 }; LOOKS],
            list: [nowhere; 1024],
            close: [(nowhere, Beside::new(board, Point::new(0, 0), &[0; 512])); 1024],
        });
        for p in compiled.size.points() {
            let edges: &[[u32; STAGES]; PARTS] = &compiled.edges[p];
            for (codes, edges) in sampler.sites[p].codes.iter_mut().zip(edges) {
                codes.copy_from_slice(&edges[..S]);
            }
        }
        for p in compiled.size.points() {
            if let Some(color) = board.cell(p).color() {
                sampler.look_again(compiled, p, color, 0);
            }
        }
        for chain in board.all_chains() {
            sampler.liberties[chain.index()] = board.liberty_count(chain).min(5) as u8;
            sampler.kinds[chain.index()] = kind(board, chain);
        }
        for p in board.empties() {
            sampler.empty.insert(p);
            sampler.unread.insert(p);
            let looks = sampler.look_near(compiled, board, p, 0);
            sampler.look_up(compiled, looks);
        }
        sampler.settle(compiled, board);
        sampler
    }

    /// Makes this equal to `other`, a sampler of a board of the same size, without allocating.
    pub fn copy_from(&mut self, compiled: &Compiled, other: &Sampler<P, S>) {
        let side = compiled.size.side() as usize;
        for y in 0..side {
            let start = Point::new(0, y as u8).index();
            let row = start..start + side;
            self.sites.as_mut_slice()[row.clone()]
                .copy_from_slice(&other.sites.as_slice()[row.clone()]);
            self.tactics.as_mut_slice()[row.clone()]
                .copy_from_slice(&other.tactics.as_slice()[row.clone()]);
        }
        for (values, others) in self.values.iter_mut().zip(&other.values) {
            values.copy_from(others, compiled.size);
        }
        self.empty = other.empty;
        self.low = other.low;
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
        changes: &mut Changes,
    ) {
        // A chain that is swallowed is gone afterwards; what it had must be known before.
        let mut fewest = 5;
        for chain in board.chains_around(p, color) {
            fewest = fewest.min(self.liberties[chain.index()]);
        }
        changes.clear();
        board.play_assume_legal(p, color, changes);

        self.sites[p].depths = [0; P];
        self.empty.remove(p);
        self.low.remove(p);
        self.values.iter_mut().for_each(|values| values.set(p, 0.0));
        if S > 0 {
            let looks = self.look_around(compiled, board, p);
            self.look_again(compiled, p, color, looks);
        }
        self.read_around(compiled, board, p);
        if !changes.captured().is_empty() {
            self.take_off(compiled, board, changes.captured(), !color);
        }
        let played = board.chain(p);
        for &chain in changes.chains() {
            let old = &mut self.liberties[chain.index()];
            let before = if Some(chain) == played { fewest } else { *old };
            let now = board.liberty_count(chain).min(5) as u8;
            *old = now;
            self.kinds[chain.index()] = kind(board, chain);
            self.read_liberties(board, chain, before.min(now));
        }
        self.settle(compiled, board);
    }

    #[cold]
    fn take_off(&mut self, compiled: &Compiled, board: &Board, captured: &[Point], color: Color) {
        for &q in captured {
            if S > 0 {
                let looks = self.look_around(compiled, board, q);
                self.look_again(compiled, q, color, looks);
            }
            self.unread.insert(q);
            self.read_around(compiled, board, q);
        }
        for &q in captured {
            self.empty.insert(q);
            if S > 0 {
                let looks = self.look_near(compiled, board, q, 0);
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

    /// Marks the points that depend on the liberties of a chain that has or had `fewest`: all its
    /// liberties if that is one or two; otherwise it can only matter to what another chain with few
    /// liberties gains by joining.
    #[inline]
    fn read_liberties(&mut self, board: &Board, chain: Chain, fewest: u8) {
        board.add_liberties_if(chain, fewest <= 2, fewest <= 4, &self.low, &mut self.unread);
        if fewest == 1 {
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

    /// Counts what was put off.
    #[inline]
    fn settle(&mut self, compiled: &Compiled, board: &Board) {
        let size = compiled.size;
        self.unread.intersect(&self.empty);
        if S > 0 {
            self.stale.unite(&self.unread);
        }
        let unread = self.unread.drain_into(size, &mut self.list);
        let mut close = 0;
        for i in 0..unread {
            let p = self.list[i & 1023];
            let ring = board.ring(p);
            self.tactics[p] = compiled.tactic.calm(ring);
            if S == 0 {
                let ring = compiled.trie.ring(p, ring);
                for part in 0..compiled.parts.min(P) {
                    self.sites[p].weights[part] = compiled.trie.root_weights(ring, part);
                }
            }
            let beside = Beside::new(board, p, &self.kinds);
            self.low.set(p, beside.is_close());
            self.close[close & 1023] = (p, beside);
            close += beside.is_close() as usize;
        }
        for i in 0..close {
            let (p, beside) = self.close[i & 1023];
            self.tactics[p] = compiled.tactic.close(board, p, beside);
        }
        let mut stale = unread;
        if S > 0 {
            stale = self.stale.drain_into(size, &mut self.list);
        }
        for i in 0..stale {
            self.set_value(compiled, self.list[i & 1023]);
        }
    }

    #[inline(always)]
    fn set_value(&mut self, compiled: &Compiled, p: Point) {
        let weights = self.sites[p].weights.map(Pair::weights);
        let base = compiled.bases[p];
        for (c, factor) in self.tactics[p].into_iter().enumerate() {
            let shapes = weights.iter().fold(base, |value, part| value * part[c]);
            let value = (shapes * factor).clamp(LEAST, MOST);
            self.values[c].set(p, if factor > 0.0 { value } else { 0.0 });
        }
    }

    /// Puts the neighbours of a point that are empty on the list of look-ups.
    #[inline(always)]
    fn look_around(&mut self, compiled: &Compiled, board: &Board, p: Point) -> usize {
        let mut empty = [p; 8];
        let mut count = 0;
        for d in 0..8 {
            let q = p.neighbour(d);
            empty[count & 7] = q;
            count += self.empty.contains(q) as usize;
        }
        empty[..count].iter().fold(0, |looks, &q| self.look_near(compiled, board, q, looks))
    }

    /// Puts all parts of an empty point on the list of look-ups, which has `looks` so far.
    #[inline(always)]
    fn look_near(&mut self, compiled: &Compiled, board: &Board, p: Point, looks: usize) -> usize {
        let ring = compiled.trie.ring(p, board.ring(p));
        let site = &mut self.sites[p];
        self.stale.insert_if(p, true);
        let parts = if P == 1 { 1 } else { compiled.parts };
        if S == 0 || compiled.outer == 0 {
            for part in 0..parts {
                site.weights[part] = compiled.trie.root_weights(ring, part);
            }
            return looks;
        }
        for part in 0..parts {
            site.nodes[part][0] = compiled.trie.root(ring, part);
            let look = Look { at: p.index() as u16, part: part as u8, stage: 0 };
            self.looks[(looks + part) & (LOOKS - 1)] = look;
        }
        looks + parts
    }

    /// A stone came to `p` or left it: changes the codes of the points that see it, puts those on
    /// the list of look-ups that it matters to, and makes them.
    #[inline(always)]
    fn look_again(&mut self, compiled: &Compiled, p: Point, color: Color, mut looks: usize) {
        if S == 0 {
            return;
        }
        let (start, end) = compiled.lists[p];
        for update in &compiled.updates[start as usize..end as usize] {
            let at = p.index().wrapping_add_signed(update.delta as isize);
            let (part, stage) = (update.part as usize % P, update.outer as usize);
            let site = &mut self.sites[Point::from_index(at)];
            site.codes[part][stage] ^= (color as u32) << update.shift;
            // Written always and counted only if it matters: no branch to guess.
            let look = Look { at: at as u16, part: update.part, stage: update.outer };
            self.looks[looks & (LOOKS - 1)] = look;
            looks += (update.outer < site.depths[part]) as usize;
        }
        self.look_up(compiled, looks);
    }

    /// Finds the largest known patterns for the look-ups on the list, whose earlier stages are as
    /// they were.
    #[inline(always)]
    fn look_up(&mut self, compiled: &Compiled, mut looks: usize) {
        if S == 0 {
            return;
        }
        while looks > 0 {
            let mut next = 0;
            for i in 0..looks {
                let look = self.looks[i & (LOOKS - 1)];
                let (part, stage) = (look.part as usize % P, look.stage as usize);
                let p = Point::from_index(look.at as usize);
                let site = &mut self.sites[p];
                let node = site.nodes[part][stage];
                let step = compiled.trie.step(node, stage, site.codes[part][stage]);
                self.stale.insert_if(p, site.weights[part] != step.weights);
                site.weights[part] = step.weights;
                site.depths[part] = look.stage + step.mattered as u8;
                let to = stage + step.goes_on as usize;
                site.nodes[part][to] = if step.goes_on { step.node } else { node };
                self.looks[next & (LOOKS - 1)] = Look { stage: look.stage + 1, ..look };
                next += step.goes_on as usize;
            }
            looks = next;
        }
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
