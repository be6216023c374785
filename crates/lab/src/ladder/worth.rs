//! Uf-2, Uf-3 and Uf-5: what playouts say about positions, against a judge who knows better: who
//! will own each point, who wins, which of two positions is better; and how fast they say it.

use std::time::Instant;

use goban::{Board, Cell, Game, PointMap};
use playout::{Compiled, Learned, Observer, Outcome, PlayoutSettings, Random, Uniform};
use serde::{Deserialize, Serialize};

use super::accuracy::{Accuracy, JudgedPosition};
use super::bootstrap;
use super::judging::{Judging, pairs};
use super::oracle::Judged;
use super::turns::in_turn;
use crate::seed::mixed;

/// Bins of a calibration.
pub(super) const BINS: usize = 10;

/// How playouts choose their moves.
pub enum Drawn {
    /// Every legal move that fills no own eye equally likely.
    Uniform,
    /// From a model.
    Learned(Box<Compiled>),
}

/// A way of playing out, by name.
pub struct Style {
    /// What tables call it.
    pub name: String,
    /// How moves are chosen.
    pub drawn: Drawn,
}

/// How positions are judged.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// Playouts for each position.
    pub playouts: usize,
    /// Threads.
    pub threads: usize,
    /// Seed of the playouts.
    pub seed: u64,
    /// Moves that the positions of a pair may be apart.
    pub apart: usize,
    /// How much their judged win rates must differ.
    pub differ: f32,
    /// Positions whose ownership is kept to be shown.
    pub boards: usize,
    /// Errors are measured on so many positions, the first; the others are there for pairs.
    pub measured: usize,
}

/// Positions with a like forecast, and what the oracle says of them.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Bin {
    /// Points or positions.
    pub count: u64,
    /// Mean forecast: the share that ends as Black's, 0 to 1.
    pub forecast: f64,
    /// Mean of the oracle.
    pub oracle: f64,
}

impl Bin {
    /// Counts a forecast.
    pub(super) fn add(bins: &mut [Bin], forecast: f64, oracle: f64) {
        let bin = &mut bins[((forecast * BINS as f64) as usize).min(BINS - 1)];
        bin.count += 1;
        bin.forecast += forecast;
        bin.oracle += oracle;
    }

    /// Sums made means.
    pub(super) fn means(bins: Vec<Bin>) -> Vec<Bin> {
        let mean = |Bin { count, forecast, oracle }| {
            let n = f64::max(count as f64, 1.0);
            Bin { count, forecast: forecast / n, oracle: oracle / n }
        };
        bins.into_iter().map(mean).collect()
    }
}

/// What a style of playouts is worth.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Worth {
    /// The style.
    pub name: String,
    /// Positions judged.
    pub positions: usize,
    /// Mean squared error of the ownership of a point, which is from -1 to 1.
    pub ownership_mse: f64,
    /// Its 95 % interval, by drawing positions again.
    pub ownership_interval: [f64; 2],
    /// Mean squared error of the win rate.
    pub winrate_mse: f64,
    /// Its 95 % interval.
    pub winrate_interval: [f64; 2],
    /// Mean squared error of the score, in points squared.
    pub score_mse: f64,
    /// The same in the three thirds of the positions by number of moves.
    pub ownership_mse_by_third: Vec<f64>,
    /// Points by forecast.
    pub ownership_calibration: Vec<Bin>,
    /// Positions by forecast.
    pub winrate_calibration: Vec<Bin>,
    /// How far the score is off, and which stones were found dead.
    #[serde(default, rename = "sight")]
    pub accuracy: Accuracy,
    /// Uf-3.
    pub judging: Judging,
    /// Uf-5: playouts a second of one thread.
    pub playouts_per_s: f64,
}

/// Who owns a board, in the eyes of one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Owned {
    /// Who says so.
    pub name: String,
    /// Black's chance.
    pub winrate_black: f32,
    /// In reading order, from -1 for White to 1 for Black.
    pub ownership_black: Vec<f32>,
}

/// A position to be shown, with what everybody says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BoardShown {
    /// The position.
    pub id: String,
    /// Lines of the board.
    pub size: u8,
    /// In reading order: `X`, `O` or `.`.
    pub stones: String,
    /// The oracle first.
    pub views: Vec<Owned>,
}

