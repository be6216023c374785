//! From a position to an answer: who defends, how large a room to read, and which of the moves that
//! work to play.
//!
//! A result counts as proved when one move works, every other one is refuted, the side to move had
//! something to do at all, and a larger room says the same: where many moves work, the room or the idea
//! of who defends whom is mostly wrong. What a larger room says goes before what a small one says.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use goban::{Board, Color, Point, PointSet};
use search::{Models, Stop};

use crate::closing::{self, Closed, NoRoom, Stakes};
use crate::playing::{self, Played};
use crate::position::Position;
use crate::proof::Hint;
use crate::reading::{self, Line, Outcome, Patience, Reading, Wanted};
use crate::room::{Cells, Room, Side};
use crate::table::Table;
use crate::threats::Supply;

/// What the side to move wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Take the other side's stones.
    Kill,
    /// Save its own.
    Live,
    /// At least a ko: take the other side's stones or save its own, and a ko for it is enough.
    Ko,
    /// Take one chain of the other side.
    Capture,
    /// Join two chains of its own.
    Connect,
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The position.
    pub board: &'a Board,
    /// Who moves.
    pub to_play: Color,
    /// What it wants; found out if it is not said.
    pub goal: Option<Goal>,
    /// Stones whose chains it is about: one, or two that are to be joined. Found out if they are not
    /// said, and everything is meant where the goal is life or death.
    pub at: Vec<Point>,
    /// The points that matter; found out if they are not said.
    pub region: Option<PointSet>,
    /// Threats for a ko that the side to move has and that the other side has. If it is not said, the answer says
    /// how many are needed.
    pub threats: Option<(Supply, Supply)>,
    /// How long it may take.
    pub time: Duration,
    /// Positions to look at for each question asked of the search at most: who wins, and for each
    /// first move whether it does. For results that do not depend on the clock.
    pub nodes: u64,
    /// Raised to end it early, with what is known by then.
    pub stop: Stop,
}

impl<'a> Question<'a> {
    /// What works in a position, with everything else to be found out.
    pub fn new(board: &'a Board, to_play: Color, time: Duration) -> Question<'a> {
        Question {
            board,
            to_play,
            goal: None,
            at: Vec::new(),
            region: None,
            threats: None,
            time,
            nodes: u64::MAX,
            stop: Stop::new(),
        }
    }
}

/// What is known of a first move.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The move.
    pub point: Point,
    /// How it ends.
    pub outcome: Outcome,
    /// How play goes on after it.
    pub line: Line,
    /// How good it looked before it was read, 0 to 1.
    pub looks: f32,
    /// Where nothing was proved and the room was played out: the share of the tree search's visits, and how
    /// often it reached the goal.
    pub played: Option<(f32, f32)>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The move, if any is worth a try.
    pub answer: Option<Point>,
    /// Whether it is the only move that works, and all others of the room are refuted. What is outside the
    /// room is not read ([`Solution::unknown`]).
    pub is_proved: bool,
    /// Whether the side to move has what it wants without a move, in the room that was read.
    pub is_settled: bool,
    /// How the answer ends.
    pub outcome: Outcome,
    /// What the side to move wants. Never [`Goal::Ko`], which is one of killing and living.
    pub goal: Goal,
    /// Whether a ko for it was said to be enough.
    pub is_ko_enough: bool,
    /// A stone of each chain it is about, where it is about one or two.
    pub at: Vec<Point>,
    /// Whether what was asked for is too large to be read.
    pub is_too_large: bool,
    /// All first moves that were looked at, the best first.
    pub tried: Vec<Tried>,
    /// The points of the room that was read last.
    pub room: Vec<Point>,
    /// Positions looked at.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl Solution {
    /// How many first moves nothing is known about: they are outside the room, or were not read to the end.
    pub fn unknown(&self) -> usize {
        self.tried.iter().filter(|tried| tried.outcome == Outcome::Open).count()
    }
}

/// How good moves look before anything is read; see [`Solver::solve`].
pub type MoveRater<'a> = dyn Fn(&Board, Color) -> Vec<(Point, f32)> + 'a;

/// A solver with its memory.
pub struct Solver {
    table: Table,
    models: Option<Arc<Models>>,
}

