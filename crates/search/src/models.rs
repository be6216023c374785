//! The two models that a search plays with.

use goban::Size;
use playout::Compiled;
use policy::{Model, Rater};

/// A model that orders the moves of the tree, and one made ready for playouts.
pub struct Models {
    /// For the tree.
    pub tree: Model,
    /// The same, made ready to rate the moves of one new node after another.
    pub rater: Rater,
    /// For the playouts.
    pub playouts: Compiled,
}

impl Models {
    /// Makes models ready for boards of a size.
    ///
    /// # Panics
    /// If playouts cannot follow the second model; [`playout::check`] tells beforehand.
    pub fn new(tree: Model, playouts: &Model, size: Size) -> Models {
        let playouts = match Compiled::new(playouts, size) {
            Ok(compiled) => compiled,
            Err(refused) => panic!("a model for playouts that they cannot follow: {refused}"),
        };
        let rater = Rater::new(&tree, size);
        Models { tree, rater, playouts }
    }
}
