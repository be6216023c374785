//! Tolerant reading: what is odd is said in exact words, and what can be kept is kept.

use kifu::{Layout, Reader, Tree, WarningKind};

use crate::{check_round_trip, one_line, read_one, read_well, texts};

/// Reads a text; the games as written on one line, and the warnings.
#[track_caller]
fn check(text: &str, games: &[&str], warnings: &[&str]) {
    let (trees, found) = kifu::read(text.as_bytes());
    assert_eq!(texts(&found), warnings, "{text:?}");
    let lines: Vec<String> =
        trees.iter().map(|tree| one_line(tree).replacen("CA[UTF-8]", "", 1)).collect();
    assert_eq!(lines, games, "{text:?}");
    check_round_trip(&trees, Layout::default());
}

#[test]
fn a_tree_is_what_the_file_says() {
    let tree = read_one("(;GM[1]SZ[9]PB[a](;B[aa];W[bb])\n(;B[cc]\nC[x]))");
    let root = tree.root();
    let [first, second] = tree.children(root).collect::<Vec<_>>()[..] else { panic!() };
    assert_eq!(tree.main_line().count(), 3);
    assert_eq!(tree.first_child(root), Some(first));
    assert_eq!(tree.parent(second), Some(root));
    assert_eq!(tree.parent(root), None);
    assert_eq!(tree.children(second).count(), 0);
    assert_eq!(tree.value(second, "B").unwrap().raw(), "cc");
    assert_eq!(tree.value(second, "W"), None);
    assert_eq!([root, first, second].map(|node| tree.line(node)), [Some(1), Some(1), Some(2)]);
    assert_eq!(tree.len(), 4);
    assert_eq!(tree.origin().to_string(), "game 1, line 1");
}

#[test]
fn long_names_are_kept_and_mean_their_capitals() {
    let tree = read_one("(;GaMe[1]CoPyright[c]AddBlack[aa][bb]AB[cc];Black[ee])");
    let root = tree.root();
    let names: Vec<_> = tree.properties(root).map(|property| property.name()).collect();
    assert_eq!(names, ["GaMe", "CoPyright", "AddBlack", "AB"]);
    assert_eq!(tree.value(root, "CP").unwrap().raw(), "c");
    let stones: Vec<_> = tree.values(root, "AB").map(|value| value.raw()).collect();
    assert_eq!(stones, ["aa", "bb", "cc"]);
    assert_eq!(one_line(&tree), "(;GaMe[1]CA[UTF-8]CoPyright[c]AddBlack[aa][bb]AB[cc];Black[ee])");
}

#[test]
fn text_around_games_is_reported() {
    check(
        "hello (you) (;GM[1])\n\n and \n(;GM[1])bye",
        &["(;GM[1])", "(;GM[1])"],
        &[
            "game 1, line 1: text that is not part of a game was skipped (10 bytes): \
             \"hello (you)\"",
            "game 2, line 3: text that is not part of a game was skipped (3 bytes): \"and\"",
            "game 2, line 4: text that is not part of a game was skipped (3 bytes): \"bye\"",
        ],
    );
    check(
        "nothing at all",
        &[],
        &["game 1, line 1: text that is not part of a game was skipped (12 bytes): \
             \"nothing at all\""],
    );
    check(
        "(;GM[1]))",
        &["(;GM[1])"],
        &["game 1, line 1: text that is not part of a game was skipped (1 byte): \")\""],
    );
    check("", &[], &[]);
}

#[test]
fn long_stray_text_is_only_quoted_in_part() {
    let text = format!("{}(;GM[1])", "spam and eggs ".repeat(100_000));
    let (trees, warnings) = kifu::read(text.as_bytes());
    assert_eq!(trees.len(), 1);
    assert_eq!(
        texts(&warnings),
        ["game 1, line 1: text that is not part of a game was skipped (1100000 bytes): \
             \"spam and eggs spam and eggs spam and egg…\""]
    );
}

