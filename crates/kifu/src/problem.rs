//! A problem: stones that are set up, a player to move, and the moves that solve it.
//!
//! Collections of problems mark the right answer in different ways, and this file knows the usual
//! ones: a comment such as `Correct`, `RIGHT` or 正解 somewhere in the variation, the property `TE`, or
//! the wrong variations marked and the others not. Where nothing is marked, every variation is an
//! answer. Nothing here judges a position: whether an answer is good is for others to find out.

use goban::{Board, Color, Illegal, Point};

use crate::record::{NotARecord, Record};
use crate::tree::{NodeId, Tree};
use crate::vertex::{Spelling, parse_move};
use crate::warning::{Origin, Warning, WarningKind, excerpt_of};

/// A problem. See the module documentation.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The last part of GN, which is often `level/collection/problem`; else the number of the game
    /// in its file.
    pub name: String,
    /// How hard it is, as GN says, in small letters: `beginner`, `intermediate`, `advanced`,
    /// `tesuji`, …; [`Problem::UNRATED`] where it does not say.
    pub level: String,
    /// The book or set it is from, as GN says; else the name of the file.
    pub collection: String,
    /// Where it was read.
    pub origin: Origin,
    /// The stones. A board is large; problems are handed around.
    pub board: Box<Board>,
    /// Who moves.
    pub to_play: Color,
    /// The accepted first moves, all legal, each once. None if the file has no variations.
    pub answers: Vec<Point>,
    /// How play goes on, the answer first, colours in turn and all moves legal: one line for each
    /// answer, in the same order, of one move where the file has no more.
    pub lines: Vec<Vec<Point>>,
}

/// A tree that is no problem.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAProblem {
    /// Not even Go, or a board that we cannot play on.
    #[error(transparent)]
    Record(#[from] NotARecord),
    /// Play starts on an empty board.
    #[error(
        "no stones are set up before the first move: this is a game record, not a problem; \
         `harie records` reads those"
    )]
    NoStones,
    /// Play starts with handicap stones.
    #[error(
        "only {0} stones are set up, as in a game with handicap; a problem has stones of both \
         colours"
    )]
    OneColor(Color),
    /// The position cannot be.
    #[error("the stone set up at {0} has no liberty; this is no position")]
    NoLiberty(Point),
}

/// What the marks of a node say about the line that leads through it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Right,
    Wrong,
}

impl Problem {
    /// The level of problems that do not say.
    pub const UNRATED: &'static str = "unrated";

    /// Reads a tree as a problem. What is odd becomes a warning: an answer that is not legal is left
    /// out, for example.
    ///
    /// # Errors
    /// Why the tree is no problem.
    pub fn new(tree: &Tree, warnings: &mut Vec<Warning>) -> Result<Problem, NotAProblem> {
        let start = last_before_play(tree);
        let record = Record::until(tree, start, warnings)?;
        if record.stones.is_empty() || !record.moves.is_empty() {
            return Err(NotAProblem::NoStones);
        }
        let first = record.stones[0].1;
        if record.stones.iter().all(|&(_, color)| color == first) {
            return Err(NotAProblem::OneColor(first));
        }
        let board = Board::with_stones(record.size, record.stones.iter().copied())
            .map_err(|(point, _)| NotAProblem::NoLiberty(point))?;

        let tries: Vec<NodeId> =
            tree.children(start).filter(|&node| color_of(tree, node).is_some()).collect();
        let said = tree.path(start).into_iter().rev().find_map(|node| {
            tree.value(node, "PL").and_then(|value| Color::parse(value.simple_text().trim()))
        });
        // Where PL is missing the variations tell; where it contradicts them, they are the play.
        let tried = tries.first().and_then(|&node| color_of(tree, node));
        let to_play = match (said, tried) {
            (Some(said), Some(_)) if tries.iter().any(|&t| color_of(tree, t) == Some(said)) => said,
            (said, tried) => tried.or(said).unwrap_or(record.first),
        };
        let (level, collection, name) = title(tree);
        let mut problem = Problem {
            name,
            level,
            collection,
            origin: tree.origin().clone(),
            board: Box::new(board),
            to_play,
            answers: Vec::new(),
            lines: Vec::new(),
        };
        let marks = Marks::new(tree, start);
        for node in marks.answers(tree, &tries, to_play) {
            problem.take(tree, node, &marks, warnings);
        }
        Ok(problem)
    }

