//! Statistics as a picture: owners as shades, pairs of points as arcs, orders of moves as arrows.

use goban::{Color, Game, Picture};
use playout::statistics::{Counts, Findings};

/// Arrows that can be told apart.
const ARROWS: usize = 8;

/// The picture as SVG.
pub fn draw(game: &Game, counts: &Counts, findings: &Findings<'_>) -> String {
    let board = game.board();
    let (black, playouts) = (counts.won(Color::Black), counts.decided().max(1));
    let percent = 100.0 * black as f64 / playouts as f64;
    let mut picture = Picture::new(board).title(format!(
        "Counts of {} playouts, not advice: Black won {percent:.0} %; shades are owners, arcs join two \
         points where owning one or both went together with winning, an arrow leads from one move \
         to another where playouts with this order were won more often than those with the \
         opposite one (Black's are blue, White's red)",
        counts.playouts(),
    ));
    for p in board.size().points() {
        picture = picture.shade(p, counts.ownership(p).value as f32);
    }
    // Those of both players would hide each other.
    let player = game.to_move();
    for before in findings.better_orders(player).iter().take(ARROWS) {
        picture = picture.arrow(player, before.first.1, before.then.1);
    }
    for player in Color::BOTH {
        for pair in findings.miai(player) {
            picture = picture.arc(player, pair.points);
        }
    }
    picture.to_svg()
}
