//! `harie completions`: scripts that let a shell complete the command line.

use std::io::Write;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Cli;

const EXAMPLES: &str = "\
Examples:
  harie completions bash > ~/.local/share/bash-completion/completions/harie
  harie completions zsh > ~/.zfunc/_harie
  harie completions fish > ~/.config/fish/completions/harie.fish";

/// Print a script that completes commands and options in your shell
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "harie", &mut script);
        out.write_all(&script)?;
        Ok(())
    }
}
