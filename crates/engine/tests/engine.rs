//! The engine as a front end sees it: it ends games well, keeps its word about time and levels, and
//! explains itself.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use engine::{Choice, Engine, Level, Library, Options, Request, Restriction, Stop, TimeControl};
use goban::{Color, Diagram, Game, Move, Point, Rules, Size};
use knowledge::Book;
use policy::{Model, Use};

fn weights() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights")
}

fn library() -> Arc<Library> {
    static LIBRARY: OnceLock<Arc<Library>> = OnceLock::new();
    let load = |of: Use, _: Size| {
        let name = if of == Use::Uct { "uct9.model" } else { "mc9.model" };
        Model::from_bytes(&std::fs::read(weights().join(name)).unwrap()).unwrap()
    };
    LIBRARY.get_or_init(|| Arc::new(Library::new(load))).clone()
}

fn engine(options: Options) -> Engine {
    let mut engine = Engine::new(library(), Options { megabytes: 32, ..options });
    engine.set_game(Game::new(Size::NINE, Rules::CHINESE, 7.0));
    engine
}

fn quick() -> Options {
    Options { visits: Some(200), ..Options::default() }
}

fn at(diagram: &str, to_move: Color, rules: Rules, komi: f32) -> Game {
    let board = Diagram::parse(diagram).unwrap().board;
    Game::from_position(board, to_move, rules, komi)
}

fn genmove(engine: &mut Engine) -> Choice {
    let color = engine.game().to_move();
    engine.think(color, &Request::default(), &Stop::new(), &mut |_| {})
}

/// Both sides live; the white stones at C3 and the black one at H7 do not.
const ENDED: &str = "
    . . X X O . . . .
    . . X O O . O O .
    . . X O . . O X .
    . X X O . O O . .
    . X O O O O . O .
    . X X X O . . . .
    . . O X O . O . .
    . . . X O O . . .
    . . . X X O . . .";

#[test]
fn dead_stones_are_seen_and_the_score_is_counted_without_them() {
    let mut engine = engine(quick());
    engine.set_game(at(ENDED, Color::Black, Rules::CHINESE, 7.0));
    let judgement = engine.judge();
    let dead: Vec<String> = judgement.marks.dead.iter().map(|p| p.to_string()).collect();
    assert_eq!(dead, ["C3", "H7"]);
    assert_eq!(judgement.score, 32.0 - 49.0 - 7.0);
}

/// Walls of both players, and the way around them open: nothing is surrounded yet.
const WALLS: &str = "
    . . . . . . . . .
    . . X . X O . O .
    . . X . X O . O .
    . . X . X O . O .
    . . X . X O . O .
    . . X . X O . O .
    . . X . X O . O .
    . . X . X O . O .
    . . X . X O . O .";

#[test]
fn open_ground_counts_as_it_is_expected_to_be_shared() {
    let mut engine = engine(quick());
    // Black has nine points more, either way; all stand around as many stones.
    for rules in [Rules::CHINESE, Rules::JAPANESE] {
        engine.set_game(at(WALLS, Color::Black, rules, 0.5));
        let score = engine.judge().score;
        assert!((5.0..12.0).contains(&score), "{rules:?}: {score}");
    }
    // When the game has ended it is nobody's.
    let mut game = at(WALLS, Color::Black, Rules::JAPANESE, 0.5);
    (0..2).for_each(|_| game.play(Move::Pass).unwrap());
    engine.set_game(game);
    assert_eq!(engine.judge().score, -0.5);
    // Ground with one stone in it is nobody's yet either.
    engine.set_game(at(ONE_STONE, Color::White, Rules::CHINESE, 7.0));
    let score = engine.judge().score;
    assert!((-10.0..25.0).contains(&score), "{score}");
}

const ONE_STONE: &str = "
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .";

#[test]
fn dame_count_for_nobody_before_the_game_has_ended() {
    let row = "\n. X . X X . O . O";
    for (rules, lead) in [(Rules::CHINESE, 45.0 - 27.0), (Rules::JAPANESE, 18.0 - 9.0)] {
        let mut engine = engine(quick());
        engine.set_game(at(&row.repeat(9), Color::Black, rules, 0.5));
        assert_eq!(engine.judge().score, lead - 0.5, "{rules:?}");
    }
}

