//! Progress bars on a terminal; a line a minute for long work whose words go to a file.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use kifu::Corpus;
use policy::{grouped, many};

/// How often a bar is drawn.
const TICK: Duration = Duration::from_millis(200);

/// How fast work goes and how long it still takes, by all that this run has done. The bar's own
/// estimate weighs the last seconds most and counts what an earlier run did as done just now, so it
/// is far off where steps are uneven or a run goes on.
#[derive(Clone, Copy)]
struct Pace {
    /// Done by an earlier run.
    before: u64,
    done: u64,
    total: u64,
    /// How long it took until the last step was done.
    took: Duration,
    /// How long ago that was.
    since: Duration,
}

impl Pace {
    /// Steps a second; none before the first.
    fn per_second(&self) -> Option<f64> {
        let steps = self.done.saturating_sub(self.before);
        let seconds = self.took.as_secs_f64();
        (steps > 0 && seconds > 0.0).then(|| steps as f64 / seconds)
    }

    /// How long the rest takes if it goes on like this.
    fn left(&self) -> Option<Duration> {
        let rest = self.total.saturating_sub(self.done) as f64 / self.per_second()?;
        // An estimate may be longer than a Duration can hold.
        let rest = Duration::try_from_secs_f64(rest).unwrap_or(Duration::MAX);
        Some(rest.saturating_sub(self.since))
    }

    /// Both in words, such as `19.8 games/s, 3 min left`.
    fn words(&self, unit: &str) -> String {
        match (self.per_second(), self.left()) {
            (Some(speed), Some(left)) => format!("{}, {} left", rate(speed, unit), span(left)),
            _ => format!("of {} {unit}", grouped(self.total)),
        }
    }
}

/// A speed by the unit of time that makes it a number to read.
fn rate(per_second: f64, unit: &str) -> String {
    let (speed, time) = match per_second {
        s if s >= 1.0 => (s, "s"),
        s if s * 60.0 >= 1.0 => (s * 60.0, "min"),
        s => (s * 3600.0, "h"),
    };
    let number = if speed < 100.0 { format!("{speed:.1}") } else { grouped(speed as u64) };
    format!("{number} {unit}/{time}")
}

/// A time as people say it.
fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil() as u64;
    let minutes = seconds.div_ceil(60);
    match (seconds, minutes / 60) {
        (..=99, _) => format!("{seconds} s"),
        (_, ..=1) => format!("{minutes} min"),
        (_, hours @ ..=47) => format!("{hours} h {:02} min", minutes % 60),
        (_, hours) => format!("{} days", hours / 24),
    }
}

/// When and where a run began, and when its last step was done; shared with the bar that draws it.
#[derive(Default)]
struct Steps {
    before: AtomicU64,
    /// Milliseconds from the start of the bar.
    last: AtomicU64,
}

impl Steps {
    fn pace(&self, done: u64, total: u64, elapsed: Duration) -> Pace {
        let took = Duration::from_millis(self.last.load(Ordering::Relaxed)).min(elapsed);
        let before = self.before.load(Ordering::Relaxed);
        Pace { before, done, total, took, since: elapsed - took }
    }

    /// Moves a bar.
    fn set(&self, bar: &ProgressBar, done: u64) {
        if done != bar.position() {
            // At least a millisecond, so that there is a speed.
            let now = (bar.elapsed().as_millis() as u64).max(1);
            self.last.store(now, Ordering::Relaxed);
            bar.set_position(done);
        }
    }
}

/// A bar that follows a corpus by the bytes read.
pub struct Reading {
    bar: ProgressBar,
    steps: Arc<Steps>,
    /// What is done with, bytes or records. Files are read block by block, and the games of the
    /// last one are still to come: a file that is no longer than a block is read at once.
    behind: Arc<AtomicU64>,
    /// Whether it ends after so many records, and goes by them instead.
    by_records: bool,
    records: Arc<AtomicU64>,
}

impl Reading {
    /// A bar on standard error; it hides itself where that is no terminal.
    pub fn new(corpus: &Corpus) -> Reading {
        let template = "{bar:20} {bytes} of {total_bytes}, {records}{left}";
        Reading::with(corpus.progress().total, template, false)
    }

