//! The server with a handler that counts: every command is answered once, and lines interrupt what
//! they should.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use gtp::{By, Command, Failure, Handler, Reply, Talk, serve};
use proptest::prelude::*;

/// Knows a few commands; two of them think until they are interrupted, or for some rounds if told so.
#[derive(Default)]
struct Toy {
    handled: usize,
    idled: Arc<AtomicUsize>,
}

/// Rounds of a command that is to be interrupted: far more than that takes on any machine.
const ROUNDS: usize = 20_000;

impl Handler for Toy {
    fn names(&self) -> Vec<&'static str> {
        vec!["echo", "lines", "fail", "think", "analyse", "stop"]
    }

    fn handle(&mut self, command: &Command, talk: &mut Talk<'_>) -> Option<Reply> {
        let done = match command.name.as_str() {
            "echo" => Ok(command.words.join(" ")),
            "lines" => Ok("one\n\ntwo\n\n\nthree\n".to_owned()),
            "fail" => Err(Failure::new(format!("no:\n\n{}", command.arguments().rest()))),
            "stop" => Ok(String::new()),
            name @ ("think" | "analyse") => {
                let by = if name == "think" { By::Request } else { By::AnyLine };
                let flag = Arc::new(AtomicBool::new(false));
                let raised = Arc::clone(&flag);
                let _interrupt = talk.interrupt(by, move || raised.store(true, Ordering::Relaxed));
                let rounds = command.words.first().and_then(|word| word.parse().ok());
                for _ in 0..rounds.unwrap_or(ROUNDS) {
                    if flag.load(Ordering::Relaxed) {
                        break;
                    }
                    let _ = talk.line("thinking");
                    thread::sleep(Duration::from_millis(5));
                }
                let stopped = flag.load(Ordering::Relaxed);
                Ok(if stopped { "stopped" } else { "done" }.to_owned())
            }
            _ => return None,
        };
        self.handled += 1;
        Some(done)
    }

    fn idle(&mut self, _: &mut Talk<'_>) {
        self.idled.fetch_add(1, Ordering::Relaxed);
    }
}

/// What the server writes to a fixed input.
fn transcript(input: &[u8]) -> String {
    let (mut out, mut toy) = (Vec::new(), Toy::default());
    serve(io::Cursor::new(input.to_vec()), &mut out, &mut toy).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn commands_are_answered_in_order() {
    let input = "1 protocol_version\n\n# a comment\n2 echo a  b # c\r\nlines\n3 fail why\n\
                 known_command echo\nknown_command nope\n4\nnope\n5 quit\n6 echo never\n";
    assert_eq!(
        transcript(input.as_bytes()),
        "=1 2\n\n=2 a b\n\n= one\ntwo\nthree\n\n?3 no:\nwhy\n\n= true\n\n= false\n\n\
         ?4 syntax error: a number without a command\n\n? unknown command\n\n=5\n\n"
    );
    assert!(transcript(b"list_commands").contains("\nknown_command\n"));
}

/// Knows a command and counts how often it looks for one.
#[derive(Default)]
struct Clerk {
    looked: usize,
}

impl Handler for Clerk {
    fn names(&self) -> Vec<&'static str> {
        unreachable!("nobody asked for the names")
    }

    fn handle(&mut self, command: &Command, _: &mut Talk<'_>) -> Option<Reply> {
        self.looked += 1;
        (command.name == "echo").then(|| Ok(command.words.join(" ")))
    }
}

#[test]
fn a_command_is_looked_up_once() {
    let (mut out, mut clerk) = (Vec::new(), Clerk::default());
    serve(&b"echo a\necko b\nversion\nquit\n"[..], &mut out, &mut clerk).unwrap();
    let expected = "= a\n\n? unknown command\n\n? unknown command\n\n=\n\n";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
    assert_eq!(clerk.looked, 3);
}

#[test]
fn a_line_that_is_too_long_is_refused() {
    let mut input = b"7 echo ".to_vec();
    input.extend(vec![b'x'; gtp::LONGEST_LINE]);
    input.extend_from_slice(b"\n8 echo y\n");
    assert_eq!(transcript(&input), "?7 syntax error: the line is too long\n\n=8 y\n\n");
}

/// Input that comes when the test sends it, and output that the test can look at.
struct Pipe(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let n = buffer.len().min(self.1.len());
        buffer[..n].copy_from_slice(&self.1[..n]);
        self.1.drain(..n);
        Ok(n)
    }
}

