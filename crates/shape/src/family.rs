//! Families of patterns, each a description in a few lines: what is seen at which stage.
//!
//! A pattern of a family at a point is what its *cells* show, in the eyes of the player to move. The
//! cells come in *stages*, each adding some to those before, so that a dictionary can answer with
//! the largest pattern it knows. A family has one or more *parts*: a centre pattern is one part in
//! any orientation; a collage is four quadrants, each the same frame turned.

use std::fmt;

use goban::{Board, Cell, Color, Point, Symmetry};

use crate::distance::{Offset, class, offsets};
use crate::pattern::Pattern;

/// What a cell shows to the player to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum State {
    /// Empty, or off the board in families that do not tell the edge; neutral for a sector.
    #[default]
    Empty = 0,
    /// The player's stone.
    Own = 1,
    /// The opponent's stone.
    Enemy = 2,
    /// Off the board.
    Edge = 3,
    /// The player's stone whose chain has one liberty.
    OwnAtari = 4,
    /// The opponent's stone whose chain has one liberty.
    EnemyAtari = 5,
}

impl State {
    /// The state with this number.
    pub fn from_number(n: u8) -> Option<State> {
        use State::*;
        [Empty, Own, Enemy, Edge, OwnAtari, EnemyAtari].get(n as usize).copied()
    }

    /// What the opponent sees.
    pub fn swapped(self) -> State {
        match self {
            State::Own => State::Enemy,
            State::Enemy => State::Own,
            State::OwnAtari => State::EnemyAtari,
            State::EnemyAtari => State::OwnAtari,
            same => same,
        }
    }
}

/// One thing that a pattern sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sight {
    /// What is at a point.
    Point(Offset),
    /// Who is stronger in a region: stones count 1 / distance, and a sum beyond 1/3 decides.
    Sector(Vec<Offset>),
}

impl Sight {
    fn turned(&self, symmetry: Symmetry) -> Sight {
        let turn = |o: Offset| {
            let (dx, dy) = symmetry.apply_offset(o.dx, o.dy);
            Offset::new(dx, dy)
        };
        match self {
            Sight::Point(o) => Sight::Point(turn(*o)),
            Sight::Sector(os) => {
                let mut turned: Vec<Offset> = os.iter().map(|&o| turn(o)).collect();
                turned.sort();
                Sight::Sector(turned)
            }
        }
    }
}

/// The most cells a family may have, so that looking allocates nothing.
pub const MOST_CELLS: usize = 256;

/// A family of patterns. See the module documentation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Family {
    name: String,
    cells: Vec<Sight>,
    /// Stage `s` sees the cells below `ends[s]`.
    ends: Vec<usize>,
    /// How the frame is turned for each part.
    parts: Vec<Symmetry>,
    /// For each symmetry under which patterns are the same: where each cell goes.
    images: Vec<Vec<u16>>,
    sees_edge: bool,
    sees_class: bool,
    sees_atari: bool,
}

/// The four rotations, starting with none.
const ROTATIONS: [usize; 4] = [0, 5, 3, 6];

impl Family {
    /// Describes a family: the cells that each stage adds, the turns of its parts, and the
    /// symmetries (besides none) under which its patterns are the same.
    fn new(name: String, stages: Vec<Vec<Sight>>, parts: &[usize], same: &[usize]) -> Family {
        let mut ends = Vec::new();
        let mut cells = Vec::new();
        for stage in stages {
            cells.extend(stage);
            ends.push(cells.len());
        }
        assert!(cells.len() <= MOST_CELLS, "{name} has {} cells", cells.len());
        let image = |&i: &usize| -> Vec<u16> {
            let place = |cell: &Sight| {
                let turned = cell.turned(Symmetry::ALL[i]);
                let place = cells.iter().position(|c| *c == turned);
                place.expect("a symmetry of a family keeps its cells") as u16
            };
            cells.iter().map(place).collect()
        };
        let images = [0].iter().chain(same).map(image).collect();
        let parts = parts.iter().map(|&i| Symmetry::ALL[i]).collect();
        Family {
            name,
            cells,
            ends,
            parts,
            images,
            sees_edge: false,
            sees_class: false,
            sees_atari: false,
        }
    }

    /// A family around the point that is the same in all eight symmetries.
    fn centred(name: String, stages: Vec<Vec<Offset>>) -> Family {
        let stages = stages.into_iter().map(points).collect();
        Family::new(name, stages, &[0], &[1, 2, 3, 4, 5, 6, 7])
    }

    /// N_d: the stones within Rémi distance d, nested from 2 up to d (2 to 9), with the class of
    /// the point. The edge looks empty; the class tells where it is.
    pub fn nested(d: u8) -> Family {
        assert!((2..=9).contains(&d), "N{d} is not described");
        let stages = (2..=d).map(|d| offsets(Offset::remi, d, d)).collect();
        Family { sees_class: true, ..Family::centred(format!("N{d}"), stages) }
    }

