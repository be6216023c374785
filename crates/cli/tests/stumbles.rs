//! What people new to the program stumbled over: messages that mislead, options that do nothing, work
//! that is lost at its end.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn harie(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_harie"))
        .args(args)
        .current_dir(root())
        .stdin(std::process::Stdio::null())
        .env_remove("RUST_BACKTRACE")
        .output()
        .expect("harie runs")
}

/// What a run that must succeed prints, and what it warns of.
fn said(args: &[&str]) -> (String, String) {
    let output = harie(args);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {errors}");
    (String::from_utf8(output.stdout).unwrap(), errors)
}

/// What a run that must fail with this code complains of.
fn refused(args: &[&str], code: i32) -> String {
    let output = harie(args);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
    errors
}

fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "'{part}' is not in\n{text}");
    }
}

/// A folder with these files.
fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, impl Fn(&str) -> String + use<>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let root = folder.path().to_owned();
    (folder, move |name: &str| root.join(name).to_str().unwrap().to_owned())
}

const COMMANDS: &str = "serve show records extract train score stats explain review patterns book eval \
    oracle bench gtp analysis match rate report reproduce completions";

#[test]
fn footers_of_the_help_are_not_torn() {
    for command in COMMANDS.split_whitespace() {
        let (help, _) = said(&["help", command]);
        let footer = help.split_once("\nExamples:").map_or("", |(_, footer)| footer);
        let lines: Vec<&str> = footer.lines().collect();
        for pair in lines.windows(2) {
            let one_word = !pair[0].is_empty() && !pair[0].contains(' ') && !pair[0].ends_with(':');
            assert!(
                !one_word || pair[1].is_empty(),
                "'{}' stands alone in the help of {command}",
                pair[0]
            );
        }
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}");
    }
}

#[test]
fn the_help_of_solving_is_not_torn() {
    let (help, _) = said(&["tsumego", "solve", "--help"]);
    let (_, footer) = help.split_once("\nExamples:").unwrap();
    for line in footer.lines() {
        assert!(line.chars().count() <= 100, "{line}");
        let is_torn = !line.is_empty() && line.split_whitespace().count() < 2;
        assert!(!is_torn, "'{line}' stands alone");
    }
    contains(
        footer,
        &["reaching them is life", "whole group that it is about", "A line ends where"],
    );
}

/// White is a square four in the corner, dead as it stands.
const SQUARE_FOUR: &[u8] = b"(;SZ[9]AB[da][db][dc][dd][cd][bd][ad]AW[ca][cb][cc][bc][ac]PL[B])";

/// One chain of each, far apart.
const ALONE: &[u8] = b"(;SZ[9]AB[aa][ab]AW[gg][gh]PL[B])";

#[test]
fn solving_writes_over_no_record_that_it_reads() {
    let (_kept, path) = folder(&[("four.sgf", SQUARE_FOUR), ("old.sgf", b"old")]);
    let four = path("four.sgf");
    let why = refused(&["tsumego", "solve", &four, "--seconds", "1", "--sgf", &four], 1);
    contains(&why, &["one of the files that are read", "four.sgf"]);
    assert_eq!(fs::read(&four).unwrap(), SQUARE_FOUR);
    // What ends with an error leaves what is there.
    let old = path("old.sgf");
    refused(&["tsumego", "solve", &four, "--goal", "connect", "--sgf", &old], 1);
    assert_eq!(fs::read(&old).unwrap(), b"old");
    said(&["tsumego", "solve", &four, "--goal", "kill", "--sgf", &old]);
    assert!(fs::read_to_string(&old).unwrap().starts_with("(;"));
    let files = fs::read_dir(path("")).unwrap().map(|entry| entry.unwrap().file_name());
    let named = files.filter(|name| name.to_string_lossy().starts_with("old.sgf"));
    assert_eq!(named.count(), 1, "nothing is left over");
}

/// Waits until a program would be told of an interruption instead of being ended by it, as long as
/// that takes on a busy machine. Where the system does not say, a while.
#[cfg(unix)]
fn wait_until_it_listens(id: &str) {
    let caught = || -> Option<bool> {
        let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        // The second signal.
        Some(u64::from_str_radix(caught.trim(), 16).ok()? >> 1 & 1 == 1)
    };
    let pause = |ms| std::thread::sleep(std::time::Duration::from_millis(ms));
    for _ in 0..600 {
        match caught() {
            Some(true) => break,
            Some(false) => pause(50),
            None => return pause(3000),
        }
    }
    // It is at work then.
    pause(200);
}

