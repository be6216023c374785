//! Corpora: folders, archives, errors among the games, progress, filters.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;
use goban::{Color, Size};
use kifu::{Corpus, CorpusError, Ending, Filter, Rank, Record, Reject};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::{read_one, texts};

/// A folder of its own for a test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("kifu-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zip(entries: &[(&str, CompressionMethod, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, method, bytes) in entries {
        let options = SimpleFileOptions::default().compression_method(*method);
        archive.start_file(*name, options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A game that says who plays in it.
fn game(name: &str) -> String {
    format!("(;GM[1]SZ[9]PB[{name}];B[ee])\n")
}

/// The items of a corpus: the black player and the origin, or the error. Paths are relative.
fn items(folder: &Folder, corpus: Corpus) -> Vec<String> {
    let root = format!("{}/", folder.0.display());
    corpus
        .map(|item| match item {
            Ok(found) => {
                let player = found.tree.value(found.tree.root(), "PB");
                let player = player.map_or("?".into(), |value| value.text());
                let warnings = texts(&found.warnings).concat();
                let warnings =
                    if warnings.is_empty() { warnings } else { format!(" ! {warnings}") };
                format!("{player}: {}{warnings}", found.tree.origin())
            }
            Err(error) => error.to_string(),
        })
        .map(|line| line.replace(&root, ""))
        .collect()
}

#[test]
fn folders_are_walked_in_order() {
    let folder = Folder::new();
    folder.write("b.sgf", game("b1") + &game("b2"));
    folder.write("a/2.SGF", game("a2"));
    folder.write("a/10.sgf", game("a10"));
    folder.write("a/z/deep.sgf", game("deep"));
    folder.write("c.sgf.gz", gzip(&(game("c1") + &game("c2"))));
    folder.write("d.gz", gzip(&game("d")));
    folder.write("notes.txt", "no games here");
    folder.write("table.jsonl.gz", gzip("{}"));
    folder.write("e.zip", zip(&[("x.sgf", CompressionMethod::Deflated, game("x").as_bytes())]));
    assert_eq!(
        items(&folder, Corpus::new([&folder.0])),
        [
            "a10: a/10.sgf, game 1, line 1",
            "a2: a/2.SGF, game 1, line 1",
            "deep: a/z/deep.sgf, game 1, line 1",
            "b1: b.sgf, game 1, line 1",
            "b2: b.sgf, game 2, line 2",
            "c1: c.sgf.gz, game 1, line 1",
            "c2: c.sgf.gz, game 2, line 2",
            "d: d.gz, game 1, line 1",
            "x: e.zip/x.sgf, game 1, line 1",
        ]
    );
}

#[test]
fn files_that_are_named_are_read_whatever_they_are_called() {
    let folder = Folder::new();
    let text = folder.write("games.txt", game("text"));
    let packed = folder.write("packed.sgf", gzip(&game("packed")));
    let bytes = zip(&[("in.sgf", CompressionMethod::Stored, game("stored").as_bytes())]);
    let archive = folder.write("archive", bytes);
    assert_eq!(
        items(&folder, Corpus::new([text, archive, packed])),
        [
            "text: games.txt, game 1, line 1",
            "stored: archive/in.sgf, game 1, line 1",
            "packed: packed.sgf, game 1, line 1",
        ]
    );
}

#[test]
fn gzip_may_have_several_members() {
    let folder = Folder::new();
    let bytes = [gzip(&game("one")), gzip(&game("two"))].concat();
    let path = folder.write("both.sgf.gz", bytes);
    assert_eq!(
        items(&folder, Corpus::new([path])),
        ["one: both.sgf.gz, game 1, line 1", "two: both.sgf.gz, game 2, line 2"]
    );
}

#[test]
fn archives_hold_folders_and_packed_files() {
    let folder = Folder::new();
    let [stored, deflated] = [CompressionMethod::Stored, CompressionMethod::Deflated];
    let bytes = zip(&[
        ("2/b.sgf", deflated, (game("b1") + &game("b2")).as_bytes()),
        ("1/a.sgf", stored, game("a").as_bytes()),
        ("1/deep/c.sgf.gz", stored, &gzip(&game("c"))),
        ("1/deep/d.sgf.gz", deflated, &gzip(&game("d"))),
        ("readme.txt", deflated, b"(;GM[1])"),
        ("表.sgf", deflated, game("e").as_bytes()),
    ]);
    folder.write("all.zip", bytes);
    assert_eq!(
        items(&folder, Corpus::new([&folder.0])),
        [
            "b1: all.zip/2/b.sgf, game 1, line 1",
            "b2: all.zip/2/b.sgf, game 2, line 2",
            "a: all.zip/1/a.sgf, game 1, line 1",
            "c: all.zip/1/deep/c.sgf.gz, game 1, line 1",
            "d: all.zip/1/deep/d.sgf.gz, game 1, line 1",
            "e: all.zip/表.sgf, game 1, line 1",
        ]
    );
}

#[test]
fn what_cannot_be_read_is_an_error_among_the_games() {
    let folder = Folder::new();
    folder.write("a.sgf", game("a"));
    folder.write("b.sgf", "nothing to see");
    folder.write("c.sgf", "");
    let whole = gzip(&(game("d1") + &game("d2").repeat(500)));
    folder.write("d.sgf.gz", &whole[..whole.len() - 20]);
    let mut broken =
        zip(&[("e.sgf", CompressionMethod::Stored, (game("e1") + &game("e2")).as_bytes())]);
    let at = broken.windows(2).position(|w| w == b"e2").unwrap();
    broken[at] = b'E';
    folder.write("e.zip", broken);
    folder.write("f.zip", b"PK\x03\x04 not an archive");
    folder.write("g.zip", zip(&[("readme.txt", CompressionMethod::Stored, b"x")]));
    folder.write("h.sgf", game("h"));
    let missing = folder.path("missing.sgf");
    let corpus = Corpus::new([&folder.0, &missing]);
    let all = items(&folder, corpus);
    assert_eq!(all[0], "a: a.sgf, game 1, line 1");
    assert_eq!(all[1], "b.sgf: there is no game in this file; is it SGF?");
    assert_eq!(all[2], "c.sgf: there is no game in this file; is it SGF?");
    assert_eq!(all[3], "d1: d.sgf.gz, game 1, line 1");
    // The packed file breaks off in the middle of a game, which is kept as far as it goes.
    let whole = all[4..].iter().take_while(|line| line.starts_with("d2")).count();
    assert!(whole > 100, "most of the packed games are there");
    let [cut, rest @ ..] = &all[4 + whole..] else { panic!("nothing after d.sgf.gz") };
    assert!(cut.contains("the file ends inside the game"), "{cut}");
    assert!(rest[0].starts_with("d.sgf.gz: "), "{}", rest[0]);
    assert_eq!(rest[1], "e1: e.zip/e.sgf, game 1, line 1");
    assert_eq!(rest[2], "E2: e.zip/e.sgf, game 2, line 2");
    assert_eq!(
        rest[3],
        format!("e.zip/e.sgf: the checksum of the entry is wrong; the archive is damaged")
    );
    assert!(rest[4].starts_with("f.zip: ") && rest[4].ends_with(""), "{}", rest[4]);
    assert_eq!(
        rest[5],
        "g.zip: there is no game in this file; is it a zip archive with .sgf files in it?"
    );
    assert_eq!(rest[6], "h: h.sgf, game 1, line 1");
    assert!(rest[7].starts_with("missing.sgf: ") && rest[7].ends_with(""), "{}", rest[7]);
    assert_eq!(rest.len(), 8);
}

#[test]
fn warnings_come_with_their_games() {
    let folder = Folder::new();
    folder.write("a.sgf", format!("before {}between {} after", game("1"), game("2")));
    folder.write("b.sgf", "no game");
    let skipped = |file, game, line, n, text| {
        format!(
            "{file}, game {game}, line {line}: text that is not part of a game was skipped \
             ({n} bytes): \"{text}\""
        )
    };
    let mut corpus = Corpus::new([&folder.0]);
    let root = format!("{}/", folder.0.display());
    let mut next = || corpus.next().unwrap();
    let told = |warnings: &[kifu::Warning]| -> Vec<String> {
        texts(warnings).iter().map(|text| text.replace(&root, "")).collect()
    };
    assert_eq!(told(&next().unwrap().warnings), [skipped("a.sgf", 1, 1, 6, "before")]);
    assert_eq!(
        told(&next().unwrap().warnings),
        [skipped("a.sgf", 2, 2, 7, "between"), skipped("a.sgf", 2, 3, 5, "after")]
    );
    let Err(CorpusError::NoGame { path, warnings }) = next() else { panic!("a game in b.sgf?") };
    assert!(path.ends_with("b.sgf"));
    assert_eq!(told(&warnings), [skipped("b.sgf", 1, 1, 6, "no game")]);
    assert!(corpus.next().is_none());
}

#[test]
fn progress_goes_from_nothing_to_all() {
    let folder = Folder::new();
    folder.write("a.sgf", game("a").repeat(20_000));
    folder.write("b.sgf.gz", gzip(&game("b").repeat(20_000)));
    let entry = game("c").repeat(2_000);
    folder.write("c.zip", zip(&[("c.sgf", CompressionMethod::Deflated, entry.as_bytes())]));
    folder.write("d.sgf", "");
    let total: u64 = ["a.sgf", "b.sgf.gz", "c.zip", "d.sgf"]
        .iter()
        .map(|name| fs::metadata(folder.path(name)).unwrap().len())
        .sum();
    let mut corpus = Corpus::new([&folder.0]);
    assert_eq!((corpus.progress().bytes, corpus.progress().total), (0, total));
    let (mut last, mut steps) = (0, 0);
    while corpus.next().is_some() {
        let now = corpus.progress().bytes;
        assert!(now >= last && now <= total);
        steps += usize::from(now > last);
        last = now;
    }
    assert!(steps > 5);
    let progress = corpus.progress();
    assert_eq!((progress.bytes, progress.files, progress.games), (total, 4, 42_000));
}

#[test]
fn a_corpus_goes_to_other_threads() {
    fn sent<T: Send>(_: &T) {}
    sent(&Corpus::new([Path::new("nowhere")]));
}

#[test]
fn long_games_are_limited() {
    let folder = Folder::new();
    folder.write("a.sgf", game(&"x".repeat(1000)) + &game("short"));
    let corpus = Corpus::new([&folder.0]).with_limit(100);
    assert_eq!(
        items(&folder, corpus),
        [
            "short: a.sgf, game 2, line 2 ! a.sgf, game 1, line 1: the game is longer than 100 bytes; \
          1024 bytes were skipped, up to the next line that starts a game"
        ]
    );
}

#[test]
fn filters_say_why_not() {
    let record = |text: &str| Record::new(&read_one(text), &mut Vec::new()).unwrap();
    let good = record("(;SZ[9]HA[2]AB[cc][gg]KM[0.5]RE[B+R]BR[5k]WR[2d];W[ee];B[ff];W[fe])");
    assert_eq!(Filter::default().check(&good), Ok(()));
    let all = Filter {
        sizes: vec![Size::NINE, Size::THIRTEEN],
        handicap: Some(0..=2),
        moves: Some(3..=3),
        komi: Some(0.0..=1.0),
        endings: vec![Ending::Points, Ending::Resignation],
        winner: Some(Color::Black),
        weakest: Some(Rank::Kyu(5)),
        strongest: Some(Rank::Dan(3)),
    };
    assert_eq!(all.check(&good), Ok(()));
    let none = Filter::default;
    for (filter, reject) in [
        (Filter { sizes: vec![Size::NINETEEN], ..none() }, Reject::Size),
        (Filter { handicap: Some(0..=0), ..none() }, Reject::Handicap),
        (Filter { moves: Some(4..=1000), ..none() }, Reject::Moves),
        (Filter { komi: Some(5.0..=8.0), ..none() }, Reject::Komi),
        (Filter { endings: vec![Ending::Points], ..none() }, Reject::Ending),
        (Filter { winner: Some(Color::White), ..none() }, Reject::Winner),
        (Filter { weakest: Some(Rank::Kyu(4)), ..none() }, Reject::Strength),
        (Filter { strongest: Some(Rank::Dan(1)), ..none() }, Reject::Strength),
        (Filter { weakest: Some(Rank::Rating(1.0)), ..none() }, Reject::Strength),
    ] {
        assert_eq!(filter.check(&good), Err(reject));
    }
    let unknown = record("(;SZ[9];B[ee])");
    let ranked = Filter { weakest: Some(Rank::Kyu(30)), ..none() };
    assert_eq!(ranked.check(&unknown), Err(Reject::Strength));
    assert_eq!(Filter { komi: Some(0.0..=9.0), ..none() }.check(&unknown), Err(Reject::Komi));
    let rated = record("(;SZ[9]BR[1850]WR[2100];B[ee])");
    let filter = |least| Filter { weakest: Some(Rank::Rating(least)), ..none() };
    assert_eq!(filter(1800.0).check(&rated), Ok(()));
    assert_eq!(filter(1900.0).check(&rated), Err(Reject::Strength));
}

#[test]
fn endings_of_all_outcomes() {
    for (text, ending) in [
        ("B+2", Ending::Points),
        ("B+R", Ending::Resignation),
        ("W+T", Ending::Time),
        ("W+F", Ending::Forfeit),
        ("B+", Ending::Won),
        ("0", Ending::Draw),
        ("Void", Ending::Void),
        ("?", Ending::Unknown),
    ] {
        assert_eq!(Ending::from(kifu::Outcome::parse(text).unwrap()), ending);
    }
}
