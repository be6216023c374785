//! Boards as pictures: SVG text that stands on its own.

use std::fmt::Write;

use crate::board::Board;
use crate::color::{Cell, Color};
use crate::handicap::star_points;
use crate::point::{Point, Size};

/// Distance between two lines in the units of the picture.
const STEP: f32 = 24.0;
/// Room for the coordinates around the lines.
const MARGIN: f32 = 30.0;

/// A picture of a board, to be marked and then turned into SVG.
#[derive(Clone)]
pub struct Picture<'a> {
    board: &'a Board,
    last: Option<Point>,
    labels: Vec<(Point, String)>,
    title: Option<String>,
}

impl<'a> Picture<'a> {
    /// The board without marks.
    pub fn new(board: &'a Board) -> Picture<'a> {
        Picture { board, last: None, labels: Vec::new(), title: None }
    }

    /// Puts a ring on the last move.
    pub fn last(mut self, last: Option<Point>) -> Picture<'a> {
        self.last = last;
        self
    }

    /// Writes a short text on a point.
    pub fn label(mut self, p: Point, text: impl Into<String>) -> Picture<'a> {
        self.labels.push((p, text.into()));
        self
    }

    /// What the picture shows, for those who cannot see it.
    pub fn title(mut self, title: impl Into<String>) -> Picture<'a> {
        self.title = Some(title.into());
        self
    }

    /// The picture.
    pub fn to_svg(&self) -> String {
        let mut svg = String::new();
        self.write(&mut svg).expect("writing to a string does not fail");
        svg
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let size = self.board.size();
        let span = (size.side() - 1) as f32 * STEP;
        let whole = span + 2.0 * MARGIN;
        let title = self.title.clone().unwrap_or_else(|| format!("Go board {size}"));
        writeln!(
            out,
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" width="{whole}" height="{whole}" role="img" font-family="sans-serif" text-anchor="middle">"##
        )?;
        writeln!(out, "<title>{}</title>", escape(&title))?;
        writeln!(out, r##"<rect width="{whole}" height="{whole}" rx="6" fill="#e3b567"/>"##)?;
        self.write_lines(out, span)?;
        self.write_coordinates(out, whole)?;
        for p in size.points() {
            if let Some(color) = self.board.cell(p).color() {
                let (x, y) = place(p, size);
                let (fill, line) = match color {
                    Color::Black => ("#1b1b1b", "#000"),
                    Color::White => ("#fafafa", "#555"),
                };
                let r = STEP * 0.475;
                writeln!(
                    out,
                    r##"<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" stroke="{line}" stroke-width=".8"/>"##
                )?;
            }
        }
        if let Some(last) = self.last {
            let (x, y) = place(last, size);
            let ink = self.ink(last);
            writeln!(
                out,
                r##"<circle cx="{x}" cy="{y}" r="5.5" fill="none" stroke="{ink}" stroke-width="2"/>"##
            )?;
        }
        for (p, text) in &self.labels {
            self.write_label(out, *p, text)?;
        }
        writeln!(out, "</svg>")
    }

    fn write_lines(&self, out: &mut String, span: f32) -> std::fmt::Result {
        let size = self.board.size();
        let (low, high) = (MARGIN, MARGIN + span);
        write!(out, r##"<path d=""##)?;
        for i in 0..size.side() {
            let at = MARGIN + i as f32 * STEP;
            write!(out, "M{low} {at}H{high}M{at} {low}V{high}")?;
        }
        writeln!(out, r##"" stroke="#4a3714" stroke-width="1" stroke-linecap="square"/>"##)?;
        for p in star_points(size) {
            let (x, y) = place(p, size);
            writeln!(out, r##"<circle cx="{x}" cy="{y}" r="3" fill="#4a3714"/>"##)?;
        }
        Ok(())
    }

    fn write_coordinates(&self, out: &mut String, whole: f32) -> std::fmt::Result {
        let size = self.board.size();
        writeln!(out, r##"<g font-size="11" fill="#4a3714">"##)?;
        for i in 0..size.side() {
            let (x, y) = place(Point::new(i, i), size);
            let letter = Point::column_letter(i);
            let number = i + 1;
            let (top, bottom, right) = (13.0, whole - 6.0, whole - 10.0);
            let middle = y + 4.0;
            writeln!(
                out,
                r##"<text x="{x}" y="{top}">{letter}</text><text x="{x}" y="{bottom}">{letter}</text><text x="10" y="{middle}">{number}</text><text x="{right}" y="{middle}">{number}</text>"##
            )?;
        }
        writeln!(out, "</g>")
    }

    fn write_label(&self, out: &mut String, p: Point, text: &str) -> std::fmt::Result {
        let (x, y) = place(p, self.board.size());
        if self.board.cell(p) == Cell::Empty {
            // The crossing would run through the letter.
            writeln!(out, r##"<circle cx="{x}" cy="{y}" r="8.5" fill="#e3b567"/>"##)?;
        }
        let font = if text.chars().count() > 2 { 10 } else { 13 };
        let (baseline, ink) = (y + 4.5, self.ink(p));
        let text = escape(text);
        writeln!(
            out,
            r##"<text x="{x}" y="{baseline}" font-size="{font}" fill="{ink}">{text}</text>"##
        )
    }

    /// A colour that can be seen on what is at `p`.
    fn ink(&self, p: Point) -> &'static str {
        if self.board.cell(p) == Cell::Black { "#fff" } else { "#000" }
    }
}

fn place(p: Point, size: Size) -> (f32, f32) {
    let row = size.side() - 1 - p.y();
    (MARGIN + p.x() as f32 * STEP, MARGIN + row as f32 * STEP)
}

fn escape(text: &str) -> String {
    // Control characters may not stand in XML at all.
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_marks_and_text_are_there() {
        let mut board = Board::new(Size::NINE);
        let (d4, e5) = (Point::new(3, 3), Point::new(4, 4));
        board.play(d4, Color::Black).unwrap();
        let svg =
            Picture::new(&board).last(Some(d4)).label(e5, "<a>").title("a & \u{1b}b").to_svg();
        assert_eq!(svg.matches("#1b1b1b").count(), 1);
        assert!(svg.contains("&lt;a&gt;") && svg.contains("<title>a &amp; b</title>"));
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        // Four coordinates a line.
        assert_eq!(svg.matches("<text").count(), 4 * 9 + 1);
    }
}
