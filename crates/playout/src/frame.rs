//! How playouts write down what a family sees at a point.
//!
//! The first stages see the eight neighbours, which the board keeps as a ring. Each stage beyond is
//! a *code*, two bits a cell, its cells in order around the point. In that order a symmetry turns a
//! code around and perhaps reverses it, whatever the stage: a few shifts, no table.

use shape::{Family, Offset, Sight, State};

use crate::compiled::STAGES;

/// A cell as two bits: 0 empty, 1 black, 2 white, 3 edge.
pub(crate) fn bits(state: State, black: State) -> u32 {
    match state {
        State::Empty => 0,
        State::Edge => 3,
        state if state == black => 1,
        _ => 2,
    }
}

/// Exchanges black and white in a code.
#[inline(always)]
pub(crate) const fn swapped(code: u32) -> u32 {
    let stones = (code ^ code >> 1) & 0x5555_5555;
    code ^ (stones | stones << 1)
}

/// The cells of a code in the opposite order; they end up at the top.
#[inline(always)]
const fn reversed(code: u32) -> u32 {
    let code = code.swap_bytes();
    let code = (code & 0x0f0f_0f0f) << 4 | code >> 4 & 0x0f0f_0f0f;
    (code & 0x3333_3333) << 2 | code >> 2 & 0x3333_3333
}

/// What a symmetry does to the code of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Turn {
    /// Bits of the code.
    bits: u8,
    /// Bits that it is turned by.
    shift: u8,
    reversed: bool,
}

impl Turn {
    /// The code as this symmetry shows it, with the colours exchanged if `swap` is 1.
    #[inline(always)]
    pub(crate) fn apply(self, code: u32, swap: u32) -> u32 {
        let back = (reversed(code) as u64) << self.bits >> 32;
        let code = if self.reversed { back } else { code as u64 };
        let around = code << self.shift | code >> (self.bits - self.shift);
        let code = around as u32 & (u32::MAX as u64 >> (32 - self.bits)) as u32;
        let stones = (code ^ code >> 1) & 0x5555_5555 & swap.wrapping_neg();
        code ^ (stones | stones << 1)
    }
}

/// A family as playouts see it.
pub(crate) struct Frame {
    /// Stages that see nothing but the eight neighbours, and their cells.
    pub(crate) near_stages: usize,
    pub(crate) near_cells: usize,
    /// The cells of the stages beyond in order around the point.
    pub(crate) outer: Vec<Vec<usize>>,
    /// The symmetries that can be applied to codes, none first: which of the family's, and how.
    pub(crate) turns: Vec<(usize, [Turn; STAGES])>,
}

fn offset(sight: &Sight) -> Offset {
    match sight {
        Sight::Point(o) => *o,
        Sight::Sector(_) => unreachable!("playouts follow families of points only"),
    }
}

impl Frame {
    pub(crate) fn new(family: &Family) -> Frame {
        let is_near = |stage: &usize| {
            family.cells(*stage).iter().all(|cell| offset(cell).chebyshev() == 1)
        };
        let near_stages = (0..family.stages()).take_while(is_near).count();
        let end = |stages: usize| if stages == 0 { 0 } else { family.cells(stages - 1).len() };
        let near_cells = end(near_stages);
        let all = family.cells(family.stages() - 1);
        let angle = |&cell: &usize| {
            let o = offset(&all[cell]);
            (o.dy as f64).atan2(o.dx as f64)
        };
        let outer: Vec<Vec<usize>> = (near_stages..family.stages())
            .map(|stage| {
                let mut cells: Vec<usize> = (end(stage)..end(stage + 1)).collect();
                cells.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
                cells
            })
            .collect();
        let images = family.images().iter().enumerate();
        let turns = images.filter_map(|(i, image)| Some((i, turns(&outer, image)?))).collect();
        Frame { near_stages, near_cells, outer, turns }
    }

    /// The code of the neighbours in the order of the family's cells.
    pub(crate) fn near_code(&self, states: &[State], black: State) -> u32 {
        let cells = self.near_cells.min(states.len());
        (0..cells).fold(0, |code, i| code | bits(states[i], black) << (2 * i))
    }

    /// The code of a stage beyond the neighbours.
    pub(crate) fn outer_code(&self, outer: usize, states: &[State], black: State) -> u32 {
        let cells = self.outer[outer].iter().enumerate();
        cells.fold(0, |code, (i, &cell)| code | bits(states[cell], black) << (2 * i))
    }
}

/// What a symmetry does to the codes of all stages, if it only turns and reverses them.
fn turns(outer: &[Vec<usize>], image: &[u16]) -> Option<[Turn; STAGES]> {
    let mut all = [Turn::default(); STAGES];
    for (turn, cells) in all.iter_mut().zip(outer) {
        let n = cells.len();
        // Where each cell goes, as a place in the order.
        let place = |cell: u16| cells.iter().position(|&c| c == cell as usize);
        let to: Vec<usize> = cells.iter().map(|&c| place(image[c])).collect::<Option<_>>()?;
        let fits = |reversed: bool, by: usize| {
            let moved = |i: usize| if reversed { n - 1 - i } else { i };
            to.iter().enumerate().all(|(i, &t)| (moved(i) + by) % n == t)
        };
        let found = [false, true].into_iter().flat_map(|r| (0..n).map(move |by| (r, by)));
        let (reversed, by) = found.into_iter().find(|&(r, by)| fits(r, by))?;
        *turn = Turn { bits: 2 * n as u8, shift: 2 * by as u8, reversed };
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A symmetry of the states and the turn of the codes come to the same.
    #[test]
    fn codes_turn_as_the_family_does() {
        for (name, symmetries) in [("N9", 8), ("CP", 2), ("Diamonds(4)", 8), ("Neumann(2)", 1)] {
            let family = Family::parse(name).unwrap();
            let frame = Frame::new(&family);
            assert!(frame.turns.len() >= symmetries, "{name}: {}", frame.turns.len());
            let cells = family.cells(family.stages() - 1).len();
            let mut seed = 1u64;
            let states: Vec<State> = (0..cells)
                .map(|_| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
                    State::from_number((seed >> 60) as u8 % 4).unwrap()
                })
                .collect();
            for &(i, turns) in &frame.turns {
                let mut turned = states.clone();
                for (cell, &to) in family.images()[i].iter().enumerate() {
                    turned[to as usize] = states[cell];
                }
                for outer in 0..frame.outer.len() {
                    let code = frame.outer_code(outer, &states, State::Own);
                    let own = frame.outer_code(outer, &turned, State::Own);
                    let enemy = frame.outer_code(outer, &turned, State::Enemy);
                    assert_eq!(turns[outer].apply(code, 0), own, "{name} {i} {outer}");
                    assert_eq!(turns[outer].apply(code, 1), enemy, "{name} {i} {outer}");
                    assert_eq!(swapped(own), enemy);
                }
            }
        }
    }
}
