//! `harie eval`: what models know and predict, and what their playouts are worth. One file for each
//! kind of question.

mod explain;
mod foretold;
mod judged;
pub mod predicted;
mod suite;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use clap::{ArgGroup, Args};
use goban::Size;
use lab::ladder::Evaluation;
use lab::page::Page;
use policy::{Model, Use};

use crate::{engine_options, interrupt, options, output, report, weights};

const EXAMPLES: &str = "\
Examples:
  harie eval games.sgf.gz                                the models that come with Harie
  harie eval --model a.model --model b.model my-games/   two models, side by side
  harie eval games.sgf.gz --json > eval.json             all figures and curves
  harie eval --oracle 9.jsonl.gz                         what playouts are worth
  harie eval --oracle 9.jsonl.gz --model n7.model --playouts 1000 --sharpness 1,1.4
  harie eval --oracle 9.jsonl.gz --searches 4 --visits 400 --positions 100
  harie eval --suite crates/lab/tests/fights.txt --searches 4 --with miai=1 --with order=2
  harie eval --forecast my-games/ --with nakade=0        how well a search foretells who won
  harie eval --explain game.sgf --move 60                one position: probabilities and reasons

Games give the items of the ladder from P-1 to U-1, with 95 % intervals by drawing games \
again. An oracle file holds positions judged by a stronger program ('harie oracle' makes one): \
against it, the error of the ownership and of the win rate of playouts, pairs of positions \
told apart, and with --searches what the moves of a search lose. A suite has fights with a known \
end: how often a search judges them rightly, and after how many playouts. A forecast looks at \
positions of games and compares what a search, or with --plain its playouts alone, says about who \
will win with who did. docs/evaluation.md explains every item.";

/// Measure models on games, and their playouts on judged positions
#[derive(Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("searched").args(["suite", "forecast"]).multiple(true)))]
#[command(group(ArgGroup::new("drawn").args(["oracle", "forecast"]).multiple(true)))]
#[command(group(ArgGroup::new("repeated").args(["oracle", "suite"]).multiple(true)))]
#[command(group(ArgGroup::new("judged").args(["oracle", "suite", "forecast"]).multiple(true)))]
pub struct Eval {
    /// Game records: files or folders (.sgf, .gz, .zip)
    #[arg(required_unless_present_any = ["oracle", "suite", "forecast", "explain"])]
    files: Vec<PathBuf>,

    /// A model to measure, a file or the name of one that comes with Harie (uct9, mc9, uct13, mc13,
    /// uct19, mc19); more than one if given again [default: the two of the board size]
    #[arg(long, value_name = "FILE")]
    model: Vec<PathBuf>,

    /// Another filter exponent than the models have (1 is none: before calibration)
    #[arg(long, value_name = "EXPONENT", value_parser = options::positive)]
    filter: Option<f32>,

    /// Only games on this board size [default: the one most games have]
    #[arg(long, value_name = "N", value_parser = options::size)]
    size: Option<Size>,

    /// Measure on so many games at most, also with --forecast
    #[arg(long, value_name = "N", value_parser = options::counted)]
    games: Option<usize>,

    /// Playouts from the empty board in which the sizes of patterns are counted
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = options::whole::<usize>)]
    size_playouts: usize,

    /// Judge playouts by this oracle file (.jsonl, also .gz)
    #[arg(long, value_name = "FILE")]
    oracle: Option<PathBuf>,

    /// Judge searches by this suite of test positions (crates/lab/tests/fights.txt)
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,

    /// Judge searches by who won these games: files or folders
    #[arg(long, value_name = "FILE", num_args = 1..)]
    forecast: Vec<PathBuf>,

    /// With --forecast: look at the positions after so many moves, twice as many and so on
    #[arg(long, value_name = "MOVES", default_value_t = 20, requires = "forecast", value_parser = options::counted)]
    every: usize,

    /// With --forecast: no tree, only playouts from the position; 'saved', 'nakade' and 'ladders' are
    /// their settings
    #[arg(long, requires = "forecast")]
    plain: bool,

    /// With --suite or --forecast: a search with these settings changed as well; more than one if given
    /// again ('harie gtp --set help' lists them)
    #[arg(long, value_name = "SETTING=VALUE,…", requires = "searched", value_parser = suite::variant)]
    with: Vec<suite::Variant>,

    /// With --oracle, --suite or --forecast: playouts for each position
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "judged", value_parser = options::counted)]
    playouts: usize,

    /// With --oracle or --forecast: powers of the model that playouts draw from (more than one: 1,1.8)
    /// [default: what the engine plays with, and 1 with --oracle]
    #[arg(long, value_name = "POWER", value_delimiter = ',', requires = "drawn", value_parser = options::positive)]
    sharpness: Vec<f32>,

    /// So many positions: with --oracle evenly spread, with --forecast drawn by chance [default: all]
    #[arg(long, value_name = "N", requires = "drawn", value_parser = options::counted)]
    positions: Option<usize>,

    /// With --oracle: pairs of positions are at most so many moves apart
    #[arg(long, value_name = "MOVES", default_value_t = 10, requires = "oracle", value_parser = options::counted)]
    apart: usize,

    /// With --oracle: the judged win rates of a pair differ by so much
    #[arg(long, value_name = "RATE", default_value_t = 0.2, requires = "oracle", value_parser = options::share)]
    differ: f64,

    /// With --oracle: search each position so often and score the moves found; with --suite: search
    /// each so often, at least once
    #[arg(long, value_name = "N", default_value_t = 0, requires = "repeated", value_parser = options::whole::<usize>)]
    searches: usize,

    /// With --searches: playouts of a search
    #[arg(long, value_name = "N", default_value_t = 400, requires = "searches", value_parser = options::counted)]
    visits: usize,

    /// Show what models think of a position of this game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "oracle", "forecast", "json", "html"])]
    explain: Option<PathBuf>,

    /// With --explain: the position before this move, from 1 [default: the last]
    #[arg(long = "move", value_name = "N", requires = "explain", value_parser = options::counted)]
    number: Option<usize>,

    /// With --explain: which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = options::counted)]
    game: usize,

    /// Threads; nothing but speed depends on them [default: all processors]
    #[arg(long, value_name = "N", value_parser = options::counted)]
    threads: Option<usize>,

    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = options::whole::<u64>)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write a page with tables and plots to this file as well
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// A model with the name that tables call it by.
struct Named {
    name: String,
    model: Model,
}

