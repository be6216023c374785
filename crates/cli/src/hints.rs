//! What a model thinks of the moves of a position: the likeliest, and why.

use std::io::Write;

use anyhow::Result;
use goban::Point;
use policy::{Model, Reason, Situation};

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
        let (for_it, against) = reasons(model, situation, rated.point);
        let list = |reasons: &[Reason]| {
            let words = reasons.iter().map(|r| format!("{} (x {:.2})", r.words, r.weight));
            words.collect::<Vec<_>>().join("; ")
        };
        if !for_it.is_empty() {
            write!(out, "  {}", list(&for_it))?;
        }
        if !against.is_empty() {
            write!(out, "  but: {}", list(&against))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The strongest reasons for a move and the strongest against it; equal ones are one.
fn reasons(model: &Model, situation: &Situation<'_>, p: Point) -> (Vec<Reason>, Vec<Reason>) {
    let mut merged: Vec<(Reason, usize)> = Vec::new();
    for reason in model.explain(situation, p) {
        match merged.iter_mut().find(|(known, _)| known.words == reason.words) {
            Some((known, times)) => {
                known.weight *= reason.weight;
                *times += 1;
            }
            None => merged.push((reason, 1)),
        }
    }
    let mut all: Vec<Reason> = merged
        .into_iter()
        .map(|(reason, times)| match times {
            1 => reason,
            n => Reason { words: format!("{} ({n} times)", reason.words), ..reason },
        })
        .collect();
    let strength = |r: &Reason| r.weight.ln().abs();
    all.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    let (mut good, mut bad): (Vec<Reason>, Vec<Reason>) =
        all.into_iter().filter(|r| strength(r) > 0.05).partition(|r| r.weight > 1.0);
    good.truncate(3);
    bad.truncate(1);
    (good, bad)
}
