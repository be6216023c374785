//! What the server shows beside its boards: the models that come with the program, and what a folder
//! of results holds.
//!
//! The folder is named on the command line. It is listed here, two levels deep and without following
//! links; a page asks for what is listed by the name that it has in the list, and no name from a page
//! is ever made into a path. Only files that the laboratory itself writes are recognised.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, UNIX_EPOCH};

use engine::Language;
use goban::{Board, Color};
use lab::page::Page;
use lab::statistics::Tally;
use lab::{Folder, Header, Pool, RatingList, tally};
use policy::{Model, Use};
use web::{Backend, CorpusCard, EvaluationWish, Item, MatchWish, ModelCard, Playing, Solved, Work};

use super::corpora::{self, Shelved};
use super::jobs::{LabJobs, Measured, Measuring};
use super::solver;
use crate::report::Found;
use crate::weights;

/// The folder is looked at again after this.
const FRESH: Duration = Duration::from_secs(1);
/// Game records are looked for again after this.
const RECORDS_FRESH: Duration = Duration::from_secs(5);
/// Entries of a folder that are looked at.
const ENTRIES: usize = 2000;
/// Files that are larger are left alone.
const LARGEST: u64 = 64 << 20;
/// Models of the folder that stay in memory.
const KEPT: usize = 4;
/// The last line of every page that the laboratory writes begins so.
const MADE: &str = "<footer>Made by Harie";

/// What is known of a file or folder of matches.
#[derive(Clone)]
struct Entry {
    item: Item,
    path: PathBuf,
    card: Option<ModelCard>,
    /// A match of which no game is finished.
    is_empty: bool,
}

#[derive(Default)]
struct Seen {
    at: Option<Instant>,
    entries: Vec<Entry>,
    /// Files that were looked into, by when they were changed and how long they are.
    known: BTreeMap<PathBuf, ((u64, u64), Option<Entry>)>,
}

/// The laboratory of a server.
pub struct Laboratory {
    folder: Option<PathBuf>,
    seen: Mutex<Seen>,
    models: Mutex<Vec<(String, u64, Arc<Model>)>>,
    /// Game records, and when they were listed.
    records: Mutex<Option<(Instant, Vec<Shelved>)>>,
    jobs: Option<LabJobs>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Laboratory {
    /// The models of the program, and the results in a folder if one is named; with `plays`, pages may
    /// start matches and evaluations whose results are kept there.
    pub fn new(folder: Option<PathBuf>, plays: bool) -> Laboratory {
        let jobs = folder.clone().filter(|_| plays).map(LabJobs::new);
        let (seen, models, records) = (Mutex::default(), Mutex::default(), Mutex::default());
        Laboratory { folder, seen, models, records, jobs }
    }

    /// The game records in the folder.
    fn records(&self) -> Vec<Shelved> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let mut records = lock(&self.records);
        let fresh = records.as_ref().filter(|(at, _)| at.elapsed() < RECORDS_FRESH);
        if let Some((_, found)) = fresh {
            return found.clone();
        }
        let found = corpora::list(folder);
        *records = Some((Instant::now(), found.clone()));
        found
    }

    /// What is in the folder now.
    fn entries(&self) -> Vec<Entry> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let mut seen = lock(&self.seen);
        if seen.at.is_none_or(|at| at.elapsed() >= FRESH) {
            let mut entries = Vec::new();
            seen.folder(folder, folder, 0, &mut entries);
            // What has changed last is what one wants to see.
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.item.changed));
            (seen.at, seen.entries) = (Some(Instant::now()), entries);
        }
        seen.entries.clone()
    }

    fn find(&self, id: &str) -> Option<Entry> {
        self.entries().into_iter().find(|entry| entry.item.id == id)
    }
}