impl Eval {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        if let Some(file) = &self.explain {
            return self.explain(out, file);
        }
        let given = [&self.files, &self.model, &self.forecast].into_iter().flatten();
        let read: Vec<&PathBuf> = given.chain(&self.oracle).chain(&self.suite).collect();
        output::check_all(&[self.html.as_ref()], &read)?;
        let stop = interrupt::flag();
        let mut evaluation = Evaluation { command: command_line(), ..Evaluation::default() };
        if !self.files.is_empty() {
            self.predict(&mut evaluation, &stop)?;
        }
        if let Some(path) = &self.oracle {
            evaluation.oracle = Some(self.judge(path, &stop)?);
        }
        if let Some(path) = &self.suite {
            evaluation.suite = self.judge_suite(path, &stop)?;
        }
        if !self.forecast.is_empty() {
            evaluation.forecasts = self.foretell(&stop)?;
        }
        if let Some(path) = &self.html {
            let mut page = Page::new("Harie: evaluation");
            page.evaluation(&evaluation);
            report::write(&page, path)?;
        }
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&evaluation)?)?;
            return Ok(());
        }
        if evaluation.corpus.is_some() {
            predicted::print(out, &evaluation)?;
        }
        if let Some(oracle) = &evaluation.oracle {
            judged::print(out, oracle)?;
        }
        suite::print(out, &evaluation.suite)?;
        foretold::print(out, &evaluation.forecasts)?;
        Ok(())
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(engine_options::cores)
    }

    /// The models to measure on a board size.
    fn models(&self, size: Size) -> Result<Vec<Named>> {
        let mut models = self.named(size)?;
        if let Some(filter) = self.filter {
            models.iter_mut().for_each(|named| named.model.filter = filter);
        }
        Ok(models)
    }

    /// The models of the command line, or those that come along for a board size.
    fn named(&self, size: Size) -> Result<Vec<Named>> {
        if self.model.is_empty() {
            let come_along =
                |of: Use| Named { name: weights::name(of, size), model: weights::model(of, size) };
            return Ok([Use::Uct, Use::Mc].map(come_along).into());
        }
        let mut models: Vec<Named> = Vec::new();
        for path in &self.model {
            let model = weights::read(path)?;
            if model.about.size != size.side() {
                let learned = model.about.size;
                eprintln!(
                    "warning: {} was learned on {learned}x{learned} and is measured on {size}",
                    path.display()
                );
            }
            models.push(Named { name: self.name_of(path), model });
        }
        Ok(models)
    }

    /// A short name for a model file, or its path if another has the same.
    fn name_of(&self, path: &Path) -> String {
        let short = |path: &Path| path.file_stem().map(|name| name.to_string_lossy().into_owned());
        let same = self.model.iter().filter(|other| short(other) == short(path)).count();
        short(path).filter(|_| same == 1).unwrap_or_else(|| path.display().to_string())
    }
}

/// This command as it was given, so that a result says how to get it again.
pub fn command_line() -> String {
    let words = std::env::args().skip(1).map(|word| quoted(&word));
    std::iter::once("harie".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// A word as a shell takes it for one.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+@%".contains(c);
    match word.is_empty() || !word.chars().all(plain) {
        true => format!("'{}'", word.replace('\'', r"'\''")),
        false => word.to_owned(),
    }
}

/// Ends work that was interrupted.
fn stopped() -> Result<()> {
    bail!("stopped; nothing was measured to its end")
}

/// A flag that Ctrl-C sets.
type Flag = Arc<AtomicBool>;
