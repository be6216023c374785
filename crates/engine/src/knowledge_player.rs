//! The published player that goes by knowledge: known shapes propose moves; where there are none,
//! the moves that gain most influence; and playouts decide among the few best, in parallel.
//!
//! Which of several patterns to take and how simulations run in parallel is left open in the thesis;
//! here the weightiest patterns are candidates together, and every thread plays some playouts of each.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use goban::{Board, Color, Game, Move, Point, PointMap};
use knowledge::{Influence, Patterns};
use playout::{Learned, PlayoutSettings, Random};
use search::{Candidate, Models, Report, Stop};

use crate::judge::Ends;

/// How the player that goes by knowledge plays.
#[derive(Clone, PartialEq, Debug)]
pub struct Knowledge {
    /// The database; without one, influence alone proposes moves.
    pub patterns: Option<Arc<Patterns>>,
    /// Candidates at most; 0 for all legal moves, which is Monte-Carlo alone. Where no pattern matches,
    /// the moves that gain most influence leave out captures and defences: with six candidates the
    /// player lost to Monte-Carlo alone, with twenty it wins (docs/knowledge.md).
    pub few: usize,
}

impl Default for Knowledge {
    fn default() -> Knowledge {
        Knowledge { patterns: Some(Arc::new(Patterns::standard())), few: 20 }
    }
}

/// How often each pattern proposed a move, and how often that move was played.
pub type Fired = BTreeMap<String, [u64; 2]>;

/// A move and the pattern that proposed it.
pub struct Proposal {
    point: Point,
    pattern: Option<String>,
}

/// Playouts of a candidate before the next one has its turn.
const ROUND: usize = 4;

/// What bounds the thinking.
pub struct Bounds<'a> {
    /// Playouts in all.
    pub playouts: Option<u64>,
    /// Until then.
    pub until: Option<Instant>,
    /// Raised to stop.
    pub stop: &'a Stop,
    /// Threads.
    pub threads: usize,
    /// Seed of the playouts.
    pub seed: u64,
    /// The komi by area.
    pub komi: f32,
}

impl Knowledge {
    /// The moves worth a simulation.
    pub fn propose(&self, game: &Game, color: Color) -> Vec<Proposal> {
        let board = game.board();
        let may = |p: Point| game.check(color, Move::Play(p)).is_ok() && !board.is_eye(p, color);
        let few = if self.few == 0 { usize::MAX } else { self.few };
        if let Some(patterns) = &self.patterns {
            let found = patterns.find(board, color).into_iter().filter(|m| may(m.point));
            let proposals: Vec<Proposal> = found
                .take(few)
                .map(|m| {
                    let pattern = Some(patterns.list()[m.pattern].name.clone());
                    Proposal { point: m.point, pattern }
                })
                .collect();
            if !proposals.is_empty() {
                return proposals;
            }
        }
        let gains = Influence::new(board).gains(board, color).into_iter();
        gains
            .filter(|&(p, _)| may(p))
            .take(few)
            .map(|(point, _)| Proposal { point, pattern: None })
            .collect()
    }

