//! What is shown of an evaluation.

use policy::{grouped, many};

use super::plot::{self, Axis, Ranged, Scale, Series};
use super::{command, escape, figures, owners, put, table};
use crate::ladder::{Bin, Evaluation, ModelMeasured, OracleMeasured, item_names};

/// Ranks on the curve of matches.
const RANKS: usize = 50;

/// A move number is shown if so many games come to it.
const ENOUGH: f64 = 0.05;

/// Move numbers that are averaged, so that a curve can be read.
const WINDOW: usize = 5;

/// The title of the part about games.
pub fn title(evaluation: &Evaluation) -> String {
    let side = evaluation.corpus.as_ref().map_or(0, |corpus| corpus.size);
    let names: Vec<&str> = evaluation.models.iter().map(|m| m.name.as_str()).collect();
    match names.len() {
        0..=4 => format!("Models on games, {side}x{side}: {}", names.join(", ")),
        n => format!("Models on games, {side}x{side}: {n} models"),
    }
}

/// Models on games.
pub fn predictions(evaluation: &Evaluation) -> String {
    let Some(corpus) = &evaluation.corpus else { return String::new() };
    let models = &evaluation.models;
    let mut html = format!(
        "<p>{}, {}; passes are left out, all legal moves count. {}.</p>\n",
        many(corpus.games, "game"),
        many(corpus.positions, "position"),
        match corpus.games {
            1 => "How far figures are off cannot be told from one game",
            _ => "After each figure is half of its 95 % interval, by drawing games again",
        }
    );
    html += &command(&evaluation.command);
    let head: Vec<&str> =
        std::iter::once("").chain(models.iter().map(|m| m.name.as_str())).collect();
    let rows: Vec<Vec<String>> = item_names()
        .into_iter()
        .map(|name| {
            let cell = |m: &ModelMeasured| {
                let value = m.prediction.items.get(&name).copied().unwrap_or(f64::NAN);
                let interval = m.prediction.intervals.get(&name);
                let half = |[low, high]: &[f64; 2]| format!(" ±{:.4}", (high - low) / 2.0);
                format!("{value:.4}{}", interval.map_or(String::new(), half))
            };
            std::iter::once(name.clone()).chain(models.iter().map(cell)).collect()
        })
        .collect();
    html += &table(&head, &rows);
    let series = |points: fn(&ModelMeasured) -> Vec<(f64, f64)>, dots: bool| -> Vec<Series> {
        let one = |m: &ModelMeasured| Series { name: m.name.clone(), points: points(m), dots };
        models.iter().map(one).collect()
    };
    let matches = series(
        |m| {
            let curve = m.prediction.match_curve.iter().take(RANKS).enumerate();
            curve.map(|(i, share)| ((i + 1) as f64, *share)).collect()
        },
        false,
    );
    let calibration = series(
        |m| m.prediction.calibration.iter().filter(|c| c[1] > 0.0).map(|c| (c[0], c[1])).collect(),
        true,
    );
    let log = |label| Axis { label, scale: Scale::Log, percent: true, range: Some((0.002, 1.0)) };
    let by_move = |m: &ModelMeasured, of: fn(&crate::ladder::AtMove) -> f64| {
        let enough = (m.prediction.games as f64 * ENOUGH).ceil() as u64;
        let kept: Vec<_> =
            m.prediction.mle_curve.iter().filter(|at| at.positions >= enough).collect();
        kept.chunks(WINDOW)
            .map(|some| {
                let n: f64 = some.iter().map(|at| at.positions as f64).sum();
                let mean = |of: &dyn Fn(&crate::ladder::AtMove) -> f64| {
                    some.iter().map(|at| at.positions as f64 * of(at)).sum::<f64>() / n
                };
                (mean(&|at| at.number as f64), mean(&|at| of(at)))
            })
            .collect::<Vec<_>>()
    };
    let curve = |of: fn(&crate::ladder::AtMove) -> f64| -> Vec<Series> {
        let one = |m: &ModelMeasured| Series {
            name: m.name.clone(),
            points: by_move(m, of),
            dots: false,
        };
        models.iter().map(one).collect()
    };
    let mut plots = vec![
        plot::lines(
            "Match_n: share of moves among the first n",
            &Axis { range: Some((1.0, RANKS as f64)), ..Axis::plain("n") },
            &Axis::share(""),
            &matches,
            false,
        ),
        plot::lines(
            "Calibration by rank: played, by probability",
            &log("mean probability of the move ranked 1, 2, …"),
            &log(""),
            &calibration,
            true,
        ),
        plot::lines(
            "MLE by move number",
            &Axis::plain("move"),
            &Axis::plain(""),
            &curve(|at| at.mle),
            false,
        ),
        plot::lines(
            "Match1 by move number",
            &Axis::plain("move"),
            &Axis { range: None, ..Axis::share("") },
            &curve(|at| at.match1),
            false,
        ),
    ];
    for model in models.iter().filter(|m| !m.size_max.by_move.is_empty()) {
        let sizes = &model.size_max;
        let names: Vec<String> = sizes
            .points
            .iter()
            .map(|&n| if n == 0 { "none".to_owned() } else { format!("{n} points") })
            .collect();
        let title = format!("SizeMax of {}: largest match of empty points", model.name);
        plots.push(plot::areas(&title, "move of a playout", &names, &sizes.by_move));
    }
    html += &figures(&plots);
    for model in models {
        html += &about(model);
    }
    html
}

