//! `harie extract`: a dictionary of patterns from game records.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use goban::Size;
use policy::{grouped, many};
use serde::Serialize;
use shape::{Dictionary, Family, PatternIndex};
use train::{Extracted, Extraction, Games, Meter, Partial, by_stage};

use crate::games;
use crate::interrupt;
use crate::options;
use crate::output::{self, beside};
use crate::progress::Work;

const EXAMPLES: &str = "\
Examples:
  harie extract my-games/ -o patterns.dict                      collage patterns
  harie extract my-games/ --family n9 --size 19 -o n9.dict      centre patterns up to distance 9
  harie extract my-games/ --played-only --min-played 10 -o small.dict
  harie extract my-games/ -o patterns.dict --json > summary.json

Counts are exact and no pattern that is frequent enough is lost, whatever the memory: a first \
pass finds what may be frequent, a second counts it. Ctrl-C stops after saving the counts; the \
same command with --resume goes on.";

/// Collect the patterns of games, and how often each was seen and played
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Extract {
    /// Game records: files or folders (.sgf, .gz, .zip)
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    // Its help names them all.
    #[arg(long, default_value = "cp", value_parser = options::family,
        help = format!("Pattern family: {}", options::FAMILIES))]
    family: Family,

    /// Only games on this board size [default: the one most games have]
    #[arg(long, value_name = "N", value_parser = options::size)]
    size: Option<Size>,

    /// Look only for patterns that were played often enough
    #[arg(long)]
    played_only: bool,

    /// Keep patterns seen at least so often [default: 100, with --played-only 1]
    #[arg(long, value_name = "N", value_parser = options::whole::<u64>)]
    min_seen: Option<u64>,

    /// Keep patterns played at least so often [default: 0, with --played-only 10]
    #[arg(long, value_name = "N", value_parser = options::whole::<u64>)]
    min_played: Option<u64>,

    /// Memory for the tables
    #[arg(long, default_value = "4GB", value_parser = options::bytes)]
    memory: usize,

    /// Threads that count at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Go on where an earlier run of the same command was stopped
    #[arg(long)]
    resume: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    games: usize,
    positions: usize,
    family: String,
    size: u8,
    patterns: usize,
    seconds: f64,
    stages: Vec<Stage>,
    most_seen: Vec<Shape>,
    most_played: Vec<Shape>,
}

#[derive(Serialize)]
struct Stage {
    points: usize,
    patterns: usize,
    seen: u64,
    played: u64,
}

#[derive(Serialize)]
struct Shape {
    seen: u64,
    played: u64,
    drawing: String,
}

impl Extract {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        output::check(&self.output, &self.files)?;
        let games = games::read(&self.files, self.size)?;
        let (seen, played) = if self.played_only { (1, 10) } else { (100, 0) };
        let extraction = Extraction {
            family: self.family.clone(),
            min_seen: self.min_seen.unwrap_or(seen),
            min_played: self.min_played.unwrap_or(played),
            played_only: self.played_only,
            memory: self.memory,
            threads: self.threads as usize,
        };
        let start = Instant::now();
        let kept = beside(&self.output, ".counts");
        if self.resume && !kept.exists() {
            eprintln!(
                "warning: there is no {} to resume from; counting begins anew",
                kept.display()
            );
        }
        let partial = match self.resume && kept.exists() {
            true => {
                let bytes = std::fs::read(&kept).with_context(|| kept.display().to_string())?;
                let partial = Partial::from_bytes(&bytes);
                Some(partial.with_context(|| format!("{} is damaged", kept.display()))?)
            }
            false => None,
        };
        let dictionary = match run(&extraction, &games, &interrupt::flag(), partial)? {
            Extracted::Done(dictionary) => dictionary,
            Extracted::Stopped(None) => bail!("stopped before anything was counted"),
            Extracted::Stopped(Some(partial)) => {
                output::write(&kept, &partial.to_bytes())?;
                let (done, all) = (grouped(partial.games()), many(games.len(), "game"));
                bail!("stopped after {done} of {all}; --resume goes on");
            }
        };
        output::write(&self.output, &dictionary.to_bytes())?;
        let _ = std::fs::remove_file(&kept);
        let summary = Summary::new(&dictionary, &games, start.elapsed().as_secs_f64());
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&summary)?)?;
        } else {
            summary.print(out)?;
            writeln!(out, "Written to {}", self.output.display())?;
        }
        Ok(())
    }
}

