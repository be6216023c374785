//! Plots as SVG that takes its colours from the page: lines, stacked areas, intervals.

use super::{escape, put};

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 44.0;

/// Colours of the style sheet; after them lines are dashed.
const COLORS: usize = 10;

/// How numbers are put on an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal factors.
    Log,
}

/// An axis.
pub struct Axis<'a> {
    /// What it shows.
    pub label: &'a str,
    /// How.
    pub scale: Scale,
    /// Shares are written as percent.
    pub percent: bool,
    /// From where to where; as the data needs it if `None`.
    pub range: Option<(f64, f64)>,
}

impl<'a> Axis<'a> {
    /// Plain numbers, as the data needs it.
    pub fn plain(label: &'a str) -> Axis<'a> {
        Axis { label, scale: Scale::Linear, percent: false, range: None }
    }

    /// Shares from 0 to 1.
    pub fn share(label: &'a str) -> Axis<'a> {
        Axis { label, scale: Scale::Linear, percent: true, range: Some((0.0, 1.0)) }
    }

    /// The ends of the axis.
    fn ends(&self, values: impl Iterator<Item = f64>) -> (f64, f64) {
        if let Some(range) = self.range {
            return range;
        }
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|v| v.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        if !low.is_finite() {
            return (0.0, 1.0);
        }
        if high - low < 1e-9 {
            return (low - 0.5, high + 0.5);
        }
        let margin = 0.04 * (high - low);
        match self.scale {
            Scale::Linear => (low - margin, high + margin),
            Scale::Log => (low, high),
        }
    }

    /// Where a value is between two ends, from 0 to 1.
    fn place(&self, value: f64, (low, high): (f64, f64)) -> f64 {
        match self.scale {
            Scale::Linear => (value - low) / (high - low),
            Scale::Log => (value.max(low) / low).ln() / (high / low).ln(),
        }
    }

    fn ticks(&self, (low, high): (f64, f64)) -> Vec<f64> {
        match self.scale {
            Scale::Linear => ticks(low, high, 5),
            Scale::Log => {
                let first = low.log10().floor() as i32;
                let last = high.log10().ceil() as i32;
                let all = (first..=last).flat_map(|e| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(e)));
                let all: Vec<f64> =
                    all.filter(|t| *t >= low * 0.999 && *t <= high * 1.001).collect();
                // Where there are many, powers of ten are enough.
                if all.len() <= 7 {
                    return all;
                }
                all.into_iter().filter(|t| (t.log10() - t.log10().round()).abs() < 1e-9).collect()
            }
        }
    }

    /// A tick in words, with as many digits as tell it from the others.
    fn text(&self, value: f64, all: &[f64]) -> String {
        let scale = if self.percent { 100.0 } else { 1.0 };
        let gaps = all.windows(2).map(|two| scale * (two[1] - two[0]).abs());
        let least = gaps.fold(f64::INFINITY, f64::min).clamp(1e-6, 1.0);
        let needed = (0..6).find(|&digits| {
            let rounded = |x: f64| (x * 10f64.powi(digits)).round() / 10f64.powi(digits);
            let exact = |t: &f64| (rounded(scale * t) - scale * t).abs() < least / 20.0;
            match self.scale {
                Scale::Linear => all.iter().all(exact),
                // Each by itself: the smallest of many powers needs digits that the others do not.
                Scale::Log => (rounded(scale * value) - scale * value).abs() < scale * value / 20.0,
            }
        });
        let digits = needed.unwrap_or(6) as usize;
        let unit = if self.percent { " %" } else { "" };
        format!("{:.digits$}{unit}", scale * value + 0.0)
    }
}

/// Round numbers between two ends, about so many.
fn ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let rough = (high - low) / wanted as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil() as i64;
    (first..).map(|i| i as f64 * step).take_while(|t| *t <= high + 1e-9 * step).collect()
}

/// Points that belong together.
pub struct Series {
    /// What the legend calls them.
    pub name: String,
    /// In order.
    pub points: Vec<(f64, f64)>,
    /// With a dot on each.
    pub dots: bool,
}

fn color(i: usize) -> String {
    format!("var(--c{})", i % COLORS)
}

fn begin(title: &str) -> String {
    let title = escape(title);
    format!(
        "<figure><figcaption>{title}</figcaption><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"{title}\">"
    )
}

