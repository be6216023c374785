//! Options of every command that plays or analyses: how strong, how long, with which models. The
//! one place where the command line becomes [`engine::Options`].

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};
use engine::{Knowledge, Level, Library, Options};
use goban::Size;
use knowledge::{Book, Patterns};
use lab::{Role, Spec, SpecError};
use policy::{Model, Use};
use protocol::limits::NO_LIMIT;
use search::Change;

use crate::{options, weights};

/// How to think about a position, for every command that does. Help texts say what holds for most;
/// commands say their own defaults (`mut_arg`).
#[derive(Args, Clone, Debug)]
pub struct Thinking {
    /// Threads that think about a position [default: all processors]
    #[arg(long, value_name = "N", value_parser = options::threads)]
    threads: Option<usize>,

    /// Memory for what is being thought, in megabytes [default: 512]
    #[arg(long, value_name = "MB", value_parser = options::megabytes)]
    pub memory: Option<usize>,

    /// Seconds for a move when there is no clock [default: 5 unless --visits is given]
    #[arg(long, value_name = "S", value_parser = options::seconds)]
    seconds: Option<f64>,

    /// Playouts for a move; a clock or --seconds may end it sooner [default: as many as the time allows]
    #[arg(long, value_name = "N", value_parser = options::counted)]
    visits: Option<usize>,

    /// Seed of chance: with one thread and --visits, the same seed finds the same moves
    #[arg(long, value_name = "N", default_value_t = Options::default().seed, value_parser = options::whole::<u64>)]
    seed: u64,

    /// Change a setting of the search, as in --set amaf=0; 'help' lists them
    #[arg(long, value_name = "SETTING=VALUE", value_parser = Setting)]
    set: Vec<Change>,

    /// A move model for the tree in place of the one that comes with Harie for the board size: a file, or
    /// uct9, uct13 or uct19 of those that come with it
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// A move model for playouts likewise: a file, or mc9, mc13 or mc19
    #[arg(long, value_name = "FILE")]
    playout_model: Option<PathBuf>,
}

/// How to play, for commands that do: the thinking, and what is made of it.
#[derive(Args, Clone, Debug)]
pub struct EngineOptions {
    #[command(flatten)]
    thinking: Thinking,

    /// Give up when the chance to win is below this three moves in a row and not early in a game, or never
    #[arg(long, value_name = "RATE|never", default_value_t = Resign(Options::default().resign),
        value_parser = resign)]
    resign: Resign,

    /// Play like someone of this rank, from 20k to 3d, with the few playouts that go with it [default: full strength]
    #[arg(long, value_name = "RANK")]
    level: Option<Level>,

    /// Who plays: search, or knowledge (known shapes and influence propose moves, playouts choose)
    #[arg(long, value_name = "WHO", default_value = "search")]
    player: Who,

    /// With --player knowledge: a file of patterns in place of those that come with Harie, or none
    #[arg(long, value_name = "FILE|none", value_parser = patterns)]
    patterns: Option<Shapes>,

    #[arg(long, value_name = "N", value_parser = options::whole::<usize>, help = few_help())]
    few: Option<usize>,

    /// Play the first moves from an opening book that 'harie book' made [default: no book]
    #[arg(long, value_name = "FILE|none", value_parser = book)]
    book: Option<Opening>,

    /// Do not shift the komi in handicap games (see docs/search.md)
    #[arg(long)]
    plain_komi: bool,
}

/// Who plays.
#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
enum Who {
    // No help for each, or the help of all options gets twice as long.
    Search,
    Knowledge,
}

fn few_help() -> String {
    let usual = Knowledge::default().few;
    format!(
        "With --player knowledge: candidates for playouts at most, 0 for all moves [default: {usual}]"
    )
}

/// The patterns of a file, or none.
#[derive(Clone, Debug)]
struct Shapes(Option<Arc<Patterns>>);

fn patterns(path: &str) -> Result<Shapes, String> {
    if path == "none" {
        return Ok(Shapes(None));
    }
    let text = lab::read_named(path).map_err(|why| format!("{path}: {why}"))?;
    let patterns = Patterns::parse(&text).map_err(|error| format!("{path}, {error}"))?;
    Ok(Shapes(Some(Arc::new(patterns))))
}

