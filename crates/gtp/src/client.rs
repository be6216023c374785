//! Running an engine and asking it: the side of front ends and match tools.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::child::ChildProcess;
use crate::last_words::LastWords;

/// How often someone who waits for an answer looks whether it is still wanted.
const GLANCE: Duration = Duration::from_millis(50);

/// What goes wrong with an engine. Every message names the engine and what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The command line has an open quote, or nothing in it.
    #[error("'{0}' is not a command line: nothing in it, or a quote that is not closed")]
    CommandLine(String),
    /// The system cannot run it.
    #[error("{engine}: cannot be started: {error}")]
    Start {
        /// The command line.
        engine: String,
        /// Why.
        error: io::Error,
    },
    /// It answered with `?`.
    #[error("{engine}: '{command}' was refused: {message}")]
    Refused {
        /// The command line.
        engine: String,
        /// What it was asked.
        command: String,
        /// What it said.
        message: String,
    },
    /// It did not answer in time and was ended.
    #[error("{engine}: no answer to '{command}' within {timeout:?}; it was ended{stderr}")]
    Hung {
        /// The command line.
        engine: String,
        /// What it was asked.
        command: String,
        /// How long.
        timeout: Duration,
        /// The end of what it wrote to standard error.
        stderr: String,
    },
    /// Nobody wanted the answer any more, and it was ended.
    #[error("{engine}: '{command}' was given up, and the engine was ended")]
    Cancelled {
        /// The command line.
        engine: String,
        /// What it was asked.
        command: String,
    },
    /// It is gone.
    #[error("{engine}: it went away at '{command}'{}{stderr}", status_words(.status))]
    Gone {
        /// The command line.
        engine: String,
        /// What it was asked.
        command: String,
        /// How it ended, if known.
        status: Option<ExitStatus>,
        /// The end of what it wrote to standard error.
        stderr: String,
    },
    /// It wrote something that is no reply.
    #[error("{engine}: the answer to '{command}' begins with '{line}' in place of = or ?")]
    Garbled {
        /// The command line.
        engine: String,
        /// What it was asked.
        command: String,
        /// What it wrote.
        line: String,
    },
}

fn status_words(status: &Option<ExitStatus>) -> String {
    status.map_or_else(String::new, |status| format!(" ({status})"))
}

/// An engine that runs as a process of its own. It is told to quit, and ended if it does not, when
/// this is dropped.
pub struct Client {
    engine: String,
    program: ChildProcess,
    /// `None` once it was closed.
    input: Option<ChildStdin>,
    replies: Receiver<Vec<String>>,
    stderr: LastWords,
}

