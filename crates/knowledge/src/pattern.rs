//! The pattern database: shapes with a move, read from a text that people can edit, and found on a
//! board in all orientations and for both colours. The head of `patterns.txt` says how they are
//! written.

use std::fmt;

use goban::{Board, Cell, Color, Point, Symmetry};

/// The largest shapes, in points.
const LARGEST: usize = 7;

/// What a pattern is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PatternKind {
    /// Good shape.
    Shape,
    /// The first moves of a game.
    Opening,
    /// Exchanges in a corner.
    Joseki,
    /// A skilful local move.
    Tesuji,
    /// Life and death.
    Life,
    /// The end of a game.
    Endgame,
}

impl PatternKind {
    /// All of them.
    pub const ALL: [PatternKind; 6] = [
        PatternKind::Shape,
        PatternKind::Opening,
        PatternKind::Joseki,
        PatternKind::Tesuji,
        PatternKind::Life,
        PatternKind::Endgame,
    ];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            PatternKind::Shape => "shape",
            PatternKind::Opening => "opening",
            PatternKind::Joseki => "joseki",
            PatternKind::Tesuji => "tesuji",
            PatternKind::Life => "life",
            PatternKind::Endgame => "endgame",
        }
    }
}

/// What a point of a shape must be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Want {
    Own,
    Enemy,
    Edge,
    Empty,
}

/// A point beside the move and what it must be.
type Part = (i8, i8, Want);

/// A shape with a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// What it is called.
    pub name: String,
    /// What it is about.
    pub kind: PatternKind,
    /// Which of several to take: the largest.
    pub weight: u32,
    /// Something for people.
    pub note: String,
    /// Stones in it.
    pub stones: usize,
    /// Its points beside the move, in each orientation that looks different; stones first.
    turned: Vec<Vec<Part>>,
}

/// A pattern that is on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Matched {
    /// The move.
    pub point: Point,
    /// Which pattern.
    pub pattern: usize,
}

/// What is wrong with a text of patterns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, in words.
    pub what: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for PatternError {}

/// Patterns, in the order they were written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Patterns {
    list: Vec<Pattern>,
}

/// A pattern while it is being read.
struct Draft {
    line: usize,
    name: String,
    kind: PatternKind,
    weight: Option<u32>,
    note: String,
    rows: Vec<(usize, Vec<char>)>,
}

impl Patterns {
    /// The patterns that come with Harie.
    pub fn standard() -> Patterns {
        Patterns::parse(include_str!("../patterns.txt")).expect("a test reads them")
    }

    /// Reads patterns.
    ///
    /// # Errors
    /// The first line that is wrong, and why.
    pub fn parse(text: &str) -> Result<Patterns, PatternError> {
        let mut patterns = Patterns::default();
        let mut draft: Option<Draft> = None;
        for (i, line) in text.lines().enumerate() {
            let (number, line) = (i + 1, line.trim());
            let wrong = |what: String| PatternError { line: number, what };
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[') {
                let name = name.strip_suffix(']').map(str::trim).filter(|name| !name.is_empty());
                let name = name.ok_or_else(|| wrong("a name is written as [name]".to_owned()))?;
                patterns.add(draft.take())?;
                if patterns.list.iter().any(|known| known.name == name) {
                    return Err(wrong(format!("there are two patterns called '{name}'")));
                }
                draft = Some(Draft {
                    line: number,
                    name: name.to_owned(),
                    kind: PatternKind::Shape,
                    weight: None,
                    note: String::new(),
                    rows: Vec::new(),
                });
                continue;
            }
            let Some(draft) = &mut draft else {
                return Err(wrong("a pattern begins with its name, as in [name]".to_owned()));
            };
            match line.split_once(':') {
                Some((field, value)) => draft.set(field.trim(), value.trim()).map_err(wrong)?,
                None => draft.row(number, line).map_err(wrong)?,
            }
        }
        patterns.add(draft)?;
        if patterns.list.is_empty() {
            let what = "the file ends without a pattern; one begins with its name, as in [name]";
            return Err(PatternError { line: text.lines().count().max(1), what: what.to_owned() });
        }
        Ok(patterns)
    }

    fn add(&mut self, draft: Option<Draft>) -> Result<(), PatternError> {
        let Some(draft) = draft else { return Ok(()) };
        let pattern = draft.finish()?;
        let same = |known: &&Pattern| known.turned.iter().any(|t| *t == pattern.turned[0]);
        if let Some(known) = self.list.iter().find(same) {
            let (name, other) = (&pattern.name, &known.name);
            let what = format!("'{name}' is the same shape as '{other}', perhaps turned");
            return Err(PatternError { line: draft.line, what });
        }
        self.list.push(pattern);
        Ok(())
    }

    /// The patterns.
    pub fn list(&self) -> &[Pattern] {
        &self.list
    }