/// An opening book, or none.
#[derive(Clone, Debug)]
struct Opening(Option<Arc<Book>>);

fn book(path: &str) -> Result<Opening, String> {
    if path == "none" {
        return Ok(Opening(None));
    }
    let text = lab::read_named(path).map_err(|why| format!("{path}: {why}"))?;
    let book = Book::parse(&text).map_err(|error| format!("{path}, {error}"))?;
    Ok(Opening(Some(Arc::new(book))))
}

/// Reads a setting of the search and its new value, or shows what settings there are.
#[derive(Clone)]
struct Setting;

impl TypedValueParser for Setting {
    type Value = Change;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Change, clap::Error> {
        if value == "help" {
            let title =
                "The settings of the search for --set SETTING=VALUE, and their usual values:";
            return Err(shown(format!("{title}{}", settings())));
        }
        setting.parse_ref(command, arg, value)
    }
}

/// A setting of the search and its new value.
fn setting(text: &str) -> Result<Change, String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(format!("SETTING=VALUE is wanted, SETTING being one of{}", settings()));
    };
    let change = Change::read(name, value)?;
    note_if_renamed(&change);
    Ok(change)
}

/// The settings of the search, a line each.
fn settings() -> String {
    let line =
        |(name, meaning): &(&str, &str)| format!("\n  {name}: {meaning} [{}]", usual_values(name));
    search::NAMES.iter().map(line).collect()
}

/// A text that was asked for: clap shows it as it shows help, on standard output and without an error code.
fn shown(text: String) -> clap::Error {
    let help = clap::Command::new("harie").override_help(text);
    help.try_get_matches_from(["harie", "--help"]).expect_err("help ends the reading of options")
}

/// Says so on standard error if a setting was called by its former name.
pub fn note_if_renamed(change: &Change) {
    if let Some((former, present)) = change.renamed() {
        eprintln!(
            "note: the setting '{former}' is now called '{present}'; the next release drops the old name"
        );
    }
}

/// A player of a match, as [`Spec::parse`] reads it.
pub fn player(text: &str) -> Result<Spec, SpecError> {
    let spec = Spec::parse(text)?;
    if let Role::Own(own) = &spec.role {
        own.options.changes.iter().for_each(note_if_renamed);
    }
    Ok(spec)
}

/// The value of a setting unless it is changed, which may depend on the board.
fn usual_values(name: &str) -> String {
    let sizes = [Size::NINE, Size::THIRTEEN, Size::NINETEEN];
    let values = sizes.map(|size| search::Settings::new(size).get(name).unwrap_or_default());
    match values {
        [a, b, c] if a == b && b == c => a.to_string(),
        _ => {
            let texts = sizes.iter().zip(values).map(|(size, value)| format!("{value} on {size}"));
            texts.collect::<Vec<_>>().join(", ")
        }
    }
}

/// The win rate below which a game is given up, if any.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Resign(Option<f32>);

impl fmt::Display for Resign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(rate) => rate.fmt(f),
            None => f.write_str("never"),
        }
    }
}

fn resign(text: &str) -> Result<Resign, String> {
    match text.parse::<f32>() {
        _ if text == "never" => Ok(Resign(None)),
        Ok(rate) if (0.0..0.5).contains(&rate) => Ok(Resign(Some(rate))),
        _ => Err("a chance from 0 to below 0.5 is wanted, such as 0.1, or 'never'".to_owned()),
    }
}

impl Thinking {
    /// How to think, with so many threads unless told otherwise.
    pub fn options(&self, threads: usize) -> Options {
        let plain = Options::default();
        let time = match (self.seconds, self.visits) {
            (Some(seconds), _) => Duration::from_secs_f64(seconds),
            (None, Some(_)) => NO_LIMIT,
            (None, None) => plain.time,
        };
        Options {
            threads: self.threads.unwrap_or(threads),
            megabytes: self.memory.unwrap_or(plain.megabytes),
            seed: self.seed,
            visits: self.visits.map(|n| n as u64),
            time,
            changes: self.set.clone(),
            ..plain
        }
    }

    /// How long to think about a position: with so many playouts unless the command line bounds it.
    pub fn bounds(&self, visits: u64) -> (Option<u64>, Option<Duration>) {
        let usual = self.seconds.is_none().then_some(visits);
        (self.visits.map(|n| n as u64).or(usual), self.seconds.map(Duration::from_secs_f64))
    }

