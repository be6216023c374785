//! What takes time: a worker takes an engine from a table, does one errand with it, and brings both
//! back. No errand but a move takes longer than a slice or a few.

use std::time::Duration;

use engine::statistics::Counts;
use engine::{Choice, Engine, Request, Stop};
use goban::score::Marks;
use goban::{Color, Point};
use kifu::NodeId;
use serde_json::Value;

use crate::review::Judged;
use crate::table::STATISTICS_PART;
use crate::view;

/// How often a move that is being thought about is told.
const EVERY: Duration = Duration::from_millis(200);

/// What a worker is to do.
#[derive(Debug)]
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
    /// Judge a position of a game that is being reviewed.
    Review {
        /// Where it is.
        node: NodeId,
        /// Playouts.
        visits: u64,
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
        /// Why.
        words: String,
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
    /// What a position of a review is worth.
    Reviewed {
        /// Where it is.
        node: NodeId,
        /// What it is worth.
        judged: Judged,
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
        match *errand {
            Errand::Move { time } => {
                let request =
                    Request { time: Some(time), every: Some(EVERY), ..Request::default() };
                let policy = engine.policy(color);
                let choice = engine.think(color, &request, stop, &mut |report| {
                    tell(view::insight(report, size, &policy));
                });
                Finding::Chosen { choice, words: engine.explain(engine::Language::English) }
            }
            Errand::Judge => Finding::Judged(engine.judge().marks),
            Errand::Why(point) => {
                let legal = engine.game().check(color, goban::Move::Play(point)).is_ok();
                let reasons = if legal { engine.why(color, point) } else { Vec::new() };
                Finding::Why(view::why(point, &reasons, &engine.policy(color)))
            }
            Errand::Analyse { visits, time } => {
                let request =
                    Request { time: Some(time), visits: Some(visits), ..Request::default() };
                let policy = engine.policy(color);
                let report = engine.analyse(color, &request, stop, &mut |_| ());
                let insight = view::insight(&report, size, &policy);
                Finding::Analysed { insight, visits: report.visits }
            }
            Errand::Statistics { seed } => {
                Finding::Counted(engine.statistics(STATISTICS_PART, seed))
            }
            Errand::Review { node, visits, time } => {
                let request =
                    Request { time: Some(time), visits: Some(visits), ..Request::default() };
                let report = engine.analyse(color, &request, stop, &mut |_| ());
                let black = color == Color::Black;
                let best = report.candidates.first();
                let line = best.map_or(Vec::new(), |best| {
                    best.line.iter().take(8).map(|mv| mv.to_string()).collect()
                });
                let (winrate, score) = match best {
                    Some(best) => (best.winrate, best.score),
                    None => (report.winrate, report.score),
                };
                let judged = Judged {
                    winrate: if black { winrate } else { 1.0 - winrate },
                    score: if black { score } else { -score },
                    line,
                };
                Finding::Reviewed { node, judged }
            }
        }
    }
}
