//! Features on diagrams, one by one; numbers and meanings; invariance; models and their files.

use goban::{Board, Color, Diagram, Point, Size, Symmetry};
use policy::{About, Feature, FileError, Follower, Meaning, Model, Situation, Tactics, Use};
use shape::{Counts, Dictionary, Family};

/// The tactics of Black's move at `a`.
fn tactics(diagram: &str) -> Tactics {
    let diagram = Diagram::parse(diagram).unwrap();
    let p = diagram.label('a').expect("the move is marked a");
    Tactics::new(&Situation::new(&diagram.board, Color::Black), p)
}

fn capture(diagram: &str) -> Option<(usize, i32)> {
    tactics(diagram).capture.map(|t| (t.stones, t.increase))
}

fn extensions(diagram: &str) -> Vec<(usize, usize, i32)> {
    tactics(diagram).extensions.iter().map(|n| (n.stones, n.liberties, n.increase)).collect()
}

fn ataris(diagram: &str) -> Vec<usize> {
    tactics(diagram).ataris.iter().map(|a| a.stones).collect()
}

fn rescues(diagram: &str) -> Vec<usize> {
    let mut found: Vec<usize> = tactics(diagram).rescues.iter().collect();
    found.sort();
    found
}

#[test]
fn tori_counts_stones_and_what_running_would_gain() {
    // Running at a would give two liberties instead of one.
    assert_eq!(capture(". . . . .\n. . X . .\n. X O a .\n. . X X .\n. . . . ."), Some((1, 1)));
    // Joined to a friend it would have four.
    let joined = "
        . . . . . .
        . . X . . .
        . X O a O .
        . . X X . .
        . . . . . .
        . . . . . .";
    assert_eq!(capture(joined), Some((1, 3)));
    // One liberty again.
    assert_eq!(capture(". . . . .\n. . X X .\n. X O a .\n. . X X .\n. . . . ."), Some((1, 0)));
    // None: it could not run at all.
    assert_eq!(capture(". . . . .\n. . X X .\n. X O a X\n. . X X .\n. . . . ."), Some((1, -1)));
    // Two stones, and two chains at once.
    assert_eq!(capture(". . . . .\n. X X . .\nX O O a .\n. X X . .\n. . . . ."), Some((2, 2)));
    let both = "
        . X . X . .
        X O a O X .
        . X . X . .
        . . . . . .
        . . . . . .
        . . . . . .";
    assert_eq!(capture(both), Some((2, 1)));
    assert_eq!(capture(". . . . .\n. . X . .\n. X O a .\n. . . . .\n. . . . ."), None);
}

#[test]
fn nobi_counts_stones_liberties_and_the_increase() {
    // One stone in atari joins a living chain and has four liberties: three more.
    let one = "
        . . . . . .
        . . O . . .
        . O X a X .
        . . O . O .
        . . . . . .
        . . . . . .";
    assert_eq!(extensions(one), [(1, 1, 3)]);
    let three = "
        . . . . . .
        . O O O O .
        O X X X a .
        . O . O O .
        . . O . . .
        . . . . . .";
    assert_eq!(extensions(three), [(3, 2, 0)]);
    let three_more = "
        . . . . . .
        . O O O . .
        O X X X a .
        . O . O O .
        . . O . . .
        . . . . . .";
    assert_eq!(extensions(three_more), [(3, 2, 1)]);
    let nothing_gained = "
        . . . . . .
        . O O O . .
        O X X a . .
        . O O O . .
        . . . . . .
        . . . . . .";
    assert_eq!(extensions(nothing_gained), [(2, 1, 0)]);
    let one_lost = "
        . . . . . .
        . O O O . .
        O X X a O .
        . O . O . .
        . . . . . .
        . . . . . .";
    assert_eq!(extensions(one_lost), [(2, 2, -1)]);
    // A capture counts: the stone taken becomes a liberty.
    let capture = "
        . O . X . .
        O X a O X .
        . O X X . .
        . . . . . .
        . . . . . .
        . . . . . .";
    assert_eq!(extensions(capture), [(1, 1, 4)]);
    // Three liberties are none of our business.
    assert_eq!(extensions(". . . . .\n. . O . .\n. . X a .\n. . . . .\n. . . . ."), []);
}

#[test]
fn ate_counts_stones_of_chains_with_two_liberties() {
    assert_eq!(ataris(". . . . .\n. . X . .\n. . O a .\n. . X . .\n. . . . ."), [1]);
    assert_eq!(ataris(". . . . .\n. X X . .\n. O O a .\n. X X . .\n. . . . ."), [2]);
    assert_eq!(ataris(". . . . .\n. . . . .\n. . O a .\n. . X . .\n. . . . ."), [] as [usize; 0]);
    // Two chains at once.
    assert_eq!(ataris(". . . . .\n. . X . .\n. . O a .\n. . X O X\n. . . . ."), [1, 1]);
}

