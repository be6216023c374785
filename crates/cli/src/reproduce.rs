//! `harie reproduce`: the published experiments on games of yours, with the published number beside
//! ours. Every step is a command of this program that anybody can run; what is finished is kept and
//! not done again.

mod published;
mod relations;
mod table;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use goban::{Board, Color, Point, Size};
use playout::{Compiled, Learned, Observer, PlayoutSettings, Random};
use policy::Use;
use serde_json::Value;

use crate::progress::Work;
use crate::{interrupt, options, output, weights};
use published::FAMILIES;
use relations::Relations;
use table::Document;

const EXAMPLES: &str = "\
Examples:
  harie reproduce --quick                              small, on games that are made up first
  harie reproduce --data my-data                       all of it
  harie reproduce --data my-data --games 3000,500 --work results

The data folder holds games9/train*.sgf.gz and games9/test.sgf.gz, and games19 likewise. What \
is learned and measured is kept in the folder of --work; Ctrl-C stops, the same command goes \
on. The results are written to reproduction.md and reproduction.html there, or where -o says.";

/// Run the published experiments again and set their numbers beside ours
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Reproduce {
    /// Your data folder
    #[arg(long, value_name = "DIR", required_unless_present = "quick")]
    data: Option<PathBuf>,

    /// Small and fast: few games and passes; without --data on games made up from the model
    #[arg(long)]
    quick: bool,

    /// Learn from so many games on 9x9 and on 19x19 [default: 12000,1500; quick 250,30]
    #[arg(long, value_name = "N,N", value_parser = two)]
    games: Option<[usize; 2]>,

    /// Games of a match [default: 200; quick 4]
    #[arg(long, value_name = "N", value_parser = options::counted)]
    match_games: Option<usize>,

    /// Keep models and measures in this folder, and go on with what is in it
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    work: PathBuf,

    /// The document to write (Markdown); the page is written beside it
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Threads of each step
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = options::counted)]
    threads: usize,
}

/// A step: a command of this program whose output is kept.
struct Step {
    /// The file that says it is done.
    file: PathBuf,
    args: Vec<String>,
}

/// Two numbers of games.
fn two(text: &str) -> Result<[usize; 2], String> {
    let numbers = text.split_once(',').map(|(a, b)| (a.trim().parse(), b.trim().parse()));
    match numbers {
        Some((Ok(small), Ok(large))) if small > 0 && large > 0 => Ok([small, large]),
        _ => {
            Err("two numbers of games are wanted, for 9x9 and 19x19, such as 12000,1500".to_owned())
        }
    }
}

/// Board sizes of the experiments.
const SIDES: [u8; 2] = [9, 19];

/// Ways of learning that are compared.
const METHODS: [&str; 2] = ["gradient", "mm"];

