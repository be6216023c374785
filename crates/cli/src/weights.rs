//! The models that come with the program: for each of 9x9, 13x13 and 19x19 one that orders moves in
//! the tree and one that plays in playouts, and what was learned from problems. `weights/README.md`
//! says how each was made.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result, anyhow};
use goban::{Board, Color, Point, Size};
use lab::tsumego::lessons::Lessons;
use policy::{Model, Use};
use search::Models;
use tsumego::Candidates;

/// Bytes of the model for a use on a board: that of the size nearest to it.
fn bytes(of: Use, size: Size) -> &'static [u8] {
    match (of, size.side()) {
        (Use::Uct, ..=11) => include_bytes!("../../../weights/uct9.model"),
        (Use::Uct, 12..=15) => include_bytes!("../../../weights/uct13.model"),
        (Use::Uct, _) => include_bytes!("../../../weights/uct19.model"),
        (Use::Mc, ..=11) => include_bytes!("../../../weights/mc9.model"),
        (Use::Mc, 12..=15) => include_bytes!("../../../weights/mc13.model"),
        (Use::Mc, _) => include_bytes!("../../../weights/mc19.model"),
    }
}

/// A model from a file, or one that comes with the program by its name, such as `uct9`; a file of that
/// name goes before.
pub fn read(path: &Path) -> Result<Model> {
    Model::from_bytes(&read_bytes(path)?).with_context(|| path.display().to_string())
}

/// The bytes of what [`read`] reads.
pub fn read_bytes(path: &Path) -> Result<Cow<'static, [u8]>> {
    let own = path.to_str().filter(|_| !path.exists()).and_then(find);
    if let Some((of, size)) = own {
        return Ok(bytes(of, size).into());
    }
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            let names: Vec<String> = all().map(|(of, size)| name(of, size)).collect();
            let (path, names) = (path.display(), names.join(", "));
            anyhow!("{path}: there is no such file; the models that come with Harie are {names}")
        }
        _ => anyhow::Error::new(error).context(path.display().to_string()),
    })?;
    Ok(bytes.into())
}

/// The model that comes with the program for a use on a board.
pub fn model(of: Use, size: Size) -> Model {
    Model::from_bytes(bytes(of, size)).expect("a test reads all models that come with the program")
}

/// The bytes of a file.
fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| path.display().to_string())
}

/// What looks like the answer of a problem: from a file, or what comes with the program.
pub fn candidates(path: Option<&Path>) -> Result<Candidates> {
    let game = Arc::new(model(Use::Uct, Size::NINETEEN));
    match path {
        Some(path) => Candidates::from_bytes(&bytes_of(path)?, game)
            .with_context(|| path.display().to_string()),
        None => {
            let bytes = include_bytes!("../../../weights/tsumego.model");
            Candidates::from_bytes(bytes, game).context("the model of problems")
        }
    }
}

/// How good the moves of a problem look, by what comes with the program; that is read once.
pub fn sight(board: &Board, to_play: Color) -> Vec<(Point, f32)> {
    static SIGHT: OnceLock<Candidates> = OnceLock::new();
    let sight = SIGHT
        .get_or_init(|| candidates(None).expect("a test reads what was learned from problems"));
    sight.rate(board, to_play)
}

/// The two models of a search on boards of a size.
pub fn models(size: Size) -> Arc<Models> {
    Arc::new(Models::new(model(Use::Uct, size), model(Use::Mc, size), size))
}

/// What the published methods learned from problems: from a file, or what comes with the program.
pub fn lessons(path: Option<&Path>) -> Result<Lessons> {
    match path {
        Some(path) => {
            Lessons::from_bytes(&bytes_of(path)?).with_context(|| path.display().to_string())
        }
        None => {
            let bytes = include_bytes!("../../../weights/tsumego.methods");
            Lessons::from_bytes(bytes).context("the lessons from problems")
        }
    }
}

/// The models that come with the program.
pub fn all() -> impl Iterator<Item = (Use, Size)> {
    let sizes = [9, 13, 19].into_iter().filter_map(Size::new);
    sizes.flat_map(|size| [(Use::Uct, size), (Use::Mc, size)])
}

/// The model of this name that comes with the program.
pub fn find(wanted: &str) -> Option<(Use, Size)> {
    all().find(|&(of, size)| name(of, size) == wanted)
}

/// What tables call the model that comes with the program: the name of its file.
pub fn name(of: Use, size: Size) -> String {
    let use_name = match of {
        Use::Uct => "uct",
        Use::Mc => "mc",
    };
    let side = match size.side() {
        ..=11 => 9,
        12..=15 => 13,
        _ => 19,
    };
    format!("{use_name}{side}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_can_be_read_and_is_what_it_should_be() {
        for side in [9, 13, 19] {
            let size = Size::new(side).unwrap();
            for of in [Use::Uct, Use::Mc] {
                let model = model(of, size);
                assert_eq!((model.about.of, model.about.size as usize), (of, side));
                assert!(model.dictionary().len() > 1000);
            }
            assert!(playout::Compiled::new(&model(Use::Mc, size), size).is_ok());
        }
    }

    #[test]
    fn what_was_learned_from_problems_can_be_read() {
        assert!(candidates(None).unwrap().about.contains("problems"));
        assert_eq!(lessons(None).unwrap().methods().len(), 16);
    }
}
