//! `harie bench`: the signatures of the playouts and of the search, and how fast they are.

mod counting;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use goban::{Board, Color, Game, Rules, Size};
use playout::{Compiled, Learned, PlayoutSettings, Random, Signature, Uniform, signature};
use policy::{Model, Use};
use search::{Expander, Models, Search, Settings, Stop, Task};
use serde::Serialize;

use crate::options;
use crate::{synthetic, weights};

const EXAMPLES: &str = "\
Examples:
  harie bench                           light and learned playouts on 9x9, 13x13 and 19x19
  harie bench --model my.model          playouts by a model of your own
  harie bench --policy cp --size 9      by a made-up one with collage patterns
  harie bench --size 9 --seconds 5      one board size, measured longer
  harie bench --statistics --size 9     what it costs to count what harie stats tells
  harie bench --json > speed.json       for a program to read

The signature is the total of fixed playouts and the same on every machine; that of the search \
is what it finds with one thread and a fixed seed. \"Stops within\" is the longest of twenty times \
from asking a search to end until its result is there. Speeds depend on the machine and on what \
else it is doing: compare figures of one run. With several threads ns/move is the time of one. \
The policies 3x3 to cp are models that are made up first, with as many patterns as published \
ones had, which takes up to a minute.";

/// Measure the playouts and the search: their signatures and their speed
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Bench {
    /// Seconds to measure each speed
    #[arg(long, default_value_t = 2.0, value_parser = options::seconds)]
    seconds: f64,

    /// Board size (more than one: 9,13) [default: 9,13,19]
    #[arg(long, value_name = "N", value_parser = options::size, value_delimiter = ',')]
    size: Vec<Size>,

    /// Playout policy (more than one: uniform,n5) [default: uniform,model and the search]
    #[arg(long, value_delimiter = ',')]
    policy: Vec<Policy>,

    /// A model for playouts to measure, from a file, on the board size it was learned for
    #[arg(long, value_name = "FILE", conflicts_with_all = ["policy", "patterns", "size"])]
    model: Option<PathBuf>,

    /// Patterns of a made-up model [default: as many as the published ones]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=5_000_000))]
    patterns: Option<u32>,

    /// Threads that play at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Measure the counting of statistics instead
    #[arg(long, conflicts_with_all = ["policy", "model", "patterns", "threads"])]
    statistics: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How the moves of a playout are chosen.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Policy {
    /// Every legal move that fills no own eye is equally likely
    Uniform,
    /// The model that comes with Harie
    Model,
    /// A model with 3x3 patterns
    #[value(name = "3x3")]
    #[serde(rename = "3x3")]
    Three,
    /// A model with nested patterns up to distance 5
    N5,
    /// A model with nested patterns up to distance 7
    N7,
    /// A model with nested patterns up to distance 9
    N9,
    /// A model with collage patterns
    Cp,
}

impl Policy {
    fn name(self) -> String {
        self.to_possible_value().expect("no policy is hidden").get_name().to_owned()
    }
}

/// What is measured.
enum Subject {
    Policy(Policy),
    Model(Box<Model>),
}

impl Subject {
    fn name(&self) -> String {
        match self {
            Subject::Policy(policy) => policy.name(),
            Subject::Model(_) => "file".to_owned(),
        }
    }
}

#[derive(Serialize)]
struct Report {
    signature: serde_json::Map<String, serde_json::Value>,
    search: Vec<Searched>,
    speed: Vec<Speed>,
}

/// A search from the empty board: what it finds with a fixed seed, and how fast it is.
#[derive(Serialize)]
struct Searched {
    size: u8,
    /// The most visited moves of one thread after [`SEARCHED`] playouts, and their visits.
    signature: String,
    threads: u16,
    playouts_per_s: f64,
    /// The longest of [`STOPS`] times from asking for an end until the result was there.
    stops_within_ms: f64,
}

/// Playouts of the search whose result is the signature.
const SEARCHED: u64 = 500;

/// How often a search is stopped in the middle of its work.
const STOPS: u64 = 20;

#[derive(Serialize)]
struct Speed {
    policy: String,
    size: u8,
    threads: u16,
    playouts_per_s: f64,
    ns_per_move: f64,
    moves_per_playout: f64,
}

impl Bench {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        let mut sizes = self.size.clone();
        if sizes.is_empty() {
            sizes = vec![Size::NINE, Size::THIRTEEN, Size::NINETEEN];
        }
        if self.statistics {
            return self.count_statistics(out, &sizes);
        }
        let mut policies = self.policy.clone();
        if policies.is_empty() {
            policies = vec![Policy::Uniform, Policy::Model];
        }
        let subjects = self.subjects(&policies)?;
        if let [Subject::Model(model)] = &subjects[..] {
            sizes = vec![Size::new(model.about.size as usize).context("a model without a size")?];
        }
        let searched =
            if self.policy.is_empty() && self.model.is_none() { &sizes[..] } else { &[] };
        if self.json {
            let signatures = sizes.iter().map(|&size| signature_entry(size)).collect();
            let speed =
                pairs(&subjects, &sizes).map(|(p, s)| self.measure(p, s)).collect::<Result<_>>()?;
            let search = searched.iter().map(|&size| self.search(size)).collect();
            let report = Report { signature: signatures, search, speed };
            writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
            return Ok(());
        }
        writeln!(out, "Signature")?;
        for &size in &sizes {
            let Signature { playouts, moves, black_wins } = signature(size);
            writeln!(
                out,
                "  {size:<7} {playouts} playouts, {moves} moves, {black_wins} won by Black (komi 7.5)"
            )?;
        }
        writeln!(out, "\nSpeed, {} s each", self.seconds)?;
        writeln!(out, "  policy   size   threads  playouts/s  ns/move  moves/playout")?;
        for (subject, size) in pairs(&subjects, &sizes) {
            let speed = self.measure(subject, size)?;
            writeln!(
                out,
                "  {:<8} {:<6} {:>7}  {:>10.0}  {:>7.1}  {:>13.1}",
                speed.policy,
                size.to_string(),
                speed.threads,
                speed.playouts_per_s,
                speed.ns_per_move,
                speed.moves_per_playout,
            )?;
            out.flush()?;
        }
        if !searched.is_empty() {
            writeln!(
                out,
                "\nSearch from the empty board, {} s each; stopped {STOPS} times",
                self.seconds
            )?;
            writeln!(
                out,
                "  size   threads  playouts/s  stops within  signature ({SEARCHED} playouts, one thread)"
            )?;
        }
        for &size in searched {
            let searched = self.search(size);
            writeln!(
                out,
                "  {:<6} {:>7}  {:>10.0}  {:>9.1} ms  {}",
                size.to_string(),
                searched.threads,
                searched.playouts_per_s,
                searched.stops_within_ms,
                searched.signature,
            )?;
            out.flush()?;
        }
        Ok(())
    }

    fn count_statistics(&self, out: &mut dyn Write, sizes: &[Size]) -> Result<()> {
        if !self.json {
            return counting::print(out, sizes, self.seconds);
        }
        let costs: Vec<counting::Cost> =
            sizes.iter().flat_map(|&size| counting::measure(size, self.seconds)).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&costs)?)?;
        Ok(())
    }

    /// Searches from the empty board.
    fn search(&self, size: Size) -> Searched {
        let [tree, playouts] = [Use::Uct, Use::Mc].map(|of| weights::model(of, size));
        let models = Arc::new(Models::new(tree, playouts, size));
        let game = Game::new(size, Rules::CHINESE, 7.5);
        let expander = Expander::default();
        let task =
            Task { game: &game, color: Color::Black, komi: 7.5, expander: &expander, agreed: None };
        let with = |threads: u16| {
            let settings = Settings { threads: threads as usize, ..Settings::new(size) };
            Search::new(models.clone(), settings)
        };
        let fixed = search::SearchLimits { playouts: Some(SEARCHED), ..Default::default() };
        let fixed = with(1).run(&task, &fixed, &Stop::new(), &mut |_| ());
        let best = fixed.candidates.iter().take(3).map(|c| format!("{} {}", c.mv, c.visits));
        let time = Some(Duration::from_secs_f64(self.seconds));
        let mut search = with(self.threads);
        let timed = search::SearchLimits { time, ..Default::default() };
        let timed = search.run(&task, &timed, &Stop::new(), &mut |_| ());
        // Uneven times, so that the search is not always asked at the same point of its work.
        let after = (1..=STOPS).map(|number| Duration::from_micros(20_000 + 3_137 * number));
        let longest = after.map(|after| stop_after(&mut search, &task, after)).max();
        Searched {
            size: size.side(),
            signature: best.collect::<Vec<_>>().join(", "),
            threads: self.threads,
            playouts_per_s: timed.playouts as f64 / timed.elapsed.as_secs_f64(),
            stops_within_ms: 1e3 * longest.unwrap_or_default().as_secs_f64(),
        }
    }

    /// What is to be measured.
    fn subjects(&self, policies: &[Policy]) -> Result<Vec<Subject>> {
        match &self.model {
            Some(path) => {
                let model = weights::read(path)?;
                if model.about.of != Use::Mc {
                    let name = &model.about.name;
                    bail!(
                        "{name:?} is a model for the tree; harie train --use mc makes one for playouts"
                    );
                }
                Ok(vec![Subject::Model(Box::new(model))])
            }
            None => Ok(policies.iter().map(|&policy| Subject::Policy(policy)).collect()),
        }
    }

    fn measure(&self, subject: &Subject, size: Size) -> Result<Speed> {
        let time = Duration::from_secs_f64(self.seconds);
        let compiled = match subject {
            Subject::Policy(Policy::Uniform) => None,
            Subject::Policy(Policy::Model) => {
                Some(Compiled::new(&weights::model(Use::Mc, size), size)?)
            }
            Subject::Policy(policy) => {
                let patterns = self.patterns.map(|n| n as usize);
                let model = synthetic::model(&policy.name(), size, patterns);
                Some(Compiled::new(&model, size)?)
            }
            Subject::Model(model) => Some(Compiled::new(model, size)?),
        };
        let compiled = compiled.as_ref();
        let counts: Vec<Count> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads)
                .map(|i| scope.spawn(move || play(compiled, size, time, i as usize)))
                .collect();
            threads.into_iter().map(|t| t.join().expect("a playout does not panic")).collect()
        });
        let moves: u64 = counts.iter().map(|c| c.moves).sum();
        let playouts: u64 = counts.iter().map(|c| c.playouts).sum();
        let busy: f64 = counts.iter().map(|c| c.seconds).sum();
        Ok(Speed {
            policy: subject.name(),
            size: size.side(),
            threads: self.threads,
            playouts_per_s: counts.iter().map(|c| c.playouts as f64 / c.seconds).sum(),
            ns_per_move: busy * 1e9 / moves as f64,
            moves_per_playout: moves as f64 / playouts as f64,
        })
    }
}