    /// The models to think with.
    ///
    /// # Errors
    /// If a model file cannot be read or is not for its use.
    pub fn library(&self) -> Result<Library> {
        library(self.model.as_deref(), self.playout_model.as_deref())
    }
}

impl EngineOptions {
    /// How to play, with so many threads unless told otherwise.
    pub fn options(&self, threads: usize) -> Options {
        Options {
            resign: self.resign.0,
            level: self.level,
            dynamic_komi: !self.plain_komi,
            knowledge: (self.player == Who::Knowledge).then(|| {
                let plain = Knowledge::default();
                let given = self.patterns.as_ref().map(|shapes| shapes.0.clone());
                let few = self.few.unwrap_or(plain.few);
                Knowledge { patterns: given.unwrap_or(plain.patterns), few }
            }),
            book: self.book.as_ref().and_then(|book| book.0.clone()),
            ..self.thinking.options(threads)
        }
    }

    /// The models to play with.
    ///
    /// # Errors
    /// If a model file cannot be read or is not for its use, or options do not go together.
    pub fn library(&self) -> Result<Library> {
        let given = [("--few", self.few.is_some()), ("--patterns", self.patterns.is_some())];
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given)
            && self.player != Who::Knowledge
        {
            bail!("{option} does nothing without --player knowledge");
        }
        self.thinking.library()
    }
}

/// The models of these files, and those that come with Harie in place of those that are not given.
///
/// # Errors
/// If a model file cannot be read or is not for its use.
pub fn library(tree: Option<&Path>, playouts: Option<&Path>) -> Result<Library> {
    let tree = own_model(tree, Use::Uct)?;
    let playouts = own_model(playouts, Use::Mc)?;
    Ok(Library::new(move |of, size| {
        let own = match of {
            Use::Uct => &tree,
            Use::Mc => &playouts,
        };
        match own {
            Some(bytes) => Model::from_bytes(bytes).expect("it was read before"),
            None => weights::model(of, size),
        }
    }))
}

/// The bytes of a model file that are sure to be a model for this use.
fn own_model(path: Option<&Path>, of: Use) -> Result<Option<Cow<'static, [u8]>>> {
    let Some(path) = path else { return Ok(None) };
    let bytes = weights::read_bytes(path)?;
    let model = Model::from_bytes(&bytes).with_context(|| path.display().to_string())?;
    if model.about.of != of {
        let (is, wanted) = match of {
            Use::Uct => ("playouts", "the tree"),
            Use::Mc => ("the tree", "playouts"),
        };
        bail!("{}: this model is for {is}, not for {wanted}", path.display());
    }
    if of == Use::Mc {
        playout::Compiled::new(&model, Size::NINE).with_context(|| path.display().to_string())?;
    }
    Ok(Some(bytes))
}

/// Processors of this machine.
pub fn cores() -> usize {
    available_parallelism().map_or(1, NonZeroUsize::get)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use clap::error::ErrorKind;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        thinking: Thinking,
    }

    #[test]
    fn settings_of_the_search_are_read_once() {
        let line = Line::try_parse_from(["", "--set", "amaf=0", "--set", "lcb=1"]).unwrap();
        let changes = [("amaf", "0"), ("lcb", "1")];
        let changes = changes.map(|(name, value)| Change::read(name, value).unwrap());
        assert_eq!(line.thinking.options(1).changes, changes);
    }

    #[test]
    fn what_is_asked_for_or_wrong_is_left_to_clap() {
        let said = |value: &str| {
            let line = Line::try_parse_from(["", "--set", value]);
            let error = line.err().expect("no options");
            (error.kind(), error.exit_code(), error.to_string())
        };
        let (kind, code, text) = said("help");
        assert_eq!((kind, code), (ErrorKind::DisplayHelp, 0));
        assert!(
            text.starts_with("The settings of the search for --set SETTING=VALUE, and"),
            "{text}"
        );
        for (value, why) in [("amaf", "SETTING=VALUE is wanted"), ("amaf=x", "'x' is not a number")]
        {
            let (kind, code, text) = said(value);
            assert_eq!((kind, code), (ErrorKind::ValueValidation, 2));
            assert!(text.contains(why), "{text}");
        }
    }
}
