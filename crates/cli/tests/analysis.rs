//! `harie analysis` as programs meet it: questions and answers, nonsense, interruptions.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

fn harie(options: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_harie"))
        .args(["analysis", "--memory", "64"])
        .args(options)
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("harie runs")
}

/// All answers to these lines.
fn ask(options: &[&str], input: &[u8]) -> Vec<Value> {
    let mut engine = harie(options);
    let mut stdin = engine.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = engine.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{:?}: {errors}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

/// The form of an answer: what depends on thought loses its contents.
fn form(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| {
                let kept = ["id", "turnNumber", "error", "warning", "field", "currentPlayer"];
                let same = kept.contains(&name.as_str()) || value.is_boolean();
                (name.clone(), if same { value.clone() } else { form(value) })
            })
            .collect(),
        // How many moves are looked at, and how far, is a matter of thought.
        Value::Array(list) if list.iter().all(Value::is_object) => {
            list.iter().take(1).map(form).collect()
        }
        Value::Array(list) if list.iter().all(Value::is_string) => json!("words"),
        Value::Array(list) => match list.len() {
            26 | 82 | 81 | 25 => json!(format!("{} numbers", list.len())),
            _ => json!("numbers"),
        },
        Value::Number(_) => json!("N"),
        Value::String(_) => json!("text"),
        other => other.clone(),
    }
}

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/analysis");
    for name in ["errors.jsonl", "answers.jsonl"] {
        let path = folder.join(name);
        let golden = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = golden.lines().filter_map(|line| line.strip_prefix("> ")).collect();
        let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let answers = ask(&["--visits", "20"], input.as_bytes());
        let mut found: Vec<String> = lines.iter().map(|line| format!("> {line}")).collect();
        let mut forms: Vec<(String, String)> = answers
            .iter()
            .map(|answer| (answer["id"].to_string(), form(answer).to_string()))
            .collect();
        // Answers come in any order.
        forms.sort();
        found.push(String::new());
        found.extend(forms.into_iter().map(|(_, form)| form));
        let found = found.join("\n") + "\n";
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, &found).unwrap();
        }
        let golden = fs::read_to_string(&path).unwrap();
        let differ = golden.lines().zip(found.lines()).find(|(a, b)| a != b);
        assert!(golden == found, "{name}: {differ:?} differ; UPDATE_EXPECT=1 updates it");
    }
}

fn question(id: &str, more: Value) -> String {
    let mut question = json!({
        "id": id, "moves": [["B", "E5"]], "rules": "chinese", "komi": 7,
        "boardXSize": 9, "boardYSize": 9,
    });
    for (name, value) in more.as_object().unwrap() {
        question[name] = value.clone();
    }
    format!("{question}\n")
}

#[test]
fn symmetric_positions_share_a_hash() {
    let mut input = String::new();
    for (id, vertex) in [("a", "C4"), ("b", "G6"), ("c", "D3"), ("d", "C3")] {
        input += &question(id, json!({"moves": [["B", vertex]]}));
    }
    let answers = ask(&["--visits", "2"], input.as_bytes());
    let hash = |id: &str, name: &str| {
        let answer = answers.iter().find(|a| a["id"] == id).unwrap();
        answer["rootInfo"][name].as_str().unwrap().to_owned()
    };
    assert_eq!(hash("a", "symHash"), hash("b", "symHash"));
    assert_eq!(hash("a", "symHash"), hash("c", "symHash"));
    assert_ne!(hash("a", "symHash"), hash("d", "symHash"));
    assert_ne!(hash("a", "thisHash"), hash("b", "thisHash"));
}

#[test]
fn boards_of_other_sizes_have_other_hashes() {
    let ask_size = |side: usize| question("q", json!({"boardXSize": side, "boardYSize": side}));
    let answers = ask(&["--visits", "2"], (ask_size(9) + &ask_size(13)).as_bytes());
    for name in ["thisHash", "symHash"] {
        assert_ne!(answers[0]["rootInfo"][name], answers[1]["rootInfo"][name]);
    }
}

#[test]
fn every_move_has_its_ownership_though_much_is_known_of_it() {
    let first = question("a", json!({"maxVisits": 1500}));
    let best = ask(&["--workers", "1"], first.as_bytes())[0]["moveInfos"][0]["move"].clone();
    let moves = json!([["B", "E5"], ["W", best]]);
    let third = json!({"moves": moves, "maxVisits": 20, "includeOwnership": true});
    let second = json!({"moves": moves, "maxVisits": 25, "includeMovesOwnership": true});
    let input = first.clone() + &question("b", second) + &first + &question("c", third);
    let answers = ask(&["--workers", "1"], input.as_bytes());
    let answer = |id: &str| answers.iter().find(|answer| answer["id"] == id).unwrap();
    let infos = answer("b")["moveInfos"].as_array().unwrap();
    assert!(infos.len() > 3 && infos.iter().all(|info| info["ownership"].is_array()), "{infos:?}");
    // Of a search that kept much more, as many playouts as are asked for tell who owns what.
    assert!(answer("c")["rootInfo"]["visits"].as_u64().unwrap() > 40);
    let owners = answer("c")["ownership"].as_array().unwrap();
    let fifths = |x: &Value| x.as_f64().unwrap() * 5.0;
    assert!(owners.iter().any(|x| (fifths(x) - fifths(x).round()).abs() > 0.01), "{owners:?}");
}

