//! Commands about the program itself.

use cpu_time::ProcessTime;
use engine::Language;
use gtp::{Arguments, Talk};

use super::{Commands, Reply, Session};
use crate::limits::NO_LIMIT;

pub const COMMANDS: Commands = &[
    ("name", name),
    ("version", version),
    ("cputime", cpu_time),
    ("gomill-cpu_time", cpu_time),
    ("gomill-describe_engine", describe),
    ("gomill-explain_last_move", explain),
    ("kgs-chat", chat),
    ("kgs-game_over", stop),
    ("clear_cache", clear_cache),
    // While a move is looked for, these two interrupt before they are carried out.
    ("stop", stop),
    ("gogui-interrupt", nothing),
];

fn name(session: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    Ok(session.settings.name.clone())
}

fn version(session: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    Ok(session.settings.version.clone())
}

fn cpu_time(_: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    Ok(format!("{:.3}", ProcessTime::now().as_duration().as_secs_f64()))
}

fn describe(session: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let options = session.engine.options();
    let level = options.level.map_or(String::new(), |level| format!(", level {level}"));
    let visits = options.visits.map_or(String::new(), |n| format!(", visits {n}"));
    let time =
        if options.time < NO_LIMIT { format!(", time {:?}", options.time) } else { String::new() };
    let how = match options.knowledge {
        Some(_) => "known shapes and playouts",
        None => "learned shape and Monte-Carlo search",
    };
    Ok(format!(
        "{} {}\nHarie {}, {how}\n\
         threads {}, memory {} MB{level}{visits}{time}, seed {}",
        session.settings.name,
        session.settings.version,
        env!("CARGO_PKG_VERSION"),
        options.threads,
        options.megabytes,
        options.seed,
    ))
}

/// Why the last move of the engine was played, in English or in the language that is named (en, ja).
fn explain(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let language = match arguments.is_empty() {
        true => Language::default(),
        false => arguments.read("en or ja", |word| word.parse().ok())?,
    };
    arguments.end()?;
    Ok(session.explanation(language))
}

/// A server passes on what people say; the answer is shown to them.
fn chat(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    arguments.word("game or private")?;
    arguments.word("the name of who speaks")?;
    let explanation = session.explanation(Language::English);
    let line = explanation.lines().next().unwrap_or_default();
    let (name, version) = (&session.settings.name, &session.settings.version);
    Ok(if line.is_empty() { format!("{name} {version}") } else { line.to_owned() })
}

fn clear_cache(session: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    session.engine.forget();
    Ok(String::new())
}

/// Ends thinking on the opponent's time as well; a server says so when a game is over.
fn stop(session: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    session.rest();
    Ok(String::new())
}

fn nothing(_: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    Ok(String::new())
}
