//! What playouts know about points and pairs of points: ownership, criticality, joint criticality
//! (miai) and order criticality (which of two moves first).
//!
//! [`Statistics`] watches playouts, [`Counts`] is what it has seen as plain numbers that add up
//! exactly, [`gather`] runs many playouts on many threads, and [`Findings`] are what stands
//! out of them. The quantities are those of the workshop paper on two-point relations (2016);
//! [`Counts`] has the formulas.
//!
//! What is open in the paper is decided here:
//! - A player *takes* a point who owns it at the end of the playout, with a stone or as an eye.
//!   Points between both players are nobody's.
//! - A move is *played* by the first stone that is put on its point during the playout; stones that
//!   come later, after a capture, count nothing. So each point has one colour and one time, and the
//!   four orders of a pair exclude each other.
//! - Playouts that end in a draw tell about ownership only.

mod batch;
mod contingency;
mod counts;
mod findings;
mod gather;
mod joint;
mod order;
mod owners;

pub use contingency::{Contingency, Estimate};
pub use counts::{Counts, Order};
pub use findings::{Before, Findings, JointPair, Ranked, Wins};
pub use gather::{Task, gather, gather_quietly, komi};

use goban::{Board, Color, Point, Size};

use crate::observer::Observer;
use crate::outcome::Outcome;
use batch::Batch;
use order::Sequence;
use owners::Reader;

/// What is counted beyond ownership and criticality.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wanted {
    /// Pairs of points that end as the same player's.
    pub joint: bool,
    /// Pairs of moves in the order they were made.
    pub order: bool,
}

impl Wanted {
    /// Everything.
    pub const ALL: Wanted = Wanted { joint: true, order: true };
}

/// Watches the playouts of one thread. Everything is set aside when it is made; playouts are
/// added without allocating, and most of the counting is done for many playouts at once.
pub struct Statistics {
    komi: f32,
    reader: Reader,
    /// Final positions that are not counted yet: won by Black, won by White, drawn.
    batches: [Batch; 3],
    sequence: Option<Sequence>,
    counts: Counts,
}

impl Statistics {
    /// Statistics of playouts on a board of this size, won by Black if the score is above `komi`.
    pub fn new(size: Size, komi: f32, wanted: Wanted) -> Statistics {
        Statistics {
            komi,
            reader: Reader::new(size),
            batches: [(); 3].map(|()| Batch::new(size)),
            sequence: wanted.order.then(|| Sequence::new(size)),
            counts: Counts::new(size, wanted),
        }
    }

    /// What was seen so far.
    pub fn counts(&mut self) -> &Counts {
        self.flush();
        &self.counts
    }

    /// What was seen.
    pub fn into_counts(mut self) -> Counts {
        self.flush();
        self.counts
    }

    /// Counts what is waiting.
    fn flush(&mut self) {
        for (result, batch) in self.batches.iter_mut().enumerate() {
            self.counts.add_batch(result, batch);
        }
        if let Some(sequence) = &mut self.sequence {
            self.counts.add_sequences(sequence);
        }
    }

    /// The row of [`Counts`] that a score belongs to.
    fn result(&self, score: i32) -> usize {
        match (score as f32).partial_cmp(&self.komi) {
            Some(std::cmp::Ordering::Greater) => 0,
            Some(std::cmp::Ordering::Less) => 1,
            _ => 2,
        }
    }
}

impl Observer for Statistics {
    const CAPTURES: bool = false;

    #[inline]
    fn started(&mut self, _: &Board, _: Color) {
        if let Some(sequence) = &mut self.sequence {
            sequence.start();
        }
    }

    #[inline]
    fn played(&mut self, color: Color, point: Option<Point>, _: &[Point]) {
        if let (Some(sequence), Some(p)) = (&mut self.sequence, point) {
            sequence.play(color, p);
        }
    }

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        let result = self.result(outcome.score);
        let batch = &mut self.batches[result];
        if batch.is_full() {
            self.counts.add_batch(result, batch);
        }
        self.reader.read(board, batch.next());
        if let (Some(sequence), Some(winner)) = (&mut self.sequence, Color::BOTH.get(result)) {
            if sequence.is_full(*winner) {
                self.counts.add_sequences(sequence);
            }
            sequence.finish(*winner);
        }
    }
}
