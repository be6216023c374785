//! `harie records`: what a corpus of game records holds.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory};
use goban::{Color, Size};
use kifu::{
    Corpus, CorpusError, Ending, Filter, Fingerprint, Found, NotARecord, Rank, Record, Seen,
};
use policy::grouped;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::Cli;
use crate::options;
use crate::progress::Reading;

const EXAMPLES: &str = "\
Examples:
  harie records my-games/                          a folder, also .gz and .zip files in it
  harie records games.sgf.gz --size 19 --min-moves 50
  harie records my-games/ --weakest 5d --unique    strong players, every game once
  harie records my-games/ --json > summary.json

Games are the same if their moves are, also turned or mirrored. A folder is read with \
everything below it.";

/// Warnings that are printed unless --all-warnings is given.
pub const SHOWN: usize = 10;

/// Print what a corpus holds: games, sizes, results, lengths, warnings
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Records {
    /// Game records: files or folders (.sgf, .gz, .zip)
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Only games on this board size (more than one: 9,13)
    #[arg(long, value_name = "N", value_parser = options::size, value_delimiter = ',')]
    size: Vec<Size>,

    /// Only games with this handicap: a number or a range such as 2-4
    #[arg(long, value_name = "N", value_parser = options::range)]
    handicap: Option<(usize, usize)>,

    /// Only games with at least this many moves
    #[arg(long, value_name = "N", value_parser = options::whole::<usize>)]
    min_moves: Option<usize>,

    /// Only games with at most this many moves
    #[arg(long, value_name = "N", value_parser = options::whole::<usize>)]
    max_moves: Option<usize>,

    /// Only games that ended so (more than one: points,resignation)
    #[arg(long, value_name = "HOW", value_parser = options::ending(), value_delimiter = ',',
          ignore_case = true)]
    ending: Vec<Ending>,

    /// Only games won by this player
    #[arg(long, value_name = "PLAYER", value_parser = options::color(), ignore_case = true)]
    winner: Option<Color>,

    /// Only games whose players are both at least this strong, such as 5k, 3d, 1p or 2100
    #[arg(long, value_name = "RANK", value_parser = options::rank)]
    weakest: Option<Rank>,

    /// Only games whose players are both at most this strong
    #[arg(long, value_name = "RANK", value_parser = options::rank)]
    strongest: Option<Rank>,

    /// Leave out games that are there already, also turned or mirrored
    #[arg(long)]
    unique: bool,

    /// Print every warning, not only the first ten
    #[arg(long)]
    all_warnings: bool,

    /// Print JSON, with all warnings in it
    #[arg(long)]
    json: bool,
}

/// What the corpus holds.
#[derive(Default, Serialize)]
struct Summary {
    files: usize,
    /// Files in folders that are not named like records.
    skipped: usize,
    games: usize,
    /// Games that are there already, also turned or mirrored.
    duplicates: usize,
    /// Games left out, by reason.
    left_out: BTreeMap<String, usize>,
    sizes: BTreeMap<String, usize>,
    handicaps: BTreeMap<usize, usize>,
    komi: BTreeMap<String, usize>,
    rules: BTreeMap<String, usize>,
    results: BTreeMap<&'static str, usize>,
    endings: BTreeMap<&'static str, usize>,
    moves: Moves,
    /// Games whose main line ends early because of an illegal move or an impossible setup.
    broken: usize,
    warnings: Vec<String>,
    errors: Vec<String>,
}

/// Legal moves of the main lines.
#[derive(Default, Serialize)]
struct Moves {
    total: usize,
    mean: f64,
    median: usize,
    shortest: usize,
    longest: usize,
}

/// Prints the first of some warnings to standard error, and how to see the others.
pub fn tell(warnings: &[String], shown: usize, others: &str) {
    for warning in warnings.iter().take(shown) {
        eprintln!("warning: {warning}");
    }
    let more = warnings.len().saturating_sub(shown);
    if more > 0 {
        eprintln!("warning: and {more} more; {others}");
    }
}

