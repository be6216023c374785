//! Ways of learning on positions that are made up: gradients, monotone likelihood, and finding the
//! weights that made the games.

use policy::{Position, Use};
use train::{
    Ascent, Counting, Descent, Gradient, Likelihood, Method, Minorise, Pairs, Scorer, softmax,
};

struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }
}

const FEATURES: usize = 108;
const WEIGHTS: usize = FEATURES + 12;

/// Moves with a class, some a tactical feature, and up to two patterns, one of them maybe twice.
fn lists(dice: &mut Dice) -> Vec<Vec<u32>> {
    (0..4 + dice.below(5))
        .map(|_| {
            let mut list = vec![dice.below(6) as u32, 15 + dice.below(3) as u32];
            if dice.below(3) == 0 {
                list.push(51 + dice.below(3) as u32);
            }
            for _ in 0..dice.below(3) {
                list.push((FEATURES + dice.below(12)) as u32);
            }
            list
        })
        .collect()
}

/// Positions whose moves are drawn by known weights, and those weights.
fn positions(count: usize) -> (Vec<Position>, Vec<f32>) {
    let mut dice = Dice(5);
    let truth: Vec<f32> = (0..WEIGHTS).map(|_| dice.unit() as f32 * 3.0 - 1.5).collect();
    let mut made = Vec::new();
    for _ in 0..count {
        let lists = lists(&mut dice);
        let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
        let mut position = Position::from_lists(&lists, 0);
        let (mut scores, mut shares) = (Vec::new(), Vec::new());
        truth.as_slice().scores(&position, &mut scores);
        softmax(&scores, &mut shares);
        let mut draw = dice.unit() as f32;
        let drawn = shares.iter().position(|&p| {
            draw -= p;
            draw < 0.0
        });
        position.played = drawn.unwrap_or(0);
        made.push(position);
    }
    (made, truth)
}

fn log_likelihood(positions: &[Position], scorer: &(impl Scorer + ?Sized)) -> f64 {
    let (mut scores, mut shares) = (Vec::new(), Vec::new());
    let logs = positions.iter().map(|position| {
        scorer.scores(position, &mut scores);
        let sum = softmax(&scores, &mut shares);
        (scores[position.played] - sum) as f64
    });
    logs.sum::<f64>() / positions.len() as f64
}

fn passes(method: &mut dyn Method, positions: &[Position], count: usize) {
    for pass in 0..count {
        method.begin_pass(pass as f64 / count as f64);
        for (i, position) in positions.iter().enumerate() {
            method.progress((pass as f64 + i as f64 / positions.len() as f64) / count as f64);
            method.learn(position);
        }
        if !method.end_pass() {
            break;
        }
    }
}

#[test]
fn methods_find_the_weights_that_made_the_games() {
    let (all, truth) = positions(12_000);
    let (train, test) = all.split_at(10_000);
    let best = log_likelihood(test, truth.as_slice());
    let nothing = log_likelihood(test, vec![0.0; WEIGHTS].as_slice());
    assert!(nothing < best - 0.2);
    let how = Likelihood { thin: 0.05, ..Likelihood::default() };
    let mut ascent = Ascent::plain(how, WEIGHTS);
    let mut pairs = Pairs::<4>::new(how, 4.0, WEIGHTS, FEATURES);
    let mut mm = Minorise::new(Use::Uct, WEIGHTS);
    let mut counting = Counting::new(WEIGHTS);
    let near: [(&str, &mut dyn Method, usize, f64); 4] = [
        ("likelihood", &mut ascent, 4, 0.01),
        ("factors", &mut pairs, 4, 0.02),
        ("mm", &mut mm, 40, 0.01),
        ("counting", &mut counting, 1, 0.1),
    ];
    for (name, method, count, gap) in near {
        passes(method, train, count);
        let found = log_likelihood(test, &method.weights());
        assert!(found > best - gap, "{name}: {found} against {best}, {nothing} without");
        // What the method says by itself is what its weights say.
        let (mut own, mut other) = (Vec::new(), Vec::new());
        method.scores(&test[0], &mut own);
        method.weights().scores(&test[0], &mut other);
        assert!(own.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-4), "{name}");
    }
}

#[test]
fn the_gradient_method_learns_to_rank() {
    let (all, truth) = positions(3000);
    let best = first_choices(&all, truth.as_slice());
    for exponent in [0.0, 2.0] {
        let how = Gradient { exponent, eta: 30.0, ..Gradient::default() };
        let mut descent = Descent::new(how, WEIGHTS);
        passes(&mut descent, &all, 40);
        let found = first_choices(&all, &descent.weights());
        assert!(found > best - 0.03, "{exponent}: {found} against {best}");
    }
}

/// Share of positions whose move has the best score.
fn first_choices(positions: &[Position], scorer: &(impl Scorer + ?Sized)) -> f64 {
    let mut scores = Vec::new();
    let mut first = |position: &&Position| {
        scorer.scores(position, &mut scores);
        scores.iter().all(|&s| s <= scores[position.played])
    };
    positions.iter().filter(|p| first(p)).count() as f64 / positions.len() as f64
}

#[test]
fn likelihood_and_prior_never_fall_with_mm() {
    let (all, _) = positions(400);
    let mut mm = Minorise::new(Use::Uct, WEIGHTS);
    let objective =
        |mm: &Minorise| log_likelihood(&all, &mm.weights()) * all.len() as f64 + mm.log_prior();
    let mut before = objective(&mm);
    let first = before;
    for pass in 0..60 {
        all.iter().for_each(|position| {
            mm.learn(position);
        });
        mm.end_pass();
        let now = objective(&mm);
        assert!(now > before - 0.01, "pass {pass}: {before} to {now}");
        before = now;
    }
    assert!(before > first + 50.0);
}

#[test]
fn states_are_kept_and_restored() {
    let (all, _) = positions(300);
    let how = Likelihood { thin: 0.05, ..Likelihood::default() };
    let makers: [fn(Likelihood) -> Box<dyn Method>; 5] = [
        |how| Box::new(Ascent::plain(how, WEIGHTS)),
        |how| Box::new(Pairs::<4>::new(how, 4.0, WEIGHTS, FEATURES)),
        |_| Box::new(Minorise::new(Use::Uct, WEIGHTS)),
        |_| Box::new(Descent::new(Gradient::default(), WEIGHTS)),
        |_| Box::new(Counting::new(WEIGHTS)),
    ];
    for make in makers {
        for before in 0..3 {
            let mut one = make(how);
            passes(&mut *one, &all, before);
            let (mut other, state) = (make(how), one.state());
            let start = other.state();
            for damaged in [&[1, 2, 3], &state[1..], &[&state[..], &[0]].concat()] {
                assert!(!other.restore(damaged));
                assert_eq!(other.state(), start, "nothing is changed by what does not fit");
            }
            assert!(other.restore(&state));
            passes(&mut *one, &all, 1);
            passes(&mut *other, &all, 1);
            assert_eq!(one.weights(), other.weights());
            assert_eq!(one.state(), other.state());
        }
    }
}
