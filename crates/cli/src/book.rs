//! `harie book`: an opening book learned from game records.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use goban::Size;
use kifu::{Corpus, Outcome, Record};
use knowledge::Book as Opening;
use policy::grouped;

use crate::progress::Reading;
use crate::{extract, options};

const EXAMPLES: &str = "\
Examples:
  harie book my-games/ --size 19 -o my.book           learn from a folder of records
  harie book games.sgf.gz --size 9 --moves 8 --fewest 5 -o 9.book
  harie gtp --book my.book                            play the first moves from it
  harie gtp --book none                               or not

A move is drawn from those that were played in the position, in any of its eight orientations: the
more often it was played and the more often it won, the likelier. After the book the engine thinks.";

/// Learn an opening book from game records
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Book {
    /// Game records (SGF, also .gz or .zip) or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// The board
    #[arg(long, value_name = "N", default_value = "19", value_parser = options::size)]
    size: Size,

    /// Moves of each game that are learned
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = options::counted)]
    moves: usize,

    /// Games in which a move must have been played
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = options::counted)]
    fewest: usize,

    /// The book to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

impl Book {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        let mut book = Opening::new(self.size);
        let mut corpus = Corpus::new(&self.files);
        let bar = Reading::new(&corpus);
        let mut games = 0;
        while let Some(found) = corpus.next() {
            bar.update(&corpus);
            let found = match found {
                Ok(found) => found,
                Err(error) => {
                    bar.warn(&format!("error: {error}"));
                    continue;
                }
            };
            let Ok(record) = Record::new(&found.tree, &mut Vec::new()) else { continue };
            // Handicap games begin with other positions and are not balanced.
            if record.size != self.size || record.handicap > 0 || !record.stones.is_empty() {
                continue;
            }
            let Outcome::Win(winner, _) = record.outcome else { continue };
            games += 1;
            let mut number = 0;
            record.replay(|board, mv| {
                if let (true, Some(p)) = (number < self.moves, mv.point) {
                    book.add(board, mv.color, p, mv.color == winner);
                }
                number += 1;
            });
        }
        drop(bar);
        if games == 0 {
            bail!("there is no game on {} with a winner and without handicap", self.size);
        }
        book.prune(self.fewest as u32);
        if book.is_empty() {
            bail!(
                "no move was played in {} of the {} games on {}: give more games, or a smaller --fewest",
                self.fewest,
                grouped(games),
                self.size
            );
        }
        extract::write(&self.output, book.to_text().as_bytes())?;
        writeln!(
            out,
            "{} positions from {} games, moves played in {} games or more: {}",
            grouped(book.len()),
            grouped(games),
            self.fewest,
            self.output.display()
        )?;
        Ok(())
    }
}