/// Searches without a limit and asks for an end after a while; how long that end takes.
fn stop_after(search: &mut Search, task: &Task, after: Duration) -> Duration {
    let stop = Stop::new();
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| {
            std::thread::sleep(after);
            let asked = Instant::now();
            stop.raise();
            asked
        });
        search.run(task, &search::SearchLimits::default(), &stop, &mut |_| ());
        let ended = Instant::now();
        ended.duration_since(asked.join().expect("the flag is raised"))
    })
}

fn pairs<'a>(
    subjects: &'a [Subject],
    sizes: &'a [Size],
) -> impl Iterator<Item = (&'a Subject, Size)> {
    subjects.iter().flat_map(move |subject| sizes.iter().map(move |&size| (subject, size)))
}

fn signature_entry(size: Size) -> (String, serde_json::Value) {
    let Signature { playouts, moves, black_wins } = signature(size);
    let entry = serde_json::json!({
        "playouts": playouts, "moves": moves, "black_wins": black_wins,
    });
    (size.to_string(), entry)
}

/// What one thread did.
struct Count {
    playouts: u64,
    moves: u64,
    seconds: f64,
}

fn play(compiled: Option<&Compiled>, size: Size, time: Duration, stream: usize) -> Count {
    let board = Board::new(size);
    let mut random = Random::stream(1, stream);
    match compiled {
        None => {
            let mut playouts = Uniform::new(&board, Color::Black);
            count(time, || playouts.run(&mut random).moves)
        }
        Some(compiled) => {
            let settings = PlayoutSettings::default();
            let mut playouts = Learned::new(compiled, &board, Color::Black, None, settings);
            count(time, || playouts.run(&mut random, &mut ()).moves)
        }
    }
}

/// Plays for this long; `playout` says how many moves it made.
fn count(time: Duration, mut playout: impl FnMut() -> u32) -> Count {
    let mut count = Count { playouts: 0, moves: 0, seconds: 0.0 };
    let start = Instant::now();
    loop {
        // Looking at the clock costs; a batch is some milliseconds.
        for _ in 0..16 {
            count.moves += playout() as u64;
        }
        count.playouts += 16;
        let elapsed = start.elapsed();
        if elapsed >= time {
            count.seconds = elapsed.as_secs_f64();
            return count;
        }
    }
}