/// What is told of each model by itself.
fn about(model: &ModelMeasured) -> String {
    let mut html = format!(
        "<h3>{}</h3>\n<p class=\"note\">{} patterns of the family {}, filter {:.3}; learned from {}</p>\n",
        escape(&model.name),
        grouped(model.known.patterns),
        escape(&model.family),
        model.filter,
        escape(&model.trained_on)
    );
    let shown = ["Match1", "Match10", "Rank", "Select", "MLE"];
    let head: Vec<&str> = ["phase", "moves", "positions"].into_iter().chain(shown).collect();
    let rows: Vec<Vec<String>> = model
        .prediction
        .phases
        .iter()
        .map(|phase| {
            let to = phase.to.map_or("end".to_owned(), |to| to.to_string());
            let first =
                [phase.name.clone(), format!("{} to {to}", phase.from), grouped(phase.positions)];
            let item =
                |name: &&str| format!("{:.4}", phase.items.get(*name).copied().unwrap_or(f64::NAN));
            first.into_iter().chain(shown.iter().map(item)).collect()
        })
        .collect();
    html += &table(&head, &rows);
    let rows: Vec<Vec<String>> = model
        .known
        .sizes
        .iter()
        .map(|s| {
            vec![s.points.to_string(), grouped(s.patterns), grouped(s.seen), grouped(s.played)]
        })
        .collect();
    html += &table(&["points", "patterns", "seen", "played"], &rows);
    html += "<p class=\"note\">Most played, X to play at *</p>\n<div class=\"shapes\">";
    for shape in &model.known.frequent {
        let share = 100.0 * shape.played as f64 / shape.seen.max(1) as f64;
        put(
            &mut html,
            format_args!(
                "<pre>{}\n\nplayed {share:.1} %\nweight {:.2}</pre>",
                escape(&shape.drawing),
                shape.weight
            ),
        );
    }
    html += "</div>\n";
    html
}

