//! Forecasts of who wins, on games whose end is plain to see.

use std::sync::Arc;

use goban::Size;
use kifu::Record;
use lab::ladder::{Forecast, ForecastTask, Question, drawn, foretell, questions};
use playout::Compiled;
use policy::{About, Model, Use};
use search::{Models, Settings};
use shape::{Dictionary, Family};

/// Black has five of seven columns and hardly anything can happen.
const WON: &str = "(;GM[1]SZ[7]KM[0.5]RU[Chinese]RE[B+20.5]\
    AB[ea][eb][ec][ed][ee][ef][eg]AW[fa][fb][fc][fd][fe][ff][fg]\
    ;B[bb];W[gb];B[bd];W[gf];B[bf])";

fn record(sgf: &str) -> Record {
    let (trees, _) = kifu::read(sgf.as_bytes());
    Record::new(&trees[0], &mut Vec::new()).unwrap()
}

fn asked(sgf: &str, game: usize) -> Vec<Question> {
    questions(record(sgf), game, 1).unwrap()
}

fn models(size: Size) -> Arc<Models> {
    let neutral = |of: Use| {
        let about = About {
            name: "test".to_owned(),
            of,
            size: size.side(),
            trained_on: "nothing".to_owned(),
            made_by: "test".to_owned(),
        };
        Model::neutral(about, Dictionary::new(Family::parse("3x3").unwrap(), []))
    };
    let compiled = Compiled::new(&neutral(Use::Mc), size).unwrap();
    Arc::new(Models::with(neutral(Use::Uct), compiled))
}

#[test]
fn positions_are_taken_from_games_that_say_who_won_on_the_board() {
    let moves = |sgf: &str, every| -> Vec<usize> {
        questions(record(sgf), 0, every).unwrap().iter().map(|q| q.moves).collect()
    };
    assert_eq!(moves(WON, 2), [2, 4]);
    assert_eq!(moves(WON, 1), [1, 2, 3, 4]);
    // Not after a pass.
    assert_eq!(moves(&WON.replace("W[gb]", "W[]"), 1), [1, 3, 4]);
    assert!(asked(WON, 7).iter().all(|q| q.game == 7 && q.black == 1.0));
    for (result, black) in [("B+", 1.0), ("W+R", 0.0), ("W+3", 0.0), ("0", 0.5)] {
        let all = asked(&WON.replace("B+20.5", result), 0);
        assert!(all.len() == 4 && all.iter().all(|q| q.black == black), "{result}");
    }
    for (from, to) in [("B+20.5", "B+T"), ("B+20.5", "W+F"), ("B+20.5", "?"), ("KM[0.5]", "")] {
        assert!(asked(&WON.replace(from, to), 0).is_empty(), "{to}");
    }
    let illegal = record(&WON.replace(";B[bd]", ";B[bb]"));
    assert!(questions(illegal, 0, 2).err().unwrap().to_string().starts_with("move 3, "));
}

#[test]
fn positions_are_drawn_in_their_order() {
    let all = || asked(WON, 0).into_iter().chain(asked(WON, 1)).collect::<Vec<_>>();
    let places = |wanted, seed| -> Vec<(usize, usize)> {
        drawn(all(), wanted, seed).iter().map(|q| (q.game, q.moves)).collect()
    };
    assert_eq!(places(8, 1).len(), 8);
    for seed in 0..20 {
        let three = places(3, seed);
        assert!(three.len() == 3 && three.is_sorted(), "{three:?}");
    }
    assert!((0..20).any(|seed| places(3, seed) != places(3, 20)));
    assert!(places(0, 1).is_empty());
}

#[test]
fn what_is_plain_to_see_is_foretold() {
    let size = Size::new(7).unwrap();
    let (models, settings) = (models(size), Settings::new(size));
    let run = |all: &[Question], task: &ForecastTask, first: Option<&Forecast>| {
        foretell("a", all, task, &models, &settings, first, |_| true).unwrap()
    };
    // So much komi that White wins, and so much handicap that White gets a point a stone for.
    let komi = WON.replace("KM[0.5]RU[Chinese]RE[B+", "KM[40.5]RU[Chinese]RE[W+");
    let bonus = WON.replace("KM[0.5]RU[Chinese]RE[B+", "HA[7]KM[34.5]RU[Chinese]RE[W+");
    let lied = WON.replace("RE[B+", "RE[W+");
    // The same with colours changed.
    let mirrored = {
        let swapped = WON.replace("AB[", "A?[").replace("AW[", "AB[").replace("A?[", "AW[");
        let moves = swapped.replace(";B[", ";?[").replace(";W[", ";B[").replace(";?[", ";W[");
        moves.replace("RE[B+", "RE[W+").replace("KM[0.5]", "KM[-0.5]PL[W]")
    };
    for plain in [true, false] {
        let task = ForecastTask { playouts: 100, plain, threads: 2, seed: 1 };
        for won in [WON, &komi, &bonus, &mirrored] {
            let right = run(&asked(won, 0), &task, None);
            assert!(right.mse < 0.1 && right.right == 1.0, "{won} {right:?}");
            assert_eq!((right.games, right.positions, right.size), (1, 4, 7));
            assert_eq!(right.mse_interval, None, "of one game");
        }
        let wrong = run(&asked(&lied, 1), &task, None);
        assert!(wrong.mse > 0.5 && wrong.right == 0.0, "{wrong:?}");
        let both: Vec<Question> = asked(WON, 0).into_iter().chain(asked(&lied, 1)).collect();
        let half = run(&both, &task, None);
        assert_eq!((half.games, half.positions, half.right), (2, 8, 0.5));
        // Two games that differ as much as can be: a draw has one, the other or both.
        let [low, high] = half.mse_interval.unwrap();
        assert!(low < 0.1 && high > 0.5 && (low..high).contains(&half.mse), "{half:?}");
        assert_eq!(half.difference_interval, Some([0.0, 0.0]));
        assert_eq!(half.phases.iter().map(|phase| phase.positions).sum::<usize>(), 8);
        let counted: u64 = half.calibration.iter().map(|bin| bin.count).sum();
        assert_eq!(counted, 8);
        // Threads change nothing, and the difference is that to what came first.
        let alone = run(&both, &ForecastTask { threads: 1, ..task }, Some(&half));
        assert_eq!((alone.mse, alone.difference), (half.mse, 0.0));
        let fewer = run(&both, &ForecastTask { playouts: 3, ..task }, Some(&half));
        assert!(fewer.difference != 0.0, "{fewer:?}");
        assert!((fewer.mse - half.mse - fewer.difference).abs() < 1e-12, "{fewer:?}");
    }
    let task = ForecastTask { playouts: 1, plain: true, threads: 1, seed: 1 };
    let all = asked(WON, 0);
    assert!(foretell("a", &all, &task, &models, &settings, None, |_| false).is_none());
}
