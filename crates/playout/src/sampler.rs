//! The values of all empty points for both players, kept up to date move by move, and drawing
//! from them.
//!
//! A point's value is class x shapes x tactics. A stone changes one ring of each part of the points
//! that see it: their codes are updated without a branch, and only those points are looked up again
//! whose known pattern reaches that ring. Tactics are counted again where liberties that matter
//! changed. The distance to the last move is multiplied on the fly when drawing.
//!
//! Values are kept as integers with their sums by row, so nothing drifts.

use goban::{Board, Cell, Changes, Color, Point};

use crate::compiled::{Compiled, PARTS, STAGES};
use crate::random::Random;
use crate::trie::Node;

/// The integer that stands for the value 1.
const ONE: f32 = 65536.0;
/// Larger values are cut to this, so that a row never overflows.
const MOST: f32 = 4.0e9;

/// What the sampler knows of one point.
#[derive(Clone, Copy)]
struct Site {
    /// Codes of the rings, for occupied points too: they may become empty again.
    codes: [[u32; STAGES]; PARTS],
    /// The known pattern at each stage below the depth.
    nodes: [[Node; STAGES]; PARTS],
    /// Weights of the largest known pattern of each part.
    weights: [[f32; 2]; PARTS],
    tactic: [f32; 2],
}

/// Values of the empty points of a board, and draws from them.
#[derive(Clone)]
pub struct Sampler {
    sites: Vec<Site>,
    /// Stages known of each part; the point is looked up again when a ring up to that changes.
    /// `OCCUPIED` for a stone.
    depths: Vec<[u8; PARTS]>,
    /// Whether a chain with one or two liberties is next to the point.
    low: Vec<bool>,
    /// Values by colour and cell.
    values: [Vec<u32>; 2],
    rows: [Vec<u64>; 2],
    totals: [u64; 2],
    /// Liberties of each chain when its surroundings were last looked at, 5 for more.
    liberties: Vec<u8>,
    /// Cells whose value is to be set again, each once.
    stale: Vec<u16>,
    is_stale: Vec<bool>,
    /// Cells whose tactics are to be counted again, each once.
    unread: Vec<u16>,
    is_unread: Vec<bool>,
    work: Vec<(u16, u8, u8)>,
}

/// In `depths`, plus one: no ring is below it.
const OCCUPIED: u8 = 0;

impl Sampler {
    /// The values of a board.
    pub fn new(compiled: &Compiled, board: &Board) -> Sampler {
        let cells = compiled.points.len();
        let site = Site {
            codes: [[0; STAGES]; PARTS],
            nodes: [[Node(0); STAGES]; PARTS],
            weights: [[1.0; 2]; PARTS],
            tactic: [0.0; 2],
        };
        let side = compiled.size.side() as usize;
        let mut sampler = Sampler {
            sites: vec![site; cells],
            depths: vec![[OCCUPIED; PARTS]; cells],
            low: vec![false; cells],
            values: [vec![0; cells], vec![0; cells]],
            rows: [vec![0; side], vec![0; side]],
            totals: [0; 2],
            liberties: vec![5; 512],
            stale: Vec::with_capacity(cells),
            is_stale: vec![false; cells],
            unread: Vec::with_capacity(cells),
            is_unread: vec![false; cells],
            work: Vec::with_capacity(128),
        };
        sampler.reset(compiled, board);
        sampler
    }

    /// Counts everything again from a board.
    pub fn reset(&mut self, compiled: &Compiled, board: &Board) {
        for (cell, site) in self.sites.iter_mut().enumerate() {
            site.codes = compiled.edges[cell];
            self.depths[cell] = [OCCUPIED; PARTS];
        }
        for (cell, &p) in compiled.points.iter().enumerate() {
            if let Some(color) = board.cell(p).color() {
                self.toggle(compiled, cell, color);
            }
        }
        for chain in board.all_chains() {
            self.liberties[chain.index()] = board.liberty_count(chain).min(5) as u8;
        }
        for (cell, &p) in compiled.points.iter().enumerate() {
            if board.cell(p) == Cell::Empty {
                self.open(compiled, cell);
            }
            self.read_later(cell);
        }
        self.settle(compiled, board);
    }

