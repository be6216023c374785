//! A line of play whose legal moves can be rated at every step, as a search needs it.
//!
//! It gives what [`crate::Model::rate`] gives, up to rounding; tests compare them after every move.

use goban::{Color, Point, PointSet};

use crate::feature_tracker::{FeatureTracker, remi};
use crate::model::Rated;
use crate::rater::{Rater, Sums};
use crate::situation::{Follower, Situation};

/// A line of play; see the module documentation.
#[derive(Clone)]
pub struct Line<'a> {
    rater: &'a Rater,
    tracker: FeatureTracker<'a>,
    to_move: Color,
    /// By colour: what the features at each place add up to.
    sums: [Sums; 2],
    order: Vec<u64>,
    shares: Vec<f32>,
}

impl<'a> Line<'a> {
    /// Starts where a game has been followed to. Everything is up to date for both players, so that
    /// copies need not look again at what stays.
    pub fn new(rater: &'a Rater, follower: &Follower) -> Line<'a> {
        let mut tracker = FeatureTracker::new(&rater.space);
        tracker.start_at(follower);
        let mut line = Line {
            rater,
            tracker,
            to_move: follower.situation().to_move,
            sums: [Sums::new(rater), Sums::new(rater)],
            order: Vec::with_capacity(rater.size().area()),
            shares: Vec::with_capacity(rater.size().area()),
        };
        for color in Color::BOTH {
            line.tracker.refresh(color, |_| ());
            line.add_up(color, rater.size().points().collect());
        }
        line
    }

    /// Becomes like another line of the same rater, without allocating.
    pub fn copy_from(&mut self, other: &Line<'_>) {
        self.tracker.copy_from(&other.tracker);
        self.to_move = other.to_move;
        for (sums, other) in self.sums.iter_mut().zip(&other.sums) {
            sums.copy_from(other);
        }
    }

    /// Plays a legal move or passes; then it is the other's turn.
    pub fn play(&mut self, color: Color, point: Option<Point>) {
        self.tracker.play(color, point);
        self.to_move = !color;
    }

    /// Says whose turn it is, where a player may move twice.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// The situation now.
    pub fn situation(&self) -> Situation<'_> {
        self.tracker.situation(self.to_move)
    }

    /// All legal moves into `moves`, the most valuable first; equal values in reading order.
    pub fn rate(&mut self, moves: &mut Vec<Rated>) {
        let color = self.to_move;
        let points = self.rater.space.layout.points();
        let mut stale = PointSet::EMPTY;
        self.tracker.refresh(color, |place| {
            stale.insert(points[place]);
        });
        self.add_up(color, stale);
        let Line { rater, tracker, sums, order, shares, .. } = self;
        let space = &rater.space;
        let [last, before_last] = tracker.moves();
        let distance = |from: Option<Point>, p: Point, numbers: &[u16]| {
            let number = from.and_then(|from| numbers.get(remi(from, p)));
            number.map_or(rater.neutral(), |&number| number as usize)
        };
        moves.clear();
        order.clear();
        shares.clear();
        let mut sum = 0.0;
        for (place, p) in tracker.legal(color) {
            let near =
                [distance(last, p, &space.last), distance(before_last, p, &space.before_last)];
            let log = sums[color.index()].value(rater, place, near);
            // Positive numbers are in the order of their bits.
            order.push((!log.exp().to_bits() as u64) << 32 | (shares.len() << 16 | place) as u64);
            let share = (log * rater.filter).exp();
            shares.push(share);
            sum += share as f64;
        }
        order.sort_unstable();
        moves.extend(order.iter().map(|&key| Rated {
            point: points[key as usize & 0xffff],
            value: f32::from_bits(!(key >> 32) as u32),
            probability: (shares[key as usize >> 16 & 0xffff] as f64 / sum) as f32,
        }));
    }

    /// Adds up what stands at these points for a player.
    fn add_up(&mut self, color: Color, mut points: PointSet) {
        let Line { rater, tracker, sums, .. } = self;
        let sums = &mut sums[color.index()];
        points.drain(|p| {
            let place = rater.space.layout.place(p);
            sums.clear(rater, place);
            tracker.standing(color, place, |feature| sums.add(rater, place, feature));
        });
    }
}
