//! A reviewed game on a page: the graphs, and a board with words for each move that mattered.

use engine::Grade;
use engine::review::Mistake;
use goban::{Cell, Move, Picture, PointSet};

use super::plot::{Axis, Series, lines};
use super::words::Words;
use super::{escape, figures, put};
use crate::review::Review;

/// Moves of a line that are drawn.
const LINE: usize = 9;

/// The graphs of win rate and score.
pub fn graphs(review: &Review, words: Words) -> String {
    let points = |value: &dyn Fn(usize) -> f64| -> Vec<(f64, f64)> {
        (0..review.standings.len()).map(|i| ((review.skipped + i) as f64, value(i))).collect()
    };
    let winrate = points(&|i| review.standings[i].winrate.into());
    let score = points(&|i| review.standings[i].score.into());
    let mistakes: Vec<(f64, f64)> = review
        .mistakes
        .iter()
        .filter_map(|m| {
            Some((m.number as f64, review.standings.get(m.number - review.skipped)?.winrate.into()))
        })
        .collect();
    let line =
        |name: &str, points| Series { name: words.say(name).to_owned(), points, dots: false };
    let mut series = vec![line("Black wins", winrate)];
    if !mistakes.is_empty() {
        // A line of one point is a dot.
        series.extend(mistakes.into_iter().map(|point| Series {
            name: words.fill("move {0}", &[&point.0.to_string()]),
            points: vec![point],
            dots: true,
        }));
    }
    let leads = line("Black leads by", score);
    let moves = Axis::plain(words.say("move"));
    figures(&[
        lines(words.say("How often Black wins"), &moves, &Axis::share(""), &series, false),
        lines(
            words.say("By how many points Black leads"),
            &moves,
            &Axis::plain(""),
            &[leads],
            false,
        ),
    ])
}

/// A move that mattered: the board before it, the move that was played and the better line.
pub fn mistake(mistake: &Mistake, words: Words) -> String {
    let board = mistake.game.board();
    let last = mistake.game.moves().last().and_then(|&(_, mv)| match mv {
        Move::Play(p) => Some(p),
        Move::Pass => None,
    });
    let mut picture = Picture::new(board).last(last).title(title(mistake, words));
    let mut drawn = PointSet::EMPTY;
    if let Move::Play(p) = mistake.played() {
        drawn.insert(p);
        picture = picture.label(p, "×");
    }
    for (i, &mv) in mistake.explanation.best.line.iter().take(LINE).enumerate() {
        if let Move::Play(p) = mv
            && board.cell(p) == Cell::Empty
            && drawn.insert(p)
        {
            picture = picture.label(p, (i + 1).to_string());
        }
    }
    // The style sheet leaves the letters of boards alone.
    let svg = picture.to_svg().replacen("<svg ", "<svg class=\"goban\" ", 1);
    let mut html = "<div class=\"figures\">\n".to_owned();
    let caption = words.say("× played, 1 better");
    put(&mut html, format_args!("<figure><figcaption>{caption}</figcaption>{svg}</figure>"));
    html += "<div>";
    for sentence in mistake.explanation.sentences(words.0) {
        put(&mut html, format_args!("<p>{}</p>\n", escape(&sentence)));
    }
    html += "</div></div>\n";
    html
}

/// `Move 57, White C5: a mistake`
pub fn title(mistake: &Mistake, words: Words) -> String {
    let title = match mistake.explanation.grade() {
        Grade::Blunder => "Move {0}, {1} {2}: a blunder",
        _ => "Move {0}, {1} {2}: a mistake",
    };
    let (number, color) = (mistake.number.to_string(), mistake.explanation.color.to_string());
    words.fill(title, &[&number, words.say(&color), &mistake.played().to_string()])
}
