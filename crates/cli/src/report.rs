//! `harie report`: results of other commands on one page.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use lab::ladder::Evaluation;
use lab::page::{LearningCurve, MatchShown, Page};
use lab::{RatingList, fault};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::output;
use crate::serve::standing;

const EXAMPLES: &str = "\
Examples:
  harie eval games.sgf.gz --json > eval.json
  harie eval --oracle 9.jsonl.gz --json > oracle.json
  harie rate --player … --out pool --json > ratings.json
  harie report eval.json oracle.json ratings.json against-gnugo/ curve.json -o report.html

Takes what 'harie eval --json', 'harie rate --json' and 'harie match --json' print, folders of \
'harie match --out' and of 'harie rate --out', and what 'harie train --curve FILE.json' \
writes, in any order. The page needs no network and names the command behind each of its \
parts.";

/// Put results on one page with tables and plots
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Report {
    /// Results: JSON files, and folders of matches
    #[arg(required = true)]
    inputs: Vec<PathBuf>,

    /// The page to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// The title of the page
    #[arg(long, value_name = "TEXT", default_value = "Harie: results")]
    title: String,
}

/// Everything there is to show.
#[derive(Default)]
pub struct Found {
    evaluations: Vec<Evaluation>,
    lists: Vec<RatingList>,
    matches: Vec<MatchShown>,
    curves: Vec<LearningCurve>,
}

impl Report {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        output::check(&self.output, &self.inputs)?;
        let mut found = Found::default();
        for path in &self.inputs {
            let known = match folder(path) {
                Some(path) => found.folder(path)?,
                None => found.file(path)?,
            };
            if !known {
                bail!(
                    "{}: this is no result of harie eval, rate, match or train; see 'harie help report'",
                    path.display()
                );
            }
        }
        let mut page = Page::new(&self.title);
        found.show(&mut page);
        write(&page, &self.output)?;
        writeln!(out, "Written to {}", self.output.display())?;
        Ok(())
    }
}

/// The folder that is meant: the path itself, or where it is if it is a file of a match.
fn folder(path: &Path) -> Option<&Path> {
    if path.is_dir() {
        return Some(path);
    }
    let folder = path.parent()?;
    let is_part = ["games.jsonl", "match.json"].iter().any(|name| path.ends_with(name));
    (is_part && folder.join("match.json").is_file()).then_some(folder)
}

/// Writes a page.
pub fn write(page: &Page, path: &Path) -> Result<()> {
    output::write(path, page.to_html().as_bytes())
}

impl Found {
    /// Puts it on a page.
    pub fn show(&self, page: &mut Page) {
        self.evaluations.iter().for_each(|evaluation| page.evaluation(evaluation));
        page.curves(&self.curves);
        self.lists.iter().for_each(|list| page.ratings(list));
        page.matches(&self.matches);
    }

    /// What the one thing is that there is, and how it stands in a line.
    pub fn about(&self) -> Option<(&'static str, String)> {
        if let Some(evaluation) = self.evaluations.first() {
            let names: Vec<&str> = evaluation.models.iter().map(|m| m.name.as_str()).collect();
            let size = evaluation.corpus.as_ref().map(|corpus| corpus.size);
            let size = size.or(evaluation.oracle.as_ref().map(|oracle| oracle.size));
            let Some(size) = size else {
                let suite = evaluation.suite.first().map(|f| (&f.name, f.positions));
                let told = evaluation.forecasts.first().map(|f| (&f.name, f.positions));
                let (name, positions) = suite.or(told)?;
                return Some(("evaluation", format!("{name} ×{positions}")));
            };
            return Some(("evaluation", format!("{} {size}×{size}", names.join(", "))));
        }
        if let Some(list) = self.lists.first() {
            let best = list.ratings.first()?;
            let text = format!("1. {} {:.0} ±{:.0}", best.player, best.elo, best.error);
            return Some(("ratings", text));
        }
        if let Some(curve) = self.curves.first() {
            let last = curve.curve.last()?;
            return Some((
                "curve",
                format!("{}: {}, {:.1} %", curve.name, last.pass, 100.0 * last.match1),
            ));
        }
        let MatchShown { header, tally } = self.matches.first()?;
        let text = format!("{} – {}: {}", header.first, header.second, standing(tally));
        Some(("match", text))
    }

    /// A folder of a match, or one with such folders in it.
    fn folder(&mut self, path: &Path) -> Result<bool> {
        if let Some(shown) = MatchShown::read(path)? {
            self.matches.push(shown);
            return Ok(true);
        }
        let entries = fs::read_dir(path).with_context(|| path.display().to_string())?;
        let mut folders: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|p| p.is_dir()).collect();
        folders.sort();
        let before = self.matches.len();
        for folder in folders {
            self.matches.extend(MatchShown::read(&folder)?);
        }
        Ok(self.matches.len() > before)
    }

    /// A file with one result; false if it is something else.
    pub fn file(&mut self, path: &Path) -> Result<bool> {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let value: Value = read(path, "any result of harie with --json", &bytes)?;
        let has = |name: &str| value.get(name).is_some();
        if ["models", "oracle", "fights", "forecasts"].into_iter().any(has) {
            self.evaluations.push(read(path, "what 'harie eval --json' prints", &bytes)?);
        } else if has("ratings") {
            self.lists.push(read(path, "what 'harie rate --json' prints", &bytes)?);
        } else if has("curve") {
            let wanted = "what 'harie train --curve FILE.json' writes";
            self.curves.push(read(path, wanted, &bytes)?);
        } else if let Some(shown) = MatchShown::from_json(&value) {
            self.matches.push(shown);
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

/// Reads JSON, or says where it is not what is wanted.
fn read<T: DeserializeOwned>(path: &Path, wanted: &str, bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| {
        let (file, why) = (path.display(), fault::at(&error));
        anyhow!("{file}, {why} (wanted is {wanted})")
    })
}
