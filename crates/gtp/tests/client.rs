//! The client with engines that behave and engines that do not. They are shell scripts.
#![cfg(unix)]

use std::time::{Duration, Instant};

use gtp::{Client, ClientError};

const SOON: Duration = Duration::from_secs(5);

/// An engine that is a shell script.
fn script(text: &str) -> Client {
    let quoted = shlex::try_quote(text).unwrap();
    Client::start(&format!("sh -c {quoted}")).unwrap()
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

#[test]
fn one_that_hangs_is_ended() {
    let mut engine = script("echo 'I am slow' >&2; read line; exec sleep 60");
    let start = Instant::now();
    let error = engine.ask("genmove b", Duration::from_millis(300)).unwrap_err();
    assert!(matches!(error, ClientError::Hung { .. }), "{error}");
    assert!(error.to_string().contains("I am slow"), "{error}");
    assert!(matches!(engine.ask("name", SOON), Err(ClientError::Gone { .. })));
    drop(engine);
    assert!(start.elapsed() < SOON);
}

#[test]
fn one_that_dies_is_reported_with_its_last_words() {
    let mut engine = script("echo 'out of luck' >&2; read line; exit 3");
    let error = engine.ask("genmove b", SOON).unwrap_err().to_string();
    assert!(error.contains("went away at 'genmove b' (exit status: 3)"), "{error}");
    assert!(error.ends_with("out of luck"), "{error}");
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
