//! Nakade: the point in the middle of an eye that the last move has closed, often by taking stones off.
//! A stone there leaves one eye of it. People see that and leave such eyes alone, so a policy learned
//! from their moves does not play there.

use goban::{Board, Cell, Color, Point, Ring};

/// No one stone takes a larger eye.
const LARGEST: usize = 6;

/// The middle of an eye beside `last`, a stone of the opponent of `color`, if nothing but stones of the
/// opponent are around the eye and a stone of `color` in its middle leaves one eye of it.
#[inline]
pub(crate) fn vital_point(board: &Board, last: Point, color: Color) -> Option<Point> {
    if !board.ring(last).has_liberty() {
        return None;
    }
    let open = board.neighbours(last).filter(|&q| board.cell(q) == Cell::Empty);
    open.filter(|&q| may_be_closed(board, q, color)).find_map(|q| middle(board, q, color))
}

/// Whether the empty point `p` may lie in an eye of three points or more: not with a stone of `color`
/// beside it, nor in the open. `last` is beside it, so at most three of its neighbours are empty; if
/// they are, all its diagonal neighbours belong to the eye or are around it.
#[inline]
fn may_be_closed(board: &Board, p: Point, color: Color) -> bool {
    let ring = board.ring(p);
    if ring.has_neighbour(color) {
        return false;
    }
    match ring.liberties() {
        0 => false,
        3 => {
            let diagonal = Ring(ring.0 >> 8);
            !diagonal.has_neighbour(color) && diagonal.liberties() < 3
        }
        _ => true,
    }
}

#[cold]
fn middle(board: &Board, inside: Point, color: Color) -> Option<Point> {
    let mut eye = [inside; LARGEST];
    let (mut len, mut next) = (1, 0);
    while next < len {
        for q in board.neighbours(eye[next]) {
            if board.cell(q) == Cell::from(color) {
                return None;
            }
            if board.cell(q) == Cell::Empty && !eye[..len].contains(&q) {
                if len == LARGEST {
                    return None;
                }
                eye[len] = q;
                len += 1;
            }
        }
        next += 1;
    }
    let eye = &eye[..len];
    let beside = |p: Point| board.ring(p).liberties();
    let links = eye.iter().map(|&p| beside(p)).sum::<u32>() / 2;
    let most = match (len, links) {
        // Three points, straight or bent.
        (3, _) => 2,
        // T, and not a line, nor four bent ones, nor a square.
        (4, 3) => 3,
        // A square with a tail, and a cross.
        (5, 5) => 3,
        (5, 4) => 4,
        // A square with two tails from one corner.
        (6, 6) => 4,
        _ => return None,
    };
    eye.iter().copied().find(|&p| beside(p) == most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::Diagram;

    /// Where Black plays after White's stone at `last`.
    fn after(diagram: &str, last: &str) -> Option<String> {
        let board = Diagram::parse(diagram).unwrap().board;
        let last = board.size().parse_point(last).unwrap();
        assert_eq!(board.cell(last), Cell::White);
        vital_point(&board, last, Color::Black).map(|p| p.to_string())
    }

    #[test]
    fn eyes_that_one_stone_takes_are_taken_in_the_middle() {
        let straight = "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            O O O O . . .
            . . . O . . .
            O O O O . . .";
        assert_eq!(after(straight, "D2"), Some("B2".into()));
        assert_eq!(after(straight, "C3"), Some("B2".into()));
        let bent = "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            O O . . . . .
            . O O . . . .
            . . O . . . .";
        assert_eq!(after(bent, "C1"), Some("A1".into()));
        let t = "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            O . . . . . .
            . O . . . . .
            . . O . . . .
            . O . . . . .";
        assert_eq!(after(t, "B3"), Some("A2".into()));
        let bulky = "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            O O . . . . .
            . . O . . . .
            . . O . . . .
            . O . . . . .";
        assert_eq!(after(bulky, "B1"), Some("A2".into()));
        let cross = "
            . . . . . . .
            . . O . . . .
            . O . O . . .
            O . . . O . .
            . O . O . . .
            . . O . . . .
            . . . . . . .";
        assert_eq!(after(cross, "D3"), Some("C4".into()));
        let rabbity = "
            . . . . . . .
            . . O . . . .
            . O . O O . .
            O . . . O . .
            . O . . O . .
            . . O O . . .
            . . . . . . .";
        assert_eq!(after(rabbity, "D2"), Some("C4".into()));
    }

    #[test]
    fn other_eyes_are_left_alone() {
        let line = "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            O O O O O . .
            . . . . O . .";
        assert_eq!(after(line, "E1"), None, "four in a row make two eyes");
        let square = "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            O O O . . . .
            . . O . . . .
            . . O . . . .";
        assert_eq!(after(square, "C1"), None, "a square is one eye as it is");
        let two = square.replace(". . O . . . .", ". O O . . . .");
        assert_eq!(after(&two, "B1"), None, "two points");
        let open = square.replacen("O O O . . . .", "O . O . . . .", 1);
        assert_eq!(after(&open, "C1"), None, "it is not closed");
        let with_black = line.replace("O O O O O", "O O X O O").replace(". . . . O", ". . . O O");
        assert_eq!(after(&with_black, "D1"), None, "Black is around it too");
    }
}
