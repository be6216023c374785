//! Uf-3, Judge: positions of the same game, few moves apart, whose judged win rates differ. Do
//! playouts see which of the two is better for Black?

use serde::{Deserialize, Serialize};

use super::oracle::Judged;

/// Two positions of a game, as places in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The one that is better for Black.
    pub better: usize,
    /// The other.
    pub worse: usize,
}

/// The pairs of positions at most `apart` moves from each other whose judged win rates differ by
/// `least` or more.
pub fn pairs<'a>(
    positions: impl IntoIterator<Item = &'a Judged>,
    apart: usize,
    least: f32,
) -> Vec<Pair> {
    let positions: Vec<&Judged> = positions.into_iter().collect();
    // Sorted by their moves, positions of a game stand after those that they follow from.
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by(|&a, &b| positions[a].moves.cmp(&positions[b].moves).then(a.cmp(&b)));
    let mut pairs = Vec::new();
    for (i, &late) in order.iter().enumerate() {
        for &early in order[..i].iter().rev() {
            let (a, b) = (positions[early], positions[late]);
            if !b.follows(a) {
                // Everything before begins with another move still.
                if !a.moves.is_empty() && a.moves.first() != b.moves.first() {
                    break;
                }
                continue;
            }
            let gap = b.moves.len() - a.moves.len();
            if gap == 0 || gap > apart || (a.winrate_black - b.winrate_black).abs() < least {
                continue;
            }
            let (better, worse) =
                if a.winrate_black > b.winrate_black { (early, late) } else { (late, early) };
            pairs.push(Pair { better, worse });
        }
    }
    pairs.sort_by_key(|pair| (pair.better, pair.worse));
    pairs
}

/// What came of judging pairs.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Judging {
    /// Pairs judged.
    pub pairs: usize,
    /// Mean difference of the win rates that playouts give, the better position's less the other's.
    pub difference: f64,
    /// Mean difference by the oracle.
    pub oracle_difference: f64,
    /// Share of the pairs in which the better one has the higher win rate; equal ones count half.
    pub right: f64,
}

impl Judging {
    /// Judges pairs by the win rates that playouts gave, and those of the oracle.
    pub fn new(pairs: &[Pair], winrate: impl Fn(usize) -> (f64, f64)) -> Judging {
        let mut judging = Judging { pairs: pairs.len(), ..Judging::default() };
        for pair in pairs {
            let (better, worse) = (winrate(pair.better), winrate(pair.worse));
            judging.difference += better.0 - worse.0;
            judging.oracle_difference += better.1 - worse.1;
            judging.right += match better.0 - worse.0 {
                difference if difference > 0.0 => 1.0,
                0.0 => 0.5,
                _ => 0.0,
            };
        }
        let n = pairs.len().max(1) as f64;
        judging.difference /= n;
        judging.oracle_difference /= n;
        judging.right /= n;
        judging
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(moves: &[&str], winrate_black: f32) -> Judged {
        let moves = moves.iter().map(|&m| m.to_owned()).collect();
        let (id, rules) = (String::new(), "chinese".to_owned());
        Judged {
            id,
            size: 9,
            komi: 7.0,
            rules,
            moves,
            winrate_black,
            score_black: 0.0,
            visits: 1,
            candidates: Vec::new(),
            ownership_black: Vec::new(),
        }
    }

    #[test]
    fn pairs_are_of_one_game_close_and_different() {
        let game = ["B D5", "W F5", "B F6", "W G6", "B E6"];
        let positions = [
            judged(&game[..1], 0.5),
            judged(&game, 0.9),
            judged(&["B D5", "W C3"], 0.1),
            judged(&game[..3], 0.6),
            judged(&game[..2], 0.55),
            judged(&game[..2], 0.95),
        ];
        let pair = |better, worse| Pair { better, worse };
        // Not two of the same moves, nor the one of another game with its sisters.
        assert_eq!(
            pairs(&positions, 3, 0.29),
            [pair(0, 2), pair(1, 3), pair(1, 4), pair(5, 0), pair(5, 3)]
        );
        assert_eq!(pairs(&positions, 2, 0.29), [pair(0, 2), pair(1, 3), pair(5, 0), pair(5, 3)]);
        let found = [pair(1, 0), pair(1, 3), pair(1, 4)];
        let rates = [(0.2, 0.5), (0.3, 0.9), (0.0, 0.0), (0.4, 0.6), (0.3, 0.55)];
        let judging = Judging::new(&found, |i| rates[i]);
        assert!((judging.right - 0.5).abs() < 1e-9);
        assert!((judging.difference - 0.0).abs() < 1e-9);
        assert!((judging.oracle_difference - (0.4 + 0.3 + 0.35) / 3.0).abs() < 1e-6);
    }
}
