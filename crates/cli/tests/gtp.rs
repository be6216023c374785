//! `harie gtp` as front ends meet it: transcripts, random conversations, interruptions, a match.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An engine that takes no time to speak of.
fn harie(folder: &Path, options: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_harie"))
        .args(["gtp", "--threads", "1", "--visits", "20", "--memory", "64"])
        .args(options)
        .current_dir(folder)
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("harie runs")
}

/// Everything that it writes to these lines. Nothing may go wrong and nothing may be said on
/// standard error.
fn converse(folder: &Path, options: &[&str], input: &[u8]) -> String {
    converse_with(harie(folder, options), input)
}

fn converse_with(mut engine: Child, input: &[u8]) -> String {
    let mut stdin = engine.stdin.take().unwrap();
    let input = input.to_vec();
    // The other side may not read as long as we do not.
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = engine.wait_with_output().unwrap();
    // After `quit` the rest is not read.
    let _ = writer.join().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{:?}: {errors}", output.status);
    String::from_utf8(output.stdout).expect("replies are text")
}

fn replies(output: &str) -> Vec<&str> {
    assert!(output.is_empty() || output.ends_with("\n\n"), "the last reply is not ended");
    output.split_terminator("\n\n").collect()
}

/// Whether a line is a command that gets a reply.
fn is_command(line: &str) -> bool {
    !line.split('#').next().unwrap().trim().is_empty()
}

/// Replies that depend on what the engine thinks keep their form and lose their contents: numbers
/// become `N`, vertices `V`, and what is said about many moves or points is said about one.
fn masked(command: &str, reply: &str) -> String {
    const THOUGHTS: [&str; 16] = [
        "genmove",
        "analyze",
        "search",
        "raw-nn",
        "best_moves",
        "probabilit",
        "ownership",
        "criticality",
        "groups",
        "territory",
        "time",
        "score",
        "status",
        "explain",
        "chat",
        "describe",
    ];
    let name = command.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let name = name.split(' ').next().unwrap();
    let thinks = THOUGHTS.iter().any(|thought| name.contains(thought))
        && !name.contains("settings")
        && !name.contains("analyze_commands");
    if !thinks || reply.starts_with('?') {
        return reply.to_owned();
    }
    if name.contains("describe") || name.contains("explain") || name.contains("chat") {
        return "= words".to_owned();
    }
    let head: String =
        reply.chars().take_while(|&c| c == '=' || c.is_ascii_digit()).collect::<String>();
    // The next line of the transcript ends these at once, perhaps before anything was found.
    let interrupted = name.ends_with("cancellable")
        || name.contains("analyze") && !name.contains("genmove") && !name.contains("search");
    let mut lines: Vec<String> = Vec::new();
    for line in reply[head.len()..].lines() {
        if interrupted && (line.starts_with("info") || line.starts_with('{')) {
            continue;
        }
        let line = match line.strip_prefix('{') {
            Some(_) => object_form(line),
            None => words_form(line),
        };
        // Rows of numbers and labels of moves come in any number.
        if lines.last() != Some(&line) || line.is_empty() {
            lines.push(line);
        }
    }
    format!("{head}{}", lines.join("\n"))
}

fn words_form(line: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let plain = word.trim_end_matches([',', '%']).trim_start_matches('+');
        let vertex = plain.len() <= 3
            && plain.starts_with(|c: char| c.is_ascii_uppercase() && c != 'I')
            && plain[1..].parse::<u8>().is_ok();
        let score = plain.len() > 2
            && (plain.starts_with("B+") || plain.starts_with("W+"))
            && plain[2..].parse::<f64>().is_ok();
        let form = match plain {
            _ if vertex => "V",
            "pass" | "resign" if words.last().is_some_and(|w| w != "play") => "V",
            "pass" | "resign" => "V",
            "b" | "w" => "C",
            "Black" | "White" => "COLOUR",
            "NAN" => "N",
            _ if score => "RESULT",
            _ if plain.starts_with('#') => "#rgb",
            _ if plain.parse::<f64>().is_ok() => "N",
            _ => word,
        };
        // Lines of play and rows of numbers may be of any length.
        let repeats = ["V", "N"].contains(&form) && words.last().is_some_and(|w| w == form);
        if !repeats {
            words.push(form.to_owned());
        }
    }
    let text = words.join(" ");
    // One move stands for all.
    let infos: Vec<&str> = text.split(" info ").collect();
    match infos.as_slice() {
        [first, .., last] => {
            let rest = last.split_once(" pv V").map_or("", |(_, rest)| rest);
            format!("{first}{rest}").replace("pv V V", "pv V")
        }
        _ => text.replace("C V C V", "C V").replace("C V C V", "C V").replace("C V C V", "C V"),
    }
}

