//! `harie rate`: a rating list over a pool of players.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use lab::statistics::Tally;
use lab::{Contest, Finished, Folder, Header, Pairing, Plan, Pool, RatingList, Spec, pgn, tally};
use policy::{grouped, many};

use crate::engine_options::player;
use crate::eval::command_line;
use crate::matches::warn;
use crate::progress::Work;
use crate::terms::{Libraries, Terms};
use crate::{interrupt, options, output};

const EXAMPLES: &str = "\
Examples:
  harie rate --player harie:visits=100 --player harie:visits=400 --player gnugo:10 --out pool
  harie rate --player harie:level=10k --anchor gnugo:1=1400 --anchor gnugo:10=1800 --out pool
  harie rate --player harie:visits=500 --player harie:visits=500,amaf=0 --player 'gtp:./pachi' \\
      --pairing adaptive --games 50 --parallel 2 --out pool --json
  harie rate --games 0 --out pool --pgn pool.pgn     only the list of what was played there

Players are written as for 'harie match'. Ratings are the most likely ones of the \
Bradley-Terry model in Elo, with 95 % errors, as BayesElo finds them: every player is thought to \
have drawn two games more, shared among those it met, so that few games say little and nobody is \
infinitely strong. Anchors keep their ratings, and without any the mean is 0. Ctrl-C stops; the same command goes on, also with more games or \
players.";

/// Play a pool of engines and settings against each other, and rate them
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Rate {
    /// A player to be rated; give it again for each
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    player: Vec<Spec>,

    /// A player whose rating is known; give it again for each
    #[arg(long, value_name = "PLAYER=ELO", value_parser = anchor)]
    anchor: Vec<(Spec, f64)>,

    /// Games of each pair; adaptive pairing plays as many in all and divides them. With 0 and no
    /// --player all who played in the folder of --out are rated
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = options::whole::<usize>)]
    games: usize,

    /// How opponents are found
    #[arg(long, value_name = "HOW", default_value = "all")]
    pairing: How,

    /// Keep games and results in this folder, and go on with what is in it
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Write the results of all games to this file, as BayesElo reads them
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    #[command(flatten)]
    terms: Terms,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// [`Pairing`] as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum How {
    /// All play all, equally often
    All,
    /// Games go where they tell most
    Adaptive,
}

/// A player and its rating: what follows the last `=`.
fn anchor(text: &str) -> Result<(Spec, f64), String> {
    let parts = text.rsplit_once('=');
    let Some((spec, Ok(elo))) = parts.map(|(spec, elo)| (spec, elo.trim().parse::<f64>())) else {
        return Err("PLAYER=ELO is wanted, such as gnugo:10=1800".to_owned());
    };
    if !elo.is_finite() || elo.abs() > 10_000.0 {
        return Err(format!("{elo} is no rating"));
    }
    let player = Spec::parse(spec).map_err(|error| match Spec::parse(text) {
        // What looked like the rating is the value of an option.
        Ok(_) => format!("=ELO is missing: PLAYER=ELO is wanted, such as {text}=1800"),
        Err(_) => error.to_string(),
    })?;
    Ok((player, elo))
}

/// A pair of players with its match.
struct Table {
    contest: Contest,
    path: PathBuf,
    /// Whether the second player of the pair is the first of the match.
    swapped: bool,
    done: Vec<Finished>,
}

