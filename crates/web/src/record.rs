//! The game of a table as a tree of SGF: positions at its nodes, and changes to it.

use goban::{Cell, Color, Game, Move, Point, PointSet, Rules, Size};
use kifu::{NodeId, Record, Resumed, Tree, point_text};
use serde_json::{Map, Value, json};

use crate::limits::Limits;

/// The position at a node.
pub struct Standing {
    /// The game up to there.
    pub game: Game,
    /// What could not be played on the way, in words; the game is the one before that.
    pub note: Option<String>,
}

/// The record of a game that begins.
pub fn begin(game: &Game, names: [&str; 2]) -> Tree {
    let mut tree = Tree::new();
    let (root, size) = (tree.root(), game.board().size());
    let stones: Vec<String> = size
        .points()
        .filter(|&p| game.board().cell(p) == Cell::Black)
        .map(|p| point_text(p, size))
        .collect();
    let application = format!("Harie:{}", env!("CARGO_PKG_VERSION"));
    set_text(&mut tree, root, "FF", "4");
    set_text(&mut tree, root, "GM", "1");
    set_text(&mut tree, root, "CA", "UTF-8");
    set_text(&mut tree, root, "AP", &application);
    set_text(&mut tree, root, "SZ", &size.side().to_string());
    set_text(&mut tree, root, "KM", &game.komi().to_string());
    set_text(&mut tree, root, "RU", &rules_name(game.rules()));
    set_text(&mut tree, root, "PB", names[0]);
    set_text(&mut tree, root, "PW", names[1]);
    if !stones.is_empty() {
        set_text(&mut tree, root, "HA", &stones.len().to_string());
        // The name is a good one.
        let _ = tree.set(root, "AB", &stones);
        set_text(&mut tree, root, "PL", "W");
    }
    tree
}

/// The name of rules, or what they are in words.
pub fn rules_name(rules: &Rules) -> String {
    rules.name().map_or_else(|| rules.to_string(), str::to_owned)
}

/// The position at a node; what the record does not say is as in `present`.
///
/// # Errors
/// If the record is not of Go, or its stones cannot be set up.
pub fn standing(tree: &Tree, node: NodeId, present: &Game) -> Result<Standing, String> {
    let record = Record::until(tree, node, &mut Vec::new()).map_err(|why| why.to_string())?;
    let resumed = resume(&record, present)?;
    Ok(Standing { game: resumed.game, note: resumed.broken.map(|why| why.to_string()) })
}

/// Plays a record as far as it can be played; what it does not say is as in `present`.
///
/// # Errors
/// If its stones cannot be set up.
pub fn resume(record: &Record, present: &Game) -> Result<Resumed, String> {
    let rules = record.rules.as_deref().and_then(Rules::parse).unwrap_or(*present.rules());
    let komi = record.komi.unwrap_or(present.komi());
    record.resume_far(rules, komi).map_err(|why| why.to_string())
}

/// The move of a node.
pub fn move_of(tree: &Tree, node: NodeId, size: Size) -> Option<(Color, Move)> {
    let (color, value) = [(Color::Black, "B"), (Color::White, "W")]
        .into_iter()
        .find_map(|(color, name)| Some((color, tree.value(node, name)?)))?;
    let mv = point(value.raw(), size).map_or(Move::Pass, Move::Play);
    Some((color, mv))
}

/// The point that two letters mean.
fn point(text: &str, size: Size) -> Option<Point> {
    let &[column, row] = text.trim().as_bytes() else { return None };
    let place = |letter: u8| letter.checked_sub(b'a').filter(|&place| place < size.side());
    Some(Point::new(place(column)?, size.side() - 1 - place(row)?))
}

/// The number of moves up to a node.
pub fn number(tree: &Tree, node: NodeId) -> usize {
    let moves = |node: &NodeId| ["B", "W"].iter().any(|name| tree.property(*node, name).is_some());
    tree.path(node).iter().filter(|node| moves(node)).count()
}

/// Whether a record is small enough.
///
/// # Errors
/// Which limit it exceeds.
pub fn check(tree: &Tree, limits: &Limits) -> Result<(), String> {
    if tree.len() > limits.nodes {
        return Err(format!("the game has more than {} nodes", limits.nodes));
    }
    if depth(tree) > limits.depth {
        return Err(format!("the game has more than {} moves", limits.depth));
    }
    Ok(())
}

