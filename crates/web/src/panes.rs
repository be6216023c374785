//! What a page shows, pane by pane. Only the latest of each is kept: a page that reads slowly misses
//! what is out of date and costs nothing.

use axum::extract::ws::Utf8Bytes;
use serde_json::Value;
use tokio::sync::watch;

/// A part of what a page shows.
#[derive(Clone, Copy, Debug)]
pub enum Pane {
    /// The position and all around it.
    State,
    /// The game with its variations.
    Tree,
    /// What is being thought.
    Insight,
    /// What playouts tell.
    Statistics,
    /// What speaks for a move.
    Why,
    /// The walk through the game.
    Review,
    /// Links, groups, territory.
    Sight,
    /// Two models beside each other.
    Compare,
    /// What the solver says.
    Solution,
}

const PANES: usize = 9;

/// The panes of a table.
pub struct Panes([watch::Sender<Utf8Bytes>; PANES]);

/// The panes as one page sees them.
pub type Views = [watch::Receiver<Utf8Bytes>; PANES];

impl Default for Panes {
    fn default() -> Panes {
        Panes(std::array::from_fn(|_| watch::Sender::new(Utf8Bytes::default())))
    }
}

impl Panes {
    /// Puts something else into a pane.
    pub fn show(&self, pane: Pane, value: &Value) {
        self.0[pane as usize].send_replace(value.to_string().into());
    }

    /// For a page that has seen nothing yet.
    pub fn views(&self) -> Views {
        std::array::from_fn(|i| {
            let mut view = self.0[i].subscribe();
            if !view.borrow().is_empty() {
                view.mark_changed();
            }
            view
        })
    }
}