impl Rate {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        output::check_all(&[self.pgn.as_ref()], &[&self.out])?;
        if self.games == 0 && self.player.is_empty() {
            return self.list_kept(out);
        }
        let anchored = self.anchor.iter().map(|(spec, elo)| (spec, Some(*elo)));
        let players: Vec<(&Spec, Option<f64>)> =
            self.player.iter().map(|spec| (spec, None)).chain(anchored).collect();
        let names: BTreeSet<&str> = players.iter().map(|(spec, _)| spec.label.as_str()).collect();
        if names.len() < players.len() {
            bail!("a player is there twice; give one of them another seed, as in harie:seed=2");
        }
        if players.len() < 2 {
            bail!("a pool has two players or more: give --player again, or --anchor");
        }
        let pool = Pool {
            players: players.iter().map(|(spec, _)| spec.label.clone()).collect(),
            anchors: players.iter().map(|&(_, elo)| elo).collect(),
            pairing: match self.pairing {
                How::All => Pairing::All,
                How::Adaptive => Pairing::Adaptive,
            },
            games: self.games,
            // Both games of a pair begin alike with the colours changed, so that they go together.
            batch: self.terms.parallel.next_multiple_of(2).max(2),
        };
        let mut libraries = Libraries::default();
        let mut tables = Vec::new();
        for (i, j) in pool.pairs() {
            // They may have met before with their names given the other way round.
            let path_of =
                |i: usize, j: usize| self.out.join(folder_name(&pool.players[i], &pool.players[j]));
            let was_played = |path: &Path| path.join("match.json").exists();
            let swapped = was_played(&path_of(j, i)) && !was_played(&path_of(i, j));
            let (first, second) = if swapped { (j, i) } else { (i, j) };
            let contest =
                self.terms.contest(players[first].0, players[second].0, &mut libraries)?;
            let path = path_of(first, second);
            let mut table = Table { contest, path, swapped, done: Vec::new() };
            if was_played(&table.path) {
                let folder = Folder::open(&table.path, &table.contest.header())?;
                table.done = folder.done().values().cloned().collect();
            }
            tables.push(table);
        }
        let interrupted = interrupt::flag();
        self.play(&pool, &mut tables, &interrupted)?;
        let header = tables[0].contest.header();
        let list = pool.list(&tallies(&tables), &header, &command_line());
        let played = tables.iter().map(|table| (table.contest.header(), table.done.as_slice()));
        self.show(out, &list, played)?;
        let left = pool.next(&tallies(&tables)).is_some();
        if interrupted.load(Ordering::Relaxed) && left {
            out.flush()?;
            let (games, all) = (grouped(list.games), many(pool.total(), "game"));
            bail!("stopped after {games} of {all}; the same command goes on");
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Plays until all is played or it is interrupted.
    fn play(&self, pool: &Pool, tables: &mut [Table], interrupted: &AtomicBool) -> Result<()> {
        let bar = Work::new("Games", pool.total() as u64, "games");
        bar.before(tables.iter().map(|table| table.done.len() as u64).sum());
        let pairs = pool.pairs();
        let mut warned = BTreeSet::new();
        while let Some((pair, games)) = pool.next(&tallies(tables)) {
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
            let before: usize = tables.iter().map(|table| table.done.len()).sum();
            let Table { contest, path, done, .. } = &mut tables[pair];
            let (i, j) = pairs[pair];
            bar.say(format!("{} against {}", pool.players[i], pool.players[j]));
            fs::create_dir_all(&*path).with_context(|| path.display().to_string())?;
            let folder = Folder::open(path, &contest.header())?;
            let plan = Plan { games, parallel: self.terms.parallel, sprt: None };
            let mut new = 0;
            contest.run(&plan, Some(folder), interrupted, &mut |finished, summary| {
                warn(&bar, summary, &mut warned);
                if let Some(game) = finished {
                    new += 1;
                    bar.set((before + new) as u64);
                    if let Some(why) = &game.why {
                        bar.line(&format!("game {}, {}: {why}", game.game, game.ended));
                    }
                    done.push(game.clone());
                }
            })?;
            if new == 0 && !interrupted.load(Ordering::Relaxed) {
                bail!("{}: no game was played", path.display());
            }
        }
        Ok(())
    }

    /// The list, and all games as PGN if they are asked for.
    fn show<'a>(
        &self,
        out: &mut dyn Write,
        list: &RatingList,
        played: impl Iterator<Item = (Header, &'a [Finished])>,
    ) -> Result<()> {
        if let Some(path) = &self.pgn {
            let mut text = String::new();
            for (header, done) in played {
                let mut games: Vec<&Finished> = done.iter().collect();
                games.sort_by_key(|game| game.game);
                for game in games {
                    text += &pgn(&header.first, &header.second, game, header.size);
                }
            }
            output::write(path, text.as_bytes())?;
        }
        match self.json {
            true => writeln!(out, "{}", serde_json::to_string_pretty(list)?)?,
            false => print(out, list)?,
        }
        Ok(())
    }

    /// Rates all who have played in the folder.
    fn list_kept(&self, out: &mut dyn Write) -> Result<ExitCode> {
        let shown = self.out.display();
        let mut paths: Vec<PathBuf> = fs::read_dir(&self.out)
            .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
            .with_context(|| format!("{shown} cannot be read"))?;
        paths.sort();
        let found: Result<Vec<_>, _> = paths.iter().map(|path| Folder::look(path)).collect();
        let kept: Vec<(Header, Vec<Finished>)> = found?.into_iter().flatten().collect();
        let Some((header, _)) = kept.first() else {
            if Folder::look(&self.out)?.is_some() {
                bail!("{shown}: this is one match, not a pool; 'harie report {shown}' shows it");
            }
            bail!("{shown}: nobody has played here; name the players by --player");
        };
        let terms = |header: &Header| {
            format!("{0}x{0}, komi {1}, {2} rules", header.size, header.komi, header.rules)
        };
        if let Some((other, _)) = kept.iter().find(|(other, _)| terms(other) != terms(header)) {
            bail!(
                "{shown}: games on {} and on {} do not make one list; name the players by --player",
                terms(header),
                terms(other)
            );
        }
        let played: Vec<(Header, Tally)> =
            kept.iter().map(|(header, done)| (header.clone(), tally(done))).collect();
        let anchors = || self.anchor.iter().map(|(spec, elo)| (&spec.label, *elo));
        let (pool, tallies) = Pool::of(&played, |name| {
            anchors().find(|&(label, _)| label == name).map(|(_, elo)| elo)
        });
        if let Some((stranger, _)) = anchors().find(|(label, _)| !pool.players.contains(label)) {
            let all = pool.players.join(", ");
            bail!("{shown}: {stranger} has not played here; there are {all}");
        }
        let list = pool.list(&tallies, header, &command_line());
        self.show(out, &list, kept.iter().map(|(header, done)| (header.clone(), done.as_slice())))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn tallies(tables: &[Table]) -> Vec<Tally> {
    let of = |table: &Table| {
        let tally = tally(&table.done);
        match table.swapped {
            true => Tally { wins: tally.losses, losses: tally.wins, ..tally },
            false => tally,
        }
    };
    tables.iter().map(of).collect()
}

/// A folder for a pair of players: letters that every system allows, and a sum that tells them apart.
fn folder_name(first: &str, second: &str) -> String {
    let plain = |text: &str| -> String {
        let kept = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
        kept.take(40).collect()
    };
    let bytes = first.bytes().chain([0]).chain(second.bytes());
    let sum = bytes.fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3)
    });
    let name = format!("{}-{}-{:08x}", plain(first), plain(second), sum as u32);
    Path::new(&name).to_string_lossy().into_owned()
}

