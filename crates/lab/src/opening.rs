//! How games begin: drawn from the move model or taken from game records. Both games of a pair begin
//! alike, with the colours changed.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use engine::{Engine, Library, Options};
use goban::{Color, Game, Move};
use kifu::{Corpus, CorpusError, Record};
use playout::Random;

/// What is wrong with a collection of openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// A file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] CorpusError),
    /// Nothing fits.
    #[error(
        "{path}: none of its {games} games is an even game on this board whose first moves are legal"
    )]
    None {
        /// The file or folder.
        path: String,
        /// How many there are.
        games: usize,
    },
}

/// Where openings come from.
pub enum Openings {
    /// Games begin with an empty board.
    None,
    /// So many moves, each as likely as the model says.
    Drawn(usize),
    /// The first moves of records, each position once, and what they are called.
    Given(Vec<Vec<(Color, Move)>>, String),
}

impl Openings {
    /// The positions after so many moves of the records in a file or folder, in order, each once. `game`
    /// is the empty board of the match. Games with handicap or set-up stones are left out.
    ///
    /// # Errors
    /// If a file cannot be read or nothing in it can be used.
    pub fn read(path: &Path, moves: usize, game: &Game) -> Result<Openings, OpeningError> {
        let mut corpus = Corpus::new([path]);
        let (mut openings, mut seen, mut digest) = (Vec::new(), BTreeSet::new(), 0u64);
        for found in &mut corpus {
            let Ok(record) = Record::new(&found?.tree, &mut Vec::new()) else { continue };
            let even = record.stones.is_empty() && record.changes.iter().all(|c| c.after >= moves);
            if !even || record.size != game.board().size() {
                continue;
            }
            let mut game = game.clone();
            let played = record.moves.iter().take(moves).all(|next| {
                game.play_as(next.color, next.point.map_or(Move::Pass, Move::Play)).is_ok()
            });
            if played && !game.is_over() && seen.insert(game.hash()) {
                digest = crate::seed::mixed(&[digest, game.hash()]);
                openings.push(game.moves().to_vec());
            }
        }
        let shown = path.display().to_string();
        if openings.is_empty() {
            return Err(OpeningError::None { path: shown, games: corpus.progress().games });
        }
        let number = openings.len();
        let about = format!("{shown}: {number} positions after {moves} moves ({digest:016x})");
        Ok(Openings::Given(openings, about))
    }

    /// In words: the same words are the same openings.
    pub fn about(&self) -> String {
        match self {
            Openings::None | Openings::Drawn(0) => "none".to_owned(),
            Openings::Drawn(moves) => format!("{moves} moves drawn from the move model"),
            Openings::Given(_, about) => about.clone(),
        }
    }

    /// Plays the opening of a pair in a game that has just begun.
    pub fn play(&self, game: Game, pair: usize, seed: u64, library: &Arc<Library>) -> Game {
        match self {
            Openings::None => game,
            Openings::Drawn(moves) => draw(game, *moves, seed, library),
            Openings::Given(openings, _) => {
                let mut game = game;
                for &(color, mv) in &openings[pair % openings.len()] {
                    let played = game.play_as(color, mv);
                    debug_assert!(played.is_ok(), "it was legal when it was read");
                }
                game
            }
        }
    }
}

fn draw(game: Game, moves: usize, seed: u64, library: &Arc<Library>) -> Game {
    let mut random = Random::new(seed);
    let mut engine = Engine::new(library.clone(), Options::default());
    engine.set_game(game);
    for _ in 0..moves {
        let color = engine.game().to_move();
        let rated = engine.policy(color);
        let sum: f32 = rated.iter().map(|r| r.probability).sum();
        let mut left = sum * random.below(1 << 24) as f32 / (1 << 24) as f32;
        let chosen = rated.iter().find(|r| {
            left -= r.probability;
            left <= 0.0
        });
        let Some(chosen) = chosen.or(rated.first()) else { break };
        if engine.play(color, Move::Play(chosen.point)).is_err() {
            break;
        }
    }
    engine.game().clone()
}
