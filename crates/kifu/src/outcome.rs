//! Results and other numbers in the header of a record.

use std::fmt;

use goban::Color;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Outcome {
    /// Somebody won.
    Win(Color, Margin),
    /// Jigo.
    Draw,
    /// No result.
    Void,
    /// The record does not say.
    #[default]
    Unknown,
}

/// By how much, or why, a game was won.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Margin {
    /// By points.
    Points(f32),
    /// The other side resigned.
    Resignation,
    /// The other side ran out of time.
    Time,
    /// The other side forfeited.
    Forfeit,
    /// The record does not say.
    Unknown,
}

impl Outcome {
    /// Who won, if anybody did.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Win(color, _) => Some(color),
            _ => None,
        }
    }

    /// Reads the value of RE: `B+3.5`, `W+R`, `0`, `Void`, and ways in which people and programs
    /// have put it since.
    pub fn parse(text: &str) -> Option<Outcome> {
        let text = text.trim();
        let lower = text.to_lowercase();
        match lower.as_str() {
            "" | "?" | "unknown" | "-" | "unfinished" | "u" => return Some(Outcome::Unknown),
            "0" | "d" | "draw" | "jigo" | "tie" | "持碁" | "和棋" | "和局" => {
                return Some(Outcome::Draw);
            }
            "void" | "no result" | "無勝負" | "无胜负" => return Some(Outcome::Void),
            _ => {}
        }
        let winners = [
            ("black", Color::Black),
            ("white", Color::White),
            ("b", Color::Black),
            ("w", Color::White),
            ("黑", Color::Black),
            ("黒", Color::Black),
            ("白", Color::White),
            ("흑", Color::Black),
            ("백", Color::White),
        ];
        let (rest, winner) =
            winners.iter().find_map(|&(name, color)| Some((lower.strip_prefix(name)?, color)))?;
        // A name that only begins like a colour is no result.
        let sign = rest.trim_start().strip_prefix('+');
        let worded =
            rest.is_empty() || rest.starts_with(' ') || !rest.starts_with(char::is_alphabetic);
        let foreign = !rest.is_ascii();
        (sign.is_some() || worded || foreign)
            .then(|| Margin::parse(sign.unwrap_or(rest).trim()))
            .flatten()
            .map(|margin| Outcome::Win(winner, margin))
    }
}

impl Margin {
    /// Reads what follows the winner, in lower case; `None` if it is a number that makes no sense.
    fn parse(text: &str) -> Option<Margin> {
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if text.starts_with('r') || has(&["resign", "中", "投了", "불계"]) {
            return Some(Margin::Resignation);
        }
        if text.starts_with('t') || has(&["time", "时", "時", "시간"]) {
            return Some(Margin::Time);
        }
        if text.starts_with('f') || has(&["forfeit"]) {
            return Some(Margin::Forfeit);
        }
        let half = if text.contains('半') { 0.5 } else { 0.0 };
        let digits = text.find(|c: char| c.is_ascii_digit() || c == '.').map(|at| &text[at..]);
        match digits {
            None => Some(Margin::Unknown),
            Some(_) if text.starts_with('-') => None,
            Some(digits) => number(digits).map(|points| Margin::Points(points + half)),
        }
    }
}

impl fmt::Display for Outcome {
    /// As SGF writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(color, margin) => {
                write!(f, "{}+", color.letter())?;
                match margin {
                    Margin::Points(points) => write!(f, "{points}"),
                    Margin::Resignation => f.write_str("R"),
                    Margin::Time => f.write_str("T"),
                    Margin::Forfeit => f.write_str("F"),
                    Margin::Unknown => Ok(()),
                }
            }
            Outcome::Draw => f.write_str("0"),
            Outcome::Void => f.write_str("Void"),
            Outcome::Unknown => f.write_str("?"),
        }
    }
}

