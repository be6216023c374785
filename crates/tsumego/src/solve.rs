//! From a position to an answer: who defends, how large a room to read, and which of the moves that
//! work to play.
//!
//! A result counts as proved when one move works, every other one is refuted, the side to move had
//! something to do at all, and a larger room says the same: where many moves work, the room or the idea
//! of who defends whom is mostly wrong. What a larger room says goes before what a small one says.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use goban::{Board, Color, Point, PointSet};

use crate::closing::{self, Closed};
use crate::position::Position;
use crate::proof::Hint;
use crate::reading::{self, Line, Outcome, Reading};
use crate::room::{Cells, Room, Side};
use crate::table::Table;

/// What the side to move wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Take the other side's stones.
    Kill,
    /// Save its own.
    Live,
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
    /// The points that matter; found out if they are not said.
    pub region: Option<PointSet>,
    /// How long it may take.
    pub time: Duration,
    /// Positions to look at for each question asked of the search at most: who wins, and for each
    /// first move whether it does. For results that do not depend on the clock.
    pub nodes: u64,
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
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The move, if any is worth a try.
    pub answer: Option<Point>,
    /// Whether it is the only move that works, and all others are refuted.
    pub is_proved: bool,
    /// Whether the side to move has what it wants without a move, in the room that was read.
    pub is_settled: bool,
    /// How the answer ends.
    pub outcome: Outcome,
    /// What the side to move wants.
    pub goal: Goal,
    /// All first moves that were looked at, the best first.
    pub tried: Vec<Tried>,
    /// The points of the room that was read last.
    pub room: Vec<Point>,
    /// Positions looked at.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// How good moves look at first sight; see [`Solver::solve`].
pub type Sight<'a> = dyn Fn(&Board, Color) -> Vec<(Point, f32)> + 'a;

/// A solver with its memory.
pub struct Solver {
    table: Table,
}

/// One reading and the room it was in.
struct Read {
    closed: Closed,
    reading: Reading,
    /// Whether a larger room says the same, or is the same.
    is_confirmed: bool,
    /// Whether a larger room says something worse.
    is_doubted: bool,
}

/// How far rooms reach: as a rule, larger ones where these do not tell, and a small one that may be
/// decided where the others are too large.
const REACHES: [u8; 3] = [4, 5, 6];
const SMALL: u8 = 3;

impl Solver {
    /// With this many bytes for positions.
    pub fn new(bytes: usize) -> Solver {
        Solver { table: Table::new(bytes) }
    }

    /// Solves a problem. `sight` says how good moves look: it tells what to read first, and which of
    /// several moves that work to give as the answer.
    pub fn solve(&mut self, question: &Question<'_>, sight: &Sight<'_>) -> Solution {
        let begun = Instant::now();
        let looks = normalised(sight(question.board, question.to_play));
        let guess = closing::defender(question.board);
        let defenders = match question.goal {
            Some(Goal::Live) => vec![question.to_play],
            Some(Goal::Kill) => vec![!question.to_play],
            None => vec![guess, !guess],
        };
        let mut nodes = 0;
        let mut best: Option<Read> = None;
        for defender in defenders {
            let found = self.read_rooms(question, defender, sight, begun, &mut nodes);
            // The less likely defender is believed only where one move works and no other.
            match (&found, &best) {
                (Some(_), None) => best = found,
                (Some(read), Some(_)) if read.reading.is_unique() => best = found,
                _ => {}
            }
            let stays = best.as_ref().is_some_and(|read| {
                read.reading.is_decided() || read.reading.outcome == Outcome::Open
            });
            if stays || begun.elapsed() >= question.time.mul_f64(0.95) {
                break;
            }
        }
        conclude(question, best, &looks, guess, nodes, begun)
    }

