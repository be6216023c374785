//! Families and patterns: published counts, invariances, nesting, drawing, dictionaries.

use std::collections::BTreeSet;

use goban::{Board, Color, Diagram, Point, Size, Symmetry};
use shape::{
    Counts, Dictionary, DictionaryError, Family, Offset, Pattern, PatternId, Sight, State,
    similarity,
};

fn families() -> Vec<Family> {
    let names = [
        "N2",
        "N5",
        "N7",
        "N9",
        "CP",
        "3x3",
        "3x3 atari",
        "Neumann(1)",
        "Neumann(4)",
        "Moore(1)",
        "Moore(4)",
        "Diamonds(6)",
        "Fuzzy",
    ];
    names.iter().map(|name| Family::parse(name).unwrap()).collect()
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

fn random_board(side: usize, moves: usize, dice: &mut Dice) -> Board {
    let mut board = Board::new(Size::new(side).unwrap());
    for i in 0..moves {
        let p = Point::new(dice.below(side) as u8, dice.below(side) as u8);
        let _ = board.play(p, Color::BOTH[i % 2]);
    }
    board
}

/// The board turned, and with the colours exchanged if asked.
fn turned(board: &Board, symmetry: Symmetry, swap: bool) -> Board {
    let size = board.size();
    let stones = size.points().filter_map(|p| {
        let color = board.cell(p).color()?;
        Some((symmetry.apply(p, size), if swap { !color } else { color }))
    });
    Board::with_stones(size, stones).unwrap()
}

#[test]
fn collage_sees_the_published_numbers_of_points() {
    let family = Family::collage();
    let counts: Vec<usize> = (0..5).map(|stage| family.cells(stage).len()).collect();
    assert_eq!(counts, [4, 8, 14, 19, 25]);
    let union = |stage: usize| {
        let mut seen = BTreeSet::new();
        for part in 0..4 {
            for cell in family.cells(stage) {
                let Sight::Point(o) = cell else { panic!("collage sees points") };
                seen.insert(family.turn(part).apply_offset(o.dx, o.dy));
            }
        }
        seen
    };
    let sizes: Vec<usize> = (0..5).map(|stage| union(stage).len()).collect();
    assert_eq!(sizes, [4, 8, 20, 36, 56]);
    // Rémi 2, 3, 5, 7, and 9 less the four points (±3, ±3).
    for (stage, d) in [(0, 2), (1, 3), (2, 5), (3, 7), (4, 9)] {
        let mut circle: BTreeSet<(i8, i8)> =
            shape::offsets(Offset::remi, 1, d).iter().map(|o| (o.dx, o.dy)).collect();
        if stage == 4 {
            circle.retain(|&(dx, dy)| dx.abs() != 3 || dy.abs() != 3);
        }
        assert_eq!(union(stage), circle);
    }
}

#[test]
fn nested_families_see_the_published_numbers_of_points() {
    let counts: Vec<usize> = (0..8).map(|stage| Family::nested(9).cells(stage).len()).collect();
    assert_eq!(counts, [4, 8, 12, 20, 28, 36, 48, 60]);
    for d in 2..=9 {
        assert_eq!(Family::nested(d).stages(), d as usize - 1);
    }
    assert_eq!(Family::neumann(4).cells(0).len(), 40);
    assert_eq!(Family::moore(4).cells(0).len(), 80);
    assert_eq!(Family::fuzzy().cells(1).len(), 8 + 8);
}

#[test]
fn names_are_read_back() {
    for family in families() {
        assert_eq!(Family::parse(family.name()), Some(family));
    }
    for nonsense in ["", "N1", "N10", "Neumann(0)", "Moore(9)", "Neumann(2", "CP2", "N"] {
        assert_eq!(Family::parse(nonsense), None, "{nonsense}");
    }
}

/// All identities at a point, whichever part they come from.
fn ids(family: &Family, board: &Board, p: Point, color: Color) -> Vec<Vec<PatternId>> {
    let mut parts: Vec<Vec<PatternId>> = (0..family.parts())
        .map(|part| {
            let view = family.look(board, p, color, part);
            (0..family.stages()).map(|stage| view.id(stage)).collect()
        })
        .collect();
    parts.sort();
    parts
}

#[test]
fn identities_do_not_depend_on_orientation_or_colour() {
    let mut dice = Dice(1);
    for round in 0..6 {
        let board = random_board([9, 13, 19][round % 3], 40 + 50 * round, &mut dice);
        let size = board.size();
        for family in families() {
            for symmetry in Symmetry::ALL {
                for swap in [false, true] {
                    let other = turned(&board, symmetry, swap);
                    for p in board.empties().step_by(7) {
                        let color = if swap { Color::White } else { Color::Black };
                        assert_eq!(
                            ids(&family, &board, p, Color::Black),
                            ids(&family, &other, symmetry.apply(p, size), color),
                            "{family} at {p}{board:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn different_shapes_have_different_identities() {
    let mut dice = Dice(2);
    for family in families() {
        let mut shapes = std::collections::BTreeMap::<PatternId, Pattern>::new();
        let mut looked = 0;
        for round in 0..8 {
            let board = random_board(9, 20 + 15 * round, &mut dice);
            for p in board.empties() {
                for part in 0..family.parts() {
                    let view = family.look(&board, p, Color::White, part);
                    for stage in 0..family.stages() {
                        let pattern = view.pattern(stage);
                        assert_eq!(pattern.id(&family), view.id(stage));
                        let known = shapes.entry(view.id(stage)).or_insert(pattern.clone());
                        assert_eq!(*known, pattern, "{family}");
                        looked += 1;
                    }
                }
            }
        }
        let distinct: BTreeSet<&Pattern> = shapes.values().collect();
        assert_eq!(distinct.len(), shapes.len(), "{family}: two identities of one shape");
        let small = family.cells(0).len() <= 8;
        assert!(shapes.len() < looked || !small, "{family}: nothing ever repeats");
    }
}

#[test]
fn atari_and_edge_are_told_apart_where_they_should_be() {
    let atari = Diagram::parse(". . . .\n. X O .\n. a X .\n. . . .").unwrap();
    let calm = Diagram::parse(". . . .\n. X O .\n. a . .\n. . . .").unwrap();
    let p = atari.label('a').unwrap();
    let seen =
        |family: &Family, board: &Board| family.look(board, p, Color::Black, 0).states(0).to_vec();
    let with_marks = Family::three_atari();
    assert!(!seen(&with_marks, &calm.board).contains(&State::EnemyAtari));
    let white_in_atari = Diagram::parse(". X . .\n. O X .\n. a . .\n. . . .").unwrap();
    assert!(!seen(&with_marks, &white_in_atari.board).contains(&State::EnemyAtari));
    let white_in_atari = Diagram::parse(". X . .\nX O X .\n. a . .\n. . . .").unwrap();
    assert!(seen(&with_marks, &white_in_atari.board).contains(&State::EnemyAtari));
    assert!(!seen(&Family::three(), &white_in_atari.board).contains(&State::EnemyAtari));
    // In the corner: 3x3 sees the edge, N_d does not but for the class.
    let board = Board::new(Size::NINE);
    let corner = Point::new(0, 0);
    let three = Family::three();
    let edges = three.look(&board, corner, Color::Black, 0);
    assert_eq!(edges.states(0).iter().filter(|&&s| s == State::Edge).count(), 5);
    let nested = Family::nested(5);
    let at_corner = nested.look(&board, corner, Color::Black, 0);
    let at_centre = nested.look(&board, Point::new(4, 4), Color::Black, 0);
    assert!(at_corner.states(3).iter().all(|&s| s == State::Empty));
    assert_ne!(at_corner.id(3), at_centre.id(3));
}

#[test]
fn patterns_are_drawn() {
    let diagram = "
        . . . . . . .
        . . . O . . .
        . . X O X . .
        . . X a . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .";
    let diagram = Diagram::parse(diagram).unwrap();
    let p = diagram.label('a').unwrap();
    let family = Family::nested(4);
    let pattern = family.look(&diagram.board, p, Color::Black, 0).pattern(2);
    // Drawn in canonical orientation: compare what is in it, and that turning changes nothing.
    let drawn = pattern.draw(&family);
    assert_eq!(drawn.matches('X').count(), 3, "{drawn}");
    assert_eq!(drawn.matches('O').count(), 2, "{drawn}");
    assert_eq!(drawn.lines().nth(2).unwrap().matches('*').count(), 1, "{drawn}");
    for symmetry in Symmetry::ALL {
        let board = turned(&diagram.board, symmetry, true);
        let q = symmetry.apply(p, board.size());
        let other = family.look(&board, q, Color::White, 0).pattern(2);
        assert_eq!(other.draw(&family), drawn);
    }
    let svg = pattern.to_svg(&family);
    assert_eq!(svg.matches("<circle").count(), 5 + 1);
    let three = Family::three();
    let edge = three.look(&Board::new(Size::NINE), Point::new(0, 4), Color::Black, 0);
    let drawn = edge.pattern(0).draw(&three);
    assert_eq!(drawn.matches('#').count(), 3, "{drawn}");
}

#[test]
fn packing_keeps_every_state() {
    let mut dice = Dice(3);
    for family in families() {
        let board = random_board(9, 80, &mut dice);
        for p in board.empties().take(10) {
            let view = family.look(&board, p, Color::Black, 0);
            for stage in 0..family.stages() {
                let pattern = view.pattern(stage);
                let bytes = pattern.pack(&family);
                let back = Pattern::unpack(&family, stage, pattern.class, &bytes);
                assert_eq!(back.as_ref(), Some(&pattern));
                assert_eq!(Pattern::unpack(&family, stage, 0, &bytes[..bytes.len() - 1]), None);
            }
        }
    }
    // Three bits hold two states too many.
    let bad = [0xff; 3];
    assert_eq!(Pattern::unpack(&Family::three_atari(), 0, 0, &bad), None);
}

#[test]
fn similarity_is_zero_for_the_same_and_weighs_near_stones_more() {
    let family = Family::neumann(4);
    let look = |text: &str| {
        let diagram = Diagram::parse(text).unwrap();
        let p = diagram.label('a').unwrap();
        family.look(&diagram.board, p, Color::Black, 0).pattern(0)
    };
    let base = look(". . . . .\n. . X . .\n. . a . .\n. . . . .\n. . . . .");
    let turned = look(". . . . .\n. . . . .\n. X a . .\n. . . . .\n. . . . .");
    let other = look(". . . . .\n. . O . .\n. . a . .\n. . . . .\n. . . . .");
    let none = look(". . . . .\n. . . . .\n. . a . .\n. . . . .\n. . . . .");
    let far = look(". . X . .\n. . X . .\n. . a . .\n. . . . .\n. . . . .");
    assert_eq!(similarity(&family, &base, &base), 0);
    assert_eq!(similarity(&family, &base, &turned), 0);
    // Turned away from each other, two stones against none are closer than black against white.
    assert_eq!(similarity(&family, &base, &other), -2 * 16);
    let full = look(". . . . .\n. . X . .\n. X a X .\n. . X . .\n. . . . .");
    let one = look(". . . . .\n. . O . .\n. X a X .\n. . X . .\n. . . . .");
    assert_eq!(similarity(&family, &full, &one), -3 * 16);
    assert_eq!(similarity(&family, &base, &none), -16);
    assert_eq!(similarity(&family, &base, &far), -9);
}

fn dictionary(family: &Family, dice: &mut Dice) -> Dictionary {
    let mut patterns = vec![];
    for _ in 0..5 {
        let board = random_board(9, 60, dice);
        for p in board.empties() {
            for part in 0..family.parts() {
                let view = family.look(&board, p, Color::Black, part);
                let stage = dice.below(family.stages());
                patterns.push((view.pattern(stage), Counts { seen: 2, played: 1 }));
            }
        }
    }
    Dictionary::new(family.clone(), patterns)
}

#[test]
fn dictionaries_find_the_largest_and_are_nested() {
    let mut dice = Dice(4);
    for family in families() {
        let dictionary = dictionary(&family, &mut dice);
        for index in dictionary.indices() {
            let pattern = dictionary.pattern(index);
            assert_eq!(dictionary.find(pattern.id(&family)), Some(index));
            for stage in 0..pattern.stage {
                let smaller = pattern.at_stage(&family, stage);
                assert!(dictionary.find(smaller.id(&family)).is_some(), "{family}");
            }
        }
        // Against trying every stage on another board.
        let board = random_board(9, 60, &mut dice);
        let mut found = 0;
        for p in board.empties() {
            for part in 0..family.parts() {
                let view = family.look(&board, p, Color::White, part);
                let best = (0..family.stages()).rev().find_map(|s| dictionary.find(view.id(s)));
                assert_eq!(dictionary.at(&board, p, Color::White, part), best);
                found += best.is_some() as usize;
            }
        }
        let small = family.cells(0).len() <= 8;
        assert!(found > 0 || !small, "{family}: nothing was ever found");
    }
}

#[test]
fn dictionaries_turn_into_bytes_and_back() {
    let mut dice = Dice(5);
    for family in families() {
        let dictionary = dictionary(&family, &mut dice);
        let bytes = dictionary.to_bytes();
        let back = Dictionary::from_bytes(&bytes).unwrap();
        assert_eq!(back.len(), dictionary.len());
        assert_eq!(back.to_bytes(), bytes);
        for index in dictionary.indices() {
            assert_eq!(back.pattern(index), dictionary.pattern(index));
            assert_eq!(back.counts(index), dictionary.counts(index));
        }
        for cut in (0..bytes.len()).step_by(bytes.len() / 50 + 1) {
            assert!(Dictionary::from_bytes(&bytes[..cut]).is_err(), "{family} cut at {cut}");
        }
    }
}

#[test]
fn damaged_dictionaries_are_refused_with_a_reason() {
    let error = |bytes: &[u8]| Dictionary::from_bytes(bytes).err().unwrap().to_string();
    assert_eq!(error(b""), "this is not a pattern dictionary");
    assert_eq!(error(b"something else entirely"), "this is not a pattern dictionary");
    assert_eq!(
        error(b"HARIEDIC\x09\x00"),
        "the dictionary has format 9, this program reads up to 1; update Harie"
    );
    assert_eq!(
        error(b"HARIEDIC\x01\x00\x02N1\x00\x00\x00\x00"),
        "the dictionary is of the pattern family \"N1\", which is not known here"
    );
    assert_eq!(
        Dictionary::from_bytes(b"HARIEDIC\x01\x00\x02N2\x05\x00\x00\x00").err(),
        Some(DictionaryError::Truncated { found: 17, expected: 22 })
    );
}
