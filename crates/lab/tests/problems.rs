//! Problems studied, on small ones made here.

use std::sync::atomic::{AtomicBool, AtomicUsize};

use goban::{Color, Point, Size};
use kifu::{Problem, read};
use lab::tsumego::boost::{Growth, Sample, grow};
use lab::tsumego::census::{Census, most_played};
use lab::tsumego::distribution::{Distribution, Spot};
use lab::tsumego::lessons::Lessons;
use lab::tsumego::method::{Fixed, Guess, Method};
use lab::tsumego::trial::trial;
use lab::tsumego::turns;
use shape::Family;

/// A row of White's stones along the lower edge with an eye space of three, on any column, in any
/// colour: the answer is in the middle.
fn corner(shift: usize, swap: bool, name: &str) -> Problem {
    let column = |i: usize| (b'a' + (i + shift) as u8) as char;
    let mut inner = vec![format!("[{}s]", column(1)), format!("[{}s]", column(5))];
    let mut outer = vec![format!("[{}s]", column(0)), format!("[{}s]", column(6))];
    for i in 1..=5 {
        inner.push(format!("[{}r]", column(i)));
        outer.push(format!("[{}q]", column(i)));
    }
    outer.extend([0, 6].map(|i| format!("[{}r]", column(i))));
    let (inner, outer) = (inner.concat(), outer.concat());
    let (black, white, mover) = if swap { (inner, outer, "W") } else { (outer, inner, "B") };
    let (answer, other) = (column(3), column(2));
    let answered = if swap { "B" } else { "W" };
    let sgf = format!(
        "(;SZ[19]GN[beginner/Rows/{name}]AB{black}AW{white}PL[{mover}]\
         (;{mover}[{answer}s]C[Correct];{answered}[{other}s]))"
    );
    let (trees, mut warnings) = read(sgf.as_bytes());
    Problem::new(&trees[0], &mut warnings).unwrap()
}

fn problems() -> Vec<Problem> {
    (0..12)
        .flat_map(|i| [false, true].map(|swap| corner(i, swap, &format!("{i} {swap}"))))
        .collect()
}

fn point(name: &str) -> Point {
    Point::parse(name).unwrap()
}

#[test]
fn classes_are_55_and_named_by_their_lines() {
    let size = Size::NINETEEN;
    let all = Spot::all(size);
    assert_eq!(all.len(), 55);
    let images = |n: usize| all.iter().filter(|spot| spot.points(size).count() == n).count();
    assert_eq!([images(8), images(4), images(1)], [36, 18, 1]);
    for (at, name) in
        [("B1", "2-1"), ("A2", "2-1"), ("T18", "2-1"), ("K10", "10-10"), ("D16", "4-4")]
    {
        assert_eq!(Spot::of(point(at), size).to_string(), name);
        assert_eq!(Spot::parse(name), Some(Spot::of(point(at), size)));
    }
    assert_eq!(Spot::parse("1-2"), None);
}

#[test]
fn moves_are_counted_by_player_and_number() {
    let mut distribution = Distribution::default();
    let problem = corner(0, false, "a");
    assert_eq!(turns(&problem).len(), 2);
    distribution.add(&problem);
    distribution.add(&corner(1, true, "b"));
    assert_eq!(distribution.problems, 2);
    let spot = |name: &str| Spot::parse(name).unwrap();
    // D1 and E1 by the first player, C1 and D1 by the second.
    assert_eq!(distribution.first.ranked(), [(spot("4-1"), 1), (spot("5-1"), 1)]);
    assert_eq!(distribution.second.ranked(), [(spot("3-1"), 1), (spot("4-1"), 1)]);
    assert_eq!(distribution.by_number.len(), 2);
    assert_eq!(distribution.by_number[1], distribution.second);
    assert_eq!(distribution.first.share(spot("4-1")), 0.5);
}

