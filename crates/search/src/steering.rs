//! What the playouts of all threads have told, and the guide that is drawn from it. Each thread
//! counts for itself and hands over what it has now and then; nobody waits for anybody else for
//! longer than that takes.

use std::sync::{Arc, Mutex, PoisonError};

use goban::{Board, Color, Point, Size};
use playout::steering::{Evidence, Guide, Steers};

/// Playouts after which a thread hands over what it counted.
const EVERY: u32 = 128;
/// Playouts from which on older ones are forgotten: by halves, when there are twice as many.
const WINDOW: u32 = 2048;

/// What all threads have handed over; see the module documentation.
pub struct Steering {
    steers: Steers,
    all: Mutex<(Evidence, Option<Arc<Guide>>)>,
}

impl Steering {
    /// Nothing told yet.
    pub fn new(size: Size, steers: Steers) -> Steering {
        Steering { steers, all: Mutex::new((Evidence::new(size), None)) }
    }

    /// Takes what a thread has counted from a root, and gives the guide to go on by.
    fn exchange(&self, own: &mut Evidence, root: &Board) -> Arc<Guide> {
        // Counts are whole after every step, so a thread that broke down leaves nothing broken.
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let (evidence, guide) = &mut *all;
        evidence.take(own);
        if evidence.playouts() >= 2 * WINDOW {
            evidence.fade();
        }
        evidence.choose(root);
        // So that the thread pairs the points that were chosen just now.
        evidence.take(own);
        guide.insert(Arc::new(Guide::new(evidence, self.steers))).clone()
    }

    /// The guide of the moment; the thread that asks pairs the points that all others do.
    fn join(&self, own: &mut Evidence) -> Option<Arc<Guide>> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.0.take(own);
        all.1.clone()
    }
}

/// A thread's part in it.
pub struct Steered<'a> {
    steering: &'a Steering,
    root: &'a Board,
    own: Evidence,
    guide: Option<Arc<Guide>>,
}

impl<'a> Steered<'a> {
    /// Starts to count from a root.
    pub fn new(steering: &'a Steering, root: &'a Board) -> Steered<'a> {
        let mut own = Evidence::new(root.size());
        let guide = steering.join(&mut own);
        Steered { steering, root, own, guide }
    }

    /// What to go by.
    pub fn guide(&self) -> Option<&Arc<Guide>> {
        self.guide.as_ref()
    }

    /// Counts a playout that somebody won; true if there is a new guide.
    pub fn add(&mut self, moves: &[(Color, Point)], owners: &[(Point, i8)], winner: Color) -> bool {
        self.own.add(moves, owners, winner);
        let due = self.own.playouts() >= EVERY;
        if due {
            self.guide = Some(self.steering.exchange(&mut self.own, self.root));
        }
        due
    }

    /// Hands over what is left.
    pub fn finish(mut self) {
        if self.own.playouts() > 0 {
            self.steering.exchange(&mut self.own, self.root);
        }
    }
}
