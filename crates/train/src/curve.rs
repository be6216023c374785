//! A learning curve as a picture.

use std::fmt::Write;

/// What is known after a pass.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Mark {
    /// The pass, from 1.
    pub pass: usize,
    /// Mean log-likelihood of the moves of the pass as they were met.
    pub train: f64,
    /// Mean log-likelihood on validation.
    pub validation: f64,
    /// Share of moves ranked first on validation.
    pub match1: f64,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 30.0;

/// The log-likelihood on training and validation games by pass, as SVG.
pub fn curve(marks: &[Mark]) -> String {
    let values = marks.iter().flat_map(|m| [m.train, m.validation]).filter(|v| v.is_finite());
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values {
        (low, high) = (low.min(value), high.max(value));
    }
    if !low.is_finite() {
        (low, high) = (-1.0, 0.0);
    }
    let margin = ((high - low) * 0.08).max(0.005);
    (low, high) = (low - margin, high + margin);
    let last = marks.iter().map(|m| m.pass).max().unwrap_or(1).max(2);
    let x =
        |pass: usize| LEFT + (pass.max(1) - 1) as f64 / (last - 1) as f64 * (WIDTH - LEFT - 110.0);
    let y = |value: f64| TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" font-family="sans-serif" font-size="12"><title>Learning curve</title><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>"##
    );
    for i in 0..=4 {
        let value = low + (high - low) * i as f64 / 4.0;
        let at = y(value);
        let _ = write!(
            svg,
            r##"<path d="M{LEFT} {at:.1}H{:.1}" stroke="#ddd"/><text x="{:.1}" y="{:.1}" text-anchor="end">{value:.3}</text>"##,
            WIDTH - 110.0,
            LEFT - 6.0,
            at + 4.0
        );
    }
    let every = last.div_ceil(12);
    for pass in (1..=last).filter(|pass| (pass - 1) % every == 0) {
        let _ = write!(
            svg,
            r##"<text x="{:.1}" y="{:.1}" text-anchor="middle">{pass}</text>"##,
            x(pass),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let _ = write!(svg, r##"<text x="{LEFT}" y="18">mean log-likelihood by pass</text>"##);
    type Value = fn(&Mark) -> f64;
    let training: Value = |m| m.train;
    let validation: Value = |m| m.validation;
    for (name, color, value) in
        [("training", "#1f6fb2", training), ("validation", "#c2452d", validation)]
    {
        let points: Vec<String> = marks
            .iter()
            .filter(|m| value(m).is_finite())
            .map(|m| format!("{:.1},{:.1}", x(m.pass), y(value(m))))
            .collect();
        let _ = write!(
            svg,
            r##"<polyline points="{}" fill="none" stroke="{color}" stroke-width="2"/>"##,
            points.join(" ")
        );
        for point in &points {
            let (cx, cy) = point.split_once(',').unwrap_or_default();
            let _ = write!(svg, r##"<circle cx="{cx}" cy="{cy}" r="3" fill="{color}"/>"##);
        }
        if let Some(m) = marks.last().filter(|m| value(m).is_finite()) {
            let _ = write!(
                svg,
                r##"<text x="{:.1}" y="{:.1}" fill="{color}">{name}</text>"##,
                x(m.pass) + 8.0,
                y(value(m)) + 4.0
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_drawn_whatever_there_is() {
        let mark = |pass, train, validation| Mark { pass, train, validation, match1: 0.3 };
        assert!(curve(&[]).ends_with("</svg>\n"));
        assert!(!curve(&[mark(1, f64::NAN, -2.0)]).contains("NaN"));
        let svg = curve(&[mark(1, -2.9, -2.8), mark(2, -2.7, -2.75), mark(3, -2.6, -2.74)]);
        assert_eq!(svg.matches("<circle").count(), 6);
        assert_eq!(svg.matches("<polyline").count(), 2);
    }
}