/// What may be fought about.
#[derive(Clone, Copy, Debug)]
struct Plan {
    goal: Goal,
    defender: Color,
    stakes: Stakes,
}

/// One reading and the room it was in.
struct RoomReading {
    plan: Plan,
    closed: Closed,
    reading: Reading,
    /// Whether a larger room says the same, or is the same.
    is_confirmed: bool,
    /// Whether a larger room says something worse.
    is_contradicted: bool,
}

/// How far rooms reach: as a rule, larger ones where these do not tell, and a small one that may be
/// decided where the others are too large.
const REACHES: [u8; 3] = [4, 5, 6];
const SMALL: u8 = 3;

/// Regions that are given are read at once up to so many points; larger ones from the inside.
const AT_ONCE: usize = 36;

/// Chains, or pairs of them, that are tried where it is not said which are meant.
const MEANT: usize = 4;

/// The share of the time that is kept for playing out what is not proved, and how long that takes at least and at
/// most.
const PLAYING: f64 = 0.2;
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(3);

/// Where the first idea of the goal has nothing to do, the next one is asked with so much of the time, and what is
/// played out gets less: mostly all is said.
const SECOND_THOUGHT: f64 = 0.25;
const LONGEST_THOUGHT: Duration = Duration::from_secs(5);
const SETTLED_PLAYING: f64 = 0.1;
const LONGEST_SETTLED: Duration = Duration::from_secs(1);

/// How much the share of visits counts beside what a move looks like.
const BLEND: f32 = 1.0;

impl Solver {
    /// With this many bytes for positions.
    pub fn new(bytes: usize) -> Solver {
        Solver { table: Table::new(bytes), models: None }
    }

    /// Plays out what cannot be proved, with these models and a share of the time.
    #[must_use]
    pub fn with_models(mut self, models: Arc<Models>) -> Solver {
        self.models = Some(models);
        self
    }

    /// Solves a problem. `rater` says how good moves look: it tells what to read first, and which of
    /// several moves that work to give as the answer.
    pub fn solve(&mut self, question: &Question<'_>, rater: &MoveRater<'_>) -> Solution {
        let begun = Instant::now();
        let looks = normalised(rater(question.board, question.to_play));
        let plans = plans(question);
        let mut nodes = 0;
        let mut is_too_large = false;
        let mut best: Option<RoomReading> = None;
        let plays = self.models.is_some();
        for (i, &plan) in plans.iter().enumerate() {
            // Where many chains may be meant, each gets its part of the time.
            let share = match plan.stakes {
                Stakes::Everything => 1.0,
                _ => 1.0 / (plans.len() - i) as f64,
            };
            let left = question.time.saturating_sub(begun.elapsed());
            let is_played = plays && plan.stakes == Stakes::Everything;
            let reading = if is_played { left.mul_f64(1.0 - PLAYING) } else { left };
            let mut reading = reading.mul_f64(share);
            if best.as_ref().is_some_and(|read| read.reading.is_settled) {
                reading = reading.min(question.time.mul_f64(SECOND_THOUGHT)).min(LONGEST_THOUGHT);
            }
            let deadline = Instant::now() + reading;
            let found = match self.read_rooms(question, plan, rater, deadline, &mut nodes) {
                Ok(found) => Some(found),
                Err(NoRoom::TooLarge) => {
                    is_too_large = true;
                    None
                }
                Err(NoRoom::Nothing) => None,
            };
            // What is less likely is believed only where one move works and no other.
            match (&found, &best) {
                (Some(_), None) => best = found,
                (Some(read), Some(_)) if read.reading.is_unique() => best = found,
                _ => {}
            }
            let stays = best.as_ref().is_some_and(|read| {
                read.reading.is_decided()
                    || plan.stakes == Stakes::Everything && read.reading.outcome == Outcome::Open
            });
            let is_late = begun.elapsed() >= question.time.mul_f64(0.95);
            if stays || is_late || question.stop.is_raised() {
                break;
            }
        }
        let is_asked = plans.len() == 1;
        let played = self.play(question, best.as_ref(), is_asked, begun);
        let mut solution = conclude(question, best, &looks, &played, plans.first(), nodes, begun);
        solution.is_too_large = is_too_large && solution.room.is_empty();
        solution
    }

