//! The points a uniform playout draws from.

use goban::{Board, Color, Point, PointMap, Watch};

use crate::random::Random;

/// The empty points of a board in a list, kept up to date by watching the moves.
#[derive(Clone)]
pub struct Draw {
    points: [Point; LEN],
    len: usize,
    /// Where an empty point stands in the list.
    places: PointMap<u16>,
}

const LEN: usize = PointMap::<u16>::LEN;

impl Draw {
    /// The empty points of a board.
    pub fn new(board: &Board) -> Draw {
        let mut draw =
            Draw { points: [Point::from_index(0); LEN], len: 0, places: PointMap::filled(0) };
        for p in board.empties() {
            draw.add(p);
        }
        draw
    }

    /// Makes this equal to `other`, the points of a board of the same size, by copying what is in
    /// use.
    #[inline]
    pub fn copy_from(&mut self, other: &Draw, size: goban::Size) {
        self.len = other.len;
        self.points[..self.len].copy_from_slice(&other.points[..self.len]);
        self.places.copy_from(&other.places, size);
    }

    /// The empty points, in no particular order.
    #[inline]
    pub fn points(&self) -> &[Point] {
        &self.points[..self.len]
    }

    /// A uniform choice among the legal moves of `color` that fill no own eye; `None` is a pass.
    #[inline]
    pub fn pick(&mut self, board: &Board, color: Color, random: &mut Random) -> Option<Point> {
        let mut left = self.len;
        while left > 0 {
            let i = random.below(left);
            let p = self.points[i];
            if board.is_playable(p, color) {
                return Some(p);
            }
            // Behind the part that is still drawn from: the choice stays uniform and ends.
            left -= 1;
            self.swap(i, left);
        }
        None
    }

    #[inline]
    fn add(&mut self, p: Point) {
        self.places[p] = self.len as u16;
        self.points[self.len] = p;
        self.len += 1;
    }

    #[inline]
    fn remove(&mut self, p: Point) {
        self.len -= 1;
        let last = self.points[self.len];
        let place = self.places[p];
        self.points[place as usize] = last;
        self.places[last] = place;
    }

    #[inline]
    fn swap(&mut self, i: usize, j: usize) {
        let (p, q) = (self.points[i], self.points[j]);
        self.points[i] = q;
        self.points[j] = p;
        self.places[p] = j as u16;
        self.places[q] = i as u16;
    }
}

impl Watch for Draw {
    #[inline]
    fn placed(&mut self, point: Point, _: Color) {
        self.remove(point);
    }

    #[inline]
    fn captured(&mut self, point: Point) {
        self.add(point);
    }
}
