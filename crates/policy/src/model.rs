//! The model itself: features, patterns and their weights, and what follows from them.

use std::sync::Arc;

use goban::{Point, Size};
use serde::{Deserialize, Serialize};
use shape::{Dictionary, Family, PatternIndex};

use crate::feature::{Feature, Meaning, Use};
use crate::situation::Situation;

/// Where a model comes from; kept in its file for people to read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct About {
    /// A short name.
    pub name: String,
    /// What it is for.
    #[serde(rename = "use")]
    pub of: Use,
    /// The board size it was learned on.
    pub size: u8,
    /// The games it was learned from.
    pub trained_on: String,
    /// The command that made it, or how it came to be.
    pub made_by: String,
}

/// A move model: a weight x > 0 for each feature and each pattern, 1 being neutral.
pub struct Model {
    /// Where it comes from.
    pub about: About,
    /// The filter exponent: playouts use x^filter.
    pub filter: f32,
    /// Moves less likely than this are never chosen in a playout.
    pub cut: f32,
    pub(crate) features: Vec<f32>,
    pub(crate) dictionary: Arc<Dictionary>,
    pub(crate) shapes: Vec<f32>,
    pub(crate) pairs: Option<Pairs>,
}

/// Factors of features and patterns. Every pair of features of a move adds the product of their
/// rows to the logarithm of its value (Rendle 2010, factorisation machines).
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pairs {
    /// Numbers in a row.
    pub(crate) width: usize,
    /// A row for each feature, then one for each pattern.
    pub(crate) rows: Vec<f32>,
}

impl Pairs {
    /// The factor that the pairs of these rows contribute.
    fn weight(&self, places: &[usize]) -> f32 {
        let mut sums = vec![0.0; self.width];
        let mut squares = 0.0;
        for &place in places {
            let row = &self.rows[place * self.width..(place + 1) * self.width];
            for (sum, &v) in sums.iter_mut().zip(row) {
                *sum += v;
                squares += v * v;
            }
        }
        // The square of a sum is the squares and every pair twice.
        let square: f32 = sums.iter().map(|s| s * s).sum();
        ((square - squares) / 2.0).exp()
    }
}

/// A legal move with its value and probability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rated {
    /// The move.
    pub point: Point,
    /// g: the product of its weights.
    pub value: f32,
    /// f: its share of the filtered values of all legal moves.
    pub probability: f32,
}

/// What a factor of a move's value belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReasonKind {
    /// A feature of a model for this use.
    Feature(Meaning, Use),
    /// A shape of so many points, seen and played so often.
    Shape {
        /// Its cells.
        points: usize,
        /// Positions in which it could have been played.
        seen: u64,
        /// Those in which it was.
        played: u64,
    },
    /// Features and shapes in pairs.
    Together,
}

/// A reason for the value of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    /// As data, for words in other languages.
    pub kind: ReasonKind,
    /// In words.
    pub words: String,
    /// The factor that it contributes.
    pub weight: f32,
}

/// The cut-off of the published program for a board size.
pub fn default_cut(size: Size) -> f32 {
    match size.side() {
        0..=11 => 0.01,
        12..=15 => 0.005,
        _ => 0.002,
    }
}

/// Why a model cannot be put together.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ModelError {
    /// A wrong number of weights.
    #[error("the model has {found} weights for its {what} where {expected} are needed")]
    Weights {
        /// Features or patterns.
        what: &'static str,
        /// Weights there are.
        found: usize,
        /// Weights there should be.
        expected: usize,
    },
    /// A weight that is no positive number, or a factor that is none.
    #[error("weight {index} of the {what} is {value}; weights are positive numbers")]
    Weight {
        /// Features or patterns.
        what: &'static str,
        /// Which.
        index: usize,
        /// Its value.
        value: f32,
    },
    /// A filter or cut-off that makes no sense.
    #[error("the {what} of the model is {value}, which makes no sense")]
    Constant {
        /// Filter or cut-off.
        what: &'static str,
        /// Its value.
        value: f32,
    },
}

