//! Patterns of games and how often they were seen and played.
//!
//! Every legal move of every position counts, or only the moves that were played decide which
//! patterns are wanted. A pattern stays the same over many moves, so it is counted when it changes,
//! with the number of positions in which it stood.
//!
//! There are two passes. The first counts in a [`Sketch`] of bounded size, which never counts too
//! low; the second counts exactly, and only what the sketch says may be frequent. So the counts of
//! the patterns that are kept are exact and no frequent pattern is lost, whatever the memory; with
//! little of it the second pass only holds more that is thrown away at the end.
//!
//! Counting that is stopped in the second pass leaves a [`Partial`] to go on from.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use goban::zobrist::mix;
use goban::{Board, Cell, Changes, Color};
use shape::{Counts, Dictionary, Family, Pattern};

use crate::frame::Frame;
use crate::games::{Game, Games};
use crate::rings::Rings;
use crate::sketch::Sketch;

/// What to count and what to keep.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// The family of patterns.
    pub family: Family,
    /// Patterns seen at least so often are kept.
    pub min_seen: u64,
    /// Patterns played at least so often are kept.
    pub min_played: u64,
    /// Whether only patterns that are played often enough are looked for; much faster, and they
    /// need less memory.
    pub played_only: bool,
    /// Bytes that the tables may take.
    pub memory: usize,
    /// Threads.
    pub threads: usize,
}

/// Why patterns could not be counted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExtractError {
    /// Families with sectors or ataris have no hashes that follow a game.
    #[error("patterns of the family {0} cannot be extracted; plain ones such as N7 or CP can")]
    Family(String),
    /// Too many patterns.
    #[error(
        "the patterns do not fit into {megabytes} MB; give more --memory or raise --min-seen or \
         --min-played"
    )]
    Memory {
        /// What there was.
        megabytes: usize,
    },
    /// What is left of an earlier run does not belong to this one.
    #[error("what was counted before is of other games or options; start without it")]
    Other,
}

/// What counting led to.
pub enum Extracted {
    /// The patterns.
    Done(Dictionary),
    /// The meter said stop; what was counted exactly so far, if anything.
    Stopped(Option<Partial>),
}

impl Extracted {
    /// The patterns, if counting came to its end.
    pub fn done(self) -> Option<Dictionary> {
        match self {
            Extracted::Done(dictionary) => Some(dictionary),
            Extracted::Stopped(_) => None,
        }
    }
}

/// How far counting is; read it from another thread.
#[derive(Default)]
pub struct Meter {
    /// Games done, both passes together.
    pub games: AtomicUsize,
    /// Positions done, both passes together.
    pub positions: AtomicUsize,
    /// Set it to stop.
    pub stop: AtomicBool,
}

/// Memory and work are divided by the upper bits of identities: a region fits a cache, and threads
/// rarely want the same.
const REGIONS: usize = 256;

fn region(id: u64) -> usize {
    (id >> 56) as usize
}

/// Something to be counted.
#[derive(Clone, Copy)]
struct Note {
    id: u64,
    /// Positions in which it stood, or 0 if it was played.
    seen: u32,
    game: u32,
    spot: Spot,
}

/// Where a pattern can be found: move number, place of the point, part, colour.
#[derive(Clone, Copy, Default)]
struct Spot {
    number: u16,
    place: u16,
    part: u8,
    stage: u8,
    color: u8,
}

/// Notes of a thread, written down region by region.
struct Notebook<'a> {
    pages: Vec<Vec<Note>>,
    write: &'a (dyn Fn(usize, &[Note]) + Sync),
}

const PAGE: usize = 2048;

impl<'a> Notebook<'a> {
    fn new(write: &'a (dyn Fn(usize, &[Note]) + Sync)) -> Notebook<'a> {
        Notebook { pages: (0..REGIONS).map(|_| Vec::with_capacity(PAGE)).collect(), write }
    }

    #[inline]
    fn note(&mut self, note: Note) {
        let page = &mut self.pages[region(note.id)];
        page.push(note);
        if page.len() == PAGE {
            (self.write)(region(note.id), page);
            page.clear();
        }
    }

    fn finish(&mut self) {
        for (region, page) in self.pages.iter_mut().enumerate() {
            (self.write)(region, page);
            page.clear();
        }
    }
}

/// The exact counts of a region: an open table.
struct Table {
    entries: Vec<Entry>,
    used: usize,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    id: u64,
    seen: u64,
    played: u32,
    game: u32,
    spot: Spot,
}

impl Entry {
    fn is_used(&self) -> bool {
        self.seen > 0 || self.played > 0
    }
}

impl Table {
    fn new() -> Table {
        Table { entries: vec![Entry::default(); 64], used: 0 }
    }

