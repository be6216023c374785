//! Tests of the crate as its users see it.

mod charsets;
mod corpora;
mod duplicates;
mod nasty;
mod problems;
mod random;
mod reading;
mod records;
mod streaming;
mod writing;

use kifu::{Layout, Tree, Warning, WarningKind};

/// The warnings as text.
fn texts(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(Warning::to_string).collect()
}

/// The games of a text that is as it should be.
fn read_well(text: &str) -> Vec<Tree> {
    let (trees, warnings) = kifu::read(text.as_bytes());
    assert_eq!(texts(&warnings), [""; 0], "{text:?}");
    trees
}

/// The only game of a text that is as it should be.
fn read_one(text: &str) -> Tree {
    let mut trees = read_well(text);
    assert_eq!(trees.len(), 1, "{text:?}");
    trees.remove(0)
}

/// A tree on one line, without the line break at the end.
fn one_line(tree: &Tree) -> String {
    tree.to_sgf_in(Layout::OneLine).trim_end().to_owned()
}

/// The tree without CA, which writing changes on purpose.
fn without_charset(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    tree.remove(tree.root(), "CA");
    tree
}

/// The names and the texts of all values, escapes resolved, node by node.
fn outline(tree: &Tree) -> Vec<String> {
    let mut nodes = vec![tree.root()];
    let mut outline = Vec::new();
    while let Some(node) = nodes.pop() {
        for property in tree.properties(node) {
            outline.push(property.name().to_owned());
            outline.extend(property.values().map(|value| value.text().into_owned()));
        }
        outline.push(";".to_owned());
        nodes.extend(tree.children(node));
    }
    outline
}

/// Checks that writing and reading again changes nothing but CA, and gives what was written.
fn check_round_trip(trees: &[Tree], layout: Layout) -> String {
    let written: String = trees.iter().map(|tree| tree.to_sgf_in(layout)).collect();
    let (again, mut warnings) = kifu::read(written.as_bytes());
    // Names are kept as they were, so they are still odd.
    warnings.retain(|warning| !matches!(warning.kind, WarningKind::LowerCaseName { .. }));
    assert_eq!(texts(&warnings), [""; 0], "what was written: {written:?}");
    assert_eq!(again.len(), trees.len(), "what was written: {written:?}");
    for (tree, again) in trees.iter().zip(&again) {
        let (tree, again) = (without_charset(tree), without_charset(again));
        // A line that looks like a game gets one more escape.
        let escaped = again.to_sgf().contains("\n\\(") && outline(&tree) == outline(&again);
        assert!(tree == again || escaped, "{tree:?} became {again:?}");
    }
    for again in &again {
        let charset = again.properties(again.root()).find(|property| property.name() == "CA");
        let value = charset.and_then(|property| property.values().next());
        assert!(value.is_some_and(|value| value.raw().eq_ignore_ascii_case("UTF-8")));
    }
    let twice: String = again.iter().map(|tree| tree.to_sgf_in(layout)).collect();
    assert_eq!(written, twice);
    written
}
