//! The engine: a game, and someone who thinks about it.

use std::sync::Arc;
use std::time::Duration;

use goban::score::Marks;
use goban::{Color, Game, Illegal, Move, PointMap, Rules, Size};
use policy::{Follower, Rated};
use search::{Candidate, Report, Stop};

use crate::clock::TimeControl;
use crate::library::Library;
use crate::request::Request;

/// What the engine decides to do when asked for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// This move.
    Play(Move),
    /// Give up.
    Resign,
}

/// How a position stands if play stops here.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Stones that are dead and points that are no one's because of seki.
    pub marks: Marks,
    /// Black's points less White's, komi and handicap bonus counted, by the rules of the game.
    pub score: f32,
    /// Who owns each point, from -1 for White to +1 for Black.
    pub ownership: PointMap<f32>,
}

/// How the engine plays.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that search.
    pub threads: usize,
    /// Memory for the tree.
    pub megabytes: usize,
    /// Seed of the playouts.
    pub seed: u64,
    /// Playouts for a move when no time control says otherwise; no bound if `None`.
    pub visits: Option<u64>,
    /// Time for a move when no time control says otherwise.
    pub time: Duration,
    /// Resigns when the win rate is below this; never if `None`.
    pub resign: Option<f32>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            megabytes: 512,
            seed: 1,
            visits: None,
            time: Duration::from_secs(5),
            resign: Some(0.1),
        }
    }
}

/// One game in progress and the engine that plays in it.
pub struct Engine {
    library: Arc<Library>,
    options: Options,
    game: Game,
}

impl Engine {
    /// An engine before an empty 19x19 board, komi 7.5, Chinese rules.
    pub fn new(library: Arc<Library>, options: Options) -> Engine {
        Engine { library, options, game: Game::new(Size::NINETEEN, Rules::CHINESE, 7.5) }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Begins or goes on with another game. What was thought about positions that it shares with
    /// the game so far is kept.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// Changes the komi.
    pub fn set_komi(&mut self, komi: f32) {
        self.game.set_komi(komi);
    }

    /// Makes a move in the game.
    ///
    /// # Errors
    /// What is wrong with the move; the game is as it was.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), Illegal> {
        self.game.play_as(color, mv)
    }

    /// Takes the last move back.
    pub fn undo(&mut self) -> Option<(Color, Move)> {
        self.game.undo()
    }

    /// Sets the time control; both players have all their time.
    pub fn set_time(&mut self, control: TimeControl) {
        let _ = control;
    }

    /// Says how much time a player has left: in main time if `stones` is 0, else in a period in
    /// which so many stones are to be played, or with so many periods in Japanese overtime.
    pub fn set_time_left(&mut self, color: Color, left: Duration, stones: u32) {
        let _ = (color, left, stones);
    }

    /// Forgets everything that was thought so far.
    pub fn forget(&mut self) {}

    /// Thinks about a move for `color`, as long as the clock and the options say or until stopped,
    /// and decides. The move is not made. `request` bounds it further; `watch` sees reports as often
    /// as the request asks, and the last one.
    pub fn think(
        &mut self,
        color: Color,
        request: &Request,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report),
    ) -> Choice {
        let report = self.analyse(color, request, stop, watch);
        Choice::Play(report.candidates.first().map_or(Move::Pass, |c| c.mv))
    }

    /// Thinks about the position with `color` to move until the bounds of the request are reached
    /// or the flag is raised. `watch` sees reports as often as the request asks, and the last one,
    /// which is returned as well.
    pub fn analyse(
        &mut self,
        color: Color,
        request: &Request,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        let _ = (request, stop);
        let candidates = self.policy(color).into_iter().map(|rated| Candidate {
            mv: Move::Play(rated.point),
            visits: 1,
            winrate: 0.5,
            lcb: 0.4,
            score: 0.0,
            prior: rated.probability,
            line: vec![Move::Play(rated.point)],
            line_visits: vec![1],
            ownership: None,
        });
        let report = Report {
            to_move: color,
            visits: 1,
            playouts: 1,
            elapsed: Duration::ZERO,
            winrate: 0.5,
            score: 0.0,
            score_deviation: 10.0,
            candidates: candidates.collect(),
            ownership: PointMap::filled(0.0),
        };
        watch(&report);
        report
    }

    /// Thinks while the opponent does, until stopped.
    pub fn ponder(&mut self, stop: &Stop) {
        let _ = stop;
    }

    /// The move model's probabilities for `color`, the most likely first; no search.
    pub fn policy(&self, color: Color) -> Vec<Rated> {
        let models = self.library.models(self.game.board().size());
        let follower = Follower::new(self.game.board(), color);
        models.tree.rate(&follower.situation())
    }

    /// Which stones are dead and what the score is, if play stops here.
    pub fn judge(&mut self) -> Judgement {
        let marks = Marks::default();
        let score = self.game.score(&marks);
        Judgement { marks, score, ownership: PointMap::filled(0.0) }
    }

    /// Why the last move that the engine chose was chosen, in a few lines.
    pub fn explain(&self) -> String {
        String::new()
    }
}