    fn add(&mut self, note: &Note) {
        let Note { id, seen, game, spot } = *note;
        let played = (seen == 0) as u32;
        self.put(Entry { id, seen: seen as u64, played, game, spot });
    }

    /// Adds counts to those that are there.
    fn put(&mut self, entry: Entry) {
        if self.used * 3 >= self.entries.len() * 2 {
            let larger = vec![Entry::default(); self.entries.len() * 2];
            self.used = 0;
            for old in std::mem::replace(&mut self.entries, larger) {
                if old.is_used() {
                    self.put(old);
                }
            }
        }
        let mask = self.entries.len() - 1;
        let mut at = (entry.id >> 8) as usize & mask;
        while self.entries[at].is_used() && self.entries[at].id != entry.id {
            at = (at + 1) & mask;
        }
        let known = &mut self.entries[at];
        if known.is_used() {
            known.seen += entry.seen;
            known.played += entry.played;
        } else {
            *known = entry;
            self.used += 1;
        }
    }

    fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }
}

impl Extraction {
    /// Counts the patterns of games, or goes on counting.
    ///
    /// # Errors
    /// If the family cannot be followed, memory is too small, or `partial` is of another run.
    pub fn run(
        &self,
        games: &Games,
        meter: &Meter,
        partial: Option<Partial>,
    ) -> Result<Extracted, ExtractError> {
        let mark = self.mark(games);
        let fits = |p: &Partial| p.mark == mark && p.entries.iter().all(|e| self.fits(e, games));
        if !partial.as_ref().is_none_or(fits) {
            return Err(ExtractError::Other);
        }
        let frame = Frame::new(self.family.clone(), games.size());
        if !frame.is_plain() {
            return Err(ExtractError::Family(self.family.name().to_owned()));
        }
        // Small corpora need no large sketch: a few bytes for each note there can be.
        let played = games.positions() * self.family.parts() * self.family.stages();
        let notes = if self.played_only { played } else { 32 * played };
        let sketch_bytes = (self.memory / 2).min(notes * 4).max(1 << 20);
        let sketches: Vec<Mutex<Sketch>> =
            (0..REGIONS).map(|_| Mutex::new(Sketch::new(sketch_bytes / REGIONS))).collect();
        let first = |region: usize, notes: &[Note]| {
            let mut sketch = sketches[region].lock().expect("nobody panics while counting");
            for note in notes {
                sketch.add(note.id, note.seen.max(1));
            }
        };
        let wanted = if self.played_only { Wanted::Played } else { Wanted::Seen };
        let mut pass = Pass { frame: &frame, games, meter, wanted, gate: None, from: 0 };
        if pass.run(self.threads, &first).is_err() {
            return Ok(Extracted::Stopped(partial));
        }
        let unlock = |sketch: Mutex<Sketch>| sketch.into_inner().expect("nobody panics");
        let sketches: Vec<Sketch> = sketches.into_iter().map(unlock).collect();

        let least = if self.played_only { self.min_played } else { self.min_seen };
        let least = least.min(u16::MAX as u64) as u32;
        let tables: Vec<Mutex<Table>> = (0..REGIONS).map(|_| Mutex::new(Table::new())).collect();
        let from = partial.as_ref().map_or(0, |partial| partial.done);
        for entry in partial.into_iter().flat_map(|partial| partial.entries) {
            let mut table = tables[region(entry.id)].lock().expect("nobody else is there");
            table.put(entry);
        }
        let room = (self.memory - self.memory / 2) / REGIONS;
        let too_many = AtomicBool::new(false);
        let second = |region: usize, notes: &[Note]| {
            let mut table = tables[region].lock().expect("nobody panics while counting");
            notes.iter().for_each(|note| table.add(note));
            if table.bytes() > room.max(1 << 16) {
                too_many.store(true, Ordering::Relaxed);
                meter.stop.store(true, Ordering::Relaxed);
            }
        };
        let gate = Some(Gate { sketches: &sketches, least });
        pass = Pass { wanted: Wanted::Both, gate, from, ..pass };
        let done = pass.run(self.threads, &second);
        if too_many.into_inner() {
            return Err(ExtractError::Memory { megabytes: self.memory >> 20 });
        }
        drop(sketches);
        let tables = tables.into_iter().map(|t| t.into_inner().expect("nobody panics"));
        let mut entries: Vec<Entry> =
            tables.flat_map(|t| t.entries).filter(Entry::is_used).collect();
        if let Err(Stopped(done)) = done {
            return Ok(Extracted::Stopped(Some(Partial { mark, done, entries })));
        }
        entries.retain(|e| e.seen >= self.min_seen && e.played as u64 >= self.min_played);
        Ok(Extracted::Done(draw(&frame, games, entries)))
    }

