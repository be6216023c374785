//! Published counts of legal positions, reached in three independent ways.

use goban::referee::legal_positions;
use goban::{Rules, Size, perft};

#[test]
fn the_referee_counts_legal_positions() {
    assert_eq!(legal_positions(1), 1);
    assert_eq!(legal_positions(2), 57);
    assert_eq!(legal_positions(3), 12_675);
}

#[test]
fn the_board_reaches_all_legal_positions_and_no_others() {
    assert_eq!(perft::reachable_positions(Size::new(2).unwrap()), 57);
    assert_eq!(perft::reachable_positions(Size::new(3).unwrap()), 12_675);
}

/// 4x4 in two seconds: stones as bits of a word, liberties by flooding from the empty points.
#[test]
fn bits_count_legal_positions_on_4x4() {
    fn spread(bits: u32) -> u32 {
        let (left, right) = (bits << 1 & 0xeeee, bits >> 1 & 0x7777);
        (bits | left | right | bits << 4 | bits >> 4) & 0xffff
    }
    fn all_breathe(stones: u32, empty: u32) -> bool {
        let mut reached = spread(empty) & stones;
        loop {
            let next = (spread(reached) & stones) | reached;
            if next == reached {
                return reached == stones;
            }
            reached = next;
        }
    }
    let mut legal = 0;
    for black in 0..=0xffff_u32 {
        let free = !black & 0xffff;
        let mut white = free;
        loop {
            let empty = free & !white;
            legal += (all_breathe(black, empty) && all_breathe(white, empty)) as u32;
            if white == 0 {
                break;
            }
            white = (white - 1) & free;
        }
    }
    assert_eq!(legal, 24_318_165);
}

/// Sequences on 2x2 worked out by hand for the first moves: five choices (four points and a pass);
/// after a stone four choices, after a pass five.
#[test]
fn sequences_on_2x2() {
    let two = Size::new(2).unwrap();
    assert_eq!(perft::sequences(two, Rules::CGOS, 1), 5);
    assert_eq!(perft::sequences(two, Rules::CGOS, 2), 4 * 4 + 5);
    // Counted with an independent program as well: each superko and suicide leaves its mark.
    for (rules, count) in [
        (Rules::CHINESE, 5768),
        (Rules::CGOS, 4184),
        (Rules::AGA, 4544),
        (Rules::TROMP_TAYLOR, 4184),
        (Rules::NEW_ZEALAND, 6048),
    ] {
        assert_eq!(perft::sequences(two, rules, 9), count, "{rules}");
    }
}
