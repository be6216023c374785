//! Replies: `=` or `?`, the number of the command, a text, and an empty line that ends it.

use std::io::{self, Write};

/// Writes a whole reply; `good` says whether the command was carried out.
pub fn write(out: &mut dyn Write, good: bool, id: Option<u64>, text: &str) -> io::Result<()> {
    let text = clean(text);
    let blank = if text.is_empty() { "" } else { " " };
    write_head(out, good, id)?;
    write!(out, "{blank}{text}\n\n")?;
    out.flush()
}

/// Writes the first line of a reply that goes on for a while.
pub fn begin(out: &mut dyn Write, id: Option<u64>) -> io::Result<()> {
    write_head(out, true, id)?;
    writeln!(out)?;
    out.flush()
}

fn write_head(out: &mut dyn Write, good: bool, id: Option<u64>) -> io::Result<()> {
    let sign = if good { '=' } else { '?' };
    match id {
        Some(id) => write!(out, "{sign}{id}"),
        None => write!(out, "{sign}"),
    }
}

/// A text as a reply may hold it: no empty lines, which would end it, and no control characters.
pub fn clean(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let kept = line.chars().filter(|&c| c == '\t' || !c.is_control());
        kept.collect::<String>().trim_end().to_owned()
    });
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(good: bool, id: Option<u64>, text: &str) -> String {
        let mut out = Vec::new();
        write(&mut out, good, id, text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_reply_ends_with_its_first_empty_line() {
        assert_eq!(written(true, None, ""), "=\n\n");
        assert_eq!(written(true, Some(3), "Q16"), "=3 Q16\n\n");
        assert_eq!(written(false, Some(0), "unknown command"), "?0 unknown command\n\n");
        assert_eq!(written(true, None, "a\n\n \nb\r\n\x07"), "= a\nb\n\n");
    }
}
