//! The words of a command, read as what is expected, with errors that say what that was.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use goban::{Color, Move, Point, Size};

/// Why the words of a command cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Syntax {
    /// There is another word than was expected.
    #[error("syntax error: expected {expected}, got '{found}'")]
    Unexpected {
        /// What should stand there.
        expected: String,
        /// What does, shortened.
        found: String,
    },
    /// There is no word where one was expected.
    #[error("syntax error: expected {expected}, got nothing more")]
    Missing {
        /// What should stand there.
        expected: String,
    },
    /// There are more words than were expected.
    #[error("syntax error: nothing is expected after that, got '{found}'")]
    TooMany {
        /// The first that is too much, shortened.
        found: String,
    },
}

/// The longest time that a clock may show: what front ends promise to stay below.
const LONGEST_TIME: f64 = 2_147_483_647.0;

/// The words of a command that were not taken yet.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a> {
    rest: &'a [String],
}

impl<'a> Arguments<'a> {
    /// The words, none taken.
    pub fn new(words: &'a [String]) -> Arguments<'a> {
        Arguments { rest: words }
    }

    /// Whether all words are taken.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next word, which stays.
    pub fn peek(&self) -> Option<&'a str> {
        self.rest.first().map(String::as_str)
    }

    /// The next word, if there is one.
    pub fn next_word(&mut self) -> Option<&'a str> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// The next word, of which `expected` says what it is.
    ///
    /// # Errors
    /// If there is none.
    pub fn word(&mut self, expected: &str) -> Result<&'a str, Syntax> {
        self.next_word().ok_or_else(|| Syntax::Missing { expected: expected.to_owned() })
    }

    /// All words that are left, with single blanks between them.
    pub fn rest(&mut self) -> String {
        std::mem::take(&mut self.rest).join(" ")
    }

    /// The next word as `read` understands it.
    ///
    /// # Errors
    /// If there is none, or `read` does not understand it.
    pub fn read<T>(
        &mut self,
        expected: &str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, Syntax> {
        let word = self.word(expected)?;
        read(word).ok_or_else(|| unexpected(expected, word))
    }

    /// The next word if `read` understands it; else it stays.
    pub fn read_if<T>(&mut self, read: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
        let value = read(self.peek()?)?;
        self.next_word();
        Some(value)
    }

    /// A colour: `b`, `black`, `w`, `white`.
    ///
    /// # Errors
    /// If it is none.
    pub fn color(&mut self) -> Result<Color, Syntax> {
        self.read("a colour, black or white", Color::parse)
    }

    /// A point of the board.
    ///
    /// # Errors
    /// If it is none.
    pub fn point(&mut self, size: Size) -> Result<Point, Syntax> {
        self.read(&vertex_words(size, false), |word| size.parse_point(word))
    }

    /// A point of the board, or `pass`.
    ///
    /// # Errors
    /// If it is neither.
    pub fn vertex(&mut self, size: Size) -> Result<Move, Syntax> {
        self.read(&vertex_words(size, true), |word| vertex(word, size))
    }

    /// A whole number.
    ///
    /// # Errors
    /// If it is none, or is below `least`.
    pub fn integer<T: FromStr + PartialOrd + Display>(&mut self, least: T) -> Result<T, Syntax> {
        let expected = format!("a whole number from {least} up");
        self.read(&expected, |word| word.parse().ok().filter(|n| *n >= least))
    }

    /// A number that is not infinite.
    ///
    /// # Errors
    /// If it is none.
    pub fn number(&mut self) -> Result<f64, Syntax> {
        self.read("a number", |word| word.parse().ok().filter(|x: &f64| x.is_finite()))
    }

    /// A number of seconds.
    ///
    /// # Errors
    /// If it is none, is negative, or is more than 68 years.
    pub fn seconds(&mut self) -> Result<Duration, Syntax> {
        self.read("a time in seconds", |word| {
            let seconds: f64 = word.parse().ok()?;
            (0.0..=LONGEST_TIME).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
        })
    }

    /// What a clock shows, in seconds: nothing is left if it is below zero.
    ///
    /// # Errors
    /// If it is no number or is more than 68 years.
    pub fn seconds_left(&mut self) -> Result<Duration, Syntax> {
        match self.read_if(|word| word.parse().ok().filter(|x: &f64| *x < 0.0)) {
            Some(_) => Ok(Duration::ZERO),
            None => self.seconds(),
        }
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// If it is neither.
    pub fn boolean(&mut self) -> Result<bool, Syntax> {
        self.read("true or false", |word| word.to_ascii_lowercase().parse().ok())
    }

    /// Makes sure that nothing is left.
    ///
    /// # Errors
    /// If something is.
    pub fn end(&self) -> Result<(), Syntax> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(Syntax::TooMany { found: shortened(word) }),
        }
    }
}