    /// Whether a move is one of the accepted first moves.
    pub fn accepts(&self, point: Point) -> bool {
        self.answers.contains(&point)
    }

    /// The whole name: level, collection and problem.
    pub fn title(&self) -> String {
        [&self.level, &self.collection, &self.name].map(|part| part.as_str()).join("/")
    }

    /// Takes the variation that begins with this node as an answer.
    fn take(&mut self, tree: &Tree, node: NodeId, marks: &Marks, warnings: &mut Vec<Warning>) {
        let mut board = self.board.clone();
        let mut color = self.to_play;
        let mut line = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next {
            // A line ends where it stops being one: at a pass, or where a colour moves twice.
            let Some(point) = point_of(tree, node, color, board.size()) else {
                if line.is_empty() {
                    let value = tree.value(node, color_name(color)).map(excerpt_of);
                    let (name, text) = (color_name(color).to_owned(), value.unwrap_or_default());
                    let kind = WarningKind::BadMove { name, text, rest: 0 };
                    warnings.push(tree.warning(node, Some(1), kind));
                }
                break;
            };
            if let Err(why) = board.play(point, color) {
                let number = line.len() + 1;
                warnings.push(illegal(tree, node, number, color, point, why));
                break;
            }
            line.push(point);
            color = !color;
            next = marks.best_child(tree, node);
        }
        if let Some(&answer) = line.first()
            && !self.answers.contains(&answer)
        {
            self.answers.push(answer);
            self.lines.push(line);
        }
    }
}

fn illegal(
    tree: &Tree,
    node: NodeId,
    number: usize,
    color: Color,
    point: Point,
    why: Illegal,
) -> Warning {
    let kind = WarningKind::IllegalMove { color, point, why, rest: 0 };
    tree.warning(node, Some(number), kind)
}

/// The last node of the main line before somebody moves.
pub(crate) fn last_before_play(tree: &Tree) -> NodeId {
    let quiet = |&node: &NodeId| color_of(tree, node).is_none();
    tree.main_line().take_while(quiet).last().unwrap_or(NodeId::ROOT)
}

/// Who moves in a node.
pub(crate) fn color_of(tree: &Tree, node: NodeId) -> Option<Color> {
    Color::BOTH.into_iter().find(|&color| tree.property(node, color_name(color)).is_some())
}

fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// Where a colour moves in a node.
fn point_of(tree: &Tree, node: NodeId, color: Color, size: goban::Size) -> Option<Point> {
    match parse_move(&tree.value(node, color_name(color))?.simple_text(), size)? {
        Spelling::Plain(point) | Spelling::Odd(point) => point,
    }
}

/// Level, collection and name, from `GN[level/collection/problem]` as far as it goes.
fn title(tree: &Tree) -> (String, String, String) {
    let text = tree.value(NodeId::ROOT, "GN").map(|value| value.simple_text().trim().to_owned());
    let text = text.unwrap_or_default();
    let file = tree.origin().file.as_deref().and_then(|path| path.file_name());
    let file = || file.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let number = || format!("{}", tree.origin().game);
    let or = |text: &str, other: &dyn Fn() -> String| match text.trim() {
        "" => other(),
        text => text.to_owned(),
    };
    let mut parts = text.splitn(3, '/');
    match [parts.next(), parts.next(), parts.next()] {
        [Some(level), Some(collection), Some(name)] => {
            let unrated = || Problem::UNRATED.to_owned();
            (or(&level.to_lowercase(), &unrated), or(collection, &file), or(name, &number))
        }
        [Some(collection), Some(name), _] => {
            (Problem::UNRATED.to_owned(), or(collection, &file), or(name, &number))
        }
        _ => (Problem::UNRATED.to_owned(), file(), or(&text, &number)),
    }
}

