//! `harie score`: how games stand at their ends: dead stones, seki, the score.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use engine::{Judgement, judge};
use goban::{Cell, Color, Game, Point, Size, result_text};
use kifu::{Corpus, Found, Margin, Outcome, Record, Tree, Warning};
use policy::{Use, grouped, many};
use protocol::replay;
use search::Models;
use serde::Serialize;

use crate::chosen::{advice, no_such_move, plain};
use crate::progress::Reading;
use crate::{options, records, weights};

const EXAMPLES: &str = "\
Examples:
  harie score game.sgf                          the last position: dead stones and the score
  harie score game.sgf --move 120               an estimate in the middle of a game
  harie score games.sgf.gz --every 54           every 54th game of many, against their results

Dead stones are found by playouts: a chain is dead if it is mostly the opponent's in the end. \
In a position that is not finished the score is an estimate of how it would end.";

/// Say how a game stands: dead stones, seki, the score
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Score {
    /// Game records (SGF, also .gz or .zip) or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// The position after this many moves [default: all]
    #[arg(long = "move", value_name = "N", value_parser = options::whole::<usize>)]
    number: Option<usize>,

    /// Look at every Nth game only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = options::counted)]
    every: usize,

    /// Look at so many games at most
    #[arg(long, value_name = "N", value_parser = options::counted)]
    limit: Option<usize>,

    /// Seed of the playouts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = options::whole::<u64>)]
    seed: u64,

    /// Print JSON, a line a game
    #[arg(long)]
    json: bool,
}

/// One game as JSON.
#[derive(Serialize)]
struct Line {
    file: String,
    game: usize,
    score: String,
    recorded: Option<String>,
    dead: Vec<String>,
    seki: Vec<String>,
}

/// Games whose recorded results can be compared, and how many agree.
#[derive(Default)]
struct Agreement {
    games: usize,
    counted: usize,
    same: usize,
    same_winner: usize,
}

impl Score {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        let mut models = BTreeMap::new();
        let mut corpus = Corpus::new(&self.files);
        // Every so many of the records, as many as are wanted.
        let bar =
            Reading::of_first(&corpus, self.limit.map(|most| most.saturating_mul(self.every)));
        let mut agreement = Agreement::default();
        let (mut seen, mut failed) = (0, 0);
        let mut warnings = Vec::new();
        let mut only: Option<(Game, Judgement, Record)> = None;
        let mut first = None;
        while let Some(found) = corpus.next() {
            bar.update(&corpus);
            let found = match found {
                Ok(found) => found,
                Err(error) => {
                    bar.warn(&format!("error: {error}"));
                    failed += 1;
                    continue;
                }
            };
            seen += 1;
            if !(seen - 1usize).is_multiple_of(self.every) {
                continue;
            }
            if self.limit.is_some_and(|most| agreement.games >= most) {
                break;
            }
            let Found { tree, warnings: mut odd } = found;
            let at = tree.origin().to_string();
            let (record, game) = match self.reach(&tree, &mut odd) {
                Ok(reached) => reached,
                Err(why) => {
                    bar.warn(&format!("error: {at}: {why:#}"));
                    failed += 1;
                    continue;
                }
            };
            warnings.extend(odd.iter().map(ToString::to_string));
            let models = models.entry(record.size).or_insert_with(|| ready(record.size));
            let judgement = judge(models, &game, self.seed).by_the_rules_of(&game);
            agreement.add(&judgement, &record, self.number.is_none());
            if self.json {
                let line = Line {
                    file: at,
                    game: seen,
                    score: result_text(judgement.score),
                    recorded: recorded(record.outcome),
                    dead: judgement.marks.dead.iter().map(|p| p.to_string()).collect(),
                    seki: judgement.marks.seki.iter().map(|p| p.to_string()).collect(),
                };
                bar.print(out, &serde_json::to_string(&line)?)?;
            } else {
                let said = recorded(record.outcome);
                let said = said.map_or(String::new(), |said| format!(", the record says {said}"));
                let line = format!("{at}: {}{said}", result_text(judgement.score));
                // One game alone is shown as a board.
                match agreement.games {
                    1 => first = Some(line),
                    _ => first
                        .take()
                        .into_iter()
                        .chain([line])
                        .try_for_each(|l| bar.print(out, &l))?,
                }
            }
            only = (agreement.games == 1).then_some((game, judgement, record));
        }
        drop(bar);
        let more = "'harie records --all-warnings' prints them";
        records::tell(&warnings, records::SHOWN, more);
        match (&only, agreement.games) {
            (_, 1..) if self.json => {}
            (Some((game, judgement, record)), _) => show(out, game, judgement, record)?,
            (None, 0) if failed == 0 => bail!("no game records were found"),
            (None, 0) => bail!("nothing could be counted"),
            (None, _) => agreement.print(out)?,
        }
        Ok(())
    }

    /// The position of a game that is asked about.
    fn reach(&self, tree: &Tree, odd: &mut Vec<Warning>) -> Result<(Record, Game)> {
        let record = Record::new(tree, odd)?;
        if let Some(why) = self.number.and_then(|number| no_such_move(&record, number)) {
            bail!(why);
        }
        let moves = self.number.unwrap_or(usize::MAX);
        let (_, game) =
            replay(&plain(&record), &record, moves).map_err(|why| anyhow!(advice(&why)))?;
        Ok((record, game))
    }
}

