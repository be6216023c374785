//! Who has won when both have passed.

use std::time::Duration;

use engine::{Library, Stop, judge};
use goban::score::Marks;
use goban::{Color, Game, Rules};
use gtp::Client;
use kifu::{Margin, Outcome};

use crate::contest::{Contest, ContestError};
use crate::gnugo::{self, NoGnuGo};
use crate::seat::set_up;
use crate::spec::{Role, Spec};

/// How long a referee may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// How the points are counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Referee {
    /// Stones that playouts nearly always lose are dead.
    Playouts,
    /// All stones on the board are alive.
    Board,
    /// As an engine says. It is a command line.
    Program(String),
}

impl Referee {
    /// The usual referee under rules: some rules count the board as it stands.
    pub fn usual(rules: &Rules) -> Referee {
        if rules.counts_as_it_stands() { Referee::Board } else { Referee::Playouts }
    }

    /// The program of a description, which counts under these rules.
    ///
    /// # Errors
    /// If GNU Go is wanted and not there.
    pub fn program(spec: &Spec, rules: &Rules) -> Result<Referee, NoGnuGo> {
        match &spec.role {
            Role::Own(_) => Ok(Referee::Playouts),
            Role::GnuGo(level) => Ok(Referee::Program(gnugo::command(*level, rules)?)),
            Role::Program(command) => Ok(Referee::Program(command.clone())),
        }
    }

    /// Black's points less White's, and by which rules a program counts if not by those of the match.
    pub(crate) fn score(
        &self,
        contest: &Contest,
        library: &Library,
        game: &Game,
        seed: u64,
        stop: &Stop,
    ) -> Result<(f32, Option<String>), ContestError> {
        match self {
            Referee::Board => Ok((game.score(&Marks::default()), None)),
            Referee::Playouts => {
                Ok((judge(&library.models(game.board().size()), game, seed).score, None))
            }
            Referee::Program(command) => {
                let mut client = Client::start(&command.replace("{seed}", "1"))
                    .map_err(ContestError::Referee)?;
                let ready =
                    set_up(&mut client, contest, game, stop).map_err(ContestError::Referee)?;
                let answer = client
                    .ask_while("final_score", PATIENCE, &|| !stop.is_raised())
                    .map_err(ContestError::Referee)?;
                let score = match Outcome::parse(&answer) {
                    Some(Outcome::Draw) => 0.0,
                    Some(Outcome::Win(Color::Black, Margin::Points(points))) => points,
                    Some(Outcome::Win(Color::White, Margin::Points(points))) => -points,
                    _ => return Err(ContestError::NoScore(answer)),
                };
                Ok((score, ready.note))
            }
        }
    }
}
