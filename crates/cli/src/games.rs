//! Reading games to learn from: which board size, what is left out, and saying so.

use std::path::PathBuf;

use anyhow::{Result, bail};
use goban::Size;
use kifu::{Corpus, Record};
use train::{Games, usual_size};

use crate::progress::Reading;

/// Games of one board size, each once; without a size, of the one that most games have.
pub fn read(files: &[PathBuf], size: Option<Size>) -> Result<Games> {
    let mut records = Vec::new();
    let mut games = size.map(Games::new);
    let mut corpus = Corpus::new(files);
    let bar = Reading::new(&corpus);
    let mut failed = 0;
    while let Some(found) = corpus.next() {
        bar.update(&corpus);
        match found {
            Ok(found) => {
                let Ok(record) = Record::new(&found.tree, &mut Vec::new()) else { continue };
                match &mut games {
                    Some(games) => {
                        games.add(&record);
                    }
                    None => records.push(record),
                }
            }
            Err(error) => {
                bar.warn(&format!("error: {error}"));
                failed += 1;
            }
        }
    }
    drop(bar);
    if games.is_none()
        && let Some(size) = usual_size(records.iter().map(|record| record.size))
    {
        let mut usual = Games::new(size);
        let all = records.len();
        records.iter().for_each(|record| {
            usual.add(record);
        });
        let others = records.iter().filter(|record| record.size != size).count();
        if others > 0 {
            eprintln!("harie: {others} of {all} games are not on {size} and are left out");
        }
        games = Some(usual);
    }
    match games {
        Some(games) if !games.is_empty() => Ok(games),
        _ if failed > 0 => bail!("no game could be read"),
        Some(games) => bail!("there is no game on {} here", games.size()),
        None => bail!("no game records were found: there is no .sgf, .gz or .zip file here"),
    }
}
