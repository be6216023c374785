//! The items from Uf-2 to Uf-5: playouts and searches against an oracle.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use goban::{Game, Size};
use lab::ladder::{
    Drawn, Judge, Judged, Nextmove, NextmoveTask, OracleMeasured, Pair, Style, Verdicts, pairs,
    read_oracle, spread, worth,
};
use playout::Compiled;
use policy::{About, Model, Use, grouped, many};
use search::Models;
use shape::{Dictionary, Family};

use super::{Eval, Flag, Named};
use crate::progress::Work;
use crate::weights;

/// Positions of which the ownership is kept to be shown.
const BOARDS: usize = 4;

/// The positions of an oracle that are looked at.
struct Chosen {
    size: Size,
    /// Those to measure on, and after them others that make up pairs, which are too few to leave
    /// any out.
    positions: Vec<(Judged, Game)>,
    /// How many are to be measured on.
    measured: usize,
}

impl Eval {
    /// Judges uniform playouts and those of all models for playouts.
    pub(super) fn judge(&self, path: &Path, stop: &Flag) -> Result<OracleMeasured> {
        let Chosen { size, positions, measured } = self.oracle_positions(path)?;
        let compiled = self.compiled(size, &[1.0, search::sharpness(size)])?;
        let mut styles = vec![Style { name: "uniform".to_owned(), drawn: Drawn::Uniform }];
        styles.extend(compiled.into_iter().map(|(name, compiled)| {
            let drawn = Drawn::Learned(Box::new(compiled));
            Style { name, drawn }
        }));
        let judge = Judge {
            playouts: self.playouts,
            threads: self.threads(),
            seed: self.seed,
            apart: self.apart,
            differ: self.differ as f32,
            boards: BOARDS,
            measured,
        };
        let go_on = || !stop.load(Ordering::Relaxed);
        let bar = Work::new("Playouts", (styles.len() * positions.len()) as u64, "positions");
        let found = worth(&styles, &positions, &judge, |done| {
            bar.set(done as u64);
            bar.say(styles[(done.saturating_sub(1)) / positions.len()].name.clone());
            go_on()
        });
        drop(bar);
        let (worths, boards) = found.context("stopped; nothing was judged to its end")?;
        let mut result = OracleMeasured {
            file: path.display().to_string(),
            size: size.side(),
            positions: measured,
            playouts: self.playouts,
            styles: worths,
            nextmove: Vec::new(),
            boards,
        };
        if self.searches > 0 {
            let task = NextmoveTask {
                visits: self.visits as u64,
                searches: self.searches,
                threads: self.threads(),
                seed: self.seed,
            };
            for style in styles {
                let compiled = match style.drawn {
                    Drawn::Uniform => Compiled::new(&neutral(size), size)?,
                    Drawn::Learned(compiled) => *compiled,
                };
                let models = Arc::new(Models::with(weights::model(Use::Uct, size), compiled));
                let searched = &positions[..measured];
                let bar = Work::new(&style.name, searched.len() as u64, "positions");
                let found = Nextmove::measure(&style.name, &models, searched, &task, |done| {
                    bar.set(done as u64);
                    go_on()
                });
                drop(bar);
                let found = found.context("stopped; not all positions were searched")?;
                result.nextmove.push(found);
            }
        }
        Ok(result)
    }

