//! The identity of patterns: the same number in all symmetries and for both colours.

use std::fmt::Write;

use goban::zobrist::mix;

use crate::family::{Family, Sight, State, View};

/// The identity of a pattern: equal for patterns that differ by a symmetry of their family or by
/// an exchange of the colours with the player to move. 64 well mixed bits; among ten million
/// patterns the chance that any two meet is one in 400,000.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PatternId(pub u64);

/// The number that a state of a cell adds to a hash. Empty adds nothing, so that a hash changes
/// with stones only.
#[inline]
pub const fn key(cell: usize, state: State) -> u64 {
    match state {
        State::Empty => 0,
        state => mix(cell as u64 * 8 + state as u64),
    }
}

/// Makes identities of one stage and class out of hashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seal(u64);

impl Seal {
    /// The seal of a stage and a class, 0 in families that do not see the class.
    pub const fn new(stage: usize, class: u8) -> Seal {
        Seal(mix(1 << 40 | (stage as u64) << 8 | class as u64))
    }

    /// The identity of a pattern whose stones hash to this, the least over the symmetries of the
    /// family.
    #[inline]
    pub const fn close(self, hash: u64) -> PatternId {
        PatternId(mix(hash ^ self.0))
    }
}

/// The least hash over the symmetries of the family, and the symmetry that gives it.
fn least(family: &Family, states: &[State]) -> (u64, usize) {
    let hash = |image: &Vec<u16>| {
        states.iter().zip(image).fold(0, |hash, (&state, &to)| hash ^ key(to as usize, state))
    };
    let hashes = family.images().iter().map(hash).enumerate().map(|(i, hash)| (hash, i));
    hashes.min().expect("a family has at least the identity")
}

impl View<'_> {
    /// The identity of the pattern at a stage.
    pub fn id(&self, stage: usize) -> PatternId {
        Seal::new(stage, self.class).close(least(self.family, self.states(stage)).0)
    }

    /// The pattern at a stage in its canonical orientation.
    pub fn pattern(&self, stage: usize) -> Pattern {
        Pattern::new(self.family, stage, self.class, self.states(stage))
    }
}

/// A pattern by its stones, in canonical orientation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern {
    /// Its stage.
    pub stage: usize,
    /// The class of its point; 0 in families that do not see it.
    pub class: u8,
    /// What its cells show.
    pub states: Vec<State>,
}

impl Pattern {
    /// The pattern of these states in any orientation.
    pub fn new(family: &Family, stage: usize, class: u8, states: &[State]) -> Pattern {
        let image = &family.images()[least(family, states).1];
        let mut turned = vec![State::Empty; states.len()];
        for (&state, &to) in states.iter().zip(image) {
            turned[to as usize] = state;
        }
        Pattern { stage, class, states: turned }
    }

    /// The identity.
    pub fn id(&self, family: &Family) -> PatternId {
        Seal::new(self.stage, self.class).close(least(family, &self.states).0)
    }

    /// The pattern as the opponent sees it.
    pub fn swapped(&self, family: &Family) -> Pattern {
        let states: Vec<State> = self.states.iter().map(|s| s.swapped()).collect();
        Pattern::new(family, self.stage, self.class, &states)
    }

    /// The pattern that a smaller stage sees of this one.
    pub fn at_stage(&self, family: &Family, stage: usize) -> Pattern {
        Pattern::new(family, stage, self.class, &self.states[..family.cells(stage).len()])
    }

    /// The states packed into bytes, [`Family::bits`] each.
    pub fn pack(&self, family: &Family) -> Vec<u8> {
        let bits = family.bits();
        let mut bytes = vec![0; (self.states.len() * bits).div_ceil(8)];
        for (i, &state) in self.states.iter().enumerate() {
            for bit in 0..bits {
                let at = i * bits + bit;
                bytes[at / 8] |= (state as u8 >> bit & 1) << (at % 8);
            }
        }
        bytes
    }

