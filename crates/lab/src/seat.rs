//! A player at the board of one game, whether it thinks in this process or in another.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use engine::{Candidate, Choice, Engine, Options, Report, Request, Stop, TimeControl};
use goban::{Color, Game, Move, Size};
use gtp::{Client, ClientError};

use crate::contest::Contest;
use crate::finished::Ended;
use crate::player::{Kind, Player};
use crate::wording;

/// How long an engine may take to get ready, and for everything that is not thinking.
const SETUP: Duration = Duration::from_secs(60);

/// How much longer than its clock allows an engine is listened to before it is ended.
const GRACE: Duration = Duration::from_secs(1);

/// Why a player has lost without the opponent's help.
pub struct Fault {
    pub ended: Ended,
    pub why: String,
}

/// Why nothing came of asking.
pub enum Failed {
    /// The player has lost.
    Fault(Fault),
    /// The match is being stopped.
    Stopped,
}

/// What a player thinks of its move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Opinion {
    /// Its chance to win, 0 to 1.
    pub winrate: f32,
    /// Points that it expects to be ahead.
    pub score: f32,
    /// Playouts that say so.
    pub visits: u64,
    /// Playouts of all moves.
    pub all: u64,
}

impl Opinion {
    /// Of a choice by what was found; nothing if the choice is none of what was looked at.
    fn new(choice: Choice, report: &Report) -> Option<Opinion> {
        let all = report.visits;
        match choice {
            Choice::Resign => None,
            // Passes are decided by how the board stands, and hardly ever searched.
            Choice::Play(Move::Pass) => {
                let &Report { winrate, score, .. } = report;
                Some(Opinion { winrate, score, visits: all, all })
            }
            Choice::Play(mv) => {
                let seen = report.candidates.iter().find(|candidate| candidate.mv == mv).cloned();
                let chosen = seen.or_else(|| report.unvisited().find(|c| c.mv == mv))?;
                let Candidate { winrate, score, visits, .. } = chosen;
                Some(Opinion { winrate, score, visits, all })
            }
        }
    }
}

/// A player of a game.
pub struct Seat {
    kind: Sitting,
    size: Size,
    stop: Stop,
    move_timeout: Duration,
}

enum Sitting {
    Own(Box<Engine>),
    Program { client: Box<Client>, ready: Ready, name: String },
}

/// How an engine took the set-up of a game.
pub struct Ready {
    /// Whether it wants to know its clock.
    has_clock: bool,
    /// What it plays by, if not by the rules of the match.
    pub note: Option<String>,
}

impl Seat {
    /// Sits down at a game whose opening has been played.
    ///
    /// # Errors
    /// If a program cannot be started or does not understand how the game is to be played.
    pub fn new(
        contest: &Contest,
        player: &Player,
        game: &Game,
        seed: u64,
        stop: &Stop,
    ) -> Result<Seat, ClientError> {
        let kind = match &player.kind {
            Kind::Own { library, options, .. } => {
                // A move that takes too long is lost; there is no use in thinking on.
                let time = options.time.min(contest.move_timeout);
                let options = Options { seed, time, ..options.clone() };
                let mut engine = Engine::new(library.clone(), options);
                engine.set_game(game.clone());
                if let Some(main) = contest.time {
                    engine.set_time(TimeControl::Absolute { main });
                }
                Sitting::Own(Box::new(engine))
            }
            Kind::Program(command) => {
                // Many programs read it as a number of 31 bits, and 0 as 'any'.
                let seed = (seed >> 33).max(1).to_string();
                let mut client = Client::start(&command.replace("{seed}", &seed))?;
                let ready = set_up(&mut client, contest, game, stop)?;
                let mut ask = |command| client.ask_while(command, SETUP, &|| !stop.is_raised());
                let name = [ask("name"), ask("version")].map(Result::unwrap_or_default).join(" ");
                let name = name.trim().to_owned();
                Sitting::Program { client: Box::new(client), ready, name }
            }
        };
        let (size, move_timeout) = (game.board().size(), contest.move_timeout);
        Ok(Seat { kind, size, stop: stop.clone(), move_timeout })
    }

    /// What the program calls itself, if it is one.
    pub fn program(&self) -> Option<&str> {
        match &self.kind {
            Sitting::Own(_) => None,
            Sitting::Program { name, .. } => {
                Some(name).filter(|n| !n.is_empty()).map(|n| n.as_str())
            }
        }
    }

    /// What the program plays by, if not by the rules of the match.
    pub fn note(&self) -> Option<&str> {
        match &self.kind {
            Sitting::Own(_) => None,
            Sitting::Program { ready, .. } => ready.note.as_deref(),
        }
    }

