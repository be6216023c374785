//! The loop of an engine: read a command, have it carried out, reply.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;

use crate::argument::Syntax;
use crate::command::Command;
use crate::input::{By, Input, Interrupt};
use crate::reply;

/// Why a command could not be carried out, in words for the other side. The protocol has fixed
/// beginnings for the usual ones, such as `illegal move`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub String);

impl Failure {
    /// A failure in these words.
    pub fn new(words: impl Into<String>) -> Failure {
        Failure(words.into())
    }
}

impl From<Syntax> for Failure {
    fn from(syntax: Syntax) -> Failure {
        Failure(syntax.to_string())
    }
}

/// The text of a reply, or why there is none.
pub type Reply = Result<String, Failure>;

/// Whoever carries out commands. [`serve`] answers `protocol_version`, `known_command`,
/// `list_commands` (also called `help`) and `quit` itself.
pub trait Handler {
    /// The names of the commands that [`Handler::handle`] knows.
    fn names(&self) -> Vec<&'static str>;

    /// Carries a command out. What it returns is the reply, or what follows the lines that were
    /// written to `talk`, or why there is none; `None` if it does not know the command.
    fn handle(&mut self, command: &Command, talk: &mut Talk<'_>) -> Option<Reply>;

    /// Called when there is nothing to do. May think until interrupted.
    fn idle(&mut self, talk: &mut Talk<'_>) {
        let _ = talk;
    }
}

/// What a command may do besides its reply: begin it early, and be interrupted.
pub struct Talk<'a> {
    out: &'a mut dyn Write,
    input: &'a Arc<Input>,
    id: Option<u64>,
    begun: bool,
}

impl Talk<'_> {
    /// Writes a line of a reply that goes on. After the first, the command can no longer fail.
    ///
    /// # Errors
    /// If nobody reads any more.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        self.begin()?;
        let text = reply::clean(text);
        if !text.is_empty() {
            tracing::debug!(target: "gtp", "< {text}");
            writeln!(self.out, "{text}")?;
        }
        self.out.flush()
    }

    /// Says that the command is being carried out; its reply follows line by line.
    ///
    /// # Errors
    /// If nobody reads any more.
    pub fn begin(&mut self) -> io::Result<()> {
        if !self.begun {
            self.begun = true;
            reply::begin(self.out, self.id)?;
        }
        Ok(())
    }

    /// Calls `raise`, from another thread, when a line comes in that interrupts, or at once if one
    /// waits already. It must not block. Ends when the value that is returned is dropped.
    pub fn interrupt(&self, by: By, raise: impl Fn() + Send + 'static) -> Interrupt {
        self.input.listen(by, Box::new(raise))
    }

    /// Waits until there is another line or no more input.
    pub fn wait_for_input(&self) {
        self.input.wait_for_news();
    }
}

/// Carries out the commands that come from `source` until `quit` or the end of the input. At the
/// end an analysis stops, and what else was asked is answered. The thread that reads may outlive
/// this, as nothing ends its reading.
///
/// # Errors
/// If a reply cannot be written.
pub fn serve(
    source: impl Read + Send + 'static,
    out: &mut dyn Write,
    handler: &mut dyn Handler,
) -> io::Result<()> {
    let input = Arc::new(Input::default());
    let reading = Arc::clone(&input);
    thread::Builder::new().name("gtp-input".to_owned()).spawn(move || reading.read_all(source))?;
    loop {
        if !input.has_news() {
            handler.idle(&mut Talk { out, input: &input, id: None, begun: true });
        }
        let Some(line) = input.take() else { return Ok(()) };
        let Some(command) = Command::parse(&line.bytes) else { continue };
        tracing::debug!(target: "gtp", "> {}", String::from_utf8_lossy(&line.bytes).trim_end());
        let mut talk = Talk { out, input: &input, id: command.id, begun: false };
        let done = if line.cut {
            Err(Failure::new("syntax error: the line is too long"))
        } else {
            answer(&command, handler, &mut talk)
        };
        let begun = talk.begun;
        let (good, text) = match done {
            Ok(text) => (true, text),
            Err(failure) => (false, failure.0),
        };
        if begun {
            // It is too late for the sign of an error; an empty line ends the reply.
            let text = if good { reply::clean(&text) } else { String::new() };
            let line_end = if text.is_empty() { "" } else { "\n" };
            tracing::debug!(target: "gtp", "< {text}");
            writeln!(out, "{text}{line_end}")?;
            out.flush()?;
        } else {
            tracing::debug!(target: "gtp", "< {} {text}", if good { '=' } else { '?' });
            reply::write(out, good, command.id, &text)?;
        }
        if command.name == "quit" && good {
            return Ok(());
        }
    }
}

const OWN: [&str; 5] = ["protocol_version", "known_command", "list_commands", "help", "quit"];

fn answer(command: &Command, handler: &mut dyn Handler, talk: &mut Talk<'_>) -> Reply {
    let mut arguments = command.arguments();
    let known = |name: &str| OWN.contains(&name) || handler.names().contains(&name);
    match command.name.as_str() {
        "protocol_version" => Ok("2".to_owned()),
        "known_command" => Ok(known(arguments.word("the name of a command")?).to_string()),
        "list_commands" | "help" => {
            let mut names = handler.names();
            names.extend(OWN);
            names.sort_unstable();
            names.dedup();
            Ok(names.join("\n"))
        }
        "quit" => Ok(String::new()),
        "" => Err(Failure::new("syntax error: a number without a command")),
        _ => {
            let done = handler.handle(command, talk);
            done.unwrap_or_else(|| Err(Failure::new("unknown command")))
        }
    }
}