    /// The pattern of packed states; `None` if a state does not exist or bytes are missing.
    pub fn unpack(family: &Family, stage: usize, class: u8, bytes: &[u8]) -> Option<Pattern> {
        let bits = family.bits();
        let cells = family.cells(stage).len();
        let state = |i: usize| {
            let mut number = 0;
            for bit in 0..bits {
                let at = i * bits + bit;
                number |= (bytes.get(at / 8)? >> (at % 8) & 1) << bit;
            }
            State::from_number(number)
        };
        let states: Option<Vec<State>> = (0..cells).map(state).collect();
        Some(Pattern { stage, class, states: states? })
    }

    /// The pattern as text: `X` own, `O` enemy, `.` empty, `#` edge, `x` and `o` stones in atari,
    /// `*` the point itself; a blank is not seen. A sector is shown on each of its points as `1`
    /// (own) or `2` (enemy), or `:` if neutral.
    pub fn draw(&self, family: &Family) -> String {
        let rows = self.grid(family);
        let lines = rows.iter().map(|row| {
            let line: Vec<String> = row.iter().map(char::to_string).collect();
            line.join(" ").trim_end().to_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn grid(&self, family: &Family) -> Vec<Vec<char>> {
        let cells = family.cells(self.stage);
        let offsets = cells.iter().flat_map(|cell| match cell {
            Sight::Point(o) => std::slice::from_ref(o),
            Sight::Sector(os) => os,
        });
        let reach = offsets.map(|o| o.chebyshev()).max().unwrap_or(0) as i8;
        let side = 2 * reach as usize + 1;
        let mut rows = vec![vec![' '; side]; side];
        let mut put = |dx: i8, dy: i8, c: char| {
            rows[(reach - dy) as usize][(reach + dx) as usize] = c;
        };
        put(0, 0, '*');
        for (cell, &state) in cells.iter().zip(&self.states) {
            match cell {
                Sight::Point(o) => put(o.dx, o.dy, symbol(state)),
                Sight::Sector(os) => {
                    let c = match state {
                        State::Own => '1',
                        State::Enemy => '2',
                        _ => ':',
                    };
                    os.iter().for_each(|o| put(o.dx, o.dy, c));
                }
            }
        }
        rows
    }

    /// The pattern as a picture: black stones are own, white the enemy's, crosshatched the edge.
    pub fn to_svg(&self, family: &Family) -> String {
        const STEP: usize = 20;
        let rows = self.grid(family);
        let whole = rows.len() * STEP;
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" width="{whole}" height="{whole}" role="img"><title>{} pattern</title>"##,
            family.name()
        );
        for (y, row) in rows.iter().enumerate() {
            for (x, &c) in row.iter().enumerate() {
                let (cx, cy) = (x * STEP + STEP / 2, y * STEP + STEP / 2);
                let (left, top) = (x * STEP, y * STEP);
                let ground = match c {
                    ' ' => continue,
                    '#' => "#7a6a4a",
                    '1' => "#8a7a55",
                    '2' => "#f3e6c8",
                    _ => "#e3b567",
                };
                let _ = write!(
                    svg,
                    r##"<rect x="{left}" y="{top}" width="{STEP}" height="{STEP}" fill="{ground}"/>"##
                );
                if c == '#' {
                    continue;
                }
                let _ = write!(
                    svg,
                    r##"<path d="M{left} {cy}h{STEP}M{cx} {top}v{STEP}" stroke="#4a3714"/>"##
                );
                let fill = match c {
                    'X' | 'x' => "#1b1b1b",
                    'O' | 'o' => "#fafafa",
                    '*' => "#c33",
                    _ => continue,
                };
                let r = if c == '*' { 4 } else { 9 };
                let rim = if c.is_lowercase() { "#c33" } else { "#333" };
                let _ = write!(
                    svg,
                    r##"<circle cx="{cx}" cy="{cy}" r="{r}" fill="{fill}" stroke="{rim}"/>"##
                );
            }
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn symbol(state: State) -> char {
    match state {
        State::Empty => '.',
        State::Own => 'X',
        State::Enemy => 'O',
        State::Edge => '#',
        State::OwnAtari => 'x',
        State::EnemyAtari => 'o',
    }
}