/// The marks of a tree below a node, and what they say about the lines through each node.
pub(crate) struct Marks {
    /// Whether the node, or one that can follow, is marked right.
    leads_right: Vec<bool>,
    /// Whether the node is marked wrong, or every line after it comes to one that is.
    is_wrong: Vec<bool>,
}

impl Marks {
    pub(crate) fn new(tree: &Tree, start: NodeId) -> Marks {
        let mut marks =
            Marks { leads_right: vec![false; tree.len()], is_wrong: vec![false; tree.len()] };
        // Parents before children, then back; not by recursion, since lines may be long.
        let mut order = vec![start];
        let mut next = 0;
        while next < order.len() {
            order.extend(tree.children(order[next]));
            next += 1;
        }
        for &node in order[1..].iter().rev() {
            let own = mark(tree, node);
            let i = node.index();
            let mut children = tree.children(node).peekable();
            let has_children = children.peek().is_some();
            let all_wrong = has_children && children.all(|child| marks.is_wrong[child.index()]);
            let right_below = tree.children(node).any(|child| marks.leads_right[child.index()]);
            marks.is_wrong[i] = own == Some(Mark::Wrong) || (own.is_none() && all_wrong);
            marks.leads_right[i] = own == Some(Mark::Right) || (own.is_none() && right_below);
        }
        marks
    }

    /// The variations that are answers: those marked right if any is, else those not marked wrong.
    pub(crate) fn answers(&self, tree: &Tree, tries: &[NodeId], to_play: Color) -> Vec<NodeId> {
        let tries = tries.iter().copied().filter(|&node| color_of(tree, node) == Some(to_play));
        let right: Vec<NodeId> =
            tries.clone().filter(|node| self.leads_right[node.index()]).collect();
        if right.is_empty() {
            tries.filter(|node| !self.is_wrong[node.index()]).collect()
        } else {
            right
        }
    }

    /// The move that goes on: one that leads to a right end, else the first that is not wrong.
    pub(crate) fn best_child(&self, tree: &Tree, node: NodeId) -> Option<NodeId> {
        let right = tree.children(node).find(|child| self.leads_right[child.index()]);
        right.or_else(|| tree.children(node).find(|child| !self.is_wrong[child.index()]))
    }
}

/// What a node itself says.
fn mark(tree: &Tree, node: NodeId) -> Option<Mark> {
    if tree.property(node, "BM").is_some() {
        return Some(Mark::Wrong);
    }
    if tree.property(node, "TE").is_some() {
        return Some(Mark::Right);
    }
    let comments = ["C", "N"].into_iter().flat_map(|name| tree.values(node, name));
    comments.map(|value| mark_of(&value.text())).find(Option::is_some).flatten()
}

/// What a comment says.
fn mark_of(text: &str) -> Option<Mark> {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let has = |wanted: &[&str]| {
        words.iter().any(|word| wanted.iter().any(|other| word.eq_ignore_ascii_case(other)))
    };
    let phrase = |wanted: &[&str]| {
        words.windows(2).any(|pair| {
            pair[0].eq_ignore_ascii_case("not")
                && wanted.iter().any(|word| pair[1].eq_ignore_ascii_case(word))
        })
    };
    let signs = |wanted: &[&str]| wanted.iter().any(|sign| text.contains(sign));
    if has(&["wrong", "incorrect", "failure", "fail", "fails", "failed"])
        || phrase(&["correct", "right"])
        || signs(&["不正解", "失敗", "失败", "错误", "不正确", "오답", "실패"])
    {
        return Some(Mark::Wrong);
    }
    // "right" is a side as well: it counts in capitals, or alone.
    let alone = words.iter().filter(|word| !word.is_empty()).count() == 1 && has(&["right"]);
    let right = has(&["correct", "solution", "solved"])
        || words.contains(&"RIGHT")
        || alone
        || signs(&["正解", "正确", "정답"]);
    right.then_some(Mark::Right)
}
