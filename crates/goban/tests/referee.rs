//! The fast board against the slow referee, over random games full of illegal tries.

use goban::referee::Referee;
use goban::{Board, Cell, Changes, Color, Illegal, Point, PointSet, Size, zobrist};

/// A small generator of its own: goban knows no randomness.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

fn set(points: &[(usize, usize)]) -> PointSet {
    points.iter().map(|&(x, y)| Point::new(x as u8, y as u8)).collect()
}

fn place(p: Point) -> (usize, usize) {
    (p.x() as usize, p.y() as usize)
}

/// Stones, chains, liberties, eyes, ko and the legality of every move are the same on both.
fn assert_same(board: &Board, referee: &Referee) {
    let size = board.size();
    for color in Color::BOTH {
        assert_eq!(board.ko(color).map(place), referee.ko(color), "{board}");
        let stones = size.points().filter(|&p| board.cell(p) == Cell::from(color)).count();
        assert_eq!(board.stones(color), stones);
    }
    for p in size.points() {
        let (x, y) = place(p);
        assert_eq!(board.cell(p), referee.cell(x, y), "{p}{board:?}");
        for (d, (dx, dy)) in [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)]
            .iter()
            .enumerate()
        {
            let seen = p.offset(*dx, *dy, size).map_or(Cell::Edge, |q| board.cell(q));
            assert_eq!(board.ring(p).cell(d), seen, "ring of {p}, direction {d}{board:?}");
        }
        if board.cell(p) == Cell::Empty {
            for color in Color::BOTH {
                let legal = referee.clone().play(x, y, color, false).is_some();
                assert_eq!(board.is_legal(p, color), legal, "{color} {p}{board:?}");
                assert_eq!(board.check(p, color, false).is_ok(), legal);
                let with_suicide = referee.clone().play(x, y, color, true);
                assert_eq!(board.check(p, color, true).is_ok(), with_suicide.is_some());
                if let Some(taken) = with_suicide {
                    let mut captures = board.captures(p, color);
                    if board.is_suicide(p, color) {
                        captures.insert(p);
                    }
                    assert_eq!(captures, set(&taken), "{color} {p}{board:?}");
                }
                // What a move would lead to is asked of a forbidden ko as well.
                let mut played = referee.clone();
                played.pass();
                let (length, liberties) = match played.play(x, y, color, false) {
                    Some(_) => {
                        let (stones, liberties) = played.chain(x, y);
                        (stones.len(), liberties.len())
                    }
                    None => (board.after_move(p, color).length, 0),
                };
                let after = board.after_move(p, color);
                assert_eq!((after.length, after.liberties), (length, liberties), "{p}{board:?}");
                let playable = legal && !board.is_eye(p, color);
                assert_eq!(board.is_playable(p, color), playable, "{color} {p}{board:?}");
            }
        } else {
            let chain = board.chain(p).expect("a stone belongs to a chain");
            let (stones, liberties) = referee.chain(x, y);
            assert_eq!(board.chain_stones(chain).collect::<PointSet>(), set(&stones));
            assert_eq!(board.length(chain), stones.len());
            assert_eq!(board.liberty_set(chain), set(&liberties), "{p}{board:?}");
            assert_eq!(board.liberty_count(chain), liberties.len());
        }
    }
}

/// The chain at `p` as sets, to see whether a move changed it.
fn chain_of(referee: &Referee, p: Point) -> (PointSet, PointSet) {
    let (stones, liberties) = referee.chain(p.x() as usize, p.y() as usize);
    (set(&stones), set(&liberties))
}

/// What the board reported is what became different, no more chains than exist and none missing.
fn assert_reported(changes: &Changes, board: &Board, before: &Referee, after: &Referee) {
    let reported: PointSet = changes
        .chains()
        .iter()
        .map(|&chain| board.chain_stones(chain).next().expect("a chain has a stone"))
        .flat_map(|p| chain_of(after, p).0.iter().collect::<Vec<_>>())
        .collect();
    for p in board.size().points().filter(|&p| board.cell(p).color().is_some()) {
        let (x, y) = place(p);
        let changed =
            before.cell(x, y) == Cell::Empty || chain_of(before, p).1 != chain_of(after, p).1;
        assert!(!changed || reported.contains(p), "{p} changed unreported{board:?}");
    }
}

