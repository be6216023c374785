//! A look at a position by a search.

use std::sync::Arc;

use goban::{Color, Game};
use search::{Expander, Models, Report, Search, SearchLimits, Settings, Stop, Task};

/// What a search of so many playouts finds in a position with `color` to move.
pub fn look(
    models: &Arc<Models>,
    settings: Settings,
    game: &Game,
    color: Color,
    komi: f32,
    playouts: u64,
) -> Report {
    let expander = Expander::default();
    let task = Task { game, color, komi, expander: &expander, agreed: None };
    let limits = SearchLimits { playouts: Some(playouts), ..SearchLimits::default() };
    Search::new(models.clone(), settings).run(&task, &limits, &Stop::new(), &mut |_| ())
}
