//! The end of a game at a table: dead stones are agreed on, or it is played on.

use super::*;

impl Table {
    pub(super) fn begin_scoring(&mut self) {
        let playing = matches!(self.phase, Phase::Playing);
        self.interrupt();
        self.phase = Phase::Scoring { marks: Marks::default(), judged: false, playing };
    }

    pub(super) fn toggle_dead(&mut self, at: &str) -> Result<(), String> {
        let point = self.point(at)?;
        let board = self.standing.game.board();
        let Phase::Scoring { marks, .. } = &mut self.phase else {
            return Err("dead stones are marked when the game is over".to_owned());
        };
        let chain = board.chain(point).ok_or("there is no stone")?;
        let dead = !marks.dead.contains(point);
        let stones: Vec<Point> = board.chain_stones(chain).collect();
        let mut touched = PointSet::EMPTY;
        for stone in stones {
            marks.dead.set(stone, dead);
            touched.insert(stone);
        }
        // What a person says counts more than what the engine took for a seki.
        for stone in touched.iter() {
            marks.seki.remove(stone);
        }
        Ok(())
    }

    pub(super) fn accept(&mut self) -> Result<(), String> {
        let Phase::Scoring { marks, .. } = &self.phase else {
            return Err("there is no count to accept".to_owned());
        };
        let result = result_text(self.game().score(marks));
        self.finish(result);
        Ok(())
    }

    /// Ends the count without a result. Passes that led to it are taken back, or it would begin again.
    pub(super) fn resume(&mut self) {
        let Phase::Scoring { playing, .. } = self.phase else { return };
        self.interrupt();
        self.phase = if playing { Phase::Playing } else { Phase::Study };
        let size = self.size();
        while playing
            && let Some((_, Move::Pass)) = record::move_of(&self.tree, self.here, size)
            && let Some(parent) = self.tree.parent(self.here)
        {
            self.tree.detach(self.here);
            self.here = parent;
        }
        if playing {
            self.tip = self.here;
            // The way here was played before.
            let _ = self.stand();
            self.renew();
            self.show_tree();
        }
    }
}
