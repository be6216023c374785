//! Eyes: empty regions that stones of one colour enclose, and how many eyes they are worth.
//!
//! A region counts by its shape as it is taught: one or two points are one eye, three and the shapes
//! with a vital point (pyramid four, bulky five, crossed five, rabbity six) are two if their owner
//! moves first and one if not, a square of four is one, and everything else of four points or more is
//! two. A single point whose corners the opponent holds is a false eye.

use goban::{Board, Cell, Color, Point, PointSet};

/// Regions larger than this are not eyes but territory.
const LARGEST: usize = 12;

/// An enclosed region.
#[derive(Clone, PartialEq, Debug)]
pub struct Eye {
    /// Whose stones enclose it.
    pub color: Color,
    /// Its points: empty ones, and stones inside that are dead.
    pub points: PointSet,
    /// Eyes that it is worth: 0 if false, 1, 1.5 if it depends on who moves first, or 2.
    pub worth: f32,
}

/// The eyes of a position in the order of reading. Stones in `dead` are taken for empty points.
pub fn eyes(board: &Board, dead: &PointSet) -> Vec<Eye> {
    let mut seen = PointSet::EMPTY;
    let mut found = Vec::new();
    let is_open = |p: Point| board.cell(p) == Cell::Empty || dead.contains(p);
    for start in board.size().points().filter(|&p| is_open(p)) {
        if seen.contains(start) {
            continue;
        }
        let (mut region, mut colors) = (PointSet::EMPTY, [false; 2]);
        let mut border = vec![start];
        region.insert(start);
        while let Some(p) = border.pop() {
            for q in board.neighbours(p) {
                if is_open(q) {
                    if region.insert(q) {
                        border.push(q);
                    }
                } else if let Some(color) = board.cell(q).color() {
                    colors[color.index()] = true;
                }
            }
        }
        seen.unite(&region);
        let color = match colors {
            [true, false] => Color::Black,
            [false, true] => Color::White,
            _ => continue,
        };
        if region.len() <= LARGEST {
            let worth = worth(board, color, &region);
            found.push(Eye { color, points: region, worth });
        }
    }
    found
}

/// No group lives within so few points, so that stones of the opponent's there are prisoners.
const PRISON: usize = 7;

/// Enclosed regions with stones of the opponent's inside that were not taken for dead.
pub(crate) fn invaded(board: &Board, known: &[Eye]) -> Vec<Eye> {
    let mut found: Vec<Eye> = Vec::new();
    for start in board.empties().filter(|&p| known.iter().all(|eye| !eye.points.contains(p))) {
        for color in Color::BOTH {
            let there = |eye: &Eye| eye.color == color && eye.points.contains(start);
            if found.iter().any(there) {
                continue;
            }
            let mut region = PointSet::EMPTY;
            let mut border = vec![start];
            region.insert(start);
            while let Some(p) = border.pop().filter(|_| region.len() <= PRISON) {
                let open = board.neighbours(p).filter(|&q| board.cell(q).color() != Some(color));
                border.extend(open.filter(|&q| region.insert(q)));
            }
            if region.len() <= PRISON {
                let worth = worth(board, color, &region);
                found.push(Eye { color, points: region, worth });
            }
        }
    }
    found
}

/// How many eyes a region is, stones of the opponent's in it counted as they stand.
fn worth(board: &Board, color: Color, region: &PointSet) -> f32 {
    let worth = by_shape(board, color, region);
    let enemies = region.iter().filter(|&p| board.cell(p).color() == Some(!color)).count();
    if enemies == 0 || worth < 1.5 {
        return worth;
    }
    let degree = |p: Point| (0..4).filter(|&d| region.contains(p.neighbour(d))).count();
    let most = region.iter().map(degree).max().unwrap_or(0);
    let mut vital = region.iter().filter(|&p| degree(p) == most);
    let taken = |p: Point| board.cell(p).color() == Some(!color);
    match (worth, vital.next(), vital.next()) {
        // The vital point is gone.
        (1.5, Some(p), None) if taken(p) => 1.0,
        // Two stones may have taken what one cannot.
        (2.0, ..) if enemies > 1 => 1.5,
        _ => worth,
    }
}

/// How many eyes an empty region is.
fn by_shape(board: &Board, color: Color, region: &PointSet) -> f32 {
    let size = region.len();
    if size == 1 {
        let p = region.iter().next().expect("it has one point");
        // Where a dead stone stands the ring shows a stone; its owner takes it off when need be.
        let is_false = board.cell(p) == Cell::Empty && !board.ring(p).is_eye_of(color);
        return if is_false { 0.0 } else { 1.0 };
    }
    let degree = |p: Point| (0..4).filter(|&d| region.contains(p.neighbour(d))).count();
    let most = region.iter().map(degree).max().unwrap_or(0);
    // A square of four is in the region if four of its points are.
    let corner = |p: &Point| {
        [(1, 0), (0, 1), (1, 1)]
            .iter()
            .all(|&(x, y)| p.offset(x, y, board.size()).is_some_and(|q| region.contains(q)))
    };
    let has_square = region.iter().any(|p| corner(&p));
    match (size, most, has_square) {
        (2, ..) | (4, _, true) => 1.0,
        (3, ..) | (4, 3, _) => 1.5,
        (5, 4, _) | (5, 3, true) | (6, 4, true) => 1.5,
        _ => 2.0,
    }
}
