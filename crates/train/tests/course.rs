//! Courses of learning: same seed same weights, putting aside and going on, stopping.

use goban::{Board, Color, Size};
use kifu::Record;
use policy::{Terrain, Use};
use shape::Family;
use train::{Ascent, Course, Extraction, Games, Likelihood, Meter, Method, Step, Weights, measure};

/// Games in which everybody likes to play next to the last move.
fn games() -> Games {
    let size = Size::NINE;
    let mut state = 23u64;
    let mut below = move |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let mut games = Games::new(size);
    for _ in 0..40 {
        let mut board = Board::new(size);
        let mut sgf = "(;SZ[9]".to_owned();
        let mut last = None;
        for i in 0..40 {
            let color = Color::BOTH[i % 2];
            let mut moves: Vec<_> = board.empties().filter(|&p| board.is_legal(p, color)).collect();
            let near =
                |p: &goban::Point| last.is_some_and(|q| board.neighbours(q).any(|n| n == *p));
            if below(2) == 0 && moves.iter().any(near) {
                moves.retain(near);
            }
            let p = moves[below(moves.len())];
            board.play(p, color).unwrap();
            sgf += &format!(";{}[{}]", color.letter(), kifu::move_text(Some(p), size));
            last = Some(p);
        }
        sgf.push(')');
        let (trees, mut warnings) = kifu::read(sgf.as_bytes());
        games.add(&Record::new(&trees[0], &mut warnings).unwrap());
    }
    games
}

fn terrain(games: &Games) -> Terrain {
    let how = Extraction {
        family: Family::nested(4),
        min_seen: 20,
        min_played: 0,
        played_only: false,
        memory: 64 << 20,
        threads: 1,
    };
    Terrain::new(
        Use::Uct,
        how.run(games, &Meter::default(), None).unwrap().done().unwrap(),
        games.size(),
    )
}

const GOAL: fn(&train::Report) -> f64 = |report| report.log_likelihood;

const HOW: Likelihood =
    Likelihood { rate: 0.1, last_rate: 0.02, prior: 2.0, batch: 4, thin: 0.0, seed: 1 };

fn learn(
    terrain: &Terrain,
    games: &Games,
    stop_after: Option<usize>,
    threads: usize,
) -> (Ascent, Option<Weights>) {
    let mut method = Ascent::plain(HOW, terrain.weights());
    let course =
        Course { passes: 3, done: 0, best: None, seed: 9, patience: 9, threads, goal: GOAL };
    let learned = course.run(terrain, games, games, &mut method, |step| match step {
        Step::Game { .. } => true,
        Step::Pass { pass, .. } => Some(pass) != stop_after,
    });
    assert_eq!(learned.stopped, stop_after.is_some());
    (method, learned.weights)
}

#[test]
fn a_course_learns_what_the_games_have_in_common() {
    let games = games();
    let terrain = terrain(&games);
    let (_, weights) = learn(&terrain, &games, None, 1);
    let weights = weights.unwrap();
    let report = measure(&terrain, &games, &weights, 1);
    let nothing = measure(&terrain, &games, vec![0.0; terrain.weights()].as_slice(), 2);
    assert!(report.log_likelihood > nothing.log_likelihood + 0.5, "{report:?}");
    assert!(report.rank < nothing.rank && report.match_at(1) > 0.15);
    assert_eq!(report.positions, games.positions() as u64);
    let all: f64 = report.calibration.iter().map(|(p, _)| p).sum();
    assert!(all <= 1.0 + 1e-6 && report.match_at(81) == 1.0);
    // The model in its file says the same of every move, but for rounding.
    let about = policy::About {
        name: "test".to_owned(),
        of: Use::Uct,
        size: 9,
        trained_on: String::new(),
        made_by: String::new(),
    };
    let model = weights.model(about, terrain.dictionary(), 1.0).unwrap();
    let again = measure(&terrain, &games, &Weights::of(&model), 3);
    assert!((again.log_likelihood - report.log_likelihood).abs() < 1e-3);
    // And `policy` ranks the first moves as the measures do.
    let (mut matches, mut count) = (0, 0);
    for game in games.iter() {
        let mut follower = policy::Follower::new(&game.start(games.size()), Color::Black);
        for (color, point) in game.moves() {
            count += 1;
            matches += (model.rank(&follower.situation(), point.unwrap()) == Some(1)) as usize;
            follower.play(color, point);
        }
    }
    let share = matches as f64 / count as f64;
    assert!((share - again.match_at(1)).abs() < 0.01, "{share} and {}", again.match_at(1));
}

#[test]
fn a_course_put_aside_goes_on_as_if_it_had_not_been() {
    let games = games();
    let terrain = terrain(&games);
    let (_, whole) = learn(&terrain, &games, None, 1);
    assert_eq!(learn(&terrain, &games, None, 1).1, whole, "one seed, one result");
    // Nor do threads matter.
    assert_eq!(learn(&terrain, &games, None, 3).1, whole);
    assert_eq!(
        learn(&terrain, &games, Some(1), 2).0.state(),
        learn(&terrain, &games, Some(1), 1).0.state()
    );
    let (first, _) = learn(&terrain, &games, Some(1), 1);
    let mut second = Ascent::plain(HOW, terrain.weights());
    assert!(second.restore(&first.state()));
    let course =
        Course { passes: 3, done: 1, best: None, seed: 9, patience: 9, threads: 1, goal: GOAL };
    let learned = course.run(&terrain, &games, &games, &mut second, |_| true);
    assert_eq!(learned.weights, whole);
    // With a better one from before nothing new is kept.
    let course = Course {
        passes: 2,
        done: 1,
        best: Some((1, 0.0)),
        seed: 9,
        patience: 9,
        threads: 1,
        goal: GOAL,
    };
    let learned = course.run(&terrain, &games, &games, &mut second, |_| true);
    assert!(learned.weights.is_none() && learned.best == Some((1, 0.0)));
}
