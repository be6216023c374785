//! Who will win: what searches, or playouts alone, say about positions of games, against who won.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use goban::Size;
use kifu::{Corpus, Record};
use lab::ladder::{Forecast, ForecastTask, Question, foretell, questions, spread};
use policy::{Use, grouped, many};
use search::{Models, sharpness};

use super::fought::Variant;
use super::{Eval, Flag};
use crate::progress::{Reading, Work};
use crate::weights;

impl Eval {
    /// Foretells who won by the usual search and by its variants.
    pub(super) fn foretell(&self, stop: &Flag) -> Result<Vec<Forecast>> {
        let (size, questions) = self.questions()?;
        let task = ForecastTask {
            playouts: self.playouts as u64,
            plain: self.plain,
            threads: self.threads(),
            seed: self.seed,
        };
        let mut told: Vec<Forecast> = Vec::new();
        let usual = Variant::usual();
        for (model, compiled) in self.compiled(size, &[sharpness(size)])? {
            let models = Arc::new(Models::with(weights::model(Use::Uct, size), compiled));
            for variant in std::iter::once(&usual).chain(&self.with) {
                let name = format!("{model}, {}", variant.name);
                let bar = Work::new(&name, questions.len() as u64, "positions");
                let settings = variant.settings(size);
                let first = told.first();
                let found = foretell(&name, &questions, &task, &models, &settings, first, |done| {
                    bar.set(done as u64);
                    !stop.load(Ordering::Relaxed)
                });
                drop(bar);
                told.push(found.context("stopped; not all positions were looked at")?);
            }
        }
        if told.is_empty() {
            bail!("there is no model for playouts among those of --model");
        }
        Ok(told)
    }

    /// The positions to look at, of the board size that most games have.
    fn questions(&self) -> Result<(Size, Vec<Question>)> {
        let mut by_size = BTreeMap::<Size, (usize, Vec<Question>)>::new();
        let mut corpus = Corpus::new(&self.forecast);
        let bar = Reading::new(&corpus);
        let (mut read, mut open) = (0, 0);
        while let Some(found) = corpus.next() {
            bar.update(&corpus);
            let found = match found {
                Ok(found) => found,
                Err(error) => {
                    bar.warn(&format!("error: {error}"));
                    continue;
                }
            };
            let Ok(record) = Record::new(&found.tree, &mut Vec::new()) else { continue };
            if self.size.is_some_and(|size| size != record.size) {
                continue;
            }
            if self.games.is_some_and(|most| read == most) {
                break;
            }
            match questions(&record, read, self.every) {
                Ok(some) if some.is_empty() => open += 1,
                Ok(some) => {
                    read += 1;
                    let (games, all) = by_size.entry(record.size).or_default();
                    *games += 1;
                    all.extend(some);
                }
                Err(why) => bar.warn(&format!("error: {}: {why}", found.tree.origin())),
            }
        }
        drop(bar);
        if open > 0 {
            let (games, are) = (many(open, "game"), if open == 1 { "is" } else { "are" });
            eprintln!(
                "warning: {games} {are} left out: they do not say who won on the board or with what komi, \
                 or have fewer than {} moves",
                self.every + 1
            );
        }
        let largest = by_size.into_iter().max_by_key(|(_, (games, _))| *games);
        let Some((size, (games, all))) = largest else {
            bail!("no game with a result, a komi and more than {} moves was found", self.every);
        };
        if games < read {
            let others = many(read - games, "game");
            eprintln!("warning: {others} not on {size} left out; see --size");
        }
        let wanted = self.positions.unwrap_or(all.len()).min(all.len());
        let mut chosen = spread(all.len(), wanted).peekable();
        let kept = all.into_iter().enumerate();
        let kept = kept.filter(|(i, _)| chosen.next_if_eq(i).is_some());
        Ok((size, kept.map(|(_, question)| question).collect()))
    }
}

/// Prints what was found.
pub fn print(out: &mut dyn Write, told: &[Forecast]) -> Result<()> {
    let Some(first) = told.first() else { return Ok(()) };
    writeln!(
        out,
        "{} of {} on {2}x{2}, {3} {4} each",
        many(first.positions, "position"),
        many(first.games, "game"),
        first.size,
        grouped(first.playouts),
        if first.plain { "playouts without a tree" } else { "playouts of a search" },
    )?;
    let width = told.iter().map(|f| f.name.chars().count()).max().unwrap_or(0).max(8);
    write!(
        out,
        "\n  {:<width$}  squared error      more than the first               winner seen",
        "settings"
    )?;
    for phase in &first.phases {
        write!(out, "  {:>12}", phase.name)?;
    }
    writeln!(out, "   seconds")?;
    for (i, one) in told.iter().enumerate() {
        let half = (one.mse_interval[1] - one.mse_interval[0]) / 2.0;
        let [low, high] = one.difference_interval;
        let more = match i {
            0 => String::new(),
            _ => format!("{:+.4} ({low:+.4} to {high:+.4})", one.difference),
        };
        write!(
            out,
            "  {:<width$}  {:.4} ±{half:.4}     {more:<30}      {:>5.1} %",
            one.name,
            one.mse,
            100.0 * one.right
        )?;
        for phase in &one.phases {
            write!(out, "  {:>12.4}", phase.mse)?;
        }
        writeln!(out, "  {:>8.1}", one.seconds)?;
    }
    writeln!(
        out,
        "\nCalibration: Black's chance as foretold / share of those games that Black won"
    )?;
    for one in told {
        write!(out, "  {:<width$}", one.name)?;
        for bin in one.calibration.iter().filter(|bin| bin.count > 0) {
            write!(out, "  {:.2}/{:.2}", bin.forecast, bin.oracle)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