    /// The patterns that are on the board for a player to move, the weightiest first; of equal ones
    /// that which stands first in the order of reading. A move that several patterns propose is listed
    /// with the weightiest.
    pub fn find(&self, board: &Board, color: Color) -> Vec<Matched> {
        let mut found: Vec<Matched> = Vec::new();
        for point in board.size().points().filter(|&p| board.is_legal(p, color)) {
            let there = |pattern: &&(usize, &Pattern)| pattern.1.is_at(board, point, color);
            let numbered: Vec<(usize, &Pattern)> = self.list.iter().enumerate().collect();
            let best =
                numbered.iter().filter(there).max_by_key(|(i, p)| (p.weight, usize::MAX - i));
            found.extend(best.map(|&(pattern, _)| Matched { point, pattern }));
        }
        found.sort_by_key(|matched| std::cmp::Reverse(self.list[matched.pattern].weight));
        found
    }
}

impl Draft {
    fn set(&mut self, field: &str, value: &str) -> Result<(), String> {
        match field {
            "kind" => {
                let known = PatternKind::ALL.into_iter().find(|kind| kind.name() == value);
                self.kind = known.ok_or_else(|| {
                    let names: Vec<&str> = PatternKind::ALL.iter().map(|k| k.name()).collect();
                    format!("'{value}' is no kind; there are {}", names.join(", "))
                })?;
            }
            "weight" => {
                let weight = value.parse().map_err(|_| format!("'{value}' is no whole number"))?;
                self.weight = Some(weight);
            }
            "note" => self.note = value.to_owned(),
            _ => return Err(format!("'{field}' means nothing; there are kind, weight and note")),
        }
        Ok(())
    }

    fn row(&mut self, number: usize, line: &str) -> Result<(), String> {
        let row: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
        if let Some(bad) = row.iter().find(|c| !".OX*?-|+".contains(**c)) {
            return Err(format!("'{bad}' means nothing in a row; use . O X * ? - | +"));
        }
        if row.len() > LARGEST {
            return Err(format!("a row has at most {LARGEST} points, this one has {}", row.len()));
        }
        if let Some((_, first)) = self.rows.first().filter(|(_, first)| first.len() != row.len()) {
            let (has, others) = (row.len(), first.len());
            return Err(format!("this row has {has} points, the first one has {others}"));
        }
        if self.rows.len() == LARGEST {
            return Err(format!("a pattern has at most {LARGEST} rows"));
        }
        self.rows.push((number, row));
        Ok(())
    }

    fn finish(&self) -> Result<Pattern, PatternError> {
        let wrong = |what: &str| PatternError { line: self.line, what: what.to_owned() };
        let cells = || {
            let rows = self.rows.iter().enumerate();
            rows.flat_map(|(y, (_, row))| {
                row.iter().enumerate().map(move |(x, &c)| (x as i8, -(y as i8), c))
            })
        };
        let mut moves = cells().filter(|&(.., c)| c == '*');
        let (x0, y0) = match (moves.next(), moves.next()) {
            (Some((x, y, _)), None) => (x, y),
            (None, _) => return Err(wrong("the pattern has no move: write * where it is")),
            _ => return Err(wrong("the pattern has more than one move")),
        };
        let mut parts: Vec<Part> = Vec::new();
        for (x, y, c) in cells() {
            let want = match c {
                'O' => Want::Own,
                'X' => Want::Enemy,
                '-' | '|' | '+' => Want::Edge,
                '.' => Want::Empty,
                _ => continue,
            };
            parts.push((x - x0, y - y0, want));
        }
        if parts.iter().all(|part| part.2 == Want::Empty) {
            return Err(wrong("the pattern has neither a stone nor an edge"));
        }
        let stones = parts.iter().filter(|p| matches!(p.2, Want::Own | Want::Enemy)).count();
        let mut turned: Vec<Vec<Part>> = Vec::new();
        for symmetry in Symmetry::ALL {
            let turn = |&(x, y, want): &Part| {
                let (x, y) = symmetry.apply_offset(x, y);
                (x, y, want)
            };
            let mut image: Vec<Part> = parts.iter().map(turn).collect();
            // What is rare is asked first.
            image.sort_by_key(|&(x, y, want)| (want, x.abs() + y.abs(), x, y));
            if !turned.contains(&image) {
                turned.push(image);
            }
        }
        Ok(Pattern {
            name: self.name.clone(),
            kind: self.kind,
            weight: self.weight.unwrap_or(stones as u32),
            note: self.note.clone(),
            stones,
            turned,
        })
    }
}

impl Pattern {
    /// Whether the shape is around `p` in some orientation, for a player to move there.
    pub fn is_at(&self, board: &Board, p: Point, color: Color) -> bool {
        let size = board.size();
        let fits = |&(dx, dy, want): &Part| {
            let cell = p.offset(dx, dy, size).map(|q| board.cell(q));
            match want {
                Want::Own => cell == Some(Cell::from(color)),
                Want::Enemy => cell == Some(Cell::from(!color)),
                Want::Edge => cell.is_none(),
                Want::Empty => cell == Some(Cell::Empty),
            }
        };
        self.turned.iter().any(|parts| parts.iter().all(fits))
    }
}
