//! A line of play whose legal moves can be rated at every step, as a search needs it.
//!
//! It gives what [`crate::Model::rate`] gives, up to rounding; tests compare them after every move.

use goban::{Color, Point, PointSet};

use crate::model::Rated;
use crate::rater::{Rater, Sums};
use crate::situation::{Follower, Situation};
use crate::walk::{Walk, remi};

/// A line of play; see the module documentation.
#[derive(Clone)]
pub struct Line<'a> {
    rater: &'a Rater,
    walk: Walk<'a>,
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
        let mut walk = Walk::new(&rater.terrain);
        walk.start_at(follower);
        let mut line = Line {
            rater,
            walk,
            to_move: follower.situation().to_move,
            sums: [Sums::new(rater), Sums::new(rater)],
            order: Vec::with_capacity(rater.size().area()),
            shares: Vec::with_capacity(rater.size().area()),
        };
        for color in Color::BOTH {
            line.walk.refresh(color, |_| ());
            line.add_up(color, rater.size().points().collect());
        }
        line
    }

    /// Becomes like another line of the same rater, without allocating.
    pub fn copy_from(&mut self, other: &Line<'_>) {
        self.walk.copy_from(&other.walk);
        self.to_move = other.to_move;
        for (sums, other) in self.sums.iter_mut().zip(&other.sums) {
            sums.copy_from(other);
        }
    }

    /// Plays a legal move or passes; then it is the other's turn.
    pub fn play(&mut self, color: Color, point: Option<Point>) {
        self.walk.play(color, point);
        self.to_move = !color;
    }

    /// Says whose turn it is, where a player may move twice.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// The situation now.
    pub fn situation(&self) -> Situation<'_> {
        self.walk.situation(self.to_move)
    }

    /// All legal moves into `moves`, the most valuable first; equal values in reading order.
    pub fn rate(&mut self, moves: &mut Vec<Rated>) {
        let color = self.to_move;
        let points = self.rater.terrain.frame.points();
        let mut stale = PointSet::EMPTY;
        self.walk.refresh(color, |place| {
            stale.insert(points[place]);
        });
        self.add_up(color, stale);
        let Line { rater, walk, sums, order, shares, .. } = self;
        let terrain = &rater.terrain;
        let [last, before_last] = walk.moves();
        let distance = |from: Option<Point>, p: Point, numbers: &[u16]| {
            let number = from.and_then(|from| numbers.get(remi(from, p)));
            number.map_or(rater.neutral(), |&number| number as usize)
        };
        moves.clear();
        order.clear();
        shares.clear();
        let mut sum = 0.0;
        for (place, p) in walk.legal(color) {
            let near =
                [distance(last, p, &terrain.last), distance(before_last, p, &terrain.before_last)];
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
        let Line { rater, walk, sums, .. } = self;
        let sums = &mut sums[color.index()];
        points.drain(|p| {
            let place = rater.terrain.frame.place(p);
            sums.clear(rater, place);
            walk.standing(color, place, |feature| sums.add(rater, place, feature));
        });
    }
}