#[test]
fn stones_in_seki_live_and_their_points_count_for_nobody() {
    // White's E column and Black's F column share F9 and F1.
    let seki = "
        . X . X O . X O .
        X X X X O X X O O
        . X . X O X O O .
        X X X X O X O . O
        . X . X O X O O O
        X X X X O X O . O
        . X . X O X O O O
        X X X X O X X O .
        . X . X O . X O O";
    let mut engine = engine(quick());
    engine.set_game(at(seki, Color::Black, Rules::JAPANESE, 0.5));
    let judgement = engine.judge();
    let shared: Vec<String> = judgement.shared.iter().map(|p| p.to_string()).collect();
    assert_eq!(shared, ["F1", "F9"]);
    // They are not a reason to play on.
    for color in Color::BOTH {
        let mut game = at(seki, !color, Rules::JAPANESE, 0.5);
        game.play(Move::Pass).unwrap();
        engine.set_game(game);
        assert_eq!(genmove(&mut engine), Choice::Play(Move::Pass), "{color:?}");
    }
    assert!(!judgement.marks.dead.contains(Point::parse("E5").unwrap()), "{:?}", judgement.marks);
    assert!(!judgement.marks.dead.contains(Point::parse("F5").unwrap()), "{:?}", judgement.marks);
    // Under territory rules the surroundings of stones in seki count nothing.
    let marked = |p: &str| judgement.marks.seki.contains(Point::parse(p).unwrap());
    assert!(marked("E5") && marked("F5"), "{:?}", judgement.marks);
}

/// A won game in which White has just put the stone at T12 into atari. Every playout answers at T13, so
/// that all looks settled; without the answer the corner dies.
const THREAT: &str = "
    . . . . . . . O O X X . . . . X . . .
    . . . . . . . O X X . X . X X . X O .
    . . O O . . O O O O X X X O . X O . .
    . O . O . O O O O O X X O O . X . O X
    . X O . O O O X X X . . X X X . . X .
    . . X O X O X X . O X X . O . . X . .
    . . O O X O O X . X . . O O . . . X .
    O O O O X X O X . O O O . . . . X O X
    O O O X X O O X O O X X X . . . X O .
    X O X X X X X X O X . . . . X X O O O
    X X X O O O O X X X X X O . X O . O .
    X X X O . . O X X O O X X X X O O X .
    X O X X O O O O O O O X X O O O O O O
    X O O O . . . O O O X X X O O X X O X
    X O O . . O . . O X . X O . . O X X X
    X O O O . O O O X X X X O O O O X . .
    X O X X O O O . O O O X O O X X . . .
    X X X O O O . . O X X O . O O X X X .
    . . X O O X X X X . . . O . O O O X .";

#[test]
fn a_threat_is_answered_though_all_looks_settled() {
    let load = |of: Use, _: Size| {
        let name = if of == Use::Uct { "uct19.model" } else { "mc19.model" };
        Model::from_bytes(&std::fs::read(weights().join(name)).unwrap()).unwrap()
    };
    let options = Options { visits: Some(400), megabytes: 64, ..Options::default() };
    let mut engine = Engine::new(Arc::new(Library::new(load)), options);
    let mut game = at(THREAT, Color::White, Rules::CHINESE, 7.5);
    let point = |name: &str| Point::new(18, name[1..].parse::<u8>().unwrap() - 1);
    game.play(Move::Play(point("T11"))).unwrap();
    engine.set_game(game);
    assert_eq!(genmove(&mut engine), Choice::Play(Move::Play(point("T13"))));
}

#[test]
fn a_settled_game_is_passed_out_under_friendly_rules() {
    for rules in [Rules::CHINESE, Rules::JAPANESE] {
        for color in Color::BOTH {
            let mut engine = engine(quick());
            let mut game = at(ENDED, !color, rules, 0.5);
            game.play(Move::Pass).unwrap();
            engine.set_game(game);
            let choice = genmove(&mut engine);
            let lost = color == Color::Black;
            // The winner passes; the loser passes, resigns or tries something.
            assert!(lost || choice == Choice::Play(Move::Pass), "{rules:?} {color:?} {choice:?}");
        }
    }
}

#[test]
fn the_winner_passes_first_where_nothing_is_left() {
    for rules in [Rules::CHINESE, Rules::JAPANESE] {
        let mut engine = engine(quick());
        engine.set_game(at(ENDED, Color::White, rules, 0.5));
        assert_eq!(genmove(&mut engine), Choice::Play(Move::Pass), "{rules:?}");
    }
}