    /// The positions of the oracle that are on one board size.
    fn oracle_positions(&self, path: &Path) -> Result<Chosen> {
        let all = read_oracle(path)?;
        let first = all.first().map(|(_, game)| game.board().size());
        let Some(size) = self.size.or(first) else {
            bail!("{}: there is no position in this file", path.display());
        };
        let read = all.len();
        let positions: Vec<_> =
            all.into_iter().filter(|(_, game)| game.board().size() == size).collect();
        if positions.is_empty() {
            bail!("{}: there is no position on {size} in this file", path.display());
        }
        if positions.len() < read {
            let others = grouped(read - positions.len());
            eprintln!("warning: {others} positions are not on {size} and are left out; see --size");
        }
        let all = positions.len();
        let wanted = self.positions.unwrap_or(all).min(all);
        let mut rank = vec![2; all];
        let judged = positions.iter().map(|(judged, _)| judged);
        for Pair { better, worse } in pairs(judged, self.apart, self.differ as f32) {
            (rank[better], rank[worse]) = (1, 1);
        }
        spread(all, wanted).for_each(|i| rank[i] = 0);
        let mut ranked: Vec<(u8, (Judged, Game))> = rank.into_iter().zip(positions).collect();
        ranked.retain(|&(rank, _)| rank < 2);
        ranked.sort_by_key(|&(rank, _)| rank);
        let positions = ranked.into_iter().map(|(_, position)| position).collect();
        Ok(Chosen { size, positions, measured: wanted })
    }

    /// The models for playouts, as sharp as asked for or else as `usual`, with their names.
    pub(super) fn compiled(&self, size: Size, usual: &[f32]) -> Result<Vec<(String, Compiled)>> {
        let powers = if self.sharpness.is_empty() { usual } else { &self.sharpness };
        let mut compiled = Vec::new();
        for Named { name, mut model } in self.models(size)? {
            if model.about.of == Use::Uct {
                if !self.model.is_empty() && self.files.is_empty() {
                    eprintln!("warning: {name} is a model for the tree; playouts cannot follow it");
                }
                continue;
            }
            let filter = model.filter;
            for &power in powers {
                model.filter = filter * power;
                let name = if power == 1.0 { name.clone() } else { format!("{name} ^{power}") };
                compiled.push((name, Compiled::new(&model, size)?));
            }
        }
        Ok(compiled)
    }
}

/// A model that knows nothing: every move is as likely as another.
fn neutral(size: Size) -> Model {
    let about = About {
        name: "uniform".to_owned(),
        of: Use::Mc,
        size: size.side(),
        trained_on: "nothing".to_owned(),
        made_by: "harie eval".to_owned(),
    };
    let family = Family::parse("3x3").expect("a family that is always there");
    let mut model = Model::neutral(about, Dictionary::new(family, []));
    // No move is left out for being as unlikely as all the others.
    model.cut = 0.0;
    model
}

