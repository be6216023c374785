//! A player that is ready for a match: its models are loaded, its program is found.

use std::sync::Arc;

use engine::{Library, Options};
use goban::Rules;

use crate::gnugo::{self, NoGnuGo};
use crate::spec::{Own, Role, Spec};

/// A player of a match.
pub struct Player {
    pub(crate) label: String,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    /// This engine, in this process.
    Own { library: Arc<Library>, options: Options, seed: Option<u64>, timed: bool },
    /// A process; `{seed}` in the command line becomes the seed of the game.
    Program(String),
}

impl Player {
    /// The player of a description under rules; `load` gets the models for one in this process.
    ///
    /// # Errors
    /// If models cannot be loaded or GNU Go is not there. Other programs are started later.
    pub fn new<E>(
        spec: &Spec,
        rules: &Rules,
        load: impl FnOnce(&Own) -> Result<Arc<Library>, E>,
    ) -> Result<Player, E>
    where
        E: From<NoGnuGo>,
    {
        let kind = match &spec.role {
            Role::Own(own) => Kind::Own {
                library: load(own)?,
                options: own.options.clone(),
                seed: own.seed,
                timed: own.timed,
            },
            Role::GnuGo(level) => Kind::Program(gnugo::command(*level, rules)?),
            Role::Program(command) => Kind::Program(command.clone()),
        };
        Ok(Player { label: spec.label.clone(), kind })
    }

    /// What tables and records call it.
    pub fn label(&self) -> &str {
        &self.label
    }
}
