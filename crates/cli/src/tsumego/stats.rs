//! `harie tsumego stats`: where the moves of problems are, and the patterns around them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use goban::{Board, Picture, Size};
use kifu::Problem;
use lab::tsumego::census::{Census, most_played};
use lab::tsumego::distribution::{Distribution, Spot, Tally};
use policy::grouped;
use serde_json::{Map, Value, json};
use shape::{Dictionary, Family};

use crate::{options, output};

const EXAMPLES: &str = "\
Examples:
  harie tsumego stats problems.sgf                    classes of points, a map, patterns
  harie tsumego stats problems.sgf --svg map.svg      the map as a picture
  harie tsumego stats problems.sgf --patterns 12      more patterns of each family
  harie tsumego stats problems.sgf --json > stats.json

A class of points is named by its lines: 2-1 is on the second line from one edge and the first from
the other, in any corner. The first player is who is to play in the problem. Patterns are drawn for
the player who moves at *: X own stones (SAME), O the other's (DIFF), . EMPTY, # OUT of the board.";

/// Say where the moves of problems are played and what they look like
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Stats {
    /// Problems: files or folders (.sgf, .gz, .zip)
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// How many patterns of each family are drawn
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = options::whole::<usize>)]
    patterns: usize,

    /// How many classes are listed
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = options::counted)]
    classes: usize,

    /// Write the map of the first player's moves to this file as well
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print JSON, with all classes
    #[arg(long)]
    json: bool,
}

