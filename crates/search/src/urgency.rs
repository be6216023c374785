//! Which points are urgent: those where a player wins more of the playouts in which it plays there first,
//! wherever in the tree they came from. So a move with a low prior is tried in all lines once some line has
//! shown that it is good.

use goban::{Color, Point, PointMap};

/// Playouts after which the biases are drawn anew.
const EVERY: u32 = 32;
/// Playouts in which a player must be first at a point before half of the difference they show counts.
const SHRINK: f32 = 40.0;
/// Playouts from which on older ones are forgotten: by halves, when there are twice as many.
const WINDOW: f32 = 1024.0;
/// No probability is changed by more than this, as a logarithm.
const FARTHEST: f32 = 3.0;

/// What urgency changes about a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bias {
    /// What its prior is multiplied by.
    pub factor: f32,
    /// How much more often than usual the player wins after it.
    pub lift: f32,
}

impl Bias {
    /// Nothing is changed.
    pub const NONE: Bias = Bias { factor: 1.0, lift: 0.0 };
}

/// How the playouts of a thread went by who was first at each point.
pub struct Urgency {
    strength: f32,
    /// Playouts, and what Black won in them.
    all: (f32, f32),
    /// The same of those where a player was first at a point; by colour.
    first: [PointMap<(f32, f32)>; 2],
    biases: [PointMap<Bias>; 2],
    since: u32,
}

impl Urgency {
    /// No playouts yet; `strength` says how much priors are changed.
    pub fn new(strength: f32) -> Urgency {
        Urgency {
            strength,
            all: (0.0, 0.0),
            first: [0, 1].map(|_| PointMap::filled((0.0, 0.0))),
            biases: [0, 1].map(|_| PointMap::filled(Bias::NONE)),
            since: 0,
        }
    }

    /// What is known about each point for a player.
    #[inline]
    pub fn biases(&self, color: Color) -> &PointMap<Bias> {
        &self.biases[color.index()]
    }

    /// A playout that was worth `black` to Black, 0 to 1, and who was first at which points.
    pub fn add(&mut self, firsts: impl Iterator<Item = (Color, Point)>, black: f32) {
        self.all.0 += 1.0;
        self.all.1 += black;
        for (color, p) in firsts {
            let (n, won) = &mut self.first[color.index()][p];
            *n += 1.0;
            *won += black;
        }
        self.since += 1;
        if self.since == EVERY {
            self.since = 0;
            self.update();
        }
    }

    fn update(&mut self) {
        if self.all.0 >= 2.0 * WINDOW {
            self.fade();
        }
        let mean = self.all.1 / self.all.0;
        for color in Color::BOTH {
            let c = color.index();
            let sign = if color == Color::Black { 1.0 } else { -1.0 };
            let counts = self.first[c].as_slice();
            for (bias, &(n, won)) in self.biases[c].as_mut_slice().iter_mut().zip(counts) {
                let lift = sign * (won - n * mean) / (n + SHRINK);
                let factor = (self.strength * lift).clamp(-FARTHEST, FARTHEST).exp();
                *bias = Bias { factor, lift };
            }
        }
    }

    /// Halves the weight of the playouts so far: the game has moved on, or there are many newer ones.
    pub fn fade(&mut self) {
        let half = |(n, won): &mut (f32, f32)| {
            *n *= 0.5;
            *won *= 0.5;
        };
        half(&mut self.all);
        self.first.iter_mut().for_each(|map| map.as_mut_slice().iter_mut().for_each(half));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: u8) -> Point {
        Point::new(x, 0)
    }

    /// Whoever is first at the point 0 wins so often of ten; at the point 1 it does not matter.
    fn add_playouts(urgency: &mut Urgency, playouts: u32, won: u32) {
        for i in 0..playouts {
            let (first, then) = match i % 2 {
                0 => (Color::Black, Color::White),
                _ => (Color::White, Color::Black),
            };
            let wins = i / 2 % 10 < won;
            let black = ((first == Color::Black) == wins) as u8 as f32;
            let second = if i / 20 % 2 == 0 { first } else { then };
            urgency.add([(first, point(0)), (second, point(1))].into_iter(), black);
        }
    }

    #[test]
    fn where_being_first_wins_it_is_urgent_for_both() {
        let mut urgency = Urgency::new(5.0);
        assert_eq!(urgency.biases(Color::Black)[point(0)], Bias::NONE);
        add_playouts(&mut urgency, 800, 8);
        for color in Color::BOTH {
            let [urgent, idle, unseen] = [0, 1, 2].map(|x| urgency.biases(color)[point(x)]);
            // Eight of ten are 0.3 more than half, of which a tenth is not believed yet.
            assert!((0.26..0.29).contains(&urgent.lift), "{urgent:?}");
            assert!((urgent.factor.ln() - 5.0 * urgent.lift).abs() < 1e-4, "{urgent:?}");
            assert!(idle.lift.abs() < 0.02, "{idle:?}");
            assert_eq!(unseen, Bias::NONE);
        }
    }

    #[test]
    fn old_playouts_are_forgotten() {
        let mut urgency = Urgency::new(5.0);
        add_playouts(&mut urgency, 10_000, 10);
        assert!(urgency.biases(Color::White)[point(0)].lift > 0.4);
        add_playouts(&mut urgency, 10_000, 0);
        assert!(urgency.biases(Color::White)[point(0)].lift < -0.4);
    }

    #[test]
    fn a_few_playouts_of_each_move_of_a_game_are_not_enough() {
        let mut urgency = Urgency::new(5.0);
        for _ in 0..100 {
            add_playouts(&mut urgency, 8, 10);
            urgency.fade();
        }
        assert!(urgency.biases(Color::Black)[point(0)].lift < 0.1);
    }

    #[test]
    fn no_factor_is_out_of_bounds() {
        let mut urgency = Urgency::new(1000.0);
        add_playouts(&mut urgency, 1000, 10);
        let most = urgency.biases(Color::Black)[point(0)].factor;
        assert!((most.ln() - FARTHEST).abs() < 1e-4, "{most}");
    }
}