#[test]
fn patterns_are_the_same_in_every_corner_and_colour() {
    let mut census = Census::new(Family::neumann(1), false);
    problems().iter().for_each(|problem| census.add(problem));
    let dictionary = census.dictionary(1);
    let top = most_played(&dictionary, 5);
    // The answers look alike; the second player's moves are beside a stone of the first.
    assert_eq!(top.len(), 2);
    assert_eq!(top[0].1.played, 24);
    let drawing = top.iter().map(|(pattern, _)| pattern.draw(dictionary.family()));
    assert!(drawing.into_iter().any(|drawing| drawing.matches('#').count() == 1));
}

#[test]
fn fixed_patterns_rank_by_frequency() {
    let mut census = Census::new(Family::moore(2), false);
    problems()[..20].iter().for_each(|problem| census.add(problem));
    let dictionary = census.dictionary(1);
    let new = corner(11, false, "new");
    let Guess::Scores(scores) = Fixed(&dictionary).guess(&new.board, new.to_play) else {
        panic!("fixed patterns give scores");
    };
    let best = scores.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert!(new.accepts(best.0), "{} instead of {}", best.0, new.answers[0]);
}

#[test]
fn what_was_learned_comes_back_from_bytes_and_knows_its_problems() {
    let problems = problems();
    let lessons = Lessons::learn(&problems, "rows", |_| true).unwrap();
    let bytes = lessons.to_bytes();
    let back = Lessons::from_bytes(&bytes).unwrap();
    assert_eq!(back.to_bytes(), bytes);
    assert!(Lessons::from_bytes(&bytes[..bytes.len() / 2]).is_err());
    assert!(Lessons::from_bytes(b"something else").is_err());
    let (done, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    for method in back.methods() {
        let found = trial(&*method, &problems, 2, &done, &stop);
        assert_eq!((found.all.n, found.levels["beginner"].n), (24, 24));
        let rates = found.all.top;
        assert!(rates.windows(2).all(|pair| pair[0] <= pair[1]), "{}: {rates:?}", found.name);
        if ["similarity", "semi-fixed", "fixed Moore(3)"].contains(&found.name.as_str()) {
            assert!(rates[0] > 0.99, "{}: {rates:?}", found.name);
        }
    }
    assert!(Lessons::learn(&problems, "rows", |_| false).is_err());
}

#[test]
fn a_forest_learns_a_rule_with_two_conditions() {
    // The answer is the one move of four whose first fact is large and whose second is small.
    let sample = |i: usize| {
        let mut facts = Vec::new();
        let mut right = Vec::new();
        for place in 0..4 {
            let is_right = place == i % 4;
            let noise = ((i * 7 + place * 13) % 10) as f32;
            let (a, b) = match (is_right, place % 2) {
                (true, _) => (9.0, 1.0),
                (false, 0) => (9.0, 8.0),
                (false, _) => (2.0, 1.0),
            };
            facts.extend([a, b, noise]);
            right.push(is_right);
        }
        Sample { facts, right, weight: 1.0 }
    };
    let samples: Vec<Sample> = (0..200).map(sample).collect();
    let all: Vec<&Sample> = samples.iter().collect();
    let how = Growth { trees: 30, depth: 2, facts: 1.0, threads: 1, ..Growth::default() };
    let forest = grow(&all, 3, &how, |_| true);
    assert_eq!(forest.trees.len(), 30);
    for sample in &samples {
        let scores: Vec<f32> = sample.facts.chunks(3).map(|facts| forest.score(facts)).collect();
        let best = (0..4).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap();
        assert!(sample.right[best], "{scores:?}");
    }
    // Any number of threads grows the same forest.
    assert_eq!(grow(&all, 3, &Growth { threads: 3, ..how }, |_| true), forest);
    assert_eq!(grow(&all, 3, &how, |_| false).trees.len(), 1);
}

#[test]
fn a_second_player_has_the_other_colour() {
    let problem = corner(2, true, "c");
    let colors: Vec<Color> = turns(&problem).iter().map(|turn| turn.color).collect();
    assert_eq!(colors, [Color::White, Color::Black]);
}