/// Playouts against an oracle.
pub fn oracle(oracle: &OracleMeasured, by: &str) -> String {
    let mut html = format!(
        "<p>{} positions of {}, {} playouts each. The error of ownership is per point, from -1 to \
         1; pairs are positions of a game few moves apart whose judged win rates differ.</p>\n",
        grouped(oracle.positions),
        escape(&oracle.file),
        grouped(oracle.playouts)
    );
    html += &command(by);
    let uniform = oracle.styles.first().map_or(1.0, |s| s.ownership_mse).max(1e-12);
    let rows: Vec<Vec<String>> = oracle
        .styles
        .iter()
        .map(|s| {
            let half = |[low, high]: [f64; 2]| (high - low) / 2.0;
            vec![
                s.name.clone(),
                format!("{:.4} ±{:.4}", s.ownership_mse, half(s.ownership_interval)),
                format!("{:+.1} %", 100.0 * (s.ownership_mse / uniform - 1.0)),
                format!("{:.4} ±{:.4}", s.winrate_mse, half(s.winrate_interval)),
                format!("{:.1}", s.score_mse),
                match s.judging.pairs {
                    0 => "none".to_owned(),
                    pairs => format!("{:.1} % of {pairs}", 100.0 * s.judging.right),
                },
                format!("{:+.3}", s.judging.difference),
                grouped(s.playouts_per_s as u64),
            ]
        })
        .collect();
    let head = [
        "playouts",
        "ownership MSE",
        "than uniform",
        "win rate MSE",
        "score MSE",
        "pairs told apart",
        "difference",
        "playouts/s",
    ];
    html += &table(&head, &rows);
    let bins = |of: fn(&crate::ladder::Worth) -> &Vec<Bin>| -> Vec<Series> {
        let styles = oracle.styles.iter();
        let one = |s: &crate::ladder::Worth| {
            let full = of(s).iter().filter(|bin| bin.count > 0);
            let points = full.map(|bin| (bin.forecast, bin.oracle)).collect();
            Series { name: s.name.clone(), points, dots: true }
        };
        styles.map(one).collect()
    };
    let ranged = |of: fn(&crate::ladder::Worth) -> (f64, [f64; 2])| -> Vec<Ranged> {
        let one = |s: &crate::ladder::Worth| {
            let (value, interval) = of(s);
            Ranged { name: s.name.clone(), value, interval }
        };
        oracle.styles.iter().map(one).collect()
    };
    let ownership = ranged(|s| (s.ownership_mse, s.ownership_interval));
    let winrate = ranged(|s| (s.winrate_mse, s.winrate_interval));
    html += &figures(&[
        plot::intervals("Ownership", "mean squared error", false, &ownership),
        plot::intervals("Win rate", "mean squared error", false, &winrate),
        plot::lines(
            "Calibration of ownership: oracle, by playouts",
            &Axis::share("share of playouts in which a point is Black's"),
            &Axis::share(""),
            &bins(|s| &s.ownership_calibration),
            true,
        ),
        plot::lines(
            "Calibration of win rates: oracle, by playouts",
            &Axis::share("share of playouts that Black wins"),
            &Axis::share(""),
            &bins(|s| &s.winrate_calibration),
            true,
        ),
    ]);
    if let Some(first) = oracle.nextmove.first() {
        put(
            &mut html,
            format_args!(
                "<h3>Moves that a search picks</h3>\n<p class=\"note\">{} searches of {} playouts for \
                 each of {} positions; the score is 1 less the judged loss in win rate.</p>\n",
                first.searches,
                grouped(first.visits),
                grouped(first.positions)
            ),
        );
        let rows: Vec<Vec<String>> = oracle
            .nextmove
            .iter()
            .map(|n| {
                vec![
                    n.name.clone(),
                    format!("{:.4} ±{:.4}", n.score, (n.interval[1] - n.interval[0]) / 2.0),
                    format!("{:.2}", n.points_lost),
                    format!("{:.1} %", 100.0 * n.best),
                    format!("{:.1} %", 100.0 * n.judged),
                ]
            })
            .collect();
        html += &table(
            &["playouts", "score", "points lost", "the judge's first", "judged at all"],
            &rows,
        );
    }
    if !oracle.boards.is_empty() {
        html += "<p class=\"note\">Who will own each point: a black or white square, the larger the \
                 surer. B is Black's chance to win.</p>\n";
    }
    html += &owners::boards(&oracle.boards);
    html
}
