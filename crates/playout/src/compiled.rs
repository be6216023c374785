//! A move model made ready for playouts on one board size.

use std::collections::HashMap;

use goban::{Point, PointMap, Size};
use policy::{Meaning, Model, Use};
use shape::{Family, Offset, Sight, class, offsets};

use crate::code::{Code, CodeLayout};
use crate::sampler::LOOKS;
use crate::tactic::Tactic;
use crate::trie::Trie;
use crate::values::Near;

/// The most parts and stages that playouts follow.
pub(crate) const PARTS: usize = 4;
pub(crate) const STAGES: usize = 8;
/// The most cells a stage may add: two bits each in one word.
const CELLS: usize = 16;

/// Codes of the stages of all parts.
pub(crate) type Codes = [[Code; STAGES]; PARTS];

/// Why a model cannot be used in playouts.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotForPlayouts {
    /// A model for the tree.
    #[error("the model {0:?} is for the tree search; playouts need one made for them")]
    Tree(String),
    /// A model with pairs of features.
    #[error("the model {0:?} counts pairs of features, which playouts cannot follow")]
    Pairs(String),
    /// More patterns than a table can have.
    #[error(
        "the patterns of the model need {slots} places, playouts have 16,777,216: learn it with \
         fewer patterns"
    )]
    TooMany {
        /// Places they would need.
        slots: usize,
    },
    /// A family that playouts cannot follow.
    #[error(
        "playouts cannot follow the pattern family {0}: they know families of plain points with at \
         most 16 new points a stage (3x3, N2 to N9, CP, Diamonds and Neumann up to 4 and 2, Moore(1))"
    )]
    Family(String),
}

/// What a stone changes: the code of a stage of a part of a point that sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Update {
    /// From the stone to that part of that point in the lower half, in the upper one the stage,
    /// counted from the first that sees beyond the neighbours. Points have one part or four.
    looks: [u32; 2],
    /// A black stone there.
    pub(crate) black: Code,
}

impl Update {
    /// The look-up of that part and stage for a sampler with one part a point or four, from that of
    /// the stone.
    #[inline(always)]
    pub(crate) const fn look<const P: usize>(&self, stone: u32) -> u32 {
        const { assert!(P == 1 || P == PARTS) };
        stone.wrapping_add(self.looks[(P > 1) as usize])
    }
}

/// A model for playouts on one board size: every weight with its filter applied and where the
/// playout finds it. Made once, then shared by all threads.
pub struct Compiled {
    pub(crate) size: Size,
    pub(crate) parts: usize,
    /// Stages that see beyond the neighbours.
    pub(crate) outer: usize,
    pub(crate) trie: Trie,
    pub(crate) tactic: Tactic,
    /// The updates of a stone at each point: a range of `updates`. Points that are seen by the
    /// same neighbourhood share one.
    pub(crate) lists: PointMap<(u32, u32)>,
    pub(crate) updates: Vec<Update>,
    /// The weight of the class of each point.
    pub(crate) bases: PointMap<f32>,
    /// Codes on an empty board: what is off it.
    pub(crate) edges: Box<[Codes]>,
    pub(crate) near: Near,
    pub(crate) cut: f32,
}

impl Compiled {
    /// Makes a model ready for a board size.
    ///
    /// # Errors
    /// Why the model is not for playouts.
    pub fn new(model: &Model, size: Size) -> Result<Compiled, NotForPlayouts> {
        if model.about.of != Use::Mc {
            return Err(NotForPlayouts::Tree(model.about.name.clone()));
        }
        if model.has_pairs() {
            return Err(NotForPlayouts::Pairs(model.about.name.clone()));
        }
        let family = model.family();
        check(family)?;
        let weight = |meaning| {
            let feature = Use::Mc.number(meaning).expect("a feature of playouts");
            model.feature_weight(feature).powf(model.filter)
        };
        let layout = CodeLayout::new(family);
        let mut bases = PointMap::filled(0.0);
        let mut all_edges = vec![[[Code::EMPTY; STAGES]; PARTS]; PointMap::<()>::LEN];
        for p in size.points() {
            bases[p] = weight(Meaning::Position(class(p, size)));
            all_edges[p.index()] = edges(family, &layout, size, p);
        }
        let far = weight(Meaning::Last(5));
        let near: Vec<(Offset, f32)> = offsets(Offset::remi, 1, 4)
            .into_iter()
            .map(|o| (o, within_reason(weight(Meaning::Last(o.remi())) / far)))
            .collect();
        let (lists, updates) = updates(family, &layout, size);
        let longest = size.points().map(|p| (lists[p].1 - lists[p].0) as usize).max();
        assert!(8 * family.parts() + longest.unwrap_or(0) <= LOOKS, "a stone is seen too often");
        Ok(Compiled {
            size,
            parts: family.parts(),
            outer: layout.outer.len(),
            trie: Trie::new(model, &layout, size)?,
            tactic: Tactic::new(model),
            lists,
            updates,
            bases,
            edges: all_edges.into(),
            near: Near::new(near.try_into().expect("twelve points are nearer than 5")),
            cut: model.cut,
        })
    }

