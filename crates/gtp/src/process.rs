//! A program that is spoken to in lines, whatever they mean: what the clients of protocols have in
//! common that do not answer with replies.

use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{ClientError, TextLines};
use crate::last_words::LastWords;

/// How long a program may take to leave when its input is closed.
const PATIENCE: Duration = Duration::from_secs(2);

/// A program that runs. Its input is closed when this is dropped, and it is ended if it stays.
pub struct Process {
    name: String,
    child: Child,
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
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C at a terminal is for the one who runs the program.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let name = command_line.to_owned();
        let start = |error| ClientError::Start { engine: name.clone(), error };
        let mut child = command.spawn().map_err(start)?;
        let input = child.stdin.take();
        let (sender, lines) = channel();
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || {
                let mut lines = TextLines(BufReader::new(output));
                // Ends as well when nobody wants them any more.
                while lines.next().is_some_and(|line| sender.send(line).is_ok()) {}
            });
        }
        let stderr = LastWords::listen(child.stderr.take());
        Ok(Process { name, child, input, lines, stderr })
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
        let status = self.wait();
        let (engine, command) = (self.name.clone(), asked.to_owned());
        ClientError::Gone { engine, command, status, stderr: self.stderr.told() }
    }

    /// Waits a little for the program to leave.
    fn wait(&mut self) -> Option<std::process::ExitStatus> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(5));
        }
        None
    }

    /// Ends the process, this one and no other.
    fn end(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        if self.wait().is_none() {
            self.end();
        }
    }
}
