//! Points as SGF writes them: `aa` is the upper left corner, columns first.

use goban::{Point, Size};

/// A point or move, and how the text spelled it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spelling<T> {
    /// As SGF wants it.
    Plain(T),
    /// Not as SGF wants it, but clear: capitals, or a vertex such as `Q16`.
    Odd(T),
}

/// How a point is written in SGF.
pub fn point_text(point: Point, size: Size) -> String {
    let row = size.side().saturating_sub(1).saturating_sub(point.y());
    [point.x(), row].map(|v| (b'a' + v) as char).iter().collect()
}

/// How a move is written in SGF; a pass is empty.
pub fn move_text(point: Option<Point>, size: Size) -> String {
    point.map_or_else(String::new, |point| point_text(point, size))
}

/// The point at two letters, if it is on the board.
#[inline]
fn letters(column: u8, row: u8, size: Size) -> Option<Point> {
    let (x, y) = (column.wrapping_sub(b'a'), row.wrapping_sub(b'a'));
    let side = size.side();
    (x < side && y < side).then(|| Point::new(x, side - 1 - y))
}

/// Reads a point.
#[inline]
pub(crate) fn parse_point(text: &str, size: Size) -> Option<Spelling<Point>> {
    if let &[column, row] = text.as_bytes()
        && let Some(point) = letters(column, row, size)
    {
        return Some(Spelling::Plain(point));
    }
    match text.trim().as_bytes() {
        // With blanks around it is still as it should be.
        &[column, row] if text.len() > 2 => letters(column, row, size).map(Spelling::Plain),
        _ => None,
    }
    .or_else(|| match text.trim().as_bytes() {
        &[column, row] if column.is_ascii_alphabetic() && row.is_ascii_alphabetic() => {
            let (column, row) = (column.to_ascii_lowercase(), row.to_ascii_lowercase());
            letters(column, row, size).map(Spelling::Odd)
        }
        _ => size.parse_point(text.trim()).map(Spelling::Odd),
    })
}

/// Reads a move; a pass is empty or, on boards up to 19x19, `tt`.
#[inline]
pub(crate) fn parse_move(text: &str, size: Size) -> Option<Spelling<Option<Point>>> {
    if let Some(reading) = parse_point(text, size) {
        return Some(match reading {
            Spelling::Plain(point) => Spelling::Plain(Some(point)),
            Spelling::Odd(point) => Spelling::Odd(Some(point)),
        });
    }
    let small = size <= Size::NINETEEN;
    match text.trim() {
        "" => Some(Spelling::Plain(None)),
        "tt" if small => Some(Spelling::Plain(None)),
        other if other.eq_ignore_ascii_case("pass") => Some(Spelling::Odd(None)),
        other if small && other.eq_ignore_ascii_case("tt") => Some(Spelling::Odd(None)),
        _ => None,
    }
}

/// The points of a rectangle given by two opposite corners, in reading order.
pub(crate) fn rectangle(a: Point, b: Point) -> impl Iterator<Item = Point> {
    let (left, right) = (a.x().min(b.x()), a.x().max(b.x()));
    let (bottom, top) = (a.y().min(b.y()), a.y().max(b.y()));
    (bottom..=top).rev().flat_map(move |y| (left..=right).map(move |x| Point::new(x, y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_count_from_the_upper_left() {
        let size = Size::NINETEEN;
        for (text, vertex) in [("aa", "A19"), ("sa", "T19"), ("as", "A1"), ("pd", "Q16")] {
            let point = Point::parse(vertex).unwrap();
            assert_eq!(parse_point(text, size), Some(Spelling::Plain(point)));
            assert_eq!(point_text(point, size), text);
        }
        for n in [2, 9, 19, 25] {
            let size = Size::new(n).unwrap();
            for point in size.points() {
                let text = point_text(point, size);
                assert_eq!(parse_move(&text, size), Some(Spelling::Plain(Some(point))));
            }
        }
    }

    #[test]
    fn passes_depend_on_the_size() {
        let large = Size::new(21).unwrap();
        assert_eq!(parse_move("", large), Some(Spelling::Plain(None)));
        assert_eq!(parse_move("tt", Size::NINETEEN), Some(Spelling::Plain(None)));
        assert_eq!(parse_move("tt", Size::NINE), Some(Spelling::Plain(None)));
        assert_eq!(parse_move("tt", large), Some(Spelling::Plain(Some(Point::new(19, 1)))));
        assert_eq!(parse_move("TT", Size::NINE), Some(Spelling::Odd(None)));
        assert_eq!(parse_move("Pass", large), Some(Spelling::Odd(None)));
    }

    #[test]
    fn odd_ways_to_write_a_point() {
        let q16 = Point::parse("Q16").unwrap();
        let size = Size::NINETEEN;
        assert_eq!(parse_point(" pd\n", size), Some(Spelling::Plain(q16)));
        for text in ["PD", "Pd", "Q16", "q16", " PD "] {
            assert_eq!(parse_point(text, size), Some(Spelling::Odd(q16)), "{text:?}");
        }
        for text in ["", "p", "pdd", "ta", "at", "zz", "Q20", "表", "p表", "[]", "a1b"] {
            assert_eq!(parse_point(text, size), None, "{text:?}");
        }
    }

    #[test]
    fn rectangles_take_corners_in_any_order() {
        let [a, b] = [Point::new(2, 3), Point::new(3, 1)];
        let all: Vec<String> = rectangle(a, b).map(|p| p.to_string()).collect();
        assert_eq!(all, ["C4", "D4", "C3", "D3", "C2", "D2"]);
        assert!(rectangle(b, a).eq(rectangle(a, b)));
    }
}
