//! Facts of moves: by hand on small diagrams, and the same in every orientation and colour.

use goban::{Board, Color, Diagram, Point, Size, Symmetry};
use policy::{About, Model, Use};
use shape::{Dictionary, Family};
use tsumego::facts::{facts, names};
use tsumego::forest::{Forest, Node, Tree};
use tsumego::scene::{Scene, moves_near_stones};

/// White's three stones in the corner: whoever plays B1 decides.
const CORNER: &str = "
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    X X X X X . . . .
    O O O O X . . . .
    . . . O X . . . .";

fn board() -> Board {
    Diagram::parse(CORNER).unwrap().board
}

fn game() -> Model {
    let about = About {
        name: "neutral".to_owned(),
        of: Use::Uct,
        size: 9,
        trained_on: String::new(),
        made_by: String::new(),
    };
    Model::neutral(about, Dictionary::new(Family::nested(2), []))
}

fn fact(board: &Board, to_play: Color, at: &str, name: &str) -> f32 {
    let facts = facts(&Scene::new(board, to_play), &game());
    let place = facts.moves.iter().position(|p| p.to_string() == at).expect("a move");
    let names = names();
    facts.of(place)[names.iter().position(|&n| n == name).expect("a fact")]
}

#[test]
fn facts_by_hand() {
    let board = board();
    for (at, name, black) in [
        ("B1", "line", 1.0),
        ("B1", "other line", 2.0),
        ("B1", "empty beside", 2.0),
        ("B1", "enemy beside", 1.0),
        ("B1", "enemy region", 3.0),
        ("B1", "ways in it", 2.0),
        ("A1", "ways in it", 1.0),
        ("A1", "below its best place", 1.0),
        ("B1", "below its best place", 0.0),
        ("B1", "enemy target's stones", 5.0),
        ("B1", "enemy target's liberties", 3.0),
        ("B1", "its enemy liberty", 1.0),
        ("B1", "defends", 0.0),
        ("B1", "takes", 0.0),
        // With White's stone at B1 there are two eyes, both of one point.
        ("B1", "enemy eyes", 2.0),
        ("B1", "enemy regions after enemy", 1.0),
        ("A1", "enemy regions after enemy", 0.0),
        ("B1", "steps from own", 12.0),
    ] {
        assert_eq!(fact(&board, Color::Black, at, name), black, "{at}: {name}");
    }
    assert_eq!(fact(&board, Color::White, "B1", "defends"), 1.0);
    assert_eq!(fact(&board, Color::White, "B1", "own eyes"), 2.0);
}

#[test]
fn a_throw_in_that_snaps_back_is_seen() {
    let board = Diagram::parse(
        ". . . . .
         . . . . .
         X X X X .
         O O O X .
         . . O X .",
    )
    .unwrap()
    .board;
    // White takes the stone and stands in atari with five stones.
    for at in ["A1", "B1"] {
        assert_eq!(fact(&board, Color::Black, at, "thrown in"), 1.0);
        assert_eq!(fact(&board, Color::Black, at, "snaps back"), 5.0);
    }
    assert_eq!(fact(&board, Color::White, "B1", "thrown in"), 5.0);
    assert_eq!(fact(&board, Color::White, "B1", "snaps back"), 0.0);
}

#[test]
fn orientation_and_colour_make_no_difference() {
    let board = board();
    let stones: Vec<(Point, Color)> =
        Size::NINE.points().filter_map(|p| Some((p, board.cell(p).color()?))).collect();
    let mut expected: Option<Vec<Vec<u32>>> = None;
    for symmetry in Symmetry::ALL {
        for swap in [false, true] {
            let color = |c: Color| if swap { !c } else { c };
            let turned = stones.iter().map(|&(p, c)| (symmetry.apply(p, Size::NINE), color(c)));
            let turned = Board::with_stones(Size::NINE, turned).unwrap();
            let found = facts(&Scene::new(&turned, color(Color::Black)), &game());
            // In the order of the moves before they were turned.
            let back = symmetry.inverse();
            let mut rows: Vec<(usize, Vec<u32>)> = found
                .moves
                .iter()
                .enumerate()
                .map(|(place, &p)| {
                    let bits = found.of(place).iter().map(|x| x.to_bits()).collect();
                    (Size::NINE.reading_index(back.apply(p, Size::NINE)), bits)
                })
                .collect();
            rows.sort();
            let rows: Vec<Vec<u32>> = rows.into_iter().map(|(_, bits)| bits).collect();
            match &expected {
                None => expected = Some(rows),
                Some(expected) => {
                    for (a, b) in expected.iter().zip(&rows) {
                        for (name, (a, b)) in names().iter().zip(a.iter().zip(b)) {
                            assert_eq!(a, b, "{name} under {symmetry:?}, swapped {swap}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn moves_come_into_question_near_stones() {
    let mut board = Board::new(Size::NINE);
    board.play(Point::parse("E5").unwrap(), Color::Black).unwrap();
    assert_eq!(moves_near_stones(&board, Color::White, 1).len(), 4);
    assert_eq!(moves_near_stones(&board, Color::White, 2).len(), 12);
    // A1 is suicide for Black.
    let corner = Diagram::parse(". . .\nO . .\n. O .").unwrap().board;
    let near = |color| moves_near_stones(&corner, color, 2);
    let a1 = Point::parse("A1").unwrap();
    assert!(near(Color::White).contains(&a1) && !near(Color::Black).contains(&a1));
}

#[test]
fn a_forest_adds_up_its_leaves_and_comes_back_from_bytes() {
    let node = |fact, threshold| Node { fact, threshold };
    let deep = Tree {
        nodes: vec![node(0, 1.0), node(1, 0.0), node(1, 5.0)],
        leaves: vec![1.0, 2.0, 3.0, 4.0],
    };
    let flat = Tree { nodes: vec![node(1, 2.0)], leaves: vec![10.0, 20.0] };
    let forest = Forest { width: 2, trees: vec![deep, flat] };
    for (facts, score) in
        [([1.0, 0.0], 11.0), ([1.0, 1.0], 12.0), ([2.0, 5.0], 23.0), ([2.0, 6.0], 24.0)]
    {
        assert_eq!(forest.score(&facts), score, "{facts:?}");
    }
    let bytes = forest.to_bytes();
    assert_eq!(Forest::from_bytes(&bytes).unwrap(), forest);
    for cut in 0..bytes.len() {
        assert!(Forest::from_bytes(&bytes[..cut]).is_err());
    }
    let mut wrong = bytes.clone();
    wrong[5] = 7;
    assert!(Forest::from_bytes(&wrong).is_err(), "a fact that is not there");
}
