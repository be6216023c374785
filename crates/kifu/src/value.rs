//! One value of a property: the text between the brackets, its escapes and what they mean.

use std::borrow::Cow;

use crate::line::break_len;

/// A value as it stands in the file, escapes and all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value<'a>(&'a str);

impl<'a> Value<'a> {
    /// The value between these brackets.
    pub(crate) fn new(raw: &'a str) -> Value<'a> {
        Value(raw)
    }

    /// The characters between the brackets, unchanged.
    pub fn raw(self) -> &'a str {
        self.0
    }

    /// As SGF's `Text`: escapes resolved, line breaks kept (as `\n`) unless escaped, other white
    /// space turned into spaces.
    pub fn text(self) -> Cow<'a, str> {
        self.unescape("\n", |b| matches!(b, b'\\' | b'\r' | b'\t' | 0x0b | 0x0c))
    }

    /// As SGF's `SimpleText`: like [`Value::text`], and line breaks are spaces.
    pub fn simple_text(self) -> Cow<'a, str> {
        self.unescape(" ", |b| matches!(b, b'\\' | b'\r' | b'\n' | b'\t' | 0x0b | 0x0c))
    }

    /// The two halves of a composed value such as `aa:label`, split at the first colon that is not
    /// escaped.
    pub fn pair(self) -> Option<(Value<'a>, Value<'a>)> {
        let mut rest = self.0.bytes().enumerate();
        while let Some((i, b)) = rest.next() {
            match b {
                b'\\' => _ = rest.next(),
                b':' => return Some((Value(&self.0[..i]), Value(&self.0[i + 1..]))),
                _ => {}
            }
        }
        None
    }

    /// Resolves escapes; `line_break` stands for a line break. A value without any byte that is
    /// `special` is borrowed as it is.
    fn unescape(self, line_break: &str, special: impl Fn(u8) -> bool) -> Cow<'a, str> {
        let raw = self.0;
        let Some(mut first) = raw.bytes().position(&special) else { return Cow::Borrowed(raw) };
        // LF CR is one break, also where LF alone is nothing special.
        if raw[..first].ends_with('\n') {
            first -= 1;
        }
        let mut out = String::with_capacity(raw.len());
        out.push_str(&raw[..first]);
        let mut rest = &raw[first..];
        while let Some(c) = rest.chars().next() {
            let breaks = break_len(rest.as_bytes());
            if breaks > 0 {
                out.push_str(line_break);
                rest = &rest[breaks..];
            } else if c == '\\' {
                rest = &rest[1..];
                let soft = break_len(rest.as_bytes());
                if soft > 0 {
                    rest = &rest[soft..];
                } else if let Some(c) = rest.chars().next() {
                    out.push(flat(c));
                    rest = &rest[c.len_utf8()..];
                }
            } else {
                out.push(flat(c));
                rest = &rest[c.len_utf8()..];
            }
        }
        Cow::Owned(out)
    }
}

/// White space other than line breaks is a space.
fn flat(c: char) -> char {
    if matches!(c, '\t' | '\u{b}' | '\u{c}') { ' ' } else { c }
}

/// Appends `text` with the escapes that it needs between brackets; in a half of a composed value
/// colons need one too.
pub(crate) fn escape(text: &str, colons: bool, out: &mut String) {
    let mut line_start = false;
    for c in text.chars() {
        // A parenthesis at the start of a line would look like a new game to a reader that tries
        // to recover from a lost bracket, ours for one.
        if matches!(c, '\\' | ']') || (c == ':' && colons) || (c == '(' && line_start) {
            out.push('\\');
        }
        out.push(c);
        line_start = matches!(c, '\n' | '\r');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_resolved_on_demand() {
        for (raw, text, simple) in [
            ("plain", "plain", "plain"),
            ("two\nlines", "two\nlines", "two lines"),
            ("two\r\nlines", "two\nlines", "two lines"),
            ("two\n\rlines\r!", "two\nlines\n!", "two lines !"),
            ("soft\\\nbreak", "softbreak", "softbreak"),
            ("soft\\\r\nbreak", "softbreak", "softbreak"),
            ("a\\]b\\\\c\\:d\\e", "a]b\\c:de", "a]b\\c:de"),
            ("tab\there", "tab here", "tab here"),
            ("esc\\\ttab", "esc tab", "esc tab"),
            ("表\\表", "表表", "表表"),
            ("end\\", "end", "end"),
        ] {
            let value = Value::new(raw);
            assert_eq!(value.raw(), raw);
            assert_eq!(value.text(), text, "{raw:?}");
            assert_eq!(value.simple_text(), simple, "{raw:?}");
        }
        assert!(matches!(Value::new("plain\ntext").text(), Cow::Borrowed(_)));
    }

    #[test]
    fn a_pair_splits_at_the_first_plain_colon() {
        let halves = |raw| Value::new(raw).pair().map(|(a, b)| (a.raw(), b.raw()));
        assert_eq!(halves("aa:label"), Some(("aa", "label")));
        assert_eq!(halves("a\\:b:c:d"), Some(("a\\:b", "c:d")));
        assert_eq!(halves("a\\\\:b"), Some(("a\\\\", "b")));
        assert_eq!(halves("nothing"), None);
        assert_eq!(halves("表:表"), Some(("表", "表")));
    }

    #[test]
    fn escaping_comes_back() {
        for text in ["", "a]b", "back\\slash", "C:\\games\\", "\n(;GM[1]SZ[19])", "(a)\n(b)"] {
            let mut raw = String::new();
            escape(text, false, &mut raw);
            assert_eq!(Value::new(&raw).text(), text);
            let mut half = String::new();
            escape(text, true, &mut half);
            let pair = format!("{half}:{half}");
            let (first, second) = Value::new(&pair).pair().expect("a pair");
            assert_eq!((first.text(), second.text()), (text.into(), text.into()));
        }
    }
}
