//! What the methods have learned, as one block of bytes that comes with the program.

use std::collections::HashMap;

use kifu::{Move, NodeId, Outcome, Part, Problem, Record, Split};
use policy::{About, FeatureSpace, Model, ModelError, Use};
use shape::{Counts, Dictionary, DictionaryError, Family};
use train::{Ascent, Course, ExtractError, Extraction, Games, Likelihood, Meter, Standing, Step};

use super::census::Census;
use super::distribution::{Distribution, Spot, Tally};
use super::method::{ByClass, Fixed, Flexible, Learned, Method, SemiFixed, Similar};

/// The distances within which random answers are drawn.
pub const REACHES: [u8; 3] = [1, 2, 3];

/// A pattern of the flexible method that was the answer more often than this is split.
const TOO_FREQUENT: u64 = 20;
/// One that was the answer less often than this dies.
const TOO_RARE: u64 = 3;
/// Nested patterns are known when they were the answer so often.
const KNOWN: u64 = 2;

/// What the methods have learned. See the module documentation.
pub struct Lessons {
    /// Where it comes from, for people to read.
    pub about: String,
    tally: Tally,
    fixed: Vec<Dictionary>,
    nested: Dictionary,
    flexible: Dictionary,
    models: Vec<Model>,
}

/// Why lessons cannot be learned or read.
#[derive(Debug, thiserror::Error)]
pub enum LessonsError {
    /// It does not begin as lessons do.
    #[error("this is not a file of lessons from problems")]
    NotLessons,
    /// It was written by another version.
    #[error("the lessons have format {found}, this program reads {known}; learn them again")]
    Format {
        /// Its format.
        found: u16,
        /// What is known here.
        known: u16,
    },
    /// It ends too early or does not unpack.
    #[error("the lessons are damaged; get them again")]
    Damaged,
    /// The patterns.
    #[error(transparent)]
    Dictionary(#[from] DictionaryError),
    /// A model.
    #[error(transparent)]
    Model(#[from] policy::FileError),
    /// Extracting patterns.
    #[error(transparent)]
    Extract(#[from] ExtractError),
    /// A model that does not fit together.
    #[error(transparent)]
    Weights(#[from] ModelError),
    /// Nothing to learn from.
    #[error("there are too few problems with answers to learn from")]
    TooFew,
    /// Ctrl-C.
    #[error("stopped before everything was learned; nothing was written")]
    Stopped,
}

/// The families of fixed patterns.
fn families() -> Vec<Family> {
    (1..=4).map(Family::neumann).chain((1..=4).map(Family::moore)).collect()
}

const MAGIC: &[u8; 8] = b"HARIELES";
const FORMAT: u16 = 1;

impl Lessons {
    /// Learns from problems. `watch` hears what is being done and says whether to go on.
    ///
    /// # Errors
    /// If there is too little to learn from, or if it was stopped.
    pub fn learn(
        problems: &[Problem],
        about: &str,
        mut watch: impl FnMut(&str) -> bool,
    ) -> Result<Lessons, LessonsError> {
        let mut go_on = |what: &str| if watch(what) { Ok(()) } else { Err(LessonsError::Stopped) };
        go_on("classes")?;
        let mut distribution = Distribution::default();
        problems.iter().for_each(|problem| distribution.add(problem));
        let mut fixed = Vec::new();
        for family in families() {
            go_on(family.name())?;
            let mut census = Census::new(family, false);
            problems.iter().for_each(|problem| census.add(problem));
            fixed.push(census.dictionary(1));
        }
        go_on("nested patterns")?;
        let mut census = Census::new(Family::diamonds(5), false);
        problems.iter().for_each(|problem| census.add(problem));
        let nested = census.dictionary(KNOWN);
        go_on("flexible patterns")?;
        let mut census = Census::new(Family::nested(9), true);
        problems.iter().for_each(|problem| census.add(problem));
        let flexible = evolve(&census.dictionary(TOO_RARE));
        let mut models = Vec::new();
        for family in [Family::collage(), Family::nested(9)] {
            if !watch(&format!("a move model of {}", family.name())) {
                return Err(LessonsError::Stopped);
            }
            models.push(move_model(problems, family, about, &mut watch)?);
        }
        let tally = distribution.first;
        Ok(Lessons { about: about.to_owned(), tally, fixed, nested, flexible, models })
    }

    /// The methods, the published ones first.
    pub fn methods(&self) -> Vec<Box<dyn Method + '_>> {
        let mut methods: Vec<Box<dyn Method + '_>> = Vec::new();
        for reach in REACHES {
            methods.push(Box::new(ByClass { tally: &self.tally, reach }));
        }
        for dictionary in &self.fixed {
            methods.push(Box::new(Fixed(dictionary)));
        }
        if let Some(diamond) = self.fixed.iter().find(|d| d.family().name() == "Neumann(4)") {
            methods.push(Box::new(Similar::new(diamond)));
        }
        methods.push(Box::new(SemiFixed(&self.nested)));
        methods.push(Box::new(Flexible(&self.flexible)));
        for model in &self.models {
            let name = format!("move model of problems, {}", model.family().name());
            methods.push(Box::new(Learned { name, model }));
        }
        methods
    }

    /// As the bytes of a file: `HARIELES`, format (u16), then compressed by zstd: parts, each after its
    /// length (u32), little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut parts = vec![self.about.clone().into_bytes()];
        let spots = self.tally.spots.iter();
        parts.push(
            spots
                .flat_map(|(spot, &n)| {
                    let n = (n as u32).to_le_bytes();
                    [spot.high, spot.low, n[0], n[1], n[2], n[3]]
                })
                .collect(),
        );
        for dictionary in self.fixed.iter().chain([&self.nested, &self.flexible]) {
            parts.push(dictionary.to_bytes());
        }
        parts.extend(self.models.iter().map(Model::to_bytes));
        let mut plain = Vec::new();
        for part in parts {
            plain.extend((part.len() as u32).to_le_bytes());
            plain.extend(part);
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend(zstd::encode_all(&plain[..], 19).expect("memory takes what it is given"));
        bytes
    }

    /// Reads what [`Lessons::to_bytes`] wrote.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Lessons, LessonsError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(LessonsError::NotLessons)?;
        let (format, rest) = rest.split_first_chunk().ok_or(LessonsError::Damaged)?;
        let found = u16::from_le_bytes(*format);
        if found != FORMAT {
            return Err(LessonsError::Format { found, known: FORMAT });
        }
        let plain = zstd::decode_all(rest).map_err(|_| LessonsError::Damaged)?;
        let mut rest = &plain[..];
        let mut part = || -> Result<&[u8], LessonsError> {
            let (length, tail) = rest.split_first_chunk().ok_or(LessonsError::Damaged)?;
            let length = u32::from_le_bytes(*length) as usize;
            let (head, tail) = tail.split_at_checked(length).ok_or(LessonsError::Damaged)?;
            rest = tail;
            Ok(head)
        };
        let about = String::from_utf8_lossy(part()?).into_owned();
        let mut tally = Tally::default();
        for spot in part()?.chunks_exact(6) {
            let n = u32::from_le_bytes([spot[2], spot[3], spot[4], spot[5]]) as usize;
            tally.spots.insert(Spot { high: spot[0], low: spot[1] }, n);
            tally.moves += n;
        }
        let mut dictionaries = Vec::new();
        for _ in 0..families().len() + 2 {
            dictionaries.push(Dictionary::from_bytes(part()?)?);
        }
        let (Some(flexible), Some(nested)) = (dictionaries.pop(), dictionaries.pop()) else {
            return Err(LessonsError::Damaged);
        };
        let models = [Model::from_bytes(part()?)?, Model::from_bytes(part()?)?].into();
        Ok(Lessons { about, tally, fixed: dictionaries, nested, flexible, models })
    }
}

/// Splits what is too frequent into patterns that see more, and lets what is too rare die: a pattern
/// lives if it was the answer often enough and the smaller one inside it was too often. What is
/// counted of a pattern is what none of its living offspring has taken over.
fn evolve(all: &Dictionary) -> Dictionary {
    let family = all.family();
    let mut living: HashMap<u64, (shape::Pattern, Counts)> = HashMap::new();
    // Small stages come first, so a parent has been judged before its offspring.
    for place in all.indices() {
        let (pattern, counts) = (all.pattern(place), all.counts(place));
        if counts.played < TOO_RARE {
            continue;
        }
        if pattern.stage > 0 {
            let parent = pattern.at_stage(family, pattern.stage - 1).id(family);
            let frequent = all.find(parent).is_some_and(|p| all.counts(p).played > TOO_FREQUENT);
            let Some((_, stem)) = living.get_mut(&parent.0).filter(|_| frequent) else { continue };
            stem.seen = stem.seen.saturating_sub(counts.seen);
            stem.played = stem.played.saturating_sub(counts.played);
        }
        living.insert(pattern.id(family).0, (pattern, counts));
    }
    Dictionary::new(family.clone(), living.into_values())
}

/// A problem and one of its answers as a game of one move.
fn one_move(problem: &Problem, answer: goban::Point) -> Record {
    let board = &problem.board;
    let stones = board.size().points().filter_map(|p| Some((p, board.cell(p).color()?)));
    Record {
        size: board.size(),
        komi: None,
        handicap: 0,
        rules: None,
        outcome: Outcome::Unknown,
        players: Default::default(),
        date: None,
        stones: stones.collect(),
        setup: NodeId::ROOT,
        first: problem.to_play,
        moves: vec![Move { color: problem.to_play, point: Some(answer), node: NodeId::ROOT }],
        changes: Vec::new(),
    }
}

/// The move model of this project learned by likelihood from the answers on the most frequent board.
fn move_model(
    problems: &[Problem],
    family: Family,
    about: &str,
    watch: &mut impl FnMut(&str) -> bool,
) -> Result<Model, LessonsError> {
    let mut sizes = HashMap::new();
    problems.iter().for_each(|p| *sizes.entry(p.board.size()).or_insert(0) += 1);
    let size = sizes.into_iter().max_by_key(|&(size, n)| (n, size)).ok_or(LessonsError::TooFew)?.0;
    let mut games = Games::new(size);
    for problem in problems {
        for &answer in &problem.answers {
            games.add(&one_move(problem, answer));
        }
    }
    let split = Split::new(1, 0.1, 0.0).map_err(|_| LessonsError::TooFew)?;
    let (train, validation) =
        (games.part(&split, Part::Train), games.part(&split, Part::Validation));
    if train.is_empty() || validation.is_empty() {
        return Err(LessonsError::TooFew);
    }
    let extraction = Extraction {
        family,
        min_seen: 1,
        min_played: 2,
        played_only: true,
        memory: 1 << 28,
        threads: 1,
    };
    let found = extraction.run(&train, &Meter::default(), None)?.done();
    let dictionary = found.ok_or(LessonsError::Stopped)?;
    let space = FeatureSpace::new(Use::Uct, dictionary, size);
    let how = Likelihood { rate: 0.2, last_rate: 0.02, thin: 0.0, ..Likelihood::default() };
    let mut method = Ascent::plain(how, space.weights());
    let course = Course {
        passes: 15,
        seed: 1,
        patience: 3,
        threads: 1,
        goal: |report| report.log_likelihood,
    };
    let mut standing = Standing::default();
    let name = space.dictionary().family().name().to_owned();
    let learned =
        course.run(&space, &train, &validation, &mut method, &mut standing, |step| match step {
            Step::Game { .. } => true,
            Step::Pass { pass, .. } => watch(&format!("a move model of {name}, pass {pass}")),
        });
    if learned.stopped {
        return Err(LessonsError::Stopped);
    }
    let weights = learned.weights.ok_or(LessonsError::TooFew)?;
    let about = About {
        name: format!("problems, {name}"),
        of: Use::Uct,
        size: size.side(),
        trained_on: about.to_owned(),
        made_by: "harie tsumego learn".to_owned(),
    };
    Ok(weights.model(about, space.dictionary(), 1.0)?)
}