impl Client {
    /// Starts an engine. The command line is split into words as a shell does it; there is no shell.
    ///
    /// # Errors
    /// If it cannot be split or started.
    pub fn start(command_line: &str) -> Result<Client, ClientError> {
        let words = shlex::split(command_line).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| ClientError::CommandLine(command_line.to_owned()))?;
        let mut command = std::process::Command::new(&words[0]);
        command.args(&words[1..]);
        Client::run(command, command_line)
    }

    /// Starts an engine whose command is known; `name` is what messages call it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(command: std::process::Command, name: &str) -> Result<Client, ClientError> {
        let engine = name.to_owned();
        let start = |error| ClientError::Start { engine: engine.clone(), error };
        let (program, pipes) = ChildProcess::start(command).map_err(start)?;
        let (sender, replies) = channel();
        if let Some(output) = pipes.output {
            thread::spawn(move || {
                let mut lines = TextLines(BufReader::new(output));
                // Ends when the engine closes its output, or nobody waits for replies any more.
                while let Some(reply) = read_reply(&mut lines) {
                    if sender.send(reply).is_err() {
                        break;
                    }
                }
            });
        }
        let stderr = pipes.errors.map(LastWords::listen).unwrap_or_default();
        Ok(Client { engine, program, input: pipes.input, replies, stderr })
    }

    /// The command line that it was started with.
    pub fn engine(&self) -> &str {
        &self.engine
    }

    /// Sends a command, without a line end, and waits for the reply. An engine that takes longer
    /// than `timeout` is ended.
    ///
    /// # Errors
    /// What went wrong; after anything but a refusal the engine is of no use any more.
    pub fn ask(&mut self, command: &str, timeout: Duration) -> Result<String, ClientError> {
        self.ask_while(command, timeout, &|| true)
    }

    /// As [`Client::ask`], but the engine is also ended as soon as `go_on` says no.
    ///
    /// # Errors
    /// What went wrong; after anything but a refusal the engine is of no use any more.
    pub fn ask_while(
        &mut self,
        command: &str,
        timeout: Duration,
        go_on: &dyn Fn() -> bool,
    ) -> Result<String, ClientError> {
        debug_assert!(!command.contains('\n'), "one command at a time");
        tracing::debug!(target: "gtp", engine = self.engine, "> {command}");
        let sent = self
            .input
            .as_mut()
            .is_some_and(|input| writeln!(input, "{command}").and_then(|()| input.flush()).is_ok());
        if !sent {
            return Err(self.gone(command));
        }
        let start = Instant::now();
        loop {
            let left = timeout.saturating_sub(start.elapsed());
            match self.replies.recv_timeout(left.min(GLANCE)) {
                Ok(lines) => return self.understand(command, lines),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone(command)),
                Err(RecvTimeoutError::Timeout) if left > GLANCE && go_on() => {}
                Err(RecvTimeoutError::Timeout) => {
                    self.end();
                    let (engine, command) = (self.engine.clone(), command.to_owned());
                    if left > GLANCE {
                        return Err(ClientError::Cancelled { engine, command });
                    }
                    let stderr = self.stderr.told();
                    return Err(ClientError::Hung { engine, command, timeout, stderr });
                }
            }
        }
    }

    fn understand(&self, command: &str, lines: Vec<String>) -> Result<String, ClientError> {
        let text = lines.join("\n");
        tracing::debug!(target: "gtp", engine = self.engine, "< {text}");
        let (engine, command) = (self.engine.clone(), command.to_owned());
        let rest = |text: &str| {
            let text = text[1..].trim_start_matches(|c: char| c.is_ascii_digit());
            text.trim().to_owned()
        };
        match text.as_bytes().first() {
            Some(b'=') => Ok(rest(&text)),
            Some(b'?') => Err(ClientError::Refused { engine, command, message: rest(&text) }),
            _ => {
                let line = lines.into_iter().next().unwrap_or_default();
                Err(ClientError::Garbled { engine, command, line })
            }
        }
    }

    /// Tells the engine to quit and waits a little; ends it if it stays.
    pub fn quit(&mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = writeln!(input, "quit");
        }
        if self.program.wait().is_none() {
            self.program.end();
        }
    }

    fn end(&mut self) {
        self.input = None;
        self.program.end();
    }

    fn gone(&mut self, command: &str) -> ClientError {
        self.input = None;
        // Its output is closed, so it is on its way out.
        let status = self.program.wait();
        if status.is_none() {
            self.program.end();
        }
        let (engine, command) = (self.engine.clone(), command.to_owned());
        ClientError::Gone { engine, command, status, stderr: self.stderr.told() }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.quit();
    }
}

/// Lines of text without their ends, whatever the bytes are.
pub(crate) struct TextLines<R>(pub(crate) BufReader<R>);

impl<R: Read> Iterator for TextLines<R> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        match self.0.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(String::from_utf8_lossy(&bytes).trim_end().to_owned()),
        }
    }
}

/// The lines up to the next empty one; empty ones before are left out.
fn read_reply(lines: &mut impl Iterator<Item = String>) -> Option<Vec<String>> {
    let mut reply = Vec::new();
    for line in lines {
        match (line.is_empty(), reply.is_empty()) {
            (false, _) => reply.push(line),
            (true, false) => return Some(reply),
            (true, true) => {}
        }
    }
    None
}
