//! Commands that ask for a move.

use std::time::Duration;

use engine::{Choice, Request, Restriction};
use goban::{Color, Move};
use gtp::{Arguments, By, Talk};

use super::gogui;
use super::{Commands, Reply, Session};

pub const COMMANDS: Commands = &[
    ("genmove", genmove),
    ("reg_genmove", search),
    ("kgs-genmove_cleanup", cleanup),
    ("kata-search", search),
    ("kata-search_cancellable", search_cancellable),
];

/// How often GoGui is shown what is being thought.
const LIVE: Duration = Duration::from_millis(500);

/// A move as the protocols write it.
pub fn choice_text(choice: Choice) -> String {
    match choice {
        Choice::Play(mv) => mv.to_string(),
        Choice::Resign => "resign".to_owned(),
    }
}

fn genmove(session: &mut Session, mut arguments: Arguments<'_>, talk: &mut Talk<'_>) -> Reply {
    let color = arguments.color()?;
    arguments.end()?;
    let choice = session.think(color, Request::default(), By::Request, talk);
    session.make(color, choice)
}

/// A move that is not made.
fn search(session: &mut Session, mut arguments: Arguments<'_>, talk: &mut Talk<'_>) -> Reply {
    let color = color_or_turn(session, &mut arguments);
    arguments.end()?;
    Ok(choice_text(session.think(color, Request::default(), By::Request, talk)))
}

fn search_cancellable(
    session: &mut Session,
    mut arguments: Arguments<'_>,
    talk: &mut Talk<'_>,
) -> Reply {
    let color = color_or_turn(session, &mut arguments);
    arguments.end()?;
    let choice = session.think(color, Request::default(), By::AnyLine, talk);
    let cancelled = session.stop.is_raised();
    Ok(if cancelled { "cancelled".to_owned() } else { choice_text(choice) })
}

/// After the players have passed and do not agree about dead stones: no pass before every dead
/// stone of the opponent is off the board.
fn cleanup(session: &mut Session, mut arguments: Arguments<'_>, talk: &mut Talk<'_>) -> Reply {
    let color = arguments.color()?;
    arguments.end()?;
    let mut request = Request::default();
    if session.engine.has_dead_stones(!color) {
        request.avoid.push(Restriction { color, moves: vec![Move::Pass], until_depth: 1 });
    }
    let choice = session.think(color, request, By::Request, talk);
    session.make(color, choice)
}

/// The colour that a command names, or whose turn it is.
pub fn color_or_turn(session: &Session, arguments: &mut Arguments<'_>) -> Color {
    arguments.read_if(Color::parse).unwrap_or(session.game().to_move())
}

impl Session {
    /// Thinks about a move, shows it to GoGui if that is wanted, and may be interrupted.
    fn think(&mut self, color: Color, request: Request, by: By, talk: &Talk<'_>) -> Choice {
        let _interrupt = self.interruptible(by, talk);
        let live = &mut self.settings.live;
        let every = live.as_ref().map(|_| LIVE);
        let request = Request { every, ..request };
        self.engine.think(color, &request, &self.stop, &mut |report| {
            if let Some(show) = live {
                show(&gogui::live(report));
            }
        })
    }

    /// Makes the move that was chosen, if it is one, and says it.
    pub(super) fn make(&mut self, color: Color, choice: Choice) -> Reply {
        self.make_own(color, choice)?;
        Ok(choice_text(choice))
    }
}