    /// Reads rooms of several sizes around the stones of a defender.
    fn read_rooms(
        &mut self,
        question: &Question<'_>,
        defender: Color,
        sight: &Sight<'_>,
        begun: Instant,
        nodes: &mut u64,
    ) -> Option<Read> {
        let left = || question.time.saturating_sub(begun.elapsed());
        if let Some(region) = &question.region {
            let closed = closing::close_region(question.board, defender, question.to_play, region)?;
            let reading = self.read(question, &closed, sight, left());
            *nodes += reading.nodes;
            return Some(Read { closed, reading, is_confirmed: true, is_doubted: false });
        }
        let close = |reach| closing::close(question.board, defender, question.to_play, reach);
        let mut best: Option<Read> = None;
        let mut cells = 0;
        for reach in REACHES {
            let Some(closed) = close(reach) else { break };
            if closed.room.cells() == cells {
                // There is nothing further out.
                if let Some(best) = &mut best {
                    best.is_confirmed |= best.closed.room.cells() == cells;
                }
                break;
            }
            cells = closed.room.cells();
            let reading = self.read(question, &closed, sight, left().mul_f64(0.6));
            *nodes += reading.nodes;
            let is_open = reading.outcome == Outcome::Open;
            match &mut best {
                None => {
                    best = Some(Read { closed, reading, is_confirmed: false, is_doubted: false })
                }
                Some(best) if reading.outcome <= best.reading.outcome && !is_open => {
                    let is_confirmed = reading.good == best.reading.good
                        && reading.outcome == best.reading.outcome;
                    *best = Read { closed, reading, is_confirmed, is_doubted: best.is_doubted };
                }
                Some(best) => best.is_doubted |= !is_open,
            }
            // What a room says may be all there is, or come from its being too small.
            let is_clear =
                best.as_ref().is_some_and(|best| best.is_confirmed || best.reading.is_settled);
            if is_open || is_clear {
                break;
            }
        }
        if best.as_ref().is_none_or(|best| best.reading.outcome == Outcome::Open)
            && let Some(closed) = close(SMALL)
        {
            let reading = self.read(question, &closed, sight, left().mul_f64(0.6));
            *nodes += reading.nodes;
            if reading.is_decided() {
                best = Some(Read { closed, reading, is_confirmed: false, is_doubted: false });
            }
        }
        best
    }

    /// Reads one room.
    fn read(
        &mut self,
        question: &Question<'_>,
        closed: &Closed,
        sight: &Sight<'_>,
        time: Duration,
    ) -> Reading {
        let hints = RefCell::new(Vec::<(u64, Vec<(Cells, f32)>)>::new());
        let hint = |position: &Position| -> Vec<(Cells, f32)> {
            let key = position.key();
            if let Some((_, known)) = hints.borrow().iter().find(|(known, _)| *known == key) {
                return known.clone();
            }
            let values = look(question.board, &closed.room, position, sight);
            hints.borrow_mut().push((key, values.clone()));
            values
        };
        let begun = Instant::now();
        self.table.clear();
        let hint: Option<&Hint<'_>> = Some(&hint);
        reading::read(closed, &mut self.table, begun, time, question.nodes, hint)
    }
}

/// How good the moves of a position in a room look.
fn look(board: &Board, room: &Room, position: &Position, sight: &Sight<'_>) -> Vec<(Cells, f32)> {
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
    normalised(sight(&there, room.color(position.to_move)))
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
    read: Option<Read>,
    looks: &[(Point, f32)],
    guess: Color,
    nodes: u64,
    begun: Instant,
) -> Solution {
    let look = |p: Point| looks.iter().find(|(q, _)| *q == p).map_or(0.0, |&(_, value)| value);
    let mut tried = Vec::new();
    let mut room = Vec::new();
    let (mut outcome, mut is_proved, mut is_settled) = (Outcome::Open, false, false);
    let mut defender = guess;
    if let Some(Read { closed, reading, is_confirmed, is_doubted }) = &read {
        defender = closed.room.defender;
        room = closed.room.points(closed.room.inside);
        outcome = reading.outcome;
        // With threats of its own the side to move may win fights that nobody would call a ko.
        is_proved = reading.is_unique() && *is_confirmed && !is_doubted && outcome < Outcome::Ko;
        is_settled = reading.is_settled;
        for (point, line) in reading.good.iter().zip(&reading.lines) {
            let line = line.clone();
            tried.push(Tried { point: *point, outcome, line, looks: look(*point) });
        }
        for (point, line) in &reading.bad {
            let line = line.clone();
            tried.push(Tried { point: *point, outcome: Outcome::Fails, line, looks: look(*point) });
        }
    }
    for &(point, value) in looks {
        if tried.iter().all(|t| t.point != point) {
            let line = Vec::new();
            tried.push(Tried { point, outcome: Outcome::Open, line, looks: value });
        }
    }
    // Where nothing is decided, what is not refuted may work. Where nothing needs to be done, or all
    // fails, that is so in a room that may be wrong, and looks are all there is.
    let by_looks = is_settled || outcome == Outcome::Fails;
    let rank = |t: &Tried| match t.outcome {
        _ if by_looks => 0,
        Outcome::Works | Outcome::GoodKo | Outcome::Ko => 0,
        Outcome::Open => 1,
        Outcome::Fails => 2,
    };
    tried.sort_by(|a, b| rank(a).cmp(&rank(b)).then(b.looks.total_cmp(&a.looks)));
    // After the answer comes what is known of the others.
    if let Some((answer, others)) = tried.split_first_mut() {
        others.sort_by(|a, b| a.outcome.cmp(&b.outcome).then(b.looks.total_cmp(&a.looks)));
        if is_settled {
            outcome = answer.outcome;
        }
    }
    Solution {
        answer: tried.first().map(|t| t.point),
        is_proved,
        is_settled,
        outcome,
        goal: if defender == question.to_play { Goal::Live } else { Goal::Kill },
        tried,
        room,
        nodes,
        time: begun.elapsed(),
    }
}