/// What playouts say of a position.
struct Estimate {
    ownership: Vec<f32>,
    winrate: f32,
    score: f32,
    seconds: f64,
}

/// Judges positions by each style; `watch` hears how many are done of all styles together, and
/// ends it by saying false: then there is nothing.
pub fn worth(
    styles: &[Style],
    positions: &[(Judged, Game)],
    judge: &Judge,
    mut watch: impl FnMut(usize) -> bool,
) -> Option<(Vec<Worth>, Vec<BoardShown>)> {
    let pairs = pairs(positions.iter().map(|(judged, _)| judged), judge.apart, judge.differ);
    let measured = judge.measured.min(positions.len());
    let mut boards: Vec<BoardShown> =
        spread(measured, judge.boards).map(|i| shown(&positions[i].0, &positions[i].1)).collect();
    let mut worths = Vec::new();
    for (number, style) in styles.iter().enumerate() {
        let before = number * positions.len();
        let one = |i: usize| {
            let seed = mixed(&[judge.seed, i as u64]);
            estimate(&style.drawn, &positions[i].1, judge.playouts, seed)
        };
        let report = |done| watch(before + done);
        let estimates = in_turn(positions.len(), judge.threads, one, report)?;
        for (board, i) in boards.iter_mut().zip(spread(measured, judge.boards)) {
            board.views.push(Owned {
                name: style.name.clone(),
                winrate_black: estimates[i].winrate,
                ownership_black: estimates[i].ownership.clone(),
            });
        }
        let judging = Judging::new(&pairs, |i| {
            (estimates[i].winrate as f64, positions[i].0.winrate_black as f64)
        });
        let speed = (judge.playouts * positions.len()) as f64
            / estimates.iter().map(|e| e.seconds).sum::<f64>().max(1e-9);
        let measured = summarise(style, &positions[..measured], &estimates, judge);
        worths.push(Worth { judging, playouts_per_s: speed, ..measured });
    }
    Some((worths, boards))
}

/// So many of `n`, evenly spread.
pub fn spread(n: usize, wanted: usize) -> impl Iterator<Item = usize> {
    let wanted = wanted.min(n);
    (0..wanted).map(move |i| (2 * i + 1) * n / (2 * wanted))
}

/// Who owns what at the ends of playouts, how often Black wins, by how much.
struct Ends {
    owners: PointMap<i32>,
    /// Twice the wins of Black, a draw being one.
    points: u64,
    scores: f64,
    komi: f32,
}

impl Observer for Ends {
    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        for p in board.size().points() {
            self.owners[p] += playout::owner(board, p) as i32;
        }
        let score = outcome.score as f32 - self.komi;
        self.points += (score > 0.0) as u64 + (score >= 0.0) as u64;
        self.scores += score as f64;
    }
}

fn estimate(drawn: &Drawn, game: &Game, playouts: usize, seed: u64) -> Estimate {
    let start = Instant::now();
    let (board, color) = (game.board(), game.to_move());
    let mut random = Random::new(seed);
    let mut ends = Ends { owners: PointMap::filled(0), points: 0, scores: 0.0, komi: game.komi() };
    match drawn {
        Drawn::Uniform => {
            let mut runner = Uniform::new(board, color);
            for _ in 0..playouts {
                let outcome = runner.run(&mut random);
                ends.finished(runner.board(), &outcome);
            }
        }
        Drawn::Learned(compiled) => {
            let last = game.moves().last().and_then(|(_, mv)| mv.point());
            // As the search plays them, but for saving chains from atari, which is no part of a model.
            let settings = PlayoutSettings { keep_seki: true, ..PlayoutSettings::default() };
            let mut runner = Learned::new(compiled, board, color, last, settings);
            for _ in 0..playouts {
                runner.run(&mut random, &mut ends);
            }
        }
    }
    let n = playouts.max(1) as f32;
    Estimate {
        ownership: board.size().points().map(|p| ends.owners[p] as f32 / n).collect(),
        winrate: ends.points as f32 / (2.0 * n),
        score: (ends.scores / n as f64) as f32,
        seconds: start.elapsed().as_secs_f64(),
    }
}

