//! The proof search against the exhaustive one: on rooms drawn by chance, and on known eye shapes.

use std::time::{Duration, Instant};

use goban::{Board, Color, Point, Size};
use playout::Random;

use search::Stop;

use crate::aim::Aim;
use crate::closing::{self, Closed, Stakes};
use crate::exhaustive::Exhaustive;
use crate::position::Position;
use crate::proof::{Budget, Proof};
use crate::reading::Outcome;
use crate::room::{Cells, Room, Side, each};
use crate::solve::{Goal, Question, Solution, Solver};
use crate::table::Table;
use crate::threats::{Supply, Threats};

/// Every assumption about threats.
fn all_threats() -> Vec<Threats> {
    use Supply::{Many, Nothing, One};
    let mut all = Vec::new();
    for favours in [Side::Attacker, Side::Defender] {
        for (own, others) in [(Nothing, Nothing), (One, Nothing), (Nothing, One), (One, One)] {
            all.push(Threats::new(Side::Attacker, own, others, favours));
        }
        all.push(Threats::new(favours, Many, Nothing, favours));
        all.push(Threats::new(favours, Many, One, favours));
    }
    all
}

fn budget() -> Budget {
    let deadline = Instant::now() + Duration::from_secs(60);
    Budget { deadline, nodes: 5_000_000, stop: Stop::new() }
}

/// A room from rows of text: `X` defends, `O` attacks, `#` is wall and `F` a friend of the defender,
/// neither part of it. All around is edge except where there is one of these.
fn closed(rows: &[&str], to_move: Side) -> Closed {
    let height = rows.len();
    let at = |x: i32, y: i32| -> Option<char> {
        let row = rows.get(height.checked_sub(1 + usize::try_from(y).ok()?)?)?;
        row.chars().filter(|c| *c != ' ').nth(usize::try_from(x).ok()?)
    };
    let mut points = Vec::new();
    let (mut attackers, mut defenders) = (Vec::new(), Vec::new());
    for y in 0..height as i32 {
        let mut x = 0;
        while let Some(cell) = at(x, y) {
            let p = Point::new(x as u8, y as u8);
            match cell {
                'X' => defenders.push(p),
                'O' => attackers.push(p),
                _ => {}
            }
            if cell != '#' && cell != 'F' {
                points.push(p);
            }
            x += 1;
        }
    }
    let beside = |p: Point, what: char| {
        let (x, y) = (i32::from(p.x()), i32::from(p.y()));
        [(0, 1), (1, 0), (0, -1), (-1, 0)].iter().any(|(dx, dy)| at(x + dx, y + dy) == Some(what))
    };
    let room = Room::new(&points, Color::Black, |p| beside(p, '#'), |p| beside(p, 'F'));
    let room = room.expect("it fits");
    let cells = |points: &[Point]| points.iter().filter_map(|&p| room.cell(p)).sum();
    let position = Position::new(cells(&attackers), cells(&defenders), to_move);
    Closed { aim: Aim::Take(position.of(Side::Defender)), room, position }
}

fn solved(closed: &Closed, threats: Threats) -> Option<bool> {
    let mut table = Table::new(1 << 18);
    let Closed { room, position, aim } = closed;
    Proof::new(room, *aim, threats, &mut table, budget()).run(position).verdict()
}

/// The chains of a set.
fn chains(room: &Room, mut stones: Cells) -> Vec<Cells> {
    let all = stones;
    let mut chains = Vec::new();
    while stones != 0 {
        let chain = room.flood(stones & stones.wrapping_neg(), all);
        stones &= !chain;
        chains.push(chain);
    }
    chains
}

/// A room drawn by chance: a wall on some sides, stones anywhere. Nothing if it cannot be.
fn drawn(random: &mut Random, to_move: Side) -> Option<(String, Closed)> {
    let (width, height) = (3 + random.below(2), 2 + random.below(2));
    let mut rows = vec![vec!['.'; width + 1]; height + 1];
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, cell) in row.iter_mut().enumerate() {
            if x == width || y == height {
                // A friend now and then.
                *cell = if random.below(12) == 0 { 'F' } else { '#' };
            } else {
                *cell = ['X', 'X', 'X', '.', '.', '.', 'O'][random.below(7)];
            }
        }
    }
    let text: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    let rows: Vec<&str> = text.iter().map(String::as_str).collect();
    let closed = closed(&rows, to_move);
    let is_good =
        closed.position.of(Side::Defender) != 0 && is_possible(&closed.room, &closed.position);
    is_good.then(|| (text.join("\n"), closed))
}