/// The names in an object and what kind of value each has.
fn object_form(line: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(line).expect("an object");
    fn form(value: &serde_json::Value) -> serde_json::Value {
        match value {
            serde_json::Value::Object(fields) => {
                fields.iter().map(|(name, value)| (name.clone(), form(value))).collect()
            }
            serde_json::Value::Array(list) => list.iter().take(1).map(form).collect(),
            serde_json::Value::Number(_) => "N".into(),
            serde_json::Value::String(_) => "text".into(),
            other => other.clone(),
        }
    }
    form(&value).to_string()
}

/// What a conversation with an engine that has no bound of visits ends with.
fn last_reply(options: &[&str], lines: &str) -> String {
    let output = converse_with(harie_without_visits(&root(), options), lines.as_bytes());
    replies(&output).last().expect("a reply").to_string()
}

#[test]
fn disputed_stones_are_taken_off() {
    let black = "C9 D9 C8 C7 H7 B6 C6 B5 B4 C4 D4 D3 D2 D1 E1";
    let white = "E9 D8 E8 G8 H8 D7 G7 D6 F6 G6 C5 D5 E5 F5 H5 E4 C3 E3 G3 E2 F2 F1";
    let stones = |color: &str, points: &str| {
        points.split(' ').map(|p| format!(" {color} {p}")).collect::<String>()
    };
    let setup = format!("gogui-setup{}{}", stones("b", black), stones("w", white));
    let lines = format!("komi 0.5\n{setup}\nplay b pass\nplay w pass\nkgs-genmove_cleanup w\n");
    let reply = last_reply(&["--size", "9", "--visits", "200"], &lines);
    assert!(reply.starts_with("= ") && reply != "= pass", "{reply}");
    let lines = format!("komi 0.5\n{setup}\nlz-genmove_analyze w avoid w pass 1\n");
    let reply = last_reply(&["--size", "9", "--visits", "200"], &lines);
    assert!(reply.contains("\nplay ") && !reply.contains("play pass"), "{reply}");
}

#[test]
fn only_moves_that_were_made_in_this_game_are_explained() {
    let reply = |lines: &str| last_reply(&["--size", "9", "--visits", "20"], lines);
    for command in ["gomill-explain_last_move", "kgs-chat game somebody why"] {
        let made = reply(&format!("genmove b\n{command}\n"));
        assert!(made.starts_with("= I played "), "{made}");
        let answered = reply(&format!("genmove b\nplay w a1\n{command}\n"));
        assert_eq!(answered.lines().next(), made.lines().next());
        for others in ["", "reg_genmove b\n", "genmove b\nclear_board\n", "genmove b\nundo\n"] {
            let nothing = reply(&format!("{others}{command}\n"));
            assert!(!nothing.contains("I played"), "{others}: {nothing}");
        }
        let other = reply(&format!("genmove b\nundo\nplay b a1\n{command}\n"));
        assert!(!other.contains("I played"), "{other}");
    }
}

#[test]
fn a_stop_behind_other_commands_does_not_cut_a_move_short() {
    let lines = "kata-genmove_analyze b rootInfo true maxmoves 0\nname\nstop\nname\n";
    let options = ["--size", "9", "--visits", "150"];
    let output = converse_with(harie_without_visits(&root(), &options), lines.as_bytes());
    assert!(output.contains("rootInfo visits 150 "), "{output}");
    let lines = lines.replacen("name\n", "", 1);
    let options = ["--size", "9", "--visits", "1000000"];
    let output = converse_with(harie_without_visits(&root(), &options), lines.as_bytes());
    assert!(output.contains("rootInfo visits ") && !output.contains(" 1000000 "), "{output}");
}

#[test]
fn bounds_are_below_what_they_bound() {
    let lines = "boardsize 5\nkata-genmove_analyze b\n";
    let reply = last_reply(&["--visits", "200"], lines);
    let number = |info: &str, name: &str| -> f64 {
        let mut words = info.split(' ').skip_while(|&word| word != name);
        words.nth(1).unwrap().parse().unwrap()
    };
    let infos: Vec<&str> = reply.split("info ").filter(|info| info.starts_with("move")).collect();
    assert!(infos.len() > 5, "{reply}");
    for info in infos {
        let (rate, bound) = (number(info, "winrate"), number(info, "lcb"));
        assert!((0.0..=rate).contains(&bound), "{info}");
    }
}

