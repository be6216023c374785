//! A review says what positions are worth, and finds the same however it is cut into slices.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use engine::review::{Effort, Review};
use engine::{Engine, Library, Options, Request, Stop};
use goban::{Color, Game, Move, Rules, Size};
use kifu::Record;
use policy::{Model, Use};

fn engine() -> Engine {
    static LIBRARY: OnceLock<Arc<Library>> = OnceLock::new();
    let load = |of: Use, _: Size| {
        let name = if of == Use::Uct { "uct9.model" } else { "mc9.model" };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights").join(name);
        Model::from_bytes(&std::fs::read(path).unwrap()).unwrap()
    };
    let library = LIBRARY.get_or_init(|| Arc::new(Library::new(load))).clone();
    Engine::new(library, Options { megabytes: 24, ..Options::default() })
}

/// The sample game, and its moves.
fn sample() -> (Game, Vec<(Color, Move)>) {
    let text = include_bytes!("../../../samples/9x9.sgf");
    let record = Record::new(&kifu::read(text).0[0], &mut Vec::new()).unwrap();
    let (start, game) = record.resume(Rules::CHINESE, 7.0, usize::MAX).unwrap();
    (start, game.moves().to_vec())
}

/// What a review found, so that it can be compared: win rates and scores, and for each mistake its
/// number, the better move and what the other cost.
type Figures = (Vec<(f32, f32)>, Vec<(usize, Move, (f32, f32))>);

fn figures(review: &Review) -> Figures {
    let standings = review.standings().iter().map(|at| (at.winrate, at.score));
    let mistakes = review.mistakes().into_iter();
    let mistakes = mistakes.map(|m| (m.number, m.explanation.best.mv, m.explanation.loss()));
    (standings.collect(), mistakes.collect())
}

fn whole(visits: u64) -> Review {
    let (start, moves) = sample();
    let mut review = Review::new(&start, &moves, Effort::visits(visits));
    assert!(review.run(&mut engine(), &mut |_| true));
    assert!(review.is_over() && review.next().is_none());
    review
}

#[test]
fn a_position_is_worth_what_all_playouts_say_and_not_what_the_best_move_does() {
    let (start, moves) = sample();
    let review = whole(100);
    assert_eq!((review.standings().len(), review.positions()), (moves.len() + 1, moves.len() + 1));
    let mut game = start;
    let mut flattered = 0;
    let request = Request { visits: Some(100), ..Request::default() };
    for (number, standing) in review.standings().iter().enumerate() {
        let mut engine = engine();
        engine.set_game(game.clone());
        let color = game.to_move();
        let report = engine.analyse(color, &request, &Stop::new(), &mut |_| ());
        let black = |rate: f32| if color == Color::Black { rate } else { 1.0 - rate };
        assert_eq!(standing.winrate, black(report.winrate), "move {number}");
        let score = if color == Color::Black { report.score } else { -report.score };
        assert_eq!(standing.score, score, "move {number}");
        flattered += usize::from(report.candidates[0].winrate > report.winrate + 0.01);
        if let Some(&(color, mv)) = moves.get(number) {
            game.play_as(color, mv).unwrap();
        }
    }
    assert!(flattered > 10, "the best move looks better than the position in {flattered}");
}

#[test]
fn what_moves_lose_adds_up_to_how_the_game_went() {
    let review = whole(60);
    let gain = |number: usize| {
        let (winrate, score) = review.loss(number).unwrap();
        let sign = if review.moves()[number - 1].0 == Color::Black { -1.0 } else { 1.0 };
        (sign * winrate, sign * score)
    };
    let sum = (1..review.positions()).map(gain).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    let (first, last) = (&review.standings()[0], review.standings().last().unwrap());
    assert!((sum.0 - (last.winrate - first.winrate)).abs() < 1e-4, "{sum:?}");
    assert!((sum.1 - (last.score - first.score)).abs() < 1e-2, "{sum:?}");
    // Moves of both players lose little on the average, or every position flatters whoever is to move.
    let losses: f32 = (1..review.positions()).map(|n| review.loss(n).unwrap().0).sum();
    let average = losses / (review.positions() - 1) as f32;
    assert!(average.abs() < 0.03, "{average}");
}

#[test]
fn slices_and_other_searches_between_them_change_nothing() {
    let (start, moves) = sample();
    let whole = figures(&whole(80));
    assert!(!whole.1.is_empty());
    let stop = Stop::new();
    for disturbed in [false, true] {
        let mut engine = engine();
        let mut review = Review::new(&start, &moves, Effort::visits(80));
        let mut slices = 0;
        while let Some(job) = review.next() {
            slices += 1;
            // Time is up after the first few playouts.
            let found = job.run(&mut engine, Some(Duration::ZERO), &stop, &mut || ());
            if let Some(found) = found {
                review.take(found);
            }
            if disturbed && slices % 50 == 0 {
                engine.set_game(start.clone());
                let request = Request { visits: Some(30), ..Request::default() };
                engine.analyse(Color::Black, &request, &stop, &mut |_| ());
            }
        }
        assert!(slices > 4 * review.positions(), "{slices}");
        assert_eq!(figures(&review), whole);
    }
}

#[test]
fn what_was_noticed_is_told_until_it_was_looked_at_again() {
    let (start, moves) = sample();
    let mut engine = engine();
    let mut review = Review::new(&start, &moves, Effort { mistakes: 2, ..Effort::visits(80) });
    let mut noticed = 0;
    while let Some(job) = review.next() {
        review.take(job.run(&mut engine, None, &Stop::new(), &mut || ()).unwrap());
        let mistakes = review.mistakes();
        assert!(mistakes.len() <= 2 && mistakes.is_sorted_by_key(|mistake| mistake.number));
        if review.standings().len() < review.positions() {
            noticed = noticed.max(mistakes.len());
        }
    }
    assert_eq!(noticed, 2);
}

#[test]
fn it_ends_before_a_move_that_cannot_be_played() {
    let (start, mut moves) = sample();
    moves.truncate(4);
    moves.insert(2, moves[0]);
    let review = Review::new(&start, &moves, Effort::visits(10));
    assert_eq!(review.positions(), 3);
}
