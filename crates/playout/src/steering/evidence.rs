//! Counts over the playouts of a search so far: who owned which point when who won, for all
//! points, and for pairs of the most critical ones who owned both and which was played first.

use goban::{Board, Cell, Color, Point, PointMap, Size};

use crate::statistics::{Contingency, Estimate, Order};

/// Points that are paired. All pairs of 19x19 would be 65,000 points and 260,000 orders; most of
/// them have nothing to do with who wins.
pub const PAIRED: usize = 32;

/// Moves at these points: Black's, then White's.
const MOVES: usize = 2 * PAIRED;

/// The place of a point that is not paired: beyond all that are.
const NOWHERE: u8 = 63;

/// A point is contested if each player takes it in this share of the playouts.
const CONTESTED: f32 = 0.05;

/// Counts of playouts. Adding one allocates nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    size: Size,
    /// Playouts that each player won.
    won: [u32; 2],
    /// By winner, in how many of them Black and White owned each point.
    owned: [Box<PointMap<[u32; 2]>>; 2],
    /// The points that are paired, by place.
    points: [Option<Point>; PAIRED],
    places: Box<PointMap<u8>>,
    /// By winner, playouts since a point has its place.
    seen: [[u32; PAIRED]; 2],
    /// By winner and owner, playouts in which two points were the owner's; the lower place first,
    /// and a point with itself.
    both: [[Box<[u32; PAIRED * PAIRED]>; 2]; 2],
    /// By winner, playouts in which one move was made before another.
    before: [Box<[u32; MOVES * MOVES]>; 2],
}

impl Evidence {
    /// Nothing seen, and no points paired.
    pub fn new(size: Size) -> Evidence {
        Evidence {
            size,
            won: [0; 2],
            owned: [(); 2].map(|()| Box::new(PointMap::filled([0; 2]))),
            points: [None; PAIRED],
            places: Box::new(PointMap::filled(NOWHERE)),
            seen: [[0; PAIRED]; 2],
            both: [(); 2].map(|()| [(); 2].map(|()| Box::new([0; PAIRED * PAIRED]))),
            before: [(); 2].map(|()| Box::new([0; MOVES * MOVES])),
        }
    }

    /// Playouts counted.
    pub fn playouts(&self) -> u32 {
        self.won[0] + self.won[1]
    }

