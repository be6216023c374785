//! Many games: files, folders and archives, read one game after the other.
//!
//! A corpus is an iterator over games. A file that cannot be read is an error among them, and
//! reading goes on with the next. Folders are walked in the order of their names, so that the order
//! of the games depends on nothing else.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use walkdir::WalkDir;

use crate::read::{DEFAULT_LIMIT, Reader};
use crate::source::{self, Place, Source, Stream};
use crate::tree::Tree;
use crate::warning::Warning;

/// A game of a corpus. [`Tree::origin`] says where it was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The game.
    pub tree: Tree,
    /// What is odd about it, and about the text before it or at the end of the file.
    pub warnings: Vec<Warning>,
}

/// A file of a corpus that could not be read, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The system or an archive says no.
    #[error("{}: {}", .path.display(), why(.error))]
    Unreadable {
        /// The file or folder; for an archive, the entry joined to its path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is no game in the file.
    #[error("{}: there is no game in this file; is it {}?", .path.display(), kind(.path))]
    NoGame {
        /// The file; for an archive, the entry joined to its path.
        path: PathBuf,
        /// What is there instead.
        warnings: Vec<Warning>,
    },
}

/// What the system says, in words for people.
fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    }
}

/// What an unpacker says while a file is read, whose own words are about its stream.
fn damaged(error: io::Error) -> io::Error {
    match error.kind() {
        kind @ (io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput) => {
            io::Error::new(kind, format!("the file is cut off or damaged ({error})"))
        }
        _ => error,
    }
}

/// What a file is by its name: one that is named as packed may be something else.
fn kind(path: &Path) -> &'static str {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("gz") => "gzip with SGF in it",
        Some("zip") => "a zip archive with .sgf files in it",
        _ => "SGF",
    }
}

/// How far reading is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Bytes read of the files, packed as they are.
    pub bytes: u64,
    /// Bytes of all files.
    pub total: u64,
    /// Files done.
    pub files: usize,
    /// Games given out.
    pub games: usize,
    /// Files in folders that were passed over because their names are not those of records.
    pub skipped: usize,
}

/// Games from files, folders and archives. See the module documentation.
pub struct Corpus {
    queue: VecDeque<Job>,
    current: Option<Current>,
    limit: usize,
    /// Bytes read of the file at hand, counted by its stream.
    read: Arc<AtomicU64>,
    progress: Progress,
    /// Size of the file at hand.
    size: u64,
}

/// What is left to do.
enum Job {
    /// A file and its size.
    File(PathBuf, u64),
    /// An entry of the archive at hand.
    Entry { archive: PathBuf, name: String, place: Place },
    /// The file at hand is done.
    Done,
    /// An error to give out.
    Error(CorpusError),
}

/// The stream at hand.
struct Current {
    path: PathBuf,
    reader: Reader<Stream>,
    /// A game is held back until the next is found, so that warnings about the end of the file
    /// come with the last.
    held: Option<Found>,
}

/// Whether a corpus takes a file that it meets in a folder, by its name.
pub fn is_record(path: &Path) -> bool {
    source::is_wanted(path, true)
}

impl Corpus {
    /// A corpus of these files and folders. In folders files are taken by their names: `.sgf`,
    /// `.gz`, `.zip`. A file that is named itself is taken whatever its name is.
    pub fn new<I>(paths: I) -> Corpus
    where
        I: IntoIterator,
        I::Item: AsRef<Path>,
    {
        let mut corpus = Corpus {
            queue: VecDeque::new(),
            current: None,
            limit: DEFAULT_LIMIT,
            read: Arc::default(),
            progress: Progress { bytes: 0, total: 0, files: 0, games: 0, skipped: 0 },
            size: 0,
        };
        for path in paths {
            corpus.add(path.as_ref());
        }
        corpus
    }

    /// Sets the longest game that is taken, in bytes; see [`Reader::with_limit`].
    pub fn with_limit(mut self, limit: usize) -> Corpus {
        self.limit = limit;
        self
    }

    /// How far reading is.
    pub fn progress(&self) -> Progress {
        let bytes = self.progress.bytes + self.read.load(Ordering::Relaxed).min(self.size);
        Progress { bytes, ..self.progress }
    }