/// A vertex or `pass`.
fn vertex(word: &str, size: Size) -> Option<Move> {
    if word.eq_ignore_ascii_case("pass") {
        return Some(Move::Pass);
    }
    size.parse_point(word).map(Move::Play)
}

fn vertex_words(size: Size, or_pass: bool) -> String {
    let last = size.side() - 1;
    let corner = Point::new(last, last);
    // A star point where there is one, as people know them.
    let sample = goban::handicap::star_points(size).get(1).copied().unwrap_or(corner);
    let pass = if or_pass { ", or pass" } else { "" };
    format!("a vertex such as {sample} (A1 to {corner}){pass}")
}

fn unexpected(expected: &str, word: &str) -> Syntax {
    Syntax::Unexpected { expected: expected.to_owned(), found: shortened(word) }
}

/// A word cut to a length that suits a message.
fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    match word.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<T>(text: &str, read: impl FnOnce(&mut Arguments<'_>) -> T) -> T {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        read(&mut Arguments::new(&words))
    }

    #[test]
    fn words_are_read_as_what_is_expected() {
        let play = |text: &str| with(text, |a| Ok((a.color()?, a.vertex(Size::NINETEEN)?)));
        let q16 = Point::parse("Q16").unwrap();
        assert_eq!(play("B q16"), Ok((Color::Black, Move::Play(q16))));
        assert_eq!(play("white PASS"), Ok((Color::White, Move::Pass)));
        let error = |text: &str| play(text).map_err(|e: Syntax| e.to_string()).unwrap_err();
        assert_eq!(
            error("b Z99"),
            "syntax error: expected a vertex such as Q16 (A1 to T19), or pass, got 'Z99'"
        );
        assert_eq!(
            error("green Q16"),
            "syntax error: expected a colour, black or white, got 'green'"
        );
        assert!(error("b").ends_with("or pass, got nothing more"));
    }

    #[test]
    fn numbers_are_bounded() {
        assert_eq!(with("7", |a| a.integer(0u32)), Ok(7));
        for text in ["-1", "1.5", "99999999999", "x", ""] {
            assert!(with(text, |a| a.integer(0u32)).is_err(), "{text}");
        }
        for text in ["NaN", "inf", "-inf", "1e999", "six"] {
            assert!(with(text, |a| a.number()).is_err(), "{text}");
        }
        assert_eq!(with("0.25", |a| a.seconds()), Ok(Duration::from_millis(250)));
        for text in ["-1", "1e30", "NaN"] {
            assert!(with(text, |a| a.seconds()).is_err(), "{text}");
        }
        assert_eq!(with("-2.5", |a| a.seconds_left()), Ok(Duration::ZERO));
        assert_eq!(with("2.5", |a| a.seconds_left()), Ok(Duration::from_millis(2500)));
        for text in ["", "1e30", "NaN", "late"] {
            assert!(with(text, |a| a.seconds_left()).is_err(), "{text}");
        }
        assert!(with("a b", |a| a.end()).is_err());
    }

    #[test]
    fn long_words_are_shortened() {
        let long = "é".repeat(1000);
        let error = with(&long, |a| a.number()).unwrap_err().to_string();
        assert!(error.chars().count() < 100, "{error}");
    }
}
