//! Learned playouts: every value against the definition, draws against the probabilities, seeds,
//! observers, and no allocation.

use goban::{Board, Cell, Color, Diagram, Point, Size};
use playout::{
    Captures, Compiled, Learned, NotForPlayouts, Observer, Outcome, PlayoutSettings, Random,
    Sampler,
};
use policy::{About, Feature, Meaning, Model, Situation, Use};
use shape::{Counts, Dictionary, Family};

/// Patterns of random positions, each with the smaller ones inside it: all of some, so that shapes
/// of every size are met in games.
fn dictionary(family: &Family, size: Size, random: &mut Random) -> Dictionary {
    let side = size.side() as usize;
    let point =
        |random: &mut Random| Point::new(random.below(side) as u8, random.below(side) as u8);
    let mut patterns = Vec::new();
    for _ in 0..30 {
        let mut board = Board::new(size);
        for _ in 0..size.area() {
            let _ = board.play(point(random), Color::BOTH[random.below(2)]);
            let q = point(random);
            if random.below(8) == 0 && board.cell(q) == Cell::Empty {
                for part in 0..family.parts() {
                    let color = Color::BOTH[random.below(2)];
                    let view = family.look(&board, q, color, part);
                    let stage = random.below(family.stages());
                    patterns.push((view.pattern(stage), Counts { seen: 1, played: 0 }));
                }
            }
        }
    }
    let dictionary = Dictionary::new(family.clone(), patterns);
    // With a dictionary that is all but empty the tests would pass whatever look-ups do.
    assert!(side < 9 || dictionary.len() > 20, "{family} has {} patterns", dictionary.len());
    dictionary
}

/// A model with weights that playouts keep without rounding.
fn model(family: &Family, size: Size, seed: u64) -> Model {
    with_dictionary(dictionary(family, size, &mut Random::new(seed)), size, seed)
}

fn with_dictionary(dictionary: Dictionary, size: Size, seed: u64) -> Model {
    let mut random = Random::new(seed);
    let mut weight = || [0.5, 0.625, 0.75, 0.875, 1.0, 1.25, 1.5, 2.0][random.below(8)];
    let features = (0..Use::Mc.features()).map(|_| weight()).collect();
    let shapes = (0..dictionary.len()).map(|_| weight()).collect();
    let about = About {
        name: "random".to_owned(),
        of: Use::Mc,
        size: size.side(),
        trained_on: "nothing".to_owned(),
        made_by: "a test".to_owned(),
    };
    Model::new(about, features, dictionary, shapes, 1.0, 0.01).unwrap()
}

fn families() -> Vec<Family> {
    let names = [
        "3x3",
        "N2",
        "N3",
        "N4",
        "N5",
        "N6",
        "N7",
        "N8",
        "N9",
        "CP",
        "Diamonds(4)",
        "Neumann(1)",
        "Neumann(2)",
        "Moore(1)",
    ];
    names.iter().map(|name| Family::parse(name).unwrap()).collect()
}

/// Every value of the sampler is what the model says of the move by itself.
fn assert_up_to_date<const P: usize, const S: usize>(
    model: &Model,
    sampler: &Sampler<P, S>,
    board: &Board,
) {
    for color in Color::BOTH {
        let situation = Situation::new(board, color);
        for p in board.size().points() {
            let playable = board.cell(p) == Cell::Empty
                && !board.is_suicide(p, color)
                && !board.is_eye(p, color);
            let expected = if playable { model.value(&situation, p) } else { 0.0 };
            let value = sampler.value(p, color);
            assert!(
                (value - expected).abs() <= expected * 1e-5,
                "{}: {color} {p} is {value} and should be {expected}{board:?}",
                model.family()
            );
        }
    }
}