impl Seen {
    /// Lists a folder. `top` is where names begin.
    fn folder(&mut self, top: &Path, path: &Path, depth: usize, entries: &mut Vec<Entry>) {
        let Ok(read) = fs::read_dir(path) else { return };
        let mut found: Vec<(PathBuf, fs::Metadata)> = read
            .take(ENTRIES)
            .filter_map(|entry| {
                let entry = entry.ok()?;
                // Of links this says what they are and not where they lead.
                Some((entry.path(), entry.metadata().ok()?))
            })
            .collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let mut matches = Vec::new();
        for (path, about) in found {
            if about.is_file() {
                entries.extend(self.file(top, &path, &about));
            } else if about.is_dir() && is_match(&path) {
                let found = self.a_match(top, &path);
                matches.extend(found.is_some().then_some(path));
                entries.extend(found);
            } else if about.is_dir() && depth < 1 {
                self.folder(top, &path, depth + 1, entries);
            }
        }
        if depth > 0 && matches.len() > 1 {
            entries.extend(self.pool(top, path, &matches));
        }
    }

    /// A folder of a match; games are added to it while it is played.
    fn a_match(&mut self, top: &Path, path: &Path) -> Option<Entry> {
        let stamp = games(path)?;
        self.known(path, stamp, || {
            let (header, games) = Folder::look(path).ok()??;
            let (tally, side) = (tally(&games), header.size);
            let title = format!("{} – {}", header.first, header.second);
            let summary = format!("{}, {side}×{side}", standing(&tally));
            let found = entry(top, path, "match", title, summary, stamp.0)?;
            Some(Entry { is_empty: games.is_empty(), ..found })
        })
    }

    /// A folder of matches of which a rating list can be made.
    fn pool(&mut self, top: &Path, path: &Path, matches: &[PathBuf]) -> Option<Entry> {
        let stamps = matches.iter().filter_map(|path| games(path));
        let stamp = stamps.fold((0, 0), |all, one| (all.0.max(one.0), all.1 + one.1));
        self.known(path, stamp, || {
            let list = rating_list(path)?;
            let best = list.ratings.first()?;
            let summary = format!("1. {} {:.0} ±{:.0}", best.player, best.elo, best.error);
            let title = path.file_name()?.to_string_lossy().into_owned();
            entry(top, path, "ratings", title, summary, stamp.0)
        })
    }

    fn file(&mut self, top: &Path, path: &Path, about: &fs::Metadata) -> Option<Entry> {
        let kind = path.extension()?.to_str()?;
        let stamp = stamp(about);
        if !["json", "html", "model"].contains(&kind) || about.len() > LARGEST {
            return None;
        }
        self.known(path, stamp, || {
            let found = read(top, path, kind, stamp.0);
            // Whoever put it there may wonder; pages do not learn what else is in the folder. An empty
            // one may be about to be written.
            if found.is_none() && stamp.1 > 0 {
                eprintln!(
                    "note: {path:?} is nothing that the laboratory can show; it is not listed"
                );
            }
            found
        })
    }

    /// What is known of a file, if it has not changed since.
    fn known(
        &mut self,
        path: &Path,
        stamp: (u64, u64),
        look: impl FnOnce() -> Option<Entry>,
    ) -> Option<Entry> {
        match self.known.get(path) {
            Some((then, entry)) if *then == stamp => entry.clone(),
            _ => {
                let entry = look();
                self.known.insert(path.to_owned(), (stamp, entry.clone()));
                entry
            }
        }
    }
}

/// What a file of a kind that the laboratory writes is; nothing if it is something else.
fn read(top: &Path, path: &Path, kind: &str, changed: u64) -> Option<Entry> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    match kind {
        "html" => {
            let text = fs::read_to_string(path).ok().filter(|text| is_own_page(text))?;
            let title = text.split("<title>").nth(1)?.split("</title>").next()?;
            entry(top, path, "page", plain(title), name, changed)
        }
        "model" => {
            let model = Model::from_bytes(&fs::read(path).ok()?).ok()?;
            let about = &model.about;
            let summary = format!("{name} · {0}×{0} · {1}", about.size, about.trained_on);
            let title = about.name.clone();
            let mut found = entry(top, path, "model", title, summary, changed)?;
            found.card = Some(card(found.item.id.clone(), name, about.of, about.size));
            Some(found)
        }
        _ => {
            let mut found = Found::default();
            found.file(path).ok().filter(|known| *known)?;
            let (kind, summary) = found.about()?;
            entry(top, path, kind, name, summary, changed)
        }
    }
}

