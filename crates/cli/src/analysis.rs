//! `harie analysis`: many positions at once for programs such as KaTrain. A JSON object a line comes
//! in, answers go out as they are ready. [`query`] reads a question, [`queue`] says who works on what,
//! [`answer`] writes what was found.

mod answer;
mod query;
mod queue;

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use anyhow::Result;
use clap::{Args, ValueEnum};
use engine::{Engine, Library, Options, Request};
use serde_json::{Value, json};

use crate::engine_options::{Thinking, cores};
use crate::{gtp, options};
use answer::Answer;
use query::{Asked, Defaults, Fault, Query, Terminate};
use queue::{Queue, Task};

const EXAMPLES: &str = "\
Examples:
  harie analysis                              as many positions at once as there are processors
  harie analysis --workers 1 --threads 2      one after the other, each with two threads
  harie analysis --visits 2000 --memory 4000  look deeper

A question is one line, for instance
  {\"id\":\"a\",\"moves\":[[\"B\",\"Q16\"]],\"rules\":\"chinese\",\"komi\":7.5,\"boardXSize\":19,\"boardYSize\":19}
docs/front-ends.md says how to set up KaTrain.";

/// Whose chances are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum View {
    // No help for each, or the help of all options gets twice as long.
    Side,
    Black,
    White,
}

/// Analyse many positions at once for a program such as KaTrain (JSON, a question a line)
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("threads", |arg| arg.help("Threads that think about a position [default: 1]")),
    mut_arg("seconds", |arg| arg.help("Seconds for a position [default: no limit]")),
    mut_arg("visits", |arg| {
        arg.help("Playouts for a position [default: 500 unless --seconds is given]")
    })
)]
pub struct Analysis {
    /// Positions that are looked at at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = options::counted)]
    workers: Option<usize>,

    #[command(flatten)]
    thinking: Thinking,

    /// From whose view win rates, scores and ownership are told (side: the player to move); a
    /// question may say otherwise
    #[arg(long, value_name = "WHO", default_value = "black")]
    winrates_as: View,

    /// Do not answer what is still open when the input ends
    #[arg(long)]
    quit_without_waiting: bool,

    /// Write what is asked and answered to the end of this file
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
}

/// Playouts for a position when neither the command line nor the question says.
const USUAL_VISITS: u64 = 500;

/// Stack of a worker: boards and tables are large and live there.
const STACK: usize = 16 << 20;

/// A longer line is not read as a question.
const LONGEST_LINE: usize = 16 << 20;

impl Analysis {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        if let Some(path) = &self.log_file {
            gtp::log_to(path)?;
        }
        let workers = self.workers.unwrap_or_else(cores);
        let library = Arc::new(self.thinking.library()?);
        let mut options = self.thinking.options(1);
        options.megabytes = (options.megabytes / workers).max(1);
        let (visits, time) = self.thinking.bounds(USUAL_VISITS);
        let defaults = Defaults { visits, time, view: self.winrates_as };

        let queue = Arc::new(Queue::default());
        let (sender, answers) = channel();
        for number in 0..workers {
            let (queue, library, sender) = (queue.clone(), library.clone(), sender.clone());
            let options =
                Options { seed: options.seed.wrapping_add(number as u64), ..options.clone() };
            thread::Builder::new()
                .name(format!("analysis-{number}"))
                .stack_size(STACK)
                .spawn(move || work(&queue, library, options, &sender))?;
        }
        if io::stdin().is_terminal() {
            eprintln!("Harie listens for questions, a JSON object a line; Ctrl-D ends it.");
        }
        let patient = !self.quit_without_waiting;
        thread::Builder::new()
            .name("analysis-input".to_owned())
            .spawn(move || read_all(io::stdin().lock(), &defaults, &queue, &sender, patient))?;
        // Ends when the reader and all workers are done.
        for line in answers {
            tracing::debug!(target: "analysis", "< {line}");
            writeln!(out, "{line}")?;
            out.flush()?;
        }
        Ok(())
    }
}

/// Reads questions until there are no more.
fn read_all(
    mut source: impl BufRead,
    defaults: &Defaults,
    queue: &Queue,
    sender: &Sender<Value>,
    patient: bool,
) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match source.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        if line.len() > LONGEST_LINE && line.last() != Some(&b'\n') {
            let _ = sender.send(json!({"error": "the line is too long"}));
            if source.skip_until(b'\n').is_err() {
                break;
            }
            continue;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        tracing::debug!(target: "analysis", "> {}", String::from_utf8_lossy(&line).trim_end());
        if take(&line, defaults, queue, sender).is_none() {
            break;
        }
    }
    if !patient {
        queue.terminate(|_| true);
    }
    queue.close();
}

