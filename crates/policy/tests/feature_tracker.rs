//! Tracked features against the definition, after every move of random games.

use goban::{Board, Cell, Color, Point, Size};
use policy::Use;
use policy::{FeatureSpace, FeatureTracker, Position};
use shape::{Counts, Dictionary, Family};

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// Patterns of random positions.
fn dictionary(family: &Family, size: Size, dice: &mut Dice) -> Dictionary {
    let side = size.side() as usize;
    let mut patterns = Vec::new();
    for _ in 0..20 {
        let mut board = Board::new(size);
        for _ in 0..size.area() {
            let p = Point::new(dice.below(side) as u8, dice.below(side) as u8);
            let _ = board.play(p, Color::BOTH[dice.below(2)]);
            if dice.below(6) == 0 && board.cell(p) == Cell::Empty {
                let part = dice.below(family.parts());
                let view = family.look(&board, p, Color::BOTH[dice.below(2)], part);
                let stage = dice.below(family.stages());
                patterns.push((view.pattern(stage), Counts { seen: 1, played: 0 }));
            }
        }
    }
    Dictionary::new(family.clone(), patterns)
}

fn assert_agrees(
    tracker: &mut FeatureTracker<'_>,
    space: &FeatureSpace,
    color: Color,
    position: &mut Position,
) {
    tracker.position(color, position);
    let situation = tracker.situation(color);
    let board = situation.board;
    let legal: Vec<Point> = board.empties().filter(|&p| board.is_legal(p, color)).collect();
    assert_eq!(position.moves, legal);
    let dictionary = space.dictionary();
    let base = space.of().features() as u32;
    for (&p, list) in legal.iter().zip(position.lists()) {
        let mut expected = Vec::new();
        space.of().of_move(&situation, p, |feature| expected.push(feature.0 as u32));
        for part in 0..dictionary.family().parts() {
            let found = dictionary.at(board, p, color, part);
            expected.extend(found.map(|index| base + index.0));
        }
        assert_eq!(list, expected, "{} {color} {p}{board:?}", dictionary.family());
    }
}

#[test]
fn features_are_up_to_date_after_every_move() {
    for name in ["N5", "N9", "CP", "3x3", "3x3 atari", "Diamonds(4)", "Moore(2)", "Fuzzy"] {
        let family = Family::parse(name).unwrap();
        for (side, moves) in [(5, 150), (9, 250), (19, 300)] {
            let size = Size::new(side).unwrap();
            let mut dice = Dice(side as u64);
            for of in [Use::Uct, Use::Mc] {
                let space = FeatureSpace::new(of, dictionary(&family, size, &mut dice), size);
                random_games(&space, moves, &mut dice);
            }
        }
    }
}

fn random_games(space: &FeatureSpace, moves: usize, dice: &mut Dice) {
    let size = space.size();
    let side = size.side() as usize;
    let mut tracker = FeatureTracker::new(space);
    let mut position = Position::default();
    for game in 0..2 {
        let mut board = Board::new(size);
        if game == 1 {
            for i in 0..size.area() / 4 {
                let p = Point::new(dice.below(side) as u8, dice.below(side) as u8);
                let _ = board.play(p, Color::BOTH[i % 2]);
            }
        }
        tracker.start(&board);
        let mut color = Color::Black;
        for _ in 0..moves {
            assert_agrees(&mut tracker, space, color, &mut position);
            // Mostly in turn, sometimes a pass, sometimes twice in a row.
            let pass = dice.below(25) == 0 || position.is_empty();
            let point = (!pass).then(|| position.moves[dice.below(position.len())]);
            tracker.play(color, point);
            color = if dice.below(12) == 0 { color } else { !color };
        }
    }
}
