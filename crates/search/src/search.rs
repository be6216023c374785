//! The search: a tree that is kept from move to move, and threads that make it grow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use goban::{Color, Game, Move, Point, PointMap};
use playout::{Experience, Random};

use crate::expand::Expander;
use crate::limits::{Deadline, SearchLimits};
use crate::models::Models;
use crate::record::Record;
use crate::report::{Candidate, Report};
use crate::root::{Agreed, Root};
use crate::settings::Settings;
use crate::steering::SharedEvidence;
use crate::stop::Stop;
use crate::tree::{Edge, Tree, scored_visits};
use crate::urgency::Urgency;
use crate::worker::{Shared, ThreadState, Worker};

/// Playouts of a position after which its ownership is roughly known.
const LEAST: u64 = 32;

/// Playouts before a search may end because time is up or it was stopped: every move that is returned
/// was searched.
const FIRST: u64 = 8;

/// What is thought about.
pub struct Task<'a> {
    /// The game.
    pub game: &'a Game,
    /// Who is to move.
    pub color: Color,
    /// Points that White gets, as the search shall see it.
    pub komi: f32,
    /// Which moves may be looked at.
    pub expander: &'a Expander,
    /// How the game ends if the player to move makes a second pass and the players agree about dead
    /// stones; `None` where the stones count as they stand.
    pub agreed: Option<Agreed>,
}

/// A search and what it remembers.
pub struct Search {
    models: Arc<Models>,
    settings: Settings,
    tree: Tree,
    root: Option<Root>,
    komi: f32,
    expander: Expander,
    /// By thread.
    states: Vec<ThreadState>,
    /// What steers playouts and the tree, if anything does.
    evidence: Option<SharedEvidence>,
    record: Record,
}

impl Search {
    /// A search that knows nothing yet.
    pub fn new(models: Arc<Models>, settings: Settings) -> Search {
        let threads = settings.threads.max(1);
        Search {
            tree: Tree::new(settings.memory, settings.transpositions),
            states: (0..threads)
                .map(|i| ThreadState {
                    random: Random::stream(settings.seed, i),
                    experience: None,
                    urgency: None,
                })
                .collect(),
            models,
            settings,
            root: None,
            komi: 0.0,
            expander: Expander::default(),
            evidence: None,
            record: Record::new(false),
        }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets what was searched.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.root = None;
        for state in &mut self.states {
            (state.experience, state.urgency) = (None, None);
        }
        self.evidence = None;
    }

