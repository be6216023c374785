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
        _ => Rules::parse(name).or_else(|| spelled(name)),
    }
}

/// The rules as an object with a field a rule.
pub fn to_json(rules: &Rules) -> Value {
    let (scoring, tax) = match rules.scoring {
        Scoring::Area => ("AREA", "NONE"),
        Scoring::Territory => ("TERRITORY", "SEKI"),
    };
    json!({
        "friendlyPassOk": !rules.as_it_stands,
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

/// The rules as records write them, so that [`named`] reads the same: a name, or all rules in a row as
/// KataGo spells them, `koSIMPLEscoreAREAtaxNONEsui0whbN`.
pub fn to_text(rules: &Rules) -> String {
    if let Some(name) = rules.name() {
        return name.to_owned();
    }
    if named("chinese-kgs") == Some(*rules) {
        return "chinese-kgs".to_owned();
    }
    let fields = to_json(rules);
    let text = |name: &str| fields[name].as_str().unwrap_or_default().to_owned();
    let mut row = format!("ko{}score{}tax{}", text("ko"), text("scoring"), text("tax"));
    row += if rules.suicide { "sui1" } else { "sui0" };
    if rules.handicap_bonus != HandicapBonus::None {
        row += &format!("whb{}", text("whiteHandicapBonus"));
    }
    if !rules.as_it_stands {
        row += "fpok1";
    }
    row
}

/// What [`to_text`] spells out. What is not said is not so.
fn spelled(text: &str) -> Option<Rules> {
    let mut rules =
        Rules { handicap_bonus: HandicapBonus::None, as_it_stands: true, ..Rules::CHINESE };
    let mut rest = text.trim();
    let mut seen = 0;
    while !rest.is_empty() {
        let value = rest.find(|c: char| !c.is_ascii_lowercase())?;
        let end = rest[value..].find(|c: char| c.is_ascii_lowercase());
        let end = end.map_or(rest.len(), |end| value + end);
        let flag = match &rest[value..end] {
            "1" => "TRUE",
            "0" => "FALSE",
            _ => "neither",
        };
        let (name, value) = match &rest[..value] {
            "ko" => ("ko", &rest[value..end]),
            "score" => ("scoring", &rest[value..end]),
            "tax" => ("tax", &rest[value..end]),
            "sui" => ("suicide", flag),
            "button" => ("hasButton", flag),
            "whb" => ("whiteHandicapBonus", &rest[value..end]),
            "fpok" => ("friendlyPassOk", flag),
            _ => return None,
        };
        rules = with(rules, name, &Value::String(value.to_owned())).ok()?;
        rest = &rest[end..];
        seen += 1;
    }
    (seen > 1).then_some(rules)
}

/// The nearest of our rules to those of a name that we do not have.
fn nearest(name: &str) -> Option<Rules> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    match plain.to_ascii_lowercase().as_str() {
        // Without what each group pays for its eyes.
        "stonescoring" => Some(Rules { handicap_bonus: HandicapBonus::None, ..Rules::CHINESE }),
        "agabutton" => Some(Rules::AGA),
        _ => None,
    }
}

/// The rules of a name or of an object; fields that are not there are as in `base`. What is
/// understood but not offered is added to `missed`, and the rules are the nearest that there are.
///
/// # Errors
/// What is not understood.
pub fn from_json(value: &Value, base: Rules, missed: &mut Vec<String>) -> Result<Rules, String> {
    match value {
        Value::String(name) => {
            let near = || {
                let rules = nearest(name)?;
                missed.push(format!("rules '{}' are not offered, nearest: {rules}", excerpt(name)));
                Some(rules)
            };
            named(name).or_else(near).ok_or_else(|| {
                let names: Vec<&str> = Rules::NAMES.iter().map(|&(name, _)| name).collect();
                format!("unknown rules '{}'; there are {}", excerpt(name), names.join(", "))
            })
        }
        Value::Object(fields) => from_fields(fields, base, missed),
        _ => Err("rules are a name or an object".to_owned()),
    }
}

/// The rules of a text: a name, or an object.
///
/// # Errors
/// What is not understood or not offered.
pub fn from_text(text: &str, base: Rules) -> Result<Rules, String> {
    let value = if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?
    } else {
        Value::String(text.to_owned())
    };
    exactly(|missed| from_json(&value, base, missed))
}

/// The rules with one of them changed.
///
/// # Errors
/// What is not understood or not offered.
pub fn with(rules: Rules, name: &str, value: &Value) -> Result<Rules, String> {
    exactly(|missed| change(rules, name, value, missed))
}

/// Rules that are read, if nothing of them is missed.
fn exactly(read: impl FnOnce(&mut Vec<String>) -> Result<Rules, String>) -> Result<Rules, String> {
    let mut missed = Vec::new();
    let rules = read(&mut missed)?;
    missed.into_iter().next().map_or(Ok(rules), Err)
}

fn from_fields(
    fields: &Map<String, Value>,
    base: Rules,
    missed: &mut Vec<String>,
) -> Result<Rules, String> {
    let mut rules = base;
    // Which tax is meant depends on the scoring.
    if let Some(value) = fields.get("scoring") {
        rules = change(rules, "scoring", value, missed)?;
    }
    for (name, value) in fields.iter().filter(|(name, _)| *name != "scoring") {
        rules = change(rules, name, value, missed)?;
    }
    Ok(rules)
}

fn change(
    mut rules: Rules,
    name: &str,
    value: &Value,
    missed: &mut Vec<String>,
) -> Result<Rules, String> {
    let text = match value {
        Value::String(text) => text.to_ascii_uppercase(),
        other => other.to_string().to_ascii_uppercase(),
    };
    let refusal =
        |allowed: &str| format!("rule '{}' is {allowed}, not '{}'", excerpt(name), excerpt(&text));
    let refuse = |allowed: &str| Err(refusal(allowed));
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
        ("tax", "NONE" | "SEKI" | "ALL") => missed.push(refusal(TAXES)),
        ("tax", _) => return refuse(TAXES),
        ("hasButton", "FALSE") => {}
        ("hasButton", "TRUE") => missed.push(refusal("false")),
        ("hasButton", _) => return refuse("false"),
        ("friendlyPassOk", "TRUE") => rules.as_it_stands = false,
        ("friendlyPassOk", "FALSE") => rules.as_it_stands = true,
        ("suicide" | "multiStoneSuicideLegal" | "friendlyPassOk", _) => {
            return refuse("true or false");
        }
        _ => return Err(format!("unknown rule '{}'", excerpt(name))),
    }
    Ok(rules)
}

