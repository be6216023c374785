//! `harie oracle`: positions of games judged by an engine, to measure others against.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use goban::{Game, Rules, Size};
use kifu::{Corpus, Record};
use lab::ladder::{read_oracle, write_judged};
use lab::{Analyst, AnalystEffort, Eye, Question};
use policy::{grouped, many};
use protocol::replay;

use crate::progress::{Reading, Work};
use crate::{interrupt, options, output};

const EXAMPLES: &str = "\
Examples:
  harie oracle --engine 'katago analysis -config a.cfg -model net.bin.gz' games/ -o my.jsonl.gz
  harie oracle --engine 'katago gtp -config g.cfg -model net.bin.gz' game.sgf -o my.jsonl.gz
  harie oracle --engine 'harie analysis' --visits 2000 games.sgf.gz --every 20 -o my.jsonl.gz
  harie eval --oracle my.jsonl.gz

The engine speaks the JSON analysis protocol or the Go Text Protocol with kata-analyze; which \
of them is found out. --visits counts, whatever the command line of the engine says; over the Go \
Text Protocol an engine tells ten times a second how far it is, so that a fast one is past them \
when it is stopped. Positions are taken from the main lines of the games. Ctrl-C stops; the same \
command goes on. Finished positions are in FILE.unfinished until all are done.";

/// Have an engine judge positions of games, as an oracle to measure playouts against
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Oracle {
    /// Game records: files or folders (.sgf, .gz, .zip)
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Command line of the engine that judges
    #[arg(long, value_name = "CMD")]
    engine: String,

    /// The file to write (.jsonl, or .gz for a packed one)
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Visits for each position; over the Go Text Protocol, so many or more
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = options::counted)]
    visits: usize,

    /// Take the positions after every N moves
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = options::counted)]
    every: usize,

    /// Only games on this board size [default: all]
    #[arg(long, value_name = "N", value_parser = options::size)]
    size: Option<Size>,

    /// So many positions, evenly spread over all games [default: all]
    #[arg(long, value_name = "N", value_parser = options::counted)]
    positions: Option<usize>,

    /// From whose view an engine tells win rates over the Go Text Protocol
    #[arg(long, value_name = "WHO", default_value = "side")]
    view: Whose,

    /// Positions that an engine is given at once over the JSON protocol
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = options::counted)]
    parallel: usize,

    /// Seconds after which an engine that does not answer is given up
    #[arg(long, value_name = "S", default_value_t = 300.0, value_parser = options::seconds)]
    timeout: f64,
}

/// [`Eye`] as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Whose {
    /// The player to move
    Side,
    /// Black
    Black,
    /// White
    White,
}

