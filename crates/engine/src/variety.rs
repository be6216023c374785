//! Games that differ: with an opening book, no game is played twice in a row of twenty.
//!
//! Chance alone may draw the same moves of a book again, and after the book a search finds what it
//! found before. So the last games are kept, and where the game at hand is the same as one of them so
//! far, another move is taken as soon as there is one that is nearly as good.

use std::collections::VecDeque;

use goban::{Color, Game, Move, Size};
use search::Report;

/// Games that are kept: with the one at hand, twenty.
const KEPT: usize = 19;

/// A move may win so much less often than the best and be played for a change.
const NEARLY: f32 = 0.05;

/// And so much less for every move that the game is the same already: it must differ some time.
const IMPATIENCE: f32 = 0.02;

/// But no more than this: a game is not thrown away for a change.
const WORST: f32 = 0.25;

/// The games that were played last.
#[derive(Default)]
pub struct Variety {
    past: VecDeque<(Size, Vec<(Color, Move)>)>,
}

impl Variety {
    /// Keeps a game that has ended.
    pub fn keep(&mut self, game: &Game) {
        if game.moves().is_empty() {
            return;
        }
        if self.past.len() == KEPT {
            self.past.pop_front();
        }
        self.past.push_back((game.board().size(), game.moves().to_vec()));
    }

    /// What earlier games that are the same so far went on with.
    fn seen(&self, game: &Game, color: Color) -> Vec<Move> {
        let (size, moves) = (game.board().size(), game.moves());
        let next = |(of, past): &(Size, Vec<(Color, Move)>)| {
            let (player, mv) = *past.get(moves.len())?;
            (*of == size && past.starts_with(moves) && player == color).then_some(mv)
        };
        self.past.iter().filter_map(next).collect()
    }

    /// Another move than a game that is the same so far went on with, if there is one.
    pub fn other(&self, game: &Game, color: Color, mv: Move, report: &Report) -> Option<Move> {
        let seen = self.seen(game, color);
        if !seen.contains(&mv) {
            return None;
        }
        let worse = (NEARLY + IMPATIENCE * game.moves().len() as f32).min(WORST);
        let least = report.candidates.first()?.winrate - worse;
        let may =
            |mv: Move, winrate: f32| mv != Move::Pass && !seen.contains(&mv) && winrate >= least;
        let others = report.candidates.iter().filter(|c| c.visits > 0 && may(c.mv, c.winrate));
        others.max_by_key(|c| c.visits).map(|c| c.mv)
    }
}