#[test]
fn values_are_up_to_date_after_every_move() {
    for family in families() {
        for (size, moves) in [(9, 300), (13, 300), (19, 350), (5, 200), (2, 20), (3, 40), (25, 300)]
        {
            let size = Size::new(size).unwrap();
            let model = model(&family, size, 7);
            // The kinds that playouts choose from.
            match (family.parts(), family.name()) {
                (1, "3x3" | "N3" | "Moore(1)") => random_moves::<1, 0>(&model, size, moves),
                (1, "N4" | "N5") => random_moves::<1, 2>(&model, size, moves),
                (1, "N7" | "N9") => random_moves::<1, 6>(&model, size, moves),
                (1, _) => random_moves::<1, 8>(&model, size, moves),
                _ => random_moves::<4, 3>(&model, size, moves),
            }
            random_moves::<4, 8>(&model, size, moves / 10);
        }
    }
}

fn random_moves<const P: usize, const S: usize>(model: &Model, size: Size, moves: usize) {
    let side = size.side() as usize;
    let compiled = Compiled::new(model, size).unwrap();
    let mut random = Random::new(side as u64);
    let mut board = Board::new(size);
    let mut sampler = Sampler::<P, S>::new(&compiled, &board);
    let mut captures = Captures::new();
    assert_up_to_date(model, &sampler, &board);
    for i in 0..moves {
        // Mostly in turn, as in a game; sometimes twice in a row.
        let color = if random.below(10) == 0 { Color::Black } else { Color::BOTH[i % 2] };
        let p = Point::new(random.below(side) as u8, random.below(side) as u8);
        if board.is_legal(p, color) {
            sampler.play(&compiled, &mut board, p, color, &mut captures);
            assert_up_to_date(model, &sampler, &board);
        }
    }
    let fresh = Sampler::<P, S>::new(&compiled, &board);
    assert_up_to_date(model, &fresh, &board);
    // A copy goes on as well as what it was copied from.
    let mut copy = Sampler::<P, S>::new(&compiled, &Board::new(size));
    copy.copy_from(&compiled, &sampler);
    assert_up_to_date(model, &copy, &board);
    for (i, p) in size.points().enumerate().take(moves / 10) {
        let color = Color::BOTH[i % 2];
        if board.is_legal(p, color) {
            copy.play(&compiled, &mut board, p, color, &mut captures);
            assert_up_to_date(model, &copy, &board);
        }
    }
}

/// The way playouts go, not only random moves: captures and ataris all the time.
#[test]
fn values_are_up_to_date_in_playouts() {
    for family in ["3x3", "N7", "CP"].map(|name| Family::parse(name).unwrap()) {
        for size in [Size::NINE, Size::THIRTEEN, Size::NINETEEN] {
            let model = model(&family, size, 11);
            let compiled = Compiled::new(&model, size).unwrap();
            let mut random = Random::new(3);
            for _ in 0..if size == Size::NINE { 12 } else { 2 } {
                let mut board = Board::new(size);
                let mut sampler = Sampler::<4, 8>::new(&compiled, &board);
                let mut captures = Captures::new();
                let (mut color, mut last) = (Color::Black, None);
                for _ in 0..3 * size.area() {
                    let drawn = sampler.draw(&compiled, color, last, board.ko(color), &mut random);
                    let Some(p) = drawn else { break };
                    assert!(board.is_legal(p, color));
                    sampler.play(&compiled, &mut board, p, color, &mut captures);
                    assert_up_to_date(&model, &sampler, &board);
                    (color, last) = (!color, drawn);
                }
            }
        }
    }
}

