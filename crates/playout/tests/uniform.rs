//! Light playouts: they end rightly, draw uniformly, repeat by seed, and score as the referee does.

use goban::score::{Marks, area};
use goban::{Board, Color, Diagram, Point, Size};
use playout::{Draw, Random, Signature, Uniform, signature};

#[test]
fn the_signature_is_the_same_everywhere() {
    let lines = [Size::NINE, Size::THIRTEEN, Size::NINETEEN].map(|size| {
        let Signature { playouts, moves, black_wins } = signature(size);
        format!("{size}: {playouts} playouts, {moves} moves, {black_wins} black wins")
    });
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn playouts_end_with_eyes_only_and_the_full_count_agrees() {
    for side in [2, 3, 5, 9, 13, 19, 25] {
        let size = Size::new(side).unwrap();
        let mut playouts = Uniform::new(&Board::new(size), Color::Black);
        let mut random = Random::new(side as u64);
        for _ in 0..200 {
            let outcome = playouts.run(&mut random);
            let board = playouts.board();
            assert_eq!(outcome.score, area(board, &Marks::default()).difference(), "{board:?}");
            if outcome.moves < 3 * size.area() as u32 {
                for p in board.empties() {
                    let playable = Color::BOTH.map(|color| board.is_playable(p, color));
                    assert_eq!(playable, [false; 2], "{p} could be played{board:?}");
                }
            }
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_games_and_streams_differ() {
    let board = Board::new(Size::NINE);
    let games = |mut random: Random| {
        let mut playouts = Uniform::new(&board, Color::White);
        (0..20).map(|_| playouts.run(&mut random)).collect::<Vec<_>>()
    };
    assert_eq!(games(Random::new(5)), games(Random::new(5)));
    assert_eq!(games(Random::stream(5, 0)), games(Random::new(5)));
    assert_ne!(games(Random::stream(5, 1)), games(Random::new(5)));
    assert_ne!(games(Random::stream(5, 1)), games(Random::stream(5, 2)));
}

/// Draws from a position with eyes, a ko, suicides and playable points, and compares the counts
/// with a uniform choice by chi-square.
#[test]
fn the_draw_is_uniform_over_the_playable_points() {
    let diagram = "
        . X O . O . O
        X . X O O O .
        . X O . O . O
        . . . . . O O
        X X X . . . .
        . X . X . . .
        X . X X . . .";
    let mut board = Diagram::parse(diagram).unwrap().board;
    let at = |name| Point::parse(name).unwrap();
    board.play(at("B6"), Color::White).unwrap();
    assert_eq!(board.ko(Color::Black), Some(at("C6")));
    assert!(board.is_eye(at("F7"), Color::White) && board.is_suicide(at("F7"), Color::Black));
    for color in Color::BOTH {
        let playable: Vec<Point> =
            board.empties().filter(|&p| board.is_playable(p, color)).collect();
        assert!(playable.len() >= 4 && playable.len() < board.empties().count());
        let mut draw = Draw::new(&board);
        let mut random = Random::new(7);
        let mut drawn = vec![0u32; playable.len()];
        let draws = 20_000 * playable.len();
        for _ in 0..draws {
            let p = draw.pick(&board, color, &mut random).expect("something is playable");
            let i = playable.iter().position(|&q| q == p).expect("only playable points are drawn");
            drawn[i] += 1;
        }
        let expected = 20_000.0;
        let chi2: f64 = drawn.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
        // Mean k, deviation sqrt(2 k) with k degrees of freedom: five deviations above is a bug.
        let k = playable.len() as f64 - 1.0;
        assert!(
            chi2 < k + 5.0 * (2.0 * k).sqrt(),
            "{color}: {chi2:.1} with {k} degrees: {drawn:?}"
        );
    }
}

#[test]
fn with_nothing_to_play_a_playout_is_two_passes() {
    let board = Diagram::parse(". X .\nX X X\n. X .").unwrap().board;
    for to_move in Color::BOTH {
        let outcome = Uniform::new(&board, to_move).run(&mut Random::new(1));
        assert_eq!((outcome.moves, outcome.score), (2, 9));
    }
}