impl Model {
    /// A model of these parts.
    ///
    /// # Errors
    /// The part that does not fit.
    pub fn new(
        about: About,
        features: Vec<f32>,
        dictionary: Dictionary,
        shapes: Vec<f32>,
        filter: f32,
        cut: f32,
    ) -> Result<Model, ModelError> {
        let check = |what, weights: &[f32], expected| {
            if weights.len() != expected {
                return Err(ModelError::Weights { what, found: weights.len(), expected });
            }
            let bad = weights.iter().position(|x| !x.is_finite() || *x <= 0.0);
            match bad {
                Some(index) => Err(ModelError::Weight { what, index, value: weights[index] }),
                None => Ok(()),
            }
        };
        check("features", &features, about.of.features())?;
        check("patterns", &shapes, dictionary.len())?;
        if !(filter.is_finite() && filter > 0.0) {
            return Err(ModelError::Constant { what: "filter exponent", value: filter });
        }
        if !(0.0..1.0).contains(&cut) {
            return Err(ModelError::Constant { what: "cut-off", value: cut });
        }
        let dictionary = Arc::new(dictionary);
        Ok(Model { about, features, dictionary, shapes, filter, cut, pairs: None })
    }

    /// The model with pairs of features: rows of `width` factors, one for each feature and then one
    /// for each pattern.
    ///
    /// # Errors
    /// If there are not as many or one is no number.
    pub fn with_pairs(self, width: usize, rows: Vec<f32>) -> Result<Model, ModelError> {
        let what = "pairs";
        let expected = (self.features.len() + self.shapes.len()) * width;
        if rows.len() != expected || width == 0 {
            return Err(ModelError::Weights { what, found: rows.len(), expected });
        }
        match rows.iter().position(|x| !x.is_finite()) {
            Some(index) => Err(ModelError::Weight { what, index, value: rows[index] }),
            None => Ok(Model { pairs: Some(Pairs { width, rows }), ..self }),
        }
    }

    /// A model in which everything is neutral.
    pub fn neutral(about: About, dictionary: Dictionary) -> Model {
        let features = vec![1.0; about.of.features()];
        let shapes = vec![1.0; dictionary.len()];
        let dictionary = Arc::new(dictionary);
        let cut = Size::new(about.size as usize).map_or(0.0, default_cut);
        Model { about, filter: 1.0, cut, features, dictionary, shapes, pairs: None }
    }

    /// The pattern family.
    pub fn family(&self) -> &Family {
        self.dictionary.family()
    }

    /// The patterns.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// The weight of a feature.
    pub fn feature_weight(&self, feature: Feature) -> f32 {
        self.features[feature.0 as usize]
    }

    /// The weight of a pattern.
    pub fn shape_weight(&self, index: PatternIndex) -> f32 {
        self.shapes[index.0 as usize]
    }

    /// Whether pairs of features count; playouts do not follow such models.
    pub fn has_pairs(&self) -> bool {
        self.pairs.is_some()
    }

    /// The factors of a feature or, after the features, of a pattern; empty without pairs.
    pub fn pair_row(&self, place: usize) -> &[f32] {
        match &self.pairs {
            Some(Pairs { width, rows }) => &rows[place * width..(place + 1) * width],
            None => &[],
        }
    }

    /// The features and patterns of a move, numbered through.
    fn places(&self, situation: &Situation<'_>, p: Point, mut found: impl FnMut(usize)) {
        self.about.of.of_move(situation, p, |feature| found(feature.0 as usize));
        for part in 0..self.family().parts() {
            if let Some(index) = self.dictionary.at(situation.board, p, situation.to_move, part) {
                found(self.features.len() + index.0 as usize);
            }
        }
    }

    fn weight(&self, place: usize) -> f32 {
        let shape = || self.shapes[place - self.features.len()];
        self.features.get(place).copied().unwrap_or_else(shape)
    }

