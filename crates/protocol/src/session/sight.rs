//! What is recognised in the position, for GoGui's board and for scripts.

use std::fmt::Write;

use engine::Assessment;
use goban::{Color, Point};
use gtp::{Arguments, Talk};
use knowledge::{Influence, Ladder, Life, ladders};

use super::think::color_or_turn;
use super::{Commands, Reply, Session};

pub const COMMANDS: Commands = &[
    ("harie-influence", influence),
    ("harie-influence_gain", gain),
    ("harie-links", links),
    ("harie-groups", groups),
    ("harie-territory", territory),
    ("harie-ladders", catches),
];

fn influence(session: &mut Session, arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    arguments.end()?;
    let influence = Influence::new(session.game().board());
    let mut text = "INFLUENCE".to_owned();
    for p in session.size().points() {
        let _ = write!(text, " {p} {:.2}", (influence.sum(p) as f32 / 4.0).clamp(-1.0, 1.0));
    }
    let [black, white] = Color::BOTH.map(|color| influence.area(color));
    let _ = write!(text, "\nTEXT Black reaches {black} points, White {white}");
    Ok(text)
}

/// The moves that make a player reach the most points more.
fn gain(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let color = color_or_turn(session, &mut arguments);
    arguments.end()?;
    let board = session.game().board();
    let best = Influence::new(board).gains(board, color).into_iter().take(10);
    let labels: Vec<String> = best.map(|(p, gain)| format!("LABEL {p} {gain}")).collect();
    Ok(format!("{}\nTEXT Points that {color} reaches more by a move", labels.join("\n")))
}

fn links(session: &mut Session, arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    arguments.end()?;
    let found = knowledge::links(session.game().board());
    let mut text = String::new();
    for link in &found {
        let shade = match (link.holds(), link.color) {
            (true, Color::Black) => "#5f8fdf",
            (true, Color::White) => "#df9f8f",
            (false, _) => "#d8d020",
        };
        let way: Vec<String> = link.way.iter().map(Point::to_string).collect();
        let _ = writeln!(text, "COLOR {shade} {}", way.join(" "));
    }
    let weak = found.iter().filter(|link| !link.holds()).count();
    let _ = write!(text, "TEXT {} links; {weak} of them, in yellow, can be cut", found.len());
    Ok(text)
}

fn groups(session: &mut Session, arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    arguments.end()?;
    let ownership = session.engine.judge().ownership;
    let sight = Assessment::new(session.game().board(), ownership);
    let mut text = String::new();
    for group in &sight.groups.list {
        let shade = match group.life {
            Life::Alive => "#50b050",
            Life::Unsettled => "#d8d020",
            Life::Dead => "#d06050",
        };
        let stones: Vec<String> = group.stones.iter().map(|p| p.to_string()).collect();
        let _ = writeln!(text, "COLOR {shade} {}", stones.join(" "));
        let _ = writeln!(text, "LABEL {} {:.0}", group.name(), 100.0 * group.strength);
    }
    let _ = write!(text, "TEXT {} groups, how surely each survives", sight.groups.list.len());
    Ok(text)
}

/// 1 for Black's points, -1 for White's, 0.5 and -0.5 where only the playouts say so.
fn territory(session: &mut Session, arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    arguments.end()?;
    let ownership = session.engine.judge().ownership;
    let sight = Assessment::new(session.game().board(), ownership);
    let (lines, owned) = (&sight.by_lines, &sight.by_ownership);
    let mut table = goban::PointMap::filled(0.0);
    for p in session.size().points() {
        let Some(color) = owned.owner[p] else { continue };
        let sure = if lines.owner[p] == Some(color) { 1.0 } else { 0.5 };
        table[p] = if color == Color::Black { sure } else { -sure };
    }
    Ok(super::gogui::rows(&table, session.size()))
}

fn catches(session: &mut Session, arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    arguments.end()?;
    let found = ladders(session.game().board());
    let mut text = String::new();
    for ladder in &found {
        let _ = writeln!(text, "MARK {}", ladder.stone);
    }
    if let Some(first) = found.first() {
        let mut color = !first.color;
        let mut line = String::new();
        for p in &first.line {
            let _ = write!(line, " {} {p}", color.letter().to_ascii_lowercase());
            color = !color;
        }
        let _ = writeln!(text, "VAR{line}");
    }
    let words: Vec<String> = found.iter().map(Ladder::words).collect();
    let words =
        if words.is_empty() { "No ladder catches anything".to_owned() } else { words.join("; ") };
    let _ = write!(text, "TEXT {words}");
    Ok(text)
}
