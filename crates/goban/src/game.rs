//! A game in progress: whose turn, the moves so far, prisoners, superko, undo, the result.

use crate::board::{Board, Illegal};
use crate::change::Watch;
use crate::color::Color;
use crate::point::Point;
use crate::rules::{Ko, Rules};
use crate::score::{self, Marks};
use crate::zobrist;

/// A stone or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A stone at this point.
    Play(Point),
    /// No stone.
    Pass,
}

impl Move {
    /// Where the stone is put; `None` for a pass.
    #[inline]
    pub fn point(self) -> Option<Point> {
        match self {
            Move::Play(p) => Some(p),
            Move::Pass => None,
        }
    }
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Move::Play(p) => p.fmt(f),
            Move::Pass => f.pad("pass"),
        }
    }
}

/// A game: a starting position and moves that were all legal when they were made.
#[derive(Clone)]
pub struct Game {
    rules: Rules,
    komi: f32,
    handicap: usize,
    // Boards are large: on the heap, a game is small to move around.
    start: Box<Start>,
    board: Box<Board>,
    to_move: Color,
    moves: Vec<(Color, Move)>,
    prisoners: [u32; 2],
    hash: u64,
    /// Every position so far as superko sees it, the present one last.
    seen: Vec<u64>,
}

#[derive(Clone)]
struct Start {
    board: Board,
    to_move: Color,
}

/// Counts what a move took off and keeps the hash.
struct Ledger<'a> {
    hash: &'a mut u64,
    prisoners: &'a mut [u32; 2],
    captor: Color,
}

impl Watch for Ledger<'_> {
    fn placed(&mut self, point: Point, color: Color) {
        *self.hash ^= zobrist::key(point, color);
    }

    fn captured(&mut self, point: Point) {
        // In a suicide the stones taken off are the mover's own.
        let owner = !self.captor;
        *self.hash ^= zobrist::key(point, owner);
        self.prisoners[self.captor.index()] += 1;
    }
}

impl Game {
    /// An empty board with black to move.
    pub fn new(size: crate::Size, rules: Rules, komi: f32) -> Game {
        Game::from_position(Board::new(size), Color::Black, rules, komi)
    }

    /// A game that begins at a position.
    pub fn from_position(board: Board, to_move: Color, rules: Rules, komi: f32) -> Game {
        let hash = zobrist::of(&board);
        let start = Box::new(Start { board: board.clone(), to_move });
        let mut game = Game {
            rules,
            komi,
            handicap: 0,
            start,
            board: Box::new(board),
            to_move,
            moves: Vec::new(),
            prisoners: [0; 2],
            hash,
            seen: Vec::new(),
        };
        game.seen.push(game.situation(hash, to_move));
        game
    }