#[test]
fn enough_is_taken_off_where_the_board_counts_as_it_stands() {
    // On the board as it stands Black has 15 points and White 22, with this komi a loss.
    for rules in [Rules::CGOS, Rules { as_it_stands: true, ..Rules::CHINESE }] {
        let mut engine = engine(quick());
        let mut game = at(ENDED, Color::Black, rules, -8.5);
        game.play(Move::Pass).unwrap();
        engine.set_game(game);
        assert!(engine.game().score(&Default::default()) > 0.0);
        for _ in 0..8 {
            let Choice::Play(mv) = genmove(&mut engine) else { panic!("resigned a won game") };
            if mv == Move::Pass {
                break;
            }
            engine.play(Color::White, mv).unwrap();
            engine.play(Color::Black, Move::Pass).unwrap();
        }
        let board = Diagram::new(engine.game().board());
        assert!(engine.game().score(&Default::default()) < 0.0, "passed too early: {board}");
    }
}

#[test]
fn it_resigns_only_what_is_clearly_lost_and_never_when_told_not_to() {
    let hopeless = "
        O O O O O O O O O
        O O O O O O O . O
        O O O . O O O O O
        O O O O O O O O O
        O . O O O O O O O
        X X X X X X X X X
        X . X X . X X X X
        X X X X X X . X X
        X X X X X X X X X";
    for (resign, resigns) in [(Some(0.1), true), (None, false)] {
        let mut engine = engine(Options { resign, ..quick() });
        let mut game = at(hopeless, Color::Black, Rules::CGOS, 7.0);
        let passes = 40;
        for _ in 0..passes {
            game.play(Move::Pass).unwrap();
        }
        engine.set_game(game);
        // Once is not enough, nor is it to be asked again.
        let asked: Vec<Choice> = (0..4).map(|_| genmove(&mut engine)).collect();
        assert!(!asked.contains(&Choice::Resign), "{asked:?}");
        let mut choices = Vec::new();
        for _ in 0..3 {
            choices.push(genmove(&mut engine));
            let Some(&Choice::Play(mv)) = choices.last() else { break };
            engine.play(Color::Black, mv).unwrap();
            engine.play(Color::White, Move::Pass).unwrap();
        }
        assert_eq!(choices.contains(&Choice::Resign), resigns, "{choices:?}");
    }
}

#[test]
fn a_few_lost_playouts_are_no_reason_to_resign() {
    let level = Some("20k".parse().unwrap());
    for seed in 0..100 {
        let options = Options { level, resign: Some(0.1), seed, ..Options::default() };
        let mut engine = engine(options);
        // White is ahead, but all is open.
        let mut game = Game::new(Size::NINE, Rules::CHINESE, 14.0);
        for _ in 0..20 {
            game.play(Move::Pass).unwrap();
        }
        engine.set_game(game);
        for _ in 0..4 {
            assert_ne!(genmove(&mut engine), Choice::Resign, "{seed}");
            engine.play(Color::Black, Move::Pass).unwrap();
            engine.play(Color::White, Move::Pass).unwrap();
        }
    }
}

#[test]
fn without_time_or_when_stopped_at_once_it_makes_a_move_all_the_same() {
    let mut engine = engine(Options::default());
    engine.set_time(TimeControl::Absolute { main: Duration::from_secs(10) });
    engine.set_time_left(Color::Black, Duration::ZERO, 0);
    let choice = genmove(&mut engine);
    assert!(matches!(choice, Choice::Play(Move::Play(_))), "{choice:?}");
    engine.set_time(TimeControl::None);
    engine.play(Color::Black, Move::Play(Point::parse("E5").unwrap())).unwrap();
    engine.forget();
    let stop = Stop::new();
    stop.raise();
    let choice = engine.think(Color::White, &Request::default(), &stop, &mut |_| {});
    assert!(matches!(choice, Choice::Play(Move::Play(_))), "{choice:?}");
}

#[test]
fn a_pass_is_not_made_where_it_is_not_allowed() {
    let pass = || Restriction { color: Color::White, moves: vec![Move::Pass], until_depth: 1 };
    let point = Restriction { moves: vec![Move::Play(Point::parse("H6").unwrap())], ..pass() };
    let avoiding = Request { avoid: vec![pass()], ..Request::default() };
    let allowing = Request { allow: vec![point], ..Request::default() };
    for request in [avoiding, allowing] {
        let mut engine = engine(quick());
        engine.set_game(at(ENDED, Color::White, Rules::CHINESE, 0.5));
        let choice = engine.think(Color::White, &request, &Stop::new(), &mut |_| {});
        assert!(matches!(choice, Choice::Play(Move::Play(_))), "{choice:?}");
    }
}

