//! The files under `tests/corpus`, all of them wrong in some way or at least unusual. What is made
//! of each is in `expected.txt`; after a change on purpose, `UPDATE_EXPECT=1 cargo test -p
//! harie-kifu nasty` writes it again.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use kifu::{Layout, Record};

use crate::{check_round_trip, texts};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("the corpus is there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sgf"))
        .collect();
    files.sort();
    files
}

/// What is made of a file: warnings of the reader, of the record and of its replay, and the game as
/// it is written again.
fn report(bytes: &[u8]) -> String {
    let (trees, warnings) = kifu::read(bytes);
    let mut report = String::new();
    for warning in texts(&warnings) {
        writeln!(report, "  ! {warning}").unwrap();
    }
    for (i, tree) in trees.iter().enumerate() {
        writeln!(report, "  {}: {:?}", i + 1, tree.to_sgf_in(Layout::OneLine).trim_end()).unwrap();
        let mut warnings = Vec::new();
        match Record::new(tree, &mut warnings) {
            Ok(record) => {
                let mut legal = 0;
                warnings.extend(record.replay(|_, _| legal += 1).map(|b| b.warning(tree)));
                writeln!(report, "    {} moves on {}", legal, record.size).unwrap();
            }
            Err(error) => writeln!(report, "    {error}").unwrap(),
        }
        for warning in texts(&warnings) {
            writeln!(report, "    ! {warning}").unwrap();
        }
    }
    report
}

#[test]
fn every_file_is_read_as_expected() {
    let mut all = String::new();
    for file in files() {
        let bytes = std::fs::read(&file).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy();
        writeln!(all, "{name}\n{}", report(&bytes)).unwrap();
    }
    let path = folder().join("expected.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &all).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    for (got, wanted) in all.split("\n\n").zip(expected.split("\n\n")) {
        assert_eq!(got, wanted);
    }
    assert_eq!(all.len(), expected.len());
}

#[test]
fn every_file_comes_back_when_written() {
    for file in files() {
        let (trees, _) = kifu::read(&std::fs::read(&file).unwrap());
        for layout in [Layout::OneLine, Layout::Wrapped(20), Layout::default()] {
            check_round_trip(&trees, layout);
        }
    }
}

#[test]
fn every_file_may_end_anywhere() {
    for file in files() {
        let bytes = std::fs::read(&file).unwrap();
        for end in 0..bytes.len() {
            let (trees, warnings) = kifu::read(&bytes[..end]);
            check_round_trip(&trees, Layout::OneLine);
            // A byte order mark is nothing either.
            let blank = end <= 3 || bytes[..end].trim_ascii().is_empty();
            assert!(blank || !trees.is_empty() || !warnings.is_empty(), "{file:?} up to {end}");
        }
    }
}

#[test]
fn variations_may_nest_deep() {
    // Deeper than any stack; the closing parentheses come first, then they are missing.
    let depth = 200_000;
    let open = "(;B[aa]".repeat(depth);
    for text in [format!("{open}{}", ")".repeat(depth)), open] {
        let (trees, warnings) = kifu::read(text.as_bytes());
        assert_eq!((trees.len(), trees[0].len()), (1, depth));
        assert_eq!(warnings.len(), usize::from(!text.ends_with(')')));
        assert_eq!(trees[0].main_line().count(), depth);
        check_round_trip(&trees, Layout::OneLine);
        let mut warnings = Vec::new();
        let record = Record::new(&trees[0], &mut warnings).unwrap();
        assert_eq!(record.moves.len(), depth);
        let broken = record.replay(|_, _| {}).expect("the point is occupied");
        assert_eq!((broken.played, broken.rest), (1, depth - 1));
    }
}

#[test]
fn a_node_may_branch_wide() {
    let width = 100_000;
    let text = format!("(;SZ[9]{})", "(;B[aa])C[x]".repeat(width));
    let (trees, warnings) = kifu::read(text.as_bytes());
    assert_eq!(trees[0].children(trees[0].root()).count(), width);
    assert_eq!(trees[0].properties(trees[0].root()).count(), width + 1);
    let last = warnings.last().unwrap().to_string();
    assert_eq!(last, "game 1, line 1: 99900 more warnings about this game not listed");
    assert_eq!(warnings.len(), 101);
}

#[test]
fn the_end_of_the_main_line_is_told_after_any_number_of_warnings() {
    // Coordinates in B8 style are odd, each of them.
    let text = format!("(;SZ[9]{};B[zz];W[cc])", ";B[B8]".repeat(300));
    let (trees, _) = kifu::read(text.as_bytes());
    let mut warnings = Vec::new();
    let record = Record::new(&trees[0], &mut warnings).unwrap();
    assert_eq!(record.moves.len(), 300);
    let cuts: Vec<_> = warnings.iter().filter(|w| w.kind.cuts_main_line()).collect();
    assert_eq!((cuts.len(), cuts[0].move_number), (1, Some(301)));
    assert_eq!(warnings.len(), 102);
}
