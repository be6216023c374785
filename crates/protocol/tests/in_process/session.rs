//! Sessions of the Go Text Protocol.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Write};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};

use engine::Engine;
use goban::{Game, Rules, Size};
use kifu::Record;
use protocol::{Loaded, Records, Session, Settings};

use crate::support::{library, options, rater};

/// Files in memory.
#[derive(Clone, Default)]
struct Drawer(Rc<RefCell<BTreeMap<String, String>>>);

impl Records for Drawer {
    fn open(&self, name: &str) -> Result<Loaded, String> {
        let files = self.0.borrow();
        let text = files.get(name).ok_or_else(|| format!("{name}: there is no such file"))?;
        let (trees, mut warnings) = kifu::read(text.as_bytes());
        let tree = trees.first().ok_or_else(|| format!("{name}: there is no game"))?;
        let record = Record::new(tree, &mut warnings).map_err(|why| why.to_string())?;
        Ok(Loaded { record, warnings, damage: None, at: name.to_owned() })
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        if name.contains('/') {
            return Err(io::Error::new(io::ErrorKind::NotFound, "there is no such folder"));
        }
        self.0.borrow_mut().insert(name.to_owned(), text.to_owned());
        Ok(())
    }
}

fn settings() -> Settings {
    Settings {
        name: "Harie".to_owned(),
        version: "test".to_owned(),
        ponder: false,
        live: None,
        records: Box::new(Drawer::default()),
        rater: rater(),
    }
}

/// A session before an empty 9x9 board.
fn session(settings: Settings) -> Session {
    let game = Game::new(Size::NINE, Rules::CHINESE, 7.0);
    Session::new(Engine::new(library(), options()), game, settings)
}

/// The replies to these lines, without the empty lines that end them.
fn replies(settings: Settings, lines: &str) -> Vec<String> {
    let mut out = Vec::new();
    let source = Cursor::new(lines.to_owned().into_bytes());
    gtp::serve(source, &mut out, &mut session(settings)).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.split_terminator("\n\n").map(str::to_owned).collect()
}

/// Each line with its reply.
fn converse(settings: Settings, talk: &[(&str, &str)]) {
    let lines: String = talk.iter().map(|(line, _)| format!("{line}\n")).collect();
    let replies = replies(settings, &lines);
    assert_eq!(replies.len(), talk.len(), "{replies:?}");
    for ((line, expected), reply) in talk.iter().zip(&replies) {
        assert_eq!(reply, expected, "{line}");
    }
}

#[test]
fn each_line_has_its_reply() {
    converse(
        settings(),
        &[
            ("1 name", "=1 Harie"),
            ("version", "= test"),
            ("query_boardsize", "= 9"),
            ("play b E5", "="),
            ("2 play w C3 # a comment", "=2"),
            ("undo", "="),
            ("komi 0.5", "="),
            ("get_komi", "= 0.5"),
            ("known_command genmove", "= true"),
            ("known_command genmoves", "= false"),
            ("kata-get-param maxVisits", "= 20"),
            ("harie-param visits 30", "="),
            ("kata-get-param maxVisits", "= 30"),
            ("boardsize 7", "="),
            ("query_boardsize", "= 7"),
            ("3 quit", "=3"),
        ],
    );
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    converse(
        settings(),
        &[
            ("play b E5", "="),
            ("fly", "? unknown command"),
            ("4 Play b E5", "?4 unknown command"),
            ("play b E5", "? illegal move: Black E5: the point is occupied"),
            (
                "play b",
                "? syntax error: expected a vertex such as G7 (A1 to J9), or pass, got nothing more",
            ),
            ("play green E4", "? syntax error: expected a colour, black or white, got 'green'"),
            ("play w E4 now", "? syntax error: nothing is expected after that, got 'now'"),
            ("boardsize 99", "? unacceptable size: boards go from 2x2 to 25x25"),
            ("komi 1e6", "? syntax error: komi goes from -1000 to 1000"),
            (
                "kata-set-param maxVisits -3",
                "? syntax error: visits is a whole number from 1 up, or none, not '-3'",
            ),
            (
                "kata-set-rules football",
                "? unknown rules 'football'; there are chinese, japanese, korean, aga, new-zealand, \
                 tromp-taylor, cgos",
            ),
            (
                "harie-solve black 0",
                "? syntax error: a number of seconds above 0 and up to a day is wanted, got '0'",
            ),
            ("loadsgf nowhere.sgf", "? cannot load file: nowhere.sgf: there is no such file"),
            ("printsgf no/where.sgf", "? cannot write no/where.sgf: there is no such folder"),
            ("undo", "="),
            ("undo", "? cannot undo: there are no moves"),
        ],
    );
}