/// Compares on rooms drawn by chance, with the aims that `aims` finds in each.
fn compare(
    seed: u64,
    rounds: u32,
    least: usize,
    aims: impl Fn(&mut Random, &Closed) -> Option<Aim>,
) {
    let mut random = Random::new(seed);
    let (mut compared, mut won) = (0, 0);
    let mut differences = Vec::new();
    for round in 0..rounds {
        let to_move = if round % 2 == 0 { Side::Attacker } else { Side::Defender };
        let Some((text, mut closed)) = drawn(&mut random, to_move) else { continue };
        let Some(aim) = aims(&mut random, &closed) else { continue };
        closed.aim = aim;
        let Closed { room, position, .. } = &closed;
        // All assumptions in turn, some for each room.
        let first = round as usize % 3;
        for threats in all_threats().into_iter().skip(first).step_by(3) {
            let Some(all) = Exhaustive::new(room, aim, threats, position) else { continue };
            let expected = all.wins(position).expect("the root is listed");
            compared += 1;
            won += usize::from(expected);
            if solved(&closed, threats) != Some(expected) {
                differences
                    .push(format!("{text}\n{to_move:?} {aim:?} {threats:?} wins {expected}"));
            }
        }
    }
    assert!(compared > least && won > compared / 5 && won < compared * 4 / 5, "{won} {compared}");
    assert!(
        differences.is_empty(),
        "{} of {compared}:\n{}",
        differences.len(),
        differences[..differences.len().min(8)].join("\n\n")
    );
}

#[test]
fn agrees_with_the_exhaustive_search() {
    compare(8, 400, 400, |_, closed| Some(closed.aim));
}

/// One chain is to be taken, the others may live.
#[test]
fn taking_a_chain_agrees_with_the_exhaustive_search() {
    compare(9, 200, 200, |random, closed| {
        let all = chains(&closed.room, closed.position.of(Side::Defender));
        Some(Aim::Take(all[random.below(all.len())]))
    });
}

/// Two chains are to be joined.
#[test]
fn linking_agrees_with_the_exhaustive_search() {
    compare(10, 300, 200, |random, closed| {
        let all = chains(&closed.room, closed.position.of(Side::Defender));
        let first = random.below(all.len());
        let second = (first + 1) % all.len();
        (first != second).then(|| Aim::Link(all[first], all[second]))
    });
}

/// Whether every chain has a liberty.
fn is_possible(room: &Room, position: &Position) -> bool {
    [Side::Attacker, Side::Defender].into_iter().all(|side| {
        let mut rest = position.of(side);
        while rest != 0 {
            let chain = room.flood(rest & rest.wrapping_neg(), position.of(side));
            rest &= !chain;
            let liberties = room.around(chain) & position.empties(room);
            if liberties == 0 && !Position::is_anchored(room, side, chain) {
                return false;
            }
        }
        true
    })
}

/// Play in a room without walls is play on a board.
#[test]
fn plays_as_the_board_does() {
    let size = Size::new(5).expect("a size");
    let points: Vec<Point> = size.points().collect();
    let room = Room::new(&points, Color::Black, |_| false, |_| false).expect("it fits");
    let mut random = Random::new(1);
    for _ in 0..300 {
        let mut board = Board::new(size);
        let mut position = Position::new(0, 0, Side::Defender);
        for _ in 0..60 {
            let color = room.color(position.to_move);
            let p = points[random.below(25)];
            let cell = room.cell(p).expect("it is in the room");
            if cell & position.stones() != 0 {
                continue;
            }
            let legal = board.is_legal(p, color);
            let next = (cell != position.ko).then(|| position.play(&room, cell)).flatten();
            assert_eq!(next.is_some(), legal, "{color} {p}");
            let Some(next) = next else { continue };
            board.play(p, color).expect("legal");
            position = next;
            for &q in &points {
                let cell = room.cell(q).expect("it is in the room");
                let side = board.cell(q).color().map(|color| room.side(color));
                assert_eq!(side == Some(Side::Attacker), position.of(Side::Attacker) & cell != 0);
                assert_eq!(side == Some(Side::Defender), position.of(Side::Defender) & cell != 0);
            }
            assert_eq!(
                position,
                Position {
                    ko: position.ko,
                    ..Position::new(
                        position.of(Side::Attacker),
                        position.of(Side::Defender),
                        position.to_move,
                    )
                }
            );
        }
    }
}

