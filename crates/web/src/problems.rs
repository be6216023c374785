//! A set of problems that somebody works through: which one is on the board, and how it went with each.
//! What is right is what the file says; a solver can be asked besides ([`crate::backend::Backend::solve`]).

use std::ops::Range;

use goban::{Color, Point, Size};
use kifu::{Guide, Layout, NodeId, Problem, Said, Tree};
use serde_json::{Value, json};

use crate::limits::Limits;
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

/// A problem of a set: where its text and its name are among those of the others.
struct Entry {
    text: Range<usize>,
    name: Range<usize>,
    mark: Mark,
}

/// The problem that is on the board.
pub struct Opened {
    guide: Guide,
    to_play: Color,
    has_answer: bool,
    level: String,
    collection: String,
    /// Where it happens, as [`part`] says.
    part: Value,
    /// What was said about the last move; nothing before the first.
    said: Option<Said>,
}

/// Reads a problem that was kept: its tree, and the node to begin at.
pub fn open(text: &str) -> Option<(Opened, Tree, NodeId)> {
    let mut tree = kifu::read(text.as_bytes()).0.into_iter().next()?;
    let problem = Problem::new(&tree, &mut Vec::new()).ok()?;
    let guide = Guide::new(&tree, &problem);
    let (start, part) = (guide.start(), part(&tree, &problem));
    // Those who follow the tree are to see the player whom the variations have.
    let letter = problem.to_play.letter().to_string();
    let _ = tree.set(start, "PL", [letter.as_str()]);
    let opened = Opened {
        guide,
        to_play: problem.to_play,
        has_answer: !problem.answers.is_empty(),
        level: problem.level,
        collection: problem.collection,
        part,
        said: None,
    };
    Some((opened, tree, start))
}

/// The problems of a file, one of them on the board.
pub struct Problems {
    entries: Vec<Entry>,
    /// The texts that problems are read from again: a position takes as much memory as hundreds of them.
    /// One piece for all, since pieces of their own would come to lie between the positions that are read
    /// and freed, and keep their memory from going back.
    text: String,
    at: usize,
    opened: Opened,
}

/// A set that was read from a file.
pub struct ProblemSet {
    /// The set, its first problem on the board.
    pub problems: Problems,
    /// The tree of that.
    pub tree: Tree,
    /// The node to begin at.
    pub start: NodeId,
    /// Why there are more in the file, if there are.
    pub note: Option<String>,
}

impl Problems {
    /// The problems among the trees of a file, as many as the limits allow; none if its first is not
    /// one, as in game records.
    pub fn find(
        first: &Tree,
        rest: impl Iterator<Item = Tree>,
        limits: &Limits,
    ) -> Option<ProblemSet> {
        let mut entries = Vec::new();
        let mut text = String::new();
        let mut add = |entries: &mut Vec<Entry>, tree: &Tree| {
            let problem = Problem::new(tree, &mut Vec::new()).ok()?;
            let mut write = |what: &str| {
                text.push_str(what);
                text.len() - what.len()..text.len()
            };
            let text = write(&tree.to_sgf_in(Layout::OneLine));
            entries.push(Entry { text, name: write(&problem.name), mark: Mark::Open });
            Some(())
        };
        add(&mut entries, first)?;
        let (mut games, mut nodes, mut note) = (1, first.len(), None);
        for tree in rest {
            games += 1;
            nodes += tree.len();
            if games > limits.problems || nodes > limits.problem_nodes {
                note = Some(format!(
                    "a set has at most {} problems and {} nodes here; the first {} problems of the file \
                     were kept",
                    limits.problems,
                    limits.problem_nodes,
                    entries.len()
                ));
                break;
            }
            add(&mut entries, &tree);
        }
        let (opened, tree, start) = open(&text[entries[0].text.clone()])?;
        Some(ProblemSet { problems: Problems { entries, text, at: 0, opened }, tree, start, note })
    }

    /// What a problem is read from.
    pub fn text(&self, number: usize) -> Option<&str> {
        self.entries.get(number).map(|entry| &self.text[entry.text.clone()])
    }

    /// Puts another problem on the board, or the same again.
    pub fn show(&mut self, number: usize, opened: Opened) {
        (self.at, self.opened) = (number, opened);
    }

    /// Who solves.
    pub fn to_play(&self) -> Color {
        self.opened.to_play
    }

