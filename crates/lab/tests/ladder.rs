//! The evaluation ladder against hand-made examples and against the definitions.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use goban::{Board, Color, Move, Size};
use kifu::Record;
use lab::ladder::{
    CorpusMeasured, Drawn, Evaluation, Forecast, ForecastOfPhase, Judge, KindResult, ModelMeasured,
    Nextmove, NextmoveTask, OracleMeasured, Style, SuiteResult, item_names, predict, read_oracle,
    sizes, worth,
};
use playout::{Compiled, Learned, Observer, Outcome, PlayoutSettings, Random};
use policy::{About, Follower, Model, Rater, Use};
use shape::{Dictionary, Family};
use train::{Extraction, Games};

/// Games in which every point is played at most once, so that hardly a move is illegal.
fn some_games(count: usize, side: u8, moves: usize) -> Games {
    let mut random = Random::new(5);
    let mut games = Games::new(Size::new(side as usize).unwrap());
    for _ in 0..count {
        let mut sgf = format!("(;GM[1]SZ[{side}]");
        let mut points: Vec<(u8, u8)> =
            (0..side).flat_map(|x| (0..side).map(move |y| (x, y))).collect();
        for i in 0..moves {
            let (x, y) = points.swap_remove(random.below(points.len()));
            let player = if i % 2 == 0 { 'B' } else { 'W' };
            sgf += &format!(";{player}[{}{}]", (b'a' + x) as char, (b'a' + y) as char);
        }
        sgf += ")";
        let (trees, _) = kifu::read(sgf.as_bytes());
        games.add(&Record::new(&trees[0], &mut Vec::new()).unwrap());
    }
    games
}

fn about(of: Use, side: u8) -> About {
    let text = String::from;
    About { name: text("test"), of, size: side, trained_on: text("nothing"), made_by: text("hand") }
}

/// A model with weights of its own for everything.
fn model(of: Use, games: &Games) -> Model {
    let extraction = Extraction {
        family: Family::parse("n4").unwrap(),
        min_seen: 1,
        min_played: 2,
        played_only: true,
        memory: 100_000_000,
        threads: 1,
    };
    let found = extraction.run(games, &train::Meter::default(), None).unwrap();
    let dictionary = found.done().unwrap();
    let weight = |i: usize| 0.5 + (i * 7919 % 101) as f32 / 50.0;
    let features = (0..of.features()).map(weight).collect();
    let shapes = (0..dictionary.len()).map(|i| weight(i + 31)).collect();
    Model::new(about(of, games.size().side()), features, dictionary, shapes, 1.3, 0.001).unwrap()
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-5, "{a} is not {b}");
}

#[test]
fn the_items_of_two_moves_by_hand() {
    let mut games = Games::new(Size::new(3).unwrap());
    let (trees, _) = kifu::read(b"(;SZ[3];B[bb];W[aa];B[])");
    games.add(&Record::new(&trees[0], &mut Vec::new()).unwrap());
    // Everything is alike: 9 moves, then 8, and the middle of their places is 5 and 4.
    let empty = Dictionary::new(Family::parse("n2").unwrap(), []);
    let model = Model::neutral(about(Use::Uct, 3), empty);
    let rater = Rater::new(&model, games.size());
    let found = predict(&rater, &games, 1, 1, |_, _| true);
    assert_eq!((found.games, found.positions), (1, 2));
    let item = |name: &str| found.items[name];
    near(item("Rank"), 4.5);
    near(item("RankInv"), 2.0 / (1.0 / 5.0 + 1.0 / 4.0));
    near(item("Match1"), 0.0);
    near(item("Match5"), 1.0);
    near(item("CoMatch"), (5.0 / 9.0 + 5.0 / 8.0) / 2.0);
    near(item("Success"), 0.5);
    near(item("Select"), (1.0 / 9.0 + 1.0 / 8.0) / 2.0);
    near(item("SelectRoot"), ((1.0 / 3.0 + 8f64.sqrt().recip()) / 2.0).powi(2));
    near(item("Over10"), 1.0);
    near(item("Over20"), 0.0);
    near(item("Not10"), 1.0 - 2.0 / 17.0);
    near(item("Not20"), 0.0);
    near(item("Error"), 0.5);
    near(item("MLE"), -(9f64.ln() + 8f64.ln()) / 2.0);
    assert_eq!(found.match_curve, [0.0, 0.0, 0.0, 0.5, 1.0]);
    let curve: Vec<(usize, u64)> =
        found.mle_curve.iter().map(|m| (m.number, m.positions)).collect();
    assert_eq!(curve, [(1, 1), (2, 1)]);
    near(found.mle_curve[1].mle, -8f64.ln());
    // One game tells nothing about others.
    assert!(found.intervals.is_empty());
    assert!(item_names().iter().all(|name| found.items.contains_key(name)));
    // The first move is the opening of so small a board, the second the middle game.
    let phases: Vec<(&str, u64)> =
        found.phases.iter().map(|p| (p.name.as_str(), p.positions)).collect();
    assert_eq!(phases, [("opening", 1), ("middle game", 1)]);
}