    /// Plays out what is not proved, in the time that is left.
    fn play(
        &self,
        question: &Question<'_>,
        best: Option<&RoomReading>,
        is_asked: bool,
        begun: Instant,
    ) -> Vec<Played> {
        let (Some(models), Some(read)) = (&self.models, best) else { return Vec::new() };
        let mut left = question.time.saturating_sub(begun.elapsed());
        // Where nothing needs to be done for what was asked, there is nothing to find out.
        let is_settled = read.reading.is_settled;
        let is_done = read.reading.is_decided() || is_settled && is_asked;
        if is_settled {
            left = left.min(question.time.mul_f64(SETTLED_PLAYING)).min(LONGEST_SETTLED);
        }
        if is_done || read.plan.stakes != Stakes::Everything || left < SHORTEST {
            return Vec::new();
        }
        playing::play(question.board, &read.closed, models, left.min(LONGEST), &question.stop)
    }

    /// Reads rooms of several sizes around what is at stake.
    fn read_rooms(
        &mut self,
        question: &Question<'_>,
        plan: Plan,
        rater: &MoveRater<'_>,
        deadline: Instant,
        nodes: &mut u64,
    ) -> Result<RoomReading, NoRoom> {
        let left = || deadline.saturating_duration_since(Instant::now());
        let region = question.region.as_ref();
        let Plan { defender, stakes, .. } = plan;
        let (board, to_play) = (question.board, question.to_play);
        let whole =
            region.map(|region| closing::close_region(board, stakes, defender, to_play, region));
        match whole {
            Some(Err(why)) => return Err(why),
            Some(Ok(closed)) if closed.room.cells() <= AT_ONCE => {
                let reading = self.read(question, &closed, rater, left());
                *nodes += reading.nodes;
                return Ok(RoomReading {
                    plan,
                    closed,
                    reading,
                    is_confirmed: true,
                    is_contradicted: false,
                });
            }
            _ => {}
        }
        let close = |reach| closing::close(board, stakes, defender, to_play, reach, region);
        // What is left in the end goes to playing out; where that is not done, to what is read last.
        let is_played = self.models.is_some() && stakes == Stakes::Everything;
        let small = close(SMALL).ok();
        let share = |cells: usize| {
            let is_last = small.as_ref().is_none_or(|small| small.room.cells() >= cells);
            if is_last && !is_played { 1.0 } else { 0.6 }
        };
        let mut best: Option<RoomReading> = None;
        let mut cells = 0;
        let mut refusal = NoRoom::Nothing;
        for reach in REACHES {
            let closed = match close(reach) {
                Ok(closed) => closed,
                Err(why) => {
                    refusal = why;
                    break;
                }
            };
            if closed.room.cells() == cells {
                // There is nothing further out.
                if let Some(best) = &mut best {
                    best.is_confirmed |= best.closed.room.cells() == cells;
                }
                break;
            }
            cells = closed.room.cells();
            let reading = self.read(question, &closed, rater, left().mul_f64(share(cells)));
            *nodes += reading.nodes;
            let is_open = reading.outcome == Outcome::Open;
            match &mut best {
                None => {
                    let (is_confirmed, is_contradicted) = (false, false);
                    best =
                        Some(RoomReading { plan, closed, reading, is_confirmed, is_contradicted });
                }
                Some(best)
                    if reading.outcome.coarse() <= best.reading.outcome.coarse() && !is_open =>
                {
                    let is_confirmed = reading.agrees(&best.reading);
                    let is_contradicted = best.is_contradicted;
                    *best = RoomReading { plan, closed, reading, is_confirmed, is_contradicted };
                }
                Some(best) => best.is_contradicted |= !is_open,
            }
            // What a room says may be all there is, or come from its being too small.
            let is_clear =
                best.as_ref().is_some_and(|best| best.is_confirmed || best.reading.is_settled);
            if is_open || is_clear || question.stop.is_raised() {
                break;
            }
        }
        if best.as_ref().is_none_or(|best| best.reading.outcome == Outcome::Open)
            && let Some(closed) = small
        {
            let time = left().mul_f64(if is_played { 0.6 } else { 1.0 });
            let reading = self.read(question, &closed, rater, time);
            *nodes += reading.nodes;
            if reading.is_decided() {
                let (is_confirmed, is_contradicted) = (false, false);
                best = Some(RoomReading { plan, closed, reading, is_confirmed, is_contradicted });
            }
        }
        best.ok_or(refusal)
    }