/// Nodes of the longest line after the root; a node that holds several moves counts as many.
fn depth(tree: &Tree) -> usize {
    // A node comes after the one that it follows.
    let mut depths = vec![0; tree.len()];
    for node in (0..tree.len()).filter_map(|index| tree.node(index)) {
        let moves: usize = ["B", "W"].iter().map(|name| tree.values(node, name).count()).sum();
        depths[node.index()] = match tree.parent(node) {
            Some(parent) => depths[parent.index()] + moves.max(1),
            None => moves,
        };
    }
    depths.into_iter().max().unwrap_or(0)
}

/// The number that a node has when the tree is written and read again.
pub fn place(tree: &Tree, node: NodeId) -> usize {
    let mut ahead = vec![tree.root()];
    let mut place = 0;
    while let Some(next) = ahead.pop() {
        if next == node {
            break;
        }
        place += 1;
        let first = ahead.len();
        ahead.extend(tree.children(next));
        ahead[first..].reverse();
    }
    place
}

/// A text of a node.
pub fn text(tree: &Tree, node: NodeId, name: &str) -> Option<String> {
    tree.value(node, name).map(|value| value.text().into_owned())
}

/// Writes a text, or takes it off if there is none. Names are those of SGF.
pub fn set_text(tree: &mut Tree, node: NodeId, name: &str, text: &str) {
    if text.is_empty() {
        tree.remove(node, name);
    } else {
        let _ = tree.set(node, name, [text]);
    }
}

/// The result that a record tells.
pub fn result(tree: &Tree) -> Option<String> {
    tree.value(tree.root(), "RE").map(|value| value.simple_text().into_owned())
}

/// What the header says, for people.
pub fn header(tree: &Tree) -> Value {
    let mut fields = Map::new();
    for name in ["PB", "PW", "BR", "WR", "DT", "EV", "GN", "RE", "PC"] {
        if let Some(value) = tree.value(tree.root(), name) {
            let text: String = value.simple_text().chars().take(200).collect();
            if !text.is_empty() {
                fields.insert(name.to_owned(), text.into());
            }
        }
    }
    Value::Object(fields)
}

const SHAPES: [&str; 4] = ["TR", "SQ", "CR", "MA"];

/// The marks of a node: `[point, kind, label]`.
pub fn marks(tree: &Tree, node: NodeId, size: Size) -> Value {
    // A list that is longer than the board says the same twice: a small file can hold many rectangles.
    let most = size.area();
    let mut found = Vec::new();
    for name in SHAPES {
        let mut marked = PointSet::EMPTY;
        for value in tree.values(node, name).take(most) {
            let corners = value.pair().map(|(a, b)| [point(a.raw(), size), point(b.raw(), size)]);
            if let Some([Some(a), Some(b)]) = corners {
                let inside = |p: &Point| {
                    (a.x().min(b.x())..=a.x().max(b.x())).contains(&p.x())
                        && (a.y().min(b.y())..=a.y().max(b.y())).contains(&p.y())
                };
                for p in size.points().filter(inside) {
                    marked.insert(p);
                }
            } else if let Some(p) = point(value.raw(), size) {
                marked.insert(p);
            }
        }
        let marked = size.points().filter(|&p| marked.contains(p));
        found.extend(marked.map(|p| json!([p.to_string(), name])));
    }
    for value in tree.values(node, "LB").take(most) {
        if let Some((at, label)) = value.pair()
            && let Some(p) = point(at.raw(), size)
        {
            let label: String = label.simple_text().chars().take(4).collect();
            found.push(json!([p.to_string(), "LB", label]));
        }
    }
    Value::Array(found)
}

