//! Player strength as records write it: ranks and rating numbers.

use std::cmp::Ordering;
use std::fmt;

/// A rank or a rating. Ranks compare with ranks (30k < 1k < 1d < 9d < 1p < 9p) and ratings with
/// ratings; a rank and a rating do not compare.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rank {
    /// 30k up to 1k, written with `k`.
    Kyu(u8),
    /// Amateur dan, written with `d`.
    Dan(u8),
    /// Professional dan, written with `p`.
    Pro(u8),
    /// A number on the scale of some server or federation.
    Rating(f32),
}

impl Rank {
    /// Reads the value of BR or WR: `9d`, `5 kyu`, `2p`, `9 dan pro`, `7d?`, `九段`, `1850`. The letter
    /// next to the number decides, whatever else is written.
    pub fn parse(text: &str) -> Option<Rank> {
        let lower = text.to_lowercase();
        let (before, value, after) = level(&lower)?;
        let grade = |most: u8| (1.0..=f32::from(most)).contains(&value).then_some(value as u8);
        let unit = after.trim_start().chars().next().unwrap_or(' ');
        let words = || after.split(|c: char| !c.is_alphanumeric());
        let is_pro = unit == 'p'
            || before.trim_end().ends_with('p')
            || lower.contains(['職', '职', 'プ'])
            || (unit == 'd' && words().any(|word| word == "pro" || word == "professional"));
        if is_pro {
            grade(10).map(Rank::Pro)
        } else if ['k', '級', '级', '급'].contains(&unit) {
            grade(50).map(Rank::Kyu)
        } else if ['d', '段', '단'].contains(&unit) {
            grade(12).map(Rank::Dan)
        } else {
            // A small bare number could mean anything.
            (value >= 100.0).then_some(Rank::Rating(value))
        }
    }

    /// Kyu below dan below professionals, and a higher number for the stronger.
    fn place(self) -> Option<i16> {
        match self {
            Rank::Kyu(n) => Some(-i16::from(n)),
            Rank::Dan(n) => Some(i16::from(n)),
            Rank::Pro(n) => Some(100 + i16::from(n)),
            Rank::Rating(_) => None,
        }
    }
}

/// The first number in a text, in digits or in Chinese, with what stands before and after it.
fn level(text: &str) -> Option<(&str, f32, &str)> {
    const NUMERALS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
    let is_numeral = |c: char| c == '初' || NUMERALS.contains(&c);
    let start = text.find(|c: char| c.is_ascii_digit() || is_numeral(c))?;
    let (before, rest) = text.split_at(start);
    let first = rest.chars().next()?;
    if is_numeral(first) {
        let place = NUMERALS.iter().position(|&n| n == first);
        let value = place.map_or(1.0, |i| i as f32 + 1.0);
        return Some((before, value, &rest[first.len_utf8()..]));
    }
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    Some((before, crate::outcome::number(&rest[..end])?, &rest[end..]))
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Rank) -> Option<Ordering> {
        match (self, other) {
            (Rank::Rating(a), Rank::Rating(b)) => a.partial_cmp(b),
            _ => Some(self.place()?.cmp(&other.place()?)),
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rank::Kyu(n) => write!(f, "{n}k"),
            Rank::Dan(n) => write!(f, "{n}d"),
            Rank::Pro(n) => write!(f, "{n}p"),
            Rank::Rating(r) => write!(f, "{r}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_real_files() {
        for (text, rank) in [
            ("9d", Rank::Dan(9)),
            ("5k", Rank::Kyu(5)),
            ("2p", Rank::Pro(2)),
            ("7d?", Rank::Dan(7)),
            ("3d*", Rank::Dan(3)),
            ("9 dan", Rank::Dan(9)),
            ("1 Kyu", Rank::Kyu(1)),
            ("9 dan pro", Rank::Pro(9)),
            ("5k provisional", Rank::Kyu(5)),
            ("3 dan, Japan", Rank::Dan(3)),
            ("P9段", Rank::Pro(9)),
            ("九段", Rank::Dan(9)),
            ("初段", Rank::Dan(1)),
            ("10級", Rank::Kyu(10)),
            ("职业三段", Rank::Pro(3)),
            ("1850", Rank::Rating(1850.0)),
            ("2143.5", Rank::Rating(2143.5)),
        ] {
            assert_eq!(Rank::parse(text), Some(rank), "{text:?}");
        }
        for text in ["", "NR", "-", "?", "5", "dan", "0d", "99k", "p"] {
            assert_eq!(Rank::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn stronger_is_greater() {
        let ranks = ["30k", "2k", "1k", "1d", "9d", "1p", "9p"].map(|t| Rank::parse(t).unwrap());
        assert!(ranks.is_sorted_by(|a, b| a < b));
        assert!(Rank::Rating(1500.0) < Rank::Rating(1600.5));
        assert_eq!(Rank::Rating(1500.0).partial_cmp(&Rank::Dan(1)), None);
        assert_eq!(Rank::parse("9d").unwrap().to_string(), "9d");
    }
}
