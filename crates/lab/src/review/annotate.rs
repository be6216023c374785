//! A review written into the record: comments, values and variations, in properties that every
//! program knows. What was there stays.

use engine::review::{Mistake, Standing};
use engine::{Grade, Language};
use goban::{Color, Move};
use kifu::{NodeId, Record, Tree};

use super::Review;

/// Moves of a variation.
const LINE: usize = 8;

/// Our comments begin with this, so that a second review does not say everything twice.
const MARK: &str = "Harie: ";

/// Writes what was found into the record's tree.
pub fn annotate(tree: &mut Tree, record: &Record, review: &Review, language: Language) {
    let nodes = |number: usize| match number {
        0 => Some(NodeId::ROOT),
        n => record.moves.get(n - 1).map(|played| played.node),
    };
    for (i, standing) in review.standings.iter().enumerate() {
        let number = review.skipped + i;
        let Some(node) = nodes(number) else { break };
        let mistake = review.mistakes.iter().find(|mistake| mistake.number == number);
        let mut text = format!("{MARK}{}", stands(standing, language));
        if let Some(mistake) = mistake {
            text += "\n";
            text += &mistake.explanation.sentences(language).join("\n");
        }
        if comment(tree, node, &text) {
            set_new(tree, node, "V", &format!("{:.1}", standing.score));
        }
        if let Some(mistake) = mistake {
            let bad = if mistake.explanation.grade() == Grade::Blunder { "2" } else { "1" };
            if !["BM", "DO", "TE", "IT"].iter().any(|name| tree.property(node, name).is_some()) {
                set_new(tree, node, "BM", bad);
            }
            variation(tree, record, node, mistake);
        }
    }
}

/// `Black wins 53 %, ahead by 1.5 points (1,000 playouts)`
fn stands(standing: &Standing, language: Language) -> String {
    let (winrate, score) = (100.0 * standing.winrate, standing.score);
    let visits = policy::grouped(standing.visits);
    match language {
        Language::English => {
            let leader = if score >= 0.0 { Color::Black } else { Color::White };
            format!(
                "Black wins {winrate:.0} %, {leader} leads by {:.1} ({visits} playouts)",
                score.abs()
            )
        }
        Language::Japanese => {
            let leader = if score >= 0.0 { "黒" } else { "白" };
            format!("黒の勝率{winrate:.0}%、{leader}が{:.1}目リード（{visits}回）", score.abs())
        }
    }
}

/// Adds to the comment of a node; says whether it was done.
fn comment(tree: &mut Tree, node: NodeId, text: &str) -> bool {
    let old = tree.value(node, "C").map(|value| value.text().into_owned());
    let whole = match old {
        Some(old) if old.contains(MARK) => return false,
        Some(old) if !old.trim().is_empty() => format!("{}\n\n{text}", old.trim_end()),
        _ => text.to_owned(),
    };
    tree.set(node, "C", [whole]).is_ok()
}

/// Sets a property that the node does not have.
fn set_new(tree: &mut Tree, node: NodeId, name: &str, value: &str) {
    if tree.property(node, name).is_none() {
        let _ = tree.set(node, name, [value]);
    }
}

/// Adds the line that would have been better beside the move.
fn variation(tree: &mut Tree, record: &Record, node: NodeId, mistake: &Mistake) {
    let Some(parent) = tree.parent(node) else { return };
    let mut at = parent;
    let mut color = mistake.explanation.color;
    for (i, &mv) in mistake.explanation.best.line.iter().take(LINE).enumerate() {
        let point = match mv {
            Move::Play(p) => Some(p),
            Move::Pass => None,
        };
        at = tree.add_move(at, color, point, record.size);
        if i == 0 {
            let best = &mistake.explanation.best;
            let (percent, score) = (100.0 * best.winrate, best.score);
            let text =
                format!("{MARK}{} {mv}: {percent:.0} %, {score:+.1}", mistake.explanation.color);
            let _ = tree.set(at, "C", [text]);
            let _ = tree.set(at, "TE", ["1"]);
        }
        color = !color;
    }
}
