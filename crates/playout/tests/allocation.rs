//! A playout, and every move of it, allocates nothing.

use goban::{Board, Changes, Color, Point, Size};
use playout::{Random, Uniform};

#[test]
fn playouts_do_not_allocate() {
    for size in [Size::NINE, Size::NINETEEN, Size::MAX] {
        let mut playouts = Uniform::new(&Board::new(size), Color::Black);
        let mut random = Random::new(1);
        let info = allocation_counter::measure(|| {
            for _ in 0..100 {
                playouts.run(&mut random);
            }
        });
        assert_eq!(info.count_total, 0, "{size}");
    }
}

#[test]
fn moves_legality_and_liberties_do_not_allocate() {
    let mut board = Board::new(Size::NINETEEN);
    let mut changes = Changes::new();
    let mut random = Random::new(2);
    let mut liberties = 0;
    let info = allocation_counter::measure(|| {
        for i in 0..2000 {
            let p = Point::new(random.below(19) as u8, random.below(19) as u8);
            let color = Color::BOTH[i % 2];
            changes.clear();
            if board.is_legal(p, color) {
                board.play_assume_legal(p, color, &mut changes);
                for &chain in changes.chains() {
                    liberties += board.liberties(chain).count() + board.liberty_set(chain).len();
                    liberties += board.chain_stones(chain).count();
                }
            }
        }
    });
    assert!(liberties > 1000);
    assert_eq!(info.count_total, 0);
}