/// Solves without an idea of what moves look like.
fn without_sight(question: &Question<'_>) -> Solution {
    Solver::new(1 << 22).solve(question, &|board, _| board.empties().map(|p| (p, 1.0)).collect())
}

/// Problems made for this test, each with the one move that works; every move of each is looked at by
/// the exhaustive search.
#[test]
fn problems_are_solved_and_every_move_is_verified() {
    let text = include_str!("../tests/problems.txt");
    let mut count = 0;
    for block in text.split("\n\n").filter(|block| !block.trim().is_empty()) {
        let (title, diagram) = block.trim_start().split_once('\n').expect("a title and a diagram");
        let (what, answer) = title.rsplit_once(", ").expect("a title such as: Black to kill, A1");
        let (player, goal) = what.split_once(" to ").expect("a player and a goal");
        let to_play = if player == "Black" { Color::Black } else { Color::White };
        let goal = if goal == "kill" { Goal::Kill } else { Goal::Live };
        let size = Size::new(9).expect("a size");
        let mut stones = Vec::new();
        for (row, line) in diagram.lines().enumerate() {
            for (x, cell) in line.split_whitespace().enumerate() {
                let p = Point::new(x as u8, 8 - row as u8);
                match cell {
                    "X" => stones.push((p, Color::Black)),
                    "O" => stones.push((p, Color::White)),
                    _ => {}
                }
            }
        }
        let board = Board::with_stones(size, stones).expect("a position");
        let answer = size.parse_point(answer).expect("a point");
        let question = Question {
            nodes: 1_000_000,
            ..Question::new(&board, to_play, Duration::from_secs(60))
        };
        let solution = without_sight(&question);
        assert_eq!(solution.answer, Some(answer), "{block}");
        assert_eq!(solution.goal, goal, "{block}");
        assert_eq!(solution.outcome, Outcome::Works, "{block}");
        assert!(solution.is_proved, "{block}");
        assert_eq!(solution.tried[0].line.first().map(Option::is_some), Some(true), "{block}");

        // The same room, every move, no knowledge.
        let defender = if goal == Goal::Kill { !to_play } else { to_play };
        let closed = closing::close(&board, Stakes::Everything, defender, to_play, 4, None);
        let closed = closed.expect("a room");
        let Closed { room, position, aim } = &closed;
        let threats = Threats::all(position.to_move.other());
        let all = Exhaustive::new(room, *aim, threats, position).expect("it is small");
        for cell in each(position.empties(room)) {
            let Some(next) = position.play(room, cell) else { continue };
            let next = threats.normalised(next);
            let works = all.wins(&next) == Some(false);
            assert_eq!(works, room.point(cell) == answer, "{} in\n{block}", room.point(cell));
        }
        count += 1;
    }
    assert!(count >= 30, "{count} problems");
}

/// A board of nine lines from a block of text, with its title.
fn problem(block: &str) -> (&str, Board) {
    let (title, diagram) = block.trim_start().split_once('\n').expect("a title and a diagram");
    let mut stones = Vec::new();
    for (row, line) in diagram.lines().enumerate() {
        for (x, cell) in line.split_whitespace().enumerate() {
            let p = Point::new(x as u8, 8 - row as u8);
            match cell {
                "X" => stones.push((p, Color::Black)),
                "O" => stones.push((p, Color::White)),
                _ => {}
            }
        }
    }
    let size = Size::new(9).expect("a size");
    (title, Board::with_stones(size, stones).expect("a position"))
}

