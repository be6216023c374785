//! Forecasts of who wins, on games whose end is plain to see.

use std::sync::Arc;

use goban::Size;
use kifu::Record;
use lab::ladder::{Forecast, ForecastTask, Question, foretell, questions};
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
    questions(&record(sgf), game, 2).unwrap()
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
    let all = asked(WON, 7);
    let moves: Vec<usize> = all.iter().map(|q| q.position.moves().len()).collect();
    assert_eq!(moves, [2, 4]);
    assert!(all.iter().all(|q| q.game == 7 && q.black == 1.0 && q.position.komi() == 0.5));
    for (result, black) in [("B+", 1.0), ("W+R", 0.0), ("W+3", 0.0), ("0", 0.5)] {
        let all = asked(&WON.replace("B+20.5", result), 0);
        assert!(all.len() == 2 && all.iter().all(|q| q.black == black), "{result}");
    }
    for (from, to) in [("B+20.5", "B+T"), ("B+20.5", "W+F"), ("B+20.5", "?"), ("KM[0.5]", "")] {
        assert!(asked(&WON.replace(from, to), 0).is_empty(), "{to}");
    }
    let illegal = record(&WON.replace(";B[bd]", ";B[bb]"));
    assert!(questions(&illegal, 0, 2).err().unwrap().to_string().starts_with("move 3, "));
}

#[test]
fn what_is_plain_to_see_is_foretold() {
    let size = Size::new(7).unwrap();
    let (models, settings) = (models(size), Settings::new(size));
    let run = |all: &[Question], task: &ForecastTask, first: Option<&Forecast>| {
        foretell("a", all, task, &models, &settings, first, |_| true).unwrap()
    };
    let won = asked(WON, 0);
    // The same stones, but it is said that White won.
    let lost = asked(&WON.replace("B+20.5", "W+0.5"), 1);
    let both: Vec<Question> =
        asked(WON, 0).into_iter().chain(asked(&WON.replace("B+", "W+"), 1)).collect();
    for plain in [true, false] {
        let task = ForecastTask { playouts: 100, plain, threads: 2, seed: 1 };
        let right = run(&won, &task, None);
        assert!(right.mse < 0.1 && right.right == 1.0, "{right:?}");
        assert_eq!((right.games, right.positions, right.size), (1, 2, 7));
        let wrong = run(&lost, &task, None);
        assert!(wrong.mse > 0.5 && wrong.right == 0.0, "{wrong:?}");
        let half = run(&both, &task, None);
        assert_eq!((half.games, half.positions, half.right), (2, 4, 0.5));
        // Two games that differ as much as can be: a draw has one, the other or both.
        let [low, high] = half.mse_interval;
        assert!(low < 0.1 && high > 0.5 && (low..high).contains(&half.mse), "{half:?}");
        assert_eq!(half.difference_interval, [0.0, 0.0]);
        assert_eq!(half.phases.iter().map(|phase| phase.positions).sum::<usize>(), 4);
        let counted: u64 = half.calibration.iter().map(|bin| bin.count).sum();
        assert_eq!(counted, 4);
        // Threads change nothing, and the difference is that to what came first.
        let alone = run(&both, &ForecastTask { threads: 1, ..task }, Some(&half));
        assert_eq!((alone.mse, alone.difference), (half.mse, 0.0));
        let fewer = run(&both, &ForecastTask { playouts: 3, ..task }, Some(&half));
        assert!((fewer.mse - half.mse - fewer.difference).abs() < 1e-12, "{fewer:?}");
    }
    let task = ForecastTask { playouts: 1, plain: true, threads: 1, seed: 1 };
    assert!(foretell("a", &both, &task, &models, &settings, None, |_| false).is_none());
}
