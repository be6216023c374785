//! Problems at a table: one is put on the board, moves are tried, and the file answers.

use super::*;

impl Table {
    /// Takes a set of problems, or none.
    pub(super) fn take_problems(&mut self, problems: Option<Problems>) {
        self.problems = problems;
        // The first is on the board already, but for whose turn it is.
        if self.problems.is_some() {
            let _ = self.open_problem(0);
        }
    }

    /// Puts a problem of the set on the board.
    pub(super) fn open_problem(&mut self, number: usize) -> Result<(), String> {
        let problems = self.problems.as_mut().ok_or("there are no problems")?;
        let (tree, start) = problems.open(number).ok_or("there is no such problem")?;
        self.set_record(tree, start)
    }

    /// Tries a move; the opponent answers as the file says.
    pub(super) fn try_move(&mut self, at: &str) -> Result<(), String> {
        let point = self.point(at)?;
        let problems = self.problems.as_ref().ok_or("there are no problems")?;
        if !problems.is_open() {
            return Err("the problem is over; try it again".to_owned());
        }
        // Where the file has no answer, moves are tried for both.
        let color = self.game().to_move();
        self.make(color, Move::Play(point))?;
        let Some(problems) = &mut self.problems else { return Ok(()) };
        if color != problems.to_play() {
            return Ok(());
        }
        let Some(reply) = problems.tried(&self.tree, self.here) else { return Ok(()) };
        let (color, mv) = record::move_of(&self.tree, reply, self.size()).ok_or("no answer")?;
        // An answer that cannot be played is none.
        let _ = self.make(color, mv);
        Ok(())
    }

    /// The problem on the board, for the page: with what the file says about the move that was tried,
    /// also when it has been answered.
    pub(super) fn problem(&self) -> Option<Value> {
        let mut shown = self.problems.as_ref()?.to_json();
        let said = |node: NodeId| record::text(&self.tree, node, "C");
        let before = || self.tree.parent(self.here).and_then(said);
        shown["comment"] = said(self.here).or_else(before).into();
        Some(shown)
    }
}
