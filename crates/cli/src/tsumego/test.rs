//! `harie tsumego test`: how often methods that only look find the answers of problems.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Result, bail};
use clap::Args;
use kifu::Problem;
use lab::tsumego::method::{Learned, Method};
use lab::tsumego::trial::{TRIES, Trial, trial};
use policy::{Use, grouped};
use serde::Serialize;

use crate::engine_options::cores;
use crate::progress::Work;
use crate::{interrupt, options, weights};

const EXAMPLES: &str = "\
Examples:
  harie tsumego test problems.sgf                     all methods
  harie tsumego test problems.sgf --only learned      only those with this in their name
  harie tsumego test problems.sgf --json > rates.json
  harie tsumego test problems.sgf --model my/tsumego.model --methods my/tsumego.methods

The figures are shares of problems whose answer is among the first k moves of a method, with 95 %
intervals for k = 1. Methods see the position and nothing else: no search. Dan is the strength of
people with that answer rate, by the line y = 5.08 x + 24.0 (y in per cent) of the paper.";

/// Measure how often methods guess the answers of problems, without a search
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Test {
    /// Problems: files or folders (.sgf, .gz, .zip)
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Only methods whose names have this in them
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,

    /// What 'harie tsumego learn' made for the learned method [default: what comes with Harie]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// What it made for the others [default: what comes with Harie]
    #[arg(long, value_name = "FILE")]
    methods: Option<PathBuf>,

    /// Threads [default: all]; the result is the same for any number
    #[arg(long, value_name = "N", value_parser = options::counted)]
    threads: Option<usize>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Results {
    methods: Vec<Trial>,
}

impl Test {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        let candidates = weights::candidates(self.model.as_deref())?;
        let lessons = weights::lessons(self.methods.as_deref())?;
        let problems = super::problems(&self.files, super::Answers::Known)?;
        let game = weights::model(Use::Uct, goban::Size::NINETEEN);
        let mut methods = lessons.methods();
        let name = "move model of games".to_owned();
        methods.push(Box::new(Learned { name, model: &game }));
        methods.push(Box::new(candidates));
        if let Some(text) = &self.only {
            let text = text.to_lowercase();
            let names: Vec<String> = methods.iter().map(|method| method.name()).collect();
            methods.retain(|method| method.name().to_lowercase().contains(&text));
            if methods.is_empty() {
                bail!("no method has {text:?} in its name; there are: {}", names.join("; "));
            }
        }
        let threads = self.threads.unwrap_or_else(cores);
        let trials = measure(&methods, &problems, threads, &interrupt::flag());
        if self.json {
            let results = Results { methods: trials };
            writeln!(out, "{}", serde_json::to_string_pretty(&results)?)?;
            return Ok(());
        }
        print(out, &trials)
    }
}

/// Tries methods one after the other; Ctrl-C ends it with those that are done.
pub fn measure(
    methods: &[Box<dyn Method + '_>],
    problems: &[Problem],
    threads: usize,
    stop: &AtomicBool,
) -> Vec<Trial> {
    let mut trials = Vec::new();
    for method in methods {
        // A bar for each: some take a hundred times as long as others.
        let bar = Work::new(&method.name(), problems.len() as u64, "problems");
        let done = AtomicUsize::new(0);
        let found = std::thread::scope(|scope| {
            let work = scope.spawn(|| trial(&**method, problems, threads, &done, stop));
            while !work.is_finished() {
                bar.set(done.load(Ordering::Relaxed) as u64);
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            work.join().expect("looking at a problem cannot fail")
        });
        if stop.load(Ordering::Relaxed) {
            bar.line(&format!("stopped; {} of {} methods are done", trials.len(), methods.len()));
            break;
        }
        trials.push(found);
    }
    trials
}

/// The rates of methods as tables: all problems, then each level.
pub fn print(out: &mut dyn Write, trials: &[Trial]) -> Result<()> {
    let Some(first) = trials.first() else { return Ok(()) };
    let heads: Vec<String> = (1..=TRIES).map(|k| format!("{:>6}", format!("k={k}"))).collect();
    let widest = trials.iter().map(|trial| trial.name.len()).max().unwrap_or(0);
    writeln!(out, "{} problems; answers within k tries, in per cent:", grouped(first.all.n))?;
    let heads = heads.concat();
    writeln!(out, "{:<widest$}{heads}   95 % of k=1    missed    dan", "")?;
    for trial in trials {
        let rates: String = trial.all.top.map(|share| format!("{:>6.1}", 100.0 * share)).concat();
        let [low, high] = trial.all.intervals[0].map(|share| 100.0 * share);
        writeln!(
            out,
            "{:<widest$}{rates}   {low:>4.1} to {high:>4.1}   {:>5.1}   {:>+5.1}",
            trial.name,
            100.0 * trial.all.missed,
            trial.dan
        )?;
    }
    if first.levels.len() < 2 {
        return Ok(());
    }
    let levels = super::in_order(&first.levels);
    writeln!(out, "\nBy level, k=1 and k=5:")?;
    write!(out, "{:<widest$}", "")?;
    for (level, rate) in &levels {
        write!(out, "  {:>18}", format!("{level} ({})", grouped(rate.n)))?;
    }
    writeln!(out)?;
    for trial in trials {
        write!(out, "{:<widest$}", trial.name)?;
        for (level, _) in &levels {
            let rate = &trial.levels[*level];
            let cell = format!("{:.1}  {:>5.1}", 100.0 * rate.top[0], 100.0 * rate.top[TRIES - 1]);
            write!(out, "  {cell:>18}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
