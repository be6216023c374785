//! Ctrl-C asks long work to stop and keep what it has, and so does the system when it ends a program
//! (SIGTERM): other engines that it runs are ended with it. A second time ends the program at once.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C sets, or being told to end.
pub fn flag() -> Arc<AtomicBool> {
    let asked = Arc::new(AtomicBool::new(false));
    // Where signals cannot be caught they end the program as ever.
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGTERM;
        use signal_hook::flag::{register, register_conditional_shutdown};
        let _ = register_conditional_shutdown(SIGTERM, 128 + SIGTERM, Arc::clone(&asked))
            .and_then(|_| register(SIGTERM, Arc::clone(&asked)));
    }
    let flag = Arc::clone(&asked);
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        // There may be nobody to read it.
        let _ = writeln!(std::io::stderr(), "harie: stopping; once more to stop at once");
    });
    asked
}
