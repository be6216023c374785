//! Kos, superkos, suicide, undo and handicap in whole games.

use goban::{Board, Cell, Color, Diagram, Game, Illegal, Ko, Move, Point, Rules, Size, zobrist};

fn at(text: &str) -> Move {
    Move::Play(Point::parse(text).unwrap())
}

fn game(diagram: &str, to_move: Color, rules: Rules) -> Game {
    let board = Diagram::parse(diagram).unwrap().board;
    Game::from_position(board, to_move, rules, 0.0)
}

const KO: &str = "
    . X O .
    X . X O
    . X O .
    . . . .";

#[test]
fn a_ko_may_not_be_taken_back_at_once() {
    for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
        let mut game = game(KO, Color::White, Rules { ko, ..Rules::CHINESE });
        game.play(at("B3")).unwrap();
        assert_eq!(game.board().cell(Point::parse("C3").unwrap()), Cell::Empty);
        assert_eq!(game.prisoners(), [0, 1]);
        assert_eq!(game.play(at("C3")), Err(Illegal::Ko));
        // After a threat and its answer it may.
        game.play(at("A1")).unwrap();
        game.play(at("D1")).unwrap();
        game.play(at("C3")).unwrap();
        assert_eq!(game.prisoners(), [1, 1]);
    }
}

#[test]
fn the_ko_point_is_free_for_its_owner_and_after_a_pass() {
    let mut game = game(KO, Color::White, Rules::CHINESE);
    game.play(at("B3")).unwrap();
    assert_eq!(game.board().ko(Color::Black), Point::parse("C3"));
    assert_eq!(game.board().ko(Color::White), None);
    // White may fill what Black may not take back.
    let mut filled = game.clone();
    filled.play_as(Color::White, at("C3")).unwrap();
    game.play(Move::Pass).unwrap();
    assert_eq!(game.board().ko(Color::Black), None);
    game.play_as(Color::Black, at("C3")).unwrap();
    assert_eq!(game.prisoners(), [1, 1]);
}

/// Sending two, returning one: White adds B1, Black takes both stones at D1, White takes that stone
/// at C1, and the position is back with the other player to move.
const SEND_TWO: &str = "
    . . . . .
    . . . . .
    . . . . .
    . X X O .
    X . O . O";

#[test]
fn sending_two_returning_one_tells_the_superkos_apart() {
    let sent = |rules: Rules| {
        let mut game = game(SEND_TWO, Color::White, rules);
        game.play(at("B1")).unwrap();
        game.play(at("D1")).unwrap();
        assert_eq!(game.prisoners(), [2, 0]);
        game
    };
    assert_eq!(sent(Rules::CHINESE).play(at("C1")), Ok(()));
    assert_eq!(sent(Rules::CGOS).play(at("C1")), Err(Illegal::Superko));
    // The same position, but Black is to move: only the next round repeats the situation.
    let mut situational = sent(Rules::AGA);
    situational.play(at("C1")).unwrap();
    situational.play(Move::Pass).unwrap();
    assert_eq!(situational.play(at("B1")), Err(Illegal::Superko));
    let mut simple = sent(Rules::CHINESE);
    simple.play(at("C1")).unwrap();
    simple.play(Move::Pass).unwrap();
    assert_eq!(simple.play(at("B1")), Ok(()));
}

/// Black holds the upper two kos, White the lowest: six captures lead back to this position.
const TRIPLE_KO: &str = "
    . X O . . . . . .
    X . X O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X . X O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .";

#[test]
fn a_triple_ko_ends_by_superko_only() {
    for rules in [Rules::CHINESE, Rules::CGOS, Rules::AGA] {
        let mut game = game(TRIPLE_KO, Color::White, rules);
        let start = game.hash();
        for point in ["B8", "C2", "B5", "C8", "B2"] {
            game.play(at(point)).unwrap();
        }
        let closes = game.play(at("C5"));
        if rules.ko == Ko::Simple {
            assert_eq!((closes, game.hash()), (Ok(()), start));
        } else {
            assert_eq!(closes, Err(Illegal::Superko));
        }
    }
}

