//! `harie train`: a move model from game records.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use goban::Size;
use kifu::{Part, Split};
use lab::page::LearningCurve;
use policy::{About, FeatureSpace, Model, Use, grouped, many};
use shape::{Dictionary, Family};
use train::{
    Aim, Ascent, Checkpoint, Counting, Course, Descent, Extraction, Filtered, Games, Gradient,
    Likelihood, Mark, Method, Minorise, Pairs, Report, Standing, Step, Weights, choose_filter,
    curve, measure,
};

use crate::extract;
use crate::games;
use crate::interrupt;
use crate::learned;
use crate::options;
use crate::output;
use crate::progress::Work;
use crate::weights;

const EXAMPLES: &str = "\
Examples:
  harie train my-games/ -o my.model                      a model for the tree, by likelihood
  harie train my-games/ -o fast.model --use mc --family n5
  harie train my-games/ -o my.model --dictionary patterns.dict --method mm --epochs 40
  harie train my-games/ -o my.model --method factors     pairs of features too: best for trees
  harie train --test games.sgf.gz --model my.model       how well a model predicts moves
  harie train --test games.sgf.gz                        and how well that of Harie does

A part of the games is kept apart to measure on, and learning ends when that gets no better. \
Ctrl-C stops after saving; the same command with --resume goes on. Until the \
model is done a checkpoint is kept beside it (my.model.checkpoint). A run that is stopped and resumed, \
however often, learns exactly what a run without a stop learns.";

/// Below this many positions a model learns little but the commonest shapes.
const LITTLE: usize = 50_000;

/// Learn a move model from games, and say how well it predicts moves
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Train {
    /// Game records: files or folders (.sgf, .gz, .zip)
    #[arg(required_unless_present_any = ["model", "test"])]
    files: Vec<PathBuf>,

    /// The model to write
    #[arg(long, short, value_name = "FILE", required_unless_present_any = ["model", "test"])]
    output: Option<PathBuf>,

    /// What the model is for: the tree (uct) or playouts (mc)
    #[arg(long = "use", default_value = "uct", value_name = "USE")]
    of: For,

    /// Only games on this board size [default: the one most games have]
    #[arg(long, value_name = "N", value_parser = options::size)]
    size: Option<Size>,

    // Its help names them all.
    #[arg(long, default_value = "cp", value_parser = options::family,
        help = format!("Pattern family of the dictionary that is extracted first: {}", options::FAMILIES))]
    family: Family,

    /// Patterns must be played so often to be learned [default: 10, with --dictionary 0]
    #[arg(long, value_name = "N", value_parser = options::whole::<u64>)]
    min_played: Option<u64>,

    /// Patterns from 'harie extract' instead
    #[arg(long, value_name = "FILE", conflicts_with = "family")]
    dictionary: Option<PathBuf>,

    /// How to learn
    #[arg(long, default_value = "likelihood")]
    method: How,

    /// Passes through the games [default: 4; count 1, mm and gradient methods 30]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    epochs: Option<u16>,

    /// Seed of everything that is drawn
    #[arg(long, default_value_t = 1, value_parser = options::whole::<u64>)]
    seed: u64,

    /// Share of the games to measure on
    #[arg(long, default_value_t = 0.05, value_parser = options::share)]
    validation: f64,

    /// Learn from at most so many games
    #[arg(long, value_name = "N", value_parser = options::counted)]
    games: Option<usize>,

    /// likelihood, factors: the first step of a weight
    #[arg(long, default_value_t = 0.1, value_parser = options::amount)]
    rate: f32,

    /// likelihood, factors: strength of the prior that pulls weights towards neutral
    #[arg(long, default_value_t = 2.0, value_parser = options::amount)]
    prior: f32,

    /// likelihood, factors: positions a step
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = options::counted)]
    batch: usize,

    /// likelihood, factors: moves less likely than this are learned from by chance only
    #[arg(long, default_value_t = 0.002, value_parser = options::amount)]
    thin: f32,

    /// factors: numbers a feature, 4, 8 or 16
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = options::whole::<usize>)]
    width: usize,

    /// factors: strength of the prior that pulls them towards none
    #[arg(long, default_value_t = 4.0, value_parser = options::amount)]
    factor_prior: f32,

    /// cp2: exponent of the weighting by probability
    #[arg(long, default_value_t = 2.0, value_parser = options::amount)]
    exponent: f32,

    /// Threads; the model does not depend on them
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,

    /// Go on where an earlier run of the same command was stopped; needs its checkpoint
    #[arg(long)]
    resume: bool,

    /// Draw the learning curve into this file (SVG, or with .json as data for 'harie report')
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,

    /// Measure on these games at the end; without games to learn from, the model of --model or the
    /// one that comes with Harie
    #[arg(long, value_name = "FILE", num_args = 1..)]
    test: Vec<PathBuf>,

    /// With --test: another filter exponent than the model has (1 is none)
    #[arg(long, value_name = "EXPONENT", requires = "test", value_parser = options::positive)]
    filter: Option<f32>,

    /// The model to measure instead of learning one
    #[arg(long, value_name = "FILE", requires = "test", conflicts_with_all = ["files", "output"])]
    model: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// [`Use`] as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum For {
    /// Ordering moves in the tree
    Uct,
    /// Drawing moves in playouts
    Mc,
}

