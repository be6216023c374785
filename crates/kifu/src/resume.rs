//! A record as a game that can be gone on with.

use goban::{Board, Cell, Color, Game, Illegal, Move, Point, PointMap, Rules};

use crate::record::{Change, Record};

/// A record that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unplayable {
    /// A stone that was set up has no liberty, for example.
    #[error("{}", misplaced(*.0, *.1))]
    Stone(Point, Illegal),
    /// A move is not allowed.
    #[error("move {number}, {color} {mv}: {why}")]
    Move {
        /// From 1.
        number: usize,
        /// Whose.
        color: Color,
        /// Which.
        mv: Move,
        /// What is wrong with it.
        why: Illegal,
    },
}

/// What is wrong with a stone that was set up, in words.
pub fn misplaced(point: Point, why: Illegal) -> String {
    match why {
        Illegal::Suicide => format!("the stone at {point} has no liberty"),
        Illegal::Occupied => format!("there are two stones at {point}"),
        _ => format!("the stone at {point}: {why}"),
    }
}

/// A record that was played as far as it can be.
pub struct Resumed {
    /// The game at its start: after the last setup between moves if there is any.
    pub start: Game,
    /// The game at its end.
    pub game: Game,
    /// Moves of the record that were played, those before the last setup included.
    pub played: usize,
    /// The move that ended it, if one cannot be played.
    pub broken: Option<Unplayable>,
}

impl Record {
    /// Plays the record to its end, or to the first move that cannot be played.
    ///
    /// # Errors
    /// Stones that cannot be set up.
    pub fn resume_far(&self, rules: Rules, komi: f32) -> Result<Resumed, Unplayable> {
        let (played, broken) = match self.resume(rules, komi, usize::MAX) {
            Ok((start, game)) => {
                return Ok(Resumed { start, game, played: self.moves.len(), broken: None });
            }
            Err(why @ Unplayable::Move { number, .. }) => (number - 1, Some(why)),
            Err(why @ Unplayable::Stone(..)) => return Err(why),
        };
        let (start, game) = self.resume(rules, komi, played)?;
        Ok(Resumed { start, game, played, broken })
    }

    /// Plays the record up to a number of moves: the game at its start and at its end. A setup
    /// between moves begins another game.
    ///
    /// # Errors
    /// The first thing that cannot be played.
    pub fn resume(
        &self,
        rules: Rules,
        komi: f32,
        moves: usize,
    ) -> Result<(Game, Game), Unplayable> {
        let misplaced = |(point, why)| Unplayable::Stone(point, why);
        let begin = |board: Board, to_move: Color| {
            let mut game = Game::from_position(board, to_move, rules, komi);
            game.set_handicap(self.handicap);
            game
        };
        let board = Board::with_stones(self.size, self.stones.iter().copied());
        let mut start = begin(board.map_err(misplaced)?, self.first);
        let mut game = start.clone();
        let mut changes = self.changes.iter().peekable();
        for played in 0..=self.moves.len().min(moves) {
            while let Some(change) = changes.next_if(|change| change.after <= played) {
                let board = changed(game.board(), change).map_err(misplaced)?;
                // Before a setup it was another game.
                start = begin(board, game.to_move());
                game = start.clone();
            }
            let Some(next) = self.moves.get(played).filter(|_| played < moves) else { break };
            let mv = next.point.map_or(Move::Pass, Move::Play);
            let (number, color) = (played + 1, next.color);
            game.play_as(color, mv).map_err(|why| Unplayable::Move { number, color, mv, why })?;
        }
        Ok((start, game))
    }
}

fn changed(board: &Board, change: &Change) -> Result<Board, (Point, Illegal)> {
    let size = board.size();
    let mut cells = PointMap::filled(Cell::Empty);
    for p in size.points() {
        cells[p] = board.cell(p);
    }
    for (p, cell) in change.cells() {
        cells[p] = cell;
    }
    Board::with_stones(size, size.points().filter_map(|p| Some((p, cells[p].color()?))))
}
