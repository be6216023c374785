//! The end of what a program wrote to standard error, for the message when something goes wrong.

use std::collections::VecDeque;
use std::io::{BufReader, Read};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use crate::client::TextLines;

/// Lines that are kept.
const TAIL: usize = 20;

/// The last lines of a program.
#[derive(Clone, Default)]
pub(crate) struct LastWords(Arc<Mutex<VecDeque<String>>>);

impl LastWords {
    /// Listens until the program closes its standard error.
    pub(crate) fn listen(errors: Option<impl Read + Send + 'static>) -> LastWords {
        let words = LastWords::default();
        if let Some(errors) = errors {
            let kept = words.clone();
            thread::spawn(move || {
                for line in TextLines(BufReader::new(errors)) {
                    let mut lines = kept.lines();
                    if lines.len() == TAIL {
                        lines.pop_front();
                    }
                    lines.push_back(line);
                }
            });
        }
        words
    }

    fn lines(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// They as the end of a message; nothing if there are none.
    pub(crate) fn told(&self) -> String {
        let lines = self.lines();
        if lines.is_empty() {
            return String::new();
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        format!("; it wrote last:\n{}", lines.join("\n"))
    }
}
