//! A course of learning put aside: all that is needed to go on with it, as bytes.
//!
//! `HARIECHK`, format (u16), checksum of all that follows (u32, CRC-32), then the options, the marks of
//! the games, the dictionary, how far the course is, and the state of the method. Numbers are
//! little-endian and whole to the last bit, so that what is learned does not depend on interruptions.

use crate::course::{Best, Standing};
use crate::curve::Mark;
use crate::method::Weights;
use crate::store::{Reader, Writer};

const MAGIC: &[u8; 8] = b"HARIECHK";
const FORMAT: u16 = 2;

/// A checkpoint.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// The options that must be the same to go on.
    pub options: String,
    /// [`crate::Games::mark`] of the games to learn from and of those to measure on.
    pub games: [u64; 2],
    /// The dictionary, as `shape` writes it.
    pub dictionary: Vec<u8>,
    /// How far the course is.
    pub standing: Standing,
    /// The state of the method after the passes that are done.
    pub state: Vec<u8>,
}

/// What is wrong with the bytes of a checkpoint.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// It does not begin as one does.
    #[error("this is no checkpoint of a training run")]
    NotACheckpoint,
    /// It was written by another version.
    #[error(
        "the checkpoint has format {found}, and this program resumes only from format {FORMAT}; \
         begin anew without --resume"
    )]
    Format {
        /// Its format.
        found: u16,
    },
    /// Bytes are missing or are not those that were written.
    #[error("the checkpoint is damaged or cut off; begin anew without --resume")]
    Damaged,
}

impl Checkpoint {
    /// The checkpoint as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut rest = Writer::default();
        rest.block(self.options.as_bytes());
        self.games.iter().for_each(|&mark| rest.number(mark));
        rest.block(&self.dictionary);
        let Standing { done, over, best, marks } = &self.standing;
        rest.number(*done as u64);
        rest.number(*over as u64);
        rest.number(best.is_some() as u64);
        if let Some(Best { pass, value, weights }) = best {
            rest.number(*pass as u64);
            rest.real(*value);
            rest.number(weights.logs.len() as u64);
            rest.number(weights.width as u64);
            rest.floats(&weights.logs);
            rest.floats(&weights.factors);
        }
        rest.number(marks.len() as u64);
        for mark in marks {
            rest.number(mark.pass as u64);
            [mark.train, mark.validation, mark.match1].into_iter().for_each(|x| rest.real(x));
        }
        rest.block(&self.state);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend(crc32fast::hash(&rest.0).to_le_bytes());
        bytes.extend(rest.0);
        bytes
    }

    /// Reads what [`Checkpoint::to_bytes`] wrote.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
        use CheckpointError::{Damaged, Format, NotACheckpoint};
        let rest = bytes.strip_prefix(MAGIC).ok_or(NotACheckpoint)?;
        let (format, rest) = rest.split_first_chunk().ok_or(Damaged)?;
        let found = u16::from_le_bytes(*format);
        if found != FORMAT {
            return Err(Format { found });
        }
        let (sum, rest) = rest.split_first_chunk().ok_or(Damaged)?;
        if crc32fast::hash(rest) != u32::from_le_bytes(*sum) {
            return Err(Damaged);
        }
        Checkpoint::read(Reader(rest)).ok_or(Damaged)
    }

    fn read(mut rest: Reader<'_>) -> Option<Checkpoint> {
        let options = String::from_utf8(rest.block()?.to_vec()).ok()?;
        let games = [rest.number()?, rest.number()?];
        let dictionary = rest.block()?.to_vec();
        let (done, over) = (rest.count()?, rest.flag()?);
        let best = match rest.flag()? {
            true => Some(best(&mut rest)?),
            false => None,
        };
        let mut marks = Vec::new();
        for _ in 0..rest.number()? {
            marks.push(Mark {
                pass: rest.count()?,
                train: rest.real()?,
                validation: rest.real()?,
                match1: rest.real()?,
            });
        }
        let state = rest.block()?.to_vec();
        rest.end()?;
        let standing = Standing { done, over, best, marks };
        Some(Checkpoint { options, games, dictionary, standing, state })
    }
}

fn best(rest: &mut Reader<'_>) -> Option<Best> {
    let (pass, value) = (rest.count()?, rest.real()?);
    let (len, width) = (rest.count()?, rest.count()?);
    let logs = rest.floats(len)?;
    let factors = rest.floats(len.checked_mul(width)?)?;
    Some(Best { pass, value, weights: Weights { logs, width, factors } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        // A third has no end in digits or bits: it comes back to the last of them.
        let third = 1.0 / 3.0;
        let mark =
            Mark { pass: 1, train: -2.0 * third, validation: f64::NEG_INFINITY, match1: 0.3 };
        let weights = Weights { logs: vec![0.1, -7.0], width: 1, factors: vec![0.5, 1e-30] };
        Checkpoint {
            options: "--seed 1".to_owned(),
            games: [77, u64::MAX],
            dictionary: vec![1, 2, 3],
            standing: Standing {
                done: 1,
                over: false,
                best: Some(Best { pass: 1, value: -third, weights }),
                marks: vec![mark],
            },
            state: vec![5, 6, 7, 8, 9],
        }
    }

    #[test]
    fn checkpoints_come_back() {
        let one = checkpoint();
        assert_eq!(Checkpoint::from_bytes(&one.to_bytes()).unwrap(), one);
        let start = Checkpoint { standing: Standing::default(), ..one };
        assert_eq!(Checkpoint::from_bytes(&start.to_bytes()).unwrap(), start);
    }

    #[test]
    fn damage_is_noticed_wherever_it_is() {
        let bytes = checkpoint().to_bytes();
        for cut in 0..bytes.len() {
            assert!(Checkpoint::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 0x10;
            assert!(Checkpoint::from_bytes(&other).is_err(), "{at}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(Checkpoint::from_bytes(&longer), Err(CheckpointError::Damaged));
        assert_eq!(Checkpoint::from_bytes(b"(;SZ[9])"), Err(CheckpointError::NotACheckpoint));
    }

    #[test]
    fn other_formats_are_refused_by_name() {
        let mut bytes = checkpoint().to_bytes();
        bytes[8..10].copy_from_slice(&1u16.to_le_bytes());
        let error = Checkpoint::from_bytes(&bytes).unwrap_err();
        assert_eq!(error, CheckpointError::Format { found: 1 });
        assert!(error.to_string().contains("begin anew without --resume"), "{error}");
    }
}