#[test]
fn moves_are_drawn_by_their_probability() {
    let diagram = "
        . X O . . . .
        X . X O . . .
        . X O . . . .
        . . . . . . .
        . O X . X . .
        . . O X . . .
        . . . . . . .";
    let mut board = Diagram::parse(diagram).unwrap().board;
    let size = board.size();
    let ko_taken = Point::parse("B6").unwrap();
    board.play(ko_taken, Color::White).unwrap();
    assert!(board.ko(Color::Black).is_some());
    for (family, cut) in [("CP", 0.0), ("N5", 0.02), ("3x3", 0.9)] {
        let mut model = model(&Family::parse(family).unwrap(), size, 5);
        model.cut = cut;
        let compiled = Compiled::new(&model, size).unwrap();
        let mut sampler = Sampler::<4, 8>::new(&compiled, &board);
        for last in [None, Some(ko_taken), Point::parse("D2")] {
            let (color, ko) = (Color::Black, board.ko(Color::Black));
            let expected = sampler.probabilities(&compiled, color, last, ko);
            // The probabilities are f: by the model, less eyes and ko, restricted by the cut-off.
            let situation = Situation { last, ..Situation::new(&board, color) };
            let allowed =
                |p: Point| board.is_legal(p, color) && !board.is_eye(p, color) && Some(p) != ko;
            let sum: f64 = board
                .empties()
                .filter(|&p| allowed(p))
                .map(|p| model.value(&situation, p) as f64)
                .sum();
            let f = |p: Point| model.value(&situation, p) as f64 / sum;
            let kept: f64 =
                board.empties().filter(|&p| allowed(p) && f(p) >= cut as f64).map(f).sum();
            for &(p, probability) in &expected {
                let by_model = if kept > 0.0 { f(p) / kept } else { f(p) };
                assert!(allowed(p), "{p}");
                assert!((probability - by_model).abs() < 1e-3, "{p}: {probability} {by_model}");
            }
            let mut random = Random::new(1);
            let draws = 200_000;
            let mut drawn = std::collections::HashMap::<Point, u32>::new();
            for _ in 0..draws {
                let p = sampler.draw(&compiled, color, last, ko, &mut random).unwrap();
                *drawn.entry(p).or_default() += 1;
            }
            let mut chi2 = 0.0;
            for &(p, probability) in &expected {
                let mean = probability * draws as f64;
                let found = drawn.remove(&p).unwrap_or(0) as f64;
                chi2 += (found - mean).powi(2) / mean;
            }
            assert!(drawn.is_empty(), "drawn though impossible: {drawn:?}");
            let k = expected.len() as f64 - 1.0;
            assert!(chi2 < k + 5.0 * (2.0 * k).sqrt() + 1.0, "{family} {last:?}: {chi2} of {k}");
        }
    }
}

/// Draws add up rows in code of its own for some sizes, and points near the last move lie on both sides
/// of edges.
#[test]
fn draws_are_right_on_every_size() {
    for side in [2, 9, 13, 17, 19, 24, 25] {
        let size = Size::new(side).unwrap();
        let mut model = model(&Family::parse("3x3").unwrap(), size, 5);
        model.cut = 0.001;
        let compiled = Compiled::new(&model, size).unwrap();
        let mut sampler = Sampler::<1, 0>::new(&compiled, &Board::new(size));
        let far = side as u8 - 1;
        for (x, y) in [(0, 0), (far, 0), (far, far), (far / 2, far - 1)] {
            let last = Some(Point::new(x, y));
            let expected = sampler.probabilities(&compiled, Color::White, last, None);
            let mut random = Random::new(3);
            let draws = 100_000;
            let mut drawn = std::collections::HashMap::<Point, u32>::new();
            for _ in 0..draws {
                let p = sampler.draw(&compiled, Color::White, last, None, &mut random).unwrap();
                *drawn.entry(p).or_default() += 1;
            }
            let mut chi2 = 0.0;
            for &(p, probability) in &expected {
                let mean = probability * draws as f64;
                chi2 += (drawn.remove(&p).unwrap_or(0) as f64 - mean).powi(2) / mean;
            }
            assert!(drawn.is_empty(), "drawn though impossible: {drawn:?}");
            let k = expected.len() as f64 - 1.0;
            assert!(chi2 < k + 5.0 * (2.0 * k).sqrt() + 1.0, "{size} {last:?}: {chi2} of {k}");
        }
    }
}

/// Keeps what it is told.
#[derive(Default)]
struct Diary {
    moves: Vec<(Color, Option<Point>, usize)>,
    started: u32,
    finished: Vec<Outcome>,
}

impl Observer for Diary {
    fn started(&mut self, _: &Board, _: Color) {
        self.started += 1;
    }

    fn played(&mut self, color: Color, point: Option<Point>, captured: &[Point]) {
        self.moves.push((color, point, captured.len()));
    }

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        let stones: usize = Color::BOTH.iter().map(|&c| board.stones(c)).sum();
        let played = self.moves.iter().filter(|(_, p, _)| p.is_some()).count();
        let captured: usize = self.moves.iter().map(|&(_, _, n)| n).sum();
        assert_eq!(stones, played - captured);
        self.finished.push(*outcome);
        self.moves.clear();
    }
}

