//! Rules as the protocols of today write them, a name or a JSON object with a field a rule, and what
//! is wrong with positions that come over them.

use goban::{HandicapBonus, Illegal, Ko, Point, Rules, Scoring};
use serde_json::{Map, Value, json};

/// The rules of a name, those of servers among them.
pub fn named(name: &str) -> Option<Rules> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    match plain.to_ascii_lowercase().as_str() {
        "chineseogs" | "chinesekgs" => Some(Rules { ko: Ko::Positional, ..Rules::CHINESE }),
        "bga" => Some(Rules::AGA),
        _ => Rules::parse(name),
    }
}

/// The rules as an object.
pub fn to_json(rules: &Rules) -> Value {
    let (scoring, tax) = match rules.scoring {
        Scoring::Area => ("AREA", "NONE"),
        Scoring::Territory => ("TERRITORY", "SEKI"),
    };
    json!({
        "friendlyPassOk": true,
        "hasButton": false,
        "ko": match rules.ko {
            Ko::Simple => "SIMPLE",
            Ko::Positional => "POSITIONAL",
            Ko::Situational => "SITUATIONAL",
        },
        "scoring": scoring,
        "suicide": rules.suicide,
        "tax": tax,
        "whiteHandicapBonus": match rules.handicap_bonus {
            HandicapBonus::None => "0",
            HandicapBonus::StonesLessOne => "N-1",
            HandicapBonus::Stones => "N",
        },
    })
}

/// The rules of a name or of an object; fields that are not there are as in `base`.
///
/// # Errors
/// What is not understood or not offered.
pub fn from_json(value: &Value, base: Rules) -> Result<Rules, String> {
    match value {
        Value::String(name) => {
            named(name).ok_or_else(|| format!("unknown rules '{}'", excerpt(name)))
        }
        Value::Object(fields) => from_fields(fields, base),
        _ => Err("rules are a name or an object".to_owned()),
    }
}

/// The rules of a text: a name, or an object.
///
/// # Errors
/// What is not understood or not offered.
pub fn from_text(text: &str, base: Rules) -> Result<Rules, String> {
    if !text.trim_start().starts_with('{') {
        return from_json(&Value::String(text.to_owned()), base);
    }
    let value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    from_json(&value, base)
}

fn from_fields(fields: &Map<String, Value>, base: Rules) -> Result<Rules, String> {
    let mut rules = base;
    // Which tax is meant depends on the scoring.
    if let Some(value) = fields.get("scoring") {
        rules = with(rules, "scoring", value)?;
    }
    for (name, value) in fields.iter().filter(|(name, _)| *name != "scoring") {
        rules = with(rules, name, value)?;
    }
    Ok(rules)
}

/// The rules with one of them changed.
///
/// # Errors
/// What is not understood or not offered.
pub fn with(mut rules: Rules, name: &str, value: &Value) -> Result<Rules, String> {
    let text = match value {
        Value::String(text) => text.to_ascii_uppercase(),
        other => other.to_string().to_ascii_uppercase(),
    };
    let refuse = |allowed: &str| {
        Err(format!("rule '{}' is {allowed}, not '{}'", excerpt(name), excerpt(&text)))
    };
    match (name, text.as_str()) {
        ("ko", "SIMPLE") => rules.ko = Ko::Simple,
        ("ko", "POSITIONAL") => rules.ko = Ko::Positional,
        ("ko", "SITUATIONAL") => rules.ko = Ko::Situational,
        ("ko", _) => return refuse("SIMPLE, POSITIONAL or SITUATIONAL"),
        ("scoring", "AREA") => rules.scoring = Scoring::Area,
        ("scoring", "TERRITORY") => rules.scoring = Scoring::Territory,
        ("scoring", _) => return refuse("AREA or TERRITORY"),
        ("suicide" | "multiStoneSuicideLegal", "TRUE") => rules.suicide = true,
        ("suicide" | "multiStoneSuicideLegal", "FALSE") => rules.suicide = false,
        ("whiteHandicapBonus", "0" | "FALSE") => rules.handicap_bonus = HandicapBonus::None,
        ("whiteHandicapBonus", "N-1") => rules.handicap_bonus = HandicapBonus::StonesLessOne,
        ("whiteHandicapBonus", "N" | "TRUE") => rules.handicap_bonus = HandicapBonus::Stones,
        ("whiteHandicapBonus", _) => return refuse("0, N-1 or N"),
        ("tax", "NONE") if rules.scoring == Scoring::Area => {}
        ("tax", "SEKI") if rules.scoring == Scoring::Territory => {}
        ("tax", _) => return refuse("NONE with area scoring and SEKI with territory scoring"),
        ("hasButton", "FALSE") => {}
        ("hasButton", _) => return refuse("false"),
        // How passes are understood is no rule here: stones are dead if they cannot be saved.
        ("friendlyPassOk", "TRUE" | "FALSE") => {}
        ("suicide" | "multiStoneSuicideLegal" | "friendlyPassOk", _) => {
            return refuse("true or false");
        }
        _ => return Err(format!("unknown rule '{}'", excerpt(name))),
    }
    Ok(rules)
}

/// What is wrong with a position that somebody set up.
pub fn misplaced((point, why): (Point, Illegal)) -> String {
    kifu::misplaced(point, why)
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_go_out_and_come_in_again() {
        for (name, rules) in Rules::NAMES {
            assert_eq!(from_text(name, Rules::CHINESE), Ok(rules), "{name}");
            let text = to_json(&rules).to_string();
            assert_eq!(from_text(&text, Rules::TROMP_TAYLOR), Ok(rules), "{text}");
        }
        let kgs = from_text("chinese-kgs", Rules::JAPANESE).unwrap();
        assert_eq!((kgs.ko, kgs.handicap_bonus), (Ko::Positional, HandicapBonus::Stones));
    }

    #[test]
    fn what_is_not_offered_is_said() {
        for (text, message) in [
            ("football", "unknown rules 'football'"),
            ("{\"ko\":\"MAYBE\"}", "rule 'ko' is SIMPLE, POSITIONAL or SITUATIONAL, not 'MAYBE'"),
            ("{\"hasButton\":true}", "rule 'hasButton' is false, not 'TRUE'"),
            ("{\"wind\":1}", "unknown rule 'wind'"),
        ] {
            assert_eq!(from_text(text, Rules::CHINESE), Err(message.to_owned()));
        }
        assert!(from_text("{\"ko\":", Rules::CHINESE).unwrap_err().starts_with("not JSON"));
    }
}