impl Records {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        self.check()?;
        let summary = self.read();
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&summary)?)?;
        } else {
            summary.print(out)?;
        }
        // Some games were read, but not everything that was asked for.
        Ok(if summary.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Options that no game can meet are a wrong command line.
    fn check(&self) -> Result<(), clap::Error> {
        let refuse =
            |message: String| Err(Cli::command().error(ErrorKind::ValueValidation, message));
        if let (Some(least), Some(most)) = (self.min_moves, self.max_moves)
            && least > most
        {
            return refuse(format!("--min-moves {least} is above --max-moves {most}"));
        }
        if let (Some(weak), Some(strong)) = (self.weakest, self.strongest)
            && weak > strong
        {
            return refuse(format!("--weakest {weak} is above --strongest {strong}"));
        }
        Ok(())
    }

    fn filter(&self) -> Filter {
        let moves = self.min_moves.unwrap_or(0)..=self.max_moves.unwrap_or(usize::MAX);
        Filter {
            sizes: self.size.clone(),
            handicap: self.handicap.map(|(least, most)| least..=most),
            moves: Some(moves),
            endings: self.ending.clone(),
            winner: self.winner,
            weakest: self.weakest,
            strongest: self.strongest,
            ..Filter::default()
        }
    }

    fn read(&self) -> Summary {
        let filter = self.filter();
        let mut corpus = Corpus::new(&self.files);
        let bar = Reading::new(&corpus);
        let mut summary = Summary::default();
        let mut seen = Seen::default();
        let mut lengths = Vec::new();
        while let Some(found) = corpus.next() {
            bar.update(&corpus);
            match found {
                Ok(found) => self.take(found, &filter, &mut seen, &mut lengths, &mut summary),
                Err(error) => {
                    bar.warn(&format!("error: {error}"));
                    if let CorpusError::NoGame { warnings, .. } = &error {
                        summary.warnings.extend(warnings.iter().map(ToString::to_string));
                    }
                    summary.errors.push(error.to_string());
                }
            }
        }
        summary.files = corpus.progress().files;
        summary.skipped = corpus.progress().skipped;
        if summary.files == 0 && summary.errors.is_empty() {
            let error = "no game records were found: there is no .sgf, .gz or .zip file here";
            bar.warn(&format!("error: {error}"));
            summary.errors.push(error.to_owned());
        }
        drop(bar);
        let shown = if self.all_warnings { usize::MAX } else { SHOWN };
        if !self.json {
            tell(&summary.warnings, shown, "--all-warnings prints them");
        }
        summary.moves = Moves::of(lengths);
        summary
    }

    /// Adds a game to the summary, or says why not.
    fn take(
        &self,
        found: Found,
        filter: &Filter,
        seen: &mut Seen,
        lengths: &mut Vec<usize>,
        summary: &mut Summary,
    ) {
        let Found { tree, mut warnings } = found;
        let mut left_out = |why: String| *summary.left_out.entry(why).or_default() += 1;
        match Record::new(&tree, &mut warnings) {
            Err(why) => {
                summary.warnings.push(format!("{}: {why}", tree.origin()));
                left_out(match why {
                    NotARecord::OtherGame(_) => "another game than Go".to_owned(),
                    NotARecord::Size(_) => "no square board from 2x2 to 25x25".to_owned(),
                });
            }
            Ok(record) => {
                if let Err(reject) = filter.check(&record) {
                    left_out(reject.to_string());
                } else {
                    let duplicate = !seen.insert(Fingerprint::of(&record));
                    summary.duplicates += duplicate as usize;
                    if duplicate && self.unique {
                        *summary.left_out.entry("duplicate".to_owned()).or_default() += 1;
                    } else {
                        let mut legal = 0;
                        let broken = record.replay(|_, _| legal += 1);
                        lengths.push(legal);
                        summary.broken += broken.is_some() as usize;
                        warnings.extend(broken.map(|broken| broken.warning(&tree)));
                        summary.add(&record);
                    }
                }
            }
        }
        summary.warnings.extend(warnings.iter().map(ToString::to_string));
    }
}

impl Moves {
    fn of(mut lengths: Vec<usize>) -> Moves {
        lengths.sort_unstable();
        let total: usize = lengths.iter().sum();
        Moves {
            total,
            mean: total as f64 / lengths.len().max(1) as f64,
            median: lengths.get(lengths.len().saturating_sub(1) / 2).copied().unwrap_or(0),
            shortest: lengths.first().copied().unwrap_or(0),
            longest: lengths.last().copied().unwrap_or(0),
        }
    }
}