    /// Thinks until a limit is reached or the flag is raised. `watch` sees a report as often as the
    /// limits ask.
    pub fn run(
        &mut self,
        task: &Task<'_>,
        limits: &SearchLimits,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        let deadline = Deadline { limits, start: Instant::now(), stop };
        let start = deadline.start;
        let by_move = limits.ownership_by_move;
        let same_root = self.go_to(task);
        if !same_root || self.record.is_by_move() != by_move {
            self.record = Record::new(by_move);
        }
        let wanted = limits.visits.map_or(0, |visits| visits.min(LEAST));
        let least = wanted.saturating_sub(self.record.playouts);
        // Out of the way of what the threads look at.
        let mut states = std::mem::take(&mut self.states);
        self.learn_anew(&mut states);
        if !same_root {
            states.iter_mut().flat_map(|state| &mut state.urgency).for_each(|all| all.fade());
        }
        let (size, strengths) = (self.models.playouts.size(), self.settings.steering);
        if strengths.any() && self.evidence.is_none() {
            self.evidence = Some(SharedEvidence::new(size, strengths));
        }
        let playouts = AtomicU64::new(0);
        let mut next_report = limits.every;
        loop {
            let full = AtomicBool::new(false);
            let halt = AtomicBool::new(false);
            let shared = self.shared(by_move);
            let (first, others) = states.split_first_mut().expect("at least one thread");
            let record = &self.record;
            let records = std::thread::scope(|scope| {
                let helpers: Vec<_> = others
                    .iter_mut()
                    .map(|state| {
                        let (shared, full, halt, playouts) = (&shared, &full, &halt, &playouts);
                        scope.spawn(move || {
                            let mut worker = Worker::new(shared, state);
                            while !halt.load(Ordering::Relaxed)
                                && !limits.are_reached(playouts, &shared.tree.tally, least)
                            {
                                playouts.fetch_add(1, Ordering::Relaxed);
                                if worker.simulate().is_err() {
                                    full.store(true, Ordering::Relaxed);
                                    break;
                                }
                            }
                            worker.finish()
                        })
                    })
                    .collect();
                let mut worker = Worker::new(&shared, first);
                while !full.load(Ordering::Relaxed) {
                    if limits.are_reached(&playouts, &self.tree.tally, least) {
                        break;
                    }
                    let made = playouts.load(Ordering::Relaxed);
                    if made >= FIRST && deadline.is_over(&self.tree, made) {
                        break;
                    }
                    if next_report.is_some_and(|at| start.elapsed() >= at) {
                        let snapshot =
                            Snapshot { shared: &shared, records: [record, &worker.record] };
                        watch(&snapshot.report(made, start.elapsed()));
                        next_report = limits.every.map(|every| start.elapsed() + every);
                    }
                    playouts.fetch_add(1, Ordering::Relaxed);
                    if worker.simulate().is_err() {
                        full.store(true, Ordering::Relaxed);
                    }
                }
                halt.store(true, Ordering::Relaxed);
                let others = helpers.into_iter().map(|h| h.join().expect("no worker panics"));
                std::iter::once(worker.finish())
                    .chain(others.collect::<Vec<_>>())
                    .collect::<Vec<_>>()
            });
            records.iter().for_each(|record| self.record.add(record));
            // The next search makes room if this one is over.
            let made = playouts.load(Ordering::Relaxed);
            let is_over = made >= FIRST && deadline.is_over(&self.tree, made)
                || limits.are_reached(&playouts, &self.tree.tally, least);
            if !full.load(Ordering::Relaxed) || is_over {
                break;
            }
            self.tree.prune(|| deadline.is_up());
        }
        self.states = states;
        let shared = self.shared(by_move);
        let none = Record::new(false);
        let snapshot = Snapshot { shared: &shared, records: [&self.record, &none] };
        snapshot.report(playouts.into_inner(), start.elapsed())
    }

    /// What the threads of a search look at, once there is a root.
    fn shared(&self, by_move: bool) -> Shared<'_> {
        Shared {
            models: &self.models,
            settings: &self.settings,
            root: self.root.as_ref().expect("a search has a root"),
            komi: self.komi,
            tree: &self.tree,
            expander: &self.expander,
            evidence: self.evidence.as_ref(),
            by_move,
        }
    }

    /// Gives threads whose playouts shall learn something to learn with.
    fn learn_anew(&self, states: &mut [ThreadState]) {
        let (size, rates) = (self.models.playouts.size(), self.settings.rates);
        let Settings { urgency, lift, .. } = self.settings;
        for state in states.iter_mut().filter(|state| state.urgency.is_none()) {
            state.urgency = (urgency + lift > 0.0).then(|| Box::new(Urgency::new(urgency)));
        }
        for state in states.iter_mut().filter(|state| state.experience.is_none()) {
            // It also holds the factors by which playouts prefer moves that should come early.
            let wanted = rates.any() || self.settings.steering.order > 0.0;
            state.experience = wanted.then(|| Box::new(Experience::new(size, rates)));
        }
    }

    /// Puts the root where the task is, and keeps what is known of it. Says whether it was there
    /// before.
    fn go_to(&mut self, task: &Task<'_>) -> bool {
        // Room that could not be made in time for the last search is not to be wanting in this one.
        let kept = self.root.as_ref().filter(|_| !self.tree.is_stuck());
        let follows = kept.and_then(|root| {
            let same = self.komi == task.komi
                && self.expander == Expander::default()
                && *task.expander == self.expander
                && root.game.rules() == task.game.rules()
                && root.game.board().size() == task.game.board().size();
            let (old, new) = (root.game.history(), task.game.history());
            let more = new.get(old.len()..)?.len();
            let moves = &task.game.moves()[task.game.moves().len().checked_sub(more)?..];
            // The moves since then must be by the players whose turn it was in the tree.
            let mut color = root.color;
            let in_turn = moves.iter().all(|&(player, _)| {
                let right = player == color;
                color = !color;
                right
            });
            // In the tree so far, a second pass was scored with the stones as they stand.
            let stale = match moves.is_empty() {
                true => task.agreed.is_some() != root.agreed.is_some(),
                false => task.agreed.is_some(),
            };
            let kept = same && new[..old.len()] == *old && in_turn && color == task.color && !stale;
            kept.then(|| moves.to_vec())
        });
        let same_root = follows.as_ref().is_some_and(Vec::is_empty);
        match follows {
            Some(moves) if moves.is_empty() => {}
            Some(moves) => {
                self.tree.advance(moves.iter().map(|(_, mv)| mv.point()));
            }
            None => self.clear(),
        }
        self.komi = task.komi;
        self.expander = task.expander.clone();
        let mut root = Root::new(task.game, task.color);
        root.agreed = task.agreed.clone();
        self.root = Some(root);
        if self.tree.root().is_none() {
            let shared = self.shared(false);
            let root = shared.root;
            let node = self
                .expander
                .expand(&shared, &mut root.variation(&self.models.rater), 0, None)
                .expect("room for a root");
            self.tree.plant(node);
        }
        same_root
    }
}

