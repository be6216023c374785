//! `harie tsumego solve`: reads problems to the end, and says what is proved and what is a guess.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use engine::Stop;
use goban::{Color, Diagram, Point};
use kifu::{Problem, Tree};
use protocol::solved::{self, Asked, Solved, colored, moves, region, words};
use search::Models;
use serde::Serialize;
use tsumego::{Goal, Outcome, Question, Solution, Solver, Supply, Tried};

use crate::progress::Work;
use crate::{interrupt, options, output, weights};

const EXAMPLES: &str = "\
Examples:
  harie tsumego solve problem.sgf                     the answer, its line, and why others fail
  harie tsumego solve problem.sgf --sgf solved.sgf    the same as variations of a record
  harie tsumego solve book.sgf --seconds 3            a table of many problems
  harie tsumego solve book.sgf --json > answers.jsonl
  harie tsumego solve fight.sgf --region A19-G14 --goal kill
  harie tsumego solve cut.sgf --goal connect --at C3,E4
  harie tsumego solve book.sgf --threats 1:0          with one ko threat for the player to move

The room that is read, who defends, and the goal are found out unless they are given. What is
outside the room counts as stones of the attacker that cannot be taken, except stones of the
defender on the open side: they live, and reaching them is life. So a --region should hold the
whole group that it is about. 'proved' means that in that room one move works and every other
one is refuted; without it the answer is a guess, by what moves look like, by what was read so
far and by playing the room out (not with --guess looks). A line ends where the search knows the
result: stones are taken or cannot be saved, two eyes are there, or no move is left that changes
anything; this may be after a move of either side.

Ko: 'ko' is won unless the other side finds a threat ('they need two threats': unless it finds
two), 'ko, needs one threat' with one threat more than the other side has, 'ko, needs threats'
with several. Seki counts as life.

Goals: kill and live are about all stones of one side, or the chain of --at; ko is the same with
a ko being enough; capture takes one chain off, connect makes two chains one. Which chains are
meant is what --at says, or marks on stones (TR, SQ, CR or MA), or it is found out: chains short
of liberties, and pairs that are near each other, the first that a move decides.";

/// Solve problems: who lives, who dies, by which move
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Solve {
    /// Problems: files or folders (.sgf, .gz, .zip)
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Seconds for each problem at most
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = options::seconds,
        allow_negative_numbers = true)]
    seconds: f64,

    /// What the player to move wants [default: found out]
    #[arg(long, value_name = "GOAL")]
    goal: Option<Wanted>,

    /// A stone of the chain it is about, or two stones whose chains are to be joined, such as C3,E4
    /// [default: found out]
    #[arg(long, value_name = "STONES")]
    at: Option<String>,

    /// Ko threats of the player to move and of the other, each 0, 1 or many, such as 1:0 [default: the
    /// answer says how many are needed]
    #[arg(long, value_name = "OWN:OTHER", value_parser = solved::threats,
        allow_hyphen_values = true)]
    threats: Option<(Supply, Supply)>,

    /// What is given where nothing is proved: what looks best, or also by what wins most when the room
    /// is played out
    #[arg(long, value_name = "HOW", default_value = "playouts")]
    guess: Guess,

    /// The part of the board that is read, such as A19-G14 [default: found out]
    #[arg(long, value_name = "CORNERS")]
    region: Option<String>,

    /// Positions to look at for each question of the search at most (who wins, and for each first
    /// move whether it does): with this and enough seconds, results do not depend on the machine
    #[arg(long, value_name = "N", value_parser = positions,
        allow_negative_numbers = true)]
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
    /// One of these, or at least a ko for it
    Ko,
    /// Take one chain
    Capture,
    /// Join two chains
    Connect,
}

