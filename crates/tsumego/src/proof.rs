//! Depth-first proof-number search (df-pn): who wins in a closed room, and by which move.
//!
//! Numbers are kept from the view of the side to move: `phi` is what it still costs to show that it
//! wins, `delta` what it costs to show that it does not. Costs of alternatives that must all be
//! refuted are not added up but taken as the largest and one for each other (*weak* proof numbers):
//! in life and death the same few positions are behind most of them, and sums count these many times.
//!
//! Ko: threats are not played but assumed, see [`Threats`]. Who may take back at once is the *master*;
//! whoever repeats a position, the other side loses.

use std::time::Instant;

use crate::life::{self, EyeSpace};
use crate::position::Position;
use crate::room::{Cells, Room, Side, each};
use crate::table::{NO_MOVE, PASS, Table};

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
    /// It comes back to a position that is being searched.
    repeats: bool,
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

/// Who has threats for a ko.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Threats {
    /// This side has as many as it needs, and the other has none.
    All(Side),
    /// Nobody has any: who takes first wins. A position may not be repeated by anybody but this side.
    None(Side),
}

impl Threats {
    pub(crate) fn master(self) -> Option<Side> {
        match self {
            Threats::All(side) => Some(side),
            Threats::None(_) => None,
        }
    }

    /// Who gains by a repetition.
    pub(crate) fn favours(self) -> Side {
        match self {
            Threats::All(side) | Threats::None(side) => side,
        }
    }

    fn key(self) -> u64 {
        match self {
            Threats::All(Side::Attacker) => 0x5bd1_e995_7b93_11d3,
            Threats::All(Side::Defender) => 0x510e_527f_ade6_82d1,
            Threats::None(Side::Attacker) => 0x1f83_d9ab_fb41_bd6b,
            Threats::None(Side::Defender) => 0xa54f_f53a_5f1d_36f1,
        }
    }
}

/// How good moves look, by a judgement that is too slow to be asked often: values for the moves of a
/// position, which need not add up to one.
pub(crate) type Hint<'a> = dyn Fn(&Position) -> Vec<(Cells, f32)> + 'a;

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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) deadline: Instant,
    pub(crate) nodes: u64,
}

/// A search in one room.
pub(crate) struct Proof<'a> {
    room: &'a Room,
    target: Cells,
    threats: Threats,
    table: &'a mut Table,
    path: Vec<u64>,
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
        target: Cells,
        threats: Threats,
        table: &'a mut Table,
        budget: Budget,
    ) -> Proof<'a> {
        Proof {
            room,
            target,
            threats,
            table,
            path: Vec::new(),
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
        self.stopped = Instant::now() >= self.budget.deadline;
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

    /// The master is not bound by the ko.
    fn normalised(&self, mut position: Position) -> Position {
        if Some(position.to_move) == self.threats.master() {
            position.ko = 0;
        }
        position
    }

    /// The result where nothing needs to be played any more, or what it may cost to find out.
    fn judge(&self, position: &Position) -> Numbers {
        let winner = if position.of(Side::Defender) & self.target == 0 {
            Side::Attacker
        } else {
            let space = EyeSpace::of(self.room, position);
            if space.holds_one_eye_at_most(self.room) {
                Side::Attacker
            } else if life::alive(self.room, position) & self.target != 0 {
                Side::Defender
            } else {
                let room = space.cells.count_ones();
                let to_kill = 1 + room / 2;
                let to_live = 1 + 9u32.saturating_sub(room) / 2;
                return match position.to_move {
                    Side::Attacker => Numbers { phi: to_kill, delta: to_live },
                    Side::Defender => Numbers { phi: to_live, delta: to_kill },
                };
            }
        };
        if winner == position.to_move { Numbers::WON } else { Numbers::LOST }
    }

    /// All moves worth a look.
    pub(crate) fn steps(&self, position: &Position, out: &mut Vec<Step>) {
        out.clear();
        let room = self.room;
        let me = position.to_move;
        let defenders = position.of(Side::Defender);
        let space = EyeSpace::of(room, position);
        let near = space.cells | room.around(space.cells);
        let near = near | room.befriended | room.around(room.befriended);
        let empties = position.empties(room) & !position.ko;
        for cell in each(empties & (near | room.around(defenders))) {
            if me == Side::Defender && life::is_solid_eye(room, position, cell) {
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
        // The attacker's pass would leave things as they are, which is what the defender wants; but
        // where a ko binds him he may have to wait for a move.
        if me == Side::Defender || position.ko != 0 {
            out.push(self.step(0, position.pass(), false, PASS_COST));
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
        // Only a capture can bring back an earlier position.
        let repeats = captures && self.path.contains(&next.key());
        Step { cell, next, key, cost, repeats, known: Numbers::WON, weight: EVEN }
    }

    /// What is known of what a move leads to.
    fn numbers(&mut self, step: &Step) -> Numbers {
        if step.repeats {
            return if step.next.to_move == self.threats.favours() {
                Numbers::WON
            } else {
                Numbers::LOST
            };
        }
        if let Some(known) = self.table.get(step.key) {
            return known;
        }
        self.nodes += 1;
        let mut numbers = self.judge(&step.next);
        if numbers.verdict().is_none() {
            numbers.delta += step.cost;
        }
        self.table.put(step.key, numbers, 0, NO_MOVE);
        numbers
    }

    fn search(&mut self, position: &Position, limit_phi: u32, limit_delta: u32) {
        let begun = self.nodes;
        let key = self.key(position);
        self.path.push(position.key());
        let mut steps = Vec::with_capacity(32);
        self.steps(position, &mut steps);
        // The table is asked once for each move and then only for those that were searched: that
        // another way to the same position has taught more since matters little, and the table is
        // much larger than the cache.
        for step in &mut steps {
            step.known = self.numbers(step);
            if step.known.delta == 0 {
                break;
            }
        }
        if self.path.len() <= HINTED
            && let Some(hint) = self.hint
        {
            self.weigh(position, hint, &mut steps);
        }
        loop {
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
                let move_made = match best {
                    Some((i, _)) if phi == 0 => place(steps[i].cell),
                    _ => NO_MOVE,
                };
                self.table.put(key, numbers, work, move_made);
                break;
            }
            self.tick();
            if self.stopped {
                self.table.put(key, numbers, work, NO_MOVE);
                break;
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
            self.search(&next, child_phi, child_delta);
            steps[i].known = self.numbers(&steps[i]);
            // A move was refuted: does the same refutation do for others?
            if steps[i].known.phi == 0 {
                let refuted = steps[i].next;
                for other in &mut steps {
                    if other.known.verdict().is_none() {
                        let mut patience = PATIENCE;
                        if self.borrow(&other.next, &refuted, &mut patience) {
                            other.known = Numbers::WON;
                        }
                    }
                }
            }
        }
        self.path.pop();
    }

    /// Looks at the clock now and then, and at the other limits.
    #[inline]
    fn tick(&mut self) {
        self.ticks = self.ticks.wrapping_add(1);
        let is_late = self.ticks & 0x3f == 0 && Instant::now() >= self.budget.deadline;
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
            let doubt = -(value.max(best * 1e-3) / best).ln();
            step.weight = EVEN + (doubt * 6.0) as u32;
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
        let winner = new.to_move;
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
        if self.path.contains(&new_after.key()) {
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
                    if step.repeats {
                        return winner == self.threats.favours();
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
        if cell & position.empties(self.room) & !position.ko == 0 {
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