#[test]
fn nothing_that_is_forbidden_is_analysed() {
    let only = json!([{"player": "W", "moves": ["C3"], "untilDepth": 1}]);
    let asked = question("n", json!({"allowMoves": only, "avoidMoves": only}));
    let answers = ask(&["--visits", "5"], asked.as_bytes());
    assert_eq!(answers.len(), 1);
    assert_eq!((&answers[0]["field"], &answers[0]["id"]), (&json!("allowMoves"), &json!("n")));
}

#[test]
fn a_pass_has_a_share_of_the_policy() {
    let before = json!({"includePolicy": true, "maxVisits": 2.0});
    let after = json!({"includePolicy": true, "maxVisits": 2, "moves": [["B", "pass"]]});
    let input = question("p", before) + &question("q", after);
    let answers = ask(&["--workers", "1"], input.as_bytes());
    let policies = [0, 1].map(|i| -> Vec<f64> {
        answers[i]["policy"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    });
    for policy in &policies {
        let sum: f64 = policy.iter().filter(|&&x| x > 0.0).sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
    }
    let pass = policies.map(|policy| *policy.last().unwrap());
    assert!(pass.iter().all(|&share| share > 0.001 && share < 0.1), "{pass:?}");
}

#[test]
fn deep_and_long_lines_are_refused() {
    let mut input = vec![b'['; 200_000];
    input.extend_from_slice(b"\n{\"id\":\"");
    input.extend(vec![b'x'; 17 << 20]);
    input.extend_from_slice(b"\"}\n{\"id\":\"v\",\"action\":\"query_version\"}\n");
    let answers = ask(&["--workers", "1"], &input);
    assert_eq!(answers.len(), 3);
    assert!(answers[0]["error"].is_string() && answers[1]["error"].is_string());
    assert_eq!(answers[2]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn work_can_be_ended() {
    let mut engine = harie(&["--workers", "1"]);
    let mut input = engine.stdin.take().unwrap();
    let mut answers = BufReader::new(engine.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap() };
    // Nothing but the end that is asked for ends this.
    let endless = json!({"maxVisits": 1_000_000_000_000u64, "analyzeTurns": [0, 1]});
    write!(input, "{}", question("long", endless)).unwrap();
    thread::sleep(Duration::from_millis(300));
    writeln!(input, "{}", json!({"id": "t", "action": "terminate", "terminateId": "long"}))
        .unwrap();
    let (mut ended, mut acknowledged) = (0, false);
    while ended < 2 || !acknowledged {
        let answer = next();
        ended += usize::from(answer["id"] == "long" && answer["isDuringSearch"] == false);
        acknowledged |= answer["id"] == "t";
    }
    drop(input);
    assert!(engine.wait().unwrap().success());
}

#[test]
fn the_last_report_comes_once() {
    let more = json!({
        "reportDuringSearchEvery": 0.2, "maxVisits": 1_000_000_000u64,
        "overrideSettings": {"maxTime": 2},
    });
    let answers = ask(&["--workers", "1"], question("a", more).as_bytes());
    let (last, others) = answers.split_last().unwrap();
    assert_eq!(last["isDuringSearch"], false);
    assert!(!others.is_empty());
    for other in others {
        assert_eq!(other["isDuringSearch"], true);
        assert_ne!(other["rootInfo"]["visits"], last["rootInfo"]["visits"]);
    }
}

#[test]
fn no_question_upsets_it() {
    let names = [
        "id",
        "moves",
        "rules",
        "komi",
        "boardXSize",
        "boardYSize",
        "analyzeTurns",
        "maxVisits",
        "initialStones",
        "initialPlayer",
        "includeOwnership",
        "includeMovesOwnership",
        "includePolicy",
        "includePVVisits",
        "avoidMoves",
        "allowMoves",
        "overrideSettings",
        "reportDuringSearchEvery",
        "priority",
        "priorities",
        "analysisPVLen",
        "action",
        "terminateId",
        "turnNumbers",
        "whiteHandicapBonus",
        "x",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-30i64..30).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        proptest::sample::select(vec![
            "B",
            "W",
            "A1",
            "E5",
            "pass",
            "(0,0)",
            "chinese",
            "japanese",
            "N-1",
            "terminate",
            "",
        ])
        .prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(3, 12, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(
                (
                    proptest::sample::select(vec![
                        "player",
                        "moves",
                        "untilDepth",
                        "ko",
                        "maxTime"
                    ]),
                    inner
                ),
                0..4
            )
            .prop_map(|pairs| pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
        ]
    });
    let changes =
        proptest::collection::vec((proptest::sample::select(names.to_vec()), value), 0..4);
    let questions = proptest::collection::vec(changes, 1..30);
    let config = Config { cases: 16, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&questions, |questions| {
            let mut input = String::new();
            for changes in &questions {
                // A time limit, as any number of visits may be asked for.
                let mut more = json!({"overrideSettings": {"maxTime": 0.01}, "maxVisits": 2});
                for (name, value) in changes {
                    more[*name] = value.clone();
                }
                more["maxVisits"] = json!(2);
                input += &question("q", more);
            }
            input += "{\"id\":\"end\",\"action\":\"query_version\"}\n";
            let answers = ask(&["--workers", "2", "--visits", "2"], input.as_bytes());
            prop_assert!(answers.iter().any(|a| a["id"] == "end" && a["version"].is_string()));
            let whole = answers.iter().filter(|a| a["warning"].is_null()).count();
            // Nothing is passed over, unless no turn was asked for.
            let empty =
                questions.iter().flatten().filter(|(name, _)| *name == "analyzeTurns").count();
            prop_assert!(whole + empty > questions.len());
            Ok(())
        })
        .unwrap();
}