    /// Makes this equal to `other` without allocating.
    pub fn copy_from(&mut self, other: &Sampler) {
        self.sites.copy_from_slice(&other.sites);
        self.depths.copy_from_slice(&other.depths);
        self.low.copy_from_slice(&other.low);
        for c in 0..2 {
            self.values[c].copy_from_slice(&other.values[c]);
            self.rows[c].copy_from_slice(&other.rows[c]);
        }
        self.totals = other.totals;
        self.liberties.copy_from_slice(&other.liberties);
    }

    /// The value of a point, without ko and the distance to the last move; 0 for a move that
    /// playouts do not make.
    pub fn value(&self, compiled: &Compiled, p: Point, color: Color) -> f32 {
        self.values[color.index()][compiled.cells[p] as usize] as f32 / ONE
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

        let cell = compiled.cells[p] as usize;
        self.depths[cell] = [OCCUPIED; PARTS];
        self.read_later(cell);
        self.look_again(compiled, cell, color);
        for &q in changes.captured() {
            let cell = compiled.cells[q] as usize;
            self.look_again(compiled, cell, !color);
        }
        for &q in changes.captured() {
            let cell = compiled.cells[q] as usize;
            self.open(compiled, cell);
            self.read_around(compiled, board, q);
        }
        self.read_around(compiled, board, p);
        let played = board.chain(p);
        for &chain in changes.chains() {
            let old = &mut self.liberties[chain.index()];
            let before = if Some(chain) == played { fewest } else { *old };
            let now = board.liberty_count(chain).min(5) as u8;
            *old = now;
            self.read_liberties(compiled, board, chain, before.min(now));
        }
        self.settle(compiled, board);
    }

    /// The points next to a stone that came or went: their liberties and eyes changed.
    #[inline]
    fn read_around(&mut self, compiled: &Compiled, board: &Board, p: Point) {
        let ring = board.ring(p);
        for d in 0..8 {
            if ring.cell(d) == Cell::Empty {
                self.read_later(compiled.cells[p.neighbour(d)] as usize);
            }
        }
        if board.cell(p) == Cell::Empty {
            self.read_later(compiled.cells[p] as usize);
        }
    }

    /// The points that depend on the liberties of a chain that has or had `fewest`.
    #[inline]
    fn read_liberties(
        &mut self,
        compiled: &Compiled,
        board: &Board,
        chain: goban::Chain,
        fewest: u8,
    ) {
        match fewest {
            0..=2 => {
                for q in board.liberties(chain) {
                    self.read_later(compiled.cells[q] as usize);
                }
                if fewest == 1 {
                    self.read_rescues(compiled, board, chain);
                }
            }
            // It can only matter to what another chain with few liberties gains by joining.
            3..=4 => {
                for q in board.liberties(chain) {
                    let cell = compiled.cells[q] as usize;
                    if self.low[cell] {
                        self.read_later(cell);
                    }
                }
            }
            _ => {}
        }
    }

