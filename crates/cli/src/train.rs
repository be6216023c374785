//! `harie train`: a move model from game records.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use goban::Size;
use kifu::{Part, Split};
use policy::{About, Model, Use, default_cut, grouped};
use shape::{Dictionary, Family};
use train::{
    Ascent, Course, Extraction, Games, Likelihood, Method, Pairs, Report, Step, Terrain, Weights,
    measure,
};

use crate::extract;
use crate::games;
use crate::interrupt;
use crate::options;
use crate::progress::Work;

const EXAMPLES: &str = "\
Examples:
  harie train my-games/ -o my.model                      a model for the tree, by likelihood
  harie train my-games/ -o fast.model --use mc --family n5
  harie train my-games/ -o my.model --dictionary patterns.dict --method mm
  harie train --test games.sgf.gz --model my.model       how well a model predicts moves";

/// Learn a move model from games, and say how well it predicts moves
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Train {
    /// Game records: files or folders (.sgf, .gz, .zip)
    #[arg(required_unless_present = "test")]
    files: Vec<PathBuf>,

    /// The model to write
    #[arg(long, short, value_name = "FILE", required_unless_present = "test")]
    output: Option<PathBuf>,

    /// What the model is for: the tree (uct) or playouts (mc)
    #[arg(long = "use", default_value = "uct", value_name = "USE")]
    of: For,

    /// Only games on this board size [default: the one most games have]
    #[arg(long, value_name = "N", value_parser = options::size)]
    size: Option<Size>,

    /// Pattern family of the dictionary that is extracted first
    #[arg(long, default_value = "cp", value_parser = options::family)]
    family: Family,

    /// Patterns must be played so often to be learned
    #[arg(long, value_name = "N", default_value_t = 10)]
    min_played: u64,

    /// Patterns from 'harie extract' instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["family", "min_played"])]
    dictionary: Option<PathBuf>,

    /// How to learn
    #[arg(long, default_value = "likelihood")]
    method: How,

    /// Passes through the games
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    epochs: u16,

    /// Seed of everything that is drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Share of the games to measure on
    #[arg(long, default_value_t = 0.05, value_parser = options::share)]
    validation: f64,

    /// Learn from the first so many games only
    #[arg(long, value_name = "N")]
    games: Option<usize>,

    /// Step of likelihood and factors
    #[arg(long, default_value_t = 0.1, value_parser = options::amount)]
    rate: f32,

    /// Prior that pulls weights towards neutral
    #[arg(long, default_value_t = 2.0, value_parser = options::amount)]
    prior: f32,

    /// Positions a step
    #[arg(long, default_value_t = 8)]
    batch: usize,

    /// Learn from moves less likely than this only by chance
    #[arg(long, default_value_t = 0.002, value_parser = options::amount)]
    thin: f32,

    /// Factors of a feature with --method factors: 4, 8 or 16
    #[arg(long, default_value_t = 8)]
    width: usize,

    /// Prior that pulls factors towards none
    #[arg(long, default_value_t = 4.0, value_parser = options::amount)]
    factor_prior: f32,

    /// Measure on these games, at the end or the model of --model
    #[arg(long, value_name = "FILE", num_args = 1..)]
    test: Vec<PathBuf>,

    /// The model to measure
    #[arg(long, value_name = "FILE", requires = "test")]
    model: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// [`Use`] as an option.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum For {
    /// Ordering moves in the tree
    Uct,
    /// Drawing moves in playouts
    Mc,
}

/// A way of learning.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum How {
    /// Maximum likelihood by stochastic gradient
    Likelihood,
    /// Likelihood with pairs of features, factorised
    Factors,
}

