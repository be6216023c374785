//! What it costs to count statistics while uniform playouts run.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use goban::{Board, Color, Size};
use playout::statistics::{Statistics, Wanted};
use playout::{Random, Uniform};
use serde::Serialize;

/// What a light playout costs with something counted, on one thread.
#[derive(Serialize)]
pub struct Cost {
    size: u8,
    counted: &'static str,
    playouts_per_s: f64,
    /// Time of a playout and its counting, as a multiple of a playout alone.
    times: f64,
}

/// The things that can be counted, each with what is before it.
const COUNTED: [(&str, Option<Wanted>); 5] = [
    ("nothing", None),
    ("ownership, criticality", Some(Wanted { joint: false, order: false })),
    ("and joint table", Some(Wanted { joint: true, order: false })),
    ("and order table", Some(Wanted { joint: false, order: true })),
    ("everything", Some(Wanted::ALL)),
];

/// Turns that all kinds take one after the other, so that what else the machine does hits all of
/// them alike. The fastest turn of each is compared.
const TURNS: u32 = 20;

/// Measures playouts from the empty board.
pub fn measure(size: Size, seconds: f64) -> Vec<Cost> {
    let board = Board::new(size);
    let turn = Duration::from_secs_f64(seconds / f64::from(TURNS));
    let mut kinds: Vec<_> = COUNTED
        .iter()
        .map(|(_, wanted)| {
            let statistics = wanted.map(|wanted| Statistics::new(size, 7.5, wanted));
            (statistics, Uniform::new(&board, Color::Black), Random::new(1), f64::INFINITY)
        })
        .collect();
    for _ in 0..TURNS {
        for (statistics, playouts, random, best) in &mut kinds {
            let seconds = match statistics {
                None => time(turn, || playouts.run(random).moves),
                Some(statistics) => time(turn, || playouts.run_watched(random, statistics).moves),
            };
            *best = seconds.min(*best);
        }
    }
    let alone = kinds[0].3;
    let cost = |((_, _, _, best), (counted, _)): (&(_, _, _, f64), &(&'static str, _))| Cost {
        size: size.side(),
        counted,
        playouts_per_s: 1.0 / best,
        times: best / alone,
    };
    kinds.iter().zip(&COUNTED).map(cost).collect()
}

/// Seconds that a playout takes, over this long.
fn time(turn: Duration, mut playout: impl FnMut() -> u32) -> f64 {
    let start = Instant::now();
    let mut playouts = 0;
    while start.elapsed() < turn {
        // As many as a table of bytes holds, so that each turn has its share of all work.
        for _ in 0..512 {
            playout();
        }
        playouts += 512;
    }
    start.elapsed().as_secs_f64() / f64::from(playouts)
}

pub fn print(out: &mut dyn Write, sizes: &[Size], seconds: f64) -> Result<()> {
    writeln!(out, "\nUniform playouts while statistics are counted, one thread, {seconds} s each")?;
    writeln!(out, "  size   counted                 playouts/s  times a playout")?;
    for &size in sizes {
        for Cost { counted, playouts_per_s, times, .. } in measure(size, seconds) {
            let size = size.to_string();
            writeln!(out, "  {size:<6} {counted:<22}  {playouts_per_s:>10.0}  {times:>15.2}")?;
        }
        out.flush()?;
    }
    Ok(())
}
