//! What is wrong with a JSON text, in words for people: what was expected rather than how it was
//! parsed.

use serde_json::Error;
use serde_json::error::Category;

/// What is wrong, without the place.
pub fn what(error: &Error) -> String {
    match error.classify() {
        Category::Eof => "it ends too early; was it cut off?".to_owned(),
        Category::Io => error.to_string(),
        Category::Syntax => "this is not JSON".to_owned(),
        Category::Data => data(&error.to_string()),
    }
}

/// What is wrong in a file, with the place where there is one.
pub fn at(error: &Error) -> String {
    match error.line() {
        0 => what(error),
        line => format!("line {line}, column {}: {}", error.column(), what(error)),
    }
}

/// The text of a wrong value: ``missing field `id` at line 1 column 14`` as `'id' is missing`.
fn data(text: &str) -> String {
    let text = text.split(" at line ").next().unwrap_or(text);
    let quoted = |text: &str| text.split('`').nth(1).map(str::to_owned);
    if let Some(name) = text.strip_prefix("missing field ").and_then(quoted) {
        return format!("'{name}' is missing");
    }
    let found_and_wanted = text
        .strip_prefix("invalid type: ")
        .or_else(|| text.strip_prefix("invalid value: "))
        .or_else(|| text.strip_prefix("invalid length "))
        .and_then(|rest| rest.split_once(", expected "));
    match found_and_wanted {
        Some((found, wanted)) => format!("{} is wanted, not {}", kind(wanted), plain(found)),
        None => text.replace('`', "'"),
    }
}

/// What is wanted, without the names of types in the program.
fn kind(wanted: &str) -> String {
    match wanted.trim_start_matches("a ").split(' ').next() {
        _ if wanted == "a map" => "an object {…}".to_owned(),
        Some("struct" | "map") => "an object {…}".to_owned(),
        Some("f32" | "f64") => "a number".to_owned(),
        Some("u8" | "u16" | "u32" | "u64" | "usize") => "a whole number".to_owned(),
        Some("sequence" | "tuple") => "a list […]".to_owned(),
        _ => wanted.to_owned(),
    }
}

fn plain(found: &str) -> String {
    let found = found.replace('`', "");
    match found.as_str() {
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        _ => found,
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, Debug)]
    struct Wanted {
        #[allow(dead_code)]
        number: f32,
        #[allow(dead_code)]
        list: Vec<Wanted>,
    }

    #[test]
    fn it_says_what_was_expected() {
        for (text, wanted) in [
            ("{\"number\":", "line 1, column 10: it ends too early; was it cut off?"),
            ("\nnumber = 3", "line 2, column 3: this is not JSON"),
            ("{\"number\":1}", "line 1, column 12: 'list' is missing"),
            ("3", "line 1, column 1: an object {…} is wanted, not integer 3"),
            ("{\"number\":\"x\"}", "line 1, column 13: a number is wanted, not string \"x\""),
            ("{\"number\":1,\"list\":2}", "line 1, column 20: a list […] is wanted, not integer 2"),
        ] {
            let error = serde_json::from_str::<Wanted>(text).unwrap_err();
            assert_eq!(at(&error), wanted, "{error}");
        }
    }
}
