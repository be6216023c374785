//! Problems at a table: one is put on the board, moves are tried, and the file answers.

use super::*;
use crate::problems::Opened;

impl Table {
    /// The text of a problem of the set, which is read before it is shown.
    pub(super) fn problem_text(&self, number: usize) -> Result<Text, String> {
        let problems = self.problems.as_ref().ok_or("there are no problems")?;
        let text = problems.text(number).ok_or("there is no such problem")?.to_owned();
        Ok(Text::Problem { number, text, records: self.records })
    }

    /// Puts a problem on the board that was read. `records` says of which set: meanwhile another may have
    /// come to the table.
    pub(super) fn show_problem(
        &mut self,
        number: usize,
        records: u64,
        opened: Opened,
        sheet: Sheet,
    ) -> Result<(), String> {
        let problems = self.problems.as_mut().filter(|_| records == self.records);
        problems.ok_or("there is no such problem")?.show(number, opened);
        self.put(sheet);
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::EmptyBackend;
    use crate::parsing::parse;

    #[test]
    fn a_problem_of_a_set_that_has_gone_is_not_shown() {
        let library = Library::new(|_, _| unreachable!("nobody thinks here"));
        let limits = Limits::default();
        let (library, backend) = (Arc::new(library), Arc::new(EmptyBackend));
        let mut table = Table::new("0".repeat(32), library, backend, limits.clone());
        let load = |table: &mut Table, sgf: String| {
            let parsed = parse(Text::Record(sgf.into()), &limits).unwrap();
            table.take(parsed).unwrap();
        };
        let ask = |table: &mut Table| match table.handle(Request::Problem { number: 1 }) {
            Ok(Reply::Read(text)) => parse(text, &limits).unwrap(),
            other => panic!("{other:?}"),
        };
        load(&mut table, "(;SZ[9]AB[aa]AW[ba])".repeat(2));
        let first = ask(&mut table);
        load(&mut table, "(;SZ[9]AB[cc]AW[dc])".repeat(2));
        assert_eq!(table.take(first).unwrap_err(), "there is no such problem");
        let second = ask(&mut table);
        table.take(second).unwrap();
        assert_eq!(table.problem().unwrap()["number"], 1);
        assert_eq!(
            table.game().board().cell(Point::parse("C7").unwrap()).color(),
            Some(Color::Black)
        );
    }
}
