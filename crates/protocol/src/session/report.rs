//! What a search has found, in the dialects of three protocols.

use std::borrow::Cow;
use std::fmt::Write;

use engine::{Candidate, Report};
use goban::{Move, PointMap, Size};
use serde_json::json;

use super::analyze::line_text;

/// Who is to understand a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Leela Zero's: whole numbers, hundredths of a percent.
    Leela,
    /// KataGo's: more fields, decimal numbers.
    Kata,
    /// The computer Go server's: an object.
    Cgos,
}

/// What to put into a report.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// This many moves even if some were not visited.
    pub least_moves: usize,
    /// The moves that there are and the move model's probabilities, to find as many among.
    pub moves: Vec<(Move, f32)>,
    /// At most this many moves.
    pub most_moves: usize,
    /// The root itself.
    pub root_info: bool,
    /// Who owns each point.
    pub ownership: bool,
    /// The same after each move.
    pub moves_ownership: bool,
    /// How often each move of a line was visited.
    pub line_visits: bool,
    /// The same by another name.
    pub line_edge_visits: bool,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted {
            least_moves: 0,
            moves: Vec::new(),
            most_moves: usize::MAX,
            root_info: false,
            ownership: false,
            moves_ownership: false,
            line_visits: false,
            line_edge_visits: false,
        }
    }
}

impl Wanted {
    /// The report with as many moves as are wanted at least, where the search did not find them
    /// worth a visit: of those nothing is known but what the position is worth.
    fn filled<'a>(&self, report: &'a Report) -> Cow<'a, Report> {
        let missing = self.least_moves.saturating_sub(report.candidates.len());
        let is_new = |&&(mv, _): &&(Move, f32)| {
            let known = report.candidates.iter().map(|c| c.mv);
            known.chain(report.others.iter().map(|o| o.0)).all(|other| other != mv)
        };
        let rest = self.moves.iter().filter(is_new).map(|&(mv, prior)| report.unknown(mv, prior));
        let more: Vec<Candidate> = report.unvisited().chain(rest).take(missing).collect();
        if more.is_empty() {
            return Cow::Borrowed(report);
        }
        let mut filled = report.clone();
        filled.candidates.extend(more);
        Cow::Owned(filled)
    }

    /// The moves to show with their places, the best first.
    fn shown<'a>(&self, report: &'a Report) -> impl Iterator<Item = (usize, &'a Candidate)> {
        let least = self.least_moves;
        let shown = move |&(i, c): &(usize, &Candidate)| c.visits > 0 || i < least;
        report.candidates.iter().enumerate().filter(shown).take(self.most_moves)
    }
}

impl Dialect {
    /// A report as one line, empty if nothing was found yet.
    pub fn line(self, report: &Report, size: Size, wanted: &Wanted) -> String {
        if report.visits == 0 {
            return String::new();
        }
        let report = wanted.filled(report);
        match self {
            Dialect::Leela => leela(&report, wanted),
            Dialect::Kata => kata(&report, size, wanted),
            Dialect::Cgos => cgos(&report, size, wanted),
        }
    }
}

// Writing to a string cannot fail.
macro_rules! put {
    ($text:expr, $($words:tt)*) => { let _ = write!($text, $($words)*); };
}

fn leela(report: &Report, wanted: &Wanted) -> String {
    let mut text = String::new();
    let share = |x: f32| (10_000.0 * x.clamp(0.0, 1.0)).round() as u32;
    for (order, c) in wanted.shown(report) {
        let gap = if text.is_empty() { "" } else { " " };
        put!(
            text,
            "{gap}info move {} visits {} winrate {} prior {} lcb {} order {order} pv {}",
            c.mv,
            c.visits,
            share(c.winrate),
            share(c.prior),
            share(c.lcb),
            line_text(&c.line)
        );
    }
    text
}

/// Winning is worth 1 and losing -1; points are worth nothing.
fn utility(winrate: f32) -> f32 {
    2.0 * winrate - 1.0
}

