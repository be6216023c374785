//! Komi for those who count area.

use goban::{Color, Game, Scoring};

/// The komi of a game as a search counts it, by area, with `color` to move: what White gets for a
/// handicap included. Under territory rules a stone more than the opponent's is a point of area that is
/// none of territory, and who makes the last move is not known.
pub fn area_komi(game: &Game, color: Color) -> f32 {
    let rules = game.rules();
    let bonus = rules.handicap_bonus.points(game.handicap()) as f32;
    let komi = game.komi() + bonus;
    if rules.scoring == Scoring::Area {
        return komi;
    }
    let board = game.board();
    let prisoners = game.prisoners();
    let made = |c: Color| (board.stones(c) as u32 + prisoners[(!c).index()]) as f32;
    let last = if color == Color::Black { 0.5 } else { -0.5 };
    komi + made(Color::Black) - made(Color::White) + last
}
