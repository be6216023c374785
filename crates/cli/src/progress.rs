//! Progress bars on a terminal; a line a minute for long work whose words go to a file.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use kifu::Corpus;

/// A bar that follows a corpus by the bytes read.
pub struct Reading(ProgressBar);

impl Reading {
    /// A bar on standard error; it hides itself where that is no terminal.
    pub fn new(corpus: &Corpus) -> Reading {
        let bar = ProgressBar::new(corpus.progress().total);
        let style = ProgressStyle::with_template(
            "{bar:30} {bytes} of {total_bytes}, {msg}, {bytes_per_sec}, {eta} left",
        );
        bar.set_style(style.expect("the template is well formed"));
        bar.set_message("0 games");
        bar.enable_steady_tick(Duration::from_millis(200));
        Reading(bar)
    }

    /// Shows how far the corpus is.
    pub fn update(&self, corpus: &Corpus) {
        let progress = corpus.progress();
        self.0.set_position(progress.bytes);
        // A message is a new string: once in a while is often enough to read.
        if progress.games.is_multiple_of(256) {
            self.0.set_message(format!("{} games", progress.games));
        }
    }

    /// Writes a line of results above the bar.
    pub fn print(&self, out: &mut dyn Write, line: &str) -> io::Result<()> {
        self.0.suspend(|| {
            writeln!(out, "{line}")?;
            out.flush()
        })
    }

    /// Writes a line above the bar, to standard error.
    pub fn warn(&self, line: &str) {
        self.0.suspend(|| eprintln!("{line}"));
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A bar for work that is counted: what it is, how fast, how long still.
pub struct Work {
    bar: ProgressBar,
    /// What is done, for a log.
    what: String,
    /// Minutes after which it was told last.
    minutes: AtomicU64,
}

impl Work {
    /// A bar on standard error; where that is no terminal a line now and then.
    pub fn new(what: &str, total: u64, unit: &str) -> Work {
        let bar = ProgressBar::new(total);
        let template =
            format!("{what} {{bar:30}} {{percent}} %, {{per_sec}} {unit}, {{eta}} left {{msg}}");
        bar.set_style(ProgressStyle::with_template(&template).expect("a well formed template"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Work { bar, what: what.to_owned(), minutes: AtomicU64::new(0) }
    }

    /// So much is done.
    pub fn set(&self, done: u64) {
        self.bar.set_position(done);
        self.log();
    }

    /// A word on how it goes, before `set` tells it to a log.
    pub fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    fn log(&self) {
        let minutes = self.bar.elapsed().as_secs() / 60;
        if self.bar.is_hidden() && self.minutes.fetch_max(minutes, Ordering::Relaxed) < minutes {
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let line = format!("{}: {done} of {all} {}", self.what, self.bar.message());
            eprintln!("{}", line.trim_end());
        }
    }

    /// Writes a line above the bar, to standard error.
    pub fn line(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