/// Puts a mark on a point, or takes off the one that is there.
///
/// # Errors
/// If there is no such mark.
pub fn toggle_mark(
    tree: &mut Tree,
    node: NodeId,
    name: &str,
    at: Point,
    size: Size,
) -> Result<(), String> {
    let text = point_text(at, size);
    if name == "LB" {
        let labels: Vec<(String, String)> = tree
            .values(node, "LB")
            .filter_map(|value| {
                let (at, label) = value.pair()?;
                Some((at.raw().to_owned(), label.text().into_owned()))
            })
            .collect();
        let there = labels.iter().any(|(at, _)| *at == text);
        tree.remove(node, "LB");
        for (at, label) in labels.iter().filter(|(at, _)| *at != text) {
            let _ = tree.add_pair(node, "LB", at, label);
        }
        if !there {
            let free = ('A'..='Z').find(|c| !labels.iter().any(|(_, l)| *l == c.to_string()));
            let _ = tree.add_pair(node, "LB", &text, &free.unwrap_or('?').to_string());
        }
        return Ok(());
    }
    if !SHAPES.contains(&name) {
        return Err("a mark is TR, SQ, CR, MA or LB".to_owned());
    }
    let mut values: Vec<String> =
        tree.values(node, name).map(|value| value.raw().to_owned()).collect();
    let there = values.contains(&text);
    for shape in SHAPES {
        let rest: Vec<String> = tree
            .values(node, shape)
            .map(|value| value.raw().to_owned())
            .filter(|value| *value != text)
            .collect();
        if shape == name {
            values = rest;
        } else if rest.is_empty() {
            tree.remove(node, shape);
        } else {
            let _ = tree.set(node, shape, &rest);
        }
    }
    if !there {
        values.push(text);
    }
    if values.is_empty() {
        tree.remove(node, name);
    } else {
        let _ = tree.set(node, name, &values);
    }
    Ok(())
}

