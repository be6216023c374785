//! The JSON analysis protocol: a JSON object a line comes in, answers go out as they are ready. The module
//! `query` reads a question, `queue` says who works on what, `answer` writes what was found.

mod answer;
mod query;
mod queue;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use engine::{Engine, Library, Options, Request};
use serde_json::{Value, json};

use crate::MoveRater;
use crate::session::about_models;
use answer::Answer;
use query::{Asked, Fault, Query, Terminate};
use queue::{Queue, Task};

pub use query::Defaults;

/// Whose chances are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The player's to move.
    Side,
    /// Black's.
    Black,
    /// White's.
    White,
}

/// Who answers, and how.
pub struct Setup {
    /// Positions that are looked at at the same time.
    pub workers: usize,
    /// The models to think with.
    pub library: Arc<Library>,
    /// How each worker thinks; each has a seed of its own.
    pub options: Options,
    /// What is used when a question does not say.
    pub defaults: Defaults,
    /// Whether what is still open when the input ends is answered.
    pub is_patient: bool,
    /// What the solver reads first.
    pub rater: MoveRater,
}

/// Stack of a worker: boards and tables are large and live there.
const STACK: usize = 16 << 20;

/// A longer line is not read as a question.
const LONGEST_LINE: usize = 16 << 20;

/// Answers the questions that come from `source` until the input ends and all of them are answered.
///
/// # Errors
/// If an answer cannot be written.
pub fn serve(
    source: impl Read + Send + 'static,
    out: &mut dyn Write,
    setup: Setup,
) -> io::Result<()> {
    let Setup { workers, library, options, defaults, is_patient, rater } = setup;
    let queue = Arc::new(Queue::default());
    let (sender, answers) = channel();
    for number in 0..workers {
        let (queue, library, sender) = (queue.clone(), library.clone(), sender.clone());
        let seed = options.seed.wrapping_add(number as u64);
        let (options, rater) = (Options { seed, ..options.clone() }, rater.clone());
        thread::Builder::new()
            .name(format!("analysis-{number}"))
            .stack_size(STACK)
            .spawn(move || work(&queue, library, options, &rater, &sender))?;
    }
    thread::Builder::new().name("analysis-input".to_owned()).spawn(move || {
        read_all(BufReader::new(source), &defaults, &queue, &sender, is_patient);
    })?;
    // Ends when the reader and all workers are done.
    for line in answers {
        tracing::debug!(target: "analysis", "< {line}");
        writeln!(out, "{line}")?;
        out.flush()?;
    }
    Ok(())
}

/// Reads questions until there are no more.
fn read_all(
    mut source: impl BufRead,
    defaults: &Defaults,
    queue: &Queue,
    sender: &Sender<Value>,
    is_patient: bool,
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
    if !is_patient {
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
            sender.send(with(echo, json!({"models": [about_models()]}))).ok()?;
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
fn work(
    queue: &Queue,
    library: Arc<Library>,
    options: Options,
    rater: &MoveRater,
    sender: &Sender<Value>,
) {
    let mut engine = Engine::new(library, options);
    let mut era = 0;
    while let Some(task) = queue.take() {
        if queue.era() != era {
            era = queue.era();
            engine.forget();
        }
        let done = analyse(&mut engine, &task, rater, sender);
        queue.finish(&task);
        if sender.send(done).is_err() {
            break;
        }
    }
}

/// Thinks about one position; the last answer is returned.
fn analyse(engine: &mut Engine, task: &Task, rater: &MoveRater, sender: &Sender<Value>) -> Value {
    let query: &Query = &task.query;
    let game = match query.game_at(task.turn) {
        Ok(game) => game,
        // The moves were tried before; still, an answer is due.
        Err(fault) => return fault.to_json("error"),
    };
    if let Some(reading) = &query.problem {
        return answer::solution(task, &game, reading, rater);
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