/// When a file was changed, in milliseconds since 1970, and how long it is.
fn stamp(about: &fs::Metadata) -> (u64, u64) {
    let changed = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    (changed.map_or(0, |since| since.as_millis() as u64), about.len())
}

/// The stamp of the games of a match.
fn games(path: &Path) -> Option<(u64, u64)> {
    let about = fs::symlink_metadata(path.join("games.jsonl")).ok()?;
    about.is_file().then(|| stamp(&about))
}

fn is_match(path: &Path) -> bool {
    fs::symlink_metadata(path.join("match.json")).is_ok_and(|about| about.is_file())
}

/// A page that the laboratory wrote: it says so at its end, and has no scripts.
fn is_own_page(text: &str) -> bool {
    let end = text.trim_end().lines().rev().take(3).any(|line| line.starts_with(MADE));
    text.starts_with("<!doctype html>") && end && !text.contains("<script")
}

/// Text of a page as people read it.
fn plain(html: &str) -> String {
    html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn entry(
    top: &Path,
    path: &Path,
    kind: &'static str,
    title: String,
    summary: String,
    changed: u64,
) -> Option<Entry> {
    let below = path.strip_prefix(top).ok()?;
    let id = below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
    Some(Entry {
        item: Item { id, kind, title, summary, changed },
        path: path.to_owned(),
        card: None,
        is_empty: false,
    })
}

fn card(id: String, name: String, of: Use, size: u8) -> ModelCard {
    ModelCard { id, name, size, playouts: of == Use::Mc }
}

/// `12–8, 60.0 % (38.7–78.1)`: no words, since the page has its own.
pub fn standing(tally: &Tally) -> String {
    let Tally { wins, draws, losses } = *tally;
    let (low, high) = tally.interval();
    let drawn = if draws > 0 { format!("–{draws}") } else { String::new() };
    if tally.games() == 0 {
        return "0–0".to_owned();
    }
    format!(
        "{wins}{drawn}–{losses}, {:.1} % ({:.1}–{:.1})",
        100.0 * tally.share(),
        100.0 * low,
        100.0 * high
    )
}

/// The rating list of the matches in a folder, their mean being 0: who was an anchor is not in it.
fn rating_list(path: &Path) -> Option<RatingList> {
    let read = fs::read_dir(path).ok()?.take(ENTRIES);
    // Links are not followed, here either.
    let mut folders: Vec<PathBuf> = read
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .filter(|path| is_match(path) && games(path).is_some())
        .collect();
    folders.sort();
    let found: Vec<(Header, Tally)> = folders
        .iter()
        .filter_map(|path| {
            let (header, games) = Folder::look(path).ok()??;
            Some((header, tally(&games)))
        })
        .collect();
    let (head, _) = found.first()?;
    let (pool, tallies) = Pool::of(&found, |_| None);
    Some(pool.list(&tallies, head, &format!("harie rate … --out {}", path.file_name()?.display())))
}

impl Backend for Laboratory {
    fn models(&self) -> Vec<ModelCard> {
        let own = weights::all().map(|(of, size)| {
            let name = weights::name(of, size);
            card(name.clone(), name, of, size.side())
        });
        own.chain(self.entries().into_iter().filter_map(|entry| entry.card)).collect()
    }

    fn model(&self, id: &str) -> Option<Arc<Model>> {
        let own = weights::find(id);
        let entry = if own.is_none() { Some(self.find(id)?) } else { None };
        let changed = entry.as_ref().map_or(0, |entry| entry.item.changed);
        let mut kept = lock(&self.models);
        if let Some((_, _, model)) =
            kept.iter().find(|(name, at, _)| (name.as_str(), *at) == (id, changed))
        {
            return Some(Arc::clone(model));
        }
        let model = match (own, entry) {
            (Some((of, size)), _) => weights::model(of, size),
            (None, entry) => weights::read(&entry.filter(|e| e.card.is_some())?.path).ok()?,
        };
        let model = Arc::new(model);
        kept.retain(|(name, ..)| name != id);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((id.to_owned(), changed, Arc::clone(&model)));
        Some(model)
    }

    fn has_laboratory(&self) -> bool {
        self.folder.is_some()
    }

    fn results(&self) -> Option<Vec<Item>> {
        self.folder.as_ref()?;
        let under_way = self.work().filter(|work| work.state == "running").map(|work| work.id);
        // Of a match without a finished game there is nothing to show unless more is to come.
        let shown = |entry: &Entry| !entry.is_empty || under_way.as_ref() == Some(&entry.item.id);
        Some(self.entries().into_iter().filter(shown).map(|entry| entry.item).collect())
    }

    fn page(&self, id: &str, language: Language) -> Option<String> {
        let Entry { item, path, .. } = self.find(id)?;
        let mut page = Page::new(&item.title).in_language(language);
        match item.kind {
            "page" => return fs::read_to_string(path).ok().filter(|text| is_own_page(text)),
            "match" => {
                let (header, games) = Folder::look(&path).ok()??;
                page.played(&header, &games);
            }
            "ratings" if path.is_dir() => page.ratings(&rating_list(&path)?),
            "model" => page.model(&weights::read(&path).ok()?),
            _ => {
                let mut found = Found::default();
                found.file(&path).ok()?;
                found.show(&mut page);
            }
        }
        Some(page.to_html())
    }

    fn has_solver(&self) -> bool {
        true
    }

    fn solve(&self, board: &Board, to_play: Color, time: Duration) -> Option<Solved> {
        solver::solve(board, to_play, time)
    }

    fn playing(&self) -> Playing {
        match &self.jobs {
            None => Playing::Never,
            Some(jobs) if jobs.is_busy() => Playing::Busy,
            Some(_) => Playing::Idle,
        }
    }

    fn play(&self, wish: &MatchWish) -> Result<String, String> {
        let jobs = self.jobs.as_ref().ok_or("matches are not started from pages here")?;
        let name = jobs.begin(wish)?;
        // The list is to have it at once.
        lock(&self.seen).at = None;
        Ok(name)
    }

    fn corpora(&self) -> Vec<CorpusCard> {
        self.records().into_iter().map(|found| found.card).collect()
    }

    fn measure(&self, wish: &EvaluationWish) -> Result<String, String> {
        let jobs = self.jobs.as_ref().ok_or("evaluations are not started from pages here")?;
        let models = wish.models.iter().take(3).map(|id| {
            let model = self.model(id).ok_or("there is no such model")?;
            // The models of the program are no files of the folder.
            let is_own = weights::find(id).is_some();
            Ok(Measured { name: id.clone(), is_own, model })
        });
        let models = models.collect::<Result<Vec<_>, String>>()?;
        if let [one, other] = wish.models.as_slice()
            && one == other
        {
            return Err("a model is not measured beside itself".to_owned());
        }
        let corpus = self.records().into_iter().find(|found| found.card.id == wish.corpus);
        let corpus = corpus.ok_or("there are no such game records")?;
        jobs.measure(Measuring { models, corpus, games: wish.games })
    }

    fn work(&self) -> Option<Work> {
        let work = self.jobs.as_ref()?.work()?;
        if work.state == "done" {
            // The list is to have it at once.
            let mut seen = lock(&self.seen);
            if !seen.entries.iter().any(|entry| entry.item.id == work.id) {
                seen.at = None;
            }
        }
        Some(work)
    }

    fn stop(&self) {
        if let Some(jobs) = &self.jobs {
            jobs.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use goban::Size;

    use super::*;

    const HEADER: &str = r#"{"format":1,"first":"FIRST","second":"SECOND","size":9,"komi":7.5,
        "rules":"chinese","openings":"2 drawn","time":null,"move_timeout":60.0,"referee":"playouts",
        "seed":1}"#;
    const GAME: &str = r#"{"game":1,"black":"first","white":"second","result":"B+R","winner":"first",
        "ended":"resignation","moves":80,"opening":2,"first":{"moves":40,"seconds":4.0,"longest":0.2},
        "second":{"moves":40,"seconds":4.0,"longest":0.2}}"#;

    fn add_match(folder: &Path, name: &str, [first, second]: [&str; 2]) {
        let path = folder.join(name);
        fs::create_dir_all(&path).unwrap();
        let header = HEADER.replace("FIRST", first).replace("SECOND", second);
        fs::write(path.join("match.json"), header).unwrap();
        let game = GAME.replace('\n', "") + "\n";
        fs::write(path.join("games.jsonl"), game).unwrap();
    }

    fn ids(laboratory: &Laboratory) -> Vec<(String, &'static str)> {
        let items = laboratory.results().unwrap();
        let mut ids: Vec<_> = items.into_iter().map(|item| (item.id, item.kind)).collect();
        ids.sort();
        ids
    }

    #[test]
    fn results_are_listed_and_shown_and_other_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        add_match(folder.path(), "alone", ["a<b", "c"]);
        // No game of it is finished.
        add_match(folder.path(), "begun", ["a", "b"]);
        fs::write(at("begun/games.jsonl"), "").unwrap();
        add_match(folder.path(), "pool/a-b", ["a", "b"]);
        add_match(folder.path(), "pool/b-c", ["b", "c"]);
        let mut own = Page::new("a & b");
        own.model(&weights::model(Use::Mc, Size::NINE));
        fs::write(at("own.html"), own.to_html()).unwrap();
        fs::write(at("other.html"), "<!doctype html><title>x</title>secret").unwrap();
        let scripted = own.to_html().replace("<main>", "<main><script>1</script>");
        fs::write(at("scripted.html"), scripted).unwrap();
        fs::write(at("secret.json"), r#"{"password": "x"}"#).unwrap();
        fs::write(at("secret.txt"), "x").unwrap();
        fs::write(at("broken.model"), "x").unwrap();
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights/mc9.model");
        fs::copy(own, at("mine.model")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(at("alone"), at("link")).unwrap();
        let laboratory = Laboratory::new(Some(folder.path().to_owned()), false);
        let expected = [
            ("alone", "match"),
            ("mine.model", "model"),
            ("own.html", "page"),
            ("pool", "ratings"),
            ("pool/a-b", "match"),
            ("pool/b-c", "match"),
        ];
        let expected: Vec<_> = expected.map(|(id, kind)| (id.to_owned(), kind)).into();
        assert_eq!(ids(&laboratory), expected);
        for (id, kind) in &expected {
            let page = laboratory.page(id, Language::English).unwrap_or_else(|| panic!("{id}"));
            assert!(is_own_page(&page), "{id}");
            assert!(*kind != "match" || page.contains("by resignation"), "{page}");
        }
        assert!(laboratory.page("alone", Language::English).unwrap().contains("a&lt;b against c"));
        let begun = laboratory.page("begun", Language::English).unwrap();
        assert!(
            begun.contains("No game is finished yet.") && !begun.contains("--games"),
            "{begun}"
        );
        let odd = ["", "..", "link", "secret.json", "secret.txt", "/etc/passwd", "pool/../alone"];
        for id in odd.into_iter().chain(["other.html", "scripted.html", "alone/match.json"]) {
            assert!(
                laboratory.page(id, Language::English).is_none() && laboratory.model(id).is_none(),
                "{id}"
            );
        }
        // The models of the program come first; that of the folder can be compared with them.
        let models: Vec<String> = laboratory.models().into_iter().map(|card| card.id).collect();
        assert_eq!(models.first().map(String::as_str), Some("uct9"));
        assert_eq!(models.last().map(String::as_str), Some("mine.model"));
        assert!(laboratory.model("mine.model").is_some() && laboratory.model("uct9").is_some());
        assert!(laboratory.model("own.html").is_none());
        // What is played meanwhile is seen.
        let item = |id: &str| laboratory.results().unwrap().into_iter().find(|i| i.id == id);
        let before = item("alone").unwrap().summary;
        let game = GAME.replace('\n', "");
        let more = format!("{game}\n{}\n", game.replace("\"game\":1", "\"game\":2"));
        fs::write(at("alone/games.jsonl"), more).unwrap();
        lock(&laboratory.seen).at = None;
        assert_ne!(item("alone").unwrap().summary, before);
        assert_eq!(laboratory.playing(), Playing::Never);
    }

    #[test]
    fn models_are_measured_on_records_of_the_folder_and_on_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let moves: String = (0..40)
            .map(|i| {
                let (color, x, y) = (["B", "W"][i % 2], i % 8, i / 8);
                let letter = |n: usize| char::from(b'a' + n as u8);
                format!(";{color}[{}{}]", letter(x), letter(y))
            })
            .collect();
        let games: String =
            ["6.5", "7", "7.5"].map(|komi| format!("(;SZ[9]KM[{komi}];B[ii]{moves})\n")).concat();
        fs::write(at("games.sgf"), games.replacen(";B[ii]", "", 1).replacen("[ii]", "[hi]", 1))
            .unwrap();
        fs::write(at("large.sgf"), "(;SZ[19];B[dd];W[pp])").unwrap();
        let laboratory = Laboratory::new(Some(folder.path().to_owned()), true);
        let wish = |models: &[&str], corpus: &str| EvaluationWish {
            models: models.iter().map(|&id| id.to_owned()).collect(),
            corpus: corpus.to_owned(),
            games: 10,
        };
        let outside = folder.path().parent().unwrap().to_string_lossy().into_owned();
        for odd in ["", "..", "games", "/etc/passwd", "../games.sgf", outside.as_str()] {
            let why = laboratory.measure(&wish(&["mc9"], odd)).unwrap_err();
            assert_eq!(why, "there are no such game records", "{odd}");
            let why = laboratory.measure(&wish(&["mc9", odd], "games.sgf")).unwrap_err();
            assert_eq!(why, "there is no such model", "{odd}");
        }
        for (odd, why) in [
            (wish(&[], "games.sgf"), "one model or two"),
            (wish(&["mc9", "uct9", "mc9"], "games.sgf"), "one model or two"),
            (wish(&["mc9", "mc19"], "games.sgf"), "different boards"),
            (wish(&["mc9", "mc9"], "games.sgf"), "beside itself"),
            (EvaluationWish { games: 100_000, ..wish(&["mc9"], "games.sgf") }, "1 to 1000 games"),
        ] {
            assert!(laboratory.measure(&odd).unwrap_err().contains(why), "{odd:?}");
        }
        let ended = || {
            while laboratory.playing() == Playing::Busy {
                std::thread::sleep(Duration::from_millis(20));
            }
            laboratory.work().unwrap()
        };
        // Which games there are is known only when they are read.
        assert_eq!(laboratory.measure(&wish(&["mc9"], "large.sgf")).unwrap(), "evaluation-1.json");
        let work = ended();
        assert_eq!(
            (work.state, work.why.as_deref()),
            ("failed", Some("there is no game on 9x9 in these records"))
        );
        let id = laboratory.measure(&wish(&["mc9", "uct9"], "games.sgf")).unwrap();
        let work = ended();
        assert_eq!((work.state, work.id.as_str(), work.done), ("done", id.as_str(), work.of));
        assert!(work.match1.is_some());
        let item = laboratory.results().unwrap().into_iter().find(|item| item.id == id).unwrap();
        assert_eq!((item.kind, item.summary.as_str()), ("evaluation", "mc9, uct9 9×9"));
        let page = laboratory.page(&id, Language::English).unwrap();
        assert!(page.contains("Match_n") && !page.contains("duplicate"));
        let command = format!(
            "harie eval --model mc9 --model uct9 {} --size 9 --games 10",
            crate::eval::quoted(&at("games.sgf").to_string_lossy())
        );
        assert!(page.contains(&command), "{page}");
        // Another begins with the next number; what is stopped leaves nothing.
        let id = laboratory.measure(&wish(&["mc9"], "games.sgf")).unwrap();
        assert_eq!(id, "evaluation-2.json");
        laboratory.stop();
        let work = ended();
        assert!(["stopped", "done"].contains(&work.state));
        assert_eq!(at(&id).exists(), work.state == "done");
    }

    #[test]
    fn without_a_folder_there_are_only_models() {
        let laboratory = Laboratory::new(None, true);
        assert!(laboratory.results().is_none() && !laboratory.has_laboratory());
        assert_eq!((laboratory.models().len(), laboratory.playing()), (6, Playing::Never));
    }
}