    /// The board that this is about.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The points that are paired, with their places.
    pub fn paired(&self) -> impl Iterator<Item = (usize, Point)> + '_ {
        self.points.iter().enumerate().filter_map(|(place, &p)| Some((place, p?)))
    }

    /// Counts a playout by its moves in order, the owners of all points at its end (1 for Black, -1
    /// for White) and who won it.
    pub fn add(&mut self, moves: &[(Color, Point)], owners: &[(Point, i8)], winner: Color) {
        let w = winner.index();
        self.won[w] += 1;
        let mut taken = [0u64; 2];
        for &(p, owner) in owners {
            let by = [(owner > 0) as u32, (owner < 0) as u32];
            let owned = &mut self.owned[w][p];
            let place = self.places[p];
            for c in 0..2 {
                owned[c] += by[c];
                taken[c] |= u64::from(by[c]) << place;
            }
        }
        for (place, p) in self.points.iter().enumerate() {
            self.seen[w][place] += p.is_some() as u32;
        }
        let known = (1u64 << PAIRED) - 1;
        for (both, mut first) in self.both[w].iter_mut().zip(taken.map(|bits| bits & known)) {
            while first != 0 {
                let row = PAIRED * first.trailing_zeros() as usize;
                let mut second = first;
                while second != 0 {
                    both[row + second.trailing_zeros() as usize] += 1;
                    second &= second - 1;
                }
                first &= first - 1;
            }
        }
        // The first stone on each point, as the statistics have it.
        let mut sequence = [0u8; PAIRED];
        let (mut len, mut fresh) = (0, known);
        for &(color, p) in moves {
            let place = self.places[p];
            if fresh >> place & 1 != 0 {
                fresh &= !(1 << place);
                sequence[len] = (color.index() * PAIRED) as u8 + place;
                len += 1;
            }
        }
        let before = &mut self.before[w];
        for (i, &m) in sequence[..len].iter().enumerate() {
            let row = &mut before[MOVES * m as usize..][..MOVES];
            sequence[i + 1..len].iter().for_each(|&n| row[n as usize] += 1);
        }
    }

    /// Adds what another thread has counted and empties that. Pairs count where both pair the same
    /// points; afterwards both do.
    pub fn take(&mut self, other: &mut Evidence) {
        assert_eq!(self.size, other.size, "evidence of different boards");
        let same = |place: usize| self.points[place] == other.points[place];
        let same: [bool; PAIRED] = std::array::from_fn(same);
        for w in 0..2 {
            self.won[w] += other.won[w];
            for p in self.size.points() {
                let theirs = other.owned[w][p];
                self.owned[w][p].iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
            }
            for i in (0..PAIRED).filter(|&i| same[i]) {
                self.seen[w][i] += other.seen[w][i];
                for j in (0..PAIRED).filter(|&j| same[j]) {
                    for c in 0..2 {
                        self.both[w][c][PAIRED * i + j] += other.both[w][c][PAIRED * i + j];
                    }
                    for (m, n) in
                        [(i, j), (PAIRED + i, j), (i, PAIRED + j), (PAIRED + i, PAIRED + j)]
                    {
                        self.before[w][MOVES * m + n] += other.before[w][MOVES * m + n];
                    }
                }
            }
        }
        other.empty();
        other.points = self.points;
        *other.places = (*self.places).clone();
    }

    fn empty(&mut self) {
        self.won = [0; 2];
        self.owned.iter_mut().for_each(|owned| owned.as_mut_slice().fill([0; 2]));
        self.seen = [[0; PAIRED]; 2];
        self.both.iter_mut().flatten().for_each(|both| both.fill(0));
        self.before.iter_mut().for_each(|before| before.fill(0));
    }

    /// Halves all counts, so that what is new weighs more than what is old.
    pub fn fade(&mut self) {
        self.won.iter_mut().for_each(|n| *n /= 2);
        let owned = self.owned.iter_mut().flat_map(|owned| owned.as_mut_slice());
        owned.flatten().for_each(|n| *n /= 2);
        self.seen.iter_mut().flatten().for_each(|n| *n /= 2);
        self.both.iter_mut().flatten().flat_map(|both| both.iter_mut()).for_each(|n| *n /= 2);
        self.before.iter_mut().flat_map(|before| before.iter_mut()).for_each(|n| *n /= 2);
    }

    /// Pairs the most critical of the contested points that are empty on a board. A point keeps its
    /// place, and what was counted of it, unless it has fallen far behind.
    pub fn choose(&mut self, board: &Board) {
        let n = self.playouts() as f32;
        let contested = |p: Point| {
            board.cell(p) == Cell::Empty
                && (0..2).all(|c| {
                    let taken = self.owned[0][p][c] + self.owned[1][p][c];
                    taken as f32 >= CONTESTED * n.max(1.0)
                })
        };
        let mut list: Vec<(Point, f32)> = self
            .size
            .points()
            .filter(|&p| contested(p))
            .map(|p| (p, self.criticality(p)))
            .collect();
        list.sort_by(|a, b| b.1.total_cmp(&a.1));
        let near = &list[..list.len().min(PAIRED + PAIRED / 2)];
        for place in 0..PAIRED {
            if self.points[place].is_some_and(|p| !near.iter().any(|&(q, _)| p == q)) {
                self.vacate(place);
            }
        }
        let mut free = 0;
        for &(p, _) in list.iter().take(PAIRED) {
            if self.places[p] != NOWHERE {
                continue;
            }
            let Some(place) = (free..PAIRED).find(|&place| self.points[place].is_none()) else {
                break;
            };
            self.points[place] = Some(p);
            self.places[p] = place as u8;
            free = place + 1;
        }
    }

    /// Takes a point out of the pairs and forgets what was counted of it.
    fn vacate(&mut self, place: usize) {
        if let Some(p) = self.points[place].take() {
            self.places[p] = NOWHERE;
        }
        for w in 0..2 {
            self.seen[w][place] = 0;
            for i in 0..PAIRED {
                for c in 0..2 {
                    self.both[w][c][PAIRED * i + place] = 0;
                    self.both[w][c][PAIRED * place + i] = 0;
                }
            }
            for i in 0..MOVES {
                for m in [place, PAIRED + place] {
                    self.before[w][MOVES * i + m] = 0;
                    self.before[w][MOVES * m + i] = 0;
                }
            }
        }
    }

    /// Criticality as [`crate::statistics::Counts::criticality`] defines it.
    pub fn criticality(&self, p: Point) -> f32 {
        let n = self.playouts() as f32;
        if n == 0.0 {
            return 0.0;
        }
        let share = |count: u32| count as f32 / n;
        (0..2).fold(0.0, |sum, c| {
            let taken = share(self.owned[0][p][c] + self.owned[1][p][c]);
            sum + share(self.owned[c][p][c]) - taken * share(self.won[c])
        })
    }

    /// Joint criticality of the points at two places for a player, or that of a point alone.
    pub fn joint(&self, player: Color, i: usize, j: usize) -> Estimate {
        let (i, j) = (i.min(j), i.max(j));
        // Since the later of the two has its place.
        let seen = |winner: Color| {
            let seen = &self.seen[winner.index()];
            seen[i].min(seen[j]) as u64
        };
        let neither = |winner: Color| {
            let both = self.both[winner.index()][(!player).index()][PAIRED * i + j] as u64;
            both.min(seen(winner))
        };
        let (won_without, lost_without) = (neither(player), neither(!player));
        let table = Contingency {
            won_with: seen(player) - won_without,
            won_without,
            lost_with: seen(!player) - lost_without,
            lost_without,
        };
        table.association()
    }

    /// How much better it is for Black that one move at a place comes before another than the
    /// opposite, and whether that can be relied on.
    pub fn order_gain(&self, m: (Color, usize), n: (Color, usize)) -> (Estimate, bool) {
        let number = |(color, place): (Color, usize)| color.index() * PAIRED + place;
        let other = |(color, place): (Color, usize)| (!color, place);
        let count = |winner: Color, first: usize, then: usize| {
            self.before[winner.index()][MOVES * first + then] as u64
        };
        let there = Order::new(count, number(m), number(other(m)), number(n));
        let back = Order::new(count, number(n), number(other(n)), number(m));
        there.gain_over(&back)
    }
}
