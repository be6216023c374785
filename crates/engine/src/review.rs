//! A review of a whole game: how it stands at every position, and the few moves that decided it.
//!
//! A review does not think by itself. [`Review::next`] says what is to be searched, [`Job::run`]
//! searches it, whole or in slices, and [`Review::take`] takes the result. `harie review` runs a
//! review to its end, the page slice by slice; with one thread, a bound of visits, and the same seed
//! and memory both find the same. What is made of it, comments and pages, is not in here.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use goban::{Color, Game, Move};
use search::{Report, Stop};

use crate::engine::Engine;
use crate::explain::{Explanation, Grade};
use crate::options::Options;
use crate::request::Request;

/// Mistakes that a review reports unless it is asked for more or fewer.
pub const MISTAKES: usize = 6;

/// How much longer moves that seem mistakes are looked at again.
const AGAIN: u32 = 2;

/// How often a search without a break can be stopped from outside.
const EVERY: Duration = Duration::from_millis(100);

/// How a game stands, as a search found it.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// How often Black wins, 0 to 1.
    pub winrate: f32,
    /// By how many points Black leads, komi counted.
    pub score: f32,
    /// The best move found and the line after it.
    pub line: Vec<Move>,
    /// Playouts behind it.
    pub visits: u64,
}

impl Standing {
    /// What the position is worth: the mean over all playouts, not that of the best move alone, which
    /// would flatter whoever is to move.
    fn new(report: &Report) -> Standing {
        let black = report.to_move == Color::Black;
        Standing {
            winrate: if black { report.winrate } else { 1.0 - report.winrate },
            score: if black { report.score } else { -report.score },
            line: report.candidates.first().map_or(Vec::new(), |best| best.line.clone()),
            visits: report.visits,
        }
    }

    /// What a move of a player lost if this was before and the other after it: of the win rate, and
    /// points.
    fn loss(&self, after: &Standing, color: Color) -> (f32, f32) {
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        (sign * (self.winrate - after.winrate), sign * (self.score - after.score))
    }
}

/// Whether a move that loses so much of the win rate and so many points is a mistake.
fn is_mistake((winrate, score): (f32, f32)) -> bool {
    Grade::of(winrate, score) >= Grade::Mistake
}

/// How much a loss of win rate and points weighs. A point is worth a hundredth of the game where the
/// win rate says little.
fn weight((winrate, score): (f32, f32)) -> f32 {
    winrate + 0.01 * score.clamp(0.0, 30.0)
}

/// A move that mattered, with what was wrong with it.
#[derive(Clone)]
pub struct Mistake {
    /// The number of the move, from 1.
    pub number: usize,
    /// What is to be said.
    pub explanation: Explanation,
    /// The game before the move.
    pub game: Game,
}

impl Mistake {
    /// The move that was played.
    pub fn played(&self) -> Move {
        self.explanation.played.as_ref().map_or(self.explanation.best.mv, |played| played.mv)
    }

    /// How much it cost, to put the worst first.
    pub fn weight(&self) -> f32 {
        weight(self.explanation.loss())
    }
}

/// How to review.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Playouts for each position; no bound if `None`.
    pub visits: Option<u64>,
    /// Time for each position; no bound if `None`.
    pub time: Option<Duration>,
    /// Mistakes that are reported at most.
    pub mistakes: usize,
}

impl Effort {
    /// So many playouts for each position.
    pub fn visits(visits: u64) -> Effort {
        Effort { visits: Some(visits), time: None, mistakes: MISTAKES }
    }

    /// Memory for the search of a position, in megabytes. Searches with different memory may differ,
    /// because the table of transpositions grows with it; so whoever reviews with the same effort
    /// uses the same.
    pub fn megabytes(&self) -> usize {
        match self.visits {
            Some(..=LIGHT_VISITS) => SMALL,
            _ => Options::default().megabytes,
        }
    }
}

/// Up to so many playouts for each position, a review needs little memory ([`Effort::megabytes`]).
pub const LIGHT_VISITS: u64 = 20_000;
/// Megabytes that hold the tree of so many visits, also when a move is looked at again.
const SMALL: usize = 24;

/// A position that was searched.
struct Searched {
    game: Game,
    report: Report,
}

/// A search that a review asks for.
#[derive(Clone)]
pub struct Job {
    game: Game,
    color: Color,
    visits: Option<u64>,
    time: Option<Duration>,
    /// Whether a move is being looked at again.
    again: bool,
    /// The position before, and the move that led from there.
    before: Option<(Arc<Searched>, Move)>,
}

/// The result of a job.
pub struct JobResult {
    report: Report,
    /// What was wrong with the move that led to the position, if anything seems to be.
    explanation: Option<Explanation>,
}