/// What a search has found so far, to be reported.
struct Snapshot<'a> {
    shared: &'a Shared<'a>,
    records: [&'a Record; 2],
}

/// Moves of a line that have fewer visits than this say nothing.
const FEW: u32 = 2;

impl Snapshot<'_> {
    fn report(&self, playouts: u64, elapsed: Duration) -> Report {
        let Shared { tree, settings, root, komi, .. } = *self.shared;
        let node = tree.root().expect("a search has a root");
        let sign = if root.color == Color::Black { 1.0 } else { -1.0 };
        let (all, lost) = tree.tally.read();
        let mean = if all > 0.0 { 1.0 - lost / all } else { 0.5 };
        let most = tree.most(node);
        let (edges, others): (Vec<&Edge>, Vec<&Edge>) =
            tree.edges(node).partition(|edge| edge.tally.visits() > 0);
        // Moves are compared by a lower bound of their win rate. First-play urgency counts as some visits
        // in it, or noise would choose.
        let bound = |edge: &Edge, n: f32, won: f32| {
            let expected = settings.fpu_visits * settings.expected(mean, edge.prior(), most);
            let n_and_fpu = n + settings.fpu_visits;
            lower_bound((won + expected) / n_and_fpu, n_and_fpu)
        };
        let mut rated: Vec<(Candidate, f32)> = edges
            .into_iter()
            .map(|edge| {
                let (n, won) = edge.tally.read();
                let winrate = won / n;
                let scored = n.min(scored_visits(root.game.board().size()) as f32);
                let score = edge.score.load(Ordering::Relaxed) as f32 / scored - komi;
                let (line, line_visits) = self.line(edge);
                let candidate = Candidate {
                    mv: edge.as_move(),
                    visits: n as u64,
                    winrate,
                    lcb: lower_bound(winrate, n).max(0.0),
                    score: sign * score,
                    prior: edge.prior(),
                    line,
                    line_visits,
                    ownership: self.ownership_after(edge.mv()),
                };
                (candidate, bound(edge, n, won))
            })
            .collect();
        rated.sort_by_key(|(c, _)| std::cmp::Reverse(c.visits));
        if settings.lcb {
            // A move with a good share of the visits and a better bound goes first.
            let enough = rated.first().map_or(0, |(c, _)| c.visits / 4);
            let bound = |i: usize| match &rated[i] {
                (c, bound) if c.visits >= enough => *bound,
                _ => f32::NEG_INFINITY,
            };
            let best =
                (0..rated.len()).max_by(|&a, &b| bound(a).total_cmp(&bound(b)).then(b.cmp(&a)));
            if let Some(best) = best {
                rated[..=best].rotate_right(1);
            }
        }
        let candidates: Vec<Candidate> = rated.into_iter().map(|(c, _)| c).collect();
        let made = self.records.iter().map(|r| r.playouts).sum::<u64>().max(1) as f64;
        let average = self.records.iter().map(|r| r.scores.0).sum::<f64>() / made;
        let square = self.records.iter().map(|r| r.scores.1).sum::<f64>() / made;
        let mut ownership = PointMap::filled(0.0);
        for p in root.game.board().size().points() {
            let sum: i32 = self.records.iter().map(|r| r.ownership[p]).sum();
            ownership[p] = sign * (sum as f64 / made) as f32;
        }
        let weighed = |c: &Candidate| c.visits as f32 * c.score;
        let visits: u64 = candidates.iter().map(|c| c.visits).sum();
        let score = match visits {
            0 => sign * (average as f32 - komi),
            visits => candidates.iter().map(weighed).sum::<f32>() / visits as f32,
        };
        Report {
            to_move: root.color,
            visits: all as u64,
            playouts,
            elapsed,
            winrate: mean,
            score,
            score_deviation: (square - average * average).max(0.0).sqrt() as f32,
            candidates,
            others: others.iter().map(|edge| (edge.as_move(), edge.prior())).collect(),
            ownership,
        }
    }

    /// Who owns each point after a move of the root, for the player to move there.
    fn ownership_after(&self, first: Option<Point>) -> Option<PointMap<f32>> {
        let root = self.shared.root;
        let sign = if root.color == Color::Black { 1.0 } else { -1.0 };
        let seen: Vec<_> = self.records.iter().filter_map(|r| r.owners_after(first)).collect();
        let playouts: u64 = seen.iter().map(|&(n, _)| n).sum();
        (playouts > 0).then(|| {
            let mut ownership = PointMap::filled(0.0);
            for p in root.game.board().size().points() {
                let sum: i32 = seen.iter().map(|(_, sums)| sums[p]).sum();
                ownership[p] = sign * sum as f32 / playouts as f32;
            }
            ownership
        })
    }

    /// The line expected behind a move.
    fn line(&self, first: &Edge) -> (Vec<Move>, Vec<u64>) {
        let (mut line, mut visits) = (Vec::new(), Vec::new());
        let mut edge = Some(first);
        while let Some(now) = edge {
            line.push(now.as_move());
            visits.push(now.tally.visits() as u64);
            let replies = now.child().into_iter().flat_map(|node| self.shared.tree.edges(node));
            // The first of equals, so that lines are the same on every machine.
            edge = replies
                .filter(|reply| reply.tally.visits() >= FEW)
                .reduce(|a, b| if b.tally.visits() > a.tally.visits() { b } else { a });
        }
        (line, visits)
    }
}