    /// Reads one room.
    fn read(
        &mut self,
        question: &Question<'_>,
        closed: &Closed,
        rater: &MoveRater<'_>,
        time: Duration,
    ) -> Reading {
        let hints = RefCell::new(Vec::<(u64, Vec<(Cells, f32)>)>::new());
        let hint = |position: &Position| -> Vec<(Cells, f32)> {
            let key = position.key();
            if let Some((_, known)) = hints.borrow().iter().find(|(known, _)| *known == key) {
                return known.clone();
            }
            let values = look(question.board, &closed.room, position, rater);
            hints.borrow_mut().push((key, values.clone()));
            values
        };
        let wanted = match (question.threats, question.goal) {
            (Some((own, others)), _) => Wanted::With(own, others),
            (None, Some(Goal::Ko)) => Wanted::Ko,
            _ => Wanted::Best,
        };
        let (begun, nodes, stop) = (Instant::now(), question.nodes, question.stop.clone());
        self.table.clear();
        let hint: Option<&Hint<'_>> = Some(&hint);
        let patience = Patience { begun, time, nodes, stop };
        reading::read(closed, &mut self.table, wanted, &patience, hint)
    }
}

/// What may be meant, the likeliest first.
fn plans(question: &Question<'_>) -> Vec<Plan> {
    let (board, me) = (question.board, question.to_play);
    let color = |p: Point| board.cell(p).color();
    let live = |stakes| Plan { goal: Goal::Live, defender: me, stakes };
    let kill = |stakes| Plan { goal: Goal::Kill, defender: !me, stakes };
    let stakes = question.at.first().map_or(Stakes::Everything, |&p| Stakes::Chain(p));
    match (question.goal, question.at.as_slice()) {
        (Some(Goal::Live), _) => vec![live(stakes)],
        (Some(Goal::Kill), _) => vec![kill(stakes)],
        (None | Some(Goal::Ko), &[p, ..]) => {
            vec![if color(p) == Some(me) { live(stakes) } else { kill(stakes) }]
        }
        (None | Some(Goal::Ko), &[]) => {
            let is_mine = closing::defender(board) == me;
            let mut both = vec![live(Stakes::Everything), kill(Stakes::Everything)];
            if !is_mine {
                both.reverse();
            }
            both
        }
        (Some(Goal::Capture), at) => {
            let chains = match at {
                &[p, ..] => vec![p],
                [] => closing::weak_chains(board, !me),
            };
            let plan = |p| Plan { goal: Goal::Capture, defender: !me, stakes: Stakes::Chain(p) };
            chains.into_iter().take(MEANT).map(plan).collect()
        }
        (Some(Goal::Connect), at) => {
            let pairs = closing::loose_pairs(board, me);
            let pairs = match *at {
                [p, q, ..] => vec![(p, q)],
                [p] => {
                    let chain = closing::chain_of(board, p);
                    let is_meant =
                        |pair: &(Point, Point)| chain.contains(&pair.0) || chain.contains(&pair.1);
                    pairs.into_iter().filter(is_meant).collect()
                }
                [] => pairs,
            };
            let plan =
                |(p, q)| Plan { goal: Goal::Connect, defender: me, stakes: Stakes::Link(p, q) };
            pairs.into_iter().take(MEANT).map(plan).collect()
        }
    }
}

/// How good the moves of a position in a room look.
fn look(
    board: &Board,
    room: &Room,
    position: &Position,
    rater: &MoveRater<'_>,
) -> Vec<(Cells, f32)> {
    let size = board.size();
    let outside = size
        .points()
        .filter(|&p| room.cell(p).is_none())
        .filter_map(|p| Some((p, board.cell(p).color()?)));
    let inside = [Side::Attacker, Side::Defender].into_iter().flat_map(|side| {
        let color = room.color(side);
        room.points(position.of(side)).into_iter().map(move |p| (p, color))
    });
    let Ok(there) = Board::with_stones(size, outside.chain(inside)) else { return Vec::new() };
    normalised(rater(&there, room.color(position.to_move)))
        .into_iter()
        .filter_map(|(p, value)| Some((room.cell(p)?, value)))
        .collect()
}

