//! What was counted, and the formulas. N playouts were decided; B and W of them were won by Black
//! and White.

use goban::{Color, Point, Size};

use super::Wanted;
use super::batch::{Batch, Column};
use super::contingency::{Contingency, Estimate};
use super::joint::Both;
use super::order::{Before, Sequence, number};

/// Everything that statistics counted. Counts of different threads add up exactly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    size: Size,
    /// Playouts won by Black, won by White, drawn.
    results: [u64; 3],
    /// For each result and player, the playouts in which each point was the player's.
    owned: [[Vec<u32>; 2]; 3],
    both: Option<[Both; 2]>,
    before: Option<[Before; 2]>,
}

/// The order of two moves: m before n against m' before n, n before m and n before m', where m' is
/// the other player's move at the point of m.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Order {
    /// How m before n goes together with Black's winning.
    pub table: Contingency,
    /// Playouts with n before m.
    pub reversed: u64,
}

impl Order {
    /// Fewest playouts with the order that is the opposite of a finding.
    const FEWEST: u64 = 50;

    /// From how often, for each winner, one move was made before another, by their numbers: those of
    /// m, m' and n.
    pub(crate) fn new(
        count: impl Fn(Color, usize, usize) -> u64,
        m: usize,
        other: usize,
        n: usize,
    ) -> Order {
        let [black, white] = Color::BOTH.map(|winner| {
            let count = |first, then| count(winner, first, then);
            let reversed = count(n, m);
            (count(m, n), count(other, n) + reversed + count(n, other), reversed)
        });
        let table = Contingency {
            won_with: black.0,
            won_without: black.1,
            lost_with: white.0,
            lost_without: white.1,
        };
        Order { table, reversed: black.2 + white.2 }
    }

    /// How much better for Black this is than the opposite order, and whether both can be relied on.
    pub(crate) fn gain_over(&self, back: &Order) -> (Estimate, bool) {
        let gain = self.table.association().minus(&back.table.association());
        (gain, self.is_sound() && back.is_sound())
    }

    /// Whether all that is compared happened often enough to be compared. Where the other orders
    /// hardly ever happen, those playouts in which they do are odd in other ways too, and the value
    /// tells about these: the paper met such a pair.
    pub fn is_sound(&self) -> bool {
        let (table, total) = (&self.table, self.table.total());
        let share = |playouts: u64, percent: u64| 100 * playouts >= percent * total;
        total >= 4 * Order::FEWEST
            && share(table.with(), 10)
            && share(table.without(), 10)
            && share(self.reversed, 5)
            && self.reversed >= Order::FEWEST
    }
}

impl Counts {
    /// From how large a difference on one of two orders is better (beta in the paper), and what a
    /// better order adds to the rank of a move (alpha).
    pub const STEP: f64 = 0.01;

    /// Nothing counted yet.
    pub fn new(size: Size, wanted: Wanted) -> Counts {
        let area = size.area();
        Counts {
            size,
            results: [0; 3],
            owned: [(); 3].map(|()| [(); 2].map(|()| vec![0; area])),
            both: wanted.joint.then(|| [(); 2].map(|()| Both::new(area))),
            before: wanted.order.then(|| [(); 2].map(|()| Before::new(area))),
        }
    }

    /// Counts the final positions of a batch and empties it.
    pub(super) fn add_batch(&mut self, result: usize, batch: &mut Batch) {
        self.results[result] += batch.len() as u64;
        if batch.len() == 0 {
            return;
        }
        let columns = batch.drain();
        let ones = |column: &Column| column.iter().map(|word| word.count_ones()).sum::<u32>();
        for (owned, columns) in self.owned[result].iter_mut().zip(columns) {
            owned.iter_mut().zip(columns).for_each(|(sum, column)| *sum += ones(column));
        }
        if let Some(both) = self.both.as_mut().and_then(|both| both.get_mut(result)) {
            both.add(columns);
        }
    }

    /// Counts the orders that are waiting.
    pub(super) fn add_sequences(&mut self, sequence: &mut Sequence) {
        if let Some(before) = &mut self.before {
            sequence.drain_into(before);
        }
    }

    /// Adds what was counted elsewhere, on a board of the same size with the same things wanted.
    ///
    /// # Panics
    /// If the sizes differ.
    pub fn merge(&mut self, other: &Counts) {
        assert_eq!(self.size, other.size, "counts of different boards");
        self.results.iter_mut().zip(other.results).for_each(|(a, b)| *a += b);
        for (mine, theirs) in self.owned.iter_mut().flatten().zip(other.owned.iter().flatten()) {
            mine.iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
        }
        if let (Some(mine), Some(theirs)) = (&mut self.both, &other.both) {
            mine.iter_mut().zip(theirs).for_each(|(a, b)| a.merge(b));
        }
        if let (Some(mine), Some(theirs)) = (&mut self.before, &other.before) {
            mine.iter_mut().zip(theirs).for_each(|(a, b)| a.merge(b));
        }
    }

    /// The board that this is about.
    pub fn size(&self) -> Size {
        self.size
    }

