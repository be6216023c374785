//! A match: games dealt out to threads, played, kept and counted until there are enough.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use engine::{Library, Stop};
use goban::{Game, Rules, Size};
use gtp::ClientError;

use crate::bout;
use crate::finished::Finished;
use crate::folder::{Folder, FolderError, Header};
use crate::opening::Openings;
use crate::player::{Kind, Player};
use crate::referee::Referee;
use crate::seat::Seat;
use crate::statistics::{Sprt, Verdict};
use crate::summary::Summary;

/// Stack of a thread that runs engines: boards and their tables are large.
const STACK: usize = 8 << 20;

/// How often an interruption is looked for.
const GLANCE: Duration = Duration::from_millis(100);

/// Why a match cannot be played, or not to its end. Finished games are kept.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// A player cannot take part.
    #[error("{0} cannot play this match: {1}")]
    Player(String, ClientError),
    /// A player would lose all its games.
    #[error(
        "{0} thinks {1} s about a move, and a move that takes {2} s is lost; raise --move-timeout"
    )]
    TooSlow(String, f64, f64),
    /// The referee fails.
    #[error("the referee cannot count: {0}")]
    Referee(ClientError),
    /// The referee does not know.
    #[error("the referee answers '{0}', which is no score")]
    NoScore(String),
    /// Games cannot be kept.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The system has no thread left.
    #[error("a thread cannot be started: {0}")]
    Thread(std::io::Error),
}

/// What is played, and by whom.
pub struct Contest {
    /// The first and the second player.
    pub players: [Player; 2],
    /// The board.
    pub size: Size,
    /// Points for White.
    pub komi: f32,
    /// The rules.
    pub rules: Rules,
    /// How games begin.
    pub openings: Openings,
    /// Each player's time for a game, if there is a clock.
    pub time: Option<Duration>,
    /// No move may take longer.
    pub move_timeout: Duration,
    /// Who counts.
    pub referee: Referee,
    /// All chance comes from here.
    pub seed: u64,
    /// The models that openings are drawn from and positions are judged by.
    pub library: Arc<Library>,
}

/// How much of a match is to be played.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Games in all, those of earlier runs among them.
    pub games: usize,
    /// Games at the same time.
    pub parallel: usize,
    /// Ends the match as soon as it is decided.
    pub sprt: Option<Sprt>,
}

impl Contest {
    /// What the games depend on, in words.
    pub fn header(&self) -> Header {
        let [first, second] = &self.players;
        let rules = self.rules.name();
        Header {
            format: 1,
            first: first.label.clone(),
            second: second.label.clone(),
            size: self.size.side(),
            komi: self.komi,
            rules: rules.map_or_else(|| self.rules.to_string(), str::to_owned),
            openings: self.openings.about(),
            time: self.time.map(|time| time.as_secs_f64()),
            move_timeout: self.move_timeout.as_secs_f64(),
            referee: match &self.referee {
                Referee::Playouts => "playouts".to_owned(),
                Referee::Board => "board".to_owned(),
                Referee::Program(command) => format!("gtp:{command}"),
            },
            seed: self.seed,
        }
    }

    /// Plays until there are enough games, the test is decided, or `interrupted` is set: then games
    /// that are not finished are given up. `watch` sees each finished game and how the match stands.
    ///
    /// # Errors
    /// If a player or the referee cannot do its part, or games cannot be kept.
    pub fn run(
        &self,
        plan: &Plan,
        mut folder: Option<Folder>,
        interrupted: &AtomicBool,
        watch: &mut dyn FnMut(Option<&Finished>, &Summary),
    ) -> Result<Summary, ContestError> {
        let mut done: BTreeMap<usize, Finished> =
            folder.as_ref().map(|folder| folder.done().clone()).unwrap_or_default();
        let header = self.header();
        let summarise = |done: &BTreeMap<usize, Finished>| {
            Summary::new(&header, done.values().filter(|game| game.game <= plan.games), plan)
        };
        let mut summary = summarise(&done);
        watch(None, &summary);
        let left: Vec<usize> = (0..plan.games).filter(|n| !done.contains_key(&(n + 1))).collect();
        let decided = |summary: &Summary| {
            plan.sprt.is_some_and(|sprt| sprt.verdict(&summary.tally()) != Verdict::Open)
        };
        if left.is_empty() || decided(&summary) {
            return Ok(summary);
        }
        let stop = Stop::new();
        let tried = thread::scope(|scope| {
            let trying = scope.spawn(|| self.try_out(&stop));
            while !trying.is_finished() {
                if interrupted.load(Ordering::Relaxed) {
                    stop.raise();
                }
                thread::sleep(GLANCE.min(Duration::from_millis(20)));
            }
            trying.join().expect("trying does not panic")
        });
        if stop.is_raised() {
            return Ok(summary);
        }
        // Said before the first game; it is in every game afterwards.
        summary.notes.extend(tried?);
        watch(None, &summary);
        let workers = plan.parallel.clamp(1, left.len());
        let queue = Mutex::new(left.into_iter());
        let mut failure = None;
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..workers {
                let (sender, stop, queue) = (sender.clone(), &stop, &queue);
                let work = move || {
                    let next = || queue.lock().unwrap_or_else(|e| e.into_inner()).next();
                    while let Some(number) = next().filter(|_| !stop.is_raised()) {
                        let played = bout::play(self, number, stop);
                        let failed = played.is_err();
                        let Some(message) = played.transpose() else { break };
                        if sender.send(message).is_err() || failed {
                            break;
                        }
                    }
                };
                let builder = thread::Builder::new().stack_size(STACK);
                if let Err(error) = builder.spawn_scoped(scope, work) {
                    failure = Some(ContestError::Thread(error));
                    stop.raise();
                    break;
                }
            }
            drop(sender);
            loop {
                if interrupted.load(Ordering::Relaxed) {
                    stop.raise();
                }
                let (finished, sgf) = match receiver.recv_timeout(GLANCE) {
                    Ok(Ok(game)) => game,
                    Ok(Err(error)) => {
                        failure.get_or_insert(error);
                        stop.raise();
                        continue;
                    }
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if let Some(Err(error)) = folder.as_mut().map(|folder| folder.add(&finished, &sgf))
                {
                    failure.get_or_insert(error.into());
                    stop.raise();
                    continue;
                }
                done.insert(finished.game, finished.clone());
                summary = summarise(&done);
                watch(Some(&finished), &summary);
                if decided(&summary) {
                    stop.raise();
                }
            }
        });
        match failure {
            Some(error) => Err(error),
            None => Ok(summary),
        }
    }

    /// Finds out before the first game whether both players can take part, and by which rules if not
    /// by those of the match.
    fn try_out(&self, stop: &Stop) -> Result<Vec<String>, ContestError> {
        let mut notes = Vec::new();
        let game = Game::new(self.size, self.rules, self.komi);
        for player in &self.players {
            let label = || player.label.clone();
            match &player.kind {
                Kind::Own { options, timed, .. } => {
                    if *timed && self.time.is_none() && options.time >= self.move_timeout {
                        let [own, most] =
                            [options.time, self.move_timeout].map(|time| time.as_secs_f64());
                        return Err(ContestError::TooSlow(label(), own, most));
                    }
                }
                Kind::Program(_) => {
                    let seat = Seat::new(self, player, &game, self.seed, stop)
                        .map_err(|error| ContestError::Player(label(), error))?;
                    bout::note(&mut notes, &player.label, seat.note());
                }
            }
        }
        Ok(notes)
    }
}
