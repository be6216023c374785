//! The two models that a search plays with.

use goban::Size;
use playout::Compiled;
use policy::{Model, Rater};

/// Playouts draw from the model's values to this power. The model is right about how people play,
/// but a playout is a better judge when it errs less often than they do: docs/experiments.md says what
/// was measured and what lies between.
pub fn sharpness(size: Size) -> f32 {
    match size.side() {
        ..=11 => 1.4,
        12..=15 => 1.6,
        _ => 1.8,
    }
}

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
    /// If playouts cannot follow the second model; [`playout::check`] says so beforehand.
    pub fn new(tree: Model, mut playouts: Model, size: Size) -> Models {
        playouts.filter *= sharpness(size);
        match Compiled::new(&playouts, size) {
            Ok(compiled) => Models::with(tree, compiled),
            Err(refused) => panic!("a model for playouts that they cannot follow: {refused}"),
        }
    }

    /// A model for the tree together with playouts that are ready, as sharp as they are.
    pub fn with(tree: Model, playouts: Compiled) -> Models {
        let rater = Rater::new(&tree, playouts.size());
        Models { tree, rater, playouts }
    }
}
