//! Depth-first proof-number search (df-pn): who wins in a closed room, and by which move.
//!
//! Numbers are kept from the view of the side to move: `phi` is what it still costs to show that it
//! wins, `delta` what it costs to show that it does not. Costs of alternatives that must all be
//! refuted are not added up but taken as the largest and one for each other (*weak* proof numbers):
//! in life and death the same few positions are behind most of them, and sums count these many times.
//!
//! Ko: threats are not played but assumed, see [`Threats`]. A position that comes again is won by the side
//! that gains by it. Such a win holds only for the way by which the position was reached as long as it leans on a
//! position before it; it is then kept in the table under that way, and not as a fact. (The other side's
//! wins never lean on a repetition.)

use std::time::Instant;

use search::Stop;

use crate::aim::{Aim, Verdict};
use crate::life;
use crate::position::{Position, mix};
use crate::room::{Cells, Room, Side, each};
use crate::table::{NO_MOVE, PASS, Table};
use crate::threats::Threats;

/// A number that stands for "never".
pub(crate) const INFINITE: u32 = 1 << 30;

/// What is known of a position, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    pub(crate) phi: u32,
    pub(crate) delta: u32,
}

impl Numbers {
    const WON: Numbers = Numbers { phi: 0, delta: INFINITE };
    const LOST: Numbers = Numbers { phi: INFINITE, delta: 0 };

    /// Whether the side to move wins, if that is known.
    pub(crate) fn verdict(self) -> Option<bool> {
        if self.phi == 0 {
            Some(true)
        } else if self.delta == 0 {
            Some(false)
        } else {
            None
        }
    }
}

/// A move and what it leads to.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// The cell, or nothing for a pass.
    pub(crate) cell: Cells,
    pub(crate) next: Position,
    key: u64,
    /// What is to be added to the cost of proving it good.
    cost: u32,
    /// The place on the path of the position that it comes back to.
    repeats: Option<u32>,
    /// The first place on the path that what is known leans on.
    leans: u32,
    /// What is known of it, as of the last look.
    known: Numbers,
    /// Numbers are multiplied by this, in sixteenths: more for moves that look bad.
    weight: u32,
}

impl Step {
    /// What is known, made worse for moves that look bad.
    fn weighed(&self) -> Numbers {
        let Numbers { phi, delta } = self.known;
        if self.weight == EVEN || delta == 0 || delta >= INFINITE {
            return self.known;
        }
        let delta = (u64::from(delta) * u64::from(self.weight) / u64::from(EVEN)) as u32;
        Numbers { phi, delta: delta.min(INFINITE - 1) }
    }
}

/// How good moves look, by a judgement that is too slow to be asked often: values for the moves of a
/// position, which need not add up to one.
pub(crate) type Hint<'a> = dyn Fn(&Position) -> Vec<(Cells, f32)> + 'a;

/// What leans on no position of the path.
const NOWHERE: u32 = u32::MAX;

/// Makes numbers of ways differ from those of positions.
const WAYS: u64 = 0x7a3d_51c8_90e4_2bf7;

/// Moves from the root where hints are asked for.
const HINTED: usize = 2;

/// Moves from the root at most: threads have little stack.
const DEEPEST: usize = 400;

/// Steps that are made when a refutation is tried on another move.
const PATIENCE: u32 = 400;

/// What a pass costs more than a move.
const PASS_COST: u32 = 3;

/// The weight of a move that looks as good as any.
const EVEN: u32 = 16;

/// When to stop.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    pub(crate) deadline: Instant,
    pub(crate) nodes: u64,
    /// Raised by somebody who does not want to know any more.
    pub(crate) stop: Stop,
}

/// A search in one room.
pub(crate) struct Proof<'a> {
    room: &'a Room,
    aim: Aim,
    threats: Threats,
    table: &'a mut Table,
    path: Vec<u64>,
    /// A number for the positions on the path.
    way: u64,
    budget: Budget,
    /// Positions looked at.
    pub(crate) nodes: u64,
    stopped: bool,
    /// Positions entered, for looking at the clock now and then.
    ticks: u32,
    last: Cells,
    hint: Option<&'a Hint<'a>>,
}

