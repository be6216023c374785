//! A review of a whole game: how it stood after each move, the few moves that decided it, and what
//! was wrong with them. What is made of it is written into the record (`annotate.rs`) and shown on a
//! page (`../page/reviewed.rs`).

mod annotate;

use engine::{Engine, Explanation, Grade, Report, Request, Stop};
use goban::{Color, Game, Move};

pub use annotate::annotate;

/// How a game stands, as a search found it.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// How often Black wins, 0 to 1.
    pub winrate: f32,
    /// By how many points, komi counted.
    pub score: f32,
    /// The best move found and the line after it.
    pub line: Vec<Move>,
    /// Playouts behind it.
    pub visits: u64,
}

impl Standing {
    fn new(report: &Report) -> Standing {
        let black = report.to_move == Color::Black;
        Standing {
            winrate: if black { report.winrate } else { 1.0 - report.winrate },
            score: if black { report.score } else { -report.score },
            line: report.candidates.first().map_or(Vec::new(), |best| best.line.clone()),
            visits: report.visits,
        }
    }
}

/// A move that mattered, with what was wrong with it.
#[derive(Clone)]
pub struct Mistake {
    /// The number of the move, from 1.
    pub number: usize,
    /// What is to be said.
    pub told: Explanation,
    /// The game before the move.
    pub game: Game,
}

impl Mistake {
    /// The move that was played.
    pub fn played(&self) -> Move {
        self.told.played.as_ref().map_or(self.told.best.mv, |told| told.mv)
    }
}

/// What was found about a game. Positions that were not reached are missing at the end.
#[derive(Clone, Default)]
pub struct Review {
    /// Moves of the record before the first that was looked at.
    pub skipped: usize,
    /// Before the first move, after it, and so on.
    pub standings: Vec<Standing>,
    /// Who made each move, as far as positions were looked at.
    pub players: Vec<Color>,
    /// The moves that decided the game, in their order.
    pub mistakes: Vec<Mistake>,
}

/// How to review.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Playouts for each position.
    pub visits: u64,
    /// Moves that are told about at most.
    pub mistakes: usize,
}

impl Review {
    /// Looks at every position of a game that began as `start`. `told` hears how far it is and may
    /// answer `false` to stop; what was found so far is kept.
    pub fn new(
        engine: &mut Engine,
        start: &Game,
        moves: &[(Color, Move)],
        effort: &Effort,
        told: &mut dyn FnMut(usize) -> bool,
    ) -> Review {
        let mut review = Review::default();
        let mut game = start.clone();
        let stop = Stop::new();
        let every = Some(std::time::Duration::from_millis(100));
        let request = Request { visits: Some(effort.visits), every, ..Request::default() };
        for number in 0..=moves.len() {
            if !told(number) {
                return review;
            }
            let next = moves.get(number);
            let color = next.map_or(game.to_move(), |&(color, _)| color);
            engine.set_game(game.clone());
            let report = engine.analyse(color, &request, &stop, &mut |_| {
                if !told(number) {
                    stop.raise();
                }
            });
            if stop.is_raised() {
                return review;
            }
            review.standings.push(Standing::new(&report));
            let Some(&(color, mv)) = next else { break };
            if game.play_as(color, mv).is_err() {
                break;
            }
            review.players.push(color);
        }
        review.find_mistakes(engine, start, moves, effort, told);
        review
    }

    /// The same for a record with so many moves before the first that was looked at.
    pub fn shifted(mut self, skipped: usize) -> Review {
        self.skipped += skipped;
        self.mistakes.iter_mut().for_each(|mistake| mistake.number += skipped);
        self
    }

    /// The number of the last move that was looked at.
    pub fn last(&self) -> usize {
        self.skipped + self.standings.len().saturating_sub(1)
    }

    /// What a move lost, of the win rate and in points, by the searches before and after it.
    pub fn loss(&self, number: usize) -> Option<(f32, f32)> {
        let (before, after) = (self.standings.get(number - 1)?, self.standings.get(number)?);
        let sign = if *self.players.get(number - 1)? == Color::Black { 1.0 } else { -1.0 };
        Some((sign * (before.winrate - after.winrate), sign * (before.score - after.score)))
    }

    /// Thinks again, and longer, about the moves that lost most; what was only noise is dropped.
    fn find_mistakes(
        &mut self,
        engine: &mut Engine,
        start: &Game,
        moves: &[(Color, Move)],
        effort: &Effort,
        told: &mut dyn FnMut(usize) -> bool,
    ) {
        let losses = (1..=self.players.len()).filter_map(|n| Some((n, self.loss(n)?)));
        let mut suspects: Vec<(usize, (f32, f32))> = losses
            .filter(|(_, (winrate, score))| Grade::of(*winrate, *score) >= Grade::Mistake)
            .collect();
        // A point is worth a hundredth of the game where the win rate says little.
        let weight = |(winrate, score): (f32, f32)| winrate + 0.01 * score.clamp(0.0, 30.0);
        suspects.sort_by(|a, b| weight(b.1).total_cmp(&weight(a.1)));
        suspects.truncate(effort.mistakes + effort.mistakes / 2);
        let request = Request { visits: Some(2 * effort.visits), ..Request::default() };
        for (number, _) in suspects {
            if self.mistakes.len() == effort.mistakes || !told(moves.len()) {
                break;
            }
            let mut game = start.clone();
            let (color, mv) = moves[number - 1];
            if moves[..number - 1].iter().any(|&(color, mv)| game.play_as(color, mv).is_err()) {
                continue;
            }
            engine.set_game(game.clone());
            let told = engine.explain_move(color, Some(mv), &request, &Stop::new(), &mut |_| {});
            if told.grade() >= Grade::Mistake {
                self.mistakes.push(Mistake { number, told, game });
            }
        }
        self.mistakes.sort_by_key(|mistake| mistake.number);
    }
}
