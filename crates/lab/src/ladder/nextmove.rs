//! Uf-4, Nextmove: how much the moves that a search picks lose, by a judge who looked at them.

use std::sync::Arc;

use goban::{Color, Game, Move};
use search::{Models, Settings};
use serde::{Deserialize, Serialize};

use super::bootstrap;
use super::look::look;
use super::oracle::{Judged, parse_move};
use super::turns::in_turn;
use crate::seed::mixed;

/// How positions are searched.
#[derive(Clone, Copy, Debug)]
pub struct NextmoveTask {
    /// Playouts for a search.
    pub visits: u64,
    /// Searches of each position, with another seed each.
    pub searches: usize,
    /// Searches at the same time.
    pub threads: usize,
    /// Seed of the searches.
    pub seed: u64,
}

/// What searches picked.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Nextmove {
    /// What searched.
    pub name: String,
    /// Positions that have candidates.
    pub positions: usize,
    /// Searches of each.
    pub searches: usize,
    /// Playouts of a search.
    pub visits: u64,
    /// Mean score of the moves: 1 less the judged loss in win rate.
    pub score: f64,
    /// Its 95 % interval, by drawing positions again.
    pub interval: [f64; 2],
    /// Mean judged loss in points.
    pub points_lost: f64,
    /// Share of the moves that are the judge's first.
    pub best: f64,
    /// Share of the moves that the judge had looked at; the others count as the worst that it had.
    pub judged: f64,
}

/// A picked move, scored.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Score {
    winrate: f64,
    points: f64,
    best: f64,
    judged: f64,
}

/// What a move loses against the judge's first choice, which is the one it looked at most.
fn score(judged: &Judged, game: &Game, picked: Move) -> Option<Score> {
    let sign = if game.to_move() == Color::Black { 1.0 } else { -1.0 };
    let first = judged.candidates.iter().rev().max_by_key(|c| c.visits)?;
    let size = game.board().size();
    let losses = |c: &super::JudgedMove| {
        let winrate = sign * (first.winrate_black - c.winrate_black) as f64;
        let points = sign * (first.score_black - c.score_black) as f64;
        (winrate.max(0.0), points.max(0.0))
    };
    let found = judged.candidates.iter().find(|c| parse_move(&c.mv, size) == Some(picked));
    let (winrate, points) =
        match found {
            Some(candidate) => losses(candidate),
            None => judged.candidates.iter().map(losses).fold((0.0, 0.0), |worst, loss| {
                (f64::max(worst.0, loss.0), f64::max(worst.1, loss.1))
            }),
        };
    let best = found.is_some_and(|c| std::ptr::eq(c, first)) as u8 as f64;
    Some(Score { winrate: 1.0 - winrate, points, best, judged: found.is_some() as u8 as f64 })
}

impl Nextmove {
    /// Searches positions. `watch` hears how many are done and ends it by saying false: then there
    /// is nothing.
    pub fn measure(
        name: &str,
        models: &Arc<Models>,
        positions: &[(Judged, Game)],
        task: &NextmoveTask,
        watch: impl FnMut(usize) -> bool,
    ) -> Option<Nextmove> {
        let one = |i: usize| {
            let (judged, game) = &positions[i];
            searched(models, judged, game, task, i)
        };
        let scores = in_turn(positions.len(), task.threads, one, watch)?;
        let scores: Vec<Score> = scores.into_iter().flatten().collect();
        let n = scores.len().max(1) as f64;
        let mean = |of: fn(&Score) -> f64| scores.iter().map(of).sum::<f64>() / n;
        let drawn = bootstrap::interval(scores.len(), task.seed, |times| {
            let each = scores.iter().zip(times);
            vec![each.map(|(score, &times)| score.winrate * times as f64).sum::<f64>() / n]
        });
        Some(Nextmove {
            name: name.to_owned(),
            positions: scores.len(),
            searches: task.searches,
            visits: task.visits,
            score: mean(|s| s.winrate),
            interval: drawn.first().copied().unwrap_or([mean(|s| s.winrate); 2]),
            points_lost: mean(|s| s.points),
            best: mean(|s| s.best),
            judged: mean(|s| s.judged),
        })
    }
}

/// The mean score of the moves that searches of a position pick; nothing if it has no candidates.
fn searched(
    models: &Arc<Models>,
    judged: &Judged,
    game: &Game,
    task: &NextmoveTask,
    number: usize,
) -> Option<Score> {
    let mut mean = Score::default();
    let n = task.searches.max(1);
    for repeat in 0..n {
        let seed = mixed(&[task.seed, number as u64, repeat as u64]);
        let settings = Settings { seed, memory: 64 << 20, ..Settings::new(game.board().size()) };
        let report = look(models, settings, game, game.to_move(), game.komi(), task.visits);
        let picked = report.candidates.first().map_or(Move::Pass, |c| c.mv);
        let one = score(judged, game, picked)?;
        mean.winrate += one.winrate / n as f64;
        mean.points += one.points / n as f64;
        mean.best += one.best / n as f64;
        mean.judged += one.judged / n as f64;
    }
    Some(mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::JudgedMove;

    #[test]
    fn moves_are_scored_by_what_they_lose() {
        let candidate = |mv: &str, visits, winrate_black, score_black| JudgedMove {
            mv: mv.to_owned(),
            visits,
            winrate_black,
            score_black,
            prior: 0.1,
        };
        let judged = Judged {
            id: "a".to_owned(),
            size: 9,
            komi: 7.0,
            rules: "chinese".to_owned(),
            moves: vec!["B E5".to_owned()],
            winrate_black: 0.4,
            score_black: -1.0,
            visits: 100,
            candidates: vec![
                candidate("C3", 90, 0.4, -1.0),
                candidate("D3", 9, 0.65, 2.0),
                candidate("A1", 1, 0.95, 9.0),
                candidate("G7", 1, 0.3, -1.5),
            ],
            ownership_black: Vec::new(),
        };
        let game = judged.game().unwrap();
        let of = |text: &str| {
            let picked = parse_move(text, game.board().size()).unwrap();
            score(&judged, &game, picked).unwrap()
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
        assert_eq!(of("C3"), Score { winrate: 1.0, points: 0.0, best: 1.0, judged: 1.0 });
        // White is to play, so what is good for Black is a loss.
        near(of("D3").winrate, 0.75);
        near(of("D3").points, 3.0);
        // Looked at once and seemingly better than the best: no gain.
        near(of("G7").winrate, 1.0);
        assert_eq!(of("G7").best, 0.0);
        // Not looked at: as bad as the worst.
        near(of("J9").winrate, 0.45);
        near(of("pass").points, 10.0);
        assert_eq!(of("J9").judged, 0.0);
    }
}
