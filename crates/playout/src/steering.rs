//! Playouts that use the statistics of earlier playouts: the plan that the paper on two-point relations
//! (2016) leaves open. [`Evidence`] is counted while a search runs, a [`SteeringGuide`] is drawn from it now and then,
//! and playouts that follow a guide
//! - answer a move at one point of a miai pair with the other ([`SteeringStrengths::miai`]);
//! - prefer moves that should come early, such as outside liberties in a race ([`SteeringStrengths::order`]).
//!
//! A guide also says how critical each point is, which a tree may look at ([`SteeringStrengths::criticality`]).
//!
//! [`crate::statistics`] counts the same quantities for all pairs of a position that is looked at. Here
//! only the most critical points are paired, so that it costs little and fits anywhere, and what is
//! old is forgotten.

mod evidence;
mod guide;

pub use evidence::{Evidence, PAIRED};
pub use guide::SteeringGuide;

/// How strongly playouts and the tree are steered; each part is off at 0.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct SteeringStrengths {
    /// How often a move at one point of a miai pair is answered with the other, 0 to 1.
    pub miai: f32,
    /// The logarithm of the factor of a move whose rank by order is 1.
    pub order: f32,
    /// How much the prior of a point whose criticality is 1 rises in the tree.
    pub criticality: f32,
}

impl SteeringStrengths {
    /// Whether anything is steered.
    pub fn any(self) -> bool {
        self.miai > 0.0 || self.order > 0.0 || self.criticality > 0.0
    }
}