fn plain() -> PlayoutSettings {
    PlayoutSettings::default()
}

#[test]
fn observers_see_every_move_and_change_nothing() {
    let model = model(&Family::collage(), Size::NINE, 2);
    let compiled = Compiled::new(&model, Size::NINE).unwrap();
    let board = Board::new(Size::NINE);
    let mut playouts = Learned::new(&compiled, &board, Color::Black, None, plain());
    let (mut a, mut b) = (Random::new(4), Random::new(4));
    let mut diary = Diary::default();
    for _ in 0..20 {
        let quiet = playouts.run(&mut a, &mut ());
        let watched = playouts.run(&mut b, &mut diary);
        assert_eq!(quiet, watched);
        let area = goban::score::area(playouts.board(), &Default::default()).difference();
        assert_eq!(area, watched.score);
    }
    assert_eq!((diary.started, diary.finished.len()), (20, 20));
}

#[test]
fn limits_end_playouts_early() {
    let model = model(&Family::nested(5), Size::NINE, 2);
    let compiled = Compiled::new(&model, Size::NINE).unwrap();
    let board = Board::new(Size::NINE);
    let mut random = Random::new(4);
    let short = PlayoutSettings { moves: Some(30), ..PlayoutSettings::default() };
    let mut playouts = Learned::new(&compiled, &board, Color::Black, None, short);
    assert_eq!(playouts.run(&mut random, &mut ()).moves, 30);
    let mercy = PlayoutSettings { mercy: Some(8), ..PlayoutSettings::default() };
    let mut playouts = Learned::new(&compiled, &board, Color::Black, None, mercy);
    let mut scales = Scales::default();
    for _ in 0..20 {
        playouts.run(&mut random, &mut scales);
    }
    assert!(scales.decided > 0, "no playout was one-sided");
}

/// Weighs the stones after every move: once one side is 8 ahead, no move may follow.
#[derive(Default)]
struct Scales {
    stones: [usize; 2],
    decided: u32,
}

impl Observer for Scales {
    fn started(&mut self, _: &Board, _: Color) {
        self.stones = [0; 2];
    }

    fn played(&mut self, color: Color, point: Option<Point>, captured: &[Point]) {
        assert!(self.stones[0].abs_diff(self.stones[1]) < 8, "the playout went on");
        self.stones[color.index()] += point.is_some() as usize;
        self.stones[(!color).index()] -= captured.len();
    }

    fn finished(&mut self, _: &Board, _: &Outcome) {
        self.decided += (self.stones[0].abs_diff(self.stones[1]) >= 8) as u32;
    }
}

/// The first move of a playout.
#[derive(Default)]
struct First(Option<Option<Point>>);

impl Observer for First {
    fn started(&mut self, _: &Board, _: Color) {
        self.0 = None;
    }

    fn played(&mut self, _: Color, point: Option<Point>, _: &[Point]) {
        self.0.get_or_insert(point);
    }
}

#[test]
fn a_chain_that_the_last_move_put_into_atari_is_saved() {
    let diagram = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X X X . . . . . .
        O O O X . . . . .
        X X O X . . . . .
        . O . X . . . . .";
    let board = Diagram::parse(diagram).unwrap().board;
    let [last, takes] = ["D2", "A1"].map(|name| Size::NINE.parse_point(name));
    let compiled = Compiled::new(&model(&Family::parse("3x3").unwrap(), Size::NINE, 3), Size::NINE);
    let compiled = compiled.unwrap();
    // How often playouts begin by taking the two stones off; the chain has four.
    let share = |saved: u16| {
        let settings = PlayoutSettings { saved, ..plain() };
        let mut playouts = Learned::new(&compiled, &board, Color::White, last, settings);
        let mut random = Random::new(1);
        let mut first = First::default();
        let taken = (0..100).filter(|_| {
            playouts.run(&mut random, &mut first);
            first.0 == Some(takes)
        });
        taken.count()
    };
    assert_eq!(share(4), 100);
    assert!(share(0) < 50 && share(5) < 50, "{} {}", share(0), share(5));
}