impl Reproduce {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        fs::create_dir_all(&self.work).with_context(|| self.work.display().to_string())?;
        // Hours of work are not to end in files that cannot be written.
        let output = self.output.clone().unwrap_or_else(|| self.work.join("reproduction.md"));
        let page = output.with_extension("html");
        let read: Vec<&PathBuf> = self.data.iter().collect();
        output::check_all(&[Some(&output), Some(&page)], &read)?;
        let stop = interrupt::flag();
        let data = match &self.data {
            Some(data) => data.clone(),
            None => self.made_up()?,
        };
        for side in SIDES {
            let folder = data.join(format!("games{side}"));
            if !folder.is_dir() {
                bail!("{}: there is no such folder; see 'harie help reproduce'", folder.display());
            }
        }
        let steps = self.steps(&data)?;
        let bar = Work::new("Steps", steps.len() as u64, "steps");
        for (i, step) in steps.iter().enumerate() {
            bar.say(step.args.first().cloned().unwrap_or_default());
            bar.set(i as u64);
            self.carry_out(step, &stop)?;
        }
        drop(bar);
        let took = steps.iter().map(|step| self.took(step)).sum();
        let mut document = Document::new(self.quick, took);
        self.patterns(&mut document)?;
        self.predictions(&mut document)?;
        self.speeds(&mut document)?;
        self.matches(&mut document)?;
        document.relations(&Relations::find(self.threads)?);
        self.methods(&mut document)?;
        document.commands(steps.iter().map(|step| format!("harie {}", step.args.join(" "))));
        output::write(&output, document.to_markdown().as_bytes())?;
        let mut inputs = Vec::new();
        for side in SIDES {
            inputs.push(self.eval_file(side));
            inputs.push(self.methods_file(side));
        }
        inputs.extend(self.match_files());
        let mut args = vec!["report".to_owned()];
        args.extend(inputs.iter().map(|path| path.display().to_string()));
        args.extend(["--title", "Harie: the published experiments", "-o"].map(str::to_owned));
        args.push(page.display().to_string());
        run(&args, &stop)?;
        writeln!(out, "Written to {} and {}", output.display(), page.display())?;
        Ok(())
    }

    fn games(&self, side: u8) -> usize {
        let usual = if self.quick { [250, 30] } else { [12_000, 1_500] };
        self.games.unwrap_or(usual)[(side > 9) as usize]
    }

    fn match_games(&self) -> usize {
        self.match_games.unwrap_or(if self.quick { 4 } else { 200 })
    }

    fn at(&self, name: &str) -> PathBuf {
        self.work.join(name)
    }

    fn model(&self, side: u8, family: &str, method: &str) -> PathBuf {
        self.at(&format!("{side}-{family}-{method}.model"))
    }

    fn eval_file(&self, side: u8) -> PathBuf {
        self.at(&format!("{side}-families.json"))
    }

    fn methods_file(&self, side: u8) -> PathBuf {
        self.at(&format!("{side}-methods.json"))
    }

    fn plain_file(&self, side: u8) -> PathBuf {
        self.at(&format!("{side}-methods-plain.json"))
    }

    fn match_file(&self, side: u8, against: &str) -> PathBuf {
        self.at(&format!("{side}-cp-{against}.match.json"))
    }

    fn match_files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            ["n5", "n7", "n9"].iter().map(|family| self.match_file(9, family)).collect();
        files.push(self.at("9-gradient-mm.match.json"));
        files
    }

    /// All steps in order.
    fn steps(&self, data: &Path) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        let text = |path: &Path| path.display().to_string();
        let threads = self.threads.to_string();
        let epochs = if self.quick { "3" } else { "30" };
        for side in SIDES {
            let folder = data.join(format!("games{side}"));
            let (train, test) = sets(&folder)?;
            let games = self.games(side).to_string();
            let mut learn = |family: &str, method: &str| {
                let model = self.model(side, family, method);
                let mut args: Vec<String> =
                    ["train", "--use", "mc", "--family", family, "--method"]
                        .iter()
                        .chain(&[
                            method,
                            "--epochs",
                            epochs,
                            "--games",
                            &games,
                            "--threads",
                            &threads,
                        ])
                        .map(|&word| word.to_owned())
                        .collect();
                args.extend(["--size".to_owned(), side.to_string(), "--json".to_owned()]);
                args.extend(["-o".to_owned(), text(&model)]);
                args.extend(train.iter().map(|path| text(path)));
                steps.push(Step { file: model.with_extension("json"), args });
            };
            for family in FAMILIES {
                learn(family, "gradient");
            }
            for method in METHODS {
                learn("n4", method);
            }
            let measure = |models: Vec<PathBuf>, file: PathBuf| {
                let mut args = vec!["eval".to_owned(), "--json".to_owned()];
                for model in models {
                    args.extend(["--model".to_owned(), text(&model)]);
                }
                args.extend(["--threads".to_owned(), threads.clone()]);
                args.extend(test.iter().map(|path| text(path)));
                Step { file, args }
            };
            let families = FAMILIES.map(|family| self.model(side, family, "gradient"));
            steps.push(measure(families.into(), self.eval_file(side)));
            let methods = METHODS.map(|method| self.model(side, "n4", method));
            steps.push(measure(methods.clone().into(), self.methods_file(side)));
            // The same before calibration.
            let mut plain = measure(methods.into(), self.plain_file(side));
            plain.args.extend(["--filter", "1", "--size-playouts", "0"].map(str::to_owned));
            steps.push(plain);
            for family in FAMILIES {
                let model = self.model(side, family, "gradient");
                let seconds = if self.quick { "0.2" } else { "2" };
                let args = ["bench", "--json", "--seconds", seconds, "--model"];
                let mut args: Vec<String> = args.map(str::to_owned).into();
                args.push(text(&model));
                steps.push(Step { file: self.at(&format!("{side}-{family}.speed.json")), args });
            }
        }
        // Equal time, as published, but less of it; a quick run only shows that games are played.
        let think = if self.quick { "visits=16" } else { "seconds=0.2" };
        let mut play = |first: &Path, second: &Path, file: PathBuf| {
            let player =
                |model: &Path| format!("harie:{think},memory=64,playout-model={}", text(model));
            let args = ["match", "--json", "--size", "9", "--komi", "7", "--first"];
            let mut args: Vec<String> = args.map(str::to_owned).into();
            args.extend([player(first), "--second".to_owned(), player(second)]);
            args.extend(["--games".to_owned(), self.match_games().to_string()]);
            args.extend(["--out".to_owned(), text(&file.with_extension(""))]);
            steps.push(Step { file, args });
        };
        for family in ["n5", "n7", "n9"] {
            let [first, second] = ["cp", family].map(|f| self.model(9, f, "gradient"));
            play(&first, &second, self.match_file(9, family));
        }
        let [first, second] = METHODS.map(|method| self.model(9, "n4", method));
        play(&first, &second, self.at("9-gradient-mm.match.json"));
        Ok(steps)
    }

    /// Carries out a step unless it was before; how long it took is kept too.
    fn carry_out(&self, step: &Step, stop: &AtomicBool) -> Result<()> {
        if step.file.exists() {
            return Ok(());
        }
        let start = Instant::now();
        let output = run(&step.args, stop);
        if stop.load(Ordering::Relaxed) {
            bail!("stopped; the same command goes on");
        }
        let output = output?;
        let seconds = format!("{:.1}\n", start.elapsed().as_secs_f64());
        output::write(&step.file.with_extension("seconds"), seconds.as_bytes())?;
        output::write(&step.file, &output)
    }

    /// How long a step took when it was carried out, in seconds.
    fn took(&self, step: &Step) -> f64 {
        let kept = fs::read_to_string(step.file.with_extension("seconds")).unwrap_or_default();
        kept.trim().parse().unwrap_or(0.0)
    }

    fn read(&self, path: &Path) -> Result<Value> {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        serde_json::from_slice(&bytes)
            .map_err(|error| anyhow::anyhow!("{}, {}", path.display(), lab::fault::at(&error)))
    }

    /// Source A: patterns kept.
    fn patterns(&self, document: &mut Document) -> Result<()> {
        for side in SIDES {
            let eval = self.read(&self.eval_file(side))?;
            let ours: Vec<f64> = FAMILIES
                .iter()
                .enumerate()
                .map(|(i, _)| eval["models"][i]["known"]["patterns"].as_f64().unwrap_or(0.0))
                .collect();
            document.patterns(side, &ours);
        }
        Ok(())
    }

    /// Source A: rank and probability items.
    fn predictions(&self, document: &mut Document) -> Result<()> {
        for side in SIDES {
            let eval = self.read(&self.eval_file(side))?;
            document.items(side, self.games(side), &eval);
        }
        Ok(())
    }

    /// Source A: speed.
    fn speeds(&self, document: &mut Document) -> Result<()> {
        for side in SIDES {
            let mut ours = Vec::new();
            for family in FAMILIES {
                let speed = self.read(&self.at(&format!("{side}-{family}.speed.json")))?;
                ours.push(speed["speed"][0]["playouts_per_s"].as_f64().unwrap_or(0.0));
            }
            document.speeds(side, &ours);
        }
        Ok(())
    }

    /// Source A: self-play.
    fn matches(&self, document: &mut Document) -> Result<()> {
        let mut results = Vec::new();
        for family in ["n5", "n7", "n9"] {
            results.push(self.read(&self.match_file(9, family))?);
        }
        document.matches(&results);
        Ok(())
    }

    /// Source C: gradient against MM.
    fn methods(&self, document: &mut Document) -> Result<()> {
        for side in SIDES {
            let eval = self.read(&self.methods_file(side))?;
            let mut seconds = Vec::new();
            for method in METHODS {
                let file = self.model(side, "n4", method).with_extension("seconds");
                let text = fs::read_to_string(&file).unwrap_or_default();
                seconds.push(text.trim().parse().unwrap_or(f64::NAN));
            }
            document.methods(side, [&self.read(&self.plain_file(side))?, &eval], &seconds);
        }
        document.method_match(&self.read(&self.at("9-gradient-mm.match.json"))?);
        Ok(())
    }

    /// Games drawn from the model for playouts, where there are no others.
    fn made_up(&self) -> Result<PathBuf> {
        let folder = self.at("games");
        for side in SIDES {
            let games = folder.join(format!("games{side}"));
            let (train, test) = if side == 9 { (250, 40) } else { (30, 6) };
            for (name, count, seed) in [("train.sgf", train, 1), ("test.sgf", test, 2)] {
                let path = games.join(name);
                if !path.exists() {
                    fs::create_dir_all(&games).with_context(|| games.display().to_string())?;
                    output::write(&path, invented(side, count, seed)?.as_bytes())?;
                }
            }
        }
        Ok(folder)
    }
}

