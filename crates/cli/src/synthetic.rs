//! Models made up for measuring speed: patterns of random games in the numbers that real ones have,
//! weights of the usual size.

use std::collections::HashMap;

use goban::{Board, Color, Size};
use playout::{Draw, Random};
use policy::{About, Feature, Meaning, Model, Use, default_cut};
use shape::{Counts, Dictionary, Family, Pattern, PatternId};

/// Patterns of the published dictionaries, 9x9 and 19x19.
fn patterns(family: &str, size: Size) -> usize {
    let (small, large) = match family {
        "n5" => (270_311, 651_775),
        "n7" => (540_323, 997_801),
        "n9" => (508_050, 1_189_956),
        "cp" => (990_131, 2_534_430),
        _ => (10_000, 10_000),
    };
    if size.side() < 13 { small } else { large }
}

/// A model of a family (as `harie bench` names it) for a board size, with as many patterns as
/// published or as wanted.
pub fn model(name: &str, size: Size, wanted: Option<usize>) -> Model {
    let family = Family::parse(name).expect("a family of playouts");
    let mut random = Random::new(7);
    let wanted = wanted.unwrap_or_else(|| patterns(name, size));
    let dictionary = dictionary(&family, size, wanted, &mut random);
    let about = About {
        name: format!("synthetic {name}"),
        of: Use::Mc,
        size: size.side(),
        trained_on: "random games".to_owned(),
        made_by: "harie bench".to_owned(),
    };
    let features = (0..Use::Mc.features()).map(|n| feature(Feature(n as u16))).collect();
    // The parts are multiplied: four quadrants vary less each than one centre pattern.
    let spread = 1.0 / (family.parts() as f32).sqrt();
    let mut bell = || (0..12).map(|_| random.below(1000) as f32 / 1000.0).sum::<f32>() - 6.0;
    let shapes = (0..dictionary.len()).map(|_| (bell() * spread).exp()).collect();
    Model::new(about, features, dictionary, shapes, 1.0, default_cut(size))
        .expect("the parts fit together")
}

/// A weight of the size that learning gives.
fn feature(feature: Feature) -> f32 {
    match Use::Mc.meaning(feature) {
        Meaning::Position(11..) => 0.2,
        Meaning::Position(8..=10) => 0.5,
        Meaning::Position(_) => 1.0,
        Meaning::Last(d) => [6.0, 4.0, 3.0, 1.0][d as usize - 2],
        Meaning::Capture(n, i) => 8.0 * n as f32 * (2.0 + i as f32),
        Meaning::Extension(_, 1, i, _) => [0.1, 1.0, 5.0, 12.0][(i + 1) as usize],
        Meaning::Extension(_, _, i, _) => [0.2, 0.8, 1.5, 2.0][(i + 1) as usize],
        Meaning::Atari(n, _) => 1.5 + n as f32 / 2.0,
        Meaning::Rescue(n) => 4.0 * n as f32,
        Meaning::SelfAtari(n) => 0.1 / n as f32,
        Meaning::BeforeLast(_) => 1.0,
    }
}

/// The most frequent patterns of random games.
fn dictionary(family: &Family, size: Size, wanted: usize, random: &mut Random) -> Dictionary {
    let mut found = HashMap::<PatternId, (Pattern, u64)>::new();
    let enough = wanted + wanted / 2;
    // Small families run out of patterns.
    let (mut idle, mut before) = (0, 0);
    while found.len() < enough && idle < 20 {
        idle = if found.len() == before { idle + 1 } else { 0 };
        before = found.len();
        let mut board = Board::new(size);
        let mut draw = Draw::new(&board);
        let mut color = Color::Black;
        for i in 0..size.area() {
            let Some(p) = draw.pick(&board, color, random) else { break };
            board.play_assume_legal(p, color, &mut draw);
            color = !color;
            if i % 8 != 0 {
                continue;
            }
            for p in board.empties() {
                for part in 0..family.parts() {
                    let view = family.look(&board, p, color, part);
                    for stage in 0..family.stages() {
                        let new = || (view.pattern(stage), 0);
                        found.entry(view.id(stage)).or_insert_with(new).1 += 1;
                    }
                }
            }
        }
    }
    let mut patterns: Vec<(Pattern, u64)> = found.into_values().collect();
    // By count, and then in an order that does not depend on the hash table.
    patterns.sort_by(|(a, m), (b, n)| n.cmp(m).then_with(|| a.cmp(b)));
    patterns.truncate(wanted);
    let counted = |(pattern, seen)| (pattern, Counts { seen, played: 0 });
    Dictionary::new(family.clone(), patterns.into_iter().map(counted))
}