#[test]
fn rescue_captures_count_each_chain_that_is_freed() {
    // The white stone taken at a holds one black stone in atari.
    let one = "
        . . . . . .
        . X O . . .
        a O X . . .
        . X O . . .
        . . . . . .
        . . . . . .";
    assert_eq!(rescues(one), [1]);
    assert_eq!(capture(one), Some((1, 1)));
    let two = "
        . . . . . . .
        . . . X . . .
        . O O X O O .
        . X X O X X .
        . O O a O O .
        . . . . . . .
        . . . . . . .";
    assert_eq!(rescues(two), [2, 2]);
    // No capture, no rescue.
    assert_eq!(rescues(". . . . .\n. . O . .\n. O X a .\n. . O . .\n. . . . ."), [] as [usize; 0]);
}

#[test]
fn self_atari_counts_the_stones_of_the_chain_after_the_move() {
    let alone = ". O . . .\nO a . . .\n. O . . .\n. . . . .\n. . . . .";
    assert_eq!(tactics(alone).self_atari, Some(1));
    let three = "
        . O O O . .
        O X X a . .
        . O O O . .
        . . . . . .
        . . . . . .
        . . . . . .";
    assert_eq!(tactics(three).self_atari, Some(3));
    assert_eq!(tactics(". . . . .\n. O . . .\n. a . . .\n. O . . .\n. . . . .").self_atari, None);
    // Taking a stone makes room.
    let capture = ". X O . .\nX O a O .\n. X O . .\n. . . . .\n. . . . .";
    assert_eq!(tactics(capture).self_atari, Some(1));
}

#[test]
fn chains_that_the_last_move_touched_are_marked() {
    let board =
        Diagram::parse(". . . . .\n. . O . .\n. O X . .\n. . . . .\n. . . . .").unwrap().board;
    let mut game = Follower::new(&board, Color::White);
    let at = |name| Point::parse(name).unwrap();
    game.play(Color::White, Some(at("C2")));
    let situation = game.situation();
    let extensions: Vec<_> = Tactics::new(&situation, at("D3")).extensions.iter().collect();
    assert_eq!(extensions.len(), 1);
    assert!(extensions[0].updated && extensions[0].liberties == 1);
    assert_eq!(situation.last, Some(at("C2")));
    game.play(Color::Black, Some(at("A1")));
    game.play(Color::White, None);
    let situation = game.situation();
    assert!(!Tactics::new(&situation, at("D3")).extensions.iter().next().unwrap().updated);
    assert_eq!((situation.last, situation.before_last), (None, Some(at("A1"))));
}

#[test]
fn every_number_has_a_meaning_and_every_meaning_its_number() {
    assert_eq!(Use::Mc.features(), 15 + 4 + 12 + 24 + 3 + 3 + 3);
    assert_eq!(Use::Uct.features(), 15 + 12 + 12 + 12 + 48 + 6 + 3);
    for of in [Use::Mc, Use::Uct] {
        let mut words = std::collections::BTreeSet::new();
        for n in 0..of.features() as u16 {
            let meaning = of.meaning(Feature(n));
            assert_eq!(of.number(meaning), Some(Feature(n)), "{meaning:?}");
            words.insert(meaning.words(of));
        }
        assert!(words.len() >= of.features() - 2, "features share their words");
    }
    assert_eq!(Use::Mc.number(Meaning::BeforeLast(3)), None);
    assert_eq!(Use::Uct.number(Meaning::SelfAtari(1)), None);
    assert_eq!(Use::Mc.number(Meaning::Last(9)), Use::Mc.number(Meaning::Last(5)));
    assert_eq!(Use::Uct.number(Meaning::Last(40)), Use::Uct.number(Meaning::Last(13)));
}

