//! Making and changing trees: new nodes, properties set, extended and removed.
//!
//! Text and values are appended. A property whose values grow gets them copied to the end of the
//! arena first, unless they are there already.

use goban::{Color, Point, Size};

use crate::tree::{Entry, Node, NodeId, PropertyId, Span, Tree, identifier, narrow};
use crate::value::escape;
use crate::vertex::move_text;
use crate::warning::Origin;

/// A property name that SGF does not allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is not a property name; use ASCII letters and digits, a letter first")]
pub struct BadName(pub String);

/// Whether `b` may stand in a property name, at its start or later.
#[inline]
pub(crate) fn is_name_byte(b: u8, first: bool) -> bool {
    b.is_ascii_alphabetic() || (!first && (b.is_ascii_digit() || b == b'_'))
}

impl Tree {
    /// A tree with an empty root.
    pub fn new() -> Tree {
        let mut tree = Tree::empty(String::new(), Origin::default());
        tree.push_node(None, None);
        tree
    }

    /// A tree without even a root; the parser adds it at once.
    pub(crate) fn empty(text: String, origin: Origin) -> Tree {
        Tree { text, nodes: Vec::new(), properties: Vec::new(), values: Vec::new(), origin }
    }

    /// Adds a node after `parent`, as its last variation.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        self.push_node(Some(parent), None)
    }

    /// Adds a move after `parent`: a stone, or a pass.
    pub fn add_move(
        &mut self,
        parent: NodeId,
        color: Color,
        point: Option<Point>,
        size: Size,
    ) -> NodeId {
        let node = self.add_child(parent);
        let name = match color {
            Color::Black => "B",
            Color::White => "W",
        };
        self.push_property(node, name, |values| values.push(&move_text(point, size)));
        node
    }

    /// Gives a property these values, with the escapes they need. A property that is there keeps
    /// its place and the name as written. Without any value it gets an empty one.
    pub fn set<I>(&mut self, node: NodeId, name: &str, values: I) -> Result<(), BadName>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        check_name(name)?;
        let push = |tree: &mut Tree| values.into_iter().for_each(|v| tree.push(v.as_ref()));
        match self.find(node, name) {
            Some(first) => {
                self.properties[first.index()].values = self.push_values(push);
                self.unlink(node, name, Some(first));
            }
            None => self.push_property(node, name, push),
        }
        Ok(())
    }

    /// Adds a value to a property, which is made if it is not there.
    pub fn add(&mut self, node: NodeId, name: &str, value: &str) -> Result<(), BadName> {
        self.append(node, name, |values| values.push(value))
    }

    /// Adds a composed value such as the `aa:label` of `LB`.
    pub fn add_pair(
        &mut self,
        node: NodeId,
        name: &str,
        first: &str,
        second: &str,
    ) -> Result<(), BadName> {
        self.append(node, name, |values| values.push_pair(first, second))
    }

    /// Takes a property off a node; says whether it was there.
    pub fn remove(&mut self, node: NodeId, name: &str) -> bool {
        self.unlink(node, name, None)
    }

    /// Takes a node and all that follows it out of the game. Its ids mean nothing any more; those of
    /// other nodes stay. The root cannot be taken out: says whether there was a node before it.
    pub fn detach(&mut self, node: NodeId) -> bool {
        let Some(parent) = self.parent(node) else { return false };
        let others: Vec<NodeId> = self.children(parent).filter(|&child| child != node).collect();
        self.link_children(parent, &others);
        self.nodes[node.index()].parent = None;
        true
    }

    /// Makes a node the main variation after the one before it.
    pub fn promote(&mut self, node: NodeId) {
        let Some(parent) = self.parent(node) else { return };
        let mut order = vec![node];
        order.extend(self.children(parent).filter(|&child| child != node));
        self.link_children(parent, &order);
    }

    fn link_children(&mut self, parent: NodeId, children: &[NodeId]) {
        self.nodes[parent.index()].first_child = children.first().copied();
        self.nodes[parent.index()].last_child = children.last().copied();
        for (i, child) in children.iter().enumerate() {
            self.nodes[child.index()].next_sibling = children.get(i + 1).copied();
        }
    }

    pub(crate) fn push_node(&mut self, parent: Option<NodeId>, offset: Option<u32>) -> NodeId {
        let node = NodeId::new(self.nodes.len());
        self.nodes.push(Node {
            parent,
            first_child: None,
            last_child: None,
            next_sibling: None,
            first_property: None,
            last_property: None,
            offset,
        });
        if let Some(parent) = parent {
            match self.nodes[parent.index()].last_child.replace(node) {
                Some(sibling) => self.nodes[sibling.index()].next_sibling = Some(node),
                None => self.nodes[parent.index()].first_child = Some(node),
            }
        }
        node
    }

    /// Adds a property whose name and values are in the arena.
    #[inline]
    pub(crate) fn push_spans(&mut self, node: NodeId, name: Span, values: Span) {
        let id = PropertyId::new(self.properties.len());
        self.properties.push(Entry { name, values, next: None });
        match self.nodes[node.index()].last_property.replace(id) {
            Some(last) => self.properties[last.index()].next = Some(id),
            None => self.nodes[node.index()].first_property = Some(id),
        }
    }

    /// Adds a value, whose text is in the arena, to the last property of a node.
    pub(crate) fn extend_last(&mut self, node: NodeId, value: Span) {
        if let Some(last) = self.nodes[node.index()].last_property {
            self.own_values(last);
            self.values.push(value);
            self.properties[last.index()].values.end = narrow(self.values.len());
        }
    }

    fn append(
        &mut self,
        node: NodeId,
        name: &str,
        push: impl FnOnce(&mut Tree),
    ) -> Result<(), BadName> {
        check_name(name)?;
        match self.find(node, name) {
            Some(id) => {
                self.own_values(id);
                push(self);
                self.properties[id.index()].values.end = narrow(self.values.len());
            }
            None => self.push_property(node, name, push),
        }
        Ok(())
    }

    /// Adds a property at the end of a node.
    fn push_property(&mut self, node: NodeId, name: &str, push: impl FnOnce(&mut Tree)) {
        let values = self.push_values(push);
        let start = self.text.len();
        self.text.push_str(name);
        self.push_spans(node, Span::new(start, self.text.len()), values);
    }

    /// The values that `push` appends, an empty one if there are none.
    fn push_values(&mut self, push: impl FnOnce(&mut Tree)) -> Span {
        let start = self.values.len();
        push(self);
        if self.values.len() == start {
            self.push("");
        }
        Span::new(start, self.values.len())
    }

    /// Appends one value.
    fn push(&mut self, value: &str) {
        let start = self.text.len();
        escape(value, false, &mut self.text);
        self.values.push(Span::new(start, self.text.len()));
    }

    /// Appends one composed value.
    fn push_pair(&mut self, first: &str, second: &str) {
        let start = self.text.len();
        escape(first, true, &mut self.text);
        self.text.push(':');
        escape(second, true, &mut self.text);
        self.values.push(Span::new(start, self.text.len()));
    }

    /// A node's first property of that meaning.
    fn find(&self, node: NodeId, name: &str) -> Option<PropertyId> {
        let first = self.nodes[node.index()].first_property;
        std::iter::successors(first, |id| self.properties[id.index()].next)
            .find(|&id| self.is(id, name))
    }

    fn is(&self, id: PropertyId, name: &str) -> bool {
        identifier(self.slice(self.properties[id.index()].name)) == identifier(name)
    }

    /// Takes the properties of that meaning off a node, but for `kept`; says whether any were.
    fn unlink(&mut self, node: NodeId, name: &str, kept: Option<PropertyId>) -> bool {
        let mut found = false;
        let mut last = None;
        let mut next = self.nodes[node.index()].first_property.take();
        while let Some(id) = next {
            next = self.properties[id.index()].next.take();
            if Some(id) != kept && self.is(id, name) {
                found = true;
                continue;
            }
            match last.replace(id) {
                Some(last) => self.properties[PropertyId::index(last)].next = Some(id),
                None => self.nodes[node.index()].first_property = Some(id),
            }
        }
        self.nodes[node.index()].last_property = last;
        found
    }

    /// Makes sure that a property's values are the last in the arena.
    fn own_values(&mut self, id: PropertyId) {
        let range = self.properties[id.index()].values.range();
        if range.end != self.values.len() {
            let start = self.values.len();
            self.values.extend_from_within(range);
            self.properties[id.index()].values = Span::new(start, self.values.len());
        }
    }
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new()
    }
}

