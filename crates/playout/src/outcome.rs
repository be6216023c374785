//! How a playout ended, and who owns what then.

use goban::{Board, Cell, Color, Point, PointSet};

/// How a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Moves made, passes included.
    pub moves: u32,
    /// Black's area less White's, before komi.
    pub score: i32,
}

/// Whose a point is where a playout ended: +1 Black's, -1 White's, 0 neither's. Empty points stand
/// alone there, and their neighbours tell the owner.
#[inline]
pub fn owner(board: &Board, p: Point) -> i8 {
    match board.cell(p) {
        Cell::Black => 1,
        Cell::White => -1,
        _ => {
            let ring = board.ring(p);
            let theirs = |color| ring.is_surrounded_by(color) as i8;
            theirs(Color::Black) - theirs(Color::White)
        }
    }
}

/// The area after both players passed. A point with an empty neighbour is neither an eye nor
/// suicide, so it would have been played: all that are empty now stand alone, and their neighbours
/// tell the owner.
#[inline]
pub(crate) fn area_after_passes(board: &Board, empties: impl Iterator<Item = Point>) -> i32 {
    let stones = |color| board.stones(color) as i32;
    let mut area = stones(Color::Black) - stones(Color::White);
    for p in empties {
        let ring = board.ring(p);
        area += ring.is_surrounded_by(Color::Black) as i32;
        area -= ring.is_surrounded_by(Color::White) as i32;
    }
    area
}

/// The area of any position.
pub(crate) fn area(board: &Board) -> i32 {
    let stones = |color| board.stones(color) as i32;
    let mut area = stones(Color::Black) - stones(Color::White);
    let mut seen = PointSet::EMPTY;
    let mut open = [Point::from_index(0); 625];
    for p in board.empties() {
        let ring = board.ring(p);
        // Nearly all are eyes of one point.
        if !ring.has_liberty() {
            area += ring.is_surrounded_by(Color::Black) as i32;
            area -= ring.is_surrounded_by(Color::White) as i32;
            continue;
        }
        if seen.contains(p) {
            continue;
        }
        seen.insert(p);
        open[0] = p;
        let (mut next, mut len, mut beside) = (0, 1, [false; 2]);
        while next < len {
            for q in board.neighbours(open[next]) {
                match board.cell(q).color() {
                    Some(color) => beside[color.index()] = true,
                    None if !seen.contains(q) => {
                        seen.insert(q);
                        open[len] = q;
                        len += 1;
                    }
                    None => {}
                }
            }
            next += 1;
        }
        area += len as i32 * (beside == [true, false]) as i32;
        area -= len as i32 * (beside == [false, true]) as i32;
    }
    area
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::Size;
    use goban::score::{self, Marks};

    use crate::random::Random;

    #[test]
    fn area_is_that_of_the_rules() {
        let mut random = Random::new(1);
        for side in [2, 9, 19, 25] {
            let size = Size::new(side).unwrap();
            for moves in 0..60 {
                let mut board = Board::new(size);
                for i in 0..moves * side * side / 40 {
                    let p = Point::new(random.below(side) as u8, random.below(side) as u8);
                    let _ = board.play(p, Color::BOTH[i % 2]);
                }
                assert_eq!(area(&board), score::area(&board, &Marks::default()).difference());
            }
        }
    }
}