/// What is given where nothing is proved.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Guess {
    // No help for each, or the help of all options gets twice as long.
    Looks,
    Playouts,
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
        let problems = super::problems_and_trees(&self.files, super::Answers::Any)?;
        // What cannot be is told before anything is solved, and a file that is there is not touched
        // before there is something to write.
        let asked = problems
            .iter()
            .map(|(problem, tree)| self.asked(problem, tree))
            .collect::<Result<Vec<_>>>()?;
        if let Some(path) = &self.sgf {
            output::check(path, &self.files)?;
        }
        let stop = Stop::from(interrupt::flag());
        let mut models: BTreeMap<u8, Arc<Models>> = BTreeMap::new();
        let mut solver = Solver::new(usize::from(self.memory) << 20);
        let bar = Work::new("Solving", problems.len() as u64, "problems");
        let alone = problems.len() == 1;
        let mut score = Score::default();
        let mut records = String::new();
        let mut done = 0;
        let mut told = Ok(());
        for (i, (problem, tree)) in problems.iter().enumerate() {
            if self.guess == Guess::Playouts {
                let size = problem.board.size();
                let models = models.entry(size.side()).or_insert_with(|| weights::models(size));
                solver = solver.with_models(Arc::clone(models));
            }
            let time = Duration::from_secs_f64(self.seconds);
            let question = Question {
                nodes: self.nodes.unwrap_or(u64::MAX),
                ..solved::question(&problem.board, problem.to_play, &asked[i], time, &stop)
            };
            let solution = solver.solve(&question, &|board, color| sight.rate(board, color));
            // An answer that was cut short is not what this program thinks of the problem.
            if stop.is_raised() && !alone {
                break;
            }
            let is_nothing = solution.room.is_empty() && !solution.is_too_large;
            let is_special = matches!(asked[i].goal, Some(Goal::Capture | Goal::Connect));
            if alone && is_nothing && (is_special || asked[i].region.is_some()) {
                drop(bar);
                bail!("{}", solved::nothing(problem.to_play, &solution));
            }
            if solution.is_too_large {
                bar.line(&format!("{}: {}", title(problem), solved::TOO_LARGE));
            }
            let right = solution
                .answer
                .filter(|_| !problem.answers.is_empty())
                .map(|answer| problem.answers.contains(&answer));
            score.count(&problem.level, solution.is_proved, right);
            if self.sgf.is_some() {
                records.push_str(&record(problem, tree, &solution));
            }
            done = i + 1;
            told = self.say(out, problem, &solution, right, (i, alone));
            bar.set(done as u64);
            if stop.is_raised() || told.is_err() {
                break;
            }
        }
        drop(bar);
        if !self.json && !alone {
            told = told.and_then(|()| score.print(out));
        }
        // What was there is worth more than nothing, and than a part.
        if let Some(path) = self.sgf.as_ref().filter(|_| done > 0) {
            let part = (stop.is_raised() || done < problems.len()) && path.exists();
            let path = if part { &output::beside(path, ".unfinished") } else { path };
            output::write(path, records.as_bytes())?;
            if part {
                eprintln!("the part that was solved is in {}", path.display());
            }
        }
        // Whoever listened may have gone; the records are written all the same.
        told?;
        if stop.is_raised() {
            out.flush()?;
            let cut = if alone { "; the answer is what was known by then" } else { "" };
            bail!("stopped after {done} of {} problems{cut}", problems.len());
        }
        Ok(())
    }

    /// Tells of a problem: the how-manieth, and whether it is the only one.
    fn say(
        &self,
        out: &mut dyn Write,
        problem: &Problem,
        solution: &Solution,
        right: Option<bool>,
        (i, alone): (usize, bool),
    ) -> Result<()> {
        if self.json {
            let row = Row {
                problem: title(problem),
                level: problem.level.clone(),
                right,
                solved: Solved::new(problem.to_play, solution),
            };
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
            return Ok(());
        }
        if alone {
            return tell(out, problem, solution, right);
        }
        if i == 0 {
            writeln!(
                out,
                "{:<34} {:>6}  {:<25} {:<7} right",
                "problem", "answer", "outcome", "proved"
            )?;
        }
        let answer = solution.answer.map_or("-".to_owned(), |p| p.to_string());
        let right = right.map_or("?", |right| if right { "yes" } else { "no" });
        let proved = if solution.is_proved { "yes" } else { "no" };
        writeln!(
            out,
            "{:<34} {answer:>6}  {:<25} {proved:<7} {right}",
            shortened(&format!("{}/{}", problem.level, problem.name), 34),
            words(solution.outcome),
        )?;
        Ok(())
    }

    /// What is asked of a problem.
    fn asked(&self, problem: &Problem, tree: &Tree) -> Result<Asked> {
        let size = problem.board.size();
        let goal = self.goal.map(|wanted| match wanted {
            Wanted::Kill => Goal::Kill,
            Wanted::Live => Goal::Live,
            Wanted::Ko => Goal::Ko,
            Wanted::Capture => Goal::Capture,
            Wanted::Connect => Goal::Connect,
        });
        let region = self.region.as_ref().map(|text| region(text, size)).transpose();
        let region = region.map_err(|why| anyhow!("--region {why}"))?;
        let at = match &self.at {
            Some(text) => solved::stones(text, size).map_err(|why| anyhow!("--at {why}"))?,
            // Marks are for taking and joining: where life is at stake they mark anything.
            None if matches!(goal, Some(Goal::Capture | Goal::Connect)) => {
                marked(problem, tree, goal)
            }
            None => Vec::new(),
        };
        let asked = Asked { goal, at, region, threats: self.threats };
        solved::check(&problem.board, problem.to_play, &asked)
            .map_err(|why| anyhow!("--at {}: {why}", self.at.as_deref().unwrap_or("")))?;
        Ok(asked)
    }
}

