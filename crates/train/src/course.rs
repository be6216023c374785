//! A course of learning: passes through the games in another order each time, measured after each
//! on games that were not learned from, until it gets no better.

use policy::Terrain;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoroshiro128PlusPlus;

use crate::games::Games;
use crate::measure::{Measures, Report, Scorer};
use crate::method::{Method, Weights};
use crate::tour::{Met, tour};

/// How to go through the games.
#[derive(Clone, Debug)]
pub struct Course {
    /// The most passes.
    pub passes: usize,
    /// Passes already done, when going on with an earlier course.
    pub done: usize,
    /// The best of them and how good it was.
    pub best: Option<(usize, f64)>,
    /// Seed of the order of the games.
    pub seed: u64,
    /// Passes without gain before it ends.
    pub patience: usize,
    /// Threads; what is learned does not depend on them.
    pub threads: usize,
    /// What makes weights good, measured on validation; more is better.
    pub goal: fn(&Report) -> f64,
}

/// Where a course is; told after every game and every pass.
pub enum Step<'a> {
    /// Positions learned in this pass so far.
    Game {
        /// The pass, from 1.
        pass: usize,
        /// Positions of it that are done.
        positions: usize,
        /// Mean logarithm of the probability of their moves, as they were met.
        log_likelihood: f64,
    },
    /// A pass is over.
    Pass {
        /// The pass, from 1.
        pass: usize,
        /// Whether it was stopped in the middle.
        stopped: bool,
        /// Mean logarithm of the probability of the moves of the pass, as they were met.
        log_likelihood: f64,
        /// The measures on validation.
        report: &'a Report,
        /// Whether it is the best so far.
        best: bool,
        /// The method, to keep its state.
        method: &'a dyn Method,
    },
}

/// What a course led to.
pub struct Learned {
    /// The best weights of this course; none if those of an earlier one were better.
    pub weights: Option<Weights>,
    /// The best pass and how good it was.
    pub best: Option<(usize, f64)>,
    /// Whether it was stopped from outside.
    pub stopped: bool,
}

impl Course {
    /// Learns. `watch` is told every step and ends the course by saying false.
    pub fn run(
        &self,
        terrain: &Terrain,
        train: &Games,
        validation: &Games,
        method: &mut dyn Method,
        mut watch: impl FnMut(Step<'_>) -> bool,
    ) -> Learned {
        let total = (train.positions() * self.passes).max(1) as f64;
        let mut order: Vec<u32> = (0..train.len() as u32).collect();
        let mut random = Xoroshiro128PlusPlus::seed_from_u64(self.seed);
        let mut learned = Learned { weights: None, best: self.best, stopped: false };
        for pass in 1..=self.passes {
            shuffle(&mut order, &mut random);
            if pass <= self.done {
                continue;
            }
            method.begin_pass((pass - 1) as f64 / self.passes as f64);
            let (mut positions, mut sum) = (0, 0.0);
            method.progress((pass - 1) as f64 / self.passes as f64);
            tour(terrain, train, &order, self.threads, |met| match met {
                Met::Position(position) => {
                    sum += method.learn(position);
                    positions += 1;
                    true
                }
                Met::EndOfGame => {
                    let so_far = (pass - 1) as f64 / self.passes as f64 + positions as f64 / total;
                    method.progress(so_far);
                    let log_likelihood = sum / positions.max(1) as f64;
                    learned.stopped = !watch(Step::Game { pass, positions, log_likelihood });
                    !learned.stopped
                }
            });
            let more = method.end_pass();
            let report = measure(terrain, validation, &method.weights(), self.threads);
            let value = (self.goal)(&report);
            let best = learned.best.is_none_or(|(_, before)| value > before);
            if best {
                learned.best = Some((pass, value));
                learned.weights = Some(method.weights());
            }
            let log_likelihood = sum / positions.max(1) as f64;
            let stopped = learned.stopped;
            let go_on =
                watch(Step::Pass { pass, stopped, log_likelihood, report: &report, best, method });
            learned.stopped |= !go_on;
            let since = learned.best.map_or(0, |(best, _)| pass - best);
            if learned.stopped || !more || since >= self.patience {
                break;
            }
        }
        learned
    }
}

fn shuffle(order: &mut [u32], random: &mut Xoroshiro128PlusPlus) {
    for i in (1..order.len()).rev() {
        let j = ((random.next_u64() >> 32) * (i as u64 + 1)) >> 32;
        order.swap(i, j as usize);
    }
}

/// Measures a model on games.
pub fn measure(
    terrain: &Terrain,
    games: &Games,
    scorer: &(impl Scorer + ?Sized),
    threads: usize,
) -> Report {
    let order: Vec<u32> = (0..games.len() as u32).collect();
    let mut measures = Measures::default();
    tour(terrain, games, &order, threads, |met| {
        if let Met::Position(position) = met {
            measures.score(scorer, position);
        }
        true
    });
    measures.report()
}
