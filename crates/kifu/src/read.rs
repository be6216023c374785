//! Reading SGF from a stream, one game at a time.
//!
//! The stream is split into games first, by counting parentheses outside of values, and each game
//! is then decoded and parsed. So the memory needed is that of the largest game, not of the file,
//! and one broken game does not spoil the next: where a line starts like a new game, an open value
//! or variation is taken to have lost its end.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use crate::charset::{self, Lead};
use crate::edit::is_name_byte;
use crate::input::Input;
use crate::parse::parse;
use crate::tree::{Tree, identifier};
use crate::warning::{Notes, Origin, Warning, WarningKind, excerpt};

/// The longest game that a reader takes if not told otherwise, in bytes.
pub const DEFAULT_LIMIT: usize = 64 << 20;

/// The largest limit: decoding may triple the bytes, and a tree holds less than 4 GiB.
const LARGEST_LIMIT: usize = 1 << 30;

/// Bytes looked ahead to recognise the start of a game.
pub(crate) const LOOKAHEAD: usize = 256;

/// Reads the games of a file in memory.
pub fn read(bytes: &[u8]) -> (Vec<Tree>, Vec<Warning>) {
    let mut reader = Reader::new(bytes);
    let (mut trees, mut warnings) = (Vec::new(), Vec::new());
    // Memory gives no read errors, so nothing is lost by stopping at one.
    while let Ok(Some(tree)) = reader.next_game(&mut warnings) {
        trees.push(tree);
    }
    (trees, warnings)
}

/// Where a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cut {
    /// At the parenthesis that closes it.
    Closed,
    /// At the end of the file.
    EndOfFile,
    /// At a line that starts another game.
    NextGame,
}

/// A stream of games. See the module documentation.
pub struct Reader<R> {
    input: Input<R>,
    file: Option<Arc<Path>>,
    limit: usize,
    games: usize,
}

impl<R: Read> Reader<R> {
    /// A reader of the games in `source`, which need not be buffered.
    pub fn new(source: R) -> Reader<R> {
        Reader { input: Input::new(source), file: None, limit: DEFAULT_LIMIT, games: 0 }
    }

    /// Names the file for warnings and origins.
    pub fn named(mut self, file: impl Into<Arc<Path>>) -> Reader<R> {
        self.file = Some(file.into());
        self
    }

    /// Sets the longest game that is taken, in bytes. A longer one is skipped with a warning.
    pub fn with_limit(mut self, limit: usize) -> Reader<R> {
        self.limit = limit.min(LARGEST_LIMIT);
        self
    }

    /// The next game, and what is odd about it and about the text before it. After the last game
    /// there may be warnings once more. A read error comes after the games before it, the
    /// unfinished last one among them.
    pub fn next_game(&mut self, warnings: &mut Vec<Warning>) -> io::Result<Option<Tree>> {
        loop {
            if !self.find_game(warnings) {
                return self.input.take_error().map_or(Ok(None), Err);
            }
            self.games += 1;
            match self.measure(Lead::None) {
                Some((length, cut)) => {
                    if let Some(tree) = self.take_game(length, cut, warnings) {
                        return Ok(Some(tree));
                    }
                }
                None => self.skip_game(warnings),
            }
        }
    }

    /// Games found so far, those that were too long among them.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Bytes held to find the ends of games.
    pub fn buffered(&self) -> usize {
        self.input.capacity()
    }

    fn origin(&self) -> Origin {
        Origin { file: self.file.clone(), game: self.games, line: self.input.line() }
    }

    /// Consumes everything before the next game; false when there is none.
    fn find_game(&mut self, warnings: &mut Vec<Warning>) -> bool {
        let mut stray = Stray::default();
        let found = loop {
            let window = self.input.window();
            let at = window.iter().position(|&b| b == b'(').unwrap_or(window.len());
            stray.add(&window[..at], self.input.line());
            self.input.consume(at);
            if self.input.window().is_empty() {
                if self.input.ended() {
                    break false;
                }
                self.input.more();
                continue;
            }
            self.input.want(LOOKAHEAD);
            if opens(self.input.window()) {
                break true;
            }
            stray.add(b"(", self.input.line());
            self.input.consume(1);
        };
        if let Some((line, kind)) = stray.report() {
            let game = (self.games + usize::from(found)).max(1);
            let file = self.file.clone();
            warnings.push(Warning { file, game, line, move_number: None, kind });
        }
        found
    }

