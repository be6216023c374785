//! What is shown of matches, rating lists and learning.

use std::path::Path;

use policy::{Model, Use, grouped};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use train::Mark;

use super::plot::{self, Axis, Ranged, Series};
use super::words::Words;
use super::{command, escape, figures, put, table};
use crate::finished::{Finished, Side};
use crate::folder::{Folder, FolderError, Header};
use crate::pool::{RatingList, tally};
use crate::statistics::{Tally, elo};

/// A learning curve as data: what `harie train --curve FILE.json` writes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearningCurve {
    /// What was learned.
    pub name: String,
    /// The command that made it.
    pub command: String,
    /// Pass by pass.
    pub curve: Vec<Mark>,
}

/// A match to be shown.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchShown {
    /// What was played.
    pub header: Header,
    /// The results of the first player.
    pub tally: Tally,
}

impl MatchShown {
    /// The match in a folder; nothing if there is none in it.
    ///
    /// # Errors
    /// If a file in it is damaged.
    pub fn read(path: &Path) -> Result<Option<MatchShown>, FolderError> {
        let found = Folder::look(path)?;
        Ok(found.map(|(header, games)| MatchShown { header, tally: tally(&games) }))
    }

    /// The match that `harie match --json` printed; nothing if it is something else.
    pub fn from_json(value: &Value) -> Option<MatchShown> {
        let header = serde_json::from_value(value.get("match")?.clone()).ok()?;
        let count = |name: &str| Some(value["all"][name].as_u64()? as usize);
        let tally =
            Tally { wins: count("wins")?, draws: count("draws")?, losses: count("losses")? };
        Some(MatchShown { header, tally })
    }

    /// A command that plays it again.
    pub(super) fn command(&self) -> String {
        let Header { first, second, size, komi, rules, seed, .. } = &self.header;
        let games = match self.tally.games() {
            0 => String::new(),
            games => format!("--games {games} "),
        };
        format!(
            "harie match --first '{first}' --second '{second}' {games}--size {size} \
             --komi {komi} --rules '{rules}' --seed {seed}"
        )
    }
}

/// Matches in a table and as intervals.
pub fn matches(matches: &[MatchShown], words: Words) -> String {
    let mut rows = Vec::new();
    let mut ranged = Vec::new();
    for MatchShown { header, tally } in matches {
        let (low, high) = tally.interval();
        let name = words.fill("{0} against {1}", &[&header.first, &header.second]);
        let signed = |value: f64| match value {
            v if v.round() == 0.0 => "0".to_owned(),
            v if v.is_finite() => format!("{v:+.0}"),
            v if v > 0.0 => "+∞".to_owned(),
            _ => "-∞".to_owned(),
        };
        rows.push(vec![
            name.clone(),
            format!("{0}x{0}", header.size),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses.to_string(),
            format!("{:.1} %", 100.0 * tally.share()),
            words.fill(
                "{0} to {1}",
                &[&format!("{:.1}", 100.0 * low), &format!("{:.1} %", 100.0 * high)],
            ),
            signed(elo(tally.share())),
            words.fill("{0} to {1}", &[&signed(elo(low)), &signed(elo(high))]),
        ]);
        ranged.push(Ranged { name, value: tally.share(), interval: [low, high] });
    }
    let head = ["match", "board", "won", "drawn", "lost", "score", "95 %", "Elo", "95 %"];
    let mut html = table(&words.head(&head), &rows);
    html += &figures(&[plot::intervals(
        words.say("Score of the first player"),
        words.say("share of the points, 95 % interval (Wilson)"),
        true,
        &ranged,
    )]);
    for shown in matches {
        html += &command(&shown.command());
    }
    html
}

/// Games that are listed, the last ones.
const LISTED: usize = 40;

