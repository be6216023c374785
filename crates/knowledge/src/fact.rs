//! Facts: what a move does that a player would mention, as data that words are made from.

use goban::ladder::Ladders;
use goban::{Board, Cell, Color, Point, PointMap, PointSet};

use crate::groups::{Groups, Life};
use crate::influence::Influence;
use crate::links::LinkKind;
use crate::region::Region;

/// Some stones of one player, called by one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stones {
    /// Whose.
    pub color: Color,
    /// The first of them in the order of reading.
    pub at: Point,
    /// How many.
    pub count: usize,
}

/// Something that a move does.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact {
    /// Takes stones off, and so frees as many own stones from atari.
    Captures(Stones, usize),
    /// Catches stones in a ladder.
    Ladder(Stones),
    /// Puts stones into atari that can still get away.
    Atari(Stones),
    /// Brings own stones out of atari.
    Saves(Stones),
    /// Runs with own stones that are caught in a ladder all the same.
    RunsInLadder(Stones),
    /// Protects own stones that could have been caught in a ladder.
    StopsLadder(Stones),
    /// Leaves the own stones with one liberty.
    SelfAtari(Stones),
    /// Fills the last eye but one, or an eye, of the player's own.
    FillsEye,
    /// Takes a ko.
    Ko,
    /// Joins two own groups.
    Connects(Stones, Stones),
    /// Takes two groups of the opponent's apart.
    Cuts(Stones, Stones),
    /// Makes an eye for an own group.
    MakesEye(Stones),
    /// Takes an eye from a group of the opponent's.
    TakesEye(Stones),
    /// Is linked to an own stone in this shape.
    Shape(LinkKind, Point),
    /// Is the first stone far and wide.
    Opens(Region),
    /// Reaches this many points more.
    Reaches(i32),
}

impl Fact {
    /// Whether it speaks against the move.
    pub fn is_bad(&self) -> bool {
        matches!(self, Fact::RunsInLadder(_) | Fact::SelfAtari(_) | Fact::FillsEye)
    }
}

/// A large gain of influence: a stone in the open reaches thirteen points.
const REACH: i32 = 7;

/// What a legal move does, what matters most first. `ownership` is that of the position before it.
pub fn facts(board: &Board, ownership: &PointMap<f32>, p: Point, color: Color) -> Vec<Fact> {
    let mut after = board.clone();
    after.play_assume_legal(p, color, &mut ());
    let view = View { board, after, p, color };
    let mut found = Vec::new();
    if board.is_eye(p, color) {
        found.push(Fact::FillsEye);
    }
    view.captures(&mut found);
    view.chases(&mut found);
    view.own(&mut found);
    if view.after.ko(!color).is_some() {
        found.push(Fact::Ko);
    }
    let (before, then) = (Groups::new(board, ownership), Groups::new(&view.after, ownership));
    view.joins(&before, &then, &mut found);
    view.eyes(&before, &then, &mut found);
    if view.stones_near(5) == 0 {
        found.push(Fact::Opens(Region::of(p, board.size())));
    } else if !board.ring(p).has_neighbour(color) && found.is_empty() {
        let from = then.links.iter().filter(|link| link.ends.contains(&p) && link.holds());
        if let Some(link) = from.min_by_key(|link| link.kind) {
            let other = if link.ends[0] == p { link.ends[1] } else { link.ends[0] };
            found.push(Fact::Shape(link.kind, other));
        }
    }
    // Where something happens nobody counts what a stone reaches.
    let is_quiet = |fact: &Fact| matches!(fact, Fact::Shape(..) | Fact::Opens(_));
    let gain = Influence::new(board).gain(board, p, color);
    if gain >= REACH && found.iter().all(is_quiet) {
        found.push(Fact::Reaches(gain));
    }
    found
}

/// The chain of a stone as stones.
fn chain_of(board: &Board, p: Point) -> Option<Stones> {
    let color = board.cell(p).color()?;
    let set: PointSet = board.chain_stones(board.chain(p)?).collect();
    Some(Stones::new(board, color, &set))
}

impl Stones {
    /// These stones, of which there is one at least.
    pub fn new(board: &Board, color: Color, set: &PointSet) -> Stones {
        let at = board.size().points().find(|&p| set.contains(p));
        Stones { color, at: at.expect("there are stones"), count: set.len() }
    }
}

struct View<'a> {
    board: &'a Board,
    after: Board,
    p: Point,
    color: Color,
}

