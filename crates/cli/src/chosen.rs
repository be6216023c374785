//! One game of a file, for the commands that look at one: found, with what is odd about it, and played.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use goban::{Game, Rules};
use kifu::{Corpus, CorpusError, Record, Tree, Unplayable, Warning};
use protocol::replay;

/// A game of a file.
pub struct Chosen {
    pub tree: Tree,
    pub record: Record,
    /// What is odd about it.
    pub warnings: Vec<Warning>,
    /// Why what follows it in the file could not be read, if it could not.
    pub damage: Option<CorpusError>,
    /// File and game, for messages.
    at: String,
}

impl Chosen {
    /// The game with this number in a file, from 1.
    ///
    /// # Errors
    /// If there is none, or it is not Go.
    pub fn find(file: &Path, number: usize) -> Result<Chosen> {
        if file.is_dir() {
            bail!("{} is a folder; name a file in it", file.display());
        }
        let at = format!("{}, game {number}", file.display());
        let mut corpus = Corpus::new([file]);
        let mut games = 0;
        while let Some(found) = corpus.next() {
            let found = found?;
            games += 1;
            if games == number {
                let (tree, mut warnings) = (found.tree, found.warnings);
                let record = Record::new(&tree, &mut warnings).with_context(|| at.clone())?;
                // Damage to a packed file is told after the last game that could be read.
                let is_damage = |error: &CorpusError| matches!(error, CorpusError::Unreadable { path, .. } if path == file);
                let damage = corpus.next().and_then(Result::err).filter(is_damage);
                return Ok(Chosen { tree, record, warnings, damage, at });
            }
        }
        let there_are = if games == 1 { "is 1 game" } else { &format!("are {games} games") };
        bail!("{}: there {there_are} in this file; there is no game {number}", file.display())
    }

    /// [`Chosen::find`], and what is odd is told on standard error.
    ///
    /// # Errors
    /// If there is none, or it is not Go.
    pub fn open(file: &Path, number: usize) -> Result<Chosen> {
        let chosen = Chosen::find(file, number)?;
        for warning in &chosen.warnings {
            eprintln!("warning: {warning}");
        }
        if let Some(damage) = &chosen.damage {
            eprintln!("warning: {damage}");
        }
        Ok(chosen)
    }

    /// File and game, for messages.
    pub fn at(&self) -> &str {
        &self.at
    }

    /// # Errors
    /// If the game has not so many moves.
    pub fn check_move(&self, number: usize) -> Result<()> {
        no_such_move(&self.record, number).map_or(Ok(()), |why| bail!("{}: {why}", self.at))
    }

    /// The game at its start and after so many moves; what the record does not say is as under Chinese
    /// rules with 7.5 komi.
    ///
    /// # Errors
    /// If a move cannot be played.
    pub fn replay(&self, moves: usize) -> Result<(Game, Game)> {
        replay(&plain(&self.record), &self.record, moves)
            .map_err(|why| anyhow!("{}: {}", self.at, advice(&why)))
    }
}

/// What is told of a move that a game does not have.
pub fn no_such_move(record: &Record, number: usize) -> Option<String> {
    let moves = policy::many(record.moves.len(), "move");
    (number > record.moves.len())
        .then(|| format!("the game has {moves}; there is no move {number}"))
}

/// What cannot be played, and what to do about it where there is a `--move`.
pub fn advice(why: &Unplayable) -> String {
    match why {
        Unplayable::Move { .. } => format!("{why}; --move N asks about a position before that"),
        Unplayable::Stone(..) => why.to_string(),
    }
}

/// A game that says what a record leaves open.
pub fn plain(record: &Record) -> Game {
    Game::new(record.size, Rules::CHINESE, 7.5)
}
