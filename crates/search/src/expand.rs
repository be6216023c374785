//! New nodes: which moves a position has, the likeliest first.

use goban::{Move, Point, PointSet};

use crate::root::Variation;
use crate::tree::{MOVES, Node};
use crate::urgency::Urgency;
use crate::worker::Shared;

/// The probability of a pass, of which the move model knows nothing: a little.
pub const PASS: f32 = 0.002;

/// The same in the tree when the opponent has passed.
const PASS_BACK: f32 = 0.05;

/// What moves that are urged are lifted to together at most.
const MOST_URGED: f32 = 0.95;

/// Moves of a colour that are forbidden, or the only ones allowed, near the root.
#[derive(Clone, PartialEq, Debug)]
pub struct Restriction {
    /// Whose moves.
    pub color: goban::Color,
    /// The moves.
    pub moves: Vec<Move>,
    /// It holds for moves less than this many steps from the root: 1 is the root only.
    pub until_depth: usize,
}

/// Makes nodes.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Expander {
    /// Moves that are not looked at.
    pub avoid: Vec<Restriction>,
    /// If there are any for a colour, only these are looked at.
    pub allow: Vec<Restriction>,
    /// Moves of the root that are taken to be at least so likely, whatever the move model says.
    pub urged: Vec<(Point, f32)>,
}

impl Expander {
    /// A node for the position at the end of a variation, `depth` moves from the root. `None` if there
    /// is no room for it.
    pub fn expand(
        &self,
        shared: &Shared<'_>,
        variation: &mut Variation<'_>,
        depth: usize,
        urgency: Option<&Urgency>,
    ) -> Option<Node> {
        variation.rate();
        let settings = shared.settings;
        let color = variation.situation().to_move;
        // Whoever asks for some moves wants to know what becomes of them.
        let settled = settings.ladder_prior < 1.0 && !self.asks(color, depth);
        let runners = if settled { variation.runners() } else { PointSet::EMPTY };
        let variation = &*variation;
        let situation = variation.situation();
        let board = situation.board;
        let allowed = |mv: Move| self.allows(color, mv, depth);
        let mut moves: Vec<(Option<Point>, f32)> = variation
            .rated()
            .iter()
            .filter(|rated| !board.is_eye(rated.point, color))
            .filter(|rated| allowed(Move::Play(rated.point)))
            .filter(|rated| !variation.repeats(shared.root, rated.point))
            .map(|rated| (Some(rated.point), rated.probability.powf(settings.sharpness)))
            .collect();
        if !runners.is_empty() {
            settle(&mut moves, &runners, settings.ladder_prior);
        }
        share_out(&mut moves);
        if depth == 0 && !self.urged.is_empty() {
            urge(&mut moves, &self.urged);
        }
        if moves.is_empty() || allowed(Move::Pass) {
            let pass = if situation.last.is_none() && depth > 0 { PASS_BACK } else { PASS };
            let place = moves.partition_point(|&(_, prior)| prior >= pass).min(MOVES - 1);
            moves.insert(place, (None, pass));
        }
        let biases = urgency.map(|urgency| urgency.biases(color));
        shared.tree.node(moves.into_iter(), settings.moves_looked_at(0), biases)
    }

    /// Whether there are moves of a colour that are the only ones to look at.
    fn asks(&self, color: goban::Color, depth: usize) -> bool {
        self.allow.iter().any(|r| r.color == color && depth < r.until_depth)
    }

    /// Whether a move of a colour may be looked at, `depth` moves from the root.
    pub fn allows(&self, color: goban::Color, mv: Move, depth: usize) -> bool {
        let holds = |r: &&Restriction| r.color == color && depth < r.until_depth;
        let mut allow = self.allow.iter().filter(holds).peekable();
        let chosen = allow.peek().is_none() || allow.any(|r| r.moves.contains(&mv));
        chosen && !self.avoid.iter().filter(holds).any(|r| r.moves.contains(&mv))
    }
}

/// Makes probabilities sum up to 1.
fn share_out(moves: &mut [(Option<Point>, f32)]) {
    let sum: f32 = moves.iter().map(|&(_, prior)| prior).sum();
    moves.iter_mut().for_each(|(_, prior)| *prior /= sum);
}

