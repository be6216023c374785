//! Groups: chains that belong together, how strong they are, and whether they live.
//!
//! Chains are joined by links that hold and by sharing an enclosed region. The thesis took groups of
//! at most four stones for weak; here the ends of playouts say how often a group's stones survive,
//! and eyes and liberties correct what random play gets wrong.

use goban::{Board, Chain, Color, Point, PointMap, PointSet};

use crate::eyes::{Eye, eyes, invaded};
use crate::links::{Link, links};

/// Whether a group lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Life {
    /// It lives, or nearly always survives.
    Alive,
    /// It depends on who moves.
    Unsettled,
    /// It hardly ever survives.
    Dead,
}

impl Life {
    /// In a word.
    pub const fn word(self) -> &'static str {
        match self {
            Life::Alive => "alive",
            Life::Unsettled => "unsettled",
            Life::Dead => "dead",
        }
    }
}

/// Chains that belong together.
#[derive(Clone, Debug)]
pub struct Group {
    /// Whose stones.
    pub color: Color,
    /// The stones.
    pub stones: PointSet,
    /// The empty points beside them.
    pub liberties: PointSet,
    /// Its chains, as the place of one stone each, in the order of reading.
    pub chains: Vec<Point>,
    /// The enclosed regions that touch it.
    pub eyes: Vec<Eye>,
    /// How surely it survives, 0 to 1.
    pub strength: f32,
    /// Whether it lives.
    pub life: Life,
}

impl Group {
    /// A stone to call it by: the first in the order of reading.
    pub fn name(&self) -> Point {
        self.chains[0]
    }

    /// Eyes that it has, halves where it depends on who moves first.
    pub fn eye_count(&self) -> f32 {
        self.eyes.iter().fold(0.0, |sum, eye| sum + eye.worth)
    }
}

/// The groups of a position, and which each stone belongs to.
#[derive(Clone, Debug)]
pub struct Groups {
    /// The groups in the order of reading.
    pub list: Vec<Group>,
    /// The links between their chains, also those that can be cut.
    pub links: Vec<Link>,
    place: PointMap<Option<u16>>,
}

impl Groups {
    /// The groups of a position. `ownership` is from -1 for White to +1 for Black, as the ends of
    /// playouts give it.
    pub fn new(board: &Board, ownership: &PointMap<f32>) -> Groups {
        let links = links(board);
        let dead = hopeless(board, ownership);
        let mut eyes = eyes(board, &dead);
        // What playouts give up has eyes too: its own, within those of the opponent.
        let own = crate::eyes::eyes(board, &PointSet::EMPTY);
        let is_new = |eye: &Eye| {
            let same = |known: &&Eye| known.color == eye.color;
            eyes.iter()
                .filter(same)
                .all(|known| eye.points.iter().all(|p| !known.points.contains(p)))
        };
        let own: Vec<Eye> = own.into_iter().filter(is_new).collect();
        eyes.extend(own);
        eyes.extend(invaded(board, &eyes));
        let mut union = Union::new(board);
        for link in links.iter().filter(|link| link.holds()) {
            union.join(board, link.ends);
        }
        for eye in &eyes {
            let around = eye.points.iter().flat_map(|p| board.neighbours(p));
            let own: Vec<Point> =
                around.filter(|&q| board.cell(q).color() == Some(eye.color)).collect();
            for pair in own.windows(2) {
                union.join(board, [pair[0], pair[1]]);
            }
        }
        let mut groups = Groups { list: Vec::new(), links, place: PointMap::filled(None) };
        for p in board.size().points() {
            if board.chain(p).is_some() && groups.place[p].is_none() {
                groups.add(board, p, &mut union, &eyes, ownership);
            }
        }
        groups
    }

    /// The group that the stone at `p` belongs to.
    pub fn at(&self, p: Point) -> Option<&Group> {
        self.list.get(usize::from(self.place[p]?))
    }

    /// The stones of groups that are dead.
    pub fn dead(&self) -> PointSet {
        let dead = self.list.iter().filter(|group| group.life == Life::Dead);
        dead.flat_map(|group| group.stones.iter()).collect()
    }

