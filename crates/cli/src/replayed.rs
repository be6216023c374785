//! A record as a game that can be gone on with.

use goban::{Board, Cell, Color, Game, Move, PointMap};
use kifu::{Change, Record};

use crate::rules;

/// Plays a record up to a number of moves: the game at its start and at its end. What the record
/// does not say is as in `present`.
///
/// # Errors
/// What cannot be played, in words.
pub fn replay(present: &Game, record: &Record, moves: usize) -> Result<(Game, Game), String> {
    let by = record.rules.as_deref().and_then(rules::named).unwrap_or(*present.rules());
    let komi = record.komi.unwrap_or(present.komi());
    let no_liberty = |wrong| rules::misplaced(wrong).to_string();
    let begin = |board: Board, to_move: Color| {
        let mut game = Game::from_position(board, to_move, by, komi);
        game.set_handicap(record.handicap);
        game
    };
    let board = Board::with_stones(record.size, record.stones.iter().copied());
    let mut start = begin(board.map_err(no_liberty)?, record.first);
    let mut game = start.clone();
    let mut changes = record.changes.iter().peekable();
    for played in 0..=record.moves.len().min(moves) {
        while let Some(change) = changes.next_if(|change| change.after <= played) {
            let board = changed(game.board(), change).map_err(no_liberty)?;
            // Before a setup it was another game.
            start = begin(board, game.to_move());
            game = start.clone();
        }
        let Some(next) = record.moves.get(played).filter(|_| played < moves) else { break };
        let mv = next.point.map_or(Move::Pass, Move::Play);
        game.play_as(next.color, mv)
            .map_err(|why| format!("move {}, {} {mv}: {why}", played + 1, next.color))?;
    }
    Ok((start, game))
}

fn changed(board: &Board, change: &Change) -> Result<Board, (goban::Point, goban::Illegal)> {
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
