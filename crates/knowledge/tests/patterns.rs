//! The pattern database: what is read, what is refused and why, and that shapes are found however
//! they lie.

use goban::{Board, Color, Diagram, Point, Symmetry};
use knowledge::{PatternKind, Patterns};

fn board(text: &str) -> Board {
    Diagram::parse(text).unwrap().board
}

#[test]
fn the_patterns_that_come_along_are_read() {
    let patterns = Patterns::standard();
    let published = patterns.list().iter().filter(|p| p.name.starts_with("D-")).count();
    assert_eq!(published, 23);
    let own = patterns.list().len() - published;
    assert!(own >= 60, "{own}");
    let joseki = patterns.list().iter().filter(|p| p.kind == PatternKind::Joseki).count();
    assert!(joseki >= 10);
}

#[test]
fn what_is_wrong_is_said_with_the_line() {
    for (text, line, part) in [
        (".O.\n", 1, "begins with its name"),
        ("[a\n", 1, "written as [name]"),
        ("[a]\n.O*\n\n[a]\nX*\n", 4, "two patterns called 'a'"),
        ("[a]\n.Oz\n", 2, "'z' means nothing in a row"),
        ("[a]\n.O*\n..\n", 3, "this row has 2 points, the first one has 3"),
        ("[a]\n.......*\n", 2, "at most 7 points"),
        ("[a]\n*\nO\n.\n.\n.\n.\n.\n.\n", 9, "at most 7 rows"),
        ("# x\n[a]\n.O.\n", 2, "no move"),
        ("[a]\n*O*\n", 1, "more than one move"),
        ("[a]\n.*.\n", 1, "neither a stone nor an edge"),
        ("[a]\nkind: sushi\n", 2, "'sushi' is no kind"),
        ("[a]\nweight: much\n", 2, "no whole number"),
        ("[a]\nshoes: 44\n", 2, "'shoes' means nothing"),
        ("[a]\nO*.\n[b]\n.\n*\nO\n", 3, "'b' is the same shape as 'a'"),
    ] {
        let error = Patterns::parse(text).unwrap_err();
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

#[test]
fn every_pattern_is_found_however_it_lies() {
    let hane = board(
        ". . . . . . .
         . . . . . . .
         . . O X . . .
         . . O X . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    );
    let patterns = Patterns::standard();
    let size = hane.size();
    for symmetry in Symmetry::ALL {
        for swapped in [false, true] {
            let stones = size.points().filter_map(|p| {
                let color = hane.cell(p).color()?;
                Some((symmetry.apply(p, size), if swapped { !color } else { color }))
            });
            let turned = Board::with_stones(size, stones.collect::<Vec<_>>()).unwrap();
            let player = if swapped { Color::Black } else { Color::White };
            let found = patterns.find(&turned, player);
            let heads: Vec<Point> = found
                .iter()
                .filter(|m| patterns.list()[m.pattern].name == "head of two")
                .map(|m| m.point)
                .collect();
            let wanted = ["D6", "D3"].map(|p| symmetry.apply(Point::parse(p).unwrap(), size));
            assert!(heads.len() == 2 && wanted.iter().all(|p| heads.contains(p)), "{turned}");
            // The weightiest come first.
            let weight = |i: usize| patterns.list()[found[i].pattern].weight;
            assert!((1..found.len()).all(|i| weight(i - 1) >= weight(i)));
        }
    }
}

#[test]
fn edges_are_part_of_a_shape() {
    let patterns = Patterns::parse("[corner]\n|.*\n|..\n+--\n").unwrap();
    let found = patterns.find(&Board::new(goban::Size::NINE), Color::Black);
    let points: Vec<String> = found.iter().map(|m| m.point.to_string()).collect();
    assert_eq!(points, ["B8", "H8", "B2", "H2"]);
}

#[test]
fn a_move_that_is_not_legal_is_not_proposed() {
    let patterns = Patterns::parse("[suicide]\n?X?\nX*X\n?X?\n").unwrap();
    let board = board(".....\n..O..\n.O.O.\n..O..\n.....");
    assert!(patterns.find(&board, Color::Black).is_empty());
}
