//! The document: tables with the published number beside ours, and what differs in words.

use std::fmt::Write;

use lab::statistics::Tally;
use policy::grouped;
use serde_json::Value;

use super::METHODS;
use super::published::{self, CP_WON, FAMILIES, GRADIENT_WON, ITEMS, more_is_better};
use super::relations::{Joint, Relations};

/// A document in the making.
pub struct Document {
    text: String,
}

macro_rules! put {
    ($text:expr, $($words:tt)*) => {
        // Writing to a string cannot fail.
        let _ = writeln!($text, $($words)*);
    };
}

fn upper(family: &str) -> String {
    family.to_ascii_uppercase()
}

/// The family that is best.
fn best(values: &[f64], more: bool) -> String {
    let sign = if more { 1.0 } else { -1.0 };
    let place =
        (0..values.len()).max_by(|&a, &b| (sign * values[a]).total_cmp(&(sign * values[b])));
    place.map_or(String::new(), |place| upper(FAMILIES[place]))
}

fn tally(result: &Value) -> Tally {
    let count = |name: &str| result["all"][name].as_u64().unwrap_or(0) as usize;
    Tally { wins: count("wins"), draws: count("draws"), losses: count("losses") }
}

/// A time as people say it.
fn took(seconds: f64) -> String {
    match (seconds / 60.0).round() as u64 {
        _ if seconds < 90.0 => format!("{seconds:.0} s"),
        minutes @ ..=90 => format!("{minutes} minutes"),
        minutes => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

impl Document {
    /// A document with its preface.
    pub fn new(quick: bool, seconds: f64) -> Document {
        let mut text = String::from("# The published experiments, again\n\n");
        put!(
            text,
            "Written by `harie reproduce`; the last section has every command. In each cell *ours / \
             published*. Its steps took {} in all; of one that was stopped and continued the last part \
             counts.\n",
            took(seconds)
        );
        put!(
            text,
            "The sources: A is a master's thesis on the Monte-Carlo Go program Nomitan and its collage \
             patterns; B a workshop paper of 2016 on relations of two points in playouts; C a journal \
             paper of 2010 on learning the weights of a Go program by gradients.\n"
        );
        put!(
            text,
            "What differs throughout: the games are others, and fewer; the published cells of the \
             position classes and of the quadrants were rebuilt from the text; patterns are kept if \
             they were *played* ten times, not seen a hundred; all legal moves count.\n"
        );
        if quick {
            put!(
                text,
                "**This was a quick run**: a handful of games and passes. It shows that everything \
                 works and nothing about who is right.\n"
            );
        }
        Document { text }
    }

    fn table(&mut self, title: &str, head: &[String], rows: &[Vec<String>]) {
        put!(self.text, "## {title}\n");
        put!(self.text, "| {} |", head.join(" | "));
        put!(self.text, "|{}", "---|".repeat(head.len()));
        for row in rows {
            put!(self.text, "| {} |", row.join(" | "));
        }
        self.text.push('\n');
    }

    /// Patterns kept.
    pub fn patterns(&mut self, side: u8, ours: &[f64]) {
        let published = published::patterns(side);
        let head: Vec<String> = FAMILIES.iter().map(|f| upper(f)).collect();
        let both = |(a, b): (&f64, f64)| format!("{} / {}", grouped(*a as u64), grouped(b as u64));
        let row = ours.iter().zip(published).map(both).collect();
        self.table(&format!("Patterns kept, {side}x{side} (source A)"), &head, &[row]);
        put!(
            self.text,
            "Most patterns: {} here, {} published. The number grows with the games and falls with \
             the count that is asked for; ours must be played.\n",
            best(ours, true),
            best(&published, true)
        );
    }

    /// Rank and probability items.
    pub fn items(&mut self, side: u8, games: usize, eval: &Value) {
        let published = published::items(side);
        let item = |family: usize, name: &str| {
            eval["models"][family]["items"][name].as_f64().unwrap_or(f64::NAN)
        };
        let head: Vec<String> =
            std::iter::once(String::new()).chain(FAMILIES.iter().map(|f| upper(f))).collect();
        let mut rows = Vec::new();
        let mut words = Vec::new();
        for (i, name) in ITEMS.iter().enumerate() {
            let ours: Vec<f64> = (0..FAMILIES.len()).map(|family| item(family, name)).collect();
            let theirs: Vec<f64> = published.iter().map(|family| family[i]).collect();
            let digits = if name.starts_with("Rank") { 3 } else { 4 };
            let both = |(a, b): (&f64, &f64)| format!("{a:.digits$} / {b:.digits$}");
            let cells = ours.iter().zip(&theirs).map(both);
            rows.push(std::iter::once((*name).to_owned()).chain(cells).collect());
            let more = more_is_better(name);
            let (here, there) = (best(&ours, more), best(&theirs, more));
            words.push(if here == there {
                format!("{name}: {here} is best in both.")
            } else {
                format!("{name}: {here} is best here, {there} was.")
            });
        }
        let title = format!(
            "Rank and probability items, {side}x{side}, gradient method, {} games (source A)",
            grouped(games)
        );
        self.table(&title, &head, &rows);
        put!(self.text, "{}\n", words.join(" "));
    }

    /// Playouts a second.
    pub fn speeds(&mut self, side: u8, ours: &[f64]) {
        let published = published::speeds(side);
        let head: Vec<String> = FAMILIES.iter().map(|f| upper(f)).collect();
        let both = |(a, b): (&f64, f64)| format!("{} / {b:.0}", grouped(a.round() as u64));
        let row = ours.iter().zip(published).map(both).collect();
        self.table(
            &format!("Playouts a second, {side}x{side}, one core (source A)"),
            &head,
            &[row],
        );
        let ratio = |values: &[f64]| values[0] / values[3].max(1e-9);
        put!(
            self.text,
            "N5 is {:.1} times as fast as CP here, {:.1} times as published. Machines differ by \
             fifteen years; ours keeps values up to date instead of computing them anew.\n",
            ratio(ours),
            ratio(&published)
        );
    }

    /// Self-play of CP.
    pub fn matches(&mut self, results: &[Value]) {
        let head = ["CP against", "won", "drawn", "lost", "score / published", "95 %"];
        let mut rows = Vec::new();
        for ((result, family), published) in results.iter().zip(["N5", "N7", "N9"]).zip(CP_WON) {
            let tally = tally(result);
            let (low, high) = tally.interval();
            rows.push(vec![
                family.to_owned(),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
                format!("{:.1} % / {:.1} %", 100.0 * tally.share(), 100.0 * published),
                format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high),
            ]);
        }
        self.table("Self-play on 9x9 at equal time (source A)", &head.map(str::to_owned), &rows);
        let agree = results.iter().zip(CP_WON).filter(|(result, published)| {
            let (low, high) = tally(result).interval();
            (low..=high).contains(published)
        });
        put!(
            self.text,
            "The published score is within our interval in {} of {} matches. Both played with the \
             model under test in the playouts only; our tree has the model that comes with Harie.\n",
            agree.count(),
            results.len()
        );
    }

    /// Pairs of points in positions of the published kinds.
    pub fn relations(&mut self, found: &Relations) {
        let between = |[low, high]: [f64; 2]| match high - low < 0.0005 {
            true => format!("{low:.3}"),
            false => format!("{low:.3} to {high:.3}"),
        };
        let pairs = |title: &str, published: &[f64], of: &[Joint]| {
            let [low, high, next] = match *published {
                [pair, next] => [pair, pair, next],
                [low, high, next] => [low, high, next],
                _ => [f64::NAN; 3],
            };
            let row = |name: &str, pairs: [f64; 2], next: f64, told: &str| {
                let times = format!("{:.2}", pairs[0] / next);
                vec![name.to_owned(), between(pairs), format!("{next:.3}"), times, told.to_owned()]
            };
            let mut rows = vec![row(&format!("published {title}"), [low, high], next, "")];
            let told = |yes: bool| if yes { "yes" } else { "no" };
            rows.extend(of.iter().map(|j| row(&j.title, j.pairs, j.next, told(j.told))));
            rows
        };
        let head = ["position", "the pairs", "the next pair", "times", "told to be miai"];
        let head = head.map(str::to_owned);
        let mut rows = pairs("miai 1", &published::MIAI, &found.miai);
        rows.extend(pairs("miai 2 (five bamboo joints)", &published::JOINTS, &found.joints));
        self.table("Miai and bamboo joints: joint criticality (source B)", &head, &rows);
        let all = found.miai.iter().chain(&found.joints);
        let first = all.clone().filter(|joint| joint.pairs[0] > joint.next).count();
        put!(
            self.text,
            "10,000 uniform playouts each, as published. The published boards are lost: these positions \
             are new and nearly full, so that the game hangs on the relation, and values cannot be \
             expected to be equal. The published fact is that the pairs stand first; they do in {first} \
             of {} positions. Telling miai by the gap in the list was left open.\n",
            all.count()
        );
        let signed = |[low, high]: [f64; 2]| match high - low < 0.005 {
            true => format!("{low:+.2}"),
            false => format!("{low:+.2} to {high:+.2}"),
        };
        let [outside, inside, own, order] = published::RACE;
        let mut rows = vec![vec![
            "published semeai 1".to_owned(),
            format!("{outside:+.2}"),
            format!("{inside:+.2}"),
            format!("{own:+.2}"),
            format!("{order:.3}"),
        ]];
        rows.extend(found.races.iter().map(|race| {
            vec![
                race.title.clone(),
                signed(race.outside),
                race.inside.map_or(String::new(), signed),
                signed(race.own),
                race.order.map_or(String::new(), |order| format!("{order:.3}")),
            ]
        }));
        let head = ["position", "outside", "inside", "own", "outside before inside"];
        let title = "Races: rank by order of liberties, and order criticality (source B)";
        self.table(title, &head.map(str::to_owned), &rows);
        let as_published = found.races.iter().filter(|race| {
            race.outside[0] > 0.0 && race.inside.is_none_or(|r| r[1] < 0.0) && race.own[1] < 0.0
        });
        put!(
            self.text,
            "The signs are as published, outside liberties early, inside and own ones late, in {} of {} \
             races. A rank is a sum of ±0.01 over all other moves, so that its size depends on how many \
             there are.\n",
            as_published.count(),
            found.races.len()
        );
        let [before, first, second] = published::VITAL;
        let mut rows = vec![vec![
            "published semeai 2 (five-point nakade)".to_owned(),
            format!("{before:+.2}"),
            format!("{first:+.2}, {second:+.2}"),
        ]];
        rows.extend(found.nakade.iter().map(|vital| {
            let [before, after] = [vital.before, vital.after].map(|rank| format!("{rank:+.2}"));
            vec![vital.title.clone(), before, after]
        }));
        let head = ["position", "before", "after White's inside move"].map(str::to_owned);
        self.table("Nakade: rank by order of the vital point (source B)", &head, &rows);
        let turned = found.nakade.iter().filter(|vital| vital.before < 0.0 && vital.after > 0.0);
        put!(
            self.text,
            "As published, the vital point is late before White's inside move and early after it in {} \
             of {} cases. These positions have three points of eye space, not five, and were chosen \
             among many: docs/statistics.md says how delicate the fact is.\n",
            turned.count(),
            found.nakade.len()
        );
    }

    /// Gradient against MM, before and after calibration.
    pub fn methods(&mut self, side: u8, [plain, eval]: [&Value; 2], seconds: &[f64]) {
        let head = ["", "Success", "Match1", "MLE", "miscalibration", "filter", "learning, s"];
        let mut rows = Vec::new();
        for (i, method) in METHODS.iter().enumerate() {
            let model = &eval["models"][i];
            let item = |name: &str| model["items"][name].as_f64().unwrap_or(f64::NAN);
            rows.push(vec![
                (*method).to_owned(),
                format!("{:.4}", item("Success")),
                format!("{:.4}", item("Match1")),
                format!("{:.3}", item("MLE")),
                format!("{:.4}", model["miscalibration"].as_f64().unwrap_or(f64::NAN)),
                format!("{:.2}", model["filter"].as_f64().unwrap_or(f64::NAN)),
                format!("{:.0}", seconds[i]),
            ]);
        }
        let title = format!("Gradient method against MM, N4, {side}x{side} (source C)");
        self.table(&title, &head.map(str::to_owned), &rows);
        put!(
            self.text,
            "Published in words: success and match rate almost equal for both, and the gradient \
             method takes about three times as long; here it takes {:.1} times as long.\n",
            seconds[0] / seconds[1].max(1e-9)
        );
        let head: Vec<String> =
            std::iter::once("rank".to_owned()).chain((1..=8).map(|r| r.to_string())).collect();
        let mut rows = Vec::new();
        for (i, method) in METHODS.iter().enumerate() {
            let rates = [
                ("mean probability before", plain, 0),
                ("mean probability after", eval, 0),
                ("played", eval, 1),
            ];
            for (what, from, column) in rates {
                let cell = |r: usize| {
                    let value = from["models"][i]["calibration"][r][column].as_f64();
                    format!("{:.3}", value.unwrap_or(f64::NAN))
                };
                let name = format!("{method}, {what}");
                rows.push(std::iter::once(name).chain((0..8).map(cell)).collect());
            }
        }
        let title = format!(
            "Probability before and after calibration, and match rate, by rank, {side}x{side}"
        );
        self.table(&title, &head, &rows);
        let off = |of: &Value, i: usize| of["models"][i]["miscalibration"].as_f64().unwrap_or(0.0);
        put!(
            self.text,
            "The largest difference of the two in ranks 1 to 10, before and after: gradient {:.3} and \
             {:.3}, MM {:.3} and {:.3}.",
            off(plain, 0),
            off(eval, 0),
            off(plain, 1),
            off(eval, 1)
        );
        put!(
            self.text,
            "Published in words: before calibration they differ for the gradient method, after it \
             they agree; MM agrees by construction.\n"
        );
    }

    /// The match of the two.
    pub fn method_match(&mut self, result: &Value) {
        let tally = tally(result);
        let (low, high) = tally.interval();
        put!(
            self.text,
            "In a match of playouts on 9x9 the gradient method won {} of {} games against MM: \
             {:.1} % ({:.1} to {:.1} %); published {:.1} %.\n",
            tally.wins,
            tally.games(),
            100.0 * tally.share(),
            100.0 * low,
            100.0 * high,
            100.0 * GRADIENT_WON
        );
        let within = (low..=high).contains(&GRADIENT_WON);
        let ahead = if tally.share() > 0.5 { "ahead" } else { "not ahead" };
        put!(
            self.text,
            "The published score is {} our interval, and the gradient method is {ahead} here. How the \
             published program used the weights is not told; here they draw the playouts only, and the \
             tree has the same model on both sides, which leaves less to tell the two apart.\n",
            if within { "within" } else { "outside" }
        );
    }

    /// What was run.
    pub fn commands(&mut self, commands: impl Iterator<Item = String>) {
        put!(self.text, "## Commands\n\n```sh");
        for command in commands {
            put!(self.text, "{command}");
        }
        put!(self.text, "```");
    }

    /// The document.
    pub fn to_markdown(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::took;

    #[test]
    fn times_are_said_as_people_do() {
        let said = [0.4, 89.0, 91.0, 5400.0, 5460.0, 14_400.0].map(took);
        assert_eq!(said, ["0 s", "89 s", "2 minutes", "90 minutes", "1 h 31 min", "4 h 0 min"]);
    }
}
