//! A record: the main line of a game tree as plain data.
//!
//! Everything a learner or a board needs is read out of the tree once, so that going through many
//! thousand games is fast. Whether the moves are legal is found out by [`crate::Replay`].

use goban::{Cell, Color, Point, PointMap, Rules, Size, handicap};

use crate::outcome::{Outcome, number};
use crate::rank::Rank;
use crate::tree::{NodeId, Property, Tree};
use crate::value::Value;
use crate::vertex::{Spelling, parse_move, parse_point, rectangle};
use crate::warning::{Notes, Warning, WarningKind, excerpt_of};

/// A tree that is no record of a game of Go that we can play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotARecord {
    /// Another game.
    #[error("GM[{0}] is not Go, which is GM[1]; the game was left out")]
    OtherGame(String),
    /// A board that is not square or too small or large.
    #[error("SZ[{0}] is not a square board from 2x2 to 25x25; the game was left out")]
    Size(String),
}

/// A move of the main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// Who moves.
    pub color: Color,
    /// Where; none is a pass.
    pub point: Option<Point>,
    /// The node that holds the move.
    pub node: NodeId,
}

/// Stones put on or taken off in the middle of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Number of moves before it.
    pub after: usize,
    /// What is put where, in order. Rectangles stay what they are: a small file can hold many.
    pub areas: Vec<Area>,
    /// The node that holds the setup.
    pub node: NodeId,
}

impl Change {
    /// What is put where, in order; what comes later counts.
    pub fn cells(&self) -> impl Iterator<Item = (Point, Cell)> + '_ {
        self.areas
            .iter()
            .flat_map(|area| rectangle(area.corner, area.opposite).map(|point| (point, area.cell)))
    }
}

/// A rectangle of points that are set up alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area {
    /// One corner.
    pub corner: Point,
    /// The corner opposite, often the same.
    pub opposite: Point,
    /// Stones, or nothing.
    pub cell: Cell,
}

/// A player as the header names them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Player {
    /// PB or PW.
    pub name: Option<String>,
    /// BR or WR as written.
    pub rank_text: Option<String>,
}

impl Player {
    /// BR or WR, if it can be read.
    pub fn rank(&self) -> Option<Rank> {
        Rank::parse(self.rank_text.as_deref()?)
    }
}

/// The main line of a game and what its header says. See the module documentation.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The board.
    pub size: Size,
    /// Points for White, if the header says.
    pub komi: Option<f32>,
    /// Handicap stones as the header says, 0 for an even game.
    pub handicap: usize,
    /// RU as written.
    pub rules: Option<String>,
    /// Who won.
    pub outcome: Outcome,
    /// Black and White, by [`Color::index`].
    pub players: [Player; 2],
    /// DT as written.
    pub date: Option<String>,
    /// Stones on the board before the first move.
    pub stones: Vec<(Point, Color)>,
    /// The node that holds the last of them.
    pub setup: NodeId,
    /// Who moves first.
    pub first: Color,
    /// The moves, up to the first that cannot be read.
    pub moves: Vec<Move>,
    /// Setup between the moves, in order.
    pub changes: Vec<Change>,
}

impl Record {
    /// Reads the main line of a tree.
    pub fn new(tree: &Tree, warnings: &mut Vec<Warning>) -> Result<Record, NotARecord> {
        Record::along(tree, tree.main_line(), warnings)
    }

    /// Reads the line from the root to a node of any variation.
    pub fn until(
        tree: &Tree,
        node: NodeId,
        warnings: &mut Vec<Warning>,
    ) -> Result<Record, NotARecord> {
        Record::along(tree, tree.path(node).into_iter(), warnings)
    }

