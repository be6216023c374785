//! Arbitrary input: nothing panics, nothing is lost silently, arbitrary trees come back.

use goban::{Board, Color, Point, Size};
use kifu::{Filter, Fingerprint, Layout, NodeId, Reader, Record, Tree};
use proptest::prelude::*;

use crate::{check_round_trip, outline, read_one};

/// Reads, replays and writes; everything that a user could do to a file.
fn exercise(bytes: &[u8]) {
    let (trees, warnings) = kifu::read(bytes);
    // Byte order marks are no text, and neither is white space in UTF-16.
    let marks = b"\xef\xbb\xbf\xff\xfe";
    let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let blank = utf16 || bytes.iter().all(|b| marks.contains(b) || b.is_ascii_whitespace());
    assert!(blank || !trees.is_empty() || !warnings.is_empty(), "lost silently: {bytes:?}");
    for warning in &warnings {
        assert!(warning.line >= 1 && warning.game >= 1 && !warning.to_string().is_empty());
    }
    for layout in [Layout::OneLine, Layout::Wrapped(10)] {
        check_round_trip(&trees, layout);
    }
    for tree in &trees {
        let mut warnings = Vec::new();
        if let Ok(record) = Record::new(tree, &mut warnings) {
            let mut visited = 0;
            let broken = record.replay(|_, _| visited += 1);
            let rest = broken.map_or(0, |broken| broken.rest);
            assert_eq!(visited + rest, record.moves.len());
            warnings.extend(broken.map(|broken| broken.warning(tree)));
            _ = Filter::default().check(&record);
            _ = Fingerprint::of(&record);
        }
        for warning in warnings {
            _ = warning.to_string();
        }
    }
}

/// Pieces that files are made of, and of which they are broken.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let known = prop_oneof![
        Just(&b"(;"[..]),
        Just(&b"("[..]),
        Just(&b")"[..]),
        Just(&b";"[..]),
        Just(&b"["[..]),
        Just(&b"]"[..]),
        Just(&b"\\"[..]),
        Just(&b"\n"[..]),
        Just(&b"\r\n"[..]),
        Just(&b"\n(;GM[1]"[..]),
        Just(&b"\n(;PB[x]"[..]),
        Just(&b"\n(;"[..]),
        Just(&b"SZ[9]"[..]),
        Just(&b"SZ[2]"[..]),
        Just(&b"B[aa]"[..]),
        Just(&b";W[bb]"[..]),
        Just(&b";B[]"[..]),
        Just(&b"AB[aa:cc]"[..]),
        Just(&b"AW[ba]"[..]),
        Just(&b"AE[aa:ii]"[..]),
        Just(&b"HA[4]"[..]),
        Just(&b"RU[NZ]"[..]),
        Just(&b"C[two\nlines]"[..]),
        Just(&b"CA[Shift_JIS]"[..]),
        Just(&b"CA[GBK]"[..]),
        Just(&b"CA[Big5]"[..]),
        Just(&b"CA[UTF-8]"[..]),
        Just(&b"CA[ISO-2022-JP]"[..]),
        Just(&b"CA[latin1]"[..]),
        Just(&b"\x95\x5c"[..]),
        Just(&b"\x95\x5d"[..]),
        Just(&b"\x81"[..]),
        Just(&b"\x1b$B"[..]),
        Just(&b"\x1b(B"[..]),
        Just("表é".as_bytes()),
        Just(&b"\xef\xbb\xbf"[..]),
        Just(&b"\xff\xfe"[..]),
        Just(&b"Black"[..]),
        Just(&b"\0"[..]),
        Just(&b" "[..]),
    ];
    let piece = prop_oneof![
        8 => known.prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// At least 2000 cases; more with `PROPTEST_CASES`.
fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases.max(2000), failure_persistence: None, ..usual }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        exercise(&bytes);
    }

    #[test]
    fn broken_files_never_panic(bytes in pieces()) {
        exercise(&bytes);
    }

    #[test]
    fn broken_games_never_panic(bytes in pieces()) {
        exercise(&[b"(;GM[1]SZ[5]", &bytes[..]].concat());
    }

    #[test]
    fn limits_never_panic(bytes in pieces(), limit in 0_usize..80) {
        let mut reader = Reader::new(&bytes[..]).with_limit(limit);
        let mut warnings = Vec::new();
        while let Some(tree) = reader.next_game(&mut warnings).unwrap() {
            prop_assert!(tree.len() <= limit);
        }
    }

    #[test]
    fn arbitrary_trees_come_back(plan in plan()) {
        let tree = grow(&plan);
        for layout in [Layout::OneLine, Layout::Wrapped(0), Layout::default()] {
            let written = check_round_trip(std::slice::from_ref(&tree), layout);
            // Raw values are equal, so the texts must be; and they are what was put in.
            prop_assert_eq!(outline(&crate::without_charset(&read_one(&written))), outline(&tree));
        }
        for (node, (_, name, text)) in plan.iter().enumerate().map(|(i, step)| (i + 1, step)) {
            let node = nodes(&tree)[node];
            prop_assert_eq!(tree.value(node, name).unwrap().text(), plain(text));
        }
    }

    #[test]
    fn random_legal_games_replay_to_the_same_position(
        side in 2_usize..=25,
        draws in prop::collection::vec((any::<u16>(), any::<bool>()), 0..300),
    ) {
        let size = Size::new(side).unwrap();
        let mut tree = Tree::new();
        tree.set(NodeId::ROOT, "SZ", [side.to_string()]).unwrap();
        let mut board = Board::new(size);
        let (mut node, mut color) = (NodeId::ROOT, Color::Black);
        let mut count = 0;
        for (draw, passes) in draws {
            let points: Vec<Point> = size.points().collect();
            let point = points[draw as usize % points.len()];
            if passes && draw % 8 == 0 {
                board.pass();
                node = tree.add_move(node, color, None, size);
            } else if board.play(point, color).is_ok() {
                node = tree.add_move(node, color, Some(point), size);
            } else {
                continue;
            }
            count += 1;
            color = !color;
        }
        let tree = read_one(&tree.to_sgf());
        let record = Record::new(&tree, &mut Vec::new()).unwrap();
        let mut replay = kifu::Replay::new(&record);
        while replay.next_move().is_some() {}
        prop_assert_eq!(replay.broken(), None);
        prop_assert_eq!(replay.played(), count);
        for point in size.points() {
            prop_assert_eq!(replay.board().cell(point), board.cell(point));
        }
        for color in Color::BOTH {
            prop_assert_eq!(replay.board().ko(color), board.ko(color));
        }
    }
}

