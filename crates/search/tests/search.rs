//! The search as its users see it: it finds what is there, obeys, remembers, stops, and fits into
//! its memory.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use goban::{Board, Color, Diagram, Game, Move, Point, Rules, Size};
use policy::Model;
use search::{
    Change, Expander, Models, Report, Restriction, Root, Search, SearchLimits, Settings, Stop, Task,
};

fn models() -> Arc<Models> {
    static MODELS: OnceLock<Arc<Models>> = OnceLock::new();
    let read = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights").join(name);
        Model::from_bytes(&std::fs::read(path).unwrap()).unwrap()
    };
    let load = || Arc::new(Models::new(read("uct9.model"), read("mc9.model"), Size::NINE));
    MODELS.get_or_init(load).clone()
}

fn search(change: impl FnOnce(&mut Settings)) -> Search {
    let mut settings = Settings::new(Size::NINE);
    settings.memory = 32 << 20;
    change(&mut settings);
    Search::new(models(), settings)
}

fn playouts(n: u64) -> SearchLimits {
    SearchLimits { playouts: Some(n), ..SearchLimits::default() }
}

fn think(search: &mut Search, game: &Game, limits: &SearchLimits) -> Report {
    think_of(search, game, &Expander::default(), limits)
}

fn think_of(
    search: &mut Search,
    game: &Game,
    expander: &Expander,
    limits: &SearchLimits,
) -> Report {
    let task = Task { game, color: game.to_move(), komi: game.komi(), expander, agreed: None };
    search.run(&task, limits, &Stop::new(), &mut |_| {})
}

fn game(diagram: &str, to_move: Color) -> Game {
    let board: Board = Diagram::parse(diagram).unwrap().board;
    Game::from_position(board, to_move, Rules::CGOS, 7.0)
}

fn point(text: &str) -> Point {
    Point::parse(text).unwrap()
}

#[test]
fn the_vital_point_that_decides_the_game_is_found() {
    // Three points in a row: who plays in the middle decides over the corner, and with this komi
    // over the game.
    let corner = "
        . . X O . O . . .
        . . X O O . O . .
        . . X X O O . O .
        . . X . X O O . .
        X X X . X X O O O
        X . X X X . X X O
        X X X X . X . X X
        O O O O X X X . .
        . . . O X . X . .";
    for color in Color::BOTH {
        let mut game = game(corner, color);
        game.set_komi(23.0);
        let report = think(&mut search(|_| ()), &game, &playouts(1000));
        let best = &report.candidates[0];
        assert_eq!(best.mv, Move::Play(point("B1")), "{color:?}: {best:?}");
        assert!(best.winrate > 0.7, "{color:?}: {best:?}");
    }
}

#[test]
fn stones_in_atari_are_taken_when_that_wins() {
    let atari = "
        . . . . . . . . .
        . . X X X X X . .
        . X O O O O O X .
        . X O X X X O X .
        . X O X . X O X .
        . X O X X X O . .
        . X O O O O O X .
        . . X X X X X . .
        . . . . . . . . .";
    let report = think(&mut search(|_| ()), &game(atari, Color::Black), &playouts(300));
    assert_eq!(report.candidates[0].mv, Move::Play(point("H4")));
    assert!(report.winrate > 0.8, "{}", report.winrate);
    assert!(report.ownership[point("C5")] > 0.7);
    // Owners and scores are told from the view of the player to move, and are about the same.
    let agrees = |report: &Report, komi: f32| {
        let owned: f32 = Size::NINE.points().map(|p| report.ownership[p]).sum();
        let each = report.candidates.iter().map(|c| c.visits as f32 * c.score).sum::<f32>();
        let score = each / report.visits as f32;
        assert!((owned - komi - score).abs() < 3.0, "{owned} {komi} {score}");
        assert!((score - report.score).abs() < 1.0, "{score} {}", report.score);
    };
    agrees(&report, 7.0);
    let report = think(&mut search(|_| ()), &game(atari, Color::White), &playouts(300));
    assert!(report.to_move == Color::White && report.ownership[point("A1")] < 0.0);
    agrees(&report, -7.0);
}

