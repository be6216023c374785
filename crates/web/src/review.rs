//! A walk through a game: what each position is worth, and which moves decided it.

use engine::Language;
use goban::{Color, Size};
use kifu::{NodeId, Tree};
use serde_json::{Value, json};

use crate::record;
use crate::view::color_name;

/// A move that loses at least this much of the win rate is a mistake worth telling.
const LEAST: f32 = 0.08;
/// Mistakes that are told.
const TOLD: usize = 8;

/// What a position is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// To Black, 0 to 1.
    pub winrate: f32,
    /// Points for Black.
    pub score: f32,
    /// The best line from there.
    pub line: Vec<String>,
}

struct Step {
    node: NodeId,
    /// Who moved to get there, and where.
    played: Option<(Color, String)>,
    judged: Option<Judged>,
}

/// A walk along one line of a game.
pub struct Review {
    steps: Vec<Step>,
    visits: u64,
    running: bool,
}

impl Review {
    /// A walk along the line through a node, from the start to the end.
    pub fn new(tree: &Tree, through: NodeId, size: Size, visits: u64) -> Review {
        let mut line = tree.path(through);
        line.extend(std::iter::successors(tree.first_child(through), |&n| tree.first_child(n)));
        let step = |node: NodeId| Step {
            node,
            played: record::move_of(tree, node, size).map(|(c, mv)| (c, mv.to_string())),
            judged: None,
        };
        Review { steps: line.into_iter().map(step).collect(), visits, running: true }
    }

    /// Whether there is something left to do.
    pub fn is_running(&self) -> bool {
        self.running
    }

    /// Goes no further.
    pub fn stop(&mut self) {
        self.running = false;
    }

    /// The next position, and how many playouts it is worth.
    pub fn next(&mut self) -> Option<(NodeId, u64)> {
        let next = self.steps.iter().find(|step| step.judged.is_none());
        self.running &= next.is_some();
        next.filter(|_| self.running).map(|step| (step.node, self.visits))
    }

    /// A position was judged.
    pub fn found(&mut self, node: NodeId, judged: Judged) {
        if let Some(step) = self.steps.iter_mut().find(|step| step.node == node) {
            step.judged = Some(judged);
        }
        self.running &= self.steps.iter().any(|step| step.judged.is_none());
    }

    /// The moves that lost most, the worst first: what the mover's win rate was before and after.
    fn mistakes(&self) -> Vec<(usize, f32)> {
        let mut found: Vec<(usize, f32)> = self
            .steps
            .windows(2)
            .enumerate()
            .filter_map(|(i, pair)| {
                let (color, played) = pair[1].played.as_ref()?;
                let (before, after) = (pair[0].judged.as_ref()?, pair[1].judged.as_ref()?);
                let sign = if *color == Color::Black { 1.0 } else { -1.0 };
                // Whoever plays the move that was found has not erred, whatever chance says then.
                let found = before.line.first() == Some(played);
                let loss = sign * (before.winrate - after.winrate);
                (!found && loss >= LEAST).then_some((i + 1, loss))
            })
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found.truncate(TOLD);
        found
    }

    /// For the page.
    pub fn to_json(&self) -> Value {
        let thousandth = |x: f32| (f64::from(x) * 1000.0).round() / 1000.0;
        let positions: Vec<Value> = self
            .steps
            .iter()
            .filter_map(|step| {
                let judged = step.judged.as_ref()?;
                let (winrate, score) = (thousandth(judged.winrate), thousandth(judged.score));
                Some(json!([step.node.index(), winrate, score]))
            })
            .collect();
        let mistakes = self.mistakes().into_iter().filter_map(|(i, loss)| {
            let (step, before) = (&self.steps[i], self.steps[i - 1].judged.as_ref()?);
            let (color, played) = step.played.as_ref()?;
            Some(json!({
                "node": step.node.index(),
                "number": self.steps[..=i].iter().filter(|step| step.played.is_some()).count(),
                "color": color_name(*color),
                "played": played,
                "loss": thousandth(loss),
                "before": thousandth(before.winrate),
                "after": thousandth(step.judged.as_ref()?.winrate),
                "line": before.line,
            }))
        });
        let mistakes: Vec<Value> = mistakes.collect();
        json!({
            "type": "review",
            "running": self.running,
            "done": positions.len(),
            "total": self.steps.len(),
            "visits": self.visits,
            "positions": positions,
            "mistakes": mistakes,
        })
    }

    /// Writes what was found into a tree: mistakes as comments, win rates as Sabaki writes them.
    pub fn annotate(&self, tree: &mut Tree, language: Language) {
        for step in &self.steps {
            // Of nodes that were taken out since, nothing is seen.
            if let Some(judged) = &step.judged {
                let percent = format!("{:.2}", 100.0 * judged.winrate);
                record::set_text(tree, step.node, "SBKV", &percent);
            }
        }
        for (i, loss) in self.mistakes() {
            let step = &self.steps[i];
            let Some(before) = &self.steps[i - 1].judged else { continue };
            let Some((color, played)) = &step.played else { continue };
            let (percent, line) = (100.0 * loss, before.line.join(" "));
            let remark = match language {
                Language::English => format!(
                    "Harie: {color} {played} loses {percent:.0} % of the win rate. Better: {line}"
                ),
                Language::Japanese => {
                    let color = if *color == Color::Black { "黒" } else { "白" };
                    format!("Harie: {color}{played}は勝率を{percent:.0}%失う。正しくは {line}")
                }
            };
            let old = record::text(tree, step.node, "C").unwrap_or_default();
            if !old.contains(&remark) {
                let gap = if old.is_empty() { "" } else { "\n\n" };
                record::set_text(tree, step.node, "C", &format!("{old}{gap}{remark}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_moves_come_first() {
        let (mut trees, _) = kifu::read(b"(;SZ[9];B[aa];W[bb];B[cc];W[dd](;B[ee])(;B[ff]))");
        let mut tree = trees.remove(0);
        let mut review = Review::new(&tree, tree.root(), Size::NINE, 10);
        // Black's first move loses 30 %, White's second 12 %, Black's last gains.
        let winrates = [0.6, 0.3, 0.32, 0.3, 0.42, 0.5];
        for winrate in winrates {
            let (node, visits) = review.next().unwrap();
            assert_eq!(visits, 10);
            review.found(node, Judged { winrate, score: 0.0, line: vec!["E5".to_owned()] });
        }
        assert!(!review.is_running() && review.next().is_none());
        let told = review.to_json();
        let numbers: Vec<_> =
            told["mistakes"].as_array().unwrap().iter().map(|m| m["number"].as_u64()).collect();
        assert_eq!(numbers, [Some(1), Some(4)]);
        review.annotate(&mut tree, Language::English);
        review.annotate(&mut tree, Language::English);
        let text = tree.to_sgf();
        assert_eq!(text.matches("loses 30 % of the win rate. Better: E5").count(), 1, "{text}");
        assert!(text.contains("SBKV[30.00]"));
    }

    #[test]
    fn the_move_that_was_found_is_no_mistake() {
        let (trees, _) = kifu::read(b"(;SZ[9];B[ee])");
        let mut review = Review::new(&trees[0], trees[0].root(), Size::NINE, 10);
        for winrate in [0.9, 0.2] {
            let (node, _) = review.next().unwrap();
            review.found(node, Judged { winrate, score: 0.0, line: vec!["E5".to_owned()] });
        }
        assert_eq!(review.to_json()["mistakes"], json!([]));
    }
}