    fn along(
        tree: &Tree,
        line: impl Iterator<Item = NodeId>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Record, NotARecord> {
        if let Some(game) = tree.value(NodeId::ROOT, "GM") {
            let other = number(game.raw()).is_some_and(|number| number != 1.0);
            if other {
                return Err(NotARecord::OtherGame(excerpt_of(game)));
            }
        }
        let notes = Notes::new(warnings, tree.origin().clone());
        let mut draft = Draft::new(tree, notes)?;
        for node in line {
            if !draft.node(node) {
                break;
            }
        }
        Ok(draft.finish())
    }

    /// Whether the rules, as far as RU names known ones, let a player take their own stones off.
    pub fn suicide_allowed(&self) -> bool {
        self.rules.as_deref().and_then(Rules::parse).is_some_and(|rules| rules.suicide)
    }

    /// A player.
    pub fn player(&self, color: Color) -> &Player {
        &self.players[color.index()]
    }
}

/// A record in the making.
struct Draft<'a> {
    tree: &'a Tree,
    notes: Notes<'a>,
    record: Record,
    handicap: Option<usize>,
    to_move: Option<Color>,
}

impl<'a> Draft<'a> {
    fn new(tree: &'a Tree, mut notes: Notes<'a>) -> Result<Draft<'a>, NotARecord> {
        let line = tree.origin().line;
        let used = Size::default();
        let size = match tree.value(NodeId::ROOT, "SZ") {
            None => {
                notes.push(line, None, WarningKind::NoSize { used });
                used
            }
            Some(value) => match sides(&value.simple_text()) {
                Some((width, height)) => Size::new(width)
                    .filter(|_| width == height)
                    .ok_or_else(|| NotARecord::Size(excerpt_of(value)))?,
                None => {
                    let text = excerpt_of(value);
                    notes.push(line, None, WarningKind::BadSize { text, used });
                    used
                }
            },
        };
        let record = Record {
            size,
            komi: None,
            handicap: 0,
            rules: None,
            outcome: Outcome::Unknown,
            players: Default::default(),
            date: None,
            stones: Vec::new(),
            setup: NodeId::ROOT,
            first: Color::Black,
            // Most trees are hardly more than their main line.
            moves: Vec::with_capacity(tree.len().min(400)),
            changes: Vec::new(),
        };
        Ok(Draft { tree, notes, record, handicap: None, to_move: None })
    }

    fn note(&mut self, node: NodeId, move_number: Option<usize>, kind: WarningKind) {
        if self.notes.is_full() && !kind.cuts_main_line() {
            self.notes.count();
        } else {
            let line = self.tree.line(node).unwrap_or(self.tree.origin().line);
            self.notes.push(line, move_number, kind);
        }
    }

    /// Takes a node of the main line; false if the line ends here.
    fn node(&mut self, node: NodeId) -> bool {
        // Stones are set up before the move of the same node, whatever the order in the file.
        let before = self.record.moves.len();
        let mut areas = Vec::new();
        let mut readable = true;
        for property in self.tree.properties(node) {
            match &*property.identifier() {
                "B" if readable => readable = self.play(node, Color::Black, property),
                "W" if readable => readable = self.play(node, Color::White, property),
                "AB" => self.set_up(node, Cell::Black, property, &mut areas),
                "AW" => self.set_up(node, Cell::White, property, &mut areas),
                "AE" => self.set_up(node, Cell::Empty, property, &mut areas),
                name => self.information(node, name, property),
            }
        }
        if !areas.is_empty() {
            self.record.changes.push(Change { after: before, areas, node });
        }
        if self.record.moves.len() > before + 1 {
            self.note(node, Some(before + 1), WarningKind::SeveralMoves);
        }
        readable
    }

    /// Takes the moves of a property; false if one cannot be read.
    fn play(&mut self, node: NodeId, color: Color, property: Property<'a>) -> bool {
        for value in property.values() {
            let number = self.record.moves.len() + 1;
            let name = || property.name().to_owned();
            let point = match parse_move(&value.simple_text(), self.record.size) {
                Some(Spelling::Plain(point)) => point,
                Some(Spelling::Odd(point)) => {
                    let read = point.map_or("a pass".to_owned(), |point| point.to_string());
                    let text = excerpt_of(value);
                    let kind = WarningKind::OddPoint { name: name(), text, read };
                    self.note(node, Some(number), kind);
                    point
                }
                None => {
                    let rest = self.moves_from(node) - self.moves_in(node);
                    let text = excerpt_of(value);
                    let kind = WarningKind::BadMove { name: name(), text, rest };
                    self.note(node, Some(number), kind);
                    return false;
                }
            };
            self.record.moves.push(Move { color, point, node });
        }
        true
    }

    /// Moves of this node read so far.
    fn moves_in(&self, node: NodeId) -> usize {
        self.record.moves.iter().rev().take_while(|m| m.node == node).count()
    }

    /// Moves that the file has in this node and after it.
    fn moves_from(&self, node: NodeId) -> usize {
        std::iter::successors(Some(node), |&node| self.tree.first_child(node))
            .flat_map(|node| self.tree.properties(node))
            .filter(|property| matches!(&*property.identifier(), "B" | "W"))
            .map(|property| property.values().len())
            .sum()
    }

    /// Takes the points of AB, AW or AE, rectangles among them.
    fn set_up(&mut self, node: NodeId, cell: Cell, property: Property<'a>, areas: &mut Vec<Area>) {
        for value in property.values() {
            let corners = match value.pair() {
                Some((a, b)) => self.point(node, property, a).zip(self.point(node, property, b)),
                None => self.point(node, property, value).map(|point| (point, point)),
            };
            match corners {
                Some((corner, opposite)) => areas.push(Area { corner, opposite, cell }),
                None => {
                    let (name, text) = (property.name().to_owned(), excerpt_of(value));
                    self.note(node, None, WarningKind::BadPoint { name, text });
                }
            }
        }
    }

    fn point(&mut self, node: NodeId, property: Property<'a>, value: Value<'a>) -> Option<Point> {
        match parse_point(&value.simple_text(), self.record.size)? {
            Spelling::Plain(point) => Some(point),
            Spelling::Odd(point) => {
                let (name, text) = (property.name().to_owned(), excerpt_of(value));
                let kind = WarningKind::OddPoint { name, text, read: point.to_string() };
                self.note(node, None, kind);
                Some(point)
            }
        }
    }

    /// Takes what a property says about the game. What comes first counts.
    fn information(&mut self, node: NodeId, name: &str, property: Property<'a>) {
        let Some(value) = property.values().next() else { return };
        let text = || Some(value.simple_text().trim().to_owned()).filter(|text| !text.is_empty());
        let [black, white] = &mut self.record.players;
        let place = match name {
            "KM" => return self.komi(node, value),
            "HA" => return self.handicap(node, value),
            "RE" => return self.outcome(node, value),
            "PL" => return self.turn(node, value),
            "RU" => &mut self.record.rules,
            "DT" => &mut self.record.date,
            "PB" => &mut black.name,
            "PW" => &mut white.name,
            "BR" => &mut black.rank_text,
            "WR" => &mut white.rank_text,
            _ => return,
        };
        if place.is_none() {
            *place = text();
        }
    }

    fn komi(&mut self, node: NodeId, value: Value<'a>) {
        if self.record.komi.is_some() || value.raw().trim().is_empty() {
            return;
        }
        let text = excerpt_of(value);
        match number(&value.simple_text()) {
            // A Chinese server counts in hundredths, and in stones: 375 is 3 3/4 stones.
            Some(hundredths) if hundredths >= 100.0 => {
                let points = hundredths / 100.0;
                let stones = matches!(points.fract(), 0.25 | 0.75);
                let komi = if stones { 2.0 * points } else { points };
                self.record.komi = Some(komi);
                self.note(node, None, WarningKind::OddKomi { text, komi });
            }
            // In stones, as Chinese records count: a stone is two points.
            Some(stones) if text.contains('子') => {
                let komi = 2.0 * stones;
                self.record.komi = Some(komi);
                self.note(node, None, WarningKind::OddKomi { text, komi });
            }
            Some(komi) => self.record.komi = Some(komi),
            None => self.note(node, None, WarningKind::BadKomi { text }),
        }
    }

    fn handicap(&mut self, node: NodeId, value: Value<'a>) {
        if self.handicap.is_some() || value.raw().trim().is_empty() {
            return;
        }
        let most = self.record.size.area() as f32;
        match number(&value.simple_text()) {
            Some(stones) if stones >= 0.0 && stones <= most && stones.fract() == 0.0 => {
                self.handicap = Some(stones as usize);
            }
            _ => {
                let text = excerpt_of(value);
                self.note(node, None, WarningKind::BadHandicap { text });
            }
        }
    }

    fn outcome(&mut self, node: NodeId, value: Value<'a>) {
        if self.record.outcome != Outcome::Unknown {
            return;
        }
        match Outcome::parse(&value.simple_text()) {
            Some(outcome) => self.record.outcome = outcome,
            None => {
                let text = excerpt_of(value);
                self.note(node, None, WarningKind::BadResult { text });
            }
        }
    }

    /// PL counts before the first move; later the moves themselves say who moves.
    fn turn(&mut self, node: NodeId, value: Value<'a>) {
        match Color::parse(value.simple_text().trim()) {
            Some(color) if self.record.moves.is_empty() => self.to_move = Some(color),
            Some(_) => {}
            None => {
                let text = excerpt_of(value);
                self.note(node, None, WarningKind::BadPlayer { text });
            }
        }
    }

    fn finish(mut self) -> Record {
        let early = self.record.changes.iter().take_while(|change| change.after == 0).count();
        let changes: Vec<Change> = self.record.changes.drain(..early).collect();
        if let Some(last) = changes.last() {
            self.record.setup = last.node;
            let mut cells = PointMap::filled(Cell::Empty);
            for (point, cell) in changes.iter().flat_map(Change::cells) {
                cells[point] = cell;
            }
            let stones = self.record.size.points();
            self.record.stones =
                stones.filter_map(|point| Some((point, cells[point].color()?))).collect();
        }
        let first = self.record.moves.first().map(|m| m.color);
        if let Some(handicap) = self.handicap {
            self.record.handicap = handicap;
            if handicap >= 2 {
                self.check_handicap(handicap, first);
            }
        }
        let given = self.record.handicap >= 2 && !self.record.stones.is_empty();
        let usual = if given { Color::White } else { Color::Black };
        self.record.first = first.or(self.to_move).unwrap_or(usual);
        self.record
    }

    fn check_handicap(&mut self, given: usize, first: Option<Color>) {
        let black = |&&(_, color): &&(Point, Color)| color == Color::Black;
        let stones = self.record.stones.iter().filter(black).count();
        if !self.record.stones.is_empty() {
            if stones != given {
                let kind = WarningKind::HandicapDiffers { handicap: given, stones };
                self.note(NodeId::ROOT, None, kind);
            }
        } else if first == Some(Color::White) {
            // Old servers leave the stones to the reader. Where Black moves first, the stones are
            // the first moves.
            let size = self.record.size;
            let most = handicap::most_fixed(size);
            let points = handicap::fixed(size, given.min(most)).unwrap_or_default();
            let kind = WarningKind::HandicapPlaced { handicap: given, placed: points.len() };
            self.record.stones = points.into_iter().map(|point| (point, Color::Black)).collect();
            self.note(NodeId::ROOT, None, kind);
        } else if self.record.moves.iter().take(given).filter(|m| m.color == Color::Black).count()
            < given
        {
            self.note(NodeId::ROOT, None, WarningKind::HandicapMissing { handicap: given });
        }
    }
}

/// The sides of a board: `19`, `19:19`, `13:9`, `19x19`.
fn sides(text: &str) -> Option<(usize, usize)> {
    let text = text.trim();
    let side = |text: &str| text.trim().parse().ok();
    match text.split_once([':', 'x', 'X', '*', '×']) {
        Some((width, height)) => Some((side(width)?, side(height)?)),
        None => side(text).map(|n| (n, n)),
    }
}
