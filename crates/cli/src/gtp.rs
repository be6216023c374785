//! `harie gtp`: an engine for front ends, match tools and servers, over the Go Text Protocol. The command
//! line of [`protocol::Session`], and the files that its commands name.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use clap::Args;
use goban::{Game, Rules, Size};
use protocol::{Loaded, Records, Session, Settings};

use crate::chosen::Chosen;
use crate::engine_options::{EngineOptions, cores};
use crate::{options, weights};

const EXAMPLES: &str = "\
Examples:
  harie gtp                                  what a front end runs; it does the rest
  harie gtp --seconds 10 --ponder            think longer, and while the opponent does
  harie gtp --visits 1000 --seed 7           the same number of playouts for each move
  harie gtp --rules cgos --resign never      for the computer Go server
  harie gtp --name KataGo                    for front ends that go by the name of an engine

Try it by hand: type 'boardsize 9', 'genmove black', 'showboard', 'list_commands', 'quit'. \
docs/front-ends.md says how to set up Sabaki, GoGui, Lizzie and KaTrain.";

/// Play and analyse with a front end such as Sabaki, GoGui or Lizzie (Go Text Protocol)
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Gtp {
    /// The board to begin with
    #[arg(long, value_name = "N", default_value = "19", value_parser = options::size)]
    size: Size,

    /// The komi to begin with
    #[arg(long, value_name = "POINTS", default_value = "7.5", allow_hyphen_values = true,
        value_parser = options::komi)]
    komi: f32,

    /// The rules to begin with: chinese, japanese, korean, aga, new-zealand, tromp-taylor, cgos
    #[arg(long, value_name = "NAME", default_value = "chinese", value_parser = options::rules)]
    rules: Rules,

    #[command(flatten)]
    engine: EngineOptions,

    /// Think while the opponent does; a level does not, its playouts are counted
    #[arg(long)]
    ponder: bool,

    /// What to answer to 'name': some front ends know what an engine can do by its name
    #[arg(long, value_name = "NAME", default_value = "Harie")]
    name: String,

    /// What to answer to 'version'
    #[arg(long, value_name = "TEXT", default_value = env!("CARGO_PKG_VERSION"))]
    version_text: String,

    /// Show GoGui what is being thought while a move is looked for (on standard error)
    #[arg(long)]
    live_gfx: bool,

    /// Write what is said and answered to the end of this file
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
}

impl Gtp {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        if let Some(path) = &self.log_file {
            log_to(path)?;
        }
        let engine =
            engine::Engine::new(self.engine.library()?.into(), self.engine.options(cores()));
        let game = Game::new(self.size, self.rules, self.komi);
        let settings = Settings {
            name: self.name,
            version: self.version_text,
            ponder: self.ponder,
            live: self.live_gfx.then(|| Box::new(|picture: &str| eprintln!("{picture}")) as _),
            records: Box::new(Files),
            rater: Arc::new(weights::sight),
        };
        if io::stdin().is_terminal() {
            eprintln!(
                "Harie listens. Try 'genmove black', 'showboard' and 'help'; 'quit' ends it.\n\
                 Front ends run this command for you: docs/front-ends.md says how."
            );
        }
        let mut session = Session::new(engine, game, settings);
        gtp::serve(io::stdin(), out, &mut session)?;
        Ok(())
    }
}

/// Records in the files of this machine.
struct Files;

impl Records for Files {
    fn open(&self, name: &str) -> Result<Loaded, String> {
        let chosen = Chosen::find(Path::new(name), 1).map_err(|error| format!("{error:#}"))?;
        let at = chosen.at().to_owned();
        let Chosen { record, warnings, damage, .. } = chosen;
        Ok(Loaded { record, warnings, damage, at })
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        fs::write(name, text)
    }
}

/// Sends what the program notes, the traffic of the protocol above all, to a file.
pub fn log_to(path: &Path) -> Result<()> {
    // Added to, so that a wrong name costs nobody a file.
    let file = File::options().create(true).append(true).open(path);
    let file = file.with_context(|| path.display().to_string())?;
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::DEBUG)
        .with_writer(Mutex::new(file))
        .init();
    Ok(())
}