/// Shares that add up to one.
fn normalised(mut values: Vec<(Point, f32)>) -> Vec<(Point, f32)> {
    let sum: f32 = values.iter().map(|&(_, value)| value).sum();
    if sum > 0.0 {
        values.iter_mut().for_each(|(_, value)| *value /= sum);
    }
    values
}

/// The answer from what was read and from what moves look like.
fn conclude(
    question: &Question<'_>,
    read: Option<RoomReading>,
    looks: &[(Point, f32)],
    played: &[Played],
    plan: Option<&Plan>,
    nodes: u64,
    begun: Instant,
) -> Solution {
    let look = |p: Point| looks.iter().find(|(q, _)| *q == p).map_or(0.0, |&(_, value)| value);
    let new = |point: Point, outcome: Outcome, line: Line| {
        let played = played.iter().find(|found| found.point == point);
        let played = played.map(|found| (found.share, found.winrate));
        Tried { point, outcome, line, looks: look(point), played }
    };
    let mut tried = Vec::new();
    let mut room = Vec::new();
    let (mut outcome, mut is_proved, mut is_settled) = (Outcome::Open, false, false);
    let plan = read.as_ref().map(|read| read.plan).or(plan.copied());
    if let Some(RoomReading { closed, reading, is_confirmed, is_contradicted, .. }) = &read {
        room = closed.room.points(closed.room.inside);
        outcome = reading.outcome;
        // With threats of its own the side to move may win fights that nobody would call a ko, unless a ko is
        // what was asked for.
        let is_enough = outcome <= Outcome::GoodKo
            || question.goal == Some(Goal::Ko) && outcome < Outcome::Fails;
        is_proved = reading.is_unique() && *is_confirmed && !is_contradicted && is_enough;
        is_settled = reading.is_settled;
        for (point, outcome, line) in &reading.good {
            tried.push(new(*point, *outcome, line.clone()));
        }
        for (point, line) in &reading.bad {
            tried.push(new(*point, Outcome::Fails, line.clone()));
        }
    }
    for &(point, _) in looks {
        let is_meant = question.region.as_ref().is_none_or(|region| region.contains(point));
        if is_meant && tried.iter().all(|t| t.point != point) {
            tried.push(new(point, Outcome::Open, Vec::new()));
        }
    }
    // Where nothing is decided, what is not refuted may work. Where nothing needs to be done, or all
    // fails, that is so in a room that may be wrong, and looks are all there is.
    let by_looks = is_settled || outcome == Outcome::Fails;
    let rank = |t: &Tried| match t.outcome {
        _ if by_looks => 0,
        Outcome::Open => 2,
        Outcome::Fails => 3,
        better if better == outcome => 0,
        _ => 1,
    };
    let worth = |t: &Tried| t.looks + BLEND * t.played.map_or(0.0, |(share, _)| share);
    tried.sort_by(|a, b| rank(a).cmp(&rank(b)).then(worth(b).total_cmp(&worth(a))));
    // After the answer comes what is known of the others.
    if let Some((answer, others)) = tried.split_first_mut() {
        others.sort_by(|a, b| a.outcome.cmp(&b.outcome).then(worth(b).total_cmp(&worth(a))));
        if is_settled {
            outcome = answer.outcome;
        }
    }
    let goal = plan.map(|plan| plan.goal).or(question.goal).unwrap_or(Goal::Live);
    Solution {
        answer: tried.first().map(|t| t.point),
        is_proved,
        is_settled,
        outcome,
        goal,
        is_ko_enough: question.goal == Some(Goal::Ko),
        at: match plan.map(|plan| plan.stakes) {
            Some(Stakes::Chain(p)) => vec![p],
            Some(Stakes::Link(p, q)) => vec![p, q],
            _ => Vec::new(),
        },
        is_too_large: false,
        tried,
        room,
        nodes,
        time: begun.elapsed(),
    }
}
