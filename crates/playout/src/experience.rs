//! Playouts that learn while they run. What the model says about a move is right for most positions;
//! in the one at hand a fight may hang on a point with a low prior. So each player has a
//! factor for every point, and one for every answer near the last move, that grow with what is played
//! in playouts that were won and shrink with what is played in those that were lost: the gradient of
//! the expected result, step by step (REINFORCE), with the model as the start.

use goban::{Color, Point, Size};
use wide::f32x8;

use crate::random::Random;
use crate::values::{CORNER, Draws, Values, Window};

/// How fast playouts learn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    /// Points; 0 for not at all.
    pub points: f32,
    /// Answers near the last move; 0 for not at all.
    pub answers: f32,
}

impl Rates {
    /// Whether anything is learned.
    pub fn any(self) -> bool {
        self.points > 0.0 || self.answers > 0.0
    }
}

/// No factor grows or shrinks beyond this, as a logarithm.
const FARTHEST: f32 = 2.0;
/// Of the window around the last move, the columns that are as near as its rows.
const NEAR: [f32; 8] = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0];

/// A move that was drawn: who drew it after which move, and how likely each answer was.
#[derive(Clone)]
struct Step {
    color: Color,
    last: Option<Point>,
    drawn: Point,
    shares: Window,
}

/// What playouts have learned; see the module documentation.
#[derive(Clone)]
pub struct Experience {
    size: Size,
    rates: Rates,
    /// Logarithms of the factors, and the factors, by colour.
    logs: [Values; 2],
    factors: [Values; 2],
    /// Factors of answers, by the point of the last move as well.
    answers: [Vec<Window>; 2],
    /// How often each point was expected to be drawn in the playout under way.
    expected: [Values; 2],
    steps: Vec<Step>,
    /// Factors that a guide adds.
    leanings: Option<Box<[Values; 2]>>,
    scratch: Values,
    /// What Black wins, on average over the last playouts.
    mean: f32,
}

impl Experience {
    /// Nothing learned yet, for boards of a size.
    pub fn new(size: Size, rates: Rates) -> Experience {
        Experience {
            size,
            rates,
            logs: [Values::NONE; 2],
            factors: [0, 1].map(|_| Values::filled(1.0)),
            answers: [0, 1].map(|_| vec![[f32x8::ONE; 5]; 1024]),
            expected: [Values::NONE; 2],
            steps: Vec::with_capacity(4 * size.area()),
            leanings: None,
            scratch: Values::NONE,
            mean: 0.5,
        }
    }

    /// Leans towards moves by these logarithms of factors, or no more.
    pub(crate) fn lean(&mut self, logs: Option<&[Values; 2]>) {
        self.leanings = logs.map(|logs| {
            Box::new(logs.clone().map(|mut logs| {
                let mut factors = Values::filled(1.0);
                factors.exp_of(&mut logs, FARTHEST, self.size);
                factors
            }))
        });
        Color::BOTH.iter().for_each(|&color| self.set_factors(color));
    }

    fn set_factors(&mut self, color: Color) {
        let c = color.index();
        self.factors[c].exp_of(&mut self.logs[c], FARTHEST, self.size);
        if let Some(leanings) = &self.leanings {
            self.factors[c].multiply(&leanings[c], self.size);
        }
    }

    /// A playout begins.
    pub(crate) fn begin(&mut self) {
        self.steps.clear();
        self.expected.iter_mut().for_each(|values| values.clear(self.size));
    }

    /// Draws a move by the values and what was learned.
    pub(crate) fn draw(
        &mut self,
        values: &Values,
        color: Color,
        draws: &Draws<'_>,
        random: &mut Random,
    ) -> Option<Point> {
        let c = color.index();
        let learned = (&self.factors[c], &self.answers[c][..]);
        let expected = &mut self.expected[c];
        let (drawn, shares) =
            self.scratch.draw_learned(values, learned, expected, draws, random)?;
        self.steps.push(Step { color, last: draws.last, drawn, shares });
        Some(drawn)
    }

    /// The last draw was not played.
    pub(crate) fn take_back(&mut self) {
        self.steps.pop();
    }

    /// Black won the playout (1), lost it (0), or neither.
    pub(crate) fn learn(&mut self, black: f32) {
        let surprise = black - self.mean;
        self.mean += 0.01 * surprise;
        let push = |color: Color| match color {
            Color::Black => surprise,
            Color::White => -surprise,
        };
        if self.rates.points > 0.0 {
            for step in &self.steps {
                let expected = &mut self.expected[step.color.index()];
                expected.set(step.drawn, expected.get(step.drawn) - 1.0);
            }
            for color in Color::BOTH {
                let c = color.index();
                let scale = f32x8::splat(-self.rates.points * push(color));
                self.logs[c].add_scaled(&self.expected[c], scale, self.size);
                self.set_factors(color);
            }
        }
        if self.rates.answers > 0.0 && self.size != Size::MAX {
            let (least, most) = (f32x8::splat((-FARTHEST).exp()), f32x8::splat(FARTHEST.exp()));
            for step in &self.steps {
                let Some(last) = step.last else { continue };
                let c = step.color.index();
                let scale = f32x8::splat(self.rates.answers * push(step.color)) * f32x8::new(NEAR);
                let mut played = [[0.0; 8]; 5];
                let place = (step.drawn.index() + CORNER).wrapping_sub(last.index());
                let (y, x) = (place / Values::ROW, place % Values::ROW);
                if y < 5 && x < 8 {
                    played[y][x] = 1.0;
                }
                let factors = &mut self.answers[c][last.index()];
                for i in 0..5 {
                    let step = (f32x8::new(played[i]) - step.shares[i]) * scale;
                    // The exponential of so small a step, which need not be exact.
                    let growth = f32x8::ONE + step + step * step * f32x8::HALF;
                    factors[i] = (factors[i] * growth).max(least).min(most);
                }
            }
        }
    }
}
