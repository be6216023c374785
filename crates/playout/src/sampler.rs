//! The values of all empty points for both players, kept up to date move by move, and drawing
//! from them.
//!
//! A point's value is class x shapes x tactics. A stone changes one ring of each part of the points
//! that see it: their codes are updated without a branch, and only those points are looked up again
//! whose known pattern reaches that ring. Tactics are counted again where liberties that matter
//! changed; which points that are is a union of liberty sets. The distance to the last move is
//! multiplied in at each draw.
//!
//! Values are kept as integers with their sums by row, so nothing drifts.

use goban::{Board, Chain, Changes, Color, Point, PointMap, PointSet, Size};

use crate::compiled::{Compiled, NEAR, PARTS, STAGES, STRIDE};
use crate::random::Random;
use crate::trie::Node;

/// The integer that stands for the value 1.
const ONE: f32 = 65536.0;

/// What the sampler knows of the shapes at one point, for `P` parts of up to `S` stages.
#[derive(Clone, Copy)]
struct Site<const P: usize, const S: usize> {
    /// Codes of the rings, for occupied points too: they may become empty again.
    codes: [[u32; S]; P],
    /// Stages known of each part and one more: a ring below that matters. 0 for a stone.
    depths: [u8; P],
    /// The known pattern at each stage below the depth.
    nodes: [[Node; S]; P],
    /// Weights of the largest known pattern of each part, for black and white.
    weights: [[f32; 2]; P],
}

/// Table length: point places, and room so that a step of two rows from any stays inside.
const LEN: usize = 1024;
/// The rows of the table.
const ROWS: usize = LEN / STRIDE + 1;

/// Values of the empty points of a board, and draws from them. `P` and `S` are the most parts and
/// stages it can follow: 1, 1 for 3x3, 1, 8 for nested families, 4, 5 for collages.
#[derive(Clone)]
pub struct Sampler<const P: usize, const S: usize> {
    sites: PointMap<Site<P, S>>,
    tactics: PointMap<[f32; 2]>,
    empty: PointSet,
    /// Empty points next to a chain with one or two liberties.
    low: PointSet,
    values: [[u32; LEN]; 2],
    rows: [[u64; ROWS]; 2],
    totals: [u64; 2],
    /// Liberties of each chain when its surroundings were last looked at, 5 for more.
    liberties: [u8; 512],
    /// Points whose value is to be set again.
    stale: PointSet,
    /// Points whose tactics are to be counted again.
    unread: PointSet,
    /// Look-ups to make: point, part, stage.
    work: [(u16, u8, u8); 128],
}

impl<const P: usize, const S: usize> Sampler<P, S> {
    /// The values of a board.
    ///
    /// # Panics
    /// If the model has more parts or stages.
    pub fn new(compiled: &Compiled, board: &Board) -> Box<Sampler<P, S>> {
        assert!(compiled.parts <= P && compiled.stages <= S, "the model has more parts or stages");
        let site = Site {
            codes: [[0; S]; P],
            depths: [0; P],
            nodes: [[Node(0); S]; P],
            weights: [[1.0; 2]; P],
        };
        let mut sampler = Box::new(Sampler {
            sites: PointMap::filled(site),
            tactics: PointMap::filled([0.0; 2]),
            empty: PointSet::EMPTY,
            low: PointSet::EMPTY,
            values: [[0; LEN]; 2],
            rows: [[0; ROWS]; 2],
            totals: [0; 2],
            liberties: [5; 512],
            stale: PointSet::EMPTY,
            unread: PointSet::EMPTY,
            work: [(0, 0, 0); 128],
        });
        for p in compiled.size.points() {
            let edges: &[[u32; STAGES]; PARTS] = &compiled.edges[p];
            for (codes, edges) in sampler.sites[p].codes.iter_mut().zip(edges) {
                codes.copy_from_slice(&edges[..S]);
            }
        }
        for p in compiled.size.points() {
            if let Some(color) = board.cell(p).color() {
                sampler.look_again(compiled, p, color);
            }
        }
        for chain in board.all_chains() {
            sampler.liberties[chain.index()] = board.liberty_count(chain).min(5) as u8;
        }
        for p in board.empties() {
            sampler.empty.insert(p);
            sampler.unread.insert(p);
            sampler.open(compiled, p);
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
            for c in 0..2 {
                self.values[c][row.clone()].copy_from_slice(&other.values[c][row.clone()]);
            }
        }
        self.empty = other.empty;
        self.low = other.low;
        self.rows = other.rows;
        self.totals = other.totals;
        self.liberties = other.liberties;
    }

