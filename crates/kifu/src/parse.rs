//! From the text of one game to its tree.
//!
//! The text starts at the parenthesis that opens the game and ends where the game was found to end.
//! Parsing never fails: what does not fit is kept as well as possible and noted. It is a loop, not
//! a recursion, since variations may nest as deep as the text is long.

use crate::edit::is_name_byte;
use crate::line;
use crate::read::Cut;
use crate::tree::{NodeId, Span, Tree, narrow};
use crate::warning::{Notes, Origin, WarningKind, excerpt};

/// Makes the tree of one game.
pub(crate) fn parse(text: String, origin: Origin, cut: Cut, notes: &mut Notes<'_>) -> Tree {
    let parser = Parser {
        line: origin.line,
        tree: Tree::empty(text, origin),
        at: 0,
        current: None,
        stack: Vec::new(),
        place: Place::Opened,
        takes_values: false,
        open_value: None,
        notes,
    };
    parser.run(cut)
}

/// What came last outside of the properties.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A parenthesis that wants a node.
    Opened,
    /// A semicolon, and any number of properties.
    InNode,
    /// The end of a variation.
    Closed,
}

struct Parser<'a, 'b> {
    tree: Tree,
    /// The line on which the text starts.
    line: usize,
    at: usize,
    current: Option<NodeId>,
    /// The node before each open parenthesis.
    stack: Vec<Option<NodeId>>,
    place: Place,
    /// Whether a value that comes now can only belong to the last property.
    takes_values: bool,
    /// Start of a value that was never closed.
    open_value: Option<usize>,
    notes: &'a mut Notes<'b>,
}

impl Parser<'_, '_> {
    fn run(mut self, cut: Cut) -> Tree {
        while let Some(&byte) = self.tree.text.as_bytes().get(self.at) {
            match byte {
                b';' => self.node(),
                b'(' => {
                    self.stack.push(self.current);
                    self.place = Place::Opened;
                    self.takes_values = false;
                    self.at += 1;
                }
                b')' => {
                    self.close();
                    if self.stack.is_empty() {
                        break;
                    }
                }
                b'[' => self.lost_value(),
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => self.word(),
            }
        }
        self.finish(cut);
        self.tree
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.tree.text.as_bytes().get(at).copied()
    }

