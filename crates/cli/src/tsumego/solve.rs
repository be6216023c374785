//! `harie tsumego solve`: reads problems to the end, and says what is proved and what is a guess.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};
use goban::{Color, Diagram};
use kifu::Problem;
use serde::Serialize;
use tsumego::{Goal, Outcome, Question, Solution, Solver, Tried};

use crate::progress::Work;
use crate::solved::{Solved, goal, moves, region, words};
use crate::{interrupt, options, weights};

const EXAMPLES: &str = "\
Examples:
  harie tsumego solve problem.sgf                     the answer, its line, and why others fail
  harie tsumego solve problem.sgf --sgf solved.sgf    the same as variations of a record
  harie tsumego solve book.sgf --seconds 3            a table of many problems
  harie tsumego solve book.sgf --json > answers.jsonl
  harie tsumego solve fight.sgf --region A19-G14 --goal kill

The room that is read, who defends, and the goal are found out unless they are given. Everything
outside the room counts as stones of the attacker that cannot be taken. 'proved' means that in that
room one move works and every other one is refuted; without it the answer is a guess, by what moves
look like and by what was read so far. Ko: 'ko' is a ko that is won unless the other side finds a
threat, 'ko, needs threats' one that is won with threats. Seki counts as life.";

/// Solve problems: who lives, who dies, by which move
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Solve {
    /// Problems: files or folders (.sgf, .gz, .zip)
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Seconds for each problem at most
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = options::seconds)]
    seconds: f64,

    /// What the player to move wants [default: found out]
    #[arg(long, value_name = "GOAL")]
    goal: Option<Wanted>,

    /// The part of the board that is read, such as A19-G14 [default: found out]
    #[arg(long, value_name = "CORNERS")]
    region: Option<String>,

    /// Positions to look at for each question of the search at most (who wins, and for each first
    /// move whether it does): with this and enough seconds, results do not depend on the machine
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Memory for positions, in MB
    #[arg(long, value_name = "MB", default_value_t = 128, value_parser = clap::value_parser!(u16).range(1..=16_384))]
    memory: u16,

    /// What 'harie tsumego learn' made, for what moves look like [default: what comes with Harie]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// Write the problems with their solutions as variations to this file
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,

    /// Print a line of JSON for each problem
    #[arg(long)]
    json: bool,
}

/// What the player to move wants.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Wanted {
    /// Take stones
    Kill,
    /// Save stones
    Live,
}

/// One problem as JSON.
#[derive(Serialize)]
struct Row {
    problem: String,
    level: String,
    /// Whether the answer is one of the file's, where it has any.
    right: Option<bool>,
    #[serde(flatten)]
    solved: Solved,
}