    /// A game that begins with handicap stones; white moves first if there are any.
    ///
    /// # Errors
    /// The first stone that is off the board or on top of another.
    pub fn with_handicap(
        size: crate::Size,
        rules: Rules,
        komi: f32,
        stones: &[Point],
    ) -> Result<Game, (Point, Illegal)> {
        let board = Board::with_stones(size, stones.iter().map(|&p| (p, Color::Black)))?;
        let to_move = if stones.is_empty() { Color::Black } else { Color::White };
        let mut game = Game::from_position(board, to_move, rules, komi);
        game.handicap = stones.len();
        Ok(game)
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Points that white gets for moving second.
    pub fn komi(&self) -> f32 {
        self.komi
    }

    /// Changes the komi.
    pub fn set_komi(&mut self, komi: f32) {
        self.komi = komi;
    }

    /// Handicap stones that black was given. None where White then has two moves in a row: this is how
    /// some front ends set up a position.
    pub fn handicap(&self) -> usize {
        match self.moves() {
            [(Color::White, Move::Play(_)), (Color::White, Move::Play(_)), ..] => 0,
            _ => self.handicap,
        }
    }

    /// Says how many of the stones at the start were a handicap, for the bonus that some rules give
    /// White.
    pub fn set_handicap(&mut self, stones: usize) {
        self.handicap = stones;
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// The moves so far.
    pub fn moves(&self) -> &[(Color, Move)] {
        &self.moves
    }

    /// Stones that black and white have taken.
    pub fn prisoners(&self) -> [u32; 2] {
        self.prisoners
    }

    /// The Zobrist hash of the position.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether a pass of `color` ends the game: the opponent has just passed.
    pub fn pass_ends(&self, color: Color) -> bool {
        matches!(self.moves[..], [.., (by, Move::Pass)] if by != color)
    }

    /// Whether the last two moves were passes, one of each player.
    pub fn is_over(&self) -> bool {
        matches!(self.moves[..], [.., (a, Move::Pass), (b, Move::Pass)] if a != b)
    }

    /// Whether `color` may play this now, by all the rules of the game.
    ///
    /// # Errors
    /// What is wrong with the move.
    pub fn check(&self, color: Color, mv: Move) -> Result<(), Illegal> {
        let Move::Play(p) = mv else { return Ok(()) };
        self.board.check(p, color, self.rules.suicide)?;
        if self.rules.ko != Ko::Simple {
            let after = zobrist::after(&self.board, self.hash, p, color);
            if self.seen.contains(&self.situation(after, !color)) {
                return Err(Illegal::Superko);
            }
        }
        Ok(())
    }

    /// Plays for the player whose turn it is.
    ///
    /// # Errors
    /// What is wrong with the move; the game is as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), Illegal> {
        self.play_as(self.to_move, mv)
    }

    /// Plays for either player, as the protocols allow; then it is the other's turn.
    ///
    /// # Errors
    /// What is wrong with the move; the game is as it was.
    pub fn play_as(&mut self, color: Color, mv: Move) -> Result<(), Illegal> {
        self.check(color, mv)?;
        self.make(color, mv);
        Ok(())
    }

    fn make(&mut self, color: Color, mv: Move) {
        match mv {
            Move::Play(p) => {
                let captor = if self.board.is_suicide(p, color) { !color } else { color };
                let (hash, prisoners) = (&mut self.hash, &mut self.prisoners);
                let mut ledger = Ledger { hash, prisoners, captor };
                self.board.play_assume_legal(p, color, &mut ledger);
            }
            Move::Pass => self.board.pass(),
        }
        self.to_move = !color;
        self.moves.push((color, mv));
        self.seen.push(self.situation(self.hash, !color));
    }

    /// Takes the last move back; says which it was. The game is played again from the start, which
    /// takes microseconds and cannot go wrong.
    pub fn undo(&mut self) -> Option<(Color, Move)> {
        let last = self.moves.pop()?;
        let moves = std::mem::take(&mut self.moves);
        self.board.copy_from(&self.start.board);
        self.to_move = self.start.to_move;
        self.prisoners = [0; 2];
        self.hash = zobrist::of(&self.board);
        self.seen.truncate(1);
        for (color, mv) in moves {
            self.make(color, mv);
        }
        Some(last)
    }

    /// Black's points less White's with komi and handicap bonus, under the rules of the game.
    pub fn score(&self, marks: &Marks) -> f32 {
        let tally = score::count(&self.board, self.rules.scoring, marks, self.prisoners);
        let bonus = self.rules.handicap_bonus.points(self.handicap());
        tally.difference() as f32 - self.komi - bonus as f32
    }

    /// Every position of the game so far as superko compares them, the present one last.
    pub fn history(&self) -> &[u64] {
        &self.seen
    }

    /// What superko compares: the position, and who is to move if the rule asks for it.
    pub fn situation(&self, hash: u64, to_move: Color) -> u64 {
        let turn = self.rules.ko == Ko::Situational && to_move == Color::White;
        if turn { hash ^ zobrist::TURN } else { hash }
    }
}

/// A result as game records write it: `B+3.5`, `W+12`, or `0` for a draw.
pub fn result_text(score: f32) -> String {
    let margin = |s: f32| if s.fract() == 0.0 { format!("{s:.0}") } else { format!("{s}") };
    match score {
        s if s > 0.0 => format!("B+{}", margin(s)),
        s if s < 0.0 => format!("W+{}", margin(-s)),
        _ => "0".to_owned(),
    }
}
