//! Who will win: positions of games whose winners are known, what playouts or searches say about them,
//! and how far that is from what became of them.
//!
//! A position in the middle of a game is won by one player or the other, and a forecast of 60 % is never
//! right; but over many positions the better judge has the smaller error. What differs between two
//! judges is much surer than the error of either, for both look at the same positions.

use std::sync::Arc;
use std::time::Instant;

use engine::area_komi;
use goban::{Color, Game, Rules};
use kifu::{Margin, Outcome, Record, Unplayable};
use playout::{Learned, Random};
use search::{Models, Settings};
use serde::{Deserialize, Serialize};

use super::bootstrap;
use super::look::look;
use super::prediction::{PHASES, phase_at};
use super::turns::in_turn;
use super::worth::{BINS, Bin};
use crate::seed::mixed;

/// A position and what became of it.
pub struct Question {
    record: Arc<Record>,
    rules: Rules,
    komi: f32,
    /// Moves that were made.
    pub moves: usize,
    /// The number of its game: positions of a game are alike.
    pub game: usize,
    /// 1 if Black won the game, 0 if White did, half for a draw.
    pub black: f64,
}

impl Question {
    /// The position, who is to move, and the komi for those who count area.
    fn position(&self) -> Position {
        let (_, game) = self
            .record
            .resume(self.rules, self.komi, self.moves)
            .expect("the record was played before");
        // A record need not go by turns: handicap stones may be moves.
        let next = self.record.moves.get(self.moves).map_or(game.to_move(), |next| next.color);
        let komi = area_komi(&game, next);
        (game, next, komi)
    }
}

/// The positions after every `every` moves of a record, as those of the game with this number. None if
/// the record says nothing of komi, or not who won on the board: a game may be lost on time that was won.
/// None after a pass: a search of its own would take dead stones for alive once it passes too.
///
/// # Errors
/// If the record cannot be played.
pub fn questions(record: Record, game: usize, every: usize) -> Result<Vec<Question>, Unplayable> {
    let black = match record.outcome {
        Outcome::Win(_, Margin::Time | Margin::Forfeit) => return Ok(Vec::new()),
        Outcome::Win(winner, _) => (winner == Color::Black) as u8 as f64,
        Outcome::Draw => 0.5,
        Outcome::Void | Outcome::Unknown => return Ok(Vec::new()),
    };
    let rules = record.rules.as_deref().and_then(Rules::parse).unwrap_or(Rules::CHINESE);
    let Some(komi) = record.komi else { return Ok(Vec::new()) };
    record.resume(rules, komi, record.moves.len())?;
    let record = Arc::new(record);
    let stations = (every.max(1)..record.moves.len()).step_by(every.max(1));
    let stations = stations.filter(|&moves| record.moves[moves - 1].point.is_some());
    let question = |moves| Question { record: record.clone(), rules, komi, moves, game, black };
    Ok(stations.map(question).collect())
}

/// So many of the questions, drawn by chance and in their order: evenly spread ones may all be of one
/// phase of their games.
pub fn drawn(questions: Vec<Question>, wanted: usize, seed: u64) -> Vec<Question> {
    let mut random = Random::new(mixed(&[seed, wanted as u64]));
    let (mut left, mut wanted) = (questions.len(), wanted);
    let mut chosen = questions;
    chosen.retain(|_| {
        let is_drawn = random.below(left) < wanted;
        left -= 1;
        wanted -= is_drawn as usize;
        is_drawn
    });
    chosen
}

/// How positions are looked at.
#[derive(Clone, Copy, Debug)]
pub struct ForecastTask {
    /// Playouts for each position.
    pub playouts: u64,
    /// Without a tree: all playouts begin at the position, and none learns from another.
    pub plain: bool,
    /// Positions at the same time.
    pub threads: usize,
    /// Seed of the playouts.
    pub seed: u64,
}

/// How well some settings foretold who won.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Forecast {
    /// The settings.
    pub name: String,
    /// Lines of the board.
    pub size: u8,
    /// Games.
    pub games: usize,
    /// Positions of them.
    pub positions: usize,
    /// Playouts for each.
    pub playouts: u64,
    /// Whether there was no tree.
    pub plain: bool,
    /// Mean squared error of Black's chance to win, and its 95 % interval by drawing games again; there is
    /// none of one game.
    pub mse: f64,
    /// See `mse`.
    pub mse_interval: Option<[f64; 2]>,
    /// How much larger it is than with the first settings, and the 95 % interval of that.
    pub difference: f64,
    /// See `difference`.
    pub difference_interval: Option<[f64; 2]>,
    /// Share of the positions in which the winner is given the better chance.
    pub right: f64,
    /// The error by phase of the game.
    pub phases: Vec<ForecastOfPhase>,
    /// Positions by forecast; what the games say stands where an oracle's word does elsewhere.
    pub calibration: Vec<Bin>,
    /// Seconds that it took.
    pub seconds: f64,
    /// For each position, the squared error.
    #[serde(skip)]
    errors: Vec<f64>,
}

