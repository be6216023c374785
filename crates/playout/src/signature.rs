//! A fingerprint of the playouts: totals over fixed games.

use goban::{Board, Color, Size};

use crate::random::Random;
use crate::uniform::Uniform;

/// Totals of light playouts from the empty board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Playouts made.
    pub playouts: u32,
    /// Moves in all of them, passes included.
    pub moves: u64,
    /// Playouts that black won with komi 7.5.
    pub black_wins: u32,
}

/// A thousand playouts with a fixed seed. The totals are the same on every machine; when they
/// change, the rules or the playouts behave differently, and the change should say so.
pub fn signature(size: Size) -> Signature {
    const PLAYOUTS: u32 = 1000;
    let mut playouts = Uniform::new(&Board::new(size), Color::Black);
    let mut random = Random::new(361);
    let mut signature = Signature { playouts: PLAYOUTS, moves: 0, black_wins: 0 };
    for _ in 0..PLAYOUTS {
        let outcome = playouts.run(&mut random);
        signature.moves += outcome.moves as u64;
        signature.black_wins += (outcome.score >= 8) as u32;
    }
    signature
}
