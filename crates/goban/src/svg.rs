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
    shades: Vec<(Point, f32)>,
    links: Vec<Link>,
    bonds: Vec<Bond>,
}

/// A straight line between two stones.
#[derive(Clone)]
struct Bond {
    ends: [Point; 2],
    color: &'static str,
    is_dashed: bool,
}

/// A line from one point to another.
#[derive(Clone)]
struct Link {
    from: Point,
    to: Point,
    color: &'static str,
    is_arrow: bool,
}

/// The colours of lines that belong to a player, to be told apart on wood and on stones.
const fn line_color(player: Color) -> &'static str {
    match player {
        Color::Black => "#1f4fbf",
        Color::White => "#c2261c",
    }
}

impl<'a> Picture<'a> {
    /// The board without marks.
    pub fn new(board: &'a Board) -> Picture<'a> {
        Picture {
            board,
            last: None,
            labels: Vec::new(),
            title: None,
            shades: Vec::new(),
            links: Vec::new(),
            bonds: Vec::new(),
        }
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

    /// Shades a point: from -1 for White's, light, to +1 for Black's, dark.
    pub fn shade(mut self, p: Point, owner: f32) -> Picture<'a> {
        self.shades.push((p, owner.clamp(-1.0, 1.0)));
        self
    }

    /// Draws an arc between two points that belong together for a player.
    pub fn arc(mut self, player: Color, ends: [Point; 2]) -> Picture<'a> {
        let [from, to] = ends;
        self.links.push(Link { from, to, color: line_color(player), is_arrow: false });
        self
    }

    /// Draws a straight line between two stones of a player, dashed if it is not to be relied on.
    pub fn bond(mut self, player: Color, ends: [Point; 2], is_dashed: bool) -> Picture<'a> {
        self.bonds.push(Bond { ends, color: line_color(player), is_dashed });
        self
    }

    /// Draws an arrow from a move of a player to a later one.
    pub fn arrow(mut self, player: Color, from: Point, to: Point) -> Picture<'a> {
        self.links.push(Link { from, to, color: line_color(player), is_arrow: true });
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
        for bond in &self.bonds {
            let ((x0, y0), (x1, y1)) = (place(bond.ends[0], size), place(bond.ends[1], size));
            let (color, dashes) = (bond.color, if bond.is_dashed { "3 4" } else { "none" });
            writeln!(
                out,
                r##"<path d="M{x0} {y0}L{x1} {y1}" stroke="{color}" stroke-width="3" stroke-linecap="round" stroke-dasharray="{dashes}"/>"##
            )?;
        }
        for &(p, owner) in &self.shades {
            self.write_shade(out, p, owner)?;
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
        for link in &self.links {
            self.write_link(out, link)?;
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

    /// A square of the owner's colour, the larger the surer; on a stone too, where it shows that
    /// the stone is not its player's in the end.
    fn write_shade(&self, out: &mut String, p: Point, owner: f32) -> std::fmt::Result {
        let side = STEP * 0.5 * owner.abs().sqrt();
        let own = self.board.cell(p).color().is_some_and(|c| (c == Color::Black) == (owner > 0.0));
        if side < 2.0 || own {
            return Ok(());
        }
        let (x, y) = place(p, self.board.size());
        let (x, y) = (x - side / 2.0, y - side / 2.0);
        let fill = if owner > 0.0 { "#1b1b1b" } else { "#fafafa" };
        writeln!(
            out,
            r##"<rect x="{x:.1}" y="{y:.1}" width="{side:.1}" height="{side:.1}" fill="{fill}" fill-opacity=".75"/>"##
        )
    }

    /// A curve that starts and ends beside its points, so that these can still be seen.
    fn write_link(&self, out: &mut String, link: &Link) -> std::fmt::Result {
        let size = self.board.size();
        let ((x0, y0), (x1, y1)) = (place(link.from, size), place(link.to, size));
        let (dx, dy) = (x1 - x0, y1 - y0);
        let length = dx.hypot(dy).max(1.0);
        // Bent to one side of the way; the same pair in the other order bends to the other.
        let bend = if link.is_arrow { 0.16 } else { (0.5 * STEP / length).max(0.28) };
        let (cx, cy) = ((x0 + x1) / 2.0 - bend * dy, (y0 + y1) / 2.0 + bend * dx);
        let toward = |x: f32, y: f32, by: f32| {
            let far = (cx - x).hypot(cy - y).max(1.0);
            (x + (cx - x) / far * by, y + (cy - y) / far * by)
        };
        let room = if link.is_arrow { (0.25 * length).min(7.0) } else { 3.0 };
        let ((x0, y0), (x1, y1)) = (toward(x0, y0, room), toward(x1, y1, room));
        let color = link.color;
        let width = if link.is_arrow { 1.6 } else { 3.0 };
        writeln!(
            out,
            r##"<path d="M{x0:.1} {y0:.1}Q{cx:.1} {cy:.1} {x1:.1} {y1:.1}" fill="none" stroke="{color}" stroke-width="{width}" stroke-linecap="round"/>"##
        )?;
        if link.is_arrow {
            // The head points where the curve ends.
            let (ux, uy) = (x1 - cx, y1 - cy);
            let far = ux.hypot(uy).max(1.0);
            let (ux, uy) = (ux / far, uy / far);
            let (bx, by) = (x1 - 6.0 * ux, y1 - 6.0 * uy);
            let (lx, ly, rx, ry) = (bx - 3.2 * uy, by + 3.2 * ux, bx + 3.2 * uy, by - 3.2 * ux);
            writeln!(
                out,
                r##"<path d="M{x1:.1} {y1:.1}L{lx:.1} {ly:.1}L{rx:.1} {ry:.1}Z" fill="{color}"/>"##
            )?;
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
        let linked = Picture::new(&board).shade(d4, -0.8).arrow(Color::Black, d4, e5);
        let linked = linked.arc(Color::White, [e5, d4]).shade(e5, 0.9).to_svg();
        assert_eq!(linked.matches("fill-opacity").count(), 2);
        assert_eq!((linked.matches("Q").count(), linked.matches("Z\"").count()), (2, 1));
        let joined = Picture::new(&board).bond(Color::Black, [d4, e5], true).to_svg();
        assert_eq!(joined.matches("stroke-dasharray=\"3 4\"").count(), 1);
        // Four coordinates a line.
        assert_eq!(svg.matches("<text").count(), 4 * 9 + 1);
    }
}
