//! What is seen in diagrams, and that it does not depend on how the board is turned or coloured.

use goban::{Board, Cell, Color, Diagram, Point, PointMap, PointSet, Size, Symmetry};
use knowledge::{Groups, Influence, Life, LinkKind, Strength, Territory, eyes, ladders, links};

fn board(text: &str) -> Board {
    Diagram::parse(text).unwrap().board
}

fn point(text: &str) -> Point {
    Point::parse(text).unwrap()
}

/// The board turned, and with colours exchanged if wanted.
fn turned(board: &Board, symmetry: Symmetry, swapped: bool) -> Board {
    let size = board.size();
    let stones = size.points().filter_map(|p| {
        let color = board.cell(p).color()?;
        Some((symmetry.apply(p, size), if swapped { !color } else { color }))
    });
    Board::with_stones(size, stones.collect::<Vec<_>>()).unwrap()
}

fn images(board: &Board) -> Vec<(Symmetry, bool, Board)> {
    let all = Symmetry::ALL.into_iter().flat_map(|s| [(s, false), (s, true)]);
    all.map(|(s, swapped)| (s, swapped, turned(board, s, swapped))).collect()
}

const MIDDLE: &str = "
    . . . . . . . . .
    . . O . . . X . .
    . X . O O X . X .
    . . X X O X . . .
    . . . X O O X . .
    . . . . X . O . .
    . X . . . O . O .
    . . . X . . . . .
    . . . . . . . . .";

#[test]
fn influence_is_the_sum_within_two_steps() {
    let board = board(
        ". . . . .
         . . . . .
         . . X . .
         . . . . O
         . . . . .",
    );
    let influence = Influence::new(&board);
    let rows: Vec<String> = (0..5)
        .rev()
        .map(|y| {
            let letter = |x| match influence.owner(Point::new(x, y)) {
                Some(Color::Black) => 'b',
                Some(Color::White) => 'w',
                None => '.',
            };
            (0..5).map(letter).collect()
        })
        .collect();
    assert_eq!(rows, ["..b..", ".bbbw", "bbb..", ".b..w", "..bww"].map(String::from));
    assert_eq!((influence.sum(point("C4")), influence.sum(point("D2"))), (1, 0));
    assert_eq!(influence.area(Color::Black), 9);
}

#[test]
fn the_gain_of_a_move_is_what_playing_it_shows() {
    let board = board(MIDDLE);
    for color in Color::BOTH {
        let influence = Influence::new(&board);
        for (p, gain) in influence.gains(&board, color) {
            let mut after = board.clone();
            after.play(p, color).unwrap();
            let grown = Influence::new(&after).area(color) as i32 - influence.area(color) as i32;
            assert_eq!(gain, grown, "{color} {p}");
        }
    }
}

#[test]
fn links_have_their_names() {
    for (text, kind) in [
        ("....\n.X..\n..X.\n....", LinkKind::Diagonal),
        (".....\n.X.X.\n.....\n.....\n.....", LinkKind::OnePointJump),
        (".....\n.X...\n...X.\n.....\n.....", LinkKind::KnightsMove),
        (".....\nX..X.\n.....\n.....\n.....", LinkKind::TwoPointJump),
        (".....\nX....\n...X.\n.....\n.....", LinkKind::LargeKnightsMove),
        (".....\n.X.X.\n.X.X.\n.....\n.....", LinkKind::Bamboo),
    ] {
        for (.., image) in images(&board(text)) {
            let found = links(&image);
            assert!(!found.is_empty() && found.iter().all(|link| link.kind == kind), "{image}");
            assert!(found.iter().all(|link| link.strength == Strength::Open), "{image}");
        }
    }
}

#[test]
fn enemy_stones_cut_or_do_not() {
    let strength = |text: &str| {
        let found = links(&board(text));
        let black = found.iter().find(|link| link.color == Color::Black);
        black.map(|link| link.strength)
    };
    // Nothing is left to connect at.
    assert_eq!(strength("....\n.XO.\n.OX.\n...."), None);
    assert_eq!(strength(".....\n.XOX.\n.....\n.....\n....."), None);
    // A peep at a bamboo joint, a stone beside a diagonal.
    assert_eq!(strength(".....\n.X.X.\n.X.X.\n..O..\n....."), Some(Strength::Firm));
    assert_eq!(
        strength(".......\n.......\n...X...\n..XO...\n.......\n.......\n......."),
        Some(Strength::Cuttable)
    );
    // Whoever cuts on the second line here is in atari and caught.
    assert_eq!(strength(".....\n.....\n.X.O.\n..X..\n....."), Some(Strength::Firm));
    // A knight's move that is surrounded is cut.
    assert_eq!(
        strength("..O....\n.......\n.OX....\n....XO.\n..O....\n....O..\n......."),
        Some(Strength::Cuttable)
    );
}

#[test]
fn eyes_are_counted_by_their_shape() {
    let worth = |text: &str| {
        let found = eyes(&board(text), &PointSet::EMPTY);
        found.iter().map(|eye| eye.worth).collect::<Vec<_>>()
    };
    assert_eq!(worth(".X.X.\nXX.XX\n.....\n.....\nO...."), [1.0, 1.0]);
    assert_eq!(worth(".XO..\nXO...\nOO...\n.....\n....."), [0.0]);
    assert_eq!(worth("..X..\n..X..\nXXX..\n.....\nO...."), [1.0]);
    assert_eq!(worth("...X.\nXXXX.\n.....\n.....\nO...."), [1.5]);
    assert_eq!(worth("....X.\nXXXXX.\n......\n......\nO.....\n......"), [2.0]);
}

