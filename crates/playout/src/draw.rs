//! The points a uniform playout draws from.

use crate::random::Random;
use goban::{Board, Color, Point, PointMap, Size, Watch};

/// The empty points of a board, kept up to date by watching the moves.
#[derive(Clone)]
pub struct Draw {
    points: [Point; LEN],
    len: usize,
    /// Where an empty point stands in the list.
    places: PointMap<u16>,
}

const LEN: usize = PointMap::<u16>::LEN;

impl Draw {
    /// All empty points of a board.
    pub fn new(board: &Board) -> Draw {
        let mut draw =
            Draw { points: [Point::default(); LEN], len: 0, places: PointMap::filled(0) };
        for p in board.empties() {
            draw.add(p);
        }
        draw
    }

    /// Makes this equal to `other` by copying what is in use.
    pub fn copy_from(&mut self, other: &Draw, size: Size) {
        self.len = other.len;
        self.points[..self.len].copy_from_slice(&other.points[..self.len]);
        self.places.copy_from(&other.places, size);
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
            left -= 1;
            // Out of this draw, which so stays uniform and ends.
            self.swap(i, left);
        }
        None
    }

    /// All empty points.
    pub fn empties(&self) -> impl Iterator<Item = Point> + '_ {
        self.points[..self.len].iter().copied()
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
