//! The solver behind the problems of the page: reads the position that is looked at, and says what
//! works and how each move is answered.

use std::time::Duration;

use engine::Stop;
use goban::{Board, Color};
use protocol::solved::{self, Asked, moves};
use tsumego::{Goal, Outcome, Tried};
use web::{Solved, SolvedMove};

use crate::weights;

/// First moves that are told.
const TOLD: usize = 16;

/// Reads a position for so long; nothing if there is nothing in it that lives or dies.
pub fn solve(board: &Board, to_play: Color, time: Duration) -> Option<Solved> {
    let stop = Stop::new();
    let solution =
        solved::solve(board, to_play, &Asked::default(), time, &stop, &weights::sight).ok()?;
    if solution.room.is_empty() {
        return None;
    }
    let moves = solution.tried.iter().take(TOLD).map(told).collect();
    Some(Solved {
        kills: solution.goal == Goal::Kill,
        outcome: word(solution.outcome),
        proved: solution.is_proved,
        unknown: solution.unknown(),
        moves,
        nodes: solution.nodes,
    })
}

fn told(tried: &Tried) -> SolvedMove {
    let at = tried.point.to_string();
    let line = std::iter::once(at.clone()).chain(moves(&tried.line)).collect();
    SolvedMove { at, outcome: word(tried.outcome), line }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Works => "works",
        Outcome::FavourableKo | Outcome::GoodKo => "goodko",
        Outcome::OneThreatKo | Outcome::Ko => "ko",
        Outcome::Fails => "fails",
        Outcome::Open => "open",
    }
}

#[cfg(test)]
mod tests {
    use goban::Point;

    use super::*;

    #[test]
    fn the_first_problems_of_the_page_are_solved_as_their_file_says() {
        let text = include_str!("../../../web/page/problems.sgf");
        let (trees, _) = kifu::read(text.as_bytes());
        assert_eq!(trees.len(), 6);
        for tree in &trees {
            let problem = kifu::Problem::new(tree, &mut Vec::new()).unwrap();
            let found = solve(&problem.board, problem.to_play, Duration::from_secs(20)).unwrap();
            let answers: Vec<String> = problem.answers.iter().map(Point::to_string).collect();
            assert_eq!(found.outcome, "works", "{}", problem.name);
            assert!(answers.contains(&found.moves[0].at), "{}: {found:?}", problem.name);
            assert_eq!(found.moves[0].line[0], found.moves[0].at);
        }
    }
}
