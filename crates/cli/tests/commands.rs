//! The program as people call it: what it prints, what it says when something is wrong.

mod program;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;

use program::{harie, root, stderr, stdout};

fn temporary(name: &str, bytes: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn the_help_names_every_command() {
    insta::assert_snapshot!(stdout(&["--help"]));
}

/// A server that ends with the test.
struct Serving(std::process::Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn serve_says_where_it_is_and_serves_the_page() {
    let child = Command::new(env!("CARGO_BIN_EXE_harie"))
        .args(["serve", "--port", "0", "--no-browser"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut serving = Serving(child);
    let mut line = String::new();
    BufReader::new(serving.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let place = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
    let place = place.unwrap_or_else(|| panic!("{line}"));
    let mut stream = TcpStream::connect(place).unwrap();
    write!(stream, "GET / HTTP/1.0\r\nHost: {place}\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.0 200") && page.contains("<title>Harie</title>"), "{page}");
    // A second one finds the place taken and says what to do.
    let port = place.rsplit(':').next().unwrap();
    let taken = stderr(&["serve", "--no-browser", "--port", port], 1);
    assert!(taken.contains("is in use") && taken.contains("--port 0"), "{taken}");
}

#[test]
fn every_command_has_help_with_examples() {
    let commands = "serve show records extract train score stats explain review patterns book tsumego eval oracle bench gtp analysis match rate report reproduce completions";
    for command in commands.split(' ') {
        let long = stdout(&["help", command]);
        assert!(long.contains("Usage: harie") && long.contains("Examples:"), "{long}");
    }
    for command in ["solve", "stats", "learn", "test"] {
        assert!(stdout(&["tsumego", command, "--help"]).contains("Examples:"));
    }
    assert!(stdout(&["--version"]).starts_with("harie 0."));
}

#[test]
fn show_prints_a_position() {
    insta::assert_snapshot!(stdout(&["show", "samples/19x19.sgf", "--move", "120"]));
    let start = stdout(&["show", "samples/9x9.sgf", "--move", "0"]);
    assert!(
        start.contains("Before the first move of 45 moves.") && start.contains("Black to play."),
        "{start}"
    );
}

#[test]
fn the_pictures_of_the_documentation_are_what_is_drawn() {
    let pictures: [(&str, &[&str]); 3] = [
        ("docs/board.svg", &["show", "samples/19x19.sgf", "--move", "120"]),
        ("docs/statistics.svg", &["stats", SEMEAI]),
        ("docs/links.svg", &["show", "samples/19x19.sgf", "--move", "120", "--overlay", "links"]),
    ];
    for (golden, command) in pictures {
        let golden = root().join(golden);
        let (_folder, path) = temporary("drawn.svg", b"");
        stdout(&[command, &["--svg", &path]].concat());
        let drawn = fs::read_to_string(&path).unwrap();
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&golden, &drawn).unwrap();
        }
        assert_eq!(drawn, fs::read_to_string(golden).unwrap(), "UPDATE_EXPECT=1 updates it");
    }
}

#[test]
fn what_is_recognised_is_drawn() {
    for overlay in ["influence", "links", "ladders"] {
        let shown = stdout(&["show", "samples/19x19.sgf", "--move", "60", "--overlay", overlay]);
        insta::assert_snapshot!(format!("overlay_{overlay}"), shown);
    }
    // These ask playouts: what is sure is checked.
    let groups = stdout(&["show", "samples/9x9.sgf", "--overlay", "groups"]);
    assert!(groups.contains("Survives") && groups.contains("alive"), "{groups}");
    let territory = stdout(&["show", "samples/9x9.sgf", "--overlay", "territory"]);
    assert!(territory.contains("By lines:") && territory.contains("By ownership:"), "{territory}");
    assert!(stderr(&["show", "samples/9x9.sgf", "--overlay", "shoes"], 2).contains("influence"));
}

#[test]
fn a_move_is_explained_in_words_and_to_programs() {
    let plain = ["explain", "samples/9x9.sgf", "--move", "20", "--visits", "100", "--threads", "1"];
    let english = stdout(&plain);
    assert!(english.contains("C5") && english.contains("win"), "{english}");
    let japanese = stdout(&[&plain[..], &["--lang", "ja"]].concat());
    assert!(japanese.contains('勝'), "{japanese}");
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&[&plain[..], &["--json"]].concat())).unwrap();
    assert_eq!((json["number"].as_u64(), json["player"].as_str()), (Some(20), Some("W")));
    assert_eq!(json["words"][0].as_str(), english.lines().next());
    // After the last move there is only something to advise.
    let (_folder, path) = temporary("short.sgf", b"(;SZ[9];B[ee];W[ce])");
    let end = stdout(&["explain", &path, "--visits", "20"]);
    assert!(end.contains("best move is"), "{end}");
    assert!(stderr(&["explain", "samples/9x9.sgf", "--move", "99"], 1).contains("no move 99"));
    assert!(stderr(&["explain", "samples/9x9.sgf", "--lang", "xx"], 2).contains("en and ja"));
}

