//! The items from P-1 to U-1: models on games.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use lab::ladder::{CorpusMeasured, Evaluation, ModelMeasured, item_names, predict, sizes};
use playout::Compiled;
use policy::{Model, Rater, Use, grouped, many};
use train::{Games, Sums};

use super::{Eval, Flag, Named, stopped};
use crate::extract::side_by_side;
use crate::progress::Work;
use crate::{games, weights};

impl Eval {
    /// Measures all models on the games.
    pub(super) fn predict(&self, evaluation: &mut Evaluation, stop: &Flag) -> Result<()> {
        let mut games = games::read(&self.files, self.size)?;
        games.truncate(self.games.unwrap_or(usize::MAX));
        let (size, positions) = (games.size(), games.positions());
        if positions == 0 {
            bail!("the games have no moves to measure on");
        }
        let models = self.models(size)?;
        let start = Instant::now();
        let how =
            How { threads: self.threads(), size_playouts: self.size_playouts, seed: self.seed };
        for Named { name, model } in models {
            let bar = Work::new(&name, games.len() as u64, "games");
            let tell = |done, _: &Sums| bar.set(done as u64);
            match measure(&name, &model, &games, &how, stop, tell)? {
                Some(measured) => evaluation.models.push(measured),
                None => return stopped(),
            }
        }
        evaluation.corpus = Some(CorpusMeasured {
            files: self.files.iter().map(|path| path.display().to_string()).collect(),
            size: size.side(),
            games: games.len(),
            positions,
            duplicates: games.duplicates(),
            seconds: start.elapsed().as_secs_f64(),
        });
        Ok(())
    }
}

/// How models are measured.
pub struct How {
    pub threads: usize,
    /// Playouts in which the sizes of patterns are counted.
    pub size_playouts: usize,
    pub seed: u64,
}

impl Default for How {
    fn default() -> How {
        How { threads: 1, size_playouts: 100, seed: 1 }
    }
}

/// Measures a model on games; nothing if it was stopped. `tell` hears how many games are done and
/// what they add up to.
pub fn measure(
    name: &str,
    model: &Model,
    games: &Games,
    how: &How,
    stop: &AtomicBool,
    mut tell: impl FnMut(usize, &Sums),
) -> Result<Option<ModelMeasured>> {
    let (size, stopped) = (games.size(), || stop.load(Ordering::Relaxed));
    let rater = Rater::new(model, size);
    let prediction = predict(&rater, games, how.threads, how.seed, |done, sums| {
        tell(done, sums);
        !stopped()
    });
    if stopped() {
        return Ok(None);
    }
    // Playouts cannot follow models for the tree; those that come along then say which positions
    // patterns are looked for in.
    let own = (model.about.of == Use::Mc).then(|| Compiled::new(model, size));
    let drawn_from = match own {
        Some(Ok(compiled)) => compiled,
        _ => Compiled::new(&weights::model(Use::Mc, size), size)
            .context("the model that comes along")?,
    };
    let size_max = sizes(&rater, &drawn_from, how.size_playouts, how.seed);
    Ok(Some(ModelMeasured::new(name, model, prediction, size_max)))
}