/// Takes a line: answers it, or puts it up for the workers. `None` if nobody listens any more.
fn take(line: &[u8], defaults: &Defaults, queue: &Queue, sender: &Sender<Value>) -> Option<()> {
    let mut warnings = Vec::new();
    match query::read(line, defaults, &mut warnings) {
        Err(fault) => sender.send(fault.to_json("error")).ok()?,
        Ok(Asked::Version(echo)) => {
            let version = env!("CARGO_PKG_VERSION");
            sender.send(with(echo, json!({"version": version, "git_hash": "<omitted>"}))).ok()?;
        }
        Ok(Asked::Models(echo)) => {
            sender.send(with(echo, json!({"models": [gtp::about_models()]}))).ok()?;
        }
        Ok(Asked::ClearCache(echo)) => {
            queue.forget();
            sender.send(echo).ok()?;
        }
        Ok(Asked::Terminate(echo, which)) => {
            sender.send(echo).ok()?;
            for task in queue.terminate(|task| which.means(task)) {
                sender.send(answer::nothing(&task.query.id, task.turn)).ok()?;
            }
        }
        Ok(Asked::Analyse(query)) => {
            for warning in warnings {
                sender.send(warning.to_json("warning")).ok()?;
            }
            queue.push(*query);
        }
    }
    Some(())
}

impl Terminate {
    fn means(&self, task: &Task) -> bool {
        self.id.as_ref().is_none_or(|id| *id == task.query.id)
            && self.turns.as_ref().is_none_or(|turns| turns.contains(&task.turn))
    }
}

/// The echo of a question with more fields.
fn with(mut echo: Value, more: Value) -> Value {
    if let (Some(fields), Value::Object(more)) = (echo.as_object_mut(), more) {
        fields.extend(more);
    }
    echo
}

/// Takes tasks until there are no more.
fn work(queue: &Queue, library: Arc<Library>, options: Options, sender: &Sender<Value>) {
    let mut engine = Engine::new(library, options);
    let mut era = 0;
    while let Some(task) = queue.take() {
        if queue.era() != era {
            era = queue.era();
            engine.forget();
        }
        let done = analyse(&mut engine, &task, sender);
        queue.finish(&task);
        if sender.send(done).is_err() {
            break;
        }
    }
}

/// Thinks about one position; the last answer is returned.
fn analyse(engine: &mut Engine, task: &Task, sender: &Sender<Value>) -> Value {
    let query: &Query = &task.query;
    let game = match query.game_at(task.turn) {
        Ok(game) => game,
        // The moves were tried before; still, an answer is due.
        Err(fault) => return fault.to_json("error"),
    };
    if let Some(reading) = &query.problem {
        return answer::solution(query, task.turn, &game, reading, &task.stop);
    }
    engine.set_game(game);
    let color = engine.game().to_move();
    let policy = query.include_policy.then(|| answer::policy(engine, color));
    let game = engine.game().clone();
    let answer = Answer { query, turn: task.turn, game: &game, policy };
    let request = Request {
        visits: query.visits,
        time: query.time,
        every: query.every,
        avoid: query.avoid.clone(),
        allow: query.allow.clone(),
        candidate_ownership: query.include_moves_ownership,
    };
    if task.stop.is_raised() {
        return answer::nothing(&query.id, task.turn);
    }
    if request.moves(&game, color).next().is_none() {
        let field = if query.allow.is_empty() { "avoidMoves" } else { "allowMoves" };
        let turn = task.turn;
        let message = format!("{field}: none of the moves allowed can be played at turn {turn}");
        let (field, id) = (Some(field.to_owned()), Some(query.id.clone()));
        return Fault { message, field, id }.to_json("error");
    }
    if query.include_moves_ownership {
        engine.forget_search();
    }
    let report = engine.analyse(color, &request, &task.stop, &mut |report| {
        // The last report comes here too, and goes out below.
        let is_last = task.stop.is_raised()
            || query.visits.is_some_and(|most| report.visits >= most)
            || query.time.is_some_and(|most| report.elapsed >= most);
        if query.every.is_some() && !is_last && sender.send(answer.to_json(report, true)).is_err() {
            task.stop.raise();
        }
    });
    let mut told = answer.to_json(&report, false);
    if let Some(language) = query.explanation {
        told["explanation"] = json!(engine.explanation(&game, &report, None).sentences(language));
    }
    told
}

impl Fault {
    fn to_json(&self, kind: &str) -> Value {
        let mut object = json!({kind: self.message});
        if let Some(field) = &self.field {
            object["field"] = json!(field);
        }
        if let Some(id) = &self.id {
            object["id"] = json!(id);
        }
        object
    }
}
