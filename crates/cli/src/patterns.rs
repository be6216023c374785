//! `harie patterns`: the pattern database, checked, and what it does in games of the player that goes
//! by it.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Result, anyhow};
use clap::Args;
use engine::{Choice, Engine, Fired, Knowledge, Library, Options, Request, Stop};
use goban::{Game, Rules, Size};
use knowledge::{PatternKind, Patterns as Database};
use policy::many;
use protocol::limits::NO_LIMIT;

use crate::engine_options::{cores, library};
use crate::progress::Work;
use crate::{interrupt, options};

const EXAMPLES: &str = "\
Examples:
  harie patterns                              how many patterns of which kind there are
  harie patterns mine.txt                     whether a file of patterns is right
  harie patterns --self-play 10               how often each pattern fires in ten games on 9x9
  harie gtp --player knowledge --patterns mine.txt      play by them

docs/knowledge.md says how patterns are written.";

/// Check a file of patterns, and count how often they fire in self-play
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Patterns {
    /// A file of patterns [default: those that come with Harie]
    file: Option<PathBuf>,

    /// Play so many games of the player that goes by knowledge against itself
    #[arg(long, value_name = "GAMES", value_parser = options::counted)]
    self_play: Option<usize>,

    /// The board of self-play
    #[arg(long, value_name = "N", default_value = "9", value_parser = options::size)]
    size: Size,

    /// Playouts for a move of self-play
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = options::counted)]
    visits: usize,

    /// Seed of self-play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = options::whole::<u64>)]
    seed: u64,
}

impl Patterns {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        let patterns = match &self.file {
            None => Database::standard(),
            Some(path) => {
                let at = |why| anyhow!("{}: {why}", path.display());
                let text = lab::read_named(&path.to_string_lossy()).map_err(at)?;
                Database::parse(&text).map_err(|error| anyhow!("{}, {error}", path.display()))?
            }
        };
        writeln!(out, "{}", many(patterns.list().len(), "pattern"))?;
        for kind in PatternKind::ALL {
            let count = patterns.list().iter().filter(|pattern| pattern.kind == kind).count();
            if count > 0 {
                writeln!(out, "  {:<8} {count:>4}", kind.name())?;
            }
        }
        if let Some(games) = self.self_play {
            let patterns = Arc::new(patterns);
            let (fired, moves, by_pattern) = self.play(games, &patterns)?;
            report(out, &patterns, &fired, games)?;
            let moves = many(moves as usize, "move");
            writeln!(out, "\n{moves}, {by_pattern} of them proposed by a pattern")?;
        }
        Ok(())
    }

    /// Plays games; says what fired, how many moves there were and how many of them patterns made.
    fn play(&self, games: usize, patterns: &Arc<Database>) -> Result<(Fired, u64, u64)> {
        let library: Arc<Library> = library(None, None)?.into();
        let stop = interrupt::flag();
        let bar = Work::new("Playing", games as u64, "games");
        let (mut all, mut moves) = (Fired::new(), 0);
        for number in 0..games {
            let knowledge = Knowledge { patterns: Some(patterns.clone()), ..Knowledge::default() };
            let options = Options {
                threads: cores(),
                visits: Some(self.visits as u64),
                time: NO_LIMIT,
                resign: None,
                seed: self.seed.wrapping_add(number as u64),
                knowledge: Some(knowledge),
                ..Options::default()
            };
            let mut engine = Engine::new(library.clone(), options);
            engine.set_game(Game::new(self.size, Rules::CHINESE, 7.0));
            while !engine.game().is_over() && engine.game().moves().len() < 3 * self.size.area() {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let color = engine.game().to_move();
                let request = Request::default();
                let Choice::Play(mv) = engine.think(color, &request, &Stop::new(), &mut |_| {})
                else {
                    break;
                };
                if engine.play(color, mv).is_err() {
                    break;
                }
                moves += 1;
            }
            for (name, [proposed, played]) in engine.fired() {
                let sum = all.entry(name.clone()).or_default();
                sum[0] += proposed;
                sum[1] += played;
            }
            bar.set(number as u64 + 1);
        }
        let by_pattern = all.values().map(|count| count[1]).sum();
        Ok((all, moves, by_pattern))
    }
}

fn report(out: &mut dyn Write, patterns: &Database, fired: &Fired, games: usize) -> Result<()> {
    let mut rows: Vec<_> = fired.iter().collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(count[1]));
    let stones = |name: &str| {
        let found = patterns.list().iter().find(|pattern| pattern.name == name);
        found.map_or(0, |pattern| pattern.stones)
    };
    let head = format!("In {}", many(games, "game"));
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(24);
    writeln!(out, "\n{head:<width$}  stones  proposed  played")?;
    for (name, [proposed, played]) in &rows {
        writeln!(out, "{name:<width$}  {:>6}  {proposed:>8}  {played:>6}", stones(name))?;
    }
    writeln!(out, "\n{:<width$}  stones  proposed  played", "All patterns of a size")?;
    for (what, range) in [("0 to 1", 0..2), ("2 to 4", 2..5), ("5 to 9", 5..10)] {
        let of = rows.iter().filter(|(name, _)| range.contains(&stones(name)));
        let [proposed, played] = of.fold([0, 0], |sum, (_, c)| [sum[0] + c[0], sum[1] + c[1]]);
        writeln!(out, "{:<width$}  {what:>6}  {proposed:>8}  {played:>6}", "")?;
    }
    Ok(())
}
