//! The house rules of ARCHITECTURE.md, read off the manifests and the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each crate may use of ours. A crate that is not here yet has no place in the house.
const MAY_USE: [(&str, &str); 15] = [
    ("goban", ""),
    ("kifu", "goban"),
    ("shape", "goban"),
    ("policy", "goban shape"),
    ("playout", "goban shape policy"),
    ("search", "goban policy playout"),
    ("tsumego", "goban shape policy playout search"),
    ("knowledge", "goban"),
    ("engine", "goban shape policy playout search knowledge"),
    ("train", "goban kifu shape policy"),
    ("gtp", "goban"),
    ("web", "goban kifu engine"),
    ("protocol", "goban kifu policy playout tsumego knowledge engine gtp"),
    ("lab", "goban kifu shape policy playout search tsumego knowledge engine train gtp protocol"),
    (
        "cli",
        "goban kifu shape policy playout search tsumego knowledge engine train lab gtp protocol web",
    ),
];

/// Crates that never print and never touch files.
const SILENT: &str =
    "goban shape policy playout search tsumego knowledge engine kifu train protocol";

fn may_use(name: &str) -> Option<BTreeSet<&'static str>> {
    let (_, allowed) = MAY_USE.iter().find(|(known, _)| *known == name)?;
    Some(allowed.split_whitespace().collect())
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates/").to_owned()
}

fn names() -> BTreeSet<String> {
    let entries = fs::read_dir(crates()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn manifest(name: &str) -> toml::Table {
    let path = crates().join(name).join("Cargo.toml");
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).parse().unwrap()
}

/// The normal dependencies of a crate, also those for one platform only.
fn dependencies(name: &str) -> BTreeSet<String> {
    let manifest = manifest(name);
    let mut tables: Vec<&toml::Table> =
        manifest.get("dependencies").and_then(|d| d.as_table()).into_iter().collect();
    if let Some(targets) = manifest.get("target").and_then(|t| t.as_table()) {
        tables.extend(targets.values().filter_map(|t| t.get("dependencies")?.as_table()));
    }
    tables.iter().flat_map(|table| table.keys().cloned()).collect()
}

fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn crates_use_only_what_the_house_allows() {
    let ours: BTreeSet<&str> = MAY_USE.iter().map(|&(name, _)| name).collect();
    for name in names() {
        let allowed = may_use(&name)
            .unwrap_or_else(|| panic!("{name} has no place in the house yet: add it to MAY_USE"));
        for dependency in dependencies(&name) {
            let dependency = dependency.trim_start_matches("harie-");
            assert!(
                !ours.contains(dependency) || allowed.contains(dependency),
                "{name} may not use {dependency}"
            );
        }
    }
}

#[test]
fn the_rules_of_go_need_nobody() {
    assert_eq!(dependencies("goban"), BTreeSet::new());
}

#[test]
fn only_the_program_has_a_command_line() {
    for name in names().iter().filter(|name| *name != "cli") {
        for outside in ["clap", "clap_complete", "ctrlc", "indicatif"] {
            assert!(!dependencies(name).contains(outside), "{name} may not use {outside}");
        }
    }
}

#[test]
fn the_document_says_the_same() {
    let text = fs::read_to_string(crates().join("../ARCHITECTURE.md")).unwrap();
    for name in names() {
        let row = text
            .lines()
            .find(|line| line.starts_with(&format!("| `{name}` |")))
            .unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for {name}"));
        let uses = row.rsplit('|').nth(1).unwrap();
        let allowed = may_use(&name).unwrap();
        let written: BTreeSet<&str> =
            uses.split(',').map(str::trim).filter(|u| !["nothing", ""].contains(u)).collect();
        let existing: BTreeSet<&str> =
            allowed.iter().copied().filter(|a| names().contains(*a)).collect();
        assert!(existing.is_subset(&written), "the row of {name} lists {written:?}");
        assert!(written.is_subset(&allowed), "{name}: {written:?}");
    }
}

#[test]
fn what_plays_neither_prints_nor_reads_files() {
    for name in SILENT.split(' ').filter(|name| names().contains(*name)) {
        for path in sources(&crates().join(name).join("src")) {
            let text = fs::read_to_string(&path).unwrap();
            for (i, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap();
                let mut forbidden = vec!["println!", "print!", "eprintln!", "eprint!", "dbg!"];
                forbidden.extend(["stdout()", "stderr()", "stdin()"]);
                if name != "kifu" {
                    forbidden.extend([
                        " fs::", "(fs::", "{fs", "std::fs", "File::", "std::net", "std::env",
                    ]);
                }
                for word in forbidden {
                    assert!(!code.contains(word), "{}:{}: {word}", path.display(), i + 1);
                }
            }
        }
    }
}

#[test]
fn every_file_says_what_lives_there() {
    for name in names() {
        for path in sources(&crates().join(&name)) {
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.starts_with("//!"), "{} does not open with //!", path.display());
        }
    }
}