/// A stone of each chain that is marked, if they fit the goal.
fn marked(problem: &Problem, tree: &Tree, goal: Option<Goal>) -> Vec<Point> {
    let (color, chains) = match goal {
        Some(Goal::Capture) => (!problem.to_play, 1),
        _ => (problem.to_play, 2),
    };
    let (board, root) = (&problem.board, tree.root());
    let mut found: Vec<Point> = Vec::new();
    for name in ["TR", "SQ", "CR", "MA"] {
        for value in tree.values(root, name) {
            let text = value.raw();
            let is_marked = |&p: &Point| kifu::point_text(p, board.size()) == text;
            let Some(p) = board.size().points().find(is_marked) else { continue };
            let is_new = found.iter().all(|&q| board.chain(q) != board.chain(p));
            if board.cell(p).color() == Some(color) && is_new {
                found.push(p);
            }
        }
    }
    if found.len() == chains { found } else { Vec::new() }
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
    let Some(best) = solution.tried.first().filter(|_| !solution.room.is_empty()) else {
        let why = if solution.is_too_large {
            solved::TOO_LARGE
        } else {
            &solved::nothing(problem.to_play, solution)
        };
        match solution.answer {
            Some(answer) => writeln!(out, "{why}; {answer} looks best.")?,
            None => writeln!(out, "{why}.")?,
        }
        return Ok(());
    };
    let what = solved::sentence(problem.to_play, solution, best.point);
    let sure = match (solution.is_proved, solution.unknown()) {
        (false, _) => "not proved".to_owned(),
        (true, 0) => "proved: every other move is refuted".to_owned(),
        (true, unknown) => {
            format!("proved: every other move that was read is refuted; not read: {unknown}")
        }
    };
    writeln!(out, "{what} ({sure}).")?;
    if let Some(right) = right {
        let says = if right { "agrees" } else { "has another answer" };
        writeln!(out, "The file {says}.")?;
    }
    if !best.line.is_empty() {
        writeln!(out, "\n  {}", colored(problem.to_play, &whole(best)))?;
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
        writeln!(out, "  {}", colored(problem.to_play, &whole(tried)))?;
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

/// A move and how play goes on.
fn whole(tried: &Tried) -> Vec<String> {
    std::iter::once(tried.point.to_string()).chain(moves(&tried.line)).collect()
}

/// A problem with its solution as a record. What the file says about the problem stays: its name, its comment and
/// whatever else its first node has.
fn record(problem: &Problem, original: &Tree, solution: &Solution) -> String {
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
    for property in original.properties(original.root()) {
        let values: Vec<String> =
            property.values().map(|value| value.text().into_owned()).collect();
        set(&mut tree, root, property.name(), values);
    }
    if original.value(original.root(), "SZ").is_none() {
        set(&mut tree, root, "SZ", vec![size.side().to_string()]);
    }
    if original.value(original.root(), "GN").is_none() {
        set(&mut tree, root, "GN", vec![title(problem)]);
    }
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

/// How many positions may be looked at.
fn positions(text: &str) -> std::result::Result<u64, String> {
    let number = text.parse().ok().filter(|&n| n > 0);
    number.ok_or_else(|| "a whole number from 1 up is wanted".to_owned())
}

/// Text of a width at most.
fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}
