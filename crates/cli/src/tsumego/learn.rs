//! `harie tsumego learn`: from problems to what the methods of `harie tsumego test` know.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use clap::Args;
use goban::Size;
use kifu::Problem;
use lab::tsumego::boost::{Growth, Sample, grow};
use lab::tsumego::lessons::Lessons;
use lab::tsumego::method::Method;
use policy::{Model, Use, grouped};
use tsumego::Candidates;

use super::test;
use crate::engine_options::cores;
use crate::progress::Work;
use crate::{interrupt, options, output, weights};

const EXAMPLES: &str = "\
Examples:
  harie tsumego learn problems.sgf                     tsumego.model and tsumego.methods, here
  harie tsumego learn my-problems/ -o learned/         in a folder
  harie tsumego learn problems.sgf --validation 0.2    test on a fifth that is not learned from
  harie tsumego learn problems.sgf --leave-out Maeda   test on the problems with this in their names
  harie tsumego test others.sgf --model tsumego.model --methods tsumego.methods";

/// Learn from problems what answers look like
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Learn {
    /// Problems: files or folders (.sgf, .gz, .zip)
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// The folder for tsumego.model and tsumego.methods
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,

    /// Keep this share of the problems apart and test on them
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    validation: f64,

    /// Keep problems apart whose level, collection or name has this in it, and test on them
    #[arg(long, value_name = "TEXT")]
    leave_out: Vec<String>,

    /// Learn only the model, or only the methods
    #[arg(long, value_name = "PART", value_parser = ["model", "methods"])]
    only: Option<String>,

    /// Trees of the model
    #[arg(long, value_name = "N", default_value_t = Growth::default().trees,
        value_parser = options::counted)]
    trees: usize,

    /// Questions from the root of a tree to a leaf
    #[arg(long, value_name = "N", default_value_t = 5,
        value_parser = clap::value_parser!(u8).range(1..=10))]
    depth: u8,

    /// Share of each correction that is taken
    #[arg(long, value_name = "RATE", default_value_t = Growth::default().rate)]
    rate: f32,

    /// Threads [default: all]; the result is the same for any number
    #[arg(long, value_name = "N", value_parser = options::counted)]
    threads: Option<usize>,
}

impl Learn {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        if !(0.0..=0.9).contains(&self.validation) {
            bail!("--validation {}: give a share from 0 to 0.9", self.validation);
        }
        let problems = super::problems(&self.files, super::Answers::Known)?;
        let kept = problems.len();
        let (apart, problems): (Vec<Problem>, Vec<Problem>) =
            problems.into_iter().partition(|problem| self.is_apart(problem));
        if problems.len() < 20 {
            bail!("{} problems to learn from are too few; 20 are the least", problems.len());
        }
        std::fs::create_dir_all(&self.output)
            .with_context(|| format!("{} cannot be made", self.output.display()))?;
        let files: Vec<String> = self
            .files
            .iter()
            .map(|path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned())
            .collect();
        let n = grouped(problems.len());
        let about = format!("{n} of {} problems: {}", grouped(kept), files.join(", "));
        let stop = interrupt::flag();
        let lessons = match self.only.as_deref() {
            Some("model") => None,
            _ => Some(self.lessons(&problems, &about, &stop, out)?),
        };
        let candidates = match self.only.as_deref() {
            Some("methods") => None,
            _ => Some(self.candidates(&problems, &about, &stop, out)?),
        };
        if !apart.is_empty() {
            let mut methods: Vec<Box<dyn Method + '_>> =
                lessons.iter().flat_map(Lessons::methods).collect();
            if let Some(candidates) = candidates {
                methods.push(Box::new(candidates));
            }
            writeln!(out, "\nOn problems that were kept apart:")?;
            let threads = self.threads.unwrap_or_else(cores);
            test::print(out, &test::measure(&methods, &apart, threads, &stop))?;
        }
        Ok(())
    }

    /// Whether a problem is kept apart; by its name, so that it always is or never.
    fn is_apart(&self, problem: &Problem) -> bool {
        let title = problem.title();
        // FNV-1a: the same on every machine and in every version.
        let hash = title.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ byte as u64).wrapping_mul(0x100_0000_01b3)
        });
        let share = (hash >> 11) as f64 / (1u64 << 53) as f64;
        share < self.validation || self.leave_out.iter().any(|text| title.contains(text))
    }

    fn lessons(
        &self,
        problems: &[Problem],
        about: &str,
        stop: &AtomicBool,
        out: &mut dyn Write,
    ) -> Result<Lessons> {
        let bar = Work::uncounted("Methods");
        let lessons = Lessons::learn(problems, about, |what| {
            bar.say(what.to_owned());
            !stop.load(Ordering::Relaxed)
        })?;
        drop(bar);
        let path = self.output.join("tsumego.methods");
        output::write(&path, &lessons.to_bytes())?;
        writeln!(out, "Written to {}", path.display())?;
        Ok(lessons)
    }

    fn candidates(
        &self,
        problems: &[Problem],
        about: &str,
        stop: &AtomicBool,
        out: &mut dyn Write,
    ) -> Result<Candidates> {
        let threads = self.threads.unwrap_or_else(cores);
        let game = Arc::new(weights::model(Use::Uct, Size::NINETEEN));
        let samples = samples(problems, &game, threads, stop)?;
        let how = Growth {
            trees: self.trees,
            depth: self.depth as usize,
            rate: self.rate,
            threads,
            ..Growth::default()
        };
        let bar = Work::new("Growing", how.trees as u64, "trees");
        let mut grown = 0;
        let all: Vec<&Sample> = samples.iter().collect();
        let width = tsumego::facts::names().len();
        let forest = grow(&all, width, &how, |_| {
            grown += 1;
            bar.set(grown);
            !stop.load(Ordering::Relaxed)
        });
        drop(bar);
        if (grown as usize) < how.trees {
            eprintln!("harie: stopped; {grown} of {} trees are kept", how.trees);
        }
        let Growth { depth, rate, .. } = how;
        let about = format!("{about}; {grown} trees of depth {depth}, rate {rate}");
        let candidates = Candidates::new(about, forest, game)?;
        let path = self.output.join("tsumego.model");
        output::write(&path, &candidates.to_bytes())?;
        writeln!(out, "Written to {}", path.display())?;
        Ok(candidates)
    }
}

/// The facts of problems, those left out whose answers do not come into question.
fn samples(
    problems: &[Problem],
    game: &Model,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Vec<Sample>> {
    let bar = Work::new("Looking", problems.len() as u64, "problems");
    let (next, looked_at) = (AtomicUsize::new(0), AtomicU64::new(0));
    let look = || {
        let mut found = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = problems.get(place) else { break found };
            if stop.load(Ordering::Relaxed) {
                break found;
            }
            let facts = Candidates::facts(game, &problem.board, problem.to_play);
            let right: Vec<bool> = facts.moves.iter().map(|&p| problem.accepts(p)).collect();
            if right.contains(&true) {
                found.push((place, Sample { facts: facts.numbers, right, weight: 1.0 }));
            }
            bar.set(looked_at.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let mut found: Vec<(usize, Sample)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(look)).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined.flat_map(|found| found.expect("looking at a problem cannot fail")).collect()
    });
    drop(bar);
    if stop.load(Ordering::Relaxed) {
        bail!("stopped before anything was learned; nothing was written");
    }
    // In the order of the problems, whatever thread was first.
    found.sort_by_key(|&(place, _)| place);
    Ok(found.into_iter().map(|(_, sample)| sample).collect())
}
