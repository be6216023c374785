//! Commands about time.

use std::time::Duration;

use engine::TimeControl;
use gtp::{Arguments, Failure, Talk};

use super::{Commands, Reply, Session};

pub const COMMANDS: Commands = &[
    ("time_settings", time_settings),
    ("time_left", time_left),
    ("kgs-time_settings", kgs_time_settings),
    ("kata-time_settings", kata_time_settings),
    ("kata-list_time_settings", list_time_settings),
];

/// Main time, time of a period, stones in a period. A period without stones means no limit, and no
/// period means that the main time is all.
fn time_settings(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let (main, period) = (arguments.seconds()?, arguments.seconds()?);
    let stones = arguments.integer(0)?;
    arguments.end()?;
    session.engine.set_time(match (main, period, stones) {
        (Duration::ZERO, Duration::ZERO, _) => TimeControl::None,
        (_, Duration::ZERO, _) => TimeControl::Absolute { main },
        (_, _, 0) => TimeControl::None,
        _ => TimeControl::Canadian { main, period, stones },
    });
    Ok(String::new())
}

fn time_left(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let color = arguments.color()?;
    let left = arguments.seconds_left()?;
    let stones = arguments.integer(0)?;
    arguments.end()?;
    session.engine.set_time_left(color, left, stones);
    Ok(String::new())
}

fn kgs_time_settings(session: &mut Session, arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    session.set_time(arguments, &["none", "absolute", "canadian", "byoyomi"])
}

const KINDS: [&str; 5] = ["none", "absolute", "byoyomi", "canadian", "fischer"];

fn kata_time_settings(session: &mut Session, arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    session.set_time(arguments, &KINDS)
}

fn list_time_settings(_: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    Ok(KINDS.join(" "))
}

impl Session {
    fn set_time(&mut self, mut arguments: Arguments<'_>, kinds: &[&str]) -> Reply {
        let kind = arguments.read(&format!("one of {}", kinds.join(", ")), |word| {
            kinds.iter().find(|kind| word.eq_ignore_ascii_case(kind))
        })?;
        let control = match *kind {
            "absolute" => TimeControl::Absolute { main: arguments.seconds()? },
            "canadian" => TimeControl::Canadian {
                main: arguments.seconds()?,
                period: arguments.seconds()?,
                stones: arguments.integer(1)?,
            },
            "byoyomi" => TimeControl::Byoyomi {
                main: arguments.seconds()?,
                period: arguments.seconds()?,
                periods: arguments.integer(1)?,
            },
            "fischer" => TimeControl::Increment {
                main: arguments.seconds()?,
                increment: arguments.seconds()?,
            },
            _ => TimeControl::None,
        };
        arguments.end()?;
        if control == (TimeControl::Absolute { main: Duration::ZERO }) {
            return Err(Failure::new("syntax error: a game without any time cannot be played"));
        }
        self.engine.set_time(control);
        Ok(String::new())
    }
}
