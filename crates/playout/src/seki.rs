//! Moves that give a chain away for nothing. A playout that must play them when nothing else is left
//! breaks every seki; one that never plays them kills nothing with nakade. So only those are shunned
//! whose stones would not take an eye space apart.

use goban::{Board, Color, Point};

/// Whether a stone of `color` at the empty point `p` puts its chain into atari and the chain is
/// neither small nor of a shape that kills.
#[inline]
pub(crate) fn gives_away(board: &Board, p: Point, color: Color) -> bool {
    // With two empty neighbours there are two liberties.
    board.ring(p).liberties() < 2 && gives_chain_away(board, p, color)
}

fn gives_chain_away(board: &Board, p: Point, color: Color) -> bool {
    let around = board.around(p);
    let after = board.after_move_among(p, color, &around);
    if after.liberties != 1 || after.length < 4 {
        return false;
    }
    // Taking stones off is never for nothing.
    if !around.of(!color).among(around.in_atari).is_empty() {
        return false;
    }
    if after.length > 6 {
        return true;
    }
    let mut stones = [p; 6];
    let chains = around.of(color).iter().map(|d| around.chains[d]);
    let others = chains.flat_map(|chain| board.chain_stones(chain));
    for (place, stone) in stones[1..].iter_mut().zip(others) {
        *place = stone;
    }
    !is_nakade(&stones[..after.length])
}

/// Whether four to six connected stones have one of the shapes that leave one eye at most: square,
/// T, bulky five, cross, rabbity six.
fn is_nakade(stones: &[Point]) -> bool {
    let touch = |a: Point, b: Point| a.x().abs_diff(b.x()) + a.y().abs_diff(b.y()) == 1;
    let degree = |a: Point| stones.iter().filter(|&&b| touch(a, b)).count();
    let (sum, most) = stones.iter().map(|&a| degree(a)).fold((0, 0), |(s, m), d| (s + d, m.max(d)));
    match (stones.len(), sum / 2, most) {
        // Any shape of four but the line and the bent ones.
        (4, 4, _) | (4, _, 3) => true,
        (5, 5, _) | (5, _, 4) => true,
        (6, 6, 4) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::Diagram;

    fn shunned(diagram: &str) -> bool {
        let diagram = Diagram::parse(diagram).unwrap();
        let p = diagram.label('a').expect("the move is marked a");
        gives_away(&diagram.board, p, Color::Black)
    }

    #[test]
    fn moves_that_break_a_seki_are_shunned() {
        // The chains of D and E share the liberties a and E1.
        assert!(shunned(
            ". . X O a
             . . X O X
             . . X O X
             . . X O X
             . . X O ."
        ));
    }

    #[test]
    fn nakade_and_captures_are_not() {
        assert!(!is_shunned_line("XXX"), "three in a row kill");
        assert!(is_shunned_line("XXXX"), "four in a row do not");
        // The square four and the bulky five.
        assert!(is_nakade(&points(&[(0, 0), (0, 1), (1, 0), (1, 1)])));
        assert!(is_nakade(&points(&[(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)])));
        assert!(is_nakade(&points(&[(1, 1), (0, 1), (2, 1), (1, 0)])));
        assert!(is_nakade(&points(&[(1, 1), (0, 1), (2, 1), (1, 0), (1, 2)])));
        assert!(is_nakade(&points(&[(1, 1), (0, 1), (2, 1), (1, 0), (1, 2), (0, 2)])));
        assert!(!is_nakade(&points(&[(0, 0), (1, 0), (2, 0), (2, 1)])));
        assert!(!is_nakade(&points(&[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)])));
    }

    fn points(places: &[(u8, u8)]) -> Vec<Point> {
        places.iter().map(|&(x, y)| Point::new(x, y)).collect()
    }

    /// Black stones in a row inside a white eye space that is one longer than they will be.
    fn is_shunned_line(row: &str) -> bool {
        let n = row.len();
        let inside: String = row.chars().skip(1).map(|c| format!("{c} ")).collect();
        let wall = "O ".repeat(7);
        let rest = "O ".repeat(7 - n - 1);
        let line = format!("a {inside}. {rest}");
        let empty = ". ".repeat(7);
        let diagram = [line.trim(), wall.trim()]
            .into_iter()
            .chain(std::iter::repeat_n(empty.trim(), 5))
            .collect::<Vec<_>>()
            .join("\n");
        shunned(&diagram)
    }
}
