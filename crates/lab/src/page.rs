//! Results as one HTML file that needs nothing else: tables and plots, light or dark as the reader's
//! system is, readable on a phone, with the commands that made them.
//!
//! A [`Page`] takes results in the order they are to be shown. How plots are drawn is in `plot.rs`,
//! boards in `owners.rs`; what is shown of each kind of result is in a file of its own.

mod evaluated;
mod owners;
mod plot;
mod results;
mod reviewed;
mod words;

use std::fmt::Write;

use engine::Language;
use policy::Model;

use crate::finished::Finished;
use crate::folder::Header;
use crate::ladder::Evaluation;
use crate::pool::{RatingList, tally};
use crate::review::Review;
pub use results::{LearningCurve, MatchShown};
use words::Words;

const STYLE: &str = include_str!("page/style.css");

/// A page in the making.
pub struct Page {
    title: String,
    words: Words,
    sections: Vec<Section>,
}

struct Section {
    title: String,
    body: String,
}

impl Page {
    /// A page with nothing on it yet.
    pub fn new(title: &str) -> Page {
        Page { title: title.to_owned(), words: Words(Language::English), sections: Vec::new() }
    }

    /// What is added from now on is in this language; what results say themselves stays.
    pub fn in_language(self, language: Language) -> Page {
        Page { words: Words(language), ..self }
    }

    /// Adds an evaluation.
    pub fn evaluation(&mut self, evaluation: &Evaluation) {
        let words = self.words;
        if evaluation.corpus.is_some() {
            let shown = evaluated::predictions(evaluation, words);
            self.add(evaluated::title(evaluation, words), shown);
        }
        if let Some(oracle) = &evaluation.oracle {
            let board = format!("{0}x{0}", oracle.size);
            let title = words.fill("Playouts against an oracle, {0}", &[&board]);
            self.add(title, evaluated::oracle(oracle, &evaluation.command, words));
        }
        if !evaluation.suite.is_empty() {
            let shown = evaluated::suite(&evaluation.suite, &evaluation.command, words);
            self.add(words.say("Suite of test positions").to_owned(), shown);
        }
        if let Some(first) = evaluation.forecasts.first() {
            let title = words.fill("Who will win, {0}", &[&format!("{0}x{0}", first.size)]);
            self.add(
                title,
                evaluated::forecasts(&evaluation.forecasts, &evaluation.command, words),
            );
        }
    }

    /// Adds a rating list.
    pub fn ratings(&mut self, list: &RatingList) {
        let title = self.words.fill("Rating list, {0}", &[&format!("{0}x{0}", list.size)]);
        self.add(title, results::ratings(list, self.words));
    }

    /// Adds matches, all in one table.
    pub fn matches(&mut self, matches: &[MatchShown]) {
        if !matches.is_empty() {
            self.add(self.words.say("Matches").to_owned(), results::matches(matches, self.words));
        }
    }

    /// Adds a match with its games, as it stands: also one that is being played.
    pub fn played(&mut self, header: &Header, games: &[Finished]) {
        let (words, tally) = (self.words, tally(games));
        let shown = MatchShown { header: header.clone(), tally };
        let title = words.fill("{0} against {1}", &[&header.first, &header.second]);
        let shown = match games.is_empty() {
            true => format!(
                "<p>{}</p>\n{}",
                words.say("No game is finished yet."),
                command(&shown.command())
            ),
            false => results::matches(&[shown], words),
        };
        self.add(title, shown);
        if !games.is_empty() {
            self.add(words.say("Games").to_owned(), results::games(games, words));
        }
    }

    /// Adds a model: what it is, and where it comes from.
    pub fn model(&mut self, model: &Model) {
        self.add(model.about.name.clone(), results::model(model, self.words));
    }

    /// Adds learning curves.
    pub fn curves(&mut self, curves: &[LearningCurve]) {
        if !curves.is_empty() {
            self.add(self.words.say("Learning").to_owned(), results::curves(curves, self.words));
        }
    }

    /// Adds a reviewed game: its graphs, and each move that mattered.
    pub fn review(&mut self, title: &str, review: &Review) {
        self.add(self.words.say(title).to_owned(), reviewed::graphs(review, self.words));
        for mistake in &review.mistakes {
            let title = reviewed::title(mistake, self.words);
            self.add(title, reviewed::mistake(mistake, self.words));
        }
    }

    /// Whether there is nothing on it.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    fn add(&mut self, title: String, body: String) {
        self.sections.push(Section { title, body });
    }

    /// The page.
    pub fn to_html(&self) -> String {
        let (title, language) = (escape(&self.title), self.words.0);
        let mut html = format!(
            "<!doctype html>\n<html lang=\"{language}\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <title>{title}</title>\n<style>\n{STYLE}</style></head>\n<body><main>\n<h1>{title}</h1>\n"
        );
        if self.sections.len() > 1 {
            html += "<nav>";
            for (i, section) in self.sections.iter().enumerate() {
                put(&mut html, format_args!("<a href=\"#s{i}\">{}</a>", escape(&section.title)));
            }
            html += "</nav>\n";
        }
        for (i, Section { title, body }) in self.sections.iter().enumerate() {
            let title = escape(title);
            put(
                &mut html,
                format_args!("<section id=\"s{i}\"><h2>{title}</h2>\n{body}</section>\n"),
            );
        }
        let version = env!("CARGO_PKG_VERSION");
        put(&mut html, format_args!("<footer>Made by Harie {version}</footer>\n"));
        html += "</main></body></html>\n";
        html
    }
}

/// Writes to a string, which cannot fail.
fn put(text: &mut String, words: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(words);
}

/// Text that stands for itself in HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The command that made something.
fn command(text: &str) -> String {
    format!("<p class=\"command\"><code>{}</code></p>\n", escape(text))
}

/// A table; the first column is names, the others are numbers unless a method says otherwise.
fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut html = "<div class=\"wide\"><table><thead><tr>".to_owned();
    for cell in head {
        put(&mut html, format_args!("<th>{}</th>", escape(cell)));
    }
    html += "</tr></thead><tbody>\n";
    for row in rows {
        html += "<tr>";
        for (i, cell) in row.iter().enumerate() {
            let tag = if i == 0 { "th" } else { "td" };
            put(&mut html, format_args!("<{tag}>{}</{tag}>", escape(cell)));
        }
        html += "</tr>\n";
    }
    html += "</tbody></table></div>\n";
    html
}

/// Figures beside each other where there is room.
fn figures(figures: &[String]) -> String {
    format!("<div class=\"figures\">\n{}</div>\n", figures.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_whole_and_safe() {
        let mut page = Page::new("a <b> & c");
        assert!(page.is_empty());
        page.add("one".to_owned(), table(&["x", "y"], &[vec!["<i>".to_owned(), "2".to_owned()]]));
        page.add("two".to_owned(), command("harie eval 'a b'"));
        let html = page.to_html();
        assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
        assert!(html.contains("<title>a &lt;b&gt; &amp; c</title>"));
        assert!(html.contains("<th>&lt;i&gt;</th><td>2</td>") && html.contains("href=\"#s1\""));
        // Nothing is fetched from anywhere.
        assert!(!html.contains("http") && !html.contains("<script") && !html.contains("url("));
    }
}
