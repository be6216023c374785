//! A set of problems that somebody works through: which one is on the board, and how it went with each.
//! What is right is what the file says; a solver can be asked besides ([`crate::shelf::Shelf::solve`]).

use goban::{Color, Point, Size};
use kifu::{Guide, NodeId, Problem, Said, Tree};
use serde_json::{Value, json};

use crate::record;
use crate::view::color_name;

/// How it went with a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    /// Not tried.
    Open,
    /// Tried, and not solved yet.
    Failed,
    /// Solved at the first try.
    Solved,
    /// Solved after a wrong move.
    Late,
}

struct Entry {
    tree: Tree,
    problem: Problem,
    mark: Mark,
}

/// The problems of a file, one of them on the board.
pub struct Problems {
    entries: Vec<Entry>,
    at: usize,
    guide: Guide,
    /// Where it happens, as [`part`] says.
    part: Value,
    /// What was said about the last move; nothing before the first.
    said: Option<Said>,
}

impl Problems {
    /// The problems among the trees of a file; none if its first is not one, as in game records.
    pub fn new(trees: Vec<Tree>) -> Option<Problems> {
        let read = |tree: &Tree| Problem::new(tree, &mut Vec::new()).ok();
        read(trees.first()?)?;
        let entries: Vec<Entry> = trees
            .into_iter()
            .filter_map(|tree| {
                let problem = read(&tree)?;
                Some(Entry { tree, problem, mark: Mark::Open })
            })
            .collect();
        let first = entries.first()?;
        let guide = Guide::new(&first.tree, &first.problem);
        let part = part(&first.tree, &first.problem);
        Some(Problems { entries, at: 0, guide, part, said: None })
    }

    /// Puts another problem on the board, or the same again: its tree, and the node to begin at.
    pub fn open(&mut self, number: usize) -> Option<(Tree, NodeId)> {
        let entry = self.entries.get(number)?;
        self.guide = Guide::new(&entry.tree, &entry.problem);
        self.part = part(&entry.tree, &entry.problem);
        (self.at, self.said) = (number, None);
        let (mut tree, start) = (entry.tree.clone(), self.guide.start());
        // Those who follow the tree are to see the player whom the variations have.
        let letter = entry.problem.to_play.letter().to_string();
        let _ = tree.set(start, "PL", [letter.as_str()]);
        Some((tree, start))
    }

    /// Who solves.
    pub fn to_play(&self) -> Color {
        self.entries[self.at].problem.to_play
    }

    /// Whether the file has an answer.
    fn has_answer(&self) -> bool {
        !self.entries[self.at].problem.answers.is_empty()
    }

    /// Whether moves are still being looked for.
    pub fn is_open(&self) -> bool {
        matches!(self.said, None | Some(Said::GoesOn)) || !self.has_answer()
    }

    /// Hears of the move that led to a node; says how the opponent answers.
    pub fn tried(&mut self, tree: &Tree, node: NodeId) -> Option<NodeId> {
        let (said, reply) = self.guide.judge(tree, node);
        self.said = Some(said);
        if self.has_answer() {
            let mark = &mut self.entries[self.at].mark;
            *mark = match (said, *mark) {
                (Said::Solved, Mark::Open) => Mark::Solved,
                (Said::Solved, Mark::Failed) => Mark::Late,
                (Said::Wrong | Said::Unknown, Mark::Open) => Mark::Failed,
                (_, mark) => mark,
            };
        }
        reply
    }

    /// For the page.
    pub fn to_json(&self) -> Value {
        let problem = &self.entries[self.at].problem;
        let said = match self.said {
            _ if !self.has_answer() => "none",
            None => "open",
            Some(Said::GoesOn) => "on",
            Some(Said::Solved) => "right",
            Some(Said::Wrong) => "wrong",
            Some(Said::Unknown) => "unknown",
        };
        let letter = |entry: &Entry| match entry.mark {
            Mark::Open => '.',
            Mark::Failed => '-',
            Mark::Solved => '+',
            Mark::Late => '/',
        };
        json!({
            "number": self.at,
            "name": problem.name,
            "collection": problem.collection,
            "level": Some(&problem.level).filter(|level| *level != Problem::UNRATED),
            "toPlay": color_name(problem.to_play),
            "said": said,
            "open": self.is_open(),
            "marks": self.entries.iter().map(letter).collect::<String>(),
            "part": self.part,
        })
    }
}

/// The corners of the part of the board where something happens, as column and row from the upper
/// left: the stones and every move of the file, a line around them, and the edge where it is near.
fn part(tree: &Tree, problem: &Problem) -> Value {
    let size = problem.board.size();
    let nodes = (0..tree.len()).filter_map(|index| tree.node(index));
    let moves = nodes.filter_map(|node| record::move_of(tree, node, size)?.1.point());
    let stones = size.points().filter(|&p| problem.board.cell(p).color().is_some());
    let places: Vec<[usize; 2]> = moves.chain(stones).map(|p| place(p, size)).collect();
    let corners = [0, 1].map(|axis| {
        let (low, high) = places.iter().fold((usize::MAX, 0), |(low, high), place| {
            (low.min(place[axis]), high.max(place[axis]))
        });
        let last = usize::from(size.side()) - 1;
        // A strip of a line or two would look cut off.
        let low = if low <= 3 { 0 } else { low - 1 };
        let high = if high + 3 >= last { last } else { high + 1 };
        (low, high)
    });
    json!([[corners[0].0, corners[1].0], [corners[0].1, corners[1].1]])
}

fn place(p: Point, size: Size) -> [usize; 2] {
    [usize::from(p.x()), usize::from(size.side() - 1 - p.y())]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SET: &[u8] = b"(;SZ[19]GN[beginner/own/one]AB[pa][pb][qc][rc][sc]AW[qa][qb][rb][sb]PL[W]\
                         (;W[ra]C[Correct])(;W[sa]C[Wrong];B[ra]))(;SZ[9]AB[aa]AW[ba])(;SZ[9];B[ee])";

    fn set() -> Problems {
        Problems::new(kifu::read(SET).0).unwrap()
    }

    #[test]
    fn the_score_is_kept_and_a_late_answer_is_told_apart() {
        let mut set = set();
        // The game among them is no problem.
        assert_eq!(set.to_json()["marks"], "..");
        let (tree, start) = set.open(0).unwrap();
        let [right, wrong] = [0, 1].map(|i| tree.children(start).nth(i).unwrap());
        assert!(set.tried(&tree, wrong).is_some() && !set.is_open());
        assert_eq!(
            (&set.to_json()["marks"], &set.to_json()["said"]),
            (&json!("-."), &json!("wrong"))
        );
        set.open(0);
        assert!(set.tried(&tree, right).is_none());
        assert_eq!(set.to_json()["marks"], "/.");
        // Without an answer in the file nothing is right or wrong.
        set.open(1);
        assert!(set.is_open() && set.open(2).is_none());
        assert_eq!(set.to_json()["said"], "none");
        let mut fresh = self::set();
        fresh.tried(&tree, right);
        assert_eq!(fresh.to_json()["marks"], "+.");
        fresh.tried(&tree, wrong);
        assert_eq!(fresh.to_json()["marks"], "+.");
    }

    #[test]
    fn the_corner_is_shown_and_a_game_is_no_problem() {
        assert_eq!(set().to_json()["part"], json!([[14, 0], [18, 3]]));
        assert!(Problems::new(kifu::read(b"(;SZ[9];B[ee])").0).is_none());
        assert!(Problems::new(Vec::new()).is_none());
    }
}
