//! What a run of the program says on standard error.

/// Standard error without the line a minute that tells how far long work is (`Games: 3 of 10, …`): a loaded
/// machine may need that long for what a test asks for.
pub fn but_progress(errors: &[u8]) -> String {
    let is_progress = |line: &str| {
        let counts = line.split_once(": ").and_then(|(_, rest)| rest.split_once(','));
        counts.is_some_and(|(counts, _)| {
            let number = |word: &str| word.parse::<u64>().is_ok();
            counts.split_once(" of ").is_some_and(|(done, all)| number(done) && number(all))
        })
    };
    let errors = String::from_utf8_lossy(errors);
    errors.lines().filter(|line| !is_progress(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn progress_is_told_from_errors() {
    let errors = b"Games: 3 of 10, 2.1 games/min, 4 s left 50 %\nwarning: 3 of 10, and so on\nwarning: odd\n";
    assert_eq!(but_progress(errors), "warning: odd\n");
    assert_eq!(but_progress(b"warning: games.sgf: 3 of 10\n"), "warning: games.sgf: 3 of 10\n");
}
