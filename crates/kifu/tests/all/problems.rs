//! Problems as collections write them, small ones made here.

use goban::{Color, Diagram, Point};
use kifu::{Guide, NotAProblem, Problem, Said, Warning, read};

/// Three stones in a row in the corner: White lives or dies at B1.
const STONES: &str = "AB[dg][dh][di][cg][bg][ag]AW[ch][bh][ah][ci]";

fn problem(sgf: &str) -> (Result<Problem, NotAProblem>, Vec<Warning>) {
    let (trees, mut warnings) = read(sgf.as_bytes());
    assert!(warnings.is_empty(), "{warnings:?}");
    (Problem::new(&trees[0], &mut warnings), warnings)
}

fn answers(sgf: &str) -> Vec<String> {
    let (problem, warnings) = problem(sgf);
    assert!(warnings.is_empty(), "{warnings:?}");
    problem.unwrap().answers.iter().map(Point::to_string).collect()
}

fn with(variations: &str) -> String {
    format!("(;SZ[9]GN[x/y/z]PL[B]{STONES}{variations})")
}

#[test]
fn a_problem_has_stones_a_player_and_a_name() {
    let (problem, _) = problem(&format!(
        "(;SZ[9]GN[Beginner/Own corners/Three in a row]{STONES}PL[W]C[White lives](;W[bi]C[Correct];B[ai]))"
    ));
    let problem = problem.unwrap();
    assert_eq!(problem.title(), "beginner/Own corners/Three in a row");
    assert_eq!((problem.level.as_str(), problem.to_play), ("beginner", Color::White));
    let names: Vec<String> = problem.answers.iter().map(Point::to_string).collect();
    assert_eq!(names, ["B1"]);
    assert!(problem.accepts(Point::parse("B1").unwrap()));
    assert!(!problem.accepts(Point::parse("A1").unwrap()));
    let text = Diagram::new(&problem.board).to_string();
    let expected = Diagram::parse(
        ". . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         X X X X . . . . .
         O O O X . . . . .
         . . O X . . . . .",
    );
    assert_eq!(text, expected.unwrap().to_string());
}

#[test]
fn answers_are_found_however_they_are_marked() {
    for (variations, expected) in [
        // Nothing is marked: all variations.
        ("(;B[bi])(;B[ai])", vec!["B1", "A1"]),
        ("(;B[bi])", vec!["B1"]),
        // The right one is.
        ("(;B[ai]C[Black fails])(;B[bi]C[Correct])", vec!["B1"]),
        ("(;B[ai])(;B[bi]C[CORRECT!])", vec!["B1"]),
        ("(;B[ai])(;B[bi]C[正解])", vec!["B1"]),
        ("(;B[ai])(;B[bi]TE[1])", vec!["B1"]),
        ("(;B[ai])(;B[bi]N[Solution])", vec!["B1"]),
        // At the end of its line.
        ("(;B[ai];W[bi]C[Wrong])(;B[bi];W[ai];B[aa]C[RIGHT])", vec!["B1"]),
        ("(;B[ai];W[bi])(;B[bi](;W[ai]C[dead: RIGHT])(;W[aa]C[wrong]))", vec!["B1"]),
        // Only wrong ones are.
        ("(;B[bi])(;B[ai]C[Incorrect])(;B[aa]C[not correct])", vec!["B1"]),
        ("(;B[bi])(;B[ai]C[不正解])(;B[aa]BM[1])", vec!["B1"]),
        ("(;B[bi])(;B[ai];W[bi]C[失敗])", vec!["B1"]),
        // A wrong move later does not make the first one wrong.
        ("(;B[bi];W[ai](;B[aa])(;B[ba]C[Wrong]))(;B[ca]C[Wrong])", vec!["B1"]),
        // The right side is not the right answer.
        ("(;B[bi])(;B[ai]C[Black plays on the right side])", vec!["B1", "A1"]),
        // The same answer twice, and the other colour's tries.
        ("(;B[bi];W[ai])(;B[bi];W[aa])(;W[bi])", vec!["B1"]),
    ] {
        assert_eq!(answers(&with(variations)), expected, "{variations}");
    }
}

#[test]
fn lines_follow_the_right_moves() {
    let line = |variations: &str| {
        let (problem, _) = problem(&with(variations));
        let names: Vec<String> = problem.unwrap().lines[0].iter().map(Point::to_string).collect();
        names.join(" ")
    };
    assert_eq!(line("(;B[bi])"), "B1");
    assert_eq!(line("(;B[bi];W[ai];B[aa])"), "B1 A1 A9");
    assert_eq!(line("(;B[bi](;W[aa];B[ai])(;W[ai];B[ba]C[RIGHT]))"), "B1 A1 B9");
    assert_eq!(line("(;B[bi];W[ai](;B[ba]C[Wrong])(;B[aa]))"), "B1 A1 A9");
    // Colours in turn, and no passes.
    assert_eq!(line("(;B[bi];B[aa])"), "B1");
    assert_eq!(line("(;B[bi];W[];B[aa])"), "B1");
}