#[test]
fn the_same_seed_makes_the_same_move() {
    let lines = "play b E5\ngenmove w\nshowboard\n";
    let first = replies(settings(), lines);
    let mv = first[1].strip_prefix("= ").unwrap();
    assert!(Size::NINE.parse_point(mv).is_some(), "{mv}");
    assert!(first[2].contains(&format!("move 2: White {mv}, Black to play")), "{}", first[2]);
    assert_eq!(replies(settings(), lines), first);
}

#[test]
fn records_go_through_what_the_session_is_given() {
    let drawer = Drawer::default();
    let given = |drawer: &Drawer| Settings { records: Box::new(drawer.clone()), ..settings() };
    converse(
        given(&drawer),
        &[("play b C3", "="), ("play w G7", "="), ("printsgf a game.sgf", "=")],
    );
    let written = drawer.0.borrow()["a game.sgf"].clone();
    assert!(written.contains(";B[cg];W[gc]"), "{written}");
    let read =
        replies(given(&drawer), "loadsgf a game.sgf\nprintsgf\nloadsgf a game.sgf 2\nundo\nundo\n");
    assert_eq!(read[1].strip_prefix("= ").unwrap().trim_end(), written.trim_end());
    // Before the second move there is only one to take back.
    assert_eq!(read[2..], ["=", "=", "? cannot undo: there are no moves"]);
}

#[test]
fn a_front_end_may_watch_what_is_thought() {
    let pictures = Rc::new(RefCell::new(Vec::new()));
    let album = Rc::clone(&pictures);
    let live = Box::new(move |picture: &str| album.borrow_mut().push(picture.to_owned()));
    let told = replies(Settings { live: Some(live), ..settings() }, "genmove b\n");
    let pictures = pictures.borrow();
    let last = pictures.last().expect("the last report at least");
    assert!(last.starts_with("gogui-gfx:\nVAR b ") && last.ends_with(" playouts\n"), "{last}");
    let mv = told[0].strip_prefix("= ").unwrap();
    assert!(last.contains(&format!("LABEL {mv} ")), "{mv}: {last}");
}

#[test]
fn problems_are_read_in_the_position_of_the_game() {
    // White's eye space of three in the corner: the vital point kills, and is what White lives by.
    let wall = "gogui-setup b A3 b B3 b C3 b D3 b E3 b E2 b E1 w A2 w B2 w C2 w D2 w D1";
    let told = replies(settings(), &format!("{wall}\nharie-solve w live C2 20\n"));
    assert!(told[1].contains("TEXT White to live C2: B1 works (proved)"), "{}", told[1]);
}

/// Lines that are sent while it answers.
struct Wire(Receiver<&'static str>);

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Ok(line) = self.0.recv() else { return Ok(0) };
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

/// Output that sends a line as soon as words appear in it.
struct Cue {
    text: String,
    words: &'static str,
    line: Option<&'static str>,
    wire: Option<Sender<&'static str>>,
}

impl Write for Cue {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.push_str(std::str::from_utf8(bytes).unwrap());
        if self.text.contains(self.words)
            && let (Some(line), Some(wire)) = (self.line.take(), self.wire.take())
        {
            // Nothing more comes after it.
            wire.send(line).unwrap();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is written to a first line when a second one comes while that is carried out.
fn interrupted(first: &'static str, second: &'static str) -> String {
    let (wire, lines) = channel();
    wire.send(first).unwrap();
    let mut out =
        Cue { text: String::new(), words: "info move", line: Some(second), wire: Some(wire) };
    gtp::serve(Wire(lines), &mut out, &mut session(settings())).unwrap();
    assert!(out.line.is_none(), "nothing was thought: {}", out.text);
    out.text
}

#[test]
fn another_line_ends_an_analysis() {
    for line in ["5 name\n", "\n5 name\n"] {
        let text = interrupted("lz-analyze b interval 1\n", line);
        assert!(text.starts_with("=\ninfo move ") && text.ends_with("\n\n=5 Harie\n\n"), "{text}");
    }
}

#[test]
fn only_a_request_ends_a_search_for_a_move() {
    let endless = "kata-set-param maxVisits 1000000000\nkata-genmove_analyze b interval 1\n";
    let text = interrupted(endless, "stop\n");
    assert!(text.contains("\nplay ") && text.ends_with("\n\n=\n\n"), "{text}");
    // All its playouts are made whatever else is asked.
    let whole = "kata-set-param maxVisits 3000\nkata-genmove_analyze b interval 1 rootinfo true\n";
    let text = interrupted(whole, "5 name\n");
    assert!(text.contains("rootInfo visits 3000 ") && text.ends_with("\n\n=5 Harie\n\n"), "{text}");
}
