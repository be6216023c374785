//! The suite of positions is right: every position is closed, and trying all moves gives the end that the file
//! says.

#[path = "support/exhaustive.rs"]
mod exhaustive;

use std::path::Path;

use exhaustive::Exhaustive;
use goban::{Color, Point};
use lab::ladder::{TestPosition, read_suite};

fn suite() -> Vec<TestPosition> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fights.txt");
    read_suite(&path).unwrap()
}

/// Lines are long and boards are large: more stack than a test has.
fn with_room(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 30);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn there_are_positions_of_every_kind_and_they_are_closed() {
    let positions = suite();
    assert!(positions.iter().map(|position| position.games().count()).sum::<usize>() >= 80);
    for kind in ["nakade", "life", "connection", "race", "corner"] {
        assert!(positions.iter().filter(|position| position.kind() == kind).count() >= 7, "{kind}");
    }
    for position in &positions {
        let (board, title) = (&position.diagram.board, &position.title);
        let eyes = |p: Point| {
            let chain = board.chain(p).unwrap();
            board.liberties(chain).filter(|&liberty| position.settled.contains(liberty)).count()
        };
        // Single points between stones of one colour, and two of them for each chain beside one: what
        // stands there is alive without an answer.
        for eye in position.settled.iter() {
            assert!(Color::BOTH.iter().any(|&c| board.ring(eye).is_surrounded_by(c)), "{title}");
            assert!(board.neighbours(eye).all(|p| eyes(p) >= 2), "{title}: {eye}");
        }
        let open = board.empties().filter(|&p| !position.settled.contains(p)).count();
        assert!((1..=10).contains(&open), "{title}: {open} open points");
        assert_eq!(eyes(position.group), 0, "{title}");
    }
}

#[test]
fn trying_everything_gives_the_known_end() {
    with_room(|| {
        for position in suite() {
            for first in Color::BOTH {
                let Some(known) = position.lives[first.index()] else { continue };
                let found = Exhaustive::new(&position, true).lives(first);
                assert_eq!(found, known, "{}, {first} first", position.title);
            }
        }
    });
}

#[test]
fn remembering_changes_nothing() {
    with_room(|| {
        let small = |position: &TestPosition| {
            position.diagram.board.empties().filter(|&p| !position.settled.contains(p)).count() <= 4
        };
        let positions: Vec<TestPosition> = suite().into_iter().filter(small).collect();
        assert!(positions.len() >= 15, "{}", positions.len());
        for position in positions {
            for first in Color::BOTH {
                let [quick, plain] =
                    [true, false].map(|r| Exhaustive::new(&position, r).lives(first));
                assert_eq!(quick, plain, "{}, {first} first", position.title);
            }
        }
    });
}
