//! One reading of a problem: a room, and what the proof search finds of each first move in it.

use std::time::{Duration, Instant};

use goban::Point;

use crate::closing::Closed;
use crate::position::Position;
use crate::proof::{Budget, Hint, Proof, Threats};
use crate::room::Cells;
use crate::table::Table;

/// How it ends for the side to move with best play, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// It reaches its goal whatever happens elsewhere.
    Works,
    /// It wins a ko unless the other side finds a threat.
    GoodKo,
    /// It wins a ko if it has threats.
    Ko,
    /// It does not.
    Fails,
    /// Not proved.
    Open,
}

/// Moves of a line; `None` is a pass.
pub type Line = Vec<Option<Point>>;

/// What one reading found.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) outcome: Outcome,
    /// The side to move has what it wants without a move.
    pub(crate) is_settled: bool,
    /// Moves that reach the outcome.
    pub(crate) good: Vec<Point>,
    /// Moves of which it is not known.
    pub(crate) open: Vec<Point>,
    /// Moves that do not, and how each is answered.
    pub(crate) bad: Vec<(Point, Line)>,
    /// How play goes on after each good move.
    pub(crate) lines: Vec<Line>,
    pub(crate) nodes: u64,
}

impl Reading {
    /// Whether the side to move reaches something, and had to move for it.
    pub(crate) fn is_decided(&self) -> bool {
        self.outcome < Outcome::Fails && !self.is_settled
    }

    /// Whether everything is known: one move and no other.
    pub(crate) fn is_unique(&self) -> bool {
        self.is_decided() && self.good.len() == 1 && self.open.is_empty()
    }
}

/// Moves of a line that are kept.
const LONGEST: usize = 16;

/// Reads a problem; `nodes` is for each question that is asked of the search.
pub(crate) fn read(
    closed: &Closed,
    table: &mut Table,
    begun: Instant,
    time: Duration,
    nodes: u64,
    hint: Option<&Hint<'_>>,
) -> Reading {
    let Closed { room, position, target } = closed;
    let deadline = begun + time;
    let me = position.to_move;
    let mut reading = Reading {
        outcome: Outcome::Open,
        is_settled: false,
        good: Vec::new(),
        open: Vec::new(),
        bad: Vec::new(),
        lines: Vec::new(),
        nodes: 0,
    };
    // From the worst case for the side to move to the best.
    let stages = [
        (Threats::All(me.other()), Outcome::Works),
        (Threats::None(me.other()), Outcome::GoodKo),
        (Threats::All(me), Outcome::Ko),
    ];
    for (threats, outcome) in stages {
        let budget = Budget { deadline: begun + time.mul_f64(0.75), nodes };
        let mut proof = Proof::new(room, *target, threats, table, budget).with_hint(hint);
        let verdict = proof.run(position).verdict();
        reading.nodes += proof.nodes;
        match verdict {
            None => return reading,
            Some(false) => continue,
            Some(true) => {}
        }
        reading.outcome = outcome;
        let budget = Budget { deadline, nodes };
        let mut proof = Proof::new(room, *target, threats, table, budget).with_hint(hint);
        if outcome == Outcome::Works {
            reading.is_settled = proof.run(&position.pass()).verdict() == Some(false);
        }
        let mut steps = Vec::new();
        proof.steps(position, &mut steps);
        let line = |proof: &mut Proof<'_>, next: &Position| -> Line {
            let name = |cell: Cells| (cell != 0).then(|| room.point(cell));
            proof.line(next, LONGEST).into_iter().map(name).collect()
        };
        for step in steps.into_iter().filter(|step| step.cell != 0) {
            let point = room.point(step.cell);
            proof.allow(nodes);
            match proof.run(&step.next).verdict() {
                Some(false) => {
                    reading.good.push(point);
                    reading.lines.push(line(&mut proof, &step.next));
                }
                Some(true) => reading.bad.push((point, line(&mut proof, &step.next))),
                None => reading.open.push(point),
            }
        }
        reading.nodes += proof.nodes;
        return reading;
    }
    // Not even with all threats: every move of the room fails.
    reading.outcome = Outcome::Fails;
    let budget = Budget { deadline, nodes };
    let mut proof = Proof::new(room, *target, Threats::All(me), table, budget);
    let mut steps = Vec::new();
    proof.steps(position, &mut steps);
    for step in steps.into_iter().filter(|step| step.cell != 0) {
        let line = proof.line(&step.next, LONGEST);
        let line = line.into_iter().map(|cell| (cell != 0).then(|| room.point(cell))).collect();
        reading.bad.push((room.point(step.cell), line));
    }
    reading
}
