//! Line breaks. SGF knows four: LF, CR, CR LF and LF CR, all of them one break.

/// Length of the line break at the front of `bytes`: 0, 1 or 2.
pub(crate) fn break_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'\n', b'\r', ..] | [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        _ => 0,
    }
}

/// Counts line breaks in a text that comes in pieces.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Breaks {
    count: usize,
    /// The break character that the next byte may complete to a pair, or 0.
    half: u8,
}

impl Breaks {
    /// Line breaks so far.
    pub(crate) fn count(self) -> usize {
        self.count
    }

    /// Adds the breaks of the next piece.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let Some(&last) = bytes.last() else { return };
        // Most files have only one of the two characters, and counting it is a vector loop.
        if self.half != b'\r' && !bytes.contains(&b'\r') {
            self.count += bytes.iter().filter(|&&b| b == b'\n').count();
            self.half = if last == b'\n' { last } else { 0 };
            return;
        }
        for &b in bytes {
            self.half = match (b, self.half) {
                (b'\n', b'\r') | (b'\r', b'\n') => 0,
                (b'\n' | b'\r', _) => {
                    self.count += 1;
                    b
                }
                _ => 0,
            };
        }
    }
}

/// Line breaks in a text.
pub(crate) fn breaks(bytes: &[u8]) -> usize {
    let mut breaks = Breaks::default();
    breaks.add(bytes);
    breaks.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_of_break_counts_once() {
        for (text, lines) in [
            ("", 0),
            ("a\nb\nc", 2),
            ("a\rb\rc", 2),
            ("a\r\nb\r\nc", 2),
            ("a\n\rb\n\rc", 2),
            ("\n\n\n", 3),
            ("\r\r\n\n", 3),
        ] {
            assert_eq!(breaks(text.as_bytes()), lines, "{text:?}");
        }
    }

    #[test]
    fn pieces_count_like_the_whole() {
        let text = b"a\r\nb\n\rc\r\rd\n\ne\r\n";
        for cut in 0..=text.len() {
            let mut pieces = Breaks::default();
            pieces.add(&text[..cut]);
            pieces.add(b"");
            pieces.add(&text[cut..]);
            assert_eq!(pieces.count(), breaks(text), "cut at {cut}");
        }
    }
}