#[test]
fn two_eyes_live_and_what_playouts_kill_is_dead() {
    let board = board(
        ". X . X O . . . .
         X X X X O . . . .
         O O O O O . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . O .
         . . . . . . . . .
         . . . . . . . . .",
    );
    // Playouts that give the corner to White, as if they had no idea of eyes.
    let groups = Groups::new(&board, &PointMap::filled(-0.5));
    let corner = groups.at(point("B9")).unwrap();
    assert_eq!((corner.stones.len(), corner.eye_count(), corner.life), (6, 2.0, Life::Alive));
    assert_eq!(groups.at(point("A8")).unwrap().name(), corner.name());
    let lonely = groups.at(point("H3")).unwrap();
    assert_eq!(lonely.life, Life::Alive);
    let groups = Groups::new(&board, &PointMap::filled(0.9));
    assert_eq!(groups.at(point("H3")).unwrap().life, Life::Dead);
    assert_eq!(groups.at(point("A1")).map(|group| group.stones.len()), None);
}

#[test]
fn a_ladder_is_told_to_its_end() {
    let mut board = board(
        ". . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . X . . . . . .
         . . X O . . . . .
         . . . X . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    let found = ladders(&board);
    assert_eq!(found.len(), 1);
    let ladder = &found[0];
    assert_eq!((ladder.color, ladder.stone, ladder.stones), (Color::White, point("D4"), 1));
    assert_eq!(ladder.line[0], point("E4"));
    assert_eq!(ladder.escape, Some(point("D5")));
    // Played out, the line ends with the capture.
    let mut to_move = Color::Black;
    for &p in &ladder.line {
        board.play(p, to_move).unwrap();
        to_move = !to_move;
    }
    assert_eq!(board.cell(point("D4")), Cell::Empty);
    assert!(ladder.line.len() > 12);
}

#[test]
fn territory_is_what_the_lines_see() {
    let board = board(
        ". . . X O . . . .
         . . . X O . . . .
         . . . X O . . . .
         X X X X O . . . .
         O O O O O O O O O
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    let mut ownership = PointMap::filled(-0.9);
    for p in board.size().points().filter(|p| p.x() < 4 && p.y() > 4) {
        ownership[p] = 0.9;
    }
    let groups = Groups::new(&board, &ownership);
    let lines = Territory::by_lines(&board, &groups);
    assert_eq!(lines.owner[point("B8")], Some(Color::Black));
    assert_eq!(lines.owner[point("G7")], Some(Color::White));
    // Three of its lines run off the board: the procedure cannot say.
    assert_eq!(lines.owner[point("A1")], None);
    assert_eq!(Territory::by_ownership(&board, &ownership, 0.8).area, [16, 65]);
    assert!(lines.is_territory(&board, point("B8")) && !lines.is_territory(&board, point("D8")));
}

#[test]
fn nothing_depends_on_how_the_board_lies() {
    let plain = board(MIDDLE);
    let size = plain.size();
    let mut ownership = PointMap::filled(0.0);
    for (i, p) in size.points().enumerate() {
        ownership[p] = ((i * 7919) % 201) as f32 / 100.0 - 1.0;
    }
    let groups = Groups::new(&plain, &ownership);
    let territory = Territory::by_lines(&plain, &groups);
    let influence = Influence::new(&plain);
    let chased: PointSet = ladders(&plain).iter().map(|ladder| ladder.stone).collect();
    for (symmetry, swapped, image) in images(&plain) {
        let at = |p: Point| symmetry.apply(p, size);
        let color = |c: Option<Color>| if swapped { c.map(|c| !c) } else { c };
        let sign = if swapped { -1.0 } else { 1.0 };
        let mut owners = PointMap::filled(0.0);
        size.points().for_each(|p| owners[at(p)] = sign * ownership[p]);
        let there = Groups::new(&image, &owners);
        assert_eq!(there.list.len(), groups.list.len());
        assert_eq!(there.links.len(), groups.links.len());
        let (seen, reach) = (Territory::by_lines(&image, &there), Influence::new(&image));
        let mut caught = 0;
        for p in size.points() {
            let shown = |groups: &Groups, p: Point| {
                groups.at(p).map(|g| (g.stones.len(), g.liberties.len(), g.eyes.len(), g.life))
            };
            assert_eq!(shown(&there, at(p)), shown(&groups, p), "{p}");
            assert_eq!(seen.owner[at(p)], color(territory.owner[p]), "{p}");
            assert_eq!(reach.owner(at(p)), color(influence.owner(p)), "{p}");
        }
        for ladder in ladders(&image) {
            let chain = image.chain(ladder.stone).unwrap();
            let known = chased.iter().any(|p| image.chain(at(p)) == Some(chain));
            assert!(known, "{ladder:?}");
            caught += 1;
        }
        assert_eq!(caught, chased.len());
    }
    assert_eq!(size, Size::NINE);
}
