//! From trees to records, and from records to positions.

use goban::{Cell, Color, Illegal, Point, Size};
use kifu::{Margin, NotARecord, Outcome, Rank, Record, Replay, Why};

use crate::{read_one, texts};

/// The record of a text and all warnings about it.
#[track_caller]
fn record(text: &str) -> (Record, Vec<String>) {
    let (trees, mut warnings) = kifu::read(text.as_bytes());
    let record = Record::new(&trees[0], &mut warnings).expect("a record");
    warnings.extend(record.replay(|_, _| {}).map(|broken| broken.warning(&trees[0])));
    (record, texts(&warnings))
}

/// The record of a text about which there is nothing to say.
#[track_caller]
fn good(text: &str) -> Record {
    let (record, warnings) = record(text);
    assert_eq!(warnings, [""; 0], "{text:?}");
    record
}

/// The warnings about the record of a text.
#[track_caller]
fn check(text: &str, wanted: &[&str]) -> Record {
    let (record, warnings) = record(text);
    assert_eq!(warnings, wanted, "{text:?}");
    record
}

fn point(vertex: &str) -> Point {
    Point::parse(vertex).unwrap()
}

/// The stones after all legal moves, `X` and `O`, from the upper left.
fn diagram(record: &Record) -> String {
    let mut replay = Replay::new(record);
    while replay.next_move().is_some() {}
    let side = record.size.side() as usize;
    let cells: Vec<char> = record
        .size
        .points()
        .map(|p| match replay.board().cell(p) {
            Cell::Black => 'X',
            Cell::White => 'O',
            Cell::Empty | Cell::Edge => '.',
        })
        .collect();
    cells.chunks(side).map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
}

#[test]
fn the_header_is_read() {
    let record = good(
        "(;GM[1]SZ[13]KM[5.5]HA[2]AB[dd][jj]RU[Japanese]RE[W+2.5]PB[Ume]PW[Take]BR[3k]WR[2d]\
         DT[1846-09-11];W[dj];B[])",
    );
    assert_eq!(record.size, Size::THIRTEEN);
    assert_eq!((record.komi, record.handicap), (Some(5.5), 2));
    assert_eq!(record.rules.as_deref(), Some("Japanese"));
    assert_eq!(record.outcome, Outcome::Win(Color::White, Margin::Points(2.5)));
    assert_eq!(record.player(Color::Black).name.as_deref(), Some("Ume"));
    assert_eq!(record.player(Color::Black).rank(), Some(Rank::Kyu(3)));
    assert_eq!(record.player(Color::White).rank(), Some(Rank::Dan(2)));
    assert_eq!(record.date.as_deref(), Some("1846-09-11"));
    assert_eq!(record.first, Color::White);
    assert_eq!(record.stones, ["D10", "K4"].map(|v| (point(v), Color::Black)));
    let moves: Vec<_> = record.moves.iter().map(|m| (m.color, m.point)).collect();
    assert_eq!(moves, [(Color::White, Some(point("D4"))), (Color::Black, None)]);
}

#[test]
fn the_header_may_come_late_or_not_at_all() {
    let record = good("(;SZ[9];PB[late]KM[0.5]AB[aa];B[ee];RE[B+R])");
    assert_eq!(record.player(Color::Black).name.as_deref(), Some("late"));
    assert_eq!((record.komi, record.stones.len()), (Some(0.5), 1));
    assert_eq!(record.outcome.winner(), Some(Color::Black));
    let record = good("(;SZ[9])");
    assert_eq!((record.komi, record.handicap, record.outcome), (None, 0, Outcome::Unknown));
    assert_eq!((record.first, record.moves.len()), (Color::Black, 0));
}

#[test]
fn who_moves_first() {
    assert_eq!(good("(;SZ[9]PL[W])").first, Color::White);
    assert_eq!(good("(;SZ[9]PL[white])").first, Color::White);
    assert_eq!(good("(;SZ[9]HA[2]AB[cc][gg])").first, Color::White);
    assert_eq!(good("(;SZ[9]AB[cc][gg])").first, Color::Black);
    assert_eq!(good("(;SZ[9];W[ee])").first, Color::White);
}

