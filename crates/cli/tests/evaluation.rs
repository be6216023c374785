//! `harie eval`, `oracle`, `rate` and `report` as people call them.

mod program;

use std::fs;
use std::path::Path;

use serde_json::Value;

use program::{harie, root, stderr, stdout};

const HARIE: &str = env!("CARGO_BIN_EXE_harie");

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(args)).unwrap()
}

/// A folder and a way to name files in it.
fn folder() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    (folder, move |name: &str| path.join(name).to_string_lossy().into_owned())
}

#[test]
fn the_models_that_come_along_are_measured_on_a_game() {
    let all = json(&["eval", "samples/9x9.sgf", "--json", "--size-playouts", "3"]);
    assert!(all["command"].as_str().unwrap().starts_with("harie eval samples/9x9.sgf"));
    let names: Vec<&str> =
        all["models"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["uct9", "mc9"]);
    for model in all["models"].as_array().unwrap() {
        for item in [
            "Match1",
            "Match10",
            "Match20",
            "Rank",
            "RankInv",
            "CoMatch",
            "Select",
            "SelectRoot",
            "Over5",
            "Over20",
            "Not30",
            "Not70",
            "MLE",
            "Error",
        ] {
            assert!(model["items"][item].is_number(), "{item}");
            // One game tells nothing about others.
            assert!(model["intervals"][item].is_null(), "{item}");
        }
        assert_eq!(model["positions"], 41);
        assert_eq!(model["mle_curve"].as_array().unwrap().len(), 41);
        // Collages in the tree, centre patterns in playouts.
        let points = match model["family"].as_str() {
            Some("CP") => serde_json::json!([0, 4, 8, 14, 19, 25]),
            _ => serde_json::json!([0, 4, 8, 12, 20]),
        };
        assert_eq!(model["size_max"]["points"], points);
    }
    // The same model from its file, and the same figures as training measures.
    let again = json(&[
        "eval",
        "--model",
        "weights/uct9.model",
        "samples/9x9.sgf",
        "--json",
        "--threads",
        "1",
    ]);
    assert_eq!(again["models"][0]["items"], all["models"][0]["items"]);
    let trained = json(&["train", "--test", "samples/9x9.sgf", "--json"]);
    let near = |a: &Value, b: &Value| (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-4;
    assert!(near(&trained["rank"], &all["models"][0]["items"]["Rank"]));
    assert!(near(&trained["log_likelihood"], &all["models"][0]["items"]["MLE"]));
    let text = stdout(&["eval", "samples/9x9.sgf", "--size-playouts", "2"]);
    for part in ["1 game on 9x9, 41 positions", "Match20", "SelectRoot", "middle game", "none"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_position_is_explained() {
    let text = stdout(&["eval", "--explain", "samples/19x19.sgf", "--move", "60"]);
    assert!(text.starts_with("Move 60, White to play: how likely uct19 thinks"), "{text}");
    assert!(text.contains(" was played: rank ") && text.contains("\n  5. "), "{text}");
    let both = ["eval", "--explain", "samples/9x9.sgf", "--model", "weights/uct9.model"];
    let two = stdout(&[&both[..], &["--model", "weights/mc9.model"]].concat());
    assert_eq!(two.matches("Move 45, ").count(), 2, "{two}");
    assert!(
        stderr(&["eval", "--explain", "samples/9x9.sgf", "--move", "46"], 1)
            .contains("the game has 45 moves; there is no move 46")
    );
}

#[test]
fn an_oracle_is_made_continued_and_measured_against() {
    let (_folder, file) = folder();
    let path = file("oracle.jsonl.gz");
    let engine = |what: &str| format!("'{HARIE}' {what}");
    let make = |engine: &str, every: &str, path: &str| {
        stdout(&[
            "oracle",
            "--engine",
            engine,
            "samples/9x9.sgf",
            "--visits",
            "20",
            "--every",
            every,
            "-o",
            path,
        ])
    };
    assert!(make(&engine("analysis"), "20", &path).starts_with("2 positions in "));
    assert!(!Path::new(&file("oracle.jsonl.gz.unfinished")).exists());
    // More positions are added to those that are there, here by the other protocol.
    assert!(make(&engine("gtp --threads 1"), "10", &path).starts_with("4 positions in "));
    let measured = json(&["eval", "--oracle", &path, "--playouts", "50", "--json"]);
    let styles = measured["oracle"]["styles"].as_array().unwrap();
    let names: Vec<&str> = styles.iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["uniform", "mc9", "mc9 ^1.4"]);
    for style in styles {
        assert_eq!(style["positions"], 4);
        assert!(style["ownership_mse"].as_f64().unwrap() > 0.0);
        assert_eq!(style["ownership_calibration"].as_array().unwrap().len(), 10);
    }
    let text = stdout(&[
        "eval",
        "--oracle",
        &path,
        "--playouts",
        "20",
        "--sharpness",
        "1",
        "--positions",
        "2",
        "--searches",
        "1",
        "--visits",
        "8",
    ]);
    for part in ["2 positions on 9x9", "ownership MSE", "pairs told apart", "Moves picked by 1"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // What was interrupted goes on: a whole line counts, half of one does not.
    let plain = file("again.jsonl");
    make(&engine("analysis"), "10", &plain);
    let lines: Vec<String> =
        fs::read_to_string(&plain).unwrap().lines().map(str::to_owned).collect();
    fs::remove_file(&plain).unwrap();
    let marked = lines[1].replace("\"komi\":6.5", "\"komi\":5.5");
    let half = &lines[2][..lines[2].len() / 2];
    fs::write(file("again.jsonl.unfinished"), format!("{marked}\n{half}")).unwrap();
    make(&engine("analysis"), "10", &plain);
    let now: Vec<String> = fs::read_to_string(&plain).unwrap().lines().map(str::to_owned).collect();
    assert_eq!((now.len(), &now[1]), (4, &marked));
}

/// An engine of another make over the Go Text Protocol: it greets, knows no rules, tells nothing of the
/// root, and has keys that Harie does not write. The win rates are Black's.
#[cfg(unix)]
const GTP_STAND_IN: &str = r#"
echo 'Stand-in 1.0 is ready'
while read -r line; do
  case "$line" in
    "{"*|kata-set-rules*) printf '? unknown command\n\n' ;;
    "known_command kata-set-rules") printf '= false\n\n' ;;
    known_command*) printf '= true\n\n' ;;
    kata-analyze*)
      printf '=\n'
      printf 'info move E5 visits 30 edgeVisits 30 utility 0.1 winrate 0.6 scoreMean 2 scoreStdev 9 scoreLead 2.5 prior 0.25 lcb 0.5 order 0 pv E5 C3 G7 '
      printf 'info move C3 visits 10 winrate 0.4 scoreLead -1.5 prior 0.125 isSymmetryOf G7 order 1 pv C3 '
      printf 'ownership 0.5'; i=1; while [ $i -lt 81 ]; do printf ' -0.25'; i=$((i + 1)); done
      printf '\n'
      read -r line; printf '\n= stand-in\n\n' ;;
    *) printf '=\n\n' ;;
  esac
