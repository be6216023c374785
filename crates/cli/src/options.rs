//! Values of options that several commands take, read with messages that say what is allowed.

use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use goban::{Color, Rules, Size};
use kifu::{Ending, Rank};
pub use protocol::limits::seconds;
use protocol::limits::{MOST_KOMI, MOST_THREADS};
use shape::Family;

/// A board size: `9` or `9x9`.
pub fn size(text: &str) -> Result<Size, String> {
    let number = text.split_once('x').filter(|(a, b)| a == b).map_or(text, |(side, _)| side);
    number.parse().ok().and_then(Size::new).ok_or_else(|| {
        format!("a board has from {} to {} lines", Size::MIN.side(), Size::MAX.side())
    })
}

/// A number or a range of them: `2` or `2-4`.
pub fn range(text: &str) -> Result<(usize, usize), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.trim().parse(), most.trim().parse()) {
        (Ok(least), Ok(most)) if least <= most => Ok((least, most)),
        _ => Err("a number or a range such as 2-4 is wanted".to_owned()),
    }
}

/// A number that counts from 1.
pub fn counted(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("they are counted from 1".to_owned()),
        Ok(n) => Ok(n),
        Err(_) => Err("a whole number from 1 up is wanted".to_owned()),
    }
}

/// A number that counts from 0.
pub fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "a whole number from 0 up is wanted".to_owned())
}

/// Threads: more than any machine needs would only wait for each other.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (1..=MOST_THREADS).contains(&n) => Ok(n),
        _ => Err(format!("a whole number from 1 to {MOST_THREADS} is wanted")),
    }
}

/// The pattern families, as [`family`] reads them.
pub const FAMILIES: &str =
    "n2 to n9, cp, 3x3, '3x3 atari', fuzzy, diamonds(1 to 8), moore(1 to 7), neumann(1 to 8)";

/// A pattern family by its name.
pub fn family(text: &str) -> Result<Family, String> {
    Family::parse(text).ok_or_else(|| format!("a pattern family is wanted: {FAMILIES}"))
}

/// A number of bytes such as `4GB` or `500 MB`.
pub fn bytes(text: &str) -> Result<usize, String> {
    let text = text.trim().to_ascii_uppercase();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let scale = match text[digits.len()..].trim() {
        "" | "B" => 1.0,
        "KB" | "K" => 1e3,
        "MB" | "M" => 1e6,
        "GB" | "G" => 1e9,
        _ => f64::NAN,
    };
    match digits.parse::<f64>() {
        Ok(n) if n * scale >= 1e6 && n * scale < 1e15 => Ok((n * scale) as usize),
        _ => Err("a size of memory such as 4GB or 500MB is wanted, at least 1MB".to_owned()),
    }
}

/// Memory in megabytes: enough to begin with, and not more than any machine has.
pub fn megabytes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (16..=16_000_000).contains(&n) => Ok(n),
        _ => Err("a whole number of megabytes is wanted, from 16 to 16000000".to_owned()),
    }
}

/// Points for White.
pub fn komi(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(komi) if komi.abs() <= MOST_KOMI => Ok(komi),
        _ => Err(format!("a number of points from -{MOST_KOMI} to {MOST_KOMI} is wanted")),
    }
}

/// Rules by name.
pub fn rules(text: &str) -> Result<Rules, String> {
    protocol::rules::named(text).ok_or_else(|| {
        let names: Vec<&str> = Rules::NAMES.iter().map(|&(name, _)| name).collect();
        format!("the name of a rule set is wanted: {}", names.join(", "))
    })
}

/// A share of a whole.
pub fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x < 1.0 => Ok(x),
        _ => Err("a share between 0 and 1 is wanted, such as 0.05".to_owned()),
    }
}

/// A number above 0.
pub fn positive(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("a number above 0 is wanted".to_owned()),
    }
}

/// A number that is not negative.
pub fn amount(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        _ => Err("a number from 0 up is wanted".to_owned()),
    }
}

/// A player, named in the help.
pub fn color() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["black", "white"])
        .map(|name| Color::parse(&name).expect("both names are known"))
}

/// A rank or a rating.
pub fn rank(text: &str) -> Result<Rank, String> {
    Rank::parse(text)
        .ok_or_else(|| "a rank such as 5k, 3d or 1p, or a rating from 100 up is wanted".to_owned())
}

const ENDINGS: [(&str, Ending); 8] = [
    ("points", Ending::Points),
    ("resignation", Ending::Resignation),
    ("time", Ending::Time),
    ("forfeit", Ending::Forfeit),
    ("won", Ending::Won),
    ("draw", Ending::Draw),
    ("void", Ending::Void),
    ("unknown", Ending::Unknown),
];

/// How a game ended, named in the help.
pub fn ending() -> impl TypedValueParser<Value = Ending> {
    PossibleValuesParser::new(ENDINGS.map(|(name, _)| name)).map(|name| {
        let known = ENDINGS.iter().find(|&&(known, _)| known == name);
        known.expect("only these names are possible").1
    })
}

/// The name of an ending, as [`ending`] reads it.
pub fn ending_name(ending: Ending) -> &'static str {
    let known = ENDINGS.iter().find(|&&(_, known)| known == ending);
    known.map_or("unknown", |&(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_ranges() {
        assert_eq!(size("9"), Ok(Size::NINE));
        assert_eq!(size("19x19"), Ok(Size::NINETEEN));
        for text in ["1", "26", "9x13", "", "nine", "-3"] {
            assert_eq!(size(text), Err("a board has from 2 to 25 lines".to_owned()), "{text}");
        }
        assert_eq!(range("3"), Ok((3, 3)));
        assert_eq!(range("2-4"), Ok((2, 4)));
        assert!(range("4-2").is_err() && range("").is_err() && range("a-b").is_err());
    }

    #[test]
    fn families_are_named_as_they_are_read() {
        for name in
            ["n2", "n9", "cp", "3x3", "3x3 atari", "fuzzy", "diamonds(8)", "moore(7)", "neumann(8)"]
        {
            assert!(family(name).is_ok(), "{name}");
            let word = name.trim_end_matches(|c: char| !c.is_alphabetic() && c != '3');
            assert!(name.starts_with('n') || FAMILIES.contains(word), "{name}");
        }
        assert!(family("n10").unwrap_err().contains("fuzzy"));
    }

    #[test]
    fn endings_have_names() {
        for (name, value) in ENDINGS {
            assert_eq!(ending_name(value), name);
        }
    }
}