    /// Simulates the proposals and says how they do, the best first.
    pub fn weigh(
        &self,
        models: &Models,
        game: &Game,
        color: Color,
        proposals: &[Proposal],
        bounds: &Bounds<'_>,
    ) -> Report {
        let start = Instant::now();
        let boards: Vec<Board> = proposals
            .iter()
            .map(|proposal| {
                let mut board = game.board().clone();
                board.play_assume_legal(proposal.point, color, &mut ());
                board
            })
            .collect();
        let all = Mutex::new((vec![Sums::default(); boards.len()], Ends::new()));
        let (next, rounds) = (AtomicUsize::new(0), rounds(boards.len(), bounds.playouts));
        let work = || {
            let mut sums = vec![Sums::default(); boards.len()];
            let mut ends = Ends::new();
            let mut runners: Vec<Option<Learned<'_>>> = boards.iter().map(|_| None).collect();
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let late = bounds.until.is_some_and(|until| Instant::now() >= until);
                // Every candidate is looked at once at least.
                if i >= rounds || (i >= boards.len() && (late || bounds.stop.is_raised())) {
                    break;
                }
                let which = i % boards.len();
                let settings = PlayoutSettings::careful();
                let point = Some(proposals[which].point);
                let runner = runners[which].get_or_insert_with(|| {
                    Learned::new(&models.playouts, &boards[which], !color, point, settings)
                });
                let mut random =
                    Random::new(bounds.seed ^ (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                for _ in 0..ROUND {
                    let outcome = runner.run(&mut random, &mut ends);
                    sums[which].add(outcome.score as f32 - bounds.komi, color);
                }
            }
            let mut all = all.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            all.0.iter_mut().zip(&sums).for_each(|(a, b)| a.join(b));
            all.1.join(&ends);
        };
        if !boards.is_empty() {
            thread::scope(|scope| {
                for _ in 1..bounds.threads.max(1) {
                    scope.spawn(work);
                }
                work();
            });
        }
        let (sums, ends) = all.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        report(game, color, proposals, &sums, &ends, start.elapsed())
    }

    /// Counts which patterns proposed something and whose move was played.
    pub fn count(fired: &mut Fired, proposals: &[Proposal], played: Option<Move>) {
        for proposal in proposals {
            let Some(name) = &proposal.pattern else { continue };
            let count = fired.entry(name.clone()).or_default();
            count[0] += 1;
            count[1] += (played == Some(Move::Play(proposal.point))) as u64;
        }
    }

    /// The pattern that proposed a move.
    pub fn proposer(proposals: &[Proposal], mv: Move) -> Option<&str> {
        let of = |proposal: &&Proposal| Move::Play(proposal.point) == mv;
        proposals.iter().find(of)?.pattern.as_deref()
    }
}

/// Rounds in all: as many for each candidate.
fn rounds(candidates: usize, playouts: Option<u64>) -> usize {
    let most = playouts.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
    let each = most.div_ceil(ROUND).div_ceil(candidates.max(1)).max(1);
    each.saturating_mul(candidates)
}

/// What the playouts of a candidate came to, for the player to move.
#[derive(Clone, Copy, Default)]
struct Sums {
    playouts: u64,
    won: f64,
    score: f64,
}

impl Sums {
    fn add(&mut self, score: f32, color: Color) {
        let score = if color == Color::Black { score } else { -score };
        self.playouts += 1;
        self.won += if score > 0.0 { 1.0 } else { 0.5 * f64::from(u8::from(score == 0.0)) };
        self.score += f64::from(score);
    }

    fn join(&mut self, other: &Sums) {
        self.playouts += other.playouts;
        self.won += other.won;
        self.score += other.score;
    }
}

fn report(
    game: &Game,
    color: Color,
    proposals: &[Proposal],
    sums: &[Sums],
    ends: &Ends,
    elapsed: Duration,
) -> Report {
    let playouts: u64 = sums.iter().map(|sums| sums.playouts).sum();
    let mut candidates: Vec<Candidate> = proposals
        .iter()
        .zip(sums)
        .map(|(proposal, sums)| {
            let n = sums.playouts.max(1) as f64;
            let winrate = (sums.won / n) as f32;
            let mv = Move::Play(proposal.point);
            Candidate {
                mv,
                visits: sums.playouts,
                winrate,
                lcb: winrate - (0.25 / n as f32).sqrt(),
                score: (sums.score / n) as f32,
                prior: 1.0 / proposals.len() as f32,
                line: vec![mv],
                line_visits: vec![sums.playouts],
                ownership: None,
            }
        })
        .collect();
    // Where all win or all lose, points tell moves apart.
    let worth = |c: &Candidate| c.winrate + 1e-4 * c.score;
    candidates.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    let mut ownership = PointMap::filled(0.0);
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    for p in game.board().size().points() {
        ownership[p] = sign * ends.owner(p) as f32 / playouts.max(1) as f32;
    }
    let best = candidates.first();
    Report {
        to_move: color,
        visits: playouts,
        playouts,
        elapsed,
        winrate: best.map_or(0.5, |best| best.winrate),
        score: best.map_or(0.0, |best| best.score),
        score_deviation: 0.0,
        candidates,
        others: Vec::new(),
        ownership,
    }
}
