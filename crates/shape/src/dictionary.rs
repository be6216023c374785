//! Known patterns and how often they were seen and played.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use goban::{Board, Color, Point};

use crate::family::{Family, View};
use crate::pattern::{Pattern, PatternId};

/// The place of a pattern in a dictionary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PatternIndex(pub u32);

/// How often a pattern occurred.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Candidate moves that had it.
    pub seen: u64,
    /// Of those, moves that were played.
    pub played: u64,
}

/// Identities are mixed already: they are their own hash.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // Identities come as one number; anything else would still be a hash.
        bytes.iter().for_each(|&b| self.0 = self.0.rotate_left(8) ^ b as u64);
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }
}

/// Patterns of a family, immutable once made. Every pattern comes with the smaller ones inside it,
/// so that a search for the largest may stop at the first stage that is not known.
#[derive(Clone)]
pub struct Dictionary {
    family: Family,
    patterns: Vec<Packed>,
    cells: Vec<u8>,
    index: HashMap<u64, u32, BuildHasherDefault<AsIs>>,
}

#[derive(Clone)]
struct Packed {
    stage: u8,
    class: u8,
    /// Where its states begin in `cells`.
    start: u32,
    counts: Counts,
}

/// What is wrong with the bytes of a dictionary.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DictionaryError {
    /// It does not begin as a dictionary does.
    #[error("this is not a pattern dictionary")]
    NotADictionary,
    /// It was written by a newer program.
    #[error("the dictionary has format {found}, this program reads up to {known}; update Harie")]
    Newer {
        /// Its format.
        found: u16,
        /// What is known here.
        known: u16,
    },
    /// A family that is not known.
    #[error("the dictionary is of the pattern family {0:?}, which is not known here")]
    Family(String),
    /// It ends too early.
    #[error("the dictionary is cut off: {found} bytes where {expected} are needed")]
    Truncated {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be at least.
        expected: usize,
    },
    /// A pattern that cannot be.
    #[error("pattern {0} of the dictionary is damaged")]
    Pattern(usize),
}

const MAGIC: &[u8; 8] = b"HARIEDIC";
const FORMAT: u16 = 1;

impl Dictionary {
    /// A dictionary of these patterns. The smaller patterns inside a pattern are added with counts
    /// of zero where they are missing; a pattern given twice has its counts added.
    pub fn new(
        family: Family,
        patterns: impl IntoIterator<Item = (Pattern, Counts)>,
    ) -> Dictionary {
        let mut all: Vec<(Pattern, Counts)> = Vec::new();
        let mut index = HashMap::<u64, u32, BuildHasherDefault<AsIs>>::default();
        let mut add = |pattern: Pattern, counts: Counts| {
            let place = *index.entry(pattern.id(&family).0).or_insert_with(|| {
                all.push((pattern, Counts::default()));
                all.len() as u32 - 1
            });
            let sum = &mut all[place as usize].1;
            sum.seen += counts.seen;
            sum.played += counts.played;
        };
        for (pattern, counts) in patterns {
            for stage in 0..pattern.stage {
                add(pattern.at_stage(&family, stage), Counts::default());
            }
            add(pattern, counts);
        }
        // One order for one set of patterns, whatever order they came in.
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut dictionary = Dictionary {
            family,
            patterns: Vec::new(),
            cells: Vec::new(),
            index: HashMap::default(),
        };
        for (pattern, counts) in all {
            dictionary.push(&pattern, counts);
        }
        dictionary
    }

    fn push(&mut self, pattern: &Pattern, counts: Counts) {
        let place = self.patterns.len() as u32;
        self.index.insert(pattern.id(&self.family).0, place);
        self.patterns.push(Packed {
            stage: pattern.stage as u8,
            class: pattern.class,
            start: self.cells.len() as u32,
            counts,
        });
        self.cells.extend(pattern.pack(&self.family));
    }

    /// The family.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// Number of patterns.
    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The places of all patterns, small stages and classes first.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = PatternIndex> + use<> {
        (0..self.patterns.len() as u32).map(PatternIndex)
    }

