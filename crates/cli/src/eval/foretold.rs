//! Who will win: what searches, or playouts alone, say about positions of games, against who won.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use goban::Size;
use kifu::{Corpus, Fingerprint, Record, Seen};
use lab::ladder::{Forecast, ForecastTask, Question, drawn, foretell, questions};
use policy::{Use, grouped, many};
use search::{Models, sharpness};

use super::suite::Variant;
use super::{Eval, Flag, stopped};
use crate::progress::{Reading, Work};
use crate::weights;

/// Games of one board size.
#[derive(Default)]
struct OfSize {
    games: usize,
    questions: Vec<Question>,
}

impl Eval {
    /// Foretells who won by the usual search and by its variants.
    pub(super) fn foretell(&self, stop: &Flag) -> Result<Vec<Forecast>> {
        let (size, questions) = self.questions(stop)?;
        let task = ForecastTask {
            playouts: self.playouts as u64,
            plain: self.plain,
            threads: self.threads(),
            seed: self.seed,
        };
        let usual = Variant::usual();
        if self.plain {
            let playouts = |variant: &Variant| variant.settings(size).playouts();
            if let Some(same) = self.with.iter().find(|with| playouts(with) == playouts(&usual)) {
                bail!(
                    "--with {}: that changes nothing of playouts without a tree; of the settings only saved, \
                     nakade and ladders do",
                    same.name
                );
            }
        }
        let mut told: Vec<Forecast> = Vec::new();
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
    fn questions(&self, stop: &Flag) -> Result<(Size, Vec<Question>)> {
        let mut by_size = BTreeMap::<Size, OfSize>::new();
        let mut seen = Seen::default();
        let mut corpus = Corpus::new(&self.forecast);
        let bar = Reading::new(&corpus);
        let (mut duplicates, mut silent) = (0, 0);
        let most = self.games.unwrap_or(usize::MAX);
        while let Some(found) = corpus.next() {
            bar.update(&corpus);
            if stop.load(Ordering::Relaxed) {
                stopped()?;
            }
            let found = match found {
                Ok(found) => found,
                Err(error) => {
                    bar.warn(&format!("error: {error}"));
                    continue;
                }
            };
            let Ok(record) = Record::new(&found.tree, &mut Vec::new()) else { continue };
            let size = record.size;
            if self.size.is_some_and(|wanted| wanted != size) {
                continue;
            }
            if !seen.insert(Fingerprint::of(&record)) {
                duplicates += 1;
                continue;
            }
            let of_size = by_size.entry(size).or_default();
            if of_size.games >= most && self.size.is_some() {
                break;
            }
            match questions(record, of_size.games, self.every) {
                Ok(some) if some.is_empty() => silent += 1,
                Ok(some) => {
                    of_size.games += 1;
                    // Those that come later still say which size most games have.
                    if of_size.games <= most {
                        of_size.questions.extend(some);
                    }
                }
                Err(why) => bar.warn(&format!("error: {}: {why}", found.tree.origin())),
            }
        }
        drop(bar);
        let warn = |games: usize, why: &str| {
            if games > 0 {
                let are = if games == 1 { "is" } else { "are" };
                eprintln!("warning: {} {are} left out: {why}", many(games, "game"));
            }
        };
        warn(duplicates, "the same was there before");
        let short = format!(
            "no winner on the board, no komi, or no position before a move after {} others",
            self.every
        );
        warn(silent, &short);
        let all: usize = by_size.values().map(|of_size| of_size.games).sum();
        let largest = by_size.into_iter().max_by_key(|(_, of_size)| of_size.games);
        let Some((size, OfSize { games, questions })) =
            largest.filter(|(_, of_size)| of_size.games > 0)
        else {
            let on = self.size.map_or(String::new(), |size| format!(" on {size}"));
            bail!("no game{on} with a result, a komi and more than {} moves was found", self.every);
        };
        warn(all - games, &format!("not on {size}; see --size"));
        let wanted = self.positions.unwrap_or(usize::MAX).min(questions.len());
        Ok((size, drawn(questions, wanted, self.seed)))
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
    if first.games == 1 {
        writeln!(out, "How far figures are off cannot be told from one game.")?;
    }
    let width = told.iter().map(|f| f.name.chars().count()).max().unwrap_or(0).max(8);
    write!(
        out,
        "\n  {:<width$}  {:<16}  {:<28}  {:>11}",
        "settings", "squared error", "more than the first", "winner seen"
    )?;
    for phase in &first.phases {
        write!(out, "  {:>11}", phase.name)?;
    }
    writeln!(out, "  seconds")?;
    for (i, one) in told.iter().enumerate() {
        let half = one.mse_interval.map(|[low, high]| format!(" ±{:.4}", (high - low) / 2.0));
        let error = format!("{:.4}{}", one.mse, half.unwrap_or_default());
        let range =
            one.difference_interval.map(|[low, high]| format!(" ({low:+.4} to {high:+.4})"));
        let more = match i {
            0 => String::new(),
            _ => format!("{:+.4}{}", one.difference, range.unwrap_or_default()),
        };
        let right = format!("{:.1} %", 100.0 * one.right);
        write!(out, "  {:<width$}  {error:<16}  {more:<28}  {right:>11}", one.name)?;
        for phase in &one.phases {
            write!(out, "  {:>11.4}", phase.mse)?;
        }
        writeln!(out, "  {:>7.1}", one.seconds)?;
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