#[test]
fn without_time_it_still_plays() {
    let lines = "time_settings 600 0 0\ntime_left b 0 0\ngenmove b\n";
    let reply = last_reply(&["--size", "9"], lines);
    assert!(reply.starts_with("= ") && reply != "= pass", "{reply}");
}

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gtp");
    let mut seen = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "gtp") {
            continue;
        }
        seen += 1;
        let golden = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = golden.lines().filter_map(|line| line.strip_prefix("> ")).collect();
        let input = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let output = converse(&root(), &[], input.as_bytes());
        let mut replies = replies(&output).into_iter();
        let mut found = String::new();
        for line in &lines {
            found.push_str(&format!("> {line}\n"));
            if is_command(line) {
                let reply = replies.next().unwrap_or_else(|| panic!("{line}: no reply"));
                found.push_str(&format!("{}\n\n", masked(line, reply)));
            }
        }
        assert_eq!(replies.next(), None, "more replies than commands");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, &found).unwrap();
        }
        let golden = fs::read_to_string(&path).unwrap();
        let differ = golden.lines().zip(found.lines()).find(|(a, b)| a != b);
        assert!(
            golden == found,
            "{}: {differ:?} differ; UPDATE_EXPECT=1 updates it",
            path.display()
        );
    }
    assert!(seen >= 6);
}

/// Words that arguments are made of: some that commands expect, some that they do not.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => proptest::sample::select(vec![
            "b", "w", "black", "white", "pass", "A1", "C3", "D4", "E5", "T19", "Z9", "0", "1", "2",
            "5", "9", "-1", "7.5", "1e9", "NaN", "inf", "interval", "maxmoves", "minmoves",
            "ownership", "true", "false", "avoid", "allow", "A1,B2", "dead", "alive", "seki",
            "chinese", "ko", "{\"ko\":\"SIMPLE\"}", "absolute", "byoyomi", "x.sgf", "e", "all",
        ]).prop_map(str::to_owned),
        // No slash: files that are written stay in the folder of the test.
        1 => "[ -.0-~]{1,8}",
        1 => "[^\\pC/]{1,5}",
    ]
}

/// Random conversations made of these commands: each gets one reply.
fn chatter(names: Vec<String>, cases: u32) {
    let folder = tempfile::tempdir().unwrap();
    let command = (
        prop_oneof![9 => proptest::sample::select(names), 1 => "[a-z_-]{1,10}"],
        proptest::collection::vec(word(), 0..5),
    )
        .prop_map(|(name, words)| format!("{name} {}", words.join(" ")));
    let conversation = proptest::collection::vec(command, 1..80);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&conversation, |commands| {
            // Small boards, so that whatever thinks is soon done.
            let mut input = "1000000 boardsize 5\n".to_owned();
            for (i, command) in commands.iter().enumerate() {
                input.push_str(&format!("{i} {command}\n"));
            }
            let output = converse(folder.path(), &[], input.as_bytes());
            let mut heads: Vec<u64> = Vec::new();
            for reply in replies(&output) {
                prop_assert!(reply.starts_with(['=', '?']), "{}", reply);
                let digits: String = reply[1..].chars().take_while(char::is_ascii_digit).collect();
                heads.push(digits.parse().unwrap());
            }
            let expected: Vec<u64> =
                [1_000_000].into_iter().chain(0..commands.len() as u64).collect();
            prop_assert_eq!(heads, expected);
            Ok(())
        })
        .unwrap();
}

#[test]
fn no_conversation_upsets_it() {
    let folder = tempfile::tempdir().unwrap();
    let names = converse(folder.path(), &[], b"list_commands\n");
    let names = names.trim_start_matches("= ").trim().lines();
    let names: Vec<String> = names.filter(|&name| name != "quit").map(str::to_owned).collect();
    assert!(names.len() > 60 && names.iter().any(|name| name == "genmove"));
    // With clocks and parameters it could be told to think for hours.
    let (slow, other): (Vec<String>, Vec<String>) =
        names.into_iter().partition(|name| name.contains("time_") || name.contains("param"));
    assert!(slow.len() > 5);
    chatter(other, 24);
    chatter(slow, 8);
}

#[test]
fn bytes_that_are_no_text_are_no_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = proptest::collection::vec(any::<u8>(), 0..2000);
    let config = Config { cases: 16, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&bytes, |mut bytes| {
            bytes.extend_from_slice(b"\n77 name\n");
            let output = converse(folder.path(), &[], &bytes);
            prop_assert!(output.ends_with("=77 Harie\n\n"));
            Ok(())
        })
        .unwrap();
}

