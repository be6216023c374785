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

use policy::PatternLayout;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use goban::Color;
use goban::zobrist::mix;
use shape::{Counts, Dictionary, Family, Pattern};

use crate::games::Games;
use crate::sketch::Sketch;
use crate::tally::{Entry, Note, Notebook, Partial, REGIONS, Spot, Table, region};
use crate::tracker::{Gate, PatternTracker, Wanted};

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

impl Extraction {
    /// Counts the patterns of games, or goes on counting.
    ///
    /// # Errors
    /// If memory is too small, or `partial` is of another run.
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
        let layout = PatternLayout::new(self.family.clone(), games.size());
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
        let mut pass = Pass { layout: &layout, games, meter, wanted, gate: None, from: 0 };
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
        Ok(Extracted::Done(draw(&layout, games, entries)))
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
    layout: &'a PatternLayout,
    games: &'a Games,
    meter: &'a Meter,
    wanted: Wanted,
    gate: Option<Gate<'a>>,
    /// The first game.
    from: usize,
}

impl Pass<'_> {
    fn run(&self, threads: usize, write: &(dyn Fn(usize, &[Note]) + Sync)) -> Result<(), Stopped> {
        let Pass { layout, games, meter, wanted, gate, from } = *self;
        let next = AtomicUsize::new(from);
        let work = || {
            let mut tracker = PatternTracker::new(layout, wanted, gate);
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

/// Goes back to where the patterns were found and takes them down.
fn draw(layout: &PatternLayout, games: &Games, mut kept: Vec<Entry>) -> Dictionary {
    kept.sort_unstable_by_key(|e| (e.game, e.spot.number, e.id));
    let mut patterns: Vec<(Pattern, Counts)> = Vec::with_capacity(kept.len());
    let mut rest = kept.as_slice();
    while let Some(first) = rest.first() {
        let (here, others) = rest.split_at(rest.partition_point(|e| e.game <= first.game));
        rest = others;
        let game = games.get(first.game as usize);
        let mut board = game.start(layout.size());
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
            let p = layout.points()[spot.place as usize];
            let color = Color::BOTH[spot.color as usize];
            let view = layout.family().look(&board, p, color, spot.part as usize);
            debug_assert_eq!(view.id(spot.stage as usize).0, entry.id);
            let counts = Counts { seen: entry.seen, played: entry.played as u64 };
            patterns.push((view.pattern(spot.stage as usize), counts));
        }
    }
    Dictionary::new(layout.family().clone(), patterns)
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
