//! The solver for problems, on the position of the game.

use std::fmt::Write;
use std::time::Duration;

use gtp::{Arguments, By, Talk};
use tsumego::Outcome;

use super::think::color_or_turn;
use super::{Commands, Reply, Session};
use crate::limits;
use crate::solved::{self, Asked, GOALS, goal_named, region, stones, threats};

pub const COMMANDS: Commands = &[("harie-solve", solve)];

/// Seconds when none are given.
const USUAL: Duration = Duration::from_secs(10);

/// Moves that are marked.
const MARKED: usize = 10;

/// `harie-solve [COLOR] [GOAL] [STONES] [CORNERS] [THREATS] [SECONDS]`, for example `harie-solve black kill
/// A19-E15 5` or `harie-solve connect C3,E4`: marks what works and what is refuted, and shows the line. As with
/// `genmove`, `stop` or `# interrupt` ends it, with what is known by then: scripts send the next command at once.
fn solve(session: &mut Session, mut arguments: Arguments<'_>, talk: &mut Talk<'_>) -> Reply {
    let color = color_or_turn(session, &mut arguments);
    let size = session.size();
    let mut asked = Asked::default();
    let mut time = USUAL;
    while let Some(word) = arguments.peek() {
        let fail = |why: String| gtp::Failure::new(why);
        let is_time = word.strip_prefix('-').unwrap_or(word);
        let is_time = is_time.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let is_range = word.trim_start_matches('-').contains('-');
        let once = |again: bool, what: &str| match again {
            true => Err(fail(format!("syntax error: a second {what}, '{word}'; one is wanted"))),
            false => Ok(()),
        };
        if let Some(goal) = goal_named(word) {
            once(asked.goal.is_some(), "goal")?;
            asked.goal = Some(goal);
        } else if is_time && !is_range && !word.contains(':') {
            time = limits::seconds(word)
                .map(Duration::from_secs_f64)
                .map_err(|why| fail(format!("syntax error: {why}, got '{word}'")))?;
            arguments.next_word();
            arguments.end()?;
            break;
        } else if word.contains('-') {
            once(asked.region.is_some(), "pair of corners")?;
            asked.region = Some(region(word, size).map_err(fail)?);
        } else if word.contains(':') {
            once(asked.threats.is_some(), "word on threats")?;
            asked.threats = Some(threats(word).map_err(fail)?);
        } else if let Ok(points) = stones(word, size) {
            once(!asked.at.is_empty(), "list of stones")?;
            asked.at = points;
        } else {
            return Err(fail(format!(
                "syntax error: expected a goal ({GOALS}), stones such as C3 or C3,E4, corners such as \
                 A19-E15, threats such as 1:0, or seconds, got '{word}'"
            )));
        }
        arguments.next_word();
    }
    let _interrupt = session.interruptible(By::Request, talk);
    let board = session.game().board();
    let solution =
        solved::solve(board, color, &asked, time, &session.stop, &*session.settings.rater)
            .map_err(gtp::Failure::new)?;
    let Some(best) = solution.tried.first().filter(|_| !solution.room.is_empty()) else {
        return Err(gtp::Failure::new(solved::nothing(color, &solution)));
    };
    let mut text = format!("VAR {} {}", color.letter(), best.point);
    let mut player = !color;
    for mv in &best.line {
        let at = mv.map_or("pass".to_owned(), |p| p.to_string());
        let _ = write!(text, " {} {at}", player.letter());
        player = !player;
    }
    for tried in solution.tried.iter().take(MARKED) {
        match tried.outcome {
            Outcome::Works
            | Outcome::FavourableKo
            | Outcome::GoodKo
            | Outcome::OneThreatKo
            | Outcome::Ko => {
                let _ = write!(text, "\nCOLOR #50b050 {}", tried.point);
            }
            Outcome::Fails => {
                let _ = write!(text, "\nMARK {}", tried.point);
            }
            Outcome::Open => {}
        }
    }
    let proved = if solution.is_proved { "proved" } else { "not proved" };
    let sentence = solved::sentence(color, &solution, best.point);
    let _ = write!(text, "\nTEXT {sentence} ({proved})");
    Ok(text)
}
