//! A look at a position by a search.

use std::sync::Arc;

use goban::Game;
use search::{Expander, Limits, Models, Report, Search, Settings, Stop, Task};

/// What a search of so many playouts finds in a position.
pub fn look(models: &Arc<Models>, settings: Settings, game: &Game, playouts: u64) -> Report {
    let expander = Expander::default();
    let task =
        Task { game, color: game.to_move(), komi: game.komi(), expander: &expander, agreed: None };
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    Search::new(models.clone(), settings).run(&task, &limits, &Stop::new(), &mut |_| ())
}
