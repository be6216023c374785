//! `harie match`: two players, many games, and what they prove.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Result, bail};
use clap::Args;
use lab::statistics::Sprt;
use lab::{Counts, Folder, Plan, Spec, Summary};
use policy::{grouped, many};

use crate::engine_options::player;
use crate::progress::Work;
use crate::terms::{Libraries, Terms};
use crate::{interrupt, options};

const EXAMPLES: &str = "\
Examples:
  harie match --first harie:visits=1000 --second gnugo --games 50 --out against-gnugo
  harie match --first harie:visits=500,amaf=0 --second harie:visits=500 --sprt 0,30 --games 2000
  harie match --first harie --second 'gtp:./pachi -t =5000' --size 13 --time 300 --parallel 2
  harie match --first harie:level=10k --second harie:level=12k --openings my-games/ --json

Players:
  harie                 this engine; 5 seconds a move unless there is a clock, one thread, 256 MB
  harie:NAME=VALUE,…    visits, seconds, level, threads, memory (MB), seed, resign (RATE or
                        never), plain-komi, book, model, playout-model (files), and settings of
                        the search such as amaf=0
  gnugo, gnugo:LEVEL    GNU Go, level 10 unless you say otherwise
  knowledge:NAME=VALUE  the player that goes by known shapes: the same, and patterns (FILE
                        or none) and few
  gtp:COMMAND LINE      any engine that speaks the Go Text Protocol; {seed} becomes the seed of
                        the game

Colours change with every game, and both games of a pair begin with the same moves. Ctrl-C \
stops; the same command with the same --out goes on. Players that count visits with one thread \
play the same games again. docs/matches.md says more.";

/// Play a match between two engines or two settings, and say how sure the result is
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Match {
    /// The first player: its results are counted
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    first: Spec,

    /// The second player
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    second: Spec,

    /// Games to play
    #[arg(long, value_name = "N", default_value = "100", value_parser = options::counted)]
    games: usize,

    #[command(flatten)]
    terms: Terms,

    /// Keep records and results in this folder, and go on with the match that is in it
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Stop when it is clear whether the first player is stronger by ELO0 or by ELO1
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = sprt)]
    sprt: Option<Sprt>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers = text.split_once(',').map(|(a, b)| (a.trim().parse(), b.trim().parse()));
    match numbers {
        Some((Ok(elo0), Ok(elo1))) if -1000.0 <= elo0 && elo0 < elo1 && elo1 <= 1000.0 => {
            Ok(Sprt { elo0, elo1 })
        }
        _ => Err("two differences in Elo are wanted, the lower first, such as 0,20".to_owned()),
    }
}