fn summarise(
    style: &Style,
    positions: &[(Judged, Game)],
    estimates: &[Estimate],
    judge: &Judge,
) -> Worth {
    let square = |a: f32, b: f32| (a as f64 - b as f64).powi(2);
    let mut ownership_bins = vec![Bin::default(); BINS];
    let mut winrate_bins = vec![Bin::default(); BINS];
    // Of each position: the ownership error of a point, whether there is one, win rate, score.
    let mut errors = Vec::with_capacity(positions.len());
    for ((judged, _), estimate) in positions.iter().zip(estimates) {
        let both = || estimate.ownership.iter().zip(&judged.ownership_black);
        for (&forecast, &oracle) in both() {
            let share = |ownership: f32| (1.0 + ownership as f64) / 2.0;
            Bin::add(&mut ownership_bins, share(forecast), share(oracle));
        }
        Bin::add(&mut winrate_bins, estimate.winrate as f64, judged.winrate_black as f64);
        let points = judged.ownership_black.len();
        let sum: f64 = both().map(|(&a, &b)| square(a, b)).sum();
        errors.push([
            sum / points.max(1) as f64,
            (points > 0) as u8 as f64,
            square(estimate.winrate, judged.winrate_black),
            square(estimate.score, judged.score_black),
        ]);
    }
    let means = |times: &dyn Fn(usize) -> f64, which: &[usize]| {
        let mut sums = [0.0; 5];
        for &i in which {
            let n = times(i);
            errors[i].iter().zip(&mut sums).for_each(|(e, sum)| *sum += n * e);
            sums[4] += n;
        }
        let n = sums[4].max(1.0);
        [sums[0] / sums[1].max(1.0), sums[2] / n, sums[3] / n]
    };
    let all: Vec<usize> = (0..positions.len()).collect();
    let [ownership_mse, winrate_mse, score_mse] = means(&|_| 1.0, &all);
    let drawn = bootstrap::interval(positions.len(), judge.seed, |times| {
        means(&|i| times[i] as f64, &all).to_vec()
    });
    let mut by_length = all.clone();
    by_length.sort_by_key(|&i| positions[i].0.moves.len());
    let third = by_length.len().div_ceil(3).max(1);
    Worth {
        name: style.name.clone(),
        positions: positions.len(),
        ownership_mse,
        ownership_interval: drawn.first().copied().unwrap_or([ownership_mse; 2]),
        winrate_mse,
        winrate_interval: drawn.get(1).copied().unwrap_or([winrate_mse; 2]),
        score_mse,
        ownership_mse_by_third: by_length
            .chunks(third)
            .map(|some| means(&|_| 1.0, some)[0])
            .collect(),
        ownership_calibration: Bin::means(ownership_bins),
        winrate_calibration: Bin::means(winrate_bins),
        accuracy: accuracy(positions, estimates),
        ..Worth::default()
    }
}

/// How accurately these playouts judge.
fn accuracy(positions: &[(Judged, Game)], estimates: &[Estimate]) -> Accuracy {
    let mut all = Vec::with_capacity(positions.len());
    for (position, estimate) in positions.iter().zip(estimates) {
        let (judged, game) = position;
        all.push(JudgedPosition {
            board: game.board(),
            moves: judged.moves.len(),
            komi: game.komi(),
            ownership: &estimate.ownership,
            score: estimate.score,
            judged_ownership: &judged.ownership_black,
            judged_score: judged.score_black,
        });
    }
    Accuracy::new(&all)
}

/// A position as the oracle sees it.
fn shown(judged: &Judged, game: &Game) -> BoardShown {
    let board = game.board();
    let stone = |p| match board.cell(p) {
        Cell::Black => 'X',
        Cell::White => 'O',
        _ => '.',
    };
    BoardShown {
        id: judged.id.clone(),
        size: judged.size,
        stones: board.size().points().map(stone).collect(),
        views: vec![Owned {
            name: "oracle".to_owned(),
            winrate_black: judged.winrate_black,
            ownership_black: judged.ownership_black.clone(),
        }],
    }
}
