//! Extracting patterns and training models as people do it: every family and every method that the help
//! names, and runs that are stopped.

mod program;

use std::fs;
use std::path::Path;
use std::process::Command;

use program::{command, harie, stderr, stdout};

/// The ways of learning that the program offers.
fn methods() -> Vec<String> {
    let said = stderr(&["train", "games.sgf", "-o", "x.model", "--method", "none of them"], 2);
    let (_, rest) = said.split_once("[possible values: ").unwrap();
    let (list, _) = rest.split_once(']').unwrap();
    let methods: Vec<String> = list.split(", ").map(str::to_owned).collect();
    assert!(methods.len() >= 6, "{said}");
    methods
}

/// The families that the help of training offers, the first and the last of those that have numbers.
fn families() -> Vec<String> {
    let help = stdout(&["help", "train"]).split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, rest) = help.split_once("extracted first: ").unwrap();
    let (list, _) = rest.split_once(" [default").unwrap();
    let mut families = Vec::new();
    for name in list.split(", ").map(|name| name.trim_matches('\'')) {
        match name.split_once(" to ") {
            None => families.push(name.to_owned()),
            // Such as 'n2 to n9'.
            Some((first, last)) if !first.contains('(') => {
                families.extend([first, last].map(str::to_owned));
            }
            // Such as 'moore(1 to 7)'.
            Some((first, last)) => {
                let (kind, _) = first.split_once('(').unwrap();
                families.extend([format!("{first})"), format!("{kind}({last}")]);
            }
        }
    }
    assert!(families.len() >= 11, "{list}");
    families
}

