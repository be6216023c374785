//! One command as it comes over the line.

use crate::argument::Arguments;

/// A command: an optional number that its reply repeats, a name, and words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The number; its reply carries it.
    pub id: Option<u64>,
    /// What to do; empty if there was a number and nothing else.
    pub name: String,
    /// The words after it.
    pub words: Vec<String>,
}

impl Command {
    /// Reads a line as the protocol says: control characters are dropped, tabs are blanks, what
    /// follows a `#` is a comment. `None` if nothing is left. Bytes that are not UTF-8 are
    /// replaced: they can only stand where a name of a file or a chat is.
    pub fn parse(line: &[u8]) -> Option<Command> {
        let kept = line.iter().take_while(|&&b| b != b'#').filter_map(|&b| match b {
            b'\t' => Some(b' '),
            0..=31 | 127 => None,
            _ => Some(b),
        });
        let bytes: Vec<u8> = kept.collect();
        let text = String::from_utf8_lossy(&bytes);
        let mut words = text.split(' ').filter(|word| !word.is_empty());
        let first = words.next()?;
        // A number too large to be one is the name of a command that nobody knows.
        let id = first.bytes().all(|b| b.is_ascii_digit()).then(|| first.parse().ok()).flatten();
        let name = if id.is_some() { words.next().unwrap_or_default() } else { first };
        let words = words.map(str::to_owned).collect();
        Some(Command { id, name: name.to_owned(), words })
    }

    /// The words, to be taken one by one.
    pub fn arguments(&self) -> Arguments<'_> {
        Arguments::new(&self.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Option<(Option<u64>, String, Vec<String>)> {
        Command::parse(line.as_bytes()).map(|c| (c.id, c.name, c.words))
    }

    #[test]
    fn lines_are_read_as_the_protocol_says() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(parse("name"), Some((None, "name".to_owned(), vec![])));
        assert_eq!(parse("12 play b d4 # why\r"), Some((Some(12), "play".into(), words("b d4"))));
        assert_eq!(parse("\t7\tkomi\t \x07 6.5 "), Some((Some(7), "komi".into(), words("6.5"))));
        assert_eq!(parse("5"), Some((Some(5), String::new(), vec![])));
        let huge = "99999999999999999999999 name";
        assert_eq!(parse(huge).unwrap().1, "99999999999999999999999");
        for nothing in ["", "   ", "\t\r", "# a comment", " # 1 name", "\x00\x01"] {
            assert_eq!(parse(nothing), None, "{nothing:?}");
        }
    }
}
