//! What pages are told: positions, trees and findings as JSON. docs/web.md has the fields.

use engine::statistics::{Counts, Findings};
use engine::{Assessment, Language, Rated, Reason, Report};
use goban::{Cell, Color, Game, Move, Point, PointMap, PointSet, Size, score};
use kifu::{NodeId, Tree};
use serde_json::{Value, json};

/// Moves of an analysis that are told.
const CANDIDATES: usize = 16;
/// Moves of a line that are told.
const LINE: usize = 16;
/// Pairs of moves whose order is told.
const ORDERS: usize = 12;

/// `black` or `white`.
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Thousandths: enough to draw with.
pub fn short(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

/// The stones in reading order: `X` black, `O` white, `.` none.
pub fn stones(game: &Game) -> String {
    let board = game.board();
    let letter = |p| match board.cell(p) {
        Cell::Black => 'X',
        Cell::White => 'O',
        _ => '.',
    };
    board.size().points().map(letter).collect()
}

/// The empty points where the player to move may not play, and why.
pub fn forbidden(game: &Game) -> Value {
    let empties = game.board().empties().filter_map(|p| {
        let why = game.check(game.to_move(), Move::Play(p)).err()?;
        Some(json!([p.to_string(), why.to_string()]))
    });
    empties.collect()
}

/// Points of both players in the count, dead stones and who has which point.
pub fn count(game: &Game, marks: &score::Marks) -> Value {
    let board = game.board();
    let tally = score::count(board, game.rules().scoring, marks, game.prisoners());
    let owners = score::owners(board, &marks.dead);
    let owner = |p| match owners[p] {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    let bonus = game.rules().handicap_bonus.points(game.handicap());
    json!({
        "dead": points(&marks.dead),
        "owners": board.size().points().map(owner).collect::<String>(),
        "black": tally.black,
        "white": tally.white,
        "komi": game.komi(),
        "bonus": bonus,
        "result": goban::result_text(game.score(marks)),
    })
}

fn points(set: &PointSet) -> Value {
    set.iter().map(|p| json!(p.to_string())).collect()
}

/// Ownership in hundredths, Black's above 0.
fn ownership(map: &PointMap<f32>, size: Size, sign: f32) -> Value {
    size.points().map(|p| json!((100.0 * sign * map[p]).round() as i32)).collect()
}

/// What a search has found. Win rates and scores are Black's, so that they can be compared along a
/// game.
pub fn insight(report: &Report, size: Size, policy: &[Rated]) -> Value {
    let black = report.to_move == Color::Black;
    let sign = if black { 1.0 } else { -1.0 };
    let rate = |x: f32| short(f64::from(if black { x } else { 1.0 - x }));
    let candidates = report.candidates.iter().filter(|c| c.visits > 0).take(CANDIDATES);
    let candidates = candidates.map(|c| {
        let line: Vec<String> = c.line.iter().take(LINE).map(|m| m.to_string()).collect();
        json!({
            "at": c.mv.to_string(),
            "visits": c.visits,
            "winrate": rate(c.winrate),
            "score": short(f64::from(sign * c.score)),
            "prior": short(f64::from(c.prior)),
            "line": line,
        })
    });
    let candidates: Vec<Value> = candidates.collect();
    json!({
        "toMove": color_name(report.to_move),
        "visits": report.visits,
        "seconds": short(report.elapsed.as_secs_f64()),
        "winrate": rate(report.winrate),
        "score": short(f64::from(sign * report.score)),
        "candidates": candidates,
        "policy": self::policy(policy),
        "ownership": ownership(&report.ownership, size, sign),
    })
}

/// What playouts tell about points and pairs of points.
pub fn statistics(counts: &Counts, game: &Game) -> Value {
    let findings = Findings::new(counts, game.board());
    let size = counts.size();
    let critical: Vec<i32> = size
        .points()
        .map(|p| (1000.0 * counts.criticality(p).value.max(0.0)).round() as i32)
        .collect();
    let owners: Vec<i32> =
        size.points().map(|p| (100.0 * counts.ownership(p).value).round() as i32).collect();
    let miai = Color::BOTH.iter().flat_map(|&player| findings.miai(player)).map(|pair| {
        let [x, y] = pair.points.map(|p| p.to_string());
        json!({"player": color_name(pair.player), "x": x, "y": y, "value": short(pair.value.value)})
    });
    let miai: Vec<Value> = miai.collect();
    let orders = Color::BOTH.iter().flat_map(|&player| {
        findings.better_orders(player).into_iter().take(ORDERS).map(move |before| {
            json!({
                "player": color_name(player),
                "first": before.first.1.to_string(),
                "then": before.then.1.to_string(),
                "value": short(before.value.value),
            })
        })
    });
    let orders: Vec<Value> = orders.collect();
    json!({
        "playouts": counts.playouts(),
        "ownership": owners,
        "criticality": critical,
        "miai": miai,
        "orders": orders,
    })
}

/// The moves that a model thinks likeliest, with their probabilities.
pub fn policy(rated: &[Rated]) -> Value {
    let likely = rated.iter().take(24).filter(|rated| rated.probability >= 0.001);
    likely
        .map(|rated| json!([rated.point.to_string(), short(f64::from(rated.probability))]))
        .collect()
}

/// Something in both languages of the page.
pub fn both<T: serde::Serialize>(say: impl Fn(Language) -> T) -> Value {
    json!({"en": say(Language::English), "ja": say(Language::Japanese)})
}

/// What a move model says for and against a move, in words and as a factor; what it says twice is
/// told once.
pub fn reasons(reasons: &[Reason], say: fn(&Reason, Language) -> String) -> Value {
    let mut merged: Vec<(&Reason, f32)> = Vec::new();
    for reason in reasons {
        match merged.iter_mut().find(|(known, _)| known.words == reason.words) {
            Some((_, weight)) => *weight *= reason.weight,
            None => merged.push((reason, reason.weight)),
        }
    }
    let strength = |weight: f32| weight.max(1e-9).ln().abs();
    merged.sort_by(|a, b| strength(b.1).total_cmp(&strength(a.1)));
    merged.retain(|&(_, weight)| strength(weight) > 0.05);
    merged.truncate(8);
    let told = merged.iter().map(|&(reason, weight)| {
        json!([both(|language| say(reason, language)), short(f64::from(weight))])
    });
    told.collect()
}

/// What speaks for a move: sentences about it, and what the move model says.
pub fn why(point: Point, sentences: Value, reasons: Value, policy: &[Rated]) -> Value {
    let rank = policy.iter().position(|rated| rated.point == point);
    let probability = rank.map(|rank| short(f64::from(policy[rank].probability)));
    json!({
        "at": point.to_string(),
        "rank": rank.map(|rank| rank + 1),
        "probability": probability,
        "words": sentences,
        "reasons": reasons,
    })
}

/// Links, groups and territory.
pub fn sight(assessment: &Assessment, size: Size) -> Value {
    let links = assessment.groups.links.iter().map(|link| {
        json!({
            "player": color_name(link.color),
            "ends": link.ends.map(|p| p.to_string()),
            "kind": link.kind.name(),
            "holds": link.holds(),
        })
    });
    let groups = assessment.groups.list.iter().map(|group| {
        let eyes: PointSet = group.eyes.iter().flat_map(|eye| eye.points.iter()).collect();
        json!({
            "player": color_name(group.color),
            "stones": points(&group.stones),
            "liberties": group.liberties.len(),
            "eyes": group.eye_count(),
            "eyePoints": points(&eyes),
            "survives": short(f64::from(group.strength)),
            "life": group.life.word(),
        })
    });
    let owners = |owner: &PointMap<Option<Color>>| -> String {
        let letter = |p| match owner[p] {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '.',
        };
        size.points().map(letter).collect()
    };
    json!({
        "links": links.collect::<Vec<_>>(),
        "groups": groups.collect::<Vec<_>>(),
        "byLines": owners(&assessment.by_lines.owner),
        "byOwnership": owners(&assessment.by_ownership.owner),
        "areas": [assessment.by_lines.area, assessment.by_ownership.area],
    })
}

/// All nodes that belong to the game: for each its place, the place of the node before, its move and
/// whether it has a comment, in an order in which variations follow their parents.
pub fn tree(tree: &Tree) -> Value {
    let mut nodes = Vec::new();
    let mut open = vec![tree.root()];
    while let Some(node) = open.pop() {
        let parent = tree.parent(node).map(NodeId::index);
        let comment = tree.property(node, "C").is_some();
        nodes.push(json!([node.index(), parent, label(tree, node), comment as u8]));
        let from = open.len();
        open.extend(tree.children(node));
        open[from..].reverse();
    }
    Value::Array(nodes)
}

/// The colour of a node's move, or nothing.
fn label(tree: &Tree, node: NodeId) -> &'static str {
    if tree.property(node, "B").is_some() {
        "B"
    } else if tree.property(node, "W").is_some() {
        "W"
    } else {
        ""
    }
}
