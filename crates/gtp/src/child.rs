//! Other programs while they run: how they are started, waited for and ended, one or all of them.

use std::io;
use std::mem;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// How long a program may take to leave when it was told to, or when its input was closed.
const PATIENCE: Duration = Duration::from_secs(2);

/// All that were started and may still run.
static ALL: Mutex<Vec<Weak<Mutex<Child>>>> = Mutex::new(Vec::new());

/// A program that runs.
pub(crate) struct ChildProcess(Arc<Mutex<Child>>);

/// The ends of its pipes.
pub(crate) struct Pipes {
    pub(crate) input: Option<ChildStdin>,
    pub(crate) output: Option<ChildStdout>,
    pub(crate) errors: Option<ChildStderr>,
}

/// What is behind a lock; nothing here is left half done when a thread panics.
fn open<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl ChildProcess {
    /// Starts a program.
    pub(crate) fn start(mut command: Command) -> io::Result<(ChildProcess, Pipes)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C at a terminal is for the one who runs the program, who will tell it to leave.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Locked while it starts, so that none begins unseen while all are ended.
        let mut all = open(&ALL);
        let mut child = command.spawn()?;
        let pipes = Pipes {
            input: child.stdin.take(),
            output: child.stdout.take(),
            errors: child.stderr.take(),
        };
        let child = Arc::new(Mutex::new(child));
        all.retain(|known| known.strong_count() > 0);
        all.push(Arc::downgrade(&child));
        Ok((ChildProcess(child), pipes))
    }

    /// Waits a little for the program to leave; nothing if it stays.
    pub(crate) fn wait(&self) -> Option<ExitStatus> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Ok(Some(status)) = open(&self.0).try_wait() {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(5));
        }
        None
    }

    /// Ends the process, this one and no other.
    pub(crate) fn end(&self) {
        end(&mut open(&self.0));
    }
}

fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// Ends every program that a [`Client`](crate::Client) or a [`Process`](crate::Process) runs, for a
/// program that is about to exit. Whoever would start one, or asks how one ended, waits for that exit:
/// nobody is to take an end like this for a lost game.
pub fn end_all() {
    let all = open(&ALL);
    for child in all.iter().filter_map(Weak::upgrade) {
        let mut child = open(Box::leak(Box::new(child)));
        end(&mut child);
        mem::forget(child);
    }
    mem::forget(all);
}