/// A way of learning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum How {
    /// Maximum likelihood by stochastic gradient
    Likelihood,
    /// Played over seen, one by one
    Count,
    /// Minorisation and maximisation (Coulom)
    Mm,
    /// Ranking by sign-based steps, then calibrated
    Gradient,
    /// The same, weighted by probability to a power
    Cp2,
    /// Likelihood with pairs of features, factorised
    Factors,
}

impl Train {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        let of = match self.of {
            For::Uct => Use::Uct,
            For::Mc => Use::Mc,
        };
        if let Some(path) = &self.model {
            let model = weights::read(path)?;
            let size = Size::new(model.about.size as usize);
            let games = games::read(&self.test, size.or(self.size))?;
            return self.test(out, &path.display().to_string(), &model, &games);
        }
        if self.files.is_empty() && !self.test.is_empty() {
            let games = games::read(&self.test, self.size)?;
            let model = weights::model(of, games.size());
            return self.test(out, "The model that comes with Harie", &model, &games);
        }
        let Some(output) = self.output.clone() else { bail!("-o says where the model goes") };
        let read: Vec<&PathBuf> = self.files.iter().chain(&self.dictionary).collect();
        output::check_all(&[Some(&output), self.curve.as_ref()], &read)?;
        let checkpoint = output::beside(&output, ".checkpoint");
        if self.resume && !checkpoint.exists() {
            bail!(
                "there is no {} to resume from: a run leaves one when it is stopped before its end. \
                 Without --resume the same command begins anew",
                checkpoint.display()
            );
        }
        if of == Use::Mc && self.dictionary.is_none() {
            playout::check(&self.family)?;
        }
        if of == Use::Mc && self.method == How::Factors {
            bail!("playouts do not follow pairs of features: --use mc needs another --method");
        }
        let games = games::read(&self.files, self.size)?;
        let (mut train, validation) = self.split(&games)?;
        drop(games);
        train.truncate(self.games.unwrap_or(usize::MAX));
        let (size, positions) = (train.size(), train.positions());
        if positions < LITTLE {
            eprintln!(
                "warning: {} positions are few; expect little more than the commonest shapes. \
                 {} or more make a good model",
                grouped(positions),
                grouped(20 * LITTLE)
            );
        }
        let stop = interrupt::flag();
        let marks = [train.mark(), validation.mark()];
        let resumed = if self.resume { Some(self.resumed(&checkpoint, marks)?) } else { None };
        let dictionary = match &resumed {
            Some(kept) => Dictionary::from_bytes(&kept.dictionary)
                .with_context(|| checkpoint.display().to_string())?,
            None => self.patterns(&train, &stop)?,
        };
        let about = self.about(of, size, train.len(), positions);
        let space = FeatureSpace::new(of, dictionary, size);
        let mut session = Session {
            train: &self,
            output: &output,
            checkpoint: &checkpoint,
            about,
            space: &space,
            validation: &validation,
            marks,
            stop: &stop,
            stopped: false,
        };
        let mut method = self.learner(&space)?;
        let mut standing = Standing::default();
        match resumed {
            Some(kept) if method.restore(&kept.state) => standing = kept.standing,
            Some(_) => bail!(
                "{} does not fit these options; begin anew without --resume",
                checkpoint.display()
            ),
            None => {
                keep_aside(&checkpoint)?;
                session.save(&standing, &*method)?;
            }
        }
        let report = session.learn(&train, &mut *method, &mut standing)?;
        if let Some(path) = &self.curve {
            output::write(path, self.drawn(path, &output, &standing.marks)?.as_bytes())?;
        }
        let model = weights::read(&output)?;
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
        } else {
            writeln!(
                out,
                "Learned from {}, {}, {}; measured on {}.\n",
                many(train.len(), "game"),
                many(positions, "position"),
                many(space.dictionary().len(), "pattern"),
                many(validation.len(), "other game")
            )?;
            learned::print_report(out, &report)?;
            learned::print_model(out, &model)?;
            writeln!(out, "\nWritten to {}", output.display())?;
        }
        if session.stopped {
            bail!("stopped before the end; the same command with --resume goes on");
        }
        drop(space);
        if !self.test.is_empty() {
            let games = games::read(&self.test, Some(size))?;
            self.test(out, &output.display().to_string(), &model, &games)?;
        }
        Ok(())
    }

    /// The learning curve as a picture, or as data.
    fn drawn(&self, path: &Path, output: &Path, marks: &[Mark]) -> Result<String> {
        if path.extension().is_none_or(|extension| extension != "json") {
            return Ok(curve(marks));
        }
        let name = output.file_stem().unwrap_or(output.as_os_str()).to_string_lossy().into_owned();
        let command = crate::eval::command_line();
        let data = LearningCurve { name, command, curve: marks.to_vec() };
        Ok(serde_json::to_string_pretty(&data)?)
    }

    /// Games to learn from and games to measure on. Of a handful, the share to keep apart may be
    /// none; then it is raised until there is one.
    fn split(&self, games: &Games) -> Result<(Games, Games)> {
        for share in [self.validation, 0.1, 0.2, 0.3, 0.5] {
            let split = Split::new(self.seed, share.max(self.validation), 0.0)?;
            let train = games.part(&split, Part::Train);
            let validation = games.part(&split, Part::Validation);
            if !train.is_empty() && !validation.is_empty() {
                return Ok((train, validation));
            }
        }
        let games = games.len();
        bail!("there are too few games ({games}) to learn from some and measure on others")
    }

    /// Measures a model on the games of --test.
    fn test(&self, out: &mut dyn Write, name: &str, model: &Model, games: &Games) -> Result<()> {
        if games.positions() == 0 {
            bail!("the games of --test have no moves to measure on");
        }
        let weights = Weights::of(model);
        let space = FeatureSpace::new(model.about.of, model.dictionary().clone(), games.size());
        let scorer = Filtered { weights: &weights, filter: self.filter.unwrap_or(model.filter) };
        let report = measure(&space, games, &scorer, self.threads as usize);
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
        } else {
            writeln!(out, "\n{name} on {}:", many(games.len(), "game"))?;
            learned::print_report(out, &report)?;
        }
        Ok(())
    }

    fn epochs(&self) -> usize {
        let usual = match self.method {
            How::Likelihood | How::Factors => 4,
            How::Count => 1,
            How::Mm | How::Gradient | How::Cp2 => 30,
        };
        self.epochs.unwrap_or(usual) as usize
    }

    /// What makes a model good: methods that rank are not calibrated while they learn.
    fn goal(&self) -> fn(&Report) -> f64 {
        match self.method {
            How::Gradient => |report| -report.rank_inverse,
            How::Cp2 => |report| report.match_at(1),
            _ => |report| report.log_likelihood,
        }
    }

    fn min_played(&self) -> u64 {
        self.min_played.unwrap_or(if self.dictionary.is_some() { 0 } else { 10 })
    }

    /// The options that must be the same to go on with an earlier run.
    fn decisive(&self) -> Vec<(&'static str, String)> {
        let name = |value: &dyn std::fmt::Debug| format!("{value:?}").to_ascii_lowercase();
        let patterns = match &self.dictionary {
            Some(path) => ("dictionary", path.display().to_string()),
            None => ("family", self.family.to_string()),
        };
        vec![
            ("use", name(&self.of)),
            ("method", name(&self.method)),
            patterns,
            ("min-played", self.min_played().to_string()),
            ("epochs", self.epochs().to_string()),
            ("seed", self.seed.to_string()),
            ("rate", self.rate.to_string()),
            ("prior", self.prior.to_string()),
            ("batch", self.batch.to_string()),
            ("thin", self.thin.to_string()),
            ("width", self.width.to_string()),
            ("factor-prior", self.factor_prior.to_string()),
            ("exponent", self.exponent.to_string()),
            ("validation", self.validation.to_string()),
            ("games", self.games.map_or("all".to_owned(), |n| n.to_string())),
        ]
    }

    /// These options as they are given on a command line.
    fn signature(&self) -> String {
        let given = self.decisive().into_iter().map(|(name, value)| format!("--{name} {value}"));
        given.collect::<Vec<_>>().join(" ")
    }

    /// Which options an earlier run had otherwise, given its signature.
    fn differing(&self, earlier: &str) -> Vec<String> {
        let all = format!("{earlier} --");
        let had = |name: &str| {
            let (_, rest) = all.split_once(&format!("--{name} "))?;
            Some(rest.split_once(" --")?.0.to_owned())
        };
        let differs = |(name, value): (&str, String)| match had(name) {
            Some(then) if then == value => None,
            Some(then) => Some(format!("--{name} was {then} and is {value} now")),
            None => Some(format!("--{name} was not given")),
        };
        self.decisive().into_iter().filter_map(differs).collect()
    }

    fn about(&self, of: Use, size: Size, games: usize, positions: usize) -> About {
        let files: Vec<String> = self
            .files
            .iter()
            .map(|path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned())
            .collect();
        let what = if of == Use::Uct { "tree" } else { "playouts" };
        About {
            name: format!("{size} {what}"),
            of,
            size: size.side(),
            trained_on: format!(
                "{}, {}: {}",
                many(games, "game"),
                many(positions, "position"),
                files.join(", ")
            ),
            made_by: format!("harie train: {}", self.signature()),
        }
    }

    /// The checkpoint of an earlier run of the same command on the same games.
    fn resumed(&self, path: &Path, games: [u64; 2]) -> Result<Checkpoint> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let checkpoint =
            Checkpoint::from_bytes(&bytes).with_context(|| path.display().to_string())?;
        let mut differ = self.differing(&checkpoint.options);
        if checkpoint.games != games {
            differ.push("the games or their order differ".to_owned());
        }
        if !differ.is_empty() {
            bail!(
                "{} is of another command: {}. Give the same options and games, or leave out \
                 --resume to begin anew",
                path.display(),
                differ.join(", ")
            );
        }
        Ok(checkpoint)
    }

    fn patterns(&self, games: &Games, stop: &AtomicBool) -> Result<Dictionary> {
        if let Some(path) = &self.dictionary {
            let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
            let all = Dictionary::from_bytes(&bytes).with_context(|| path.display().to_string())?;
            // A pattern is played as often as those that contain it or more, so the rest is nested.
            let often = all.indices().filter(|&i| all.counts(i).played >= self.min_played());
            let kept = often.map(|i| (all.pattern(i), all.counts(i)));
            return Ok(Dictionary::new(all.family().clone(), kept));
        }
        let extraction = Extraction {
            family: self.family.clone(),
            min_seen: 1,
            min_played: self.min_played(),
            played_only: true,
            memory: 4_000_000_000,
            threads: self.threads as usize,
        };
        let found = extract::run(&extraction, games, stop, None)?;
        found.done().context("stopped before the patterns were counted")
    }

    fn learner(&self, space: &FeatureSpace) -> Result<Box<dyn Method>> {
        let how = Likelihood {
            rate: self.rate,
            last_rate: self.rate / 10.0,
            prior: self.prior,
            batch: self.batch,
            thin: self.thin,
            seed: self.seed,
        };
        let (n, features) = (space.weights(), space.of().features());
        let gradient = |exponent| Gradient { exponent, ..Gradient::default() };
        let pull = self.factor_prior;
        Ok(match (self.method, self.width) {
            (How::Likelihood, _) => Box::new(Ascent::plain(how, n)),
            (How::Count, _) => Box::new(Counting::new(n)),
            (How::Mm, _) => Box::new(Minorise::new(space.of(), n)),
            (How::Gradient, _) => Box::new(Descent::new(gradient(0.0), n)),
            (How::Cp2, _) => Box::new(Descent::new(gradient(self.exponent as f64), n)),
            (How::Factors, 4) => Box::new(Pairs::<4>::new(how, pull, n, features)),
            (How::Factors, 8) => Box::new(Pairs::<8>::new(how, pull, n, features)),
            (How::Factors, 16) => Box::new(Pairs::<16>::new(how, pull, n, features)),
            (How::Factors, n) => bail!("--width {n}: a feature has 4, 8 or 16 factors"),
        })
    }
}

