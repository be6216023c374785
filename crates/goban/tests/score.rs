//! Counting as diagrams: area and territory, dead stones, seki, dame.

use goban::score::{Marks, area, territory};
use goban::{Diagram, Point, PointSet, result_text};

fn points(names: &str) -> PointSet {
    names.split_whitespace().map(|name| Point::parse(name).unwrap()).collect()
}

/// A finished 5x5 game with a dead white stone in black's corner and a dame at C3.
const FINISHED: &str = "
    O X X O .
    . X X O O
    X X . O O
    . X X O .
    . X O O .";

#[test]
fn area_counts_the_board_as_it_stands() {
    let board = Diagram::parse(FINISHED).unwrap().board;
    let tally = area(&board, &Marks::default());
    // Black 9 stones and A2 A1; the corner A4 touches both; C3 is dame. White 9 stones, E5 E2 E1.
    assert_eq!((tally.black, tally.white), (9 + 2, 9 + 3));
}

#[test]
fn marked_dead_stones_come_off() {
    let board = Diagram::parse(FINISHED).unwrap().board;
    let marks = Marks { dead: points("A5"), ..Marks::default() };
    let tally = area(&board, &marks);
    assert_eq!((tally.black, tally.white), (9 + 4, 8 + 3));
    // Territory: A1 A2 A4 A5, one dead stone, two prisoners; white E1 E2 E5, three prisoners.
    let tally = territory(&board, &marks, [2, 3]);
    assert_eq!((tally.black, tally.white), (4 + 1 + 2, 3 + 3));
}

#[test]
fn an_empty_board_belongs_to_nobody() {
    let board = Diagram::parse("...\n...\n...").unwrap().board;
    assert_eq!(area(&board, &Marks::default()).difference(), 0);
    assert_eq!(territory(&board, &Marks::default(), [0, 0]).difference(), 0);
}

/// One eye each and one liberty between them, C3: whoever fills it dies.
const SEKI: &str = "
    . X O . O
    X X O O O
    X X . O O
    X X O O O
    X X O O O";

#[test]
fn eyes_in_seki_count_by_area_but_not_by_territory() {
    let board = Diagram::parse(SEKI).unwrap().board;
    let by_area = area(&board, &Marks::default());
    assert_eq!((by_area.black, by_area.white), (9 + 1, 13 + 1));
    let unmarked = territory(&board, &Marks::default(), [3, 5]);
    assert_eq!((unmarked.black, unmarked.white), (3 + 1, 5 + 1));
    let seki = board.size().points().filter(|&p| board.cell(p).color().is_some()).collect();
    let marks = Marks { seki, ..Marks::default() };
    let marked = territory(&board, &marks, [3, 5]);
    assert_eq!((marked.black, marked.white), (3, 5));
    assert_eq!(area(&board, &marks), by_area);
}

#[test]
fn results_are_written_as_records_write_them() {
    assert_eq!(result_text(3.5), "B+3.5");
    assert_eq!(result_text(-12.0), "W+12");
    assert_eq!(result_text(0.0), "0");
    assert_eq!(result_text(0.25), "B+0.25");
}
