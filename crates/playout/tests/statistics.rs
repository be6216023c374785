//! Statistics against the definitions, counted naively from what was played; threads against one.

use goban::score::owners;
use goban::{Board, Color, Diagram, Point, PointSet, Size};
use playout::statistics::{Contingency, Counts, Statistics, Task, Wanted, gather};
use playout::{Observer, Outcome, Random, Uniform};
use std::sync::atomic::AtomicBool;

/// Everything about playouts, kept as it was.
#[derive(Default)]
struct Diary {
    /// Stones played less stones taken off, and those that stood at the start.
    stones: usize,
    moves: Vec<(Color, Point)>,
    games: Vec<Game>,
}

/// A playout: first stones in order, owners, score.
struct Game {
    firsts: Vec<(Color, Point)>,
    owners: Vec<Option<Color>>,
    score: i32,
}

impl Observer for Diary {
    fn started(&mut self, board: &Board, _: Color) {
        self.moves.clear();
        self.stones = Color::BOTH.iter().map(|&color| board.stones(color)).sum();
    }

    fn played(&mut self, color: Color, point: Option<Point>, captured: &[Point]) {
        self.stones += point.is_some() as usize;
        self.stones -= captured.len();
        if let Some(p) = point.filter(|&p| self.moves.iter().all(|&(_, q)| p != q)) {
            self.moves.push((color, p));
        }
    }

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        let stones: usize = Color::BOTH.iter().map(|&color| board.stones(color)).sum();
        assert_eq!(self.stones, stones, "light playouts tell what they capture");
        let owners = owners(board, &PointSet::EMPTY);
        let owners = board.size().points().map(|p| owners[p]).collect();
        self.games.push(Game { firsts: self.moves.clone(), owners, score: outcome.score });
    }
}

impl Game {
    fn owner(&self, size: Size, p: Point) -> Option<Color> {
        self.owners[size.reading_index(p)]
    }

    fn is_before(&self, m: (Color, Point), n: (Color, Point)) -> bool {
        let time = |mv| self.firsts.iter().position(|&played| played == mv);
        matches!((time(m), time(n)), (Some(m), Some(n)) if m < n)
    }

    fn winner(&self, komi: f32) -> Option<Color> {
        match self.score as f32 - komi {
            lead if lead > 0.0 => Some(Color::Black),
            lead if lead < 0.0 => Some(Color::White),
            _ => None,
        }
    }
}

/// Playouts counted, and as they were.
fn both(board: &Board, komi: f32, playouts: usize) -> (Counts, Diary) {
    let mut watched = (Statistics::new(board.size(), komi, Wanted::ALL), Diary::default());
    let mut uniform = Uniform::new(board, Color::White);
    let mut random = Random::new(7);
    for _ in 0..playouts {
        uniform.run_watched(&mut random, &mut watched);
    }
    (watched.0.into_counts(), watched.1)
}

/// More than a batch of each result, and more than the bytes of the order table hold.
const PLAYOUTS: usize = 800;

const CROWDED: &str = "
    . X O . .
    X X O O .
    . X X O O
    O . . X .
    . O . . .";

fn boards() -> Vec<(Board, f32)> {
    let crowded = Diagram::parse(CROWDED).unwrap().board;
    // With a whole number as komi there are draws; on the smallest board most playouts are cut
    // short while larger regions are open.
    vec![(crowded, 1.0), (Board::new(Size::new(5).unwrap()), 0.5), (Board::new(Size::MIN), 0.5)]
}

#[test]
fn counts_are_those_of_the_formulas() {
    for (board, komi) in boards() {
        let size = board.size();
        let (counts, diary) = both(&board, komi, PLAYOUTS);
        let of = |winner| diary.games.iter().filter(move |g| g.winner(komi) == Some(winner));
        let [b, w] = Color::BOTH.map(|winner| of(winner).count() as f64);
        let n = b + w;
        assert_eq!(counts.playouts(), PLAYOUTS as u64);
        assert_eq!((counts.won(Color::Black) as f64, counts.decided() as f64), (b, n));
        for x in size.points() {
            let taken = |color, winner| {
                of(winner).filter(|g| g.owner(size, x) == Some(color)).count() as f64
            };
            let [bb, bw] = Color::BOTH.map(|winner| taken(Color::Black, winner));
            let [wb, ww] = Color::BOTH.map(|winner| taken(Color::White, winner));
            let critical = (bb + ww) / n - ((wb + ww) / n * w / n + (bb + bw) / n * b / n);
            assert!((counts.criticality(x).value - critical).abs() < 1e-12, "{x}");
            let owners = diary.games.iter().map(|g| match g.owner(size, x) {
                Some(Color::Black) => 1.0,
                Some(Color::White) => -1.0,
                None => 0.0,
            });
            let mean = owners.sum::<f64>() / PLAYOUTS as f64;
            assert!((counts.ownership(x).value - mean).abs() < 1e-12, "{x}");
            for y in size.points() {
                check_pair(&counts, &diary, komi, x, y);
            }
        }
    }
}

