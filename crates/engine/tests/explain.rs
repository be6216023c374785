//! Explanations as golden texts: what is said about moves in diagrams, in both languages.
//! `UPDATE_EXPECT=1` writes what is said now to `explain.txt`; read the difference.

use std::fs;
use std::path::Path;
use std::time::Duration;

use engine::statistics::{Before, Estimate, JointPair, Wins};
use engine::{Candidate, Explanation, Grade, Language, Report};
use goban::{Color, Diagram, Game, Move, Point, PointMap, Rules, Size};
use policy::Model;

fn model() -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights/uct9.model");
    Model::from_bytes(&fs::read(path).unwrap()).unwrap()
}

fn candidate(mv: Move, winrate: f32, score: f32, line: &[Move]) -> Candidate {
    Candidate {
        mv,
        visits: 1000,
        winrate,
        lcb: winrate,
        score,
        prior: 0.1,
        line: [&[mv], line].concat(),
        line_visits: Vec::new(),
        ownership: None,
    }
}

fn report(color: Color, best: Candidate) -> Report {
    Report {
        to_move: color,
        visits: 1000,
        playouts: 1000,
        elapsed: Duration::ZERO,
        winrate: best.winrate,
        score: best.score,
        score_deviation: 10.0,
        candidates: vec![best],
        others: Vec::new(),
        ownership: PointMap::filled(0.0),
    }
}

/// The move is at `a`, the one that was played, if any, at `b`.
const DIAGRAMS: [(&str, Color, &str); 10] = [
    (
        "Black captures and frees two stones",
        Color::Black,
        ". . . . . . . . .
         . . O . X . . . .
         . O X X O X . . .
         . . O O a X . . .
         . . . X X . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    ),
    (
        "A ladder",
        Color::Black,
        ". . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . X . . . . . .
         . . X O a . . . .
         . . . X . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    ),
    (
        "Running in a ladder",
        Color::White,
        ". . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . X b . . . . .
         . . X O X . . . .
         . . . X . . . . .
         . . . . . . . . .
         . . . . . a . . .",
    ),
    (
        "Out of atari, for there is a stone to run to",
        Color::White,
        ". . . . . . . . .
         . . . . . . . . .
         . . . . . O . . .
         . . . . . . . . .
         . . X a . . . . .
         . . X O X . . . .
         . . . X . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    ),
    (
        "A stone that puts itself into atari",
        Color::White,
        ". . . . . . . . .
         . . . . . . . . .
         . . . X X . . . .
         . . X b . . . . .
         . . . X X . . . .
         . . . . . . . . .
         . . . . . . a . .
         . . . . . . . . .
         . . . . . . . . .",
    ),
    (
        "A cut",
        Color::Black,
        ". . . . . . . . .
         . . O O . . . . .
         . . . O X X . . .
         . . X a O O . . .
         . . . X . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    ),
    (
        "The second eye",
        Color::Black,
        ". X . a O . . . .
         X X X X O . . . .
         O O O O O . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    ),
    (
        "An eye is taken",
        Color::White,
        "X . a . X O . . .
         X X X X X O . . .
         O O O O O O . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    ),
    (
        "An empty corner, and a jump",
        Color::Black,
        ". . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . a . X . . . .
         . . . . . . . . .
         . . . . . . . . .",
    ),
    (
        "A ko",
        Color::Black,
        ". . . . . . . . .
         . . . . . . . . .
         . . . X O . . . .
         . . X O a O . . .
         . . . X O . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    ),
];

#[test]
fn what_moves_do_is_said() {
    let model = model();
    let mut found = String::new();
    for (title, color, text) in DIAGRAMS {
        let diagram = Diagram::parse(text).unwrap();
        let game = Game::from_position(diagram.board.clone(), color, Rules::CHINESE, 7.0);
        let best = Move::Play(diagram.label('a').unwrap());
        let report = report(color, candidate(best, 0.62, 3.5, &[Move::Pass]));
        let explanation = match diagram.label('b') {
            None => Explanation::new(&model, &game, &report),
            Some(played) => {
                let mut after = self::report(!color, candidate(Move::Pass, 0.55, 1.0, &[]));
                after.ownership = PointMap::filled(0.0);
                Explanation::compare(&model, &game, &report, Move::Play(played), &after)
            }
        };
        found += &format!("{title}\n{}\n", Diagram::parse(text).unwrap());
        for language in [Language::English, Language::Japanese] {
            found += "\n";
            for sentence in explanation.sentences(language) {
                // What a model thinks changes with the model.
                if !sentence.contains("move model")
                    && !sentence.contains("着手モデル")
                    && !sentence.contains("unusual")
                    && !sentence.contains("珍しく")
                {
                    found += &format!("{sentence}\n");
                }
            }
        }
        found += "\n";
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explain.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, fs::read_to_string(path).unwrap(), "UPDATE_EXPECT=1 updates it");
}

