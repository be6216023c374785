//! Territory: by the published procedure, which looks from each empty point along the four lines,
//! and by who owns the points at the ends of playouts.
//!
//! The procedure lets both players claim a point that sees two stones of each; here it goes to the
//! one who is seen more often, and to nobody if that is even.

use goban::{Board, Cell, Color, Point, PointMap};

use crate::groups::Groups;

/// Whose the points are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Territory {
    /// The player who has a point: with a stone that lives, or as territory.
    pub owner: PointMap<Option<Color>>,
    /// Points of Black and of White, stones that live counted.
    pub area: [usize; 2],
}

impl Territory {
    /// The published procedure: dead groups and their links are taken off, the ways of the other
    /// links become territory, and an empty point is a player's if at most two of the four lines
    /// from it run off the board and at most two meet the opponent first.
    pub fn by_lines(board: &Board, groups: &Groups) -> Territory {
        let dead = groups.dead();
        let mut seen = PointMap::filled(None);
        for p in board.size().points().filter(|&p| !dead.contains(p)) {
            seen[p] = board.cell(p).color();
        }
        let kept =
            |link: &&crate::Link| link.holds() && !link.ends.iter().any(|&p| dead.contains(p));
        let mut contested = goban::PointSet::EMPTY;
        for link in groups.links.iter().filter(kept) {
            for &p in &link.way {
                match seen[p] {
                    // Links of both players may cross: then the point is nobody's.
                    Some(color) if color != link.color => contested.insert(p),
                    _ => {
                        seen[p] = Some(link.color);
                        true
                    }
                };
            }
        }
        contested.iter().for_each(|p| seen[p] = None);
        let mut owner = seen.clone();
        let open = |&p: &Point| seen[p].is_none() && !contested.contains(p);
        for p in board.size().points().filter(open) {
            owner[p] = claim(board, &seen, p);
        }
        Territory::counted(board, owner)
    }

    /// The points that a player owns at the ends of this share of the playouts and more, from 0.5 to
    /// 1. `ownership` is from -1 for White to +1 for Black.
    pub fn by_ownership(board: &Board, ownership: &PointMap<f32>, share: f32) -> Territory {
        let least = 2.0 * share - 1.0;
        let mut owner = PointMap::filled(None);
        for p in board.size().points() {
            owner[p] = match ownership[p] {
                own if own > least => Some(Color::Black),
                own if own < -least => Some(Color::White),
                _ => None,
            };
        }
        Territory::counted(board, owner)
    }

    fn counted(board: &Board, owner: PointMap<Option<Color>>) -> Territory {
        let of = |color| board.size().points().filter(|&p| owner[p] == Some(color)).count();
        let area = Color::BOTH.map(of);
        Territory { owner, area }
    }

    /// Whether a point that is empty, or has a stone of the opponent's, is a player's.
    pub fn is_territory(&self, board: &Board, p: Point) -> bool {
        self.owner[p].is_some_and(|color| board.cell(p) != Cell::from(color))
    }
}

/// Who is seen along the lines from a point.
fn claim(board: &Board, seen: &PointMap<Option<Color>>, p: Point) -> Option<Color> {
    let (mut met, mut off) = ([0; 2], 0);
    for d in 0..4 {
        let mut q = p.neighbour(d);
        while board.size().contains(q) && seen[q].is_none() {
            q = q.neighbour(d);
        }
        match board.size().contains(q).then(|| seen[q]).flatten() {
            Some(color) => met[color.index()] += 1,
            None => off += 1,
        }
    }
    let may = |color: Color| off <= 2 && met[(!color).index()] <= 2;
    match met[0].cmp(&met[1]) {
        std::cmp::Ordering::Greater if may(Color::Black) => Some(Color::Black),
        std::cmp::Ordering::Less if may(Color::White) => Some(Color::White),
        _ => None,
    }
}