#[test]
fn sizes() {
    assert_eq!(good("(;SZ[19:19];B[pd])").size, Size::NINETEEN);
    assert_eq!(good("(;SZ[ 9 ];B[ee])").size, Size::NINE);
    assert_eq!(good("(;SZ[9x9];B[ee])").size, Size::NINE);
    let nineteen = "the board was taken to be 19x19";
    check("(;GM[1];B[pd])", &[&format!("game 1, line 1: there is no SZ; {nineteen}")]);
    check("(;SZ[?];B[pd])", &[&format!("game 1, line 1: SZ[?] is not a size; {nineteen}")]);
    for bad in ["13:9", "1", "26", "0", "99999999"] {
        let tree = read_one(&format!("(;SZ[{bad}])"));
        let error = Record::new(&tree, &mut Vec::new()).unwrap_err();
        assert_eq!(error, NotARecord::Size(bad.to_owned()));
    }
    let error = Record::new(&read_one("(;GM[11]SZ[9])"), &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "GM[11] is not Go, which is GM[1]; the game was left out");
}

#[test]
fn header_oddities_are_said_in_exact_words() {
    for (property, warning) in [
        ("KM[six]", "KM[six] is not a number; the komi is not known"),
        ("KM[375]", "KM[375] was read as 7.5 points"),
        ("KM[650]", "KM[650] was read as 6.5 points"),
        ("HA[many]", "HA[many] is not a number of stones; it was ignored"),
        ("HA[-2]", "HA[-2] is not a number of stones; it was ignored"),
        ("RE[Bob]", "RE[Bob] is not a result; the result is not known"),
        ("PL[green]", "PL[green] is not a colour; it was ignored"),
        ("AB[zz]", "AB[zz] is not on the board; the value was ignored"),
        ("AddBlack[aa:zz]", "AddBlack[aa:zz] is not on the board; the value was ignored"),
        ("AW[A1]", "AW[A1] was read as A1"),
        ("HA[3]AB[aa][bb]", "HA[3] but 2 black stones set up; kept as set up"),
    ] {
        check(&format!("(;SZ[9]{property};B[ee])"), &[&format!("game 1, line 1: {warning}")]);
    }
}

#[test]
fn handicap_without_stones_is_placed_if_white_starts() {
    let record = check(
        "(;SZ[19]HA[3];W[qc])",
        &["game 1, line 1: HA[3] but no stones are set up and White moves first; 3 stones placed \
           on the fixed points"],
    );
    let stones: Vec<_> = record.stones.iter().map(|(p, _)| p.to_string()).collect();
    assert_eq!(stones, ["D4", "Q16", "D16"]);
    assert_eq!(good("(;SZ[19]HA[2];B[dd];B[pp];W[qc])").stones, []);
    assert_eq!(good("(;SZ[19]HA[1];W[dd])").stones, []);
}

#[test]
fn moves_are_read_from_the_upper_left() {
    let record = good("(;SZ[19];B[pd];W[dq];B[];W[tt])");
    let moves: Vec<_> = record.moves.iter().map(|m| m.point.map(|p| p.to_string())).collect();
    assert_eq!(moves, [Some("Q16".to_owned()), Some("D3".to_owned()), None, None]);
    let large = good("(;SZ[21];B[tt])");
    assert_eq!(large.moves[0].point, Some(point("U2")));
}

#[test]
fn move_oddities_are_said_in_exact_words() {
    check(
        "(;SZ[19]\n;B[PD];W[q4]\n;B[pass])",
        &[
            "game 1, line 2, move 1: B[PD] was read as Q16",
            "game 1, line 2, move 2: W[q4] was read as Q4",
            "game 1, line 3, move 3: B[pass] was read as a pass",
        ],
    );
    let record = check(
        "(;SZ[9];B[ee];W[gc]B[cc];W[dd])",
        &["game 1, line 1, move 2: the node holds more than one move; they were played in the \
           order written"],
    );
    assert_eq!(record.moves.len(), 4);
    let record = check(
        "(;SZ[9];B[ee]\n;W[xx];B[cc];W[dd])",
        &["game 1, line 2, move 2: W[xx] is not a move on this board; the main line ends before \
           it, 3 moves left out"],
    );
    assert_eq!(record.moves.len(), 1);
    let record = check(
        "(;SZ[9];B[ee]W[xx]B[cc];W[dd])",
        &["game 1, line 1, move 2: W[xx] is not a move on this board; the main line ends before \
           it, 3 moves left out"],
    );
    assert_eq!(record.moves.len(), 1);
}

