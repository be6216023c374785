//! One reading of a problem: a room, and what the proof search finds of each first move in it.

use std::time::{Duration, Instant};

use goban::Point;
use search::Stop;

use crate::closing::Closed;
use crate::position::Position;
use crate::proof::{Budget, Hint, Proof};
use crate::room::{Cells, Side};
use crate::table::Table;
use crate::threats::{Supply, Threats};

/// How it ends for the side to move with best play, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// It reaches its goal whatever happens elsewhere.
    Works,
    /// It wins a ko unless the other side finds two threats: one is not enough.
    FavourableKo,
    /// It wins a ko unless the other side finds a threat.
    GoodKo,
    /// It wins a ko if it has one threat more than the other side.
    OneThreatKo,
    /// It wins a ko if it has threats, more than one.
    Ko,
    /// It does not.
    Fails,
    /// Not proved.
    Open,
}

impl Outcome {
    /// The same without counting threats: nobody has any, or one side has all.
    pub(crate) fn coarse(self) -> Outcome {
        match self {
            Outcome::FavourableKo => Outcome::GoodKo,
            Outcome::OneThreatKo => Outcome::Ko,
            other => other,
        }
    }

    /// What has to be true of threats for the side `me` to reach it. Where nothing else is said, the other
    /// side gains by repetition.
    fn threats(self, me: Side) -> Threats {
        let he = me.other();
        match self {
            Outcome::Works => Threats::all(he),
            Outcome::FavourableKo => Threats::one(he, he),
            Outcome::GoodKo => Threats::none(he),
            Outcome::OneThreatKo => Threats::one(me, he),
            _ => Threats::all(me),
        }
    }
}

/// Moves of a line; `None` is a pass.
pub type Line = Vec<Option<Point>>;

/// What is wanted of a reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// The best outcome there is.
    Best,
    /// A ko is enough.
    Ko,
    /// Whether it works with so many threats for the side to move and for the other.
    With(Supply, Supply),
}

/// How long a reading may take.
pub(crate) struct Patience {
    pub(crate) begun: Instant,
    pub(crate) time: Duration,
    /// Positions for each question that is asked of the search.
    pub(crate) nodes: u64,
    pub(crate) stop: Stop,
}

impl Patience {
    fn budget(&self, share: f64) -> Budget {
        let deadline = self.begun + self.time.mul_f64(share);
        Budget { deadline, nodes: self.nodes, stop: self.stop.clone() }
    }
}

/// What one reading found.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) outcome: Outcome,
    /// The side to move has what it wants without a move.
    pub(crate) is_settled: bool,
    /// Moves that reach the outcome or, as long as threats are not counted, one as good; how each ends, and how play
    /// goes on.
    pub(crate) good: Vec<(Point, Outcome, Line)>,
    /// Moves of which it is not known.
    pub(crate) open: Vec<Point>,
    /// Moves that do not, and how each is answered.
    pub(crate) bad: Vec<(Point, Line)>,
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

    /// Whether another reading has the same result.
    pub(crate) fn agrees(&self, other: &Reading) -> bool {
        let points = |reading: &Reading| -> Vec<Point> {
            reading.good.iter().map(|&(point, ..)| point).collect()
        };
        self.outcome.coarse() == other.outcome.coarse() && points(self) == points(other)
    }
}

/// Moves of a line that are kept.
const LONGEST: usize = 16;

