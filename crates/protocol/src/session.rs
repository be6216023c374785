//! A session of the Go Text Protocol: the game that commands are about, and the table of the commands.
//! Each file below has a group of them. The language itself, its lines and replies, is the crate `gtp`.

mod analyze;
mod board;
mod clock;
mod gogui;
mod info;
mod judge;
mod parameter;
mod record;
mod report;
mod sight;
mod solve;
mod think;

use engine::{Choice, Engine, Language, Stop};
use goban::{Color, Game, Move, Size};
use gtp::{Arguments, By, Command, Failure, Handler, Reply, Talk};

use crate::MoveRater;
pub(crate) use parameter::about_models;
pub use record::{Loaded, Records};

/// What carries out a command.
type Run = fn(&mut Session, Arguments<'_>, &mut Talk<'_>) -> Reply;

/// A name and what it does; each file of commands has a list of them.
type Commands = &'static [(&'static str, Run)];

const TABLES: [Commands; 11] = [
    info::COMMANDS,
    board::COMMANDS,
    clock::COMMANDS,
    think::COMMANDS,
    analyze::COMMANDS,
    judge::COMMANDS,
    record::COMMANDS,
    gogui::COMMANDS,
    sight::COMMANDS,
    solve::COMMANDS,
    parameter::COMMANDS,
];

/// Takes a picture in the words that GoGui draws from.
pub type Show = Box<dyn FnMut(&str)>;

/// What a session is given beyond the engine and the game.
pub struct Settings {
    /// The answer to `name`.
    pub name: String,
    /// The answer to `version`.
    pub version: String,
    /// Whether to think on the opponent's time.
    pub ponder: bool,
    /// Takes pictures of what is being thought while a move is looked for.
    pub live: Option<Show>,
    /// The files of `loadsgf` and `printsgf`.
    pub records: Box<dyn Records>,
    /// What the solver reads first.
    pub rater: MoveRater,
}

/// How many moves there are and where they led.
type Stand = (usize, u64);

/// An engine in conversation.
pub struct Session {
    engine: Engine,
    settings: Settings,
    /// Raised to end what is being thought.
    stop: Stop,
    /// The game before its first move.
    start: Game,
    /// The game after the engine's own move, in which the opponent is thinking.
    moved: Option<Stand>,
    /// The game before the engine's last move, as long as nothing was taken back.
    chosen: Option<Stand>,
}

impl Session {
    /// A session in which nothing has been said yet.
    pub fn new(engine: Engine, game: Game, settings: Settings) -> Session {
        let stop = Stop::new();
        let mut session =
            Session { engine, settings, stop, start: game.clone(), moved: None, chosen: None };
        session.begin(game);
        session
    }

    fn game(&self) -> &Game {
        self.engine.game()
    }

    fn size(&self) -> Size {
        self.game().board().size()
    }

    /// The game before its first move.
    fn start(&self) -> &Game {
        &self.start
    }

    /// Begins a game that has no moves yet.
    fn begin(&mut self, game: Game) {
        self.resume(game.clone(), game);
    }

    /// Goes on with a game that began as `start`.
    fn resume(&mut self, start: Game, game: Game) {
        self.chosen = None;
        self.start = start;
        self.engine.set_game(game);
    }

    /// Begins a game on an empty board of a size with full clocks; rules and komi stay.
    fn clear(&mut self, size: Size) {
        let (rules, komi) = (*self.game().rules(), self.game().komi());
        self.begin(Game::new(size, rules, komi));
        self.engine.restart_clock();
    }

    fn set_komi(&mut self, komi: f32) {
        self.start.set_komi(komi);
        self.engine.set_komi(komi);
    }

    /// Takes the last move back, if there is one.
    fn undo(&mut self) -> Option<(Color, Move)> {
        self.chosen = None;
        self.engine.undo()
    }

    /// Makes the engine's own move, or gives up; from now on the opponent is thinking.
    fn make_own(&mut self, color: Color, choice: Choice) -> Result<(), Failure> {
        let before = self.stand();
        let Choice::Play(mv) = choice else {
            self.chosen = Some(before);
            return Ok(());
        };
        self.engine.play(color, mv).map_err(|why| {
            Failure::new(format!("the engine chose {mv}, which is not allowed: {why}"))
        })?;
        (self.chosen, self.moved) = (Some(before), Some(self.stand()));
        Ok(())
    }

    /// Does not think until it has moved again.
    fn rest(&mut self) {
        self.moved = None;
    }

    /// Why the engine's last move was made; nothing about moves that were only asked for.
    fn explanation(&self, language: Language) -> String {
        let about = self.engine.chosen_in().map(stand);
        match about.is_some() && about == self.chosen {
            true => self.engine.explain(language),
            false => String::new(),
        }
    }

    fn stand(&self) -> Stand {
        stand(self.game())
    }

    /// Lowers the flag and has it raised when something comes that interrupts.
    fn interruptible(&self, by: By, talk: &Talk<'_>) -> gtp::Interrupt {
        self.stop.lower();
        let stop = self.stop.clone();
        talk.interrupt(by, move || stop.raise())
    }
}

fn stand(game: &Game) -> Stand {
    (game.moves().len(), game.hash())
}

impl Handler for Session {
    fn names(&self) -> Vec<&'static str> {
        TABLES.iter().flat_map(|table| table.iter().map(|&(name, _)| name)).collect()
    }

    fn handle(&mut self, command: &Command, talk: &mut Talk<'_>) -> Option<Reply> {
        let mut all = TABLES.iter().flat_map(|table| table.iter());
        let (_, run) = all.find(|(name, _)| *name == command.name)?;
        Some(run(self, command.arguments(), talk))
    }

    fn idle(&mut self, talk: &mut Talk<'_>) {
        // Questions and clocks do not end the opponent's turn.
        if self.settings.ponder && self.moved == Some(self.stand()) && !self.game().is_over() {
            let _interrupt = self.interruptible(By::AnyLine, talk);
            self.engine.ponder(&self.stop);
        }
    }
}
