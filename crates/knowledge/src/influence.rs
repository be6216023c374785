//! Influence: every stone gives 1 to each of the twelve points within two steps of it, and a point
//! belongs to the colour with the larger sum. A point with a stone belongs to that stone.

use goban::{Board, Cell, Color, Point, PointMap, Size};

/// The points within two steps, the middle left out.
const REACH: [(i8, i8); 12] = [
    (0, 2),
    (-1, 1),
    (0, 1),
    (1, 1),
    (-2, 0),
    (-1, 0),
    (1, 0),
    (2, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
    (0, -2),
];

/// The points within two steps of `p`.
fn reach(p: Point, size: Size) -> impl Iterator<Item = Point> {
    REACH.iter().filter_map(move |&(dx, dy)| p.offset(dx, dy, size))
}

/// How far the stones of a position reach.
#[derive(Clone, Debug)]
pub struct Influence {
    size: Size,
    /// Black's sum less White's.
    sums: PointMap<i8>,
    cells: PointMap<Cell>,
}

impl Influence {
    /// The influence of the stones on a board.
    pub fn new(board: &Board) -> Influence {
        let size = board.size();
        let mut influence =
            Influence { size, sums: PointMap::filled(0), cells: PointMap::filled(Cell::Edge) };
        for p in size.points() {
            influence.cells[p] = board.cell(p);
            if let Some(color) = board.cell(p).color() {
                reach(p, size).for_each(|q| influence.sums[q] += sign(color));
            }
        }
        influence
    }

    /// Black's sum less White's at a point; what stands there is not asked.
    pub fn sum(&self, p: Point) -> i32 {
        self.sums[p].into()
    }

    /// Whose a point is.
    pub fn owner(&self, p: Point) -> Option<Color> {
        self.cells[p].color().or(match self.sums[p] {
            1.. => Some(Color::Black),
            0 => None,
            _ => Some(Color::White),
        })
    }

    /// How many points are a colour's.
    pub fn area(&self, color: Color) -> usize {
        self.size.points().filter(|&p| self.owner(p) == Some(color)).count()
    }

    /// By how much a legal move makes the player's area grow.
    pub fn gain(&self, board: &Board, p: Point, color: Color) -> i32 {
        if !board.captures(p, color).is_empty() {
            let mut after = board.clone();
            after.play_assume_legal(p, color, &mut ());
            return Influence::new(&after).area(color) as i32 - self.area(color) as i32;
        }
        // Without a capture only what the stone reaches can change.
        let becomes_own = |q: &Point| {
            let sum = self.sums[*q] * sign(color);
            self.cells[*q] == Cell::Empty && sum == 0
        };
        let new = reach(p, self.size).filter(becomes_own).count() as i32;
        new + (self.owner(p) != Some(color)) as i32
    }

    /// The legal moves with what each gains, the largest gain first; of equal ones that which stands
    /// first in the order of reading.
    pub fn gains(&self, board: &Board, color: Color) -> Vec<(Point, i32)> {
        let is_empty = |p: &Point| self.cells[*p] == Cell::Empty;
        let points = self.size.points().filter(is_empty).filter(|&p| board.is_playable(p, color));
        let mut list: Vec<(Point, i32)> = points.map(|p| (p, self.gain(board, p, color))).collect();
        list.sort_by_key(|&(_, gain)| -gain);
        list
    }
}

fn sign(color: Color) -> i8 {
    if color == Color::Black { 1 } else { -1 }
}
