//! Playouts that use statistics of earlier playouts: the counts are those of the statistics, threads add up,
//! and a guide does what it says.

use std::path::Path;
use std::sync::Arc;

use goban::{Board, Cell, Color, Diagram, Point, Size};
use playout::statistics::{Statistics, Wanted};
use playout::steering::{Evidence, PAIRED, SteeringGuide, SteeringStrengths};
use playout::{
    Compiled, Experience, Learned, Observer, Outcome, PlayoutSettings, Random, Rates, Uniform,
};
use policy::Model;

/// Of the first kind of `relations.txt`: Black's stones in the middle live if Black gets a or b.
const MIAI: &str = "
    X . X X X X X . X
    X X X X X X X X X
    . O O O a O O O .
    O . O X X X O . O
    O O O X X X O O O
    O . O X X X O . O
    . O O O b O O O .
    X X X X X X X X X
    X . X X X X X . X";

/// Positions with known relations.
const RELATIONS: &str = include_str!("relations.txt");

/// The moves and the owners of the last playout.
#[derive(Default)]
struct LastPlayout {
    moves: Vec<(Color, Point)>,
    owners: Vec<(Point, i8)>,
    score: i32,
}

impl Observer for LastPlayout {
    fn started(&mut self, _: &Board, _: Color) {
        self.moves.clear();
    }

    fn played(&mut self, color: Color, point: Option<Point>, _: &[Point]) {
        self.moves.extend(point.map(|p| (color, p)));
    }

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        self.score = outcome.score;
        let owner = |p: Point| match board.cell(p) {
            Cell::Black => 1,
            Cell::White => -1,
            _ => {
                let theirs = |color| board.ring(p).is_surrounded_by(color) as i8;
                theirs(Color::Black) - theirs(Color::White)
            }
        };
        self.owners = board.size().points().map(|p| (p, owner(p))).collect();
    }
}

impl LastPlayout {
    fn winner(&self, komi: f32) -> Color {
        if self.score as f32 > komi { Color::Black } else { Color::White }
    }
}

/// Uniform playouts: first some by which the points are chosen, then `n` that count in `many` parts,
/// and in statistics of the same.
fn uniform(
    board: &Board,
    first: Color,
    komi: f32,
    n: usize,
    many: usize,
) -> (Evidence, Statistics) {
    let mut playouts = Uniform::new(board, first);
    let mut random = Random::new(5);
    let mut last = LastPlayout::default();
    let mut all = Evidence::new(board.size());
    for _ in 0..500 {
        playouts.run_watched(&mut random, &mut last);
        all.add(&last.moves, &last.owners, last.winner(komi));
    }
    all.choose(board);
    // Only the points are kept.
    let mut parts = vec![Evidence::new(board.size()); many + 1];
    parts.iter_mut().for_each(|part| all.take(part));
    let mut total = parts.pop().unwrap();
    let mut statistics = Statistics::new(board.size(), komi, Wanted::ALL);
    for i in 0..n {
        playouts.run_watched(&mut random, &mut (&mut last, &mut statistics));
        parts[i % many].add(&last.moves, &last.owners, last.winner(komi));
    }
    parts.iter_mut().for_each(|part| total.take(part));
    assert!(parts.iter().all(|part| part.playouts() == 0));
    (total, statistics)
}

#[test]
fn evidence_is_what_the_statistics_count() {
    let board = Board::new(Size::NINE);
    let (evidence, mut statistics) = uniform(&board, Color::Black, 6.5, 3000, 3);
    let counts = statistics.counts();
    assert_eq!(evidence.playouts(), 3000);
    let paired: Vec<(usize, Point)> = evidence.paired().collect();
    assert_eq!(paired.len(), PAIRED);
    let mut sound = 0;
    for &(i, x) in &paired {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{x}: {a} {b}");
        near(evidence.criticality(x).into(), counts.criticality(x).value);
        for &(j, y) in &paired {
            for player in Color::BOTH {
                let value = counts.joint(player, x, y).association();
                near(evidence.joint(player, i, j).value, value.value);
                near(evidence.joint(player, i, j).error, value.error);
                for other in Color::BOTH.into_iter().filter(|_| i != j) {
                    let (gain, is_sound) = evidence.order_gain((player, i), (other, j));
                    let (expected, expected_sound) = counts.order_gain((player, x), (other, y));
                    near(gain.value, expected.value);
                    assert_eq!(is_sound, expected_sound);
                    sound += is_sound as u32;
                }
            }
        }
    }
    assert!(sound > 100, "{sound}");
}

#[test]
fn threads_add_up() {
    let board = Diagram::parse(MIAI).unwrap().board;
    let [(one, _), (three, _)] = [1, 3].map(|n| uniform(&board, Color::White, 0.5, 600, n));
    assert_eq!(one, three);
}

#[test]
fn counts_fade_and_points_that_were_played_lose_their_place() {
    let mut board = Diagram::parse(MIAI).unwrap().board;
    let (mut evidence, _) = uniform(&board, Color::White, 0.5, 600, 1);
    let [a, b] = [point(MIAI, 'a'), point(MIAI, 'b')];
    let places = |evidence: &Evidence| evidence.paired().map(|(_, p)| p).collect::<Vec<_>>();
    assert!([a, b].iter().all(|p| places(&evidence).contains(p)));
    let before = evidence.criticality(a);
    evidence.fade();
    // Each of two counts is rounded down.
    assert!((299..=300).contains(&evidence.playouts()));
    assert!((evidence.criticality(a) - before).abs() < 0.01);
    board.play(a, Color::White).unwrap();
    evidence.choose(&board);
    assert!(!places(&evidence).contains(&a) && places(&evidence).contains(&b));
}

