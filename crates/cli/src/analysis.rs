//! `harie analysis`: many positions at once for programs such as KaTrain. The command line of
//! [`protocol::analysis`].

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use protocol::analysis::{Defaults, Setup, View, serve};

use crate::engine_options::{Thinking, cores};
use crate::{gtp, options, weights};

const EXAMPLES: &str = "\
Examples:
  harie analysis                              as many positions at once as there are processors
  harie analysis --workers 1 --threads 2      one after the other, each with two threads
  harie analysis --visits 2000 --memory 4000  look deeper

A question is one line, for instance
  {\"id\":\"a\",\"moves\":[[\"B\",\"Q16\"]],\"rules\":\"chinese\",\"komi\":7.5,\"boardXSize\":19,\"boardYSize\":19}
docs/front-ends.md says how to set up KaTrain.";

/// Analyse many positions at once for a program such as KaTrain (JSON, a question a line)
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("threads", |arg| arg.help("Threads that think about a position [default: 1]")),
    mut_arg("seconds", |arg| arg.help("Seconds for a position [default: no limit]")),
    mut_arg("visits", |arg| {
        arg.help("Playouts for a position [default: 500 unless --seconds is given]")
    })
)]
pub struct Analysis {
    /// Positions that are looked at at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = options::counted)]
    workers: Option<usize>,

    #[command(flatten)]
    thinking: Thinking,

    /// From whose view win rates, scores and ownership are told (side: the player to move); a
    /// question may say otherwise
    #[arg(long, value_name = "WHO", default_value = "black", value_parser = view())]
    winrates_as: View,

    /// Do not answer what is still open when the input ends
    #[arg(long)]
    quit_without_waiting: bool,

    /// Write what is asked and answered to the end of this file
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
}

/// Playouts for a position when neither the command line nor the question says.
const USUAL_VISITS: u64 = 500;

const VIEWS: [(&str, View); 3] =
    [("side", View::Side), ("black", View::Black), ("white", View::White)];

/// Whose chances are told, named in the help.
fn view() -> impl TypedValueParser<Value = View> {
    PossibleValuesParser::new(VIEWS.map(|(name, _)| name)).map(|name| {
        let known = VIEWS.iter().find(|&&(known, _)| known == name);
        known.expect("only these names are possible").1
    })
}

impl Analysis {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        if let Some(path) = &self.log_file {
            gtp::log_to(path)?;
        }
        let workers = self.workers.unwrap_or_else(cores);
        let library = Arc::new(self.thinking.library()?);
        let mut options = self.thinking.options(1);
        options.megabytes = (options.megabytes / workers).max(1);
        let (visits, time) = self.thinking.bounds(USUAL_VISITS);
        let setup = Setup {
            workers,
            library,
            options,
            defaults: Defaults { visits, time, view: self.winrates_as },
            is_patient: !self.quit_without_waiting,
            rater: Arc::new(weights::sight),
        };
        if io::stdin().is_terminal() {
            eprintln!("Harie listens for questions, a JSON object a line; Ctrl-D ends it.");
        }
        Ok(serve(io::stdin(), out, setup)?)
    }
}