#[test]
fn a_game_is_reviewed() {
    let (folder, path) = temporary("reviewed.sgf", b"");
    let page = folder.path().join("page.html").to_str().unwrap().to_owned();
    let command = ["review", "samples/9x9.sgf", "--visits", "100", "-o", &path, "--html", &page];
    let said = stdout(&command);
    assert!(said.contains("How often Black wins") && said.contains("●"), "{said}");
    let reviewed = fs::read_to_string(&path).unwrap();
    assert_eq!(reviewed.matches("Harie: Black wins").count(), 46, "{reviewed}");
    assert!(fs::read_to_string(&page).unwrap().contains("<svg"));
    assert!(stdout(&["show", &path]).contains("Move 45 of 45"));
}

#[test]
fn patterns_are_checked_and_counted() {
    assert!(stdout(&["patterns"]).contains("joseki"));
    let played = stdout(&["patterns", "--self-play", "1", "--visits", "6", "--size", "5"]);
    assert!(played.contains("In 1 game ") && played.contains("2 to 4"), "{played}");
    let (_folder, path) = temporary("bad.txt", b"[a]\n.O*\n..\n");
    let wrong = stderr(&["patterns", &path], 1);
    assert!(wrong.contains("bad.txt, line 3: this row has 2 points"), "{wrong}");
    let wrong = stderr(&["gtp", "--player", "knowledge", "--patterns", &path], 2);
    assert!(wrong.contains("line 3"), "{wrong}");
}

#[test]
fn a_book_is_learned_and_used() {
    let (_folder, path) = temporary("my.book", b"");
    let said = stdout(&["book", "samples/9x9.sgf", "--size", "9", "--fewest", "1", "-o", &path]);
    assert!(said.contains("positions from 1 game"), "{said}");
    let book = fs::read_to_string(&path).unwrap();
    assert!(book.starts_with("harie opening book 1, size 9\n"), "{book}");
    assert!(stderr(&["gtp", "--book", "samples/9x9.sgf"], 2).contains("no opening book"));
    assert!(stderr(&["book", "samples", "--size", "5", "-o", &path], 1).contains("no game"));
}

/// Rows along an edge with an eye space of three, in both colours: the answer is in the middle. Made
/// here; enough of them to learn from.
fn some_problems() -> (tempfile::TempDir, String) {
    let mut text = String::new();
    for shift in 0..12u8 {
        for (mover, other, level) in [("B", "W", "beginner"), ("W", "B", "advanced")] {
            let column = |i: u8| (b'a' + i + shift) as char;
            let stones = |points: &[(u8, char)]| -> String {
                points.iter().map(|&(i, row)| format!("[{}{row}]", column(i))).collect()
            };
            let inner: Vec<(u8, char)> =
                (1..=5).map(|i| (i, 'r')).chain([(1, 's'), (5, 's')]).collect();
            let outer: Vec<(u8, char)> =
                (1..=5).map(|i| (i, 'q')).chain([(0, 'r'), (6, 'r'), (0, 's'), (6, 's')]).collect();
            let (inner, outer, answer) = (stones(&inner), stones(&outer), column(3));
            text += &format!(
                "(;SZ[19]GN[{level}/Rows/{shift}]A{mover}{outer}A{other}{inner}PL[{mover}]\
                 (;{mover}[{answer}s]C[Correct]))\n"
            );
        }
    }
    temporary("rows.sgf", text.as_bytes())
}

