//! Distances on the board, and the classes of points by their lines.

use goban::{Point, Size};

/// A step from one point to another: columns to the right, rows up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Offset {
    /// Columns to the right.
    pub dx: i8,
    /// Rows up.
    pub dy: i8,
}

impl Offset {
    /// `dx` columns to the right and `dy` rows up.
    pub const fn new(dx: i8, dy: i8) -> Offset {
        Offset { dx, dy }
    }

    /// From one point to another.
    pub const fn between(from: Point, to: Point) -> Offset {
        Offset { dx: to.x() as i8 - from.x() as i8, dy: to.y() as i8 - from.y() as i8 }
    }

    /// The distance of Rémi Coulom, |dx| + |dy| + max(|dx|, |dy|): 0, 2, 3, 4, 5 and so on.
    pub const fn remi(self) -> u8 {
        let (x, y) = (self.dx.unsigned_abs(), self.dy.unsigned_abs());
        x + y + if x > y { x } else { y }
    }

    /// |dx| + |dy|.
    pub const fn manhattan(self) -> u8 {
        self.dx.unsigned_abs() + self.dy.unsigned_abs()
    }

    /// max(|dx|, |dy|).
    pub const fn chebyshev(self) -> u8 {
        let (x, y) = (self.dx.unsigned_abs(), self.dy.unsigned_abs());
        if x > y { x } else { y }
    }
}

/// The offsets, the point itself left out, that a distance puts from `least` to `most`, nearest
/// first and in a fixed order.
pub fn offsets(distance: fn(Offset) -> u8, least: u8, most: u8) -> Vec<Offset> {
    let reach = most as i8;
    let mut found: Vec<Offset> = (-reach..=reach)
        .flat_map(|dy| (-reach..=reach).map(move |dx| Offset::new(dx, dy)))
        .filter(|&o| (least.max(1)..=most).contains(&distance(o)))
        .collect();
    found.sort_by_key(|&o| (distance(o), o.dy, o.dx));
    found
}

/// Number of classes that [`class`] gives.
pub const CLASSES: usize = 15;

/// The class of a point by its two lines a <= b, counted from 1 at the edge: 14 the corner, 11 to
/// 13 the rest of the first line, 8 to 10 the second, 1 to 7 the third and fourth, 0 the centre.
/// Boards below 13x13 have no fourth line worth telling from the centre and use ten of them.
pub fn class(p: Point, size: Size) -> u8 {
    let line = |v: u8| v.min(size.side() - 1 - v) + 1;
    let (x, y) = (line(p.x()), line(p.y()));
    let (a, b) = (x.min(y), x.max(y));
    match (a, b) {
        (1, 1) => 14,
        (1, 2) => 13,
        (1, 3) => 12,
        (1, _) => 11,
        (2, 2) => 10,
        (2, 3) => 9,
        (2, _) => 8,
        (3, 3) => 7,
        (3, _) if size.side() < 13 => 6,
        (3, 4) => 6,
        (3, 5) => 5,
        (3, _) => 4,
        _ if size.side() < 13 => 0,
        (4, 4) => 3,
        (4, 5) => 2,
        (4, _) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::Symmetry;
    use std::collections::BTreeSet;

    #[test]
    fn remi_distances_see_the_published_numbers_of_points() {
        let seen: Vec<usize> = (2..=9).map(|d| offsets(Offset::remi, 1, d).len()).collect();
        assert_eq!(seen, [4, 8, 12, 20, 28, 36, 48, 60]);
    }

    #[test]
    fn classes_are_those_of_the_description() {
        let at =
            |name: &str, side: usize| class(Point::parse(name).unwrap(), Size::new(side).unwrap());
        let on19 = [
            ("A1", 14),
            ("B1", 13),
            ("C1", 12),
            ("D1", 11),
            ("K1", 11),
            ("B2", 10),
            ("C2", 9),
            ("Q2", 8),
            ("C3", 7),
            ("C4", 6),
            ("C5", 5),
            ("C6", 4),
            ("K3", 4),
            ("D4", 3),
            ("D5", 2),
            ("D6", 1),
            ("K4", 1),
            ("E5", 0),
            ("K10", 0),
        ];
        for (name, expected) in on19 {
            assert_eq!(at(name, 19), expected, "{name}");
        }
        for (name, expected) in [("C3", 7), ("C4", 6), ("C5", 6), ("D4", 0), ("E5", 0)] {
            assert_eq!(at(name, 9), expected, "{name} on 9x9");
        }
        let used = |side: usize| {
            let size = Size::new(side).unwrap();
            size.points().map(|p| class(p, size)).collect::<BTreeSet<u8>>().len()
        };
        assert_eq!((used(9), used(19), used(13)), (10, 15, 15));
    }

    #[test]
    fn classes_do_not_depend_on_the_orientation() {
        for side in 2..=25 {
            let size = Size::new(side).unwrap();
            for p in size.points() {
                for s in Symmetry::ALL {
                    assert_eq!(class(s.apply(p, size), size), class(p, size));
                }
            }
        }
    }
}