done
"#;

/// One over the JSON protocol: it warns, and tells what it thinks meanwhile.
#[cfg(unix)]
const JSON_STAND_IN: &str = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id":"\([^"]*\)".*/\1/')
  case "$line" in
    *query_version*) printf '{"action":"query_version","id":"%s","version":"1.0"}\n' "$id" ;;
    *)
      printf '{"id":"%s","warning":"no such setting","field":"overrideSettings"}\n' "$id"
      printf '{"id":"%s","isDuringSearch":true,"moveInfos":[],"rootInfo":{"winrate":0.1,"visits":1}}\n' "$id"
      printf '{"id":"%s","isDuringSearch":false,"turnNumber":1,"moveInfos":[{"move":"E5","visits":40,"winrate":0.55,"scoreLead":1.5,"prior":0.25,"order":0,"pv":["E5"]}],"rootInfo":{"winrate":0.55,"scoreLead":1.5,"visits":41,"rawStWrError":0.1}}\n' "$id" ;;
  esac
done
"#;

#[cfg(unix)]
#[test]
fn engines_of_other_makes_judge() {
    let (_folder, file) = folder();
    let judge = |script: &str, view: &str, name: &str| -> Vec<Value> {
        fs::write(file("engine.sh"), script).unwrap();
        let (engine, path) = (format!("sh '{}'", file("engine.sh")), file(name));
        let args = ["oracle", "--engine", &engine, "samples/9x9.sgf", "--visits", "40"];
        stdout(&[&args[..], &["--every", "15", "--view", view, "-o", &path]].concat());
        let text = fs::read_to_string(&path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let near = |value: &Value, wanted: f64| {
        assert!((value.as_f64().unwrap() - wanted).abs() < 1e-6, "{value} {wanted}");
    };
    // By Black's view in all positions, or by that of who is to move: White after 15 moves.
    for (view, winrates, owner) in [("black", [0.55, 0.55], 0.5), ("side", [0.45, 0.55], -0.5)] {
        let judged = judge(GTP_STAND_IN, view, &format!("{view}.jsonl"));
        assert_eq!(judged.len(), winrates.len());
        for (position, winrate) in judged.iter().zip(winrates) {
            near(&position["winrate_black"], winrate);
            assert_eq!(
                (&position["visits"], &position["candidates"][1]["move"]),
                (&40.into(), &"C3".into())
            );
            assert_eq!(position["ownership_black"].as_array().unwrap().len(), 81);
        }
        near(&judged[0]["ownership_black"][0], owner);
        near(&judged[1]["score_black"], 1.5);
    }
    let judged = judge(JSON_STAND_IN, "side", "json.jsonl");
    assert_eq!((judged.len(), &judged[0]["visits"]), (2, &41.into()));
    near(&judged[0]["winrate_black"], 0.55);
    near(&judged[1]["candidates"][0]["score_black"], 1.5);
    // What has no ownership can be measured against all the same.
    let path = file("json.jsonl");
    let measured = json(&["eval", "--oracle", &path, "--playouts", "20", "--json"]);
    assert_eq!(measured["oracle"]["positions"], 2);
    // The page has the tables of scores and dead stones.
    let page = file("page.html");
    let path = file("black.jsonl");
    stdout(&["eval", "--oracle", &path, "--playouts", "20", "--html", &page]);
    let html = fs::read_to_string(&page).unwrap();
    for part in ["How far the score is off", "calling it even", "Dead stones", "by groups: found"] {
        assert!(html.contains(part), "{part}");
    }
}

#[cfg(unix)]
#[test]
fn rules_without_a_name_elsewhere_are_spelled_out() {
    let (_folder, file) = folder();
    let game = fs::read_to_string(root().join("samples/9x9.sgf")).unwrap();
    fs::write(file("cgos.sgf"), game.replace("RU[Chinese]", "RU[cgos]")).unwrap();
    let (script, asked) = (file("engine.sh"), file("asked"));
    let engine = format!("sh '{script}'");
    let judge = |stand_in: &str| {
        fs::write(&script, stand_in).unwrap();
        let _ = fs::remove_file(&asked);
        let _ = fs::remove_file(file("o.jsonl"));
        let args = ["oracle", "--engine", &engine, &file("cgos.sgf"), "--visits", "40"];
        let output = harie(&[&args[..], &["--every", "15", "-o", &file("o.jsonl")]].concat());
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{errors}");
        let judged = fs::read_to_string(file("o.jsonl")).unwrap();
        assert_eq!(judged.matches(r#""rules":"cgos""#).count(), 2, "{judged}");
        (fs::read_to_string(&asked).unwrap_or_default(), errors)
    };
    // A query has them as an object.
    let query = format!("printf '%s\\n' \"$line\" >>'{asked}'\n  id=$(");
    let (told, errors) = judge(&JSON_STAND_IN.replace("id=$(", &query));
    let told: Value = serde_json::from_str(told.lines().nth(1).unwrap()).unwrap();
    assert_eq!(
        (&told["rules"]["ko"], &told["rules"]["suicide"]),
        (&"POSITIONAL".into(), &false.into())
    );
    assert_eq!(errors, "");
    // So has the Go Text Protocol, once the name was refused.
    let picky = |takes: &str| {
        GTP_STAND_IN.replace("kata-set-rules\") printf '= false", "kata-set-rules\") printf '= true").replace(
            "\"{\"*|kata-set-rules*)",
            &format!(
                "'kata-set-rules '{takes}) echo \"$line\" >>'{asked}'; printf '=\\n\\n' ;;\n    \"{{\"*|kata-set-rules*)"
            ),
        )
    };
    let (told, errors) = judge(&picky("'{'*"));
    assert!(told.lines().count() == 2 && told.contains(r#""suicide":false"#), "{told}");
    assert_eq!(errors, "");
    let (told, errors) = judge(&picky("tromp-taylor"));
    assert_eq!(told.lines().count(), 2, "{told}");
    let warned = |text: &str| text.matches("it refuses the rules cgos").count();
    assert!(warned(&errors) == 1 && errors.contains("which allows suicide"), "{errors}");
    // In a match and a pool it is said once, and the summary keeps it.
    let player = format!("gtp:{engine}");
    let passes = picky("-")
        .replace("echo 'Stand-in 1.0 is ready'", "")
        .replace("kata-analyze*)", "genmove*) printf '= pass\\n\\n' ;;\n    kata-analyze*)");
    fs::write(&script, passes).unwrap();
    let terms = ["--size", "5", "--rules", "cgos", "--games", "2"];
    let first = ["match", "--first", "harie:visits=4,memory=16", "--second", &player];
    let output = harie(&[&first[..], &terms].concat());
    let [text, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success() && warned(&errors) == 1, "{errors}");
    assert!(text.contains(&format!("Note: {player}: it refuses the rules cgos")), "{text}");
    let players = ["rate", "--player", "harie:visits=4,memory=16", "--player", &player];
    let output = harie(&[&players[..], &terms, &["--out", &file("pool")]].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && warned(&errors) == 1, "{errors}");
}

#[test]
fn engines_that_cannot_judge_are_told() {
    let (_folder, file) = folder();
    let error = |engine: &str| {
        stderr(&["oracle", "--engine", engine, "samples/9x9.sgf", "-o", &file("o.jsonl")], 1)
    };
    assert!(error("no-such-engine").contains("cannot be started"));
    assert!(error("false").contains("went away"));
    assert!(error("cat").contains("it only repeats what it is told"));
    assert!(!Path::new(&file("o.jsonl.unfinished")).exists());
    assert!(error("'").contains("not a command line"));
    let none = ["oracle", "--engine", "cat", "samples/9x9.sgf", "--every", "99"];
    assert!(stderr(&[&none[..], &["-o", &file("o")]].concat(), 1).contains("100 moves or more"));
    let other = ["oracle", "--engine", "cat", "samples/9x9.sgf", "--size", "19", "-o", &file("o")];
    assert!(stderr(&other, 1).contains("no game on 19x19 here"));
    assert!(stderr(&other, 1).contains("1 game on other boards left out by --size"));
    fs::write(file("bad.jsonl"), "{}\n").unwrap();
    assert!(
        stderr(&["eval", "--oracle", &file("bad.jsonl")], 1).contains("line 1: 'id' is missing")
    );
    fs::write(file("empty.jsonl"), "").unwrap();
    assert!(stderr(&["eval", "--oracle", &file("empty.jsonl")], 1).contains("no position in"));
    assert!(stderr(&["eval"], 2).contains("<FILES>"));
    assert!(stderr(&["eval", "no-such-file.sgf"], 1).contains("no game could be read"));
}

#[test]
fn a_pool_is_rated_continued_and_shown() {
    let (_folder, file) = folder();
    let (out, results) = (file("pool"), file("pool.pgn"));
    let players = [
        "rate",
        "--player",
        "harie:visits=4,memory=16",
        "--player",
        "harie:visits=8,memory=16",
        "--anchor",
        "harie:level=20k,memory=16=1000",
        "--size",
        "5",
        "--out",
        &out,
    ];
    let with = |more: &[&'static str]| {
        let args: Vec<&str> = players.iter().copied().chain(more.iter().copied()).collect();
        stdout(&args)
    };
    let text = with(&["--games", "2"]);
    assert!(text.contains("6 games on 5x5") && text.contains("1000   given"), "{text}");
    let args: Vec<&str> = players
        .iter()
        .copied()
        .chain(["--games", "4", "--pairing", "adaptive", "--json", "--pgn", &results])
        .collect();
    let list = json(&args);
    assert_eq!(list["games"], 12, "{list}");
    assert_eq!(list["ratings"].as_array().unwrap().len(), 3);
    assert_eq!(fs::read_to_string(&results).unwrap().matches("[Result ").count(), 12);
    // Nothing more to play: the list of what is there.
    assert!(with(&["--games", "0"]).contains("12 games on 5x5"));
    // Nor if they are named in another order.
    let mut others = players;
    others.swap(2, 4);
    let more = ["--games", "4", "--pairing", "adaptive", "--json"];
    let list_again = json(&[&others[..], &more].concat());
    assert_eq!(list_again["games"], 12, "{list_again}");
    let met = |list: &Value, first: &str, won: &str, lost: &str| -> (u64, u64) {
        let is = |met: &&Value, name: &str, who: &str| met[name].as_str().unwrap().contains(who);
        let second = if first == "visits=4" { "visits=8" } else { "visits=4" };
        let mut pairs = list["pairs"].as_array().unwrap().iter();
        let both = |met: &&Value| is(met, "first", first) && is(met, "second", second);
        let met = pairs.find(both).expect("they met");
        (met[won].as_u64().unwrap(), met[lost].as_u64().unwrap())
    };
    let before = met(&list, "visits=4", "wins", "losses");
    assert_eq!(met(&list_again, "visits=8", "losses", "wins"), before);
    // The same list without naming the players again, but for the one whose rating is given.
    let (anchor, kept) = ("harie:level=20k,memory=16=1000", file("kept.pgn"));
    let args =
        ["rate", "--games", "0", "--out", &out, "--anchor", anchor, "--json", "--pgn", &kept];
    let again = json(&args);
    let ratings = |list: &Value| -> Vec<String> {
        let rated = list["ratings"].as_array().unwrap().iter();
        let line = |r: &Value| {
            let (elo, score) = (r["elo"].as_f64().unwrap(), r["score"].as_f64().unwrap());
            format!("{} {elo:.3} {score:.3} {}", r["player"], r["games"])
        };
        let mut lines: Vec<String> = rated.map(line).collect();
        lines.sort();
        lines
    };
    assert_eq!(ratings(&again), ratings(&list));
    assert_eq!(ratings(&list_again), ratings(&list));
    assert_eq!(fs::read_to_string(&kept).unwrap().matches("[Result ").count(), 12);
    assert!(stdout(&args[..5]).contains("12 games on 5x5"));
    let stranger = ["rate", "--games", "0", "--out", &out, "--anchor", "gnugo=1800"];
    assert!(stderr(&stranger, 1).contains("gnugo has not played here; there are harie:"));
    let nobody = file("nobody");
    fs::create_dir(&nobody).unwrap();
    assert!(stderr(&["rate", "--games", "0", "--out", &nobody], 1).contains("nobody has played"));
    let (list_file, eval_file) = (file("ratings.json"), file("eval.json"));
    fs::write(&list_file, list.to_string()).unwrap();
    let page = file("eval.html");
    let eval = ["eval", "samples/9x9.sgf", "--json", "--size-playouts", "2", "--html", &page];
    fs::write(&eval_file, stdout(&eval)).unwrap();
    assert!(fs::read_to_string(&page).unwrap().contains("SizeMax of mc9"));
    let report = file("report.html");
    stdout(&["report", &eval_file, &list_file, &out, "-o", &report, "--title", "Mine"]);
    let html = fs::read_to_string(&report).unwrap();
    for part in ["<title>Mine</title>", "Match_n", "Rating list, 5x5", "Matches", "harie rate"] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("NaN") && !html.contains("http"));
    let odd = file("odd.json");
    fs::write(&odd, "{\"a\":1}").unwrap();
    assert!(stderr(&["report", &odd, "-o", &report], 1).contains("this is no result"));
    let one = ["rate", "--player", "harie", "--out", &out];
    assert!(stderr(&one, 1).contains("two players or more"));
    let twice = ["rate", "--player", "harie", "--player", "harie", "--out", &out];
    assert!(stderr(&twice, 1).contains("is there twice"));
    let bad = ["rate", "--player", "harie", "--anchor", "gnugo", "--out", &out];
    assert!(stderr(&bad, 2).contains("PLAYER=ELO"));
    let bad = ["rate", "--player", "harie", "--anchor", "harie:visits=20", "--out", &out];
    assert!(stderr(&bad, 2).contains("=ELO is missing"));
}

#[test]
fn the_published_experiments_are_run_and_kept() {
    let (_folder, file) = folder();
    let work = file("work");
    let args = ["reproduce", "--quick", "--games", "30,4", "--match-games", "2", "--work", &work];
    assert!(stdout(&args).contains("reproduction.md and "));
    let text = fs::read_to_string(file("work/reproduction.md")).unwrap();
    for part in [
        "## Patterns kept, 19x19",
        " / 0.3514 |",
        "| N7 |",
        "CP against",
        " of 2 games against MM",
        "mean probability before",
        "harie match --json",
        "within our interval",
        "| published miai 1 | 0.238 | 0.146 | 1.63 |",
        "they do in 10 of 10 positions",
        "in 5 of 5 races",
        "Nakade: rank by order",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("NaN"), "{text}");
    assert!(fs::read_to_string(file("work/reproduction.html")).unwrap().contains("Match_n"));
    // What is done is not done again.
    let model = file("work/9-n5-gradient.model");
    fs::write(&model, "gone").unwrap();
    assert!(stdout(&args).contains("reproduction.md"));
    let missing = ["reproduce", "--data", "samples", "--work", &work];
    assert!(stderr(&missing, 1).contains("games9: there is no such folder"));
}

#[test]
fn suites_are_judged() {
    let suite =
        ["eval", "--suite", "crates/lab/tests/fights.txt", "--playouts", "200", "--with", "amaf=0"];
    let judged = json(&[&suite[..], &["--json"]].concat());
    let fights = judged["fights"].as_array().unwrap();
    let names: Vec<&str> = fights.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["usual", "amaf=0"]);
    assert!(fights[0]["positions"].as_u64().unwrap() >= 80);
    assert!(fights[0]["right"].as_f64().unwrap() > 0.8);
    assert_eq!(fights[0]["times"].as_f64(), Some(1.0));
    // The page shows them, and so does a report.
    let (_folder, file) = folder();
    let (result, page) = (file("fights.json"), file("fights.html"));
    fs::write(&result, serde_json::to_string(&judged).unwrap()).unwrap();
    stdout(&["report", &result, "-o", &page]);
    let html = fs::read_to_string(&page).unwrap();
    for part in ["Suite of test positions", "amaf=0: nakade", "judged rightly"] {
        assert!(html.contains(part), "{part}");
    }
    let text = stderr(&["eval", "--suite", "samples/9x9.sgf"], 1);
    assert!(text.contains("samples/9x9.sgf"), "{text}");
    let with = ["eval", "--suite", "crates/lab/tests/fights.txt", "--with"];
    assert!(stderr(&[&with[..], &["miai"]].concat(), 2).contains("not SETTING=VALUE"));
    assert!(stderr(&[&with[..], &["joy=1"]].concat(), 2).contains("no setting 'joy'"));
}

#[test]
fn who_won_is_foretold() {
    let asked = ["eval", "--forecast", "samples/9x9.sgf", "--playouts", "50", "--every", "15"];
    let told = json(&[&asked[..], &["--with", "nakade=0", "--json"]].concat());
    let forecasts = told["forecasts"].as_array().unwrap();
    let names: Vec<&str> = forecasts.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["mc9 ^1.4, usual", "mc9 ^1.4, nakade=0"]);
    assert_eq!(forecasts[0]["positions"].as_u64(), Some(2));
    // The page shows them, and so does a report.
    let (_folder, file) = folder();
    let (page, result) = (file("forecast.html"), file("forecast.json"));
    fs::write(&result, serde_json::to_string(&told).unwrap()).unwrap();
    stdout(&["report", &result, "-o", &page]);
    assert!(fs::read_to_string(&page).unwrap().contains("mc9 ^1.4, nakade=0"));
    let plain = ["--plain", "--sharpness", "1,1.4", "--positions", "1", "--html", &page];
    let text = stdout(&[&asked[..], &plain].concat());
    for part in [
        "1 position of 1 game on 9x9, 50 playouts without a tree",
        "cannot be told from one game",
        "mc9, usual",
        "mc9 ^1.4, usual",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("Who will win, 9x9") && html.contains("--forecast"));
    // Two files behind one option.
    let two = ["eval", "--forecast", "samples/9x9.sgf", "samples/9x9.sgf", "--playouts", "5"];
    let said = harie(&two);
    let said = String::from_utf8_lossy(&said.stderr);
    assert!(said.contains("1 game is left out: the same was there before"), "{said}");
    let none = file("none.sgf");
    fs::write(&none, "(;SZ[9]KM[7];B[ee];W[ec])").unwrap();
    let text = stderr(&["eval", "--forecast", &none], 1);
    assert!(
        text.contains("1 game is left out") && text.contains("no game with a result"),
        "{text}"
    );
    let text = stderr(&["eval", "--forecast", &none, "--size", "13"], 1);
    assert!(text.contains("no game on 13x13 with a result"), "{text}");
    let text = stderr(&[&asked[..], &["--plain", "--with", "amaf=0"]].concat(), 1);
    assert!(text.contains("--with amaf=0: that changes nothing of playouts"), "{text}");
    let text = stderr(&["eval", "samples/9x9.sgf", "--with", "amaf=0"], 2);
    assert!(text.contains("--suite") && text.contains("--forecast"), "{text}");
}