/// Lines of the grid with what they stand for.
fn grid(svg: &mut String, x: &Axis<'_>, xs: (f64, f64), y: &Axis<'_>, ys: (f64, f64)) {
    let (wide, high) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let ticks = y.ticks(ys);
    for &tick in &ticks {
        let at = TOP + (1.0 - y.place(tick, ys)) * high;
        let (right, left, text) = (WIDTH - RIGHT, LEFT - 6.0, y.text(tick, &ticks));
        put(
            svg,
            format_args!(
                "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{right}\"/><text x=\"{left}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{text}</text>",
                at + 5.0
            ),
        );
    }
    let ticks = x.ticks(xs);
    for &tick in &ticks {
        let at = LEFT + x.place(tick, xs) * wide;
        let (low, text) = (HEIGHT - BOTTOM, x.text(tick, &ticks));
        put(
            svg,
            format_args!(
                "<path class=\"grid\" d=\"M{at:.1} {TOP}V{low}\"/><text x=\"{at:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{text}</text>",
                low + 17.0
            ),
        );
    }
    put(
        svg,
        format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            LEFT + wide / 2.0,
            HEIGHT - 6.0,
            escape(x.label)
        ),
    );
}

fn legend(html: &mut String, names: impl Iterator<Item = String>, kind: &str) {
    put(html, format_args!("<div class=\"legend {kind}\">"));
    for (i, name) in names.enumerate() {
        let (color, name) = (color(i), escape(&name));
        put(html, format_args!("<span><i style=\"background:{color}\"></i>{name}</span>"));
    }
    html.push_str("</div>");
}

/// Lines, the label of the second axis in the title.
pub fn lines(title: &str, x: &Axis<'_>, y: &Axis<'_>, series: &[Series], diagonal: bool) -> String {
    let all = || series.iter().flat_map(|s| &s.points);
    let (xs, ys) = (x.ends(all().map(|p| p.0)), y.ends(all().map(|p| p.1)));
    let (wide, high) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let mut html = begin(title);
    grid(&mut html, x, xs, y, ys);
    let at = |&(a, b): &(f64, f64)| {
        let across = x.place(a, xs).clamp(0.0, 1.0);
        let up = y.place(b, ys).clamp(0.0, 1.0);
        (LEFT + across * wide, TOP + (1.0 - up) * high)
    };
    if diagonal {
        let low = xs.0.max(ys.0);
        let top = xs.1.min(ys.1);
        let ((a, b), (c, d)) = (at(&(low, low)), at(&(top, top)));
        put(
            &mut html,
            format_args!(
                "<path d=\"M{a:.1} {b:.1}L{c:.1} {d:.1}\" stroke=\"var(--soft)\" \
                 stroke-dasharray=\"3 4\"/>"
            ),
        );
    }
    for (i, Series { points, dots, .. }) in series.iter().enumerate() {
        let places: Vec<(f64, f64)> =
            points.iter().filter(|p| p.0.is_finite() && p.1.is_finite()).map(at).collect();
        let path: Vec<String> = places.iter().map(|(a, b)| format!("{a:.1},{b:.1}")).collect();
        let (color, dash) = (color(i), if i >= COLORS { " stroke-dasharray=\"5 3\"" } else { "" });
        put(
            &mut html,
            format_args!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" \
                 stroke-linejoin=\"round\"{dash}/>",
                path.join(" ")
            ),
        );
        for (a, b) in places.iter().filter(|_| *dots) {
            put(
                &mut html,
                format_args!("<circle cx=\"{a:.1}\" cy=\"{b:.1}\" r=\"3.2\" fill=\"{color}\"/>"),
            );
        }
    }
    html += "</svg>";
    legend(&mut html, series.iter().map(|s| s.name.clone()), "");
    html += "</figure>\n";
    html
}

/// Shares of a whole, one upon the other, from the left to the right.
pub fn areas(title: &str, label: &str, names: &[String], rows: &[Vec<f64>]) -> String {
    let x = Axis {
        range: Some((0.0, rows.len().saturating_sub(1).max(1) as f64)),
        ..Axis::plain(label)
    };
    let y = Axis::share("");
    let (xs, ys) = (x.ends(std::iter::empty()), (0.0, 1.0));
    let (wide, high) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let mut html = begin(title);
    let mut below = vec![0.0; rows.len()];
    for (i, _) in names.iter().enumerate() {
        let above: Vec<f64> =
            below.iter().zip(rows).map(|(b, row)| b + row.get(i).copied().unwrap_or(0.0)).collect();
        let point = |(n, share): (usize, &f64)| {
            let (a, b) = (LEFT + x.place(n as f64, xs) * wide, TOP + (1.0 - share) * high);
            format!("{a:.1},{b:.1}")
        };
        let upper = above.iter().enumerate().map(point);
        let lower = below.iter().enumerate().rev().map(point);
        let outline: Vec<String> = upper.chain(lower).collect();
        put(
            &mut html,
            format_args!(
                "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\".85\"/>",
                outline.join(" "),
                color(i)
            ),
        );
        below = above;
    }
    grid(&mut html, &x, xs, &y, ys);
    html += "</svg>";
    legend(&mut html, names.iter().cloned(), "areas");
    html += "</figure>\n";
    html
}