#[test]
fn learned_playouts_do_not_allocate() {
    for (family, size) in [("3x3", 9), ("N9", 19), ("CP", 19)] {
        let size = Size::new(size).unwrap();
        let model = model(&Family::parse(family).unwrap(), size, 3);
        let compiled = Compiled::new(&model, size).unwrap();
        let board = Board::new(size);
        let careful = PlayoutSettings { read_ladders: true, ..PlayoutSettings::careful() };
        for settings in [plain(), careful] {
            let mut playouts = Learned::new(&compiled, &board, Color::Black, None, settings);
            let mut random = Random::new(1);
            let info = allocation_counter::measure(|| {
                for _ in 0..50 {
                    playouts.run(&mut random, &mut ());
                }
            });
            assert_eq!(info.count_total, 0, "{family} {settings:?}");
        }
    }
}

#[test]
fn what_playouts_cannot_follow_is_refused() {
    for name in ["Fuzzy", "3x3 atari", "Moore(4)", "Neumann(4)"] {
        let model = model(&Family::parse(name).unwrap(), Size::NINE, 1);
        let error = Compiled::new(&model, Size::NINE).err().unwrap();
        assert_eq!(error, NotForPlayouts::Family(name.to_owned()));
        assert!(error.to_string().contains(name));
    }
}

/// A game of random moves.
fn random_game(size: Size, random: &mut Random) -> Vec<(Point, Color)> {
    let side = size.side() as usize;
    let mut board = Board::new(size);
    let mut game = Vec::new();
    for i in 0..size.area() {
        let p = Point::new(random.below(side) as u8, random.below(side) as u8);
        let color = Color::BOTH[i % 2];
        if board.play(p, color).is_ok() {
            game.push((p, color));
        }
    }
    game
}

/// The shapes of games are known to the last: patterns of the very games that are played.
#[test]
fn values_are_up_to_date_where_every_shape_is_known() {
    let cases = [
        ("N5", 9, 1),
        ("N9", 9, 1),
        ("CP", 9, 1),
        ("CP", 13, 1),
        ("Diamonds(4)", 13, 1),
        // One root leads to more than 16,384 patterns.
        ("Neumann(2)", 9, 12),
    ];
    for (name, side, games) in cases {
        let (family, size) = (Family::parse(name).unwrap(), Size::new(side).unwrap());
        let mut patterns = Vec::new();
        let mut random = Random::new(5);
        let games: Vec<_> = (0..games).map(|_| random_game(size, &mut random)).collect();
        for game in &games {
            let mut board = Board::new(size);
            for &(p, color) in game {
                board.play(p, color).unwrap();
                for q in board.empties() {
                    for part in 0..family.parts() {
                        let view = family.look(&board, q, color, part);
                        let pattern = view.pattern(family.stages() - 1);
                        patterns.push((pattern, Counts { seen: 1, played: 0 }));
                    }
                }
            }
        }
        let dictionary = Dictionary::new(family.clone(), patterns);
        assert!(dictionary.len() > 1500, "{name}: {}", dictionary.len());
        let model = with_dictionary(dictionary, size, 3);
        let compiled = Compiled::new(&model, size).unwrap();
        let mut board = Board::new(size);
        let mut sampler = Sampler::<4, 8>::new(&compiled, &board);
        let mut captures = Captures::new();
        for &(p, color) in &games[0] {
            sampler.play(&compiled, &mut board, p, color, &mut captures);
            assert_up_to_date(&model, &sampler, &board);
        }
    }
}

