//! What a model thinks of the moves of a position: the likeliest, and why.

use std::io::Write;

use anyhow::Result;
use policy::{Model, Situation};

/// Prints the likeliest moves, with their strongest reasons.
pub fn print(
    out: &mut dyn Write,
    model: &Model,
    situation: &Situation<'_>,
    count: usize,
) -> Result<()> {
    let moves = model.rate(situation);
    if moves.is_empty() {
        writeln!(out, "\nThere is no move to play.")?;
        return Ok(());
    }
    writeln!(
        out,
        "\nWhere {} may play, by the model, and why (x 1 is neutral)",
        situation.to_move
    )?;
    for (i, rated) in moves.iter().take(count).enumerate() {
        let name = rated.point.to_string();
        write!(out, "{:>3}. {name:<4}{:>5.1} %", i + 1, 100.0 * rated.probability)?;
        let reasons = model.explain(situation, rated.point);
        for (j, reason) in reasons.iter().take(3).enumerate() {
            let comma = if j == 0 { "  " } else { "; " };
            write!(out, "{comma}{} (x {:.2})", reason.words, reason.weight)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
