//! Moves rated along a line of play against the slow reference, after every move of games.

use std::path::{Path, PathBuf};

use goban::{Board, Color, Point, Size};
use policy::{About, Follower, Line, Model, Rated, Rater, Use};
use shape::{Counts, Dictionary, Family};

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shipped(side: usize) -> Model {
    let path = home().join(format!("weights/uct{side}.model"));
    Model::from_bytes(&std::fs::read(path).unwrap()).unwrap()
}

/// Whether two numbers are the same up to rounding.
fn close(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-5 * a.abs().max(b.abs())
}

/// Compares all that is said about a position; gives the slow list.
fn assert_same(
    model: &Model,
    line: &mut Line<'_>,
    follower: &Follower,
    fast: &mut Vec<Rated>,
) -> Vec<Rated> {
    let situation = follower.situation();
    assert_eq!(line.situation().to_move, situation.to_move);
    let slow = model.rate(&situation);
    line.rate(fast);
    assert_eq!(fast.len(), slow.len());
    for (i, (a, b)) in fast.iter().zip(&slow).enumerate() {
        // Moves of nearly the same value may come in another order, but nothing else may.
        let at = slow.iter().find(|m| m.point == a.point).expect("legal");
        assert!(close(a.value, b.value), "move {i}: {a:?} {b:?}{:?}", situation.board);
        assert!(close(a.value, at.value), "move {i}: {a:?} {at:?}{:?}", situation.board);
        assert!(close(a.probability, at.probability), "{a:?} {at:?}{:?}", situation.board);
    }
    slow
}

/// Random games: mostly likely moves, sometimes any, a pass, or two in a row; and now and then a
/// step aside on a copy.
fn random_game(model: &Model, rater: &Rater, moves: usize, dice: &mut Dice) {
    let board = Board::new(rater.size());
    let mut follower = Follower::new(&board, Color::Black);
    let mut line = Line::new(rater, &follower);
    let mut aside = Line::new(rater, &follower);
    let mut fast = Vec::new();
    let mut color = Color::Black;
    for number in 0..moves {
        follower.set_to_move(color);
        line.set_to_move(color);
        let slow = assert_same(model, &mut line, &follower, &mut fast);
        if number % 8 == 0 {
            aside.copy_from(&line);
            let mut beside = follower.clone();
            for _ in 0..dice.below(6) {
                let color = beside.situation().to_move;
                let board = beside.situation().board;
                let legal: Vec<Point> =
                    board.empties().filter(|&p| board.is_legal(p, color)).collect();
                let point = (!legal.is_empty()).then(|| legal[dice.below(legal.len())]);
                beside.play(color, point);
                aside.play(color, point);
            }
            assert_same(model, &mut aside, &beside, &mut fast);
            // The two recent moves may come along with the position.
            let mut fresh = Line::new(rater, &beside);
            assert_same(model, &mut fresh, &beside, &mut fast);
        }
        let pass = slow.is_empty() || dice.below(25) == 0;
        let among = if dice.below(2) == 0 { slow.len().min(5) } else { slow.len() };
        let point = (!pass).then(|| slow[dice.below(among)].point);
        follower.play(color, point);
        line.play(color, point);
        color = if dice.below(12) == 0 { color } else { !color };
    }
}

#[test]
fn a_line_rates_random_games_as_the_model_does() {
    for (side, moves) in [(9, 150), (13, 150), (19, 200)] {
        let model = shipped(side);
        let rater = Rater::new(&model, Size::new(side).unwrap());
        random_game(&model, &rater, moves, &mut Dice(side as u64));
    }
}

#[test]
fn a_line_rates_real_games_as_the_model_does() {
    for side in [9, 19] {
        let model = shipped(side);
        let rater = Rater::new(&model, Size::new(side).unwrap());
        let bytes = std::fs::read(home().join(format!("samples/{side}x{side}.sgf"))).unwrap();
        let (trees, mut warnings) = kifu::read(&bytes);
        let record = kifu::Record::new(&trees[0], &mut warnings).unwrap();
        let mut replay = kifu::Replay::new(&record);
        let mut follower = Follower::new(replay.board(), Color::Black);
        let mut line = Line::new(&rater, &follower);
        let mut fast = Vec::new();
        let mut played = 0;
        while let Some(next) = replay.next_move() {
            follower.set_to_move(next.color);
            line.set_to_move(next.color);
            assert_same(&model, &mut line, &follower, &mut fast);
            follower.play(next.color, next.point);
            line.play(next.color, next.point);
            played += 1;
        }
        assert!(played > 40, "{side}: {played} moves");
    }
}

/// Models of every kind: families that see more than stones, no pairs, rows that are not full.
#[test]
fn a_line_rates_by_any_model() {
    let size = Size::NINE;
    let mut dice = Dice(1);
    for (name, width) in [("N5", 0), ("3x3 atari", 3), ("Fuzzy", 0), ("CP", 11), ("3x3", 8)] {
        for of in [Use::Uct, Use::Mc] {
            let family = Family::parse(name).unwrap();
            let mut board = Board::new(size);
            let mut patterns = Vec::new();
            for _ in 0..60 {
                let p = Point::new(dice.below(9) as u8, dice.below(9) as u8);
                let part = dice.below(family.parts());
                if board.is_legal(p, Color::Black) {
                    let view = family.look(&board, p, Color::Black, part);
                    let stage = dice.below(family.stages());
                    patterns.push((view.pattern(stage), Counts { seen: 1, played: 0 }));
                }
                let _ = board.play(p, Color::BOTH[dice.below(2)]);
            }
            let dictionary = Dictionary::new(family, patterns);
            let about = About {
                name: name.to_owned(),
                of,
                size: 9,
                trained_on: String::new(),
                made_by: String::new(),
            };
            let mut weights = |n: usize| -> Vec<f32> {
                (0..n).map(|_| 0.2 + dice.below(1000) as f32 / 500.0).collect()
            };
            let (features, shapes) = (weights(of.features()), weights(dictionary.len()));
            let rows = weights((features.len() + shapes.len()) * width);
            let rows = rows.iter().map(|x| (x - 1.0) / 4.0).collect();
            let mut model = Model::new(about, features, dictionary, shapes, 0.9, 0.0).unwrap();
            if width > 0 {
                model = model.with_pairs(width, rows).unwrap();
            }
            let rater = Rater::new(&model, size);
            random_game(&model, &rater, 100, &mut dice);
        }
    }
}