    /// Whether moves are still being looked for.
    pub fn is_open(&self) -> bool {
        matches!(self.opened.said, None | Some(Said::GoesOn)) || !self.opened.has_answer
    }

    /// Hears of the move that led to a node; says how the opponent answers.
    pub fn tried(&mut self, tree: &Tree, node: NodeId) -> Option<NodeId> {
        let (said, reply) = self.opened.guide.judge(tree, node);
        self.opened.said = Some(said);
        if self.opened.has_answer {
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
        let Opened { to_play, has_answer, level, collection, part, .. } = &self.opened;
        let said = match self.opened.said {
            _ if !has_answer => "none",
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
            "name": self.text[self.entries[self.at].name.clone()],
            "collection": collection,
            "level": Some(level).filter(|level| *level != Problem::UNRATED),
            "toPlay": color_name(*to_play),
            "said": said,
            "open": self.is_open(),
            "marks": self.entries.iter().map(letter).collect::<String>(),
            "part": part,
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

    fn find(text: &[u8], limits: &Limits) -> Option<ProblemSet> {
        let mut trees = kifu::read(text).0.into_iter();
        Problems::find(&trees.next()?, trees, limits)
    }

    fn set() -> Problems {
        find(SET, &Limits::default()).unwrap().problems
    }

    /// Puts a problem on the board as a table does.
    fn show(set: &mut Problems, number: usize) -> Option<(Tree, NodeId)> {
        let (opened, tree, start) = open(set.text(number)?)?;
        set.show(number, opened);
        Some((tree, start))
    }

    #[test]
    fn the_score_is_kept_and_a_late_answer_is_told_apart() {
        let mut set = set();
        // The game among them is no problem.
        assert_eq!(set.to_json()["marks"], "..");
        let (tree, start) = show(&mut set, 0).unwrap();
        let [right, wrong] = [0, 1].map(|i| tree.children(start).nth(i).unwrap());
        assert!(set.tried(&tree, wrong).is_some() && !set.is_open());
        assert_eq!(
            (&set.to_json()["marks"], &set.to_json()["said"]),
            (&json!("-."), &json!("wrong"))
        );
        show(&mut set, 0).unwrap();
        assert!(set.tried(&tree, right).is_none());
        assert_eq!(set.to_json()["marks"], "/.");
        // Without an answer in the file nothing is right or wrong; its name is its number there.
        show(&mut set, 1).unwrap();
        assert!(set.is_open() && set.text(2).is_none());
        let shown = set.to_json();
        assert_eq!((&shown["said"], &shown["name"]), (&json!("none"), &json!("2")));
        let mut fresh = self::set();
        fresh.tried(&tree, right);
        assert_eq!(fresh.to_json()["marks"], "+.");
        fresh.tried(&tree, wrong);
        assert_eq!(fresh.to_json()["marks"], "+.");
    }

    #[test]
    fn so_many_problems_are_kept_and_so_many_nodes() {
        let problem = b"(;SZ[9]AB[aa]AW[ba];B[ab])";
        let note = |found: &ProblemSet| found.note.clone().unwrap_or_default();
        let few = Limits { problems: 5, ..Limits::default() };
        let found = find(&problem.repeat(5), &few).unwrap();
        assert_eq!((found.problems.entries.len(), note(&found).as_str()), (5, ""));
        let found = find(&problem.repeat(6), &few).unwrap();
        assert_eq!(found.problems.entries.len(), 5);
        assert_eq!(
            note(&found),
            "a set has at most 5 problems and 100000 nodes here; the first 5 problems of the file were kept"
        );
        let small = Limits { problem_nodes: 7, ..Limits::default() };
        let found = find(&problem.repeat(100), &small).unwrap();
        assert!(found.problems.entries.len() == 3 && note(&found).contains("first 3 problems"));
        // Games between the problems count: each was read.
        let mixed = [&problem[..], &b"(;SZ[9];B[ee])".repeat(100), problem].concat();
        let found = find(&mixed, &few).unwrap();
        assert!(found.problems.entries.len() == 1 && found.note.is_some());
    }

    #[test]
    fn the_corner_is_shown_and_a_game_is_no_problem() {
        assert_eq!(set().to_json()["part"], json!([[14, 0], [18, 3]]));
        assert!(find(b"(;SZ[9];B[ee])", &Limits::default()).is_none());
        assert!(find(b"", &Limits::default()).is_none());
    }
}
