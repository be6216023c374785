//! Where a match is played that a page has asked for: one at a time, in a folder whose name is found
//! here, between players of whom a page can say no more than which and how strong.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use clap::Parser;
use engine::Level;
use lab::{Folder, Plan, Spec};
use web::{MatchWish, PlayerWish};

use crate::terms::{Libraries, Terms};

/// Playouts a move at most.
const VISITS: u32 = 10_000;
/// Games at most.
const GAMES: usize = 200;
/// Matches that a folder has room for.
const MATCHES: usize = 1000;

/// The terms of a match, read by themselves.
#[derive(Parser)]
struct Alone {
    #[command(flatten)]
    terms: Terms,
}

struct Running {
    thread: JoinHandle<()>,
    stop: Arc<AtomicBool>,
}

/// Where matches are played.
pub struct Bench {
    folder: PathBuf,
    running: Mutex<Option<Running>>,
}

impl Bench {
    /// Games are kept in this folder.
    pub fn new(folder: PathBuf) -> Bench {
        Bench { folder, running: Mutex::new(None) }
    }

    /// Whether a match is being played.
    pub fn is_busy(&self) -> bool {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.as_ref().is_some_and(|running| !running.thread.is_finished())
    }

    /// Has the match stop that is being played; games that are finished stay.
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
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.as_ref().is_some_and(|running| !running.thread.is_finished()) {
            return Err("a match is being played already".to_owned());
        }
        let size = wish.size.to_string();
        let terms = Alone::try_parse_from(["match", "--size", &size]).map_err(|e| e.to_string())?;
        let contest = terms.terms.contest(&first, &second, &mut Libraries::default());
        let contest = contest.map_err(|why| why.to_string())?;
        let name = (1..=MATCHES)
            .map(|n| format!("match-{n}"))
            .find(|name| fs::symlink_metadata(self.folder.join(name)).is_err())
            .ok_or("the folder has too many matches")?;
        let folder = Folder::open(&self.folder.join(&name), &contest.header())
            .map_err(|why| why.to_string())?;
        let plan = Plan { games: wish.games, parallel: 1, sprt: None };
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let play = move || {
            // What goes wrong ends the match; what was played is in the folder.
            let _ = contest.run(&plan, Some(folder), &flag, &mut |_, _| ());
        };
        let thread = thread::Builder::new().name("match".to_owned()).spawn(play);
        *running = Some(Running { thread: thread.map_err(|why| why.to_string())?, stop });
        Ok(name)
    }
}

/// A player in the words of the command line: numbers and levels only, so that nothing in it can name
/// a file or a program.
fn spec(wish: &PlayerWish) -> Result<Spec, String> {
    let most = |visits: u32| visits.clamp(1, VISITS);
    let text = match wish {
        PlayerWish::Harie { visits } => format!("harie:visits={}", most(*visits)),
        PlayerWish::Knowledge { visits } => format!("knowledge:visits={}", most(*visits)),
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
        assert_eq!(label(PlayerWish::Harie { visits: u32::MAX }).unwrap(), "harie:visits=10000");
        assert_eq!(label(level("10k")).unwrap(), "harie:level=10k");
        for odd in ["10k,model=/etc/passwd", "gtp:rm", ""] {
            assert!(label(level(odd)).is_err(), "{odd}");
        }
    }

    #[test]
    fn a_match_is_played_stopped_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let bench = Bench::new(folder.path().to_owned());
        let player = |visits| PlayerWish::Harie { visits };
        let wish = MatchWish { players: [player(2), player(1)], size: 9, games: 200 };
        for odd in
            [MatchWish { size: 10, ..wish.clone() }, MatchWish { games: 900, ..wish.clone() }]
        {
            assert!(bench.begin(&odd).is_err());
        }
        assert_eq!(bench.begin(&wish).unwrap(), "match-1");
        assert!(bench.begin(&wish).unwrap_err().contains("already"));
        let played = || Folder::look(&folder.path().join("match-1")).unwrap().unwrap().1.len();
        while bench.is_busy() && played() == 0 {
            thread::sleep(std::time::Duration::from_millis(20));
        }
        bench.stop();
        while bench.is_busy() {
            thread::sleep(std::time::Duration::from_millis(20));
        }
        assert!((1..200).contains(&played()));
    }
}