    fn add(
        &mut self,
        board: &Board,
        first: Point,
        union: &mut Union,
        eyes: &[Eye],
        ownership: &PointMap<f32>,
    ) {
        let Some(color) = board.cell(first).color() else { return };
        let root = union.root(board, first);
        let number = self.list.len() as u16;
        let mut group = Group {
            color,
            stones: PointSet::EMPTY,
            liberties: PointSet::EMPTY,
            chains: Vec::new(),
            eyes: Vec::new(),
            strength: 0.0,
            life: Life::Alive,
        };
        for p in board.size().points() {
            let Some(chain) = board.chain(p) else { continue };
            if self.place[p].is_none() && union.root(board, p) == root {
                group.chains.push(p);
                board.add_liberties(chain, &mut group.liberties);
                for q in board.chain_stones(chain) {
                    group.stones.insert(q);
                    self.place[q] = Some(number);
                }
            }
        }
        let touches = |eye: &&Eye| {
            eye.color == color
                && eye.points.iter().any(|p| board.neighbours(p).any(|q| group.stones.contains(q)))
        };
        group.eyes = eyes.iter().filter(touches).cloned().collect();
        (group.strength, group.life) = judge(&group, ownership);
        self.list.push(group);
    }
}

/// Chains that are the opponent's at the end of nearly every playout: an eye may be around them.
fn hopeless(board: &Board, ownership: &PointMap<f32>) -> PointSet {
    let mut dead = PointSet::EMPTY;
    for chain in board.all_chains() {
        let kept = |p: Point| sign(board.cell(p).color()) * ownership[p];
        let sum: f32 = board.chain_stones(chain).map(kept).sum();
        if sum / (board.length(chain) as f32) < -0.7 {
            dead.extend(board.chain_stones(chain));
        }
    }
    dead
}

fn sign(color: Option<Color>) -> f32 {
    if color == Some(Color::White) { -1.0 } else { 1.0 }
}

/// How surely a group survives: how often it does in playouts, at least 0.97 with two eyes that are
/// there already (no more than the opponent can fill), a little less with few liberties and no eye.
///
/// A group with no liberties but in its eyes lives or dies by their shape, which random play does not
/// see: it fills a square of four as if it were two eyes. Only a group that playouts are sure of has
/// another way out, the capture of what surrounds it.
fn judge(group: &Group, ownership: &PointMap<f32>) -> (f32, Life) {
    let sum: f32 = group.stones.iter().map(|p| sign(Some(group.color)) * ownership[p]).sum();
    let kept = (1.0 + sum / group.stones.len() as f32) / 2.0;
    let whole = group.eyes.iter().fold(0.0, |sum, eye| sum + eye.worth.floor());
    let in_eyes = |p: Point| group.eyes.iter().any(|eye| eye.points.contains(p));
    let shut_in = group.liberties.iter().all(in_eyes);
    let strength = match (whole, group.liberties.len()) {
        (2.0.., _) => kept.max(0.97),
        // Who moves next decides, and playouts do not always see it.
        (0.0, 1) => kept.min(0.5),
        _ if shut_in && group.eye_count() > 1.0 => kept.clamp(0.3, 0.7),
        _ if shut_in && kept < ESCAPES => kept.min(0.2),
        (0.0, 2) => kept.min(0.85),
        _ => kept,
    };
    let life = match strength {
        0.75.. => Life::Alive,
        0.25.. => Life::Unsettled,
        _ => Life::Dead,
    };
    (strength, life)
}

/// A group without two eyes that survives this often captures what surrounds it.
const ESCAPES: f32 = 0.8;

/// Chains joined to groups, by the place of their slot.
struct Union(Vec<u16>);

impl Union {
    fn new(board: &Board) -> Union {
        let slots = board.all_chains().map(Chain::index).max().map_or(0, |most| most + 1);
        Union((0..slots as u16).collect())
    }

    fn root(&mut self, board: &Board, p: Point) -> Option<u16> {
        let mut at = board.chain(p)?.index() as u16;
        while self.0[usize::from(at)] != at {
            at = self.0[usize::from(at)];
        }
        Some(at)
    }

    fn join(&mut self, board: &Board, [a, b]: [Point; 2]) {
        if let (Some(a), Some(b)) = (self.root(board, a), self.root(board, b)) {
            self.0[usize::from(a.max(b))] = a.min(b);
        }
    }
}
