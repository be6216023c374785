//! Commands that GoGui shows on its board, and that scripts may ask for as well.

use std::fmt::Write;

use engine::{Candidate, Language, Report, Request, counted_pair};
use goban::{Color, Point, PointMap, Size};
use gtp::{Arguments, By, Talk};
use playout::statistics::{Counts, Findings, Task, gather_quietly};
use policy::Rated;

use super::think::color_or_turn;
use super::{Commands, Reply, Session};

pub const COMMANDS: Commands = &[
    ("gogui-analyze_commands", analyze_commands),
    ("harie-best_moves", best_moves),
    ("harie-probabilities", probabilities),
    ("harie-probability_board", probability_board),
    ("harie-ownership", ownership),
    ("harie-criticality", criticality),
    ("harie-miai", miai),
    ("harie-move_order", move_order),
    ("kata-raw-nn", raw_policy),
];

/// `type/label/command`, as GoGui lists them in its menu.
const MENU: &str = "\
gfx/Best Moves/harie-best_moves
gfx/Move Probabilities/harie-probabilities
dboard/Move Probabilities (Numbers)/harie-probability_board
dboard/Ownership/harie-ownership
dboard/Critical Points/harie-criticality
gfx/Miai/harie-miai
gfx/Order of Moves/harie-move_order
gfx/Influence/harie-influence
gfx/Influence Gained by a Move/harie-influence_gain
gfx/Links/harie-links
gfx/Groups/harie-groups
dboard/Territory/harie-territory
gfx/Ladders/harie-ladders
gfx/Solve as a Problem/harie-solve
plist/Dead Stones/final_status_list dead
string/Score/final_score
hstring/Why the Last Move/gomill-explain_last_move
string/Rules/kata-get-rules
param/How to Play/harie-param
none/Forget What Was Thought/clear_cache";

/// Moves that are shown with their numbers.
const SHOWN: usize = 10;

fn analyze_commands(_: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    Ok(MENU.to_owned())
}

/// Thinks as long as for a move and shows the best with their win rates.
fn best_moves(session: &mut Session, mut arguments: Arguments<'_>, talk: &mut Talk<'_>) -> Reply {
    let color = color_or_turn(session, &mut arguments);
    arguments.end()?;
    let options = session.engine.options();
    let request =
        Request { visits: options.visits, time: Some(options.time), ..Request::default() };
    let _interrupt = session.interruptible(By::Request, talk);
    let stop = session.stop.clone();
    let report = session.engine.analyse(color, &request, &stop, &mut |_| {});
    Ok(picture(&report))
}

/// What is being thought, for GoGui to show while a move is looked for.
pub fn live(report: &Report) -> String {
    format!("gogui-gfx:\n{}\n", picture(report))
}

/// The line that is expected, win rates of the best moves, and a sentence for the status bar.
fn picture(report: &Report) -> String {
    let mut text = String::new();
    let best = report.candidates.first();
    if let Some(best) = best {
        let mut color = report.to_move;
        let mut line = String::new();
        for mv in &best.line {
            let _ = write!(line, " {} {mv}", color.letter().to_ascii_lowercase());
            color = !color;
        }
        let _ = writeln!(text, "VAR{line}");
    }
    let percent = |x: f32| (100.0 * x.clamp(0.0, 1.0)).round() as u32;
    let seen = |c: &&Candidate| c.visits > 0 && matches!(c.mv, goban::Move::Play(_));
    for c in report.candidates.iter().filter(seen).take(SHOWN) {
        let _ = writeln!(text, "LABEL {} {}", c.mv, percent(c.winrate));
    }
    let best = best.map_or("pass".to_owned(), |c| c.mv.to_string());
    let (winrate, visits) = (percent(report.winrate), report.visits);
    let _ = write!(text, "TEXT {} to play: {best}, wins {winrate} %", report.to_move);
    let _ = write!(text, ", score {:+.1}, {visits} playouts", report.score);
    text
}

fn probabilities(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let color = color_or_turn(session, &mut arguments);
    arguments.end()?;
    let moves = session.engine.policy(color);
    let most = moves.first().map_or(1.0, |m| m.probability).max(f32::MIN_POSITIVE);
    let mut text = String::new();
    for Rated { point, probability, .. } in moves.iter().filter(|m| m.probability >= 0.002) {
        // The likeliest move is the darkest.
        let light = 235 - (160.0 * (probability / most).sqrt()) as u32;
        let _ = writeln!(text, "COLOR #{light:02x}eb{light:02x} {point}");
    }
    for Rated { point, probability, .. } in moves.iter().take(SHOWN) {
        let _ = writeln!(text, "LABEL {point} {:.0}", 100.0 * probability);
    }
    let _ = write!(text, "TEXT Where {color} may play, by the move model, in percent");
    Ok(text)
}

fn probability_board(
    session: &mut Session,
    mut arguments: Arguments<'_>,
    _: &mut Talk<'_>,
) -> Reply {
    let color = color_or_turn(session, &mut arguments);
    arguments.end()?;
    let mut table = PointMap::filled(0.0);
    for rated in session.engine.policy(color) {
        table[rated.point] = rated.probability;
    }
    Ok(rows(&table, session.size()))
}