/// Prints what was found.
pub fn print(out: &mut dyn Write, evaluation: &Evaluation) -> Result<()> {
    let Some(corpus) = &evaluation.corpus else { return Ok(()) };
    let models = &evaluation.models;
    let side = corpus.size;
    let left_out = match corpus.duplicates {
        0 => String::new(),
        n => format!(" ({} left out)", many(n, "duplicate")),
    };
    writeln!(
        out,
        "{} on {side}x{side}{left_out}, {}, {:.1} s",
        many(corpus.games, "game"),
        many(corpus.positions, "position"),
        corpus.seconds
    )?;
    let width = models.iter().map(|m| m.name.chars().count()).max().unwrap_or(0).max(20) + 2;
    let row = |out: &mut dyn Write, name: &str, cells: Vec<String>| -> Result<()> {
        write!(out, "  {name:<12}")?;
        for cell in cells {
            write!(out, "{cell:>width$}")?;
        }
        writeln!(out)?;
        Ok(())
    };
    let off = match corpus.games {
        1 => "; how far it is off cannot be told from one game",
        _ => ", and by how much it may be off (95 %)",
    };
    writeln!(out, "\nHow well the moves played are predicted{off}")?;
    row(out, "", models.iter().map(|m| m.name.clone()).collect())?;
    for name in item_names() {
        let cell = |m: &ModelMeasured| {
            let value = m.prediction.items.get(&name).copied().unwrap_or(f64::NAN);
            // As wide without an interval, so that the figures stay in their column.
            let half =
                m.prediction.intervals.get(&name).map_or("       ".to_owned(), |[low, high]| {
                    format!("±{:.4}", (high - low) / 2.0)
                });
            format!("{value:.4} {half}")
        };
        row(out, &name, models.iter().map(cell).collect())?;
    }
    let off = |m: &ModelMeasured| format!("{:.4}        ", m.prediction.miscalibration);
    row(out, "Miscalibr.", models.iter().map(off).collect())?;
    for model in models {
        writeln!(out, "\n{}, {} patterns", model.name, model.family)?;
        writeln!(
            out,
            "  phase        moves         positions   Match1  Match10     Rank      MLE"
        )?;
        for phase in &model.prediction.phases {
            let item = |name: &str| phase.items.get(name).copied().unwrap_or(f64::NAN);
            let to = phase.to.map_or(String::new(), |to| to.to_string());
            writeln!(
                out,
                "  {:<12} {:>4} to {to:<5} {:>9}   {:>6.4}   {:>6.4}   {:>6.2}   {:>6.3}",
                phase.name,
                phase.from,
                grouped(phase.positions),
                item("Match1"),
                item("Match10"),
                item("Rank"),
                item("MLE"),
            )?;
        }
        writeln!(out, "  by rank      probability / played")?;
        write!(out, "               ")?;
        for [p, rate] in model.prediction.calibration.iter().take(5) {
            write!(out, "{p:.3}/{rate:.3}  ")?;
        }
        writeln!(out, "\n  points     patterns            seen       played")?;
        for size in &model.dictionary.sizes {
            writeln!(
                out,
                "  {:>6}  {:>11}  {:>14}  {:>11}",
                size.points,
                grouped(size.patterns),
                grouped(size.seen),
                grouped(size.played)
            )?;
        }
        let captions: Vec<String> = model
            .dictionary
            .frequent
            .iter()
            .map(|f| {
                let share = 100.0 * f.played as f64 / f.seen.max(1) as f64;
                format!("{} x, {share:.1} %", grouped(f.played))
            })
            .collect();
        if !captions.is_empty() {
            writeln!(out, "  Most played (X at *): how often, and in how many of the places seen")?;
            let drawings = model.dictionary.frequent.iter().map(|f| f.drawing.as_str());
            side_by_side(out, drawings, &captions)?;
        }
        print_sizes(out, model)?;
    }
    Ok(())
}

/// Moves of a playout for which the sizes are printed.
const MOMENTS: usize = 6;

/// U-1 at some moments.
fn print_sizes(out: &mut dyn Write, model: &ModelMeasured) -> Result<()> {
    let sizes = &model.size_max;
    if sizes.by_move.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "  Largest match of the empty points in {} playouts, by move number",
        sizes.playouts
    )?;
    write!(out, "  points  ")?;
    let last = sizes.by_move.len() - 1;
    let moments: Vec<usize> = (0..MOMENTS).map(|i| i * last / (MOMENTS - 1)).collect();
    moments.iter().try_for_each(|moment| write!(out, "{moment:>8}"))?;
    writeln!(out)?;
    for (column, points) in sizes.points.iter().enumerate() {
        let points = if *points == 0 { "none".to_owned() } else { points.to_string() };
        write!(out, "  {points:>6}  ")?;
        for &moment in &moments {
            write!(out, "{:>6.1} %", 100.0 * sizes.by_move[moment][column])?;
        }
        writeln!(out)?;
    }
    Ok(())
}