fn kata(report: &Report, size: Size, wanted: &Wanted) -> String {
    let mut text = String::new();
    let deviation = report.score_deviation;
    for (order, c) in wanted.shown(report) {
        let gap = if text.is_empty() { "" } else { " " };
        let (visits, score) = (c.visits, c.score);
        put!(text, "{gap}info move {} visits {visits} edgeVisits {visits}", c.mv);
        put!(text, " utility {:.6} winrate {:.6}", utility(c.winrate), c.winrate);
        put!(text, " scoreMean {score:.4} scoreStdev {deviation:.4}");
        put!(text, " scoreLead {score:.4} scoreSelfplay {score:.4}");
        put!(text, " prior {:.6} lcb {:.6} utilityLcb {:.6}", c.prior, c.lcb, utility(c.lcb));
        put!(text, " weight {visits}.0 order {order} pv {}", line_text(&c.line));
        let counts = || c.line_visits.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        if wanted.line_visits {
            put!(text, " pvVisits {}", counts());
        }
        if wanted.line_edge_visits {
            put!(text, " pvEdgeVisits {}", counts());
        }
        if let (true, Some(ownership)) = (wanted.moves_ownership, &c.ownership) {
            put!(text, " movesOwnership {}", owners(ownership, size));
        }
    }
    if wanted.root_info {
        let (visits, score) = (report.visits, report.score);
        put!(text, " rootInfo visits {visits} utility {:.6}", utility(report.winrate));
        put!(text, " winrate {:.6} scoreMean {score:.4}", report.winrate);
        put!(text, " scoreStdev {deviation:.4} scoreLead {score:.4}");
        put!(text, " scoreSelfplay {score:.4} weight {visits}.0");
    }
    if wanted.ownership {
        put!(text, " ownership {}", owners(&report.ownership, size));
    }
    // Without a move there is nothing that the rest would have to be kept apart from.
    text.trim_start().to_owned()
}

fn owners(ownership: &PointMap<f32>, size: Size) -> String {
    size.points().map(|p| format!("{:.4}", ownership[p])).collect::<Vec<_>>().join(" ")
}

fn cgos(report: &Report, size: Size, wanted: &Wanted) -> String {
    const DIGITS: &[u8; 63] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";
    let digit = |share: f32| {
        let place = ((share.clamp(-1.0, 1.0) + 1.0) / 2.0 * 62.0).round() as usize;
        DIGITS[place.min(62)] as char
    };
    let moves: Vec<_> = wanted
        .shown(report)
        .map(|(_, c)| {
            json!({
                "move": c.mv.to_string(),
                "winrate": rounded(c.winrate),
                "score": rounded(c.score),
                "prior": rounded(c.prior),
                "pv": line_text(c.line.get(1..).unwrap_or_default()),
                "visits": c.visits,
            })
        })
        .collect();
    json!({
        "winrate": rounded(report.winrate),
        "score": rounded(report.score),
        "visits": report.visits,
        "moves": moves,
        "ownership": size.points().map(|p| digit(report.ownership[p])).collect::<String>(),
    })
    .to_string()
}

