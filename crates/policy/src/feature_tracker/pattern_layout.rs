//! Which patterns of a family a stone belongs to on a board of one size, as tables: made once, shared by
//! all that follow games.

use goban::{Point, PointMap, Size};
use shape::{CLASSES, Family, MOST_CELLS, Seal, Sight, State, class, key};

/// The most symmetries under which a pattern can be the same.
pub(crate) const IMAGES: usize = 8;

/// A pattern that a stone belongs to: the point and part that see the stone, and in which cell.
#[derive(Clone, Copy)]
pub(crate) struct Sighting {
    /// The point and the part, see [`PatternLayout::slot`].
    pub(crate) slot: u32,
    pub(crate) stage: u8,
    pub(crate) cell: u8,
}

/// How the patterns of a family lie on a board of one size.
pub struct PatternLayout {
    family: Family,
    size: Size,
    /// The points of the board in reading order; places in this list are used instead of points.
    points: Vec<Point>,
    places: PointMap<u16>,
    classes: Vec<u8>,
    /// By place of the stone: all that see it.
    seen_by: Vec<Vec<Sighting>>,
    /// By cell, then own and enemy: what the stone adds to the hash in each orientation.
    keys: Vec<[[u64; IMAGES]; 2]>,
    /// Hashes of the rings of each slot on an empty board: what is off it.
    edges: Vec<[u64; IMAGES]>,
    /// By class, then stage.
    seals: Vec<Seal>,
    /// Whether the hashes of stones are enough: no sectors, no ataris.
    plain: bool,
}

impl PatternLayout {
    /// The layout of a family on boards of this size.
    pub fn new(family: Family, size: Size) -> PatternLayout {
        let points: Vec<Point> = size.points().collect();
        let mut places = PointMap::filled(u16::MAX);
        for (place, &p) in points.iter().enumerate() {
            places[p] = place as u16;
        }
        let cells = family.cells(family.stages() - 1);
        let images = family.images();
        let plain = !family.sees_atari()
            && matches!(images.len(), 1 | 2 | 8)
            && cells.iter().all(|c| matches!(c, Sight::Point(_)));
        let turned = |cell: usize, state: State| -> [u64; IMAGES] {
            std::array::from_fn(|i| images.get(i).map_or(0, |to| key(to[cell] as usize, state)))
        };
        let keys = (0..cells.len()).map(|c| [State::Own, State::Enemy].map(|s| turned(c, s)));
        let keys = keys.collect();
        let mut layout = PatternLayout {
            classes: points.iter().map(|&p| class(p, size)).collect(),
            seen_by: vec![Vec::new(); points.len()],
            edges: vec![[0; IMAGES]; points.len() * family.parts() * family.stages()],
            seals: (0..CLASSES * family.stages())
                .map(|i| Seal::new(i % family.stages(), (i / family.stages()) as u8))
                .collect(),
            keys,
            points,
            places,
            plain,
            size,
            family,
        };
        if plain {
            layout.fill();
        }
        layout
    }

    fn fill(&mut self) {
        let family = self.family.clone();
        let cells = family.cells(family.stages() - 1);
        debug_assert!(cells.len() <= MOST_CELLS);
        for place in 0..self.points.len() {
            for part in 0..family.parts() {
                let slot = self.slot(place, part);
                for (cell, sight) in cells.iter().enumerate() {
                    let Sight::Point(o) = sight else { continue };
                    let (dx, dy) = family.turn(part).apply_offset(o.dx, o.dy);
                    let stage = family.stage_of(cell);
                    match self.points[place].offset(dx, dy, self.size) {
                        Some(q) => self.seen_by[self.places[q] as usize].push(Sighting {
                            slot: slot as u32,
                            stage: stage as u8,
                            cell: cell as u8,
                        }),
                        None if family.sees_edge() => {
                            let edge = &mut self.edges[slot * family.stages() + stage];
                            for (hash, image) in edge.iter_mut().zip(family.images()) {
                                *hash ^= key(image[cell] as usize, State::Edge);
                            }
                        }
                        None => {}
                    }
                }
            }
        }
    }

    /// The family.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// The board size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The points of the board, in reading order.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The place of a point in [`PatternLayout::points`].
    #[inline]
    pub fn place(&self, p: Point) -> usize {
        self.places[p] as usize
    }

    /// The number of a part at a place.
    #[inline]
    pub fn slot(&self, place: usize, part: usize) -> usize {
        place * self.family.parts() + part
    }

    /// The class of a place.
    #[inline]
    pub fn class(&self, place: usize) -> u8 {
        self.classes[place]
    }

    /// Whether the hashes of stones are enough: no sectors, no ataris.
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// Number of parts of all places.
    pub fn slots(&self) -> usize {
        self.points.len() * self.family.parts()
    }

    /// All that see a stone at a place.
    #[inline]
    pub(crate) fn seen_by(&self, place: usize) -> &[Sighting] {
        &self.seen_by[place]
    }

    /// What a stone in a cell adds to the hash in each orientation, own and enemy.
    #[inline]
    pub(crate) fn keys(&self, cell: u8) -> &[[u64; IMAGES]; 2] {
        &self.keys[cell as usize]
    }

    /// The hash of a ring on an empty board.
    #[inline]
    pub(crate) fn edge(&self, slot: usize, stage: usize) -> &[u64; IMAGES] {
        &self.edges[slot * self.family.stages() + stage]
    }

    /// The seals of the stages of a slot.
    #[inline]
    pub(crate) fn seals(&self, slot: usize) -> &[Seal] {
        let stages = self.family.stages();
        let sees = self.family.sees_class();
        let class = if sees { self.classes[slot / self.family.parts()] as usize } else { 0 };
        &self.seals[class * stages..(class + 1) * stages]
    }
}