impl Job {
    /// Searches, for no longer than a slice if there is one, which wants a bound of visits. Nothing if
    /// it is not through: it was stopped, or there is more to do after the slice. The engine goes on
    /// where it ended if it has searched nothing else when the job is run again, and begins anew
    /// otherwise; both find the same.
    pub fn run(
        &self,
        engine: &mut Engine,
        slice: Option<Duration>,
        stop: &Stop,
        watch: &mut dyn FnMut(),
    ) -> Option<JobResult> {
        let request = Request {
            visits: self.visits,
            time: [self.time, slice].into_iter().flatten().min(),
            every: Some(EVERY),
            candidate_ownership: self.again,
            ..Request::default()
        };
        engine.set_game(self.game.clone());
        let report = engine.analyse_anew(self.color, &request, stop, &mut |_| watch());
        let is_through = match slice {
            Some(_) => self.visits.is_some_and(|visits| report.visits >= visits),
            None => !stop.is_raised(),
        };
        is_through.then(|| JobResult { explanation: self.explain(engine, &report), report })
    }

    /// What was wrong with the move before.
    fn explain(&self, engine: &Engine, after: &Report) -> Option<Explanation> {
        let (before, played) = self.before.as_ref()?;
        let color = before.report.to_move;
        let loss = Standing::new(&before.report).loss(&Standing::new(after), color);
        // Where a player moves twice there is no other's view to compare with.
        let is_due = self.again || is_mistake(loss) && after.to_move != color;
        is_due.then(|| engine.compare(&before.game, &before.report, *played, after))
    }
}

/// A review in progress, or at its end.
pub struct Review {
    start: Game,
    moves: Vec<(Color, Move)>,
    effort: Effort,
    /// The game at the position that is to be searched.
    game: Game,
    standings: Vec<Standing>,
    /// The search of the position before, for the move that is looked at.
    before: Option<Arc<Searched>>,
    /// What seem mistakes by the searches before and after them.
    noticed: Vec<Mistake>,
    /// The moves to be looked at again, the worst first, once all positions have been searched.
    suspects: Option<VecDeque<usize>>,
    /// The mistakes that a second look has found to be some.
    confirmed: Vec<Mistake>,
}

impl Review {
    /// A review of a game that began as `start`, up to the first move that cannot be played.
    pub fn new(start: &Game, moves: &[(Color, Move)], effort: Effort) -> Review {
        let mut game = start.clone();
        let playable = moves.iter().take_while(|&&(color, mv)| game.play_as(color, mv).is_ok());
        Review {
            moves: playable.copied().collect(),
            game: start.clone(),
            start: start.clone(),
            effort,
            standings: Vec::new(),
            before: None,
            noticed: Vec::new(),
            suspects: None,
            confirmed: Vec::new(),
        }
    }

    /// Goes on to the end. `progress` hears how many positions have been searched and may answer `false`
    /// to stop; says whether it came to its end.
    pub fn run(&mut self, engine: &mut Engine, progress: &mut dyn FnMut(usize) -> bool) -> bool {
        let stop = Stop::new();
        while let Some(job) = self.next() {
            let done = self.standings.len();
            let mut watch = || {
                if !progress(done) {
                    stop.raise();
                }
            };
            watch();
            if stop.is_raised() {
                return false;
            }
            let Some(result) = job.run(engine, None, &stop, &mut watch) else { return false };
            self.take(result);
        }
        true
    }

    /// Whether nothing is left to search.
    pub fn is_over(&self) -> bool {
        self.suspects.as_ref().is_some_and(VecDeque::is_empty)
    }

    /// What is to be searched next; nothing at the end.
    pub fn next(&self) -> Option<Job> {
        let number = match &self.suspects {
            None => self.standings.len(),
            Some(suspects) => *suspects.front()?,
        };
        let again = self.suspects.is_some();
        let times = if again { AGAIN } else { 1 };
        let before = self.before.clone();
        let (game, color) = match (again, &before) {
            (false, _) => (self.game.clone(), self.to_move(number)),
            (true, None) => (self.game_before(number), self.moves[number - 1].0),
            (true, Some(before)) => {
                let (color, mv) = self.moves[number - 1];
                let mut game = before.game.clone();
                // It was played before.
                let _ = game.play_as(color, mv);
                (game, !color)
            }
        };
        Some(Job {
            game,
            color,
            visits: self.effort.visits.map(|visits| visits.saturating_mul(times.into())),
            time: self.effort.time.map(|time| time.saturating_mul(times)),
            again,
            before: before.map(|before| (before, self.moves[number - 1].1)),
        })
    }

