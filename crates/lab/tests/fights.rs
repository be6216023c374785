//! The suite of fights is right: every fight is closed, and trying all moves gives the end that the file
//! says.

#[path = "support/exhaustive.rs"]
mod exhaustive;

use std::path::Path;

use exhaustive::Exhaustive;
use goban::{Color, Point};
use lab::ladder::{Fight, read_suite};

fn suite() -> Vec<Fight> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fights.txt");
    read_suite(&path).unwrap()
}

/// Lines are long and boards are large: more stack than a test has.
fn with_room(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 30);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn there_are_fights_of_every_kind_and_they_are_closed() {
    let fights = suite();
    assert!(fights.iter().map(|fight| fight.games().count()).sum::<usize>() >= 80);
    for kind in ["nakade", "life", "connection", "race", "corner"] {
        assert!(fights.iter().filter(|fight| fight.kind() == kind).count() >= 7, "{kind}");
    }
    for fight in &fights {
        let (board, title) = (&fight.diagram.board, &fight.title);
        let eyes = |p: Point| {
            let chain = board.chain(p).unwrap();
            board.liberties(chain).filter(|&liberty| fight.settled.contains(liberty)).count()
        };
        // Single points between stones of one colour, and two of them for each chain beside one: what
        // stands there is alive without an answer.
        for eye in fight.settled.iter() {
            assert!(Color::BOTH.iter().any(|&c| board.ring(eye).is_surrounded_by(c)), "{title}");
            assert!(board.neighbours(eye).all(|p| eyes(p) >= 2), "{title}: {eye}");
        }
        let open = board.empties().filter(|&p| !fight.settled.contains(p)).count();
        assert!((1..=10).contains(&open), "{title}: {open} open points");
        assert_eq!(eyes(fight.group), 0, "{title}");
    }
}

#[test]
fn trying_everything_gives_the_known_end() {
    with_room(|| {
        for fight in suite() {
            for first in Color::BOTH {
                let Some(known) = fight.lives[first.index()] else { continue };
                let found = Exhaustive::new(&fight, true).lives(first);
                assert_eq!(found, known, "{}, {first} first", fight.title);
            }
        }
    });
}

#[test]
fn remembering_changes_nothing() {
    with_room(|| {
        let small = |fight: &Fight| {
            fight.diagram.board.empties().filter(|&p| !fight.settled.contains(p)).count() <= 4
        };
        let fights: Vec<Fight> = suite().into_iter().filter(small).collect();
        assert!(fights.len() >= 15, "{}", fights.len());
        for fight in fights {
            for first in Color::BOTH {
                let [quick, plain] = [true, false].map(|r| Exhaustive::new(&fight, r).lives(first));
                assert_eq!(quick, plain, "{}, {first} first", fight.title);
            }
        }
    });
}
