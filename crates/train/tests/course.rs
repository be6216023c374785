//! Courses of learning: what is learned, same seed same weights, putting aside and going on.

use goban::{Board, Color, Size};
use kifu::Record;
use policy::{About, FeatureSpace, Use};
use shape::{Dictionary, Family};
use train::{
    Aim, Ascent, Checkpoint, Counting, Course, Descent, Extraction, Games, Gradient, Likelihood,
    Meter, Method, Minorise, Pairs, Standing, Step, Weights, choose_filter, measure,
};

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

fn space(games: &Games) -> FeatureSpace {
    let how = Extraction {
        family: Family::nested(4),
        min_seen: 20,
        min_played: 0,
        played_only: false,
        memory: 64 << 20,
        threads: 1,
    };
    FeatureSpace::new(
        Use::Uct,
        how.run(games, &Meter::default(), None).unwrap().done().unwrap(),
        games.size(),
    )
}

const GOAL: fn(&train::Report) -> f64 = |report| report.log_likelihood;

const HOW: Likelihood =
    Likelihood { rate: 0.1, last_rate: 0.02, prior: 2.0, batch: 4, thin: 0.0, seed: 1 };

fn learn(space: &FeatureSpace, games: &Games, threads: usize) -> Option<Weights> {
    let mut method = Ascent::plain(HOW, space.weights());
    let course = Course { passes: 3, seed: 9, patience: 9, threads, goal: GOAL };
    let mut standing = Standing::default();
    let learned = course.run(space, games, games, &mut method, &mut standing, |_| true);
    assert!(!learned.stopped && standing.over && standing.done == 3);
    learned.weights
}

