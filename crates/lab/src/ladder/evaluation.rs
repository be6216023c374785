//! What an evaluation found, as data: what `harie eval --json` prints and `harie report` reads.

use policy::{Model, Use};
use serde::{Deserialize, Serialize};

use super::dictionary::DictionarySummary;
use super::forecast::Forecast;
use super::nextmove::Nextmove;
use super::prediction::Prediction;
use super::sizes::Sizes;
use super::suite::SuiteResult;
use super::worth::{BoardShown, Worth};

/// An evaluation.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Evaluation {
    /// The command that made it.
    pub command: String,
    /// The games, if models were measured on some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corpus: Option<CorpusMeasured>,
    /// The models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelMeasured>,
    /// What playouts are worth, if there was an oracle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oracle: Option<OracleMeasured>,
    /// How searches judged a suite of positions: the usual settings first.
    #[serde(rename = "fights", default, skip_serializing_if = "Vec::is_empty")]
    pub suite: Vec<SuiteResult>,
    /// How well playouts or searches foretold who won; all are compared with the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forecasts: Vec<Forecast>,
}

/// The games that models were measured on.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct CorpusMeasured {
    /// As they were named.
    pub files: Vec<String>,
    /// Lines of the board.
    pub size: u8,
    /// Games.
    pub games: usize,
    /// Positions in which a stone was played.
    pub positions: usize,
    /// Records that were left out because their game was there already.
    #[serde(default)]
    pub duplicates: usize,
    /// How long all models took together.
    pub seconds: f64,
}

/// A model and what is known of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ModelMeasured {
    /// What tables call it.
    pub name: String,
    /// What it is for.
    #[serde(rename = "use")]
    pub of: Use,
    /// Its patterns.
    pub family: String,
    /// The exponent that its probabilities are filtered with.
    pub filter: f32,
    /// What it was learned from.
    pub trained_on: String,
    /// L-1 to Lf-7.
    #[serde(flatten)]
    pub prediction: Prediction,
    /// P-1.
    #[serde(rename = "known")]
    pub dictionary: DictionarySummary,
    /// U-1.
    pub size_max: Sizes,
}

impl ModelMeasured {
    /// A model, measured.
    pub fn new(name: &str, model: &Model, prediction: Prediction, size_max: Sizes) -> Self {
        ModelMeasured {
            name: name.to_owned(),
            of: model.about.of,
            family: model.family().name().to_owned(),
            filter: model.filter,
            trained_on: model.about.trained_on.clone(),
            prediction,
            dictionary: DictionarySummary::of(model),
            size_max,
        }
    }
}

/// What playouts are worth.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct OracleMeasured {
    /// As it was named.
    pub file: String,
    /// Lines of the board.
    pub size: u8,
    /// Positions judged.
    pub positions: usize,
    /// Playouts for each.
    pub playouts: usize,
    /// Uf-2, Uf-3, Uf-5 of each way of playing out.
    pub styles: Vec<Worth>,
    /// Uf-4.
    #[serde(default)]
    pub nextmove: Vec<Nextmove>,
    /// Some positions, to be shown.
    #[serde(default)]
    pub boards: Vec<BoardShown>,
}