/// How a match went, game by game.
pub fn games(games: &[Finished], words: Words) -> String {
    let mut so_far = Tally::default();
    let (mut score, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
    for (i, game) in games.iter().enumerate() {
        match game.winner {
            Some(Side::First) => so_far.wins += 1,
            Some(Side::Second) => so_far.losses += 1,
            None => so_far.draws += 1,
        }
        let (from, to) = so_far.interval();
        let x = (i + 1) as f64;
        score.push((x, so_far.share()));
        low.push((x, from));
        high.push((x, to));
    }
    let line =
        |name: &str, points| Series { name: words.say(name).to_owned(), points, dots: false };
    let mut html = figures(&[plot::lines(
        words.say("Score of the first player after each game"),
        &Axis::plain(words.say("games")),
        &Axis::share(""),
        &[line("score", score), line("95 %, from", low), line("to", high)],
        false,
    )]);
    let name = |side: Side| words.say(if side == Side::First { "first" } else { "second" });
    let rows: Vec<Vec<String>> = games
        .iter()
        .rev()
        .take(LISTED)
        .map(|game| {
            vec![
                game.game.to_string(),
                name(game.black).to_owned(),
                game.winner.map_or(words.say("nobody"), name).to_owned(),
                game.result.clone(),
                words.say(&game.ended.to_string()).to_owned(),
                game.moves.to_string(),
                format!("{:.0}", game.first.seconds + game.second.seconds),
            ]
        })
        .collect();
    let head = ["game", "Black", "winner", "result", "ended", "moves", "seconds"];
    html += &table(&words.head(&head), &rows);
    html
}

/// What a model is.
pub fn model(model: &Model, words: Words) -> String {
    let about = &model.about;
    let side = about.size;
    let of = match about.of {
        Use::Uct => "orders the moves of the tree",
        Use::Mc => "draws the moves of playouts",
    };
    let row = |name: &str, value: String| vec![words.say(name).to_owned(), value];
    let mut html = table(
        &["", ""],
        &[
            row("what it does", words.say(of).to_owned()),
            row("learned on", format!("{side}x{side}")),
            row("games", about.trained_on.clone()),
            row(
                "shapes",
                words.fill(
                    "{0} of {1}",
                    &[&grouped(model.dictionary().len()), model.family().name()],
                ),
            ),
            row("filter exponent", format!("{}", model.filter)),
        ],
    );
    html += &command(&about.made_by);
    html
}

/// A rating list.
pub fn ratings(list: &RatingList, words: Words) -> String {
    let about = words.fill(
        "{0}, komi {1}, {2} rules. Bradley-Terry ratings with 95 % errors.",
        &[&words.many(list.games, "game"), &list.komi.to_string(), &list.rules],
    );
    let mut html = format!("<p>{}</p>\n", escape(&about));
    html += &command(&list.command);
    let rows: Vec<Vec<String>> = list
        .ratings
        .iter()
        .map(|r| {
            vec![
                r.player.clone(),
                format!("{:.0}", r.elo),
                if r.anchor { words.say("given").to_owned() } else { format!("±{:.0}", r.error) },
                grouped(r.games),
                format!("{:.1} %", 100.0 * r.score),
                format!("{:.0}", r.opposition),
                r.above_next.map_or(String::new(), |p| format!("{:.1} %", 100.0 * p)),
            ]
        })
        .collect();
    let head = ["player", "Elo", "95 %", "games", "score", "opposition", "above next"];
    html += &table(&words.head(&head), &rows);
    let ranged: Vec<Ranged> = list
        .ratings
        .iter()
        .map(|r| Ranged {
            name: r.player.clone(),
            value: r.elo,
            interval: [r.elo - r.error, r.elo + r.error],
        })
        .collect();
    html += &figures(&[plot::intervals(words.say("Ratings"), "Elo", false, &ranged)]);
    let rows: Vec<Vec<String>> = list
        .pairs
        .iter()
        .map(|m| {
            let games = (m.wins + m.draws + m.losses).max(1) as f64;
            let share = (m.wins as f64 + m.draws as f64 / 2.0) / games;
            vec![
                words.fill("{0} against {1}", &[&m.first, &m.second]),
                m.wins.to_string(),
                m.draws.to_string(),
                m.losses.to_string(),
                format!("{:.1} %", 100.0 * share),
                format!("{:.1} %", 100.0 * m.expected),
            ]
        })
        .collect();
    html += &table(&words.head(&["pair", "won", "drawn", "lost", "score", "expected"]), &rows);
    html
}

/// Learning curves.
pub fn curves(curves: &[LearningCurve], words: Words) -> String {
    let mut plots = Vec::new();
    let mut html = String::new();
    for LearningCurve { name, command: by, curve } in curves {
        let line = |name: &str, of: fn(&Mark) -> f64| Series {
            name: words.say(name).to_owned(),
            points: curve.iter().map(|mark| (mark.pass as f64, of(mark))).collect(),
            dots: true,
        };
        plots.push(plot::lines(
            &words.fill("{0}: log-likelihood by pass", &[name]),
            &Axis::plain(words.say("pass")),
            &Axis::plain(""),
            &[line("learned from", |m| m.train), line("validation", |m| m.validation)],
            false,
        ));
        plots.push(plot::lines(
            &words.fill("{0}: Match1 on validation by pass", &[name]),
            &Axis::plain(words.say("pass")),
            &Axis { range: None, ..Axis::share("") },
            &[line("Match1", |m| m.match1)],
            false,
        ));
        put(&mut html, format_args!("{}", command(by)));
    }
    html += &figures(&plots);
    html
}