#[test]
fn a_pass_through_games_agrees_with_the_definition_on_any_number_of_threads() {
    let games = some_games(7, 7, 30);
    for of in [Use::Uct, Use::Mc] {
        let model = model(of, &games);
        let rater = Rater::new(&model, games.size());
        let found = predict(&rater, &games, 1, 1, |_, _| true);
        assert_eq!(found, predict(&rater, &games, 3, 1, |_, _| true));
        let (mut positions, mut ranks, mut logs, mut firsts) = (0, 0, 0.0, 0);
        for game in games.iter() {
            let mut follower = Follower::new(&game.start(games.size()), Color::Black);
            for (color, point) in game.moves() {
                let p = point.unwrap();
                let situation = follower.situation();
                let rated = model.rate(&situation);
                let played = rated.iter().find(|r| r.point == p).unwrap();
                // As `Model::rank`, but for what rounding tells apart.
                let ratio = |r: &&policy::Rated| (r.value / played.value).ln();
                let better = rated.iter().filter(|r| ratio(r) > 1e-5).count();
                let equal = rated.iter().filter(|r| ratio(r).abs() <= 1e-5).count();
                let rank = better + equal.div_ceil(2);
                let share = played.probability;
                positions += 1;
                ranks += rank;
                firsts += (rank == 1) as usize;
                logs += (share as f64).ln();
                follower.play(color, point);
            }
        }
        assert_eq!(found.positions, positions as u64);
        near(found.items["Rank"], ranks as f64 / positions as f64);
        near(found.items["Match1"], firsts as f64 / positions as f64);
        near(found.items["MLE"], logs / positions as f64);
        let by_move: f64 = found.mle_curve.iter().map(|m| m.mle * m.positions as f64).sum();
        near(by_move / positions as f64, found.items["MLE"]);
        let [low, high] = found.intervals["Rank"];
        assert!(low < found.items["Rank"] && found.items["Rank"] < high);
    }
    // Who says stop gets what there is.
    let rater = Rater::new(&model(Use::Uct, &games), games.size());
    assert_eq!(predict(&rater, &games, 2, 1, |done, _| done < 3).games, 3);
}

/// Looks patterns up one by one at one moment of every playout.
struct Slow<'a> {
    model: &'a Model,
    board: Board,
    number: usize,
    counts: Vec<usize>,
}

impl Observer for Slow<'_> {
    fn started(&mut self, board: &Board, _: Color) {
        self.board = board.clone();
        self.number = 0;
    }

    fn played(&mut self, color: Color, point: Option<goban::Point>, _: &[goban::Point]) {
        match point {
            Some(p) => self.board.play(p, color).unwrap(),
            None => self.board.pass(),
        };
        self.number += 1;
        if self.number == 20 {
            for p in self.board.empties() {
                let dictionary = self.model.dictionary();
                let found = dictionary.at(&self.board, p, !color, 0);
                self.counts[found.map_or(0, |index| dictionary.stage(index) + 1)] += 1;
            }
        }
    }

    fn finished(&mut self, _: &Board, _: &Outcome) {}
}

#[test]
fn sizes_are_those_of_the_dictionary() {
    let games = some_games(20, 7, 30);
    let model = model(Use::Mc, &games);
    let size = games.size();
    let compiled = Compiled::new(&model, size).unwrap();
    let found = sizes(&Rater::new(&model, size), &compiled, 10, 3);
    // The sizes of N4, and nothing at all.
    assert_eq!(found.points, [0, 4, 8, 12]);
    for shares in &found.by_move {
        near(shares.iter().sum(), 1.0);
    }
    let mut slow = Slow { model: &model, board: Board::new(size), number: 0, counts: vec![0; 4] };
    let board = Board::new(size);
    let mut runner =
        Learned::new(&compiled, &board, Color::Black, None, PlayoutSettings::default());
    let mut random = Random::new(3);
    (0..10).for_each(|_| {
        runner.run(&mut random, &mut slow);
    });
    let sum: usize = slow.counts.iter().sum();
    for (share, count) in found.by_move[20].iter().zip(&slow.counts) {
        near(*share, *count as f64 / sum as f64);
    }
}