    /// The value of a point, without ko and the distance to the last move; 0 for a move that
    /// playouts do not make.
    pub fn value(&self, p: Point, color: Color) -> f32 {
        self.values[color.index()][p.index()] as f32 / ONE
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
        self.tactics[p] = [0.0; 2];
        self.stale.insert(p);
        self.look_again(compiled, p, color);
        self.read_around(board, p);
        if !changes.captured().is_empty() {
            self.take_off(compiled, board, changes.captured(), !color);
        }
        let played = board.chain(p);
        for &chain in changes.chains() {
            let old = &mut self.liberties[chain.index()];
            let before = if Some(chain) == played { fewest } else { *old };
            let now = board.liberty_count(chain).min(5) as u8;
            *old = now;
            self.read_liberties(board, chain, before.min(now));
        }
        self.settle(compiled, board);
    }

    #[cold]
    fn take_off(&mut self, compiled: &Compiled, board: &Board, captured: &[Point], color: Color) {
        for &q in captured {
            self.look_again(compiled, q, color);
            self.empty.insert(q);
            self.unread.insert(q);
            self.read_around(board, q);
        }
        for &q in captured {
            self.open(compiled, q);
        }
    }

    /// Marks the neighbours of a point that a stone came to or left: those beside it, and those
    /// across that are surrounded, for they may have become eyes or lost that.
    #[inline]
    fn read_around(&mut self, board: &Board, p: Point) {
        for d in 0..4 {
            self.unread.insert(p.neighbour(d));
        }
        for d in 4..8 {
            let q = p.neighbour(d);
            let ring = board.ring(q);
            let surrounded = Color::BOTH.map(|color| ring.is_surrounded_by(color));
            self.unread.insert_if(q, surrounded[0] | surrounded[1]);
        }
    }

