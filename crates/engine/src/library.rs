//! The models for each board size, made ready once and shared by all engines.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use goban::Size;
use policy::{Model, Use};
use search::Models;

type Load = dyn Fn(Use, Size) -> Model + Send + Sync;

/// Where engines get their models from.
pub struct Library {
    load: Box<Load>,
    ready: Mutex<BTreeMap<u8, Arc<Models>>>,
}

impl Library {
    /// A library that loads a model with `load` when a size is first played on.
    pub fn new(load: impl Fn(Use, Size) -> Model + Send + Sync + 'static) -> Library {
        Library { load: Box::new(load), ready: Mutex::default() }
    }

    /// The models for a size.
    pub fn models(&self, size: Size) -> Arc<Models> {
        let mut ready = self.ready.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let models = ready.entry(size.side()).or_insert_with(|| {
            let [tree, playouts] = [Use::Uct, Use::Mc].map(|of| (self.load)(of, size));
            Arc::new(Models::new(tree, playouts, size))
        });
        models.clone()
    }
}
