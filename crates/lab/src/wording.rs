//! Rules in the words of other engines: the names that KataGo gave to some rule sets, which other
//! programs have taken over, and an object with a field a rule where no name says what is meant.

use goban::{Ko, Rules};
use protocol::rules::to_json;
use serde_json::Value;

/// The names that KataGo 1.17 knows and the rules they mean there. It knows `korean`, `chinese-ogs`
/// and `bga` besides, which are other names of these, and three rule sets that we do not have.
const NAMES: [(&str, Rules); 6] = [
    ("tromp-taylor", Rules::TROMP_TAYLOR),
    ("chinese", Rules::CHINESE),
    ("chinese-kgs", Rules { ko: Ko::Positional, ..Rules::CHINESE }),
    ("japanese", Rules::JAPANESE),
    ("aga", Rules::AGA),
    ("new-zealand", Rules::NEW_ZEALAND),
];

/// The name by which KataGo knows exactly these rules.
fn name(rules: &Rules) -> Option<&'static str> {
    let meant = Rules { as_it_stands: rules.counts_as_it_stands(), ..*rules };
    NAMES.iter().find(|&&(_, known)| known == meant).map(|&(name, _)| name)
}

/// The rules as a query of the JSON analysis protocol has them: a name if it says what is meant.
pub(crate) fn in_query(rules: &Rules) -> Value {
    name(rules).map_or_else(|| to_json(rules), Value::from)
}

/// Tells an engine the rules by `kata-set-rules`, whose argument is handed to `set`; that says whether
/// the engine took it. In this order: by our name, by KataGo's, as an object, and by the name of rules
/// that differ in suicide only. If it did not take the rules as they are, the result says what it
/// plays by.
///
/// # Errors
/// Those of `set`.
pub(crate) fn announce<E>(
    rules: &Rules,
    mut set: impl FnMut(&str) -> Result<bool, E>,
) -> Result<Option<String>, E> {
    let mut exact: Vec<String> =
        [rules.name(), name(rules)].into_iter().flatten().map(str::to_owned).collect();
    exact.dedup();
    exact.push(to_json(rules).to_string());
    for wording in exact {
        if set(&wording)? {
            return Ok(None);
        }
    }
    let ours = rules.name().map_or_else(|| rules.to_string(), str::to_owned);
    if let Some(near) = name(&Rules { suicide: !rules.suicide, ..*rules })
        && set(near)?
    {
        let suicide = if rules.suicide { "forbids" } else { "allows" };
        return Ok(Some(format!(
            "it refuses the rules {ours} and was told {near} instead, which {suicide} suicide"
        )));
    }
    Ok(Some(format!(
        "it refuses the rules {ours} and was told the komi only; tell it the rules on its command line"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The wordings that are tried on an engine that accepts what `takes` accepts, and the note about it.
    fn announced(rules: Rules, takes: impl Fn(&str) -> bool) -> (Vec<String>, Option<String>) {
        let mut asked = Vec::new();
        let note = announce(&rules, |wording| {
            asked.push(wording.to_owned());
            Ok::<_, ()>(takes(wording))
        });
        (asked, note.unwrap())
    }

    #[test]
    fn what_katago_takes_means_the_same_there() {
        // KataGo's own definitions, ko, scoring, tax, suicide, handicap, friendly pass.
        let katago = |wording: &str| {
            Some(match wording {
                "tromp-taylor" => "POSITIONAL AREA NONE true 0 false",
                "chinese" => "SIMPLE AREA NONE false N true",
                "chinese-ogs" | "chinese-kgs" => "POSITIONAL AREA NONE false N true",
                "japanese" | "korean" => "SIMPLE TERRITORY SEKI false 0 false",
                "aga" | "bga" => "SITUATIONAL AREA NONE false N-1 true",
                "new-zealand" => "SITUATIONAL AREA NONE true 0 true",
                _ => return None,
            })
        };
        let row = |fields: &Value| {
            let field = |name: &str| fields[name].to_string().replace('"', "");
            let names = ["ko", "scoring", "tax", "suicide", "whiteHandicapBonus", "friendlyPassOk"];
            let row = names.map(field).join(" ");
            // Where territory is counted, dead stones are agreed about, whatever it says.
            if row.contains("TERRITORY") { row.replace(" true", " false") } else { row }
        };
        let chinese_kgs = Rules { ko: Ko::Positional, ..Rules::CHINESE };
        let all = Rules::NAMES.map(|(_, rules)| rules);
        for rules in all.into_iter().chain([chinese_kgs]) {
            let (asked, note) =
                announced(rules, |wording| katago(wording).is_some() || wording.starts_with('{'));
            assert_eq!(note, None);
            let taken = asked.last().unwrap();
            let meant = match serde_json::from_str::<Value>(taken) {
                Ok(fields) => row(&fields),
                Err(_) => katago(taken).unwrap().to_owned(),
            };
            assert_eq!(meant, row(&to_json(&rules)), "{taken}");
            let query = in_query(&rules);
            let meant = query.as_str().map_or_else(|| row(&query), |n| katago(n).unwrap().into());
            assert_eq!(meant, row(&to_json(&rules)), "{query}");
        }
    }

    #[test]
    fn an_engine_that_refuses_is_asked_again_in_other_words() {
        let object = to_json(&Rules::CGOS).to_string();
        let wanted = r#"{"friendlyPassOk":false,"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":false,"tax":"NONE","whiteHandicapBonus":"0"}"#;
        assert_eq!(object, wanted);
        assert_eq!(announced(Rules::CGOS, |_| true), (vec!["cgos".to_owned()], None));
        let (asked, note) = announced(Rules::CGOS, |wording| wording.starts_with('{'));
        assert_eq!((asked, note), (vec!["cgos".to_owned(), object.clone()], None));
        let (asked, note) = announced(Rules::CGOS, |wording| wording == "tromp-taylor");
        assert_eq!(asked, ["cgos", &object, "tromp-taylor"]);
        assert!(note.unwrap().ends_with("was told tromp-taylor instead, which allows suicide"));
        let (asked, note) = announced(Rules::CHINESE, |_| false);
        assert_eq!(asked, ["chinese", &to_json(&Rules::CHINESE).to_string()]);
        assert!(note.unwrap().starts_with("it refuses the rules chinese and was told the komi"));
    }
}
