//! The ladders of a position, with the line that each takes to its end.

use goban::ladder::Ladders;
use goban::{Board, Color, Point};

/// A chain that the opponent can catch in a ladder, or that is caught already.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ladder {
    /// Whose chain is chased.
    pub color: Color,
    /// Its first stone in the order of reading.
    pub stone: Point,
    /// How many stones it has.
    pub stones: usize,
    /// The line when the opponent moves first: the chaser's move, the chain's, and so on to the
    /// capture.
    pub line: Vec<Point>,
    /// A move with which the chain gets away, its owner moving first.
    pub escape: Option<Point>,
}

impl Ladder {
    /// `White D4 (1 stone) is caught by E4 D5 D6 … (17 moves); White first gets away with D5`
    pub fn words(&self) -> String {
        let shown: Vec<String> = self.line.iter().take(8).map(Point::to_string).collect();
        let stones =
            if self.stones == 1 { "1 stone".to_owned() } else { format!("{} stones", self.stones) };
        let more = if self.line.len() > shown.len() {
            format!(" … ({} moves)", self.line.len())
        } else {
            String::new()
        };
        let escape = match self.escape {
            Some(p) => format!("{} first gets away with {p}", self.color),
            None => format!("{} cannot get away even by moving first", self.color),
        };
        let (color, stone, line) = (self.color, self.stone, shown.join(" "));
        format!("{color} {stone} ({stones}) is caught by {line}{more}; {escape}")
    }
}

/// Lines are kept up to here; a ladder across the largest board is shorter.
const LONGEST: usize = 160;

/// The ladders of a position in the order of reading. Chains with more than two liberties are in
/// none.
pub fn ladders(board: &Board) -> Vec<Ladder> {
    let mut reader = Ladders::new();
    let mut found = Vec::new();
    for stone in board.size().points() {
        let Some(chain) = board.chain(stone) else { continue };
        let Some(color) = board.cell(stone).color() else { continue };
        let size = board.size();
        let is_first =
            board.chain_stones(chain).all(|p| size.reading_index(p) >= size.reading_index(stone));
        if !is_first || board.liberty_count(chain) > 2 || !reader.can_catch(board, stone) {
            continue;
        }
        let line = line(&mut reader, board, stone, color);
        let escape = escape(&mut reader, board, stone, color);
        found.push(Ladder { color, stone, stones: board.length(chain), line, escape });
    }
    found
}

/// The chase to its end: the owner runs, the opponent plays what catches.
fn line(reader: &mut Ladders, board: &Board, stone: Point, color: Color) -> Vec<Point> {
    let (mut board, mut line) = (board.clone(), Vec::new());
    while line.len() < LONGEST {
        let Some(p) = reader.catching_move(&board, stone) else { break };
        board.play_assume_legal(p, !color, &mut ());
        line.push(p);
        let Some(chain) = board.chain(stone).filter(|_| board.cell(stone).color() == Some(color))
        else {
            break;
        };
        let Some(run) = board.liberties(chain).next().filter(|&q| board.is_legal(q, color)) else {
            break;
        };
        board.play_assume_legal(run, color, &mut ());
        line.push(run);
    }
    line
}

/// A first move of the owner's after which the chain is not caught: an extension, or the capture of
/// a chaser.
fn escape(reader: &mut Ladders, board: &Board, stone: Point, color: Color) -> Option<Point> {
    let chain = board.chain(stone)?;
    let mut tries = board.liberty_set(chain);
    for p in board.chain_stones(chain) {
        for q in board.neighbours(p).filter(|&q| board.cell(q).color() == Some(!color)) {
            let Some(chaser) = board.chain(q).filter(|&c| board.liberty_count(c) == 1) else {
                continue;
            };
            board.add_liberties(chaser, &mut tries);
        }
    }
    let size = board.size();
    let mut tries: Vec<Point> = tries.iter().filter(|&p| board.is_legal(p, color)).collect();
    tries.sort_by_key(|&p| size.reading_index(p));
    tries.into_iter().find(|&p| !reader.is_caught_after(board, stone, p))
}