/// The models that come with Harie, ready for a board size.
pub fn ready(size: Size) -> Models {
    Models::new(weights::model(Use::Uct, size), weights::model(Use::Mc, size), size)
}

fn recorded(outcome: Outcome) -> Option<String> {
    let is_told = !matches!(outcome, Outcome::Void | Outcome::Unknown);
    is_told.then(|| outcome.to_string())
}

impl Agreement {
    fn add(&mut self, judgement: &Judgement, record: &Record, at_the_end: bool) {
        self.games += 1;
        let result = match record.outcome {
            Outcome::Win(Color::Black, Margin::Points(points)) => points,
            Outcome::Win(Color::White, Margin::Points(points)) => -points,
            Outcome::Draw => 0.0,
            _ => return,
        };
        if at_the_end {
            self.counted += 1;
            self.same += (judgement.score == result) as usize;
            let winner = |score: f32| score.partial_cmp(&0.0);
            self.same_winner += (winner(judgement.score) == winner(result)) as usize;
        }
    }

    fn print(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(
            out,
            "{}, {} with a counted result",
            many(self.games, "game"),
            grouped(self.counted)
        )?;
        if self.counted > 0 {
            let percent = |n: usize| 100.0 * n as f64 / self.counted as f64;
            let (same, winner) = (self.same, self.same_winner);
            writeln!(out, "{same:>6} ({:.1} %) have the score that was recorded", percent(same))?;
            writeln!(
                out,
                "{winner:>6} ({:.1} %) have the winner that was recorded",
                percent(winner)
            )?;
        }
        Ok(())
    }
}

/// The board with dead stones in small letters.
fn show(out: &mut dyn Write, game: &Game, judgement: &Judgement, record: &Record) -> Result<()> {
    let board = game.board();
    let side = board.size().side();
    let columns: String =
        (0..side).map(|x| format!(" {}", Point::new(x, 0).to_string().remove(0))).collect();
    writeln!(out, "  {columns}")?;
    for y in (0..side).rev() {
        write!(out, "{:>2}", y + 1)?;
        for x in 0..side {
            let p = Point::new(x, y);
            let letter = match (board.cell(p), judgement.marks.dead.contains(p)) {
                (Cell::Black, false) => 'X',
                (Cell::White, false) => 'O',
                (Cell::Black, true) => 'x',
                (Cell::White, true) => 'o',
                _ => match judgement.ownership[p] {
                    own if own > 0.5 => '+',
                    own if own < -0.5 => '-',
                    _ => '.',
                },
            };
            write!(out, " {letter}")?;
        }
        writeln!(out, " {}", y + 1)?;
    }
    writeln!(out, "  {columns}\n")?;
    writeln!(out, "x and o are dead, + and - are points of Black and of White.")?;
    if !judgement.marks.seki.is_empty() {
        let stones: Vec<String> = judgement.marks.seki.iter().map(|p| p.to_string()).collect();
        writeln!(out, "In seki: {}", stones.join(" "))?;
    }
    write!(out, "{} by {} with komi {}", result_text(judgement.score), game.rules(), game.komi())?;
    match recorded(record.outcome) {
        Some(result) => writeln!(out, "; the record says {result}")?,
        None => writeln!(out)?,
    }
    Ok(())
}
