//! Why a move is good and what was wrong with another: facts from the board, from the move model,
//! from what a search found and from statistics of playouts, and sentences made from them.
//!
//! Nothing here thinks: a [`Report`] of a search is read, and for a move that was played in place of
//! the best one a report about the position after it.

mod english;
mod japanese;

use std::fmt;
use std::str::FromStr;

use goban::{Color, Game, Move, Point, PointMap, PointSet};
use knowledge::{Fact, Groups, Region, Stones, facts};
use playout::statistics::{Before, Findings, JointPair};
use policy::Model;
use search::{Candidate, Report, Root};

/// A language that explanations are written in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Japanese.
    Japanese,
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Language, String> {
        match text.to_ascii_lowercase().as_str() {
            "en" | "english" => Ok(Language::English),
            "ja" | "japanese" => Ok(Language::Japanese),
            _ => Err(format!("'{text}' is no language that is spoken here; there are en and ja")),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Language::English => "en",
            Language::Japanese => "ja",
        })
    }
}

/// The prior of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MovePrior {
    /// The move model's probability, 0 to 1.
    pub probability: f32,
    /// How many moves have a higher one.
    pub better: usize,
}

/// A move with all that an explanation says about it.
#[derive(Clone, Debug)]
pub struct ExplainedMove {
    /// The move.
    pub mv: Move,
    /// How often the player wins after it, 0 to 1.
    pub winrate: f32,
    /// By how many points, komi counted.
    pub score: f32,
    /// Playouts behind these numbers.
    pub visits: u64,
    /// The line expected: this move first.
    pub line: Vec<Move>,
    /// What the move does on the board.
    pub facts: Vec<Fact>,
    /// Its prior, if it is a legal stone.
    pub prior: Option<MovePrior>,
    /// Who owns each point after it, from -1, the opponent, to +1, the player.
    ownership: Option<PointMap<f32>>,
}

impl ExplainedMove {
    /// The number of playouts where it is too small for the figures to be taken at their word.
    fn few(&self) -> Option<u64> {
        (1..FEW).contains(&self.visits).then_some(self.visits)
    }
}

/// Stones whose fate depends on the choice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Swing {
    /// The stones.
    pub stones: Stones,
    /// How surely they survive after the best move, 0 to 1.
    pub best: f32,
    /// How surely they survive after the move that was played.
    pub played: f32,
}

/// How much was lost, in a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// As good as the best.
    Good,
    /// A little worse.
    Slip,
    /// Clearly worse.
    Mistake,
    /// May cost the game.
    Blunder,
}

impl Grade {
    /// The grade of a move that loses so much of the win rate and so many points. Points tell where
    /// the game is decided; the win rate tells where it is close.
    pub fn of(winrate: f32, score: f32) -> Grade {
        match (winrate, score) {
            (0.2.., _) | (0.1.., 15.0..) => Grade::Blunder,
            (0.08.., _) | (0.03.., 6.0..) => Grade::Mistake,
            (0.03.., _) | (0.01.., 2.0..) => Grade::Slip,
            _ => Grade::Good,
        }
    }
}

/// Why a move is best, and what was wrong with another.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Whose move.
    pub color: Color,
    /// The best move found.
    pub best: ExplainedMove,
    /// The move that was played, if it is another one.
    pub played: Option<ExplainedMove>,
    /// Whether the first of these is no best move, but one that was drawn as people play.
    pub is_drawn: bool,
    /// Whether a search found these moves; else playouts alone compared them.
    pub is_searched: bool,
    /// Stones whose fate differs, the largest difference first.
    pub swings: Vec<Swing>,
    /// Where the best move gains territory against the played one, and how many points.
    pub territory: Option<(Region, f32)>,
    /// A pair of points that stands out in playouts, the best move at one of them (miai).
    pub miai: Option<JointPair>,
    /// The best and the played move, where playouts with this order were won clearly more often.
    pub order: Option<Before>,
}

/// Fewer playouts than this are said with the win rate that they give.
const FEW: u64 = 50;

/// Fewer playouts than this are too few to judge a move.
const HARDLY: u64 = 8;

/// The survival of stones must differ by this much to be mentioned.
const SWING: f32 = 0.2;

/// Swings that are mentioned at most.
const SWINGS: usize = 3;

/// Points of territory from which on a gain is mentioned.
const TERRITORY: f32 = 2.0;

