//! Where lines of the tree meet: positions that were reached before, by other moves or in another
//! order, share one node. Any thread may look one up or put one in while a search runs.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::tree::Node;

const ORDER: Ordering = Ordering::Relaxed;

/// A position and its node. Both words are written apart; `check` is the position's key XOR `node`,
/// so a place that is half written fits no position.
#[derive(Default)]
struct Place {
    check: AtomicU64,
    node: AtomicU64,
}

/// Nodes by position, one place for each; a newer position takes the place of an older one.
pub struct Crossings {
    places: Box<[Place]>,
}

impl Crossings {
    /// Room for at least so many positions, or for none.
    pub fn new(positions: usize) -> Crossings {
        let len = if positions == 0 { 0 } else { positions.next_power_of_two() };
        Crossings { places: (0..len).map(|_| Place::default()).collect() }
    }

    fn place(&self, key: u64) -> Option<&Place> {
        let last = self.places.len().checked_sub(1)?;
        Some(&self.places[key as usize & last])
    }

    /// The node of a position.
    pub fn find(&self, key: u64) -> Option<Node> {
        let place = self.place(key)?;
        // What the node holds was written before it was put here.
        let node = place.node.load(Ordering::Acquire);
        (node != 0 && place.check.load(ORDER) ^ node == key).then_some(Node(node as u32))
    }

    /// Remembers the node of a position.
    pub fn put(&self, key: u64, node: Node) {
        let Some(place) = self.place(key) else { return };
        place.check.store(key ^ node.0 as u64, ORDER);
        place.node.store(node.0 as u64, Ordering::Release);
    }

    /// Forgets the nodes that are no more.
    pub fn retain(&mut self, lives: impl Fn(Node) -> bool) {
        for place in &mut self.places {
            let node = place.node.get_mut();
            if *node != 0 && !lives(Node(*node as u32)) {
                *node = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_until_their_node_is_gone() {
        let mut crossings = Crossings::new(5);
        assert_eq!(crossings.find(0), None);
        crossings.put(3, Node(7));
        crossings.put(4, Node(9));
        assert_eq!([3, 4, 11].map(|key| crossings.find(key)), [Some(Node(7)), Some(Node(9)), None]);
        crossings.put(11, Node(2));
        assert_eq!([3, 11].map(|key| crossings.find(key)), [None, Some(Node(2))]);
        crossings.retain(|node| node != Node(9));
        assert_eq!([4, 11].map(|key| crossings.find(key)), [None, Some(Node(2))]);
        crossings.retain(|_| false);
        assert_eq!(crossings.find(11), None);
    }

    #[test]
    fn without_room_nothing_is_remembered() {
        let crossings = Crossings::new(0);
        crossings.put(3, Node(7));
        assert_eq!(crossings.find(3), None);
    }
}
