//! The game records in the folder of the laboratory that models can be measured on: files with games,
//! and folders with such files directly in them, those of matches as well.
//!
//! As for results, a page is told names and asks by one of them; links are not followed, and what is
//! found here is a list of files that were seen to be files.

use std::fs;
use std::path::{Path, PathBuf};

use kifu::is_record;
use web::CorpusCard;

/// Entries of a folder that are looked at.
const ENTRIES: usize = 20_000;
/// Corpora that are listed.
const LISTED: usize = 200;
/// A file that is longer is left alone.
const LARGEST: u64 = 256 << 20;

/// Game records under a name.
#[derive(Clone)]
pub struct Shelved {
    pub card: CorpusCard,
    pub files: Vec<PathBuf>,
}

/// The records in a folder and in the folders in it.
pub fn list(top: &Path) -> Vec<Shelved> {
    let (files, folders) = look(top);
    let mut found: Vec<Shelved> = Vec::new();
    for folder in folders {
        let (below, _) = look(&folder);
        let Some(name) = folder.file_name().map(|name| name.to_string_lossy().into_owned()) else {
            continue;
        };
        if below.len() > 1 {
            found.push(shelved(name.clone(), below.clone()));
        }
        // A file of a match is one game.
        if !folder.join("match.json").exists() {
            found.extend(below.into_iter().filter_map(|file| {
                let id = format!("{name}/{}", file.0.file_name()?.to_string_lossy());
                Some(shelved(id, vec![file]))
            }));
        }
    }
    let single = files.into_iter().filter_map(|file| {
        let id = file.0.file_name()?.to_string_lossy().into_owned();
        Some(shelved(id, vec![file]))
    });
    let mut all: Vec<Shelved> = single.chain(found).collect();
    all.truncate(LISTED);
    all
}

fn shelved(id: String, files: Vec<(PathBuf, u64)>) -> Shelved {
    let bytes = files.iter().map(|(_, bytes)| bytes).sum();
    let card = CorpusCard { id, files: files.len(), bytes };
    Shelved { card, files: files.into_iter().map(|(path, _)| path).collect() }
}

/// The records of a folder with their lengths, and its folders, in the order of their names.
fn look(path: &Path) -> (Vec<(PathBuf, u64)>, Vec<PathBuf>) {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    let Ok(read) = fs::read_dir(path) else { return (files, folders) };
    for entry in read.take(ENTRIES).filter_map(Result::ok) {
        // Of links this says what they are and not where they lead.
        let Ok(about) = entry.metadata() else { continue };
        let path = entry.path();
        if about.is_dir() {
            folders.push(path);
        } else if about.is_file() && is_record(&path) && about.len() <= LARGEST {
            files.push((path, about.len()));
        }
    }
    files.sort();
    folders.sort();
    (files, folders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_listed_and_links_are_not() {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let at = |name: &str| folder.path().join(name);
        for name in ["many", "one", "match-1"] {
            fs::create_dir(at(name)).unwrap();
        }
        let files = ["own.sgf", "notes.txt", "many/b.sgf.gz", "many/a.sgf", "one/x.zip"];
        let games = ["match-1/match.json", "match-1/game-0001.sgf", "match-1/game-0002.sgf"];
        for name in files.into_iter().chain(games) {
            fs::write(at(name), "(;SZ[9];B[ee])").unwrap();
        }
        fs::write(elsewhere.path().join("secret.sgf"), "(;C[secret])").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(elsewhere.path(), at("link")).unwrap();
            std::os::unix::fs::symlink(elsewhere.path().join("secret.sgf"), at("l.sgf")).unwrap();
        }
        let found = list(folder.path());
        let ids: Vec<&str> = found.iter().map(|found| found.card.id.as_str()).collect();
        let expected = ["own.sgf", "many", "many/a.sgf", "many/b.sgf.gz", "match-1", "one/x.zip"];
        assert_eq!(ids, expected);
        let many = found.iter().find(|found| found.card.id == "many").unwrap();
        assert_eq!((many.card.files, many.card.bytes), (2, 28));
        assert_eq!(many.files, [at("many/a.sgf"), at("many/b.sgf.gz")]);
    }
}
