//! A review of the line that is looked at: what the page shows of it, and what is written into the
//! record. Which moves are mistakes, [`engine::review`] says.

use engine::Language;
use engine::review::{self, Effort, Job, JobResult, Mistake};
use goban::{Color, Game, Move};
use kifu::{NodeId, Record, Resumed, Tree};
use serde_json::{Value, json};

use crate::record;
use crate::view::{color_name, short};

/// Moves of a better line that are shown.
const LINE: usize = 8;

/// Our comments begin with this, so that nothing is written twice.
const MARK: &str = "Harie: ";

/// A review of one line of a game.
pub struct Review {
    number: u64,
    review: review::Review,
    /// Where each position is in the tree.
    nodes: Vec<NodeId>,
    /// Moves of the line before the first position: stones were set up after them.
    skipped: usize,
    visits: u64,
    stopped: bool,
}

impl Review {
    /// A review along the line through a node, from the start to the end, or to the first move that
    /// cannot be played. What the record does not say is as in `present`.
    ///
    /// # Errors
    /// If the record is not of Go, or its stones cannot be set up.
    pub fn new(
        number: u64,
        tree: &Tree,
        through: NodeId,
        present: &Game,
        visits: u64,
    ) -> Result<Review, String> {
        let after = |&node: &NodeId| tree.first_child(node);
        let end = std::iter::successors(Some(through), after).last().unwrap_or(through);
        let record = Record::until(tree, end, &mut Vec::new()).map_err(|why| why.to_string())?;
        let Resumed { start, game, played, .. } = record::resume(&record, present)?;
        let skipped = played - game.moves().len();
        // The first position is where stones were set up last.
        let setup = record.changes.iter().rfind(|change| change.after <= played);
        let before = setup.map_or(record.setup, |change| change.node);
        let nodes = record.moves[skipped..played].iter().map(|played| played.node);
        Ok(Review {
            number,
            review: review::Review::new(&start, game.moves(), Effort::visits(visits)),
            nodes: std::iter::once(before).chain(nodes).collect(),
            skipped,
            visits,
            stopped: false,
        })
    }

    /// Which review of the table it is.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Whether there is something left to do.
    pub fn is_running(&self) -> bool {
        !self.stopped && !self.review.is_over()
    }

    /// Whether it still wants what a job of a review found.
    pub fn takes(&self, number: u64) -> bool {
        number == self.number && self.is_running()
    }

    /// Memory for its searches, in megabytes.
    pub fn megabytes(&self) -> usize {
        Effort::visits(self.visits).megabytes()
    }

    /// Goes no further.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// What is to be searched next.
    pub fn next(&self) -> Option<Job> {
        if self.stopped { None } else { self.review.next() }
    }

    /// Takes what a job found.
    pub fn take(&mut self, result: JobResult) {
        self.review.take(result);
    }

    /// The node of the position after a move.
    fn node(&self, mistake: &Mistake) -> NodeId {
        self.nodes[mistake.number]
    }

    /// For the page.
    pub fn to_json(&self) -> Value {
        let thousandth = |x: f32| short(f64::from(x));
        let standings = self.review.standings();
        let positions: Vec<Value> = standings
            .iter()
            .zip(&self.nodes)
            .map(|(standing, node)| {
                json!([node.index(), thousandth(standing.winrate), thousandth(standing.score)])
            })
            .collect();
        let mut mistakes = self.review.mistakes();
        mistakes.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
        let mistakes: Vec<Value> = mistakes
            .into_iter()
            .map(|mistake| {
                let explanation = &mistake.explanation;
                let black = |x: f32| match explanation.color {
                    Color::Black => thousandth(x),
                    Color::White => thousandth(1.0 - x),
                };
                let after = explanation
                    .played
                    .as_ref()
                    .map_or(explanation.best.winrate, |played| played.winrate);
                let (loss, points) = explanation.loss();
                json!({
                    "node": self.node(mistake).index(),
                    "number": self.skipped + mistake.number,
                    "color": color_name(explanation.color),
                    "played": mistake.played().to_string(),
                    "loss": thousandth(loss),
                    "points": thousandth(points),
                    "before": black(explanation.best.winrate),
                    "after": black(after),
                    "line": line(&explanation.best.line),
                })
            })
            .collect();
        json!({
            "type": "review",
            "running": self.is_running(),
            "done": standings.len(),
            "total": self.review.positions(),
            "visits": self.visits,
            "positions": positions,
            "mistakes": mistakes,
        })
    }

    /// Writes what was found into a tree: mistakes as comments, win rates as Sabaki writes them.
    pub fn annotate(&self, tree: &mut Tree, language: Language) {
        // Of nodes that were taken out since, nothing is seen.
        for (standing, &node) in self.review.standings().iter().zip(&self.nodes) {
            let percent = format!("{:.2}", 100.0 * standing.winrate);
            record::set_text(tree, node, "SBKV", &percent);
        }
        for mistake in self.review.mistakes() {
            let node = self.node(mistake);
            let remark = format!("{MARK}{}", mistake.explanation.sentences(language).join("\n"));
            let old = record::text(tree, node, "C").unwrap_or_default();
            if !old.contains(&remark) {
                let gap = if old.is_empty() { "" } else { "\n\n" };
                record::set_text(tree, node, "C", &format!("{old}{gap}{remark}"));
            }
        }
    }
}

/// A line as the page reads it.
fn line(moves: &[Move]) -> Vec<String> {
    moves.iter().take(LINE).map(|mv| mv.to_string()).collect()
}