    /// Marks the points that depend on the liberties of a chain that has or had `fewest`.
    #[inline]
    fn read_liberties(&mut self, board: &Board, chain: Chain, fewest: u8) {
        match fewest {
            0..=2 => {
                board.add_liberties(chain, &mut self.unread);
                if fewest == 1 {
                    self.read_rescues(board, chain);
                }
            }
            // It can only matter to what another chain with few liberties gains by joining.
            3..=4 => board.add_liberties_in(chain, &self.low, &mut self.unread),
            _ => {}
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
        let mut unread = std::mem::take(&mut self.unread);
        unread.intersect(&self.empty);
        let mut stale = std::mem::take(&mut self.stale);
        stale.unite(&unread);
        stale.drain(|p| {
            if unread.contains(p) {
                let (factors, low) = compiled.tactic.of(board, p);
                self.low.set(p, low);
                self.tactics[p] = factors;
            }
            self.set_value(compiled, p);
        });
    }

    #[inline(always)]
    fn set_value(&mut self, compiled: &Compiled, p: Point) {
        let site = &self.sites[p];
        let tactic = self.tactics[p];
        let base = compiled.bases[p];
        let row = p.index() / STRIDE;
        for (c, factor) in tactic.into_iter().enumerate() {
            let value = site.weights.iter().fold(base * factor, |value, part| value * part[c]);
            // Whatever may be played can be drawn, however unlikely.
            let whole = (value * ONE) as i32 as u32;
            let new = whole.max((value > 0.0) as u32);
            let old = std::mem::replace(&mut self.values[c][p.index()], new);
            let change = (new as u64).wrapping_sub(old as u64);
            self.rows[c][row] = self.rows[c][row].wrapping_add(change);
            self.totals[c] = self.totals[c].wrapping_add(change);
        }
    }

    /// A stone came to `p` or left it: changes the codes of the points that see it, and looks
    /// those up again that it matters to.
    #[inline]
    fn look_again(&mut self, compiled: &Compiled, p: Point, color: Color) {
        let (start, end) = compiled.lists[p];
        let updates = &compiled.updates[start as usize..end as usize];
        let mut count = 0;
        for update in updates {
            let seen_by = Point::from_index(p.index().wrapping_add_signed(update.delta as isize));
            let (part, stage) = (update.part as usize, update.stage as usize);
            let site = &mut self.sites[seen_by];
            site.codes[part][stage] ^= (color as u32) << update.shift;
            // Written always and counted only if it matters: no branch to guess.
            self.work[count & 127] = (seen_by.index() as u16, update.part, update.stage);
            count += (update.stage < site.depths[part]) as usize;
        }
        for i in 0..count {
            let (seen_by, part, stage) = self.work[i & 127];
            let seen_by = Point::from_index(seen_by as usize);
            self.look_up(compiled, seen_by, part as usize, stage as usize);
        }
    }

    /// The point became empty: looks up all its parts.
    fn open(&mut self, compiled: &Compiled, p: Point) {
        for part in 0..compiled.parts {
            self.sites[p].depths[part] = 1;
            self.sites[p].weights[part] = compiled.trie.weights(compiled.roots[p]).weights();
            self.look_up(compiled, p, part, 0);
        }
        self.stale.insert(p);
    }

    /// Finds the largest known pattern of a part whose rings below `stage` are as they were.
    #[inline(always)]
    fn look_up(&mut self, compiled: &Compiled, p: Point, part: usize, stage: usize) {
        let site = &mut self.sites[p];
        let mut node = match stage {
            0 => compiled.roots[p],
            s => site.nodes[part][s - 1],
        };
        let mut s = stage;
        while s < compiled.stages
            && let Some(next) = compiled.trie.step(node, site.codes[part][s])
        {
            node = next;
            site.nodes[part][s] = node;
            s += 1;
        }
        let depth = s as u8 + 1;
        if s == stage && site.depths[part] == depth {
            return;
        }
        site.depths[part] = depth;
        site.weights[part] = compiled.trie.weights(node).weights();
        self.stale.insert(p);
    }

    /// Draws a move for `color` by the model: never the ko point, nor a move whose probability is
    /// below the cut-off unless all are. `None` if there is nothing to play.
    #[inline]
    pub fn draw(
        &self,
        compiled: &Compiled,
        color: Color,
        last: Option<Point>,
        ko: Option<Point>,
        random: &mut Random,
    ) -> Option<Point> {
        let odds = self.odds(compiled, color, last, ko);
        if odds.total == 0 {
            return None;
        }
        let least = odds.least(compiled);
        for _ in 0..16 {
            let target = random.below_u64(odds.total);
            let (at, value) = match odds.find_near(target) {
                Some(found) => found,
                None => self.find_far(color, &odds, random),
            };
            if value >= least {
                return Some(Point::from_index(at));
            }
        }
        Some(Point::from_index(self.pick_above(compiled, color, &odds, random)))
    }

    /// The probability with which [`Sampler::draw`] draws each point.
    pub fn probabilities(
        &self,
        compiled: &Compiled,
        color: Color,
        last: Option<Point>,
        ko: Option<Point>,
    ) -> Vec<(Point, f64)> {
        let odds = self.odds(compiled, color, last, ko);
        let kept = self.kept(compiled, color, &odds);
        let sum: f64 = kept.clone().map(|(_, value)| value as f64).sum();
        kept.map(|(p, value)| (p, value as f64 / sum)).collect()
    }

    /// What the points near the last move are worth now, and all together.
    #[inline]
    fn odds(
        &self,
        compiled: &Compiled,
        color: Color,
        last: Option<Point>,
        ko: Option<Point>,
    ) -> Odds {
        let values = &self.values[color.index()];
        let total = self.totals[color.index()];
        let mut odds =
            Odds { total, near: [(0, 0); NEAR], near_sum: 0, centre: FAR_AWAY, ko: NO_KO };
        if let Some(last) = last {
            odds.centre = last.index();
            let mut plain = 0;
            for (near, (o, factor)) in odds.near.iter_mut().zip(&compiled.near) {
                // Off the board all values are 0. Only on the largest board a step of two columns
                // may lead to a point of the next row.
                let step = o.dy as isize * STRIDE as isize + o.dx as isize;
                let at = last.index().wrapping_add_signed(step) & (LEN - 1);
                let value = values[at];
                let new = ((value as f32 * factor) as i32 as u32).max((value > 0) as u32);
                let wrapped =
                    compiled.size == Size::MAX && last.offset(o.dx, o.dy, compiled.size).is_none();
                let (value, new) = if wrapped { (0, 0) } else { (value, new) };
                plain += value as u64;
                odds.near_sum += new as u64;
                *near = (at as u16, new);
            }
            odds.total = total - plain + odds.near_sum;
        }
        if let Some(ko) = ko {
            odds.ko = ko.index();
            match odds.near.iter_mut().find(|(at, _)| *at as usize == ko.index()) {
                Some((_, value)) => {
                    odds.near_sum -= *value as u64;
                    odds.total -= *value as u64;
                    *value = 0;
                }
                None => odds.total -= values[ko.index()] as u64,
            }
        }
        odds
    }

    /// A draw among the points that are neither near the last move nor ko, by trying.
    #[inline]
    fn find_far(&self, color: Color, odds: &Odds, random: &mut Random) -> (usize, u64) {
        let (values, rows) = (&self.values[color.index()], &self.rows[color.index()]);
        loop {
            let mut target = random.below_u64(self.totals[color.index()]);
            let mut row = 1;
            while target >= rows[row] {
                target -= rows[row];
                row += 1;
            }
            let mut at = row * STRIDE + 1;
            while target >= values[at] as u64 {
                target -= values[at] as u64;
                at += 1;
            }
            if !odds.is_near(at) && at != odds.ko {
                return (at, values[at] as u64);
            }
        }
    }

    /// The points that may be drawn and their values.
    fn kept<'a>(
        &'a self,
        compiled: &'a Compiled,
        color: Color,
        odds: &'a Odds,
    ) -> impl Iterator<Item = (Point, u64)> + Clone + 'a {
        let value = move |p: Point| {
            let near = odds.near.iter().find(|(at, _)| *at as usize == p.index());
            match near {
                Some(&(_, value)) => value as u64,
                None if p.index() == odds.ko => 0,
                None => self.values[color.index()][p.index()] as u64,
            }
        };
        let all = compiled.size.points().map(move |p| (p, value(p))).filter(|&(_, v)| v > 0);
        let cut = odds.least(compiled);
        // If all are below the cut-off, none is cut off.
        let least = if all.clone().any(|(_, v)| v >= cut) { cut } else { 0 };
        all.filter(move |&(_, v)| v >= least)
    }

    /// A draw among the values that are not cut off: for positions in which trying takes too long.
    #[cold]
    fn pick_above(
        &self,
        compiled: &Compiled,
        color: Color,
        odds: &Odds,
        random: &mut Random,
    ) -> usize {
        let kept = self.kept(compiled, color, odds);
        let mut target = random.below_u64(kept.clone().map(|(_, value)| value).sum());
        for (p, value) in kept {
            if target < value {
                return p.index();
            }
            target -= value;
        }
        unreachable!("the target is below the sum")
    }
}

