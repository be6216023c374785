//! A problem seen as a whole: which moves come into question, whose stones are hemmed in, and how
//! much room each side has. What is said of single moves is in [`crate::facts`].

use std::collections::VecDeque;

use goban::{Board, Cell, Color, Point, PointMap, PointSet, ladder::Ladders};

/// Moves within this Manhattan distance of a stone come into question.
pub const REACH: u8 = 2;

/// Paths longer than this are not followed.
const FAR: u8 = 12;

/// Regions with more points than this are open country, not eye space.
const WIDE: usize = 24;

/// The moves that come into question: legal, and near a stone. In reading order.
pub fn moves_near_stones(board: &Board, to_play: Color, reach: u8) -> Vec<Point> {
    let near = within(board, reach, |p| board.cell(p).color().is_some());
    board.empties().filter(|&p| near.contains(p) && board.is_legal(p, to_play)).collect()
}

/// The points within a Manhattan distance of those that are wanted.
pub fn within(board: &Board, distance: u8, wanted: impl Fn(Point) -> bool) -> PointSet {
    let size = board.size();
    let reach = distance as i8;
    let mut near = PointSet::EMPTY;
    for stone in size.points().filter(|&p| wanted(p)) {
        for dy in -reach..=reach {
            let wide = reach - dy.abs();
            for dx in -wide..=wide {
                if let Some(p) = stone.offset(dx, dy, size) {
                    near.insert(p);
                }
            }
        }
    }
    near
}

/// Steps from the nearest stone of each colour over empty points.
pub(crate) struct Paths {
    steps: [PointMap<u8>; 2],
}

impl Paths {
    pub(crate) fn new(board: &Board) -> Paths {
        let mut steps = [PointMap::filled(FAR), PointMap::filled(FAR)];
        for color in Color::BOTH {
            let steps = &mut steps[color.index()];
            let mut queue = VecDeque::with_capacity(64);
            for p in board.size().points().filter(|&p| board.cell(p) == Cell::from(color)) {
                steps[p] = 0;
                queue.push_back(p);
            }
            while let Some(p) = queue.pop_front() {
                let next = steps[p] + 1;
                if next >= FAR {
                    break;
                }
                for q in board.neighbours(p) {
                    if board.cell(q) == Cell::Empty && steps[q] > next {
                        steps[q] = next;
                        queue.push_back(q);
                    }
                }
            }
        }
        Paths { steps }
    }

    pub(crate) fn steps(&self, color: Color, p: Point) -> u8 {
        self.steps[color.index()][p]
    }

    /// Empty points of an area that are nearer to a colour than to the other.
    pub(crate) fn room(&self, board: &Board, area: &PointSet, color: Color) -> usize {
        let nearer = |p: &Point| self.steps(color, *p) < self.steps(!color, *p);
        area.iter().filter(|&p| board.cell(p) == Cell::Empty).filter(nearer).count()
    }
}

/// Points that stones of one colour and the edge enclose: empty, or the other colour's stones.
pub(crate) struct Regions {
    place: PointMap<u8>,
    pub(crate) regions: Vec<Region>,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Region {
    pub(crate) points: usize,
    pub(crate) empties: usize,
    /// The most neighbours that a point of it has inside.
    pub(crate) degree: usize,
}

const NO_REGION: u8 = u8::MAX;

impl Regions {
    /// The small regions of a colour.
    pub(crate) fn new(board: &Board, color: Color) -> Regions {
        let mut place = PointMap::filled(NO_REGION);
        let mut seen = PointSet::EMPTY;
        let mut regions = Vec::new();
        for start in board.size().points() {
            if board.cell(start) == Cell::from(color) || seen.contains(start) {
                continue;
            }
            let mut points = vec![start];
            seen.insert(start);
            let mut next = 0;
            while let Some(&p) = points.get(next) {
                next += 1;
                for q in board.neighbours(p) {
                    if board.cell(q) != Cell::from(color) && seen.insert(q) {
                        points.push(q);
                    }
                }
            }
            if points.len() > WIDE || regions.len() >= NO_REGION as usize {
                continue;
            }
            let inside = |p: Point| {
                board.neighbours(p).filter(|&q| board.cell(q) != Cell::from(color)).count()
            };
            let empties = points.iter().filter(|&&p| board.cell(p) == Cell::Empty).count();
            for &p in &points {
                place[p] = regions.len() as u8;
            }
            let degree = points.iter().map(|&p| inside(p)).max().unwrap_or(0);
            regions.push(Region { points: points.len(), empties, degree });
        }
        Regions { place, regions }
    }