    /// Asks for a move and what the player thinks of it, if it says so; `left` is on the clock.
    pub fn think(
        &mut self,
        color: Color,
        left: Option<Duration>,
    ) -> Result<(Choice, Option<Opinion>), Failed> {
        match &mut self.kind {
            Sitting::Own(engine) => {
                if let Some(left) = left {
                    engine.set_time_left(color, left, 0);
                }
                let (request, stop) = (Request::default(), &self.stop);
                // A mistake of ours is to lose a game, not the match.
                let thought = catch_unwind(AssertUnwindSafe(|| {
                    let mut last = None;
                    let choice = engine
                        .think(color, &request, stop, &mut |report| last = Some(report.clone()));
                    let opinion = last.and_then(|report| Opinion::new(choice, &report));
                    (choice, opinion)
                }));
                thought.map_err(|_| {
                    let why = "the engine panicked; standard error says where".to_owned();
                    Failed::Fault(Fault { ended: Ended::Crash, why })
                })
            }
            Sitting::Program { client, ready, .. } => {
                let go_on = || !self.stop.is_raised();
                let mut timeout = self.move_timeout;
                if let Some(left) = left {
                    if ready.has_clock {
                        let seconds = left.as_secs();
                        let line = format!("time_left {} {seconds} 0", color.letter());
                        client.ask_while(&line, SETUP, &go_on).map_err(failed)?;
                    }
                    timeout = timeout.min(left + GRACE);
                }
                let line = format!("genmove {}", color.letter());
                let answer = client.ask_while(&line, timeout, &go_on).map_err(failed)?;
                understood(&answer, self.size).map(|choice| (choice, None)).ok_or_else(|| {
                    let shown: String = answer.chars().take(40).collect();
                    let why = format!("'{shown}' is no move");
                    Failed::Fault(Fault { ended: Ended::Illegal, why })
                })
            }
        }
    }

    /// Tells of a move that was made, by this player if it is `own`.
    pub fn send_move(&mut self, color: Color, mv: Move, own: bool) -> Result<(), Failed> {
        match &mut self.kind {
            Sitting::Own(engine) => {
                let played = engine.play(color, mv);
                debug_assert!(played.is_ok(), "it was legal");
                Ok(())
            }
            Sitting::Program { .. } if own => Ok(()),
            Sitting::Program { client, .. } => {
                let line = format!("play {} {mv}", color.letter());
                client.ask_while(&line, SETUP, &|| !self.stop.is_raised()).map_err(failed)?;
                Ok(())
            }
        }
    }
}

/// Tells an engine about the game.
pub fn set_up(
    client: &mut Client,
    contest: &Contest,
    game: &Game,
    stop: &Stop,
) -> Result<Ready, ClientError> {
    let mut ask = |command: &str| client.ask_while(command, SETUP, &|| !stop.is_raised());
    ask(&format!("boardsize {}", game.board().size().side()))?;
    ask("clear_board")?;
    ask(&format!("komi {}", game.komi()))?;
    // One without 'known_command' knows nothing that is not in every engine.
    let mut knows =
        |name: &str| ask(&format!("known_command {name}")).is_ok_and(|answer| answer == "true");
    let (has_rules, has_clock) = (knows("kata-set-rules"), knows("time_left"));
    let mut note = None;
    if has_rules {
        note = wording::announce(game.rules(), |rules| {
            match ask(&format!("kata-set-rules {rules}")) {
                Ok(_) => Ok(true),
                Err(ClientError::Refused { .. }) => Ok(false),
                Err(error) => Err(error),
            }
        })?;
    }
    if let Some(main) = contest.time.filter(|_| has_clock) {
        ask(&format!("time_settings {} 0 0", main.as_secs_f64().ceil()))?;
    }
    for (color, mv) in game.moves() {
        ask(&format!("play {} {mv}", color.letter()))?;
    }
    Ok(Ready { has_clock, note })
}

/// The move that an engine answered with.
fn understood(answer: &str, size: Size) -> Option<Choice> {
    match answer.to_ascii_lowercase().as_str() {
        "resign" => Some(Choice::Resign),
        "pass" => Some(Choice::Play(Move::Pass)),
        _ => size.parse_point(answer).map(|p| Choice::Play(Move::Play(p))),
    }
}

fn failed(error: ClientError) -> Failed {
    let ended = match &error {
        ClientError::Cancelled { .. } => return Failed::Stopped,
        ClientError::Hung { .. } => Ended::Timeout,
        ClientError::Refused { .. } => Ended::Refusal,
        ClientError::Garbled { .. } => Ended::Illegal,
        _ => Ended::Crash,
    };
    Failed::Fault(Fault { ended, why: error.to_string() })
}