    /// Collage: four overlapping quadrants of five stages (4, 8, 14, 19, 25 points), each matched
    /// on its own; with the class of the point.
    pub fn collage() -> Family {
        // The quadrant with negative offsets; the others are its rotations.
        let rings: [&[(i8, i8)]; 5] = [
            &[(-1, 0), (0, -1), (1, 0), (0, 1)],
            &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
            &[(-2, 0), (0, -2), (-2, -1), (-1, -2), (-2, 1), (1, -2)],
            &[(-2, -2), (-3, 0), (0, -3), (-3, -1), (-1, -3)],
            &[(-3, -2), (-2, -3), (-4, 0), (0, -4), (-4, -1), (-1, -4)],
        ];
        let stages = rings
            .iter()
            .map(|ring| points(ring.iter().map(|&(dx, dy)| Offset::new(dx, dy)).collect()))
            .collect();
        // Exchanging columns and rows (4) keeps the quadrant.
        let family = Family::new("CP".to_owned(), stages, &ROTATIONS, &[4]);
        Family { sees_class: true, ..family }
    }

    /// The eight neighbours and the edge.
    pub fn three() -> Family {
        let ring = offsets(Offset::chebyshev, 1, 1);
        Family { sees_edge: true, ..Family::centred("3x3".to_owned(), vec![ring]) }
    }

    /// The eight neighbours and the edge, stones in atari told apart.
    pub fn three_atari() -> Family {
        Family { name: "3x3 atari".to_owned(), sees_atari: true, ..Family::three() }
    }

    /// The points within Manhattan distance d (1 to 8), all at once, with the edge.
    pub fn neumann(d: u8) -> Family {
        assert!((1..=8).contains(&d), "Neumann({d}) is not described");
        let name = format!("Neumann({d})");
        let stage = offsets(Offset::manhattan, 1, d);
        Family { sees_edge: true, ..Family::centred(name, vec![stage]) }
    }

    /// The square of d (1 to 7) points to each side, all at once, with the edge.
    pub fn moore(d: u8) -> Family {
        assert!((1..=7).contains(&d), "Moore({d}) is not described");
        let name = format!("Moore({d})");
        let stage = offsets(Offset::chebyshev, 1, d);
        Family { sees_edge: true, ..Family::centred(name, vec![stage]) }
    }

    /// Diamonds nested from Manhattan distance 1 up to d (1 to 8), with the edge.
    pub fn diamonds(d: u8) -> Family {
        assert!((1..=8).contains(&d), "Diamonds({d}) is not described");
        let stages = (1..=d).map(|d| offsets(Offset::manhattan, d, d)).collect();
        Family { sees_edge: true, ..Family::centred(format!("Diamonds({d})"), stages) }
    }

    /// The eight neighbours exactly, then eight sectors around them out to Rémi distance 9, each
    /// black, white or neutral; with the class of the point.
    pub fn fuzzy() -> Family {
        let around = offsets(Offset::remi, 4, 9);
        // A sector is named by the direction it lies in: along an axis or between two.
        let direction = |o: &Offset| {
            let (x, y) = (o.dx.unsigned_abs(), o.dy.unsigned_abs());
            (if 2 * x <= y { 0 } else { o.dx.signum() }, if 2 * y <= x { 0 } else { o.dy.signum() })
        };
        let mut directions: Vec<(i8, i8)> = around.iter().map(direction).collect();
        directions.sort();
        directions.dedup();
        let sectors = directions.iter().map(|d| {
            let mut sector: Vec<Offset> =
                around.iter().filter(|o| direction(o) == *d).copied().collect();
            sector.sort();
            Sight::Sector(sector)
        });
        let stages = vec![points(offsets(Offset::remi, 2, 3)), sectors.collect()];
        let family = Family::new("Fuzzy".to_owned(), stages, &[0], &[1, 2, 3, 4, 5, 6, 7]);
        Family { sees_class: true, ..family }
    }

    /// The family of a name: `N2` to `N9`, `CP`, `3x3`, `3x3 atari`, `Neumann(D)`, `Moore(D)`,
    /// `Diamonds(D)`, `Fuzzy`; any case.
    pub fn parse(name: &str) -> Option<Family> {
        let name = name.trim().to_ascii_lowercase();
        let number = |prefix: &str, most: u8| -> Option<u8> {
            let inside = name.strip_prefix(prefix)?.strip_suffix(')')?;
            inside.parse().ok().filter(|d| (1..=most).contains(d))
        };
        match name.as_str() {
            "cp" => return Some(Family::collage()),
            "3x3" => return Some(Family::three()),
            "3x3 atari" => return Some(Family::three_atari()),
            "fuzzy" => return Some(Family::fuzzy()),
            _ => {}
        }
        if let Some(d) = name.strip_prefix('n').and_then(|d| d.parse().ok()) {
            return (2..=9).contains(&d).then(|| Family::nested(d));
        }
        None.or_else(|| number("neumann(", 8).map(Family::neumann))
            .or_else(|| number("moore(", 7).map(Family::moore))
            .or_else(|| number("diamonds(", 8).map(Family::diamonds))
    }

