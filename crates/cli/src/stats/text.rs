//! Statistics for people: boards, tables and sentences.

use std::io::Write;

use anyhow::Result;
use goban::{Board, Cell, Color, Diagram, Game};
use playout::statistics::{Counts, Findings, Ranked, komi};
use policy::grouped;

use super::{move_text, sentences};
use crate::extract::side_by_side;
use crate::lettered;

/// Lines of each table.
const LINES: usize = 8;

/// Prints everything that is worth it.
pub fn print(
    out: &mut dyn Write,
    game: &Game,
    counts: &Counts,
    findings: &Findings<'_>,
    by_model: bool,
) -> Result<()> {
    let board = game.board();
    let kind = if by_model { "learned" } else { "uniform" };
    let percent = 100.0 * counts.won(Color::Black) as f64 / counts.decided().max(1) as f64;
    writeln!(
        out,
        "{} to play, komi {}. Black wins {percent:.1} % of {} {kind} playouts.\n",
        game.to_move(),
        komi(game),
        grouped(counts.playouts()),
    )?;
    let (position, owners) = (Diagram::new(board).to_string(), owners(board, counts));
    side_by_side(
        out,
        [position.as_str(), owners.as_str()].into_iter(),
        &["The position".to_owned(), "Who owns it in the end".to_owned()],
    )?;
    writeln!(out, "\nX and O are surely Black's and White's, x and o mostly.\n")?;
    if !matters(out, counts)? {
        return Ok(());
    }
    points(out, board, counts, findings)?;
    pairs(out, findings)?;
    ranks(out, &findings.ranks())?;
    writeln!(out, "What stands out, as counts of these playouts; this is no advice")?;
    let sentences = sentences(findings);
    for sentence in &sentences {
        writeln!(out, "  {sentence}")?;
    }
    if sentences.is_empty() {
        writeln!(out, "  No pair of points and no order of moves stands out.")?;
    }
    Ok(())
}

/// Says so where the result does not depend on anything.
fn matters(out: &mut dyn Write, counts: &Counts) -> Result<bool> {
    let fewest = Color::BOTH.map(|c| counts.won(c)).into_iter().min().unwrap_or(0);
    let hangs = 100 * fewest >= counts.decided().max(1);
    if !hangs {
        writeln!(
            out,
            "Nearly all playouts end the same way, so nothing can be told about what decides;\n\
             --komi POINTS asks what another result hangs on."
        )?;
    }
    Ok(hangs)
}

/// The board by who owns what.
fn owners(board: &Board, counts: &Counts) -> String {
    lettered::board(board.size(), |p| match counts.ownership(p).value {
        owner if owner > 0.85 => 'X',
        owner if owner > 0.3 => 'x',
        owner if owner < -0.85 => 'O',
        owner if owner < -0.3 => 'o',
        _ => '.',
    })
}

fn points(
    out: &mut dyn Write,
    board: &Board,
    counts: &Counts,
    findings: &Findings<'_>,
) -> Result<()> {
    writeln!(out, "Critical points: owning them goes together with winning")?;
    let list = findings.criticality();
    let empty = list.iter().filter(|(p, _)| board.cell(*p) == Cell::Empty);
    let mut told = 0;
    for (p, estimate) in empty.filter(|(_, e)| e.value >= Findings::LEAST).take(LINES) {
        let owner = counts.ownership(*p).value;
        let (value, error) = (estimate.value, estimate.error);
        writeln!(out, "  {p:<4} {value:.3} ± {error:.3}   owner {owner:+.2}")?;
        told += 1;
    }
    if told == 0 {
        writeln!(out, "  none")?;
    }
    writeln!(out)?;
    Ok(())
}

fn pairs(out: &mut dyn Write, findings: &Findings<'_>) -> Result<()> {
    let contested = findings.contested();
    for player in Color::BOTH {
        writeln!(out, "Pairs of points: owning one or both goes together with {player}'s winning")?;
        let miai = findings.miai(player);
        let list = findings.pairs(player, &contested);
        let worth = list.iter().filter(|pair| pair.value.value >= Findings::LEAST);
        let mut told = 0;
        for (i, pair) in worth.take(LINES).enumerate() {
            let [x, y] = pair.points.map(|p| p.to_string());
            let mark = if i < miai.len() { "   stands out" } else { "" };
            let (value, error) = (pair.value.value, pair.value.error);
            writeln!(out, "  {x:<4} {y:<4} {value:.3} ± {error:.3}{mark}")?;
            told += 1;
        }
        if told == 0 {
            writeln!(out, "  none")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The moves with the highest and the lowest rank by order, each player's from the player's side: a
/// rank says how wins of Black go together with the move's being early.
fn ranks(out: &mut dyn Write, ranks: &[Ranked]) -> Result<()> {
    for player in Color::BOTH {
        writeln!(
            out,
            "{player}'s moves by order: with the move early {player} won more playouts (+) or fewer (-)"
        )?;
        let sign = if player == Color::Black { 1.0 } else { -1.0 };
        let mut own: Vec<(String, f64)> = ranks
            .iter()
            .filter(|ranked| ranked.mv.0 == player && ranked.firm != 0.0)
            // Adding 0 makes a plain zero of a negative one.
            .map(|ranked| (move_text(ranked.mv), sign * ranked.value + 0.0))
            .collect();
        own.sort_by(|a, b| b.1.total_cmp(&a.1));
        let line = |list: &[(String, f64)]| {
            let texts: Vec<String> =
                list.iter().map(|(mv, value)| format!("{mv} {value:+.2}")).collect();
            texts.join("   ")
        };
        let half = own.len().min(2 * LINES) / 2;
        match own.len() {
            0 => writeln!(out, "  none")?,
            n if n <= LINES => writeln!(out, "  {}", line(&own))?,
            n => {
                writeln!(out, "  {}", line(&own[..half.min(LINES)]))?;
                writeln!(out, "  …\n  {}", line(&own[n - half.min(LINES)..]))?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