/// Keeps the checkpoint of an earlier run that was stopped, so that a run which begins anew costs nothing
/// that --resume could have saved.
fn keep_aside(checkpoint: &Path) -> Result<()> {
    if checkpoint.exists() {
        let old = output::beside(checkpoint, ".old");
        std::fs::rename(checkpoint, &old).with_context(|| old.display().to_string())?;
        eprintln!(
            "note: an earlier run was stopped before its end; its checkpoint is {} now. To go on with it, \
             give it its old name and use --resume",
            old.display()
        );
    }
    Ok(())
}

/// A course of learning with its files.
struct Session<'a> {
    train: &'a Train,
    output: &'a Path,
    checkpoint: &'a Path,
    about: About,
    space: &'a FeatureSpace,
    validation: &'a Games,
    /// [`Games::mark`] of the games to learn from and of those to measure on.
    marks: [u64; 2],
    stop: &'a AtomicBool,
    stopped: bool,
}

impl Session<'_> {
    /// Learns, keeps the best model in the output file, calibrates it and measures it. The
    /// checkpoint stays until the calibrated model is written: what ends the program before that
    /// loses nothing.
    fn learn(
        &mut self,
        train: &Games,
        method: &mut dyn Method,
        standing: &mut Standing,
    ) -> Result<Report> {
        let passes = self.train.epochs();
        let patience = match self.train.method {
            // A pass of these changes little, or only some of the weights.
            How::Mm | How::Gradient | How::Cp2 => 10,
            _ => 2,
        };
        let (seed, threads) = (self.train.seed, self.train.threads as usize);
        let course = Course { passes, seed, patience, threads, goal: self.train.goal() };
        let positions = train.positions();
        let bar = Work::new("Learning", (positions * passes) as u64, "positions");
        bar.before((positions * standing.done) as u64);
        let stop = self.stop;
        let start = Instant::now();
        let mut kept = Ok(());
        let watch = |step: Step<'_>| {
            match step {
                Step::Game { pass, positions: done, log_likelihood } => {
                    bar.say(format!("log-likelihood {log_likelihood:.3}"));
                    bar.set(((pass - 1) * positions + done) as u64);
                }
                Step::Pass { pass, stopped, log_likelihood, report, best, standing, method } => {
                    bar.line(&format!(
                        "pass {pass}{}: log-likelihood {log_likelihood:.4}, on validation {:.4}, \
                         Match1 {:.4}, Match10 {:.4}, rank {:.2} ({:.0} s)",
                        if stopped { " (stopped)" } else { "" },
                        report.log_likelihood,
                        report.match_at(1),
                        report.match_at(10),
                        report.rank,
                        start.elapsed().as_secs_f64()
                    ));
                    // A pass that was stopped is done again from its beginning, from what was kept
                    // before it.
                    if !stopped {
                        kept = self.keep(best, standing, method);
                    }
                }
            }
            kept.is_ok() && !stop.load(Ordering::Relaxed)
        };
        let learned = course.run(self.space, train, self.validation, method, standing, watch);
        drop(bar);
        kept?;
        let weights = learned.weights.context("there was nothing to learn")?;
        // Methods that rank do not say how likely a move is until they are calibrated, and even
        // likelihood is a little too shy or too bold.
        let aim = match self.train.method {
            How::Gradient | How::Cp2 => Aim::Ranks,
            _ => Aim::Likelihood,
        };
        let filter = choose_filter(self.space, self.validation, &weights, aim);
        self.write(&weights, filter)?;
        self.stopped = learned.stopped;
        if !learned.stopped {
            let _ = std::fs::remove_file(self.checkpoint);
        }
        let model = weights::read(self.output)?;
        let weights = &Weights::of(&model);
        Ok(measure(self.space, self.validation, &Filtered { weights, filter }, threads))
    }

    /// Keeps the model if it is the best, and all that is needed to go on.
    fn keep(&self, best: bool, standing: &Standing, method: &dyn Method) -> Result<()> {
        if best {
            self.write(&method.weights(), 1.0)?;
        }
        self.save(standing, method)
    }

    /// Saves all that is needed to go on.
    fn save(&self, standing: &Standing, method: &dyn Method) -> Result<()> {
        let checkpoint = Checkpoint {
            options: self.train.signature(),
            games: self.marks,
            dictionary: self.space.dictionary().to_bytes(),
            standing: standing.clone(),
            state: method.state(),
        };
        output::write(self.checkpoint, &checkpoint.to_bytes())
    }

    fn write(&self, weights: &Weights, filter: f32) -> Result<()> {
        let model = weights.model(self.about.clone(), self.space.dictionary(), filter)?;
        output::write(self.output, &model.to_bytes())
    }
}