#[test]
fn text_inside_a_game_is_reported() {
    check(
        "(;GM[1] so ;B[aa] 2 W[bb]\n!? )",
        &["(;GM[1];B[aa]W[bb])"],
        &[
            "game 1, line 1: text that is not part of a game was skipped (2 bytes): \"so\"",
            "game 1, line 1: text that is not part of a game was skipped (1 byte): \"2\"",
            "game 1, line 2: text that is not part of a game was skipped (2 bytes): \"!?\"",
        ],
    );
    check(
        "(;AB[aa], [bb] - [cc];B[dd])",
        &["(;AB[aa][bb][cc];B[dd])"],
        &[
            "game 1, line 1: text that is not part of a game was skipped (1 byte): \",\"",
            "game 1, line 1: text that is not part of a game was skipped (1 byte): \"-\"",
        ],
    );
}

#[test]
fn unclosed_games_are_closed() {
    check(
        "(;GM[1];B[aa](;W[bb]\n\n",
        &["(;GM[1];B[aa];W[bb])"],
        &["game 1, line 3: the file ends inside the game (2 parentheses open); the game was \
           closed there"],
    );
    check(
        "(;GM[1]\n;C[one\ntwo\\",
        &["(;GM[1];C[one\ntwo])"],
        &["game 1, line 2: the file ends inside the game (1 parenthesis and 1 bracket open); the \
           game was closed there"],
    );
    check(
        "(;",
        &["(;)"],
        &["game 1, line 1: the file ends inside the game (1 parenthesis open); the game was \
           closed there"],
    );
}

#[test]
fn a_new_game_at_the_start_of_a_line_ends_an_unclosed_one() {
    check(
        "(;GM[1];B[aa]\n(;FF[4]GM[1];B[bb])",
        &["(;GM[1];B[aa])", "(;FF[4]GM[1];B[bb])"],
        &["game 1, line 2: another game starts inside this one (1 parenthesis open); this one \
           was closed before it"],
    );
    check(
        "(;GM[1];B[aa]C[and so\r(;\nSiZe[9];B[bb])",
        &["(;GM[1];B[aa]C[and so\r])", "(;SiZe[9];B[bb])"],
        &["game 1, line 1: another game starts inside this one (1 parenthesis and 1 bracket \
           open); this one was closed before it"],
    );
    // Game information is enough inside of a value, where a variation cannot start.
    check(
        "(;GM[1];B[aa]C[and so\n(;PB[x];B[bb])",
        &["(;GM[1];B[aa]C[and so\n])", "(;PB[x];B[bb])"],
        &["game 1, line 1: another game starts inside this one (1 parenthesis and 1 bracket \
           open); this one was closed before it"],
    );
}

#[test]
fn variations_and_quotations_do_not_look_like_games() {
    check("(;GM[1]\n(;PB[x]B[aa])\n(;B[bb]))", &["(;GM[1](;PB[x]B[aa])(;B[bb]))"], &[]);
    check("(;GM[1]C[\n(;GM[1\\]FF[4\\])\n])", &["(;GM[1]C[\n(;GM[1\\]FF[4\\])\n])"], &[]);
    check("(;GM[1]C[\n(;GM is a property)])", &["(;GM[1]C[\n(;GM is a property)])"], &[]);
    check("(;GM[1](;GM[1];B[aa])(;SZ[9]))", &["(;GM[1](;GM[1];B[aa])(;SZ[9]))"], &[]);
}

