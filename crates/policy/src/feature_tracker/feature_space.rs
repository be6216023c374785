//! What all trackers of one use, dictionary and board size share.

use std::sync::Arc;

use goban::Size;
use shape::Dictionary;

use super::lookup::Lookup;
use super::pattern_layout::PatternLayout;
use crate::feature::{Meaning, Use};

/// All features of a use of the model, a dictionary and a board size. Made once and shared by trackers.
pub struct FeatureSpace {
    of: Use,
    pub(crate) layout: PatternLayout,
    pub(super) lookup: Lookup,
    dictionary: Arc<Dictionary>,
    /// The features of distances, by the distance; those too far are all the same.
    pub(crate) last: Vec<u16>,
    pub(crate) before_last: Vec<u16>,
}

impl FeatureSpace {
    /// The features on boards of this size.
    pub fn new(of: Use, dictionary: impl Into<Arc<Dictionary>>, size: Size) -> FeatureSpace {
        let dictionary = dictionary.into();
        let distances = |meaning: fn(u8) -> Meaning| {
            let number = |d: u8| of.number(meaning(d)).map(|feature| feature.0);
            (0..=80).map_while(number).collect()
        };
        FeatureSpace {
            of,
            lookup: Lookup::new(&dictionary),
            layout: PatternLayout::new(dictionary.family().clone(), size),
            last: distances(Meaning::Last),
            before_last: distances(Meaning::BeforeLast),
            dictionary,
        }
    }

    /// What the model is for.
    pub fn of(&self) -> Use {
        self.of
    }

    /// The board size.
    pub fn size(&self) -> Size {
        self.layout.size()
    }

    /// The patterns.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Number of features and patterns together: one weight each.
    pub fn weights(&self) -> usize {
        self.of.features() + self.dictionary.len()
    }
}