/// Lifts moves to a probability at the cost of the others, the likeliest move first again.
fn urge(moves: &mut [(Option<Point>, f32)], urged: &[(Point, f32)]) {
    let least = |mv: Option<Point>| urged.iter().find(|&&(p, _)| mv == Some(p)).map(|u| u.1);
    let (mut before, mut lifted, mut others) = (0.0, 0.0, 0.0);
    for &mut (mv, ref mut prior) in moves.iter_mut() {
        match least(mv) {
            Some(least) => {
                before += *prior;
                *prior = prior.max(least);
                lifted += *prior;
            }
            None => others += *prior,
        }
    }
    let share = lifted.min(MOST_URGED.max(before)).min(1.0);
    if lifted > 0.0 && others > 0.0 {
        for &mut (mv, ref mut prior) in moves.iter_mut() {
            *prior *= if least(mv).is_some() { share / lifted } else { (1.0 - share) / others };
        }
    }
    share_out(moves);
    moves.sort_by(|a, b| b.1.total_cmp(&a.1));
}

/// Leaves a share of the probability to moves that run in long ladders for nothing, the likeliest
/// move first again. With a share of 0 they are not looked at, unless there is nothing else.
fn settle(moves: &mut Vec<(Option<Point>, f32)>, runners: &PointSet, share: f32) {
    let runs = |mv: &(Option<Point>, f32)| mv.0.is_some_and(|p| runners.contains(p));
    if moves.iter().all(runs) {
        return;
    }
    moves.retain(|mv| share > 0.0 || !runs(mv));
    for mv in moves.iter_mut().filter(|mv| runs(mv)) {
        mv.1 *= share;
    }
    moves.sort_by(|a, b| b.1.total_cmp(&a.1));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urged_moves_are_lifted_and_go_ahead() {
        let point = |x: u8| Point::new(x, 0);
        let urge = |urged: &[(Point, f32)]| {
            let mut moves =
                [(0, 0.6), (1, 0.3), (2, 0.1)].map(|(x, prior)| (Some(point(x)), prior));
            urge(&mut moves, urged);
            moves.map(|(p, prior)| (p.unwrap().x(), prior))
        };
        let close = |found: &[(u8, f32)], wanted: &[(u8, f32)]| {
            let same = |(a, b): (&(u8, f32), &(u8, f32))| a.0 == b.0 && (a.1 - b.1).abs() < 1e-3;
            assert!(found.iter().zip(wanted).all(same), "{found:?} in place of {wanted:?}");
        };
        close(&urge(&[(point(2), 0.7)]), &[(2, 0.7), (0, 0.2), (1, 0.1)]);
        close(&urge(&[(point(0), 0.5)]), &[(0, 0.6), (1, 0.3), (2, 0.1)]);
        close(&urge(&[(point(2), 0.9), (point(1), 0.6)]), &[(2, 0.57), (1, 0.38), (0, 0.05)]);
        close(&urge(&[(point(7), 0.9)]), &[(0, 0.6), (1, 0.3), (2, 0.1)]);
        let all = [(point(0), 0.9), (point(1), 0.9), (point(2), 0.9)];
        close(&urge(&all), &[(0, 1.0 / 3.0), (1, 1.0 / 3.0), (2, 1.0 / 3.0)]);
    }

    #[test]
    fn runners_keep_their_share_and_go_back_in_line() {
        let point = |x: u8| Point::new(x, 0);
        let moves = [(0, 0.6), (1, 0.3), (2, 0.1)].map(|(x, prior)| (Some(point(x)), prior));
        let settled = |runners: &[u8], share: f32| {
            let runners: PointSet = runners.iter().map(|&x| point(x)).collect();
            let mut moves = moves.to_vec();
            settle(&mut moves, &runners, share);
            moves.iter().map(|&(p, prior)| (p.unwrap().x(), prior)).collect::<Vec<_>>()
        };
        assert_eq!(settled(&[0], 0.25), [(1, 0.3), (0, 0.15), (2, 0.1)]);
        assert_eq!(settled(&[0, 2], 0.0), [(1, 0.3)]);
        // If there is nothing else they are as likely as they were.
        assert_eq!(settled(&[0, 1, 2], 0.0), [(0, 0.6), (1, 0.3), (2, 0.1)]);
    }
}