/// When something will not come any more.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Page {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    fn wait_for(&self, words: &str) {
        let start = Instant::now();
        while !self.text().contains(words) {
            assert!(start.elapsed() < PATIENCE, "no {words:?} in {}", self.text());
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn live() -> (Sender<Vec<u8>>, Page, thread::JoinHandle<Toy>) {
    live_with(Toy::default())
}

fn live_with(mut toy: Toy) -> (Sender<Vec<u8>>, Page, thread::JoinHandle<Toy>) {
    let (sender, receiver) = channel();
    let page = Page::default();
    let mut out = page.clone();
    let server = thread::spawn(move || {
        serve(Pipe(receiver, Vec::new()), &mut out, &mut toy).unwrap();
        toy
    });
    (sender, page, server)
}

#[test]
fn any_line_ends_an_analysis() {
    for line in ["\n", "name\n", "# interrupt\n", "stop\n"] {
        let (input, page, server) = live();
        input.send(b"1 analyse\n".to_vec()).unwrap();
        page.wait_for("=1\nthinking\n");
        input.send(line.into()).unwrap();
        page.wait_for("stopped\n\n");
        drop(input);
        server.join().unwrap();
    }
}

#[test]
fn only_a_request_ends_a_search_for_a_move() {
    for line in ["# interrupt\n", "9 stop\n"] {
        let (input, page, server) = live();
        input.send(b"1 think\n".to_vec()).unwrap();
        page.wait_for("=1\nthinking\n");
        input.send(b"\n# not this\n".to_vec()).unwrap();
        thread::sleep(Duration::from_millis(50));
        assert!(!page.text().contains("stopped"));
        input.send(line.into()).unwrap();
        input.send(b"2 echo x\n".to_vec()).unwrap();
        page.wait_for("stopped\n\n");
        page.wait_for("=2 x\n\n");
        drop(input);
        server.join().unwrap();
        // Behind other commands it is meant for what they begin.
        let (input, page, server) = live();
        input.send(b"1 think 100\n".to_vec()).unwrap();
        page.wait_for("=1\nthinking\n");
        input.send(format!("2 echo x\n{line}").into()).unwrap();
        page.wait_for("done\n\n=2 x\n\n");
        drop(input);
        server.join().unwrap();
    }
}

#[test]
fn at_the_end_of_the_input_everything_is_answered() {
    let text = transcript(b"1 analyse\n");
    assert!(text.ends_with("stopped\n\n"), "{text}");
    // A search for a move takes its time.
    let text = transcript(b"1 think 100\n2 echo x\n");
    assert!(text.ends_with("done\n\n=2 x\n\n"), "{text}");
}

#[test]
fn it_idles_once_when_there_is_nothing_to_do() {
    let toy = Toy::default();
    let idled = Arc::clone(&toy.idled);
    let wait_for = |times| {
        while idled.load(Ordering::Relaxed) < times {
            thread::sleep(Duration::from_millis(1));
        }
        // Long enough to do it again.
        thread::sleep(Duration::from_millis(20));
    };
    let (input, page, server) = live_with(toy);
    wait_for(1);
    input.send(b"1 echo x\n".to_vec()).unwrap();
    page.wait_for("=1 x\n\n");
    wait_for(2);
    drop(input);
    let toy = server.join().unwrap();
    assert_eq!((toy.handled, idled.load(Ordering::Relaxed)), (1, 2));
}

/// The replies in an output.
fn replies(output: &str) -> Vec<&str> {
    output.split_terminator("\n\n").collect()
}

proptest! {
    #[test]
    fn no_bytes_upset_it(input in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut toy = Toy::default();
        let mut out = Vec::new();
        serve(io::Cursor::new(input.clone()), &mut out, &mut toy).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines = input.split(|&b| b == b'\n');
        let commands = lines.filter(|line| Command::parse(line).is_some()).count();
        prop_assert_eq!(replies(&text).len(), commands);
        prop_assert!(replies(&text).iter().all(|r| r.starts_with('=') || r.starts_with('?')));
    }

    #[test]
    fn every_number_comes_back_once(
        commands in proptest::collection::vec("(echo|lines|fail|analyse|stop|[ -~é]{0,12}) [ -~\t]{0,12}", 1..20)
    ) {
        let commands: Vec<String> =
            commands.into_iter().filter(|c| !c.trim_start().starts_with("quit")).collect();
        let mut input = String::new();
        for (i, command) in commands.iter().enumerate() {
            input.push_str(&format!("{i} {command}\n"));
        }
        let text = transcript(input.as_bytes());
        let heads: Vec<String> = replies(&text)
            .iter()
            .map(|r| r[1..].chars().take_while(char::is_ascii_digit).collect())
            .collect();
        let expected: Vec<String> = (0..commands.len()).map(|i| i.to_string()).collect();
        prop_assert_eq!(heads, expected);
    }
}
