//! Counts of patterns: notes that are written down region by region, exact tables, and what is left
//! when counting is stopped.

/// Memory and work are divided by the upper bits of identities: a region fits a cache, and threads
/// rarely want the same.
pub(crate) const REGIONS: usize = 256;

pub(crate) fn region(id: u64) -> usize {
    (id >> 56) as usize
}

/// Something to be counted.
#[derive(Clone, Copy)]
pub(crate) struct Note {
    pub(crate) id: u64,
    /// Positions in which it stood, or 0 if it was played.
    pub(crate) seen: u32,
    pub(crate) game: u32,
    pub(crate) spot: Spot,
}

/// Where a pattern can be found: move number, place of the point, part, colour.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spot {
    pub(crate) number: u16,
    pub(crate) place: u16,
    pub(crate) part: u8,
    pub(crate) stage: u8,
    pub(crate) color: u8,
}

/// Notes of a thread, written down region by region.
pub(crate) struct Notebook<'a> {
    pages: Vec<Vec<Note>>,
    write: &'a (dyn Fn(usize, &[Note]) + Sync),
}

const PAGE: usize = 2048;

impl<'a> Notebook<'a> {
    pub(crate) fn new(write: &'a (dyn Fn(usize, &[Note]) + Sync)) -> Notebook<'a> {
        Notebook { pages: (0..REGIONS).map(|_| Vec::with_capacity(PAGE)).collect(), write }
    }

    #[inline]
    pub(crate) fn note(&mut self, note: Note) {
        let page = &mut self.pages[region(note.id)];
        page.push(note);
        if page.len() == PAGE {
            (self.write)(region(note.id), page);
            page.clear();
        }
    }

    pub(crate) fn finish(&mut self) {
        for (region, page) in self.pages.iter_mut().enumerate() {
            (self.write)(region, page);
            page.clear();
        }
    }
}

/// The exact counts of a region: an open table.
pub(crate) struct Table {
    pub(crate) entries: Vec<Entry>,
    used: usize,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Entry {
    pub(crate) id: u64,
    pub(crate) seen: u64,
    pub(crate) played: u32,
    pub(crate) game: u32,
    pub(crate) spot: Spot,
}

impl Entry {
    pub(crate) fn is_used(&self) -> bool {
        self.seen > 0 || self.played > 0
    }
}

impl Table {
    pub(crate) fn new() -> Table {
        Table { entries: vec![Entry::default(); 64], used: 0 }
    }

    pub(crate) fn add(&mut self, note: &Note) {
        let Note { id, seen, game, spot } = *note;
        let played = (seen == 0) as u32;
        self.put(Entry { id, seen: seen as u64, played, game, spot });
    }

    /// Adds counts to those that are there.
    pub(crate) fn put(&mut self, entry: Entry) {
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

    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }
}

/// What was counted before somebody said stop.
pub struct Partial {
    pub(crate) mark: u64,
    /// Games done.
    pub(crate) done: usize,
    pub(crate) entries: Vec<Entry>,
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