    pub(crate) fn at(&self, p: Point) -> Option<&Region> {
        self.regions.get(self.place[p] as usize)
    }
}

/// Chains of one colour that share liberties and so stand or fall together.
#[derive(Clone)]
pub(crate) struct Group {
    pub(crate) color: Color,
    pub(crate) stones: PointSet,
    pub(crate) liberties: PointSet,
    /// Empty points that are nearer to it than to the other colour.
    pub(crate) room: usize,
}

impl Group {
    /// Room for each stone: who is hemmed in has little.
    pub(crate) fn ease(&self) -> f32 {
        self.room as f32 / (self.stones.len() as f32 + 1.0)
    }
}

fn groups(board: &Board, paths: &Paths) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for chain in board.all_chains() {
        let Some(first) = board.chain_stones(chain).next() else { continue };
        let Some(color) = board.cell(first).color() else { continue };
        let mut joined = Group {
            color,
            stones: board.chain_stones(chain).collect(),
            liberties: board.liberty_set(chain),
            room: 0,
        };
        let mut i = 0;
        while i < groups.len() {
            let mut common = groups[i].liberties;
            common.intersect(&joined.liberties);
            if groups[i].color == color && !common.is_empty() {
                let other = groups.swap_remove(i);
                joined.stones.unite(&other.stones);
                joined.liberties.unite(&other.liberties);
                // What it has gained may touch groups that were passed already.
                i = 0;
            } else {
                i += 1;
            }
        }
        groups.push(joined);
    }
    for group in &mut groups {
        group.room = room_of(board, paths, group);
    }
    // All chains and points come in a fixed order, but groups were swapped about.
    groups.sort_by_key(|group| group.stones.iter().next().map(|p| board.size().reading_index(p)));
    groups
}

/// Empty points reached from a group over empty points before the other colour is there.
fn room_of(board: &Board, paths: &Paths, group: &Group) -> usize {
    let mut seen = PointSet::EMPTY;
    let mut queue: VecDeque<(Point, u8)> = VecDeque::new();
    for p in group.liberties.iter() {
        if seen.insert(p) {
            queue.push_back((p, 1));
        }
    }
    let mut room = 0;
    while let Some((p, steps)) = queue.pop_front() {
        if steps >= paths.steps(!group.color, p) || steps >= FAR {
            continue;
        }
        room += 1;
        for q in board.neighbours(p) {
            if board.cell(q) == Cell::Empty && seen.insert(q) {
                queue.push_back((q, steps + 1));
            }
        }
    }
    room
}

/// Stones that a ladder catches, of a colour: all, and the chains by one of their stones.
pub(crate) fn caught(board: &Board, color: Color, ladders: &mut Ladders) -> usize {
    let mut stones = 0;
    for chain in board.all_chains() {
        let Some(first) = board.chain_stones(chain).next() else { continue };
        if board.cell(first) == Cell::from(color)
            && board.liberty_count(chain) <= 2
            && ladders.can_catch(board, first)
        {
            stones += board.length(chain);
        }
    }
    stones
}

/// A problem seen as a whole. See the module documentation.
pub struct Scene<'a> {
    pub(crate) board: &'a Board,
    pub(crate) to_play: Color,
    pub(crate) moves: Vec<Point>,
    pub(crate) paths: Paths,
    /// Of black and white.
    pub(crate) regions: [Regions; 2],
    /// The group of each colour that is hemmed in most.
    pub(crate) targets: [Option<Group>; 2],
    /// What is near the one of them that has less room.
    pub(crate) arena: PointSet,
    /// Stones of each colour that are caught in a ladder if the other moves first.
    pub(crate) caught: [usize; 2],
    /// Room of each colour in the arena.
    pub(crate) room: [usize; 2],
    pub(crate) stones: Vec<(Point, Color)>,
}

impl<'a> Scene<'a> {
    /// Looks at a position.
    pub fn new(board: &'a Board, to_play: Color) -> Scene<'a> {
        let paths = Paths::new(board);
        let groups = groups(board, &paths);
        let target = |color: Color| {
            let of_color = || groups.iter().filter(move |group| group.color == color);
            let tightest = |least: usize| {
                of_color()
                    .filter(|group| group.stones.len() >= least)
                    .min_by(|a, b| a.ease().total_cmp(&b.ease()))
            };
            tightest(3).or_else(|| tightest(1)).cloned()
        };
        let targets = Color::BOTH.map(target);
        let prey = match &targets {
            [Some(black), Some(white)] if white.ease() < black.ease() => Some(white),
            [Some(black), _] => Some(black),
            [None, other] => other.as_ref(),
        };
        let arena = match prey {
            Some(group) => within(board, 3, |p| group.stones.contains(p)),
            None => PointSet::EMPTY,
        };
        let mut ladders = Ladders::new();
        let cells = board.size().points();
        let stones = cells.filter_map(|p| Some((p, board.cell(p).color()?))).collect();
        Scene {
            moves: moves_near_stones(board, to_play, REACH),
            regions: Color::BOTH.map(|color| Regions::new(board, color)),
            caught: Color::BOTH.map(|color| caught(board, color, &mut ladders)),
            room: Color::BOTH.map(|color| paths.room(board, &arena, color)),
            board,
            to_play,
            paths,
            targets,
            arena,
            stones,
        }
    }

    /// The moves that come into question.
    pub fn moves(&self) -> &[Point] {
        &self.moves
    }
}
