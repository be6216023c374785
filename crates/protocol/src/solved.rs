//! Questions for the solver, and what it found, as data and in words: for the command line, front ends and
//! questions in JSON.

use std::time::Duration;

use engine::Stop;
use goban::{Board, Color, Point, PointSet, Size};
use serde::Serialize;
use tsumego::{Goal, Line, MoveRater, Outcome, Question, Solution, Solver, Supply, Tried};

/// Memory for the positions of one question; freed when it is answered.
const MEMORY: usize = 64 << 20;

/// What front ends may say about a problem.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// What the player to move wants; the solver finds out if `None`.
    pub goal: Option<Goal>,
    /// A stone of each chain it is about.
    pub at: Vec<Point>,
    /// Where it is fought out.
    pub region: Option<PointSet>,
    /// Ko threats of the player to move and of the other.
    pub threats: Option<(Supply, Supply)>,
}

/// Solves one position for a front end; `rater` says what to read first.
///
/// # Errors
/// What cannot be solved, in words.
pub fn solve(
    board: &Board,
    to_play: Color,
    asked: &Asked,
    time: Duration,
    stop: &Stop,
    rater: &MoveRater<'_>,
) -> Result<Solution, String> {
    check(board, to_play, asked)?;
    let question = question(board, to_play, asked, time, stop);
    let solution = Solver::new(MEMORY).solve(&question, rater);
    if solution.is_too_large {
        return Err(TOO_LARGE.to_owned());
    }
    Ok(solution)
}

/// The question for the solver.
pub fn question<'a>(
    board: &'a Board,
    to_play: Color,
    asked: &Asked,
    time: Duration,
    stop: &Stop,
) -> Question<'a> {
    let Asked { goal, at, region, threats } = asked.clone();
    let stop = stop.clone();
    Question { goal, at, region, threats, stop, ..Question::new(board, to_play, time) }
}

/// Said where a room has more points than can be read.
pub const TOO_LARGE: &str = "that is too large to be read: (columns + 1) x rows may be 128 at most, stones around \
    counted, such as 12 columns and 9 rows; say a smaller region";

/// Whether the stones that it is about are there.
///
/// # Errors
/// What does not fit, in words.
pub fn check(board: &Board, to_play: Color, asked: &Asked) -> Result<(), String> {
    if asked.goal == Some(Goal::Ko) && asked.threats.is_some() {
        return Err(
            "the goal ko is about any number of threats; leave one of the two out".to_owned()
        );
    }
    let most = if asked.goal == Some(Goal::Connect) { 2 } else { 1 };
    if asked.at.len() > most {
        let hint = match (asked.goal, asked.at.len()) {
            (None, 2) => "; two chains are for the goal connect, which joins them",
            _ => "",
        };
        return Err(format!(
            "{} stones are too many: {most} is the most, one of each chain{hint}",
            asked.at.len()
        ));
    }
    let wanted = match asked.goal {
        Some(Goal::Live | Goal::Connect) => Some(to_play),
        Some(Goal::Kill | Goal::Capture) => Some(!to_play),
        _ => None,
    };
    for &p in &asked.at {
        match (board.cell(p).color(), wanted) {
            (None, _) => return Err(format!("there is no stone at {p}")),
            (Some(color), Some(wanted)) if color != wanted => {
                return Err(format!(
                    "the stone at {p} is {color}; for this goal it must be {wanted}"
                ));
            }
            _ => {}
        }
    }
    if let &[p, q] = asked.at.as_slice()
        && board.chain(p) == board.chain(q)
    {
        return Err(format!("{p} and {q} are one chain already"));
    }
    Ok(())
}

/// A goal by its name.
pub fn goal_named(text: &str) -> Option<Goal> {
    [Goal::Kill, Goal::Live, Goal::Ko, Goal::Capture, Goal::Connect]
        .into_iter()
        .find(|&known| goal(known).eq_ignore_ascii_case(text))
}

/// The names of the goals.
pub const GOALS: &str = "kill, live, ko, capture or connect";

/// Threats of the player to move and of the other, such as `1:0`.
///
/// # Errors
/// What is wanted, in words.
pub fn threats(text: &str) -> Result<(Supply, Supply), String> {
    let supply = |text: &str| match text.trim() {
        "0" | "none" => Some(Supply::Nothing),
        "1" | "one" => Some(Supply::One),
        "many" => Some(Supply::Many),
        _ => None,
    };
    match text.split_once(':').map(|(own, others)| (supply(own), supply(others))) {
        Some((Some(Supply::Many), Some(Supply::Many))) => {
            Err("many threats for both sides would never end; one of them has more".to_owned())
        }
        Some((Some(own), Some(others))) => Ok((own, others)),
        _ => Err("threats of the player to move and of the other are wanted, each 0, 1 or many, such as \
                  1:0"
        .to_owned()),
    }
}

/// Stones such as `C3` or `C3,E4`.
///
/// # Errors
/// What is wanted, in words.
pub fn stones(text: &str, size: Size) -> Result<Vec<Point>, String> {
    let points: Option<Vec<Point>> =
        text.split(',').map(|part| size.parse_point(part.trim())).collect();
    points.ok_or_else(|| format!("{text:?} is no stone of {size}, nor two such as C3,E4"))
}