#[test]
fn undo_restores_everything() {
    let mut game = Game::new(Size::new(5).unwrap(), Rules::TROMP_TAYLOR, 7.5);
    let mut states = vec![];
    let mut n = 1u64;
    for _ in 0..600 {
        n = n.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let p = Point::new((n >> 33) as u8 % 5, (n >> 43) as u8 % 5);
        let mv = if (n >> 53).is_multiple_of(12) { Move::Pass } else { Move::Play(p) };
        let state = (game.board().to_string(), game.hash(), game.prisoners(), game.to_move());
        if game.play(mv).is_ok() {
            states.push((state, mv));
            assert_eq!(game.hash(), zobrist::of(game.board()));
        }
    }
    assert!(states.len() > 60 && game.prisoners().iter().all(|&n| n > 0));
    while let Some((state, mv)) = states.pop() {
        assert_eq!(game.undo().map(|(_, mv)| mv), Some(mv));
        let now = (game.board().to_string(), game.hash(), game.prisoners(), game.to_move());
        assert_eq!(now, state);
        // Superko memory is wound back too: the move is legal again.
        assert_eq!(game.check(game.to_move(), mv), Ok(()));
    }
    assert_eq!(game.undo(), None);
}

#[test]
fn suicide_takes_the_chain_off_where_it_is_allowed() {
    let diagram = "
        . X O . .
        X X O . .
        O O O . .
        . . . . .
        . . . . .";
    let mut strict = game(diagram, Color::Black, Rules::CHINESE);
    assert_eq!(strict.play(at("A5")), Err(Illegal::Suicide));
    let mut free = game(diagram, Color::Black, Rules::NEW_ZEALAND);
    free.play(at("A5")).unwrap();
    assert_eq!(free.board().stones(Color::Black), 0);
    assert_eq!(free.prisoners(), [0, 4]);
    assert_eq!(free.hash(), zobrist::of(free.board()));
    // A lone stone never.
    let mut lone = game(". X\nX .", Color::White, Rules::TROMP_TAYLOR);
    assert_eq!(lone.play(at("A2")), Err(Illegal::Suicide));
}

#[test]
fn nonsense_is_refused_with_a_reason() {
    let mut game = Game::new(Size::NINE, Rules::CHINESE, 7.0);
    game.play(at("E5")).unwrap();
    assert_eq!(game.play(at("E5")), Err(Illegal::Occupied));
    assert_eq!(game.play(at("T19")), Err(Illegal::OffBoard));
    assert_eq!(Illegal::Occupied.to_string(), "the point is occupied");
    assert_eq!(game.moves().len(), 1);
}

#[test]
fn stones_that_white_sets_up_as_well_are_no_handicap() {
    let stones = goban::handicap::fixed(Size::NINE, 4).unwrap();
    let mut game = Game::with_handicap(Size::NINE, Rules::CHINESE, 0.5, &stones).unwrap();
    let point = |name: &str| Move::Play(Size::NINE.parse_point(name).unwrap());
    let score = |game: &Game| game.score(&Default::default());
    game.play_as(Color::White, point("E5")).unwrap();
    assert_eq!((game.handicap(), score(&game)), (4, 4.0 - 1.0 - 0.5 - 4.0));
    game.play_as(Color::White, point("E3")).unwrap();
    assert_eq!((game.handicap(), score(&game)), (0, 4.0 - 2.0 - 0.5));
    game.undo();
    assert_eq!(game.handicap(), 4);
}

#[test]
fn handicap_stones_stand_and_white_begins() {
    let stones = goban::handicap::fixed(Size::NINETEEN, 4).unwrap();
    let game = Game::with_handicap(Size::NINETEEN, Rules::CHINESE, 0.5, &stones).unwrap();
    assert_eq!((game.to_move(), game.handicap()), (Color::White, 4));
    // Area 361 less the half point and the four stones given back.
    assert_eq!(game.score(&Default::default()), 361.0 - 0.5 - 4.0);
    let twice = [stones[0], stones[0]];
    let refused = Game::with_handicap(Size::NINETEEN, Rules::CHINESE, 0.5, &twice);
    assert_eq!(refused.err(), Some((stones[0], Illegal::Occupied)));
}

#[test]
fn impossible_positions_are_refused() {
    let stones = [(Point::new(0, 0), Color::Black), (Point::new(0, 1), Color::White)];
    assert!(Board::with_stones(Size::MIN, stones).is_ok());
    let full = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(x, y)| (Point::new(x, y), Color::Black));
    assert_eq!(
        Board::with_stones(Size::MIN, full).err().map(|(_, why)| why),
        Some(Illegal::Suicide)
    );
    let off = [(Point::new(5, 5), Color::Black)];
    assert_eq!(Board::with_stones(Size::MIN, off).err(), Some((off[0].0, Illegal::OffBoard)));
}
