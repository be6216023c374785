//! How games between players are played: the options that matches and rating lists have in common.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;
use engine::Library;
use goban::{Game, Rules, Size};
use lab::{Contest, Openings, Own, Player, Referee, Role, Spec};

use crate::{engine_options, options};

#[derive(Args, Clone, Debug)]
pub struct Terms {
    /// The board
    #[arg(long, value_name = "N", default_value = "9", value_parser = options::size)]
    size: Size,

    /// Points for White
    #[arg(long, value_name = "POINTS", default_value = "7.5", allow_hyphen_values = true,
        value_parser = options::komi)]
    komi: f32,

    /// The rules: chinese, japanese, korean, aga, new-zealand, tromp-taylor, cgos
    #[arg(long, value_name = "NAME", default_value = "chinese", value_parser = options::rules)]
    rules: Rules,

    /// Begin with the first moves of these game records (file or folder), in turn
    #[arg(long, value_name = "PATH")]
    openings: Option<PathBuf>,

    /// Moves of an opening; without --openings they are drawn from the move model, half as many as
    /// the board has points at most, 0 for none [default: 2 up to 9x9, 4 above]
    #[arg(long, value_name = "N", value_parser = options::whole::<usize>)]
    opening_moves: Option<usize>,

    /// Seconds that each player has for a game
    #[arg(long, value_name = "S", value_parser = options::seconds)]
    time: Option<f64>,

    /// Seconds after which a move is lost, and an engine that is a process ended; any other
    /// command it has to answer within 60
    #[arg(long, value_name = "S", default_value = "60", value_parser = options::seconds)]
    move_timeout: f64,

    /// Games at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = options::counted)]
    pub parallel: usize,

    /// Seed of chance
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = options::whole::<u64>)]
    seed: u64,

    /// Who counts: playouts, board (all stones live), gnugo, or gtp:COMMAND LINE
    /// [default: board under cgos and tromp-taylor rules, else playouts]
    #[arg(long, value_name = "WHO", value_parser = referee)]
    referee: Option<Counting>,
}

/// Who counts, as written.
#[derive(Clone, Debug)]
enum Counting {
    Playouts,
    Board,
    Program(Spec),
}

fn referee(text: &str) -> Result<Counting, String> {
    match text {
        "playouts" => Ok(Counting::Playouts),
        "board" => Ok(Counting::Board),
        _ => match Spec::parse(text) {
            Ok(spec) if !matches!(spec.role, Role::Own(_)) => Ok(Counting::Program(spec)),
            _ => Err("playouts, board, gnugo or gtp:COMMAND LINE is wanted".to_owned()),
        },
    }
}

/// The models of players, each loaded once: by the files of the tree's and the playouts' model.
#[derive(Default)]
pub struct Libraries(BTreeMap<[Option<PathBuf>; 2], Arc<Library>>);

impl Libraries {
    fn get(&mut self, tree: &Option<PathBuf>, playouts: &Option<PathBuf>) -> Result<Arc<Library>> {
        let key = [tree.clone(), playouts.clone()];
        if let Some(library) = self.0.get(&key) {
            return Ok(library.clone());
        }
        let library = Arc::new(engine_options::library(tree.as_deref(), playouts.as_deref())?);
        self.0.insert(key, library.clone());
        Ok(library)
    }
}

impl Terms {
    /// A match of two players on these terms.
    ///
    /// # Errors
    /// If models, openings or programs cannot be found.
    pub fn contest(
        &self,
        first: &Spec,
        second: &Spec,
        libraries: &mut Libraries,
    ) -> Result<Contest> {
        let library = libraries.get(&None, &None)?;
        let mut player = |spec: &Spec| {
            Player::new(spec, &self.rules, |own: &Own| {
                libraries.get(&own.model, &own.playout_model)
            })
        };
        let players = [player(first)?, player(second)?];
        let moves = self.opening_moves.unwrap_or(if self.size.side() <= 9 { 2 } else { 4 });
        // A drawn opening of more moves would be a whole game that nobody has played.
        let most = self.size.area() / 2;
        ensure!(
            moves <= most || self.openings.is_some(),
            "--opening-moves {moves}: at most {most} can be drawn on {}; give fewer, or records \
             with --openings",
            self.size
        );
        let openings = match &self.openings {
            Some(path) => {
                let empty = Game::new(self.size, self.rules, self.komi);
                Openings::read(path, moves, &empty)?
            }
            None => Openings::Drawn(moves),
        };
        let referee = match &self.referee {
            None => Referee::usual(&self.rules),
            Some(Counting::Playouts) => Referee::Playouts,
            Some(Counting::Board) => Referee::Board,
            Some(Counting::Program(spec)) => Referee::program(spec, &self.rules)?,
        };
        Ok(Contest {
            players,
            size: self.size,
            komi: self.komi,
            rules: self.rules,
            openings,
            time: self.time.map(Duration::from_secs_f64),
            move_timeout: Duration::from_secs_f64(self.move_timeout),
            referee,
            seed: self.seed,
            library,
        })
    }
}