/// A value with an interval.
pub struct Ranged {
    /// What it is of.
    pub name: String,
    /// The value.
    pub value: f64,
    /// Where it may be.
    pub interval: [f64; 2],
}

/// Values with their intervals, one under the other.
pub fn intervals(title: &str, label: &str, percent: bool, rows: &[Ranged]) -> String {
    const ROW: f64 = 40.0;
    let height = rows.len() as f64 * ROW + BOTTOM;
    let x = Axis { percent, ..Axis::plain(label) };
    let xs = x.ends(rows.iter().flat_map(|r| [r.interval[0], r.interval[1], r.value]));
    let wide = WIDTH - 2.0 * RIGHT;
    let at = |value: f64| RIGHT + x.place(value, xs).clamp(0.0, 1.0) * wide;
    let name = escape(title);
    let mut html = format!(
        "<figure><figcaption>{name}</figcaption><svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{name}\">"
    );
    let ticks = x.ticks(xs);
    for &tick in &ticks {
        let (a, low) = (at(tick), height - BOTTOM + 2.0);
        put(
            &mut html,
            format_args!(
                "<path class=\"grid\" d=\"M{a:.1} 0V{low:.1}\"/><text x=\"{a:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{}</text>",
                low + 16.0,
                x.text(tick, &ticks)
            ),
        );
    }
    for (i, row) in rows.iter().enumerate() {
        let y = i as f64 * ROW + 28.0;
        let [low, high] = row.interval.map(at);
        put(
            &mut html,
            format_args!(
                "<text class=\"name\" x=\"{RIGHT}\" y=\"{:.1}\">{}</text><path d=\"M{low:.1} \
                 {y:.1}H{high:.1}\" stroke=\"var(--c0)\" stroke-width=\"3\" stroke-opacity=\".5\"/>\
                 <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"var(--c0)\"/>",
                y - 11.0,
                escape(&row.name),
                at(row.value)
            ),
        );
    }
    put(
        &mut html,
        format_args!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></svg></figure>\n",
            WIDTH / 2.0,
            height - 6.0,
            escape(label)
        ),
    );
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0, 1.0, 5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks(-3.1, -1.9, 5), [-3.0, -2.5, -2.0]);
        let log = Axis { scale: Scale::Log, ..Axis::plain("") };
        assert_eq!(log.ticks((1.0, 100.0)), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(log.ticks((1.0, 1000.0)), [1.0, 10.0, 100.0, 1000.0]);
        let words = |axis: &Axis<'_>, all: &[f64]| -> Vec<String> {
            all.iter().map(|&tick| axis.text(tick, all)).collect()
        };
        assert_eq!(words(&Axis::share(""), &[0.0, 0.2, 0.4]), ["0 %", "20 %", "40 %"]);
        assert_eq!(words(&Axis::share(""), &[0.396, 0.397]), ["39.6 %", "39.7 %"]);
        assert_eq!(words(&Axis::plain(""), &[-2.2, -2.15, -2.1]), ["-2.20", "-2.15", "-2.10"]);
        assert_eq!(words(&log, &[0.01, 0.1, 1.0, 10.0]), ["0.01", "0.1", "1", "10"]);
    }

    #[test]
    fn whatever_there_is_is_drawn() {
        let x = Axis::plain("x");
        let y = Axis::plain("y");
        let series = |points: &[(f64, f64)]| {
            [Series { name: "a<b".to_owned(), points: points.to_vec(), dots: true }]
        };
        for points in [&[][..], &[(1.0, f64::NAN)], &[(1.0, 2.0)], &[(0.0, 0.0), (1.0, 5.0)]] {
            let html = lines("t", &x, &y, &series(points), true);
            assert!(html.ends_with("</figure>\n") && !html.contains("NaN"), "{html}");
            assert!(html.contains("a&lt;b"));
        }
        assert!(!areas("t", "n", &["a".to_owned()], &[]).contains("NaN"));
        let two = areas("t", "n", &["a".to_owned(), "b".to_owned()], &[vec![0.5, 0.5]]);
        assert_eq!(two.matches("<polygon").count(), 2);
        let rows = [Ranged { name: "a".to_owned(), value: 1.0, interval: [0.5, 2.0] }];
        assert!(intervals("t", "Elo", false, &rows).contains("circle"));
        assert!(!intervals("t", "Elo", false, &[]).contains("NaN"));
    }
}