    fn add(&mut self, path: &Path) {
        for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                // Pipes and devices among the files of a folder would wait forever.
                Ok(entry)
                    if entry.depth() > 0
                        && !(entry.file_type().is_file()
                            && source::is_wanted(entry.path(), true)) =>
                {
                    self.progress.skipped += 1;
                }
                Ok(entry) => {
                    // A file that has vanished meanwhile fails when it is opened.
                    let size = entry.metadata().map_or(0, |metadata| metadata.len());
                    self.progress.total += size;
                    self.queue.push_back(Job::File(entry.into_path(), size));
                }
                Err(error) => {
                    let path = error.path().unwrap_or(path).to_owned();
                    // The path is told already; a loop of links has no other error than its text.
                    let text = error.to_string();
                    let error = error.into_io_error().unwrap_or_else(|| io::Error::other(text));
                    self.queue.push_back(Job::Error(CorpusError::Unreadable { path, error }));
                }
            }
        }
    }

    /// Starts a job; gives an error out if that is all there is to it.
    fn start(&mut self, job: Job) -> Option<CorpusError> {
        match job {
            Job::File(path, size) => {
                self.size = size;
                self.queue.push_front(Job::Done);
                match source::open(&path, &self.read) {
                    Ok(Source::Stream(stream)) => self.open(path, stream),
                    Ok(Source::Archive(entries)) if entries.is_empty() => {
                        return Some(CorpusError::NoGame { path, warnings: Vec::new() });
                    }
                    Ok(Source::Archive(entries)) => {
                        for entry in entries.into_iter().rev() {
                            let (archive, name, place) = (path.clone(), entry.name, entry.stream);
                            self.queue.push_front(Job::Entry { archive, name, place });
                        }
                    }
                    Err(error) => return Some(CorpusError::Unreadable { path, error }),
                }
            }
            Job::Entry { archive, name, place } => {
                let path = archive.join(&name);
                let opened = place
                    .map_err(io::Error::other)
                    .and_then(|packed| source::open_entry(&archive, &packed, &self.read));
                match opened {
                    Ok(stream) => self.open(path, stream),
                    Err(error) => return Some(CorpusError::Unreadable { path, error }),
                }
            }
            Job::Done => {
                self.progress.bytes += self.size;
                self.progress.files += 1;
                self.size = 0;
                self.read.store(0, Ordering::Relaxed);
            }
            Job::Error(error) => return Some(error),
        }
        None
    }

    fn open(&mut self, path: PathBuf, stream: Stream) {
        let reader = Reader::new(stream).named(path.as_path()).with_limit(self.limit);
        self.current = Some(Current { path, reader, held: None });
    }

    /// The next item of the stream at hand; none if it has ended.
    fn advance(&mut self) -> Option<Result<Found, CorpusError>> {
        loop {
            let current = self.current.as_mut()?;
            let mut warnings = Vec::new();
            let error = match current.reader.next_game(&mut warnings) {
                Ok(Some(tree)) => match current.held.replace(Found { tree, warnings }) {
                    Some(found) => return Some(Ok(found)),
                    None => continue,
                },
                Ok(None) => None,
                Err(error) => Some(damaged(error)),
            };
            let Current { path, held, .. } = self.current.take()?;
            let error = match (error, &held) {
                (Some(error), _) => Some(CorpusError::Unreadable { path, error }),
                (None, None) => {
                    let warnings = std::mem::take(&mut warnings);
                    Some(CorpusError::NoGame { path, warnings })
                }
                (None, Some(_)) => None,
            };
            if let Some(error) = error {
                self.queue.push_front(Job::Error(error));
            }
            return held.map(|mut found| {
                found.warnings.append(&mut warnings);
                Ok(found)
            });
        }
    }
}

impl Iterator for Corpus {
    type Item = Result<Found, CorpusError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.advance() {
                self.progress.games += usize::from(item.is_ok());
                return Some(item);
            }
            let job = self.queue.pop_front()?;
            if let Some(error) = self.start(job) {
                return Some(Err(error));
            }
        }
    }
}
