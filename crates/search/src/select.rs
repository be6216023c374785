//! The choice among the moves of a node.

use goban::{Point, PointMap, Size};
use playout::steering::SteeringGuide;

use crate::settings::Settings;
use crate::tree::Edge;
use crate::urgency::Bias;

impl Settings {
    /// How many moves a node with so many visits looks at.
    #[inline]
    pub fn moves_looked_at(&self, visits: u32) -> usize {
        match self.widening {
            // All moves are too many to keep: most are never tried. A node starts with those that
            // fit into one block and looks at more when it is visited often.
            0 => crate::tree::EDGES + visits as usize / 40,
            first => {
                let steps = (visits.max(1) as f32).ln() / self.widening_growth.ln();
                first + steps as usize
            }
        }
    }

    /// The move to follow next, for the player to move: `most` is the probability of the likeliest
    /// and `mean` the win rate of the node. A guide draws to critical points, and biases to urgent
    /// ones.
    #[inline]
    pub fn select<'a>(
        &self,
        edges: impl Iterator<Item = &'a Edge>,
        most: f32,
        visits: u32,
        mean: f32,
        guide: Option<&SteeringGuide>,
        biases: Option<&PointMap<Bias>>,
    ) -> Option<&'a Edge> {
        let exploration = self.exploration * (visits as f32 + 1.0).sqrt();
        let log = if self.ucb > 0.0 { (visits as f32 + 1.0).ln() } else { 0.0 };
        let (mut best, mut best_worth) = (None, f32::NEG_INFINITY);
        for edge in edges {
            let (n, won) = edge.tally.read();
            let (amaf_n, amaf_won) = edge.amaf.read();
            let prior = edge.prior();
            // Playouts that made the move later count like visits, but never more than a few
            // hundred of them.
            let share = self.amaf / (self.amaf + amaf_n).max(1e-9);
            let urgent = bias_of(biases, edge.mv());
            let expected = self.expected(mean, prior, most) + self.lift * urgent.lift;
            let first = self.fpu_visits * expected;
            let seen = n + amaf_n * share + self.fpu_visits;
            let critical = match (guide, edge.mv()) {
                (Some(guide), Some(p)) => 1.0 + guide.criticality(p),
                _ => 1.0,
            };
            // With everything switched off, a move that was not tried has no visits at all.
            let worth = (won + amaf_won * share + first) / seen.max(1e-9)
                + exploration * prior * urgent.factor * critical / (1.0 + n)
                + self.ucb * (log / (n + 1.0)).sqrt();
            if worth > best_worth {
                (best, best_worth) = (Some(edge), worth);
            }
        }
        best
    }

    /// What a move of this probability is expected to win before it is tried, where the likeliest
    /// has the probability `most`.
    #[inline]
    pub fn expected(&self, mean: f32, prior: f32, most: f32) -> f32 {
        // Logarithms to base 100, for a hundred times less likely is a good unit.
        const UNIT: f32 = 1.0 / 6.643_856;
        mean - self.fpu_reduction * (most / prior.max(1e-6)).log2() * UNIT
    }

    /// What a playout is worth for Black, who ended `score` points ahead: 0 to 1.
    pub fn worth(&self, score: f32, size: Size) -> f32 {
        let won = match score {
            s if s > 0.0 => 1.0,
            s if s < 0.0 => 0.0,
            _ => 0.5,
        };
        let margin = 0.5 + 0.5 * (score / (1.5 * size.side() as f32)).tanh();
        won * (1.0 - self.margin) + margin * self.margin
    }
}

/// The bias of a move; a pass has none.
#[inline]
pub fn bias_of(biases: Option<&PointMap<Bias>>, mv: Option<Point>) -> Bias {
    match (biases, mv) {
        (Some(biases), Some(p)) => biases[p],
        _ => Bias::NONE,
    }
}
