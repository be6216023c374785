//! The evaluation ladder: what a move model knows (P-1), how well it predicts the moves of games (L-1
//! to Lf-7), how much of it playouts use (U-1), and what its playouts are worth to a judge who knows
//! better (Uf-2 to Uf-5). The last steps, Uf-6 to Uf-8, are matches and rating lists.
//!
//! Everything that comes out is plain data, written as JSON and read back to be shown.

mod bootstrap;
mod evaluation;
mod fights;
mod forecast;
mod judging;
mod known;
mod look;
mod nextmove;
mod oracle;
mod prediction;
mod sight;
mod sizes;
mod turns;
mod worth;

pub use bootstrap::interval;
pub use evaluation::{CorpusMeasured, Evaluation, ModelMeasured, OracleMeasured};
pub use fights::{
    Fight, FightsJudged, FightsOfKind, FightsTask, SuiteError, judge_fights, read_suite,
};
pub use forecast::{Forecast, ForecastOfPhase, ForecastTask, Question, drawn, foretell, questions};
pub use judging::{Judging, Pair, pairs};
pub use known::{Frequent, Known, PatternSize};
pub use nextmove::{Nextmove, NextmoveTask};
pub use oracle::{Judged, JudgedMove, OracleError, read_oracle, write_judged};
pub use prediction::{AtMove, Phase, Prediction, item_names, predict};
pub use sight::{ScoreOff, Seen, Sight, Verdicts};
pub use sizes::{Sizes, sizes};
pub use worth::{Bin, BoardShown, Drawn, Judge, Owned, Style, Worth, spread, worth};