    /// All playouts.
    pub fn playouts(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Playouts that a player won: B, W.
    pub fn won(&self, color: Color) -> u64 {
        self.results[color.index()]
    }

    /// Playouts that somebody won: N.
    pub fn decided(&self) -> u64 {
        self.results[0] + self.results[1]
    }

    /// Decided playouts in which a player took a point: b(x), w(x).
    pub fn taken(&self, color: Color, p: Point) -> u64 {
        Color::BOTH.map(|winner| self.taken_and_won(color, p, winner)).iter().sum()
    }

    /// Playouts in which a player took a point and `winner` won.
    fn taken_and_won(&self, color: Color, p: Point, winner: Color) -> u64 {
        self.owned[winner.index()][color.index()][self.size.reading_index(p)] as u64
    }

    /// Who owns a point: from -1 for White to +1 for Black, over all playouts.
    pub fn ownership(&self, p: Point) -> Estimate {
        let playouts = self.playouts() as f64;
        if playouts == 0.0 {
            return Estimate::default();
        }
        let place = self.size.reading_index(p);
        let [black, white] = [0, 1].map(|player| {
            let taken = |of: &[Vec<u32>; 2]| of[player][place] as f64;
            self.owned.iter().map(taken).sum::<f64>() / playouts
        });
        let value = black - white;
        let variance = (black + white - value * value) / playouts;
        Estimate { value, error: variance.max(0.0).sqrt() }
    }

    /// Criticality: how owning a point goes together with winning. With v(x) the playouts whose
    /// winner took x,
    ///
    /// c(x) = v(x)/N - (w(x)/N W/N + b(x)/N B/N).
    ///
    /// The error is to first order, as in [`Contingency::association`].
    pub fn criticality(&self, p: Point) -> Estimate {
        let decided = self.decided() as f64;
        if decided == 0.0 {
            return Estimate::default();
        }
        let won = Color::BOTH.map(|c| self.won(c) as f64 / decided);
        let taken = Color::BOTH.map(|c| self.taken(c, p) as f64 / decided);
        // Shares by who took the point (nobody is 2) and who won, and the derivatives by them.
        let (mut value, mut mean, mut squares) = (0.0, 0.0, 0.0);
        for winner in 0..2 {
            let mut rest = won[winner];
            for taker in 0..3 {
                let share = match Color::BOTH.get(taker) {
                    Some(&color) => {
                        let playouts = self.taken_and_won(color, p, Color::BOTH[winner]);
                        playouts as f64 / decided
                    }
                    None => rest,
                };
                rest -= share;
                let same = (taker == winner) as u8 as f64;
                let by = same - won.get(taker).unwrap_or(&0.0) - taken[winner];
                value += same * share;
                mean += by * share;
                squares += by * by * share;
            }
        }
        value -= won[0] * taken[0] + won[1] * taken[1];
        let variance = (squares - mean * mean) / decided;
        Estimate { value, error: variance.max(0.0).sqrt() }
    }

    /// Joint criticality: how "the player takes at least one of x and y" goes together with the
    /// player's winning. With bb, bw, wb, ww the playouts in which both points are black and Black
    /// won, both black and White won, both white and Black won, both white and White won,
    ///
    /// JC_b(x,y) = 2((B - wb) ww - wb (W - ww)) / N^2, JC_w(x,y) = 2((W - bw) bb - bw (B - bb)) / N^2.
    ///
    /// An empty table if pairs of points were not wanted.
    pub fn joint(&self, player: Color, x: Point, y: Point) -> Contingency {
        let Some(both) = &self.both else { return Contingency::default() };
        let [i, j] = [x, y].map(|p| self.size.reading_index(p));
        let neither = |winner: Color| match x == y {
            true => self.taken_and_won(!player, x, winner),
            false => both[winner.index()].get((!player).index(), i, j),
        };
        let (won_without, lost_without) = (neither(player), neither(!player));
        Contingency {
            won_with: self.won(player) - won_without,
            won_without,
            lost_with: self.won(!player) - lost_without,
            lost_without,
        }
    }

    /// Order criticality of two moves at different points: how "m before n" goes together with
    /// Black's winning. With b(m,n) and w(m,n) the playouts in which m was played before n and
    /// Black, White won, and m' the other player's move at the point of m,
    ///
    /// a = b(m,n), b = b(m',n) + b(n,m) + b(n,m'), c = w(m,n), d = w(m',n) + w(n,m) + w(n,m'),
    /// OC(m,n) = 2(ad - bc) / (a + b + c + d)^2.
    ///
    /// An empty table if the order of moves was not wanted.
    pub fn order(&self, m: (Color, Point), n: (Color, Point)) -> Order {
        let Some(before) = &self.before else { return Order::default() };
        let moves = 2 * self.size.area();
        let [m, other, n] = [m, (!m.0, m.1), n].map(|(color, p)| number(self.size, color, p));
        let count = |winner: Color, first, then| before[winner.index()].get(moves, first, then);
        Order::new(count, m, other, n)
    }

    /// How much better it is for Black that m comes before n than that n comes before m:
    /// OC(m,n) - OC(n,m), and whether both can be relied on.
    pub fn order_gain(&self, m: (Color, Point), n: (Color, Point)) -> (Estimate, bool) {
        self.order(m, n).gain_over(&self.order(n, m))
    }

    /// The rank of a move by order: OCR(m), the sum over all moves n elsewhere of +0.01 where
    /// OC(m,n) - OC(n,m) > 0.01 and -0.01 where it is < -0.01; and the same sum over those n only
    /// for which this can be relied on.
    pub fn order_rank(&self, m: (Color, Point)) -> [f64; 2] {
        let mut ranks = [0; 2];
        for p in self.size.points().filter(|&p| p != m.1) {
            for color in Color::BOTH {
                let (gain, sound) = self.order_gain(m, (color, p));
                let better =
                    (gain.value > Counts::STEP) as i32 - (gain.value < -Counts::STEP) as i32;
                ranks[0] += better;
                ranks[1] += better * (sound && gain.is_beyond(3.0)) as i32;
            }
        }
        ranks.map(|sum| Counts::STEP * f64::from(sum))
    }
}
