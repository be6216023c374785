//! The game tree: nodes, properties and values as they stand in the file.
//!
//! A tree is an arena. Its text is one string, and nodes, properties and values are entries of
//! three vectors that point into it, so a node of a record costs a few pushes and no allocation of
//! its own. Values keep their escapes; [`Value`] resolves them when asked. Changing a tree appends
//! (see `edit`): what is replaced stays behind as garbage, which suits records that grow move by
//! move. Reading files lives in `read`, writing in `write`, the meaning of the moves in
//! [`crate::Record`].
//!
//! The properties of a node are a linked list, not a range: a hostile file that adds properties to
//! one node again and again, after each of its variations, must not cost more than its length.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;

use crate::line;
use crate::value::Value;
use crate::warning::{Origin, Warning, WarningKind};

/// A node of a [`Tree`], as long as that tree lives. Ids of one tree mean nothing to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(NonZeroU32); // One more than the index, so that an option takes no space.

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(NonZeroU32::MIN);

    #[inline]
    pub(crate) fn new(index: usize) -> NodeId {
        NodeId(NonZeroU32::MIN.saturating_add(narrow(index)))
    }

    /// The node's place in a table with one entry a node ([`Tree::len`]).
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A range of a vector or of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span { start: narrow(start), end: narrow(end) }
    }

    #[inline]
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Half the size for every place in a tree.
///
/// # Panics
/// If a tree outgrows 4 GiB. A reader's limit keeps files below that.
#[inline]
pub(crate) fn narrow(place: usize) -> u32 {
    u32::try_from(place).expect("a tree holds less than 4 GiB")
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) parent: Option<NodeId>,
    pub(crate) first_child: Option<NodeId>,
    pub(crate) last_child: Option<NodeId>,
    pub(crate) next_sibling: Option<NodeId>,
    /// Places in [`Tree::properties`].
    pub(crate) first_property: Option<PropertyId>,
    pub(crate) last_property: Option<PropertyId>,
    /// Where the node starts in the text as read; none for a node that was added.
    pub(crate) offset: Option<u32>,
}

/// A place in [`Tree::properties`], like [`NodeId`] one more than the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PropertyId(NonZeroU32);

impl PropertyId {
    #[inline]
    pub(crate) fn new(index: usize) -> PropertyId {
        PropertyId(NonZeroU32::MIN.saturating_add(narrow(index)))
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Into [`Tree::text`].
    pub(crate) name: Span,
    /// Into [`Tree::values`].
    pub(crate) values: Span,
    /// The next property of the node.
    pub(crate) next: Option<PropertyId>,
}

/// One game with its variations. See the module documentation.
#[derive(Clone)]
pub struct Tree {
    pub(crate) text: String,
    /// Never empty: the first is the root.
    pub(crate) nodes: Vec<Node>,
    pub(crate) properties: Vec<Entry>,
    pub(crate) values: Vec<Span>,
    pub(crate) origin: Origin,
}

impl Tree {
    /// Where the tree was read from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    /// Number of nodes in all variations.
    #[allow(clippy::len_without_is_empty)] // There is always a root.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node before this one; none before the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].parent
    }

    /// The node at a place of a table, if there is one: the opposite of [`NodeId::index`].
    pub fn node(&self, index: usize) -> Option<NodeId> {
        (index < self.nodes.len()).then(|| NodeId::new(index))
    }