    /// The identities of all patterns, in no particular order.
    pub fn ids(&self) -> impl Iterator<Item = (PatternId, PatternIndex)> + '_ {
        self.index.iter().map(|(&id, &place)| (PatternId(id), PatternIndex(place)))
    }

    /// How often a pattern occurred.
    pub fn counts(&self, index: PatternIndex) -> Counts {
        self.patterns[index.0 as usize].counts
    }

    /// The stage of a pattern.
    pub fn stage(&self, index: PatternIndex) -> usize {
        self.patterns[index.0 as usize].stage as usize
    }

    /// The stones of a pattern.
    pub fn pattern(&self, index: PatternIndex) -> Pattern {
        let packed = &self.patterns[index.0 as usize];
        let bytes = &self.cells[packed.start as usize..];
        Pattern::unpack(&self.family, packed.stage as usize, packed.class, bytes)
            .expect("a dictionary holds whole patterns")
    }

    /// The pattern with this identity.
    pub fn find(&self, id: PatternId) -> Option<PatternIndex> {
        self.index.get(&id.0).map(|&place| PatternIndex(place))
    }

    /// The largest known pattern of a view.
    pub fn largest(&self, view: &View<'_>) -> Option<PatternIndex> {
        let known = (0..self.family.stages()).map_while(|stage| self.find(view.id(stage)));
        known.last()
    }

    /// The largest known pattern of a part of the family at `p` for `color`.
    pub fn at(&self, board: &Board, p: Point, color: Color, part: usize) -> Option<PatternIndex> {
        self.largest(&self.family.look(board, p, color, part))
    }

    /// The dictionary as bytes, the same for the same patterns.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT.to_le_bytes());
        bytes.push(self.family.name().len() as u8);
        bytes.extend(self.family.name().as_bytes());
        bytes.extend((self.patterns.len() as u32).to_le_bytes());
        // Column by column: alike next to alike is what compressors like.
        bytes.extend(self.patterns.iter().map(|p| p.stage));
        bytes.extend(self.patterns.iter().map(|p| p.class));
        for packed in &self.patterns {
            bytes.extend(packed.counts.seen.to_le_bytes());
        }
        for packed in &self.patterns {
            bytes.extend(packed.counts.played.to_le_bytes());
        }
        bytes.extend(&self.cells);
        bytes
    }

    /// Reads what [`Dictionary::to_bytes`] wrote.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Dictionary, DictionaryError> {
        let mut rest = bytes;
        let mut take = |n: usize| -> Result<&[u8], DictionaryError> {
            let at = bytes.len() - rest.len();
            let missing = DictionaryError::Truncated { found: bytes.len(), expected: at + n };
            let (head, tail) = rest.split_at_checked(n).ok_or(missing)?;
            rest = tail;
            Ok(head)
        };
        let magic = take(MAGIC.len()).map_err(|_| DictionaryError::NotADictionary)?;
        if magic != MAGIC {
            return Err(DictionaryError::NotADictionary);
        }
        let number =
            |bytes: &[u8]| bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | byte as u64);
        let format = number(take(2)?) as u16;
        if format > FORMAT {
            return Err(DictionaryError::Newer { found: format, known: FORMAT });
        }
        let length = take(1)?[0] as usize;
        let name = String::from_utf8_lossy(take(length)?).into_owned();
        let family = Family::parse(&name).ok_or(DictionaryError::Family(name))?;
        let count = number(take(4)?) as usize;
        let stages = take(count)?;
        let classes = take(count)?;
        let seen = take(count * 8)?;
        let played = take(count * 8)?;
        let mut dictionary = Dictionary {
            family,
            patterns: Vec::with_capacity(count),
            cells: Vec::new(),
            index: HashMap::with_capacity_and_hasher(count, BuildHasherDefault::default()),
        };
        for i in 0..count {
            let stage = stages[i] as usize;
            if stage >= dictionary.family.stages() {
                return Err(DictionaryError::Pattern(i));
            }
            let bits = dictionary.family.cells(stage).len() * dictionary.family.bits();
            let states = take(bits.div_ceil(8))?;
            let pattern = Pattern::unpack(&dictionary.family, stage, classes[i], states)
                .ok_or(DictionaryError::Pattern(i))?;
            let counts = Counts {
                seen: number(&seen[i * 8..i * 8 + 8]),
                played: number(&played[i * 8..i * 8 + 8]),
            };
            dictionary.push(&pattern, counts);
        }
        Ok(dictionary)
    }
}