/// A text as SGF understands it: one kind of line break, one kind of space.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let pair = ["\r\n", "\n\r"].iter().any(|pair| rest.starts_with(pair));
        plain.push(match c {
            '\r' => '\n',
            '\t' | '\u{b}' | '\u{c}' => ' ',
            c => c,
        });
        rest = &rest[if pair { 2 } else { c.len_utf8() }..];
    }
    plain
}

/// Nodes to add: after which, with which property.
fn plan() -> impl Strategy<Value = Vec<(u16, String, String)>> {
    // Names without capitals are read with a warning, and CA is written in its own way.
    let name = "[a-z]{0,2}[A-Z][A-Za-z0-9]{0,4}".prop_filter("the charset", |name| name != "CA");
    let text = prop_oneof![
        any::<String>(),
        "[\\]\\[\\\\:();\n\r\ta表\u{feff}]{0,12}",
        "\n\\(;(GM|PB|FF|B)\\[[1\\\\]?\\]?.{0,3}",
    ];
    prop::collection::vec((any::<u16>(), name, text), 0..12)
}

fn grow(plan: &[(u16, String, String)]) -> Tree {
    let mut tree = Tree::new();
    let mut nodes = vec![tree.root()];
    for (parent, name, text) in plan {
        let node = tree.add_child(nodes[*parent as usize % nodes.len()]);
        nodes.push(node);
        tree.set(node, name, [text, text]).unwrap();
        tree.add_pair(node, "XX", text, text).unwrap();
    }
    tree
}

/// The nodes of a grown tree in the order in which they were added.
fn nodes(tree: &Tree) -> Vec<NodeId> {
    let mut nodes = vec![tree.root()];
    let mut at = 0;
    while at < nodes.len() {
        nodes.extend(tree.children(nodes[at]));
        at += 1;
    }
    nodes.sort();
    nodes
}
