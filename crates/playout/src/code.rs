//! How playouts write down what a family sees at a point.
//!
//! The first stages see the eight neighbours, which the board keeps as a ring. Each stage beyond is
//! a *code*: a bit a cell for black stones and one for white ones, both for the edge, the cells in
//! order around the point. In that order a symmetry turns a code around and perhaps reverses it,
//! whatever the stage, and exchanging the colours exchanges its halves: a few shifts, no table.

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

/// Exchanges black and white in what is seen of the neighbours: two bits a cell.
#[inline(always)]
pub(crate) const fn near_swapped(code: u32) -> u32 {
    let stones = (code ^ code >> 1) & 0x5555_5555;
    code ^ (stones | stones << 1)
}

/// Where the bits of white stones begin in a code.
pub(crate) const WHITE: u32 = 16;

/// A cell of two bits as it stands in a code.
const fn in_code(bits: u32, place: u8) -> u32 {
    (bits & 1) << place | (bits >> 1) << place << WHITE
}

/// How a code is read: the symmetry (3 bits), whether the colours are exchanged, and whether the
/// symmetry reverses codes. The last two are the shifts that do it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Shown(u8);

impl Shown {
    pub(crate) fn new(turn: usize, reversed: bool, swap: usize) -> Shown {
        Shown((turn | swap << 4 | (reversed as usize) << 5) as u8)
    }

    pub(crate) const fn from_bits(bits: u8) -> Shown {
        Shown(bits)
    }

    #[inline(always)]
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    #[inline(always)]
    pub(crate) const fn turn(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The lower half for the upper one and the other way round, if the colours are exchanged.
    #[inline(always)]
    pub(crate) const fn exchange(self, halves: u32) -> u32 {
        halves.rotate_left(self.0 as u32 & 16)
    }
}

/// The code of a stage, in order in the lower half and in the opposite order in the upper one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Code(u64);

impl Code {
    pub(crate) const EMPTY: Code = Code(0);

    /// A cell that stands at these places, in order and in the opposite order, and nothing else.
    pub(crate) fn cell(bits: u32, [place, opposite]: [u8; 2]) -> Code {
        Code(in_code(bits, place) as u64 | (in_code(bits, opposite) as u64) << 32)
    }

    /// Changes cells; [`WHITE`] as a shift makes white ones of the black ones of the other.
    #[inline(always)]
    pub(crate) fn flip(&mut self, other: Code, shift: u32) {
        self.0 ^= other.0 << shift;
    }

    /// The code as it is shown, but for the turn.
    #[inline(always)]
    pub(crate) const fn read(self, shown: Shown) -> u32 {
        shown.exchange((self.0 >> (shown.0 & 32)) as u32)
    }
}

/// What a symmetry does to the code of a stage, after it was perhaps reversed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Turn {
    /// Cells that it is turned by, and what comes there.
    pub(crate) shift: u8,
    shifted: u32,
    /// Cells from there to the end, and what comes around to the beginning.
    rest: u8,
    around: u32,
    /// Whether it is the code in the opposite order that is turned.
    pub(crate) reversed: bool,
}

impl Turn {
    /// A turn of so many cells by `shift`.
    fn new(cells: usize, shift: usize, reversed: bool) -> Turn {
        let first = |n: usize| ((1u32 << n) - 1) * (1 | 1 << WHITE);
        Turn {
            shift: shift as u8,
            shifted: first(cells) & !first(shift),
            rest: (cells - shift) as u8,
            around: first(shift),
            reversed,
        }
    }

    /// The code turned around.
    #[inline(always)]
    pub(crate) const fn apply(self, code: u32) -> u32 {
        code << self.shift & self.shifted | code >> self.rest & self.around
    }
}

/// A family as playouts see it.
pub(crate) struct CodeLayout {
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

impl CodeLayout {
    pub(crate) fn new(family: &Family) -> CodeLayout {
        let is_near =
            |stage: &usize| family.cells(*stage).iter().all(|cell| offset(cell).chebyshev() == 1);
        let near_stages = (0..family.stages()).take_while(is_near).count();
        let end = |stages: usize| if stages == 0 { 0 } else { family.cells(stages - 1).len() };
        let near_cells = end(near_stages);
        let all = family.cells(family.stages() - 1);
        // From the middle of the quadrant with positive offsets around: so the quadrant of a collage,
        // which is opposite, is in one piece and its mirror image is its reverse.
        let angle = |&cell: &usize| {
            let o = offset(&all[cell]);
            let (x, y) = ((o.dx + o.dy) as f64, (o.dy - o.dx) as f64);
            y.atan2(x).rem_euclid(std::f64::consts::TAU)
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
        CodeLayout { near_stages, near_cells, outer, turns }
    }

    /// The code of the neighbours in the order of the family's cells.
    pub(crate) fn near_code(&self, states: &[State], black: State) -> u32 {
        let cells = self.near_cells.min(states.len());
        (0..cells).fold(0, |code, i| code | bits(states[i], black) << (2 * i))
    }

    /// The code of a stage beyond the neighbours.
    pub(crate) fn outer_code(&self, outer: usize, states: &[State], black: State) -> u32 {
        let cells = self.outer[outer].iter().enumerate();
        cells.fold(0, |code, (i, &cell)| code | in_code(bits(states[cell], black), i as u8))
    }

    /// Where a cell of a stage stands in its code, and in the code in the opposite order.
    pub(crate) fn places(&self, outer: usize, i: usize) -> [u8; 2] {
        [i as u8, (self.outer[outer].len() - 1 - i) as u8]
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
        *turn = Turn::new(n, by, reversed);
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
            let layout = CodeLayout::new(&family);
            assert!(layout.turns.len() >= symmetries, "{name}: {}", layout.turns.len());
            let cells = family.cells(family.stages() - 1).len();
            let mut seed = 1u64;
            let states: Vec<State> = (0..cells)
                .map(|_| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
                    State::from_number((seed >> 60) as u8 % 4).unwrap()
                })
                .collect();
            for &(i, turns) in &layout.turns {
                let mut turned = states.clone();
                for (cell, &to) in family.images()[i].iter().enumerate() {
                    turned[to as usize] = states[cell];
                }
                for (outer, turn) in turns.into_iter().enumerate().take(layout.outer.len()) {
                    let own = layout.outer_code(outer, &turned, State::Own);
                    let enemy = layout.outer_code(outer, &turned, State::Enemy);
                    let mut code = Code::EMPTY;
                    for (i, &cell) in layout.outer[outer].iter().enumerate() {
                        let cell = bits(states[cell], State::Own);
                        code.flip(Code::cell(cell, layout.places(outer, i)), 0);
                    }
                    for (swap, shown) in [own, enemy].into_iter().enumerate() {
                        let read = code.read(Shown::new(0, turn.reversed, swap));
                        assert_eq!(turn.apply(read), shown, "{name} {i} {outer}");
                    }
                    assert!(name != "CP" || turn.shift == 0);
                }
            }
        }
    }
}
