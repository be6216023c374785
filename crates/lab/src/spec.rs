//! Who plays, as it is written on a command line: `harie:visits=500,amaf=0`, `gnugo:10`,
//! `gtp:engine --its-options`.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use engine::{Knowledge, Level, NoLevel, Options};
use knowledge::{Book, Patterns};
use search::Change;

/// Memory for the tree of an engine in this process: two of them think for every game at once.
const MEGABYTES: usize = 256;

/// What is wrong with the description of a player.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SpecError {
    /// None of the kinds of players.
    #[error(
        "'{0}' is no player: 'harie', 'harie:visits=500,…', 'knowledge', 'gnugo', \
         'gnugo:LEVEL' or 'gtp:COMMAND LINE' is wanted"
    )]
    Unknown(String),
    /// No command line.
    #[error("a command line is wanted after 'gtp:', such as gtp:\"gnugo --mode gtp\"")]
    NoCommand,
    /// GNU Go has levels 0 to 10, and up to 99 without effect worth the time.
    #[error("'{0}' is no level of GNU Go: a number from 0 to 99 is wanted, 10 being usual")]
    GnuGoLevel(String),
    /// Not a name with a value.
    #[error("'{0}' in a player's options is not NAME=VALUE")]
    NoValue(String),
    /// No option of that name.
    #[error(
        "a player has no option '{name}'; there are visits, seconds, level, threads, memory, seed, \
         resign, plain-komi, patterns, few, book, model, playout-model, and the settings of the search: {names}",
        names = setting_names()
    )]
    NoOption {
        /// As written.
        name: String,
    },
    /// Who plays is said before the colon.
    #[error(
        "player={0}: who plays stands before the colon, as in 'knowledge:visits=500' for the \
         player that goes by known shapes, or 'harie:visits=500'"
    )]
    Player(String),
    /// A value that makes no sense.
    #[error("{name}={value}: {wanted} is wanted")]
    Value {
        /// The option.
        name: String,
        /// As written.
        value: String,
        /// What would do.
        wanted: &'static str,
    },
    /// A file of patterns or an opening book that cannot be read.
    #[error("{0}")]
    Patterns(String),
    /// No rank.
    #[error("{0}")]
    Level(NoLevel),
    /// A setting of the search and a value that it cannot have.
    #[error("{0}")]
    Setting(String),
}

/// The text of a file that an option names.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read_named(path: &str) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::InvalidData => "this is no text file".to_owned(),
        _ => format!("it cannot be read: {error}"),
    })
}

fn setting_names() -> String {
    search::NAMES.map(|(name, _)| name).join(", ")
}

/// A player as described.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// As written: what tables and records call it.
    pub label: String,
    /// What it is.
    pub role: Role,
}

/// What plays.
#[derive(Clone, PartialEq, Debug)]
pub enum Role {
    /// This engine, in this process.
    Own(Box<Own>),
    /// GNU Go at a level, wherever it is installed.
    GnuGo(u8),
    /// Another process that speaks the Go Text Protocol.
    Program(String),
}

/// This engine with options.
#[derive(Clone, PartialEq, Debug)]
pub struct Own {
    /// How it plays. Its seed is that of the first game.
    pub options: Options,
    /// A seed of its own in place of the match's.
    pub seed: Option<u64>,
    /// Seconds for a move were given.
    pub timed: bool,
    /// A model for the tree in place of the usual one.
    pub model: Option<PathBuf>,
    /// A model for playouts in place of the usual one.
    pub playout_model: Option<PathBuf>,
}

impl Spec {
    /// Reads a description.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let text = text.trim();
        let (kind, rest) = match text.split_once(':') {
            Some((kind, rest)) => (kind, Some(rest.trim())),
            None => (text, None),
        };
        let role = match (kind, rest) {
            ("harie", options) => Role::Own(Box::new(Own::parse(options.unwrap_or(""), None)?)),
            ("knowledge", options) => {
                let knowledge = Some(Knowledge::default());
                Role::Own(Box::new(Own::parse(options.unwrap_or(""), knowledge)?))
            }
            ("gnugo", None) => Role::GnuGo(10),
            ("gnugo", Some(level)) => {
                let number = level.parse().ok().filter(|n| *n <= 99);
                Role::GnuGo(number.ok_or_else(|| SpecError::GnuGoLevel(level.to_owned()))?)
            }
            ("gtp", Some("") | None) => return Err(SpecError::NoCommand),
            ("gtp", Some(command)) => Role::Program(command.to_owned()),
            _ => return Err(SpecError::Unknown(text.to_owned())),
        };
        Ok(Spec { label: text.to_owned(), role })
    }
}