    /// Whether there can be such an entry: it may come from a file.
    fn fits(&self, entry: &Entry, games: &Games) -> bool {
        let Spot { place, part, stage, color, .. } = entry.spot;
        (entry.game as usize) < games.len()
            && (place as usize) < games.size().area()
            && (part as usize) < self.family.parts()
            && (stage as usize) < self.family.stages()
            && color < 2
    }

    /// A number that tells this run from others.
    fn mark(&self, games: &Games) -> u64 {
        let name = self.family.name().bytes().fold(0, |sum, b| mix(sum ^ b as u64));
        let numbers = [self.min_seen, self.min_played, self.played_only as u64, games.mark()];
        numbers.iter().fold(name, |sum, n| mix(sum ^ n))
    }
}

/// One pass through all games.
struct Pass<'a> {
    frame: &'a Frame,
    games: &'a Games,
    meter: &'a Meter,
    wanted: Wanted,
    gate: Option<Gate<'a>>,
    /// The first game.
    from: usize,
}

impl Pass<'_> {
    fn run(&self, threads: usize, write: &(dyn Fn(usize, &[Note]) + Sync)) -> Result<(), Stopped> {
        let Pass { frame, games, meter, wanted, gate, from } = *self;
        let next = AtomicUsize::new(from);
        let work = || {
            let mut tracker = Tracker::new(frame, wanted, gate);
            let mut notebook = Notebook::new(write);
            // A game that was begun is ended, so that all before the next are done.
            while !meter.stop.load(Ordering::Relaxed) {
                let game = next.fetch_add(1, Ordering::Relaxed);
                if game >= games.len() {
                    break;
                }
                tracker.follow(game as u32, games.get(game), &mut |note| notebook.note(note));
                meter.games.fetch_add(1, Ordering::Relaxed);
                meter.positions.fetch_add(games.get(game).positions(), Ordering::Relaxed);
            }
            notebook.finish();
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.max(1) {
                scope.spawn(work);
            }
            work();
        });
        let done = next.into_inner().min(games.len());
        if done < games.len() { Err(Stopped(done)) } else { Ok(()) }
    }
}

/// A pass ended early; so many games are done.
struct Stopped(usize);

/// What was counted before somebody said stop.
pub struct Partial {
    mark: u64,
    /// Games done.
    done: usize,
    entries: Vec<Entry>,
}

const MAGIC: &[u8; 8] = b"HARIECNT";
/// Bytes of an entry.
const PACKED: usize = 31;

impl Partial {
    /// Games counted so far.
    pub fn games(&self) -> usize {
        self.done
    }

    /// As bytes, to go on later.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.mark.to_le_bytes());
        bytes.extend((self.done as u64).to_le_bytes());
        for Entry { id, seen, played, game, spot } in &self.entries {
            bytes.extend(id.to_le_bytes());
            bytes.extend(seen.to_le_bytes());
            bytes.extend(played.to_le_bytes());
            bytes.extend(game.to_le_bytes());
            bytes.extend(spot.number.to_le_bytes());
            bytes.extend(spot.place.to_le_bytes());
            bytes.extend([spot.part, spot.stage, spot.color]);
        }
        bytes
    }

    /// Reads what [`Partial::to_bytes`] wrote; nothing if it is something else or cut off.
    pub fn from_bytes(bytes: &[u8]) -> Option<Partial> {
        let number =
            |bytes: &[u8]| bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | byte as u64);
        let rest = bytes.strip_prefix(MAGIC)?;
        let (head, rest) = rest.split_at_checked(16)?;
        if !rest.len().is_multiple_of(PACKED) {
            return None;
        }
        let entry = |b: &[u8]| Entry {
            id: number(&b[..8]),
            seen: number(&b[8..16]),
            played: number(&b[16..20]) as u32,
            game: number(&b[20..24]) as u32,
            spot: Spot {
                number: number(&b[24..26]) as u16,
                place: number(&b[26..28]) as u16,
                part: b[28],
                stage: b[29],
                color: b[30],
            },
        };
        Some(Partial {
            mark: number(&head[..8]),
            done: number(&head[8..]) as usize,
            entries: rest.chunks_exact(PACKED).map(entry).collect(),
        })
    }
}

