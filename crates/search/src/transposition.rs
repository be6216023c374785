//! The transposition table: positions that were reached before, by other moves or in another order,
//! share one node. Any thread may look one up or put one in while a search runs.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::tree::Node;

const ORDER: Ordering = Ordering::Relaxed;

/// A position and its node. The two words are written separately; `check` is the position's key XOR
/// `node`, so an entry that is half written matches no position.
#[derive(Default)]
struct Entry {
    check: AtomicU64,
    node: AtomicU64,
}

/// Nodes by position, one entry for each key; a newer position replaces an older one.
pub struct Transpositions {
    entries: Box<[Entry]>,
}

impl Transpositions {
    /// Room for at least so many positions, or for none.
    pub fn new(positions: usize) -> Transpositions {
        let len = if positions == 0 { 0 } else { positions.next_power_of_two() };
        Transpositions { entries: (0..len).map(|_| Entry::default()).collect() }
    }

    fn entry(&self, key: u64) -> Option<&Entry> {
        let last = self.entries.len().checked_sub(1)?;
        Some(&self.entries[key as usize & last])
    }

    /// The node of a position.
    pub fn find(&self, key: u64) -> Option<Node> {
        let entry = self.entry(key)?;
        // What the node holds was written before it was put here.
        let node = entry.node.load(Ordering::Acquire);
        (node != 0 && entry.check.load(ORDER) ^ node == key).then_some(Node(node as u32))
    }

    /// Remembers the node of a position.
    pub fn put(&self, key: u64, node: Node) {
        let Some(entry) = self.entry(key) else { return };
        entry.check.store(key ^ node.0 as u64, ORDER);
        entry.node.store(node.0 as u64, Ordering::Release);
    }

    /// Forgets the nodes that no longer exist.
    pub fn retain(&mut self, lives: impl Fn(Node) -> bool) {
        for entry in &mut self.entries {
            let node = entry.node.get_mut();
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
        let mut transpositions = Transpositions::new(5);
        assert_eq!(transpositions.find(0), None);
        transpositions.put(3, Node(7));
        transpositions.put(4, Node(9));
        assert_eq!(
            [3, 4, 11].map(|key| transpositions.find(key)),
            [Some(Node(7)), Some(Node(9)), None]
        );
        transpositions.put(11, Node(2));
        assert_eq!([3, 11].map(|key| transpositions.find(key)), [None, Some(Node(2))]);
        transpositions.retain(|node| node != Node(9));
        assert_eq!([4, 11].map(|key| transpositions.find(key)), [None, Some(Node(2))]);
        transpositions.retain(|_| false);
        assert_eq!(transpositions.find(11), None);
    }

    #[test]
    fn without_room_nothing_is_remembered() {
        let transpositions = Transpositions::new(0);
        transpositions.put(3, Node(7));
        assert_eq!(transpositions.find(3), None);
    }
}
