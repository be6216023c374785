//! What is recognised in a position, drawn over its board: as letters with a table below, and as a
//! picture.

use std::io::Write;

use anyhow::Result;
use clap::ValueEnum;
use goban::{Board, Cell, Color, Picture, Point, PointMap};
use knowledge::{Group, Influence, Ladder, Link, Strength, ladders};

use crate::extract::side_by_side;
use crate::lettered;

/// What to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Overlay {
    /// Which points the stones reach
    Influence,
    /// Stones that belong together, and where they can be cut
    Links,
    /// Groups, how strong they are and whether they live
    Groups,
    /// Whose the points are
    Territory,
    /// Chains that can be caught in a ladder
    Ladders,
}

impl Overlay {
    /// Whether the ends of playouts are needed.
    pub fn needs_owners(self) -> bool {
        matches!(self, Overlay::Groups | Overlay::Territory)
    }
}

/// Moves that are listed.
const LISTED: usize = 5;

/// A position as it is seen.
pub struct Sight<'a> {
    board: &'a Board,
    seen: engine::Assessment,
}

impl<'a> Sight<'a> {
    /// The position, with who owns the points at the ends of playouts.
    pub fn new(board: &'a Board, ownership: PointMap<f32>) -> Sight<'a> {
        Sight { board, seen: engine::Assessment::new(board, ownership) }
    }

    /// Letters and tables.
    pub fn print(&self, out: &mut dyn Write, overlay: Overlay, to_move: Color) -> Result<()> {
        match overlay {
            Overlay::Influence => self.print_influence(out, to_move),
            Overlay::Links => self.print_links(out),
            Overlay::Groups => self.print_groups(out),
            Overlay::Territory => self.print_territory(out),
            Overlay::Ladders => self.print_ladders(out),
        }
    }

    fn print_influence(&self, out: &mut dyn Write, to_move: Color) -> Result<()> {
        let influence = Influence::new(self.board);
        let letter = |p: Point| match (self.board.cell(p), influence.owner(p)) {
            (Cell::Empty, Some(Color::Black)) => '+',
            (Cell::Empty, Some(Color::White)) => '-',
            (cell, _) => stone(cell),
        };
        writeln!(out, "\n{}\n", lettered::board(self.board.size(), letter))?;
        let [black, white] = Color::BOTH.map(|color| influence.area(color));
        writeln!(out, "+ and - are points that Black and White reach: {black} and {white}.")?;
        let best = influence.gains(self.board, to_move).into_iter().take(LISTED);
        let best: Vec<String> = best.map(|(p, gain)| format!("{p} {gain:+}")).collect();
        writeln!(out, "{to_move} gains most at {}.", best.join(", "))?;
        Ok(())
    }

    fn print_links(&self, out: &mut dyn Write) -> Result<()> {
        let links = &self.seen.groups.links;
        let letter = |p: Point| match links.iter().find(|link| link.way.contains(&p)) {
            Some(link) if !link.holds() => '?',
            Some(link) if link.color == Color::Black => '+',
            Some(_) => '-',
            None => stone(self.board.cell(p)),
        };
        writeln!(out, "\n{}\n", lettered::board(self.board.size(), letter))?;
        writeln!(out, "+ and - link stones of Black and White; at ? the opponent can cut.\n")?;
        for link in links {
            writeln!(out, "  {}", link_words(link))?;
        }
        Ok(())
    }

    fn print_groups(&self, out: &mut dyn Write) -> Result<()> {
        let letter = |p: Point| match self.seen.groups.at(p) {
            Some(group) => self.letter(group),
            None => '.',
        };
        writeln!(out, "\n{}\n", lettered::board(self.board.size(), letter))?;
        writeln!(out, "     Group       Stones  Liberties  Eyes  Survives")?;
        for group in &self.seen.groups.list {
            writeln!(
                out,
                "  {}  {:<11} {:>6} {:>10}  {:>4}  {:>6.0} %  {}",
                self.letter(group),
                format!("{} {}", group.color, group.name()),
                group.stones.len(),
                group.liberties.len(),
                group.eye_count(),
                100.0 * group.strength,
                group.life.word(),
            )?;
        }
        Ok(())
    }

    fn print_territory(&self, out: &mut dyn Write) -> Result<()> {
        let (lines, owned) = (&self.seen.by_lines, &self.seen.by_ownership);
        let drawn = [lines, owned].map(|territory| {
            lettered::board(self.board.size(), |p| match (self.board.cell(p), territory.owner[p]) {
                (Cell::Empty, Some(Color::Black)) => '+',
                (Cell::Empty, Some(Color::White)) => '-',
                (Cell::Black, Some(Color::White)) => 'x',
                (Cell::White, Some(Color::Black)) => 'o',
                (cell, _) => stone(cell),
            })
        });
        let captions = [("By lines", lines), ("By ownership", owned)].map(|(name, territory)| {
            let [black, white] = territory.area;
            format!("{name}: {black} and {white}")
        });
        writeln!(out)?;
        side_by_side(out, drawn.iter().map(String::as_str), &captions)?;
        writeln!(out, "\n+ and - are points of Black and of White; x and o are dead.")?;
        Ok(())
    }

    fn print_ladders(&self, out: &mut dyn Write) -> Result<()> {
        let found = ladders(self.board);
        let letter = |p: Point| {
            let moves = found.iter().find_map(|ladder| ladder.line.iter().position(|&q| q == p));
            match (moves, self.board.cell(p)) {
                (Some(n @ 0..9), Cell::Empty) => char::from(b'1' + n as u8),
                (Some(_), Cell::Empty) => '*',
                (_, cell) if found.iter().any(|ladder| self.is_chased(ladder, p)) => {
                    stone(cell).to_ascii_lowercase()
                }
                (_, cell) => stone(cell),
            }
        };
        writeln!(out, "\n{}\n", lettered::board(self.board.size(), letter))?;
        if found.is_empty() {
            writeln!(out, "No chain can be caught in a ladder.")?;
        } else {
            writeln!(out, "x and o can be caught; 1 to 9 are the first moves, * later ones.\n")?;
        }
        for ladder in &found {
            writeln!(out, "  {}", ladder.words())?;
        }
        Ok(())
    }

    fn is_chased(&self, ladder: &Ladder, p: Point) -> bool {
        let chain = self.board.chain(p);
        chain.is_some() && chain == self.board.chain(ladder.stone)
    }

    /// Black's groups have capitals, White's small letters.
    pub fn letter(&self, group: &Group) -> char {
        let same = self.seen.groups.list.iter().filter(|other| other.color == group.color);
        let place = same.take_while(|other| other.name() != group.name()).count();
        let first = if group.color == Color::Black { b'A' } else { b'a' };
        u8::try_from(place).ok().filter(|&n| n < 26).map_or('#', |n| char::from(first + n))
    }

    /// Adds what is seen to a picture.
    pub fn draw(&self, mut picture: Picture<'a>, overlay: Overlay) -> Picture<'a> {
        let size = self.board.size();
        match overlay {
            Overlay::Influence => {
                let influence = Influence::new(self.board);
                for p in size.points().filter(|&p| self.board.cell(p) == Cell::Empty) {
                    picture = picture.shade(p, influence.sum(p) as f32 / 4.0);
                }
            }
            Overlay::Links => {
                for link in &self.seen.groups.links {
                    picture = picture.bond(link.color, link.ends, !link.holds());
                }
            }
            Overlay::Groups => {
                for link in self.seen.groups.links.iter().filter(|link| link.holds()) {
                    picture = picture.bond(link.color, link.ends, false);
                }
                for group in &self.seen.groups.list {
                    let owner = 2.0 * group.strength - 1.0;
                    let owner = if group.color == Color::Black { owner } else { -owner };
                    for p in group.stones.iter() {
                        // A shade says that the stone is lost, and would hide the letter.
                        picture = match group.strength {
                            0.5.. => picture.label(p, self.letter(group).to_string()),
                            _ => picture.shade(p, owner),
                        };
                    }
                    for p in group.eyes.iter().flat_map(|eye| eye.points.iter()) {
                        picture =
                            picture.shade(p, if group.color == Color::Black { 0.4 } else { -0.4 });
                    }
                }
            }
            Overlay::Territory => {
                // What both estimates agree on is drawn larger.
                let (lines, owned) = (&self.seen.by_lines, &self.seen.by_ownership);
                for p in size.points() {
                    let Some(color) = owned.owner[p] else { continue };
                    let sure = if lines.owner[p] == Some(color) { 1.0 } else { 0.3 };
                    picture = picture.shade(p, if color == Color::Black { sure } else { -sure });
                }
            }
            Overlay::Ladders => {
                let mut labelled = goban::PointSet::EMPTY;
                for ladder in ladders(self.board) {
                    for (i, &p) in ladder.line.iter().enumerate() {
                        if self.board.cell(p) == Cell::Empty && labelled.insert(p) {
                            picture = picture.label(p, (i + 1).to_string());
                        }
                    }
                    let stones = size.points().filter(|&p| self.is_chased(&ladder, p));
                    for p in stones {
                        picture = picture.label(p, "×");
                    }
                }
            }
        }
        picture
    }
}

fn stone(cell: Cell) -> char {
    match cell {
        Cell::Black => 'X',
        Cell::White => 'O',
        _ => '.',
    }
}

/// `Black C3 and D5: knight's move, can be cut at C4 or D4`
fn link_words(link: &Link) -> String {
    let [a, b] = link.ends;
    let way: Vec<String> = link.way.iter().map(Point::to_string).collect();
    let state = match link.strength {
        Strength::Firm => "cannot be cut".to_owned(),
        Strength::Open => "nobody near to cut it".to_owned(),
        Strength::Cuttable => format!("can be cut around {}", way.join(" ")),
    };
    format!("{} {a} and {b}: {}, {state}", link.color, link.kind.name())
}