    /// The name, which [`Family::parse`] reads.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of stages.
    pub fn stages(&self) -> usize {
        self.ends.len()
    }

    /// Number of parts.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// How the frame is turned for a part.
    pub fn turn(&self, part: usize) -> Symmetry {
        self.parts[part]
    }

    /// The cells that patterns up to `stage` see.
    pub fn cells(&self, stage: usize) -> &[Sight] {
        &self.cells[..self.ends[stage]]
    }

    /// The first stage that sees the cell with this number.
    pub fn stage_of(&self, cell: usize) -> usize {
        self.ends.partition_point(|&end| end <= cell)
    }

    /// Whether off the board looks different from empty.
    pub fn sees_edge(&self) -> bool {
        self.sees_edge
    }

    /// Whether the class of the point is part of a pattern.
    pub fn sees_class(&self) -> bool {
        self.sees_class
    }

    /// Whether stones in atari look different.
    pub fn sees_atari(&self) -> bool {
        self.sees_atari
    }

    /// Bits that hold the state of a cell.
    pub fn bits(&self) -> usize {
        if self.sees_atari { 3 } else { 2 }
    }

    /// For each symmetry under which patterns are the same, none first: where each cell goes.
    pub fn images(&self) -> &[Vec<u16>] {
        &self.images
    }

    /// A pattern in every orientation in which it is the same pattern, itself first; some may be
    /// equal.
    pub fn turned(&self, pattern: &Pattern) -> impl Iterator<Item = Pattern> {
        let turn = |image: &Vec<u16>| {
            let mut states = vec![State::Empty; pattern.states.len()];
            for (&state, &to) in pattern.states.iter().zip(image) {
                states[to as usize] = state;
            }
            Pattern { states, ..*pattern }
        };
        self.images.iter().map(turn)
    }

    /// The points of the board that a part sees from `p`, by cell; `None` off the board. Cells
    /// that are sectors have no point of their own.
    pub fn place(&self, cell: usize, part: usize, p: Point, board: &Board) -> Option<Point> {
        match &self.cells[cell] {
            Sight::Point(o) => self.step(*o, part, p, board),
            Sight::Sector(_) => None,
        }
    }

    fn step(&self, o: Offset, part: usize, p: Point, board: &Board) -> Option<Point> {
        let (dx, dy) = self.parts[part].apply_offset(o.dx, o.dy);
        p.offset(dx, dy, board.size())
    }

    /// What a part of the family shows at `p` to `color`, all stages.
    pub fn look(&self, board: &Board, p: Point, color: Color, part: usize) -> View<'_> {
        let mut states = [State::Empty; MOST_CELLS];
        for (state, cell) in states.iter_mut().zip(&self.cells) {
            *state = match cell {
                Sight::Point(o) => self.state(board, self.step(*o, part, p, board), color),
                Sight::Sector(os) => self.balance(board, os, p, color, part),
            };
        }
        let class = if self.sees_class { class(p, board.size()) } else { 0 };
        View { family: self, states, class }
    }

    fn state(&self, board: &Board, point: Option<Point>, color: Color) -> State {
        let Some(q) = point else {
            return if self.sees_edge { State::Edge } else { State::Empty };
        };
        let in_atari = || {
            self.sees_atari && board.chain(q).is_some_and(|chain| board.liberty_count(chain) == 1)
        };
        match board.cell(q).color() {
            None => State::Empty,
            Some(c) if c == color => {
                if in_atari() {
                    State::OwnAtari
                } else {
                    State::Own
                }
            }
            Some(_) => {
                if in_atari() {
                    State::EnemyAtari
                } else {
                    State::Enemy
                }
            }
        }
    }

    fn balance(&self, b: &Board, os: &[Offset], p: Point, color: Color, part: usize) -> State {
        // In 1/2520ths, which all distances up to 10 divide, so that no rounding decides.
        let mut sum = 0;
        for &o in os {
            if let Some(q) = self.step(o, part, p, b) {
                let weight = 2520 / o.remi() as i32;
                sum += match b.cell(q) {
                    Cell::Empty | Cell::Edge => 0,
                    cell if cell == Cell::from(color) => weight,
                    _ => -weight,
                };
            }
        }
        match sum {
            s if s > 2520 / 3 => State::Own,
            s if s < -2520 / 3 => State::Enemy,
            _ => State::Empty,
        }
    }
}

fn points(offsets: Vec<Offset>) -> Vec<Sight> {
    offsets.into_iter().map(Sight::Point).collect()
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

/// What a part of a family shows at a point.
#[derive(Clone)]
pub struct View<'a> {
    pub(crate) family: &'a Family,
    pub(crate) states: [State; MOST_CELLS],
    pub(crate) class: u8,
}

impl View<'_> {
    /// The states of the cells that `stage` sees.
    pub fn states(&self, stage: usize) -> &[State] {
        &self.states[..self.family.ends[stage]]
    }

    /// The class of the point, 0 in families that do not see it.
    pub fn class(&self) -> u8 {
        self.class
    }
}