#[test]
fn illegal_moves_end_the_line() {
    for (text, warning) in [
        (
            "(;SZ[9];B[ee]\n;W[ee];B[aa])",
            "game 1, line 2, move 2: White E5 is illegal: the point is occupied; the main line \
             ends before it, 2 moves left out",
        ),
        (
            "(;SZ[9];B[ab];W[];B[ba]\n\n;W[aa])",
            "game 1, line 3, move 4: White A9 is illegal: it would be suicide; the main line ends \
             before it, 1 move left out",
        ),
        (
            "(;SZ[9]AB[ba][ab][bc]AW[ca][db][cc];B[cb];W[bb];B[cb])",
            "game 1, line 1, move 3: Black C8 is illegal: it takes back a ko at once; the main \
             line ends before it, 1 move left out",
        ),
    ] {
        check(text, &[warning]);
    }
}

#[test]
fn a_broken_record_says_where() {
    let tree = read_one("(;SZ[9];B[ee];W[dd];B[dd];W[aa])");
    let record = Record::new(&tree, &mut Vec::new()).unwrap();
    let mut seen = Vec::new();
    let broken = record
        .replay(|board, m| {
            assert_eq!(board.cell(m.point.unwrap()), Cell::Empty);
            seen.push(board.stones(Color::Black) + board.stones(Color::White));
        })
        .unwrap();
    assert_eq!(seen, [0, 1]);
    assert_eq!((broken.played, broken.rest, broken.node), (2, 2, record.moves[2].node));
    assert_eq!(broken.why, Why::Move(record.moves[2], point("D6"), Illegal::Occupied));
}

#[test]
fn suicide_depends_on_the_rules() {
    let text = |rules| format!("(;SZ[5]RU[{rules}]AB[aa]AW[ca][bb][ac][bc];B[ab];W[ee];B[ba])");
    for rules in ["NZ", "New Zealand", "Tromp-Taylor", "tromp_taylor", "GOE"] {
        let record = good(&text(rules));
        assert!(record.suicide_allowed());
        assert_eq!(diagram(&record), "..O../.O.../OO.../...../....O");
    }
    for rules in ["Japanese", "Chinese", "AGA", ""] {
        let (record, warnings) = record(&text(rules));
        assert!(!record.suicide_allowed());
        assert_eq!(
            warnings,
            ["game 1, line 1, move 3: Black B5 is illegal: it would be suicide; the main line \
              ends before it, 1 move left out"]
        );
    }
}

#[test]
fn whoever_moves_twice_may_fill_the_ko() {
    let ko = "(;SZ[9]AB[ba][ab][bc]AW[ca][db][cc];B[cb];W[bb]";
    good(&format!("{ko};W[cb])"));
    good(&format!("{ko};B[];W[cb])"));
    assert!(record(&format!("{ko};B[cb])")).0.replay(|_, _| {}).is_some());
}

#[test]
fn captures_are_replayed() {
    let record = good("(;SZ[3];B[ba];W[aa];B[ab];W[bb];B[bc];W[cc];B[cb])");
    assert_eq!(diagram(&record), ".X./X.X/.X.");
}

#[test]
fn setup_takes_rectangles_and_the_last_word_counts() {
    let record = good("(;SZ[5]AB[aa:cb][ee]AW[bb][ea:da]AE[cb:ca];B[ec])");
    assert_eq!(diagram(&record), "XX.OO/XO.../....X/...../....X");
    let record = good("(;SZ[5]AB[aa];AW[aa]PL[W];W[bb])");
    assert_eq!(diagram(&record), "O..../.O.../...../...../.....");
}

#[test]
fn setup_in_the_middle_of_a_game() {
    let record = good("(;SZ[5];B[aa];W[ba];AE[aa]AB[cc:dd];B[ee];AW[aa];W[ab];B[])");
    assert_eq!(record.changes.len(), 2);
    assert_eq!(diagram(&record), "OO.../O..../..XX./..XX./....X");
    let record = check(
        "(;SZ[5];B[aa];W[cc]\n;AW[ab][ba];B[ee];W[dd])",
        &["game 1, line 2: the stones set up leave the chain at A5 without a liberty; the main \
           line ends before them, 2 moves left out"],
    );
    assert_eq!(diagram(&record), "X..../...../..O../...../.....");
}

#[test]
fn setup_stands_before_the_move_of_its_node() {
    let record = good("(;SZ[5];B[cc]AW[bc][cb]AB[aa])");
    assert_eq!(diagram(&record), "X..../..O../.OX../...../.....");
}

#[test]
fn an_impossible_start_is_no_panic() {
    let record = check(
        "(;SZ[5];\nAB[aa:ee];W[aa])",
        &["game 1, line 1: the stones set up leave the chain at A5 without a liberty; the main \
           line ends before them, 1 move left out"],
    );
    assert_eq!(record.replay(|_, _| panic!("nothing to visit")).unwrap().played, 0);
}
