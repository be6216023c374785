//! Extraction against counting every pattern of every legal move, one by one.

use std::collections::HashMap;

use goban::{Board, Color, Size};
use kifu::Record;
use shape::{Counts, Dictionary, Family, Pattern};
use train::{Extracted, Extraction, Games, Meter, Partial};

/// Games of random moves with captures, kos and passes.
fn games(size: Size, count: usize) -> Games {
    let mut state = 11u64;
    let mut below = move |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let mut games = Games::new(size);
    for _ in 0..count {
        let mut board = Board::new(size);
        let mut sgf = format!("(;SZ[{}]", size.side());
        for i in 0..size.area() * 2 {
            let color = Color::BOTH[i % 2];
            let legal: Vec<_> = board.empties().filter(|&p| board.is_legal(p, color)).collect();
            let point = (below(20) > 0 && !legal.is_empty()).then(|| legal[below(legal.len())]);
            match point {
                Some(p) => board.play(p, color).unwrap(),
                None => board.pass(),
            }
            let text = kifu::move_text(point, size);
            sgf += &format!(";{}[{text}]", color.letter());
        }
        sgf.push(')');
        let (trees, mut warnings) = kifu::read(sgf.as_bytes());
        assert!(games.add(&Record::new(&trees[0], &mut warnings).unwrap()));
    }
    games
}

fn count_slowly(games: &Games, family: &Family) -> HashMap<Pattern, Counts> {
    let mut counts = HashMap::<Pattern, Counts>::new();
    for game in games.iter() {
        let mut board = game.start(games.size());
        for (color, point) in game.moves() {
            let Some(played) = point else {
                board.pass();
                continue;
            };
            for p in board.empties().filter(|&p| board.is_legal(p, color)) {
                for part in 0..family.parts() {
                    let view = family.look(&board, p, color, part);
                    for stage in 0..family.stages() {
                        let counts = counts.entry(view.pattern(stage)).or_default();
                        counts.seen += 1;
                        counts.played += (p == played) as u64;
                    }
                }
            }
            board.play(played, color).unwrap();
        }
    }
    counts
}

fn assert_equal(dictionary: &Dictionary, expected: &HashMap<Pattern, Counts>) {
    assert_eq!(dictionary.len(), expected.len());
    for index in dictionary.indices() {
        let pattern = dictionary.pattern(index);
        assert_eq!(Some(&dictionary.counts(index)), expected.get(&pattern), "{pattern:?}");
    }
}

#[test]
fn counts_are_those_of_counting_one_by_one() {
    let plain = [("CP", 9), ("N5", 9), ("N9", 7), ("3x3", 5), ("CP", 13)];
    // These have no hashes that follow a game.
    let others = [("Fuzzy", 9), ("Fuzzy", 13), ("3x3 atari", 9)];
    for (name, side) in plain.into_iter().chain(others) {
        let size = Size::new(side).unwrap();
        let games = games(size, 6);
        let family = Family::parse(name).unwrap();
        let all = count_slowly(&games, &family);
        for (min_seen, min_played, played_only) in
            [(1, 0, false), (20, 0, false), (1, 2, true), (30, 1, false)]
        {
            let how = Extraction {
                family: family.clone(),
                min_seen,
                min_played,
                played_only,
                memory: 64 << 20,
                threads: 1 + (side == 9) as usize,
            };
            let found = how.run(&games, &Meter::default(), None).unwrap().done().unwrap();
            let mut expected = all.clone();
            expected.retain(|_, c| c.seen >= min_seen && c.played >= min_played);
            assert_equal(&found, &expected);
        }
    }
}

#[test]
fn little_memory_loses_nothing_frequent() {
    let games = games(Size::NINE, 12);
    let family = Family::collage();
    let mut expected = count_slowly(&games, &family);
    expected.retain(|_, c| c.seen >= 200);
    assert!(expected.len() > 50);
    // The sketch is far too small for what there is to count.
    let how = Extraction {
        family,
        min_seen: 200,
        min_played: 0,
        played_only: false,
        memory: 2 << 20,
        threads: 1,
    };
    match how.run(&games, &Meter::default(), None) {
        Ok(found) => assert_equal(&found.done().unwrap(), &expected),
        Err(error) => assert!(error.to_string().contains("--memory"), "{error}"),
    }
}

#[test]
fn counting_that_was_stopped_goes_on() {
    let all = games(Size::NINE, 12);
    let family = Family::collage();
    let how = Extraction {
        family: family.clone(),
        min_seen: 30,
        min_played: 0,
        played_only: false,
        memory: 64 << 20,
        threads: 1,
    };
    let whole = how.run(&all, &Meter::default(), None).unwrap().done().unwrap();
    // Stopped by another thread in the middle of the second pass, or before or after it.
    let meter = Meter::default();
    let stopped = std::thread::scope(|scope| {
        scope.spawn(|| {
            while meter.games.load(std::sync::atomic::Ordering::Relaxed) < 15 {
                std::hint::spin_loop();
            }
            meter.stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        how.run(&all, &meter, None).unwrap()
    });
    if let Extracted::Stopped(partial) = stopped {
        let bytes = partial.expect("the second pass had begun").to_bytes();
        let partial = Partial::from_bytes(&bytes).unwrap();
        assert!(partial.games() < 12 && Partial::from_bytes(&bytes[..bytes.len() - 1]).is_none());
        let other = Extraction { min_seen: 31, ..how.clone() };
        let again = Partial::from_bytes(&bytes);
        assert!(other.run(&all, &Meter::default(), again).is_err());
        let rest = how.run(&all, &Meter::default(), Some(partial)).unwrap().done().unwrap();
        assert_eq!(rest.to_bytes(), whole.to_bytes());
    }
}
