//! When a search ends: by itself, or because it is stopped.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::stop::Stop;
use crate::tree::{Edge, MOST_VISITS, Tally, Tree};

/// When a search ends by itself.
#[derive(Clone, Debug, Default)]
pub struct SearchLimits {
    /// Visits of the root, those kept from earlier searches included. The last 32 are made in any case
    /// if the root is a new one: what is kept does not say who owns what.
    pub visits: Option<u64>,
    /// Playouts of this search.
    pub playouts: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
    /// End before `time` once no other move can become the most visited one.
    pub early: bool,
    /// Go on up to this time while the most visited move is not the one that looks best.
    pub stretch: Option<Duration>,
    /// How often to report.
    pub every: Option<Duration>,
    /// Whether to keep ownership apart for each candidate.
    pub ownership_by_move: bool,
}

impl SearchLimits {
    /// Whether there are as many playouts or visits as asked for, and `least` playouts.
    pub(crate) fn are_reached(&self, playouts: &AtomicU64, root: &Tally, least: u64) -> bool {
        let made = playouts.load(Ordering::Relaxed);
        let visits = root.visits();
        self.playouts.is_some_and(|most| made >= most)
            || made >= least && self.visits.is_some_and(|most| visits as u64 >= most)
            || visits >= MOST_VISITS
    }
}

/// Says when a search is over.
pub struct Deadline<'a> {
    /// What was asked for.
    pub limits: &'a SearchLimits,
    /// When the search began.
    pub start: Instant,
    /// Who may end it.
    pub stop: &'a Stop,
}

impl Deadline<'_> {
    /// Whether the search must end, whatever it has found.
    pub fn is_up(&self) -> bool {
        let most = |time| self.limits.stretch.unwrap_or(time).max(time);
        self.stop.is_raised()
            || self.limits.time.is_some_and(|time| self.start.elapsed() >= most(time))
    }

    /// Whether it must or should.
    pub fn is_over(&self, tree: &Tree, playouts: u64) -> bool {
        if self.is_up() {
            return true;
        }
        let limits = self.limits;
        let Some(time) = limits.time else { return false };
        // A look at all moves now and then is enough.
        if !playouts.is_multiple_of(32) {
            return false;
        }
        let elapsed = self.start.elapsed();
        if elapsed >= time {
            return is_settled(tree);
        }
        // At the present speed, so many playouts are still to come.
        let coming = playouts as f64 * (time.as_secs_f64() / elapsed.as_secs_f64().max(1e-6) - 1.0);
        limits.early && playouts >= 64 && lead(tree) as f64 > coming
    }
}

/// By how many visits the first move is ahead.
fn lead(tree: &Tree) -> u32 {
    let mut two = [0; 2];
    for edge in tree.edges(tree.root().expect("a search has a root")) {
        let visits = edge.tally.visits();
        if visits > two[0] {
            two = [visits, two[0]];
        } else {
            two[1] = two[1].max(visits);
        }
    }
    two[0] - two[1]
}

/// Whether the most visited move wins most as well.
fn is_settled(tree: &Tree) -> bool {
    let root = tree.root().expect("a search has a root");
    let most = tree.edges(root).max_by_key(|edge| edge.tally.visits());
    let Some(most) = most else { return true };
    let rate = |edge: &Edge| {
        let (n, won) = edge.tally.read();
        won / n.max(1.0)
    };
    let enough = most.tally.visits() / 8;
    let mut rivals = tree.edges(root).filter(|edge| edge.tally.visits() > enough);
    !rivals.any(|edge| rate(edge) > rate(most) + 0.005)
}