fn print(out: &mut dyn Write, list: &RatingList) -> Result<()> {
    let side = list.size;
    writeln!(
        out,
        "{} on {side}x{side}, komi {}, {} rules",
        many(list.games, "game"),
        list.komi,
        list.rules
    )?;
    writeln!(out, "\n  rank     Elo    95 %   games   score   opposition   above next   player")?;
    for rated in &list.ratings {
        let error = if rated.anchor { "given".to_owned() } else { format!("±{:.0}", rated.error) };
        let above = rated.above_next.map_or(String::new(), |p| format!("{:.1} %", 100.0 * p));
        writeln!(
            out,
            "  {:>4}  {:>6.0}  {error:>6}  {:>6}  {:>4.1} %   {:>10.0}   {above:>10}   {}",
            rated.rank,
            rated.elo,
            grouped(rated.games),
            100.0 * rated.score,
            rated.opposition,
            rated.player
        )?;
    }
    writeln!(out, "\n     won  drawn   lost   score   expected")?;
    for met in &list.pairs {
        let games = (met.wins + met.draws + met.losses) as f64;
        let share = (met.wins as f64 + met.draws as f64 / 2.0) / games;
        writeln!(
            out,
            "  {:>6} {:>6} {:>6}  {:>4.1} %     {:>4.1} %   {} against {}",
            met.wins,
            met.draws,
            met.losses,
            100.0 * share,
            100.0 * met.expected,
            met.first,
            met.second
        )?;
    }
    Ok(())
}