/// Reads the number at the front of a text: `6.5`, `-0.5`, `6,5`, `3 3/4`, `1/2`, `6½`, `7.5目`. What
/// goes on like another number (`6.5.5`, `1e9`, `0x10`) is none.
pub(crate) fn number(text: &str) -> Option<f32> {
    let text = text.trim();
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    let mut end = whole;
    if let Some(rest) = text[whole..].strip_prefix(['.', ',']) {
        end += 1 + digits(rest);
    }
    // "6." and ".5" are numbers, "." is not.
    if text[..end].bytes().all(|b| !b.is_ascii_digit()) {
        return None;
    }
    let value: f32 = text[..end].replace(',', ".").parse().ok()?;
    let rest = &text[end..];
    if let Some(below) = rest.strip_prefix('/') {
        let below: f32 = below[..digits(below)].parse().ok()?;
        return Some(sign * value / below).filter(|value| value.is_finite());
    }
    let goes_on = |marks: &[char]| {
        let digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c));
        rest.strip_prefix(marks).is_some_and(digit)
    };
    if rest.starts_with(['.', ',']) || goes_on(&['e', 'E', 'x', 'X']) {
        return None;
    }
    let rest = rest.trim_start();
    let fraction = match rest.chars().next() {
        Some('½') => 0.5,
        Some('¼') => 0.25,
        Some('¾') => 0.75,
        _ => ["1/2", "1/4", "3/4"]
            .iter()
            .position(|written| rest.starts_with(written))
            .map_or(0.0, |i| [0.5, 0.25, 0.75][i]),
    };
    Some(sign * (value + fraction)).filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_real_files() {
        use Color::{Black, White};
        let points = |color, n| Outcome::Win(color, Margin::Points(n));
        for (text, outcome) in [
            ("B+3.5", points(Black, 3.5)),
            ("W+0.5", points(White, 0.5)),
            ("b + 12", points(Black, 12.0)),
            ("B+3,5", points(Black, 3.5)),
            ("W+2 1/2", points(White, 2.5)),
            ("B+2 3/4子", points(Black, 2.75)),
            ("W+R", Outcome::Win(White, Margin::Resignation)),
            ("B+Resign", Outcome::Win(Black, Margin::Resignation)),
            ("Black wins by resignation", Outcome::Win(Black, Margin::Resignation)),
            ("W+T", Outcome::Win(White, Margin::Time)),
            ("B+Time", Outcome::Win(Black, Margin::Time)),
            ("White wins on time", Outcome::Win(White, Margin::Time)),
            ("B+F", Outcome::Win(Black, Margin::Forfeit)),
            ("B+", Outcome::Win(Black, Margin::Unknown)),
            ("W+?", Outcome::Win(White, Margin::Unknown)),
            ("黑中盘胜", Outcome::Win(Black, Margin::Resignation)),
            ("白中押し勝ち", Outcome::Win(White, Margin::Resignation)),
            ("黒3目半勝ち", points(Black, 3.5)),
            ("白胜", Outcome::Win(White, Margin::Unknown)),
            ("흑 불계승", Outcome::Win(Black, Margin::Resignation)),
            ("0", Outcome::Draw),
            ("Draw", Outcome::Draw),
            ("jigo", Outcome::Draw),
            ("Void", Outcome::Void),
            ("?", Outcome::Unknown),
            (" ", Outcome::Unknown),
        ] {
            assert_eq!(Outcome::parse(text), Some(outcome), "{text:?}");
        }
        for text in ["Blackmail", "win", "3.5", "Bob won", "X+R"] {
            assert_eq!(Outcome::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn results_are_written_as_read() {
        for text in ["B+3.5", "W+12", "B+R", "W+T", "B+F", "W+", "0", "Void", "?"] {
            assert_eq!(Outcome::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn numbers_of_real_files() {
        for (text, value) in [
            ("6.5", 6.5),
            ("-0.5", -0.5),
            ("6,5", 6.5),
            ("+7", 7.0),
            ("3 3/4", 3.75),
            ("6½", 6.5),
            ("7.5目", 7.5),
            (".5", 0.5),
            ("6.", 6.0),
            ("375", 375.0),
            ("1/2", 0.5),
            ("6.5 points", 6.5),
        ] {
            assert_eq!(number(text), Some(value), "{text:?}");
        }
        let huge = "9".repeat(60);
        for text in ["", ".", "-", "abc", "½", "NaN", "inf", "6.5.5", "1e400", "0x10", "1/", &huge]
        {
            assert_eq!(number(text), None, "{text:?}");
        }
    }
}
