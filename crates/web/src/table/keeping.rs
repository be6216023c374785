//! A game as a page keeps it, to hand it back when the server has lost it.

use super::*;

impl Table {
    /// Whether nothing has been put on the table yet.
    pub(super) fn is_fresh(&self) -> bool {
        self.records == 0 && self.tree.len() == 1 && self.written == 0
    }

    /// Whether there is work on the board that would be lost with it. Problems are in their file, and so
    /// is a record to which nothing was added.
    pub(super) fn is_worth_keeping(&self) -> bool {
        let has_moves = self.tree.first_child(self.tree.root()).is_some();
        let has_more = has_moves && self.tree.len() > self.loaded;
        self.problems.is_none() && (has_more || self.written > 0)
    }

    /// The game with all that is needed to go on with it.
    pub(super) fn keep(&self) -> Kept {
        Kept {
            record: self.tree.to_sgf_in(Layout::OneLine),
            here: record::place(&self.tree, self.here),
            tip: record::place(&self.tree, self.tip),
            phase: match self.phase {
                Phase::Playing => Stage::Playing,
                Phase::Scoring { playing: true, .. } => Stage::Counting,
                Phase::Over => Stage::Over,
                Phase::Scoring { playing: false, .. } | Phase::Study => Stage::Study,
            },
            people: self.people,
            level: self.level.map(|level| level.to_string()),
            seconds: Some(self.seconds),
            clock: self.clock.as_ref().map(|clock| clock.stopped(Instant::now())),
        }
    }

    /// Puts a game back that was kept. It takes the place of no other unless that is what is wanted: of
    /// two pages that both have it, the second comes too late.
    pub(super) fn restore(
        &mut self,
        kept: &Kept,
        tip: NodeId,
        sheet: Sheet,
        replace: bool,
    ) -> Result<(), String> {
        if !replace && !self.is_fresh() {
            return Err("there is a game on this board already".to_owned());
        }
        // Nothing is changed before all of it was found to be in order.
        self.sit(kept.people, kept.level.as_deref(), kept.seconds)?;
        let is_broken = sheet.standing.note.is_some();
        self.put(sheet);
        self.loaded = 1;
        self.people = kept.people;
        self.problems = None;
        self.records += 1;
        match kept.phase {
            Stage::Playing | Stage::Counting if !is_broken => {
                self.phase = Phase::Playing;
                self.result = None;
                self.tip = tip;
                self.clock = kept.clock.map(PlayerClocks::go_on);
                if kept.phase == Stage::Counting || self.standing.game.is_over() {
                    self.begin_scoring();
                }
            }
            Stage::Over => self.phase = Phase::Over,
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::EmptyBackend;
    use crate::request::Control;

    #[test]
    fn whose_time_is_up_is_told_when_the_game_is_kept_or_saved() {
        for request in [Request::Keep, Request::Save] {
            let library = Arc::new(Library::new(|_, _| unreachable!("nobody thinks here")));
            let limits = Limits::default();
            let mut table = Table::new("0".repeat(32), library, Arc::new(EmptyBackend), limits);
            let new = NewGame {
                size: 9,
                people: [true, true],
                level: None,
                seconds: None,
                rules: "chinese".to_owned(),
                komi: 7.0,
                handicap: 0,
                clock: Some(Control { main: 0.0, period: 0.0, periods: 0 }),
            };
            table.handle(Request::New(new)).unwrap();
            let phase = |table: &Table| {
                let shown = table.panes.views()[Pane::State as usize].borrow().to_string();
                serde_json::from_str::<Value>(&shown).unwrap()["phase"].clone()
            };
            assert_eq!(phase(&table), "playing");
            table.handle(request).unwrap();
            assert_eq!(phase(&table), "over");
        }
    }
}
