//! Which moves of a problem look like its answer: learned, without a search.
//!
//! A move has about a hundred [`facts`], among them what the model of moves in games
//! thinks of it; a [`Forest`] learned from problems adds up what they are worth.

use std::sync::Arc;

use goban::{Board, Color, Point};
use policy::Model;

use crate::facts::{self, Facts};
use crate::forest::{Forest, ForestError};
use crate::scene::Scene;

const MAGIC: &[u8; 8] = b"HARIETSU";
const FORMAT: u16 = 1;

/// What looks like an answer. See the module documentation.
pub struct Candidates {
    /// Where it comes from, for people to read.
    pub about: String,
    forest: Forest,
    game: Arc<Model>,
}

/// Why bytes are no candidates.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CandidatesError {
    /// It does not begin as such a file does.
    #[error("this is not a model of problems")]
    NotOne,
    /// It was written by a newer program.
    #[error("the model of problems has format {found}, this program reads {known}; update Harie")]
    Newer {
        /// Its format.
        found: u16,
        /// What is known here.
        known: u16,
    },
    /// The checksum is wrong, or bytes are missing.
    #[error("the model of problems is damaged; get it again")]
    Damaged,
    /// It knows other facts than this program.
    #[error("the model of problems knows {found} facts of a move where this program has {known}")]
    Facts {
        /// What it knows.
        found: usize,
        /// What there are.
        known: usize,
    },
    /// The trees.
    #[error(transparent)]
    Forest(#[from] ForestError),
}

impl Candidates {
    /// Candidates by a forest that was grown on [`Candidates::facts`] with this model of games.
    ///
    /// # Errors
    /// If the forest knows another number of facts.
    pub fn new(
        about: String,
        forest: Forest,
        game: Arc<Model>,
    ) -> Result<Candidates, CandidatesError> {
        let (found, known) = (forest.width, facts::names().len());
        if found != known {
            return Err(CandidatesError::Facts { found, known });
        }
        Ok(Candidates { about, forest, game })
    }

    /// The facts of the moves that come into question in a position.
    pub fn facts(game: &Model, board: &Board, to_play: Color) -> Facts {
        facts::facts(&Scene::new(board, to_play), game)
    }

    /// The moves that come into question with the probability that each is the answer, the likeliest
    /// first; all legal moves within [`crate::scene::REACH`] of a stone.
    pub fn rate(&self, board: &Board, to_play: Color) -> Vec<(Point, f32)> {
        let facts = Candidates::facts(&self.game, board, to_play);
        let scores: Vec<f32> =
            (0..facts.moves.len()).map(|place| self.forest.score(facts.of(place))).collect();
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let shares: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
        let sum: f32 = shares.iter().sum();
        let mut rated: Vec<(Point, f32)> =
            facts.moves.into_iter().zip(shares.into_iter().map(|share| share / sum)).collect();
        rated.sort_by(|a, b| b.1.total_cmp(&a.1));
        rated
    }

    /// As the bytes of a file: `HARIETSU`, format (u16), checksum of the rest (u32, CRC-32), length of
    /// the text about it (u32) and that text, the forest.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut rest = (self.about.len() as u32).to_le_bytes().to_vec();
        rest.extend(self.about.as_bytes());
        rest.extend(self.forest.to_bytes());
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend(crc32fast::hash(&rest).to_le_bytes());
        bytes.extend(rest);
        bytes
    }

    /// Reads what [`Candidates::to_bytes`] wrote, to be used with the model of games it was grown
    /// with.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8], game: Arc<Model>) -> Result<Candidates, CandidatesError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(CandidatesError::NotOne)?;
        let (format, rest) = rest.split_first_chunk().ok_or(CandidatesError::Damaged)?;
        let found = u16::from_le_bytes(*format);
        if found != FORMAT {
            return Err(CandidatesError::Newer { found, known: FORMAT });
        }
        let (sum, rest) = rest.split_first_chunk().ok_or(CandidatesError::Damaged)?;
        if crc32fast::hash(rest) != u32::from_le_bytes(*sum) {
            return Err(CandidatesError::Damaged);
        }
        let (length, rest) = rest.split_first_chunk().ok_or(CandidatesError::Damaged)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (about, rest) = rest.split_at_checked(length).ok_or(CandidatesError::Damaged)?;
        let about = String::from_utf8_lossy(about).into_owned();
        Candidates::new(about, Forest::from_bytes(rest)?, game)
    }
}
