//! What a move changed, told to whoever keeps something up to date from it.

use crate::board::{CHAINS, Chain};
use crate::color::Color;
use crate::point::Point;

/// Watches a move being played. `()` watches nothing and costs nothing.
pub trait Watch {
    /// Whether [`Watch::liberties`] is listened to; `false` lets the board skip the reports.
    const LIBERTIES: bool = false;

    /// A stone of `color` was put at `point`.
    fn placed(&mut self, point: Point, color: Color) {
        let _ = (point, color);
    }

    /// The stone at `point` was taken off.
    fn captured(&mut self, point: Point) {
        let _ = point;
    }

    /// The liberties of `chain` changed: it was joined, lost one or gained some. The same chain may
    /// be named several times; one that was captured or swallowed is never named.
    fn liberties(&mut self, chain: Chain) {
        let _ = chain;
    }
}

impl Watch for () {}

/// Keeps the changes of one move, each chain once.
pub struct Changes {
    stone: Option<(Point, Color)>,
    captured: Vec<Point>,
    chains: Vec<Chain>,
    /// The chains already listed carry the number of the current move.
    seen: [u32; CHAINS],
    epoch: u32,
}

impl Changes {
    /// Room for any move, so that watching allocates nothing later.
    pub fn new() -> Changes {
        Changes {
            stone: None,
            captured: Vec::with_capacity(625),
            chains: Vec::with_capacity(CHAINS),
            seen: [0; CHAINS],
            epoch: 1,
        }
    }

    /// Forgets the last move; call it before each one.
    #[inline]
    pub fn clear(&mut self) {
        self.stone = None;
        self.captured.clear();
        self.chains.clear();
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.seen.fill(0);
            self.epoch = 1;
        }
    }

    /// The stone that was played.
    #[inline]
    pub fn stone(&self) -> Option<(Point, Color)> {
        self.stone
    }

    /// The stones that were taken off.
    #[inline]
    pub fn captured(&self) -> &[Point] {
        &self.captured
    }

    /// The chains on the board whose liberties changed, the played one among them.
    #[inline]
    pub fn chains(&self) -> &[Chain] {
        &self.chains
    }
}

impl Clone for Changes {
    fn clone(&self) -> Changes {
        let mut copy = Changes::new();
        copy.clone_from(self);
        copy
    }

    /// Uses the room that is there.
    fn clone_from(&mut self, other: &Changes) {
        self.clear();
        self.stone = other.stone;
        self.captured.extend_from_slice(&other.captured);
        for &chain in &other.chains {
            self.liberties(chain);
        }
    }
}

impl Default for Changes {
    fn default() -> Changes {
        Changes::new()
    }
}

impl Watch for Changes {
    const LIBERTIES: bool = true;

    #[inline]
    fn placed(&mut self, point: Point, color: Color) {
        self.stone = Some((point, color));
    }

    #[inline]
    fn captured(&mut self, point: Point) {
        self.captured.push(point);
    }

    #[inline]
    fn liberties(&mut self, chain: Chain) {
        let seen = &mut self.seen[chain.index()];
        if *seen != self.epoch {
            *seen = self.epoch;
            self.chains.push(chain);
        }
    }
}
