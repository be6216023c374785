//! `harie book`: an opening book learned from game records.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use goban::{Color, Size};
use kifu::{Corpus, Outcome, Record};
use knowledge::Book as Opening;
use policy::{grouped, many};

use crate::progress::Reading;
use crate::{options, output};

const EXAMPLES: &str = "\
Examples:
  harie book my-games/ --size 19 -o my.book           learn from a folder of records
  harie book games.sgf.gz --size 9 --moves 8 --fewest 5 -o 9.book
  harie gtp --book my.book                            play the first moves from it
  harie gtp --book none                               or not

A move is drawn from those that were played in the position, in any of its eight orientations: \
the more often it was played and the more often it won, the likelier. After the book the \
engine thinks.";

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
    /// A record to learn from and who won, or why not.
    fn fits(&self, record: Record) -> std::result::Result<(Record, Color), String> {
        // Handicap games begin with other positions and are not balanced.
        if record.size != self.size {
            return Err(format!("on {}, not {} (see --size)", record.size, self.size));
        }
        if record.handicap > 0 || !record.stones.is_empty() {
            return Err("with handicap or stones set up".to_owned());
        }
        match record.outcome {
            Outcome::Win(winner, _) => Ok((record, winner)),
            _ => Err("without a winner".to_owned()),
        }
    }

    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        output::check(&self.output, &self.files)?;
        let mut book = Opening::new(self.size);
        let mut corpus = Corpus::new(&self.files);
        let bar = Reading::new(&corpus);
        let mut failed = false;
        let mut games = 0;
        let mut skipped = BTreeMap::<String, usize>::new();
        while let Some(found) = corpus.next() {
            bar.update(&corpus);
            let found = match found {
                Ok(found) => found,
                Err(error) => {
                    bar.warn(&format!("error: {error}"));
                    failed = true;
                    continue;
                }
            };
            let record = Record::new(&found.tree, &mut Vec::new());
            let (record, winner) =
                match record.map_or_else(|_| Err("not Go".to_owned()), |r| self.fits(r)) {
                    Ok(fitting) => fitting,
                    Err(why) => {
                        *skipped.entry(why).or_default() += 1;
                        continue;
                    }
                };
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
        let left_out: usize = skipped.values().sum();
        if left_out > 0 {
            let why: Vec<String> =
                skipped.iter().map(|(why, games)| format!("{} {why}", grouped(games))).collect();
            eprintln!("warning: {} left out: {}", many(left_out, "game"), why.join(", "));
        }
        if games == 0 && left_out == 0 && failed {
            bail!("no game could be read");
        }
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
        output::write(&self.output, book.to_text().as_bytes())?;
        writeln!(
            out,
            "{} from {}, moves played in {} or more: {}",
            many(book.len(), "position"),
            many(games, "game"),
            many(self.fewest, "game"),
            self.output.display()
        )?;
        Ok(())
    }
}