/// The error in a phase of the game.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct ForecastOfPhase {
    /// Its name.
    pub name: String,
    /// Positions in it.
    pub positions: usize,
    /// Mean squared error.
    pub mse: f64,
}

/// Foretells who wins from all positions, which are on one board size and in the order of their games, and
/// compares with `first`, which saw the same. `watch` hears how many are done and ends it by saying false: then there is nothing.
pub fn foretell(
    name: &str,
    questions: &[Question],
    task: &ForecastTask,
    models: &Arc<Models>,
    settings: &Settings,
    first: Option<&Forecast>,
    watch: impl FnMut(usize) -> bool,
) -> Option<Forecast> {
    let start = Instant::now();
    let one = |i: usize| {
        let seed = mixed(&[task.seed, i as u64]);
        let position = questions[i].position();
        match task.plain {
            true => plain(models, settings, &position, task.playouts, seed),
            false => searched(models, settings, &position, task.playouts, seed),
        }
    };
    let forecasts = in_turn(questions.len(), task.threads, one, watch)?;
    let mut errors = Vec::with_capacity(questions.len());
    let mut bins = vec![Bin::default(); BINS];
    let mut right = 0.0;
    let mut phases = PHASES
        .map(|(name, _)| ForecastOfPhase { name: name.to_owned(), ..ForecastOfPhase::default() });
    for (question, &forecast) in questions.iter().zip(&forecasts) {
        let error = (forecast - question.black).powi(2);
        errors.push(error);
        Bin::add(&mut bins, forecast, question.black);
        let side = (forecast - 0.5) * (question.black - 0.5);
        right += if side == 0.0 { 0.5 } else { (side > 0.0) as u8 as f64 };
        let phase = phase_at(question.moves, models.playouts.size());
        phases[phase].positions += 1;
        phases[phase].mse += error;
    }
    phases.iter_mut().for_each(|phase| phase.mse /= phase.positions.max(1) as f64);
    let before = first.map_or(&errors, |first| &first.errors);
    // Games are drawn, and all positions of a game with it.
    let mut sums: Vec<[f64; 3]> = Vec::new();
    let mut last = None;
    for ((question, error), before) in questions.iter().zip(&errors).zip(before) {
        if last.replace(question.game) != Some(question.game) {
            sums.push([0.0; 3]);
        }
        let one = [1.0, *error, error - before];
        let of_game = sums.last_mut().into_iter().flatten();
        of_game.zip(one).for_each(|(sum, x)| *sum += x);
    }
    let figures = |times: &[u32]| {
        let mut all = [0.0; 3];
        for (sums, &times) in sums.iter().zip(times) {
            all.iter_mut().zip(sums).for_each(|(all, sum)| *all += f64::from(times) * sum);
        }
        let [n, error, difference] = all;
        vec![error / n.max(1.0), difference / n.max(1.0)]
    };
    let [mse, difference] = figures(&vec![1; sums.len()])[..] else { return None };
    let ends = bootstrap::interval(sums.len(), task.seed, figures);
    Some(Forecast {
        name: name.to_owned(),
        size: models.playouts.size().side(),
        games: sums.len(),
        positions: questions.len(),
        playouts: task.playouts,
        plain: task.plain,
        mse,
        mse_interval: ends.first().copied(),
        difference,
        difference_interval: ends.get(1).copied(),
        right: right / questions.len().max(1) as f64,
        phases: phases.into_iter().filter(|phase| phase.positions > 0).collect(),
        calibration: Bin::means(bins),
        seconds: start.elapsed().as_secs_f64(),
        errors,
    })
}

/// A position, who is to move, komi.
type Position = (Game, Color, f32);

/// Black's chance by playouts from a position.
fn plain(
    models: &Models,
    settings: &Settings,
    (game, color, komi): &Position,
    playouts: u64,
    seed: u64,
) -> f64 {
    let last = game.moves().last().and_then(|(_, mv)| mv.point());
    let (board, limits) = (game.board(), settings.playouts());
    let mut runner = Learned::new(&models.playouts, board, *color, last, limits);
    let mut random = Random::new(seed);
    let points = (0..playouts).map(|_| {
        let ahead = runner.run(&mut random, &mut ()).score as f32 - komi;
        (ahead > 0.0) as u64 + (ahead >= 0.0) as u64
    });
    points.sum::<u64>() as f64 / (2 * playouts.max(1)) as f64
}

/// Black's chance by the move that a search would play.
fn searched(
    models: &Arc<Models>,
    settings: &Settings,
    (game, color, komi): &Position,
    playouts: u64,
    seed: u64,
) -> f64 {
    let settings = Settings { seed, threads: 1, memory: 64 << 20, ..settings.clone() };
    let report = look(models, settings, game, *color, *komi, playouts);
    let winrate = report.candidates.first().map_or(report.winrate, |c| c.winrate) as f64;
    if *color == Color::Black { winrate } else { 1.0 - winrate }
}