#[test]
fn a_second_pass_counts_without_the_stones_that_are_dead() {
    for (rules, komi) in [(Rules::CHINESE, -8.5), (Rules::JAPANESE, -9.5)] {
        let mut engine = engine(quick());
        let mut game = at(ENDED, Color::White, rules, komi);
        game.play(Move::Pass).unwrap();
        engine.set_game(game);
        assert!(engine.judge().score < 0.0, "{rules:?}");
        let pass = Restriction { color: Color::Black, moves: vec![Move::Pass], until_depth: 1 };
        let request = Request { visits: Some(50), allow: vec![pass], ..Request::default() };
        let report = engine.analyse(Color::Black, &request, &Stop::new(), &mut |_| {});
        let pass = report.candidates.first().expect("the only move that is allowed");
        assert!(pass.mv == Move::Pass && pass.winrate < 0.1, "{rules:?} {pass:?}");
    }
}

#[test]
fn the_clock_is_kept() {
    // But for the clock, each move would take a day.
    let day = Options { time: Duration::from_secs(86_400), ..Options::default() };
    let mut engine = engine(day);
    engine.set_time(TimeControl::Absolute { main: Duration::from_secs(2) });
    for _ in 0..20 {
        let Choice::Play(mv) = genmove(&mut engine) else { break };
        let color = engine.game().to_move();
        engine.play(color, mv).unwrap();
    }
    // And but for the options, one without a clock.
    engine.set_time(TimeControl::None);
    engine.set_options(Options {
        time: Duration::from_millis(100),
        megabytes: 32,
        ..Options::default()
    });
    genmove(&mut engine);
}

#[test]
fn every_level_plays_to_the_end_without_nonsense() {
    for level in Level::ladder().step_by(3) {
        let options = Options { level: Some(level), resign: None, ..Options::default() };
        let mut engine = engine(options);
        while !engine.game().is_over() && engine.game().moves().len() < 250 {
            let color = engine.game().to_move();
            let Choice::Play(mv) = genmove(&mut engine) else { panic!("told not to resign") };
            if let Move::Play(p) = mv {
                assert!(!engine.game().board().is_eye(p, color), "{level} fills its own eye {p}");
            }
            engine.play(color, mv).unwrap();
        }
        assert!(engine.game().is_over(), "{level}: {}", Diagram::new(engine.game().board()));
    }
}

#[test]
fn what_hangs_is_taken_at_every_level() {
    let hanging = "
        . . . . . . . . .
        . . X X X X X . .
        . X O O O O O X .
        . X O X X X O X .
        . X O X . X O X .
        . X O X X X O . .
        . X O O O O O X .
        . . X X X X X . .
        . . . . . . . . .";
    for level in Level::ladder() {
        let options = Options { level: Some(level), ..Options::default() };
        let mut engine = engine(options);
        engine.set_game(at(hanging, Color::Black, Rules::CHINESE, 7.0));
        assert_eq!(
            genmove(&mut engine),
            Choice::Play(Move::Play(Point::parse("H4").unwrap())),
            "{level}"
        );
    }
}

#[test]
fn levels_take_and_save_stones_in_atari_as_a_rule() {
    // White's three stones can get away. To a model of shapes many other moves look better.
    let three = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X X X . . .
        . . X O O O . . .
        . . . X X X . . .
        . . O . . . O . .
        . . . . . . . . .
        . . . . . . . . .";
    let wanted = Choice::Play(Move::Play(Point::parse("G5").unwrap()));
    for level in ["20k", "16k", "10k", "4k"] {
        let level: Level = level.parse().unwrap();
        let tries = (1..=10).flat_map(|seed| Color::BOTH.map(|color| (seed, color)));
        let done = tries.filter(|&(seed, color)| {
            let options = Options { level: Some(level), seed, resign: None, ..Options::default() };
            let mut engine = engine(options);
            engine.set_game(at(three, color, Rules::CHINESE, 7.0));
            genmove(&mut engine) == wanted
        });
        let done = done.count();
        assert!(done >= 14, "{level}: {done} of 20");
    }
}

