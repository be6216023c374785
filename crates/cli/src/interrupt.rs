//! Ctrl-C asks long work to stop and keep what it has, and so does the system when it ends a program
//! (SIGTERM). A second time ends the program at once. Other engines that it runs end with it either way.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell gives for a program that Ctrl-C ended.
const CTRL_C: i32 = 130;

/// A flag that Ctrl-C sets, or being told to end.
pub fn flag() -> Arc<AtomicBool> {
    let asked = Arc::new(AtomicBool::new(false));
    // Where signals cannot be caught they end the program as ever.
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGTERM;
        let flag = Arc::clone(&asked);
        if let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGTERM]) {
            std::thread::spawn(move || signals.forever().for_each(|_| ask(&flag, 128 + SIGTERM)));
        }
    }
    let flag = Arc::clone(&asked);
    let _ = ctrlc::set_handler(move || {
        ask(&flag, CTRL_C);
        // There may be nobody to read it.
        let _ = writeln!(std::io::stderr(), "harie: stopping; once more to stop at once");
    });
    asked
}

/// Asks to stop; ends the program if it was asked before.
fn ask(flag: &AtomicBool, code: i32) {
    if flag.swap(true, Ordering::Relaxed) {
        gtp::end_all();
        std::process::exit(code);
    }
}
