//! U-1, SizeMax: how large the patterns are that are found in playouts from the empty board.

use goban::{Board, Color, Point};
use playout::{Compiled, Learned, Observer, PlayoutSettings, Random};
use policy::{FeatureTracker, Rater};
use serde::{Deserialize, Serialize};

/// Shares of the empty points whose largest match has each size, by move number. In families of
/// several parts each part of a point counts.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Sizes {
    /// Playouts watched.
    pub playouts: usize,
    /// The sizes, in points; 0 where nothing matches.
    pub points: Vec<usize>,
    /// After each number of moves, from 0: the share of each size.
    pub by_move: Vec<Vec<f64>>,
}

/// A moment is reported only if so much of the playouts come to it.
const ENOUGH: f64 = 0.1;

/// Plays out the empty board with one model and watches the patterns of another, or the same.
pub fn sizes(rater: &Rater, drawn_from: &Compiled, playouts: usize, seed: u64) -> Sizes {
    let space = rater.space();
    let family = space.dictionary().family();
    let board = Board::new(rater.size());
    let mut watch = Watch {
        tracker: FeatureTracker::new(space),
        stages: space
            .dictionary()
            .indices()
            .map(|i| space.dictionary().stage(i) as u8 + 1)
            .collect(),
        counts: Vec::new(),
        runs: Vec::new(),
        columns: family.stages() + 1,
        number: 0,
    };
    let mut runner =
        Learned::new(drawn_from, &board, Color::Black, None, PlayoutSettings::default());
    let mut random = Random::new(seed);
    for _ in 0..playouts {
        runner.run(&mut random, &mut watch);
    }
    let Watch { counts, runs, columns, .. } = watch;
    let enough = (playouts as f64 * ENOUGH).ceil() as usize;
    let shares = |row: &[u64]| {
        let sum = row.iter().sum::<u64>().max(1) as f64;
        row.iter().map(|&count| count as f64 / sum).collect()
    };
    let rows = counts.chunks(columns).zip(&runs).take_while(|&(_, &runs)| runs >= enough);
    Sizes {
        playouts,
        points: std::iter::once(0)
            .chain((0..family.stages()).map(|stage| family.cells(stage).len()))
            .collect(),
        by_move: rows.map(|(row, _)| shares(row)).collect(),
    }
}

/// Counts sizes while playouts run.
struct Watch<'a> {
    tracker: FeatureTracker<'a>,
    /// By pattern: its size, from 1.
    stages: Vec<u8>,
    /// By move number, then size.
    counts: Vec<u64>,
    /// Playouts that came so far, by move number.
    runs: Vec<usize>,
    columns: usize,
    number: usize,
}

impl Watch<'_> {
    fn count(&mut self, color: Color) {
        let Watch { tracker, stages, counts, runs, columns, number } = self;
        if runs.len() == *number {
            runs.push(0);
            counts.resize(runs.len() * *columns, 0);
        }
        runs[*number] += 1;
        let row = &mut counts[*number * *columns..][..*columns];
        tracker.largest(color, |found| {
            row[found.map_or(0, |index| stages[index.0 as usize] as usize)] += 1;
        });
        *number += 1;
    }
}

impl Observer for Watch<'_> {
    fn started(&mut self, board: &Board, to_move: Color) {
        self.tracker.start(board);
        self.number = 0;
        self.count(to_move);
    }

    fn played(&mut self, color: Color, point: Option<Point>, _: &[Point]) {
        self.tracker.play(color, point);
        self.count(!color);
    }
}
