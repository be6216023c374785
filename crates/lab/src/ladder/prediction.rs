//! L-1 to Lf-7: how well a model predicts the moves of games.
//!
//! One pass: threads take games in turn and rate every position along a [`policy::Line`], the sums
//! are added up game by game in the order of the games, so that they are the same whatever the
//! number of threads, and the sums of each game are kept for the bootstrap.

use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;

use goban::Size;
use policy::{Follower, Line, Rater};
use serde::{Deserialize, Serialize};
use train::{Game, Games, Measures, Moment, Sums};

use super::bootstrap;

/// Games that a thread may be ahead.
const AHEAD: usize = 16;

/// The phases of a game by name, and the share of the board's points after which the next begins.
pub(super) const PHASES: [(&str, f64); 3] =
    [("opening", 1.0 / 6.0), ("middle game", 0.5), ("endgame", 1e9)];

/// A phase of the game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// Its first move, from 1.
    pub from: usize,
    /// Its last move, if it has one.
    pub to: Option<usize>,
    /// Positions in it.
    pub positions: u64,
    /// The items in it.
    pub items: BTreeMap<String, f64>,
}

/// What is known of a move number.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct AtMove {
    /// The move number, from 1.
    #[serde(rename = "move")]
    pub number: usize,
    /// Positions.
    pub positions: u64,
    /// Mean logarithm of the probability of the played move.
    #[serde(rename = "MLE")]
    pub mle: f64,
    /// Share in which it ranks first.
    #[serde(rename = "Match1")]
    pub match1: f64,
}

/// How well a model predicts.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Prediction {
    /// Games measured on.
    pub games: usize,
    /// Positions of them in which a stone was played.
    pub positions: u64,
    /// Every item that is one number, by its name.
    pub items: BTreeMap<String, f64>,
    /// Their 95 % intervals, by drawing games again.
    pub intervals: BTreeMap<String, [f64; 2]>,
    /// The items by phase of the game.
    pub phases: Vec<Phase>,
    /// Match_n for n from 1.
    pub match_curve: Vec<f64>,
    /// By move number.
    pub mle_curve: Vec<AtMove>,
    /// By rank from 1: mean probability of that move, and share in which it was played.
    pub calibration: Vec<[f64; 2]>,
    /// The largest difference of the two, ranks 1 to 10.
    pub miscalibration: f64,
}

/// The names of the items in the order of the ladder.
pub fn item_names() -> Vec<String> {
    Sums::default().items().into_iter().map(|(name, _)| name).collect()
}

/// Measures a model on games. `watch` hears how many are done and what they add up to, and ends the
/// pass by saying false; what was measured until then counts.
pub fn predict(
    rater: &Rater,
    games: &Games,
    threads: usize,
    seed: u64,
    mut watch: impl FnMut(usize, &Sums) -> bool,
) -> Prediction {
    let mut all = Measures::default();
    let mut phases = [Sums::default(); PHASES.len()];
    let mut by_game: Vec<Sums> = Vec::with_capacity(games.len());
    let threads = threads.clamp(1, games.len().max(1));
    std::thread::scope(|scope| {
        let helper = |i: usize| {
            let (give, take) = sync_channel(AHEAD);
            scope.spawn(move || {
                for game in games.iter().skip(i).step_by(threads) {
                    // Nobody listens once the pass has been ended.
                    if give.send(measure(rater, game)).is_err() {
                        return;
                    }
                }
            });
            take
        };
        let helpers: Vec<_> = (0..threads).map(helper).collect();
        for i in 0..games.len() {
            let Ok(measured) = helpers[i % threads].recv() else { return };
            let mut whole = Sums::default();
            for (phase, measures) in phases.iter_mut().zip(&measured) {
                phase.join(measures.sums());
                whole.join(measures.sums());
                all.join(measures);
            }
            by_game.push(whole);
            if !watch(i + 1, all.sums()) {
                return;
            }
        }
    });
    summarise(&all, &phases, &by_game, games.size(), seed)
}

/// The phase in which the move after `number` others is made.
pub(super) fn phase_at(number: usize, size: Size) -> usize {
    (0..PHASES.len()).find(|&i| number < end_of(i, size)).unwrap_or(PHASES.len() - 1)
}

/// The move after which a phase ends.
fn end_of(phase: usize, size: Size) -> usize {
    (PHASES[phase].1 * size.area() as f64) as usize
}

/// Measures a game, by phase.
fn measure(rater: &Rater, game: &Game) -> [Measures; PHASES.len()] {
    let size = rater.size();
    let mut measures: [Measures; PHASES.len()] = Default::default();
    let Some((first, _)) = game.moves().next() else { return measures };
    let mut line = Line::new(rater, &Follower::new(&game.start(size), first));
    let (mut rated, mut values, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (color, point)) in game.moves().enumerate() {
        if let Some(p) = point {
            line.set_to_move(color);
            line.rate(&mut rated);
            let Some(played) = rated.iter().position(|r| r.point == p) else { return measures };
            values.clear();
            values.extend(rated.iter().map(|r| r.value.ln()));
            shares.clear();
            shares.extend(rated.iter().map(|r| r.probability));
            measures[phase_at(number, size)].add(number, played, &values, &shares);
        }
        line.play(color, point);
    }
    measures
}

fn summarise(
    all: &Measures,
    phases: &[Sums],
    by_game: &[Sums],
    size: Size,
    seed: u64,
) -> Prediction {
    let report = all.report();
    let items = |sums: &Sums| sums.items().into_iter().collect();
    let drawn = bootstrap::interval(by_game.len(), seed, |times| {
        let mut sums = Sums::default();
        for (game, &times) in by_game.iter().zip(times) {
            (0..times).for_each(|_| sums.join(game));
        }
        sums.items().into_iter().map(|(_, value)| value).collect()
    });
    let phases = phases.iter().enumerate().filter(|(_, sums)| sums.positions > 0);
    let phase = |(i, sums): (usize, &Sums)| Phase {
        name: PHASES[i].0.to_owned(),
        from: if i == 0 { 1 } else { end_of(i - 1, size) + 1 },
        to: (i + 1 < PHASES.len()).then(|| end_of(i, size)),
        positions: sums.positions,
        items: items(sums),
    };
    let moments = all.moments().iter().enumerate().filter(|(_, moment)| moment.positions > 0);
    let at_move = |(number, moment): (usize, &Moment)| {
        let n = moment.positions as f64;
        AtMove {
            number: number + 1,
            positions: moment.positions,
            mle: moment.log_likelihood / n,
            match1: moment.first as f64 / n,
        }
    };
    Prediction {
        games: by_game.len(),
        positions: report.positions,
        items: items(all.sums()),
        intervals: item_names().into_iter().zip(drawn).collect(),
        phases: phases.map(phase).collect(),
        match_curve: report.matches,
        mle_curve: moments.map(at_move).collect(),
        calibration: report.calibration.iter().map(|&(p, rate)| [p, rate]).collect(),
        miscalibration: report.miscalibration,
    }
}
