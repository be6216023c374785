//! One position: where a model would play, the rank of the move that was played, and why.

use std::io::Write;
use std::path::Path;

use anyhow::Result;

use super::Eval;

impl Eval {
    /// Shows what the first model thinks of a position.
    pub(super) fn explain(&self, out: &mut dyn Write, file: &Path) -> Result<()> {
        let _ = (out, file);
        Ok(())
    }
}