/// The tree with one point of the position at `node` set up otherwise, and the node to look at: the
/// same if it has no move, else a new one after it. `before` is the position that the node begins
/// with; none for the root.
pub fn set_up(
    tree: &Tree,
    node: NodeId,
    before: Option<&Game>,
    now: &Game,
    at: Point,
    stone: Option<Color>,
) -> (Tree, NodeId) {
    let mut tree = tree.clone();
    let size = now.board().size();
    let moves = ["B", "W"].iter().any(|name| tree.property(node, name).is_some());
    let occupied = tree.first_child(node).is_some();
    let (node, before) = match moves || occupied {
        true => (tree.add_child(node), Some(now)),
        false => (node, before),
    };
    let wanted = |p: Point| if p == at { stone } else { now.board().cell(p).color() };
    let was = |p: Point| before.and_then(|game| game.board().cell(p).color());
    let lists = [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)];
    for (name, color) in lists {
        let points = size.points().filter(|&p| wanted(p) == color && was(p) != color);
        let points: Vec<String> = points.map(|p| point_text(p, size)).collect();
        if points.is_empty() {
            tree.remove(node, name);
        } else {
            let _ = tree.set(node, name, &points);
        }
    }
    (tree, node)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sgf: &str) -> Tree {
        kifu::read(sgf.as_bytes()).0.remove(0)
    }

    /// Without what every file that is written has.
    fn written(tree: &Tree) -> String {
        tree.to_sgf().replace("CA[UTF-8]", "").trim().to_owned()
    }

    fn plain() -> Game {
        Game::new(Size::NINE, Rules::CHINESE, 7.0)
    }

    #[test]
    fn a_new_record_is_the_game_it_was_made_from() {
        let stones = goban::handicap::fixed(Size::NINE, 2).unwrap();
        let game = Game::with_handicap(Size::NINE, Rules::JAPANESE, 0.5, &stones).unwrap();
        let tree = begin(&game, ["", "Harie 20k"]);
        let again = standing(&tree, tree.root(), &plain()).unwrap().game;
        assert_eq!(again.hash(), game.hash());
        assert_eq!(again.to_move(), Color::White);
        assert_eq!((again.komi(), again.handicap(), again.rules()), (0.5, 2, &Rules::JAPANESE));
    }

    #[test]
    fn what_cannot_be_played_is_told_and_the_rest_is_shown() {
        let tree = read("(;SZ[9];B[ee];W[ee];B[cc])");
        let last = tree.main_line().last().unwrap();
        let standing = standing(&tree, last, &plain()).unwrap();
        assert_eq!(standing.game.moves().len(), 1);
        assert_eq!(standing.note.unwrap(), "move 2, White E5: the point is occupied");
    }

    #[test]
    fn a_record_is_measured_by_its_nodes_and_by_all_moves_of_a_line() {
        let limits = Limits { nodes: 8, depth: 4, ..Limits::default() };
        let checked = |sgf: &str| check(&read(sgf), &limits);
        assert_eq!(checked("(;SZ[9];B[ee];W[cc];B[gg])"), Ok(()));
        assert_eq!(checked(&format!("(;SZ[9](;B[]){})", "(;W[])".repeat(6))), Ok(()));
        let (nodes, moves) = ("the game has more than 8 nodes", "the game has more than 4 moves");
        let wide = format!("(;SZ[9]{})", "(;W[])".repeat(8));
        assert_eq!(checked(&wide), Err(nodes.to_owned()));
        // Passes that share a node are as many moves as passes that do not.
        assert_eq!(checked("(;SZ[9];B[];W[][][])"), Ok(()));
        for long in ["(;SZ[9];B[];W[];B[];W[];B[])", "(;SZ[9];B[][][][][])", "(;SZ[9]B[][]W[][][])"]
        {
            assert_eq!(checked(long), Err(moves.to_owned()), "{long}");
        }
    }

    #[test]
    fn nodes_are_found_again_in_what_was_written() {
        let mut tree = read("(;SZ[9];B[aa](;W[bb];B[cc])(;W[dd];B[ee])(;W[ff]))");
        let node = |tree: &Tree, index: usize| tree.node(index).unwrap();
        // A variation that goes first, and one that is taken out.
        let promoted = node(&tree, 4);
        tree.promote(promoted);
        let out = node(&tree, 2);
        tree.detach(out);
        let again = read(&tree.to_sgf());
        for index in [0, 1, 4, 5, 6] {
            let old = node(&tree, index);
            let new = node(&again, place(&tree, old));
            assert_eq!(move_of(&again, new, Size::NINE), move_of(&tree, old, Size::NINE));
        }
    }

    #[test]
    fn marks_of_a_small_file_stay_few() {
        let tree =
            read(&format!("(;SZ[9]TR{}LB{})", "[aa:ii]".repeat(3000), "[aa:1]".repeat(3000)));
        let told = marks(&tree, tree.root(), Size::NINE);
        assert_eq!(told.as_array().unwrap().len(), 81 + 81);
    }

    #[test]
    fn marks_are_put_on_and_taken_off() {
        let mut tree = read("(;SZ[9]TR[aa:ba]LB[cc:7])");
        let (root, at) = (tree.root(), Point::parse("E5").unwrap());
        let told = marks(&tree, root, Size::NINE);
        assert_eq!(told, json!([["A9", "TR"], ["B9", "TR"], ["C7", "LB", "7"]]));
        toggle_mark(&mut tree, root, "SQ", at, Size::NINE).unwrap();
        toggle_mark(&mut tree, root, "CR", at, Size::NINE).unwrap();
        toggle_mark(&mut tree, root, "LB", at, Size::NINE).unwrap();
        assert_eq!(written(&tree), "(;SZ[9]TR[aa:ba]CR[ee]LB[cc:7][ee:A])");
        toggle_mark(&mut tree, root, "CR", at, Size::NINE).unwrap();
        assert!(toggle_mark(&mut tree, root, "XX", at, Size::NINE).is_err());
        assert_eq!(written(&tree), "(;SZ[9]TR[aa:ba]LB[cc:7][ee:A])");
    }

    #[test]
    fn stones_are_set_up_where_there_is_no_move() {
        let tree = read("(;SZ[9])");
        let at = Point::parse("A9").unwrap();
        let game = standing(&tree, tree.root(), &plain()).unwrap().game;
        let (tree, node) = set_up(&tree, tree.root(), None, &game, at, Some(Color::White));
        assert_eq!((written(&tree).as_str(), node), ("(;SZ[9]AW[aa])", tree.root()));
        let tree = read("(;SZ[9];B[aa])");
        let last = tree.main_line().last().unwrap();
        let game = standing(&tree, last, &plain()).unwrap().game;
        let (tree, node) = set_up(&tree, last, None, &game, at, None);
        assert_eq!(written(&tree), "(;SZ[9];B[aa];AE[aa])");
        let game = standing(&tree, node, &plain()).unwrap().game;
        assert_eq!(game.board().cell(at), Cell::Empty);
    }
}
