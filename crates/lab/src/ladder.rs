//! The evaluation ladder: what a move model knows (P-1), how well it predicts the moves of games (L-1
//! to Lf-7), how much of it playouts use (U-1), and what its playouts are worth to a judge who knows
//! better (Uf-2 to Uf-5). The last steps, Uf-6 to Uf-8, are matches and rating lists.
//!
//! Everything that comes out is plain data, written as JSON and read back to be shown.

mod accuracy;
mod bootstrap;
mod dictionary;
mod evaluation;
mod forecast;
mod judging;
mod look;
mod nextmove;
mod oracle;
mod prediction;
mod sizes;
mod suite;
mod turns;
mod worth;

pub use accuracy::{Accuracy, JudgedPosition, ScoreOff, Verdicts};
pub use bootstrap::interval;
pub use dictionary::{DictionarySummary, FrequentPattern, PatternSize};
pub use evaluation::{CorpusMeasured, Evaluation, ModelMeasured, OracleMeasured};
pub use forecast::{Forecast, ForecastOfPhase, ForecastTask, Question, drawn, foretell, questions};
pub use judging::{Judging, Pair, pairs};
pub use nextmove::{Nextmove, NextmoveTask};
pub use oracle::{Judged, JudgedMove, OracleError, read_oracle, write_judged};
pub use prediction::{AtMove, Phase, Prediction, item_names, predict};
pub use sizes::{Sizes, sizes};
pub use suite::{
    KindResult, SuiteError, SuiteResult, SuiteTask, TestPosition, judge_suite, read_suite,
};
pub use worth::{Bin, BoardShown, Drawn, Judge, Owned, Style, Worth, spread, worth};
