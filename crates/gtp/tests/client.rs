//! The client with engines that behave and engines that do not. They are shell scripts.
#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::Duration;

use gtp::{Client, ClientError, Process};

/// Longer than any of these engines needs, however busy the machine is.
const SOON: Duration = Duration::from_secs(60);

/// The command line of a shell script.
fn command(text: &str) -> String {
    format!("sh -c {}", shlex::try_quote(text).unwrap())
}

/// An engine that is a shell script.
fn script(text: &str) -> Client {
    Client::start(&command(text)).unwrap()
}

#[test]
fn it_asks_and_understands() {
    let mut engine = script(
        "while read line; do case \"$line\" in quit) exit;; name) printf '= Toy\\n\\n';; \
         board) printf '=\\n a b\\n c d\\n\\n\\n';; *) printf '?12 unknown command\\n\\n';; esac; done",
    );
    assert_eq!(engine.ask("name", SOON).unwrap(), "Toy");
    assert_eq!(engine.ask("board", SOON).unwrap(), "a b\n c d");
    let refused = engine.ask("fly", SOON).unwrap_err();
    assert!(refused.to_string().ends_with("'fly' was refused: unknown command"), "{refused}");
    assert_eq!(engine.ask("name", SOON).unwrap(), "Toy");
}

/// Whether a process is still there.
fn runs(id: &str) -> bool {
    let mut kill = Command::new("kill");
    kill.args(["-0", id]).stderr(Stdio::null()).status().unwrap().success()
}

#[test]
fn one_that_hangs_is_ended() {
    let mut engine =
        script("echo 'I am slow' >&2; read line; printf \"= $$\\n\\n\"; read line; exec sleep 600");
    let id = engine.ask("name", SOON).unwrap();
    let error = engine.ask("genmove b", Duration::from_millis(300)).unwrap_err();
    assert!(matches!(error, ClientError::Hung { .. }), "{error}");
    assert!(error.to_string().contains("I am slow"), "{error}");
    assert!(!runs(&id));
    assert!(matches!(engine.ask("name", SOON), Err(ClientError::Gone { .. })));
}

#[test]
fn one_that_dies_is_reported_with_its_last_words() {
    for last in [
        "echo 'out of luck' >&2",
        // Late, after its output ended.
        "exec >&-; sleep 0.2; echo 'out of luck' >&2",
        // So late that it is gone itself: a program that it started says why.
        "{ sleep 0.5; echo 'out of luck' >&2; } >&- &",
    ] {
        let dies = format!("read line; {last}\nexit 3");
        let mut engine = script(&dies);
        let error = engine.ask("genmove b", SOON).unwrap_err().to_string();
        assert!(error.contains("went away at 'genmove b' (exit status: 3)"), "{error}");
        assert!(error.ends_with("out of luck"), "{last}: {error}");

        let mut program = Process::start(&command(&dies)).unwrap();
        program.send("genmove b").unwrap();
        let error = program.line(SOON).unwrap_err().to_string();
        assert!(error.contains("(exit status: 3)"), "{error}");
        assert!(error.ends_with("out of luck"), "{last}: {error}");
    }
}

#[test]
fn last_words_are_not_waited_for_for_ever() {
    let mut engine = script("sleep 600 >&- & echo $! >&2; read line; exit 3");
    let error = engine.ask("genmove b", SOON).unwrap_err().to_string();
    let id = error.lines().last().unwrap();
    assert!(runs(id), "{error}");
    assert!(Command::new("kill").arg(id).status().unwrap().success());
}

#[test]
fn one_that_babbles_is_reported() {
    let mut engine = script("read line; printf 'hello\\n\\n'; read line");
    let error = engine.ask("name", SOON).unwrap_err().to_string();
    assert!(error.contains("begins with 'hello'"), "{error}");
}

#[test]
fn what_cannot_be_started_says_why() {
    let error = Client::start("no-such-engine-anywhere --gtp").err().unwrap().to_string();
    assert!(error.contains("cannot be started"), "{error}");
    for line in ["", "  ", "engine 'open"] {
        assert!(matches!(Client::start(line), Err(ClientError::CommandLine(_))), "{line:?}");
    }
}
