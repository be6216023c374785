//! Ladders, read to the end: whether a chain that is in atari, or that the opponent can put there
//! again and again, gets away. Only ataris, extensions and captures of the chasing stones are read,
//! so a net or a throw-in is not seen.

use crate::board::{Board, Chain};
use crate::color::Color;
use crate::point::{Point, PointSet};

/// Moves that are read before the answer is "it gets away". A ladder across the whole board takes
/// about a hundred, and has few branches.
const PATIENCE: usize = 400;

/// A reader with room for its boards, so that reading allocates nothing once it is warm.
#[derive(Clone, Default)]
pub struct Ladders {
    boards: Vec<Board>,
    read: usize,
}

impl Ladders {
    /// A reader.
    pub fn new() -> Ladders {
        Ladders::default()
    }

    /// Whether the chain at `stone` is caught when its opponent moves first.
    pub fn can_catch(&mut self, board: &Board, stone: Point) -> bool {
        self.start(board);
        self.attack(0, stone).is_some()
    }

    /// The first move of a ladder that catches the chain at `stone`.
    pub fn catching_move(&mut self, board: &Board, stone: Point) -> Option<Point> {
        self.start(board);
        self.attack(0, stone)
    }

    /// Whether the chain at `stone` is caught although its owner plays at `p` first. The move must
    /// be legal.
    pub fn is_caught_after(&mut self, board: &Board, stone: Point, p: Point) -> bool {
        let Some(color) = board.cell(stone).color() else { return false };
        self.start(board);
        self.make(0, p, color);
        self.attack(1, stone).is_some()
    }

    /// Whether an atari at `p` on the chain at `stone` catches it. The move must be legal.
    pub fn catches(&mut self, board: &Board, stone: Point, p: Point) -> bool {
        let Some(color) = board.cell(stone).color() else { return false };
        self.start(board);
        self.make(0, p, !color);
        match self.boards[1].chain(stone) {
            Some(chain) if self.boards[1].liberty_count(chain) == 1 => !self.gets_away(1, stone),
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

    /// Plays on a copy of the board at `depth`; the copy is at `depth + 1`.
    fn make(&mut self, depth: usize, p: Point, color: Color) {
        if self.boards.len() == depth + 1 {
            self.boards.push(self.boards[depth].clone());
        } else {
            let (before, after) = self.boards.split_at_mut(depth + 1);
            after[0].copy_from(&before[depth]);
        }
        self.boards[depth + 1].play_assume_legal(p, color, &mut ());
        self.read += 1;
    }

    /// A move that catches the chain at `stone` on the board at `depth`.
    fn attack(&mut self, depth: usize, stone: Point) -> Option<Point> {
        let board = &self.boards[depth];
        let color = board.cell(stone).color()?;
        let chain = board.chain(stone)?;
        if self.read > PATIENCE {
            return None;
        }
        let mut tries = [None; 2];
        match board.liberty_count(chain) {
            1 => return board.liberties(chain).next().filter(|&p| board.is_legal(p, !color)),
            2 => board.liberties(chain).zip(&mut tries).for_each(|(p, t)| *t = Some(p)),
            _ => return None,
        }
        // First the side where the chain would have more room.
        let room = |p: Option<Point>| p.map_or(0, |p| board.ring(p).liberties());
        if room(tries[1]) > room(tries[0]) {
            tries.swap(0, 1);
        }
        for p in tries.into_iter().flatten() {
            let legal = self.boards[depth].is_legal(p, !color);
            if legal {
                self.make(depth, p, !color);
                if !self.gets_away(depth + 1, stone) {
                    return Some(p);
                }
            }
        }
        None
    }

    /// Whether the chain at `stone`, which is in atari, gets away when its owner moves.
    fn gets_away(&mut self, depth: usize, stone: Point) -> bool {
        let board = &self.boards[depth];
        let Some(color) = board.cell(stone).color() else { return false };
        let Some(chain) = board.chain(stone) else { return false };
        if self.read > PATIENCE {
            return true;
        }
        let mut answers = chasers_in_atari(board, chain, color);
        let extension = board.liberties(chain).next();
        extension.into_iter().for_each(|p| {
            answers.insert(p);
        });
        for p in answers.iter().collect::<Vec<_>>() {
            if !self.boards[depth].is_legal(p, color) {
                continue;
            }
            self.make(depth, p, color);
            let after = &self.boards[depth + 1];
            let liberties = after.chain(stone).map_or(0, |chain| after.liberty_count(chain));
            let away = match liberties {
                0 | 1 => false,
                2 => self.attack(depth + 1, stone).is_none(),
                _ => true,
            };
            if away {
                return true;
            }
        }
        false
    }
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

    #[test]
    fn taking_a_chaser_off_breaks_a_ladder() {
        let around = [("C3", Color::White), ("E3", Color::White)];
        assert!(!Ladders::new().can_catch(&board(&around), point("D4")));
    }
}