#[test]
fn levels_explain_the_move_that_they_play() {
    let mut drawn = 0;
    for seed in 1..=20 {
        let mut engine =
            engine(Options { level: Some(Level::WEAKEST), seed, ..Options::default() });
        let played = genmove(&mut engine);
        let Choice::Play(Move::Play(p)) = played else { panic!("{played:?}") };
        engine.play(Color::Black, Move::Play(p)).unwrap();
        let words = engine.explain(engine::Language::English);
        let explanation = words.lines().nth(1).unwrap_or_default();
        assert!(explanation.contains(&p.to_string()), "{words}");
        if explanation.contains("was drawn as people play") {
            drawn += 1;
            assert!(!words.contains("best move") && !words.contains("search found"), "{words}");
        }
    }
    assert!((1..20).contains(&drawn), "{drawn} of 20 were hardly looked at");
}

#[test]
fn handicap_games_are_fought_and_explained() {
    let stones = ["C3", "G7", "C7", "G3"].map(|p| Point::parse(p).unwrap());
    let game = Game::with_handicap(Size::NINE, Rules::CHINESE, 0.5, &stones).unwrap();
    let mut engine = engine(quick());
    engine.set_game(game);
    // What is told is the game's, though playouts are given more komi.
    let mut explanation = None;
    let choice = engine.think(Color::White, &Request::default(), &Stop::new(), &mut |report| {
        explanation = Some((report.winrate, report.score));
    });
    assert!(matches!(choice, Choice::Play(Move::Play(_))));
    let report = engine.analyse(
        Color::White,
        &Request { visits: Some(200), ..Request::default() },
        &Stop::new(),
        &mut |_| {},
    );
    let (winrate, score) = explanation.unwrap();
    assert!((winrate - report.winrate).abs() < 0.15, "{winrate} {}", report.winrate);
    assert!((score - report.score).abs() < 12.0, "{score} {}", report.score);
    let words = engine.explain(engine::Language::English);
    assert!(words.contains("I played") && words.contains("playouts"), "{words}");
}

#[test]
fn a_book_makes_games_differ() {
    // A book of four first moves, each with a few answers; without one a seed plays one opening.
    let mut book = Book::new(Size::NINE);
    let moves = ["E5", "C3", "D4", "E3", "C4", "F5", "G3", "E6"].map(|p| Point::parse(p).unwrap());
    for (i, &first) in moves.iter().enumerate() {
        let mut board = goban::Board::new(Size::NINE);
        book.add(&board, Color::Black, first, i % 2 == 0);
        board.play(first, Color::Black).unwrap();
        for (j, &answer) in moves.iter().enumerate().filter(|(j, _)| *j != i) {
            let mut board = board.clone();
            book.add(&board, Color::White, answer, j % 2 == 0);
            board.play(answer, Color::White).unwrap();
            for &third in moves.iter().filter(|&&p| p != first && p != answer) {
                book.add(&board, Color::Black, third, true);
            }
        }
    }
    let options = Options { book: Some(Arc::new(book)), visits: Some(4), ..Options::default() };
    let mut engine = engine(options);
    let mut games = std::collections::HashSet::new();
    for _ in 0..20 {
        engine.set_game(Game::new(Size::NINE, Rules::CHINESE, 7.0));
        let mut line = Vec::new();
        for _ in 0..8 {
            let color = engine.game().to_move();
            let Choice::Play(mv) = genmove(&mut engine) else { panic!("resigned") };
            engine.play(color, mv).unwrap();
            line.push(mv.to_string());
        }
        assert!(games.insert(line.join(" ")), "played twice: {}", line.join(" "));
    }
}

#[test]
fn no_game_of_twenty_is_played_again() {
    // A book of one move leaves nothing to chance: without variety a seed plays one game.
    let mut book = Book::new(Size::NINE);
    let centre = Point::parse("E5").unwrap();
    book.add(&goban::Board::new(Size::NINE), Color::Black, centre, true);
    let book = Some(Arc::new(book));
    let play = |book: Option<Arc<Book>>| {
        let mut engine = engine(Options { book, visits: Some(60), ..Options::default() });
        let mut games = std::collections::HashSet::new();
        for _ in 0..20 {
            engine.forget();
            engine.set_game(Game::new(Size::NINE, Rules::CHINESE, 7.0));
            for _ in 0..20 {
                let color = engine.game().to_move();
                let Choice::Play(mv) = genmove(&mut engine) else { panic!("resigned") };
                engine.play(color, mv).unwrap();
            }
            games.insert(format!("{:?}", engine.game().moves()));
        }
        games.len()
    };
    assert_eq!(play(book), 20);
    assert_eq!(play(None), 1, "a test that could not fail is not one");
}

