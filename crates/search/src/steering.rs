//! The evidence from the playouts of all threads, and the guide that is drawn from it. Each thread
//! counts for itself and hands over its counts now and then; threads wait for each other only for as
//! long as that takes.

use std::sync::{Arc, Mutex, PoisonError};

use goban::{Board, Color, Point, Size};
use playout::steering::{Evidence, SteeringGuide, SteeringStrengths};

/// Playouts after which a thread hands over what it counted.
const EVERY: u32 = 128;
/// Playouts from which on older ones are forgotten: by halves, when there are twice as many.
const WINDOW: u32 = 2048;

/// The evidence from all threads; see the module documentation.
pub struct SharedEvidence {
    strengths: SteeringStrengths,
    all: Mutex<(Evidence, Option<Arc<SteeringGuide>>)>,
}

impl SharedEvidence {
    /// No evidence yet.
    pub fn new(size: Size, strengths: SteeringStrengths) -> SharedEvidence {
        SharedEvidence { strengths, all: Mutex::new((Evidence::new(size), None)) }
    }

    /// Takes what a thread has counted from a root, and gives the guide to go on by.
    fn exchange(&self, own: &mut Evidence, root: &Board) -> Arc<SteeringGuide> {
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
        guide.insert(Arc::new(SteeringGuide::new(evidence, self.strengths))).clone()
    }

    /// The guide of the moment; the thread that asks pairs the points that all others do.
    fn join(&self, own: &mut Evidence) -> Option<Arc<SteeringGuide>> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.0.take(own);
        all.1.clone()
    }
}

/// The counts of one thread.
pub struct ThreadEvidence<'a> {
    shared: &'a SharedEvidence,
    root: &'a Board,
    own: Evidence,
    guide: Option<Arc<SteeringGuide>>,
}

impl<'a> ThreadEvidence<'a> {
    /// Starts to count from a root.
    pub fn new(shared: &'a SharedEvidence, root: &'a Board) -> ThreadEvidence<'a> {
        let mut own = Evidence::new(root.size());
        let guide = shared.join(&mut own);
        ThreadEvidence { shared, root, own, guide }
    }

    /// What to go by.
    pub fn guide(&self) -> Option<&Arc<SteeringGuide>> {
        self.guide.as_ref()
    }

    /// Counts a playout that somebody won; true if there is a new guide.
    pub fn add(&mut self, moves: &[(Color, Point)], owners: &[(Point, i8)], winner: Color) -> bool {
        self.own.add(moves, owners, winner);
        let due = self.own.playouts() >= EVERY;
        if due {
            self.guide = Some(self.shared.exchange(&mut self.own, self.root));
        }
        due
    }

    /// Hands over what is left.
    pub fn finish(mut self) {
        if self.own.playouts() > 0 {
            self.shared.exchange(&mut self.own, self.root);
        }
    }
}
