//! Lines that come in while a command is being carried out.
//!
//! A thread of its own reads them, so that whoever thinks can be told that there is a new one. The
//! protocol has two ways of interrupting: an analysis ends with any line, even an empty one; a
//! search for a move ends only when asked to, by the command `stop` or by the comment line
//! `# interrupt`, which GoGui sends to engines that know `gogui-interrupt`. What was sent behind further
//! commands does not interrupt the one at hand.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use crate::command::Command;

/// Longer lines are cut; a command that was is answered with an error.
pub const LONGEST_LINE: usize = 1 << 16;

/// Lines that wait at most. A sender that is further ahead has to wait itself.
const MOST_WAITING: usize = 10_000;

/// What interrupts whoever thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// Any line, or the end of the input.
    AnyLine,
    /// The command `stop` or the line `# interrupt`.
    Request,
}

/// A line as it came.
pub(crate) struct Line {
    pub bytes: Vec<u8>,
    /// Whether it was longer than [`LONGEST_LINE`].
    pub cut: bool,
}

impl Line {
    fn interrupts(&self, by: By) -> bool {
        let asks = || {
            let text = self.bytes.trim_ascii();
            let comment = text.strip_prefix(b"#").map(<[u8]>::trim_ascii);
            comment == Some(b"interrupt")
                || Command::parse(text).is_some_and(|command| command.name == "stop")
        };
        by == By::AnyLine || asks()
    }

    /// Whether it is nothing but a comment, or empty.
    fn says_nothing(&self) -> bool {
        Command::parse(&self.bytes).is_none()
    }
}

type Raise = Box<dyn Fn() + Send>;

#[derive(Default)]
struct State {
    lines: VecDeque<Line>,
    /// Nothing more will come.
    ended: bool,
    /// The one who thinks now.
    listener: Option<(By, Raise)>,
}

impl State {
    /// Whether a line waits that interrupts. One behind other commands is meant for what they begin.
    fn is_interrupted(&self, by: By) -> bool {
        let first = self.lines.iter().find(|line| line.interrupts(by) || !line.says_nothing());
        first.is_some_and(|line| line.interrupts(by))
    }
}

/// Lines that have come in and were not handled yet.
#[derive(Default)]
pub(crate) struct Input {
    state: Mutex<State>,
    /// A line came or was taken, or the input ended.
    news: Condvar,
}

impl Input {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Reads lines until there are no more. An error of the system is such an end.
    pub fn read_all(&self, source: impl Read) {
        let mut source = BufReader::new(source);
        while let Ok(Some(line)) = read_line(&mut source) {
            let mut state = self.lock();
            while state.lines.len() >= MOST_WAITING {
                state = self.news.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
            }
            state.lines.push_back(line);
            if let Some((by, raise)) = &state.listener
                && state.is_interrupted(*by)
            {
                raise();
            }
            self.news.notify_all();
        }
        let mut state = self.lock();
        state.ended = true;
        if let Some((By::AnyLine, raise)) = &state.listener {
            raise();
        }
        self.news.notify_all();
    }

    /// The next line, waited for; `None` at the end.
    pub fn take(&self) -> Option<Line> {
        let mut state = self.lock();
        loop {
            if let Some(line) = state.lines.pop_front() {
                self.news.notify_all();
                return Some(line);
            }
            if state.ended {
                return None;
            }
            state = self.news.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    /// Whether a line waits or the input has ended.
    pub fn has_news(&self) -> bool {
        let state = self.lock();
        state.ended || !state.lines.is_empty()
    }

    /// Waits until a line waits or the input has ended.
    pub fn wait_for_news(&self) {
        let mut state = self.lock();
        while !state.ended && state.lines.is_empty() {
            state = self.news.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    /// Calls `raise` when a line comes that interrupts, or at once if one waits already.
    pub fn listen(self: &Arc<Input>, by: By, raise: Raise) -> Interrupt {
        let mut state = self.lock();
        let ended = state.ended && by == By::AnyLine;
        if ended || state.is_interrupted(by) {
            raise();
        }
        state.listener = Some((by, raise));
        Interrupt { input: Arc::clone(self) }
    }
}

/// As long as this lives, lines that come in may interrupt.
#[must_use = "nothing interrupts any more when this is dropped"]
pub struct Interrupt {
    input: Arc<Input>,
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        self.input.lock().listener = None;
    }
}

/// A line without its end, cut if it is too long; `None` at the end of the input. The last line
/// may lack its end.
fn read_line(source: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Line { bytes: Vec::new(), cut: false };
    let mut some = false;
    loop {
        let chunk = match source.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(some.then_some(line));
        }
        some = true;
        let end = chunk.iter().position(|&b| b == b'\n');
        let piece = &chunk[..end.unwrap_or(chunk.len())];
        let room = LONGEST_LINE - line.bytes.len();
        line.cut |= piece.len() > room;
        line.bytes.extend_from_slice(&piece[..piece.len().min(room)]);
        let used = piece.len() + usize::from(end.is_some());
        source.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_the_next_is_whole() {
        let mut text = vec![b'x'; LONGEST_LINE + 5];
        text.extend_from_slice(b"\nname\n\nlast");
        let input = Input::default();
        input.read_all(&text[..]);
        let lines: Vec<_> = std::iter::from_fn(|| input.take()).collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[0].cut && lines[0].bytes.len() == LONGEST_LINE);
        assert_eq!(lines[1].bytes, b"name");
        assert_eq!(lines[2].bytes, b"");
        assert_eq!(lines[3].bytes, b"last");
    }

    #[test]
    fn only_some_lines_interrupt_a_search_for_a_move() {
        let line = |text: &str| Line { bytes: text.into(), cut: false };
        for text in ["stop", "12 stop\r", "# interrupt", "#interrupt "] {
            assert!(line(text).interrupts(By::Request), "{text}");
        }
        for text in ["", "name", "# interrupted", "kgs-chat stop", "1"] {
            assert!(!line(text).interrupts(By::Request), "{text}");
            assert!(line(text).interrupts(By::AnyLine), "{text}");
        }
    }

    #[test]
    fn what_comes_behind_other_commands_does_not_interrupt() {
        let interrupted = |text: &str| {
            let input = Input::default();
            input.read_all(text.as_bytes());
            let state = input.lock();
            (state.is_interrupted(By::Request), state.is_interrupted(By::AnyLine))
        };
        assert_eq!(interrupted(""), (false, false));
        assert_eq!(interrupted("stop\n"), (true, true));
        assert_eq!(interrupted("\n# a word\nstop\n"), (true, true));
        assert_eq!(interrupted("name\n"), (false, true));
        assert_eq!(interrupted("genmove w\nname\nstop\n"), (false, true));
    }
}
