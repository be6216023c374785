//! `harie` alone: what it is, a game to look at, and where to go from here.

use std::io::Write;

use anyhow::{Context, Result};
use clap::CommandFactory;
use kifu::Record;

use crate::Cli;
use crate::show;

/// A game that ships with the program, so that there is something to see without any file.
const SAMPLE: &[u8] = include_bytes!("../../../samples/9x9.sgf");

pub fn run(out: &mut dyn Write) -> Result<()> {
    let (trees, mut warnings) = kifu::read(SAMPLE);
    let tree = trees.first().context("the sample game is missing")?;
    let record = Record::new(tree, &mut warnings)?;
    writeln!(out, "A sample game, as `harie show` prints it:\n")?;
    show::Position::new(tree, &record, None)?.print(out)?;
    writeln!(out)?;
    write!(out, "{}", Cli::command().max_term_width(100).render_long_help())?;
    Ok(())
}
