//! A model made ready to rate all moves of many positions on boards of one size.
//!
//! With x the weight and v the row of factors of each feature and pattern of a move, the logarithm
//! of its value is
//!
//! Σ ln x + Σ pairs vᵢ·vⱼ = Σ (ln x - |v|²/2) + |Σ v|²/2,
//!
//! sums over the features only. So what stands at a point is summed once and kept, and the distances
//! from the last moves, which change everywhere at once, are added as the moves are rated.

use goban::Size;

use crate::feature_tracker::FeatureSpace;
use crate::model::Model;

/// Factors that are added up together.
pub(crate) const LANES: usize = 8;

/// A model made ready for a board size; [`crate::Line`] rates moves by it.
pub struct Rater {
    pub(crate) space: FeatureSpace,
    pub(crate) filter: f32,
    /// By feature, then pattern: ln x - |v|²/2. After them a neutral one, for what is not there.
    logs: Vec<f32>,
    /// As many for each, the rows of factors filled up with zeros.
    rows: Vec<[f32; LANES]>,
    /// Groups of lanes in a row, none without pairs.
    groups: usize,
}

impl Rater {
    /// Makes a model ready.
    pub fn new(model: &Model, size: Size) -> Rater {
        let space = FeatureSpace::new(model.about.of, model.dictionary.clone(), size);
        let weights = model.features.iter().chain(&model.shapes);
        let groups = model.pair_row(0).len().div_ceil(LANES);
        let mut logs = Vec::with_capacity(space.weights() + 1);
        let mut rows = Vec::with_capacity((space.weights() + 1) * groups);
        for (place, weight) in weights.enumerate() {
            let row = model.pair_row(place);
            let square: f32 = row.iter().map(|v| v * v).sum();
            logs.push(weight.ln() - square / 2.0);
            rows.extend(row.chunks(LANES).map(|some| {
                let mut lanes = [0.0; LANES];
                lanes[..some.len()].copy_from_slice(some);
                lanes
            }));
        }
        logs.push(0.0);
        rows.extend((0..groups).map(|_| [0.0; LANES]));
        Rater { space, filter: model.filter, logs, rows, groups }
    }

    /// The board size.
    pub fn size(&self) -> Size {
        self.space.size()
    }

    /// The features of this model.
    pub fn space(&self) -> &FeatureSpace {
        &self.space
    }

    /// The number of the feature that changes nothing.
    pub(crate) fn neutral(&self) -> usize {
        self.logs.len() - 1
    }
}

/// What the features at each place add up to.
#[derive(Clone)]
pub(crate) struct Sums {
    logs: Vec<f32>,
    rows: Vec<[f32; LANES]>,
}

impl Sums {
    pub(crate) fn new(rater: &Rater) -> Sums {
        let places = rater.size().area();
        Sums { logs: vec![0.0; places], rows: vec![[0.0; LANES]; places * rater.groups] }
    }

    pub(crate) fn copy_from(&mut self, other: &Sums) {
        self.logs.copy_from_slice(&other.logs);
        self.rows.copy_from_slice(&other.rows);
    }

    /// Forgets what was at a place.
    #[inline(always)]
    pub(crate) fn clear(&mut self, rater: &Rater, place: usize) {
        self.logs[place] = 0.0;
        self.rows[place * rater.groups..(place + 1) * rater.groups].fill([0.0; LANES]);
    }

    /// Adds a feature at a place.
    #[inline(always)]
    pub(crate) fn add(&mut self, rater: &Rater, place: usize, feature: usize) {
        let groups = rater.groups;
        self.logs[place] += rater.logs[feature];
        let sums = &mut self.rows[place * groups..(place + 1) * groups];
        for (sum, row) in sums.iter_mut().zip(&rater.rows[feature * groups..]) {
            for (s, v) in sum.iter_mut().zip(row) {
                *s += v;
            }
        }
    }

    /// The logarithm of the value of the move at a place that has two more features.
    #[inline(always)]
    pub(crate) fn value(&self, rater: &Rater, place: usize, [a, b]: [usize; 2]) -> f32 {
        let groups = rater.groups;
        let mut squares = [0.0; LANES];
        let sums = &self.rows[place * groups..(place + 1) * groups];
        let rows = rater.rows[a * groups..].iter().zip(&rater.rows[b * groups..]);
        for (sum, (a, b)) in sums.iter().zip(rows) {
            for i in 0..LANES {
                let v = sum[i] + a[i] + b[i];
                squares[i] += v * v;
            }
        }
        let square: f32 = squares.iter().sum();
        self.logs[place] + rater.logs[a] + rater.logs[b] + square / 2.0
    }
}
