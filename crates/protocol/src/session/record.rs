//! Commands that read and write game records.

use std::io;

use goban::{Cell, Color, result_text};
use gtp::{Arguments, Failure, Talk};
use kifu::{CorpusError, Layout, Record, Tree, Warning, point_text};

use super::{Commands, Reply, Session};
use crate::{replay, rules};

pub const COMMANDS: Commands = &[("loadsgf", load), ("printsgf", print)];

/// The files that these commands name.
pub trait Records {
    /// The first game of a file.
    ///
    /// # Errors
    /// If there is none, or it is not Go, in words.
    fn open(&self, name: &str) -> Result<Loaded, String>;

    /// Writes a record into a file.
    ///
    /// # Errors
    /// If that cannot be done.
    fn write(&self, name: &str, text: &str) -> io::Result<()>;
}

/// A game of a file.
pub struct Loaded {
    /// The game.
    pub record: Record,
    /// What is odd about it.
    pub warnings: Vec<Warning>,
    /// Why what follows it in the file could not be read, if it could not.
    pub damage: Option<CorpusError>,
    /// File and game, for messages.
    pub at: String,
}

fn cannot_load(why: impl std::fmt::Display) -> Failure {
    Failure::new(format!("cannot load file: {why}"))
}

/// The name of a file without the quotes that some put around it.
fn unquoted(name: &str) -> &str {
    name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(name)
}

/// `loadsgf FILE [NUMBER]`: the position before the move of that number, or the last one. A name
/// may have blanks in it.
fn load(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let mut name = arguments.word("the name of a file")?.to_owned();
    let mut number = None;
    while let Some(word) = arguments.next_word() {
        match word.parse::<usize>() {
            Ok(n) if arguments.is_empty() => number = Some(n),
            _ => {
                name.push(' ');
                name.push_str(word);
            }
        }
    }
    let loaded = session.settings.records.open(unquoted(&name)).map_err(cannot_load)?;
    let Loaded { record, warnings, damage, at } = &loaded;
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    if let Some(damage) = damage {
        tracing::warn!("{damage}");
    }
    if let Some(name) = record.rules.as_deref().filter(|name| rules::named(name).is_none()) {
        tracing::warn!("{at}: unknown rules '{name}'; they stay as they are");
    }
    let moves = number.map_or(usize::MAX, |n| n.saturating_sub(1));
    // A front end would show a game that ends where it does not.
    let cut = warnings.iter().find(|w| w.kind.cuts_main_line());
    if let Some(cut) = cut.filter(|_| moves > record.moves.len()) {
        let there = record.moves.len() + 1;
        return Err(cannot_load(format!("{cut}; 'loadsgf FILE {there}' loads what comes before")));
    }
    let (start, game) =
        replay(session.game(), record, moves).map_err(|why| cannot_load(format!("{at}: {why}")))?;
    session.resume(start, game);
    Ok(String::new())
}

/// `printsgf [FILE]`: the game as a record, as the reply or into a file.
fn print(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let name = arguments.rest();
    let name = unquoted(&name);
    let text = record_of(session).to_sgf_in(Layout::default());
    if name.is_empty() || name == "-" {
        return Ok(text);
    }
    let written = session.settings.records.write(name, &text);
    written.map_err(|error| Failure::new(format!("cannot write {name}: {error}")))?;
    Ok(String::new())
}

fn record_of(session: &mut Session) -> Tree {
    // As `final_score` says it.
    let over = session.game().is_over();
    let result = over.then(|| result_text(session.engine.judge().score));
    let (start, game) = (session.start(), session.game());
    let size = session.size();
    let mut tree = Tree::new();
    let root = tree.root();
    let mut set = |name: &str, values: &[String]| {
        // These names are all right.
        let _ = tree.set(root, name, values);
    };
    set("FF", &["4".to_owned()]);
    set("GM", &["1".to_owned()]);
    set("AP", &[format!("Harie:{}", env!("CARGO_PKG_VERSION"))]);
    set("SZ", &[size.side().to_string()]);
    set("KM", &[game.komi().to_string()]);
    set("RU", &[rules::to_text(game.rules())]);
    if game.handicap() >= 2 {
        set("HA", &[game.handicap().to_string()]);
    }
    for (name, cell) in [("AB", Cell::Black), ("AW", Cell::White)] {
        let stones: Vec<String> = size
            .points()
            .filter(|&p| start.board().cell(p) == cell)
            .map(|p| point_text(p, size))
            .collect();
        if !stones.is_empty() {
            set(name, &stones);
        }
    }
    if start.to_move() == Color::White {
        set("PL", &["W".to_owned()]);
    }
    if let Some(result) = result {
        set("RE", &[result]);
    }
    let mut node = root;
    for &(color, mv) in game.moves() {
        node = tree.add_move(node, color, mv.point(), size);
    }
    tree
}
