//! A forest: small decision trees whose leaves add up to a score (gradient boosting, Friedman 2001).
//! Growing one is learning and lives elsewhere; here is what it says, and its bytes.

/// One tree: complete, of a fixed depth. A node sends a move to the left if its fact is at most the
/// threshold.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    /// The nodes in rows from the top.
    pub nodes: Vec<Node>,
    /// What each leaf adds, from the left.
    pub leaves: Vec<f32>,
}

/// A question about one fact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Node {
    /// Which fact.
    pub fact: u16,
    /// Up to here to the left.
    pub threshold: f32,
}

impl Tree {
    /// What the tree adds for a move with these facts.
    #[inline]
    pub fn value(&self, facts: &[f32]) -> f32 {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            at = 2 * at + 1 + (facts[node.fact as usize] > node.threshold) as usize;
        }
        self.leaves[at - self.nodes.len()]
    }
}

/// A forest. See the module documentation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Forest {
    /// Facts of a move.
    pub width: usize,
    /// The trees.
    pub trees: Vec<Tree>,
}

/// Why bytes are no forest.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ForestError {
    /// Too few bytes.
    #[error("the forest is cut off")]
    Truncated,
    /// A tree that asks for a fact that is not there, or is too deep.
    #[error("tree {0} of the forest is damaged")]
    Tree(usize),
}

/// Deeper trees than this are not read.
const DEEPEST: usize = 12;

impl Forest {
    /// The score of a move with these facts.
    pub fn score(&self, facts: &[f32]) -> f32 {
        self.trees.iter().map(|tree| tree.value(facts)).sum()
    }

    /// The forest as bytes, the same for the same forest: width and number of trees (u16 each), then
    /// for each tree its depth (u8), its nodes (u16 and f32) and its leaves (f32), little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend((self.width as u16).to_le_bytes());
        bytes.extend((self.trees.len() as u16).to_le_bytes());
        for tree in &self.trees {
            bytes.push(tree.leaves.len().trailing_zeros() as u8);
            for node in &tree.nodes {
                bytes.extend(node.fact.to_le_bytes());
                bytes.extend(node.threshold.to_le_bytes());
            }
            tree.leaves.iter().for_each(|leaf| bytes.extend(leaf.to_le_bytes()));
        }
        bytes
    }

    /// Reads what [`Forest::to_bytes`] wrote.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Forest, ForestError> {
        let mut rest = bytes;
        let mut take = |n: usize| -> Result<&[u8], ForestError> {
            let (head, tail) = rest.split_at_checked(n).ok_or(ForestError::Truncated)?;
            rest = tail;
            Ok(head)
        };
        let short = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
        let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let width = short(take(2)?) as usize;
        let count = short(take(2)?) as usize;
        let mut trees = Vec::with_capacity(count);
        for place in 0..count {
            let depth = take(1)?[0] as usize;
            if depth > DEEPEST {
                return Err(ForestError::Tree(place));
            }
            let mut tree = Tree { nodes: Vec::new(), leaves: Vec::new() };
            for _ in 0..(1 << depth) - 1 {
                let node = Node { fact: short(take(2)?), threshold: number(take(4)?) };
                if node.fact as usize >= width {
                    return Err(ForestError::Tree(place));
                }
                tree.nodes.push(node);
            }
            for _ in 0..1 << depth {
                tree.leaves.push(number(take(4)?));
            }
            trees.push(tree);
        }
        Ok(Forest { width, trees })
    }
}