impl Summary {
    fn add(&mut self, record: &Record) {
        self.games += 1;
        *self.sizes.entry(record.size.to_string()).or_default() += 1;
        *self.handicaps.entry(record.handicap).or_default() += 1;
        let komi = record.komi.map_or("not given".to_owned(), |komi| komi.to_string());
        *self.komi.entry(komi).or_default() += 1;
        let rules = record.rules.clone().unwrap_or_else(|| "not given".to_owned());
        *self.rules.entry(rules).or_default() += 1;
        let ending = Ending::from(record.outcome);
        let result = match (record.outcome.winner(), ending) {
            (Some(Color::Black), _) => "black",
            (Some(Color::White), _) => "white",
            (None, Ending::Draw) => "draw",
            (None, Ending::Void) => "no result",
            (None, _) => "unknown",
        };
        *self.results.entry(result).or_default() += 1;
        *self.endings.entry(options::ending_name(ending)).or_default() += 1;
    }

    fn print(&self, out: &mut dyn Write) -> Result<()> {
        let files = if self.files == 1 { "file" } else { "files" };
        writeln!(out, "Games      {} in {} {files}", grouped(self.games), grouped(self.files))?;
        if self.skipped > 0 {
            writeln!(out, "Skipped    {} other files", grouped(self.skipped))?;
        }
        let table = |out: &mut dyn Write, name: &str, counts: Vec<(String, usize)>| {
            let mut name = name;
            for (what, count) in counts {
                let share = 100.0 * count as f64 / self.games.max(1) as f64;
                let gap = " ".repeat(20usize.saturating_sub(what.width()));
                writeln!(out, "{name:<11}{what}{gap}{:>10}  {share:5.1} %", grouped(count))?;
                name = "";
            }
            Ok::<(), std::io::Error>(())
        };
        table(out, "Sizes", by_count(&self.sizes))?;
        table(out, "Results", by_count(&self.results))?;
        table(out, "Endings", by_count(&self.endings))?;
        if self.handicaps.keys().any(|&handicap| handicap > 0) {
            table(out, "Handicap", by_count(&self.handicaps))?;
        }
        table(out, "Komi", by_count(&self.komi))?;
        table(out, "Rules", by_count(&self.rules))?;
        if self.games > 0 {
            let Moves { total, mean, median, shortest, longest } = &self.moves;
            writeln!(
                out,
                "Moves      {} in all; a game {mean:.1} on average, median {}, {} to {}",
                grouped(*total),
                grouped(*median),
                grouped(*shortest),
                grouped(*longest)
            )?;
        }
        if self.duplicates > 0 {
            writeln!(out, "Duplicates {}", grouped(self.duplicates))?;
        }
        let mut name = "Left out";
        for (why, count) in by_count(&self.left_out) {
            writeln!(out, "{name:<11}{why:<34}{:>10}", grouped(count))?;
            name = "";
        }
        if self.broken > 0 {
            writeln!(out, "Cut short  {}", grouped(self.broken))?;
        }
        writeln!(out, "Warnings   {}", grouped(self.warnings.len()))?;
        if !self.errors.is_empty() {
            writeln!(out, "Errors     {}", grouped(self.errors.len()))?;
        }
        Ok(())
    }
}

/// The most frequent first, and the rest in one line when there are many.
fn by_count<K: ToString>(counts: &BTreeMap<K, usize>) -> Vec<(String, usize)> {
    const LINES: usize = 8;
    let mut rows: Vec<_> = counts.iter().map(|(what, &n)| (what.to_string(), n)).collect();
    rows.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
    if rows.len() > LINES {
        let others = rows.split_off(LINES - 1);
        rows.push((format!("{} others", others.len()), others.iter().map(|(_, n)| n).sum()));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_nothing_is_nothing() {
        assert_eq!(Moves::of(vec![]).median, 0);
        let moves = Moves::of(vec![5, 1, 9]);
        assert_eq!((moves.median, moves.shortest, moves.longest, moves.total), (5, 1, 9, 15));
    }
}