impl<'a> Proof<'a> {
    pub(crate) fn new(
        room: &'a Room,
        aim: Aim,
        threats: Threats,
        table: &'a mut Table,
        budget: Budget,
    ) -> Proof<'a> {
        Proof {
            room,
            aim,
            threats,
            table,
            path: Vec::new(),
            way: 0,
            budget,
            nodes: 0,
            stopped: false,
            ticks: 0,
            last: 0,
            hint: None,
        }
    }

    /// Asks for hints near the root.
    pub(crate) fn with_hint(mut self, hint: Option<&'a Hint<'a>>) -> Proof<'a> {
        self.hint = hint;
        self
    }

    /// Who wins, as far as the budget lets it be known.
    pub(crate) fn run(&mut self, position: &Position) -> Numbers {
        let position = self.normalised(*position);
        let judged = self.judge(&position);
        if judged.verdict().is_some() {
            return judged;
        }
        if let Some(known) = self.look_up(&position).filter(|known| known.verdict().is_some()) {
            return known;
        }
        self.stopped = Instant::now() >= self.budget.deadline || self.budget.stop.is_raised();
        self.search(&position, INFINITE - 1, INFINITE - 1);
        self.look_up(&position).unwrap_or(Numbers { phi: 1, delta: 1 })
    }

    /// What is known of a position.
    pub(crate) fn look_up(&self, position: &Position) -> Option<Numbers> {
        self.table.get(self.key(&self.normalised(*position)))
    }

    fn key(&self, position: &Position) -> u64 {
        position.key() ^ self.threats.key()
    }

    /// The position with no ko where that does not bind.
    fn normalised(&self, position: Position) -> Position {
        self.threats.normalised(position)
    }

    /// The result where nothing needs to be played any more, or what it may cost to find out.
    fn judge(&self, position: &Position) -> Numbers {
        match self.aim.judge(self.room, position) {
            Verdict::Won(side) if side == position.to_move => Numbers::WON,
            Verdict::Won(_) => Numbers::LOST,
            Verdict::Open(attacker, defender) => match position.to_move {
                Side::Attacker => Numbers { phi: attacker, delta: defender },
                Side::Defender => Numbers { phi: defender, delta: attacker },
            },
        }
    }

    /// All moves worth a look.
    pub(crate) fn steps(&self, position: &Position, out: &mut Vec<Step>) {
        out.clear();
        let room = self.room;
        let me = position.to_move;
        let defenders = position.of(Side::Defender);
        let heart = self.aim.heart(room, position);
        let near = heart | room.around(heart);
        let is_life = matches!(self.aim, Aim::Take(_));
        let (near, among) = if is_life {
            let near = near | room.befriended | room.around(room.befriended);
            (near, near | room.around(defenders))
        } else {
            (near, room.inside)
        };
        for cell in each(position.empties(room) & !position.ko & among) {
            if is_life && me == Side::Defender && life::is_solid_eye(room, position, cell) {
                continue;
            }
            let Some(next) = position.play(room, cell) else { continue };
            let captured = position.of(me.other()) & !next.of(me.other());
            let mut cost = 0;
            if captured == 0 {
                let chain = room.flood(cell, next.of(me));
                let liberties = (room.around(chain) & next.empties(room)).count_ones();
                if liberties == 1 && !Position::is_anchored(room, me, chain) {
                    cost += 1 + u32::from(chain.count_ones() > 1);
                }
                cost += u32::from(!self.is_near_last(cell));
                if near & cell == 0 {
                    cost += 4;
                }
            }
            out.push(self.step(cell, next, captured != 0, cost));
        }
        if let Some(next) = self.threats.retaken(room, position) {
            out.push(self.step(position.ko, next, true, 1));
        }
        // Who has to do something would leave things as they are by a pass, which is what the other side
        // wants; but where a ko binds him he may have to wait for a move.
        if me != self.aim.doer() || position.ko != 0 {
            out.push(self.step(0, position.pass(), true, PASS_COST));
        }
    }

    fn is_near_last(&self, cell: Cells) -> bool {
        let room = self.room;
        let near = self.last | room.around(self.last);
        self.last == 0 || (near | room.around(near)) & cell != 0
    }

    fn step(&self, cell: Cells, next: Position, captures: bool, cost: u32) -> Step {
        let next = self.normalised(next);
        let key = self.key(&next);
        // Only a capture can bring back an earlier position, or a pass after one.
        let repeats = if captures { self.place_on_path(&next) } else { None };
        let (known, leans) = (Numbers::WON, NOWHERE);
        Step { cell, next, key, cost, repeats, leans, known, weight: EVEN }
    }

    fn place_on_path(&self, position: &Position) -> Option<u32> {
        let key = position.key();
        self.path.iter().position(|&known| known == key).map(|place| place as u32)
    }

    /// The result of a position that comes again.
    fn repeated(&self, position: &Position) -> Numbers {
        if position.to_move == self.threats.favours() { Numbers::WON } else { Numbers::LOST }
    }

    /// What is known of what a move leads to, and what that leans on.
    fn numbers(&mut self, step: &Step) -> (Numbers, u32) {
        if let Some(place) = step.repeats {
            return (self.repeated(&step.next), place);
        }
        if let Some((known, by_path)) = self.table.get_by_path(step.key) {
            if by_path
                && known.verdict().is_none()
                && let Some(known) = self.table.get(step.key ^ self.way)
            {
                // It may lean on any of the path.
                return (known, 0);
            }
            return (known, NOWHERE);
        }
        self.nodes += 1;
        let mut numbers = self.judge(&step.next);
        if numbers.verdict().is_none() {
            numbers.delta += step.cost;
        }
        self.table.put(step.key, numbers, 0, NO_MOVE);
        (numbers, NOWHERE)
    }

    /// Searches a position until its numbers pass the limits; gives these, and the first place on the path
    /// that a result leans on.
    fn search(&mut self, position: &Position, limit_phi: u32, limit_delta: u32) -> (Numbers, u32) {
        let begun = self.nodes;
        let key = self.key(position);
        let own = self.path.len() as u32;
        let on_way = mix(position.key() ^ WAYS);
        self.path.push(position.key());
        self.way ^= on_way;
        let mut unresolved = Numbers { phi: 1, delta: 1 };
        let mut steps = Vec::with_capacity(32);
        self.steps(position, &mut steps);
        // The table is asked once for each move and then only for those that were searched: that
        // another way to the same position has taught more since matters little, and the table is
        // much larger than the cache.
        for step in &mut steps {
            (step.known, step.leans) = self.numbers(step);
            if step.known.delta == 0 {
                break;
            }
        }
        if self.path.len() <= HINTED
            && let Some(hint) = self.hint
        {
            self.weigh(position, hint, &mut steps);
        }
        let found = loop {
            let mut phi = INFINITE;
            let mut second = INFINITE;
            let mut most = 0;
            let mut open = 0;
            let mut best: Option<(usize, Numbers)> = None;
            for (i, step) in steps.iter().enumerate() {
                let child = step.weighed();
                if child.delta < phi
                    || child.delta == phi && best.is_some_and(|(_, b)| child.phi < b.phi)
                {
                    second = phi;
                    phi = child.delta;
                    best = Some((i, child));
                } else if child.delta < second {
                    second = child.delta;
                }
                if child.phi >= INFINITE {
                    most = INFINITE;
                } else if child.phi > 0 {
                    most = most.max(child.phi);
                    open += 1;
                }
                if phi == 0 {
                    break;
                }
            }
            let delta = match open {
                _ if phi == 0 || most >= INFINITE => INFINITE,
                0 => 0,
                _ => most + open - 1,
            };
            if delta == 0 {
                phi = INFINITE;
            }
            let numbers = Numbers { phi, delta };
            let work = self.nodes - begun;
            if phi >= limit_phi || delta >= limit_delta || phi == 0 || delta == 0 {
                let (move_made, leans) = match best {
                    Some((i, _)) if phi == 0 => (place(steps[i].cell), steps[i].leans),
                    _ if delta == 0 => {
                        (NO_MOVE, steps.iter().map(|step| step.leans).min().unwrap_or(NOWHERE))
                    }
                    _ => (NO_MOVE, NOWHERE),
                };
                if leans < own {
                    // True on this way only.
                    let way = self.way ^ on_way;
                    self.table.put(key, unresolved, work, NO_MOVE);
                    self.table.mark_by_path(key);
                    self.table.put(key ^ way, numbers, work, move_made);
                    break (numbers, leans);
                }
                self.table.put(key, numbers, work, move_made);
                break (numbers, NOWHERE);
            }
            unresolved = numbers;
            self.tick();
            if self.stopped {
                self.table.put(key, numbers, work, NO_MOVE);
                break (numbers, NOWHERE);
            }
            let (i, _) = best.expect("something is open");
            let child_phi = limit_delta - (open - 1);
            let child_delta =
                limit_phi.min(second.saturating_add(1 + second / 4)).min(INFINITE - 1);
            let child_delta = (child_delta / steps[i].weight)
                .saturating_mul(EVEN)
                .clamp(steps[i].known.delta + 1, INFINITE - 1);
            let next = steps[i].next;
            self.last = steps[i].cell;
            (steps[i].known, steps[i].leans) = self.search(&next, child_phi, child_delta);
            // A move was refuted: does the same refutation do for others?
            if steps[i].known.phi == 0 && steps[i].leans == NOWHERE {
                let refuted = steps[i].next;
                for other in &mut steps {
                    if other.known.verdict().is_none() {
                        let mut patience = PATIENCE;
                        if self.borrow(&other.next, &refuted, &mut patience) {
                            (other.known, other.leans) = (Numbers::WON, NOWHERE);
                        }
                    }
                }
            }
        };
        self.path.pop();
        self.way ^= on_way;
        found
    }

    /// Looks at the clock now and then, and at the other limits.
    #[inline]
    fn tick(&mut self) {
        self.ticks = self.ticks.wrapping_add(1);
        let is_late = self.ticks & 0x3f == 0
            && (self.budget.stop.is_raised() || Instant::now() >= self.budget.deadline);
        self.stopped |= is_late || self.nodes >= self.budget.nodes || self.path.len() >= DEEPEST;
    }

    /// Allows so many positions more.
    pub(crate) fn allow(&mut self, nodes: u64) {
        self.budget.nodes = self.nodes.saturating_add(nodes);
    }

    /// Asks for a hint.
    fn weigh(&self, position: &Position, hint: &Hint<'a>, steps: &mut [Step]) {
        let values = hint(position);
        let best = values.iter().map(|&(_, value)| value).fold(1e-6, f32::max);
        for step in steps {
            let value = values.iter().find(|(cell, _)| *cell == step.cell).map_or(0.0, |v| v.1);
            let gap = -(value.max(best * 1e-3) / best).ln();
            step.weight = EVEN + (gap * 6.0) as u32;
        }
    }

    /// Tries to win `new` by the moves that win `old`, a position that is much the same, without any
    /// search of its own (Kawano's simulation).
    fn borrow(&mut self, new: &Position, old: &Position, patience: &mut u32) -> bool {
        let (new_key, old_key) = (self.key(new), self.key(old));
        if let Some(verdict) = self.table.get(new_key).and_then(Numbers::verdict) {
            return verdict;
        }
        self.tick();
        if *patience == 0 || self.stopped {
            return false;
        }
        *patience -= 1;
        let judged = self.judge(new);
        if let Some(verdict) = judged.verdict() {
            self.table.put(new_key, judged, 0, NO_MOVE);
            return verdict;
        }
        let best = self.table.best(old_key);
        if best == NO_MOVE {
            return false;
        }
        let Some(new_after) = self.follow(new, best) else { return false };
        let Some(old_after) = self.follow(old, best) else { return false };
        if self.place_on_path(&new_after).is_some() {
            return false;
        }
        let after_key = self.key(&new_after);
        let known = self.table.get(after_key).and_then(Numbers::verdict);
        let verdict = known.or_else(|| self.judge(&new_after).verdict());
        let won = match verdict {
            Some(verdict) => !verdict,
            None => {
                self.path.push(new_after.key());
                let mut steps = Vec::with_capacity(32);
                self.steps(&new_after, &mut steps);
                let won = steps.iter().all(|step| {
                    // A win by repetition would hold on this way only.
                    if step.repeats.is_some() {
                        return false;
                    }
                    if let Some(verdict) = self.table.get(step.key).and_then(Numbers::verdict) {
                        return verdict;
                    }
                    match self.follow(&old_after, place(step.cell)) {
                        Some(old_next) => self.borrow(&step.next, &old_next, patience),
                        None => false,
                    }
                });
                self.path.pop();
                if won {
                    self.table.put(after_key, Numbers::LOST, 1, NO_MOVE);
                }
                won
            }
        };
        if won {
            self.table.put(new_key, Numbers::WON, 1, best);
        }
        won
    }

    /// The position after a move that is remembered, if it is allowed.
    fn follow(&self, position: &Position, best: u8) -> Option<Position> {
        if best == PASS {
            return Some(self.normalised(position.pass()));
        }
        let cell = 1 << best;
        if cell == position.ko {
            let next = self.threats.retaken(self.room, position);
            return next.map(|next| self.normalised(next));
        }
        if cell & position.empties(self.room) == 0 {
            return None;
        }
        position.play(self.room, cell).map(|next| self.normalised(next))
    }

    /// How play goes on from a position whose result is known: the winner's moves win, the loser's
    /// are those that cost the most work to refute.
    pub(crate) fn line(&mut self, position: &Position, longest: usize) -> Vec<Cells> {
        let mut line = Vec::new();
        let mut at = self.normalised(*position);
        let mut seen = Vec::new();
        while line.len() < longest && self.judge(&at).verdict().is_none() {
            let Some(wins) = self.run(&at).verdict() else { break };
            seen.push(at.key());
            let best = self.table.best(self.key(&at));
            let mut steps = Vec::new();
            self.steps(&at, &mut steps);
            let choice = if wins && best != NO_MOVE {
                steps.into_iter().find(|step| place(step.cell) == best)
            } else {
                steps
                    .into_iter()
                    .filter(|step| !seen.contains(&step.next.key()))
                    .filter(|step| {
                        self.table.get(step.key).and_then(Numbers::verdict) == Some(!wins)
                    })
                    .max_by_key(|step| (step.cell != 0, self.table.work(step.key)))
            };
            let Some(step) = choice.filter(|step| !seen.contains(&step.next.key())) else { break };
            line.push(step.cell);
            at = step.next;
        }
        // A pass at the end says nothing.
        while line.last() == Some(&0) {
            line.pop();
        }
        line
    }
}

/// A move as the table keeps it.
fn place(cell: Cells) -> u8 {
    if cell == 0 { PASS } else { cell.trailing_zeros() as u8 }
}
