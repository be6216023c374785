//! The JSON analysis protocol.

use std::io::Cursor;

use goban::Size;
use protocol::analysis::{Defaults, Setup, View, serve};
use serde_json::{Value, json};

use crate::support::{VISITS, library, options, rater};

/// The answers to these lines, in the order in which they come.
fn answers(lines: &[String]) -> Vec<Value> {
    let setup = Setup {
        workers: 2,
        library: library(),
        options: options(),
        defaults: Defaults { visits: Some(VISITS), time: None, view: View::Black },
        is_patient: true,
        rater: rater(),
    };
    let source = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let mut out = Vec::new();
    serve(Cursor::new(source.into_bytes()), &mut out, setup).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A question about a 9x9 board with these fields.
fn question(id: &str, more: &Value) -> String {
    let mut question = json!({
        "id": id, "moves": [["B", "E5"]], "rules": "chinese", "komi": 7,
        "boardXSize": 9, "boardYSize": 9,
    });
    for (name, value) in more.as_object().unwrap() {
        question[name] = value.clone();
    }
    question.to_string()
}

#[test]
fn a_question_that_is_wrong_is_answered_with_the_field() {
    let moves = json!({"moves": [["B", "Z9"]]});
    let twice = json!({"moves": [["B", "E5"], ["W", "E5"]]});
    let answers = answers(&[
        "nonsense".to_owned(),
        r#"{"moves":[]}"#.to_owned(),
        question("a", &moves),
        question("b", &twice),
        question("c", &json!({"maxVisits": 0})),
        question("d", &json!({"solve": true, "solveGoal": "win"})),
    ]);
    assert!(
        answers[0]["error"].as_str().unwrap().starts_with("Could not parse input line as JSON")
    );
    assert_eq!(answers[1], json!({"error": "Request must have a string \"id\" field"}));
    let wrong =
        |id: &str, field: &str, error: &str| json!({"error": error, "field": field, "id": id});
    let expected = [
        wrong(
            "a",
            "moves",
            "moves: must be a list of pairs such as [\"B\",\"Q16\"] on 9x9; entry 0 is [\"B\",\"Z9\"]",
        ),
        wrong("b", "moves", "Illegal move 2: E5: the point is occupied"),
        wrong("c", "maxVisits", "maxVisits: must be a whole number from 1 up"),
        wrong("d", "solveGoal", "solveGoal: must be kill, live, ko, capture or connect"),
    ];
    assert_eq!(answers[2..], expected);
}

#[test]
fn a_position_is_analysed() {
    let answers = answers(&[
        question("a", &json!({"komi": -30, "analyzeTurns": [0, 1], "includeOwnership": true})),
        question(
            "b",
            &json!({"komi": -30, "overrideSettings": {"reportAnalysisWinratesAs": "WHITE"}}),
        ),
    ]);
    assert_eq!(answers.len(), 3);
    let of = |id: &str, turn: u64| {
        let found = answers.iter().find(|a| a["id"] == id && a["turnNumber"] == turn);
        found.unwrap_or_else(|| panic!("no answer for {id} at {turn}"))
    };
    for (id, turn, player) in [("a", 0, "B"), ("a", 1, "W"), ("b", 1, "W")] {
        let answer = of(id, turn);
        assert_eq!(answer["isDuringSearch"], false);
        assert_eq!(answer["rootInfo"]["currentPlayer"], player);
        assert!(answer["rootInfo"]["visits"].as_u64().unwrap() >= VISITS);
        let best = answer["moveInfos"][0]["move"].as_str().unwrap();
        assert!(Size::NINE.parse_point(best).is_some(), "{best}");
    }
    assert_eq!(of("a", 1)["ownership"].as_array().unwrap().len(), 81);
    // By such a komi Black is ahead whatever the playouts say.
    let score = |id: &str| of(id, 1)["rootInfo"]["scoreLead"].as_f64().unwrap();
    assert!(score("a") > 0.0 && score("b") < 0.0, "{} and {}", score("a"), score("b"));
}

#[test]
fn a_problem_is_solved() {
    let stones = json!([
        ["B", "A3"],
        ["B", "B3"],
        ["B", "C3"],
        ["B", "D3"],
        ["B", "E3"],
        ["B", "E2"],
        ["B", "E1"],
        ["W", "A2"],
        ["W", "B2"],
        ["W", "C2"],
        ["W", "D2"],
        ["W", "D1"]
    ]);
    let more = json!({
        "moves": [], "initialStones": stones, "initialPlayer": "B",
        "solve": true, "solveGoal": "kill", "solveAt": "C2", "solveSeconds": 20,
    });
    let answers = answers(&[question("p", &more)]);
    let solution = &answers[0]["solution"];
    assert_eq!(
        (&solution["answer"], &solution["proved"]),
        (&json!("B1"), &json!(true)),
        "{solution}"
    );
}