    /// Length of the game at the window's start and how it ends; none if it is too long.
    fn measure(&mut self, lead: Lead) -> Option<(usize, Cut)> {
        let (mut at, mut depth, mut in_value, mut shifted) = (0, 0_usize, false, false);
        loop {
            let ended = self.input.ended();
            let window = self.input.window();
            // Up to here nothing that looks ahead meets the end of the window unless the file
            // ends there too.
            let safe = if ended { window.len() } else { window.len().saturating_sub(LOOKAHEAD) };
            while at < safe {
                let byte = window[at];
                if lead.concerns(byte) {
                    at += lead.step(&window[at..], &mut shifted);
                    continue;
                }
                match byte {
                    b'(' if at > 0
                        && matches!(window[at - 1], b'\n' | b'\r')
                        && starts_game(&window[at..], in_value || shifted) =>
                    {
                        return (at <= self.limit).then_some((at, Cut::NextGame));
                    }
                    _ if shifted => {}
                    b']' => in_value = false,
                    b'\\' if in_value => at += 1,
                    _ if in_value => {}
                    b'[' => in_value = true,
                    b'(' => depth += 1,
                    b')' => {
                        depth = depth.saturating_sub(1);
                        if depth == 0 {
                            return (at < self.limit).then_some((at + 1, Cut::Closed));
                        }
                    }
                    _ => {}
                }
                at += 1;
            }
            if at > self.limit {
                return None;
            }
            if ended {
                return Some((window.len(), Cut::EndOfFile));
            }
            self.input.more();
        }
    }

    /// Decodes and parses the game at the window's start; none if it turns out to be too long.
    fn take_game(&mut self, length: usize, cut: Cut, warnings: &mut Vec<Warning>) -> Option<Tree> {
        let choice = charset::choose(&self.input.window()[..length], self.input.is_unicode());
        let lead = Lead::of(choice.encoding);
        let measured = if lead == Lead::None { Some((length, cut)) } else { self.measure(lead) };
        let Some((length, cut)) = measured else {
            self.skip_game(warnings);
            return None;
        };
        let origin = self.origin();
        let mut notes = Notes::new(warnings, origin.clone());
        if let Some(oddity) = choice.oddity {
            notes.push(origin.line, None, oddity);
        }
        let (text, count) = charset::decode(&self.input.window()[..length], choice.encoding);
        if count > 0 {
            let used = choice.encoding.name();
            notes.push(origin.line, None, WarningKind::Undecodable { used, count });
        }
        if self.input.take_malformed() {
            let used = "UTF-16";
            notes.push(origin.line, None, WarningKind::Undecodable { used, count: 1 });
        }
        let tree = parse(text, origin, cut, &mut notes);
        self.input.consume(length);
        Some(tree)
    }

    /// Skips a game that is too long, up to the next line that starts one.
    fn skip_game(&mut self, warnings: &mut Vec<Warning>) {
        let Origin { file, game, line } = self.origin();
        let mut bytes = 0;
        // The game's own start must not be found again.
        let mut at = 1;
        loop {
            self.input.want(CHUNKS_TO_SKIP);
            let ended = self.input.ended();
            let window = self.input.window();
            let safe = if ended { window.len() } else { window.len().saturating_sub(LOOKAHEAD) };
            let next = (at..safe).find(|&i| {
                window[i] == b'('
                    && matches!(window[i - 1], b'\n' | b'\r')
                    && starts_game(&window[i..], true)
            });
            // One byte is kept back, to see the line break before the next.
            let skipped = next.unwrap_or(if ended { safe } else { safe.max(1) - 1 });
            bytes += skipped as u64;
            self.input.consume(skipped);
            if next.is_some() || ended {
                break;
            }
            at = 1;
        }
        let kind = WarningKind::TooLong { limit: self.limit, bytes };
        warnings.push(Warning { file, game, line, move_number: None, kind });
    }
}