#[test]
fn ownership_is_known_however_much_of_the_tree_is_kept() {
    let mut game = Game::new(Size::NINE, Rules::CGOS, 7.0);
    game.play(Move::Play(point("E5"))).unwrap();
    let limits = SearchLimits { visits: Some(1000), ..SearchLimits::default() };
    let mut search = search(|_| ());
    let first = think(&mut search, &game, &limits);
    let owner = |report: &Report| report.ownership[point("E5")];
    assert!(owner(&first) < -0.3 && first.score_deviation > 5.0);
    // The same position again: all that was seen is still there, and nothing is to be done.
    let again = think(&mut search, &game, &limits);
    assert_eq!((again.playouts, again.ownership), (0, first.ownership));
    assert_eq!(again.score_deviation, first.score_deviation);
    // Nothing of it is about the position with another komi.
    game.set_komi(30.0);
    assert_eq!(think(&mut search, &game, &limits).playouts, 1000);
    game.set_komi(7.0);
    let first =
        think(&mut search, &game, &SearchLimits { visits: Some(3000), ..SearchLimits::default() });
    // After a move, far more visits are kept than asked for.
    game.play(first.candidates[0].mv).unwrap();
    let few = SearchLimits { visits: Some(120), ..SearchLimits::default() };
    let after = think(&mut search, &game, &few);
    assert!(after.visits > 200 && after.playouts == 32, "{} {}", after.visits, after.playouts);
    assert!(owner(&after) > 0.3 && after.score_deviation > 5.0);
}