impl Match {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let contest = self.terms.contest(&self.first, &self.second, &mut Libraries::default())?;
        let folder = match &self.out {
            Some(path) => Some(Folder::open(path, &contest.header())?),
            None => None,
        };
        let plan = Plan { games: self.games, parallel: self.terms.parallel, sprt: self.sprt };
        let interrupted = interrupt::flag();
        let bar = Work::new("Games", self.games as u64, "games");
        let mut warned = BTreeSet::new();
        let played = contest.run(&plan, folder, &interrupted, &mut |finished, summary| {
            bar.say(standing(summary));
            match finished {
                Some(_) => bar.set(summary.games as u64),
                None => bar.before(summary.games as u64),
            }
            warn(&bar, summary, &mut warned);
            if let Some(why) = finished.and_then(|game| Some((game, game.why.as_ref()?))) {
                bar.line(&format!("game {}, {}: {}", why.0.game, why.0.ended, why.1));
            }
        });
        drop(bar);
        let summary = played?;
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&summary)?)?;
        } else {
            print(out, &summary)?;
        }
        if interrupted.load(Ordering::Relaxed) && summary.games < self.games {
            let (games, all) = (grouped(summary.games), many(self.games, "game"));
            let again = match &self.out {
                Some(_) => "the same command goes on",
                None => "with --out it could go on",
            };
            out.flush()?;
            bail!("stopped after {games} of {all}; {again}");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Says who does not play by the rules of the match, each once.
pub fn warn(bar: &Work, summary: &Summary, warned: &mut BTreeSet<String>) {
    for note in &summary.notes {
        if warned.insert(note.clone()) {
            bar.line(&format!("warning: {note}"));
        }
    }
}

/// How the match stands, in a line.
fn standing(summary: &Summary) -> String {
    let Counts { wins, draws, losses, share, interval: [low, high] } = summary.all;
    let mut text = format!(
        "{wins} won, {draws} drawn, {losses} lost: {:.1} % ({:.1} to {:.1})",
        100.0 * share,
        100.0 * low,
        100.0 * high
    );
    if let Some(sprt) = &summary.sprt {
        text += &format!(", LLR {:.2}", sprt.llr);
    }
    text
}

/// A difference in Elo; what rounds to nothing has no sign.
pub fn signed(elo: f64) -> String {
    match elo.round() {
        0.0 => "0".to_owned(),
        elo => format!("{elo:+}"),
    }
}

fn print(out: &mut dyn Write, summary: &Summary) -> Result<()> {
    let header = &summary.header;
    let side = header.size;
    writeln!(out, "{} against {}", header.first, header.second)?;
    writeln!(
        out,
        "{side}x{side}, komi {}, {} rules, openings: {}, seed {}",
        header.komi, header.rules, header.openings, header.seed
    )?;
    if summary.games == 0 {
        writeln!(out, "\nNo game was finished.")?;
        return Ok(());
    }
    writeln!(out, "\n               won  drawn   lost   score   95 %")?;
    for (name, counts) in
        [("all", &summary.all), ("as Black", &summary.as_black), ("as White", &summary.as_white)]
    {
        let Counts { wins, draws, losses, share, interval: [low, high] } = *counts;
        if wins + draws + losses == 0 {
            continue;
        }
        writeln!(
            out,
            "  {name:<10}{wins:>6} {draws:>6} {losses:>6} {:>5.1} %   {:.1} to {:.1} %",
            100.0 * share,
            100.0 * low,
            100.0 * high
        )?;
    }
    let elo = |value: Option<f64>, none: &str| value.map_or(none.to_owned(), signed);
    let [low, high] = summary.elo_interval;
    let all = if summary.all.share > 0.5 { "+∞" } else { "-∞" };
    writeln!(
        out,
        "\nElo {}, 95 %: {} to {}",
        elo(summary.elo, all),
        elo(low, "-∞"),
        elo(high, "+∞")
    )?;
    if let Some(sprt) = &summary.sprt {
        let verdict = match sprt.verdict {
            "elo0" => format!("rather {}", sprt.elo0),
            "elo1" => format!("rather {}", sprt.elo1),
            _ => "not decided".to_owned(),
        };
        writeln!(
            out,
            "SPRT of {} against {} Elo: LLR {:.2} of ±{:.2}, {verdict}",
            sprt.elo0, sprt.elo1, sprt.llr, sprt.bound
        )?;
    }
    let endings: Vec<String> =
        summary.endings.iter().map(|(ended, games)| format!("{games} {ended}")).collect();
    writeln!(out, "Games ended {}", endings.join(", "))?;
    for note in &summary.notes {
        writeln!(out, "Note: {note}")?;
    }
    writeln!(out, "\n   moves   s a move   longest   lost on time   forfeits")?;
    for player in &summary.players {
        writeln!(
            out,
            "{:>8}   {:>8.3}   {:>7.2}   {:>12}   {:>8}   {}",
            grouped(player.moves),
            player.seconds_a_move,
            player.longest,
            player.lost_on_time,
            player.forfeits,
            player.player
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!([-0.4, 0.4, 34.6, -12.2].map(signed), ["0", "0", "+35", "-12"]);
    }
}