/// Bytes that skipping looks at together.
const CHUNKS_TO_SKIP: usize = 4 * crate::input::CHUNK;

/// Whether a game opens at this parenthesis: a node follows, or a property that lost its semicolon.
fn opens(bytes: &[u8]) -> bool {
    // Not more than is sure to be there, so that the answer does not depend on the buffer.
    let rest = bytes[1..bytes.len().min(LOOKAHEAD)].trim_ascii_start();
    rest.first() == Some(&b';') || first_property(rest).is_some()
}

/// The property at the front: its name and what follows the bracket.
fn first_property(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let name = bytes.iter().take_while(|&&b| is_name_byte(b, false)).count();
    if name == 0 || !is_name_byte(bytes[0], true) {
        return None;
    }
    let value = bytes[name..].trim_ascii_start().strip_prefix(b"[")?;
    Some((&bytes[..name], value))
}

/// Whether the parenthesis at the start of a line opens a game and no variation: its node begins
/// with a property that only roots have. Inside of a value any game information will do, but the
/// bracket after it must not be escaped, or it is a record quoted in a comment.
pub(crate) fn starts_game(bytes: &[u8], in_value: bool) -> bool {
    let bytes = &bytes[..bytes.len().min(LOOKAHEAD)];
    let Some(node) = bytes[1..].trim_ascii_start().strip_prefix(b";") else { return false };
    let Some((name, value)) = first_property(node.trim_ascii_start()) else { return false };
    let end = value.iter().position(|b| matches!(b, b'\\' | b']'));
    let closed = end.is_some_and(|end| value[end] == b']');
    let name = std::str::from_utf8(name).unwrap_or_default();
    closed && (is_root_name(name) || (in_value && is_information(name)))
}

/// Properties that only the root of a game has.
pub(crate) fn is_root_name(name: &str) -> bool {
    matches!(&*identifier(name), "FF" | "GM" | "SZ" | "CA" | "AP" | "ST")
}

/// Properties that say something about a whole game.
fn is_information(name: &str) -> bool {
    matches!(
        &*identifier(name),
        "AN" | "BR"
            | "BT"
            | "CP"
            | "DT"
            | "EV"
            | "GC"
            | "GN"
            | "HA"
            | "KM"
            | "ON"
            | "OT"
            | "PB"
            | "PC"
            | "PW"
            | "RE"
            | "RO"
            | "RU"
            | "SO"
            | "TM"
            | "US"
            | "WR"
            | "WT"
    )
}

/// Text between games.
#[derive(Default)]
struct Stray {
    line: usize,
    start: Vec<u8>,
    bytes: usize,
}

impl Stray {
    /// Bytes kept to show.
    const SHOWN: usize = 200;

    fn add(&mut self, mut text: &[u8], line: usize) {
        if self.bytes == 0 {
            let trimmed = text.trim_ascii_start();
            let blank = &text[..text.len() - trimmed.len()];
            self.line = line + crate::line::breaks(blank);
            text = trimmed;
        }
        self.bytes += text.iter().filter(|b| !b.is_ascii_whitespace()).count();
        let room = Stray::SHOWN - self.start.len();
        self.start.extend_from_slice(&text[..text.len().min(room)]);
    }

    fn report(self) -> Option<(usize, WarningKind)> {
        // Files that were joined have byte order marks between their games.
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let (text, bytes) = match self.start.strip_prefix(MARK) {
            Some(rest) => (rest, self.bytes - MARK.len()),
            None => (&self.start[..], self.bytes),
        };
        let excerpt = excerpt(&String::from_utf8_lossy(text));
        (bytes > 0).then_some((self.line, WarningKind::StrayText { excerpt, bytes }))
    }
}
