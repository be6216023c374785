//! Ladders, read to the end: whether a chain that is in atari, or that the opponent can put there
//! again and again, gets away. Only ataris, extensions and captures of the chasing stones are read,
//! so a net or a throw-in is not seen.

use crate::board::{Board, Chain};
use crate::color::Color;
use crate::point::{Point, PointSet};

/// Moves that are read before the answer is "it gets away". A ladder across the whole board takes
/// about a hundred, and has few branches.
const PATIENCE: usize = 400;

/// Choices that may be open at a time before the answer is the same.
const CHOICES: usize = 16;

/// How a chain is caught: by which move, and with how many of both players.
#[derive(Clone, Copy)]
struct Catch {
    first: Point,
    moves: usize,
}

/// A reader with room for its boards, so that reading allocates nothing once it is warm.
///
/// A ladder is nearly all forced moves. They are made one after the other on the same board; a copy
/// is kept only where there is a choice, which is seldom: what an extension gains can be counted
/// before the atari is played, and an atari that leaves three liberties is not worth a try.
#[derive(Clone, Default)]
pub struct Ladders {
    /// A board for each choice that is open. What is read on one of them is played there.
    boards: Vec<Board>,
    read: usize,
}

impl Ladders {
    /// A reader.
    pub fn new() -> Ladders {
        Ladders::default()
    }

    /// A reader that allocates nothing from now on, for boards of the size of this one.
    pub fn ready(board: &Board) -> Ladders {
        Ladders { boards: vec![board.clone(); CHOICES + 1], read: 0 }
    }

    /// Whether the chain at `stone` is caught when its opponent moves first.
    pub fn can_catch(&mut self, board: &Board, stone: Point) -> bool {
        self.catching_move(board, stone).is_some()
    }

    /// The first move of a ladder that catches the chain at `stone`.
    pub fn catching_move(&mut self, board: &Board, stone: Point) -> Option<Point> {
        // Most chains get away at once; then no board is copied.
        let color = board.cell(stone).color()?;
        let chain = board.chain(stone)?;
        if !chances(board, chain, color).iter().any(Option::is_some) {
            return None;
        }
        self.start(board);
        Some(self.attack(0, stone)?.first)
    }

    /// Whether the chain at `stone` is caught although its owner plays at `p` first. The move must
    /// be legal.
    pub fn is_caught_after(&mut self, board: &Board, stone: Point, p: Point) -> bool {
        self.moves_to_catch_after(board, stone, p).is_some()
    }

    /// With how many moves, of both players, the chain at `stone` is caught although its owner plays
    /// at `p` first and resists as long as it can. The move must be legal.
    pub fn moves_to_catch_after(&mut self, board: &Board, stone: Point, p: Point) -> Option<usize> {
        let color = board.cell(stone).color()?;
        self.start(board);
        self.make(0, p, color);
        Some(self.attack(0, stone)?.moves)
    }

    /// Whether an atari at `p` on the chain at `stone` catches it. The move must be legal.
    pub fn catches(&mut self, board: &Board, stone: Point, p: Point) -> bool {
        let Some(color) = board.cell(stone).color() else { return false };
        self.start(board);
        self.make(0, p, !color);
        match self.boards[0].chain(stone) {
            Some(chain) if self.boards[0].liberty_count(chain) == 1 => {
                self.resist(0, stone).is_some()
            }
            Some(_) => false,
            None => true,
        }
    }

    fn start(&mut self, board: &Board) {
        self.read = 0;
        match self.boards.first_mut() {
            Some(first) if first.size() == board.size() => first.copy_from(board),
            _ => self.boards = vec![board.clone()],
        }
    }

    fn is_out_of_patience(&self, depth: usize) -> bool {
        self.read > PATIENCE || depth >= CHOICES
    }

    /// Copies a board, to try something on the copy, which is the next one.
    fn keep(&mut self, depth: usize) {
        if self.boards.len() == depth + 1 {
            self.boards.push(self.boards[depth].clone());
        } else {
            let (before, after) = self.boards.split_at_mut(depth + 1);
            after[0].copy_from(&before[depth]);
        }
    }

    fn make(&mut self, depth: usize, p: Point, color: Color) {
        self.boards[depth].play_assume_legal(p, color, &mut ());
        self.read += 1;
    }

    /// How the chain at `stone` is caught on the board at `depth`, which is used up.
    fn attack(&mut self, depth: usize, stone: Point) -> Option<Catch> {
        let board = &self.boards[depth];
        let color = board.cell(stone).color()?;
        let chain = board.chain(stone)?;
        if self.is_out_of_patience(depth) {
            return None;
        }
        match chances(board, chain, color) {
            [None, None] => None,
            [Some(p), Some(q)] => {
                self.keep(depth);
                let catch = self.catch(depth + 1, stone, p, !color);
                catch.or_else(|| self.catch(depth, stone, q, !color))
            }
            [Some(p), None] | [None, Some(p)] => self.catch(depth, stone, p, !color),
        }
    }