impl Explanation {
    /// What a report says about its best move; a pass where there is no other.
    pub fn new(model: &Model, game: &Game, report: &Report) -> Explanation {
        let explainer = Explainer { model, game, color: report.to_move, report };
        let pass = || Candidate {
            mv: Move::Pass,
            visits: report.visits,
            winrate: report.winrate,
            lcb: 0.0,
            score: report.score,
            prior: 0.0,
            line: Vec::new(),
            line_visits: Vec::new(),
            ownership: None,
        };
        let best = report.candidates.first().cloned().unwrap_or_else(pass);
        Explanation {
            color: report.to_move,
            best: explainer.candidate(&best),
            played: None,
            is_drawn: false,
            is_searched: true,
            swings: Vec::new(),
            territory: None,
            miai: None,
            order: None,
        }
    }

    /// The same, with a move that was played in place of the best. `after` is what a search found
    /// about the position after it, from the opponent's view.
    pub fn compare(
        model: &Model,
        game: &Game,
        report: &Report,
        played: Move,
        after: &Report,
    ) -> Explanation {
        let mut explanation = Explanation::new(model, game, report);
        if explanation.best.mv == played {
            return explanation;
        }
        let explainer = Explainer { model, game, color: report.to_move, report };
        let mut line = vec![played];
        line.extend(after.candidates.first().into_iter().flat_map(|c| c.line.iter().copied()));
        let mut ownership = after.ownership.clone();
        ownership.as_mut_slice().iter_mut().for_each(|own| *own = -*own);
        let seen = Candidate {
            mv: played,
            visits: after.visits,
            winrate: 1.0 - after.winrate,
            lcb: 0.0,
            score: -after.score,
            prior: 0.0,
            line,
            line_visits: Vec::new(),
            ownership: Some(ownership),
        };
        let seen = explainer.candidate(&seen);
        explanation.swings = explainer.swings(&explanation.best, &seen);
        explanation.territory = explainer.territory(&explanation.best, &seen);
        explanation.played = Some(seen);
        explanation
    }

    /// What a report says about one of its candidates: beside the best if it is another. Nothing if
    /// the move was not looked at.
    pub fn of_candidate(
        model: &Model,
        game: &Game,
        report: &Report,
        mv: Move,
    ) -> Option<Explanation> {
        let mut explanation = Explanation::new(model, game, report);
        let found = report.candidates.iter().find(|c| c.mv == mv && c.visits > 0)?;
        if explanation.best.mv != mv {
            let explainer = Explainer { model, game, color: report.to_move, report };
            let seen = explainer.candidate(found);
            explanation.swings = explainer.swings(&explanation.best, &seen);
            explanation.territory = explainer.territory(&explanation.best, &seen);
            explanation.played = Some(seen);
        }
        Some(explanation)
    }

    /// Adds what statistics of playouts from the position say about the two moves.
    pub fn add_statistics(&mut self, findings: &Findings<'_>) {
        let Move::Play(best) = self.best.mv else { return };
        let mut pairs = findings.miai(self.color).into_iter();
        self.miai = pairs.find(|pair| pair.points.contains(&best));
        let Some(Move::Play(played)) = self.played.as_ref().map(|played| played.mv) else { return };
        let mut orders = findings.better_orders(self.color).into_iter();
        self.order = orders.find(|order| (order.first.1, order.then.1) == (best, played));
    }

    /// The same about a move that a level has drawn with hardly a look at what comes of it: too little to
    /// compare it with another.
    pub fn drawn(model: &Model, game: &Game, report: &Report, mv: Move) -> Option<Explanation> {
        let seen = report.candidates.iter().skip(1).find(|c| c.mv == mv).cloned();
        let found = seen.or_else(|| report.unvisited().find(|c| c.mv == mv))?;
        let explainer = Explainer { model, game, color: report.to_move, report };
        let explanation = Explanation::new(model, game, report);
        let hardly = found.visits < HARDLY;
        hardly.then(|| Explanation {
            best: explainer.candidate(&found),
            is_drawn: true,
            ..explanation
        })
    }

    /// What the played move loses: of the win rate, and points. Nothing is less than nothing.
    pub fn loss(&self) -> (f32, f32) {
        self.played.as_ref().map_or((0.0, 0.0), |played| {
            let winrate = self.best.winrate - played.winrate;
            (winrate.max(0.0), (self.best.score - played.score).max(0.0))
        })
    }