    /// The value g of the move at the empty point `p`.
    pub fn value(&self, situation: &Situation<'_>, p: Point) -> f32 {
        let mut value = 1.0;
        let Some(pairs) = &self.pairs else {
            self.places(situation, p, |place| value *= self.weight(place));
            return value;
        };
        let mut places = Vec::with_capacity(16);
        self.places(situation, p, |place| {
            value *= self.weight(place);
            places.push(place);
        });
        value * pairs.weight(&places)
    }

    /// All legal moves, the most valuable first; equal values in reading order.
    pub fn rate(&self, situation: &Situation<'_>) -> Vec<Rated> {
        let board = situation.board;
        let mut moves: Vec<Rated> = board
            .empties()
            .filter(|&p| board.is_legal(p, situation.to_move))
            .map(|point| {
                let value = self.value(situation, point);
                Rated { point, value, probability: value.powf(self.filter) }
            })
            .collect();
        let sum: f64 = moves.iter().map(|m| m.probability as f64).sum();
        for rated in &mut moves {
            rated.probability = (rated.probability as f64 / sum) as f32;
        }
        moves.sort_by(|a, b| b.value.total_cmp(&a.value));
        moves
    }

    /// The rank of a move among the legal ones, from 1; moves of equal value share the better half:
    /// a tie counts as the middle of its places, rounded down.
    pub fn rank(&self, situation: &Situation<'_>, p: Point) -> Option<usize> {
        let moves = self.rate(situation);
        let value = moves.iter().find(|m| m.point == p)?.value;
        let better = moves.iter().filter(|m| m.value > value).count();
        let equal = moves.iter().filter(|m| m.value == value).count();
        Some(better + equal.div_ceil(2))
    }

    /// Why the move at `p` has its value: its features and shapes, the weightiest first.
    pub fn explain(&self, situation: &Situation<'_>, p: Point) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let of = self.about.of;
        of.of_move(situation, p, |feature| {
            let kind = ReasonKind::Feature(of.meaning(feature), of);
            reasons.push(Reason::new(kind, self.feature_weight(feature)));
        });
        for part in 0..self.family().parts() {
            if let Some(index) = self.dictionary.at(situation.board, p, situation.to_move, part) {
                reasons.push(Reason::new(self.kind(index), self.shape_weight(index)));
            }
        }
        if let Some(pairs) = &self.pairs {
            let mut places = Vec::new();
            self.places(situation, p, |place| places.push(place));
            reasons.push(Reason::new(ReasonKind::Together, pairs.weight(&places)));
        }
        let strength = |reason: &Reason| reason.weight.ln().abs();
        reasons.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
        reasons
    }

    fn kind(&self, index: PatternIndex) -> ReasonKind {
        let counts = self.dictionary.counts(index);
        let points = self.family().cells(self.dictionary.stage(index)).len();
        ReasonKind::Shape { points, seen: counts.seen, played: counts.played }
    }
}

impl Reason {
    fn new(kind: ReasonKind, weight: f32) -> Reason {
        let words = match kind {
            ReasonKind::Feature(meaning, of) => meaning.words(of),
            ReasonKind::Shape { points, seen, .. } => {
                let (seen, share) = (grouped(seen), kind.share());
                format!("shape of {points} points seen {seen} times, played {share} %")
            }
            ReasonKind::Together => "all of this in combination, beyond each by itself".to_owned(),
        };
        Reason { kind, words, weight }
    }
}

impl ReasonKind {
    /// How often a shape was played where it could have been, in percent as people write it.
    pub fn share(&self) -> String {
        let share = match self {
            ReasonKind::Shape { seen, played, .. } => {
                100.0 * *played as f64 / (*seen).max(1) as f64
            }
            _ => 100.0,
        };
        if share < 1.0 { format!("{share:.1}") } else { format!("{share:.0}") }
    }
}

/// A number as people read it: `12345` as `12,345`.
pub fn grouped(n: impl ToString) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things as people say it: `1 game`, `1,204 games`.
pub fn many(n: usize, thing: &str) -> String {
    format!("{} {thing}{}", grouped(n), if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(["0", "999", "1,000", "42,641"], [0, 999, 1000, 42_641].map(grouped)[..]);
    }
}