    /// The nodes from the root to this one, both included.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(node), |&node| self.parent(node)).collect();
        path.reverse();
        path
    }

    /// The node that follows in the main variation.
    #[inline]
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].first_child
    }

    /// The nodes that follow, the main variation first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.nodes[node.index()].first_child;
        std::iter::successors(first, |child| self.nodes[child.index()].next_sibling)
    }

    /// The nodes from the root along first children.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&node| self.first_child(node))
    }

    /// The properties of a node in the order of the file.
    #[inline]
    pub fn properties(&self, node: NodeId) -> impl Iterator<Item = Property<'_>> + Clone {
        let mut next = self.nodes[node.index()].first_property;
        std::iter::from_fn(move || {
            let entry = self.properties[next?.index()];
            next = entry.next;
            Some(Property { tree: self, entry })
        })
    }

    /// The first property of a node with a name of that meaning; see [`Property::identifier`].
    pub fn property(&self, node: NodeId, name: &str) -> Option<Property<'_>> {
        let wanted = identifier(name);
        self.properties(node).find(|property| property.identifier() == wanted)
    }

    /// The first value of a property of a node.
    pub fn value(&self, node: NodeId, name: &str) -> Option<Value<'_>> {
        self.property(node, name)?.values().next()
    }

    /// All values of a property of a node, also of one that is written twice.
    pub fn values<'a>(
        &'a self,
        node: NodeId,
        name: &'a str,
    ) -> impl Iterator<Item = Value<'a>> + 'a {
        let wanted = identifier(name);
        self.properties(node)
            .filter(move |property| property.identifier() == wanted)
            .flat_map(|property| property.values())
    }

    /// The line of the file on which a node starts; none for a node that was added.
    pub fn line(&self, node: NodeId) -> Option<usize> {
        let offset = self.nodes[node.index()].offset?;
        Some(self.origin.line + line::breaks(&self.text.as_bytes()[..offset as usize]))
    }

    /// A warning about a node. A node that was added has the line of the game.
    pub fn warning(&self, node: NodeId, move_number: Option<usize>, kind: WarningKind) -> Warning {
        let Origin { file, game, line } = self.origin.clone();
        Warning { file, game, line: self.line(node).unwrap_or(line), move_number, kind }
    }

    #[inline]
    pub(crate) fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
}

/// Trees are equal when they hold the same nodes, properties and raw values in the same order,
/// wherever they came from.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        // Not by recursion: variations may nest as deep as the file is long.
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((mine, theirs)) = pairs.pop() {
            if !self.properties(mine).eq(other.properties(theirs)) {
                return false;
            }
            let (mut left, mut right) = (self.first_child(mine), other.first_child(theirs));
            while let (Some(a), Some(b)) = (left, right) {
                pairs.push((a, b));
                left = self.nodes[a.index()].next_sibling;
                right = other.nodes[b.index()].next_sibling;
            }
            if left.is_some() || right.is_some() {
                return false;
            }
        }
        true
    }
}

impl Eq for Tree {}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tree({})", self.to_sgf())
    }
}

/// A property of a node: a name and its values.
#[derive(Clone, Copy)]
pub struct Property<'a> {
    tree: &'a Tree,
    entry: Entry,
}

impl<'a> Property<'a> {
    /// The name as written.
    #[inline]
    pub fn name(&self) -> &'a str {
        self.tree.slice(self.entry.name)
    }

    /// What the name means: its capital letters and digits, since FF\[1\] to FF\[3\] may write
    /// `Black` for `B` and `CoPyright` for `CP`. A name without capitals is taken as if it had
    /// been written in them.
    #[inline]
    pub fn identifier(&self) -> Cow<'a, str> {
        identifier(self.name())
    }

    /// The values; there is always at least one.
    #[inline]
    pub fn values(&self) -> impl ExactSizeIterator<Item = Value<'a>> + Clone + use<'a> {
        let tree = self.tree;
        tree.values[self.entry.values.range()].iter().map(|&span| Value::new(tree.slice(span)))
    }
}

impl PartialEq for Property<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.values().eq(other.values())
    }
}

impl Eq for Property<'_> {}

impl fmt::Debug for Property<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        self.values().try_for_each(|value| write!(f, "[{}]", value.raw()))
    }
}

/// See [`Property::identifier`].
#[inline]
pub(crate) fn identifier(name: &str) -> Cow<'_, str> {
    let capital = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    if name.bytes().all(capital) {
        Cow::Borrowed(name)
    } else if name.bytes().any(|b| b.is_ascii_uppercase()) {
        Cow::Owned(name.chars().filter(|&c| capital(c as u8)).collect())
    } else {
        Cow::Owned(name.to_ascii_uppercase())
    }
}