/// The values of one draw: those of the sampler but for the points near the last move and ko.
struct Odds {
    total: u64,
    near: [(u16, u32); NEAR],
    near_sum: u64,
    centre: usize,
    ko: usize,
}

/// No point is near this.
const FAR_AWAY: usize = 1 << 20;
const NO_KO: usize = usize::MAX;

/// The points within Rémi distance 4 of one: bits from two rows below it on.
const NEAR_BITS: u128 = {
    let centre = 2 * STRIDE;
    let steps = [1, 2, STRIDE - 1, STRIDE, STRIDE + 1, 2 * STRIDE];
    let mut bits = 0;
    let mut i = 0;
    while i < steps.len() {
        bits |= 1 << (centre + steps[i]) | 1 << (centre - steps[i]);
        i += 1;
    }
    bits
};

impl Odds {
    #[inline(always)]
    fn is_near(&self, at: usize) -> bool {
        let from = (at + 2 * STRIDE).wrapping_sub(self.centre);
        from <= 4 * STRIDE && NEAR_BITS >> from & 1 != 0
    }

    /// The least value that is not cut off.
    #[inline]
    fn least(&self, compiled: &Compiled) -> u64 {
        (self.total as f64 * compiled.cut as f64) as i64 as u64
    }

    /// The point near the last move at which the running sum passes `target`.
    #[inline]
    fn find_near(&self, mut target: u64) -> Option<(usize, u64)> {
        if target >= self.near_sum {
            return None;
        }
        for &(at, value) in &self.near {
            if target < value as u64 {
                return Some((at as usize, value as u64));
            }
            target -= value as u64;
        }
        None
    }
}
