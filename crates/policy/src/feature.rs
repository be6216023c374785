//! The features of a move, each a number in a documented range and a sentence.
//!
//! | range | feature | UCT | MC |
//! |---|---|---|---|
//! | I | class of the point | 15 | 15 |
//! | II | Rémi distance to the last move | 12: 2 to 12, 13 and more | 4: 2, 3, 4, 5 and more |
//! | III | the same to the move before it | 12 | none |
//! | IV | capture (tori): stones 1, 2, 3+ x increase -1, 0, 1, 2+ | 12 | 12 |
//! | V | extension (nobi): stones 1, 2, 3+ x liberties 1, 2 x increase -1, 0, 1, 2+ | 24 x updated | 24 |
//! | VI | atari (ate): stones 1, 2, 3+ | 3 x updated | 3 |
//! | VII | rescue by capture: stones 1, 2, 3+, once for each chain | 3 | 3 |
//! | VIII | self-atari: stones 1, 2, 3+ | none | 3 |
//!
//! Patterns (IX) are numbered by their dictionary. V and VI count once for each chain. After a pass
//! or at the start there is no distance.

use goban::Point;
use shape::{CLASSES, Offset, class};

use crate::situation::Situation;
use crate::tactics::Tactics;

/// The two uses of the model: ordering moves in the tree, or drawing them in playouts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Use {
    /// The tree: called rarely, ranking matters.
    Uct,
    /// Playouts: must be fast, ratios matter.
    Mc,
}

/// A feature by its number; see the table of the module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Feature(pub u16);

/// A feature taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// I: the class of the point.
    Position(u8),
    /// II: the distance to the last move, the largest meaning "or more".
    Last(u8),
    /// III: the distance to the move before.
    BeforeLast(u8),
    /// IV: stones (3: or more) and increase (2: or more).
    Capture(u8, i8),
    /// V: stones, liberties, increase, updated.
    Extension(u8, u8, i8, bool),
    /// VI: stones, updated.
    Atari(u8, bool),
    /// VII: stones.
    Rescue(u8),
    /// VIII: stones.
    SelfAtari(u8),
}

/// Where the ranges of a use begin.
struct Ranges {
    last: u16,
    before_last: u16,
    capture: u16,
    extension: u16,
    atari: u16,
    rescue: u16,
    self_atari: u16,
    end: u16,
    /// The smallest distance of "or more".
    far: u8,
    /// 2 where chains changed by the last move are told apart, else 1.
    updates: u16,
}

const fn ranges(of: Use) -> Ranges {
    let (far, updates, before, self_atari) = match of {
        Use::Uct => (13, 2, 12, 0),
        Use::Mc => (5, 1, 0, 3),
    };
    let last = CLASSES as u16;
    let before_last = last + far as u16 - 1;
    let capture = before_last + before;
    let extension = capture + 12;
    let atari = extension + 24 * updates;
    let rescue = atari + 3 * updates;
    Ranges {
        last,
        before_last,
        capture,
        extension,
        atari,
        rescue,
        self_atari: rescue + 3,
        end: rescue + 3 + self_atari,
        far,
        updates,
    }
}

fn few(stones: usize) -> u16 {
    stones.clamp(1, 3) as u16 - 1
}

fn gain(increase: i32) -> u16 {
    (increase.clamp(-1, 2) + 1) as u16
}

impl Use {
    /// Number of features, patterns not counted.
    pub const fn features(self) -> usize {
        ranges(self).end as usize
    }

    /// The number of a feature. Distances and stones beyond the last are "or more"; `updated` is
    /// dropped where it is not told.
    pub fn number(self, meaning: Meaning) -> Option<Feature> {
        let r = ranges(self);
        let update = |updated: bool| if r.updates == 2 { updated as u16 } else { 0 };
        let distance = |d: u8| (d.clamp(2, r.far) - 2) as u16;
        let stones = |n: u8| few(n as usize);
        Some(Feature(match meaning {
            Meaning::Position(class) => class as u16,
            Meaning::Last(d) => r.last + distance(d),
            Meaning::BeforeLast(_) if self == Use::Mc => return None,
            Meaning::BeforeLast(d) => r.before_last + distance(d),
            Meaning::Capture(n, i) => r.capture + stones(n) * 4 + gain(i as i32),
            Meaning::Extension(n, liberties, i, updated) => {
                let liberties = liberties.clamp(1, 2) as u16 - 1;
                let plain = (stones(n) * 2 + liberties) * 4 + gain(i as i32);
                r.extension + plain * r.updates + update(updated)
            }
            Meaning::Atari(n, updated) => r.atari + stones(n) * r.updates + update(updated),
            Meaning::Rescue(n) => r.rescue + stones(n),
            Meaning::SelfAtari(_) if self == Use::Uct => return None,
            Meaning::SelfAtari(n) => r.self_atari + stones(n),
        }))
    }

