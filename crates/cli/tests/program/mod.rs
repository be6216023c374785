//! The program as tests run it, in the folder of the workspace.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The program with these arguments, to be started.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harie"));
    command.args(args).current_dir(root()).env_remove("RUST_BACKTRACE");
    command
}

/// What a run of the program did.
pub fn harie(args: &[&str]) -> Output {
    command(args).output().expect("harie runs")
}

/// Standard output of a run that must succeed and say nothing on standard error.
pub fn stdout(args: &[&str]) -> String {
    let output = harie(args);
    let errors = but_progress(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Standard error of a run that must end with this code.
pub fn stderr(args: &[&str], code: i32) -> String {
    let output = harie(args);
    assert_eq!(output.status.code(), Some(code), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Standard error without the line a minute that tells how far long work is (`Games: 3 of 10, …`): a loaded
/// machine may need that long for what a test asks for.
fn but_progress(errors: &[u8]) -> String {
    let is_progress = |line: &str| {
        let counts = line.split_once(": ").and_then(|(_, rest)| rest.split_once(','));
        counts.is_some_and(|(counts, _)| {
            let number = |word: &str| word.parse::<u64>().is_ok();
            counts.split_once(" of ").is_some_and(|(done, all)| number(done) && number(all))
        })
    };
    let errors = String::from_utf8_lossy(errors);
    errors.lines().filter(|line| !is_progress(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn progress_is_told_from_errors() {
    let errors = b"Games: 3 of 10, 2.1 games/min, 4 s left 50 %\nwarning: 3 of 10, and so on\nwarning: odd\n";
    assert_eq!(but_progress(errors), "warning: odd\n");
    assert_eq!(but_progress(b"warning: games.sgf: 3 of 10\n"), "warning: games.sgf: 3 of 10\n");
}
