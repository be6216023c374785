//! What is shown of an evaluation.

use policy::grouped;

use super::plot::{self, Axis, Ranged, Scale, Series};
use super::words::Words;
use super::{command, escape, figures, owners, put, table};
use crate::ladder::{
    Bin, Evaluation, Forecast, ModelMeasured, OracleMeasured, SuiteResult, Verdicts, item_names,
};

/// Ranks on the curve of matches.
const RANKS: usize = 50;

/// A move number is shown if so many games come to it.
const ENOUGH: f64 = 0.05;

/// Move numbers that are averaged, so that a curve can be read.
const WINDOW: usize = 5;

/// The title of the part about games.
pub fn title(evaluation: &Evaluation, words: Words) -> String {
    let side = evaluation.corpus.as_ref().map_or(0, |corpus| corpus.size);
    let names: Vec<&str> = evaluation.models.iter().map(|m| m.name.as_str()).collect();
    let names = match names.len() {
        0..=4 => names.join(", "),
        n => words.fill("{0} models", &[&n.to_string()]),
    };
    words.fill("Models on games, {0}: {1}", &[&format!("{side}x{side}"), &names])
}

/// Models on games.
pub fn predictions(evaluation: &Evaluation, words: Words) -> String {
    let Some(corpus) = &evaluation.corpus else { return String::new() };
    let models = &evaluation.models;
    let off = words.say(match corpus.games {
        1 => "How far figures are off cannot be told from one game",
        _ => "After each figure is half of its 95 % interval, by drawing games again",
    });
    let (games, positions) =
        (words.many(corpus.games, "game"), words.many(corpus.positions, "position"));
    let mut html = paragraph(
        "p",
        &words.fill(
            "{0}, {1}; passes are left out, all legal moves count. {2}.",
            &[&games, &positions, off],
        ),
    );
    if corpus.duplicates > 0 {
        let duplicates = words.many(corpus.duplicates, "duplicate");
        html += &paragraph("p", &words.fill("{0} left out.", &[&duplicates]));
    }
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
            words.say("Match_n: share of moves among the first n"),
            &Axis { range: Some((1.0, RANKS as f64)), ..Axis::plain("n") },
            &Axis::share(""),
            &matches,
            false,
        ),
        plot::lines(
            words.say("Calibration by rank: played, by probability"),
            &log(words.say("mean probability of the move ranked 1, 2, …")),
            &log(""),
            &calibration,
            true,
        ),
        plot::lines(
            words.say("MLE by move number"),
            &Axis::plain(words.say("move")),
            &Axis::plain(""),
            &curve(|at| at.mle),
            false,
        ),
        plot::lines(
            words.say("Match1 by move number"),
            &Axis::plain(words.say("move")),
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
            .map(|&n| match n {
                0 => words.say("none").to_owned(),
                n => words.fill("{0} points", &[&n.to_string()]),
            })
            .collect();
        let title = words.fill("SizeMax of {0}: largest match of empty points", &[&model.name]);
        plots.push(plot::areas(&title, words.say("move of a playout"), &names, &sizes.by_move));
    }
    html += &figures(&plots);
    for model in models {
        html += &about(model, words);
    }
    html
}