#[test]
fn names_can_be_set() {
    let folder = tempfile::tempdir().unwrap();
    let options =
        ["--name", "Leela Zero", "--version-text", "0.17", "--size", "13", "--komi", "0.5"];
    let output = converse(folder.path(), &options, b"name\nversion\nquery_boardsize\nget_komi\n");
    assert_eq!(output, "= Leela Zero\n\n= 0.17\n\n= 13\n\n= 0.5\n\n");
}

#[test]
fn the_log_has_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    converse(folder.path(), &["--log-file", "log.txt"], b"5 name\nplay b z1\n");
    let log = fs::read_to_string(folder.path().join("log.txt")).unwrap();
    for words in ["> 5 name", "< = Harie", "> play b z1", "< ? syntax error"] {
        assert!(log.contains(words), "{words} is not in {log}");
    }
}

/// Waits for a line and returns it; the engine must not end before.
fn read_line(out: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert!(!line.is_empty(), "the engine is gone");
    line.trim_end().to_owned()
}

#[test]
fn an_analysis_ends_with_any_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = harie(folder.path(), &["--size", "9"]);
    let mut input = engine.stdin.take().unwrap();
    let mut out = BufReader::new(engine.stdout.take().unwrap());
    // Nothing but a line ends these.
    for (number, command) in
        ["lz-analyze b 5", "kata-analyze w 5 ownership true"].iter().enumerate()
    {
        for interruption in ["", "name", "# interrupt"] {
            writeln!(input, "{number} {command}").unwrap();
            assert_eq!(read_line(&mut out), format!("={number}"));
            assert!(read_line(&mut out).starts_with("info move"));
            writeln!(input, "{interruption}").unwrap();
            while !read_line(&mut out).is_empty() {}
            if interruption == "name" {
                assert_eq!(read_line(&mut out), "= Harie");
                assert_eq!(read_line(&mut out), "");
            }
        }
    }
    // Or the end of all lines.
    writeln!(input, "lz-analyze b 5").unwrap();
    read_line(&mut out);
    drop(input);
    assert!(engine.wait().unwrap().success());
}

#[test]
fn a_search_for_a_move_can_be_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    // It would think for a day.
    let options = ["--seconds", "86400", "--size", "9"];
    let mut engine = harie_without_visits(folder.path(), &options);
    let mut input = engine.stdin.take().unwrap();
    let mut out = BufReader::new(engine.stdout.take().unwrap());
    // The models are made ready when they are first needed, which nothing interrupts.
    writeln!(input, "0 kata-raw-nn 0").unwrap();
    while !read_line(&mut out).is_empty() {}
    for number in [1, 2, 3] {
        writeln!(input, "{number} lz-genmove_analyze b 1").unwrap();
        assert_eq!(read_line(&mut out), format!("={number}"));
        // It is at work when it tells of it.
        assert!(read_line(&mut out).starts_with("info move"));
        writeln!(input, "# interrupt").unwrap();
        while !read_line(&mut out).starts_with("play ") {}
        read_line(&mut out);
    }
    drop(input);
    assert!(engine.wait().unwrap().success());
}

fn harie_without_visits(folder: &Path, options: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_harie"))
        .args(["gtp", "--threads", "1", "--memory", "64"])
        .args(options)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("harie runs")
}

#[test]
fn it_thinks_on_the_opponents_time_and_still_listens() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = harie(folder.path(), &["--ponder", "--size", "9"]);
    let mut input = engine.stdin.take().unwrap();
    let mut out = BufReader::new(engine.stdout.take().unwrap());
    for number in [0, 1, 2] {
        writeln!(input, "{number} genmove b").unwrap();
        assert!(read_line(&mut out).starts_with(&format!("={number} ")));
        read_line(&mut out);
        // Time to begin; it thinks until a line comes.
        thread::sleep(Duration::from_millis(100));
        writeln!(input, "name").unwrap();
        assert_eq!(read_line(&mut out), "= Harie");
        read_line(&mut out);
    }
    drop(input);
    assert!(engine.wait().unwrap().success());
}

#[test]
fn it_does_not_think_when_told_to_stop() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = harie(folder.path(), &["--ponder", "--size", "9"]);
    let mut input = engine.stdin.take().unwrap();
    let mut out = BufReader::new(engine.stdout.take().unwrap());
    let mut ask = |command: &str| {
        writeln!(input, "{command}").unwrap();
        let reply = read_line(&mut out);
        read_line(&mut out);
        reply
    };
    // What it has worked, not how late it is.
    let mut worked = |more: &str| {
        if !more.is_empty() {
            ask(more);
        }
        ask("cputime").trim_start_matches("= ").parse::<f64>().unwrap()
    };
    // Told to stop, or between two games on a server.
    for (genmove, end) in [("genmove b", "stop"), ("genmove w", "kgs-game_over")] {
        let before = worked(genmove);
        while worked("") < before + 0.2 {
            thread::sleep(Duration::from_millis(50));
        }
        let before = worked(end);
        thread::sleep(Duration::from_millis(500));
        let idle = worked("") - before;
        assert!(idle < 0.05, "{idle} s of work after {end}");
    }
    drop(input);
    assert!(engine.wait().unwrap().success());
}

