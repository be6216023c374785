//! Reading games to learn from: which board size, what is left out, and saying so.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use goban::Size;
use kifu::{Corpus, Record};
use policy::many;
use train::Games;

use crate::progress::Reading;

/// Games of one board size, each once; without a size, of the one that most games have.
pub fn read(files: &[PathBuf], size: Option<Size>) -> Result<Games> {
    let mut by_size = BTreeMap::<Size, Games>::new();
    let mut corpus = Corpus::new(files);
    let bar = Reading::new(&corpus);
    let mut failed = false;
    while let Some(found) = corpus.next() {
        bar.update(&corpus);
        match found {
            Ok(found) => {
                let Ok(record) = Record::new(&found.tree, &mut Vec::new()) else { continue };
                if size.is_none_or(|size| size == record.size) {
                    let games = by_size.entry(record.size);
                    games.or_insert_with(|| Games::new(record.size)).add(&record);
                }
            }
            Err(error) => {
                bar.warn(&format!("error: {error}"));
                failed = true;
            }
        }
    }
    drop(bar);
    let all: usize = by_size.values().map(Games::len).sum();
    match by_size.into_values().max_by_key(Games::len) {
        Some(games) if !games.is_empty() => {
            let others = all - games.len();
            if others > 0 {
                let (size, are) = (games.size(), if others == 1 { "is" } else { "are" });
                let others = many(others, "game");
                eprintln!("warning: {others} {are} not on {size} and left out; see --size");
            }
            Ok(games)
        }
        _ if failed => bail!("no game could be read"),
        _ => match size {
            Some(size) => bail!("there is no game on {size} here"),
            None => bail!("no game records were found: there is no .sgf, .gz or .zip file here"),
        },
    }
}
