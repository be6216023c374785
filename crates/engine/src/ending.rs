//! The end of a game: when to pass and when to give up.

use goban::score::Marks;
use goban::{Cell, Color, Game, Scoring};
use search::{Candidate, Report};

use crate::judge::Judgement;

/// Moves in a row that must look lost before the engine resigns.
const PATIENCE: usize = 3;

/// What the engine remembers about how the game goes.
#[derive(Clone, Default, Debug)]
pub struct Ending {
    /// By colour.
    lost: [Losing; 2],
}

/// How long a player has looked lost.
#[derive(Clone, Copy, Default, Debug)]
struct Losing {
    /// Own moves in a row.
    moves: usize,
    /// Moves of the game before the last of them.
    at: usize,
}

impl Ending {
    /// Whether to resign now that this is the best move. Never early, and not before the middle game
    /// if Black was given stones: White starts behind in such a game.
    pub fn gives_up(
        &mut self,
        game: &Game,
        color: Color,
        best: Option<&Candidate>,
        threshold: Option<f32>,
    ) -> bool {
        let (Some(threshold), Some(best)) = (threshold, best) else { return false };
        // A few playouts lost are no reason yet.
        let visits = best.visits as f32;
        let looks_lost = (best.winrate * visits + 1.0) / (visits + 2.0) < threshold;
        let lost = &mut self.lost[color.index()];
        let now = game.moves().len();
        if !looks_lost || now < lost.at {
            lost.moves = 0;
        }
        // Who is asked twice about a position has not made two moves.
        if looks_lost && (now != lost.at || lost.moves == 0) {
            lost.moves += 1;
        }
        lost.at = now;
        let in_a_row = lost.moves;
        let behind_from_the_start = color == Color::White && game.handicap() >= 2;
        let share = if behind_from_the_start { 0.45 } else { 0.2 };
        let late = game.moves().len() as f32 >= share * game.board().size().area() as f32;
        late && in_a_row >= PATIENCE
    }

    /// Whether the playouts agree about nearly every point that is not dame.
    pub fn is_settled(&self, game: &Game, report: &Report) -> bool {
        let board = game.board();
        let sure = |p: &goban::Point| report.ownership[*p].abs() > 0.85;
        let points = board.size().points();
        let open = points.filter(|p| !sure(p)).count();
        let stones = Color::BOTH.iter().map(|&c| board.stones(c)).sum::<usize>();
        let passed = game.pass_ends(report.to_move);
        // After a pass a seki may leave many points open.
        stones * 3 > board.size().area() && (open * 20 <= board.size().area() || passed)
    }

    /// Whether what the opponent finds after a pass leaves as much as the best move does, up to a
    /// tenth of the win rate and a point and a half, and what chance makes of so few playouts. Not if
    /// there are too few of them to say.
    pub fn stands(best: &Candidate, after: &Report) -> bool {
        let Some(reply) = after.candidates.first().filter(|_| after.playouts >= 16) else {
            return false;
        };
        let noise = after.score_deviation / (reply.visits.max(1) as f32).sqrt();
        1.0 - reply.winrate > best.winrate - 0.1 && -reply.score > best.score - 1.5 - noise
    }

    /// Whether a pass costs nothing in a settled position.
    pub fn may_pass(
        &self,
        game: &Game,
        color: Color,
        report: &Report,
        judgement: &Judgement,
    ) -> bool {
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        // Some rules count the board as it stands: dead stones must be taken off by playing.
        let as_it_stands = game.rules().counts_as_it_stands();
        let marks = if as_it_stands { Marks::default() } else { judgement.marks };
        let now = sign * game.score(&marks);
        let passed = game.pass_ends(color);
        let best = report.candidates.first().map_or(report.score, |c| c.score);
        // Points that a move may still gain: neutral ones under area rules.
        let board = game.board();
        let beside_both = |p: &goban::Point| {
            let ring = board.ring(*p);
            Color::BOTH.iter().all(|&c| ring.has_neighbour(c))
        };
        let unsure = |p: &goban::Point| judgement.ownership[*p].abs() < 0.85;
        let open = board
            .size()
            .points()
            .filter(unsure)
            .filter(|p| !judgement.marks.seki.contains(*p) && !judgement.shared.contains(*p))
            .filter(|p| board.cell(*p) != Cell::Empty || beside_both(p))
            .count();
        match game.rules().scoring {
            Scoring::Area => {
                let gain = best - now;
                if passed && now > 0.0 {
                    // The game ends here and is won.
                    return open == 0 || now > open as f32 || as_it_stands;
                }
                // Nothing to gain, and what is to be taken off can still be taken off later.
                open == 0 && gain < 0.5 && (now > 0.0 || passed || !as_it_stands)
            }
            Scoring::Territory => open == 0,
        }
    }
}
