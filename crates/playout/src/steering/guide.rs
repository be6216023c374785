//! What playouts and the tree go by until the next look at the evidence.

use goban::{Color, Point, PointMap};

use super::SteeringStrengths;
use super::evidence::Evidence;
use crate::random::Random;
use crate::statistics::Counts;
use crate::values::Values;

/// Joint criticalities below this are ignored.
const LEAST: f64 = 0.02;
/// A pair is worth this many times what either point is worth alone. Where both points count for
/// themselves it is worth as much as one of them, where one is enough 1.5 times as much.
const MORE: f64 = 1.2;
/// Standard errors by which a pair must be worth more, and an order better.
const ERRORS: f64 = 3.0;
/// So many playouts make criticality half as much as it seems: few make large values by chance.
const DOUBT: f32 = 200.0;

/// See the module documentation of `steering`.
#[derive(Clone)]
pub struct SteeringGuide {
    /// How often miai are answered, in 2^-32.
    often: u64,
    /// By the player who answers: the point to answer a move with.
    replies: [PointMap<Option<Point>>; 2],
    /// Logarithms of factors, by colour; nothing if order does not steer.
    leanings: Option<Box<[Values; 2]>>,
    criticality: PointMap<f32>,
}

impl SteeringGuide {
    /// What evidence says, as strongly as it is to steer.
    pub fn new(evidence: &Evidence, strengths: SteeringStrengths) -> SteeringGuide {
        let n = evidence.playouts() as f32;
        let mut criticality = PointMap::filled(0.0);
        for p in evidence.size().points() {
            let sure = n / (n + DOUBT);
            criticality[p] = strengths.criticality * sure * evidence.criticality(p).max(0.0);
        }
        SteeringGuide {
            often: (f64::from(strengths.miai.clamp(0.0, 1.0)) * (1u64 << 32) as f64) as u64,
            replies: Color::BOTH.map(|player| match strengths.miai > 0.0 {
                true => replies(evidence, player),
                false => PointMap::filled(None),
            }),
            leanings: (strengths.order > 0.0).then(|| {
                Box::new(Color::BOTH.map(|color| leanings(evidence, color, strengths.order)))
            }),
            criticality,
        }
    }

    /// The point that a player shall answer a move with, if the two are miai and chance says so.
    #[inline]
    pub(crate) fn reply(&self, player: Color, last: Point, random: &mut Random) -> Option<Point> {
        let reply = self.replies[player.index()][last]?;
        (u64::from(random.two().0) < self.often).then_some(reply)
    }

    /// The pairs of points of which a player needs one.
    pub fn miai(&self, player: Color) -> Vec<[Point; 2]> {
        let replies = &self.replies[player.index()];
        let all = replies.as_slice().iter().enumerate();
        let pairs = all.filter_map(|(i, reply)| Some([Point::from_index(i), (*reply)?]));
        pairs.filter(|[x, y]| x < y).collect()
    }

    /// The logarithm of the factor of a move.
    pub fn leaning(&self, color: Color, p: Point) -> f32 {
        self.leanings.as_ref().map_or(0.0, |leanings| leanings[color.index()].get(p))
    }

    pub(crate) fn leanings(&self) -> Option<&[Values; 2]> {
        self.leanings.as_deref()
    }

    /// How critical a point is, as the share by which its prior rises in the tree.
    #[inline]
    pub fn criticality(&self, p: Point) -> f32 {
        self.criticality[p]
    }
}

/// Pairs of which a player needs one: worth more than either point alone, and for each of the two
/// points the pair that is worth most. The statistics find miai by the gap in the list of all pairs;
/// here several fights may be on the board, so a pair is measured by its own points.
fn replies(evidence: &Evidence, player: Color) -> PointMap<Option<Point>> {
    let paired: Vec<(usize, Point)> = evidence.paired().collect();
    let mut best = vec![(0.0, None); paired.len()];
    for (a, &(i, _)) in paired.iter().enumerate() {
        for (b, &(j, _)) in paired.iter().enumerate().skip(a + 1) {
            let value = evidence.joint(player, i, j).value;
            for (x, y) in [(a, b), (b, a)] {
                if value > best[x].0 {
                    best[x] = (value, Some(y));
                }
            }
        }
    }
    let mut replies = PointMap::filled(None);
    for (a, &(value, partner)) in best.iter().enumerate() {
        let Some(b) = partner.filter(|&b| best[b].1 == Some(a)) else { continue };
        let ((i, x), (j, y)) = (paired[a], paired[b]);
        let alone = [i, j].map(|i| evidence.joint(player, i, i).value);
        let more = value - MORE * alone[0].max(alone[1]);
        let error = evidence.joint(player, i, j).error;
        if value >= LEAST && more >= 0.0 && value >= ERRORS * error {
            (replies[x], replies[y]) = (Some(y), Some(x));
        }
    }
    replies
}

/// The ranks by order of a player's moves among those at paired points, times `strength`: orders that
/// can be relied on only.
fn leanings(evidence: &Evidence, player: Color, strength: f32) -> Values {
    let sign = if player == Color::Black { 1.0 } else { -1.0 };
    let mut leanings = Values::NONE;
    for (i, p) in evidence.paired() {
        let mut rank = 0;
        for (j, _) in evidence.paired().filter(|&(j, _)| j != i) {
            for color in Color::BOTH {
                let (gain, sound) = evidence.order_gain((player, i), (color, j));
                let better =
                    (gain.value > Counts::STEP) as i32 - (gain.value < -Counts::STEP) as i32;
                rank += better * (sound && gain.is_beyond(ERRORS)) as i32;
            }
        }
        leanings.set(p, strength * sign * Counts::STEP as f32 * rank as f32);
    }
    leanings
}
