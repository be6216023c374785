//! Jobs that a page has asked for, matches and evaluations of models: one at a time, kept in the folder
//! of the laboratory under a name that is found here. Of players a page can say no more than which and
//! how strong; models and games are handed in, looked up in lists.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use anyhow::{Result, anyhow};
use clap::Parser;
use engine::Level;
use goban::Size;
use kifu::{Corpus, Record};
use lab::ladder::{CorpusMeasured, Evaluation};
use lab::{Folder, Plan, Spec};
use policy::Model;
use train::{Games, Sums};
use web::{MatchWish, PlayerWish, Work};

use super::corpora::Shelved;
use crate::eval::predicted::{self, How};
use crate::eval::quoted;
use crate::output;
use crate::terms::{Libraries, Terms};

/// Playouts a move at most.
const VISITS: u32 = 10_000;
/// Games of a match at most.
const GAMES: usize = 200;
/// Games that models are measured on at most.
const MEASURED: usize = 1000;
/// Matches that a folder has room for, and evaluations.
const RESULTS: usize = 1000;

/// The terms of a match, read by themselves.
#[derive(Parser)]
struct Alone {
    #[command(flatten)]
    terms: Terms,
}

struct RunningJob {
    thread: JoinHandle<()>,
    stop: Arc<AtomicBool>,
    progress: JobProgress,
}

/// How far a job is, kept by the thread that runs it.
#[derive(Clone)]
struct JobProgress(Arc<Mutex<Work>>);

