//! `harie tsumego`: problems of life and death. Statistics of them, ways to guess their answers, and
//! learning those; a file for each.

mod learn;
mod solve;
mod stats;
mod test;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use kifu::{Corpus, Problem, Tree};
use policy::grouped;

use crate::progress::Reading;

const EXAMPLES: &str = "\
Examples:
  harie tsumego solve problem.sgf        the answer, and why other moves fail
  harie tsumego test problems.sgf        how often methods that only look find the answer
  harie tsumego stats problems.sgf       where answers are, and what they look like
  harie tsumego learn problems.sgf       learn from problems of your own

A problem is a record with stones set up; its variations are the answers: those marked Correct,
RIGHT or 正解 if some are, else those not marked Wrong. GN[level/collection/name] says what it is.
docs/tsumego.md says more.";

/// Study and solve problems of life and death
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Tsumego {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Stats(stats::Stats),
    Learn(learn::Learn),
    Test(test::Test),
    Solve(solve::Solve),
}

impl Tsumego {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        match self.command {
            Command::Stats(stats) => stats.run(out),
            Command::Learn(learn) => learn.run(out),
            Command::Test(test) => test.run(out),
            Command::Solve(solve) => solve.run(out),
        }
    }
}

/// Warnings that are printed.
const SHOWN: usize = 5;

/// Which problems are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answers {
    /// Those that have an answer.
    Known,
    /// All.
    Any,
}

/// The problems of files. What is odd is told on standard error.
fn problems(files: &[PathBuf], answers: Answers) -> Result<Vec<Problem>> {
    Ok(problems_and_trees(files, answers)?.into_iter().map(|(problem, _)| problem).collect())
}

/// The problems of files with the records they were read from.
fn problems_and_trees(files: &[PathBuf], answers: Answers) -> Result<Vec<(Problem, Tree)>> {
    let mut corpus = Corpus::new(files);
    let bar = Reading::new(&corpus);
    let (mut problems, mut warnings) = (Vec::new(), Vec::new());
    let (mut others, mut unanswered, mut failed) = (Vec::new(), 0, false);
    while let Some(found) = corpus.next() {
        bar.update(&corpus);
        match found {
            Ok(found) => {
                let mut odd = found.warnings;
                match Problem::new(&found.tree, &mut odd) {
                    Ok(problem) if answers == Answers::Known && problem.answers.is_empty() => {
                        unanswered += 1;
                    }
                    Ok(problem) => problems.push((problem, found.tree)),
                    Err(why) => others.push(format!("{}: {why}", found.tree.origin())),
                }
                warnings.extend(odd.iter().map(ToString::to_string));
            }
            Err(error) => {
                bar.warn(&format!("error: {error}"));
                failed = true;
            }
        }
    }
    drop(bar);
    if problems.is_empty() {
        match others.first() {
            Some(other) => bail!("there is no problem here; {other}"),
            None if unanswered == 1 => bail!("the only problem here has no answer"),
            None if unanswered > 0 => {
                bail!("none of the {} problems has an answer", grouped(unanswered))
            }
            None if failed => bail!("no problem could be read"),
            None => bail!("no records were found: there is no .sgf, .gz or .zip file here"),
        }
    }
    // What is left out comes first: it matters more than what is odd.
    others.append(&mut warnings);
    let warnings = others;
    for warning in warnings.iter().take(SHOWN) {
        eprintln!("warning: {warning}");
    }
    if warnings.len() > SHOWN {
        eprintln!("warning: and {} more", grouped(warnings.len() - SHOWN));
    }
    if unanswered > 0 {
        let (many, have) = if unanswered == 1 {
            ("1 problem".to_owned(), "has no answer and is")
        } else {
            (format!("{} problems", grouped(unanswered)), "have no answer and are")
        };
        eprintln!("warning: {many} {have} left out");
    }
    Ok(problems)
}

/// The levels of problems in the order of their difficulty, others after those that are known.
fn in_order<'a, T>(levels: impl IntoIterator<Item = (&'a String, T)>) -> Vec<(&'a str, T)> {
    const KNOWN: [&str; 5] = ["beginner", "intermediate", "advanced", "tesuji", Problem::UNRATED];
    let place = |level: &str| KNOWN.iter().position(|&known| known == level);
    let mut levels: Vec<(&str, T)> =
        levels.into_iter().map(|(level, value)| (level.as_str(), value)).collect();
    levels.sort_by_key(|&(level, _)| (place(level).unwrap_or(KNOWN.len()), level));
    levels
}
