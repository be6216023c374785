//! The page, embedded in the program: nothing is read from disk while it is served.

/// A file of the page: the path it is asked for by, its type, its text.
pub type Asset = (&'static str, &'static str, &'static str);

pub const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const RECORD: &str = "application/x-go-sgf; charset=utf-8";
const IMAGE: &str = "image/svg+xml";

/// Every file that is served. What is not here does not exist.
pub const ASSETS: &[Asset] = &[
    ("/", HTML, include_str!("../page/index.html")),
    ("/style.css", CSS, include_str!("../page/style.css")),
    ("/lab", HTML, include_str!("../page/lab.html")),
    ("/problems.sgf", RECORD, include_str!("../page/problems.sgf")),
    ("/icon.svg", IMAGE, include_str!("../page/icon.svg")),
    ("/main.js", SCRIPT, include_str!("../page/main.js")),
    ("/looks.js", SCRIPT, include_str!("../page/looks.js")),
    ("/compare.js", SCRIPT, include_str!("../page/compare.js")),
    ("/problems.js", SCRIPT, include_str!("../page/problems.js")),
    ("/lab.js", SCRIPT, include_str!("../page/lab.js")),
    ("/keeper.js", SCRIPT, include_str!("../page/keeper.js")),
    ("/line.js", SCRIPT, include_str!("../page/line.js")),
    ("/board.js", SCRIPT, include_str!("../page/board.js")),
    ("/overlays.js", SCRIPT, include_str!("../page/overlays.js")),
    ("/tree.js", SCRIPT, include_str!("../page/tree.js")),
    ("/graph.js", SCRIPT, include_str!("../page/graph.js")),
    ("/words.js", SCRIPT, include_str!("../page/words.js")),
    ("/sound.js", SCRIPT, include_str!("../page/sound.js")),
];

/// The file that is asked for by a path.
pub fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|(known, _, _)| *known == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_asks_for_nothing_that_is_not_there() {
        for (name, _, text) in ASSETS {
            assert!(!text.contains("https://") || *name == "/icon.svg", "{name}");
            for part in text.split("from './").skip(1) {
                let wanted = format!("/{}", part.split('\'').next().unwrap());
                assert!(find(&wanted).is_some(), "{name} imports {wanted}");
            }
        }
    }
}
