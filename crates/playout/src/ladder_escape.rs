//! Moves that run in a ladder which catches the runner. Chance never plays a long ladder out as it
//! must be played, so playouts take a chain that is caught for one that gets away; reading is what
//! they lack. A run that was shunned stays so until something changes nearby, though what breaks a
//! ladder may be far away.

use goban::ladder::Ladders;
use goban::{Board, Color, Point};

/// Whether a stone of `color` at the empty point `p` saves a chain from atari, takes nothing off, and
/// has two liberties that do not help, for the opponent can catch it in a ladder: with how many more
/// moves.
#[inline]
pub fn runs_in_ladder(
    board: &Board,
    p: Point,
    color: Color,
    ladders: &mut Ladders,
) -> Option<usize> {
    // With three empty neighbours there are three liberties.
    let ring = board.ring(p);
    let may = ring.liberties() < 3 && ring.has_neighbour(color);
    if may { is_caught(board, p, color, ladders) } else { None }
}

fn is_caught(board: &Board, p: Point, color: Color, ladders: &mut Ladders) -> Option<usize> {
    let around = board.around(p);
    let d = around.of(color).among(around.in_atari).iter().next()?;
    let takes = !around.of(!color).among(around.in_atari).is_empty();
    if takes || board.after_move_among(p, color, &around).liberties != 2 {
        return None;
    }
    ladders.moves_to_catch_after(board, p.neighbour(d), p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::Diagram;

    fn runs_at(diagram: &str) -> bool {
        let diagram = Diagram::parse(diagram).unwrap();
        let p = diagram.label('a').expect("the move is marked a");
        let mut ladders = Ladders::ready(&diagram.board);
        runs_in_ladder(&diagram.board, p, Color::White, &mut ladders).is_some()
    }

    const LADDER: &str = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X a . . . . .
        . . X O X . . . .
        . . . X . . . . .
        . . . . . . . . .
        . . . . . . . . .";

    #[test]
    fn running_is_shunned_where_the_ladder_works() {
        assert!(runs_at(LADDER));
        let broken = LADDER.replacen(". . . . . . . . .", ". . . . . . . O .", 2);
        assert!(!runs_at(&broken), "a stone in the way helps");
        let taking = LADDER.replace(". . X O X", ". O X O X").replace(". . X a", ". O X a");
        let taking = taking.replacen(". . . . . . . . .", ". . O . . . . . .", 4);
        assert!(!runs_at(&taking), "taking a chaser off helps");
    }
}