/// Who pays for eyes.
const TAXES: &str = "NONE with area scoring and SEKI with territory scoring";

/// What is wrong with a position that somebody set up.
pub fn misplaced((point, why): (Point, Illegal)) -> String {
    kifu::misplaced(point, why)
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
    fn all_rules_can_be_written_into_a_record() {
        let mut seen = 0;
        for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
            for scoring in [Scoring::Area, Scoring::Territory] {
                for bonus in
                    [HandicapBonus::None, HandicapBonus::StonesLessOne, HandicapBonus::Stones]
                {
                    for (suicide, stands) in
                        [(false, false), (false, true), (true, false), (true, true)]
                    {
                        let as_it_stands = stands && scoring == Scoring::Area;
                        let handicap_bonus = bonus;
                        let rules = Rules { ko, suicide, scoring, handicap_bonus, as_it_stands };
                        let text = to_text(&rules);
                        assert_eq!(named(&text), Some(rules), "{text}");
                        seen += 1;
                    }
                }
            }
        }
        assert_eq!(seen, 72);
        assert_eq!(named("koPOSITIONALscoreAREAtaxNONEsui1"), Some(Rules::TROMP_TAYLOR));
        for text in [
            "ko",
            "koMAYBEscoreAREA",
            "scoreAREA",
            "windNORTHscoreAREA",
            "koSIMPLEsui2",
            "komi 7.5",
        ] {
            assert_eq!(named(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_offered_is_said() {
        for (text, message) in [
            (
                "football",
                "unknown rules 'football'; there are chinese, japanese, korean, aga, new-zealand, \
                 tromp-taylor, cgos",
            ),
            ("{\"ko\":\"MAYBE\"}", "rule 'ko' is SIMPLE, POSITIONAL or SITUATIONAL, not 'MAYBE'"),
            ("{\"hasButton\":true}", "rule 'hasButton' is false, not 'TRUE'"),
            ("{\"wind\":1}", "unknown rule 'wind'"),
            (
                "stone-scoring",
                "rules 'stone-scoring' are not offered, nearest: area scoring, simple ko, no suicide",
            ),
        ] {
            assert_eq!(from_text(text, Rules::CHINESE), Err(message.to_owned()));
        }
        assert!(from_text("{\"ko\":", Rules::CHINESE).unwrap_err().starts_with("not JSON"));
    }

    #[test]
    fn the_nearest_rules_are_found() {
        for (value, rules, said) in [
            (json!("aga-button"), Rules::AGA, 1),
            (json!({"scoring": "AREA", "tax": "ALL", "hasButton": true}), Rules::CHINESE, 2),
            (
                json!({"scoring": "TERRITORY", "tax": "SEKI", "whiteHandicapBonus": "0"}),
                Rules::JAPANESE,
                0,
            ),
        ] {
            let mut missed = Vec::new();
            assert_eq!(from_json(&value, Rules::CHINESE, &mut missed), Ok(rules), "{value}");
            assert_eq!(missed.len(), said, "{value}: {missed:?}");
        }
        let button = json!({"hasButton": "perhaps"});
        assert!(from_json(&button, Rules::CHINESE, &mut Vec::new()).is_err());
    }

    #[test]
    fn the_board_counts_as_it_stands_where_passes_are_not_friendly() {
        for (ok, rules) in [(true, Rules::TROMP_TAYLOR), (false, Rules::CHINESE)] {
            let rules = with(rules, "friendlyPassOk", &json!(ok)).unwrap();
            assert_eq!(rules.as_it_stands, !ok);
            assert_eq!(to_json(&rules)["friendlyPassOk"], ok);
        }
    }
}