#[test]
fn the_player_is_who_the_variations_say() {
    let to_play = |sgf: &str| problem(sgf).0.unwrap().to_play;
    assert_eq!(to_play(&format!("(;SZ[9]{STONES}(;W[bi]))")), Color::White);
    assert_eq!(to_play(&format!("(;SZ[9]{STONES}PL[W])")), Color::White);
    assert_eq!(to_play(&format!("(;SZ[9]{STONES})")), Color::Black);
    assert_eq!(to_play(&format!("(;SZ[9]PL[B]{STONES}(;W[bi]))")), Color::White);
    assert_eq!(to_play(&format!("(;SZ[9];{STONES};PL[W]C[go](;W[bi]))")), Color::White);
}

#[test]
fn names_are_made_where_there_are_none() {
    let title = |gn: &str| problem(&format!("(;SZ[9]{gn}{STONES}(;B[bi]))")).0.unwrap().title();
    assert_eq!(title(""), "unrated//1");
    assert_eq!(title("GN[Corner]"), "unrated//Corner");
    assert_eq!(title("GN[My book/7]"), "unrated/My book/7");
    assert_eq!(title("GN[ADVANCED/My book/7/a]"), "advanced/My book/7/a");
}

#[test]
fn game_records_are_not_problems() {
    let wrong = |sgf: &str| problem(sgf).0.unwrap_err();
    assert_eq!(wrong("(;SZ[9];B[ee];W[gc])"), NotAProblem::NoStones);
    assert_eq!(wrong("(;SZ[9]B[ee];W[gc])"), NotAProblem::NoStones);
    assert_eq!(wrong("(;SZ[9])"), NotAProblem::NoStones);
    let handicap = "(;SZ[9]HA[2]AB[cc][gg];W[ee])";
    assert_eq!(wrong(handicap), NotAProblem::OneColor(Color::Black));
    assert!(matches!(wrong("(;SZ[9]AB[ab][ba]AW[aa])"), NotAProblem::NoLiberty(_)));
    assert!(matches!(wrong("(;SZ[99]AB[ab])"), NotAProblem::Record(_)));
}

#[test]
fn answers_that_cannot_be_played_are_told() {
    let (found, warnings) = problem(&with("(;B[ch])(;B[bi])"));
    assert_eq!(found.unwrap().answers.len(), 1);
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].to_string().contains("C2"), "{}", warnings[0]);
    let (found, warnings) = problem(&with("(;B[])"));
    assert!(found.unwrap().answers.is_empty());
    assert_eq!(warnings.len(), 1);
}

#[test]
fn a_guide_says_what_the_file_says() {
    let sgf = with(
        "(;B[bi];W[ai](;B[ei]C[Correct])(;B[fi];W[gi]))(;B[ai]C[Wrong];W[bi])(;B[ei];W[fi];B[gi]C[fails])",
    );
    let (mut trees, mut warnings) = read(sgf.as_bytes());
    let mut tree = trees.remove(0);
    let problem = Problem::new(&tree, &mut warnings).unwrap();
    let guide = Guide::new(&tree, &problem);
    let at = |index: usize| tree.node(index).unwrap();
    // Nodes in the order of the file: B1, its answer, the right end, a wrong one with its refutation.
    assert_eq!(guide.start(), at(0));
    assert_eq!(guide.judge(&tree, at(1)), (Said::GoesOn, Some(at(2))));
    assert_eq!(guide.judge(&tree, at(3)), (Said::Solved, None));
    assert_eq!(guide.judge(&tree, at(4)), (Said::Wrong, Some(at(5))));
    assert_eq!(guide.judge(&tree, at(6)), (Said::Wrong, Some(at(7))));
    assert_eq!(guide.judge(&tree, at(8)).0, Said::Wrong);
    // What is added is not in the file.
    let start = guide.start();
    let added = tree.add_move(start, Color::Black, Point::parse("J9"), problem.board.size());
    assert_eq!(guide.judge(&tree, added), (Said::Unknown, None));
}

#[test]
fn an_unmarked_line_is_followed_to_its_end() {
    let sgf = with(";B[bi];W[ai];B[ei];W[fi]");
    let (trees, mut warnings) = read(sgf.as_bytes());
    let tree = &trees[0];
    let guide = Guide::new(tree, &Problem::new(tree, &mut warnings).unwrap());
    let at = |index: usize| tree.node(index).unwrap();
    assert_eq!(guide.judge(tree, at(1)), (Said::GoesOn, Some(at(2))));
    // The last answer of the opponent is shown, and all is done.
    assert_eq!(guide.judge(tree, at(3)), (Said::Solved, Some(at(4))));
}
