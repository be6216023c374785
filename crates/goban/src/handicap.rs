//! Where handicap stones go, and the star points that are drawn.

use crate::point::{Point, Size};

/// The line that star points lie on, from 0: the third on small boards, the fourth from 13x13 on.
fn star_line(size: Size) -> Option<u8> {
    match size.side() {
        0..=6 => None,
        7..=12 => Some(2),
        _ => Some(3),
    }
}

/// How many fixed handicap stones a size has places for: none below 7x7, four on 7x7 and on even
/// sizes (no middle line), else nine.
pub fn most_fixed(size: Size) -> usize {
    match size.side() {
        0..=6 => 0,
        7 => 4,
        n if n % 2 == 0 => 4,
        _ => 9,
    }
}

/// The places of `stones` fixed handicap stones, in the order of the Go Text Protocol, or `None` if
/// there are fewer than two or more than [`most_fixed`].
pub fn fixed(size: Size, stones: usize) -> Option<Vec<Point>> {
    if !(2..=most_fixed(size)).contains(&stones) {
        return None;
    }
    let low = star_line(size)?;
    let high = size.side() - 1 - low;
    let middle = size.side() / 2;
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let mut places: Vec<(u8, u8)> = corners.into_iter().take(stones).collect();
    if stones >= 5 {
        places.extend(sides.into_iter().take((stones - 4) & !1));
        // An odd number leaves one over for the centre.
        if stones % 2 == 1 {
            places.push((middle, middle));
        }
    }
    Some(places.into_iter().map(|(x, y)| Point::new(x, y)).collect())
}

/// The points that a board is drawn with dots at.
pub fn star_points(size: Size) -> Vec<Point> {
    let most = most_fixed(size);
    // Boards below 13x13 show the corners and the centre only.
    let shown = if size.side() < 13 { most.min(5) } else { most };
    fixed(size, shown).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(side: usize, stones: usize) -> Option<String> {
        let places = fixed(Size::new(side).unwrap(), stones)?;
        Some(places.iter().map(Point::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn places_are_those_of_the_protocol() {
        let expected = [
            (2, "D4 Q16"),
            (3, "D4 Q16 D16"),
            (4, "D4 Q16 D16 Q4"),
            (5, "D4 Q16 D16 Q4 K10"),
            (6, "D4 Q16 D16 Q4 D10 Q10"),
            (7, "D4 Q16 D16 Q4 D10 Q10 K10"),
            (8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
            (9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        ];
        for (stones, text) in expected {
            assert_eq!(names(19, stones).as_deref(), Some(text));
        }
        assert_eq!(names(9, 4).as_deref(), Some("C3 G7 C7 G3"));
        assert_eq!(names(13, 5).as_deref(), Some("D4 K10 D10 K4 G7"));
        assert_eq!(names(7, 4).as_deref(), Some("C3 E5 C5 E3"));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (side, stones) in [(19, 0), (19, 1), (19, 10), (8, 5), (7, 5), (6, 2), (2, 2)] {
            assert_eq!(names(side, stones), None, "{stones} on {side}");
        }
    }

    #[test]
    fn every_size_has_distinct_places_on_the_board() {
        for size in (2..=25).filter_map(Size::new) {
            for stones in 2..=most_fixed(size) {
                let mut places = fixed(size, stones).unwrap();
                assert!(places.iter().all(|&p| size.contains(p)));
                places.sort();
                places.dedup();
                assert_eq!(places.len(), stones);
            }
        }
    }
}
