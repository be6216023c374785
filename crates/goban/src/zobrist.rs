//! Zobrist hashes: a position is the XOR of one random number for each stone.

use crate::board::Board;
use crate::color::Color;
use crate::point::{POINTS, Point};

/// The hash of a position without stones.
pub const EMPTY: u64 = 0;

/// Changes a hash between "black to move" and "white to move", for situational superko.
pub const TURN: u64 = mix(1 << 32);

const KEYS: [[u64; POINTS]; 2] = {
    let mut keys = [[0; POINTS]; 2];
    let mut i = 0;
    while i < POINTS {
        keys[0][i] = mix(2 * i as u64);
        keys[1][i] = mix(2 * i as u64 + 1);
        i += 1;
    }
    keys
};

/// The finalizer of SplitMix64: neighbouring numbers in, unrelated numbers out.
pub const fn mix(n: u64) -> u64 {
    let z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The number that stands for a stone of `color` at `p`.
#[inline]
pub fn key(p: Point, color: Color) -> u64 {
    KEYS[color.index()][p.index()]
}

/// The hash of a position, counted from scratch.
pub fn of(board: &Board) -> u64 {
    let stones = board.size().points().filter_map(|p| Some(key(p, board.cell(p).color()?)));
    stones.fold(EMPTY, |hash, key| hash ^ key)
}

/// The hash of the position after `color` plays the empty point `p`, given the hash before.
pub fn after(board: &Board, hash: u64, p: Point, color: Color) -> u64 {
    let mut hash = hash ^ key(p, color);
    for q in board.captures(p, color).iter() {
        hash ^= key(q, board.cell(q).color().expect("captures are stones"));
    }
    if board.is_suicide(p, color) { hash ^ key(p, color) } else { hash }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_are_distinct() {
        let keys: HashSet<u64> = KEYS.iter().flatten().copied().chain([EMPTY, TURN]).collect();
        assert_eq!(keys.len(), 2 * POINTS + 2);
    }
}
