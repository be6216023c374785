//! What was found, as the analysis protocol writes it.

use engine::{Candidate, Engine, Report};
use goban::{Color, Game, Move, PointMap, Size, Symmetry, zobrist};
use serde_json::{Map, Value, json};

use super::View;
use super::query::{Query, Reading};
use super::queue::Task;
use crate::MoveRater;
use crate::solved::{self, Solved};

/// Everything that the answers about one position have in common.
pub struct Answer<'a> {
    pub query: &'a Query,
    pub turn: usize,
    pub game: &'a Game,
    pub policy: Option<Value>,
}

/// The answer about a position that nobody looked at.
pub fn nothing(id: &str, turn: usize) -> Value {
    json!({"id": id, "isDuringSearch": false, "noResults": true, "turnNumber": turn})
}

/// The move model's shares in reading order, -1 where no stone may be put, and the pass.
pub fn policy(engine: &Engine, color: Color) -> Value {
    let game = engine.game();
    let size = game.board().size();
    let mut table = PointMap::filled(-1.0);
    for p in size.points() {
        if game.check(color, Move::Play(p)).is_ok() {
            table[p] = 0.0;
        }
    }
    for rated in engine.policy(color) {
        if table[rated.point] >= 0.0 {
            table[rated.point] = rated.probability;
        }
    }
    // A pass is one more choice; all of them together are 1.
    let pass = engine.pass_share();
    let share = |x: f32| if x > 0.0 { x / (1.0 + pass) } else { x };
    let mut shares: Vec<f64> = size.points().map(|p| rounded(share(table[p]))).collect();
    shares.push(rounded(share(pass)));
    json!(shares)
}

/// A number with as many digits as mean something.
fn rounded(x: f32) -> f64 {
    // Zero has no sign that would mean anything.
    (f64::from(x) * 1e6).round() / 1e6 + 0.0
}

impl Answer<'_> {
    /// The answer for a report; `during` if the search goes on.
    pub fn to_json(&self, report: &Report, during: bool) -> Value {
        let size = self.game.board().size();
        let turned = match self.query.view {
            View::Side => false,
            View::Black => report.to_move == Color::White,
            View::White => report.to_move == Color::Black,
        };
        let eye = Eye { turned };
        let shown = report.candidates.iter().filter(|c| c.visits > 0).enumerate();
        let moves: Vec<Value> = shown
            .map(|(order, candidate)| self.candidate(candidate, order, report, eye, size))
            .collect();
        let mut answer = Map::new();
        answer.insert("id".to_owned(), json!(self.query.id));
        answer.insert("turnNumber".to_owned(), json!(self.turn));
        answer.insert("isDuringSearch".to_owned(), json!(during));
        answer.insert("moveInfos".to_owned(), Value::Array(moves));
        answer.insert("rootInfo".to_owned(), self.root(report, eye));
        if self.query.include_ownership {
            answer.insert("ownership".to_owned(), eye.owners(&report.ownership, size));
        }
        if let Some(policy) = &self.policy {
            answer.insert("policy".to_owned(), policy.clone());
        }
        Value::Object(answer)
    }

    fn candidate(
        &self,
        c: &Candidate,
        order: usize,
        report: &Report,
        eye: Eye,
        size: Size,
    ) -> Value {
        let length = self.query.line_length.map_or(usize::MAX, |n| n.saturating_add(1));
        let line: Vec<String> = c.line.iter().take(length).map(Move::to_string).collect();
        let mut info = json!({
            "move": c.mv.to_string(),
            "visits": c.visits,
            "edgeVisits": c.visits,
            "weight": c.visits,
            "edgeWeight": c.visits,
            "playSelectionValue": c.visits,
            "winrate": eye.winrate(c.winrate),
            "lcb": eye.winrate(c.lcb),
            "utility": eye.utility(c.winrate),
            "utilityLcb": eye.utility(c.lcb),
            "scoreMean": eye.score(c.score),
            "scoreLead": eye.score(c.score),
            "scoreSelfplay": eye.score(c.score),
            "scoreStdev": rounded(report.score_deviation),
            "prior": rounded(c.prior),
            "order": order,
            "pv": line,
        });
        if self.query.include_line_visits {
            let visits: Vec<u64> = c.line_visits.iter().take(length).copied().collect();
            info["pvVisits"] = json!(visits);
            info["pvEdgeVisits"] = json!(visits);
        }
        if let (true, Some(ownership)) = (self.query.include_moves_ownership, &c.ownership) {
            info["ownership"] = eye.owners(ownership, size);
        }
        info
    }

    fn root(&self, report: &Report, eye: Eye) -> Value {
        let (this, least) = hashes(self.game, report.to_move);
        json!({
            "currentPlayer": report.to_move.letter().to_string(),
            "visits": report.visits,
            "weight": report.visits,
            "winrate": eye.winrate(report.winrate),
            "utility": eye.utility(report.winrate),
            "scoreLead": eye.score(report.score),
            "scoreSelfplay": eye.score(report.score),
            "scoreStdev": rounded(report.score_deviation),
            "thisHash": this,
            "symHash": least,
        })
    }
}