    fn skip_space(&mut self) {
        while self.byte(self.at).is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn note(&mut self, at: usize, kind: impl FnOnce(&Tree) -> WarningKind) {
        if self.notes.is_full() {
            self.notes.count();
        } else {
            let line = self.line + line::breaks(&self.tree.text.as_bytes()[..at]);
            self.notes.push(line, None, kind(&self.tree));
        }
    }

    fn node(&mut self) {
        if self.place == Place::Closed {
            self.note(self.at, |_| WarningKind::NodeAfterVariation);
        }
        self.open_node();
        self.at += 1;
    }

    fn open_node(&mut self) -> NodeId {
        // The first node is the root, and no other may be without a parent.
        let root = (!self.tree.nodes.is_empty()).then_some(NodeId::ROOT);
        let node = self.tree.push_node(self.current.or(root), Some(narrow(self.at)));
        self.current = Some(node);
        self.place = Place::InNode;
        self.takes_values = false;
        node
    }

    fn close(&mut self) {
        if self.place == Place::Opened {
            self.note(self.at, |_| WarningKind::EmptyVariation);
        }
        self.current = self.stack.pop().flatten();
        self.place = Place::Closed;
        self.takes_values = false;
        self.at += 1;
    }

    /// The node that a property belongs to.
    fn owner(&mut self, name: Span) -> NodeId {
        match (self.place, self.current) {
            (Place::InNode, Some(node)) => node,
            (Place::Closed, Some(node)) => {
                self.note(name.start as usize, |tree| WarningKind::PropertyAfterVariation {
                    name: excerpt(tree.slice(name)),
                });
                node
            }
            _ => {
                self.note(name.start as usize, |tree| WarningKind::MissingSemicolon {
                    name: excerpt(tree.slice(name)),
                });
                self.open_node()
            }
        }
    }

    /// Something that is no bracket, parenthesis or semicolon: the name of a property, or stray.
    fn word(&mut self) {
        let bytes = self.tree.text.as_bytes();
        let start = self.at;
        let length = bytes[start..].iter().take_while(|&&b| is_name_byte(b, false)).count();
        let end = start + length;
        let next = bytes[end..].trim_ascii_start().first();
        let capitals = length > 0 && bytes[start..end].iter().all(u8::is_ascii_uppercase);
        let separated = next.is_none_or(|b| matches!(b, b'(' | b')' | b';'))
            || bytes[end].is_ascii_whitespace();
        let named = is_name_byte(bytes[start], true) && next == Some(&b'[');
        // A word in capitals that stands alone is taken for a property whose value was lost.
        if named || (capitals && separated) {
            self.at = end;
            self.skip_space();
            self.property(Span::new(start, end));
        } else {
            self.stray();
        }
    }

    /// Text that is no property, up to the next structure or to the last word before a bracket,
    /// which may well be the name of one.
    fn stray(&mut self) {
        let bytes = self.tree.text.as_bytes();
        let start = self.at;
        let structure = |b: &u8| matches!(b, b'(' | b')' | b'[' | b';');
        let length = bytes[start..].iter().position(structure).unwrap_or(bytes.len() - start);
        let mut end = start + length;
        if bytes.get(end) == Some(&b'[') {
            end = start + bytes[start..end].trim_ascii_end().len();
            let text = end;
            while end > start && is_name_byte(bytes[end - 1], false) {
                end -= 1;
            }
            while end < text && !is_name_byte(bytes[end], true) {
                end += 1;
            }
        }
        self.takes_values &= bytes[start..end].trim_ascii().iter().all(u8::is_ascii_punctuation);
        self.at = end;
        self.note(start, |tree| stray_text(&tree.text[start..end]));
    }

    fn property(&mut self, name: Span) {
        let node = self.owner(name);
        let capital = |b: u8| b.is_ascii_uppercase();
        if !self.tree.slice(name).bytes().any(capital) {
            self.note(name.start as usize, |tree| WarningKind::LowerCaseName {
                name: tree.slice(name).to_owned(),
            });
        }
        let first = self.tree.values.len();
        while self.byte(self.at) == Some(b'[') {
            let value = self.value();
            self.tree.values.push(value);
            self.skip_space();
        }
        if self.tree.values.len() == first {
            self.note(name.start as usize, |tree| WarningKind::NoValue {
                name: excerpt(tree.slice(name)),
            });
            self.tree.values.push(Span { start: name.end, end: name.end });
        }
        let values = Span::new(first, self.tree.values.len());
        self.tree.push_spans(node, name, values);
        self.takes_values = true;
    }

    /// A value without a name right before it. After a property with only punctuation between, as
    /// in `AB[aa],[bb]`, it is one more value; otherwise there is nothing to make of it.
    fn lost_value(&mut self) {
        let at = self.at;
        let value = self.value();
        match self.current {
            Some(node) if self.takes_values => self.tree.extend_last(node, value),
            _ => self.note(at, |tree| WarningKind::NoName { excerpt: excerpt(tree.slice(value)) }),
        }
    }

    /// Reads a value from its bracket to past its closing one.
    fn value(&mut self) -> Span {
        let start = self.at + 1;
        let bytes = self.tree.text.as_bytes();
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b']' => {
                    self.at = at + 1;
                    return Span::new(start, at);
                }
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        // A backslash that is the last byte of all escapes nothing.
        let dangling = at > bytes.len();
        let end = bytes.len() - usize::from(dangling);
        self.at = bytes.len();
        self.open_value = Some(start - 1);
        Span::new(start, end)
    }

    fn finish(&mut self, cut: Cut) {
        let length = self.tree.text.len();
        if !self.stack.is_empty() || self.open_value.is_some() {
            let at = self.open_value.unwrap_or(length);
            let parentheses = self.stack.len();
            let in_value = self.open_value.is_some();
            self.note(at, |_| match cut {
                Cut::NextGame => WarningKind::Interrupted { parentheses, in_value },
                _ => WarningKind::Unclosed { parentheses, in_value },
            });
        }
        // The text can end later than the game where a malformed character hid a bracket.
        let rest = self.at.min(length);
        if !self.tree.text[rest..].trim().is_empty() {
            self.note(rest, |tree| stray_text(&tree.text[rest..]));
        }
        if self.tree.nodes.is_empty() {
            self.open_node();
        }
    }
}

fn stray_text(text: &str) -> WarningKind {
    let bytes = text.bytes().filter(|b| !b.is_ascii_whitespace()).count();
    WarningKind::StrayText { excerpt: excerpt(text), bytes }
}