/// Problems of taking, joining and ko. A title is such as `Black to capture C3 and E4: D4, works`: which stones it
/// is about, all first moves that reach the outcome, and the outcome. Every first move is looked at by the exhaustive
/// search, and what is asked for is also found out where it is not said.
#[test]
fn goals_are_reached_and_every_move_is_verified() {
    let text = include_str!("../tests/goals.txt");
    let mut count = std::collections::BTreeMap::new();
    let mut wrong = Vec::new();
    for block in text.split("\n\n").filter(|block| !block.trim().is_empty()) {
        match verify(block) {
            Ok(goal) => *count.entry(format!("{goal:?}")).or_insert(0) += 1,
            Err(why) => wrong.push(format!("{block}\n{why}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n\n"));
    for goal in ["Capture", "Connect", "Ko", "Kill", "Live"] {
        assert!(count.get(goal).is_some_and(|&n| n >= 3), "{count:?}");
    }
}

/// One of these problems; what is wrong if anything is.
fn verify(block: &str) -> Result<Goal, String> {
    let (title, board) = problem(block);
    let size = board.size();
    let (what, expected) = title.split_once(": ").expect("what and how");
    let (player, rest) = what.split_once(" to ").expect("a player and a goal");
    let (goal, stones) = rest.split_once(' ').unwrap_or((rest, ""));
    let (moves, outcome) = expected.rsplit_once(", ").expect("moves and an outcome");
    let point = |text: &str| size.parse_point(text).expect("a point");
    let at: Vec<Point> = stones.split(" and ").filter(|text| !text.is_empty()).map(point).collect();
    let mut answers: Vec<Point> =
        moves.split(' ').filter(|text| *text != "none").map(point).collect();
    answers.sort_by_key(|p| (p.y(), p.x()));
    let to_play = if player == "Black" { Color::Black } else { Color::White };
    let goal = match goal {
        "kill" => Goal::Kill,
        "live" => Goal::Live,
        "ko" => Goal::Ko,
        "capture" => Goal::Capture,
        "connect" => Goal::Connect,
        other => panic!("{other}"),
    };
    let outcome = match outcome {
        "works" => Outcome::Works,
        "favourable ko" => Outcome::FavourableKo,
        "good ko" => Outcome::GoodKo,
        "one threat" => Outcome::OneThreatKo,
        "ko" => Outcome::Ko,
        "fails" => Outcome::Fails,
        other => panic!("{other}"),
    };
    let question = Question {
        goal: Some(goal),
        at: at.clone(),
        nodes: 1_000_000,
        ..Question::new(&board, to_play, Duration::from_secs(120))
    };
    let solution = without_sight(&question);
    if solution.outcome != outcome {
        return Err(format!("the outcome is {:?}", solution.outcome));
    }
    let found = |solution: &Solution| {
        let is_good = |outcome: Outcome| match goal {
            Goal::Ko => outcome < Outcome::Fails,
            _ => outcome == solution.outcome && outcome < Outcome::Fails,
        };
        let tried = solution.tried.iter().filter(|tried| is_good(tried.outcome));
        let mut points: Vec<Point> = tried.map(|tried| tried.point).collect();
        points.sort_by_key(|p| (p.y(), p.x()));
        points
    };
    if found(&solution) != answers {
        return Err(format!("found {:?}", found(&solution)));
    }

    // Without being told which stones.
    if matches!(goal, Goal::Capture | Goal::Connect) && outcome < Outcome::Fails {
        let open = without_sight(&Question { at: Vec::new(), ..question.clone() });
        if open.answer != solution.answer {
            return Err(format!("without stones {:?} of {:?}", open.answer, open.at));
        }
    }

    // The same room, every move, no knowledge.
    let stakes = match (goal, at.as_slice()) {
        (Goal::Connect, &[p, q]) => Stakes::Link(p, q),
        (_, &[p]) => Stakes::Chain(p),
        _ => Stakes::Everything,
    };
    let defender =
        if matches!(solution.goal, Goal::Kill | Goal::Capture) { !to_play } else { to_play };
    let closed = closing::close(&board, stakes, defender, to_play, 4, None).expect("a room");
    let Closed { room, position, aim } = &closed;
    let (me, he) = (position.to_move, position.to_move.other());
    let threats = match (goal, outcome) {
        (Goal::Ko, _) | (_, Outcome::Ko | Outcome::Fails) => Threats::all(me),
        (_, Outcome::Works) => Threats::all(he),
        (_, Outcome::FavourableKo) => Threats::one(he, he),
        (_, Outcome::OneThreatKo) => Threats::one(me, he),
        _ => Threats::none(he),
    };
    let all = Exhaustive::new(room, *aim, threats, position).ok_or("it is too large")?;
    let mut works = Vec::new();
    for cell in each(position.empties(room)) {
        let Some(next) = position.play(room, cell) else { continue };
        if all.wins(&threats.normalised(next)) == Some(false) {
            works.push(room.point(cell));
        }
    }
    works.sort_by_key(|p| (p.y(), p.x()));
    if works != answers {
        return Err(format!("the exhaustive search says {works:?}"));
    }
    Ok(goal)
}