/// From whose view numbers are told: the player's to move, or the opponent's. What bounds a win
/// rate from below bounds the opponent's from above.
#[derive(Clone, Copy)]
struct Eye {
    turned: bool,
}

impl Eye {
    fn winrate(self, x: f32) -> f64 {
        rounded(if self.turned { 1.0 - x } else { x })
    }

    fn score(self, x: f32) -> f64 {
        rounded(if self.turned { -x } else { x })
    }

    /// Winning is worth 1 and losing -1; points are worth nothing.
    fn utility(self, winrate: f32) -> f64 {
        self.score(2.0 * winrate - 1.0)
    }

    fn owners(self, ownership: &PointMap<f32>, size: Size) -> Value {
        json!(size.points().map(|p| self.score(ownership[p])).collect::<Vec<_>>())
    }
}

/// Hashes of a position with the player to move and the ko, and the least of those of its images
/// under the symmetries.
fn hashes(game: &Game, to_move: Color) -> (String, String) {
    let board = game.board();
    let size = board.size();
    let of = |symmetry: Symmetry| {
        let stones = size.points().filter_map(|p| Some((p, board.cell(p).color()?)));
        let key = |(p, color)| zobrist::key(symmetry.apply(p, size), color);
        let mut hash = stones.map(key).fold(zobrist::mix(size.side().into()), |a, b| a ^ b);
        if let Some(ko) = board.ko(to_move) {
            let point = symmetry.apply(ko, size);
            hash ^= zobrist::mix(zobrist::key(point, Color::Black));
        }
        if to_move == Color::White {
            hash ^= zobrist::TURN;
        }
        // Twice as long, as others have it.
        format!("{hash:016X}{:016X}", zobrist::mix(hash))
    };
    let least = Symmetry::ALL.into_iter().map(of).min().unwrap_or_default();
    (of(Symmetry::IDENTITY), least)
}

/// A problem, solved; what was known when it was stopped if it was.
pub fn solution(task: &Task, game: &Game, reading: &Reading, rater: &MoveRater) -> Value {
    let id = &task.query.id;
    let to_play = game.to_move();
    let fault = |field: &str, why: String| json!({"error": format!("{field}: {why}"), "field": field, "id": id});
    let asked = &reading.asked;
    if let Err(why) = solved::check(game.board(), to_play, asked) {
        return fault("solveAt", why);
    }
    let found =
        match solved::solve(game.board(), to_play, asked, reading.time, &task.stop, &**rater) {
            Ok(found) => found,
            Err(why) if asked.region.is_some() => return fault("solveRegion", why),
            Err(why) => return json!({"error": why, "id": id}),
        };
    json!({
        "id": id,
        "turnNumber": task.turn,
        "isDuringSearch": false,
        "solution": Solved::new(to_play, &found),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponent_sees_the_opposite() {
        let (own, other) = (Eye { turned: false }, Eye { turned: true });
        assert_eq!((own.winrate(0.7), other.winrate(0.7)), (0.7, 0.3));
        assert_eq!((own.score(2.5), other.score(2.5)), (2.5, -2.5));
        assert_eq!((own.utility(0.75), other.utility(0.75)), (0.5, -0.5));
        assert_eq!(format!("{}", other.score(0.0)), "0");
        let mut ownership = PointMap::filled(0.0);
        ownership[goban::Point::new(0, 1)] = 1.0;
        let size = Size::new(2).unwrap();
        assert_eq!(other.owners(&ownership, size), json!([-1.0, 0.0, 0.0, 0.0]));
    }
}