fn check_pair(counts: &Counts, diary: &Diary, komi: f32, x: Point, y: Point) {
    let size = counts.size();
    let count = |winner, test: &dyn Fn(&Game) -> bool| {
        diary.games.iter().filter(|g| g.winner(komi) == Some(winner) && test(g)).count() as u64
    };
    for player in Color::BOTH {
        let one = |g: &Game| [x, y].iter().any(|&p| g.owner(size, p) != Some(!player));
        let none = |g: &Game| !one(g);
        let expected = Contingency {
            won_with: count(player, &one),
            won_without: count(player, &none),
            lost_with: count(!player, &one),
            lost_without: count(!player, &none),
        };
        assert_eq!(counts.joint(player, x, y), expected, "{player} {x} {y}");
    }
    if x == y {
        return;
    }
    for (c, d) in [0, 1, 2, 3].map(|i| (Color::BOTH[i / 2], Color::BOTH[i % 2])) {
        let (m, other, n) = ((c, x), (!c, x), (d, y));
        let with = |g: &Game| g.is_before(m, n);
        let without =
            |g: &Game| g.is_before(other, n) || g.is_before(n, m) || g.is_before(n, other);
        let reversed = |g: &Game| g.is_before(n, m);
        let order = counts.order(m, n);
        let expected = Contingency {
            won_with: count(Color::Black, &with),
            won_without: count(Color::Black, &without),
            lost_with: count(Color::White, &with),
            lost_without: count(Color::White, &without),
        };
        assert_eq!(order.table, expected, "{m:?} {n:?}");
        assert_eq!(
            order.reversed,
            count(Color::Black, &reversed) + count(Color::White, &reversed),
            "{m:?} {n:?}"
        );
    }
}

#[test]
fn the_value_of_a_table_is_the_published_one() {
    // JC_b by its own formula, and criticality as JC of a point with itself.
    let (board, komi) = boards().remove(1);
    let (counts, diary) = both(&board, komi, 1000);
    let (x, y, size) = (Point::new(2, 2), Point::new(4, 3), board.size());
    let white = |winner| {
        let of = diary.games.iter().filter(|g| g.winner(komi) == Some(winner));
        of.filter(|g| [x, y].iter().all(|&p| g.owner(size, p) == Some(Color::White))).count() as f64
    };
    let [b, w] = Color::BOTH.map(|c| counts.won(c) as f64);
    let (wb, ww) = (white(Color::Black), white(Color::White));
    let joint = 2.0 * ((b - wb) * ww - wb * (w - ww)) / (b + w).powi(2);
    assert!((counts.joint(Color::Black, x, y).association().value - joint).abs() < 1e-12);
    let (alone, itself) = (counts.criticality(x), counts.joint(Color::Black, x, x).association());
    assert!((alone.value - itself.value).abs() < 1e-12);
    assert!((alone.error - itself.error).abs() < 1e-12);
}

#[test]
fn ranks_are_sums_over_all_other_moves() {
    let (board, komi) = boards().remove(0);
    let (counts, _) = both(&board, komi, PLAYOUTS);
    let moves: Vec<(Color, Point)> =
        Color::BOTH.iter().flat_map(|&c| board.size().points().map(move |p| (c, p))).collect();
    for &m in &moves {
        let mut rank = 0.0;
        for &n in moves.iter().filter(|n| n.1 != m.1) {
            let value = |m, n| counts.order(m, n).table.association().value;
            let difference = value(m, n) - value(n, m);
            if difference.abs() > 0.01 {
                rank += 0.01 * difference.signum();
            }
        }
        assert!((counts.order_rank(m)[0] - rank).abs() < 1e-9, "{m:?}");
    }
}

#[test]
fn parts_add_up_to_the_whole() {
    let board = Board::new(Size::NINE);
    let runs = |streams: &[usize], statistics: &mut Statistics| {
        let mut uniform = Uniform::new(&board, Color::Black);
        for &stream in streams {
            let mut random = Random::stream(5, stream);
            for _ in 0..400 {
                uniform.run_watched(&mut random, statistics);
            }
        }
    };
    let new = || Statistics::new(Size::NINE, 7.5, Wanted::ALL);
    let mut whole = new();
    runs(&[0, 1, 2, 3], &mut whole);
    let mut sum = Counts::new(Size::NINE, Wanted::ALL);
    for stream in 0..4 {
        let mut part = new();
        runs(&[stream], &mut part);
        sum.merge(part.counts());
    }
    assert!(sum == whole.into_counts());
}

#[test]
fn threads_do_not_change_the_counts() {
    let board = Board::new(Size::NINE);
    let counts = |threads| {
        let task = Task {
            board: &board,
            to_move: Color::Black,
            last: None,
            komi: 7.5,
            model: None,
            playouts: 4300,
            seed: 1,
            threads,
            wanted: Wanted::ALL,
        };
        gather(&task, &AtomicBool::new(false), &|_| ())
    };
    let one = counts(1);
    assert_eq!(one.playouts(), 4300);
    assert!(one == counts(4));
}

#[test]
fn counting_does_not_allocate_or_change_playouts() {
    let board = Board::new(Size::NINE);
    let mut uniform = Uniform::new(&board, Color::Black);
    let mut statistics = Statistics::new(Size::NINE, 7.5, Wanted::ALL);
    let (mut a, mut b) = (Random::new(3), Random::new(3));
    let quiet: Vec<Outcome> = (0..1000).map(|_| uniform.run(&mut a)).collect();
    let info = allocation_counter::measure(|| {
        for outcome in &quiet {
            assert_eq!(uniform.run_watched(&mut b, &mut statistics), *outcome);
        }
        statistics.counts();
    });
    assert_eq!(info.count_total, 0);
}
