//! What a house keeps beside its boards: models that can be compared, and results of the laboratory.
//!
//! Whoever starts the server says what is there. A page is told names and may ask for one of them; a
//! name is looked up in the list and is never a path, so that a page has no way to files.

use std::sync::Arc;

use engine::Model;
use serde::Serialize;

/// A model that can be compared with another.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ModelCard {
    /// What it is asked for by.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Lines of the board that it was learned on.
    pub size: u8,
    /// Whether it draws the moves of playouts; else it orders those of the tree.
    pub playouts: bool,
}

/// A result that can be looked at.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Item {
    /// What it is asked for by.
    pub id: String,
    /// `match`, `ratings`, `evaluation`, `curve`, `page` or `model`.
    pub kind: &'static str,
    /// What people call it.
    pub title: String,
    /// How it stands, in a line.
    pub summary: String,
    /// Goes up whenever it changes: milliseconds since 1970.
    pub changed: u64,
}

/// What a house keeps beside its boards. Looking may take time: nothing here is called where messages
/// are read.
pub trait Shelf: Send + Sync {
    /// The models that can be compared.
    fn models(&self) -> Vec<ModelCard> {
        Vec::new()
    }

    /// A model that is listed.
    fn model(&self, _id: &str) -> Option<Arc<Model>> {
        None
    }

    /// Whether there is a laboratory; known at once.
    fn has_laboratory(&self) -> bool {
        false
    }

    /// The results in the laboratory; nothing if there is no laboratory.
    fn results(&self) -> Option<Vec<Item>> {
        None
    }

    /// A page about a result that is listed: one HTML file without scripts.
    fn page(&self, _id: &str) -> Option<String> {
        None
    }
}

/// A shelf with nothing on it.
#[derive(Clone, Copy, Debug)]
pub struct Empty;

impl Shelf for Empty {}
