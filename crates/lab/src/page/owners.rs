//! Small boards with the owner of each point as shades.

use super::words::Words;
use super::{escape, put};
use crate::ladder::{BoardShown, Owned};

/// Positions with what everybody says, one beside the other.
pub fn boards(boards: &[BoardShown], words: Words) -> String {
    let mut html = String::new();
    for board in boards {
        let title = escape(&words.fill("Position {0}", &[&board.id]));
        put(&mut html, format_args!("<h3>{title}</h3>\n<div class=\"boards\">\n"));
        board.views.iter().for_each(|view| draw(&mut html, board, view));
        html += "</div>\n";
    }
    html
}

fn draw(html: &mut String, board: &BoardShown, view: &Owned) {
    let side = board.size as usize;
    let whole = side * 10;
    let caption = format!("{}: B {:.0} %", view.name, 100.0 * view.winrate_black);
    let caption = escape(&caption);
    put(
        html,
        format_args!(
            "<figure><figcaption>{caption}</figcaption><svg viewBox=\"0 0 {whole} {whole}\" \
             role=\"img\" aria-label=\"{caption}\"><rect width=\"{whole}\" height=\"{whole}\" \
             fill=\"var(--board)\"/>"
        ),
    );
    let last = whole - 5;
    let across: String = (0..side).map(|i| format!("M5 {}H{last}", 10 * i + 5)).collect();
    let down: String = (0..side).map(|i| format!("M{} 5V{last}", 10 * i + 5)).collect();
    put(
        html,
        format_args!("<path d=\"{across}{down}\" stroke=\"var(--edge)\" stroke-width=\".4\"/>"),
    );
    for (i, stone) in board.stones.chars().enumerate() {
        let (x, y) = (10 * (i % side) + 5, 10 * (i / side) + 5);
        match stone {
            'X' => put(
                html,
                format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4.6\" fill=\"#161616\"/>"),
            ),
            'O' => put(
                html,
                format_args!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"4.4\" fill=\"#fff\" stroke=\"#555\" \
                     stroke-width=\".4\"/>"
                ),
            ),
            _ => {}
        }
        // A square as large as the owner is sure.
        let owner = view.ownership_black.get(i).copied().unwrap_or(0.0);
        let half = 2.6 * owner.abs().min(1.0).sqrt();
        if half > 0.5 {
            let fill = if owner > 0.0 { "#161616" } else { "#fff" };
            let (left, top, width) = (x as f32 - half, y as f32 - half, 2.0 * half);
            put(
                html,
                format_args!(
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{width:.1}\" \
                     fill=\"{fill}\" stroke=\"#8888\" stroke-width=\".3\"/>"
                ),
            );
        }
    }
    *html += "</svg></figure>\n";
}