#[test]
fn what_becomes_of_stones_and_points_is_said() {
    let board = Diagram::parse(
        ". . . . . . . . .
         . . . . . . . . .
         . . O . . . O . .
         . . . . . . . . .
         . . . . . . . . .
         O O . . . . . . .
         X X O . . . X . .
         X X O . . . . . .
         . . O . . . . . .",
    );
    let board = board.unwrap().board;
    let game = Game::from_position(board, Color::Black, Rules::CHINESE, 7.0);
    let (best, played) = (Point::parse("B1").unwrap(), Point::parse("E5").unwrap());
    let corner = |p: &Point| p.x() < 2 && p.y() < 3;
    let owned = |own: f32| {
        let mut ownership = PointMap::filled(0.0);
        game.board().size().points().filter(corner).for_each(|p| ownership[p] = own);
        ownership
    };
    let mut seen = candidate(Move::Play(best), 0.7, 6.0, &[]);
    seen.ownership = Some(owned(0.8));
    let report = report(Color::Black, seen);
    // From the opponent's view.
    let mut after = self::report(Color::White, candidate(Move::Play(best), 0.6, 8.0, &[]));
    after.ownership = owned(0.66);
    let mut explanation =
        Explanation::compare(&model(), &game, &report, Move::Play(played), &after);
    let share = |won: u64, of: u64| Wins { won, of };
    let (value, player) = (Estimate { value: 0.1, error: 0.01 }, Color::Black);
    explanation.miai = Some(JointPair {
        player,
        points: [best, Point::parse("A1").unwrap()],
        value,
        either: share(900, 1200),
        neither: share(88, 8800),
    });
    explanation.order = Some(Before {
        first: (player, best),
        then: (player, played),
        value,
        is_sound: true,
        ordered: share(600, 1000),
        reversed: share(250, 1000),
    });
    assert_eq!(explanation.grade(), Grade::Blunder);
    let words = explanation.sentences(Language::English).join("\n");
    for part in [
        "Black E5 was a blunder: it costs 30 % of the win rate and 14.0 points.",
        "Better was B1: it wins 70 % of the playouts instead of 40 %, ahead by 6.0 points.",
        "After E5 the four black stones at A3 die with 83 %, after B1 with 10 %.",
        "Counted in uniform playouts: Black won 900 of the 1,200 playouts (75 %) in which it owned B1 or \
         A1 at the end, and 88 of the 8,800 (1 %) in which it owned neither.",
        "Counted in uniform playouts: Black won 600 of the 1,000 playouts (60 %) in which it played B1 \
         before E5, and 250 of the 1,000 (25 %) in which it played E5 before B1.",
        "After the move played: Black E5, White B1.",
    ] {
        assert!(words.contains(part), "{part}\nis not in\n{words}");
    }
    let words = explanation.sentences(Language::Japanese).join("\n");
    for part in [
        "黒のE5は大悪手で、勝率を30%、14.0目を失う。",
        "A3の黒4子はE5の後83%で死ぬが、B1なら10%。",
        "一様なプレイアウトの集計：黒がB1かA1を得たプレイアウトは1,200回のうち900回勝ち（75%）、",
        "一様なプレイアウトの集計：黒がB1をE5より先に打ったプレイアウトは1,000回のうち600回勝ち（60%）、",
    ] {
        assert!(words.contains(part), "{part}\nis not in\n{words}");
    }
    for advice in ["大切", "見合い", "足りる"] {
        assert!(!words.contains(advice), "{advice}\n{words}");
    }
}

#[test]
fn few_playouts_are_not_passed_over() {
    let game = Game::new(Size::NINE, Rules::CHINESE, 7.0);
    let words = |visits: u64, language| {
        let mut seen = candidate(Move::Play(Point::parse("E5").unwrap()), 1.0, 6.0, &[]);
        seen.visits = visits;
        let explanation = Explanation::new(&model(), &game, &report(Color::Black, seen));
        explanation.sentences(language).join("\n")
    };
    for (visits, part) in [
        (1, "it wins 100 % of its only playout, ahead"),
        (4, "it wins 100 % of only 4 playouts, ahead"),
        (50, "it wins 100 % of the playouts, ahead"),
    ] {
        let words = words(visits, Language::English);
        assert!(words.contains(part), "{part}\nis not in\n{words}");
    }
    // Nor those of the move that was played.
    let [best, played] = ["E5", "A1"].map(|p| Move::Play(Point::parse(p).unwrap()));
    let seen = candidate(best, 0.6, 2.0, &[]);
    let report = report(Color::Black, seen);
    let mut after = self::report(Color::White, candidate(best, 1.0, 9.0, &[]));
    after.visits = 3;
    let explanation = Explanation::compare(&model(), &game, &report, played, &after);
    let said = explanation.sentences(Language::English).join("\n");
    assert!(said.contains("instead of 0 % of only 3 playouts"), "{said}");
    assert!(words(4, Language::Japanese).contains("わずか4回のプレイアウトで"));
    assert!(!words(50, Language::Japanese).contains("わずか"));
}

#[test]
fn grades_follow_win_rate_and_points() {
    assert_eq!(Grade::of(0.0, 20.0), Grade::Good);
    assert_eq!(Grade::of(0.02, 2.5), Grade::Slip);
    assert_eq!(Grade::of(0.05, 7.0), Grade::Mistake);
    assert_eq!(Grade::of(0.12, 20.0), Grade::Blunder);
    assert_eq!(Grade::of(0.5, 0.0), Grade::Blunder);
}
