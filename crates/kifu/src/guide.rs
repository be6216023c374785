//! A problem that somebody tries to solve: what its file says about each move, and how it answers.
//!
//! Nothing here judges a position. A move that is not in the file is neither right nor wrong.

use goban::Color;

use crate::problem::{Marks, Problem, color_of, last_before_play};
use crate::tree::{NodeId, Tree};

/// What a file says about a move of the one who solves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// The problem is solved; the opponent may still have made a move.
    Solved,
    /// Right so far: there is more to find.
    GoesOn,
    /// Wrong.
    Wrong,
    /// The file does not have the move.
    Unknown,
}

/// What the file of a problem says, as far as the tree is as it was read; what was added to it since
/// is unknown to the guide.
pub struct Guide {
    start: NodeId,
    to_play: Color,
    marks: Marks,
    nodes: usize,
}

impl Guide {
    /// The guide of a problem, with the tree that it was read from.
    pub fn new(tree: &Tree, problem: &Problem) -> Guide {
        let start = last_before_play(tree);
        let marks = Marks::new(tree, start);
        Guide { start, to_play: problem.to_play, marks, nodes: tree.len() }
    }

    /// The node of the position that is to be solved.
    pub fn start(&self) -> NodeId {
        self.start
    }

    /// What the file says about the move of the one who solves that led to this node, and how the
    /// opponent answers it.
    pub fn judge(&self, tree: &Tree, node: NodeId) -> (Said, Option<NodeId>) {
        // Marks reach as far as the file did.
        if node.index() >= self.nodes {
            return (Said::Unknown, None);
        }
        let reply = self.marks.best_child(tree, node).or_else(|| tree.first_child(node));
        let reply = reply.filter(|&reply| {
            reply.index() < self.nodes && color_of(tree, reply) == Some(!self.to_play)
        });
        if !tree.parent(node).is_some_and(|before| self.right(tree, before).contains(&node)) {
            return (Said::Wrong, reply);
        }
        let more = reply.is_some_and(|reply| !self.right(tree, reply).is_empty());
        (if more { Said::GoesOn } else { Said::Solved }, reply)
    }

    /// The right moves after a node.
    fn right(&self, tree: &Tree, node: NodeId) -> Vec<NodeId> {
        let known = tree.children(node).filter(|child| child.index() < self.nodes);
        self.marks.answers(tree, &known.collect::<Vec<_>>(), self.to_play)
    }
}
