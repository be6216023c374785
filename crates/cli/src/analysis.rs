//! `harie analysis` placeholder.
use anyhow::Result;
use clap::Args;
use std::io::Write;
/// Analyse
#[derive(Args)]
pub struct Analysis {}
impl Analysis {
    pub fn run(self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }
}