impl Solve {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        let sight = weights::candidates(self.model.as_deref())?;
        let problems = super::problems(&self.files, super::Answers::Any)?;
        // What cannot be is told before anything is solved, and a file that is there is not touched
        // before there is something to write.
        let regions = problems
            .iter()
            .map(|problem| match &self.region {
                Some(text) => region(text, problem.board.size()).map(Some),
                None => Ok(None),
            })
            .collect::<Result<Vec<_>, String>>()
            .map_err(|why| anyhow!("--region {why}"))?;
        if let Some(path) = &self.sgf {
            fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .with_context(|| format!("{} cannot be written", path.display()))?;
        }
        let stop = interrupt::flag();
        let mut solver = Solver::new(usize::from(self.memory) << 20);
        let bar = Work::new("Solving", problems.len() as u64, "problems/s");
        let alone = problems.len() == 1;
        let mut score = Score::default();
        let mut records = String::new();
        for (i, problem) in problems.iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                bar.line(&format!("stopped; {i} of {} problems are done", problems.len()));
                break;
            }
            let question = Question {
                board: &problem.board,
                to_play: problem.to_play,
                goal: self.goal.map(|wanted| match wanted {
                    Wanted::Kill => Goal::Kill,
                    Wanted::Live => Goal::Live,
                }),
                region: regions[i],
                time: Duration::from_secs_f64(self.seconds),
                nodes: self.nodes.unwrap_or(u64::MAX),
            };
            let solution = solver.solve(&question, &|board, color| sight.rate(board, color));
            let right = solution
                .answer
                .filter(|_| !problem.answers.is_empty())
                .map(|answer| problem.answers.contains(&answer));
            score.count(&problem.level, solution.is_proved, right);
            if self.json {
                let row = Row {
                    problem: title(problem),
                    level: problem.level.clone(),
                    right,
                    solved: Solved::new(problem.to_play, &solution),
                };
                writeln!(out, "{}", serde_json::to_string(&row)?)?;
            } else if alone {
                tell(out, problem, &solution, right)?;
            } else {
                if i == 0 {
                    writeln!(
                        out,
                        "{:<34} {:>6}  {:<18} {:<7} right",
                        "problem", "answer", "outcome", "proved"
                    )?;
                }
                let answer = solution.answer.map_or("-".to_owned(), |p| p.to_string());
                let right = right.map_or("?", |right| if right { "yes" } else { "no" });
                let proved = if solution.is_proved { "yes" } else { "no" };
                writeln!(
                    out,
                    "{:<34} {answer:>6}  {:<18} {proved:<7} {right}",
                    shortened(&format!("{}/{}", problem.level, problem.name), 34),
                    words(solution.outcome),
                )?;
            }
            if self.sgf.is_some() {
                records.push_str(&record(problem, &solution));
            }
            bar.set(i as u64 + 1);
        }
        drop(bar);
        if !self.json && !alone {
            score.print(out)?;
        }
        if let Some(path) = &self.sgf {
            fs::write(path, records)
                .with_context(|| format!("{} cannot be written", path.display()))?;
        }
        Ok(())
    }
}

/// How many were right.
#[derive(Default)]
struct Score {
    levels: std::collections::BTreeMap<String, [usize; 4]>,
}

impl Score {
    fn count(&mut self, level: &str, proved: bool, right: Option<bool>) {
        let Some(right) = right else { return };
        let counts = self.levels.entry(level.to_owned()).or_default();
        counts[0] += 1;
        counts[1] += usize::from(right);
        counts[2] += usize::from(proved);
        counts[3] += usize::from(proved && right);
    }

    fn print(&self, out: &mut dyn Write) -> Result<()> {
        if self.levels.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        let mut all = [0; 4];
        for (level, counts) in super::in_order(&self.levels) {
            all.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
            line_of_score(out, level, counts)?;
        }
        if self.levels.len() > 1 {
            line_of_score(out, "all", &all)?;
        }
        Ok(())
    }
}

fn line_of_score(out: &mut dyn Write, level: &str, counts: &[usize; 4]) -> Result<()> {
    let [all, right, proved, proved_right] = *counts;
    let share = 100.0 * right as f64 / all as f64;
    writeln!(
        out,
        "{level:<14} {right} of {all} right ({share:.1} %), {proved} proved, {proved_right} of these right"
    )?;
    Ok(())
}

/// As GN has it.
fn title(problem: &Problem) -> String {
    format!("{}/{}/{}", problem.level, problem.collection, problem.name)
}

/// Tries that are shown with their refutations.
const SHOWN: usize = 5;

