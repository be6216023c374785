//! What a model learned, for people: how well it predicts, its strongest features, its shapes.

use std::io::Write;

use anyhow::Result;
use policy::{Feature, Model};
use shape::PatternIndex;
use train::Report;

use crate::extract::side_by_side;

/// The measures of a model.
pub fn print_report(out: &mut dyn Write, report: &Report) -> Result<()> {
    let row =
        |out: &mut dyn Write, name: &str, value: String| writeln!(out, "  {name:<36}{value:>8}");
    let percent = |x: f64| format!("{:.1} %", 100.0 * x);
    writeln!(out, "How well it predicts the moves played")?;
    row(out, "its first choice (Match1)", percent(report.match_at(1)))?;
    row(out, "among its first 5 (Match5)", percent(report.match_at(5)))?;
    row(out, "among its first 10 (Match10)", percent(report.match_at(10)))?;
    row(out, "among its first 20 (Match20)", percent(report.match_at(20)))?;
    row(out, "mean rank", format!("{:.2}", report.rank))?;
    row(out, "inverse mean inverse rank (RankInv)", format!("{:.3}", report.rank_inverse))?;
    row(out, "mean log-likelihood", format!("{:.4}", report.log_likelihood))?;
    row(out, "mean probability (Select)", format!("{:.4}", report.select))?;
    row(out, "miscalibration, ranks 1 to 10", format!("{:.4}", report.miscalibration))?;
    write!(out, "  by rank, probability / played     ")?;
    for (p, rate) in report.calibration.iter().take(5) {
        write!(out, " {p:.3}/{rate:.3}")?;
    }
    writeln!(out)?;
    Ok(())
}

/// The strongest and weakest features and shapes.
pub fn print_model(out: &mut dyn Write, model: &Model) -> Result<()> {
    let of = model.about.of;
    let mut features: Vec<(f32, String)> = (0..of.features() as u16)
        .map(|n| {
            let words = of.meaning(Feature(n)).words(of);
            (model.feature_weight(Feature(n)), words)
        })
        .collect();
    features.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (strong, weak) = (features.iter().take(8), features.iter().rev().take(8));
    writeln!(out, "\nStrongest features (a factor of 1 is neutral)")?;
    for (weight, words) in strong {
        writeln!(out, "  {weight:8.2}  {words}")?;
    }
    writeln!(out, "\nWeakest features")?;
    for (weight, words) in weak {
        writeln!(out, "  {weight:8.3}  {words}")?;
    }
    // Shapes of some size that were met often enough to be sure.
    let dictionary = model.dictionary();
    let middle = (dictionary.family().stages() - 1).min(2);
    let mut shapes: Vec<PatternIndex> = dictionary
        .indices()
        .filter(|&i| dictionary.stage(i) >= middle && dictionary.counts(i).played >= 20)
        .collect();
    shapes.sort_by(|&a, &b| model.shape_weight(b).total_cmp(&model.shape_weight(a)));
    let titles = ["Strongest shapes (X to play at *)", "Weakest shapes"];
    let strong: Vec<PatternIndex> = shapes.iter().take(5).copied().collect();
    let weak: Vec<PatternIndex> = shapes.iter().rev().take(5).copied().collect();
    for (title, shapes) in titles.into_iter().zip([strong, weak]) {
        if shapes.is_empty() {
            continue;
        }
        writeln!(out, "\n{title}")?;
        let draw = |&i: &PatternIndex| dictionary.pattern(i).draw(dictionary.family());
        let drawings: Vec<String> = shapes.iter().map(draw).collect();
        let caption = |&i: &PatternIndex| {
            let weight = model.shape_weight(i);
            if weight < 0.1 { format!("{weight:.4}") } else { format!("{weight:.2}") }
        };
        let captions: Vec<String> = shapes.iter().map(caption).collect();
        side_by_side(out, drawings.iter().map(String::as_str), &captions)?;
    }
    Ok(())
}