    /// Takes what came out of the job that is next.
    pub fn take(&mut self, result: JobResult) {
        let JobResult { report, explanation } = result;
        match self.suspects.as_ref().map(|suspects| suspects.front().copied()) {
            None => self.judge(report, explanation),
            Some(Some(number)) => self.look_again(number, report, explanation),
            Some(None) => {}
        }
    }

    /// A position was searched for the first time.
    fn judge(&mut self, report: Report, explanation: Option<Explanation>) {
        let number = self.standings.len();
        self.standings.push(Standing::new(&report));
        if let (Some(explanation), Some(before)) = (explanation, self.before.take())
            && is_mistake(explanation.loss())
        {
            self.noticed.push(Mistake { number, explanation, game: before.game.clone() });
            // Those that are too small to be explanation by now stay so.
            let suspects = self.suspects();
            self.noticed.retain(|mistake| suspects.contains(&mistake.number));
        }
        match self.moves.get(number) {
            Some(&(color, mv)) => {
                self.before = Some(Arc::new(Searched { game: self.game.clone(), report }));
                let _ = self.game.play_as(color, mv);
            }
            None => self.suspects = Some(self.suspects().into()),
        }
    }

    /// A position before or after a move that is looked at again was searched.
    fn look_again(&mut self, number: usize, report: Report, explanation: Option<Explanation>) {
        let Some(before) = self.before.take() else {
            let played = self.moves[number - 1].1;
            // Whoever plays the best move has not erred.
            match report.candidates.first().is_some_and(|best| best.mv == played) {
                true => self.settle(),
                false => {
                    let game = self.game_before(number);
                    self.before = Some(Arc::new(Searched { game, report }));
                }
            }
            return;
        };
        if let Some(explanation) = explanation.filter(|explanation| is_mistake(explanation.loss()))
        {
            self.confirmed.push(Mistake { number, explanation, game: before.game.clone() });
        }
        self.settle();
    }

    /// The worst suspect was looked at again.
    fn settle(&mut self) {
        let Some(suspects) = &mut self.suspects else { return };
        suspects.pop_front();
        if self.confirmed.len() >= self.effort.mistakes {
            suspects.clear();
        }
        self.noticed.retain(|mistake| suspects.contains(&mistake.number));
    }

    /// The moves that lost most so far by the searches before and after them, the worst first: a few
    /// more than are reported, because some are only noise.
    fn suspects(&self) -> Vec<usize> {
        let losses = (1..self.standings.len()).filter_map(|n| Some((n, self.loss(n)?)));
        let mut suspects: Vec<(usize, (f32, f32))> =
            losses.filter(|&(_, loss)| is_mistake(loss)).collect();
        suspects.sort_by(|a, b| weight(b.1).total_cmp(&weight(a.1)));
        suspects.truncate(self.effort.mistakes + self.effort.mistakes / 2);
        suspects.into_iter().map(|(number, _)| number).collect()
    }

    /// Who is to move after so many moves.
    fn to_move(&self, number: usize) -> Color {
        self.moves.get(number).map_or(self.game.to_move(), |&(color, _)| color)
    }

    /// The game before a move.
    fn game_before(&self, number: usize) -> Game {
        let mut game = self.start.clone();
        for &(color, mv) in &self.moves[..number - 1] {
            let _ = game.play_as(color, mv);
        }
        game
    }

    /// How many positions there are: one more than moves.
    pub fn positions(&self) -> usize {
        self.moves.len() + 1
    }

    /// How the game stands before the first move, after it, and so on, as far as positions were
    /// searched.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// The moves between the positions that were searched.
    pub fn moves(&self) -> &[(Color, Move)] {
        &self.moves[..self.standings.len().saturating_sub(1)]
    }

    /// What a move lost, of the win rate and in points, by the searches before and after it.
    pub fn loss(&self, number: usize) -> Option<(f32, f32)> {
        let (color, _) = self.moves.get(number.checked_sub(1)?)?;
        let (before, after) = (self.standings.get(number - 1)?, self.standings.get(number)?);
        Some(before.loss(after, *color))
    }

    /// The moves that decided the game so far, in their order. As long as a move was not looked at
    /// again, what was noticed on the way counts.
    pub fn mistakes(&self) -> Vec<&Mistake> {
        let open = match &self.suspects {
            None => self.suspects(),
            Some(suspects) => suspects.iter().copied().collect(),
        };
        let noticed = |number: usize| self.noticed.iter().find(|m| m.number == number);
        let open = open.into_iter().filter_map(noticed);
        let mut mistakes: Vec<&Mistake> =
            self.confirmed.iter().chain(open).take(self.effort.mistakes).collect();
        mistakes.sort_by_key(|mistake| mistake.number);
        mistakes
    }
}