#[test]
fn a_course_learns_what_the_games_have_in_common() {
    let games = games();
    let space = space(&games);
    let weights = learn(&space, &games, 1).unwrap();
    let report = measure(&space, &games, &weights, 1);
    let nothing = measure(&space, &games, vec![0.0; space.weights()].as_slice(), 2);
    assert!(report.log_likelihood > nothing.log_likelihood + 0.5, "{report:?}");
    assert!(report.rank < nothing.rank && report.match_at(1) > 0.15);
    assert_eq!(report.positions, games.positions() as u64);
    let all: f64 = report.calibration.iter().map(|(p, _)| p).sum();
    assert!(all <= 1.0 + 1e-6 && report.match_at(81) == 1.0);
    // The model in its file says the same of every move, but for rounding.
    let model = weights.model(about(), space.dictionary(), 1.0).unwrap();
    let again = measure(&space, &games, &Weights::of(&model), 3);
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

fn about() -> About {
    About {
        name: "test".to_owned(),
        of: Use::Uct,
        size: 9,
        trained_on: String::new(),
        made_by: String::new(),
    }
}

#[test]
fn one_seed_gives_one_result_whatever_the_threads() {
    let games = games();
    let space = space(&games);
    let whole = learn(&space, &games, 1);
    assert_eq!(learn(&space, &games, 1), whole);
    assert_eq!(learn(&space, &games, 3), whole);
}

#[test]
fn games_in_another_order_are_told_apart() {
    let texts = ["(;SZ[9];B[cc];W[gg])", "(;SZ[9];B[dd];W[ee])", "(;SZ[9];B[aa])"];
    let mark = |order: &[usize]| {
        let mut games = Games::new(Size::NINE);
        for &i in order {
            let (trees, mut warnings) = kifu::read(texts[i].as_bytes());
            assert!(games.add(&Record::new(&trees[0], &mut warnings).unwrap()));
        }
        games.mark()
    };
    assert_eq!(mark(&[0, 1, 2]), mark(&[0, 1, 2]));
    assert!(mark(&[0, 1, 2]) != mark(&[1, 0, 2]) && mark(&[0, 1, 2]) != mark(&[0, 1]));
}

/// A way of learning with the course it is used in.
struct Way {
    name: &'static str,
    method: fn(&FeatureSpace) -> Box<dyn Method>,
    aim: Aim,
    course: Course,
}

fn ways() -> Vec<Way> {
    // Most of the moves are thinned, so that what is drawn matters.
    const THIN: Likelihood = Likelihood { thin: 0.05, ..HOW };
    const RARE: f64 = 10.0;
    let course = Course { passes: 4, seed: 9, patience: 9, threads: 1, goal: GOAL };
    // With little patience a course ends by it, also if it was interrupted while it waited for a gain.
    let hasty = Course { passes: 12, patience: 1, ..course.clone() };
    let way =
        |name, method, aim, course: &Course| Way { name, method, aim, course: course.clone() };
    vec![
        way("likelihood", |t| Box::new(Ascent::plain(THIN, t.weights())), Aim::Likelihood, &course),
        way(
            "factors",
            |t| Box::new(Pairs::<4>::new(THIN, 4.0, t.weights(), t.of().features())),
            Aim::Likelihood,
            &course,
        ),
        way("count", |t| Box::new(Counting::new(t.weights())), Aim::Likelihood, &course),
        way("mm", |t| Box::new(Minorise::new(t.of(), t.weights())), Aim::Likelihood, &course),
        way(
            "gradient",
            |t| {
                Box::new(Descent::new(Gradient { least: RARE, ..Gradient::default() }, t.weights()))
            },
            Aim::Ranks,
            &Course { goal: |report| -report.rank_inverse, ..hasty.clone() },
        ),
        way(
            "cp2",
            |t| {
                let how = Gradient { exponent: 2.0, least: RARE, ..Gradient::default() };
                Box::new(Descent::new(how, t.weights()))
            },
            Aim::Ranks,
            &Course { goal: |report| report.match_at(1), ..hasty.clone() },
        ),
    ]
}

/// Games to learn from, games to measure on, and their patterns.
struct Setup {
    train: Games,
    validation: Games,
    dictionary: Vec<u8>,
}

impl Way {
    /// Goes on from a checkpoint until `stop` says so of a step, with all that was kept meanwhile:
    /// the bytes of the checkpoints, the one it began with first, and of the model if it came to
    /// its end.
    fn go_on(
        &self,
        setup: &Setup,
        from: Option<&[u8]>,
        stop: impl Fn(&Step<'_>) -> bool,
    ) -> (Vec<Vec<u8>>, Option<Vec<u8>>) {
        let from = from.map(|bytes| Checkpoint::from_bytes(bytes).unwrap());
        let patterns = from.as_ref().map_or(&setup.dictionary, |kept| &kept.dictionary);
        let dictionary = Dictionary::from_bytes(patterns).unwrap();
        let space = FeatureSpace::new(Use::Uct, dictionary, setup.train.size());
        let mut method = (self.method)(&space);
        let mut standing = Standing::default();
        if let Some(kept) = from {
            assert!(method.restore(&kept.state), "{}", self.name);
            standing = kept.standing;
        }
        let save = |standing: &Standing, method: &dyn Method| {
            let kept = Checkpoint {
                options: self.name.to_owned(),
                games: [setup.train.mark(), setup.validation.mark()],
                dictionary: space.dictionary().to_bytes(),
                standing: standing.clone(),
                state: method.state(),
            };
            kept.to_bytes()
        };
        let mut kept = vec![save(&standing, &*method)];
        let Setup { train, validation, .. } = setup;
        let watch = |step: Step<'_>| {
            if let Step::Pass { stopped: false, standing, method, .. } = step {
                kept.push(save(standing, method));
            }
            !stop(&step)
        };
        let learned =
            self.course.run(&space, train, validation, &mut *method, &mut standing, watch);
        if learned.stopped {
            return (kept, None);
        }
        let weights = learned.weights.unwrap();
        let filter = choose_filter(&space, validation, &weights, self.aim);
        let model = weights.model(about(), space.dictionary(), filter).unwrap();
        (kept, Some(model.to_bytes()))
    }
}

/// Whatever the method, and wherever it is interrupted: before the first pass, in the middle of
/// any, between two, and after the last, before the model is calibrated.
#[test]
fn a_course_that_is_interrupted_ends_as_if_it_had_not_been() {
    let all = games();
    let split = kifu::Split::new(1, 0.2, 0.0).unwrap();
    let train = all.part(&split, kifu::Part::Train);
    let validation = all.part(&split, kifu::Part::Validation);
    let dictionary = space(&train).dictionary().to_bytes();
    let setup = Setup { train, validation, dictionary };
    let half = setup.train.positions() / 2;
    for way in ways() {
        let name = way.name;
        // Bytes are compared without being printed: there are many.
        let (kept, whole) = way.go_on(&setup, None, |_| false);
        assert!(whole.is_some() && kept.len() >= 2, "{name}");
        for (done, from) in kept.iter().enumerate() {
            // Killed after a checkpoint: what is left is the checkpoint.
            let (later, model) = way.go_on(&setup, Some(from), |_| false);
            assert!(later == kept[done..], "{name}, from pass {done} on: a checkpoint differs");
            assert!(model == whole, "{name}, from pass {done} on");
        }
        let last = kept.len() - 1;
        for interrupted in 1..=last {
            // Asked to stop in the middle of a pass, and at its very end.
            let middle = |step: &Step<'_>| {
                matches!(step, Step::Game { pass, positions, .. }
                    if *pass == interrupted && *positions > half)
            };
            let (before, model) = way.go_on(&setup, None, middle);
            assert!(model.is_none() && before.len() == interrupted, "{name} {interrupted}");
            let (_, model) = way.go_on(&setup, before.last().map(Vec::as_slice), |_| false);
            assert!(model == whole, "{name}, stopped in pass {interrupted}");
            let end =
                |step: &Step<'_>| matches!(step, Step::Pass { pass, .. } if *pass == interrupted);
            let (before, model) = way.go_on(&setup, None, end);
            // What comes after the last pass is not stopped.
            assert_eq!(model.is_some(), interrupted == last, "{name} {interrupted}");
            let (_, model) = way.go_on(&setup, before.last().map(Vec::as_slice), |_| false);
            assert!(model == whole, "{name}, stopped after pass {interrupted}");
        }
        // And at every pass in turn.
        let mut from = None;
        let mut runs = 0;
        let model = loop {
            let every = |step: &Step<'_>| matches!(step, Step::Pass { .. });
            let (kept, model) = way.go_on(&setup, from.as_deref(), every);
            from = kept.last().cloned();
            runs += 1;
            if model.is_some() {
                break model;
            }
        };
        assert!(model == whole && runs == last, "{name}, stopped after every pass");
    }
}
