//! The solver for problems, on the position of the game.

use std::fmt::Write;
use std::time::Duration;

use gtp::{Arguments, Talk};
use tsumego::Outcome;

use super::session::{Commands, Reply, Session};
use super::think::color_or_turn;
use crate::solved::{self, goal, region, words};

pub const COMMANDS: Commands = &[("harie-solve", solve)];

/// Seconds when none are given.
const USUAL: Duration = Duration::from_secs(10);

/// Moves that are marked.
const MARKED: usize = 10;

/// `harie-solve [COLOR] [CORNERS] [SECONDS]`, for example `harie-solve black A19-E15 5`: marks what works
/// and what is refuted, and shows the line.
fn solve(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let color = color_or_turn(session, &mut arguments);
    let size = session.size();
    let corners = arguments.read_if(|word| word.contains('-').then_some(word));
    let region = corners.map(|text| region(text, size)).transpose().map_err(gtp::Failure::new)?;
    let time = if arguments.is_empty() { USUAL } else { arguments.seconds()? };
    arguments.end()?;
    let solution = solved::solve(session.game().board(), color, region, time)
        .map_err(|why| gtp::Failure::new(why.to_string()))?;
    let Some(best) = solution.tried.first().filter(|_| !solution.room.is_empty()) else {
        return Err(gtp::Failure::new("there is nothing here that lives or dies"));
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
            Outcome::Works | Outcome::GoodKo | Outcome::Ko => {
                let _ = write!(text, "\nCOLOR #50b050 {}", tried.point);
            }
            Outcome::Fails => {
                let _ = write!(text, "\nMARK {}", tried.point);
            }
            Outcome::Open => {}
        }
    }
    let proved = if solution.is_proved { "proved" } else { "not proved" };
    let _ = write!(
        text,
        "\nTEXT {color} to {}: {} {}, {proved}",
        goal(solution.goal),
        best.point,
        words(solution.outcome)
    );
    Ok(text)
}
