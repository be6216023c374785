//! What the solver found, as data and in words, for the command line, front ends and questions in
//! JSON.

use std::time::Duration;

use anyhow::Result;
use goban::{Board, Color, Point, PointSet, Size};
use serde::Serialize;
use tsumego::{Goal, Line, Outcome, Question, Solution, Solver, Tried};

use crate::weights;

/// Memory for the positions of one question; freed when it is answered.
const MEMORY: usize = 64 << 20;

/// Solves one position for a front end, with what comes with Harie.
pub fn solve(
    board: &Board,
    to_play: Color,
    region: Option<PointSet>,
    time: Duration,
) -> Result<Solution> {
    let sight = weights::candidates(None)?;
    let question = Question { board, to_play, goal: None, region, time, nodes: u64::MAX };
    Ok(Solver::new(MEMORY).solve(&question, &|board, color| sight.rate(board, color)))
}

/// A solution as JSON.
#[derive(Serialize)]
pub struct Solved {
    to_play: String,
    goal: &'static str,
    answer: Option<String>,
    outcome: &'static str,
    proved: bool,
    /// The player to move has what it wants without a move.
    settled: bool,
    seconds: f64,
    nodes: u64,
    line: Vec<String>,
    tried: Vec<TriedMove>,
}

#[derive(Serialize)]
struct TriedMove {
    #[serde(rename = "move")]
    point: String,
    outcome: &'static str,
    line: Vec<String>,
    looks: f64,
}

/// First moves that are told.
const TOLD: usize = 12;

impl Solved {
    pub fn new(to_play: Color, solution: &Solution) -> Solved {
        let answer = solution.answer.map(|p| p.to_string());
        let best = solution.tried.first().map(|tried| moves(&tried.line)).unwrap_or_default();
        Solved {
            to_play: to_play.letter().to_string(),
            goal: goal(solution.goal),
            outcome: words(solution.outcome),
            proved: solution.is_proved,
            settled: solution.is_settled,
            seconds: (solution.time.as_secs_f64() * 1000.0).round() / 1000.0,
            nodes: solution.nodes,
            line: answer.iter().cloned().chain(best).collect(),
            answer,
            tried: solution.tried.iter().take(TOLD).map(TriedMove::new).collect(),
        }
    }
}

impl TriedMove {
    fn new(tried: &Tried) -> TriedMove {
        TriedMove {
            point: tried.point.to_string(),
            outcome: words(tried.outcome),
            line: moves(&tried.line),
            looks: (f64::from(tried.looks) * 1000.0).round() / 1000.0,
        }
    }
}

/// How it ends.
pub fn words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Works => "works",
        Outcome::GoodKo => "ko",
        Outcome::Ko => "ko, needs threats",
        Outcome::Fails => "fails",
        Outcome::Open => "not decided",
    }
}

/// What the player to move wants.
pub fn goal(goal: Goal) -> &'static str {
    match goal {
        Goal::Kill => "kill",
        Goal::Live => "live",
    }
}

/// The moves of a line.
pub fn moves(line: &Line) -> Vec<String> {
    line.iter().map(|mv| mv.map_or("pass".to_owned(), |p| p.to_string())).collect()
}

/// A rectangle such as `A19-G14`.
pub fn region(text: &str, size: Size) -> std::result::Result<PointSet, String> {
    let corners: Option<Vec<Point>> = text.split('-').map(|part| size.parse_point(part)).collect();
    let Some(&[a, b]) = corners.as_deref() else {
        return Err(format!(
            "{text:?} is no region: two corners of a rectangle on the board, such as A{}-D{}",
            size.side(),
            size.side().saturating_sub(3).max(1)
        ));
    };
    let within = |v: u8, a: u8, b: u8| (a.min(b)..=a.max(b)).contains(&v);
    let mut region = PointSet::default();
    for p in size.points() {
        if within(p.x(), a.x(), b.x()) && within(p.y(), a.y(), b.y()) {
            region.insert(p);
        }
    }
    Ok(region)
}
