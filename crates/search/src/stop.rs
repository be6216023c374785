//! The way to stop a search from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag shared by the one who thinks and the one who may interrupt. Clones are the same flag.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl From<Arc<AtomicBool>> for Stop {
    /// The same flag.
    fn from(flag: Arc<AtomicBool>) -> Stop {
        Stop(flag)
    }
}

impl Stop {
    /// A flag that is down.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Asks whoever watches the flag to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Makes the flag ready for the next search.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether to stop.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
