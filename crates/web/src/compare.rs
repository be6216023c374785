//! Two models beside each other on one position: what each would play, and how far they agree.

use std::sync::Arc;

use engine::{Engine, Model, Rated, reason_words};
use goban::{Color, Point};
use serde_json::{Value, json};

use crate::backend::Backend;
use crate::view;

/// What is to be compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// Which models, by their names in the list of models.
    pub models: [String; 2],
    /// The move that both are to give reasons for.
    pub at: Option<Point>,
    /// The move that was played there, if one was.
    pub played: Option<Point>,
}

impl Comparison {
    /// Whether the same is asked of the same models. What was played is known only later.
    pub fn asks_as(&self, other: &Comparison) -> bool {
        (&self.models, self.at) == (&other.models, other.at)
    }

    /// What both say about the position of the engine's game.
    pub fn run(&self, engine: &Engine, backend: &dyn Backend) -> Value {
        let color = engine.game().to_move();
        let found = self.models.each_ref().map(|id| backend.model(id));
        let [Some(first), Some(second)] = found else {
            return json!({"asked": self.models, "error": "there is no such model"});
        };
        let models = [first, second];
        let rated = models.each_ref().map(|model| engine.policy_of(model, color));
        let sides: Vec<Value> = (0..2).map(|i| self.side(engine, &models[i], &rated[i])).collect();
        json!({
            "toMove": view::color_name(color),
            "asked": self.models,
            "models": sides,
            "played": self.played.map(|p| p.to_string()),
            "at": self.at.map(|p| p.to_string()),
            "same": same_of_first(&rated, 10),
            "distance": view::short(distance(&rated)),
        })
    }

    fn side(&self, engine: &Engine, model: &Arc<Model>, rated: &[Rated]) -> Value {
        let color: Color = engine.game().to_move();
        let told = |point: Point| {
            let rank = rated.iter().position(|rated| rated.point == point)?;
            let probability = view::short(f64::from(rated[rank].probability));
            Some(json!({"rank": rank + 1, "probability": probability}))
        };
        let reasons = self.at.filter(|&p| told(p).is_some()).map(|p| {
            let reasons = engine.why_of(model, color, p);
            view::reasons(&reasons, reason_words)
        });
        json!({
            "policy": view::policy(rated),
            "played": self.played.and_then(told),
            "at": self.at.and_then(told),
            "reasons": reasons,
        })
    }
}

/// How many of the first moves of one are among the first of the other.
fn same_of_first(rated: &[Vec<Rated>; 2], first: usize) -> usize {
    let [a, b] = rated.each_ref().map(|rated| &rated[..first.min(rated.len())]);
    a.iter().filter(|x| b.iter().any(|y| y.point == x.point)).count()
}

/// The total variation distance: the share of the moves that would have to be drawn otherwise.
fn distance(rated: &[Vec<Rated>; 2]) -> f64 {
    let [a, b] = rated;
    let of = |point: Point| {
        b.iter().find(|rated| rated.point == point).map_or(0.0, |rated| rated.probability)
    };
    a.iter().map(|rated| f64::from((rated.probability - of(rated.point)).abs())).sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use goban::Size;

    use super::*;

    fn rated(list: &[(&str, f32)]) -> Vec<Rated> {
        let point = |text: &str| Size::NINE.parse_point(text).unwrap();
        let rate = |&(at, p): &(&str, f32)| Rated { point: point(at), value: p, probability: p };
        list.iter().map(rate).collect()
    }

    #[test]
    fn agreement_is_counted() {
        let pair = [
            rated(&[("E5", 0.5), ("C3", 0.3), ("G7", 0.2)]),
            rated(&[("C3", 0.6), ("E5", 0.4), ("G7", 0.0)]),
        ];
        assert_eq!((same_of_first(&pair, 1), same_of_first(&pair, 2)), (0, 2));
        assert!((distance(&pair) - 0.3).abs() < 1e-6);
        let same = [pair[0].clone(), pair[0].clone()];
        assert_eq!(distance(&same), 0.0);
    }
}
