//! The bytes of a stream, a window of them at a time.
//!
//! A reader looks at a window that starts at the first byte it has not consumed and grows at the
//! end when asked for more. A read error counts as the end of the stream, so that what came before
//! it is not lost; it is handed out afterwards. UTF-16 is turned into UTF-8 on the way in, since
//! nothing in it looks like SGF.

use std::io::{self, Read};

use encoding_rs::{Decoder, UTF_16BE, UTF_16LE};

use crate::line::Breaks;

/// Bytes read at a time.
pub(crate) const CHUNK: usize = 64 * 1024;

/// A buffer larger than this is given back once it is no longer needed.
const LARGE: usize = 1024 * 1024;

pub(crate) struct Input<R> {
    source: R,
    buffer: Vec<u8>,
    /// Start of the window in the buffer.
    start: usize,
    begun: bool,
    ended: bool,
    error: Option<io::Error>,
    /// Line breaks before the window.
    breaks: Breaks,
    /// Whether a byte order mark promised Unicode.
    unicode: bool,
    utf16: Option<Decoder>,
    /// Whether UTF-16 was malformed since this was last asked.
    malformed: bool,
}

impl<R: Read> Input<R> {
    pub(crate) fn new(source: R) -> Input<R> {
        Input {
            source,
            buffer: Vec::new(),
            start: 0,
            begun: false,
            ended: false,
            error: None,
            breaks: Breaks::default(),
            unicode: false,
            utf16: None,
            malformed: false,
        }
    }

    /// What is there and not consumed.
    #[inline]
    pub(crate) fn window(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Whether nothing comes after the window.
    #[inline]
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// The line on which the window starts, from 1.
    pub(crate) fn line(&self) -> usize {
        self.breaks.count() + 1
    }

    /// Whether a byte order mark promised Unicode.
    pub(crate) fn is_unicode(&self) -> bool {
        self.unicode
    }

    /// Bytes of memory held.
    pub(crate) fn capacity(&self) -> usize {
        self.buffer.capacity()
    }

    /// The error that ended the stream, once.
    pub(crate) fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Whether UTF-16 was malformed since this was last asked.
    pub(crate) fn take_malformed(&mut self) -> bool {
        std::mem::take(&mut self.malformed)
    }

    /// Moves the start of the window over `n` bytes.
    pub(crate) fn consume(&mut self, n: usize) {
        self.breaks.add(&self.buffer[self.start..self.start + n]);
        self.start += n;
    }

    /// Grows the window to `n` bytes, or to what there is.
    pub(crate) fn want(&mut self, n: usize) {
        while self.window().len() < n && !self.ended {
            self.more();
        }
    }

    /// Grows the window by a chunk, or finds the end.
    pub(crate) fn more(&mut self) {
        if self.ended {
            return;
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        if self.buffer.capacity() > LARGE && self.buffer.len() < LARGE / 4 {
            self.buffer.shrink_to(2 * CHUNK);
        }
        if self.utf16.is_some() {
            self.more_utf16();
        } else {
            self.read_chunk();
        }
        if !self.begun {
            self.begun = true;
            self.start_unicode();
        }
    }

    /// Appends a chunk of the source to the buffer as it is.
    fn read_chunk(&mut self) {
        let result = self.source.by_ref().take(CHUNK as u64).read_to_end(&mut self.buffer);
        match result {
            Ok(0) => self.ended = true,
            Ok(_) => {}
            Err(error) => {
                self.ended = true;
                self.error = Some(error);
            }
        }
    }

    /// Looks for a byte order mark in the first chunk.
    fn start_unicode(&mut self) {
        match *self.buffer {
            // The mark itself is skipped like any other between games.
            [0xef, 0xbb, 0xbf, ..] => self.unicode = true,
            [0xff, 0xfe, ..] => self.start_utf16(UTF_16LE.new_decoder_without_bom_handling()),
            [0xfe, 0xff, ..] => self.start_utf16(UTF_16BE.new_decoder_without_bom_handling()),
            _ => {}
        }
    }

    fn start_utf16(&mut self, decoder: Decoder) {
        self.unicode = true;
        self.utf16 = Some(decoder);
        let raw = self.buffer.split_off(2);
        self.buffer.clear();
        self.decode(&raw);
    }

    fn more_utf16(&mut self) {
        let kept = std::mem::take(&mut self.buffer);
        self.read_chunk();
        let raw = std::mem::replace(&mut self.buffer, kept);
        self.decode(&raw);
    }

    fn decode(&mut self, raw: &[u8]) {
        let Some(decoder) = &mut self.utf16 else { return };
        // Without an answer for the length it would not fit into memory anyway.
        let Some(most) = decoder.max_utf8_buffer_length(raw.len()) else { return };
        let old = self.buffer.len();
        self.buffer.resize(old + most, 0);
        let (_, _, written, malformed) =
            decoder.decode_to_utf8(raw, &mut self.buffer[old..], self.ended);
        self.buffer.truncate(old + written);
        self.malformed |= malformed;
    }
}