    fn catch(&mut self, depth: usize, stone: Point, p: Point, color: Color) -> Option<Catch> {
        self.make(depth, p, color);
        Some(Catch { first: p, moves: 1 + self.resist(depth, stone)? })
    }

    /// With how many moves the chain at `stone`, which is in atari or gone, is caught when its owner
    /// moves and resists as long as it can; `None` if it gets away. The board is used up.
    fn resist(&mut self, depth: usize, stone: Point) -> Option<usize> {
        let board = &self.boards[depth];
        let (Some(color), Some(chain)) = (board.cell(stone).color(), board.chain(stone)) else {
            return Some(0);
        };
        if self.is_out_of_patience(depth) {
            return None;
        }
        let mut answers = chasers_in_atari(board, chain, color);
        board.add_liberties(chain, &mut answers);
        let legal: PointSet = answers.iter().filter(|&p| board.is_legal(p, color)).collect();
        let (mut left, mut longest) = (legal.len(), 0);
        for p in legal.iter() {
            left -= 1;
            // The last one needs no copy.
            let mut at = depth;
            if left > 0 {
                self.keep(depth);
                at += 1;
            }
            self.make(at, p, color);
            let after = &self.boards[at];
            let liberties = after.chain(stone).map_or(0, |chain| after.liberty_count(chain));
            let more = match liberties {
                0 | 1 => 1,
                2 => self.attack(at, stone)?.moves,
                _ => return None,
            };
            longest = longest.max(1 + more);
        }
        Some(longest)
    }
}

/// Moves by which a chain may be caught: where it is taken off, or the ataris that its extension does
/// not make good at once, first the one on the side where it would have more room.
fn chances(board: &Board, chain: Chain, color: Color) -> [Option<Point>; 2] {
    let mut liberties = board.liberties(chain);
    let (a, b) = match (board.liberty_count(chain), liberties.next(), liberties.next()) {
        (1, Some(p), None) => return [Some(p).filter(|&p| board.is_legal(p, !color)), None],
        (2, Some(a), Some(b)) => (a, b),
        _ => return [None; 2],
    };
    let (a, b) = match board.ring(b).liberties() > board.ring(a).liberties() {
        true => (b, a),
        false => (a, b),
    };
    [(a, b), (b, a)].map(|(p, extension)| {
        // An atari that takes something off may change what the extension gains. Otherwise that is
        // as now, but for the stone of the atari.
        let takes = |d: usize| {
            let q = p.step(d);
            let enemy = board.cell(q).color() == Some(color);
            enemy && board.chain(q).is_some_and(|other| board.liberty_count(other) == 1)
        };
        let may_catch = board.is_legal(p, !color)
            && (board.after_move(extension, color).liberties <= 3 || (0..4).any(takes));
        may_catch.then_some(p)
    })
}