    /// The same where reading ends after so many records, if that is said.
    pub fn of_first(corpus: &Corpus, records: Option<usize>) -> Reading {
        let Some(records) = records else { return Reading::new(corpus) };
        Reading::with(records as u64, "{bar:20} {records}{left}", true)
    }

    fn with(total: u64, template: &str, by_records: bool) -> Reading {
        let bar = ProgressBar::new(total);
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        let (steps, behind, records) = <(Arc<Steps>, Arc<AtomicU64>, Arc<AtomicU64>)>::default();
        let (timed, done, counted) = (steps.clone(), behind.clone(), records.clone());
        let left = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let (done, total) = (done.load(Ordering::Relaxed), state.len().unwrap_or(0));
            if let Some(left) = timed.pace(done, total, state.elapsed()).left() {
                let _ = write!(out, ", {} left", span(left));
            }
        };
        let number = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{}", many(counted.load(Ordering::Relaxed) as usize, "record"));
        };
        let style = style.with_key("left", left).with_key("records", number);
        bar.set_style(style);
        bar.enable_steady_tick(TICK);
        Reading { bar, steps, behind, records, by_records }
    }

    /// Shows how far the corpus is.
    pub fn update(&self, corpus: &Corpus) {
        let progress = corpus.progress();
        let records = progress.games as u64;
        // The one given out last is still being worked on.
        self.read(if self.by_records {
            // The files may end before there were so many.
            let most = self.bar.length().unwrap_or(0);
            let by_bytes =
                (most as f64 * progress.bytes as f64 / progress.total.max(1) as f64) as u64;
            records.max(by_bytes).min(most)
        } else {
            progress.bytes
        });
        self.records.store(records, Ordering::Relaxed);
    }

    fn read(&self, bytes: u64) {
        if bytes != self.bar.position() {
            self.behind.store(self.bar.position(), Ordering::Relaxed);
            self.steps.set(&self.bar, bytes);
        }
    }

    /// Writes a line of results above the bar.
    pub fn print(&self, out: &mut dyn Write, line: &str) -> io::Result<()> {
        self.bar.suspend(|| {
            writeln!(out, "{line}")?;
            out.flush()
        })
    }

    /// Writes a line above the bar, to standard error.
    pub fn warn(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for work that is counted: what it is, how fast, how long still.
pub struct Work {
    bar: ProgressBar,
    steps: Arc<Steps>,
    /// What is done and what is counted, for a log.
    what: String,
    unit: &'static str,
    /// Minutes after which it was told last.
    minutes: AtomicU64,
}

impl Work {
    /// A bar on standard error; where that is no terminal a line now and then. `unit` is what is
    /// counted, such as `games`.
    pub fn new(what: &str, total: u64, unit: &'static str) -> Work {
        Work::with(ProgressBar::new(total), "{what} {bar:20} {percent} %, {pace} {msg}", what, unit)
    }

    /// The same for work of which nobody knows how much it is; `say` tells what is being done.
    pub fn uncounted(what: &str) -> Work {
        Work::with(ProgressBar::no_length(), "{spinner} {what}: {msg}", what, "")
    }

    fn with(bar: ProgressBar, template: &str, what: &str, unit: &'static str) -> Work {
        let steps = Arc::new(Steps::default());
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        let (name, timed) = (what.to_owned(), steps.clone());
        let title = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{name}");
        };
        let pace = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let pace = timed.pace(state.pos(), state.len().unwrap_or(0), state.elapsed());
            let _ = write!(out, "{}", pace.words(unit));
        };
        let style = style.with_key("what", title).with_key("pace", pace);
        bar.set_style(style);
        bar.enable_steady_tick(TICK);
        Work { bar, steps, what: what.to_owned(), unit, minutes: AtomicU64::new(0) }
    }

    /// So much was done by an earlier run; it does not count for the estimate.
    pub fn before(&self, done: u64) {
        self.steps.before.store(done, Ordering::Relaxed);
        self.steps.set(&self.bar, done);
    }

    /// So much is done.
    pub fn set(&self, done: u64) {
        self.steps.set(&self.bar, done);
        self.log();
    }

    /// A word on how it goes, before `set` tells it to a log.
    pub fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    fn log(&self) {
        let elapsed = self.bar.elapsed();
        let minutes = elapsed.as_secs() / 60;
        if self.bar.is_hidden() && self.minutes.fetch_max(minutes, Ordering::Relaxed) < minutes {
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let pace = self.steps.pace(done, all, elapsed).words(self.unit);
            let (what, message) = (&self.what, self.bar.message());
            eprintln!("{}", format!("{what}: {done} of {all}, {pace} {message}").trim_end());
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(before: u64, done: u64, total: u64, took: f64, since: f64) -> Pace {
        let [took, since] = [took, since].map(Duration::from_secs_f64);
        Pace { before, done, total, took, since }
    }

    #[test]
    fn the_rest_takes_as_long_as_what_was_done() {
        // A tenth in a minute: nine minutes more.
        assert_eq!(pace(0, 10, 100, 60.0, 0.0).left(), Some(Duration::from_secs(540)));
        // While a slow step lasts, what is left gets less, down to nothing.
        assert_eq!(pace(0, 10, 100, 60.0, 5.0).left(), Some(Duration::from_secs(535)));
        assert_eq!(pace(0, 99, 100, 99.0, 30.0).left(), Some(Duration::ZERO));
        // What an earlier run did took this one no time: five of a hundred in 50 s, five more to go.
        assert_eq!(pace(90, 95, 100, 50.0, 0.0).left(), Some(Duration::from_secs(50)));
        assert_eq!(pace(90, 95, 100, 50.0, 0.0).per_second(), Some(0.1));
        // Nothing is known before the first step of this run.
        assert_eq!(pace(0, 0, 100, 0.0, 70.0).left(), None);
        assert_eq!(pace(90, 90, 100, 0.1, 70.0).left(), None);
        // The end, and more than was thought.
        assert_eq!(pace(0, 100, 100, 10.0, 0.0).left(), Some(Duration::ZERO));
        assert_eq!(pace(0, 120, 100, 10.0, 0.0).left(), Some(Duration::ZERO));
        assert!(pace(0, 1, u64::MAX, 1e9, 0.0).left().is_some());
    }

    #[test]
    fn speeds_and_times_are_numbers_to_read() {
        assert_eq!(pace(0, 198, 1000, 10.0, 0.0).words("games"), "19.8 games/s, 41 s left");
        assert_eq!(pace(0, 0, 1000, 0.0, 3.0).words("games"), "of 1,000 games");
        assert_eq!(rate(12_345.6, "positions"), "12,345 positions/s");
        assert_eq!(rate(0.5, "games"), "30.0 games/min");
        assert_eq!(rate(0.001, "games"), "3.6 games/h");
        let said = |seconds: f64| span(Duration::from_secs_f64(seconds));
        assert_eq!([said(0.0), said(0.2), said(99.0), said(99.5)], ["0 s", "1 s", "99 s", "2 min"]);
        assert_eq!([said(3600.0), said(7200.0)], ["60 min", "2 h 00 min"]);
        assert_eq!([said(7380.0), said(3e5)], ["2 h 03 min", "3 days"]);
        assert!(span(Duration::MAX).ends_with(" days"));
    }

    #[test]
    fn a_block_is_done_when_the_next_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sgf");
        std::fs::write(&path, "(;SZ[9])".repeat(1000)).unwrap();
        let mut corpus = Corpus::new(&[path]);
        let bar = Reading::new(&corpus);
        let left = || {
            let (done, total) = (bar.behind.load(Ordering::Relaxed), bar.bar.length().unwrap());
            bar.steps.pace(done, total, bar.bar.elapsed()).left()
        };
        // All of the file is in memory with its first game, and 999 games are to come.
        assert!(corpus.next().is_some());
        bar.update(&corpus);
        assert_eq!((bar.bar.position(), left()), (8000, None));
        bar.read(8500);
        assert_eq!(bar.behind.load(Ordering::Relaxed), 8000);
        assert!(left().is_some());
    }

    #[test]
    fn a_bar_goes_on_from_what_was_done_before() {
        let bar = Work::new("Games", 100, "games");
        bar.before(90);
        assert_eq!(bar.bar.position(), 90);
        let now = bar.bar.elapsed();
        assert_eq!(bar.steps.pace(90, 100, now).words("games"), "of 100 games");
        bar.set(95);
        let later = bar.steps.pace(95, 100, bar.bar.elapsed());
        assert_eq!((later.before, later.done), (90, 95));
        assert!(later.words("games").contains(" left"));
    }
}
