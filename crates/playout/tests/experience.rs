//! Playouts that learn while they run: they come to play what wins, stay as fast, and know nothing
//! before they start.

use std::path::Path;

use goban::{Board, Color, Diagram, Point, Size};
use playout::{Compiled, Experience, Learned, Observer, PlayoutSettings, Random, Rates};
use policy::Model;

fn model() -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights/mc9.model");
    Model::from_bytes(&std::fs::read(path).unwrap()).unwrap()
}

const RATES: Rates = Rates { points: 0.05, answers: 0.1 };

/// Three points in a row in the corner: who plays B1 decides over it.
const CORNER: &str = "
    . . X O . O . . .
    . . X O O . O . .
    . . X X O O . O .
    . . X . X O O . .
    X X X . X X O O O
    X . X X X . X X O
    X X X X . X . X X
    O O O O X X X . .
    . . . O X . X . .";

/// Counts the playouts in which a point is the first of three to be played.
struct First {
    three: [Point; 3],
    seen: bool,
    middle: u32,
}

impl Observer for First {
    fn started(&mut self, _: &Board, _: Color) {
        self.seen = false;
    }

    fn played(&mut self, _: Color, point: Option<Point>, _: &[Point]) {
        if !self.seen && point.is_some_and(|p| self.three.contains(&p)) {
            self.seen = true;
            self.middle += (point == Some(self.three[1])) as u32;
        }
    }
}

/// How often the vital point is played first of the three, in 400 playouts after `lessons` more.
fn vital_first(rates: Option<Rates>, lessons: u32) -> u32 {
    let board = Diagram::parse(CORNER).unwrap().board;
    // A model that knows next to nothing: the real one plays there nearly always.
    let mut ignorant = model();
    ignorant.filter = 0.05;
    let compiled = Compiled::new(&ignorant, Size::NINE).unwrap();
    let mut playouts =
        Learned::new(&compiled, &board, Color::Black, None, PlayoutSettings::default());
    playouts.set_experience(rates.map(|rates| Box::new(Experience::new(Size::NINE, rates))));
    let three = [0, 1, 2].map(|x| Point::new(x, 0));
    let mut random = Random::new(7);
    let mut first = First { three, seen: false, middle: 0 };
    for playout in 0..lessons + 400 {
        let black = (playouts.run(&mut random, &mut first).score > 23) as u32 as f32;
        playouts.learn(black);
        if playout < lessons {
            first.middle = 0;
        }
    }
    first.middle
}

#[test]
fn playouts_come_to_play_the_vital_point() {
    let plain = vital_first(None, 0);
    assert_eq!(plain, vital_first(None, 0), "chance is seeded");
    let learned = vital_first(Some(RATES), 1500);
    assert!(learned > plain + 40, "{plain} of 400 before, {learned} after");
}

#[test]
fn before_the_first_lesson_nothing_is_changed() {
    // Draws have code of their own for some sizes, and on the largest rows lie closest together.
    for side in [5, 9, 13, 19, 22, 25] {
        let size = Size::new(side).unwrap();
        let compiled = Compiled::new(&model(), size).unwrap();
        let board = Board::new(size);
        let mut plain =
            Learned::new(&compiled, &board, Color::Black, None, PlayoutSettings::default());
        let mut ready =
            Learned::new(&compiled, &board, Color::Black, None, PlayoutSettings::default());
        ready.set_experience(Some(Box::new(Experience::new(size, RATES))));
        let (mut a, mut b) = (Random::new(3), Random::new(3));
        for _ in 0..20 {
            let (plain, ready) = (plain.run(&mut a, &mut ()), ready.run(&mut b, &mut ()));
            assert_eq!(plain, ready, "{side}");
        }
        assert!(plain.take_experience().is_none() && ready.take_experience().is_some());
    }
}

#[test]
fn learning_does_not_allocate_and_knows_no_largest_board() {
    for side in [2, 9, 19, 25] {
        let size = Size::new(side).unwrap();
        let compiled = Compiled::new(&model(), size).unwrap();
        let board = Board::new(size);
        let mut playouts =
            Learned::new(&compiled, &board, Color::Black, None, PlayoutSettings::default());
        playouts.set_experience(Some(Box::new(Experience::new(size, RATES))));
        let mut random = Random::new(1);
        let info = allocation_counter::measure(|| {
            for i in 0..30 {
                let outcome = playouts.run(&mut random, &mut ());
                assert!(outcome.moves > 0, "{side}");
                playouts.learn((i % 2) as f32);
            }
        });
        assert_eq!(info.count_total, 0, "{side}");
    }
}
