//! What takes time: a worker takes an engine from a table, does one errand with it, and brings both
//! back. Somebody waits for a move, dead stones, reasons and a solution, and these take what they
//! need: a move and a solution up to their limits. The others take a slice or a few, so that boards
//! that are merely looked at share the processors.

use std::sync::Arc;
use std::time::Duration;

use engine::review::{Job, JobResult};
use engine::statistics::Counts;
use engine::{Choice, Engine, Request, Stop, reason_words};
use goban::score::Marks;
use goban::{Move, Point};
use serde_json::{Value, json};

use crate::backend::Backend;
use crate::compare::Comparison;
use crate::table::STATISTICS_PART;
use crate::view;

/// How often a move that is being thought about is told.
const EVERY: Duration = Duration::from_millis(200);

/// Playouts behind what is said about a move that nothing is known about yet.
const GLANCE: u64 = 100;

/// What a worker is to do.
pub enum Errand {
    /// Think about a move for this long, or as long as the level thinks.
    Move {
        /// At most.
        time: Duration,
    },
    /// Say which stones are dead.
    Judge,
    /// Say what speaks for a move.
    Why(Point),
    /// Think about the position for a while.
    Analyse {
        /// Playouts in all.
        visits: u64,
        /// In this visit.
        time: Duration,
    },
    /// Count what some playouts tell.
    Statistics {
        /// Of these playouts.
        seed: u64,
    },
    /// Say which stones belong together, which live, and whose the points are.
    Sight,
    /// Ask two models.
    Compare(Comparison, Arc<dyn Backend>),
    /// Ask the solver, for so long.
    Solve(Arc<dyn Backend>, Duration),
    /// Do a part of a review.
    Review {
        /// Of which review.
        number: u64,
        /// What it asks for.
        job: Box<Job>,
        /// At most.
        time: Duration,
    },
}

/// What came out of an errand.
pub enum Finding {
    /// A move, and why.
    Chosen {
        /// What to do.
        choice: Choice,
        /// Why, in both languages.
        words: Value,
    },
    /// Dead stones.
    Judged(Marks),
    /// What speaks for a move.
    Why(Value),
    /// What is thought so far.
    Analysed {
        /// For the page.
        insight: Value,
        /// Playouts so far.
        visits: u64,
    },
    /// What some playouts told.
    Counted(Counts),
    /// What is seen.
    Seen(Value),
    /// What two models say, and which were asked about what.
    Compared(Comparison, Value),
    /// What the solver says.
    Solved(Value),
    /// What came out of a job of a review; nothing yet if there is more of it to do.
    Reviewed {
        /// Of which review.
        number: u64,
        /// What was found.
        found: Option<Box<JobResult>>,
    },
}

/// A worker at a table.
pub struct Visit {
    /// The table's engine, which has its game.
    pub engine: Engine,
    /// What to do.
    pub errand: Errand,
    /// Raised when that is not wanted any more.
    pub stop: Stop,
    /// What the table looked like.
    pub epoch: u64,
}

impl Visit {
    /// Does the errand. `tell` hears what is being thought about a move.
    pub fn run(&mut self, tell: &mut dyn FnMut(Value)) -> Finding {
        let Visit { engine, errand, stop, .. } = self;
        let (color, size) = (engine.game().to_move(), engine.game().board().size());
        match errand {
            &mut Errand::Move { time } => {
                let request =
                    Request { time: Some(time), every: Some(EVERY), ..Request::default() };
                let policy = engine.policy(color);
                let choice = engine.think(color, &request, stop, &mut |report| {
                    tell(view::insight(report, size, &policy));
                });
                Finding::Chosen { choice, words: view::both(|l| engine.explain(l)) }
            }
            Errand::Judge => Finding::Judged(engine.judge().marks),
            &mut Errand::Why(point) => Finding::Why(why(engine, point, stop)),
            Errand::Sight => Finding::Seen(view::sight(&engine.assess(), size)),
            Errand::Compare(comparison, backend) => {
                let told = comparison.run(engine, backend.as_ref());
                Finding::Compared(comparison.clone(), told)
            }
            Errand::Solve(backend, time) => {
                let solved = backend.solve(engine.game().board(), color, *time);
                Finding::Solved(json!({"toMove": view::color_name(color), "solved": solved}))
            }
            &mut Errand::Analyse { visits, time } => {
                let request =
                    Request { time: Some(time), visits: Some(visits), ..Request::default() };
                let policy = engine.policy(color);
                let report = engine.analyse(color, &request, stop, &mut |_| ());
                let insight = view::insight(&report, size, &policy);
                Finding::Analysed { insight, visits: report.visits }
            }
            &mut Errand::Statistics { seed } => {
                Finding::Counted(engine.statistics(STATISTICS_PART, seed))
            }
            Errand::Review { number, job, time } => {
                let found = job.run(engine, Some(*time), stop, &mut || ());
                Finding::Reviewed { number: *number, found: found.map(Box::new) }
            }
        }
    }
}

/// What speaks for a move: what a search has found about it, or finds now, and the move model.
fn why(engine: &mut Engine, point: Point, stop: &Stop) -> Value {
    let color = engine.game().to_move();
    let mv = Move::Play(point);
    let policy = engine.policy(color);
    if engine.game().check(color, mv).is_err() {
        return view::why(point, view::both(|_| [""; 0]), Value::Array(Vec::new()), &policy);
    }
    // What is known from the tree is told at once; there is little in it while nobody thinks.
    let glance = Request { visits: Some(GLANCE), ..Request::default() };
    let report = engine.analyse(color, &glance, stop, &mut |_| ());
    let told = engine.explain_candidate(&report, mv);
    let sentences =
        view::both(|language| told.as_ref().map_or(Vec::new(), |told| told.sentences(language)));
    let reasons = view::reasons(&engine.why(color, point), reason_words);
    view::why(point, sentences, reasons, &policy)
}