fn random_game(size: Size, suicide: bool, dice: &mut Dice) {
    let side = size.side() as usize;
    let mut board = Board::new(size);
    let mut referee = Referee::new(side);
    let mut changes = Changes::new();
    let mut hash = zobrist::of(&board);
    for _ in 0..3 * size.area() {
        let color = if dice.below(2) == 0 { Color::Black } else { Color::White };
        if dice.below(40) == 0 {
            board.pass();
            referee.pass();
            continue;
        }
        let p = Point::new(dice.below(side) as u8, dice.below(side) as u8);
        let (x, y) = place(p);
        let before = referee.clone();
        let taken = referee.play(x, y, color, suicide);
        assert_eq!(board.check(p, color, suicide).is_ok(), taken.is_some(), "{color} {p}{board:?}");
        let Some(taken) = taken else { continue };
        hash = zobrist::after(&board, hash, p, color);
        changes.clear();
        board.play_assume_legal(p, color, &mut changes);
        assert_eq!(hash, zobrist::of(&board));
        assert_eq!(changes.stone(), Some((p, color)));
        assert_eq!(changes.captured().iter().copied().collect::<PointSet>(), set(&taken));
        assert_eq!(changes.captured().len(), taken.len());
        assert_same(&board, &referee);
        assert_reported(&changes, &board, &before, &referee);
    }
}

#[test]
fn random_games_agree_on_every_size() {
    let mut dice = Dice(1);
    for size in (2..=25).filter_map(Size::new) {
        // Many games on small boards, where captures and kos crowd.
        let games = (3000 / size.area().pow(2)).clamp(1, 100);
        for game in 0..games {
            random_game(size, game % 2 == 1, &mut dice);
        }
    }
}

#[test]
fn thousands_of_small_games_agree() {
    let mut dice = Dice(2);
    for i in 0..3000 {
        random_game(Size::new(2 + i % 4).unwrap(), i % 3 == 0, &mut dice);
    }
}

#[test]
fn a_copy_is_the_same_board() {
    let mut dice = Dice(3);
    let mut copy = Board::new(Size::MAX);
    for side in [25, 9, 19, 2, 13] {
        let size = Size::new(side).unwrap();
        let mut board = Board::new(size);
        for _ in 0..2 * size.area() {
            let p = Point::new(dice.below(side) as u8, dice.below(side) as u8);
            let _ = board.play(p, Color::BOTH[dice.below(2)]);
        }
        // A used board of another size becomes this one and plays on the same.
        copy.copy_from(&board);
        if size < Size::MAX {
            let outside = Point::new(size.side(), 0);
            assert_eq!(copy.check(outside, Color::Black, true), Err(Illegal::OffBoard));
        }
        for _ in 0..size.area() {
            let p = Point::new(dice.below(side) as u8, dice.below(side) as u8);
            let color = Color::BOTH[dice.below(2)];
            assert_eq!(copy.play(p, color), board.play(p, color));
        }
        let mut referee = Referee::new(side);
        size.points().for_each(|p| referee.set(place(p).0, place(p).1, board.cell(p)));
        copy.pass();
        assert_same(&copy, &referee);
    }
}

#[test]
fn boards_from_stones_are_like_played_ones() {
    let mut dice = Dice(4);
    for side in [2, 5, 9, 19] {
        let size = Size::new(side).unwrap();
        let mut board = Board::new(size);
        for _ in 0..2 * size.area() {
            let p = Point::new(dice.below(side) as u8, dice.below(side) as u8);
            let _ = board.play(p, Color::BOTH[dice.below(2)]);
        }
        let stones = size.points().filter_map(|p| Some((p, board.cell(p).color()?)));
        let built = Board::with_stones(size, stones).unwrap();
        let mut referee = Referee::new(side);
        size.points().for_each(|p| referee.set(place(p).0, place(p).1, board.cell(p)));
        assert_same(&built, &referee);
    }
}
