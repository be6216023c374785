//! Saving a chain from atari. People hardly ever take off stones that are dead, nor connect what
//! nobody will cut, so a policy learned from their moves gives such moves little weight, also when the opponent has
//! just made one urgent. Playouts that leave the answer to chance take groups for alive that are dead
//! and for dead that are alive.

use goban::{Board, Cell, Chain, Color, Point};

/// The move with which `color` saves a chain that a stone of the opponent at `last` has put into
/// atari, the longest of those with so many stones or more that can be saved: a capture beside it, or
/// else its last liberty if that gets it away. Never at `ko`.
#[inline]
pub(crate) fn rescue(
    board: &Board,
    last: Point,
    color: Color,
    ko: Option<Point>,
    stones: usize,
) -> Option<Point> {
    // Nearly always, and without a branch for each neighbour.
    if board.fewest_liberties_around(last) != 1 {
        return None;
    }
    let own = board.neighbours(last).filter(|&q| board.cell(q) == Cell::from(color));
    let in_atari = own
        .filter_map(|q| board.chain(q))
        .filter(|&chain| board.liberty_count(chain) == 1 && board.length(chain) >= stones);
    let saved = in_atari
        .filter_map(|chain| Some((board.length(chain), save(board, chain, color, ko)?)))
        .max_by_key(|&(length, _)| length);
    saved.map(|(_, p)| p)
}

#[cold]
fn save(board: &Board, chain: Chain, color: Color, ko: Option<Point>) -> Option<Point> {
    let last_liberty = board.liberties(chain).next()?;
    if let Some(p) = capture_beside(board, chain, color, ko)
        // Taking off at the last liberty may leave one again, as a snapback does.
        && (p != last_liberty || board.after_move(p, color).liberties > 1)
    {
        return Some(p);
    }
    let after = board.after_move(last_liberty, color);
    // A chain that joins no other and has two liberties may be running in a ladder.
    let joins = after.length > board.length(chain) + 1;
    let gets_away = after.liberties > 2 || joins && after.liberties == 2;
    (gets_away && ko != Some(last_liberty)).then_some(last_liberty)
}

/// Where the longest chain of the opponent can be taken off that touches a chain of `color`.
fn capture_beside(board: &Board, chain: Chain, color: Color, ko: Option<Point>) -> Option<Point> {
    if !board.touches_atari(chain) {
        return None;
    }
    let beside = board.chain_stones(chain).flat_map(|stone| board.neighbours(stone));
    let enemies = beside.filter(|&q| board.cell(q) == Cell::from(!color));
    let in_atari = enemies.filter_map(|q| board.chain(q)).filter(|&c| board.liberty_count(c) == 1);
    let captures = in_atari.filter_map(|c| Some((board.length(c), board.liberties(c).next()?)));
    let possible = captures.filter(|&(_, p)| ko != Some(p));
    possible.max_by_key(|&(length, _)| length).map(|(_, p)| p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::Diagram;

    /// Where White saves a chain of three stones or more that Black's stone has put into atari.
    fn saves(diagram: &str, stone: &str) -> Option<String> {
        saves_without(diagram, stone, None)
    }

    fn saves_without(diagram: &str, stone: &str, ko: Option<&str>) -> Option<String> {
        let board = Diagram::parse(diagram).unwrap().board;
        let point = |name: &str| board.size().parse_point(name).unwrap();
        assert_eq!(board.cell(point(stone)), Cell::Black);
        rescue(&board, point(stone), Color::White, ko.map(point), 3).map(|p| p.to_string())
    }

    const CORNER: &str = "
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X . . . .
        O O O X . . .
        X X O X . . .
        . O . X . . .";

    #[test]
    fn what_surrounds_a_chain_is_taken_off() {
        assert_eq!(saves(CORNER, "D2"), Some("A1".into()), "C1 would leave one liberty");
        assert_eq!(saves_without(CORNER, "D2", Some("A1")), None, "a ko");
        let nothing = CORNER.replace("X X O X", ". X O X").replace(". O . X", "O O . X");
        assert_eq!(saves(&nothing, "D2"), None, "it has another liberty");
    }

    #[test]
    fn a_chain_gets_away_where_it_finds_liberties() {
        let open = "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . X X X . . .
            X O O O . . .
            . X X X . . .
            . . . . . . .";
        assert_eq!(saves(open, "D4"), Some("E3".into()));
        let edge = "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . X .
            . . . X X X .
            . . X O O O .
            . . . X X X .";
        assert_eq!(saves(edge, "F1"), None, "two liberties are too few to be sure");
        let short = open.replace("X O O O", ". X O O").replace(". X X X", ". . X X");
        assert_eq!(saves(&short, "D4"), None, "two stones are given up");
    }

    #[test]
    fn a_chain_joins_another_even_with_two_liberties() {
        let joined = "
            . . . . . . .
            . . . . . . .
            X X X X X . .
            O O O . O X .
            X X X X O . .
            . . . . . X .
            . . . . . . .";
        assert_eq!(saves(joined, "C3"), Some("D4".into()));
        let alone = joined.replace("O O O . O X .", "O O O . X X .");
        assert_eq!(saves(&alone, "C3"), None);
    }
}
