//! A review of a whole game, as `harie review` reports it: the search for mistakes is that of
//! [`engine::review`], run to its end. What it finds is written into the record (`annotate.rs`) and
//! shown on a page (`../page/reviewed.rs`).

mod annotate;

use engine::Engine;
use engine::review::{self, Effort, Mistake, Standing};
use goban::{Color, Game, Move};

pub use annotate::annotate;

/// What was found about a game. Positions that were not reached are missing at the end.
#[derive(Clone, Default)]
pub struct Review {
    /// Moves of the record before the first that was looked at.
    pub skipped: usize,
    /// Before the first move, after it, and so on.
    pub standings: Vec<Standing>,
    /// The moves that decided the game, in their order.
    pub mistakes: Vec<Mistake>,
}

impl Review {
    /// Looks at every position of a game that began as `start`. `progress` hears how far it is and may
    /// answer `false` to stop; what was found so far is kept, mistakes that were not looked at again
    /// included.
    pub fn new(
        engine: &mut Engine,
        start: &Game,
        moves: &[(Color, Move)],
        effort: &Effort,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Review {
        let mut review = review::Review::new(start, moves, *effort);
        let is_through = review.run(engine, progress);
        let mut mistakes: Vec<Mistake> = review.mistakes().into_iter().cloned().collect();
        if is_through {
            for mistake in &mut mistakes {
                engine.set_game(mistake.game.clone());
                engine.add_statistics(&mut mistake.explanation);
            }
        }
        Review { skipped: 0, standings: review.standings().to_vec(), mistakes }
    }

    /// The same for a record with so many moves before the first that was looked at.
    pub fn shifted(mut self, skipped: usize) -> Review {
        self.skipped += skipped;
        self.mistakes.iter_mut().for_each(|mistake| mistake.number += skipped);
        self
    }

    /// The number of the last move that was looked at.
    pub fn last(&self) -> usize {
        self.skipped + self.standings.len().saturating_sub(1)
    }
}
