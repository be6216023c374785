//! A tour through games in a given order, with helpers that read ahead.
//!
//! Walking a game and learning from it take about the same time, so other threads prepare the next
//! games while one learns. The order is the same whatever the number of threads, and so is what is
//! learned.

use policy::{FeatureSpace, FeatureTracker, Position};
use std::sync::mpsc::{channel, sync_channel};

use crate::games::Games;

/// Games that a helper may be ahead.
const AHEAD: usize = 2;

/// What a tour comes to next.
pub(crate) enum TourStep<'a> {
    Position(&'a Position),
    EndOfGame,
}

/// Goes through games; `visit` ends the tour at the end of a game by saying false.
pub(crate) fn tour(
    space: &FeatureSpace,
    games: &Games,
    order: &[u32],
    threads: usize,
    mut visit: impl FnMut(TourStep<'_>) -> bool,
) {
    if threads < 2 {
        let mut tracker = FeatureTracker::new(space);
        let mut position = Position::default();
        for &game in order {
            games.get(game as usize).visit(&mut tracker, &mut position, |position| {
                visit(TourStep::Position(position));
            });
            if !visit(TourStep::EndOfGame) {
                return;
            }
        }
        return;
    }
    let helpers = threads - 1;
    std::thread::scope(|scope| {
        let helper = |i: usize| {
            let (give, take) = sync_channel::<Prepared>(AHEAD);
            let (give_back, take_back) = channel::<Prepared>();
            scope.spawn(move || {
                let mut tracker = FeatureTracker::new(space);
                let mut position = Position::default();
                for &game in order.iter().skip(i).step_by(helpers) {
                    let mut prepared: Prepared = take_back.try_recv().unwrap_or_default();
                    prepared.count = 0;
                    games
                        .get(game as usize)
                        .visit(&mut tracker, &mut position, |position| prepared.add(position));
                    // Nobody listens once the tour has ended.
                    if give.send(prepared).is_err() {
                        return;
                    }
                }
            });
            (take, give_back)
        };
        let helpers: Vec<_> = (0..helpers).map(helper).collect();
        for i in 0..order.len() {
            let (take, give_back) = &helpers[i % helpers.len()];
            let Ok(prepared) = take.recv() else { return };
            for position in &prepared.positions[..prepared.count] {
                visit(TourStep::Position(position));
            }
            let _ = give_back.send(prepared);
            if !visit(TourStep::EndOfGame) {
                return;
            }
        }
    });
}

/// The positions of a game; the lists are used again.
#[derive(Default)]
struct Prepared {
    positions: Vec<Position>,
    count: usize,
}

impl Prepared {
    fn add(&mut self, position: &Position) {
        match self.positions.get_mut(self.count) {
            Some(old) => old.clone_from(position),
            None => self.positions.push(position.clone()),
        }
        self.count += 1;
    }
}