/// Where the owner of a chain can take off stones that touch it.
fn chasers_in_atari(board: &Board, chain: Chain, color: Color) -> PointSet {
    let mut points = PointSet::EMPTY;
    for stone in board.chain_stones(chain) {
        for q in board.neighbours(stone).filter(|&q| board.cell(q).color() == Some(!color)) {
            let Some(chaser) = board.chain(q) else { continue };
            if board.liberty_count(chaser) == 1 {
                board.add_liberties(chaser, &mut points);
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Diagram;

    fn board(stones: &[(&str, Color)]) -> Board {
        let mut board = Diagram::parse(LADDER).unwrap().board;
        for &(p, color) in stones {
            board.play(point(p), color).unwrap();
        }
        board
    }

    fn point(text: &str) -> Point {
        Point::parse(text).unwrap()
    }

    /// E4 starts a ladder that runs to the upper right.
    const LADDER: &str = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X . . . . . .
        . . X O . . . . .
        . . . X . . . . .
        . . . . . . . . .
        . . . . . . . . .";

    #[test]
    fn a_ladder_catches_unless_it_is_broken() {
        let mut ladders = Ladders::new();
        assert_eq!(ladders.catching_move(&board(&[]), point("D4")), Some(point("E4")));
        assert!(ladders.catches(&board(&[]), point("D4"), point("E4")));
        assert!(!ladders.catches(&board(&[]), point("D4"), point("D5")));
        for breaker in ["D6", "F6", "F7", "G7", "H8"] {
            let board = board(&[(breaker, Color::White)]);
            assert!(!ladders.can_catch(&board, point("D4")), "{breaker}");
        }
        // A stone beside the path does not help, nor does one of the chaser's.
        assert!(ladders.can_catch(&board(&[("G4", Color::White)]), point("D4")));
        assert!(ladders.can_catch(&board(&[("G7", Color::Black)]), point("D4")));
    }

    #[test]
    fn running_in_a_ladder_is_seen_to_fail() {
        let mut ladders = Ladders::new();
        let atari = ("E4", Color::Black);
        assert!(ladders.is_caught_after(&board(&[atari]), point("D4"), point("D5")));
        let broken = board(&[atari, ("F7", Color::White)]);
        assert!(!ladders.is_caught_after(&broken, point("D4"), point("D5")));
    }

    fn empty(side: usize) -> Board {
        Board::new(crate::Size::new(side).unwrap())
    }

    #[test]
    fn a_ladder_is_as_long_as_the_board() {
        let mut before = 0;
        for side in [9, 19, 25] {
            let mut board = empty(side);
            for (p, color) in [("C5", 0), ("C4", 0), ("D3", 0), ("E4", 0), ("D4", 1)] {
                board.play(point(p), Color::BOTH[color]).unwrap();
            }
            let mut reader = Ladders::ready(&board);
            let moves = reader.moves_to_catch_after(&board, point("D4"), point("D5")).unwrap();
            assert!(moves >= 2 * (side - 6) && moves > before, "{moves} on {side}");
            before = moves;
        }
    }

    /// The definition, with a copy of the board for every move; how many there were is counted.
    fn is_caught(board: &Board, stone: Point, read: &mut usize) -> bool {
        let (Some(color), Some(chain)) = (board.cell(stone).color(), board.chain(stone)) else {
            return false;
        };
        let liberties: Vec<Point> = board.liberties(chain).collect();
        match liberties[..] {
            [p] => board.is_legal(p, !color),
            [_, _] => liberties.iter().any(|&p| {
                let mut after = board.clone();
                after.play(p, !color).is_ok() && !runs_away(&after, stone, read)
            }),
            _ => false,
        }
    }

    fn runs_away(board: &Board, stone: Point, read: &mut usize) -> bool {
        *read += 1;
        let (Some(color), Some(chain)) = (board.cell(stone).color(), board.chain(stone)) else {
            return false;
        };
        let mut answers = chasers_in_atari(board, chain, color);
        answers.insert(board.liberties(chain).next().unwrap());
        answers.iter().any(|p| {
            let mut after = board.clone();
            let liberties = |b: &Board| b.chain(stone).map_or(0, |c| b.liberty_count(c));
            let made = *read < 100 && after.play(p, color).is_ok();
            made && liberties(&after) > 1 && !is_caught(&after, stone, read)
        })
    }

    #[test]
    fn every_chain_of_random_positions_is_read_as_defined() {
        // The definition keeps a board for every move on the stack.
        let thread = std::thread::Builder::new().stack_size(256 << 20);
        thread.spawn(read_random_positions).unwrap().join().unwrap();
    }

    fn read_random_positions() {
        let mut seed = 1u64;
        let mut below = |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % n
        };
        let (mut caught, mut read_to_the_end) = (0, 0);
        // One reader for all: nothing is left on its boards from the question before.
        let mut readers = [5, 9, 13].map(|side| Ladders::ready(&empty(side)));
        for round in 0..300 {
            let (side, reader) = ([5, 9, 13][round % 3], &mut readers[round % 3]);
            let mut board = empty(side);
            for i in 0..side * side / 4 + below(side * side / 2) {
                let p = Point::new(below(side) as u8, below(side) as u8);
                let _ = board.play(p, [Color::Black, Color::White][i % 2]);
            }
            let chains: Vec<Chain> = board.all_chains().collect();
            for chain in chains.into_iter().filter(|&c| board.liberty_count(c) <= 2) {
                let stone = board.chain_stones(chain).next().unwrap();
                let mut read = 0;
                let expected = is_caught(&board, stone, &mut read);
                if read < 100 {
                    read_to_the_end += 1;
                    caught += expected as usize;
                    assert_eq!(reader.can_catch(&board, stone), expected, "{board:?} {stone:?}");
                }
                // And after the owner has run.
                let color = board.cell(stone).color().unwrap();
                for p in board.liberties(chain).filter(|&p| board.is_legal(p, color)) {
                    let mut after = board.clone();
                    after.play(p, color).unwrap();
                    let mut read = 0;
                    let expected = is_caught(&after, stone, &mut read);
                    if read < 100 {
                        let found = reader.is_caught_after(&board, stone, p);
                        assert_eq!(found, expected, "{board:?} {stone:?} {p:?}");
                    }
                }
            }
        }
        assert!(caught > 300 && read_to_the_end > caught + 300, "{caught} of {read_to_the_end}");
    }

    #[test]
    fn taking_a_chaser_off_breaks_a_ladder() {
        let around = [("C3", Color::White), ("E3", Color::White)];
        assert!(!Ladders::new().can_catch(&board(&around), point("D4")));
    }
}