#[test]
fn problems_are_counted() {
    let (folder, path) = some_problems();
    let said = stdout(&["tsumego", "stats", &path]);
    assert!(said.starts_with("24 problems, 24 moves\n  beginner            12\n"), "{said}");
    // The answers are on the columns D to P, I left out: 5-1 from both sides, 4-1 and 10-1 once.
    assert!(said.contains("\n5-1   16.667\n") && said.contains("\n4-1    8.333\n"), "{said}");
    assert!(said.contains("\n10-1   8.333\n"), "{said}");
    assert!(
        said.contains("Neumann(1): 1 patterns") && said.contains("24 times, 100.00 %"),
        "{said}"
    );
    let svg = folder.path().join("map.svg");
    let svg = svg.to_str().unwrap();
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&["tsumego", "stats", &path, "--json", "--svg", svg]))
            .unwrap();
    assert_eq!(json["first"]["classes"].as_object().unwrap().len(), 55);
    assert_eq!(json["first"]["classes"]["5-1"]["moves"], 4);
    assert_eq!(json["patterns"]["Moore(1)"]["most_frequent"][0]["times"], 24);
    assert!(fs::read_to_string(svg).unwrap().contains("<svg"));
}

#[test]
fn methods_are_tested_without_any_training_data() {
    let (_folder, path) = some_problems();
    let said = stdout(&["tsumego", "test", &path]);
    assert!(said.contains("fixed Neumann(1)") && said.contains("flexible"), "{said}");
    assert!(said.contains("beginner (12)") && said.contains("learned facts"), "{said}");
    let json = stdout(&["tsumego", "test", &path, "--json", "--only", "learned"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let methods = json["methods"].as_array().unwrap();
    assert_eq!(methods.len(), 1);
    let learned = &methods[0];
    assert_eq!((&learned["name"], &learned["all"]["n"]), (&"learned facts".into(), &24.into()));
    for rate in [&learned["all"], &learned["levels"]["beginner"], &learned["levels"]["advanced"]] {
        let top: Vec<f64> =
            rate["top"].as_array().unwrap().iter().map(|share| share.as_f64().unwrap()).collect();
        assert_eq!(top.len(), 5);
        assert!(top.windows(2).all(|pair| pair[0] <= pair[1]), "{top:?}");
        // A model that does not see the middle of three has learned nothing.
        assert_eq!(top[0], 1.0, "{top:?}");
    }
}

#[test]
fn methods_are_learned_from_problems() {
    let (folder, path) = some_problems();
    let output = folder.path().join("learned");
    let output = output.to_str().unwrap();
    let args = ["tsumego", "learn", &path, "-o", output, "--trees", "5", "--validation", "0.2"];
    let said = stdout(&args);
    assert!(said.contains("tsumego.model") && said.contains("kept apart"), "{said}");
    let [model, methods] =
        ["tsumego.model", "tsumego.methods"].map(|name| format!("{output}/{name}"));
    let said = stdout(&["tsumego", "test", &path, "--model", &model, "--methods", &methods]);
    assert!(said.contains("24 problems"), "{said}");
    assert!(stderr(&["tsumego", "test", &path, "--model", &methods], 1).contains("not a model"));
}

#[test]
fn tsumego_solves() {
    // All problems that come with Harie, to the end, whatever the machine.
    let bounds = ["--nodes", "1000000", "--seconds", "600"];
    let args = [&["tsumego", "solve", "problems/small.sgf", "--json"], &bounds[..]].concat();
    let said = stdout(&args);
    let rows: Vec<serde_json::Value> =
        said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.len() >= 30, "{} problems", rows.len());
    for row in &rows {
        assert_eq!([&row["right"], &row["proved"]], [&true, &true], "{row}");
        assert!(row["problem"].is_string() && row["seconds"].is_number(), "{row}");
        assert_eq!(row["line"][0], row["answer"]);
    }
    let table = stdout(&["tsumego", "solve", "problems/small.sgf", "--nodes", "100000"]);
    assert!(table.contains(&format!("{0} of {0} right (100.0 %)", rows.len())), "{table}");

    // One problem, in words and as a record whose answer reads back as such.
    let text = std::fs::read_to_string(root().join("problems/small.sgf")).unwrap();
    let (folder, one) = temporary("one.sgf", text.lines().next().unwrap().as_bytes());
    let solved = folder.path().join("solved.sgf");
    let solved = solved.to_str().unwrap();
    let words = stdout(&["tsumego", "solve", &one, "--sgf", solved]);
    for part in ["works", "The file agrees.", "Why not:"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    // Moves far from the room were not read, and nothing is said about them.
    let read = "(proved: every other move that was read is refuted; not read: ";
    let (_, rest) = words.split_once(read).unwrap_or_else(|| panic!("{words}"));
    let (count, _) = rest.split_once(").").unwrap();
    assert!(count.parse::<usize>().unwrap() > 8, "{words}");
    let corner = stdout(&["tsumego", "solve", &one, "--region", "A9-C6"]);
    assert!(corner.contains("(proved: every other move is refuted)."), "{corner}");
    let record = std::fs::read_to_string(solved).unwrap();
    assert!(record.contains("Correct: works") && record.contains("Wrong"), "{record}");
    let again = stdout(&["tsumego", "solve", solved, "--json"]);
    let again: serde_json::Value = serde_json::from_str(&again).unwrap();
    assert_eq!(again["right"], true, "{again}");

    assert!(record.contains("GN[") && record.contains("GM[") == text.contains("GM["), "{record}");
    assert!(words.contains("\n  W A7 B C8 W A6"), "lines have colours: {words}");

    // A chain to take, with and without being told which; what cannot be is told.
    let goal = ["tsumego", "solve", &one, "--goal", "capture", "--json"];
    let taken = stdout(&goal);
    assert!(taken.contains("\"goal\":\"capture\",\"at\":["), "{taken}");
    let args = ["tsumego", "solve", &one, "--goal", "capture", "--at", "J1"];
    assert!(stderr(&args, 1).contains("there is no stone at J1"));
    let args = ["tsumego", "solve", &one, "--goal", "connect", "--at", "A9,C9,A6"];
    assert!(stderr(&args, 1).contains("too many"));
    let none = stdout(&["tsumego", "solve", &one, "--threats", "0:many", "--json"]);
    assert!(none.contains("\"outcome\":\"works\""), "{none}");
    let wrong = stderr(&["tsumego", "solve", &one, "--threats", "lots"], 2);
    assert!(wrong.contains("such as 1:0"), "{wrong}");
    let wrong = stderr(&["tsumego", "solve", &one, "--seconds", "-1"], 2);
    assert!(wrong.contains("above 0"), "{wrong}");
    assert!(stderr(&["tsumego", "solve", &one, "--nodes", "0"], 2).contains("--nodes"));

    let wrong = stderr(&["tsumego", "solve", &one, "--region", "A1"], 1);
    assert!(wrong.contains("two corners of a rectangle"), "{wrong}");
    let given = stdout(&["tsumego", "solve", &one, "--region", "A9-D6", "--json"]);
    assert!(given.contains("\"right\":true"), "{given}");
    let wrong = stderr(&["tsumego", "solve", &one, "--sgf", "no/such/folder.sgf"], 1);
    assert!(wrong.contains("no/such/folder.sgf"), "{wrong}");
}

#[test]
fn tsumego_says_what_is_wrong() {
    assert!(stderr(&["tsumego", "test", "no-such.sgf"], 1).contains("no-such.sgf"));
    let wrong = stderr(&["tsumego", "test", "samples/9x9.sgf"], 1);
    assert!(wrong.contains("game record, not a problem"), "{wrong}");
    let (_folder, path) = some_problems();
    let wrong = stderr(&["tsumego", "test", &path, "--only", "magic"], 1);
    assert!(wrong.contains("no method has \"magic\"") && wrong.contains("flexible"), "{wrong}");
    let (_folder, few) = temporary("few.sgf", b"(;SZ[9]AB[ba][bb]AW[aa](;B[ab]))");
    let wrong = stderr(&["tsumego", "learn", &few], 1);
    assert!(wrong.contains("20 are the least"), "{wrong}");
    // On a small board, and without any mark.
    assert!(stdout(&["tsumego", "test", &few, "--only", "fixed"]).contains("1 problems"));
}

#[test]
fn show_says_what_is_wrong() {
    let missing = stderr(&["show", "no-such.sgf"], 1);
    assert_eq!(missing, "harie: no-such.sgf: there is no such file\n");
    let far = stderr(&["show", "samples/9x9.sgf", "--move", "9999"], 1);
    assert!(far.contains("samples/9x9.sgf") && far.contains("there is no move 9999"), "{far}");
    let game = stderr(&["show", "samples/9x9.sgf", "--game", "2"], 1);
    assert!(game.contains("there is 1 game in this file; there is no game 2"), "{game}");
    assert!(stderr(&["show", "samples/9x9.sgf", "--game", "0"], 2).contains("counted from 1"));
    assert!(stderr(&["show", "samples"], 1).contains("samples is a folder"));
    let usage = stderr(&["show"], 2);
    assert!(usage.contains("<FILE>"), "{usage}");
}

#[test]
fn an_illegal_move_is_shown_up_to_and_warned_about() {
    let (_folder, path) = temporary("bad.sgf", b"(;SZ[9];B[ee];W[ee];B[cc])");
    let output = harie(&["show", &path]);
    assert!(output.status.success());
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(warning.contains("bad.sgf, game 1, line 1, move 2"), "{warning}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("Move 1 of 3, Black E5."));
    assert!(stderr(&["show", &path, "--move", "3"], 1).contains("occupied"));
}

#[test]
fn prisoners_are_what_moves_took() {
    // A stone that an editor took off is nobody's prisoner; a suicide is the opponent's.
    let (_folder, path) = temporary("a.sgf", b"(;SZ[5];B[aa];W[ee];B[bb];AE[ee];W[cc])");
    assert!(stdout(&["show", &path]).contains("by Black: none, by White: none"));
    let suicide = b"(;SZ[5]RU[NZ]AB[ba][ab][bb]AW[ca][cb][ac][bc];B[aa])";
    let (_folder, path) = temporary("b.sgf", suicide);
    assert!(stdout(&["show", &path]).contains("by Black: none, by White: 4"));
}

/// Black wins the race if the outside liberties C6 and C4 come before E5.
const SEMEAI: &str = "crates/cli/tests/gtp/semeai.sgf";

#[test]
fn stats_tells_what_a_position_hangs_on() {
    let semeai = stdout(&["stats", SEMEAI]);
    assert!(
        semeai.contains(
            "Black won 1,975 of the 2,293 playouts (86 %) in which it played C6 before E5, and 175 of \
             the 1,545 (11 %) in which it played E5 before C6."
        ),
        "{semeai}"
    );
    let (folder, path) = temporary("stats.svg", b"");
    let miai = stdout(&["stats", "crates/cli/tests/gtp/miai.sgf", "--svg", &path]);
    assert!(miai.contains("(100 %) in which it owned E7 or E3 at the end, and 0 of"), "{miai}");
    insta::assert_snapshot!(miai);
    let svg = fs::read_to_string(folder.path().join("stats.svg")).unwrap();
    assert!(svg.contains("fill-opacity") && svg.contains("stroke-width=\"3\""));
    // The model plays too, and a result that hangs on nothing is not explained.
    let learned = stdout(&["stats", SEMEAI, "--model", "--playouts", "50"]);
    assert!(learned.contains("of 50 learned playouts"), "{learned}");
    let decided = stdout(&["stats", SEMEAI, "--komi", "-200", "--playouts", "500"]);
    assert!(decided.contains("--komi POINTS asks"), "{decided}");
}

/// Statistics of random games are counts. What they seem to advise may be about unrelated fights, so
/// nothing is advised.
#[test]
fn stats_counts_and_does_not_advise() {
    let positions = [
        (SEMEAI, None),
        ("crates/cli/tests/gtp/miai.sgf", None),
        ("samples/9x9.sgf", Some("12")),
        ("samples/9x9.sgf", Some("30")),
        ("samples/9x9.sgf", Some("45")),
        ("samples/19x19.sgf", Some("80")),
    ];
    let mut told = 0;
    for (file, number) in positions {
        let mut args = vec!["stats", file, "--playouts", "2000"];
        args.extend(number.iter().flat_map(|number| ["--move", number]));
        let (folder, svg) = temporary("stats.svg", b"");
        let text = stdout(&[&args[..], &["--svg", &svg]].concat());
        let picture = fs::read_to_string(folder.path().join("stats.svg")).unwrap();
        for word in [
            "should",
            "must",
            "come first",
            "comes first",
            "better",
            "best",
            "good",
            "bad",
            "enough",
        ] {
            for said in [&text, &picture] {
                assert!(!said.to_lowercase().contains(word), "{file} {number:?}: {word}\n{said}");
            }
        }
        let all: serde_json::Value =
            serde_json::from_str(&stdout(&[&args[..], &["--json", "--all"]].concat())).unwrap();
        let sentences: Vec<&str> =
            all["words"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
        let [pairs, orders] = ["miai", "told_orders"].map(|name| all[name].as_array().unwrap());
        assert_eq!(sentences.len(), pairs.len() + orders.len());
        told += sentences.len();
        let wins = |counts: &serde_json::Value| {
            [&counts["won"], &counts["playouts"]].map(|n| n.as_u64().unwrap())
        };
        // A pair of moves and the same two the other way round, among all that were counted.
        let counted = |first: &serde_json::Value, then: &serde_json::Value| {
            let list = all["order"].as_array().unwrap();
            let is_it = |o: &&serde_json::Value| &o["first"] == first && &o["then"] == then;
            wins(&list.iter().find(is_it).unwrap()["ordered"])
        };
        let expected = pairs
            .iter()
            .map(|pair| [wins(&pair["either"]), wins(&pair["neither"])])
            .chain(orders.iter().map(|order| {
                let (first, then) = (&order["first"], &order["then"]);
                [counted(first, then), counted(then, first)]
            }));
        for (sentence, [[a, b], [c, d]]) in sentences.iter().zip(expected) {
            assert!(text.contains(sentence), "{sentence}\n{text}");
            let plain = sentence.replace(',', "");
            let numbers: Vec<u64> =
                plain.split(' ').filter_map(|word| word.trim_matches('(').parse().ok()).collect();
            let percent = |won: u64, of: u64| (100.0 * won as f64 / of as f64).round() as u64;
            assert_eq!(numbers, [a, b, percent(a, b), c, d, percent(c, d)], "{sentence}");
        }
    }
    assert!(told > 5, "{told}");
}

#[test]
fn stats_gives_the_same_numbers_to_programs() {
    let json = |options: &[&str]| -> serde_json::Value {
        let args = [&["stats", SEMEAI, "--playouts", "3000", "--json"], options].concat();
        serde_json::from_str(&stdout(&args)).unwrap()
    };
    let stats = json(&[]);
    assert_eq!(stats["ownership"].as_array().unwrap().len(), 81);
    // A9, the first point, is Black's, J1, the last, White's.
    assert_eq!((&stats["ownership"][0], &stats["ownership"][80]), (&1.0.into(), &(-1.0).into()));
    for list in ["criticality", "joint", "order", "order_rank"] {
        let values: Vec<f64> =
            stats[list].as_array().unwrap().iter().map(|v| v["value"].as_f64().unwrap()).collect();
        assert!(!values.is_empty() && values.is_sorted_by(|a, b| a >= b), "{list}");
    }
    let rank = |mv: &str| {
        let list = stats["order_rank"].as_array().unwrap();
        list.iter().find(|rank| rank["move"] == mv).unwrap()["value"].as_f64().unwrap()
    };
    assert!(rank("B C6") > 0.0 && rank("B E5") < 0.0);
    assert_eq!(stats["joint"][0]["for"], "black");
    assert!(stats["order"].as_array().unwrap().iter().all(|order| order["sound"] == true));
    // The number of threads changes nothing, the seed does; all is more.
    assert_eq!(json(&["--threads", "1"]), json(&["--threads", "3"]));
    assert_ne!(json(&["--seed", "2"])["ownership"], stats["ownership"]);
    let all = json(&["--all"]);
    assert!(all["joint"].as_array().unwrap().len() > stats["joint"].as_array().unwrap().len());
}

#[test]
fn stats_says_what_is_wrong() {
    assert!(stderr(&["stats", "no-such.sgf"], 1).contains("no-such.sgf"));
    let far = stderr(&["stats", "samples/9x9.sgf", "--move", "9999"], 1);
    assert!(far.contains("the game has 45 moves; there is no move 9999"), "{far}");
    assert!(stderr(&["stats", SEMEAI, "--playouts", "0"], 2).contains("--playouts"));
    assert!(stderr(&["stats", SEMEAI, "--uniform", "--model"], 2).contains("cannot be used with"));
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let (_folder, path) = temporary("esc.sgf", b"(;SZ[9]PB[\x1b[31mred\x07]C[a\x1bb];B[ee])");
    let text = stdout(&["show", &path, "--move", "0"]);
    assert!(!text.contains('\x1b') && !text.contains('\x07'), "{text:?}");
}

#[test]
fn records_counts_a_corpus() {
    insta::assert_snapshot!(stdout(&["records", "samples"]));
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&["records", "samples", "--json"])).unwrap();
    assert_eq!((&json["games"], &json["files"]), (&2.into(), &2.into()));
    assert_eq!(json["sizes"]["9x9"], 1);
    assert_eq!(json["warnings"].as_array().unwrap().len(), 0);
}

#[test]
fn records_filters_and_finds_duplicates() {
    // The second game is the first, mirrored; the third is on another board.
    let games = "(;SZ[9]RE[B+R];B[cd];W[ff])\n(;SZ[9]RE[W+3];B[gd];W[df])\n(;SZ[13];B[cd])";
    let (_folder, path) = temporary("games.sgf", games.as_bytes());
    let count = |options: &[&str]| {
        let args = [&["records", path.as_str(), "--json"], options].concat();
        let json: serde_json::Value = serde_json::from_str(&stdout(&args)).unwrap();
        (json["games"].as_u64().unwrap(), json["duplicates"].as_u64().unwrap())
    };
    assert_eq!(count(&[]), (3, 1));
    assert_eq!(count(&["--unique"]), (2, 1));
    assert_eq!(count(&["--size", "9"]), (2, 1));
    assert_eq!(count(&["--winner", "white"]), (1, 0));
    assert_eq!(count(&["--ending", "resignation,points"]), (2, 1));
    assert_eq!(count(&["--max-moves", "1"]), (1, 0));
    assert_eq!(count(&["--weakest", "5d"]), (0, 0));
}

#[test]
fn records_goes_on_after_a_file_it_cannot_read() {
    let (_folder, path) = temporary("not-a-game.sgf", b"hello");
    let output = harie(&["records", &path, "samples", "no-such-folder"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("not-a-game.sgf") && errors.contains("no-such-folder"), "{errors}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("Games      2 in"));
}

#[test]
fn options_are_checked() {
    for (args, message) in [
        (&["records", "samples", "--size", "40"][..], "a board has from 2 to 25 lines"),
        (&["records", "samples", "--handicap", "4-2"], "a number or a range"),
        (&["records", "samples", "--ending", "boredom"], "possible values: points, resignation"),
        (&["records", "samples", "--weakest", "strong"], "a rank such as"),
        (&["bench", "--seconds", "0"], "a number of seconds above 0"),
        (&["bench", "--threads", "0"], "0 is not in 1..=1024"),
    ] {
        let text = stderr(args, 2);
        assert!(text.contains(message), "{args:?}: {text}");
    }
    let both = stderr(&["records", "samples", "--min-moves", "9", "--max-moves", "5"], 2);
    assert!(both.contains("--min-moves 9 is above --max-moves 5"), "{both}");
    let ranks = stderr(&["records", "samples", "--weakest", "5d", "--strongest", "5k"], 2);
    assert!(ranks.contains("--weakest 5d is above --strongest 5k"), "{ranks}");
}

#[test]
fn bench_prints_the_signature_and_speeds() {
    let text = stdout(&["bench", "--seconds", "0.01", "--json", "--policy", "uniform"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["signature"]["9x9"]["moves"], 109_973);
    let speeds = json["speed"].as_array().unwrap();
    assert_eq!(speeds.len(), 3);
    for speed in speeds {
        assert_eq!((&speed["policy"], &speed["threads"]), (&"uniform".into(), &1.into()));
        assert!(speed["playouts_per_s"].as_f64().unwrap() > 100.0);
        assert!(speed["ns_per_move"].as_f64().unwrap() > 1.0);
    }
    let narrow = stdout(&["bench", "--seconds", "0.01", "--size", "9", "--policy", "uniform"]);
    assert!(narrow.contains("9x9") && !narrow.contains("19x19"), "{narrow}");
}

#[test]
fn bench_searches_with_a_signature_and_stops_it() {
    let args = ["bench", "--seconds", "0.05", "--size", "9", "--json"];
    let [first, second] = [0; 2].map(|_| {
        let json: serde_json::Value = serde_json::from_str(&stdout(&args)).unwrap();
        let [search] = &json["search"].as_array().unwrap()[..] else { panic!("{json}") };
        let stops = search["stops_within_ms"].as_f64().unwrap();
        // 50 ms are promised; the longest of twenty on a busy machine may take more.
        assert!(stops > 0.0 && stops < 500.0, "{stops}");
        search["signature"].clone()
    });
    assert_eq!(first, second);
    assert!(first.as_str().unwrap().contains(", "), "{first}");
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stdout(&["completions", shell]).contains("records"), "{shell}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_harie"))
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn hints_name_moves_and_reasons() {
    let said = stdout(&["show", "samples/19x19.sgf", "--move", "60", "--hints", "3"]);
    let hints: Vec<&str> = said.lines().filter(|line| line.contains(" %  ")).collect();
    assert_eq!(hints.len(), 3, "{said}");
    assert!(hints[0].contains("(x "), "{said}");
    // A finished game, an empty board, and a board size that no model was learned on.
    let said = stdout(&["show", "samples/9x9.sgf", "--hints"]);
    assert!(said.contains("Nothing is left to play"), "{said}");
    let said = stdout(&["show", "samples/9x9.sgf", "--move", "0", "--hints"]);
    assert!(said.contains("  5. "), "{said}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("7.sgf");
    std::fs::write(&file, "(;SZ[7];B[dd];W[cc])").unwrap();
    let said = stdout(&["show", &file.to_string_lossy(), "--hints"]);
    assert!(said.contains("Where Black may play"), "{said}");
}

#[test]
fn a_match_is_played_kept_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match").to_string_lossy().into_owned();
    let player = "harie:visits=8,memory=16";
    let command = |games: &'static str| {
        ["match", "--first", player, "--second", "harie:level=20k,memory=16", "--size", "5"]
            .into_iter()
            .chain(["--games", games, "--sprt", "-20,20", "--out"])
    };
    let run = |games, more: &[&str]| {
        let path = [path.as_str()];
        let args: Vec<&str> = command(games).chain(path).chain(more.iter().copied()).collect();
        stdout(&args)
    };
    let said = run("2", &[]);
    assert!(said.starts_with("harie:visits=8,memory=16 against harie:level=20k"), "{said}");
    for part in
        ["5x5, komi 7.5, chinese rules", "as White", "\nElo ", "SPRT of -20", "lost on time"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    let summary: serde_json::Value = serde_json::from_str(&run("4", &["--json"])).unwrap();
    assert_eq!(summary["games"], 4, "{summary}");
    let lines = fs::read_to_string(folder.path().join("match/games.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 4);
    assert!(stdout(&["show", &format!("{path}/game-0004.sgf")]).contains("harie:level=20k"));
    let other: Vec<&str> = command("4").chain([path.as_str(), "--komi", "0"]).collect();
    let error = stderr(&other, 1);
    assert!(error.contains("another match is here") && error.contains("Its komi is 7.5, not 0"));
}

#[test]
fn what_is_no_match_is_said() {
    let error = |args: &[&str], code| {
        let plain = ["match", "--first", "harie:visits=1", "--games", "1"];
        stderr(&[&plain, args].concat(), code)
    };
    assert!(error(&["--second", "leela"], 2).contains("'leela' is no player"));
    assert!(error(&["--second", "harie:speed=3"], 2).contains("has no option 'speed'"));
    assert!(error(&["--second", "harie", "--komi", "much"], 2).contains("a number of points"));
    assert!(error(&["--second", "harie", "--sprt", "5,0"], 2).contains("the lower first"));
    assert!(error(&["--second", "harie", "--referee", "me"], 2).contains("playouts, board"));
    assert!(error(&["--second", "gtp:no-such-engine"], 1).contains("cannot be started"));
    assert!(error(&["--second", "harie:model=no.model"], 1).contains("no.model"));
    assert!(
        error(&["--second", "harie", "--openings", "samples/19x19.sgf"], 1).contains("none of")
    );
    let long = error(&["--second", "harie", "--opening-moves", "1000"], 1);
    assert!(long.contains("at most 40 can be drawn on 9x9"), "{long}");
    assert!(error(&[], 2).contains("--second"));
}