fn point(diagram: &str, letter: char) -> Point {
    Diagram::parse(diagram).unwrap().label(letter).unwrap()
}

const MIAI_ONLY: SteeringStrengths = SteeringStrengths { miai: 1.0, order: 0.0, criticality: 0.0 };

#[test]
fn miai_are_found_and_answered() {
    let board = Diagram::parse(MIAI).unwrap().board;
    let (evidence, _) = uniform(&board, Color::White, 0.5, 2000, 1);
    let guide = SteeringGuide::new(&evidence, MIAI_ONLY);
    let mut pair = [point(MIAI, 'a'), point(MIAI, 'b')];
    pair.sort();
    assert_eq!(guide.miai(Color::Black), [pair]);
    assert!(guide.miai(Color::White).is_empty());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights/mc9.model");
    let mut model = Model::from_bytes(&std::fs::read(path).unwrap()).unwrap();
    // One that knows next to nothing: the real one answers by itself.
    model.filter = 0.05;
    let compiled = Compiled::new(&model, Size::NINE).unwrap();
    let mut playouts =
        Learned::new(&compiled, &board, Color::White, None, PlayoutSettings::default());
    let answered = |playouts: &mut Learned<'_>| {
        let (mut random, mut last) = (Random::new(3), LastPlayout::default());
        (0..200)
            .filter(|_| {
                playouts.run_after(&[Some(pair[0])], &mut random, &mut last);
                last.moves[1] == (Color::Black, pair[1])
            })
            .count()
    };
    let alone = answered(&mut playouts);
    assert!(alone < 150, "{alone}");
    playouts.set_guide(Some(Arc::new(guide.clone())));
    assert_eq!(answered(&mut playouts), 200);
    playouts.set_guide(Some(Arc::new(SteeringGuide::new(
        &evidence,
        SteeringStrengths { miai: 0.5, ..MIAI_ONLY },
    ))));
    let half = answered(&mut playouts);
    assert!(half > alone + 20 && half < 200, "{half}");
    playouts.set_guide(None);
    assert_eq!(answered(&mut playouts), alone);
}

#[test]
fn outside_liberties_are_preferred() {
    let block = RELATIONS.split("\n\n").find(|block| block.starts_with("semeai 1")).unwrap();
    let mut lines = block.lines().skip(1);
    let (player, komi) = lines.next().unwrap().split_once(" to play, komi ").unwrap();
    let komi: f32 = komi.parse().unwrap();
    let is_row = |line: &&str| line.split(' ').all(|word| word.len() == 1);
    let rows = lines.clone().filter(is_row).collect::<Vec<_>>().join("\n");
    let diagram = Diagram::parse(&rows).unwrap();
    let names = |kind: &str| -> Vec<Point> {
        let line = lines.clone().find(|line| line.starts_with(kind)).unwrap_or_default();
        let letters = line.split(' ').skip(1).flat_map(str::chars);
        letters.map(|letter| diagram.label(letter).unwrap()).collect()
    };
    let first = Color::parse(player).unwrap();
    let (evidence, _) = uniform(&diagram.board, first, komi, 10_000, 1);
    let strengths = SteeringStrengths { order: 3.0, ..SteeringStrengths::default() };
    let guide = SteeringGuide::new(&evidence, strengths);
    let leaning = |kind: &str| -> Vec<f32> {
        names(kind).into_iter().map(|p| guide.leaning(Color::Black, p)).collect()
    };
    let (outside, inside) = (leaning("outside"), leaning("inside"));
    println!("outside {outside:?}, inside {inside:?}");
    assert!(!outside.is_empty() && outside.iter().all(|&log| log > 0.1), "{outside:?}");
    assert!(!inside.is_empty() && inside.iter().all(|&log| log < -0.1), "{inside:?}");
    // Playouts play them earlier.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights/mc9.model");
    let mut model = Model::from_bytes(&std::fs::read(path).unwrap()).unwrap();
    model.filter = 0.05;
    let compiled = Compiled::new(&model, diagram.board.size()).unwrap();
    let mut playouts =
        Learned::new(&compiled, &diagram.board, first, None, PlayoutSettings::default());
    let rates = Rates { points: 0.0, answers: 0.0 };
    playouts.set_experience(Some(Box::new(Experience::new(diagram.board.size(), rates))));
    let early = names("outside");
    let begun = |playouts: &mut Learned<'_>| {
        let (mut random, mut last) = (Random::new(3), LastPlayout::default());
        (0..1000)
            .filter(|_| {
                playouts.run(&mut random, &mut last);
                early.contains(&last.moves[0].1)
            })
            .count()
    };
    let alone = begun(&mut playouts);
    playouts.set_guide(Some(Arc::new(guide)));
    let guided = begun(&mut playouts);
    assert!(guided as f64 > 1.2 * alone as f64, "{alone} {guided}");
}

#[test]
fn counting_does_not_allocate() {
    let board = Board::new(Size::NINETEEN);
    let (mut evidence, _) = uniform(&board, Color::Black, 6.5, 10, 1);
    let mut last = LastPlayout::default();
    Uniform::new(&board, Color::Black).run_watched(&mut Random::new(1), &mut last);
    let info = allocation_counter::measure(|| {
        evidence.add(&last.moves, &last.owners, Color::Black);
        evidence.fade();
    });
    assert_eq!(info.count_total, 0);
}