/// However extreme the weights are, playouts go on until nothing is left to play.
#[test]
fn extreme_weights_leave_every_move_possible() {
    for weights in [[1e-30, 1e-30], [1e30, 1e30], [1e-30, 1e30], [1e-10, 1.0]] {
        let mut random = Random::new(1);
        let features = (0..Use::Mc.features()).map(|_| weights[random.below(2)]).collect();
        let dictionary = Dictionary::new(Family::nested(3), []);
        let about = model(&Family::nested(3), Size::NINE, 1).about;
        for filter in [1.0, 5.0] {
            let features: Vec<f32> = Vec::clone(&features);
            let dictionary = Dictionary::from_bytes(&dictionary.to_bytes()).unwrap();
            let model =
                Model::new(about.clone(), features, dictionary, vec![], filter, 0.01).unwrap();
            let compiled = Compiled::new(&model, Size::NINE).unwrap();
            let board = Board::new(Size::NINE);
            let mut playouts = Learned::new(&compiled, &board, Color::Black, None, plain());
            for _ in 0..20 {
                let outcome = playouts.run(&mut random, &mut ());
                let board = playouts.board();
                let left = board.empties().any(|p| {
                    Color::BOTH.iter().any(|&c| board.is_legal(p, c) && !board.is_eye(p, c))
                });
                assert!(!left || outcome.moves == 3 * 81, "{weights:?} {filter}{board:?}");
            }
        }
    }
}

#[test]
fn a_filter_is_applied_to_every_weight() {
    let mut model = model(&Family::nested(5), Size::NINE, 9);
    let board = Board::new(Size::NINE);
    let plain = Sampler::<1, 2>::new(&Compiled::new(&model, Size::NINE).unwrap(), &board);
    model.filter = 2.0;
    let sharp = Sampler::<1, 2>::new(&Compiled::new(&model, Size::NINE).unwrap(), &board);
    for p in Size::NINE.points() {
        let (value, square) = (plain.value(p, Color::Black), sharp.value(p, Color::Black));
        assert!((square / (value * value) - 1.0).abs() < 0.01, "{p}: {value} {square}");
    }
}

/// On the widest board rows touch in memory; near its edge nothing beyond is taken for near.
#[test]
fn draws_on_all_widths_are_by_probability() {
    for side in [2, 3, 8, 16, 17, 24, 25] {
        let size = Size::new(side).unwrap();
        let about = model(&Family::three(), size, 4).about;
        // Distances that differ much, so that a point taken for near shows.
        let features = (0..Use::Mc.features() as u16).map(|n| match Use::Mc.meaning(Feature(n)) {
            Meaning::Last(d) => [8.0, 4.0, 2.0, 1.0][d as usize - 2],
            _ => 1.0,
        });
        let dictionary = Dictionary::new(Family::three(), []);
        let model = Model::new(about, features.collect(), dictionary, vec![], 1.0, 0.0).unwrap();
        let compiled = Compiled::new(&model, size).unwrap();
        let far = side as u8 - 1;
        for (x, y) in [(0, 0), (far, 0), (0, far), (far, far), (far / 2, far), (far, far / 2)] {
            let last = Point::new(x, y);
            let mut board = Board::new(size);
            board.play(last, Color::White).unwrap();
            let mut sampler = Sampler::<1, 0>::new(&compiled, &board);
            let situation = Situation { last: Some(last), ..Situation::new(&board, Color::Black) };
            let sum: f64 = board.empties().map(|p| model.value(&situation, p) as f64).sum();
            let all = sampler.probabilities(&compiled, Color::Black, Some(last), None);
            assert_eq!(all.len(), size.area() - 1);
            for (p, probability) in all {
                let f = model.value(&situation, p) as f64 / sum;
                assert!((probability - f).abs() < 1e-4 * f, "{size} {last} {p}: {probability} {f}");
            }
            let mut random = Random::new(2);
            for _ in 0..200 {
                let drawn = sampler.draw(&compiled, Color::Black, Some(last), None, &mut random);
                assert!(drawn.is_some_and(|p| size.contains(p) && p != last));
            }
        }
    }
}

#[test]
fn models_with_pairs_are_refused() {
    let model = model(&Family::nested(3), Size::NINE, 1);
    let rows = Use::Mc.features() + model.dictionary().len();
    let model = model.with_pairs(1, vec![0.1; rows]).unwrap();
    let error = Compiled::new(&model, Size::NINE).err().unwrap();
    assert!(error.to_string().contains("pairs"));
}