/// A folder with some games of made-up moves.
fn some_games(count: usize) -> (tempfile::TempDir, String) {
    let mut state = 3u64;
    let mut below = move |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let mut text = String::new();
    for _ in 0..count {
        text += "(;GM[1]SZ[9]KM[7]";
        // Each point once, so that every move is legal.
        let mut points: Vec<(u64, u64)> = (0..81).map(|i| (i % 9, i / 9)).collect();
        for i in 0..30 {
            let (x, y) = points.swap_remove(below(points.len() as u64) as usize);
            let letter = |v: u64| (b'a' + v as u8) as char;
            let player = if i % 2 == 0 { 'B' } else { 'W' };
            text += &format!(";{player}[{}{}]", letter(x), letter(y));
        }
        text += ")\n";
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sgf");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn extract_writes_a_dictionary() {
    let (folder, games) = some_games(40);
    let output = folder.path().join("patterns.dict");
    let output = output.to_str().unwrap();
    let said = stdout(&["extract", &games, "--family", "n4", "--min-seen", "20", "-o", output]);
    assert!(said.contains("patterns of the family N4 from 40 games, "), "{said}");
    assert!(said.contains("Most played") && fs::metadata(output).unwrap().len() > 1000);
    let json = stdout(&["extract", &games, "--family", "3x3", "-o", output, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["family"], &json["games"]), (&"3x3".into(), &40.into()));
    let anew = harie(&["extract", &games, "--family", "n2", "-o", output, "--resume"]);
    let warned = String::from_utf8(anew.stderr).unwrap();
    assert!(anew.status.success() && warned.contains("counting begins anew"), "{warned}");
    let error = stderr(&["extract", &games, "--size", "13", "-o", output], 1);
    assert!(error.contains("no game on 13x13"), "{error}");
    assert!(stderr(&["extract", &games, "-o", output, "--memory", "some"], 2).contains("4GB"));
}

#[test]
fn train_learns_from_any_folder_and_says_what() {
    let (folder, games) = some_games(60);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, picture) = (path("my.model"), path("curve.svg"));
    let args = [
        "train",
        &games,
        "-o",
        &model,
        "--min-played",
        "5",
        "--validation",
        "0.2",
        "--epochs",
        "2",
    ];
    let output = harie(&[&args[..], &["--curve", &picture]].concat());
    let (said, warned) = (output.stdout, String::from_utf8(output.stderr).unwrap());
    let said = String::from_utf8(said).unwrap();
    assert!(output.status.success(), "{warned}");
    assert!(warned.contains("are few") && warned.contains("pass 2: "), "{warned}");
    for words in ["Match1", "mean rank", "Strongest features", "Weakest shapes", "Written to"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(fs::read_to_string(&picture).unwrap().contains("<polyline"));
    let said = stdout(&["train", "--model", &model, "--test", &games]);
    assert!(said.contains("on 60 games") && said.contains("log-likelihood"), "{said}");
    // One seed, one model.
    let first = fs::read(&model).unwrap();
    assert!(harie(&args).status.success());
    assert_eq!(fs::read(&model).unwrap(), first);
    for method in methods() {
        let output = harie(&[&args[..], &["--method", &method, "--json"]].concat());
        assert!(output.status.success(), "{method}: {}", String::from_utf8_lossy(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(report["log_likelihood"].as_f64().unwrap() < -1.0, "{method}");
        stdout(&["train", "--model", &model, "--test", &games]);
    }
    let error = stderr(&[&args[..], &["--use", "mc", "--method", "factors"]].concat(), 1);
    assert!(error.contains("another --method"), "{error}");
    // Nothing to learn from: the model that comes with the program is measured.
    let said = stdout(&["train", "--test", &games]);
    assert!(said.contains("The model that comes with Harie") && said.contains("Match1"), "{said}");
    let error = stderr(&["train", &games], 2);
    assert!(error.contains("--output"), "{error}");
    let error = stderr(&["train", "--model", &games, "--test", &games], 1);
    assert!(error.contains("not a Harie model"), "{error}");
}

#[test]
fn every_family_that_the_help_names_can_be_learned() {
    let (folder, games) = some_games(30);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (dictionary, model) = (path("patterns.dict"), path("my.model"));
    for family in families() {
        let extract =
            ["extract", &games, "--family", &family, "--min-seen", "5", "-o", &dictionary];
        stdout(&extract);
        for purpose in ["uct", "mc"] {
            let args = [
                "train",
                &games,
                "-o",
                &model,
                "--use",
                purpose,
                "--epochs",
                "1",
                "--validation",
                "0.2",
                "--min-played",
                "2",
                "--family",
                &family,
            ];
            let output = harie(&args);
            let said = String::from_utf8(output.stderr).unwrap();
            if purpose == "mc" && !output.status.success() {
                // Playouts cannot follow all of them, and say so before anything is learned.
                let error = said.to_ascii_lowercase();
                assert!(error.contains(&family) && !said.contains("pass 1"), "{family}: {said}");
                continue;
            }
            assert!(output.status.success(), "{family}: {said}");
            let said = stdout(&["train", "--model", &model, "--test", &games]);
            assert!(said.contains("log-likelihood"), "{family}: {said}");
            let said = stdout(&["eval", &games, "--model", &model]);
            assert!(said.contains("Match1"), "{family}: {said}");
        }
    }
}

#[test]
fn what_cannot_be_gone_on_from_is_refused() {
    let (folder, games) = some_games(30);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let model = path("my.model");
    let args = ["train", &games, "-o", &model, "--validation", "0.2", "--resume"];
    let error = stderr(&args, 1);
    assert!(error.contains("there is no") && error.contains("my.model.checkpoint"), "{error}");
    assert!(error.contains("Without --resume") && !error.contains("pass 1"), "{error}");
    assert!(!Path::new(&model).exists());
    let other = train::Checkpoint {
        options: "--use mc --seed 7".to_owned(),
        games: [1, 2],
        dictionary: Vec::new(),
        standing: train::Standing::default(),
        state: Vec::new(),
    };
    let other = other.to_bytes();
    let old = [b"HARIECHK", &1u16.to_le_bytes()[..], &[0; 40]].concat();
    for (bytes, why) in [
        (&other[..], "--use was mc and is uct now"),
        (&other[..], "--seed was 7 and is 1 now"),
        (&other[..], "the games or their order"),
        (&other[..other.len() - 1], "damaged or cut off"),
        (&old[..], "has format 1"),
        (b"(;SZ[9])", "no checkpoint"),
        (b"", "no checkpoint"),
    ] {
        fs::write(path("my.model.checkpoint"), bytes).unwrap();
        let error = stderr(&args, 1);
        assert!(error.contains(why) && error.contains("my.model.checkpoint"), "{why}: {error}");
        assert!(!Path::new(&model).exists(), "{why}");
        let kept = fs::read(path("my.model.checkpoint")).unwrap();
        assert!(kept == bytes, "{why}: what is there stays");
    }
    // A run that begins anew keeps what could have been gone on from.
    let (anew, _) = args.split_at(args.len() - 1);
    let said = stderr(anew, 0);
    assert!(said.contains("my.model.checkpoint.old"), "{said}");
    assert!(fs::read(path("my.model.checkpoint.old")).unwrap().is_empty());
}

/// Training that is stopped by signals, at whatever moment they come, and goes on: the model is that of a
/// run which nobody stopped.
#[cfg(unix)]
#[test]
fn a_model_does_not_depend_on_interruptions() {
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Stdio};

    let (folder, games) = some_games(60);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, checkpoint) = (path("b.model"), path("b.model.checkpoint"));
    for method in methods() {
        // What made it is in the file, and the name of the file is not.
        let learn = |output: &str, more: &[&str]| {
            let args = [
                "train",
                &games,
                "-o",
                output,
                "--validation",
                "0.2",
                "--min-played",
                "3",
                "--epochs",
                "5",
                "--method",
                &method,
            ];
            command(&[&args[..], more].concat())
        };
        let whole = path("a.model");
        assert!(learn(&whole, &[]).output().unwrap().status.success(), "{method}");
        assert!(!Path::new(&path("a.model.checkpoint")).exists());
        let start = |more: &[&str]| {
            learn(&model, more).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let signal = |child: &Child, name: &str| {
            let id = child.id().to_string();
            Command::new("kill").args([name, &id]).status().unwrap();
        };
        // Killed as soon as there is something to go on from: before the first pass is over.
        let mut child = start(&[]);
        while !Path::new(&checkpoint).exists() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        signal(&child, "-KILL");
        let mut done = child.wait_with_output().unwrap().status.success();
        // Then asked to stop, or killed, after the first pass of each run.
        for name in ["-INT", "-INT", "-KILL", "-INT"] {
            if done {
                break;
            }
            let mut child = start(&["--resume"]);
            let mut errors = BufReader::new(child.stderr.take().unwrap());
            let (mut said, mut sent) = (String::new(), false);
            while errors.read_line(&mut said).unwrap() > 0 {
                if !sent && said.lines().last().is_some_and(|line| line.starts_with("pass ")) {
                    signal(&child, name);
                    sent = true;
                }
            }
            let status = child.wait().unwrap();
            // A kill may come when all is done but the last words.
            done = status.success() || !Path::new(&checkpoint).exists();
            let kept = said.contains("--resume goes on") && status.code() == Some(1);
            assert!(done || kept || name == "-KILL", "{method}: {status:?}, {said}");
        }
        if !done {
            let output = learn(&model, &["--resume"]).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{method}: {said}");
        }
        assert!(!Path::new(&checkpoint).exists(), "{method}");
        assert!(fs::read(&model).unwrap() == fs::read(&whole).unwrap(), "{method}: models differ");
    }
}