fn check_name(name: &str) -> Result<(), BadName> {
    let mut bytes = name.bytes();
    let good = bytes.next().is_some_and(|b| is_name_byte(b, true))
        && bytes.all(|b| is_name_byte(b, false));
    if good { Ok(()) } else { Err(BadName(name.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_are_taken_out_and_put_first() {
        let (mut trees, _) = crate::read(b"(;SZ[9](;B[aa];W[bb])(;B[cc])(;B[dd]))");
        let mut tree = trees.remove(0);
        let children: Vec<NodeId> = tree.children(tree.root()).collect();
        tree.promote(children[2]);
        assert_eq!(
            tree.to_sgf().replace('\n', ""),
            "(;CA[UTF-8]SZ[9](;B[dd])(;B[aa];W[bb])(;B[cc]))"
        );
        assert!(tree.detach(children[0]));
        tree.add_move(tree.root(), Color::Black, None, Size::NINE);
        assert_eq!(tree.to_sgf().replace('\n', ""), "(;CA[UTF-8]SZ[9](;B[dd])(;B[cc])(;B[]))");
        assert!(!tree.detach(tree.root()));
    }

    #[test]
    fn a_game_from_scratch() {
        let mut tree = Tree::new();
        let root = tree.root();
        tree.set(root, "GM", ["1"]).unwrap();
        tree.set(root, "PB", ["Kuro [9d]"]).unwrap();
        tree.set(root, "AB", ["dd", "pp"]).unwrap();
        let first = tree.add_move(root, Color::White, Some(Point::new(15, 15)), Size::NINETEEN);
        let pass = tree.add_move(first, Color::Black, None, Size::NINETEEN);
        tree.set(pass, "C", ["Why pass?\n(;I wonder) \\o/"]).unwrap();
        let other = tree.add_move(first, Color::Black, Some(Point::new(2, 3)), Size::NINETEEN);
        tree.add_pair(other, "LB", "cp", "1:2").unwrap();
        // The list of values moves to the end of the arena and grows there.
        tree.add(root, "AB", "pd").unwrap();
        tree.add(root, "RE", "W+R").unwrap();
        assert_eq!(
            tree.to_sgf(),
            "(;GM[1]CA[UTF-8]PB[Kuro [9d\\]]AB[dd][pp][pd]RE[W+R];W[pd]\n\
             (;B[]C[Why pass?\n\\(;I wonder) \\\\o/])\n(;B[cp]LB[cp:1\\:2]))\n"
        );
        assert_eq!(tree.value(pass, "C").unwrap().text(), "Why pass?\n(;I wonder) \\o/");
        assert_eq!(tree.children(first).collect::<Vec<_>>(), [pass, other]);
        assert_eq!(tree.parent(other), Some(first));
        assert_eq!(tree.line(first), None);
    }

    #[test]
    fn set_replaces_in_place_and_remove_removes_all() {
        let (trees, _) = crate::read(b"(;GM[1]Komment[x]C[a]PB[b]C[c]N[d])");
        let mut tree = trees.into_iter().next().unwrap();
        let root = tree.root();
        let show = |tree: &Tree| format!("{:?}", tree.properties(root).collect::<Vec<_>>());
        tree.set(root, "C", ["new"]).unwrap();
        assert_eq!(show(&tree), "[GM[1], Komment[x], C[new], PB[b], N[d]]");
        tree.set(root, "K", ["name as written", "2"]).unwrap();
        assert_eq!(show(&tree), "[GM[1], Komment[name as written][2], C[new], PB[b], N[d]]");
        assert!(tree.remove(root, "N") && !tree.remove(root, "N"));
        assert!(tree.remove(root, "GM"));
        tree.set(root, "X", [""; 0]).unwrap();
        assert_eq!(show(&tree), "[Komment[name as written][2], C[new], PB[b], X[]]");
    }

    #[test]
    fn names_are_checked() {
        let mut tree = Tree::new();
        for bad in ["", "1A", "A B", "é", "C[x]", "B;"] {
            assert_eq!(tree.set(NodeId::ROOT, bad, ["x"]), Err(BadName(bad.to_owned())));
            assert_eq!(tree.add(NodeId::ROOT, bad, "x"), Err(BadName(bad.to_owned())));
        }
        assert_eq!(tree.properties(NodeId::ROOT).count(), 0);
        assert!(tree.set(NodeId::ROOT, "KGSDE_2", ["x"]).is_ok());
    }
}