/// What a pass counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Seen,
    Played,
    Both,
}

/// Lets through what may be frequent.
#[derive(Clone, Copy)]
struct Gate<'a> {
    sketches: &'a [Sketch],
    least: u32,
}

impl Gate<'_> {
    #[inline]
    fn lets(&self, id: u64) -> bool {
        self.sketches[region(id)].count(id) >= self.least
    }
}

/// The identity of a pattern that is not frequent; those that contain it are not either.
const RARE: u64 = 0;

/// A pattern that stands at a point.
#[derive(Clone, Copy, Default)]
struct Standing {
    id: u64,
    /// The position of the player from which on it stands.
    since: u32,
    /// The number of moves then.
    number: u16,
}

/// Follows games and notes patterns as they go.
struct Tracker<'a> {
    frame: &'a Frame,
    wanted: Wanted,
    gate: Option<Gate<'a>>,
    rings: Rings<'a>,
    /// By colour, then slot and stage.
    standing: [Vec<Standing>; 2],
    /// By colour: whether the place was legal when the player was last to move.
    legal: [Vec<bool>; 2],
    /// By colour: positions in which the player was to move.
    clock: [u32; 2],
}

impl<'a> Tracker<'a> {
    fn new(frame: &'a Frame, wanted: Wanted, gate: Option<Gate<'a>>) -> Tracker<'a> {
        let standing = vec![Standing::default(); frame.slots() * frame.family().stages()];
        Tracker {
            frame,
            wanted,
            gate,
            rings: Rings::new(frame),
            standing: [standing.clone(), standing],
            legal: [0, 1].map(|_| vec![false; frame.points().len()]),
            clock: [0; 2],
        }
    }

    fn follow(&mut self, game: u32, record: &Game, note: &mut impl FnMut(Note)) {
        let frame = self.frame;
        let mut board = record.start(frame.size());
        let mut changes = Changes::new();
        self.rings.clear();
        self.clock = [0; 2];
        self.legal.iter_mut().for_each(|legal| legal.fill(false));
        for (place, &p) in frame.points().iter().enumerate() {
            if let Some(color) = board.cell(p).color() {
                self.rings.toggle(place, color);
            }
        }
        let (parts, stages) = (frame.family().parts(), frame.family().stages());
        for (number, (color, point)) in record.moves().enumerate() {
            let number = number as u16;
            if let Some(p) = point {
                self.look(&board, color, game, number, note);
                if self.wanted != Wanted::Seen {
                    let place = frame.place(p);
                    for slot in frame.slot(place, 0)..frame.slot(place, 0) + parts {
                        for stage in 0..stages {
                            let id = self.standing[color.index()][slot * stages + stage].id;
                            if id == RARE {
                                break;
                            }
                            let spot = spot(parts, number, slot, stage, color);
                            note(Note { id, seen: 0, game, spot });
                        }
                    }
                }
            }
            changes.clear();
            match point {
                Some(p) => {
                    board.play_assume_legal(p, color, &mut changes);
                    self.rings.toggle(frame.place(p), color);
                    for &q in changes.captured() {
                        self.rings.toggle(frame.place(q), !color);
                        self.rings.mark_place(frame.place(q));
                    }
                }
                None => board.pass(),
            }
        }
        // What stands at the end was seen as well.
        for color in Color::BOTH {
            for place in 0..frame.points().len() {
                if self.legal[color.index()][place] {
                    self.flush(place, color, self.clock[color.index()], game, note);
                }
            }
        }
    }

    /// Brings what stands at the points of a player up to date.
    fn look(
        &mut self,
        board: &Board,
        color: Color,
        game: u32,
        number: u16,
        note: &mut impl FnMut(Note),
    ) {
        let frame = self.frame;
        let (parts, stages) = (frame.family().parts(), frame.family().stages());
        let c = color.index();
        let now = self.clock[c];
        self.clock[c] += 1;
        if self.wanted != Wanted::Played {
            for (place, &p) in frame.points().iter().enumerate() {
                let legal = board.is_legal(p, color);
                if legal == self.legal[c][place] {
                    continue;
                }
                if legal {
                    let first = frame.slot(place, 0) * stages;
                    let all = &mut self.standing[c][first..first + parts * stages];
                    for standing in all {
                        (standing.since, standing.number) = (now, number);
                    }
                } else {
                    self.flush(place, color, now, game, note);
                }
                self.legal[c][place] = legal;
            }
        }
        let counts = self.wanted != Wanted::Played;
        let Tracker { rings, standing, legal, gate, .. } = self;
        rings.take_changed(color, |rings, slot, from| {
            let place = slot / parts;
            let all = &mut standing[c][slot * stages..(slot + 1) * stages];
            let is_empty = board.cell(frame.points()[place]) == Cell::Empty;
            if !is_empty || (from > 0 && all[from - 1].id == RARE) {
                return;
            }
            if counts && legal[c][place] {
                for (stage, old) in all.iter().enumerate().skip(from) {
                    if old.id != RARE && now > old.since {
                        let spot = spot(parts, old.number, slot, stage, color);
                        note(Note { id: old.id, seen: now - old.since, game, spot });
                    }
                }
            }
            rings.ids(color, slot, from, |stage, id| {
                let frequent = gate.is_none_or(|gate| gate.lets(id.0));
                if frequent {
                    all[stage] = Standing { id: id.0, since: now, number };
                } else {
                    all[stage..].fill(Standing { id: RARE, since: now, number });
                }
                frequent
            });
        });
    }

    /// Notes what stood at a place that is no longer legal.
    fn flush(&self, place: usize, color: Color, now: u32, game: u32, note: &mut impl FnMut(Note)) {
        if self.wanted == Wanted::Played {
            return;
        }
        let (parts, stages) = (self.frame.family().parts(), self.frame.family().stages());
        for slot in self.frame.slot(place, 0)..self.frame.slot(place, 0) + parts {
            for stage in 0..stages {
                let Standing { id, since, number } =
                    self.standing[color.index()][slot * stages + stage];
                if now > since && id != RARE {
                    let spot = spot(parts, number, slot, stage, color);
                    note(Note { id, seen: now - since, game, spot });
                }
            }
        }
    }
}