    /// Where a chain that touches this one could be captured: that may rescue it, or no longer.
    #[cold]
    fn read_rescues(&mut self, compiled: &Compiled, board: &Board, chain: goban::Chain) {
        for stone in board.chain_stones(chain) {
            for q in board.neighbours(stone) {
                if let Some(other) = board.chain(q)
                    && other != chain
                    && board.liberty_count(other) == 1
                {
                    for last in board.liberties(other) {
                        self.read_later(compiled.cells[last] as usize);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn read_later(&mut self, cell: usize) {
        if !self.is_unread[cell] {
            self.is_unread[cell] = true;
            self.unread.push(cell as u16);
        }
    }

    #[inline(always)]
    fn set_later(&mut self, cell: usize) {
        if !self.is_stale[cell] {
            self.is_stale[cell] = true;
            self.stale.push(cell as u16);
        }
    }

    /// Counts what was put off.
    #[inline]
    fn settle(&mut self, compiled: &Compiled, board: &Board) {
        for i in 0..self.unread.len() {
            let cell = self.unread[i] as usize;
            self.is_unread[cell] = false;
            let p = compiled.points[cell];
            if board.cell(p) == Cell::Empty {
                let (factors, low) = compiled.tactic.of(board, p);
                self.sites[cell].tactic = factors;
                self.low[cell] = low;
            } else {
                self.sites[cell].tactic = [0.0; 2];
                self.low[cell] = false;
            }
            self.set_later(cell);
        }
        self.unread.clear();
        for i in 0..self.stale.len() {
            let cell = self.stale[i] as usize;
            self.is_stale[cell] = false;
            self.set_value(compiled, cell);
        }
        self.stale.clear();
    }

    #[inline(always)]
    fn set_value(&mut self, compiled: &Compiled, cell: usize) {
        let site = &self.sites[cell];
        let row = cell / compiled.size.side() as usize;
        for c in 0..2 {
            let mut value = compiled.bases[cell] * site.tactic[c];
            for part in 0..compiled.parts {
                value *= site.weights[part][c];
            }
            // Whatever may be played can be drawn, however unlikely.
            let new = if value > 0.0 { (value * ONE).clamp(1.0, MOST) as u32 } else { 0 };
            let old = std::mem::replace(&mut self.values[c][cell], new);
            let change = (new as u64).wrapping_sub(old as u64);
            self.rows[c][row] = self.rows[c][row].wrapping_add(change);
            self.totals[c] = self.totals[c].wrapping_add(change);
        }
    }

    /// Changes the codes of all points that see the cell, and nothing else.
    fn toggle(&mut self, compiled: &Compiled, cell: usize, color: Color) {
        let (start, end) = compiled.lists[cell];
        for update in &compiled.updates[start as usize..end as usize] {
            let seen_by = cell.wrapping_add_signed(update.delta as isize);
            let code = &mut self.sites[seen_by].codes[update.part as usize][update.stage as usize];
            *code ^= (color as u32) << update.shift;
        }
    }

    /// A stone came to the cell or left it: changes the codes of the points that see it, and looks
    /// those up again that it matters to.
    #[inline]
    fn look_again(&mut self, compiled: &Compiled, cell: usize, color: Color) {
        let (start, end) = compiled.lists[cell];
        let updates = &compiled.updates[start as usize..end as usize];
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.resize(updates.len(), (0, 0, 0));
        let mut count = 0;
        for update in updates {
            let seen_by = cell.wrapping_add_signed(update.delta as isize);
            let (part, stage) = (update.part as usize, update.stage as usize);
            self.sites[seen_by].codes[part][stage] ^= (color as u32) << update.shift;
            // Written always and counted only if it matters: no branch to guess.
            work[count] = (seen_by as u16, update.part, update.stage);
            count += (update.stage < self.depths[seen_by][part]) as usize;
        }
        for &(seen_by, part, stage) in &work[..count] {
            self.look_up(compiled, seen_by as usize, part as usize, stage as usize);
        }
        self.work = work;
    }

    /// The cell became empty: looks up all its parts.
    fn open(&mut self, compiled: &Compiled, cell: usize) {
        for part in 0..compiled.parts {
            self.depths[cell][part] = 1;
            self.sites[cell].weights[part] =
                compiled.trie.weights(compiled.trie.root(compiled.classes[cell])).weights();
            self.look_up(compiled, cell, part, 0);
        }
    }

    /// Finds the largest known pattern of a part whose rings below `stage` are as they were.
    #[inline(always)]
    fn look_up(&mut self, compiled: &Compiled, cell: usize, part: usize, stage: usize) {
        let site = &mut self.sites[cell];
        let mut node = match stage {
            0 => compiled.trie.root(compiled.classes[cell]),
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
        if s == stage && self.depths[cell][part] == depth {
            return;
        }
        self.depths[cell][part] = depth;
        let weights = compiled.trie.weights(node).weights();
        if weights != site.weights[part] {
            site.weights[part] = weights;
            self.set_later(cell);
        }
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
        let draw = Draw::new(self, compiled, color, last, ko);
        if draw.total == 0 {
            return None;
        }
        let least = (draw.total as f64 * compiled.cut as f64) as u64;
        for _ in 0..16 {
            let (cell, value) = draw.pick(random.below_u64(draw.total));
            if value >= least {
                return Some(compiled.points[cell]);
            }
        }
        draw.pick_above(least, random).map(|cell| compiled.points[cell])
    }

    /// The probability with which [`Sampler::draw`] draws each point.
    pub fn probabilities(
        &self,
        compiled: &Compiled,
        color: Color,
        last: Option<Point>,
        ko: Option<Point>,
    ) -> Vec<(Point, f64)> {
        let draw = Draw::new(self, compiled, color, last, ko);
        let least = (draw.total as f64 * compiled.cut as f64) as u64;
        let all: Vec<u64> = (0..compiled.points.len()).map(|cell| draw.value(cell)).collect();
        let above = |value: u64| if value >= least { value } else { 0 };
        let mut kept: Vec<u64> = all.iter().map(|&value| above(value)).collect();
        if kept.iter().sum::<u64>() == 0 {
            kept = all;
        }
        let sum = kept.iter().sum::<u64>().max(1) as f64;
        let points = compiled.points.iter().zip(kept);
        points.filter(|&(_, v)| v > 0).map(|(&p, v)| (p, v as f64 / sum)).collect()
    }
}

/// The values of one draw: those of the sampler, with the points near the last move multiplied and
/// the ko point left out.
struct Draw<'a> {
    values: &'a [u32],
    rows: &'a [u64],
    side: usize,
    total: u64,
    /// Cells whose value differs, and what it is.
    near: [(u16, u64); 13],
    near_count: usize,
    /// What the rows from `first` on have more (wrapping) than the sampler says.
    first: usize,
    more: [u64; 5],
    ko: (usize, u64),
}

impl<'a> Draw<'a> {
    #[inline]
    fn new(
        sampler: &'a Sampler,
        compiled: &Compiled,
        color: Color,
        last: Option<Point>,
        ko: Option<Point>,
    ) -> Draw<'a> {
        let c = color.index();
        let side = compiled.size.side() as usize;
        let mut draw = Draw {
            values: &sampler.values[c],
            rows: &sampler.rows[c],
            side,
            total: sampler.totals[c],
            near: [(u16::MAX, 0); 13],
            near_count: 0,
            first: 0,
            more: [0; 5],
            ko: (usize::MAX, 0),
        };
        let ko_cell = ko.map(|p| compiled.cells[p]);
        if let Some(last) = last {
            let row = compiled.cells[last] as usize / side;
            draw.first = row.saturating_sub(2);
            for &(o, factor) in &compiled.near {
                if let Some(p) = last.offset(o.dx, o.dy, compiled.size) {
                    let cell = compiled.cells[p];
                    let old = draw.values[cell as usize];
                    if old == 0 {
                        continue;
                    }
                    let mut new = ((old as f32 * factor) as u64).max(1);
                    if ko_cell == Some(cell) {
                        new = 0;
                    }
                    let change = new.wrapping_sub(old as u64);
                    let row = cell as usize / side - draw.first;
                    draw.more[row] = draw.more[row].wrapping_add(change);
                    draw.total = draw.total.wrapping_add(change);
                    draw.near[draw.near_count] = (cell, new);
                    draw.near_count += 1;
                }
            }
        }
        if let Some(cell) = ko_cell
            && !draw.near[..draw.near_count].iter().any(|&(near, _)| near == cell)
        {
            let value = draw.values[cell as usize] as u64;
            draw.ko = (cell as usize / side, value);
            draw.near[draw.near_count] = (cell, 0);
            draw.near_count += 1;
            draw.total -= value;
        }
        draw
    }

    #[inline]
    fn value(&self, cell: usize) -> u64 {
        let near = self.near[..self.near_count].iter().find(|&&(near, _)| near as usize == cell);
        near.map_or(self.values[cell] as u64, |&(_, value)| value)
    }

    #[inline]
    fn row(&self, row: usize) -> u64 {
        let mut sum = self.rows[row];
        let near = row.wrapping_sub(self.first);
        if near < 5 {
            sum = sum.wrapping_add(self.more[near]);
        }
        if row == self.ko.0 { sum - self.ko.1 } else { sum }
    }

    /// The cell in which the running sum passes `target`, and its value.
    #[inline]
    fn pick(&self, mut target: u64) -> (usize, u64) {
        let mut row = 0;
        loop {
            let sum = self.row(row);
            if target < sum {
                break;
            }
            target -= sum;
            row += 1;
        }
        let mut cell = row * self.side;
        loop {
            let value = self.value(cell);
            if target < value {
                return (cell, value);
            }
            target -= value;
            cell += 1;
        }
    }

    /// A draw among the values from `least` up, or among all if there is none: for positions in
    /// which trying takes too long.
    #[cold]
    fn pick_above(&self, least: u64, random: &mut Random) -> Option<usize> {
        let kept = |value: u64| if value >= least { value } else { 0 };
        let sum: u64 = (0..self.values.len()).map(|cell| kept(self.value(cell))).sum();
        if sum == 0 {
            return Some(self.pick(random.below_u64(self.total)).0);
        }
        let mut target = random.below_u64(sum);
        (0..self.values.len()).find(|&cell| {
            let value = kept(self.value(cell));
            let found = target < value;
            target = target.wrapping_sub(value);
            found
        })
    }
}