/// The report on each model by itself.
fn about(model: &ModelMeasured, words: Words) -> String {
    let mut html = format!("<h3>{}</h3>\n", escape(&model.name));
    html += &paragraph(
        "p class=\"note\"",
        &words.fill(
            "{0} patterns of the family {1}, filter {2}; learned from {3}",
            &[
                &grouped(model.dictionary.patterns),
                &model.family,
                &format!("{:.3}", model.filter),
                &model.trained_on,
            ],
        ),
    );
    let shown = ["Match1", "Match10", "Rank", "Select", "MLE"];
    let head: Vec<&str> = ["phase", "moves", "positions"].into_iter().chain(shown).collect();
    let rows: Vec<Vec<String>> = model
        .prediction
        .phases
        .iter()
        .map(|phase| {
            let to = phase.to.map_or(words.say("end").to_owned(), |to| to.to_string());
            let range = words.fill("{0} to {1}", &[&phase.from.to_string(), &to]);
            let first = [words.say(&phase.name).to_owned(), range, grouped(phase.positions)];
            let item =
                |name: &&str| format!("{:.4}", phase.items.get(*name).copied().unwrap_or(f64::NAN));
            first.into_iter().chain(shown.iter().map(item)).collect()
        })
        .collect();
    html += &table(&words.head(&head), &rows);
    let rows: Vec<Vec<String>> = model
        .dictionary
        .sizes
        .iter()
        .map(|s| {
            vec![s.points.to_string(), grouped(s.patterns), grouped(s.seen), grouped(s.played)]
        })
        .collect();
    html += &table(&words.head(&["points", "patterns", "seen", "played"]), &rows);
    html += &paragraph("p class=\"note\"", words.say("Most played, X to play at *"));
    html += "<div class=\"shapes\">";
    for shape in &model.dictionary.frequent {
        let share = 100.0 * shape.played as f64 / shape.seen.max(1) as f64;
        let played = words.fill("played {0} %", &[&format!("{share:.1}")]);
        let weight = words.fill("weight {0}", &[&format!("{:.2}", shape.weight)]);
        let drawing = escape(&shape.drawing);
        put(&mut html, format_args!("<pre>{drawing}\n\n{played}\n{weight}</pre>"));
    }
    html += "</div>\n";
    html
}

