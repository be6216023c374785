//! Files and archives as streams of SGF: plain, gzip, zip. Knows no games.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::Crc;
use flate2::read::{DeflateDecoder, MultiGzDecoder};
use zip::{CompressionMethod, ZipArchive};

/// A stream of SGF.
pub(crate) type Stream = Box<dyn Read + Send>;

/// What a file turned out to be.
pub(crate) enum Source {
    Stream(Stream),
    Archive(Vec<Entry>),
}

/// A file in an archive that may hold games.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) stream: Place,
}

/// Where the bytes of an entry are, or why it cannot be read.
pub(crate) type Place = Result<Packed, String>;

pub(crate) struct Packed {
    start: u64,
    length: u64,
    deflated: bool,
    crc: u32,
}

/// Whether a file of a folder or an archive may hold games, by its name.
pub(crate) fn is_wanted(path: &Path, archives: bool) -> bool {
    let extension = |path: &Path| {
        path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
    };
    match extension(path).as_str() {
        "sgf" => true,
        "zip" => archives,
        // `games.gz` and `games.sgf.gz`, but not `games.tar.gz`.
        "gz" => matches!(extension(&path.with_extension("")).as_str(), "" | "sgf"),
        _ => false,
    }
}

/// Opens a file. What it is is told by its first bytes, not by its name.
pub(crate) fn open(path: &Path, read: &Arc<AtomicU64>) -> io::Result<Source> {
    let mut file = buffered(File::open(path)?, read);
    if file.fill_buf()?.starts_with(b"PK") {
        return entries(path).map(Source::Archive);
    }
    unpack(file).map(Source::Stream)
}

/// Opens an entry of an archive.
pub(crate) fn open_entry(
    path: &Path,
    packed: &Packed,
    read: &Arc<AtomicU64>,
) -> io::Result<Stream> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(packed.start))?;
    let bytes = buffered(file, read).take(packed.length);
    let check = |inner: Stream| Checked { inner, crc: Crc::new(), expected: packed.crc };
    let checked = if packed.deflated {
        check(Box::new(DeflateDecoder::new(bytes)))
    } else {
        check(Box::new(bytes))
    };
    unpack(BufReader::new(checked))
}

fn buffered(file: File, read: &Arc<AtomicU64>) -> BufReader<Counted> {
    BufReader::with_capacity(64 * 1024, Counted { file, read: Arc::clone(read) })
}

/// Unpacks gzip, if it is that.
fn unpack(mut bytes: impl BufRead + Send + 'static) -> io::Result<Stream> {
    let packed = bytes.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if packed { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) })
}

/// The entries of an archive that may hold games.
///
/// Only their places are kept. An entry lent by the archive would borrow from it, so it could not
/// be read piece by piece across calls; reading the bytes from the file ourselves can.
fn entries(path: &Path) -> io::Result<Vec<Entry>> {
    let mut archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
    let mut entries = Vec::new();
    for i in 0..archive.len() {
        let entry = match archive.by_index_raw(i) {
            Ok(entry) => entry,
            Err(error) => {
                entries.push(Entry { name: format!("entry {i}"), stream: Err(error.to_string()) });
                continue;
            }
        };
        let name = match entry.name() {
            Ok(name) => name.into_owned(),
            Err(_) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
        };
        if entry.is_dir() || !is_wanted(Path::new(&name), true) {
            continue;
        }
        if !is_wanted(Path::new(&name), false) {
            let why = "an archive within an archive is not read; unpack it first";
            entries.push(Entry { name, stream: Err(why.to_owned()) });
            continue;
        }
        let deflated = entry.compression() == CompressionMethod::Deflated;
        let stream = if entry.encrypted() {
            Err("the entry is encrypted; unpack it first".to_owned())
        } else if !deflated && entry.compression() != CompressionMethod::Stored {
            let method = entry.compression();
            Err(format!("the compression {method} is not supported; pack it with deflate"))
        } else {
            let (length, crc) = (entry.compressed_size(), entry.crc32());
            let start = entry.data_start().ok_or_else(|| "the entry has no data".to_owned());
            start.map(|start| Packed { start, length, deflated, crc })
        };
        entries.push(Entry { name, stream });
    }
    Ok(entries)
}

/// Counts the bytes read from a file.
struct Counted {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read(buffer)?;
        self.read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// Checks the sum of an entry at its end.
struct Checked {
    inner: Stream,
    crc: Crc,
    expected: u32,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.crc.update(&buffer[..n]);
        if n == 0 && !buffer.is_empty() && self.crc.sum() != self.expected {
            let message = "the checksum of the entry is wrong; the archive is damaged";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(n)
    }
}
