//! A review finds what decided a game, keeps what was in the record, and ends when it is told to.

use std::path::Path;
use std::sync::Arc;

use engine::review::Effort;
use engine::{Engine, Language, Library, Options};
use goban::{Color, Game, Move, Point, Rules, Size};
use kifu::{Record, Tree};
use lab::page::Page;
use lab::review::{Review, annotate};
use policy::{Model, Use};

fn engine() -> Engine {
    let load = |of: Use, _: Size| {
        let name = if of == Use::Uct { "uct9.model" } else { "mc9.model" };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights").join(name);
        Model::from_bytes(&std::fs::read(path).unwrap()).unwrap()
    };
    let options = Options { megabytes: 32, ..Options::default() };
    Engine::new(Arc::new(Library::new(load)), options)
}

/// White answers an atari on six stones somewhere else.
const BLUNDER: &str = "(;SZ[9]KM[0.5]PB[Kuro]PW[Shiro]\
    AB[ce][de][ee][fe][ge][he][ie][bf][bg][bh][ai]AW[ae][be][af][cf][df][ef][ff][gf][hf][if][cg][ad][bd]\
    [ag][ah];B[bi]C[An old comment \\] here]XX[kept];W[ba]BM[1](;B[gb];W[gc])(;B[hh]))";

fn read() -> (Tree, Record, Game, Vec<(Color, Move)>) {
    let (trees, _) = kifu::read(BLUNDER.as_bytes());
    let tree = trees.into_iter().next().unwrap();
    let record = Record::new(&tree, &mut Vec::new()).unwrap();
    let board = goban::Board::with_stones(record.size, record.stones.iter().copied()).unwrap();
    let start = Game::from_position(board, Color::Black, Rules::CHINESE, 0.5);
    let moves = record.moves.iter().map(|m| (m.color, m.point.map_or(Move::Pass, Move::Play)));
    let moves = moves.collect();
    (tree, record, start, moves)
}

#[test]
fn what_was_in_the_record_stays() {
    let (mut tree, record, start, moves) = read();
    let effort = Effort { visits: Some(60), time: None, mistakes: 3 };
    let review = Review::new(&mut engine(), &start, &moves, &effort, &mut |_| true);
    assert_eq!(review.standings.len(), moves.len() + 1);
    annotate(&mut tree, &record, &review, Language::English);
    let text = tree.to_sgf();
    for kept in ["An old comment \\] here", "XX[kept]", "BM[1]", "B[hh]", "PB[Kuro]", "W[gc]"] {
        assert!(text.contains(kept), "{kept} is not in {text}");
    }
    assert_eq!(text.matches("Harie: Black wins").count(), moves.len() + 1);
    // The main line is the game's, whatever was added.
    let again = kifu::read(text.as_bytes()).0.into_iter().next().unwrap();
    let line = |record: &Record| record.moves.iter().map(|m| m.point).collect::<Vec<_>>();
    let read_back = Record::new(&again, &mut Vec::new()).unwrap();
    assert_eq!(line(&read_back), line(&record));
    // A second review says nothing twice.
    let before = tree.to_sgf();
    let none = Review { mistakes: Vec::new(), ..review.clone() };
    annotate(&mut tree, &record, &none, Language::English);
    assert_eq!(tree.to_sgf(), before);
    let mut page = Page::new("a game");
    page.review("How it went", &review);
    assert!(page.to_html().contains("How often Black wins"));
}

#[test]
fn it_ends_when_it_is_told_to_and_keeps_what_it_has() {
    let (_, _, start, moves) = read();
    let effort = Effort { visits: Some(40), time: None, mistakes: 3 };
    let review = Review::new(&mut engine(), &start, &moves, &effort, &mut |done| done < 2);
    assert_eq!((review.standings.len(), review.last()), (2, 1));
    assert!(review.mistakes.iter().all(|mistake| mistake.number == 1));
}

#[test]
fn a_thrown_away_game_is_noticed() {
    // Black leaves five stones in atari.
    let text = "(;SZ[9]AB[cc][dc][ec][cd][dd][gg][eg][gc]AW[cb][db][eb][bc][bd][ce][de][ed];\
        B[hh];W[fc])";
    let (trees, _) = kifu::read(text.as_bytes());
    let record = Record::new(&trees[0], &mut Vec::new()).unwrap();
    let board = goban::Board::with_stones(record.size, record.stones.iter().copied()).unwrap();
    let start = Game::from_position(board, Color::Black, Rules::CHINESE, -4.5);
    let moves: Vec<(Color, Move)> =
        record.moves.iter().map(|m| (m.color, m.point.map_or(Move::Pass, Move::Play))).collect();
    let effort = Effort { visits: Some(1000), time: None, mistakes: 3 };
    let review = Review::new(&mut engine(), &start, &moves, &effort, &mut |_| true);
    // Stopped after the second position, it tells what it had noticed.
    let stopped = Review::new(&mut engine(), &start, &moves, &effort, &mut |done| done < 2);
    assert_eq!((stopped.standings.len(), stopped.last()), (2, 1));
    let [noticed] = stopped.mistakes.as_slice() else { panic!("{:?}", stopped.standings) };
    assert_eq!((noticed.number, noticed.played()), (1, Move::Play(Point::new(7, 1))));
    let [before, after, ..] = review.standings.as_slice() else { panic!("{:?}", review.standings) };
    let (winrate, points) = (before.winrate - after.winrate, before.score - after.score);
    assert!(winrate > 0.08 && points > 2.0, "{:?}", review.standings);
    let [mistake] = review.mistakes.as_slice() else { panic!("{:?}", review.standings) };
    assert_eq!((mistake.number, mistake.explanation.best.mv), (1, Move::Play(Point::new(5, 6))));
    let words = mistake.explanation.sentences(Language::English).join(" ");
    assert!(words.contains("brings the five black stones at C7 out of atari"), "{words}");
    assert!(words.contains("After H2 the five black stones at C7 die with"), "{words}");
}