/// Runs an extraction under a progress bar until `stop` is set.
pub fn run(
    extraction: &Extraction,
    games: &Games,
    stop: &AtomicBool,
    partial: Option<Partial>,
) -> Result<Extracted> {
    let meter = Meter::default();
    let bar = Work::new("Patterns", 2 * games.positions() as u64, "positions");
    let done = AtomicBool::new(false);
    let found = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                bar.set(meter.positions.load(Ordering::Relaxed) as u64);
                if stop.load(Ordering::Relaxed) {
                    meter.stop.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        });
        let found = extraction.run(games, &meter, partial);
        done.store(true, Ordering::Relaxed);
        found
    });
    Ok(found?)
}

impl Summary {
    fn new(dictionary: &Dictionary, games: &Games, seconds: f64) -> Summary {
        let top = |key: fn(shape::Counts) -> u64| -> Vec<Shape> {
            let last = dictionary.family().stages() - 1;
            let middle = last.min(2);
            let mut all: Vec<PatternIndex> =
                dictionary.indices().filter(|&i| dictionary.stage(i) >= middle).collect();
            let count = |i: &PatternIndex| std::cmp::Reverse(key(dictionary.counts(*i)));
            all.sort_by_key(count);
            all.truncate(6);
            let shape = |index: PatternIndex| Shape {
                seen: dictionary.counts(index).seen,
                played: dictionary.counts(index).played,
                drawing: dictionary.pattern(index).draw(dictionary.family()),
            };
            all.into_iter().map(shape).collect()
        };
        let stage = |(points, patterns, counts): (usize, usize, shape::Counts)| Stage {
            points,
            patterns,
            seen: counts.seen,
            played: counts.played,
        };
        Summary {
            games: games.len(),
            positions: games.positions(),
            family: dictionary.family().name().to_owned(),
            size: games.size().side(),
            patterns: dictionary.len(),
            seconds,
            stages: by_stage(dictionary).into_iter().map(stage).collect(),
            most_seen: top(|counts| counts.seen),
            most_played: top(|counts| counts.played),
        }
    }

    fn print(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(
            out,
            "{} of the family {} from {}, {}, in {:.0} s",
            many(self.patterns, "pattern"),
            self.family,
            many(self.games, "game"),
            many(self.positions, "position"),
            self.seconds
        )?;
        writeln!(out, "\n  points    patterns             seen       played")?;
        for stage in &self.stages {
            writeln!(
                out,
                "  {:>6}  {:>10}  {:>15}  {:>11}",
                stage.points,
                grouped(stage.patterns),
                grouped(stage.seen),
                grouped(stage.played)
            )?;
        }
        for (title, shapes) in [("Most played", &self.most_played), ("Most seen", &self.most_seen)]
        {
            writeln!(out, "\n{title} (X to play at *)")?;
            let captions: Vec<String> = shapes
                .iter()
                .map(|s| format!("{:.1} %", 100.0 * s.played as f64 / s.seen.max(1) as f64))
                .collect();
            side_by_side(out, shapes.iter().map(|s| s.drawing.as_str()), &captions)?;
        }
        Ok(())
    }
}

/// Drawings next to each other, a caption under each.
pub fn side_by_side<'a>(
    out: &mut dyn Write,
    drawings: impl Iterator<Item = &'a str>,
    captions: &[String],
) -> Result<()> {
    let mut drawings: Vec<Vec<&str>> = drawings.map(|d| d.lines().collect()).collect();
    // Rows that are blank in all of them say nothing.
    while drawings.iter().any(|d| d.len() > 1)
        && drawings.iter().all(|d| d.first().is_none_or(|line| line.trim().is_empty()))
    {
        drawings.iter_mut().filter(|d| !d.is_empty()).for_each(|d| {
            d.remove(0);
        });
    }
    let height = drawings.iter().map(Vec::len).max().unwrap_or(0);
    let longest = |lines: &Vec<&str>| lines.iter().map(|l| l.len()).max().unwrap_or(0);
    let widest = captions.iter().map(|caption| caption.chars().count()).max().unwrap_or(0);
    let width = drawings.iter().map(longest).max().unwrap_or(0).max(12).max(widest) + 3;
    for row in 0..height {
        let cells = drawings.iter().map(|lines| lines.get(row).copied().unwrap_or(""));
        let line: String = cells.map(|cell| format!("  {cell:<width$}")).collect();
        writeln!(out, "{}", line.trim_end())?;
    }
    let line: String = captions.iter().map(|c| format!("  {c:<width$}")).collect();
    writeln!(out, "{}", line.trim_end())?;
    Ok(())
}
