//! Suites of test positions: how often and how soon a search judges them rightly.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use goban::Size;
use lab::ladder::{SuiteResult, SuiteTask, judge_suite, read_suite};
use policy::{Use, grouped};
use search::{Change, Models, Settings};

use super::{Eval, Flag};
use crate::engine_options::note_if_renamed;
use crate::progress::Work;
use crate::weights;

/// Settings of the search that differ from the usual, as written and as read.
#[derive(Clone, Debug)]
pub struct Variant {
    pub name: String,
    changes: Vec<Change>,
}

impl Variant {
    /// Nothing differs.
    pub fn usual() -> Variant {
        Variant { name: "usual".to_owned(), changes: Vec::new() }
    }

    /// The settings for a board size.
    pub fn settings(&self, size: Size) -> Settings {
        let mut settings = Settings::new(size);
        for &change in &self.changes {
            settings.change(change);
        }
        settings
    }
}

/// Reads `SETTING=VALUE,SETTING=VALUE`.
pub fn variant(text: &str) -> Result<Variant, String> {
    let mut changes = Vec::new();
    for change in text.split(',').map(str::trim) {
        let (name, value) =
            change.split_once('=').ok_or_else(|| format!("'{change}' is not SETTING=VALUE"))?;
        let change = Change::read(name, value)?;
        note_if_renamed(&change);
        changes.push(change);
    }
    Ok(Variant { name: text.to_owned(), changes })
}

impl Eval {
    /// Judges a suite by the usual search and by its variants.
    pub(super) fn judge_suite(&self, path: &Path, stop: &Flag) -> Result<Vec<SuiteResult>> {
        let suite = read_suite(path)?;
        let positions: usize = suite.iter().map(|position| position.games().count()).sum();
        if positions == 0 {
            bail!("{}: there is no position in this file", path.display());
        }
        let mut models: HashMap<Size, Arc<Models>> = HashMap::new();
        for size in suite.iter().map(|position| position.diagram.board.size()) {
            models.entry(size).or_insert_with(|| {
                let [tree, playouts] = [Use::Uct, Use::Mc].map(|of| weights::model(of, size));
                Arc::new(Models::new(tree, playouts, size))
            });
        }
        let task = SuiteTask {
            playouts: self.playouts as u64,
            searches: self.searches.max(1),
            seed: self.seed,
        };
        let usual = Variant::usual();
        let mut judged: Vec<SuiteResult> = Vec::new();
        for variant in std::iter::once(&usual).chain(&self.with) {
            let bar = Work::new(&variant.name, positions as u64, "positions");
            let found = judge_suite(
                &variant.name,
                &suite,
                &task,
                |size| models[&size].clone(),
                |size| variant.settings(size),
                judged.first(),
                |done| {
                    bar.set(done as u64);
                    !stop.load(Ordering::Relaxed)
                },
            );
            drop(bar);
            judged.push(found.context("stopped; not all positions were searched")?);
        }
        Ok(judged)
    }
}

/// Prints what was found.
pub fn print(out: &mut dyn Write, judged: &[SuiteResult]) -> Result<()> {
    let Some(first) = judged.first() else { return Ok(()) };
    writeln!(
        out,
        "{} positions with a known end, {} of {} playouts for each",
        grouped(first.positions),
        match first.searches {
            1 => "one search".to_owned(),
            n => format!("{n} searches"),
        },
        grouped(first.playouts)
    )?;
    let width = judged.iter().map(|j| j.name.chars().count()).max().unwrap_or(0).max(8);
    writeln!(
        out,
        "\n  {:<width$}  judged rightly            playouts needed           times as many           seconds",
        "settings"
    )?;
    for one in judged {
        let [low, high] = one.right_interval.map(|x| 100.0 * x);
        let [from, to] = one.needed_interval;
        let [less, more] = one.times_interval;
        writeln!(
            out,
            "  {:<width$}  {:>5.1} % ({low:.1} to {high:.1})   {:>7.1} ({from:.1} to {to:.1})   {:>7.3} ({less:.3} to {more:.3})   {:>8.1}",
            one.name,
            100.0 * one.right,
            one.needed,
            one.times,
            one.seconds
        )?;
    }
    writeln!(out, "\nBy kind: judged rightly, playouts needed")?;
    for one in judged {
        write!(out, "  {:<width$}", one.name)?;
        for kind in &one.kinds {
            let share = 100.0 * kind.right;
            write!(out, "  {} ({}) {share:.1} % {:.1}", kind.kind, kind.positions, kind.needed)?;
        }
        writeln!(out)?;
    }
    for one in judged.iter().filter(|one| !one.wrong.is_empty()) {
        writeln!(out, "\nMostly wrong with {}:", one.name)?;
        for title in &one.wrong {
            writeln!(out, "  {title}")?;
        }
    }
    Ok(())
}