    /// How bad the played move is.
    pub fn grade(&self) -> Grade {
        let (winrate, score) = self.loss();
        Grade::of(winrate, score)
    }

    /// In sentences.
    pub fn sentences(&self, language: Language) -> Vec<String> {
        match language {
            Language::English => english::sentences(self),
            Language::Japanese => japanese::sentences(self),
        }
    }
}

/// What playouts counted about a pair of points, in a sentence.
pub fn counted_pair(pair: &JointPair, language: Language) -> String {
    match language {
        Language::English => english::counted_pair(pair),
        Language::Japanese => japanese::counted_pair(pair),
    }
}

/// What playouts counted about the order of two moves of one player, in a sentence.
pub fn counted_order(order: &Before, language: Language) -> String {
    match language {
        Language::English => english::counted_order(order),
        Language::Japanese => japanese::counted_order(order),
    }
}

struct Explainer<'a> {
    model: &'a Model,
    game: &'a Game,
    color: Color,
    report: &'a Report,
}

impl Explainer<'_> {
    /// The ownership before the move, from Black's view.
    fn ownership(&self) -> PointMap<f32> {
        let mut ownership = self.report.ownership.clone();
        if self.color == Color::White {
            ownership.as_mut_slice().iter_mut().for_each(|own| *own = -*own);
        }
        ownership
    }

    fn candidate(&self, candidate: &Candidate) -> ExplainedMove {
        let root = Root::new(self.game, self.color);
        let rated = self.model.rate(&root.situation());
        let (found, prior) = match candidate.mv {
            Move::Play(p) if self.game.board().is_legal(p, self.color) => {
                let place = rated.iter().position(|rated| rated.point == p);
                let prior =
                    place.map(|i| MovePrior { probability: rated[i].probability, better: i });
                (facts(self.game.board(), &self.ownership(), p, self.color), prior)
            }
            _ => (Vec::new(), None),
        };
        ExplainedMove {
            mv: candidate.mv,
            winrate: candidate.winrate,
            score: candidate.score,
            visits: candidate.visits,
            line: candidate.line.clone(),
            facts: found,
            prior,
            ownership: candidate.ownership.clone(),
        }
    }

    /// Own groups that survive more often after the best move, and the opponent's that do less often.
    fn swings(&self, best: &ExplainedMove, played: &ExplainedMove) -> Vec<Swing> {
        let (Some(after_best), Some(after_played)) = (&best.ownership, &played.ownership) else {
            return Vec::new();
        };
        let board = self.game.board();
        let groups = Groups::new(board, &self.ownership());
        let mut swings: Vec<Swing> = Vec::new();
        for group in &groups.list {
            // The part of a group that a move cuts off is mentioned, not the mean over all of it.
            let survives = |ownership: &PointMap<f32>, p: Point| {
                let own = ownership[p];
                (1.0 + if group.color == self.color { own } else { -own }) / 2.0
            };
            let differs =
                |p: &Point| (survives(after_best, *p) - survives(after_played, *p)).abs() >= SWING;
            let stones: PointSet = group.stones.iter().filter(differs).collect();
            if stones.is_empty() {
                continue;
            }
            let mean = |ownership: &PointMap<f32>| {
                stones.iter().map(|p| survives(ownership, p)).sum::<f32>() / stones.len() as f32
            };
            let (best, played) = (mean(after_best), mean(after_played));
            // What the best move gives up is not what was wrong with the other.
            let speaks_for_best = (best > played) == (group.color == self.color);
            if speaks_for_best && (best - played).abs() >= SWING {
                let stones = Stones::new(board, group.color, &stones);
                swings.push(Swing { stones, best, played });
            }
        }
        let weight = |swing: &Swing| (swing.best - swing.played).abs() * swing.stones.count as f32;
        swings.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        swings.truncate(SWINGS);
        swings
    }

    /// The part of the board in which the best move gains most empty points.
    fn territory(&self, best: &ExplainedMove, played: &ExplainedMove) -> Option<(Region, f32)> {
        let (after_best, after_played) = (best.ownership.as_ref()?, played.ownership.as_ref()?);
        let board = self.game.board();
        let mut sums = [0.0; 9];
        for p in board.empties() {
            let region = Region::of(p, board.size());
            sums[region as usize] += (after_best[p] - after_played[p]) / 2.0;
        }
        let (place, &most) = sums.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
        (most >= TERRITORY).then_some((Region::ALL[place], most))
    }
}