#[test]
fn another_game_has_all_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = harie_without_visits(folder.path(), &["--size", "9"]);
    let mut input = engine.stdin.take().unwrap();
    let mut out = BufReader::new(engine.stdout.take().unwrap());
    let mut ask = |command: &str| {
        writeln!(input, "{command}").unwrap();
        let mut lines = vec![read_line(&mut out)];
        assert!(lines[0].starts_with('='), "{command}");
        while !lines.last().unwrap().is_empty() {
            lines.push(read_line(&mut out));
        }
        lines
    };
    // How often it told what it thinks, ten times a second.
    let told = |lines: Vec<String>| lines.iter().filter(|line| line.starts_with("info")).count();
    for command in ["time_settings 20 0 0", "time_left b 0 0"] {
        ask(command);
    }
    let hurried = told(ask("lz-genmove_analyze b 10"));
    ask("clear_board");
    // A share of twenty seconds.
    let free = told(ask("lz-genmove_analyze b 10"));
    assert!(free > hurried + 1, "{free} reports, and {hurried} without time");
    drop(input);
    assert!(engine.wait().unwrap().success());
}

#[test]
fn moves_without_visits_are_told_when_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let told = |more: &str| {
        let command = format!("kata-search_analyze b {more}\n");
        converse(folder.path(), &["--size", "9"], command.as_bytes())
    };
    assert!(!told("").contains("visits 0 "));
    let all = told("minmoves 100");
    assert_eq!(all.matches("info move ").count(), 82, "{all}");
    assert_eq!(told("minmoves 100 maxmoves 30").matches("info move ").count(), 30);
    let few = told("minmoves 5 allow b A1,B2,C3,pass 1");
    assert_eq!(few.matches("info move ").count(), 4, "{few}");
}

/// Plays a game on 9x9 with GNU Go as the referee; the result, or `None` if it takes too long.
fn play(black: &mut gtp::Client, white: &mut gtp::Client) -> Option<String> {
    let timeout = Duration::from_secs(30);
    for engine in [&mut *black, &mut *white] {
        for command in ["boardsize 9", "clear_board", "komi 7.5"] {
            engine.ask(command, timeout).unwrap();
        }
    }
    let mut passes = 0;
    for number in 0..250 {
        let (player, opponent, color) = if number % 2 == 0 {
            (&mut *black, &mut *white, "b")
        } else {
            (&mut *white, &mut *black, "w")
        };
        let mv = player.ask(&format!("genmove {color}"), timeout).unwrap().to_ascii_lowercase();
        if mv == "resign" {
            return Some(format!("{color} resigns"));
        }
        opponent.ask(&format!("play {color} {mv}"), timeout).unwrap();
        passes = if mv == "pass" { passes + 1 } else { 0 };
        if passes == 2 {
            return Some(black.ask("final_score", timeout).unwrap());
        }
    }
    None
}

#[test]
fn a_short_match_with_gnu_go() {
    let gnugo = ["gnugo", "/usr/games/gnugo"].into_iter().find(|name| {
        let version = Command::new(name).arg("--version").stdout(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    });
    let Some(gnugo) = gnugo else {
        println!("SKIPPED: gnugo is not installed (apt-get install gnugo)");
        return;
    };
    let gnugo = format!(
        "{gnugo} --mode gtp --level 1 --chinese-rules --capture-all-dead --positional-superko"
    );
    let harie = format!(
        "'{}' gtp --threads 1 --visits 50 --memory 64 --rules cgos",
        env!("CARGO_BIN_EXE_harie")
    );
    let mut results = Vec::new();
    for harie_is_black in [true, false] {
        let mut ours = gtp::Client::start(&harie).unwrap();
        let mut theirs = gtp::Client::start(&gnugo).unwrap();
        let result = if harie_is_black {
            play(&mut ours, &mut theirs)
        } else {
            play(&mut theirs, &mut ours)
        };
        results.push(result);
    }
    println!("harie as black, then as white, against GNU Go: {results:?}");
    assert!(results.iter().all(Option::is_some), "a game had no end");
}