#[test]
fn one_thread_with_a_seed_does_the_same_again() {
    // Over some moves, with what is kept from one to the next.
    let run = |seed| {
        let mut game = Game::new(Size::NINE, Rules::CGOS, 7.0);
        let mut search = search(|s| s.seed = seed);
        let mut seen = Vec::new();
        for _ in 0..3 {
            let report = think(&mut search, &game, &playouts(500));
            let found = report.candidates.iter();
            seen.extend(found.map(|c| (c.mv, c.visits, c.winrate.to_bits())));
            game.play(report.candidates[0].mv).unwrap();
        }
        seen
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

/// What tells the position after moves apart, from one with a black stone in atari at A1.
fn key_after(moves: &str) -> Option<u64> {
    let start = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        O . . . . . . . .
        X . . . . . . . .";
    let root = Root::new(&game(start, Color::Black), Color::Black);
    let models = models();
    let mut variation = root.variation(&models.rater);
    let moves: Vec<Option<Point>> = moves.split_whitespace().map(Point::parse).collect();
    variation.follow(&root, &moves);
    variation.key()
}

#[test]
fn positions_reached_in_another_order_have_the_same_key() {
    let there = key_after("C3 D4 E5 F6");
    assert!(there.is_some());
    assert_eq!(there, key_after("E5 D4 C3 F6"));
    assert_eq!(there, key_after("E5 F6 C3 D4"));
    assert_ne!(there, key_after("C3 D4 E5 F7"));
    // The same stones after more moves, with another player to move, or after a pass.
    assert_ne!(there, key_after("C3 D4 E5 F6 pass pass"));
    assert_ne!(key_after("C3 pass E5"), key_after("C3 pass pass E5"));
    assert_ne!(key_after("pass D4 E5"), key_after("E5 D4 pass"));
}

#[test]
fn where_stones_were_taken_there_is_no_key() {
    assert!(key_after("C3 D4").is_some());
    assert_eq!(key_after("C3 B1"), None);
    assert_eq!(key_after("C3 B1 D4 E5"), None);
}

#[test]
fn lines_that_meet_share_what_is_known() {
    let game = Game::new(Size::NINE, Rules::CGOS, 7.0);
    let visits = |transpositions| {
        let mut search = search(|settings| settings.transpositions = transpositions);
        let report = think(&mut search, &game, &playouts(2000));
        report.candidates.iter().map(|c| (c.mv, c.visits)).collect::<Vec<_>>()
    };
    assert_ne!(visits(true), visits(false), "the switch does something");
}

#[test]
fn visits_add_up_with_any_number_of_threads() {
    let game = Game::new(Size::NINE, Rules::CGOS, 7.0);
    for threads in [1, 2, 4] {
        let report = think(&mut search(|s| s.threads = threads), &game, &playouts(2000));
        let sum: u64 = report.candidates.iter().map(|c| c.visits).sum();
        assert_eq!(sum, report.visits);
        assert_eq!(report.visits, report.playouts);
        assert!((2000..2000 + threads as u64).contains(&report.playouts), "{}", report.playouts);
        assert!(report.candidates.iter().all(|c| c.winrate >= 0.0 && c.winrate <= 1.0));
    }
}

#[test]
fn the_tree_is_kept_when_the_game_goes_on_and_dropped_when_it_does_not() {
    let mut game = Game::new(Size::NINE, Rules::CGOS, 7.0);
    let mut search = search(|_| ());
    let first = think(&mut search, &game, &playouts(3000));
    let line = first.candidates[0].line.clone();
    assert!(line.len() > 2, "{line:?}");
    let expected = first.candidates[0].line_visits[1];
    game.play(line[0]).unwrap();
    game.play(line[1]).unwrap();
    let second = think(&mut search, &game, &playouts(1));
    assert_eq!(second.visits, expected + 1);
    // Another komi is another game.
    game.set_komi(0.5);
    assert_eq!(think(&mut search, &game, &playouts(10)).visits, 10);
    game.undo();
    assert_eq!(think(&mut search, &game, &playouts(10)).visits, 10);
}

#[test]
fn a_small_memory_is_enough() {
    let game = Game::new(Size::NINE, Rules::CGOS, 7.0);
    for threads in [1, 2] {
        let mut search = search(|s| {
            (s.memory, s.threads, s.expand_at) = (1, threads, 1);
        });
        // A node for every playout: several times what there is room for.
        let report = think(&mut search, &game, &playouts(6000));
        let sum: u64 = report.candidates.iter().map(|c| c.visits).sum();
        assert!(sum >= 6000 && report.candidates[0].visits > 100, "{sum}");
    }
}

#[test]
fn a_stopped_search_makes_its_first_playouts_in_a_full_tree_too() {
    let game = Game::new(Size::NINE, Rules::CGOS, 7.0);
    let mut search = search(|s| (s.memory, s.expand_at) = (1, 1));
    let mut visits = think(&mut search, &game, &playouts(6000)).visits;
    let stop = Stop::new();
    stop.raise();
    // The tree is full on the way and there is no time to make room: the few playouts that a move needs
    // are made all the same, and the next search has a new tree.
    let mut begun_anew = 0;
    for _ in 1..400 {
        let expander = &Expander::default();
        let task = Task { game: &game, color: Color::Black, komi: 7.0, expander, agreed: None };
        let report = search.run(&task, &SearchLimits::default(), &stop, &mut |_| ());
        assert_eq!(report.playouts, 8);
        assert!([8, visits + 8].contains(&report.visits), "{} {visits}", report.visits);
        begun_anew += (report.visits == 8) as usize;
        visits = report.visits;
    }
    assert!((1..20).contains(&begun_anew), "{begun_anew}");
    assert_eq!(think(&mut search, &game, &playouts(3000)).playouts, 3000);
}

/// White is in atari at D4, and the ladder runs to the upper right.
const LADDER: &str = "
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . X . . . . . .
    . . X O X . . . .
    . . . X . . . . .
    . . . . . . . . .
    . . . . . . . . .";

#[test]
fn nobody_runs_in_a_ladder_that_catches() {
    let visits = |game: &Game, running: f32| {
        let mut search = search(|s| (s.ladder_prior, s.ladders) = (running, false));
        let report = think(&mut search, game, &playouts(400));
        let run = report.candidates.iter().find(|c| c.mv == Move::Play(point("D5")));
        run.map_or(0, |run| run.visits)
    };
    let caught = game(LADDER, Color::White);
    assert_eq!(visits(&caught, 0.0), 0);
    assert!(visits(&caught, 1.0) > 0, "nothing else keeps it out");
    // With a stone in its way the ladder does not work.
    let broken = LADDER.replacen(". . . . . . . . .", ". . . . . . . O .", 2);
    assert!(visits(&game(&broken, Color::White), 0.0) > 0);
}

#[test]
fn what_is_caught_soon_is_left_to_the_search() {
    let runners = |diagram: &str| {
        let root = Root::new(&game(diagram, Color::White), Color::White);
        let models = models();
        let mut variation = root.variation(&models.rater);
        variation.rate();
        variation.runners().iter().collect::<Vec<_>>()
    };
    assert_eq!(runners(LADDER), [point("D5")]);
    // Running to D1 ends at once.
    let edge = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X . . . . .
        . . X O X . . . .
        . . . . . . . . .";
    assert_eq!(runners(edge), []);
    let board = game(edge, Color::White).board().clone();
    let mut ladders = goban::ladder::Ladders::new();
    assert!(playout::runs_in_ladder(&board, point("D1"), Color::White, &mut ladders).is_some());
}

#[test]
fn running_is_looked_at_if_it_is_asked_for() {
    let caught = game(LADDER, Color::White);
    let moves = vec![Move::Play(point("D5"))];
    let asked = |moves: Vec<Move>| {
        let only = Restriction { color: Color::White, moves, until_depth: 1 };
        let expander = Expander { allow: vec![only], ..Expander::default() };
        let report = think_of(&mut search(|_| {}), &caught, &expander, &playouts(50));
        report.candidates.iter().map(|c| c.mv).collect::<Vec<_>>()
    };
    assert_eq!(asked(moves.clone()), moves);
    let two = asked(vec![moves[0], Move::Play(point("E5"))]);
    assert!(two.contains(&moves[0]) && two.len() == 2, "{two:?}");
}

#[test]
fn only_legal_moves_are_looked_at() {
    // Black has just taken the ko at E5; the search must not take it back at once.
    let ko = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X O . . . .
        . . X O . O . . .
        . . . X O . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    let mut game = game(ko, Color::Black);
    game.play(Move::Play(point("E5"))).unwrap();
    let report = think(&mut search(|_| ()), &game, &playouts(500));
    assert!(report.candidates.iter().all(|c| game.check(Color::White, c.mv).is_ok()));
    assert!(report.candidates.iter().all(|c| c.mv != Move::Play(point("D5"))));
}

#[test]
fn moves_can_be_forbidden_or_prescribed() {
    let game = Game::new(Size::NINE, Rules::CGOS, 7.0);
    let best = think(&mut search(|_| ()), &game, &playouts(200)).candidates[0].mv;
    let restriction = |moves| vec![Restriction { color: Color::Black, moves, until_depth: 1 }];
    let avoid = Expander { avoid: restriction(vec![best]), ..Expander::default() };
    let report = think_of(&mut search(|_| ()), &game, &avoid, &playouts(200));
    assert!(report.candidates.iter().all(|c| c.mv != best));
    let corner = Move::Play(point("A1"));
    let allow = restriction(vec![corner, Move::Pass]);
    let allow = Expander { allow, ..Expander::default() };
    let report = think_of(&mut search(|_| ()), &game, &allow, &playouts(200));
    assert!(report.candidates.iter().all(|c| c.mv == corner || c.mv == Move::Pass));
}

#[test]
fn it_stops_at_once_when_asked() {
    let game = Game::new(Size::NINE, Rules::CGOS, 7.0);
    let expander = Expander::default();
    let task =
        Task { game: &game, color: Color::Black, komi: 7.0, expander: &expander, agreed: None };
    // Without bounds, it goes on until it is stopped.
    let limits = SearchLimits { every: Some(Duration::from_millis(1)), ..SearchLimits::default() };
    for threads in [1, 2] {
        let (stop, mut seen) = (Stop::new(), 0);
        let report = search(|s| s.threads = threads).run(&task, &limits, &stop, &mut |report| {
            // The first few are made in any case.
            if report.playouts >= 50 && !stop.is_raised() {
                seen = report.playouts;
                stop.raise();
            }
        });
        // Another thread may play on while the one that tells is kept waiting.
        assert!(threads > 1 || report.playouts <= seen + 1, "{} after {seen}", report.playouts);
    }
}

#[test]
fn reports_come_as_often_as_asked_and_time_is_kept() {
    let game = Game::new(Size::NINE, Rules::CGOS, 7.0);
    let expander = Expander::default();
    let task =
        Task { game: &game, color: Color::Black, komi: 7.0, expander: &expander, agreed: None };
    let every = Duration::from_millis(50);
    let (stop, mut reports) = (Stop::new(), Vec::new());
    let limits = SearchLimits { every: Some(every), ..SearchLimits::default() };
    search(|_| ()).run(&task, &limits, &stop, &mut |report| {
        reports.push((report.elapsed, report.visits));
        if reports.len() == 4 {
            stop.raise();
        }
    });
    assert_eq!(reports.len(), 4);
    assert!(reports.is_sorted(), "{reports:?}");
    let mut gaps = reports.windows(2).map(|pair| pair[1].0 - pair[0].0);
    assert!(gaps.all(|gap| gap >= every), "{reports:?}");
    // Nothing else ends this one.
    let limits = SearchLimits { time: Some(Duration::from_millis(300)), ..SearchLimits::default() };
    let report = think(&mut search(|_| ()), &game, &limits);
    assert!(report.visits > 0);
}

#[test]
fn a_finished_game_is_not_lost_again() {
    let finished = "
        . X . X O . O . O
        X X X X O O O O O
        . X . X O . O . O
        X X X X O O O O O
        . X . X O . O . O
        X X X X O O O O O
        . X . X O . O . O
        X X X X O O O O O
        . X X X O O O . .";
    let mut game = game(finished, Color::Black);
    // Black has 36 points and White 45: with this komi White, whose turn it is, wins by half a
    // point: by passing again, or by a move in the space that is large enough for one.
    game.set_komi(-8.5);
    game.play(Move::Pass).unwrap();
    let report = think(&mut search(|_| ()), &game, &playouts(300));
    let best = &report.candidates[0];
    assert_eq!(report.visits, 300);
    let harmless = ["H1", "J1"].map(|p| Move::Play(point(p)));
    assert!(best.mv == Move::Pass || harmless.contains(&best.mv), "{best:?}");
    assert!(best.winrate > 0.9, "{best:?}");
}

#[test]
fn searches_that_are_steered_find_what_is_there() {
    // Black lives with E7 or E3 and needs one of them only.
    let miai = "
        X . X X X X X . X
        X X X X X X X X X
        . O O O . O O O .
        O . O X X X O . O
        O O O X X X O O O
        O . O X X X O . O
        . O O O . O O O .
        X X X X X X X X X
        X . X X X X X . X";
    let mut game = game(miai, Color::White);
    game.set_komi(0.5);
    for part in ["miai", "order", "criticality"] {
        for threads in [1, 2] {
            let mut search = search(|settings| {
                settings.threads = threads;
                settings.change(Change::read(part, "1").unwrap());
            });
            let report = think(&mut search, &game, &playouts(1500));
            assert!(report.winrate < 0.2, "{part}: {}", report.winrate);
            // What was told is kept for the next move, and forgotten with everything else.
            game.play(Move::Play(point("E7"))).unwrap();
            let report = think(&mut search, &game, &playouts(300));
            assert_eq!(report.candidates[0].mv, Move::Play(point("E3")), "{part}");
            game.undo();
            search.clear();
            think(&mut search, &game, &playouts(10));
        }
    }
}

#[test]
fn a_steered_search_of_one_thread_does_the_same_every_time() {
    let game = Game::new(Size::NINE, Rules::CGOS, 7.0);
    let visits = |parts: &[&str]| {
        let mut search = search(|s| {
            parts.iter().for_each(|part| s.change(Change::read(part, "1").unwrap()));
        });
        let report = think(&mut search, &game, &playouts(600));
        report.candidates.iter().map(|c| (c.mv, c.visits)).collect::<Vec<_>>()
    };
    let all = ["miai", "order", "criticality"];
    assert_eq!(visits(&all), visits(&all));
    assert_ne!(visits(&all), visits(&[]));
}
