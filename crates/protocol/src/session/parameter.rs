//! How the engine plays, asked and changed while it runs: GoGui shows it as a dialog, and KataGo's
//! front ends have commands of their own for it.

use std::time::Duration;

use engine::Options;
use gtp::{Arguments, Failure, Talk};
use serde_json::{Value, json};

use super::{Commands, Reply, Session};
use crate::limits::{MOST_THREADS, NO_LIMIT};

pub const COMMANDS: Commands = &[
    ("harie-param", gogui),
    ("kata-list-params", list),
    ("kata-get-param", get),
    ("kata-set-param", set),
    ("kata-get-params", get_all),
    ("kata-set-params", set_many),
    ("kata-get-models", models),
];

/// Something that can be changed.
struct Parameter {
    name: &'static str,
    /// What KataGo calls it.
    other_name: &'static str,
    get: fn(&Options) -> String,
    /// `None` if the text is not a value for it.
    set: fn(&mut Options, &str) -> Option<()>,
    allowed: &'static str,
}

const NONE: &str = "none";

const PARAMETERS: [Parameter; 5] = [
    Parameter {
        name: "level",
        other_name: "level",
        get: |options| options.level.map_or(NONE.to_owned(), |level| level.to_string()),
        set: |options, text| {
            options.level = match text {
                NONE => None,
                _ => Some(text.parse().ok()?),
            };
            Some(())
        },
        allowed: "a rank from 20k to 3d, or none for full strength",
    },
    Parameter {
        name: "visits",
        other_name: "maxVisits",
        get: |options| options.visits.map_or(NONE.to_owned(), |n| n.to_string()),
        set: |options, text| {
            options.visits = match text {
                NONE => None,
                _ => Some(text.parse().ok().filter(|&n: &u64| n > 0)?),
            };
            Some(())
        },
        allowed: "a whole number from 1 up, or none",
    },
    Parameter {
        name: "seconds",
        other_name: "maxTime",
        get: |options| options.time.as_secs_f64().to_string(),
        set: |options, text| {
            let seconds: f64 = text.parse().ok().filter(|&s| s > 0.0)?;
            options.time = Duration::try_from_secs_f64(seconds).unwrap_or(NO_LIMIT).min(NO_LIMIT);
            Some(())
        },
        allowed: "a number of seconds above 0",
    },
    Parameter {
        name: "threads",
        other_name: "numSearchThreads",
        get: |options| options.threads.to_string(),
        set: |options, text| {
            options.threads = text.parse().ok().filter(|n| (1..=MOST_THREADS).contains(n))?;
            Some(())
        },
        allowed: "a whole number from 1 to 1024",
    },
    Parameter {
        name: "resign",
        other_name: "resign",
        get: |options| options.resign.map_or("never".to_owned(), |rate| rate.to_string()),
        set: |options, text| {
            options.resign = match text {
                "never" => None,
                _ => Some(text.parse().ok().filter(|rate| (0.0..0.5).contains(rate))?),
            };
            Some(())
        },
        allowed: "a chance from 0 to below 0.5, or never",
    },
];

fn find(name: &str) -> Result<&'static Parameter, Failure> {
    let known = |p: &&Parameter| {
        p.name.eq_ignore_ascii_case(name) || p.other_name.eq_ignore_ascii_case(name)
    };
    PARAMETERS.iter().find(known).ok_or_else(|| {
        let name: String = name.chars().take(40).collect();
        let both = |p: &Parameter| match p.name == p.other_name {
            true => p.name.to_owned(),
            false => format!("{} ({})", p.name, p.other_name),
        };
        let names = PARAMETERS.iter().map(both).collect::<Vec<_>>().join(", ");
        Failure::new(format!("unknown parameter '{name}': there are {names}"))
    })
}

impl Session {
    fn change(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let parameter = find(name)?;
        let mut options = self.engine.options().clone();
        (parameter.set)(&mut options, value).ok_or_else(|| {
            let value: String = value.chars().take(40).collect();
            let (name, allowed) = (parameter.name, parameter.allowed);
            Failure::new(format!("syntax error: {name} is {allowed}, not '{value}'"))
        })?;
        self.engine.set_options(options);
        Ok(())
    }
}

/// `harie-param` lists them as GoGui wants it, `harie-param NAME VALUE` changes one.
fn gogui(session: &mut Session, arguments: Arguments<'_>, talk: &mut Talk<'_>) -> Reply {
    if !arguments.is_empty() {
        return set(session, arguments, talk);
    }
    let options = session.engine.options();
    let line = |p: &Parameter| format!("[string] {} {}", p.name, (p.get)(options));
    Ok(PARAMETERS.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn list(_: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    Ok(PARAMETERS.map(|p| p.other_name).join(" "))
}

fn get(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let parameter = find(arguments.word("the name of a parameter")?)?;
    arguments.end()?;
    Ok((parameter.get)(session.engine.options()))
}

fn set(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let name = arguments.word("the name of a parameter")?;
    let value = arguments.word("its new value")?;
    arguments.end()?;
    session.change(name, value)?;
    Ok(String::new())
}

fn get_all(session: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let options = session.engine.options();
    let all: serde_json::Map<String, Value> =
        PARAMETERS.iter().map(|p| (p.other_name.to_owned(), (p.get)(options).into())).collect();
    Ok(Value::Object(all).to_string())
}

/// All or none.
fn set_many(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let before = session.engine.options().clone();
    let text = arguments.rest();
    let values: serde_json::Map<String, Value> = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("syntax error: expected an object: {error}")))?;
    for (name, value) in &values {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if let Err(failure) = session.change(name, &text) {
            session.engine.set_options(before);
            return Err(failure);
        }
    }
    Ok(String::new())
}

fn models(_: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    Ok(Value::from(vec![about_models()]).to_string())
}

/// What there is to say about the models to those who expect a network.
pub fn about_models() -> Value {
    json!({
        "name": "harie",
        "internalName": "harie",
        "maxBatchSize": 1,
        "usesHumanSLProfile": false,
        "version": 1,
        "usingFP16": "false",
    })
}
