//! Fingerprints up to symmetry, and the splits that depend on them.

use std::collections::HashSet;

use goban::{Point, Size};
use kifu::{BadShares, Fingerprint, Part, Record, Seen, Split, point_text};

use crate::read_one;

fn fingerprint(text: &str) -> Fingerprint {
    Fingerprint::of(&Record::new(&read_one(text), &mut Vec::new()).unwrap())
}

/// A text with its points turned. Written on purpose without the code under test: the marks stand
/// for points of a table.
fn turned(text: &str, size: Size, symmetry: usize) -> String {
    let last = size.side() - 1;
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let end = rest.find('>').unwrap();
        let point = Point::parse(&rest[at + 1..end]).unwrap();
        let (mut x, mut y) = (point.x(), point.y());
        for _ in 0..symmetry % 4 {
            (x, y) = (last - y, x);
        }
        if symmetry >= 4 {
            x = last - x;
        }
        out.push_str(&rest[..at]);
        out.push_str(&point_text(Point::new(x, y), size));
        rest = &rest[end + 1..];
    }
    out + rest
}

const GAMES: [&str; 4] = [
    "(;SZ[9];B[<C3>];W[<G7>];B[<E4>];W[];B[<A1>])",
    "(;SZ[9]AB[<C3>][<D2>]AW[<J9>];W[<G7>];B[<E4>])",
    "(;SZ[9];B[<C3>];W[<G7>];AB[<A2>]AE[<C3>];B[<E4>])",
    "(;SZ[9]AB[<A1>][<B1>][<A2>])",
];

#[test]
fn mirror_images_have_one_fingerprint() {
    let mut different = HashSet::new();
    for game in GAMES {
        let first = fingerprint(&turned(game, Size::NINE, 0));
        let mut texts = HashSet::new();
        for symmetry in 0..8 {
            let text = turned(game, Size::NINE, symmetry);
            assert_eq!(fingerprint(&text), first, "{text}");
            texts.insert(text);
        }
        assert!(texts.len() > 2, "the images differ");
        different.insert(first);
    }
    assert_eq!(different.len(), GAMES.len());
}

#[test]
fn different_games_differ() {
    let games = [
        "(;SZ[9];B[cc];W[gg])",
        "(;SZ[9];B[gg];W[cc];B[ee])",
        "(;SZ[9];W[cc];B[gg])",
        "(;SZ[9];B[cc];B[gg])",
        "(;SZ[13];B[cc];W[gg])",
        "(;SZ[9];B[cc];W[];B[gg])",
        "(;SZ[9]AB[cc];W[gg])",
        "(;SZ[9];B[cc];W[gc])",
        "(;SZ[9];B[cc];AW[gg])",
        "(;SZ[9];B[cc];AE[gg])",
        "(;SZ[9])",
    ];
    let prints: HashSet<_> = games.map(fingerprint).into_iter().collect();
    assert_eq!(prints.len(), games.len());
}

#[test]
fn headers_variations_and_closing_passes_do_not_matter() {
    let plain = fingerprint("(;SZ[9];B[cc];W[gg])");
    for text in [
        "(;SZ[9]PB[x]KM[7]RE[B+R];B[cc]C[good];W[gg])",
        "(;SZ[9];B[cc](;W[gg])(;W[ff]))",
        "(;SZ[9];B[cc];W[gg];B[];W[tt])",
        "(;SZ[9];B[gc];W[cg])",
    ] {
        assert_eq!(fingerprint(text), plain, "{text}");
    }
}

#[test]
fn the_numbers_never_change() {
    // Splits of corpora depend on them, so they are part of the format.
    assert_eq!(fingerprint("(;SZ[19])"), Fingerprint(0xf6cc_e085_a599_4937));
    assert_eq!(fingerprint("(;SZ[19];B[pd];W[dp];B[pq];W[])"), Fingerprint(0x2af2_87b5_74c7_7555));
    assert_eq!(
        fingerprint("(;SZ[9]AB[cc]AW[gg];B[ee];AE[ee]AB[aa:bb];W[])"),
        Fingerprint(0x6552_cafd_e231_cc2f)
    );
    let split = Split::new(1, 0.2, 0.2).unwrap();
    let parts: String = (0..40)
        .map(|i| match split.part(Fingerprint(i)) {
            Part::Train => '.',
            Part::Validation => 'v',
            Part::Test => 't',
        })
        .collect();
    assert_eq!(parts, ".vt.ttv..tt..ttt...vvv.v........t....vvt");
}

#[test]
fn seen_tells_new_from_old() {
    let mut seen = Seen::default();
    assert!(seen.is_empty());
    assert!(seen.insert(fingerprint("(;SZ[9];B[cc])")));
    assert!(!seen.insert(fingerprint("(;SZ[9];B[gg])")), "a mirror image");
    assert!(seen.insert(fingerprint("(;SZ[9];B[cd])")));
    assert_eq!(seen.len(), 2);
}

#[test]
fn splits_have_about_the_shares_asked_for() {
    let count = |split: Split| {
        let mut counts = [0; 3];
        for i in 0..100_000 {
            counts[split.part(Fingerprint(i)) as usize] += 1;
        }
        counts
    };
    let [train, validation, test] = count(Split::new(7, 0.1, 0.05).unwrap());
    assert!((84_500..85_500).contains(&train), "{train}");
    assert!((9_700..10_300).contains(&validation), "{validation}");
    assert!((4_800..5_200).contains(&test), "{test}");
    assert_eq!(count(Split::new(7, 0.0, 0.0).unwrap()), [100_000, 0, 0]);
    assert_eq!(count(Split::new(7, 0.0, 1.0).unwrap()), [0, 0, 100_000]);
    assert_eq!(count(Split::new(7, 1.0, 0.0).unwrap()), [0, 100_000, 0]);
}

#[test]
fn another_seed_draws_other_games() {
    let [one, two] = [1, 2].map(|seed| Split::new(seed, 0.25, 0.25).unwrap());
    let moved =
        (0..10_000).filter(|&i| one.part(Fingerprint(i)) != two.part(Fingerprint(i))).count();
    // Independent draws from shares of 1/2, 1/4 and 1/4 differ in 5/8 of all cases.
    assert!((6_000..6_500).contains(&moved), "{moved}");
}

#[test]
fn copies_fall_into_the_same_part() {
    for seed in 0..50 {
        let split = Split::new(seed, 0.3, 0.3).unwrap();
        for game in GAMES {
            let part = |symmetry| split.part(fingerprint(&turned(game, Size::NINE, symmetry)));
            assert!((1..8).all(|symmetry| part(symmetry) == part(0)));
        }
    }
}

#[test]
fn shares_are_checked() {
    for (validation, test) in [(-0.1, 0.5), (0.6, 0.6), (f64::NAN, 0.1), (0.1, 1.5)] {
        let error = Split::new(0, validation, test).unwrap_err();
        let BadShares { test: told, .. } = error;
        assert_eq!(told, test);
    }
    assert_eq!(
        Split::new(0, 0.6, 0.6).unwrap_err().to_string(),
        "shares of 0.6 and 0.6 are no split; give two from 0 to 1 that add up to 1 at most"
    );
}
