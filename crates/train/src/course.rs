//! A course of learning: passes through the games in another order each time, measured after each
//! on games that were not learned from, until it gets no better.

use policy::FeatureSpace;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoroshiro128PlusPlus;

use crate::curve::Mark;
use crate::games::Games;
use crate::measure::{Measures, Report, Scorer};
use crate::method::{Method, Weights};
use crate::tour::{TourStep, tour};

/// How to go through the games.
#[derive(Clone, Debug)]
pub struct Course {
    /// The most passes.
    pub passes: usize,
    /// Seed of the order of the games.
    pub seed: u64,
    /// Passes without gain before it ends.
    pub patience: usize,
    /// Threads; what is learned does not depend on them.
    pub threads: usize,
    /// What makes weights good, measured on validation; more is better.
    pub goal: fn(&Report) -> f64,
}

/// How far a course is between two passes; nothing is done at first. Together with the state of the
/// method this is all that is needed to go on.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standing {
    /// Passes done.
    pub done: usize,
    /// Whether it has come to its end: no pass is left, or another would be of no use.
    pub over: bool,
    /// The best pass.
    pub best: Option<Best>,
    /// The learning curve so far.
    pub marks: Vec<Mark>,
}

/// The best pass of a course.
#[derive(Clone, PartialEq, Debug)]
pub struct Best {
    /// The pass, from 1.
    pub pass: usize,
    /// How good it was.
    pub value: f64,
    /// What had been learned by its end.
    pub weights: Weights,
}

/// What a course is doing; reported after every game and every pass.
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
        /// Whether it was stopped in the middle. Going on does it again from its beginning.
        stopped: bool,
        /// Mean logarithm of the probability of the moves of the pass, as they were met.
        log_likelihood: f64,
        /// The measures on validation.
        report: &'a Report,
        /// Whether it is the best so far.
        best: bool,
        /// How far the course is: with this pass, unless it was stopped.
        standing: &'a Standing,
        /// The method, to keep its state.
        method: &'a dyn Method,
    },
}

/// What a course led to.
pub struct Learned {
    /// The best weights, those of a pass that was stopped included; none without a pass.
    pub weights: Option<Weights>,
    /// Whether it was stopped from outside before its end.
    pub stopped: bool,
}

impl Course {
    /// Learns, from where `standing` says the course is; `method` is in the state of that moment.
    /// `watch` hears of every step and ends the course by saying false.
    pub fn run(
        &self,
        space: &FeatureSpace,
        train: &Games,
        validation: &Games,
        method: &mut dyn Method,
        standing: &mut Standing,
        mut watch: impl FnMut(Step<'_>) -> bool,
    ) -> Learned {
        let total = (train.positions() * self.passes).max(1) as f64;
        let mut order: Vec<u32> = (0..train.len() as u32).collect();
        let mut random = Xoroshiro128PlusPlus::seed_from_u64(self.seed);
        for pass in 1..=self.passes {
            if standing.over {
                break;
            }
            // Passes that are done have shuffled the games as well.
            shuffle(&mut order, &mut random);
            if pass <= standing.done {
                continue;
            }
            let before = (pass - 1) as f64 / self.passes as f64;
            method.begin_pass(before);
            method.progress(before);
            let (mut positions, mut sum, mut stopped) = (0, 0.0, false);
            tour(space, train, &order, self.threads, |step| match step {
                TourStep::Position(position) => {
                    sum += method.learn(position);
                    positions += 1;
                    true
                }
                TourStep::EndOfGame => {
                    method.progress(before + positions as f64 / total);
                    let log_likelihood = sum / positions.max(1) as f64;
                    stopped = !watch(Step::Game { pass, positions, log_likelihood });
                    !stopped
                }
            });
            let more = method.end_pass();
            let report = measure(space, validation, &method.weights(), self.threads);
            let value = (self.goal)(&report);
            let best = standing.best.as_ref().is_none_or(|best| value > best.value);
            let mut weights = best.then(|| method.weights());
            let log_likelihood = sum / positions.max(1) as f64;
            if !stopped {
                if let Some(weights) = weights.take() {
                    standing.best = Some(Best { pass, value, weights });
                }
                let (validation, match1) = (report.log_likelihood, report.match_at(1));
                standing.marks.push(Mark { pass, train: log_likelihood, validation, match1 });
                standing.done = pass;
                let since = standing.best.as_ref().map_or(0, |best| pass - best.pass);
                standing.over = !more || since >= self.patience || pass == self.passes;
            }
            let report = &report;
            let go_on =
                watch(Step::Pass { pass, stopped, log_likelihood, report, best, standing, method });
            if stopped || (!go_on && !standing.over) {
                let weights = weights.or_else(|| standing.best_weights());
                return Learned { weights, stopped: true };
            }
        }
        Learned { weights: standing.best_weights(), stopped: false }
    }
}

impl Standing {
    fn best_weights(&self) -> Option<Weights> {
        self.best.as_ref().map(|best| best.weights.clone())
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
    space: &FeatureSpace,
    games: &Games,
    scorer: &(impl Scorer + ?Sized),
    threads: usize,
) -> Report {
    let order: Vec<u32> = (0..games.len() as u32).collect();
    let mut measures = Measures::default();
    tour(space, games, &order, threads, |step| {
        if let TourStep::Position(position) = step {
            measures.score(scorer, position);
        }
        true
    });
    measures.report()
}
