//! What hangs: chains in atari that the player to move saves or takes, and that get away otherwise.

use goban::ladder::Ladders;
use goban::{Board, Chain, Color, Point};

/// A single stone is often given up, and rightly.
const FEWEST: usize = 2;

/// A chain in atari that gets away if its owner moves.
pub struct Hanging {
    /// The chain.
    pub chain: Chain,
    /// How many stones it has.
    pub stones: usize,
    /// What the player to move may do about it: save it or take it.
    pub moves: Vec<Point>,
}

/// What hangs with `color` to move. What cannot be saved hangs no more.
pub fn hanging(board: &Board, color: Color) -> Vec<Hanging> {
    let mut ladders = Ladders::new();
    let in_atari = |&chain: &Chain| board.liberty_count(chain) == 1;
    let mut found = |chain: Chain| {
        let stones = board.length(chain);
        let saving = saving_moves(board, chain, &mut ladders);
        let is_own = board.chain_stones(chain).any(|p| board.cell(p).color() == Some(color));
        let moves: Vec<Point> = match is_own || saving.is_empty() {
            true => saving,
            false => board.liberties(chain).filter(|&p| board.is_legal(p, color)).collect(),
        };
        (!moves.is_empty()).then_some(Hanging { chain, stones, moves })
    };
    let chains = board.all_chains().filter(|&chain| board.length(chain) >= FEWEST);
    chains.filter(in_atari).filter_map(&mut found).collect()
}

/// The moves of its owner after which a chain in atari is not caught in a ladder: to its liberty, or
/// captures beside it.
fn saving_moves(board: &Board, chain: Chain, ladders: &mut Ladders) -> Vec<Point> {
    let Some(stone) = board.chain_stones(chain).next() else { return Vec::new() };
    let Some(owner) = board.cell(stone).color() else { return Vec::new() };
    let beside = board.chain_stones(chain).flat_map(|p| board.neighbours(p));
    let attackers = beside.filter(|&p| board.cell(p).color() == Some(!owner));
    let in_atari =
        attackers.filter_map(|p| board.chain(p)).filter(|&c| board.liberty_count(c) == 1);
    let mut moves: Vec<Point> =
        in_atari.flat_map(|c| board.liberties(c)).chain(board.liberties(chain)).collect();
    moves.sort_unstable();
    moves.dedup();
    moves.retain(|&p| board.is_legal(p, owner) && !ladders.is_caught_after(board, stone, p));
    moves
}

#[cfg(test)]
mod tests {
    use goban::Diagram;

    use super::*;

    /// The moves found, and whether they are those marked a.
    fn found(diagram: &str, color: Color) -> Vec<(Option<char>, usize)> {
        let diagram = Diagram::parse(diagram).unwrap();
        let marked = |p: Point| (diagram.label('a') == Some(p)).then_some('a');
        let each = |hangs: Hanging| hangs.moves.into_iter().map(move |p| (marked(p), hangs.stones));
        hanging(&diagram.board, color).into_iter().flat_map(each).collect()
    }

    const THREE: &str = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X X X . . .
        . . X O O O a . .
        . . . X X X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";

    #[test]
    fn both_want_the_last_liberty_of_stones_that_can_get_away() {
        for color in Color::BOTH {
            assert_eq!(found(THREE, color), [(Some('a'), 3)], "{color}");
        }
    }

    #[test]
    fn what_is_lost_anyway_hangs_no_more() {
        let lost = THREE.replacen("X X X .", "X X X X", 2).replace("O a .", "O a X");
        for color in Color::BOTH {
            assert_eq!(found(&lost, color), [], "{color}");
        }
    }

    #[test]
    fn single_stones_do_not_count() {
        let one = THREE.replace("X X X", ". . X").replace("X O O O", ". . X O");
        for color in Color::BOTH {
            assert_eq!(found(&one, color), [], "{color}");
        }
    }

    #[test]
    fn taking_an_attacker_saves() {
        let attacked = "
            . . . . . . . . .
            . . . X X . . . .
            . . O O O X . . .
            . O X X X O X . .
            . O . O O a . . .
            . . O . . . . . .";
        let attacked = format!("{attacked}{}", "\n. . . . . . . . .".repeat(3));
        assert_eq!(found(&attacked, Color::Black), [(Some('a'), 3)]);
    }
}