fn spot(parts: usize, number: u16, slot: usize, stage: usize, color: Color) -> Spot {
    Spot {
        number,
        place: (slot / parts) as u16,
        part: (slot % parts) as u8,
        stage: stage as u8,
        color: color.index() as u8,
    }
}

/// Goes back to where the patterns were found and takes them down.
fn draw(frame: &Frame, games: &Games, mut kept: Vec<Entry>) -> Dictionary {
    kept.sort_unstable_by_key(|e| (e.game, e.spot.number, e.id));
    let mut patterns: Vec<(Pattern, Counts)> = Vec::with_capacity(kept.len());
    let mut rest = kept.as_slice();
    while let Some(first) = rest.first() {
        let (here, others) = rest.split_at(rest.partition_point(|e| e.game <= first.game));
        rest = others;
        let game = games.get(first.game as usize);
        let mut board = game.start(frame.size());
        let mut moves = game.moves();
        let mut number = 0;
        for entry in here {
            let spot = entry.spot;
            for (color, point) in moves.by_ref().take((spot.number - number) as usize) {
                match point {
                    Some(p) => board.play_assume_legal(p, color, &mut ()),
                    None => board.pass(),
                }
            }
            number = spot.number;
            let p = frame.points()[spot.place as usize];
            let color = Color::BOTH[spot.color as usize];
            let view = frame.family().look(&board, p, color, spot.part as usize);
            debug_assert_eq!(view.id(spot.stage as usize).0, entry.id);
            let counts = Counts { seen: entry.seen, played: entry.played as u64 };
            patterns.push((view.pattern(spot.stage as usize), counts));
        }
    }
    Dictionary::new(frame.family().clone(), patterns)
}

/// By stage: the points that it sees, the patterns there are, and the sums of their counts.
pub fn by_stage(dictionary: &Dictionary) -> Vec<(usize, usize, Counts)> {
    let family = dictionary.family();
    let mut stages = vec![(0, Counts::default()); family.stages()];
    for index in dictionary.indices() {
        let (count, sum) = &mut stages[dictionary.stage(index)];
        let counts = dictionary.counts(index);
        *count += 1;
        sum.seen += counts.seen;
        sum.played += counts.played;
    }
    let row = |(stage, (count, sum))| (family.cells(stage).len(), count, sum);
    stages.into_iter().enumerate().map(row).collect()
}
