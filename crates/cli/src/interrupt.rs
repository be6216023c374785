//! Ctrl-C asks long work to stop and keep what it has; a second one ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C sets.
pub fn flag() -> Arc<AtomicBool> {
    let asked = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&asked);
    // Where signals cannot be caught, Ctrl-C ends the program as ever.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("harie: stopping; once more to stop at once");
    });
    asked
}