/// One problem in words.
fn tell(
    out: &mut dyn Write,
    problem: &Problem,
    solution: &Solution,
    right: Option<bool>,
) -> Result<()> {
    writeln!(out, "{}", Diagram::new(&problem.board))?;
    let player = if problem.to_play == Color::Black { "Black" } else { "White" };
    let aim = goal(solution.goal);
    let Some(best) = solution.tried.first() else {
        writeln!(out, "{player} has no move.")?;
        return Ok(());
    };
    let opponent = if problem.to_play == Color::Black { "White" } else { "Black" };
    let what = match solution.outcome {
        _ if solution.room.is_empty() => {
            format!("there is nothing that lives or dies here; {} looks best", best.point)
        }
        _ if solution.is_settled => {
            let done = if solution.goal == Goal::Kill {
                format!("{opponent} is dead")
            } else {
                format!("{player} lives")
            };
            format!("{done} as it stands, in the room that was read; {} looks best", best.point)
        }
        Outcome::Works => format!("{player} to {aim}: {} works", best.point),
        Outcome::GoodKo => {
            format!("{player} to {aim}: {} makes a ko; {opponent} needs a threat", best.point)
        }
        Outcome::Ko => {
            format!("{player} to {aim}: {} makes a ko that {player} needs threats for", best.point)
        }
        Outcome::Fails => {
            format!("{player} cannot {aim} in the room that was read; {} looks best", best.point)
        }
        Outcome::Open => format!("{player} to {aim}: not decided; {} looks best", best.point),
    };
    let sure =
        if solution.is_proved { "proved: every other move is refuted" } else { "not proved" };
    writeln!(out, "{what} ({sure}).")?;
    if let Some(right) = right {
        let says = if right { "agrees" } else { "has another answer" };
        writeln!(out, "The file {says}.")?;
    }
    if !best.line.is_empty() {
        writeln!(out, "\n  {} {}", best.point, moves(&best.line).join(" "))?;
    }
    let mut obvious: Vec<&Tried> = solution
        .tried
        .iter()
        .filter(|tried| tried.outcome == Outcome::Fails && !tried.line.is_empty())
        .collect();
    obvious.sort_by(|a, b| b.looks.total_cmp(&a.looks));
    if !obvious.is_empty() {
        writeln!(out, "\nWhy not:")?;
    }
    for tried in obvious.iter().take(SHOWN) {
        writeln!(out, "  {} {}", tried.point, moves(&tried.line).join(" "))?;
    }
    writeln!(
        out,
        "\n{} positions in {:.1} s; a room of {} points.",
        policy::grouped(solution.nodes as usize),
        solution.time.as_secs_f64(),
        solution.room.len()
    )?;
    Ok(())
}

/// A problem with its solution as a record.
fn record(problem: &Problem, solution: &Solution) -> String {
    let size = problem.board.size();
    let mut tree = kifu::Tree::new();
    let root = tree.root();
    let stones = |color: Color| {
        size.points()
            .filter(move |&p| problem.board.cell(p).color() == Some(color))
            .map(move |p| kifu::point_text(p, size))
            .collect::<Vec<String>>()
    };
    let set = |tree: &mut kifu::Tree, node, name: &str, values: Vec<String>| {
        tree.set(node, name, values.iter().map(String::as_str)).expect("a good name");
    };
    set(&mut tree, root, "SZ", vec![size.side().to_string()]);
    set(&mut tree, root, "GN", vec![title(problem)]);
    set(&mut tree, root, "AB", stones(Color::Black));
    set(&mut tree, root, "AW", stones(Color::White));
    set(&mut tree, root, "PL", vec![problem.to_play.letter().to_string()]);
    let good = solution
        .tried
        .iter()
        .enumerate()
        .filter(|(i, tried)| *i == 0 || tried.outcome < Outcome::Fails);
    let refuted = solution.tried.iter().enumerate().skip(1);
    let refuted = refuted.filter(|(_, tried)| tried.outcome == Outcome::Fails).take(2 * SHOWN);
    for (i, tried) in good.chain(refuted) {
        let mut node = root;
        let mut color = problem.to_play;
        for (k, mv) in std::iter::once(&Some(tried.point)).chain(&tried.line).enumerate() {
            node = tree.add_move(node, color, *mv, size);
            if k == 0 {
                let mark = match tried.outcome {
                    Outcome::Fails => "Wrong".to_owned(),
                    Outcome::Open => format!("A guess: {}", words(tried.outcome)),
                    _ if i == 0 || tried.outcome == solution.outcome => {
                        format!("Correct: {}", words(tried.outcome))
                    }
                    _ => words(tried.outcome).to_owned(),
                };
                set(&mut tree, node, "C", vec![mark]);
            }
            color = !color;
        }
    }
    tree.to_sgf() + "\n"
}

/// Text of a width at most.
fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}
