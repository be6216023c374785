//! What of the statistics stands out and can be relied on: pairs of points and orders of moves, each
//! with its counts. They say how often playouts were won, never what to play: nothing here knows
//! whether the points of a pair belong to one fight.

use goban::{Board, Cell, Color, Point};

use super::contingency::Estimate;
use super::counts::Counts;

/// Playouts, and how many of them a player won.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wins {
    /// Those that the player won.
    pub won: u64,
    /// All of them.
    pub of: u64,
}

impl Wins {
    /// The share that the player won.
    pub fn share(&self) -> Estimate {
        let playouts = self.of.max(1) as f64;
        let value = self.won as f64 / playouts;
        Estimate { value, error: (value * (1.0 - value) / playouts).sqrt() }
    }

    /// Whether the player won more of these than of others, by more than chance.
    pub fn exceed(&self, others: &Wins) -> bool {
        let more = self.share().minus(&others.share());
        more.value > 0.0 && more.is_beyond(Findings::ERRORS)
    }
}

/// Two points, and how owning one of them goes together with winning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct JointPair {
    /// The player whose points and wins are counted.
    pub player: Color,
    /// The points.
    pub points: [Point; 2],
    /// The joint criticality.
    pub value: Estimate,
    /// The playouts in which the player took at least one of the points.
    pub either: Wins,
    /// Those in which the player took neither.
    pub neither: Wins,
}

/// A move, and one that comes later.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Before {
    /// The earlier move.
    pub first: (Color, Point),
    /// The later one.
    pub then: (Color, Point),
    /// The order criticality: what this order is worth to Black.
    pub value: Estimate,
    /// Whether the other orders happened often enough for this to mean something.
    pub is_sound: bool,
    /// The playouts with this order, and wins of the player of the earlier move.
    pub ordered: Wins,
    /// The same of the opposite order, the later move before the earlier one.
    pub reversed: Wins,
}

/// A move and its rank by order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ranked {
    /// The move.
    pub mv: (Color, Point),
    /// OCR as it is defined.
    pub value: f64,
    /// The same from orders that can be relied on only.
    pub firm: f64,
}

/// Reads what was counted from a position.
#[derive(Clone, Copy)]
pub struct Findings<'a> {
    counts: &'a Counts,
    start: &'a Board,
}

impl<'a> Findings<'a> {
    /// A point is contested if each player takes it in this share of the playouts.
    pub const CONTESTED: f64 = 0.05;
    /// Miai pairs have a value this many times that of the next pair.
    pub const GAP: f64 = 1.5;
    /// More pairs of one player are no miai but something that holds everywhere.
    pub const MOST_MIAI: usize = 12;
    /// Values below this are too small for a player to use.
    pub const LEAST: f64 = 0.02;
    /// Standard errors from which on something is reported: hundreds of thousands of pairs are looked
    /// at, and chance alone reaches four and a half among so many.
    pub const ERRORS: f64 = 5.0;

    /// How far apart two moves may be, in lines, whose order is reported: further away it is a matter
    /// of which is larger. Nearer they may still belong to different fights.
    pub const NEAR: u8 = 7;