#[test]
fn missing_and_misplaced_pieces() {
    check(
        "(GM[1];B[aa](W[bb])(;W[cc]))",
        &["(;GM[1];B[aa](;W[bb])(;W[cc]))"],
        &[
            "game 1, line 1: a semicolon is missing before GM; a node was opened for it",
            "game 1, line 1: a semicolon is missing before W; a node was opened for it",
        ],
    );
    check(
        "(;GM[1](;B[aa])\n;B[bb];W[cc])",
        &["(;GM[1](;B[aa])(;B[bb];W[cc]))"],
        &["game 1, line 2: a node follows a variation; it was read as another variation"],
    );
    check(
        "(;GM[1](;B[aa])\nPB[x])",
        &["(;GM[1]PB[x];B[aa])"],
        &["game 1, line 2: PB follows a variation; it was added to the node before the variation"],
    );
    check(
        "(;GM[1]()(;B[aa]))",
        &["(;GM[1];B[aa])"],
        &["game 1, line 1: a variation without a node was left out"],
    );
    check(
        "(;GM[1];[aa]B[bb])",
        &["(;GM[1];B[bb])"],
        &["game 1, line 1: the value [aa] has no property name and was skipped"],
    );
    check(
        "(;GM[1]PB PW;B[bb])",
        &["(;GM[1]PB[]PW[];B[bb])"],
        &[
            "game 1, line 1: PB has no value; it was kept as PB[]",
            "game 1, line 1: PW has no value; it was kept as PW[]",
        ],
    );
    check(
        "(;GM[1];b[bb])",
        &["(;GM[1];b[bb])"],
        &["game 1, line 1: the property b has no capital letter; it was read as B"],
    );
}

#[test]
fn lower_case_properties_mean_the_same() {
    let (trees, _) = kifu::read(b"(;gm[1]sz[9];b[ee];w[gc])");
    let mut warnings = Vec::new();
    let record = kifu::Record::new(&trees[0], &mut warnings).unwrap();
    assert_eq!((record.size.side(), record.moves.len(), warnings.len()), (9, 2, 0));
}

#[test]
fn games_are_numbered_and_lines_counted() {
    let text = "\n(;GM[1]\n;B[aa];W[aa])\r\n\r\n(;GM[1]C[\r\n\n]\n)\n junk";
    let mut reader = Reader::new(text.as_bytes()).named(std::path::Path::new("a/b.sgf"));
    let mut warnings = Vec::new();
    let first = reader.next_game(&mut warnings).unwrap().unwrap();
    let second = reader.next_game(&mut warnings).unwrap().unwrap();
    assert_eq!(first.origin().to_string(), "a/b.sgf, game 1, line 2");
    assert_eq!(second.origin().to_string(), "a/b.sgf, game 2, line 5");
    assert_eq!(reader.next_game(&mut warnings).unwrap(), None);
    assert_eq!(reader.next_game(&mut warnings).unwrap(), None);
    assert_eq!(reader.games(), 2);
    assert_eq!(
        texts(&warnings),
        ["a/b.sgf, game 2, line 9: text that is not part of a game was skipped (4 bytes): \
          \"junk\""]
    );
    let node = first.main_line().nth(2).unwrap();
    let warning = first.warning(node, Some(2), WarningKind::SeveralMoves);
    assert_eq!(
        warning.to_string(),
        "a/b.sgf, game 1, line 3, move 2: the node holds more than one move; they were played in \
         the order written"
    );
}

#[test]
fn equality_looks_at_content_only() {
    let same = |a: &str, b: &str| {
        let read = |text: &str| -> Tree { read_well(text).remove(0) };
        read(a) == read(b)
    };
    assert!(same("(;GM[1];B[aa](;W[bb])(;W[cc]))", "\n(;GM[1]\n(;B [aa](;W[bb])(;W[cc])))"));
    assert!(!same("(;GM[1];B[aa](;W[bb])(;W[cc]))", "(;GM[1];B[aa](;W[cc])(;W[bb]))"));
    assert!(!same("(;GM[1];B[aa];W[bb])", "(;GM[1];B[aa](;W[bb])(;W[bb]))"));
    assert!(!same("(;GM[1]C[a])", "(;C[a]GM[1])"));
    assert!(!same("(;AB[aa][bb])", "(;AB[aa]AB[bb])"));
    assert!(!same("(;C[a\\b])", "(;C[ab])"));
}