#[test]
fn words_are_what_a_player_says() {
    let words = |meaning: Meaning| meaning.words(Use::Uct);
    assert_eq!(words(Meaning::Atari(2, false)), "puts 2 stones into atari");
    assert_eq!(
        words(Meaning::Extension(1, 1, 2, true)),
        "escapes from atari with 1 stone, which the last move touched, 2 or more new liberties"
    );
    assert_eq!(words(Meaning::Rescue(3)), "captures to rescue 3 or more stones");
    assert_eq!(words(Meaning::Capture(1, -1)), "captures 1 stone, which could not have run");
    assert_eq!(words(Meaning::Last(13)), "13 or more away from the last move");
    assert_eq!(words(Meaning::Position(8)), "on the second line");
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A game of random legal moves, and the same game turned and with the colours exchanged.
fn games(symmetry: Symmetry, swap: bool, moves: usize, seed: u64) -> [Follower; 2] {
    let size = Size::NINE;
    let mut dice = Dice(seed);
    let turn = |color: Color| if swap { !color } else { color };
    let board = Board::new(size);
    let mut pair = [Follower::new(&board, Color::Black), Follower::new(&board, turn(Color::Black))];
    let mut color = Color::Black;
    for _ in 0..moves {
        let p = Point::new(dice.below(9) as u8, dice.below(9) as u8);
        if pair[0].situation().board.is_legal(p, color) {
            pair[0].play(color, Some(p));
            pair[1].play(turn(color), Some(symmetry.apply(p, size)));
            color = !color;
        }
    }
    pair
}

fn sample_model(of: Use, family: Family) -> Model {
    let [game, _] = games(Symmetry::IDENTITY, false, 60, 1);
    let board = game.situation().board.clone();
    let mut patterns = vec![];
    for p in board.empties() {
        for part in 0..family.parts() {
            let view = family.look(&board, p, Color::Black, part);
            let stage = (p.index() + part) % family.stages();
            patterns.push((view.pattern(stage), Counts { seen: 1204, played: 458 }));
        }
    }
    let dictionary = Dictionary::new(family, patterns);
    let about = About {
        name: "sample".to_owned(),
        of,
        size: 9,
        trained_on: "nothing".to_owned(),
        made_by: "a test".to_owned(),
    };
    let weight = |n: usize| 0.25 + (n * 37 % 101) as f32 / 25.0;
    let features = (0..of.features()).map(weight).collect();
    let shapes = (0..dictionary.len()).map(weight).collect();
    Model::new(about, features, dictionary, shapes, 1.5, 0.01).unwrap()
}

#[test]
fn values_do_not_depend_on_orientation_or_colour() {
    for (of, family) in [(Use::Mc, Family::collage()), (Use::Uct, Family::nested(7))] {
        let model = sample_model(of, family);
        for symmetry in Symmetry::ALL {
            for swap in [false, true] {
                let [one, other] = games(symmetry, swap, 70, 5);
                let (one, other) = (one.situation(), other.situation());
                for p in one.board.empties() {
                    let image = symmetry.apply(p, Size::NINE);
                    let (a, b) = (model.value(&one, p), model.value(&other, image));
                    // The quadrants are multiplied in another order.
                    assert!((a / b - 1.0).abs() < 1e-5, "{p}: {a} and {b}");
                }
            }
        }
    }
}

#[test]
fn probabilities_add_up_and_ranks_follow_values() {
    let model = sample_model(Use::Uct, Family::nested(5));
    let [game, _] = games(Symmetry::IDENTITY, false, 40, 9);
    let situation = game.situation();
    let moves = model.rate(&situation);
    let legal =
        situation.board.empties().filter(|&p| situation.board.is_legal(p, situation.to_move));
    assert_eq!(moves.len(), legal.count());
    let sum: f32 = moves.iter().map(|m| m.probability).sum();
    assert!((sum - 1.0).abs() < 1e-4);
    assert!(moves.is_sorted_by(|a, b| a.value >= b.value));
    assert_eq!(model.rank(&situation, moves[0].point).map(|r| r <= 2), Some(true));
    let occupied = situation.last.unwrap();
    assert_eq!(model.rank(&situation, occupied), None);
    for rated in &moves {
        let product: f32 =
            model.explain(&situation, rated.point).iter().map(|r| r.weight).product();
        assert!((product / rated.value - 1.0).abs() < 1e-4);
    }
    let all: Vec<String> = moves
        .iter()
        .flat_map(|m| model.explain(&situation, m.point))
        .map(|reason| reason.words)
        .collect();
    assert!(all.iter().any(|w| w.starts_with("shape of ") && w.contains(" seen ")), "{all:?}");
}

#[test]
fn models_are_files_and_damage_is_noticed() {
    for (of, family) in [(Use::Mc, Family::collage()), (Use::Uct, Family::nested(5))] {
        let model = sample_model(of, family);
        let bytes = model.to_bytes();
        let back = Model::from_bytes(&bytes).unwrap();
        assert_eq!(back.about, model.about);
        assert_eq!(back.to_bytes(), bytes);
        let [game, _] = games(Symmetry::IDENTITY, false, 50, 3);
        assert_eq!(back.rate(&game.situation()), model.rate(&game.situation()));

        let error = |bytes: &[u8]| Model::from_bytes(bytes).err().map(|e| e.to_string());
        assert_eq!(error(b"junk").as_deref(), Some("this is not a Harie model"));
        for cut in (0..bytes.len()).step_by(bytes.len() / 60 + 1) {
            assert!(error(&bytes[..cut]).is_some(), "cut at {cut}");
        }
        // Past the format number every single byte is watched over.
        for at in (10..bytes.len()).step_by(bytes.len() / 60 + 1) {
            let mut bad = bytes.clone();
            bad[at] ^= 0x10;
            assert!(error(&bad).is_some(), "byte {at}");
        }
        let mut newer = bytes.clone();
        newer[8] = 7;
        assert!(matches!(Model::from_bytes(&newer), Err(FileError::Newer { found: 7, known: 2 })));
        let message = error(&{
            let mut bad = bytes.clone();
            *bad.last_mut().unwrap() ^= 1;
            bad
        });
        assert!(message.unwrap().contains("checksum"));
    }
}

/// The model with factors for pairs.
fn with_pairs(model: Model) -> Model {
    let rows = model.about.of.features() + model.dictionary().len();
    let factor = |n: usize| ((n * 29 % 83) as f32 - 41.0) / 200.0;
    model.with_pairs(4, (0..rows * 4).map(factor).collect()).unwrap()
}

#[test]
fn pairs_multiply_by_the_products_of_their_rows() {
    let plain = sample_model(Use::Uct, Family::collage());
    let model = with_pairs(sample_model(Use::Uct, Family::collage()));
    assert!(model.has_pairs() && !plain.has_pairs() && plain.pair_row(0).is_empty());
    let [game, _] = games(Symmetry::IDENTITY, false, 50, 4);
    let situation = game.situation();
    for rated in model.rate(&situation) {
        let mut places = Vec::new();
        Use::Uct.of_move(&situation, rated.point, |feature| places.push(feature.0 as usize));
        for part in 0..4 {
            let found =
                model.dictionary().at(situation.board, rated.point, situation.to_move, part);
            places.extend(found.map(|index| Use::Uct.features() + index.0 as usize));
        }
        let mut sum = 0.0;
        for (i, &a) in places.iter().enumerate() {
            for &b in &places[..i] {
                let (a, b) = (model.pair_row(a), model.pair_row(b));
                sum += a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
            }
        }
        let expected = plain.value(&situation, rated.point) * sum.exp();
        assert!((rated.value / expected - 1.0).abs() < 1e-4, "{} {expected}", rated.value);
        let reasons = model.explain(&situation, rated.point);
        let product: f32 = reasons.iter().map(|r| r.weight).product();
        assert!((product / rated.value - 1.0).abs() < 1e-4);
    }
    let bytes = model.to_bytes();
    let back = Model::from_bytes(&bytes).unwrap();
    assert_eq!(back.to_bytes(), bytes);
    assert_eq!(back.rate(&situation), model.rate(&situation));
    let rows = model.about.of.features() + model.dictionary().len();
    let error = |width: usize, rows: Vec<f32>| {
        let model = sample_model(Use::Uct, Family::collage());
        model.with_pairs(width, rows).err().map(|e| e.to_string())
    };
    assert!(error(4, vec![0.0; 7]).is_some() && error(0, vec![]).is_some());
    assert!(error(1, vec![f32::NAN; rows]).is_some());
}

#[test]
fn models_of_the_first_format_are_read() {
    let model = sample_model(Use::Mc, Family::nested(5));
    let bytes = model.to_bytes();
    let length = u32::from_le_bytes(bytes[10..14].try_into().unwrap()) as usize;
    let header = &bytes[14..14 + length];
    let features = (0..Use::Mc.features()).map(|n| model.feature_weight(Feature(n as u16)));
    let shapes = model.dictionary().indices().map(|index| model.shape_weight(index));
    // As it was then: weight by weight.
    let mut body: Vec<u8> = features.chain(shapes).flat_map(f32::to_le_bytes).collect();
    body.extend(model.dictionary().to_bytes());
    let body = zstd::bulk::compress(&body, 3).unwrap();
    let mut crc = crc32fast::Hasher::new();
    crc.update(header);
    crc.update(&body);
    let mut old = bytes[..8].to_vec();
    old.extend(1u16.to_le_bytes());
    old.extend((length as u32).to_le_bytes());
    old.extend(header);
    old.extend(crc.finalize().to_le_bytes());
    old.extend(body);
    assert_eq!(Model::from_bytes(&old).unwrap().to_bytes(), bytes);
}
