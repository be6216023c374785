//! Many playouts from one position on many threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use goban::{Board, Color, Game, Point};

use super::{Counts, Statistics, Wanted};
use crate::compiled::Compiled;
use crate::learned::{Learned, PlayoutSettings};
use crate::random::Random;
use crate::uniform::Uniform;

/// What is to be played, and what is to be counted.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The position.
    pub board: &'a Board,
    /// Who plays first.
    pub to_move: Color,
    /// The move that led to the position.
    pub last: Option<Point>,
    /// Black wins with a score above this.
    pub komi: f32,
    /// The model that plays; uniform playouts without one.
    pub model: Option<&'a Compiled>,
    /// How many playouts.
    pub playouts: u64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Threads that play.
    pub threads: usize,
    /// What is counted.
    pub wanted: Wanted,
}

impl<'a> Task<'a> {
    /// Playouts of [`Task::uniform`]; the paper made as many.
    pub const PLAYOUTS: u64 = 10_000;

    /// Uniform playouts on one thread from the position of a game, everything counted.
    pub fn uniform(game: &'a Game) -> Task<'a> {
        Task {
            board: game.board(),
            to_move: game.to_move(),
            last: game.moves().last().and_then(|(_, mv)| mv.point()),
            komi: komi(game),
            model: None,
            playouts: Task::PLAYOUTS,
            seed: 1,
            threads: 1,
            wanted: Wanted::ALL,
        }
    }
}

/// What Black's area must exceed White's by: playouts are counted by area under all rules.
pub fn komi(game: &Game) -> f32 {
    game.komi() + game.rules().handicap_bonus.points(game.handicap()) as f32
}

/// Playouts that share a stream of random numbers: the counts are the same for any number of
/// threads.
const PART: u64 = 1000;

/// More streams than this would take long to find.
const PARTS: u64 = 1024;

/// Runs the playouts of a task that nobody waits long for.
pub fn gather_quietly(task: &Task<'_>) -> Counts {
    gather(task, &AtomicBool::new(false), &|_| ())
}

/// Runs the playouts of a task, or fewer if `stop` is raised; `progress` hears now and then how
/// many are done.
pub fn gather(task: &Task<'_>, stop: &AtomicBool, progress: &(dyn Fn(u64) + Sync)) -> Counts {
    let part = PART.max(task.playouts.div_ceil(PARTS));
    let parts = task.playouts.div_ceil(part);
    let threads = task.threads.clamp(1, parts.max(1) as usize);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let all = Mutex::new(Counts::new(task.board.size(), task.wanted));
    let work = || {
        let mut statistics = Statistics::new(task.board.size(), task.komi, task.wanted);
        let mut player = Player::new(task);
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= parts || stop.load(Ordering::Relaxed) {
                break;
            }
            let playouts = part.min(task.playouts - i * part);
            let mut random = Random::stream(task.seed, i as usize);
            for _ in 0..playouts {
                player.run(&mut random, &mut statistics);
            }
            progress(done.fetch_add(playouts, Ordering::Relaxed) + playouts);
        }
        let counts = statistics.into_counts();
        all.lock().expect("adding does not panic").merge(&counts);
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    all.into_inner().expect("adding does not panic")
}

/// Playouts of either kind.
enum Player<'a> {
    Uniform(Box<Uniform>),
    Learned(Learned<'a>),
}

impl<'a> Player<'a> {
    fn new(task: &Task<'a>) -> Player<'a> {
        match task.model {
            None => Player::Uniform(Box::new(Uniform::new(task.board, task.to_move))),
            Some(model) => {
                let settings = PlayoutSettings { keep_seki: true, ..PlayoutSettings::default() };
                Player::Learned(Learned::new(model, task.board, task.to_move, task.last, settings))
            }
        }
    }

    fn run(&mut self, random: &mut Random, statistics: &mut Statistics) {
        match self {
            Player::Uniform(playouts) => playouts.run_watched(random, statistics),
            Player::Learned(playouts) => playouts.run(random, statistics),
        };
    }
}
