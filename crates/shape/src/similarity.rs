//! How alike two patterns are (Kiyoshi 1994): stones near the point weigh more.

use crate::family::{Family, Sight, State};
use crate::pattern::Pattern;

/// Weight of a difference at Manhattan distance 1 to 4.
const WEIGHTS: [i32; 4] = [16, 9, 4, 1];

/// The similarity of two patterns of one stage, 0 for the same and negative otherwise: the sum over
/// the points of the weight of their distance times -3 where the colours differ and -1 where there
/// is a stone against none. Points farther than 4 do not count. The best of the orientations counts.
pub fn similarity(family: &Family, a: &Pattern, b: &Pattern) -> i32 {
    debug_assert_eq!(a.stage, b.stage);
    let cells = family.cells(a.stage);
    let compare = |image: &Vec<u16>| -> i32 {
        let pairs = a.states.iter().zip(image).map(|(&s, &to)| (s, b.states[to as usize]));
        let weights = cells.iter().map(|cell| match cell {
            Sight::Point(o) => WEIGHTS.get(o.manhattan() as usize - 1).copied().unwrap_or(0),
            Sight::Sector(_) => 0,
        });
        weights.zip(pairs).map(|(weight, (s, t))| weight * difference(s, t)).sum()
    };
    family.images().iter().map(compare).max().expect("a family has at least the identity")
}

fn difference(a: State, b: State) -> i32 {
    use State::*;
    let stone = |s: State| match s {
        Own | OwnAtari => 1,
        Enemy | EnemyAtari => 2,
        Empty => 0,
        // The edge is no more like empty than a stone is.
        Edge => 3,
    };
    match (stone(a), stone(b)) {
        (x, y) if x == y => 0,
        (1, 2) | (2, 1) => -3,
        _ => -1,
    }
}
