//! A slow board that is easy to believe: no chains, no counters, everything by flood fill.
//!
//! Tests compare the fast [`crate::Board`] with it. It takes any side from 1 up, so the counts of
//! legal positions can start at 1x1.

use crate::color::{Cell, Color};

/// Column and row, from 0.
pub type Place = (usize, usize);

/// A position as plain rows of cells, and the point that simple ko forbids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Referee {
    side: usize,
    cells: Vec<Cell>,
    ko: Option<(Place, Color)>,
}

impl Referee {
    /// An empty board.
    pub fn new(side: usize) -> Referee {
        Referee { side, cells: vec![Cell::Empty; side * side], ko: None }
    }

    /// What is at column `x`, row `y`.
    pub fn cell(&self, x: usize, y: usize) -> Cell {
        self.cells[y * self.side + x]
    }

    /// Puts or removes a stone without asking the rules.
    pub fn set(&mut self, x: usize, y: usize, cell: Cell) {
        self.cells[y * self.side + x] = cell;
    }

    /// The point that simple ko forbids to `color` now.
    pub fn ko(&self, color: Color) -> Option<Place> {
        self.ko.filter(|&(_, forbidden)| forbidden == color).map(|(place, _)| place)
    }

    fn neighbours(&self, x: usize, y: usize) -> Vec<Place> {
        let mut found = Vec::with_capacity(4);
        if x > 0 {
            found.push((x - 1, y));
        }
        if y > 0 {
            found.push((x, y - 1));
        }
        if x + 1 < self.side {
            found.push((x + 1, y));
        }
        if y + 1 < self.side {
            found.push((x, y + 1));
        }
        found
    }

    /// The chain at a point and its liberties, both sorted.
    pub fn chain(&self, x: usize, y: usize) -> (Vec<Place>, Vec<Place>) {
        let color = self.cell(x, y);
        let (mut stones, mut liberties) = (vec![(x, y)], vec![]);
        let mut next = 0;
        while next < stones.len() {
            let (x, y) = stones[next];
            next += 1;
            for q in self.neighbours(x, y) {
                let cell = self.cell(q.0, q.1);
                if cell == color && !stones.contains(&q) {
                    stones.push(q);
                } else if cell == Cell::Empty && !liberties.contains(&q) {
                    liberties.push(q);
                }
            }
        }
        stones.sort();
        liberties.sort();
        (stones, liberties)
    }

    /// Whether every stone has a liberty.
    pub fn is_legal_position(&self) -> bool {
        (0..self.side * self.side).all(|i| {
            let (x, y) = (i % self.side, i / self.side);
            self.cells[i] == Cell::Empty || !self.chain(x, y).1.is_empty()
        })
    }

    /// Plays and says which points became empty, or `None` if the move is not legal.
    pub fn play(
        &mut self,
        x: usize,
        y: usize,
        color: Color,
        suicide_allowed: bool,
    ) -> Option<Vec<Place>> {
        if self.cell(x, y) != Cell::Empty || self.ko(color) == Some((x, y)) {
            return None;
        }
        let mut after = self.clone();
        after.ko = None;
        after.set(x, y, Cell::from(color));
        let mut taken = vec![];
        for (nx, ny) in self.neighbours(x, y) {
            if after.cell(nx, ny) == Cell::from(!color) {
                let (stones, liberties) = after.chain(nx, ny);
                if liberties.is_empty() {
                    stones.iter().for_each(|&(x, y)| after.set(x, y, Cell::Empty));
                    taken.extend(stones);
                }
            }
        }
        let (own, liberties) = after.chain(x, y);
        if liberties.is_empty() {
            if !suicide_allowed || own.len() == 1 {
                return None;
            }
            own.iter().for_each(|&(x, y)| after.set(x, y, Cell::Empty));
            taken.extend(&own);
        } else if let ([stone], [_], [_]) = (&taken[..], &own[..], &liberties[..]) {
            after.ko = Some((*stone, !color));
        }
        *self = after;
        Some(taken)
    }

    /// Passes.
    pub fn pass(&mut self) {
        self.ko = None;
    }

    /// Black's area less White's, by Tromp and Taylor.
    pub fn area(&self) -> i32 {
        let mut score = 0;
        for i in 0..self.side * self.side {
            let (x, y) = (i % self.side, i / self.side);
            let (black, white) = match self.cells[i] {
                Cell::Empty => (self.reaches(x, y, Cell::Black), self.reaches(x, y, Cell::White)),
                cell => (cell == Cell::Black, cell == Cell::White),
            };
            score += (black && !white) as i32 - (white && !black) as i32;
        }
        score
    }

    /// Whether an empty path leads from an empty point to a stone of this kind.
    fn reaches(&self, x: usize, y: usize, goal: Cell) -> bool {
        let (region, _) = self.chain(x, y);
        region
            .iter()
            .any(|&(x, y)| self.neighbours(x, y).iter().any(|&(nx, ny)| self.cell(nx, ny) == goal))
    }
}

/// Legal positions on a board of this side: all ways to fill it in which every stone has a
/// liberty. 1, 57, 12,675, 24,318,165 for sides 1 to 4 (Tromp and Farnebäck 2006).
pub fn legal_positions(side: usize) -> u64 {
    fn fill(board: &mut Referee, i: usize) -> u64 {
        let side = board.side;
        // A stone whose neighbours are all decided and whose chain has no empty neighbour in the
        // decided part may still live by what comes, so only the full board is judged.
        if i == side * side {
            return board.is_legal_position() as u64;
        }
        let mut found = 0;
        for cell in [Cell::Empty, Cell::Black, Cell::White] {
            board.set(i % side, i / side, cell);
            found += fill(board, i + 1);
        }
        board.set(i % side, i / side, Cell::Empty);
        found
    }
    fill(&mut Referee::new(side), 0)
}