/// Playouts against an oracle.
pub fn oracle(oracle: &OracleMeasured, by: &str, words: Words) -> String {
    let mut html = paragraph(
        "p",
        &words.fill(
            "{0} positions of {1}, {2} playouts each. The error of ownership is per point, from -1 to 1; \
             pairs are positions of a game few moves apart whose judged win rates differ.",
            &[&grouped(oracle.positions), &oracle.file, &grouped(oracle.playouts)],
        ),
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
                    0 => words.say("none").to_owned(),
                    pairs => words.fill(
                        "{0} % of {1}",
                        &[&format!("{:.1}", 100.0 * s.judging.right), &pairs.to_string()],
                    ),
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
    html += &table(&words.head(&head), &rows);
    let bins = |of: fn(&crate::ladder::Worth) -> &Vec<Bin>| -> Vec<Series> {
        let styles = oracle.styles.iter();
        let one = |s: &crate::ladder::Worth| calibration(&s.name, of(s));
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
        plot::intervals(words.say("Ownership"), words.say("mean squared error"), false, &ownership),
        plot::intervals(words.say("Win rate"), words.say("mean squared error"), false, &winrate),
        plot::lines(
            words.say("Calibration of ownership: oracle, by playouts"),
            &Axis::share(words.say("share of playouts in which a point is Black's")),
            &Axis::share(""),
            &bins(|s| &s.ownership_calibration),
            true,
        ),
        plot::lines(
            words.say("Calibration of win rates: oracle, by playouts"),
            &Axis::share(words.say("share of playouts that Black wins")),
            &Axis::share(""),
            &bins(|s| &s.winrate_calibration),
            true,
        ),
    ]);
    html += &sight(oracle, words);
    if let Some(first) = oracle.nextmove.first() {
        html += &paragraph("h3", words.say("Moves that a search picks"));
        html += &paragraph(
            "p class=\"note\"",
            &words.fill(
                "{0} searches of {1} playouts for each of {2} positions; the score is 1 less the judged \
                 loss in win rate.",
                &[
                    &first.searches.to_string(),
                    &grouped(first.visits),
                    &grouped(first.positions),
                ],
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
        let head =
            ["playouts", "1 less the loss", "points lost", "the judge's first", "judged at all"];
        html += &table(&words.head(&head), &rows);
    }
    if !oracle.boards.is_empty() {
        html += &paragraph(
            "p class=\"note\"",
            words.say(
                "Who will own each point: a black or white square, the larger the surer. B is Black's \
                 chance to win.",
            ),
        );
    }
    html += &owners::boards(&oracle.boards, words);
    html
}

/// Forecasts and what came of them.
fn calibration(name: &str, bins: &[Bin]) -> Series {
    let full = bins.iter().filter(|bin| bin.count > 0);
    let points = full.map(|bin| (bin.forecast, bin.oracle)).collect();
    Series { name: name.to_owned(), points, dots: true }
}

/// Text in a tag.
fn paragraph(tag: &str, text: &str) -> String {
    let name = tag.split(' ').next().unwrap_or(tag);
    format!("<{tag}>{}</{name}>\n", escape(text))
}

/// How far scores are off, and which stones were found dead.
fn sight(oracle: &OracleMeasured, words: Words) -> String {
    // Older results have none.
    let Some(first) = oracle.styles.first().filter(|s| !s.accuracy.score.is_empty()) else {
        return String::new();
    };
    let mut html = paragraph("h3", words.say("How far the score is off"));
    html += &paragraph(
        "p class=\"note\"",
        words.say(
            "Mean error in points by thirds of the positions: by the mean of the playouts / by lines \
             from empty points. A score is of use if it is off by less than calling the game even.",
        ),
    );
    let phases = &first.accuracy.score;
    let mut head = vec![words.say("playouts").to_owned()];
    head.extend(phases.iter().enumerate().map(|(i, phase)| match i + 1 == phases.len() {
        true => words.say("all").to_owned(),
        false => words.fill(
            "moves {0} to {1}",
            &phase.moves.map(|n| n.to_string()).each_ref().map(String::as_str),
        ),
    }));
    let mut rows: Vec<Vec<String>> = oracle
        .styles
        .iter()
        .map(|style| {
            let cell =
                |off: &crate::ladder::ScoreOff| format!("{:.2} / {:.2}", off.playouts, off.lines);
            std::iter::once(style.name.clone())
                .chain(style.accuracy.score.iter().map(cell))
                .collect()
        })
        .collect();
    let even = phases.iter().map(|phase| format!("{:.2}", phase.even));
    rows.push(std::iter::once(words.say("calling it even").to_owned()).chain(even).collect());
    html += &table(&head.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
    html += &paragraph("h3", words.say("Dead stones"));
    let chains = &first.accuracy.chains;
    html += &paragraph(
        "p class=\"note\"",
        &words.fill(
            "Chains that the oracle is sure of: {0} dead, {1} alive. Found is the share of the dead ones \
             called dead, wrong the share of those called dead that live.",
            &[&grouped(chains.dead), &grouped(chains.alive)],
        ),
    );
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let rows: Vec<Vec<String>> = oracle
        .styles
        .iter()
        .map(|style| {
            let cells = |v: &Verdicts| [percent(v.share_found()), percent(v.share_wrong())];
            let groups = &style.accuracy.groups;
            let open = groups.open as f64 / (groups.dead + groups.alive).max(1) as f64;
            let all = cells(&style.accuracy.chains).into_iter().chain(cells(groups));
            std::iter::once(style.name.clone()).chain(all).chain([percent(open)]).collect()
        })
        .collect();
    let head = ["playouts", "by chains: found", "wrong", "by groups: found", "wrong", "unsettled"];
    html += &table(&words.head(&head), &rows);
    html
}

/// Searches on a suite of test positions.
pub fn suite(judged: &[SuiteResult], by: &str, words: Words) -> String {
    let Some(first) = judged.first() else { return String::new() };
    let mut html = paragraph(
        "p",
        &words.fill(
            "{0} positions, {1} searches of {2} playouts each; intervals of 95 %.",
            &[&grouped(first.positions), &first.searches.to_string(), &grouped(first.playouts)],
        ),
    );
    html += &command(by);
    let within = |value: String, [low, high]: [f64; 2], digits: usize| {
        let range = [low, high].map(|x| format!("{x:.digits$}"));
        format!("{value} ({})", words.fill("{0} to {1}", &range.each_ref().map(String::as_str)))
    };
    let rows: Vec<Vec<String>> = judged
        .iter()
        .map(|one| {
            let right = format!("{:.1} %", 100.0 * one.right);
            vec![
                one.name.clone(),
                within(right, one.right_interval.map(|x| 100.0 * x), 1),
                within(format!("{:.1}", one.needed), one.needed_interval, 1),
                within(format!("{:.3}", one.times), one.times_interval, 3),
                format!("{:.1}", one.seconds),
            ]
        })
        .collect();
    let head = ["settings", "judged rightly", "playouts needed", "times as many", "seconds"];
    html += &table(&words.head(&head), &rows);
    let ranged: Vec<Ranged> = judged
        .iter()
        .map(|one| Ranged {
            name: one.name.clone(),
            value: one.right,
            interval: one.right_interval,
        })
        .collect();
    html += &figures(&[plot::intervals(words.say("judged rightly"), "", true, &ranged)]);
    html += &paragraph("h3", words.say("By kind"));
    let mut rows = Vec::new();
    for one in judged {
        rows.extend(one.kinds.iter().map(|kind| {
            vec![
                format!("{}: {}", one.name, words.say(&kind.kind)),
                grouped(kind.positions),
                format!("{:.1} %", 100.0 * kind.right),
                format!("{:.1}", kind.needed),
            ]
        }));
    }
    let head = ["kind", "positions", "judged rightly", "playouts needed"];
    html += &table(&words.head(&head), &rows);
    for one in judged.iter().filter(|one| !one.wrong.is_empty()) {
        html += &paragraph("h3", &words.fill("Mostly wrong with {0}", &[&one.name]));
        html += "<ul>\n";
        html += &one.wrong.iter().map(|title| paragraph("li", title)).collect::<String>();
        html += "</ul>\n";
    }
    html
}

/// Forecasts of who wins.
pub fn forecasts(results: &[Forecast], by: &str, words: Words) -> String {
    let Some(first) = results.first() else { return String::new() };
    let positions = words.many(first.positions, "position");
    let games = words.many(first.games, "game");
    let about = match first.plain {
        false => {
            "{0} of {1}, {2} playouts of a search each: how far Black's chance to win is from what became \
             of the game."
        }
        true => {
            "{0} of {1}, {2} playouts without a tree each: how far Black's chance to win is from what \
             became of the game."
        }
    };
    let values = [positions.as_str(), &games, &grouped(first.playouts)];
    let mut html = paragraph("p", &words.fill(about, &values));
    if first.games == 1 {
        let off = words.say("How far figures are off cannot be told from one game");
        html += &paragraph("p class=\"note\"", off);
    }
    html += &command(by);
    // The error by phase goes under the name of the phase: there is no room for more.
    let phases = first.phases.iter().map(|phase| phase.name.as_str());
    let head = ["settings", "squared error", "more than the first", "winner seen"];
    let head = words.head(&head.into_iter().chain(phases).collect::<Vec<_>>());
    let rows: Vec<Vec<String>> = results
        .iter()
        .enumerate()
        .map(|(i, one)| {
            let half = one.mse_interval.map(|[low, high]| format!(" ±{:.4}", (high - low) / 2.0));
            let range = one.difference_interval.map(|ends| {
                let ends = ends.map(|x| format!("{x:+.4}"));
                let ends = ends.each_ref().map(String::as_str);
                format!(" ({})", words.fill("{0} to {1}", &ends))
            });
            let more = match i {
                0 => String::new(),
                _ => format!("{:+.4}{}", one.difference, range.unwrap_or_default()),
            };
            let cells = [
                one.name.clone(),
                format!("{:.4}{}", one.mse, half.unwrap_or_default()),
                more,
                format!("{:.1} %", 100.0 * one.right),
            ];
            let phases = one.phases.iter().map(|phase| format!("{:.4}", phase.mse));
            cells.into_iter().chain(phases).collect()
        })
        .collect();
    html += &table(&head, &rows);
    let ranged = results.iter().map(|one| Ranged {
        name: one.name.clone(),
        value: one.mse,
        interval: one.mse_interval.unwrap_or([one.mse; 2]),
    });
    html += &figures(&[
        plot::intervals(words.say("squared error"), "", false, &ranged.collect::<Vec<_>>()),
        plot::lines(
            words.say("Calibration: games won by Black, by forecast"),
            &Axis::share(words.say("Black's chance as foretold")),
            &Axis::share(""),
            &results.iter().map(|one| calibration(&one.name, &one.calibration)).collect::<Vec<_>>(),
            true,
        ),
    ]);
    html
}
