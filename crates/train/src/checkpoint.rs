//! A course of learning put aside: all that is needed to go on with it, as bytes.
//!
//! `HARIECHK`, format (u16), length of the header (u32), header (JSON), length of the dictionary
//! (u64), dictionary, the state of the method (f32 each). Numbers are little-endian.

use serde::{Deserialize, Serialize};

use crate::curve::Mark;

const MAGIC: &[u8; 8] = b"HARIECHK";
const FORMAT: u16 = 1;

/// What a checkpoint says about itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// The options that must be the same to go on.
    pub options: String,
    /// [`crate::Games::mark`] of the games.
    pub games: u64,
    /// Passes done.
    pub done: usize,
    /// The pass with the best weights and how good they are; they are in the model file.
    pub best: Option<(usize, f64)>,
    /// The learning curve so far.
    pub marks: Vec<Mark>,
}

/// A checkpoint.
pub struct Checkpoint {
    /// What it says about itself.
    pub progress: Progress,
    /// The dictionary, as `shape` writes it.
    pub dictionary: Vec<u8>,
    /// The state of the method.
    pub state: Vec<f32>,
}

/// What is wrong with the bytes of a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It does not begin as one does, or it is of another format.
    #[error("this is no checkpoint of this program")]
    NotACheckpoint,
    /// It ends too early.
    #[error("the checkpoint is cut off")]
    Truncated,
    /// The header is not readable.
    #[error("the header of the checkpoint is damaged: {0}")]
    Header(#[from] serde_json::Error),
}

impl Checkpoint {
    /// The checkpoint as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = serde_json::to_vec(&self.progress).expect("a header is plain data");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        bytes.extend((self.dictionary.len() as u64).to_le_bytes());
        bytes.extend(&self.dictionary);
        bytes.extend(self.state.iter().flat_map(|x| x.to_le_bytes()));
        bytes
    }

    /// Reads what [`Checkpoint::to_bytes`] wrote.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
        let mut rest = bytes;
        let mut take = |n: usize| {
            let (head, tail) = rest.split_at_checked(n).ok_or(CheckpointError::Truncated)?;
            rest = tail;
            Ok::<&[u8], CheckpointError>(head)
        };
        let start = take(10).map_err(|_| CheckpointError::NotACheckpoint)?;
        if start[..8] != MAGIC[..] || start[8..] != FORMAT.to_le_bytes() {
            return Err(CheckpointError::NotACheckpoint);
        }
        let number =
            |bytes: &[u8]| bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | byte as u64);
        let length = number(take(4)?) as usize;
        let progress = serde_json::from_slice(take(length)?)?;
        let length = usize::try_from(number(take(8)?)).unwrap_or(usize::MAX);
        let dictionary = take(length)?.to_vec();
        if !rest.len().is_multiple_of(4) {
            return Err(CheckpointError::Truncated);
        }
        let four = |b: &[u8]| f32::from_le_bytes(b.try_into().expect("four bytes"));
        let state = rest.chunks_exact(4).map(four).collect();
        Ok(Checkpoint { progress, dictionary, state })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_come_back_and_damage_is_noticed() {
        let mark = Mark { pass: 1, train: -2.0, validation: -2.1, match1: 0.3 };
        let progress = Progress {
            options: "seed 1".to_owned(),
            games: 77,
            done: 1,
            best: Some((1, -2.1)),
            marks: vec![mark],
        };
        let checkpoint = Checkpoint { progress, dictionary: vec![1, 2, 3], state: vec![0.5, -1.0] };
        let bytes = checkpoint.to_bytes();
        let back = Checkpoint::from_bytes(&bytes).unwrap();
        assert_eq!(back.progress, checkpoint.progress);
        assert_eq!((back.dictionary, back.state), (checkpoint.dictionary, checkpoint.state));
        for cut in 0..bytes.len() - 8 {
            assert!(Checkpoint::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
    }
}
