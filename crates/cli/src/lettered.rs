//! Boards of letters with coordinates: what is known of each point in one character.

use goban::{Point, Size};

/// The board with a letter on each point.
pub fn board(size: Size, letter: impl Fn(Point) -> char) -> String {
    let columns: Vec<String> =
        (0..size.side()).map(|x| Point::column_letter(x).to_string()).collect();
    let header = format!("   {}", columns.join(" "));
    let mut lines = vec![header.clone()];
    for y in (0..size.side()).rev() {
        let cells: Vec<String> =
            (0..size.side()).map(|x| letter(Point::new(x, y)).to_string()).collect();
        lines.push(format!("{:2} {} {}", y + 1, cells.join(" "), y + 1));
    }
    lines.push(header);
    lines.join("\n")
}
