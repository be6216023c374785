//! Writing SGF.
//!
//! Every property of a tree is written with its name and raw values as they are, in order, so that
//! reading the file again gives an equal tree. Two things change on purpose: the text is UTF-8 and
//! `CA[UTF-8]` in the root says so, whatever the file it came from was written in; and line breaks
//! between properties are ours, while those inside values stay. A value with a line that a reader
//! would take for the start of another game gets one escape more, which does not change its text.

use std::io::{self, Write};

use crate::read::{LOOKAHEAD, is_root_name, starts_game};
use crate::tree::{NodeId, Property, Tree};

/// Where lines are broken between properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Lines of about this many bytes, and a line for each variation.
    Wrapped(usize),
    /// One line a game, but for the line breaks in its values.
    OneLine,
}

impl Default for Layout {
    /// Lines that fit into mails and terminals.
    fn default() -> Layout {
        Layout::Wrapped(76)
    }
}

impl Tree {
    /// The tree as SGF in the usual layout, with a line break at the end.
    pub fn to_sgf(&self) -> String {
        self.to_sgf_in(Layout::default())
    }

    /// The tree as SGF, with a line break at the end.
    pub fn to_sgf_in(&self, layout: Layout) -> String {
        let mut page = Page { text: String::with_capacity(self.text.len()), line_start: 0, layout };
        // The steps ahead are a stack of our own: variations may nest deep.
        let mut steps = vec![Step::Open(NodeId::ROOT)];
        while let Some(step) = steps.pop() {
            let node = match step {
                Step::Close => {
                    page.text.push(')');
                    continue;
                }
                Step::Open(node) => {
                    page.open(self.properties(node).next());
                    steps.push(Step::Close);
                    node
                }
                Step::Node(node) => node,
            };
            self.write_node(node, &mut page);
            match (self.first_child(node), self.children(node).nth(1)) {
                (Some(only), None) => steps.push(Step::Node(only)),
                _ => {
                    let first = steps.len();
                    steps.extend(self.children(node).map(Step::Open));
                    steps[first..].reverse();
                }
            }
        }
        page.text.push('\n');
        page.text
    }

    /// Writes the tree as SGF. For a collection, write one tree after the other.
    pub fn write(&self, out: &mut impl Write, layout: Layout) -> io::Result<()> {
        out.write_all(self.to_sgf_in(layout).as_bytes())
    }

    fn write_node(&self, node: NodeId, page: &mut Page) {
        let mut lead = ";";
        // In the root CA belongs right after the format and the game.
        let mut charset_due =
            node == NodeId::ROOT && !self.properties(node).any(|p| p.name() == "CA");
        for property in self.properties(node) {
            let name = property.identifier();
            if charset_due && name != "FF" && name != "GM" {
                page.property(lead, "CA", ["UTF-8"].into_iter());
                (lead, charset_due) = ("", false);
            }
            if node == NodeId::ROOT && property.name() == "CA" && !names_utf8(&property) {
                page.property(lead, property.name(), ["UTF-8"].into_iter());
            } else {
                page.property(lead, property.name(), property.values().map(|value| value.raw()));
            }
            lead = "";
        }
        if charset_due {
            page.property(lead, "CA", ["UTF-8"].into_iter());
        } else if lead == ";" {
            page.break_before(1);
            page.text.push(';');
        }
    }
}

enum Step {
    /// A node in parentheses, with what follows.
    Open(NodeId),
    /// A node, with what follows.
    Node(NodeId),
    Close,
}

fn names_utf8(property: &Property<'_>) -> bool {
    let mut values = property.values();
    values.len() == 1 && values.all(|value| value.raw().eq_ignore_ascii_case("UTF-8"))
}

/// The text and its last line.
struct Page {
    text: String,
    line_start: usize,
    layout: Layout,
}

impl Page {
    /// Opens a game or a variation, on a line of its own if that does not make it look like another
    /// game to a reader that tries to recover from a lost parenthesis.
    fn open(&mut self, first: Option<Property<'_>>) {
        let safe = !first.is_some_and(|property| is_root_name(property.name()));
        if self.layout != Layout::OneLine && !self.text.is_empty() && safe {
            self.break_line();
        }
        self.text.push('(');
    }

    fn break_line(&mut self) {
        self.text.push('\n');
        self.line_start = self.text.len();
    }

    /// Breaks the line if `length` more bytes do not fit.
    fn break_before(&mut self, length: usize) {
        let Layout::Wrapped(width) = self.layout else { return };
        let used = self.text.len() - self.line_start;
        // Never between a parenthesis and its semicolon.
        if used > 1 && used + length > width && !self.text.ends_with('(') {
            self.break_line();
        }
    }

    fn property<'a>(&mut self, lead: &str, name: &str, values: impl Iterator<Item = &'a str>) {
        for (i, value) in values.enumerate() {
            let name = if i == 0 { name } else { "" };
            let lead = if i == 0 { lead } else { "" };
            self.break_before(lead.len() + name.len() + value.len() + 2);
            self.text.push_str(lead);
            self.text.push_str(name);
            self.text.push('[');
            self.value(value);
            self.text.push(']');
        }
    }

    fn value(&mut self, value: &str) {
        let Some(last) = value.rfind(['\n', '\r']) else {
            self.text.push_str(value);
            return;
        };
        let mut rest = value;
        while let Some(at) = rest.find(['\n', '\r']) {
            let (line, next) = rest.split_at(at + 1);
            self.text.push_str(line);
            rest = next;
            if rest.starts_with('(') && starts_game(format!("{}]", head(rest)).as_bytes(), true) {
                self.text.push('\\');
            }
        }
        self.text.push_str(rest);
        self.line_start = self.text.len() - (value.len() - last - 1);
    }
}

/// Enough of a text to see whether it looks like the start of a game.
fn head(text: &str) -> &str {
    let mut end = text.len().min(LOOKAHEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
