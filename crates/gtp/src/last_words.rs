//! The end of what a program wrote to standard error, for the message when something goes wrong.

use std::collections::VecDeque;
use std::io::{BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use crate::client::TextLines;

/// Lines that are kept.
const TAIL: usize = 20;

/// How long the rest is waited for once the program is gone. Usually the pipe ends with the program;
/// a program that it started may hold the pipe open for ever.
const PATIENCE: Duration = Duration::from_secs(2);

/// The last lines of a program.
#[derive(Clone, Default)]
pub(crate) struct LastWords(Arc<Heard>);

#[derive(Default)]
struct Heard {
    words: Mutex<Words>,
    /// Rings when all was read.
    over: Condvar,
}

#[derive(Default)]
struct Words {
    lines: VecDeque<String>,
    is_over: bool,
}

impl LastWords {
    /// Listens until the program closes its standard error.
    pub(crate) fn listen(errors: impl Read + Send + 'static) -> LastWords {
        let words = LastWords::default();
        let heard = words.clone();
        thread::spawn(move || {
            for line in TextLines(BufReader::new(errors)) {
                let mut words = heard.words();
                if words.lines.len() == TAIL {
                    words.lines.pop_front();
                }
                words.lines.push_back(line);
            }
            heard.words().is_over = true;
            heard.0.over.notify_all();
        });
        words
    }

    fn words(&self) -> MutexGuard<'_, Words> {
        self.0.words.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The last lines as the end of a message; nothing if there are none. To be asked when the program
    /// is gone: what it wrote before may still be in the pipe, and is waited for.
    pub(crate) fn told(&self) -> String {
        let waiting =
            self.0.over.wait_timeout_while(self.words(), PATIENCE, |words| !words.is_over);
        let (words, _) = waiting.unwrap_or_else(|poisoned| poisoned.into_inner());
        if words.lines.is_empty() {
            return String::new();
        }
        let lines: Vec<&str> = words.lines.iter().map(String::as_str).collect();
        format!("; it wrote last:\n{}", lines.join("\n"))
    }
}