/// Black lives with two eyes in the corners of 3x3, and nothing is left to play.
const LIVES: &str = r#"{"id":"g-13","size":3,"komi":2.5,"rules":"chinese","moves":["B B2","W pass","B A2","W pass","B B1","W pass","B C1","W pass","B A3","W pass","B B3","W pass","B C2"],"winrate_black":0.8,"score_black":4.5,"visits":10,"candidates":[{"move":"pass","visits":9,"winrate_black":0.8,"score_black":4.5,"prior":0.9}],"ownership_black":[0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5]}"#;

/// The same without ownership, and even.
fn even() -> String {
    let (head, _) = LIVES.split_once(r#","ownership_black""#).unwrap();
    format!("{head}}}").replace("g-13", "h-13").replace("0.8", "0.5").replace("4.5", "6.5")
}

fn oracle(lines: &[&str]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("oracle.jsonl.gz");
    let mut packed = GzEncoder::new(std::fs::File::create(&path).unwrap(), Compression::fast());
    packed.write_all(lines.join("\n").as_bytes()).unwrap();
    packed.finish().unwrap();
    (folder, path)
}

#[test]
fn errors_against_an_oracle_by_hand() {
    let (_folder, path) = oracle(&[LIVES, "", &even()]);
    let positions = read_oracle(&path).unwrap();
    assert_eq!(positions.len(), 2);
    assert_eq!(positions[0].1.to_move(), Color::White);
    let empty = Dictionary::new(Family::parse("3x3").unwrap(), []);
    let model = Model::neutral(about(Use::Mc, 3), empty);
    let compiled = Compiled::new(&model, Size::new(3).unwrap()).unwrap();
    let styles = [
        Style { name: "uniform".to_owned(), drawn: Drawn::Uniform },
        Style { name: "neutral".to_owned(), drawn: Drawn::Learned(Box::new(compiled)) },
    ];
    let judge =
        Judge { playouts: 10, threads: 2, seed: 1, apart: 5, differ: 0.2, boards: 1, measured: 2 };
    let mut told = 0;
    let (worths, boards) = worth(&styles, &positions, &judge, |done| {
        told = done;
        true
    })
    .unwrap();
    assert_eq!(told, 4);
    for worth in &worths {
        // All nine points are Black's in every playout, and Black wins by 9 less 2.5.
        near(worth.ownership_mse, 0.25);
        near(worth.winrate_mse, (0.2f64.powi(2) + 0.5f64.powi(2)) / 2.0);
        near(worth.score_mse, 2.0f64.powi(2) / 2.0);
        let last = worth.ownership_calibration.last().unwrap();
        assert_eq!(last.count, 9);
        near(last.forecast, 1.0);
        near(last.oracle, 0.75);
        assert_eq!(worth.judging.pairs, 0);
    }
    assert_eq!(boards[0].stones, "XX.XXX.XX");
    assert_eq!(boards[0].views.len(), 3);
    assert!(worth(&styles, &positions, &judge, |_| false).is_none());
}

#[test]
fn a_search_is_scored_and_results_are_read_back() {
    let (_folder, path) = oracle(&[LIVES]);
    let positions = read_oracle(&path).unwrap();
    let size = Size::new(3).unwrap();
    let neutral =
        |of| Model::neutral(about(of, 3), Dictionary::new(Family::parse("3x3").unwrap(), []));
    let compiled = Compiled::new(&neutral(Use::Mc), size).unwrap();
    let models = std::sync::Arc::new(search::Models::with(neutral(Use::Uct), compiled));
    let task = NextmoveTask { visits: 8, searches: 2, threads: 1, seed: 1 };
    let found = Nextmove::measure("neutral", &models, &positions, &task, |_| true).unwrap();
    // White has nothing but a pass, and the judge thought of it.
    assert_eq!((found.positions, found.score, found.best, found.judged), (1, 1.0, 1.0, 1.0));
    let games = some_games(3, 7, 20);
    let model = model(Use::Uct, &games);
    let rater = Rater::new(&model, games.size());
    let prediction = predict(&rater, &games, 1, 1, |_, _| true);
    let measured = ModelMeasured::new("a", &model, prediction, Default::default());
    assert_eq!(
        measured.dictionary.sizes.iter().map(|s| s.patterns).sum::<usize>(),
        measured.dictionary.patterns
    );
    let evaluation = Evaluation { models: vec![measured], ..Evaluation::default() };
    let text = serde_json::to_string(&evaluation).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(value["models"][0]["items"]["Match1"].is_number(), "{text}");
    let back = serde_json::from_str::<Evaluation>(&text).unwrap();
    assert_eq!(back.models[0].dictionary, evaluation.models[0].dictionary);
    assert_eq!(back.models[0].prediction.mle_curve.len(), 20);
    near(back.models[0].prediction.items["MLE"], evaluation.models[0].prediction.items["MLE"]);
    assert_eq!(
        positions[0].1.moves().last().unwrap().1,
        Move::Play(size.parse_point("C2").unwrap())
    );
}

/// Words of a page that stand in a language of other letters.
fn english_words(html: &str) -> Vec<String> {
    let body = html.split_once("</head>").unwrap().1.split_once("<footer>").unwrap().0;
    let mut text = String::new();
    let mut hidden = false;
    for part in body.split('<') {
        let (tag, rest) = part.split_once('>').unwrap_or(("", part));
        // Commands and drawings are the same in all languages.
        hidden = (hidden && !["/code", "/pre"].contains(&tag)) || ["code", "pre"].contains(&tag);
        if !hidden {
            text += rest;
            text.push(' ');
        }
    }
    let is_word = |word: &&str| word.len() > 2 && word.chars().all(|c| c.is_ascii_lowercase());
    let mut words: Vec<String> = text
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(is_word)
        .map(str::to_owned)
        .collect();
    words.sort();
    words.dedup();
    words
}

#[test]
fn a_page_in_japanese_has_no_english_left() {
    use lab::page::{LearningCurve, Page};
    let (_folder, path) = oracle(&[LIVES]);
    let positions = read_oracle(&path).unwrap();
    let games = some_games(3, 7, 20);
    let model = model(Use::Mc, &games);
    let rater = Rater::new(&model, games.size());
    let compiled = Compiled::new(&model, games.size()).unwrap();
    let prediction = predict(&rater, &games, 1, 1, |_, _| true);
    let measured = ModelMeasured::new("a", &model, prediction, sizes(&rater, &compiled, 5, 1));
    let styles = [Style { name: "a".to_owned(), drawn: Drawn::Uniform }];
    let judge =
        Judge { playouts: 10, threads: 1, seed: 1, apart: 5, differ: 0.2, boards: 1, measured: 2 };
    let (styles, boards) = worth(&styles, &positions, &judge, |_| true).unwrap();
    let kinds =
        vec![KindResult { kind: "nakade".to_owned(), positions: 1, right: 1.0, needed: 2.0 }];
    let wrong = vec!["A B".to_owned()];
    let mut suite = SuiteResult::default();
    (suite.name, suite.kinds, suite.wrong) = ("a".to_owned(), kinds, wrong);
    let phases = vec![ForecastOfPhase { name: "endgame".to_owned(), positions: 1, mse: 0.2 }];
    let mut forecast = Forecast::default();
    (forecast.name, forecast.phases) = ("a".to_owned(), phases);
    let corpus = CorpusMeasured { size: 7, games: 3, positions: 60, ..Default::default() };
    let oracle = OracleMeasured { size: 3, positions: 1, styles, boards, ..Default::default() };
    let evaluation = Evaluation {
        command: "harie eval".to_owned(),
        corpus: Some(corpus),
        models: vec![measured],
        oracle: Some(oracle),
        suite: vec![suite],
        forecasts: vec![forecast],
    };
    let mut page = Page::new("A").in_language(engine::Language::Japanese);
    page.evaluation(&evaluation);
    page.model(&model);
    page.curves(&[LearningCurve {
        name: "A".to_owned(),
        command: String::new(),
        curve: Vec::new(),
    }]);
    let html = page.to_html();
    assert!(html.contains("<html lang=\"ja\">") && html.contains("順位ごとの較正"));
    // But for what the model and the judge are called.
    assert_eq!(english_words(&html), ["nothing", "oracle", "test"]);
}

#[test]
fn what_is_wrong_with_an_oracle_is_said() {
    let error = |line: &str| {
        let (_folder, path) = oracle(&[LIVES, line]);
        read_oracle(&path).err().unwrap().to_string()
    };
    assert!(error("{").contains("line 2: it ends too early"));
    assert!(error(&LIVES.replace("B C2\"", "B C1\"")).contains("line 2: B C1: "));
    assert!(error(&LIVES.replace("B C2\"", "B Z9\"")).contains("'B Z9' is no move"));
    assert!(error(&LIVES.replace("chinese", "greek")).contains("no rules 'greek'"));
    assert!(error(&LIVES.replace("[0.5,", "[")).contains("ownership of 8 points where 9"));
    assert!(
        read_oracle(std::path::Path::new("no.jsonl"))
            .err()
            .unwrap()
            .to_string()
            .contains("no.jsonl")
    );
}
