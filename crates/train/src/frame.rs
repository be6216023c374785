//! What a family sees on a board of one size, as tables: made once, shared by all that follow games.

use goban::{Color, Point, PointMap, Size};
use shape::{CLASSES, Family, MOST_CELLS, PatternId, Seal, Sight, State, class, key};

/// The most symmetries under which a pattern can be the same.
pub(crate) const IMAGES: usize = 8;

/// A stone's part in a pattern: which point and part see it, in which cell.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    /// The point and the part, see [`Frame::slot`].
    pub(crate) slot: u32,
    pub(crate) stage: u8,
    pub(crate) cell: u8,
}

/// The tables of a family on a board size.
pub struct Frame {
    family: Family,
    size: Size,
    /// The points of the board in reading order; places in this list are used instead of points.
    points: Vec<Point>,
    places: PointMap<u16>,
    classes: Vec<u8>,
    /// By place of the stone: all that see it.
    seen_by: Vec<Vec<Seen>>,
    /// By cell, then own and enemy: what the stone adds to the hash in each orientation.
    keys: Vec<[[u64; IMAGES]; 2]>,
    /// Hashes of the rings of each slot on an empty board: what is off it.
    edges: Vec<[u64; IMAGES]>,
    /// By class, then stage.
    seals: Vec<Seal>,
    /// Whether the hashes of stones are enough: no sectors, no ataris.
    plain: bool,
}

impl Frame {
    /// The tables of a family on boards of this size.
    pub fn new(family: Family, size: Size) -> Frame {
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
        let mut frame = Frame {
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
            frame.fill();
        }
        frame
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
                        Some(q) => self.seen_by[self.places[q] as usize].push(Seen {
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

    /// The place of a point in [`Frame::points`].
    #[inline]
    pub fn place(&self, p: Point) -> usize {
        self.places[p] as usize
    }

    /// The number of a part at a place.
    #[inline]
    pub(crate) fn slot(&self, place: usize, part: usize) -> usize {
        place * self.family.parts() + part
    }

    /// The class of a place.
    #[inline]
    pub fn class(&self, place: usize) -> u8 {
        self.classes[place]
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    pub(crate) fn slots(&self) -> usize {
        self.points.len() * self.family.parts()
    }

    /// The class that is part of the patterns of a slot.
    #[inline]
    fn pattern_class(&self, slot: usize) -> u8 {
        if self.family.sees_class() { self.classes[slot / self.family.parts()] } else { 0 }
    }
}

/// The hashes of every pattern of a board, in the eyes of both players and in all orientations,
/// kept up to date stone by stone: by slot, colour and ring, a number for each orientation.
pub(crate) struct Rings<'a> {
    frame: &'a Frame,
    /// Orientations that the family has.
    images: usize,
    stages: usize,
    hashes: Vec<u64>,
    /// By colour: slots that changed since they were last taken, and from which stage on.
    changed: [Vec<u8>; 2],
    lists: [Vec<u32>; 2],
}

const UNCHANGED: u8 = u8::MAX;

impl<'a> Rings<'a> {
    pub(crate) fn new(frame: &'a Frame) -> Rings<'a> {
        let (images, stages) = (frame.family.images().len(), frame.family.stages());
        let len = frame.slots() * 2 * stages * images;
        let mut rings = Rings {
            frame,
            images,
            stages,
            hashes: vec![0; len],
            changed: [0, 1].map(|_| vec![UNCHANGED; frame.slots()]),
            lists: [Vec::new(), Vec::new()],
        };
        rings.clear();
        rings
    }

    /// The empty board; every pattern is new.
    pub(crate) fn clear(&mut self) {
        let (images, stages) = (self.images, self.stages);
        for slot in 0..self.frame.slots() {
            for color in 0..2 {
                for stage in 0..stages {
                    let edge = &self.frame.edges[slot * stages + stage];
                    let at = ((slot * 2 + color) * stages + stage) * images;
                    self.hashes[at..at + images].copy_from_slice(&edge[..images]);
                }
                self.mark(color, slot, 0);
            }
        }
    }

    /// A stone comes or goes: the same, since hashes are sums without carry.
    pub(crate) fn toggle(&mut self, place: usize, color: Color) {
        match self.images {
            8 => self.toggle_images::<8>(place, color),
            2 => self.toggle_images::<2>(place, color),
            n => self.toggle_some(place, color, n),
        }
    }

    #[inline(always)]
    fn toggle_images<const N: usize>(&mut self, place: usize, color: Color) {
        self.toggle_some(place, color, N);
    }

    #[inline(always)]
    fn toggle_some(&mut self, place: usize, color: Color, images: usize) {
        let frame = self.frame;
        for seen in &frame.seen_by[place] {
            let slot = seen.slot as usize;
            let keys = &frame.keys[seen.cell as usize];
            for player in Color::BOTH {
                let own = (player != color) as usize;
                let ring = (slot * 2 + player.index()) * self.stages + seen.stage as usize;
                let hashes = &mut self.hashes[ring * images..(ring + 1) * images];
                for (hash, key) in hashes.iter_mut().zip(&keys[own][..images]) {
                    *hash ^= key;
                }
                self.mark(player.index(), slot, seen.stage);
            }
        }
    }

    #[inline(always)]
    fn mark(&mut self, color: usize, slot: usize, stage: u8) {
        let changed = &mut self.changed[color][slot];
        if *changed == UNCHANGED {
            self.lists[color].push(slot as u32);
        }
        *changed = (*changed).min(stage);
    }

    /// All parts of a place are to be looked at again.
    pub(crate) fn mark_place(&mut self, place: usize) {
        for part in 0..self.frame.family.parts() {
            for color in 0..2 {
                self.mark(color, self.frame.slot(place, part), 0);
            }
        }
    }

    /// Hands over the slots that changed for a player since the last time, each with the first
    /// stage that did.
    pub(crate) fn take_changed(&mut self, color: Color, mut take: impl FnMut(&Self, usize, usize)) {
        let mut list = std::mem::take(&mut self.lists[color.index()]);
        for slot in list.drain(..) {
            let slot = slot as usize;
            let changed = &mut self.changed[color.index()][slot];
            let stage = std::mem::replace(changed, UNCHANGED);
            take(self, slot, stage as usize);
        }
        self.lists[color.index()] = list;
    }

    /// The identities of the patterns of a slot from stage `from` on, as long as `more` says so.
    #[inline]
    pub(crate) fn ids(
        &self,
        color: Color,
        slot: usize,
        from: usize,
        more: impl FnMut(usize, PatternId) -> bool,
    ) {
        match self.images {
            8 => self.ids_of::<8>(color, slot, from, more),
            2 => self.ids_of::<2>(color, slot, from, more),
            _ => self.ids_of::<1>(color, slot, from, more),
        }
    }

    #[inline(always)]
    fn ids_of<const N: usize>(
        &self,
        color: Color,
        slot: usize,
        from: usize,
        mut more: impl FnMut(usize, PatternId) -> bool,
    ) {
        let class = self.frame.pattern_class(slot) as usize;
        let seals = &self.frame.seals[class * self.stages..(class + 1) * self.stages];
        let start = (slot * 2 + color.index()) * self.stages * N;
        let rings = &self.hashes[start..start + self.stages * N];
        let mut sums = [0; N];
        for (stage, ring) in rings.chunks_exact(N).enumerate() {
            for (sum, hash) in sums.iter_mut().zip(ring) {
                *sum ^= hash;
            }
            if stage >= from {
                let least = sums.iter().copied().min().unwrap_or_default();
                if !more(stage, seals[stage].close(least)) {
                    return;
                }
            }
        }
    }
}
