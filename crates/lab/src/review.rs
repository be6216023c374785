//! A review of a whole game: how it stood after each move, the few moves that decided it, and what
//! was wrong with them. What is made of it is written into the record (`annotate.rs`) and shown on a
//! page (`../page/reviewed.rs`).

mod annotate;

use std::time::Duration;

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
    /// Playouts for each position; no bound if `None`.
    pub visits: Option<u64>,
    /// Time for each position; no bound if `None`.
    pub time: Option<Duration>,
    /// Moves that are told about at most.
    pub mistakes: usize,
}

impl Effort {
    /// What to ask for a position that is to be looked at so many times as long.
    fn request(&self, times: u32) -> Request {
        Request {
            visits: self.visits.map(|n| n * u64::from(times)),
            time: self.time.map(|time| time * times),
            every: Some(Duration::from_millis(100)),
            ..Request::default()
        }
    }
}

impl Review {
    /// Looks at every position of a game that began as `start`. `told` hears how far it is and may
    /// answer `false` to stop; what was found so far is kept, mistakes that were not looked at again
    /// included.
    pub fn new(
        engine: &mut Engine,
        start: &Game,
        moves: &[(Color, Move)],
        effort: &Effort,
        told: &mut dyn FnMut(usize) -> bool,
    ) -> Review {
        let mut review = Review::default();
        let mut noticed = Vec::new();
        let mut game = start.clone();
        let stop = Stop::new();
        let request = effort.request(1);
        let mut before: Option<(Game, Report)> = None;
        for number in 0..=moves.len() {
            if !told(number) {
                break;
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
                break;
            }
            review.standings.push(Standing::new(&report));
            if let Some((game, earlier)) = before.take() {
                noticed.extend(review.notice(engine, game, &earlier, moves, &report));
            }
            let Some(&(color, mv)) = next else { break };
            before = Some((game.clone(), report));
            if game.play_as(color, mv).is_err() {
                break;
            }
            review.players.push(color);
        }
        // A position that was begun and not looked at to its end has no standing.
        review.players.truncate(review.standings.len().saturating_sub(1));
        review.find_mistakes(engine, start, moves, effort, noticed, told);
        review
    }

    /// The last move looked at, if it seems a mistake by the searches before and after it.
    fn notice(
        &self,
        engine: &Engine,
        game: Game,
        before: &Report,
        moves: &[(Color, Move)],
        after: &Report,
    ) -> Option<Mistake> {
        let number = self.standings.len().checked_sub(1)?;
        let (winrate, score) = self.loss(number)?;
        if Grade::of(winrate, score) < Grade::Mistake {
            return None;
        }
        let told = engine.compare(&game, before, moves.get(number - 1)?.1, after);
        (told.grade() >= Grade::Mistake).then_some(Mistake { number, told, game })
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

    /// Thinks again, and longer, about the moves that lost most; what was only noise is dropped. Once
    /// it is stopped, what was noticed on the way is taken as it is.
    fn find_mistakes(
        &mut self,
        engine: &mut Engine,
        start: &Game,
        moves: &[(Color, Move)],
        effort: &Effort,
        mut noticed: Vec<Mistake>,
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
        let (request, stop) = (effort.request(2), Stop::new());
        let mut taken = |number: usize| {
            let known = noticed.iter().position(|mistake| mistake.number == number);
            known.map(|i| noticed.swap_remove(i))
        };
        for (number, _) in suspects {
            if self.mistakes.len() == effort.mistakes {
                break;
            }
            if stop.is_raised() || !told(moves.len()) {
                stop.raise();
                self.mistakes.extend(taken(number));
                continue;
            }
            let mut game = start.clone();
            let (color, mv) = moves[number - 1];
            if moves[..number - 1].iter().any(|&(color, mv)| game.play_as(color, mv).is_err()) {
                continue;
            }
            engine.set_game(game.clone());
            let found = engine.explain_move(color, Some(mv), &request, &stop, &mut |_| {
                if !told(moves.len()) {
                    stop.raise();
                }
            });
            if stop.is_raised() {
                self.mistakes.extend(taken(number));
            } else if found.grade() >= Grade::Mistake {
                self.mistakes.push(Mistake { number, told: found, game });
            }
        }
        self.mistakes.sort_by_key(|mistake| mistake.number);
    }
}
