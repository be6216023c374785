//! What statistics found, in sentences that a player understands.

use goban::{Board, Color, Point};
use playout::statistics::{Before, Counts, Findings};

/// What a point is in a fight, for one player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Liberty {
    /// Of the opponent's stones in the fight, not of the player's own.
    Outside,
    /// Of both.
    Inside,
    /// Of the player's own stones in the fight only.
    Own,
    /// Of neither.
    None,
}

/// Stones whose fate is open are owned less surely than this.
const SURE: f64 = 0.9;

/// Orders that are told beyond those of liberties, for each player.
const OTHERS: usize = 6;

/// Everything that stands out: miai, then which moves should come first. Nothing is said where
/// nothing does.
pub fn sentences(board: &Board, counts: &Counts, findings: &Findings<'_>) -> Vec<String> {
    let mut sentences = Vec::new();
    for player in Color::BOTH {
        for pair in findings.miai(player) {
            let [x, y] = pair.points;
            sentences.push(format!("{player} has miai of {x} and {y}."));
        }
    }
    for player in Color::BOTH {
        sentences.extend(orders(board, counts, &findings.better_orders(player), player));
    }
    sentences
}

fn orders(board: &Board, counts: &Counts, orders: &[Before], player: Color) -> Vec<String> {
    let mut sentences = Vec::new();
    let kind = |p: Point| liberty(board, counts, p, player);
    let between = |first: Liberty, then: Liberty| {
        let wanted = |order: &&Before| (kind(order.first.1), kind(order.then.1)) == (first, then);
        let found: Vec<&Before> = orders.iter().filter(wanted).collect();
        let firsts = each_once(board, found.iter().map(|order| order.first.1));
        let thens = each_once(board, found.iter().map(|order| order.then.1));
        (!found.is_empty()).then_some((firsts, thens))
    };
    if let Some((firsts, thens)) = between(Liberty::Outside, Liberty::Inside) {
        let (outside, inside) = (liberties("outside", &firsts), liberties("inside", &thens));
        sentences.push(format!("{player} should play {outside} before {inside}."));
    }
    if let Some((firsts, thens)) = between(Liberty::Outside, Liberty::Own) {
        let (outside, own) = (liberties("outside", &firsts), list(&thens));
        sentences
            .push(format!("{player} should play {outside} before filling liberties at {own}."));
    }
    let told = |order: &&Before| {
        let kinds = (kind(order.first.1), kind(order.then.1));
        !matches!(kinds, (Liberty::Outside, Liberty::Inside | Liberty::Own))
    };
    let others: Vec<&Before> = orders.iter().filter(told).take(OTHERS).collect();
    for first in each_once(board, others.iter().map(|order| order.first.1)) {
        let after = others.iter().filter(|order| order.first.1 == first);
        let thens = list(&each_once(board, after.map(|order| order.then.1)));
        sentences.push(format!("{player} should play {first} before {thens}."));
    }
    sentences
}

/// What a point is to a player, by the chains around it whose fate is open.
fn liberty(board: &Board, counts: &Counts, p: Point, player: Color) -> Liberty {
    let touches = |color: Color| {
        let chains = board.neighbours(p).filter_map(|q| board.chain(q));
        chains
            .filter(|&chain| board.chain_stones(chain).any(|q| board.cell(q) == color.into()))
            .any(|chain| {
                let stones = board.chain_stones(chain).map(|q| counts.ownership(q).value);
                let mean = stones.sum::<f64>() / board.length(chain) as f64;
                mean.abs() < SURE
            })
    };
    match (touches(!player), touches(player)) {
        (true, false) => Liberty::Outside,
        (true, true) => Liberty::Inside,
        (false, true) => Liberty::Own,
        (false, false) => Liberty::None,
    }
}

/// The points in reading order, each once.
fn each_once(board: &Board, points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut points: Vec<Point> = points.collect();
    points.sort_by_key(|&p| board.size().reading_index(p));
    points.dedup();
    points
}

fn liberties(kind: &str, points: &[Point]) -> String {
    let noun = if points.len() == 1 { "liberty" } else { "liberties" };
    format!("the {kind} {noun} {}", list(points))
}

/// `A1, B2 and C3`
pub fn list(points: &[Point]) -> String {
    let names: Vec<String> = points.iter().map(Point::to_string).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
