//! Counting move sequences and reachable positions on tiny boards with the fast board: numbers
//! that come out right only if every rule is right.

use std::collections::HashSet;

use crate::board::Board;
use crate::color::Color;
use crate::game::{Game, Move};
use crate::point::Size;
use crate::rules::Rules;
use crate::zobrist;

/// Positions that can be reached when both players may play anywhere, any number of times. Stones
/// may be put down in any order, so these are all the legal positions.
pub fn reachable_positions(size: Size) -> usize {
    let start = Board::new(size);
    let mut seen = HashSet::from([zobrist::of(&start)]);
    let mut open = vec![start];
    while let Some(board) = open.pop() {
        for color in Color::BOTH {
            for p in board.empties() {
                let mut after = board.clone();
                after.pass();
                if after.play(p, color).is_ok() && seen.insert(zobrist::of(&after)) {
                    open.push(after);
                }
            }
        }
    }
    seen.len()
}

/// Sequences of exactly `depth` moves and passes in turn, two passes ending a game.
pub fn sequences(size: Size, rules: Rules, depth: usize) -> u64 {
    fn extend(game: &mut Game, depth: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        if game.is_over() {
            return 0;
        }
        let points: Vec<_> = game.board().empties().map(Move::Play).collect();
        let mut found = 0;
        for mv in points.into_iter().chain([Move::Pass]) {
            if game.play(mv).is_ok() {
                found += extend(game, depth - 1);
                game.undo();
            }
        }
        found
    }
    extend(&mut Game::new(size, rules, 0.0), depth)
}