impl Train {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        let Some(output) = &self.output else { bail!("not yet") };
        let of = match self.of {
            For::Uct => Use::Uct,
            For::Mc => Use::Mc,
        };
        let games = games::read(&self.files, self.size)?;
        let split = Split::new(self.seed, self.validation, 0.0)?;
        let mut train = games.part(&split, Part::Train);
        let validation = games.part(&split, Part::Validation);
        if let Some(n) = self.games {
            train.truncate(n);
        }
        drop(games);
        eprintln!("{} games to learn from, {} to measure", train.len(), validation.len());
        let dictionary = self.patterns(&train)?;
        eprintln!("{} patterns", grouped(dictionary.len()));
        let terrain = Terrain::new(of, dictionary, train.size());
        let mut method = self.learner(&terrain)?;
        let course = Course { passes: self.epochs as usize, done: 0, seed: self.seed, patience: 2 };
        let positions = train.positions();
        let total = positions as u64 * self.epochs as u64;
        let bar = Work::new("Learning", total, "positions");
        let stop = interrupt::flag();
        let start = Instant::now();
        let learned = course.run(&terrain, &train, &validation, &mut *method, |step| {
            match step {
                Step::Game { pass, positions: done, log_likelihood } => {
                    bar.set(((pass - 1) * positions + done) as u64);
                    bar.say(format!("log-likelihood {log_likelihood:.3}"));
                }
                Step::Pass { pass, log_likelihood, report, .. } => {
                    let seconds = start.elapsed().as_secs_f64();
                    bar.line(&format!(
                        "pass {pass}: train {log_likelihood:.4}, {} [{seconds:.0} s]",
                        line(report)
                    ));
                }
            }
            !stop.load(Ordering::Relaxed)
        });
        drop(bar);
        writeln!(out, "{}", line(&learned.report))?;
        for (r, (p, rate)) in learned.report.calibration.iter().take(10).enumerate() {
            write!(out, "{}: {p:.3}/{rate:.3}  ", r + 1)?;
        }
        writeln!(out)?;
        let model = self.model(of, terrain, &learned.weights)?;
        extract::write(output, &model.to_bytes())?;
        Ok(())
    }

    fn patterns(&self, games: &Games) -> Result<Dictionary> {
        match &self.dictionary {
            Some(path) => {
                let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
                Dictionary::from_bytes(&bytes).with_context(|| path.display().to_string())
            }
            None => {
                let extraction = Extraction {
                    family: self.family.clone(),
                    min_seen: 1,
                    min_played: self.min_played,
                    played_only: true,
                    memory: 4_000_000_000,
                    threads: 1,
                };
                extract::run(&extraction, games)
            }
        }
    }

    fn learner(&self, terrain: &Terrain) -> Result<Box<dyn Method>> {
        let how = Likelihood {
            rate: self.rate,
            last_rate: self.rate / 10.0,
            prior: self.prior,
            batch: self.batch,
            thin: self.thin,
            seed: self.seed,
        };
        let (weights, features) = (terrain.weights(), terrain.of().features());
        Ok(match (self.method, self.width) {
            (How::Likelihood, _) => Box::new(Ascent::new(how, weights)),
            (How::Factors, 4) => {
                Box::new(Pairs::<4>::new(how, self.factor_prior, weights, features))
            }
            (How::Factors, 8) => {
                Box::new(Pairs::<8>::new(how, self.factor_prior, weights, features))
            }
            (How::Factors, 16) => {
                Box::new(Pairs::<16>::new(how, self.factor_prior, weights, features))
            }
            (How::Factors, n) => bail!("--width {n}: a feature has 4, 8 or 16 factors"),
        })
    }

    fn model(&self, of: Use, terrain: Terrain, weights: &Weights) -> Result<Model> {
        let size = terrain.size();
        let about = About {
            name: format!("{size}"),
            of,
            size: size.side(),
            trained_on: String::new(),
            made_by: String::new(),
        };
        let (features, shapes) = weights.logs.split_at(of.features());
        let exp = |logs: &[f32]| logs.iter().map(|x| x.exp()).collect();
        let dictionary = terrain.into_dictionary();
        Ok(Model::new(about, exp(features), dictionary, exp(shapes), 1.0, default_cut(size))?)
    }
}

fn line(report: &Report) -> String {
    format!(
        "Match1 {:.4}, Match10 {:.4}, Rank {:.3}, LL {:.4}, miscal {:.4}",
        report.match_at(1),
        report.match_at(10),
        report.rank,
        report.log_likelihood,
        report.miscalibration
    )
}
