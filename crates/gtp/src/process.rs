//! A program that is spoken to in lines, whatever they mean: what the clients of protocols have in
//! common that do not answer with replies.

use std::io::{BufReader, Write};
use std::process::{ChildStdin, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::child::ChildProcess;
use crate::client::{ClientError, TextLines};
use crate::last_words::LastWords;

/// A program that runs. Its input is closed when this is dropped, and it is ended if it stays.
pub struct Process {
    name: String,
    program: ChildProcess,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: LastWords,
}

impl Process {
    /// Starts a program. The command line is split into words as a shell does it; there is no shell.
    ///
    /// # Errors
    /// If it cannot be split or started.
    pub fn start(command_line: &str) -> Result<Process, ClientError> {
        let words = shlex::split(command_line).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| ClientError::CommandLine(command_line.to_owned()))?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        let name = command_line.to_owned();
        let start = |error| ClientError::Start { engine: name.clone(), error };
        let (program, pipes) = ChildProcess::start(command).map_err(start)?;
        let (sender, lines) = channel();
        if let Some(output) = pipes.output {
            thread::spawn(move || {
                let mut lines = TextLines(BufReader::new(output));
                // Ends as well when nobody wants them any more.
                while lines.next().is_some_and(|line| sender.send(line).is_ok()) {}
            });
        }
        let stderr = pipes.errors.map(LastWords::listen).unwrap_or_default();
        Ok(Process { name, program, input: pipes.input, lines, stderr })
    }

    /// Sends a line.
    ///
    /// # Errors
    /// If the program is gone.
    pub fn send(&mut self, line: &str) -> Result<(), ClientError> {
        tracing::debug!(target: "process", program = self.name, "> {line}");
        let written = self.input.as_mut().is_some_and(|input| {
            input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()).is_ok()
        });
        if written { Ok(()) } else { Err(self.gone(line)) }
    }

    /// The next line, if one comes in time.
    ///
    /// # Errors
    /// If the program is gone.
    pub fn line(&mut self, timeout: Duration) -> Result<Option<String>, ClientError> {
        match self.lines.recv_timeout(timeout) {
            Ok(line) => {
                tracing::debug!(target: "process", program = self.name, "< {line}");
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone("waiting for an answer")),
        }
    }

    /// The error of a program that does not answer; it is ended.
    pub fn hung(&mut self, asked: &str, timeout: Duration) -> ClientError {
        self.end();
        let (engine, command) = (self.name.clone(), asked.to_owned());
        ClientError::Hung { engine, command, timeout, stderr: self.stderr.told() }
    }

    fn gone(&mut self, asked: &str) -> ClientError {
        self.input = None;
        let status = self.program.wait();
        if status.is_none() {
            self.program.end();
        }
        let (engine, command) = (self.name.clone(), asked.to_owned());
        ClientError::Gone { engine, command, status, stderr: self.stderr.told() }
    }

    fn end(&mut self) {
        self.input = None;
        self.program.end();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        if self.program.wait().is_none() {
            self.end();
        }
    }
}