    /// The board size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Bytes that the patterns take.
    pub fn pattern_bytes(&self) -> usize {
        self.trie.bytes()
    }
}

/// A factor with which no product or sum overflows or vanishes, whatever the weights are.
pub(crate) fn within_reason(factor: f32) -> f32 {
    if factor.is_nan() { 1.0 } else { factor.clamp(1e-9, 1e9) }
}

/// Whether playouts can follow a family.
///
/// # Errors
/// If they cannot.
pub fn check(family: &Family) -> Result<(), NotForPlayouts> {
    let fits = family.parts() <= PARTS && family.stages() <= STAGES && !family.sees_atari();
    let plain = family
        .cells(family.stages() - 1)
        .iter()
        .all(|cell| matches!(cell, Sight::Point(o) if o.chebyshev() <= 7));
    let small = (0..family.stages()).all(|stage| ring(family, stage).len() <= CELLS);
    if fits && plain && small {
        Ok(())
    } else {
        Err(NotForPlayouts::Family(family.name().to_owned()))
    }
}

/// The cells that a stage adds.
fn ring(family: &Family, stage: usize) -> &[Sight] {
    let start = if stage == 0 { 0 } else { family.cells(stage - 1).len() };
    &family.cells(stage)[start..]
}

/// All that a family sees beyond the neighbours: part, stage, place in the code, and offset on the
/// board.
fn sights<'a>(
    family: &'a Family,
    layout: &'a CodeLayout,
) -> impl Iterator<Item = (usize, usize, usize, Offset)> + 'a {
    let cells = family.cells(family.stages() - 1);
    let codes = (0..family.parts())
        .flat_map(|part| layout.outer.iter().enumerate().map(move |c| (part, c)));
    codes.flat_map(move |(part, (outer, code))| {
        let turn = family.turn(part);
        code.iter().enumerate().filter_map(move |(i, &cell)| match &cells[cell] {
            Sight::Point(o) => {
                let (dx, dy) = turn.apply_offset(o.dx, o.dy);
                Some((part, outer, i, Offset::new(dx, dy)))
            }
            Sight::Sector(_) => None,
        })
    })
}

/// The updates of a stone at each point.
fn updates(
    family: &Family,
    layout: &CodeLayout,
    size: Size,
) -> (PointMap<(u32, u32)>, Vec<Update>) {
    let mut all = Vec::new();
    let mut known = HashMap::new();
    let mut lists = PointMap::filled((0, 0));
    for stone in size.points() {
        let seen_by: Vec<Update> = sights(family, layout)
            .filter_map(|(part, outer, i, o)| {
                let q = stone.offset(-o.dx, -o.dy, size)?;
                let look = |parts: usize| {
                    let there = (outer << 16) + parts * q.index() + part;
                    there.wrapping_sub(parts * stone.index()) as u32
                };
                let black = Code::cell(1, layout.places(outer, i));
                Some(Update { looks: [look(1), look(PARTS)], black })
            })
            .collect();
        lists[stone] = *known.entry(seen_by).or_insert_with_key(|list: &Vec<Update>| {
            let start = all.len() as u32;
            all.extend_from_slice(list);
            (start, all.len() as u32)
        });
    }
    (lists, all)
}

fn edges(family: &Family, layout: &CodeLayout, size: Size, p: Point) -> Codes {
    let mut codes = [[Code::EMPTY; STAGES]; PARTS];
    if family.sees_edge() {
        for (part, outer, i, o) in sights(family, layout) {
            if p.offset(o.dx, o.dy, size).is_none() {
                codes[part][outer].flip(Code::cell(3, layout.places(outer, i)), 0);
            }
        }
    }
    codes
}