#[test]
fn a_move_of_the_book_is_explained() {
    let mut book = Book::new(Size::NINE);
    let centre = Point::parse("E5").unwrap();
    for won in [true, true, false] {
        book.add(&goban::Board::new(Size::NINE), Color::Black, centre, won);
    }
    let mut engine = engine(Options { book: Some(Arc::new(book)), ..Options::default() });
    engine.set_game(Game::new(Size::NINE, Rules::CHINESE, 7.0));
    assert_eq!(genmove(&mut engine), Choice::Play(Move::Play(centre)));
    let words = engine.explain(engine::Language::English);
    assert!(words.contains("opening book: played here in 3 games, 67 % of them won"), "{words}");
    let words = engine.explain(engine::Language::Japanese);
    assert!(words.contains("3局") && words.contains("67%"), "{words}");
}

#[test]
fn the_player_that_goes_by_knowledge_plays_and_names_its_pattern() {
    let knowledge = Some(engine::Knowledge::default());
    let mut engine = engine(Options { knowledge, visits: Some(60), ..Options::default() });
    // Four stones around one in atari: a pattern takes it.
    engine.set_game(at(
        ". . . . . . . . .
         . . . . . . . . .
         . . . X . . . . .
         . . X O . . . . .
         . . . X . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
        Color::Black,
        Rules::CHINESE,
        0.5,
    ));
    let choice = genmove(&mut engine);
    assert!(matches!(choice, Choice::Play(Move::Play(_))));
    assert!(engine.fired().contains_key("take one stone"), "{:?}", engine.fired());
    let words = engine.explain(engine::Language::English);
    assert!(words.contains("proposed it"), "{words}");
}

#[test]
fn the_player_that_goes_by_knowledge_does_not_speak_of_a_search() {
    // Without patterns, its moves are often unusual for the move model.
    let knowledge = Some(engine::Knowledge { patterns: None, few: 20 });
    let mut engine = engine(Options { knowledge, visits: Some(60), ..Options::default() });
    let (mut english, mut japanese) = (String::new(), String::new());
    for _ in 0..12 {
        let color = engine.game().to_move();
        let Choice::Play(mv) = genmove(&mut engine) else { break };
        english += &engine.explain(engine::Language::English);
        japanese += &engine.explain(engine::Language::Japanese);
        engine.play(color, mv).unwrap();
    }
    assert!(english.contains("%): it did best in the playouts."), "{english}");
    assert!(japanese.contains("プレイアウトの成績が最も良い手"), "{japanese}");
    for word in ["search", "探索", "読み"] {
        assert!(!english.contains(word) && !japanese.contains(word), "{word}: {english}{japanese}");
    }
}

#[test]
fn groups_and_territory_are_seen_with_what_is_dead() {
    let mut engine = engine(quick());
    engine.set_game(at(ENDED, Color::Black, Rules::CHINESE, 7.0));
    let assessment = engine.assess();
    let dead: Vec<String> = assessment.groups.dead().iter().map(|p| p.to_string()).collect();
    assert!(dead.contains(&"C3".to_owned()) && dead.contains(&"H7".to_owned()), "{dead:?}");
    let owner = |name: &str| assessment.by_ownership.owner[Point::parse(name).unwrap()];
    assert_eq!((owner("A1"), owner("C3")), (Some(Color::Black), Some(Color::Black)));
    assert_eq!((owner("J9"), owner("H7")), (Some(Color::White), Some(Color::White)));
}

#[test]
fn a_candidate_is_explained_beside_the_best() {
    let mut engine = engine(quick());
    let request = Request { visits: Some(200), ..Request::default() };
    let report = engine.analyse(Color::Black, &request, &Stop::new(), &mut |_| ());
    let [best, other] = [0, 1].map(|i| report.candidates[i].mv);
    let explanation = engine.explain_candidate(&report, best).unwrap();
    assert!(explanation.best.mv == best && explanation.played.is_none());
    let explanation = engine.explain_candidate(&report, other).unwrap();
    assert_eq!(
        (explanation.best.mv, explanation.played.as_ref().map(|played| played.mv)),
        (best, Some(other))
    );
    let said = explanation.sentences(engine::Language::English).join(" ");
    assert!(said.contains(&best.to_string()) && said.contains(&other.to_string()), "{said}");
    // A move that nobody looked at is not talked about.
    assert!(engine.explain_candidate(&report, Move::Play(Point::parse("A1").unwrap())).is_none());
}