/// A bound that a win rate seen `n` times is above with good confidence.
fn lower_bound(winrate: f32, n: f32) -> f32 {
    let spread = (winrate * (1.0 - winrate) + 1.0 / (n + 1.0)).max(0.0).sqrt();
    winrate - 1.96 * spread / n.max(1.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expand::Restriction;
    use goban::{Diagram, Rules, Size};
    use policy::Model;

    #[test]
    fn what_decides_the_game_is_urgent_for_both() {
        // Who plays in the middle of the three points in the corner wins; J1 is worth nothing.
        let corner = "
            . . X O . O . . .
            . . X O O . O . .
            . . X X O O . O .
            . . X . X O O . .
            X X X . X X O O O
            X . X X X . X X O
            X X X X . X . X X
            O O O O X X X . .
            . . . O X . X . .";
        let tree = Model::from_bytes(include_bytes!("../../../weights/uct9.model")).unwrap();
        let playouts = Model::from_bytes(include_bytes!("../../../weights/mc9.model")).unwrap();
        let models = Arc::new(Models::new(tree, playouts, Size::NINE));
        let board = Diagram::parse(corner).unwrap().board;
        for color in Color::BOTH {
            let game = Game::from_position(board.clone(), color, Rules::CGOS, 23.0);
            // Not with the first move, or there would be nothing to compare.
            let moves = vec![Move::Play(Point::parse("B1").unwrap())];
            let avoid = vec![Restriction { color, moves, until_depth: 1 }];
            let expander = Expander { avoid, ..Expander::default() };
            let task = Task { game: &game, color, komi: 23.0, expander: &expander, agreed: None };
            let limits = SearchLimits { playouts: Some(200), ..SearchLimits::default() };
            let settings = Settings { memory: 32 << 20, ..Settings::new(Size::NINE) };
            let mut search = Search::new(models.clone(), settings);
            search.run(&task, &limits, &Stop::new(), &mut |_| {});
            let urgency = search.states[0].urgency.as_ref().unwrap();
            for player in Color::BOTH {
                let lift = |p: &str| urgency.biases(player)[Point::parse(p).unwrap()].lift;
                assert!(lift("B1") > 0.1, "{player:?}: {}", lift("B1"));
                assert!(lift("J1") < 0.7 * lift("B1"), "{player:?}: {}", lift("J1"));
            }
        }
    }
}
