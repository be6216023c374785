//! The threads that think: a few of them go from table to table, like a teacher who plays many at
//! once. Whoever waits for a move comes first; analyses get a slice each in turn.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::table::{Shared, lock};

#[derive(Default)]
struct Queue {
    /// Tables where somebody waits.
    urgent: VecDeque<Shared>,
    /// Tables where something is thought about meanwhile.
    patient: VecDeque<Shared>,
    closed: bool,
}

/// Threads that do the errands of all tables.
pub struct Workers {
    queue: Mutex<Queue>,
    called: Condvar,
    threads: usize,
}

impl Workers {
    /// Starts so many threads.
    ///
    /// # Errors
    /// If the system gives no more threads.
    pub fn start(threads: usize) -> std::io::Result<Arc<Workers>> {
        let workers = Arc::new(Workers {
            queue: Mutex::default(),
            called: Condvar::new(),
            threads: threads.max(1),
        });
        for _ in 0..workers.threads {
            let workers = Arc::clone(&workers);
            thread::Builder::new().name("thinker".to_owned()).spawn(move || workers.work())?;
        }
        Ok(workers)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a table looked after if it wants that.
    pub fn call(&self, table: &Shared) {
        let Some(urgent) = lock(table).wants() else { return };
        let mut queue = self.queue();
        let waits = |line: &VecDeque<Shared>| line.iter().any(|other| Arc::ptr_eq(other, table));
        if waits(&queue.urgent) || !urgent && waits(&queue.patient) {
            return;
        }
        match urgent {
            true => queue.urgent.push_back(Arc::clone(table)),
            false => queue.patient.push_back(Arc::clone(table)),
        }
        drop(queue);
        self.called.notify_one();
    }

    /// No more work is begun.
    pub fn close(&self) {
        self.queue().closed = true;
        self.called.notify_all();
    }

    /// The next table, and how many wait for a move for each worker.
    fn next(&self) -> Option<(Shared, f64)> {
        let mut queue = self.queue();
        loop {
            if queue.closed {
                return None;
            }
            let crowd = queue.urgent.len() as f64 / self.threads as f64;
            let next = queue.urgent.pop_front().or_else(|| queue.patient.pop_front());
            match next {
                Some(table) => return Some((table, crowd)),
                None => {
                    queue = self.called.wait(queue).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    fn work(&self) {
        while let Some((table, crowd)) = self.next() {
            let Some(mut visit) = lock(&table).fetch(crowd) else { continue };
            let epoch = visit.epoch;
            // A fault at one table must not take a worker from the others.
            let done = catch_unwind(AssertUnwindSafe(|| {
                let finding = visit.run(&mut |insight| lock(&table).glimpse(epoch, insight));
                (visit.engine, finding)
            }));
            let (engine, finding) = match done {
                Ok((engine, finding)) => (Some(engine), Some(finding)),
                Err(_) => (None, None),
            };
            lock(&table).bring_back(engine, epoch, finding);
            self.call(&table);
        }
    }
}
