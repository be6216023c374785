//! What a session and an analysis are given here: small models, one thread, so many playouts.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use engine::{Library, Options};
use goban::Size;
use policy::{Model, Use};
use protocol::MoveRater;

/// Playouts for a position.
pub const VISITS: u64 = 20;

/// The models for 9x9, read once.
pub fn library() -> Arc<Library> {
    static LIBRARY: OnceLock<Arc<Library>> = OnceLock::new();
    let load = |of: Use, _: Size| {
        let name = if of == Use::Uct { "uct9.model" } else { "mc9.model" };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights").join(name);
        Model::from_bytes(&std::fs::read(path).unwrap()).unwrap()
    };
    LIBRARY.get_or_init(|| Arc::new(Library::new(load))).clone()
}

/// One thread and little memory: the same seed finds the same moves.
pub fn options() -> Options {
    Options { visits: Some(VISITS), megabytes: 32, ..Options::default() }
}

/// All moves look the same: what works is found by reading.
pub fn rater() -> MoveRater {
    Arc::new(|board, color| {
        let legal = board.size().points().filter(|&p| board.is_legal(p, color));
        legal.map(|p| (p, 1.0)).collect()
    })
}
