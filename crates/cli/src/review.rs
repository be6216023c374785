//! `harie review`: a whole game, the moves that decided it, written into the record and onto a page.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result};
use clap::Args;
use engine::review::{Effort, MISTAKES};
use engine::{Engine, Language, Options};
use goban::Color;
use kifu::{Resumed, Unplayable};
use lab::page::Page;
use lab::review::{Review as Found, annotate};
use protocol::rules;

use crate::chosen::{Chosen, plain};
use crate::engine_options::{Thinking, cores};
use crate::progress::Work;
use crate::{interrupt, options, output, report};

const EXAMPLES: &str = "\
Examples:
  harie review game.sgf -o reviewed.sgf                      comments and variations in a copy
  harie review game.sgf -o reviewed.sgf --html review.html   and a page with graphs and boards
  harie review game.sgf                                      only the list of mistakes
  harie review game.sgf --visits 5000 --mistakes 10          think longer, tell more
  harie review game.sgf -o reviewed.sgf --lang ja            in Japanese

Everything that was in the record stays. Comments (C) say how the game stands after each move, \
V is Black's lead in points, BM marks the moves that decided the game, and the better line is \
a variation beside each. Ctrl-C ends the analysis and writes how the game stood up to there.";

/// Playouts for a position unless told otherwise: 250 moves take less than five minutes on two cores.
const VISITS: u64 = 1200;

/// With fewer, what is found is mostly chance.
const FEW: u64 = 100;

/// Go through a game and find the few moves that decided it
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("seconds", |arg| arg.help("Seconds for each position [default: no limit]")),
    mut_arg("visits", |arg| {
        arg.help("Playouts for each position [default: 1200 unless --seconds is given]")
    }),
    mut_arg("memory", |arg| {
        arg.help("Memory for what is being thought, in megabytes [default: 24 up to 20000 playouts, else 512]")
    })
)]
pub struct Review {
    /// A game record (SGF, also .gz or .zip)
    file: PathBuf,

    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = options::counted)]
    game: usize,

    /// Write the record with comments and variations to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write a page with graphs and boards to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Tell about so many moves at most
    #[arg(long, value_name = "N", default_value_t = MISTAKES, value_parser = options::counted)]
    mistakes: usize,

    /// The language of comments: en, ja
    #[arg(long, value_name = "LANGUAGE", default_value_t = Language::English)]
    lang: Language,

    #[command(flatten)]
    thinking: Thinking,
}

impl Review {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        // Minutes of thinking are not to end in a file that cannot be written.
        output::check_all(&[self.output.as_ref(), self.html.as_ref()], &[&self.file])?;
        let chosen = Chosen::open(&self.file, self.game)?;
        let Resumed { start, game, played: last, .. } = playable(&chosen)?;
        let Chosen { mut tree, record, .. } = chosen;
        // After stones were set up in the middle of a record only what follows is one game.
        let moves = game.moves();
        let skipped = last - moves.len();
        if skipped > 0 {
            eprintln!("warning: stones were set up after move {skipped}; the review begins there");
        }
        let (visits, time) = self.thinking.bounds(VISITS);
        let effort = Effort { visits, time, mistakes: self.mistakes };
        let megabytes = self.thinking.memory.unwrap_or(effort.megabytes());
        let options = Options { megabytes, ..self.thinking.options(cores()) };
        let mut engine = Engine::new(self.thinking.library()?.into(), options);
        let stop = interrupt::flag();
        let bar = Work::new("Reviewing", moves.len() as u64 + 1, "positions");
        if let Some(few) = visits.filter(|&visits| visits < FEW) {
            eprintln!(
                "warning: {few} playouts for a position tell little, and much of what they find is \
                 chance; make it {FEW} at least"
            );
        }
        let found = Found::new(&mut engine, &start, moves, &effort, &mut |done| {
            if done > moves.len() {
                bar.say("looking again at the moves that lost most".to_owned());
            }
            bar.set(done as u64);
            !stop.load(Ordering::Relaxed)
        });
        drop(bar);
        let found = found.shifted(skipped);
        print(out, &found, last, self.lang)?;
        if let Some(path) = &self.output {
            annotate(&mut tree, &record, &found, self.lang);
            output::write(path, tree.to_sgf().as_bytes())?;
            writeln!(out, "\nThe record with comments is {}", path.display())?;
        }
        if let Some(path) = &self.html {
            let [black, white] =
                Color::BOTH.map(|c| record.player(c).name.clone().unwrap_or_else(|| c.to_string()));
            let mut page = Page::new(&format!("{black} – {white}")).in_language(self.lang);
            page.review("How the game went", &found);
            report::write(&page, path)?;
            writeln!(out, "The page is {}", path.display())?;
        }
        Ok(())
    }
}

/// The game from its start to its end, or to the first move that cannot be played.
fn playable(chosen: &Chosen) -> Result<Resumed> {
    let (record, at) = (&chosen.record, chosen.at());
    let plain = plain(record);
    let by = record.rules.as_deref().and_then(rules::named).unwrap_or(*plain.rules());
    let komi = record.komi.unwrap_or(plain.komi());
    let resumed = record.resume_far(by, komi).with_context(|| at.to_owned())?;
    if let Some(Unplayable::Move { number, color, mv, why }) = &resumed.broken {
        eprintln!("warning: {at}: move {number}, {color} {mv}: {why}; the review ends before it");
    }
    Ok(resumed)
}

/// Rows of the graph.
const HIGH: usize = 9;

/// Columns of the graph at most.
const WIDE: usize = 72;

fn print(out: &mut dyn Write, found: &Found, moves: usize, language: Language) -> Result<()> {
    let standings = &found.standings;
    let Some(last) = standings.last() else {
        writeln!(out, "No position was looked at.")?;
        return Ok(());
    };
    writeln!(out, "How often Black wins, from the start to move {}\n", found.last())?;
    let columns = standings.len().min(WIDE);
    let row = |column: usize| {
        let at = column * (standings.len() - 1) / columns.max(2).saturating_sub(1);
        ((1.0 - standings[at.min(standings.len() - 1)].winrate) * (HIGH - 1) as f32).round()
            as usize
    };
    for y in 0..HIGH {
        let label = 100 - 100 * y / (HIGH - 1);
        let cells: String = (0..columns)
            .map(|x| match (row(x) == y, 2 * y + 1 == HIGH) {
                (true, _) => '●',
                (false, true) => '·',
                _ => ' ',
            })
            .collect();
        writeln!(out, "{label:>4} % {}", cells.trim_end())?;
    }
    let (percent, score) = (100.0 * last.winrate, last.score);
    let stands = match score {
        s if s >= 0.5 => format!("ahead by {s:.1} points"),
        s if s <= -0.5 => format!("behind by {:.1} points", -s),
        _ => "the score is even".to_owned(),
    };
    writeln!(out, "\nAfter move {} Black wins {percent:.0} %, {stands}.", found.last())?;
    if found.last() < moves {
        let mistakes = match found.mistakes.len() {
            0 => "no mistakes were found up to there",
            _ => {
                "these are the mistakes up to there, not looked at a second time where it was stopped"
            }
        };
        writeln!(
            out,
            "The review was stopped after move {} of {moves}: {mistakes}.",
            found.last()
        )?;
    } else if found.mistakes.is_empty() {
        writeln!(out, "No move that decided the game was found.")?;
    }
    for mistake in &found.mistakes {
        writeln!(out, "\nMove {}", mistake.number)?;
        for sentence in mistake.explanation.sentences(language) {
            writeln!(out, "  {sentence}")?;
        }
    }
    Ok(())
}
