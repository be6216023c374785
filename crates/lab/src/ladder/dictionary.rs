//! P-1: the patterns of a model by size, and the most frequent ones.

use std::collections::BTreeSet;

use policy::Model;
use serde::{Deserialize, Serialize};
use shape::PatternIndex;

/// How many of the most frequent are shown.
const SHOWN: usize = 6;

/// The patterns of one size.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PatternSize {
    /// Points that they see.
    pub points: usize,
    /// How many there are.
    pub patterns: usize,
    /// How often they were seen while they were counted.
    pub seen: u64,
    /// How often they were played.
    pub played: u64,
}

/// A frequent pattern.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FrequentPattern {
    /// Points that it sees.
    pub points: usize,
    /// How often it was seen.
    pub seen: u64,
    /// How often it was played.
    pub played: u64,
    /// Its weight.
    pub weight: f32,
    /// Drawn: X is to play at *.
    pub drawing: String,
}

/// The patterns of a model in numbers.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct DictionarySummary {
    /// All patterns.
    pub patterns: usize,
    /// By size, the smallest first.
    pub sizes: Vec<PatternSize>,
    /// Those played most, of a size that tells more than the neighbours.
    pub frequent: Vec<FrequentPattern>,
}

impl DictionarySummary {
    /// The summary of a model.
    pub fn of(model: &Model) -> DictionarySummary {
        let dictionary = model.dictionary();
        let family = dictionary.family();
        let sizes = train::by_stage(dictionary).into_iter().map(|(points, patterns, counts)| {
            PatternSize { points, patterns, seen: counts.seen, played: counts.played }
        });
        let middle = (family.stages() - 1).min(2);
        let mut often: Vec<PatternIndex> =
            dictionary.indices().filter(|&i| dictionary.stage(i) >= middle).collect();
        often.sort_by_key(|&i| std::cmp::Reverse(dictionary.counts(i).played));
        // Patterns may differ in what is not drawn; of those that look the same the one played most
        // is enough.
        let mut drawn = BTreeSet::new();
        often.retain(|&i| drawn.len() < SHOWN && drawn.insert(dictionary.pattern(i).draw(family)));
        let frequent = |index: PatternIndex| FrequentPattern {
            points: family.cells(dictionary.stage(index)).len(),
            seen: dictionary.counts(index).seen,
            played: dictionary.counts(index).played,
            weight: model.shape_weight(index),
            drawing: dictionary.pattern(index).draw(family),
        };
        DictionarySummary {
            patterns: dictionary.len(),
            sizes: sizes.collect(),
            frequent: often.into_iter().map(frequent).collect(),
        }
    }
}