/// The files to learn from and to measure on in a folder.
fn sets(folder: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let named = |begin: &str| -> Vec<PathBuf> {
        let is = |path: &&PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(begin))
        };
        files.iter().filter(is).cloned().collect()
    };
    let (train, test) = (named("train"), named("test"));
    if train.is_empty() || test.is_empty() {
        bail!("{}: files named train… and test… are wanted here", folder.display());
    }
    Ok((train, test))
}

/// How long a step may take to end after it was interrupted.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs this program and gives its output. A step that `stop` has not reached by itself, as Ctrl-C does,
/// is ended after a while.
fn run(args: &[String], stop: &AtomicBool) -> Result<Vec<u8>> {
    let own = std::env::current_exe().context("where this program is")?;
    let mut step = Command::new(own)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("this program cannot be started again")?;
    let (output, errors) = (step.stdout.take(), step.stderr.take());
    let (status, output, errors) = thread::scope(|scope| {
        let output = scope.spawn(|| read_all(output));
        let errors = scope.spawn(|| read_all(errors));
        let mut stopped: Option<Instant> = None;
        let status = loop {
            match step.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(20)),
                ended => break ended,
            }
            if stop.load(Ordering::Relaxed) {
                let since = *stopped.get_or_insert_with(Instant::now);
                if since.elapsed() > PATIENCE {
                    let _ = step.kill();
                }
            }
        };
        let read = "reading does not panic";
        (status, output.join().expect(read), errors.join().expect(read))
    });
    if !status?.is_some_and(|status| status.success()) {
        bail!("harie {}\n{}", args.join(" "), String::from_utf8_lossy(&errors).trim());
    }
    Ok(output)
}

