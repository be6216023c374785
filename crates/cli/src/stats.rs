//! `harie stats`: what playouts tell about the points of a position and about pairs of them.

mod picture;
mod text;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use engine::{Language, counted_order, counted_pair};
use goban::{Color, Game, Point};
use playout::Compiled;
use playout::statistics::{Before, Counts, Findings, JointPair, Task, Wins, gather, komi};
use policy::Use;
use serde::Serialize;

use crate::chosen::Chosen;
use crate::engine_options::cores;
use crate::progress::Work;
use crate::{interrupt, options, output, weights};

const EXAMPLES: &str = "\
Examples:
  harie stats game.sgf --move 40               what 10,000 playouts tell about a position
  harie stats game.sgf --move 40 --model       by playouts that draw from the move model
  harie stats game.sgf --svg stats.svg         with a picture: owners, pairs of points and of moves
  harie stats problem.sgf --komi 0.5 --seed 7  with another komi, and other random numbers
  harie stats game.sgf --json > stats.json     for a program to read

Ownership says who has a point in the end, criticality how much owning it goes together with \
winning (0.5 at most), joint criticality how much having at least one of two points does, order \
criticality how much one move's coming before another goes together with Black's winning. All \
are counts of random games. They do not say what to play, and two points or moves of a pair may \
belong to different fights. Who wins depends on the komi; choose one that makes the fight decide \
the game. docs/statistics.md says more.";

/// Say what playouts know about a position: owners, critical points, miai, the order of moves
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Stats {
    /// A game record (SGF, also .gz or .zip)
    file: PathBuf,

    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = options::counted)]
    game: usize,

    /// The position after this many moves [default: all]
    #[arg(long = "move", value_name = "N", value_parser = options::whole::<usize>)]
    number: Option<usize>,

    /// How many playouts
    #[arg(long, value_name = "N", default_value_t = Task::PLAYOUTS,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    playouts: u64,

    /// Every legal move that fills no own eye is equally likely (this is the default)
    #[arg(long, conflicts_with = "model")]
    uniform: bool,

    /// Moves are drawn from the model that comes with Harie: a switch, unlike the --model FILE of other
    /// commands
    #[arg(long)]
    model: bool,

    /// Points for White [default: as the record says, or 7.5]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = options::komi)]
    komi: Option<f32>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// With --json: every pair, also of settled points and with too few playouts
    #[arg(long, requires = "json")]
    all: bool,

    /// Write a picture to this file as well
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Threads that play at the same time [default: all]; the result is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Seed of the playouts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = options::whole::<u64>)]
    seed: u64,
}

/// Pairs that are listed unless all are wanted.
const LISTED: usize = 100;

impl Stats {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        output::check_all(&[self.svg.as_ref()], &[&self.file])?;
        let game = self.read()?;
        let compiled = self.model.then(|| {
            let size = game.board().size();
            Compiled::new(&weights::model(Use::Mc, size), size)
        });
        let compiled = compiled.transpose()?;
        let threads = self.threads.map_or_else(cores, usize::from);
        let task = Task {
            model: compiled.as_ref(),
            playouts: self.playouts,
            seed: self.seed,
            threads,
            ..Task::uniform(&game)
        };
        let bar = Work::new("Playing", self.playouts, "playouts");
        let counts = gather(&task, &interrupt::flag(), &|done| bar.set(done));
        drop(bar);
        let findings = Findings::new(&counts, game.board());
        if self.json {
            let report = Report::new(&game, &counts, &findings, self.all);
            serde_json::to_writer(&mut *out, &report)?;
            writeln!(out)?;
        } else {
            text::print(out, &game, &counts, &findings, self.model)?;
        }
        if let Some(path) = &self.svg {
            let svg = picture::draw(&game, &counts, &findings);
            output::write(path, svg.as_bytes())?;
        }
        Ok(())
    }

    /// The game up to the position.
    fn read(&self) -> Result<Game> {
        let chosen = Chosen::open(&self.file, self.game)?;
        if let Some(number) = self.number {
            chosen.check_move(number)?;
        }
        let (_, mut game) = chosen.replay(self.number.unwrap_or(usize::MAX))?;
        if let Some(komi) = self.komi {
            game.set_komi(komi);
        }
        Ok(game)
    }
}

/// Orders in words, for each player.
const ORDERS: usize = 6;

/// The orders that are told: the clearest of each player.
fn told_orders(findings: &Findings<'_>) -> Vec<Before> {
    let of = |player| findings.better_orders(player).into_iter().take(ORDERS);
    Color::BOTH.into_iter().flat_map(of).collect()
}