/// Prints what was found.
pub fn print(out: &mut dyn Write, oracle: &OracleMeasured) -> Result<()> {
    let side = oracle.size;
    writeln!(
        out,
        "{} on {side}x{side} of {}, {} playouts each",
        many(oracle.positions, "position"),
        oracle.file,
        grouped(oracle.playouts)
    )?;
    if oracle.positions == 1 {
        writeln!(out, "How far figures are off cannot be told from one position.")?;
    }
    let width = oracle.styles.iter().map(|s| s.name.chars().count()).max().unwrap_or(0).max(8);
    writeln!(
        out,
        "\n  {:<width$}  ownership MSE        than uniform   by thirds of the game   win rate MSE        score MSE",
        "playouts"
    )?;
    let uniform = oracle.styles.first().map_or(0.0, |s| s.ownership_mse);
    for style in &oracle.styles {
        let half = |[low, high]: [f64; 2]| (high - low) / 2.0;
        let thirds: Vec<String> =
            style.ownership_mse_by_third.iter().map(|x| format!("{x:.4}")).collect();
        writeln!(
            out,
            "  {:<width$}  {:.4} ±{:.4}      {:>+9.1} %   {:<21}   {:.4} ±{:.4}      {:>9.1}",
            style.name,
            style.ownership_mse,
            half(style.ownership_interval),
            100.0 * (style.ownership_mse / uniform.max(1e-12) - 1.0),
            thirds.join(" "),
            style.winrate_mse,
            half(style.winrate_interval),
            style.score_mse,
        )?;
    }
    let judging = oracle.styles.first().map(|s| s.judging).unwrap_or_default();
    writeln!(
        out,
        "\n  {:<width$}  pairs told apart   difference (oracle {:.3})   playouts/s",
        "playouts", judging.oracle_difference
    )?;
    for style in &oracle.styles {
        writeln!(
            out,
            "  {:<width$}  {:>5.1} % of {:<6}   {:>+10.4}                  {:>10}",
            style.name,
            100.0 * style.judging.right,
            style.judging.pairs,
            style.judging.difference,
            grouped(style.playouts_per_s as u64)
        )?;
    }
    sight(out, oracle, width)?;
    writeln!(
        out,
        "\nCalibration of ownership: where playouts say so, the oracle says so (share Black's)"
    )?;
    for style in &oracle.styles {
        write!(out, "  {:<width$}", style.name)?;
        for bin in style.ownership_calibration.iter().filter(|bin| bin.count > 0) {
            write!(out, "  {:.2}/{:.2}", bin.forecast, bin.oracle)?;
        }
        writeln!(out)?;
    }
    if let Some(first) = oracle.nextmove.first() {
        writeln!(
            out,
            "\nMoves picked by {} searches of {} playouts for each of {} positions",
            first.searches,
            grouped(first.visits),
            grouped(first.positions)
        )?;
        writeln!(
            out,
            "  {:<width$}  score               points lost   the judge's first   judged at all",
            "playouts"
        )?;
        for next in &oracle.nextmove {
            let half = (next.interval[1] - next.interval[0]) / 2.0;
            writeln!(
                out,
                "  {:<width$}  {:.4} ±{half:.4}   {:>12.2}   {:>15.1} %   {:>11.1} %",
                next.name,
                next.score,
                next.points_lost,
                100.0 * next.best,
                100.0 * next.judged
            )?;
        }
    }
    Ok(())
}

/// How far scores are off, and which stones were found dead.
fn sight(out: &mut dyn Write, oracle: &OracleMeasured, width: usize) -> Result<()> {
    let Some(first) = oracle.styles.first() else { return Ok(()) };
    writeln!(
        out,
        "\nPoints that the score is off, by thirds of the positions: the mean of the playouts / lines\n\
         from empty points (calling the game even is off by {})",
        first
            .accuracy
            .score
            .iter()
            .map(|s| format!("{:.1}", s.even))
            .collect::<Vec<_>>()
            .join(", ")
    )?;
    write!(out, "  {:<width$}", "moves")?;
    for (i, score) in first.accuracy.score.iter().enumerate() {
        let last = i + 1 == first.accuracy.score.len();
        let head = format!("{} to {}", score.moves[0], score.moves[1]);
        write!(out, "  {:>14}", if last { "all" } else { head.as_str() })?;
    }
    writeln!(out)?;
    for style in &oracle.styles {
        write!(out, "  {:<width$}", style.name)?;
        for score in &style.accuracy.score {
            write!(out, "  {:>14}", format!("{:.2} / {:.2}", score.playouts, score.lines))?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "\nChains that the oracle is sure of: {} dead, {} alive. Dead ones found / wrong among those found",
        grouped(first.accuracy.chains.dead),
        grouped(first.accuracy.chains.alive)
    )?;
    writeln!(out, "  {:<width$}        by chains        by groups   unsettled", "playouts")?;
    for style in &oracle.styles {
        let cell = |v: &Verdicts| {
            format!("{:.1} / {:.1} %", 100.0 * v.share_found(), 100.0 * v.share_wrong())
        };
        let groups = &style.accuracy.groups;
        let open = 100.0 * groups.open as f64 / (groups.dead + groups.alive).max(1) as f64;
        writeln!(
            out,
            "  {:<width$}  {:>15}  {:>15}  {open:>8.1} %",
            style.name,
            cell(&style.accuracy.chains),
            cell(groups),
        )?;
    }
    Ok(())
}