impl JobProgress {
    fn change(&self, change: impl FnOnce(&mut Work)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// A model to be measured.
pub struct Measured {
    /// What the list calls it.
    pub name: String,
    /// Whether it comes with the program; else it is a file of the folder.
    pub is_own: bool,
    pub model: Arc<Model>,
}

/// What is to be measured.
pub struct Measuring {
    pub models: Vec<Measured>,
    pub corpus: Shelved,
    pub games: usize,
}

/// The jobs of a laboratory: matches and evaluations, one at a time.
pub struct LabJobs {
    folder: PathBuf,
    running: Mutex<Option<RunningJob>>,
}

impl LabJobs {
    /// Results are kept in this folder.
    pub fn new(folder: PathBuf) -> LabJobs {
        LabJobs { folder, running: Mutex::new(None) }
    }

    /// Whether something is under way.
    pub fn is_busy(&self) -> bool {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.as_ref().is_some_and(|running| !running.thread.is_finished())
    }

    /// What was started last.
    pub fn work(&self) -> Option<Work> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let RunningJob { thread, progress, .. } = running.as_ref()?;
        // Asked first: a thread that is done has said all there is to say.
        let ended = thread.is_finished();
        let mut work = progress.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if ended && work.state == "running" {
            (work.state, work.why) = ("failed", Some("it broke down".to_owned()));
        }
        Some(work)
    }

    /// Has stop what is under way; games that are finished stay.
    pub fn stop(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = running.as_ref() {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Starts a match; says what its folder is called.
    ///
    /// # Errors
    /// Why not, in words.
    pub fn begin(&self, wish: &MatchWish) -> Result<String, String> {
        let [first, second] = wish.players.each_ref().map(spec);
        let (first, second) = (first?, second?);
        if ![9, 13, 19].contains(&wish.size) || !(2..=GAMES).contains(&wish.games) {
            return Err(format!("a match has from 2 to {GAMES} games on 9, 13 or 19 lines"));
        }
        self.start("match", wish.games, |name| {
            let size = wish.size.to_string();
            let terms =
                Alone::try_parse_from(["match", "--size", &size]).map_err(|e| e.to_string())?;
            let contest = terms.terms.contest(&first, &second, &mut Libraries::default());
            let contest = contest.map_err(|why| why.to_string())?;
            let folder = Folder::open(&self.folder.join(name), &contest.header())
                .map_err(|why| why.to_string())?;
            let plan = Plan { games: wish.games, parallel: 1, sprt: None };
            Ok(move |stop: &AtomicBool, progress: &JobProgress| {
                // What was played is in the folder, however it ends.
                let watch = &mut |game: Option<&_>, _: &_| {
                    progress.change(|work| work.done += usize::from(game.is_some()));
                };
                contest.run(&plan, Some(folder), stop, watch)?;
                Ok(!stop.load(Ordering::Relaxed))
            })
        })
    }

    /// Starts an evaluation; says what its file will be called.
    ///
    /// # Errors
    /// Why not, in words.
    pub fn measure(&self, wish: Measuring) -> Result<String, String> {
        if !(1..=MEASURED).contains(&wish.games) {
            return Err(format!("models are measured on 1 to {MEASURED} games"));
        }
        let sizes: Vec<u8> = wish.models.iter().map(|one| one.model.about.size).collect();
        let size = match sizes.as_slice() {
            [size] => Size::new(usize::from(*size)),
            [one, other] if one == other => Size::new(usize::from(*one)),
            [_, _] => return Err("the two models are for different boards".to_owned()),
            _ => return Err("one model or two are measured".to_owned()),
        };
        let size = size.ok_or("the model is for no board that there is")?;
        self.start("evaluation", 0, |name| {
            let path = self.folder.join(name);
            let command = command(&self.folder, &wish, size);
            let job = move |stop: &AtomicBool, progress: &JobProgress| {
                measure(&wish, size, &path, command, stop, progress)
            };
            Ok(job)
        })
    }

    /// Starts a thread that does something for a result of this kind, if nothing is under way.
    /// `prepare` gets the name of the result; the job says whether it came to its end.
    fn start<Job>(
        &self,
        kind: &'static str,
        of: usize,
        prepare: impl FnOnce(&str) -> Result<Job, String>,
    ) -> Result<String, String>
    where
        Job: FnOnce(&AtomicBool, &JobProgress) -> Result<bool> + Send + 'static,
    {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.as_ref().is_some_and(|running| !running.thread.is_finished()) {
            return Err("a match or an evaluation is under way already".to_owned());
        }
        let ending = if kind == "evaluation" { ".json" } else { "" };
        let id = (1..=RESULTS)
            .map(|n| format!("{kind}-{n}{ending}"))
            .find(|name| fs::symlink_metadata(self.folder.join(name)).is_err())
            .ok_or("the folder has too many results")?;
        let job = prepare(&id)?;
        let stage = if kind == "match" { "playing" } else { "reading" };
        let work = Work {
            kind,
            id: id.clone(),
            state: "running",
            stage,
            name: String::new(),
            done: 0,
            of,
            match1: None,
            why: None,
        };
        let progress = JobProgress(Arc::new(Mutex::new(work)));
        let stop = Arc::new(AtomicBool::new(false));
        let (flag, progress_in_thread) = (Arc::clone(&stop), progress.clone());
        let run = move || {
            let done = job(&flag, &progress_in_thread);
            progress_in_thread.change(|work| {
                work.state = match &done {
                    Ok(true) => "done",
                    Ok(false) => "stopped",
                    Err(_) => "failed",
                };
                work.why = done.err().map(|why| why.to_string());
            });
        };
        let thread = thread::Builder::new().name(kind.to_owned()).spawn(run);
        *running =
            Some(RunningJob { thread: thread.map_err(|why| why.to_string())?, stop, progress });
        Ok(id)
    }
}

/// Measures models on games and writes what `harie eval --json` would; false, and nothing, if it is
/// stopped.
fn measure(
    wish: &Measuring,
    size: Size,
    path: &Path,
    command: String,
    stop: &AtomicBool,
    progress: &JobProgress,
) -> Result<bool> {
    let stopped = || stop.load(Ordering::Relaxed);
    let mut games = Games::new(size);
    for found in Corpus::new(&wish.corpus.files) {
        if stopped() {
            return Ok(false);
        }
        // Of a file that cannot be read the others do not suffer.
        let Ok(found) = found else { continue };
        let record = Record::new(&found.tree, &mut Vec::new());
        if let Some(record) = record.ok().filter(|record| record.size == size) {
            games.add(&record);
            progress.change(|work| work.done = games.len());
        }
        if games.len() >= wish.games {
            break;
        }
    }
    if games.positions() == 0 {
        return Err(anyhow!("there is no game on {size} in these records"));
    }
    let start = Instant::now();
    let files = vec![wish.corpus.card.id.clone()];
    let mut evaluation = Evaluation { command, ..Evaluation::default() };
    for Measured { name, model, .. } in &wish.models {
        progress.change(|work| {
            (work.stage, work.of) = ("measuring", games.len());
            (work.name, work.done, work.match1) = (name.clone(), 0, None);
        });
        let tell = |done, sums: &Sums| {
            let first = sums.items().into_iter().find(|(item, _)| item == "Match1");
            progress
                .change(|work| (work.done, work.match1) = (done, first.map(|(_, share)| share)));
        };
        match predicted::measure(name, model, &games, &How::default(), stop, tell)? {
            Some(measured) => evaluation.models.push(measured),
            None => return Ok(false),
        }
    }
    evaluation.corpus = Some(CorpusMeasured {
        files,
        size: size.side(),
        games: games.len(),
        positions: games.positions(),
        duplicates: games.duplicates(),
        seconds: start.elapsed().as_secs_f64(),
    });
    output::write(path, &serde_json::to_vec_pretty(&evaluation)?)?;
    Ok(true)
}

/// The command that measures the same where the server was started: the folder of the laboratory is
/// named as on the command line of the server.
fn command(folder: &Path, wish: &Measuring, size: Size) -> String {
    let within = |id: &str| quoted(&folder.join(id).to_string_lossy());
    let models = wish.models.iter().map(|one| match one.is_own {
        true => format!("--model {} ", one.name),
        false => format!("--model {} ", within(&one.name)),
    });
    let (models, corpus) = (models.collect::<String>(), within(&wish.corpus.card.id));
    format!("harie eval {models}{corpus} --size {} --games {}", size.side(), wish.games)
}

/// A player in the words of the command line: numbers and levels only, so that nothing in it can name
/// a file or a program.
fn spec(wish: &PlayerWish) -> Result<Spec, String> {
    let text = match wish {
        PlayerWish::Harie { visits } | PlayerWish::Knowledge { visits }
            if !(1..=VISITS).contains(visits) =>
        {
            return Err(format!("a player has from 1 to {VISITS} playouts a move"));
        }
        PlayerWish::Harie { visits } => format!("harie:visits={visits}"),
        PlayerWish::Knowledge { visits } => format!("knowledge:visits={visits}"),
        PlayerWish::Level { level } => {
            let level: Level = level.parse().map_err(|why: engine::NoLevel| why.to_string())?;
            format!("harie:level={level}")
        }
        PlayerWish::GnuGo => "gnugo".to_owned(),
    };
    Spec::parse(&text).map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_numbers_and_levels_and_nothing_else() {
        let label = |wish| spec(&wish).map(|spec| spec.label);
        let level = |level: &str| PlayerWish::Level { level: level.to_owned() };
        assert_eq!(label(PlayerWish::Harie { visits: 400 }).unwrap(), "harie:visits=400");
        for visits in [0, VISITS + 1, u32::MAX] {
            let wishes = [PlayerWish::Harie { visits }, PlayerWish::Knowledge { visits }];
            assert!(wishes.into_iter().all(|wish| label(wish).unwrap_err().contains("1 to 10000")));
        }
        assert_eq!(label(level("10k")).unwrap(), "harie:level=10k");
        for odd in ["10k,model=/etc/passwd", "gtp:rm", ""] {
            assert!(label(level(odd)).is_err(), "{odd}");
        }
    }

    #[test]
    fn a_match_is_played_stopped_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let jobs = LabJobs::new(folder.path().to_owned());
        let player = |visits| PlayerWish::Harie { visits };
        let wish = MatchWish { players: [player(2), player(1)], size: 9, games: 200 };
        for odd in
            [MatchWish { size: 10, ..wish.clone() }, MatchWish { games: 900, ..wish.clone() }]
        {
            assert!(jobs.begin(&odd).is_err());
        }
        assert_eq!(jobs.begin(&wish).unwrap(), "match-1");
        assert!(jobs.begin(&wish).unwrap_err().contains("already"));
        let played = || Folder::look(&folder.path().join("match-1")).unwrap().unwrap().1.len();
        while jobs.is_busy() && played() == 0 {
            thread::sleep(std::time::Duration::from_millis(20));
        }
        jobs.stop();
        while jobs.is_busy() {
            thread::sleep(std::time::Duration::from_millis(20));
        }
        assert!((1..200).contains(&played()));
    }
}