impl Oracle {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        output::check(&self.output, &self.files)?;
        let stop = interrupt::flag();
        let go_on = || !stop.load(Ordering::Relaxed);
        let questions = self.questions()?;
        let total = questions.len();
        let order: HashMap<String, usize> =
            questions.iter().enumerate().map(|(i, q)| (q.id.clone(), i)).collect();
        let part = output::beside(&self.output, ".unfinished");
        let done = self.done(&part)?;
        let questions: Vec<Question> =
            questions.into_iter().filter(|question| !done.contains(&question.id)).collect();
        if !questions.is_empty() {
            let effort = AnalystEffort {
                visits: self.visits as u64,
                timeout: Duration::from_secs_f64(self.timeout),
                eye: match self.view {
                    Whose::Side => Eye::Side,
                    Whose::Black => Eye::Black,
                    Whose::White => Eye::White,
                },
                parallel: self.parallel,
            };
            // First of all, so that an engine that cannot judge leaves no file behind.
            let mut analyst = Analyst::start(&self.engine, &go_on)?;
            let mut lines = OpenOptions::new()
                .append(true)
                .create(true)
                .open(&part)
                .with_context(|| part.display().to_string())?;
            let bar = Work::new("Positions", total as u64, "positions");
            let mut judged = total - questions.len();
            bar.before(judged as u64);
            let mut failed = None;
            let told = analyst.judge(&questions, &effort, &go_on, &mut |position| {
                bar.say(format!("{}: {:.1} %", position.id, 100.0 * position.winrate_black));
                failed = write_judged(&mut lines, &position).err();
                judged += 1;
                bar.set(judged as u64);
                failed.is_none()
            });
            drop(bar);
            if let Some(note) = analyst.note() {
                eprintln!("warning: {}: {note}", self.engine);
            }
            if let Err(error) = told {
                if fs::metadata(&part).is_ok_and(|about| about.len() == 0) {
                    fs::remove_file(&part).with_context(|| part.display().to_string())?;
                }
                return Err(error.into());
            }
            if let Some(error) = failed {
                return Err(error).with_context(|| part.display().to_string());
            }
            if judged < total {
                let (judged, total) = (grouped(judged), grouped(total));
                bail!("stopped after {judged} of {total} positions; the same command goes on");
            }
        }
        if part.exists() {
            self.finish(&part, &order)?;
        }
        writeln!(out, "{} in {}", many(total, "position"), self.output.display())?;
        Ok(())
    }

    /// The positions of all games that can be reached from an empty board.
    fn questions(&self) -> Result<Vec<Question>> {
        let mut questions = Vec::new();
        let mut corpus = Corpus::new(&self.files);
        let bar = Reading::new(&corpus);
        let (mut set_up, mut broken, mut others) = (0usize, 0usize, 0usize);
        let mut counted: HashMap<String, usize> = HashMap::new();
        while let Some(found) = corpus.next() {
            bar.update(&corpus);
            let found = found?;
            let name = name_of(found.tree.origin().file.as_deref());
            let number = counted.entry(name.clone()).or_default();
            *number += 1;
            let Ok(record) = Record::new(&found.tree, &mut Vec::new()) else { continue };
            if self.size.is_some_and(|size| size != record.size) {
                others += 1;
                continue;
            }
            if !record.stones.is_empty() || !record.changes.is_empty() {
                set_up += 1;
                continue;
            }
            let plain = Game::new(record.size, Rules::CHINESE, 7.5);
            let Ok((start, whole)) = replay(&plain, &record, usize::MAX) else {
                broken += 1;
                continue;
            };
            let mut game = start;
            for (i, &(color, mv)) in whole.moves().iter().enumerate() {
                if i > 0 && i.is_multiple_of(self.every) {
                    let id = format!("{name}-{number}-{i}");
                    questions.push(Question { id, game: game.clone() });
                }
                if game.play_as(color, mv).is_err() {
                    break;
                }
            }
        }
        drop(bar);
        if set_up > 0 {
            let set_up = many(set_up, "game");
            eprintln!("warning: left out: {set_up} beginning with stones on the board");
        }
        if broken > 0 {
            let broken = many(broken, "game");
            eprintln!("warning: left out: {broken} that cannot be played to the end");
        }
        if let Some(wanted) = self.positions.filter(|&wanted| wanted < questions.len()) {
            let mut kept = vec![false; questions.len()];
            lab::ladder::spread(questions.len(), wanted).for_each(|i| kept[i] = true);
            let mut keep = kept.into_iter();
            questions.retain(|_| keep.next().unwrap_or(false));
        }
        if questions.is_empty() {
            if let Some(size) = self.size.filter(|_| others > 0) {
                let (others, every) = (many(others, "game"), self.every + 1);
                bail!(
                    "no game on {size} here has {every} moves or more from an empty board; {others} on \
                     other boards left out by --size"
                );
            }
            bail!("no game here has {} moves or more from an empty board", self.every + 1);
        }
        Ok(questions)
    }

    /// The names of positions that an earlier run has judged. A line that was being written when
    /// something worse than Ctrl-C happened is cut off.
    fn done(&self, part: &Path) -> Result<BTreeSet<String>> {
        let mut done = BTreeSet::new();
        if part.exists() {
            let bytes = fs::read(part).with_context(|| part.display().to_string())?;
            let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            if whole < bytes.len() {
                let file = OpenOptions::new().write(true).open(part)?;
                file.set_len(whole as u64)?;
            }
        } else if self.output.exists() {
            // More positions are added to those that are there.
            let mut lines = BufWriter::new(File::create(part)?);
            for (position, _) in read_oracle(&self.output)? {
                write_judged(&mut lines, &position)?;
            }
            lines.flush()?;
        }
        if part.exists() {
            done.extend(read_oracle(part)?.into_iter().map(|(position, _)| position.id));
        }
        Ok(done)
    }

    /// Puts what is done into its place, in the order of the games whatever the order it was judged
    /// in; what an earlier command judged comes last.
    fn finish(&self, part: &Path, order: &HashMap<String, usize>) -> Result<()> {
        let mut judged = read_oracle(part)?;
        judged.sort_by_key(|(position, _)| order.get(&position.id).copied().unwrap_or(usize::MAX));
        let mut bytes = Vec::new();
        for (position, _) in &judged {
            write_judged(&mut bytes, position)?;
        }
        if self.output.extension().is_some_and(|extension| extension == "gz") {
            bytes = lab::gzip(&bytes);
        }
        output::write(&self.output, &bytes)?;
        fs::remove_file(part).with_context(|| part.display().to_string())
    }
}

/// The name of a file without its folder and its endings.
fn name_of(file: Option<&Path>) -> String {
    let name = file.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    name.and_then(|name| Some(name.split('.').next()?.to_owned())).unwrap_or("game".to_owned())
}
