//! Faithful writing: what was read comes back.

use kifu::{Layout, NodeId, Tree};

use crate::{check_round_trip, one_line, read_one, read_well};

#[test]
fn every_property_comes_back() {
    for text in [
        "(;GM[1])",
        "(;)",
        "(;;;B[aa];)",
        "(;FF[4]GM[1]SZ[19]AB[dd][pp]AW[dp]PL[W]C[a \\] b \\\\ c];W[pd](;B[aa])(;B[bb];W[])(;B[cc]))",
        "(;GM[1](;B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]))(;B[ff]))",
        "(;Zzz[1]AaBbCc[2]X9[3][4][5]KGSDE[aa]X9[6])",
        "(;C[several\nlines\r\n\\\n\tand tabs])",
        "(;C[(;GM[1\\](]N[)];B[aa])",
        "(;LB[aa:1][bb:a\\:b]LN[aa:bb]DD[aa:ss]DD[])",
        "(;CA[utf-8]PB[x])",
    ] {
        let tree = read_one(text);
        for layout in [Layout::OneLine, Layout::Wrapped(0), Layout::Wrapped(30), Layout::default()]
        {
            check_round_trip(std::slice::from_ref(&tree), layout);
        }
        let line = one_line(&tree);
        assert!(line == text || line == with_charset(text), "{text:?} became {line:?}");
    }
}

/// The text with CA where the writer puts it.
fn with_charset(text: &str) -> String {
    let mut at = 2;
    for name in ["FF[4]", "GM[1]"] {
        at += if text[at..].starts_with(name) { name.len() } else { 0 };
    }
    format!("{}CA[UTF-8]{}", &text[..at], &text[at..])
}

#[test]
fn collections_come_back() {
    let trees = read_well("(;GM[1];B[aa])(;GM[1];B[bb](;W[cc])(;W[dd]))\n(;SZ[9])");
    let written = check_round_trip(&trees, Layout::OneLine);
    assert_eq!(
        written,
        "(;GM[1]CA[UTF-8];B[aa])\n(;GM[1]CA[UTF-8];B[bb](;W[cc])(;W[dd]))\n(;CA[UTF-8]SZ[9])\n"
    );
}

#[test]
fn the_charset_is_said_anew() {
    for (text, written) in [
        ("(;CA[Big5]GM[1])", "(;CA[UTF-8]GM[1])"),
        ("(;GM[1]PB[x]CA[Shift_JIS]PW[y])", "(;GM[1]PB[x]CA[UTF-8]PW[y])"),
        ("(;FF[4]GM[1]PB[x])", "(;FF[4]GM[1]CA[UTF-8]PB[x])"),
        ("(;PB[x]GM[1])", "(;CA[UTF-8]PB[x]GM[1])"),
        ("(;)", "(;CA[UTF-8])"),
        ("(;CA[UTF-8][x]CA[y])", "(;CA[UTF-8]CA[UTF-8])"),
        // Only the root says it, and FF[1] to FF[3] may spell other things with C and A.
        ("(;CA[UTF-8];CA[Big5])", "(;CA[UTF-8];CA[Big5])"),
        ("(;CourtesyAward[x])", "(;CA[UTF-8]CourtesyAward[x])"),
    ] {
        assert_eq!(one_line(&read_one(text)), written);
    }
}

#[test]
fn lines_break_between_properties_only() {
    let text = format!("(;GM[1]C[{}]{})", "long ".repeat(40), ";B[aa]W[bb]AB[cc][dd]".repeat(30));
    let tree = read_one(&text);
    for width in [0, 10, 40, 76] {
        let written = check_round_trip(std::slice::from_ref(&tree), Layout::Wrapped(width));
        assert!(written.contains(&"long ".repeat(40)));
        let widest = written.lines().filter(|line| !line.contains("long")).map(str::len).max();
        // The longest piece is CA[UTF-8]; closing parentheses may stick out.
        assert!(widest <= Some(width.max(9) + 1), "{widest:?} for {width}");
    }
    assert_eq!(tree.to_sgf_in(Layout::OneLine).lines().count(), 1);
}

#[test]
fn writing_goes_to_any_stream() {
    let tree = read_one("(;GM[1];B[aa])");
    let mut bytes = Vec::new();
    tree.write(&mut bytes, Layout::OneLine).unwrap();
    assert_eq!(bytes, b"(;GM[1]CA[UTF-8];B[aa])\n");
}

#[test]
fn text_that_looks_like_a_game_comes_back() {
    let mut tree = Tree::new();
    let quoted = "he wrote:\n(;GM[1]SZ[9];B[aa])\r(;FF[4] and (;GM[";
    tree.set(NodeId::ROOT, "C", [quoted]).unwrap();
    let written = check_round_trip(std::slice::from_ref(&tree), Layout::default());
    assert_eq!(
        read_one(&written).value(NodeId::ROOT, "C").unwrap().text(),
        quoted.replace('\r', "\n")
    );
    // Raw values can look like that when the file ends inside of one.
    let (trees, warnings) = kifu::read(b"(;GM[1]C[he wrote:\n(;GM[");
    assert_eq!((trees.len(), warnings.len()), (1, 1));
    let written = check_round_trip(&trees, Layout::default());
    assert_eq!(written, "(;GM[1]CA[UTF-8]C[he wrote:\n\\(;GM[])\n");
}