#[cfg(unix)]
#[test]
fn solving_that_is_stopped_leaves_what_is_there() {
    // Two copies of a room that takes longer than this test.
    let hard = b"(;SZ[19]AB[dd][dp][pd]AW[cc][qq][pq]PL[B])".repeat(2);
    let (_kept, path) = folder(&[("hard.sgf", &hard), ("old.sgf", b"old")]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_harie"))
        .args(["tsumego", "solve", &path("hard.sgf"), "--seconds", "60", "--goal", "kill"])
        .args(["--region", "A19-J12", "--sgf", &path("old.sgf")])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let id = child.id().to_string();
    wait_until_it_listens(&id);
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(fs::read(path("old.sgf")).unwrap(), b"old");
}

#[test]
fn records_are_written_though_nobody_listens() {
    let problems = concat!(env!("CARGO_MANIFEST_DIR"), "/../../problems/small.sgf");
    let (_kept, path) = folder(&[]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_harie"))
        .args(["tsumego", "solve", problems, "--seconds", "5", "--sgf", &path("out.sgf")])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    let written = fs::read_to_string(path("out.sgf")).unwrap();
    assert!(written.starts_with("(;"), "{written}");
}

#[test]
fn solving_says_what_was_asked_and_ends_when_it_is_said() {
    let (_kept, path) = folder(&[("four.sgf", SQUARE_FOUR), ("alone.sgf", ALONE)]);
    let (four, alone) = (path("four.sgf"), path("alone.sgf"));
    let solve = |file: &str, rest: &[&str]| said(&[&["tsumego", "solve", file], rest].concat()).0;
    let json = |file: &str, rest: &[&str]| -> serde_json::Value {
        let all = [&["tsumego", "solve", file, "--json"], rest].concat();
        serde_json::from_str(&said(&all).0).unwrap()
    };
    let settled = json(&four, &["--seconds", "40"]);
    assert_eq!(settled["settled"], true, "{settled}");
    assert!(settled["seconds"].as_f64().unwrap() < 20.0, "{settled}");
    let asked = json(&four, &["--seconds", "40", "--goal", "kill"]);
    assert!(asked["seconds"].as_f64().unwrap() < 10.0, "{asked}");
    let tried = asked["tried"].as_array().unwrap();
    let outside: Vec<_> = tried.iter().filter(|t| t["outcome"] == "outside the room").collect();
    assert!(tried.iter().all(|t| t["outcome"] != "not decided"), "{asked}");
    assert!(!outside.is_empty(), "{asked}");
    let text = fs::read_to_string(root().join("problems/small.sgf")).unwrap();
    let (_kept, path) = folder(&[("one.sgf", text.lines().next().unwrap().as_bytes())]);
    let one = path("one.sgf");
    contains(&solve(&one, &["--goal", "ko"]), &["White to kill, by a ko at least: A7"]);
    assert_eq!(json(&one, &["--goal", "ko"])["ko_enough"], true);
    assert!(json(&one, &[])["ko_enough"].is_null());

    let refused = |rest: &[&str], code| refused(&[&["tsumego", "solve"], rest].concat(), code);
    let why = refused(&[&alone, "--goal", "connect"], 1);
    contains(&why, &["there are no two chains of Black here"]);
    let why = refused(&[&alone, "--region", "E1-F2"], 1);
    contains(&why, &["there is nothing that lives or dies here"]);
    assert!(!why.contains("looks best"), "{why}");
    contains(&refused(&[&four, "--at", "C9,D9"], 1), &["for the goal connect"]);
    contains(&refused(&[&four, "--threats", "-1:0"], 2), &["each 0, 1 or many"]);
    for few in ["0", "-3"] {
        contains(&refused(&[&four, "--nodes", few], 2), &["a whole number from 1 up"]);
    }
}

#[test]
fn only_options_that_act_are_offered() {
    for command in ["explain", "review", "analysis"] {
        let (help, _) = said(&["help", command]);
        for option in
            ["--player", "--book", "--level", "--resign", "--few", "--patterns", "--plain-komi"]
        {
            assert!(!help.contains(option), "{option} in the help of {command}");
        }
        contains(&help, &["--threads", "--visits", "--seconds", "--model"]);
        assert!(!help.contains("gtp "), "{help}");
    }
    contains(&said(&["help", "explain"]).0, &["[default: 2000 unless", "from run to run"]);
    contains(&said(&["help", "analysis"]).0, &["[default: 1]", "[default: 500 unless"]);
    contains(&said(&["help", "gtp"]).0, &["--player", "--book", "--level", "--resign"]);
    contains(&said(&["help", "train"]).0, &["fuzzy", "'3x3 atari'", "neumann(1 to 8)"]);
}

#[test]
fn no_move_is_advised_after_the_end() {
    let (words, _) = said(&["explain", "samples/9x9.sgf"]);
    assert_eq!(
        words,
        "Both players have passed: the game is over. --move N asks about a move before that.\n"
    );
    let (json, _) = said(&["explain", "samples/9x9.sgf", "--json", "--lang", "ja"]);
    contains(&json, &["\"over\":true", "終局"]);
}

#[test]
fn one_game_tells_nothing_about_others() {
    let (text, _) = said(&["eval", "samples/9x9.sgf", "--size-playouts", "1"]);
    contains(&text, &["1 game on 9x9", "cannot be told from one game"]);
    assert!(!text.contains('±'), "{text}");
}

#[test]
fn models_that_come_along_have_names_and_duplicates_are_counted() {
    let game = fs::read(root().join("samples/9x9.sgf")).unwrap();
    let (_folder, path) = folder(&[("many.sgf", &game.repeat(3))]);
    let args = ["eval", "--model", "uct9", "--model", "mc9", "--size-playouts", "1"];
    let (text, _) = said(&[&args[..], &[&path("many.sgf")]].concat());
    contains(&text, &["1 game on 9x9 (2 duplicates left out), ", "uct9, ", "mc9, "]);
    contains(&refused(&["eval", "--model", "uct8", "samples/9x9.sgf"], 1), &["uct8: there is no"]);
    // However the lines are broken.
    let help = |of| said(&["help", of]).0.split_whitespace().collect::<Vec<_>>().join(" ");
    contains(&help("rate"), &["drawn two games more"]);
    contains(&help("oracle"), &["'harie analysis' --visits 2000", "so many or more"]);
}

#[test]
fn players_and_files_that_are_not_there() {
    let error = refused(&["match", "--first", "harie:player=knowledge", "--second", "gnugo"], 2);
    contains(&error, &["knowledge:visits=500"]);
    let (_folder, path) = folder(&[("empty.txt", b"# nothing\n")]);
    for option in ["--book", "--patterns"] {
        let error = refused(&["gtp", option, "no-such-file"], 2);
        contains(&error, &["no-such-file: there is no such file"]);
    }
    contains(&refused(&["gtp", "--patterns", &path("empty.txt")], 2), &["ends without a pattern"]);
    contains(&refused(&["patterns", &path("empty.txt")], 1), &["ends without a pattern"]);
    contains(&refused(&["show", "--hints", "samples/9x9.sgf"], 2), &["a file comes before it"]);
}

#[test]
fn what_cannot_be_written_is_known_before_the_work() {
    let (_folder, path) = folder(&[]);
    let bad = path("none/reviewed.sgf");
    let none = path("none");
    // Before anything is read: there are no such games.
    for args in [
        &["review", "none.sgf", "-o", &bad][..],
        &["review", "none.sgf", "--html", &bad],
        &["book", "none.sgf", "-o", &bad],
        &["eval", "none.sgf", "--html", &bad],
        &["report", "none.json", "-o", &bad],
        &["show", "none.sgf", "--svg", &bad],
        &["stats", "none.sgf", "--svg", &bad],
    ] {
        let error = refused(args, 1);
        contains(&error, &["reviewed.sgf cannot be written", &format!("no folder {none}")]);
        assert!(!error.contains(".part"), "{error}");
    }
    let here = path("");
    contains(&refused(&["review", "samples/9x9.sgf", "-o", &here], 1), &["it is a folder"]);
}

#[test]
fn negative_numbers_are_values() {
    said(&["stats", "samples/9x9.sgf", "--komi", "-5", "--playouts", "10"]);
    let error = refused(&["explain", "samples/9x9.sgf", "--visits", "-3"], 2);
    contains(&error, &["a whole number from 1 up is wanted"]);
    let error = refused(&["score", "samples/9x9.sgf", "--game", "-1"], 2);
    assert!(!error.contains("'-- -1'"), "{error}");
}

#[test]
fn books_say_what_they_leave_out() {
    let (_folder, path) = folder(&[]);
    let (text, warned) =
        said(&["book", "samples", "--size", "9", "--fewest", "1", "-o", &path("my.book")]);
    contains(&text, &["from 1 game, moves played in 1 game or more"]);
    contains(&warned, &["left out: ", " on 19x19, not 9x9 (see --size)"]);
}

#[test]
fn json_that_is_none_is_said_in_words() {
    let (_folder, path) = folder(&[
        ("cut.json", b"{\"models\":"),
        ("other.json", b"{\"models\":[3]}"),
        ("text.json", b"hello\n"),
        ("few.jsonl", b"{\"size\":9}\n"),
    ]);
    let out = path("page.html");
    for (file, parts) in [
        ("cut.json", ["cut.json, line 1, column 10: it ends too early", "cut off"]),
        ("other.json", ["an object {…} is wanted, not integer 3", "'harie eval --json'"]),
        ("text.json", ["text.json, line 1, column 1: this is not JSON", "wanted is"]),
    ] {
        contains(&refused(&["report", &path(file), "-o", &out], 1), &parts);
    }
    let error = refused(&["eval", "--oracle", &path("few.jsonl")], 1);
    contains(&error, &["few.jsonl, line 1: 'id' is missing", "'harie oracle' writes"]);
    // A file of a match stands for the match.
    for file in ["", "/games.jsonl", "/match.json"] {
        said(&["report", &format!("matches/gnugo-19x19{file}"), "-o", &out]);
        contains(&fs::read_to_string(&out).unwrap(), &["harie:seconds=3 against gnugo"]);
    }
}

/// A zip archive of one stored entry, with this checksum.
fn zip(name: &str, bytes: &[u8], crc: u32) -> Vec<u8> {
    let (length, named) = (bytes.len() as u32, name.len() as u16);
    let mut all = Vec::new();
    let head = |all: &mut Vec<u8>| {
        for n in [0u16, 0, 0, 0] {
            all.extend(n.to_le_bytes());
        }
        for n in [crc, length, length] {
            all.extend(n.to_le_bytes());
        }
        all.extend(named.to_le_bytes());
        all.extend(0u16.to_le_bytes());
    };
    all.extend(b"PK\x03\x04\x14\x00");
    head(&mut all);
    all.extend(name.as_bytes());
    all.extend(bytes);
    let directory = all.len() as u32;
    all.extend(b"PK\x01\x02\x14\x00\x14\x00");
    head(&mut all);
    all.extend([0; 10]);
    all.extend(0u32.to_le_bytes());
    all.extend(name.as_bytes());
    let size = all.len() as u32 - directory;
    all.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    all.extend(size.to_le_bytes());
    all.extend(directory.to_le_bytes());
    all.extend(0u16.to_le_bytes());
    all
}

#[test]
fn damaged_records_are_named() {
    let game = b"(;GM[1]SZ[9];B[ee])";
    // The checksum of these bytes, as the format has it.
    let crc = 0x7d28d942;
    let inner = zip("a.sgf", game, crc);
    let mut noise = Vec::new();
    for i in 0..3000u32 {
        noise.write_all(&[(i.wrapping_mul(2_654_435_761) >> 13) as u8]).unwrap();
    }
    let mut begun = b"(;".to_vec();
    begun.extend(&noise);
    let (_folder, path) = folder(&[
        ("good.zip", &inner),
        ("sum.zip", &zip("a.sgf", game, crc ^ 1)),
        ("nested.zip", &zip("inner.zip", &inner, 0)),
        ("plain.gz", b"hello"),
        ("noise.sgf", &noise),
        ("begun.sgf", &begun),
        ("handicap.sgf", b"(;GM[1]SZ[9]HA[4];B[ee];W[cc])"),
    ]);
    contains(&said(&["records", &path("good.zip")]).0, &["Games      1 in 1 file"]);
    contains(&refused(&["records", &path("sum.zip")], 1), &["checksum of the entry is wrong"]);
    contains(
        &refused(&["records", &path("nested.zip")], 1),
        &["inner.zip: an archive within an archive is not read; unpack it first"],
    );
    contains(&refused(&["records", &path("plain.gz")], 1), &["is it gzip with SGF in it?"]);
    contains(&refused(&["records", &path("noise.sgf")], 1), &["there is no game in this file"]);
    for command in ["records", "show"] {
        let output = harie(&[command, &path("begun.sgf")]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!errors.contains("panicked"), "{errors}");
        contains(&errors, &["begun.sgf, game 1"]);
    }
    let (_, warned) = said(&["records", &path("handicap.sgf")]);
    contains(&warned, &["HA[4] but no stones are set up or placed; the board begins empty"]);
}

#[test]
fn nothing_that_is_read_is_written_over() {
    let game = fs::read(root().join("samples/9x9.sgf")).unwrap();
    let (_folder, path) = folder(&[("s.sgf", &game), ("m.json", b"{\"ratings\": []}")]);
    let (s, m, other) = (path("s.sgf"), path("m.json"), path("other"));
    for args in [
        &["review", &s, "-o", &s, "--visits", "2"][..],
        &["review", &s, "--html", &s, "--visits", "2"],
        &["show", &s, "--svg", &s],
        &["stats", &s, "--svg", &s, "--playouts", "10"],
        &["eval", &s, "--html", &s],
        &["book", &s, "-o", &s],
        &["extract", &s, "-o", &s],
        &["train", &s, "-o", &s],
        &["report", &m, "-o", &m],
    ] {
        contains(&refused(args, 1), &["is one of the files that are read; name another one"]);
    }
    assert_eq!(fs::read(&s).unwrap(), game);
    assert_eq!(fs::read(&m).unwrap(), b"{\"ratings\": []}");
    let twice = ["review", &s, "-o", &other, "--html", &other, "--visits", "2"];
    contains(&refused(&twice, 1), &["cannot be written twice"]);
    // A log is added to what is there.
    let words = b"mine\n";
    let (_folder, path) = folder(&[("log", words)]);
    said(&["gtp", "--log-file", &path("log")]);
    assert!(fs::read(path("log")).unwrap().starts_with(words));
}

#[test]
fn scores_are_told_with_what_is_odd() {
    let gzipped = |bytes: &[u8]| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    };
    let game = fs::read(root().join("samples/9x9.sgf")).unwrap();
    let whole = gzipped(&game);
    let (_folder, path) = folder(&[
        ("off.sgf", b"(;GM[1]SZ[9];B[zz]"),
        ("chess.sgf", b"(;GM[3];B[ee])"),
        ("large.sgf", b"(;GM[1]SZ[99];B[ee])"),
        ("broken.sgf", b"(;GM[1]SZ[9];B[ee];W[ee];B[cc])"),
        ("resigned.sgf", b"(;GM[1]SZ[9]RE[B+R];B[ee];W[cc])"),
        ("cut.sgf.gz", &whole[..whole.len() - 4]),
    ]);
    let (_, warned) = said(&["score", &path("off.sgf")]);
    contains(&warned, &["off.sgf, game 1", "the game was closed there"]);
    contains(&refused(&["score", &path("chess.sgf")], 1), &["chess.sgf, game 1", "not Go"]);
    contains(&refused(&["score", &path("large.sgf")], 1), &["large.sgf, game 1", "99"]);
    let nowhere = refused(&["score", "samples/9x9.sgf", "--move", "999"], 1);
    contains(&nowhere, &["the game has 45 moves; there is no move 999"]);
    contains(&said(&["score", &path("resigned.sgf")]).0, &["the record says B+R"]);
    for args in [&["score", "samples/9x9.sgf", "--move", "x"][..], &["gtp", "--seed", "1.5"]] {
        contains(&refused(args, 2), &["a whole number from 0 up is wanted"]);
    }
    // The game can be read.
    let cut = path("cut.sgf.gz");
    for command in ["show", "score"] {
        let output = harie(&[command, &cut]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        contains(&errors, &["cut.sgf.gz: the file is cut off or damaged"]);
    }
    // What cannot be played is told in the same words, and what to do; a review goes on up to it.
    for command in ["score", "stats", "explain"] {
        let why = refused(&[command, &path("broken.sgf")], 1);
        contains(&why, &["broken.sgf, game 1", "move 2, White E5", "--move N asks about"]);
    }
    let (text, warned) = said(&["review", &path("broken.sgf"), "--visits", "2"]);
    contains(&warned, &["move 2, White E5", "the review ends before it", "is chance"]);
    contains(&text, &["After move 1 Black wins"]);
}

#[test]
fn models_that_come_along_play_by_their_names() {
    let (_, warned) = said(&["gtp", "--model", "uct13", "--playout-model", "mc13"]);
    assert_eq!(warned, "");
    contains(&refused(&["gtp", "--model", "uct8"], 1), &["uct8: there is no such file", "uct19"]);
    contains(&refused(&["gtp", "--model", "mc9"], 1), &["this model is for playouts"]);
    let why = refused(&["gtp", "--few", "3"], 1);
    contains(&why, &["--few does nothing without --player knowledge"]);
    // Options of other questions are refused, not passed over.
    for option in [["--searches", "3"], ["--playouts", "5"], ["--sharpness", "2"]] {
        let why = refused(&[&["eval", "samples/9x9.sgf"], &option[..]].concat(), 2);
        contains(&why, &["--oracle <FILE>"]);
    }
    // The settings of the search have values.
    let (settings, _) = said(&["gtp", "--set", "help"]);
    contains(&settings, &["amaf: ", "[300]", "[2 on 9x9, 4 on 13x13, 4 on 19x19]"]);
}

#[test]
fn former_names_of_settings_are_taken_with_a_note() {
    let (_, note) = said(&["gtp", "--set", "doubt=0.2", "--set", "help"]);
    contains(&note, &["note: the setting 'doubt' is now called 'fpu-reduction'"]);
    let (_, note) = said(&["gtp", "--set", "fpu-reduction=0.2", "--set", "help"]);
    assert_eq!(note, "");
}

/// A match that the system ends takes the engines with it that it runs, whatever they are at, also when
/// it is told once more while it waits for one that does not leave.
#[cfg(target_os = "linux")]
#[test]
fn engines_end_with_the_match_that_is_ended() {
    let pause = || std::thread::sleep(std::time::Duration::from_millis(50));
    let program = |id: &str| fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
    for (last, times) in [("boardsize", 1), ("genmove", 1), ("quit", 2)] {
        let (_folder, path) = folder(&[]);
        let mark = path("mark");
        // An engine that thinks for ever about one command, and says who it is.
        let engine = format!(
            "gtp:sh -c 'echo $$ > {mark}; while read -r command rest; do case $command in \
             {last}) exec sleep 600;; esac; echo \"= \"; echo; done'"
        );
        let mut child = Command::new(env!("CARGO_BIN_EXE_harie"))
            .args(["match", "--first", &engine, "--second", "harie:visits=2", "--games", "2"])
            .args(["--size", "9", "--opening-moves", "0"])
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut id = String::new();
        let mut sleeps = || {
            id = fs::read_to_string(&mark).unwrap_or_default().trim().to_owned();
            program(&id).trim() == "sleep"
        };
        let waits = (0..1200).any(|_| {
            let waits = sleeps();
            if !waits {
                pause();
            }
            waits
        });
        let kill = || Command::new("kill").arg(child.id().to_string()).status().unwrap();
        let ended = kill();
        for _ in 1..times {
            pause();
            kill();
        }
        let has_left = (0..600).any(|_| {
            pause();
            child.try_wait().unwrap().is_some()
        });
        let goes_on = sleeps();
        let _ = child.kill();
        let _ = child.wait();
        assert!(waits && ended.success(), "{last} is not asked for");
        assert!(has_left, "it does not end at {last}");
        assert!(!goes_on, "the engine goes on at {last}");
    }
}