    /// What a feature means.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn meaning(self, feature: Feature) -> Meaning {
        let r = ranges(self);
        let n = feature.0;
        assert!(n < r.end, "there is no feature {n}");
        let stones = |i: u16| i as u8 + 1;
        let increase = |i: u16| (i % 4) as i8 - 1;
        if n < r.last {
            Meaning::Position(n as u8)
        } else if n < r.before_last {
            Meaning::Last((n - r.last) as u8 + 2)
        } else if n < r.capture {
            Meaning::BeforeLast((n - r.before_last) as u8 + 2)
        } else if n < r.extension {
            let i = n - r.capture;
            Meaning::Capture(stones(i / 4), increase(i))
        } else if n < r.atari {
            let (i, updated) = ((n - r.extension) / r.updates, (n - r.extension) % r.updates == 1);
            Meaning::Extension(stones(i / 8), (i / 4 % 2) as u8 + 1, increase(i), updated)
        } else if n < r.rescue {
            let (i, updated) = ((n - r.atari) / r.updates, (n - r.atari) % r.updates == 1);
            Meaning::Atari(stones(i), updated)
        } else if n < r.self_atari {
            Meaning::Rescue(stones(n - r.rescue))
        } else {
            Meaning::SelfAtari(stones(n - r.self_atari))
        }
    }

    /// The features of the move at the empty point `p`, handed to `found` one by one.
    pub fn of_move(self, situation: &Situation<'_>, p: Point, mut found: impl FnMut(Feature)) {
        let mut add = |meaning: Meaning| {
            if let Some(feature) = self.number(meaning) {
                found(feature);
            }
        };
        let small = |n: usize| n.min(3) as u8;
        let gained = |i: i32| i.clamp(-1, 2) as i8;
        add(Meaning::Position(class(p, situation.board.size())));
        if let Some(last) = situation.last {
            add(Meaning::Last(Offset::between(last, p).remi()));
        }
        if let Some(before) = situation.before_last {
            add(Meaning::BeforeLast(Offset::between(before, p).remi()));
        }
        let tactics = Tactics::new(situation, p);
        if let Some(capture) = tactics.capture {
            add(Meaning::Capture(small(capture.stones), gained(capture.increase)));
        }
        for extension in tactics.extensions.iter() {
            let (stones, liberties) = (small(extension.stones), extension.liberties as u8);
            add(Meaning::Extension(
                stones,
                liberties,
                gained(extension.increase),
                extension.updated,
            ));
        }
        for atari in tactics.ataris.iter() {
            add(Meaning::Atari(small(atari.stones), atari.updated));
        }
        for stones in tactics.rescues.iter() {
            add(Meaning::Rescue(small(stones)));
        }
        if let Some(stones) = tactics.self_atari {
            add(Meaning::SelfAtari(small(stones)));
        }
    }
}

impl Meaning {
    /// The feature in words that a player understands.
    pub fn words(self, of: Use) -> String {
        let far = ranges(of).far;
        let stones = |n: u8| match n {
            1 => "1 stone".to_owned(),
            3 => "3 or more stones".to_owned(),
            n => format!("{n} stones"),
        };
        let away = |d: u8| if d >= far { format!("{d} or more") } else { d.to_string() };
        let gain = |i: i8| match i {
            -1 => "1 liberty less".to_owned(),
            0 => "no more liberties".to_owned(),
            1 => "1 more liberty".to_owned(),
            _ => "2 or more new liberties".to_owned(),
        };
        let just = |updated: bool| if updated { ", which the last move touched" } else { "" };
        match self {
            Meaning::Position(class) => place(class).to_owned(),
            Meaning::Last(d) => format!("{} away from the last move", away(d)),
            Meaning::BeforeLast(d) => format!("{} away from the move before", away(d)),
            Meaning::Capture(n, i) => {
                format!("captures {}, which could have run ({})", stones(n), gain(i))
                    .replace("could have run (1 liberty less)", "could not have run")
            }
            Meaning::Extension(n, 1, i, updated) => {
                format!("escapes from atari with {}{}, {}", stones(n), just(updated), gain(i))
            }
            Meaning::Extension(n, _, i, updated) => {
                format!("extends {} with 2 liberties{}, {}", stones(n), just(updated), gain(i))
            }
            Meaning::Atari(n, updated) => format!("puts {} into atari{}", stones(n), just(updated)),
            Meaning::Rescue(n) => format!("captures to rescue {}", stones(n)),
            Meaning::SelfAtari(n) => format!("puts {} of its own into atari", stones(n)),
        }
    }
}

fn place(class: u8) -> &'static str {
    match class {
        14 => "on the corner point",
        13 => "on the first line, next to the corner",
        12 => "on the first line, near the corner",
        11 => "on the first line",
        10 => "on the 2-2 point",
        9 => "on the 2-3 point",
        8 => "on the second line",
        7 => "on the 3-3 point",
        6 => "on the third line, near the corner",
        5 => "on the 3-5 point",
        4 => "on the third line",
        3 => "on the 4-4 point",
        2 => "on the 4-5 point",
        1 => "on the fourth line",
        _ => "in the centre",
    }
}
