//! Positions that wait to be looked at, and those that are being looked at.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use engine::Stop;

use super::query::Query;

/// One position of a question.
#[derive(Clone)]
pub struct Task {
    pub query: Arc<Query>,
    /// Moves that were made before it.
    pub turn: usize,
    /// Raised to end the work on it.
    pub stop: Stop,
    place: Place,
}

/// The order of tasks: the highest priority first, then the earliest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// Priorities from high to low.
    rank: std::cmp::Reverse<i64>,
    number: u64,
}

#[derive(Default)]
struct State {
    waiting: BTreeMap<Place, Task>,
    running: BTreeMap<Place, Task>,
    numbers: u64,
    closed: bool,
    era: u64,
}

/// The tasks of all workers.
#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    news: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Puts up a task for each turn of a question.
    pub fn push(&self, query: Query) {
        let query = Arc::new(query);
        let mut state = self.lock();
        for (&turn, &priority) in query.turns.iter().zip(&query.priorities) {
            state.numbers += 1;
            let place = Place { rank: std::cmp::Reverse(priority), number: state.numbers };
            let task = Task { query: query.clone(), turn, stop: Stop::new(), place };
            state.waiting.insert(place, task);
        }
        self.news.notify_all();
    }

    /// The next task, waited for; `None` when no more will come. [`Queue::finish`] ends it.
    pub fn take(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if let Some((place, task)) = state.waiting.pop_first() {
                state.running.insert(place, task.clone());
                return Some(task);
            }
            if state.closed {
                return None;
            }
            state = self.news.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    /// Says that a task is done.
    pub fn finish(&self, task: &Task) {
        self.lock().running.remove(&task.place);
    }

    /// Ends the work on the tasks that are meant. Gives back those that nobody worked on yet.
    pub fn terminate(&self, meant: impl Fn(&Task) -> bool) -> Vec<Task> {
        let mut state = self.lock();
        for task in state.running.values().filter(|task| meant(task)) {
            task.stop.raise();
        }
        let (gone, stay): (BTreeMap<_, _>, BTreeMap<_, _>) =
            std::mem::take(&mut state.waiting).into_iter().partition(|(_, task)| meant(task));
        state.waiting = stay;
        gone.into_values().collect()
    }

    /// No more tasks will come.
    pub fn close(&self) {
        self.lock().closed = true;
        self.news.notify_all();
    }

    /// Asks the workers to forget what they thought so far.
    pub fn forget(&self) {
        self.lock().era += 1;
    }

    /// How often that was asked.
    pub fn era(&self) -> u64 {
        self.lock().era
    }
}