    /// What playouts from `start` counted.
    pub fn new(counts: &'a Counts, start: &'a Board) -> Findings<'a> {
        Findings { counts, start }
    }

    /// The points that are empty and that both players take in some of the playouts: the others
    /// are settled, and nobody has a choice there.
    pub fn contested(&self) -> Vec<Point> {
        let least = Findings::CONTESTED * self.counts.decided() as f64;
        let open =
            |&p: &Point| Color::BOTH.iter().all(|&c| self.counts.taken(c, p) as f64 >= least);
        self.empties().filter(open).collect()
    }

    /// The empty points in reading order.
    pub fn empties(&self) -> impl Iterator<Item = Point> + use<'a> {
        let start = self.start;
        start.size().points().filter(move |&p| start.cell(p) == Cell::Empty)
    }

    /// Criticality of every point, the most critical first.
    pub fn criticality(&self) -> Vec<(Point, Estimate)> {
        let points = self.start.size().points();
        let mut list: Vec<_> = points.map(|p| (p, self.counts.criticality(p))).collect();
        list.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
        list
    }

    /// The joint criticality of pairs among these points, the largest first.
    pub fn pairs(&self, player: Color, among: &[Point]) -> Vec<JointPair> {
        let mut list = Vec::new();
        for (i, &x) in among.iter().enumerate() {
            for &y in &among[i + 1..] {
                let table = self.counts.joint(player, x, y);
                let either = Wins { won: table.won_with, of: table.with() };
                let neither = Wins { won: table.won_without, of: table.without() };
                let value = table.association();
                list.push(JointPair { player, points: [x, y], value, either, neither });
            }
        }
        list.sort_by(|a, b| b.value.value.total_cmp(&a.value.value));
        list
    }

    /// Pairs of contested points with one of which the player wins, found by the gap in the sorted
    /// joint criticalities. A pair must tell more than any point alone: where one point decides, its
    /// pairs with all others are high, and so are those of points that share its fate.
    pub fn miai(&self, player: Color) -> Vec<JointPair> {
        let contested = self.contested();
        let alone = contested.iter().map(|&p| self.counts.criticality(p).value);
        let least = 1.1 * alone.fold(0.0, f64::max);
        let mut pairs = self.pairs(player, &contested);
        let value = |i: usize| pairs.get(i).map_or(0.0, |pair| pair.value.value);
        let tells = |i: &usize| {
            let pair = &pairs[*i];
            // Where a point is in several pairs, something else holds: any of many, for example.
            let shares = |other: &JointPair| other.points.iter().any(|p| pair.points.contains(p));
            value(*i) >= least.max(Findings::LEAST)
                && pair.value.is_beyond(Findings::ERRORS)
                && !pairs[..*i].iter().any(shares)
        };
        // Below this a pair is nothing, and the last one of many is not above a gap.
        let gap = |i: usize| value(i) / value(i + 1).max(0.5 * Findings::LEAST);
        let best = (0..pairs.len().min(Findings::MOST_MIAI))
            .take_while(tells)
            .max_by(|&i, &j| gap(i).total_cmp(&gap(j)));
        let found = best.filter(|&i| gap(i) >= Findings::GAP).map_or(0, |i| i + 1);
        pairs.truncate(found);
        pairs
    }

    /// The moves at empty points.
    fn moves(&self) -> Vec<(Color, Point)> {
        Color::BOTH.iter().flat_map(|&color| self.empties().map(move |p| (color, p))).collect()
    }

    /// Two moves with the counts of both orders.
    fn before(
        &self,
        first: (Color, Point),
        then: (Color, Point),
        value: Estimate,
        is_sound: bool,
    ) -> Before {
        let wins = |m, n| {
            let table = self.counts.order(m, n).table;
            let won = if first.0 == Color::Black { table.won_with } else { table.lost_with };
            Wins { won, of: table.with() }
        };
        let (ordered, reversed) = (wins(first, then), wins(then, first));
        Before { first, then, value, is_sound, ordered, reversed }
    }

    /// Order criticality of all pairs of moves at empty points that ever happened, the largest
    /// first.
    pub fn orders(&self) -> Vec<Before> {
        let moves = self.moves();
        let mut list = Vec::new();
        for &first in &moves {
            for &then in moves.iter().filter(|then| then.1 != first.1) {
                let order = self.counts.order(first, then);
                if order.table.with() > 0 {
                    list.push(self.before(
                        first,
                        then,
                        order.table.association(),
                        order.is_sound(),
                    ));
                }
            }
        }
        list.sort_by(|a, b| b.value.value.total_cmp(&a.value.value));
        list
    }

    /// The moves at empty points by rank.
    pub fn ranks(&self) -> Vec<Ranked> {
        let rank = |&mv: &(Color, Point)| {
            let [value, firm] = self.counts.order_rank(mv);
            Ranked { mv, value, firm }
        };
        let mut list: Vec<Ranked> = self.moves().iter().map(rank).collect();
        list.sort_by(|a, b| b.value.total_cmp(&a.value));
        list
    }

    /// Pairs of nearby moves of one player in an order that goes together with the player's winning
    /// clearly more than the opposite one does, the clearest first; both orders happened often. The
    /// value is the difference of their order criticalities. As that compares each order with all
    /// others, the shares that were won are looked at as well: they have to differ the same way, and
    /// by more than chance.
    pub fn better_orders(&self, player: Color) -> Vec<Before> {
        let sign = if player == Color::Black { 1.0 } else { -1.0 };
        let empties: Vec<Point> = self.empties().collect();
        let mut list = Vec::new();
        for &m in &empties {
            let near = |n: Point| m.x().abs_diff(n.x()) + m.y().abs_diff(n.y()) <= Findings::NEAR;
            for &n in empties.iter().filter(|&&n| n != m && near(n)) {
                let (first, then) = ((player, m), (player, n));
                let (gain, is_sound) = self.counts.order_gain(first, then);
                let clear =
                    sign * gain.value >= Findings::LEAST && gain.is_beyond(Findings::ERRORS);
                // Not only more than the opposite, but more than all others together.
                let value = self.counts.order(first, then).table.association();
                if is_sound && clear && sign * value.value > Counts::STEP {
                    list.push(self.before(first, then, gain, is_sound));
                }
            }
        }
        list.retain(|before| before.ordered.exceed(&before.reversed));
        list.sort_by(|a, b| b.value.value.abs().total_cmp(&a.value.value.abs()));
        list
    }
}