impl View<'_> {
    /// The chains of a colour beside the move, each once.
    fn beside(&self, color: Color) -> Vec<Stones> {
        let mut found: Vec<Stones> = Vec::new();
        for q in self.board.neighbours(self.p) {
            if self.board.cell(q) == Cell::from(color)
                && let Some(stones) = chain_of(self.board, q)
                && !found.contains(&stones)
            {
                found.push(stones);
            }
        }
        found
    }

    fn liberties(&self, board: &Board, stones: &Stones) -> usize {
        board.chain(stones.at).map_or(0, |chain| board.liberty_count(chain))
    }

    fn captures(&self, found: &mut Vec<Fact>) {
        let taken = self.board.captures(self.p, self.color);
        if taken.is_empty() {
            return;
        }
        let mut freed = PointSet::EMPTY;
        for q in taken.iter().flat_map(|p| self.board.neighbours(p)) {
            let own = self.board.cell(q) == Cell::from(self.color);
            if let Some(chain) =
                self.board.chain(q).filter(|&c| own && self.board.liberty_count(c) == 1)
            {
                freed.extend(self.board.chain_stones(chain));
            }
        }
        found.push(Fact::Captures(Stones::new(self.board, !self.color, &taken), freed.len()));
    }

    /// Chains of the opponent's that are in atari after the move.
    fn chases(&self, found: &mut Vec<Fact>) {
        let mut ladders = Ladders::new();
        for stones in self.beside(!self.color) {
            if self.liberties(self.board, &stones) != 2 || self.liberties(&self.after, &stones) != 1
            {
                continue;
            }
            found.push(match ladders.catches(self.board, stones.at, self.p) {
                true => Fact::Ladder(stones),
                false => Fact::Atari(stones),
            });
        }
    }

    /// What becomes of the player's own chains.
    fn own(&self, found: &mut Vec<Fact>) {
        let mut ladders = Ladders::new();
        for stones in self.beside(self.color) {
            let caught = |ladders: &mut Ladders| ladders.can_catch(&self.after, stones.at);
            match self.liberties(self.board, &stones) {
                1 if caught(&mut ladders) => found.push(Fact::RunsInLadder(stones)),
                1 => found.push(Fact::Saves(stones)),
                2 if ladders.can_catch(self.board, stones.at) && !caught(&mut ladders) => {
                    found.push(Fact::StopsLadder(stones));
                }
                _ => {}
            }
        }
        let now = chain_of(&self.after, self.p);
        let in_atari = |stones: &Stones| self.liberties(&self.after, stones) == 1;
        let takes = !self.board.captures(self.p, self.color).is_empty();
        let runs = found.iter().any(|fact| matches!(fact, Fact::RunsInLadder(_)));
        if let Some(stones) = now.filter(in_atari).filter(|_| !takes && !runs) {
            found.push(Fact::SelfAtari(stones));
        }
    }

    /// Groups of the player's that the move makes one, and groups of the opponent's that it takes
    /// apart; dead ones do not matter.
    fn joins(&self, before: &Groups, then: &Groups, found: &mut Vec<Fact>) {
        for (whole, parts, color) in [(then, before, self.color), (before, then, !self.color)] {
            let mut pairs: Vec<(Stones, Stones)> = Vec::new();
            for group in whole.list.iter().filter(|g| g.color == color && g.life != Life::Dead) {
                let mut sets: Vec<PointSet> = Vec::new();
                for p in group.stones.iter() {
                    let Some(part) = parts.at(p).filter(|part| part.life != Life::Dead) else {
                        continue;
                    };
                    if !sets.contains(&part.stones) {
                        sets.push(part.stones);
                    }
                }
                let size = self.board.size();
                let first = |set: &PointSet| size.points().position(|p| set.contains(p));
                sets.sort_by_key(|set| (std::cmp::Reverse(set.len()), first(set)));
                if let [a, b, ..] = sets.as_slice() {
                    let stones = |set: &PointSet| Stones::new(self.board, color, set);
                    pairs.push((stones(a), stones(b)));
                }
            }
            if color != self.color {
                pairs.extend(self.cut_links(before, then));
            }
            let best = pairs.into_iter().max_by_key(|(a, b)| a.count.min(b.count));
            found.extend(best.map(|(a, b)| match color == self.color {
                true => Fact::Connects(a, b),
                false => Fact::Cuts(a, b),
            }));
        }
    }

    /// Links of the opponent's that could be cut, and are by this move.
    fn cut_links(&self, before: &Groups, then: &Groups) -> Vec<(Stones, Stones)> {
        let mut pairs = Vec::new();
        for link in &before.links {
            if link.color == self.color || link.holds() || !link.way.contains(&self.p) {
                continue;
            }
            let ends = link.ends;
            let [Some(a), Some(b)] = ends.map(|end| then.at(end)) else { continue };
            let dead = [a, b].iter().any(|group| group.life == Life::Dead);
            let linked = then.links.iter().any(|other| other.ends == ends);
            if a.name() == b.name() || dead || linked {
                continue;
            }
            let [a, b] = [a, b].map(|group| Stones::new(self.board, group.color, &group.stones));
            pairs.push(if a.count >= b.count { (a, b) } else { (b, a) });
        }
        pairs
    }

    /// Eyes that a group near the move has more or fewer.
    fn eyes(&self, before: &Groups, then: &Groups, found: &mut Vec<Fact>) {
        // What is taken off at once takes no eye.
        let stays = chain_of(&self.after, self.p)
            .is_some_and(|stones| self.liberties(&self.after, &stones) > 1);
        for color in [self.color, !self.color] {
            let own = color == self.color;
            let groups = before.list.iter().filter(|group| group.color == color);
            for group in groups.filter(|group| group.life != Life::Dead) {
                let kept = group.stones.iter().find_map(|p| then.at(p));
                let Some(now) = kept else { continue };
                let (was, is) = (group.eye_count(), now.eye_count());
                let stones = Stones::new(self.board, color, &group.stones);
                // More than two eyes are of no use.
                if own && is >= was + 1.0 && was < 2.0 {
                    found.push(Fact::MakesEye(stones));
                    break;
                } else if !own && stays && is <= was - 0.5 && is < 2.0 {
                    found.push(Fact::TakesEye(stones));
                    break;
                }
            }
        }
    }

    /// Stones within so many lines.
    fn stones_near(&self, lines: u8) -> usize {
        let near =
            |q: &Point| q.x().abs_diff(self.p.x()) <= lines && q.y().abs_diff(self.p.y()) <= lines;
        let size = self.board.size();
        size.points().filter(near).filter(|&q| self.board.cell(q).color().is_some()).count()
    }
}
