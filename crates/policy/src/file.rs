//! Models as files: one versioned block of bytes with a checksum.
//!
//! `HARIEMDL`, format (u16), length of the header (u32), header (JSON: [`About`] and constants),
//! checksum of all that follows (u32, CRC-32), then compressed by zstd: the weights of the features
//! and of the patterns (f32 each), the factors of pairs if there are some, and the dictionary.
//! Numbers are little-endian. Since format 2 the lowest bytes of all weights come first, then the
//! next and so on: weights are rounded, and compressors like equal next to equal.

use serde::{Deserialize, Serialize};
use shape::{Dictionary, DictionaryError};

use crate::model::{About, Model, ModelError};

const MAGIC: &[u8; 8] = b"HARIEMDL";
const FORMAT: u16 = 2;
/// What a model may unpack to; a damaged length must not ask for all memory.
const MOST_BYTES: usize = 1 << 30;

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    about: About,
    filter: f32,
    cut: f32,
    patterns: usize,
    /// Factors of a row.
    #[serde(default, skip_serializing_if = "is_zero")]
    pairs: usize,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Why a file is not a model that can be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It does not begin as a model does.
    #[error("this is not a Harie model")]
    NotAModel,
    /// It was written by a newer program.
    #[error("the model has format {found}, this program reads up to {known}; update Harie")]
    Newer {
        /// Its format.
        found: u16,
        /// What is known here.
        known: u16,
    },
    /// It ends too early.
    #[error("the model is cut off: {found} bytes where at least {expected} are needed")]
    Truncated {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be at least.
        expected: usize,
    },
    /// The header is not readable.
    #[error("the header of the model is damaged: {0}")]
    Header(#[from] serde_json::Error),
    /// The checksum is wrong.
    #[error(
        "the model is damaged: its checksum is {found:08x} instead of {expected:08x}; get it again"
    )]
    Checksum {
        /// Of the bytes that are there.
        found: u32,
        /// That the file names.
        expected: u32,
    },
    /// The compressed part does not unpack.
    #[error("the model does not unpack: {0}")]
    Packing(std::io::Error),
    /// The dictionary.
    #[error(transparent)]
    Dictionary(#[from] DictionaryError),
    /// The parts do not fit together.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Takes bytes off the front, or says how many are missing.
struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], FileError> {
        let end = self.at.saturating_add(n);
        let missing = FileError::Truncated { found: self.all.len(), expected: end };
        let taken = self.all.get(self.at..end).ok_or(missing)?;
        self.at = end;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        Ok(self.take(N)?.try_into().expect("as many as were taken"))
    }

    fn weights(&mut self, n: usize, format: u16) -> Result<Vec<f32>, FileError> {
        let bytes = self.take(n.saturating_mul(4))?;
        let byte = |i: usize, k: usize| match format {
            1 => bytes[i * 4 + k],
            _ => bytes[k * n + i],
        };
        let number = |i| f32::from_le_bytes(std::array::from_fn(|k| byte(i, k)));
        Ok((0..n).map(number).collect())
    }

    fn rest(&self) -> &'a [u8] {
        &self.all[self.at..]
    }
}

impl Model {
    /// The model as the bytes of a file, the same for the same model.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = Header {
            about: self.about.clone(),
            filter: self.filter,
            cut: self.cut,
            patterns: self.dictionary.len(),
            pairs: self.pairs.as_ref().map_or(0, |pairs| pairs.width),
        };
        let header = serde_json::to_vec(&header).expect("a header is plain data");
        let mut body = Vec::new();
        let rows = self.pairs.as_ref().map_or(&[][..], |pairs| &pairs.rows);
        for weights in [&self.features, &self.shapes, rows] {
            body.extend((0..4).flat_map(|k| weights.iter().map(move |x| x.to_le_bytes()[k])));
        }
        body.extend(self.dictionary.to_bytes());
        let body = zstd::bulk::compress(&body, 19).expect("memory compresses to memory");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(&header);
        bytes.extend(checksum(&header, &body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads what [`Model::to_bytes`] wrote.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, FileError> {
        let mut bytes = Bytes { all: bytes, at: 0 };
        if bytes.take(MAGIC.len()).map_err(|_| FileError::NotAModel)? != MAGIC {
            return Err(FileError::NotAModel);
        }
        let format = u16::from_le_bytes(bytes.number()?);
        if format > FORMAT {
            return Err(FileError::Newer { found: format, known: FORMAT });
        }
        let length = u32::from_le_bytes(bytes.number()?) as usize;
        let header_bytes = bytes.take(length)?;
        let expected = u32::from_le_bytes(bytes.number()?);
        let found = checksum(header_bytes, bytes.rest());
        if found != expected {
            return Err(FileError::Checksum { found, expected });
        }
        let header: Header = serde_json::from_slice(header_bytes)?;
        let body = unpack(bytes.rest()).map_err(FileError::Packing)?;
        let mut body = Bytes { all: &body, at: 0 };
        let count = header.about.of.features();
        let features = body.weights(count, format)?;
        let shapes = body.weights(header.patterns, format)?;
        let rows = count.saturating_add(header.patterns).saturating_mul(header.pairs);
        let rows = body.weights(rows, format)?;
        let dictionary = Dictionary::from_bytes(body.rest())?;
        let Header { about, filter, cut, pairs, .. } = header;
        let model = Model::new(about, features, dictionary, shapes, filter, cut)?;
        Ok(if pairs > 0 { model.with_pairs(pairs, rows)? } else { model })
    }
}

fn unpack(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let decoder = zstd::stream::read::Decoder::new(packed)?;
    let mut body = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(decoder, MOST_BYTES as u64), &mut body)?;
    Ok(body)
}

fn checksum(header: &[u8], body: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(header);
    crc.update(body);
    crc.finalize()
}