/// A number with as many digits as mean something.
pub fn rounded(x: f32) -> f64 {
    (f64::from(x) * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use goban::{Color, Move, Point};

    use super::*;

    fn report() -> Report {
        let at = |name: &str| Move::Play(Point::parse(name).unwrap());
        let mut ownership = PointMap::filled(0.0);
        ownership[Point::new(0, 1)] = 1.0;
        ownership[Point::new(1, 0)] = -1.0;
        let candidate = |mv: Move, visits, winrate| Candidate {
            mv,
            visits,
            winrate,
            lcb: winrate - 0.05,
            score: 1.5,
            prior: 0.25,
            line: vec![mv, Move::Pass],
            line_visits: vec![visits, 1],
            ownership: Some(ownership.clone()),
        };
        Report {
            to_move: Color::White,
            visits: 40,
            playouts: 40,
            elapsed: Duration::from_millis(20),
            winrate: 0.5811,
            score: 1.25,
            score_deviation: 12.0,
            candidates: vec![
                candidate(at("A2"), 39, 0.6),
                candidate(Move::Pass, 1, 0.01),
                candidate(at("B1"), 0, 0.5),
            ],
            others: Vec::new(),
            ownership,
        }
    }

    fn line(dialect: Dialect, wanted: &Wanted) -> String {
        dialect.line(&report(), Size::new(2).unwrap(), wanted)
    }

    #[test]
    fn leela_counts_in_hundredths_of_a_percent() {
        assert_eq!(
            line(Dialect::Leela, &Wanted::default()),
            "info move A2 visits 39 winrate 6000 prior 2500 lcb 5500 order 0 pv A2 pass \
             info move pass visits 1 winrate 100 prior 2500 lcb 0 order 1 pv pass pass"
        );
        let most = Wanted { least_moves: 3, ..Wanted::default() };
        assert_eq!(line(Dialect::Leela, &most).matches("info").count(), 3);
        let at = |name: &str| Move::Play(Point::parse(name).unwrap());
        // What the search has ready comes before the rest, and nothing twice.
        let moves = vec![(at("A2"), 0.3), (at("A1"), 0.2), (at("B2"), 0.1)];
        let all = Wanted { least_moves: 5, moves, ..Wanted::default() };
        let mut ready = report();
        ready.others = vec![(at("B2"), 0.4)];
        let told = Dialect::Leela.line(&ready, Size::new(2).unwrap(), &all);
        let told: Vec<&str> = told.split("info move ").skip(4).collect();
        assert_eq!(told[0].split(' ').next(), Some("B2"));
        assert!(told[0].contains("prior 4000") && told[1].starts_with("A1"), "{told:?}");
        let least = Wanted { most_moves: 1, ..Wanted::default() };
        assert_eq!(line(Dialect::Leela, &least).matches("info").count(), 1);
        let none = Wanted { most_moves: 0, ..Wanted::default() };
        assert_eq!(line(Dialect::Leela, &none), "");
    }

    #[test]
    fn moves_without_visits_are_shown_when_asked_for() {
        let at = |name: &str| Move::Play(Point::parse(name).unwrap());
        let moves = vec![(at("A2"), 0.5), (at("B2"), 0.25), (at("A1"), 0.125), (Move::Pass, 0.0)];
        let wanted =
            |least_moves| Wanted { least_moves, moves: moves.clone(), ..Wanted::default() };
        assert_eq!(line(Dialect::Leela, &wanted(2)).matches("info").count(), 2);
        let four = line(Dialect::Leela, &wanted(4));
        assert_eq!(four.matches("info").count(), 4);
        let last = " info move B2 visits 0 winrate 5811 prior 2500 lcb 0 order 3 pv B2";
        assert!(four.ends_with(last), "{four}");
        // There are no more.
        assert_eq!(line(Dialect::Leela, &wanted(50)).matches("info").count(), 5);
    }

    #[test]
    fn kata_has_more_to_say() {
        let wanted = Wanted { most_moves: 1, ..Wanted::default() };
        let plain = "info move A2 visits 39 edgeVisits 39 utility 0.200000 winrate 0.600000 \
                     scoreMean 1.5000 scoreStdev 12.0000 scoreLead 1.5000 scoreSelfplay 1.5000 \
                     prior 0.250000 lcb 0.550000 utilityLcb 0.100000 weight 39.0 order 0 pv A2 pass";
        assert_eq!(line(Dialect::Kata, &wanted), plain);
        let all = Wanted {
            root_info: true,
            ownership: true,
            moves_ownership: true,
            line_visits: true,
            ..wanted
        };
        assert_eq!(
            line(Dialect::Kata, &all),
            format!(
                "{plain} pvVisits 39 1 movesOwnership 1.0000 0.0000 0.0000 -1.0000 \
                 rootInfo visits 40 utility 0.162200 winrate 0.581100 scoreMean 1.2500 \
                 scoreStdev 12.0000 scoreLead 1.2500 scoreSelfplay 1.2500 weight 40.0 \
                 ownership 1.0000 0.0000 0.0000 -1.0000"
            )
        );
        let owners = Wanted { most_moves: 0, ownership: true, ..Wanted::default() };
        assert_eq!(line(Dialect::Kata, &owners), "ownership 1.0000 0.0000 0.0000 -1.0000");
    }

    #[test]
    fn the_server_gets_an_object() {
        let wanted = Wanted { most_moves: 1, ..Wanted::default() };
        let value: serde_json::Value = serde_json::from_str(&line(Dialect::Cgos, &wanted)).unwrap();
        assert_eq!(value["ownership"], "+ffA");
        assert_eq!(value["moves"][0]["pv"], "pass");
        assert_eq!(value["winrate"], 0.5811);
    }
}
