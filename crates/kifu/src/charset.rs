//! Character sets: which one a game is written in, and where its characters hide brackets.
//!
//! A record names its set in the property CA, and often lies or says nothing. In the two-byte sets
//! of East Asia the second byte of a character may be `[`, `\` or `]`, so the end of a value, and of
//! a game, can only be found when the set is known: [`Lead`] tells how many bytes belong together.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, REPLACEMENT};
use encoding_rs::{SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use crate::warning::{WarningKind, excerpt};

/// Begins a change of character set in ISO-2022-JP.
const ESC: u8 = 0x1b;

/// Characters beyond ASCII that, all valid UTF-8, are no accident. A pair of Chinese characters in
/// a two-byte set looks like UTF-8 about once in five times.
const PROOF_OF_UTF8: usize = 6;

/// The character set of a game, and what is odd about that.
pub(crate) struct Choice {
    pub(crate) encoding: &'static Encoding,
    pub(crate) oddity: Option<WarningKind>,
}

impl Choice {
    fn plain(encoding: &'static Encoding) -> Choice {
        Choice { encoding, oddity: None }
    }

    fn odd(
        encoding: &'static Encoding,
        oddity: impl FnOnce(&'static str) -> WarningKind,
    ) -> Choice {
        Choice { encoding, oddity: Some(oddity(encoding.name())) }
    }
}

/// Chooses the character set of a game. `unicode` says that a byte order mark promised UTF-8.
pub(crate) fn choose(game: &[u8], unicode: bool) -> Choice {
    let ascii = game.is_ascii();
    if ascii && !game.contains(&ESC) {
        return Choice::plain(UTF_8);
    }
    let named = named(game);
    let known = named.and_then(lookup);
    let named = named.map(|name| excerpt(&String::from_utf8_lossy(name)));
    if ascii {
        // Only ISO-2022-JP says something with escape characters.
        return match known {
            Some(encoding) if encoding == ISO_2022_JP => Choice::plain(ISO_2022_JP),
            Some(_) => Choice::plain(UTF_8),
            None if guess(game) == ISO_2022_JP => {
                Choice::odd(ISO_2022_JP, |used| WarningKind::GuessedCharset { used })
            }
            None => Choice::plain(UTF_8),
        };
    }
    let utf8 = Utf8::count(game);
    // What UTF-16 says about itself is no longer true, and no harm is done by not knowing it.
    if unicode && known.is_none() && utf8.errors == 0 {
        return Choice::plain(UTF_8);
    }
    match (known, named) {
        (Some(encoding), Some(named)) if encoding != UTF_8 => {
            if utf8.errors == 0 && (unicode || utf8.characters >= PROOF_OF_UTF8) {
                Choice::odd(UTF_8, |used| WarningKind::WrongCharset { named, used })
            } else {
                Choice::plain(encoding)
            }
        }
        (None, Some(named)) => {
            let encoding = if utf8.is_likely() { UTF_8 } else { guess(game) };
            Choice::odd(encoding, |used| WarningKind::UnknownCharset { named, used })
        }
        (_, named) => {
            if utf8.is_likely() {
                return Choice::plain(UTF_8);
            }
            Choice::odd(guess(game), |used| match named {
                Some(named) => WarningKind::WrongCharset { named, used },
                None => WarningKind::GuessedCharset { used },
            })
        }
    }
}

/// Decodes a game; also says how many places were not valid.
pub(crate) fn decode(game: &[u8], encoding: &'static Encoding) -> (String, usize) {
    let (text, malformed) = encoding.decode_without_bom_handling(game);
    let count = if malformed { text.matches('\u{fffd}').count() } else { 0 };
    (text.into_owned(), count)
}

/// How UTF-8 a text is.
struct Utf8 {
    /// Characters beyond ASCII.
    characters: usize,
    /// Places that are not UTF-8.
    errors: usize,
}

impl Utf8 {
    fn count(bytes: &[u8]) -> Utf8 {
        let mut utf8 = Utf8 { characters: 0, errors: 0 };
        for chunk in bytes.utf8_chunks() {
            utf8.characters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
            utf8.errors += usize::from(!chunk.invalid().is_empty());
        }
        utf8
    }

    /// Whether it is UTF-8, or was before something cut a few of its characters.
    fn is_likely(&self) -> bool {
        2 * self.errors <= self.characters
    }
}

/// What CA says, if it says anything.
fn named(game: &[u8]) -> Option<&[u8]> {
    let value = root_value(game).or_else(|| loose_value(game))?;
    let end = value.iter().position(|&b| b == b']')?;
    Some(value[..end].trim_ascii()).filter(|name| !name.is_empty())
}

/// What follows `CA[` among the properties of the root.
fn root_value(game: &[u8]) -> Option<&[u8]> {
    let (mut at, mut in_value, mut nodes) = (1, false, 0);
    while let Some(&byte) = game.get(at) {
        match byte {
            b'\\' if in_value => at += 1,
            b']' => in_value = false,
            _ if in_value => {}
            b'[' if is_charset(game[..at].trim_ascii_end()) => return Some(&game[at + 1..]),
            b'[' => in_value = true,
            b';' => nodes += 1,
            _ => {}
        }
        if !in_value && (nodes > 1 || matches!(byte, b'(' | b')')) {
            return None;
        }
        at += 1;
    }
    None
}

/// What follows the first `CA[` of all bytes: the brackets of the properties before it cannot be
/// trusted until the set is known. Not for UTF-8, where they can.
fn loose_value(game: &[u8]) -> Option<&[u8]> {
    if std::str::from_utf8(game).is_ok() {
        return None;
    }
    let at = (0..game.len()).find(|&at| game[at] == b'[' && is_charset(&game[..at]))?;
    Some(&game[at + 1..])
}

/// Whether the last word of a text is `CA`.
fn is_charset(text: &[u8]) -> bool {
    text.strip_suffix(b"CA")
        .is_some_and(|rest| !rest.last().is_some_and(|b| b.is_ascii_alphanumeric()))
}

/// The character set of that name.
fn lookup(name: &[u8]) -> Option<&'static Encoding> {
    let unusable = [REPLACEMENT, UTF_16BE, UTF_16LE, X_USER_DEFINED];
    Encoding::for_label(name).or_else(|| alias(name)).filter(|found| !unusable.contains(found))
}

/// Names that programs use and the standard list does not have.
fn alias(name: &[u8]) -> Option<&'static Encoding> {
    let letters: Vec<u8> =
        name.iter().filter(|b| b.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect();
    Some(match letters.as_slice() {
        b"utf8" | b"unicode" => UTF_8,
        b"cp936" | b"ms936" | b"windows936" | b"gb" | b"gb231280" | b"euccn" => GBK,
        b"gb18030" => GB18030,
        b"cp950" | b"ms950" | b"windows950" => BIG5,
        b"cp949" | b"ms949" | b"uhc" | b"euckr" => EUC_KR,
        b"cp932" | b"windows932" | b"shiftjis" | b"sjis" => SHIFT_JIS,
        b"eucjp" => EUC_JP,
        b"iso2022jp" | b"jis" => ISO_2022_JP,
        b"latin1" | b"iso88591" | b"cp1252" | b"ansi" => WINDOWS_1252,
        _ => return None,
    })
}

/// The most likely character set of a text that is not UTF-8.
fn guess(game: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(game, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// How a character set hides brackets inside its characters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lead {
    /// Not at all.
    None,
    /// A lead byte and a second one, which may look like a bracket.
    Pairs(&'static Encoding),
    /// Escape sequences switch to seven-bit pairs and back.
    Escapes,
}

impl Lead {
    pub(crate) fn of(encoding: &'static Encoding) -> Lead {
        if encoding == ISO_2022_JP {
            Lead::Escapes
        } else if [SHIFT_JIS, BIG5, GBK, GB18030].contains(&encoding) {
            Lead::Pairs(encoding)
        } else {
            Lead::None
        }
    }

    /// Whether `byte` may start a character that hides a bracket; if so, ask [`Lead::step`].
    #[inline]
    pub(crate) fn concerns(self, byte: u8) -> bool {
        match self {
            Lead::None => false,
            Lead::Pairs(_) => byte >= 0x80,
            Lead::Escapes => byte == ESC,
        }
    }

    /// Bytes at the front of `rest` that belong together. `shifted` remembers whether escape
    /// sequences switched to pairs.
    pub(crate) fn step(self, rest: &[u8], shifted: &mut bool) -> usize {
        match (self, rest) {
            (Lead::Pairs(encoding), &[lead, trail, ..]) => {
                let is_lead = if encoding == SHIFT_JIS {
                    matches!(lead, 0x81..=0x9f | 0xe0..=0xfc)
                } else {
                    matches!(lead, 0x81..=0xfe)
                };
                // The decoder gives an ASCII byte back when the pair means nothing, so it is asked.
                let is_pair = is_lead
                    && (!trail.is_ascii()
                        || encoding
                            .decode_without_bom_handling_and_without_replacement(&[lead, trail])
                            .is_some());
                if is_pair { 2 } else { 1 }
            }
            (Lead::Escapes, [ESC, b'$', ..]) => {
                *shifted = true;
                2
            }
            (Lead::Escapes, [ESC, b'(', ..]) => {
                *shifted = false;
                3
            }
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_real_files_are_known() {
        for (label, name) in [
            ("UTF-8", "UTF-8"),
            ("utf8", "UTF-8"),
            ("GB2312", "GBK"),
            ("gb18030", "gb18030"),
            ("CP936", "GBK"),
            ("Big5", "Big5"),
            ("Shift_JIS", "Shift_JIS"),
            ("SJIS", "Shift_JIS"),
            ("Windows-31J", "Shift_JIS"),
            ("EUC-KR", "EUC-KR"),
            ("EUC_JP", "EUC-JP"),
            ("ISO-8859-1", "windows-1252"),
            ("Latin-1", "windows-1252"),
            ("ISO-2022-JP", "ISO-2022-JP"),
        ] {
            assert_eq!(lookup(label.as_bytes()).map(Encoding::name), Some(name), "{label}");
        }
        for label in ["", "klingon", "UTF-16", "hz-gb-2312", "x-user-defined"] {
            assert_eq!(lookup(label.as_bytes()), None, "{label}");
        }
    }

    #[test]
    fn the_name_is_found_between_untrusted_brackets() {
        assert_eq!(named(b"(;PB[\x95\\]CA[ Shift_JIS ]"), Some(&b"Shift_JIS"[..]));
        assert_eq!(named(b"(;\nCA[big5]"), Some(&b"big5"[..]));
        assert_eq!(named(b"(;CA[]GM[1]"), None);
        assert_eq!(named(b"(;XCA[big5]GM[1]"), None);
        assert_eq!(named(b"(;GM[1]CA[big5"), None);
        assert_eq!(named(b"(;C[CA[big5\\] \xc3\xa9]CA[UTF-8]"), Some(&b"UTF-8"[..]));
        assert_eq!(named(b"(;GM[1];C[ CA[big5\\] \xc3\xa9]CA[UTF-8]"), None);
    }

    #[test]
    fn pairs_agree_with_the_decoder() {
        // Splitting finds the brackets that the decoder shows, for every pair there is.
        for encoding in [SHIFT_JIS, BIG5, GBK, GB18030] {
            let lead = Lead::of(encoding);
            for first in 0x80..=0xff {
                for second in 0x20..0x7f {
                    let pair = [first, second];
                    let whole = lead.concerns(first) && lead.step(&pair, &mut false) == 2;
                    let (text, _) = encoding.decode_without_bom_handling(&pair);
                    let visible = text.ends_with(second as char);
                    // The digits lead to the four-byte characters and are no brackets.
                    if !second.is_ascii_digit() {
                        assert_eq!(whole, !visible, "{} {pair:x?}", encoding.name());
                    }
                }
            }
        }
    }
}
