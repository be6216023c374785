//! The legal moves of a position as lists of features.

use goban::Point;

/// The legal moves of a position, each as the list of its features: numbers below
/// [`crate::Use::features`] are those of `policy`, the others patterns in the order of the dictionary.
#[derive(Default)]
pub struct Position {
    /// The moves.
    pub moves: Vec<Point>,
    /// Where the features of each move end in `features`.
    pub(super) ends: Vec<u32>,
    pub(super) features: Vec<u32>,
    /// The move that was played, as a place in `moves`.
    pub played: usize,
    /// Moves made before.
    pub number: usize,
}

impl Clone for Position {
    fn clone(&self) -> Position {
        let mut copy = Position::default();
        copy.clone_from(self);
        copy
    }

    /// Uses the room that is there.
    fn clone_from(&mut self, other: &Position) {
        self.moves.clone_from(&other.moves);
        self.ends.clone_from(&other.ends);
        self.features.clone_from(&other.features);
        self.played = other.played;
        self.number = other.number;
    }
}

impl Position {
    /// A position by its lists, for tests and examples.
    pub fn from_lists(lists: &[&[u32]], played: usize) -> Position {
        let mut position = Position { played, ..Position::default() };
        for (i, list) in lists.iter().enumerate() {
            position.moves.push(Point::from_index(i));
            position.features.extend_from_slice(list);
            position.ends.push(position.features.len() as u32);
        }
        position
    }

    /// Number of legal moves.
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no legal move.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The features of each move.
    #[inline]
    pub fn lists(&self) -> impl Iterator<Item = &[u32]> + '_ {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let list = &self.features[start as usize..end as usize];
            start = end;
            list
        })
    }

    /// The features of one move.
    #[inline]
    pub fn list(&self, i: usize) -> &[u32] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.features[start as usize..self.ends[i] as usize]
    }

    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
        self.features.clear();
    }
}