/// A solution as JSON.
#[derive(Serialize)]
pub struct Solved {
    to_play: String,
    goal: &'static str,
    /// Where a ko for the goal was said to be enough.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ko_enough: bool,
    /// A stone of each chain it is about, where it is about one or two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    at: Vec<String>,
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
    /// Where the room was played out: the share of visits, and how often the goal was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<[f64; 2]>,
}

/// First moves that are told.
const TOLD: usize = 12;

impl Solved {
    /// A solution with its best line and its first moves.
    pub fn new(to_play: Color, solution: &Solution) -> Solved {
        let answer = solution.answer.map(|p| p.to_string());
        let best = solution.tried.first().map(|tried| moves(&tried.line)).unwrap_or_default();
        Solved {
            to_play: to_play.letter().to_string(),
            goal: goal(solution.goal),
            ko_enough: solution.is_ko_enough,
            at: solution.at.iter().map(Point::to_string).collect(),
            outcome: words(solution.outcome),
            proved: solution.is_proved,
            settled: solution.is_settled,
            seconds: (solution.time.as_secs_f64() * 1000.0).round() / 1000.0,
            nodes: solution.nodes,
            line: answer.iter().cloned().chain(best).collect(),
            answer,
            tried: solution.tried.iter().take(TOLD).map(|t| TriedMove::new(t, solution)).collect(),
        }
    }
}

impl TriedMove {
    fn new(tried: &Tried, solution: &Solution) -> TriedMove {
        let is_outside = !solution.room.is_empty() && !solution.room.contains(&tried.point);
        TriedMove {
            point: tried.point.to_string(),
            outcome: if is_outside && tried.outcome == Outcome::Open {
                "outside the room"
            } else {
                words(tried.outcome)
            },
            line: moves(&tried.line),
            looks: rounded(tried.looks),
            played: tried.played.map(|(share, winrate)| [rounded(share), rounded(winrate)]),
        }
    }
}

fn rounded(share: f32) -> f64 {
    (f64::from(share) * 1000.0).round() / 1000.0
}

/// How it ends.
pub fn words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Works => "works",
        Outcome::FavourableKo => "ko, they need two threats",
        Outcome::GoodKo => "ko",
        Outcome::OneThreatKo => "ko, needs one threat",
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
        Goal::Ko => "ko",
        Goal::Capture => "capture",
        Goal::Connect => "connect",
    }
}

/// What was found, in a sentence without its end.
pub fn sentence(to_play: Color, solution: &Solution, best: Point) -> String {
    let (player, opponent) = (to_play, !to_play);
    let chains: Vec<String> = solution.at.iter().map(Point::to_string).collect();
    let chains = chains.join(" and ");
    let mut aim = goal(solution.goal).to_owned();
    if !chains.is_empty() {
        aim = format!("{aim} {chains}");
    }
    if solution.is_ko_enough {
        aim += ", by a ko at least";
    }
    let asked = format!("{player} to {aim}");
    match solution.outcome {
        _ if solution.is_settled => {
            let done = match solution.goal {
                Goal::Kill => format!("{opponent} is dead"),
                Goal::Capture => format!("{chains} is as good as taken"),
                Goal::Connect => format!("{chains} are as good as one"),
                Goal::Live | Goal::Ko => format!("{player} lives"),
            };
            format!("{done} as it stands, in the room that was read; {best} looks best")
        }
        Outcome::Works => format!("{asked}: {best} works"),
        Outcome::FavourableKo => {
            format!("{asked}: {best} makes a ko; {opponent} needs two threats")
        }
        Outcome::GoodKo => format!("{asked}: {best} makes a ko; {opponent} needs a threat"),
        Outcome::OneThreatKo => {
            format!("{asked}: {best} works if {player} has one ko threat more than {opponent}")
        }
        Outcome::Ko => format!("{asked}: {best} makes a ko that {player} needs threats for"),
        Outcome::Fails => {
            format!("{player} cannot {aim} in the room that was read; {best} looks best")
        }
        Outcome::Open => format!("{asked}: not decided; {best} looks best"),
    }
}

/// Why there was nothing to read.
pub fn nothing(to_play: Color, solution: &Solution) -> String {
    match solution.goal {
        Goal::Connect => format!("there are no two chains of {to_play} here that could be joined"),
        Goal::Capture => format!("there is no chain of {} here that could be taken", !to_play),
        _ => "there is nothing that lives or dies here".to_owned(),
    }
}

/// A line with the colours of its moves, such as `B C3 W D4`.
pub fn colored(first: Color, line: &[String]) -> String {
    let colors = [first, !first];
    let moves = line.iter().enumerate();
    let moves: Vec<String> =
        moves.map(|(i, mv)| format!("{} {mv}", colors[i % 2].letter())).collect();
    moves.join(" ")
}

/// The moves of a line.
pub fn moves(line: &Line) -> Vec<String> {
    line.iter().map(|mv| mv.map_or("pass".to_owned(), |p| p.to_string())).collect()
}

/// A rectangle such as `A19-G14`.
///
/// # Errors
/// What is wanted, in words.
pub fn region(text: &str, size: Size) -> Result<PointSet, String> {
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
    let (columns, rows) = (a.x().abs_diff(b.x()) + 1, a.y().abs_diff(b.y()) + 1);
    if (u32::from(columns) + 1) * u32::from(rows) > MOST_CELLS {
        return Err(format!("{text}: {columns} columns and {rows} rows: {TOO_LARGE}"));
    }
    Ok(region)
}

/// What a room can have, with a spare column.
const MOST_CELLS: u32 = 128;