/// Reads a problem.
pub(crate) fn read(
    closed: &Closed,
    table: &mut Table,
    wanted: Wanted,
    patience: &Patience,
    hint: Option<&Hint<'_>>,
) -> Reading {
    let Closed { room, position, aim } = closed;
    let me = position.to_move;
    let mut reading = Reading {
        outcome: Outcome::Open,
        is_settled: false,
        good: Vec::new(),
        open: Vec::new(),
        bad: Vec::new(),
        nodes: 0,
    };
    // From the worst case for the side to move to the best.
    let stages: Vec<(Threats, Outcome)> = match wanted {
        Wanted::Best => [Outcome::Works, Outcome::GoodKo, Outcome::Ko]
            .map(|outcome| (outcome.threats(me), outcome))
            .to_vec(),
        Wanted::Ko => vec![(Threats::all(me), Outcome::Ko)],
        Wanted::With(own, others) => {
            vec![(Threats::new(me, own, others, me.other()), Outcome::Works)]
        }
    };
    let line = |proof: &mut Proof<'_>, next: &Position| -> Line {
        let name = |cell: Cells| (cell != 0).then(|| room.point(cell));
        proof.line(next, LONGEST).into_iter().map(name).collect()
    };
    for &(threats, outcome) in &stages {
        let mut proof =
            Proof::new(room, *aim, threats, table, patience.budget(0.75)).with_hint(hint);
        let verdict = proof.run(position).verdict();
        reading.nodes += proof.nodes;
        match verdict {
            None => return reading,
            Some(false) => continue,
            Some(true) => {}
        }
        reading.outcome = outcome;
        let mut proof =
            Proof::new(room, *aim, threats, table, patience.budget(1.0)).with_hint(hint);
        if outcome == Outcome::Works {
            reading.is_settled = proof.run(&position.pass()).verdict() == Some(false);
        }
        let mut steps = Vec::new();
        proof.steps(position, &mut steps);
        steps.retain(|step| step.cell != 0);
        let mut good = Vec::new();
        for step in steps {
            let point = room.point(step.cell);
            proof.allow(patience.nodes);
            match proof.run(&step.next).verdict() {
                Some(false) => {
                    reading.good.push((point, outcome, line(&mut proof, &step.next)));
                    good.push(step.next);
                }
                Some(true) => reading.bad.push((point, line(&mut proof, &step.next))),
                None => reading.open.push(point),
            }
        }
        reading.nodes += proof.nodes;
        if outcome != Outcome::Works {
            reading.count_threats(closed, table, outcome, wanted, &good, patience);
        }
        return reading;
    }
    // Not even in the best case: every move of the room fails.
    reading.outcome = Outcome::Fails;
    let threats = stages.last().map_or(Threats::all(me), |&(threats, _)| threats);
    let mut proof = Proof::new(room, *aim, threats, table, patience.budget(1.0));
    let mut steps = Vec::new();
    proof.steps(position, &mut steps);
    for step in steps.into_iter().filter(|step| step.cell != 0) {
        reading.bad.push((room.point(step.cell), line(&mut proof, &step.next)));
    }
    reading
}

impl Reading {
    /// Asks of each good move whether it is better than `coarse` says: how many threats a ko needs.
    fn count_threats(
        &mut self,
        closed: &Closed,
        table: &mut Table,
        coarse: Outcome,
        wanted: Wanted,
        good: &[Position],
        patience: &Patience,
    ) {
        let finer: &[Outcome] = match (wanted, coarse) {
            // Which of them are even better is of interest where a ko was enough.
            (Wanted::Ko, _) => {
                &[Outcome::Works, Outcome::FavourableKo, Outcome::GoodKo, Outcome::OneThreatKo]
            }
            (_, Outcome::GoodKo) => &[Outcome::FavourableKo],
            (_, Outcome::Ko) => &[Outcome::OneThreatKo],
            _ => &[],
        };
        let Closed { room, position, aim } = closed;
        for (next, (_, outcome, _)) in good.iter().zip(&mut self.good) {
            for &better in finer {
                let threats = better.threats(position.to_move);
                let mut proof = Proof::new(room, *aim, threats, table, patience.budget(1.0));
                let verdict = proof.run(next).verdict();
                self.nodes += proof.nodes;
                if verdict == Some(false) {
                    *outcome = better;
                    break;
                }
            }
        }
        let best = self.good.iter().map(|&(_, outcome, _)| outcome).min();
        self.outcome = best.unwrap_or(coarse);
    }
}