impl Stats {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        output::check_all(&[self.svg.as_ref()], &self.files)?;
        let problems = super::problems(&self.files, super::Answers::Known)?;
        let mut distribution = Distribution::default();
        problems.iter().for_each(|problem| distribution.add(problem));
        let size = problems.iter().map(|problem| problem.board.size()).max().unwrap_or_default();
        let families = (1..=4).map(Family::neumann).chain((1..=4).map(Family::moore));
        let dictionaries: Vec<Dictionary> = families
            .map(|family| {
                let mut census = Census::new(family, false);
                problems.iter().for_each(|problem| census.add(problem));
                census.dictionary(1)
            })
            .collect();
        if let Some(path) = &self.svg {
            output::write(path, picture(&distribution.first, size).as_bytes())?;
        }
        if self.json {
            let value = self.json(&problems, &distribution, size, &dictionaries);
            writeln!(out, "{}", serde_json::to_string_pretty(&value)?)?;
            return Ok(());
        }
        self.print(out, &problems, &distribution, size, &dictionaries)
    }

    fn print(
        &self,
        out: &mut dyn Write,
        problems: &[Problem],
        distribution: &Distribution,
        size: Size,
        dictionaries: &[Dictionary],
    ) -> Result<()> {
        let moves = distribution.first.moves + distribution.second.moves;
        writeln!(out, "{} problems, {} moves", grouped(problems.len()), grouped(moves))?;
        let mut levels = BTreeMap::<&String, usize>::new();
        problems.iter().for_each(|problem| *levels.entry(&problem.level).or_default() += 1);
        for (level, count) in super::in_order(levels) {
            writeln!(out, "  {level:<14} {:>7}", grouped(count))?;
        }
        let mut columns = vec![("first player".to_owned(), &distribution.first)];
        if distribution.second.moves > 0 {
            columns.push(("second player".to_owned(), &distribution.second));
            let numbers = distribution.by_number.iter().enumerate().take(5);
            columns.extend(numbers.map(|(i, tally)| (format!("move {}", i + 1), tally)));
        }
        writeln!(out, "\nClasses of points, the most frequent first, in per cent:")?;
        for (name, _) in &columns {
            write!(out, "{name:<17}")?;
        }
        writeln!(out)?;
        let ranked: Vec<Vec<(Spot, usize)>> =
            columns.iter().map(|(_, tally)| tally.ranked()).collect();
        let rows = ranked.iter().map(Vec::len).max().unwrap_or(0).min(self.classes);
        for row in 0..rows {
            let mut line = String::new();
            for (ranked, (_, tally)) in ranked.iter().zip(&columns) {
                let cell = ranked.get(row).map(|&(spot, count)| {
                    let share = 100.0 * count as f64 / tally.moves.max(1) as f64;
                    format!("{spot:<5} {share:>6.3}")
                });
                line += &format!("{:<17}", cell.unwrap_or_default());
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        writeln!(out, "\nThe first player's moves, a corner of {size} in tenths of a per cent:")?;
        write!(out, "{}", map(&distribution.first, size))?;
        for dictionary in dictionaries {
            let family = dictionary.family();
            let kinds = dictionary.len();
            writeln!(out, "\n{family}: {} patterns; the most frequent:", grouped(kinds))?;
            for (pattern, counts) in most_played(dictionary, self.patterns) {
                let share = 100.0 * counts.played as f64 / moves.max(1) as f64;
                let times = if counts.played == 1 { "time" } else { "times" };
                writeln!(out, "{} {times}, {share:.2} %", grouped(counts.played))?;
                for line in pattern.draw(family).lines() {
                    writeln!(out, "  {line}")?;
                }
            }
        }
        Ok(())
    }

    fn json(
        &self,
        problems: &[Problem],
        distribution: &Distribution,
        size: Size,
        dictionaries: &[Dictionary],
    ) -> Value {
        let tally = |tally: &Tally| {
            let classes: Map<String, Value> = Spot::all(size)
                .into_iter()
                .map(|spot| {
                    let count = tally.spots.get(&spot).copied().unwrap_or(0);
                    (spot.to_string(), json!({ "moves": count, "share": tally.share(spot) }))
                })
                .collect();
            json!({ "moves": tally.moves, "classes": classes })
        };
        let mut levels = BTreeMap::<&str, usize>::new();
        problems.iter().for_each(|problem| *levels.entry(&problem.level).or_default() += 1);
        let families: Map<String, Value> = dictionaries
            .iter()
            .map(|dictionary| {
                let top: Vec<Value> = most_played(dictionary, self.patterns)
                    .into_iter()
                    .map(|(pattern, counts)| {
                        let drawing = pattern.draw(dictionary.family());
                        json!({ "times": counts.played, "drawing": drawing })
                    })
                    .collect();
                let found = json!({ "patterns": dictionary.len(), "most_frequent": top });
                (dictionary.family().name().to_owned(), found)
            })
            .collect();
        json!({
            "problems": problems.len(),
            "levels": levels,
            "first": tally(&distribution.first),
            "second": tally(&distribution.second),
            "by_number": distribution.by_number.iter().map(tally).collect::<Vec<_>>(),
            "patterns": families,
        })
    }
}

/// A corner of the board with the share of each class, in tenths of a per cent; all corners are one.
fn map(tally: &Tally, size: Size) -> String {
    let half = size.side().div_ceil(2);
    let mut text = String::new();
    for row in 1..=half {
        text += &format!("{row:>4} ");
        for column in 1..=half {
            let spot = Spot { high: row.max(column), low: row.min(column) };
            match (1000.0 * tally.share(spot)).round() as usize {
                0 if !tally.spots.contains_key(&spot) => text += "   .",
                share => text += &format!("{share:>4}"),
            }
        }
        text.push('\n');
    }
    text += "     ";
    (1..=half).for_each(|column| text += &format!("{column:>4}"));
    text.push('\n');
    text
}

/// The same as a picture of the whole board: the darker, the more frequent.
fn picture(tally: &Tally, size: Size) -> String {
    let board = Board::new(size);
    let most = tally.ranked().first().map_or(1.0, |&(spot, _)| tally.share(spot)) as f32;
    let title = format!("Where the first player moves in {} moves of problems", tally.moves);
    let mut picture = Picture::new(&board).title(title);
    for p in size.points() {
        let share = tally.share(Spot::of(p, size)) as f32;
        if share > 0.0 {
            picture = picture.shade(p, (share / most).sqrt());
            if share >= 0.01 {
                picture = picture.label(p, format!("{:.0}", 100.0 * share));
            }
        }
    }
    picture.to_svg()
}