/// What a step wrote, as far as it can be read.
fn read_all(source: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut source) = source {
        let _ = source.read_to_end(&mut bytes);
    }
    bytes
}

/// Writes down the moves of playouts.
#[derive(Default)]
struct Scribe {
    moves: Vec<(Color, Option<Point>)>,
}

impl Observer for Scribe {
    fn started(&mut self, _: &Board, _: Color) {
        self.moves.clear();
    }

    fn played(&mut self, color: Color, point: Option<Point>, _: &[Point]) {
        self.moves.push((color, point));
    }
}

/// Games that the model for playouts makes up.
fn invented(side: u8, count: usize, seed: u64) -> Result<String> {
    let size = Size::new(side as usize).context("a board size")?;
    let compiled = Compiled::new(&weights::model(Use::Mc, size), size)?;
    let board = Board::new(size);
    let settings =
        PlayoutSettings { moves: Some(size.area() as u32 * 2 / 3), ..PlayoutSettings::default() };
    let mut runner = Learned::new(&compiled, &board, Color::Black, None, settings);
    let (mut random, mut scribe) = (Random::new(seed), Scribe::default());
    let mut text = String::new();
    for _ in 0..count {
        runner.run(&mut random, &mut scribe);
        text += &format!("(;GM[1]FF[4]SZ[{side}]KM[7]");
        for &(color, point) in &scribe.moves {
            let at = point.map_or(String::new(), |p| {
                let letter = |i: u8| (b'a' + i) as char;
                format!("{}{}", letter(p.x()), letter(side - 1 - p.y()))
            });
            text += &format!(";{}[{at}]", color.letter());
        }
        text += ")\n";
    }
    Ok(text)
}
