//! Ctrl-C asks long work to stop and keep what it has, and so does the system when it ends a program
//! (SIGTERM, a closed terminal): other engines that it runs are ended with it. A second time ends the
//! program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C sets, or being told to end.
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