impl Own {
    fn parse(text: &str, knowledge: Option<Knowledge>) -> Result<Own, SpecError> {
        let plain = Options { megabytes: MEGABYTES, knowledge, ..Options::default() };
        let mut own =
            Own { options: plain, seed: None, timed: false, model: None, playout_model: None };
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (name, value) =
                pair.split_once('=').ok_or_else(|| SpecError::NoValue(pair.to_owned()))?;
            own.set(name.trim(), value.trim())?;
        }
        Ok(own)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SpecError> {
        let options = &mut self.options;
        let bad =
            |wanted| SpecError::Value { name: name.to_owned(), value: value.to_owned(), wanted };
        let counted = || match value.parse::<usize>() {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(bad("a whole number from 1 up")),
        };
        match name {
            "visits" => {
                options.visits = Some(counted()? as u64);
                if !self.timed {
                    // A move takes as long as its visits take.
                    options.time = Duration::from_secs(86_400);
                }
            }
            "seconds" => {
                let seconds = value.parse::<f64>().ok().filter(|s| *s > 0.0 && *s <= 86_400.0);
                let seconds = seconds.ok_or_else(|| bad("a number of seconds above 0"))?;
                options.time = Duration::from_secs_f64(seconds);
                self.timed = true;
            }
            "threads" => {
                let some = counted().ok().filter(|n| (1..=1024).contains(n));
                options.threads = some.ok_or_else(|| bad("a whole number from 1 to 1024"))?;
            }
            "memory" => {
                let enough = counted().ok().filter(|n| (16..=16_000_000).contains(n));
                options.megabytes =
                    enough.ok_or_else(|| bad("a whole number of megabytes from 16 to 16000000"))?;
            }
            "seed" => {
                let seed = value.parse().map_err(|_| bad("a whole number"))?;
                self.seed = Some(seed);
            }
            "resign" if value == "never" => options.resign = None,
            "resign" => {
                let rate = value.parse().ok().filter(|rate| (0.0..0.5).contains(rate));
                options.resign =
                    Some(rate.ok_or_else(|| bad("a chance from 0 to below 0.5, or 'never',"))?);
            }
            "level" => options.level = Some(value.parse::<Level>().map_err(SpecError::Level)?),
            "plain-komi" => match value {
                "1" => options.dynamic_komi = false,
                "0" => options.dynamic_komi = true,
                _ => return Err(bad("0 or 1")),
            },
            "patterns" | "few" => {
                let Some(knowledge) = &mut options.knowledge else {
                    return Err(SpecError::Value {
                        name: name.to_owned(),
                        value: value.to_owned(),
                        wanted: "the player 'knowledge:…'",
                    });
                };
                match (name, value) {
                    ("few", _) => {
                        let few = value.parse::<usize>();
                        knowledge.few = few.map_err(|_| bad("a whole number, 0 for all,"))?;
                    }
                    (_, "none") => knowledge.patterns = None,
                    _ => {
                        let wrong = |why: String| SpecError::Patterns(format!("{value}: {why}"));
                        let text = read_named(value).map_err(wrong)?;
                        let read = Patterns::parse(&text).map_err(|e| wrong(e.to_string()))?;
                        knowledge.patterns = Some(Arc::new(read));
                    }
                }
            }
            "book" if value == "none" => options.book = None,
            "book" => {
                let wrong = |why: String| SpecError::Patterns(format!("{value}: {why}"));
                let text = read_named(value).map_err(wrong)?;
                let book = Book::parse(&text).map_err(|error| wrong(error.to_string()))?;
                options.book = Some(Arc::new(book));
            }
            "model" => self.model = Some(value.into()),
            "playout-model" => self.playout_model = Some(value.into()),
            setting if search::is_setting(setting) => {
                options.changes.push(Change::read(setting, value).map_err(SpecError::Setting)?);
            }
            "player" => return Err(SpecError::Player(value.to_owned())),
            _ => return Err(SpecError::NoOption { name: name.to_owned() }),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(text: &str) -> Own {
        match Spec::parse(text).unwrap().role {
            Role::Own(own) => *own,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn players_are_read() {
        assert_eq!(own("harie").options.visits, None);
        let it = own("harie: visits=500, amaf=0,level=10k,threads=2,seed=7,resign=never,memory=64");
        assert_eq!((it.options.visits, it.options.threads, it.seed), (Some(500), 2, Some(7)));
        assert_eq!(it.options.level, Some("10k".parse().unwrap()));
        assert_eq!(it.options.changes, [Change::read("amaf", "0").unwrap()]);
        assert_eq!((it.options.resign, it.options.megabytes), (None, 64));
        assert!(it.options.time > Duration::from_secs(3_600));
        for text in ["harie:seconds=2,visits=10", "harie:visits=10,seconds=2"] {
            assert_eq!(own(text).options.time, Duration::from_secs(2), "{text}");
        }
        assert!(own("harie:book=none").options.book.is_none());
        assert_eq!(own("harie:model=a.model").model, Some("a.model".into()));
        let knowing = own("knowledge:patterns=none,few=0,visits=300").options.knowledge.unwrap();
        assert_eq!((knowing.patterns, knowing.few), (None, 0));
        assert!(own("knowledge").options.knowledge.unwrap().patterns.is_some());
        assert_eq!(Spec::parse("gnugo").unwrap().role, Role::GnuGo(10));
        assert_eq!(Spec::parse("gnugo:3").unwrap().role, Role::GnuGo(3));
        let program = Spec::parse("gtp:engine --at http://here:80").unwrap();
        assert_eq!(program.role, Role::Program("engine --at http://here:80".to_owned()));
        assert_eq!(program.label, "gtp:engine --at http://here:80");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("", "is no player"),
            ("katago", "'katago' is no player"),
            ("gtp:", "after 'gtp:'"),
            ("gtp", "after 'gtp:'"),
            ("gnugo:x", "no level of GNU Go"),
            ("gnugo:-1", "no level of GNU Go"),
            ("harie:500", "'500' in a player's options is not NAME=VALUE"),
            ("harie:visits=0", "a whole number from 1 up"),
            ("harie:colour=3", "no option 'colour'; there are visits"),
            ("harie:amaf=x", "amaf: 'x' is not a number"),
            ("harie:level=99k", "'99k' is no level"),
            ("harie:seconds=-1", "seconds above 0"),
            ("harie:resign=2", "below 0.5"),
            ("harie:memory=1", "megabytes from 16 to 16000000 is wanted"),
            ("harie:threads=100000", "a whole number from 1 to 1024 is wanted"),
            ("harie:player=knowledge", "as in 'knowledge:visits=500'"),
            ("harie:few=3", "the player 'knowledge:…' is wanted"),
            ("knowledge:patterns=no-such.txt", "no-such.txt: there is no such file"),
            ("harie:book=no-such.book", "no-such.book: there is no such file"),
        ] {
            let error = Spec::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