/// The counts of all that stands out: pairs of points, then orders of moves.
fn sentences(findings: &Findings<'_>) -> Vec<String> {
    let pairs = Color::BOTH.iter().flat_map(|&player| findings.miai(player));
    let pairs = pairs.map(|pair| counted_pair(&pair, Language::English));
    let orders = told_orders(findings);
    pairs.chain(orders.iter().map(|order| counted_order(order, Language::English))).collect()
}

/// A move as people write it.
fn move_text((color, p): (Color, Point)) -> String {
    format!("{} {p}", color.letter())
}

/// Six digits are more than playouts can tell.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[derive(Serialize)]
struct Report {
    ownership: Vec<f64>,
    criticality: Vec<PointValue>,
    joint: Vec<PairValue>,
    order: Vec<OrderValue>,
    order_rank: Vec<RankValue>,
    miai: Vec<PairValue>,
    told_orders: Vec<OrderValue>,
    words: Vec<String>,
    playouts: u64,
    black_wins: u64,
    white_wins: u64,
    komi: f32,
    to_move: String,
}

#[derive(Serialize)]
struct PointValue {
    point: String,
    value: f64,
    error: f64,
}

#[derive(Serialize)]
struct PairValue {
    #[serde(rename = "for")]
    player: String,
    x: String,
    y: String,
    value: f64,
    error: f64,
    either: WinsValue,
    neither: WinsValue,
}

#[derive(Serialize)]
struct WinsValue {
    playouts: u64,
    won: u64,
}

impl From<Wins> for WinsValue {
    fn from(Wins { won, of }: Wins) -> WinsValue {
        WinsValue { playouts: of, won }
    }
}

#[derive(Serialize)]
struct OrderValue {
    first: String,
    then: String,
    value: f64,
    error: f64,
    sound: bool,
    ordered: WinsValue,
    reversed: WinsValue,
}

#[derive(Serialize)]
struct RankValue {
    #[serde(rename = "move")]
    mv: String,
    value: f64,
    firm: f64,
}

impl From<&JointPair> for PairValue {
    fn from(pair: &JointPair) -> PairValue {
        PairValue {
            player: pair.player.to_string().to_lowercase(),
            x: pair.points[0].to_string(),
            y: pair.points[1].to_string(),
            value: rounded(pair.value.value),
            error: rounded(pair.value.error),
            either: pair.either.into(),
            neither: pair.neither.into(),
        }
    }
}

impl From<&Before> for OrderValue {
    fn from(before: &Before) -> OrderValue {
        OrderValue {
            first: move_text(before.first),
            then: move_text(before.then),
            value: rounded(before.value.value),
            error: rounded(before.value.error),
            sound: before.is_sound,
            ordered: before.ordered.into(),
            reversed: before.reversed.into(),
        }
    }
}

impl Report {
    fn new(game: &Game, counts: &Counts, findings: &Findings<'_>, all: bool) -> Report {
        let points = if all { findings.empties().collect() } else { findings.contested() };
        let most = if all { usize::MAX } else { LISTED };
        let mut joint: Vec<JointPair> =
            Color::BOTH.iter().flat_map(|&player| findings.pairs(player, &points)).collect();
        joint.sort_by(|a, b| b.value.value.total_cmp(&a.value.value));
        joint.truncate(most);
        let mut order = findings.orders();
        if !all {
            order.retain(|before| before.is_sound && before.value.is_beyond(Findings::ERRORS));
            // The clearest for either player, which may be at both ends.
            order.sort_by(|a, b| b.value.value.abs().total_cmp(&a.value.value.abs()));
            order.truncate(most);
            order.sort_by(|a, b| b.value.value.total_cmp(&a.value.value));
        }
        let miai: Vec<JointPair> =
            Color::BOTH.iter().flat_map(|&player| findings.miai(player)).collect();
        let size = counts.size();
        Report {
            ownership: size.points().map(|p| rounded(counts.ownership(p).value)).collect(),
            criticality: findings
                .criticality()
                .iter()
                .map(|(p, estimate)| PointValue {
                    point: p.to_string(),
                    value: rounded(estimate.value),
                    error: rounded(estimate.error),
                })
                .collect(),
            joint: joint.iter().map(PairValue::from).collect(),
            order: order.iter().map(OrderValue::from).collect(),
            order_rank: findings
                .ranks()
                .iter()
                .map(|ranked| RankValue {
                    mv: move_text(ranked.mv),
                    value: rounded(ranked.value),
                    firm: rounded(ranked.firm),
                })
                .collect(),
            miai: miai.iter().map(PairValue::from).collect(),
            told_orders: told_orders(findings).iter().map(OrderValue::from).collect(),
            words: sentences(findings),
            playouts: counts.playouts(),
            black_wins: counts.won(Color::Black),
            white_wins: counts.won(Color::White),
            komi: komi(game),
            to_move: game.to_move().to_string().to_lowercase(),
        }
    }
}