/// 1 for Black's points, -1 for White's.
fn ownership(session: &mut Session, arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    arguments.end()?;
    let ownership = session.engine.judge().ownership;
    Ok(rows(&ownership, session.size()))
}

/// What playouts from the position with this player to move tell.
fn counted(session: &Session, color: Color) -> Counts {
    let threads = session.engine.options().threads;
    gather_quietly(&Task { to_move: color, threads, ..Task::uniform(session.game()) })
}

/// How owning each point goes together with winning, in uniform playouts.
fn criticality(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let color = color_or_turn(session, &mut arguments);
    arguments.end()?;
    let counts = counted(session, color);
    let mut table = PointMap::filled(0.0);
    for p in session.size().points() {
        table[p] = counts.criticality(p).value as f32;
    }
    Ok(rows(&table, session.size()))
}

/// Pairs of points that stand out, with their counts: a colour and a number a pair.
fn miai(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    const COLORS: [&str; 6] = ["#2f6fdf", "#2fa04f", "#d08020", "#9050c0", "#c03030", "#308080"];
    let color = color_or_turn(session, &mut arguments);
    arguments.end()?;
    let counts = counted(session, color);
    let findings = Findings::new(&counts, session.game().board());
    let pairs = Color::BOTH.map(|player| findings.miai(player));
    let mut text = String::new();
    for (i, pair) in pairs.iter().flatten().enumerate() {
        let [x, y] = pair.points;
        let shade = COLORS[i % COLORS.len()];
        let _ = writeln!(text, "COLOR {shade} {x} {y}\nLABEL {x} {0} {y} {0}", i + 1);
    }
    let told = pairs.iter().flatten().map(|pair| counted_pair(pair, Language::English));
    let told = told.collect::<Vec<_>>().join(" ");
    let told = if told.is_empty() { "No pair of points stands out".to_owned() } else { told };
    let _ = write!(text, "TEXT {told}");
    Ok(text)
}

/// The moves of a player by their rank by order: green and above 0 where playouts with the move early
/// were won more often, red where less often.
fn move_order(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let color = color_or_turn(session, &mut arguments);
    arguments.end()?;
    let counts = counted(session, color);
    let findings = Findings::new(&counts, session.game().board());
    // Ranks say what is good for Black.
    let sign = if color == Color::Black { 100.0 } else { -100.0 };
    let ranks = findings.ranks();
    let own = ranks.iter().filter(|ranked| ranked.mv.0 == color && ranked.firm != 0.0);
    let mut own: Vec<(Point, i32)> =
        own.map(|ranked| (ranked.mv.1, (sign * ranked.value).round() as i32)).collect();
    own.sort_by_key(|&(p, rank)| (-rank, session.size().reading_index(p)));
    let mut text = String::new();
    for (p, rank) in own {
        let shade = if rank > 0 { "#50b050" } else { "#d06050" };
        let _ = writeln!(text, "COLOR {shade} {p}\nLABEL {p} {rank}");
    }
    let _ = write!(
        text,
        "TEXT Rank by order in hundredths: with the move early {color} won more playouts (+) or fewer (-)"
    );
    Ok(text)
}

/// The move model in the place of a network: `kata-raw-nn [COLOR] SYMMETRY`. The model is the same
/// in all symmetries and has no opinion about who wins, so only the policy is told.
fn raw_policy(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let color = color_or_turn(session, &mut arguments);
    let symmetries = arguments.read("a symmetry from 0 to 7, or all", |word| match word {
        "all" => Some(0..8),
        _ => word.parse::<u8>().ok().filter(|&s| s < 8).map(|s| s..s + 1),
    })?;
    // How optimistic a network is to be.
    if !arguments.is_empty() {
        arguments.number()?;
    }
    arguments.end()?;
    let policy = policy_table(session, color);
    // A pass is one more choice; all of them together are 1.
    let pass = session.engine.pass_share();
    let whole = 1.0 + pass;
    let size = session.size();
    let side = usize::from(size.side());
    let cells: Vec<String> = size
        .points()
        .map(|p| policy[p].map_or("NAN".to_owned(), |share| format!("{:.6}", share / whole)))
        .collect();
    let board = cells.chunks(side).map(|row| row.join(" ")).collect::<Vec<_>>().join("\n");
    let pass = pass / whole;
    let one = |symmetry: u8| format!("symmetry {symmetry}\npolicy\n{board}\npolicyPass {pass:.6}");
    Ok(symmetries.map(one).collect::<Vec<_>>().join("\n"))
}

/// The share of each legal move.
fn policy_table(session: &Session, color: Color) -> PointMap<Option<f32>> {
    let mut table = PointMap::filled(None);
    let game = session.game();
    for p in session.size().points() {
        table[p] = game.check(color, goban::Move::Play(p)).is_ok().then_some(0.0);
    }
    for rated in session.engine.policy(color) {
        if let Some(share) = &mut table[rated.point] {
            *share = rated.probability;
        }
    }
    table
}

/// A table of numbers as GoGui reads it: a row a line, from the top.
pub fn rows(table: &PointMap<f32>, size: Size) -> String {
    let cells: Vec<String> = size.points().map(|p| format!("{:.4}", table[p])).collect();
    let rows = cells.chunks(usize::from(size.side())).map(|row| row.join(" "));
    rows.collect::<Vec<_>>().join("\n")
}
