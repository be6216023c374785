//! What a table wants to be thought about: errands that workers fetch, and what they bring back.

use engine::review::LIGHT_VISITS;

use super::*;

impl Table {
    pub(super) fn analyse(&mut self, on: bool, visits: Option<u64>) {
        if !on {
            self.analysis = None;
            if !self.is_engines_turn() {
                self.stop.raise();
            }
            return;
        }
        let visits = visits.unwrap_or(VISITS).clamp(1, self.limits.visits);
        let until = Instant::now() + self.limits.analyse;
        self.analysis = Some(Analysis { visits, until, done: false });
    }

    pub(super) fn begin_review(&mut self, on: bool, visits: Option<u64>) -> Result<(), String> {
        if !on {
            self.stop_review();
            return Ok(());
        }
        let visits = visits.unwrap_or(REVIEW).clamp(1, self.limits.visits.min(LIGHT_VISITS));
        self.reviews += 1;
        let review = Review::new(self.reviews, &self.tree, self.here, self.game(), visits)?;
        self.panes.show(Pane::Review, &review.to_json());
        self.review = Some(review);
        Ok(())
    }

    fn stop_review(&mut self) {
        if let Some(review) = &mut self.review {
            review.stop();
            self.panes.show(Pane::Review, &review.to_json());
        }
    }

    pub(super) fn clear_review(&mut self) {
        if self.review.take().is_some() {
            self.panes.show(Pane::Review, &json!({"type": "review", "total": 0}));
        }
    }

    /// Another position is looked at: what is thought about it begins anew.
    pub(super) fn renew(&mut self) {
        if let Some(analysis) = &mut self.analysis {
            analysis.done = false;
            analysis.until = Instant::now() + self.limits.analyse;
        }
        self.statistics = None;
        self.why = None;
        self.wants_solution = false;
        self.sight = self.sight.map(|_| false);
        if let Some((comparison, done)) = &mut self.compare {
            (comparison.at, *done) = (None, false);
        }
    }

    /// What a worker is to do here next, with the engine that it does it with.
    pub fn fetch(&mut self, crowd: f64) -> Option<Visit> {
        if self.visited {
            return None;
        }
        let errand = self.next_errand(crowd)?;
        let megabytes = self.limits.megabytes;
        let plain = Options { threads: 1, megabytes, ..Options::default() };
        let options = match &errand {
            // As `harie review` thinks, so that both find the same where the memory suffices.
            Errand::Review { .. } => {
                let wanted = self.review.as_ref().map_or(megabytes, Review::megabytes);
                Options { megabytes: wanted.min(megabytes), ..plain }
            }
            _ => Options { level: self.level, seed: self.seed(), ..plain },
        };
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::new(Arc::clone(&self.library), options.clone()),
        };
        engine.set_options(options);
        engine.set_game(self.game().clone());
        self.stop = Stop::new();
        self.visited = true;
        Some(Visit { engine, errand, stop: self.stop.clone(), epoch: self.epoch })
    }

    /// Other boards play other games.
    pub(super) fn seed(&self) -> u64 {
        self.id.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(1)
    }

    /// Whether a worker is wanted: `Some(true)` if somebody waits for it.
    pub fn wants(&self) -> Option<bool> {
        if self.visited {
            return None;
        }
        let judging = matches!(self.phase, Phase::Scoring { judged: false, .. });
        if self.is_engines_turn() || judging || self.why.is_some() || self.wants_solution {
            return Some(true);
        }
        let analysing = self.analysis.as_ref().is_some_and(|a| !a.done);
        let counting = self.wants_statistics && self.counted() < STATISTICS;
        // It goes on when somebody comes back.
        let seen = self.watchers > 0;
        let reviewing = seen && self.review.as_ref().is_some_and(Review::is_running);
        let looking = self.sight == Some(false);
        let comparing = self.compare.as_ref().is_some_and(|(_, done)| !done);
        (analysing || counting || reviewing || looking || comparing).then_some(false)
    }

    pub(super) fn counted(&self) -> u64 {
        self.statistics.as_ref().map_or(0, Counts::playouts)
    }

    pub(super) fn next_errand(&mut self, crowd: f64) -> Option<Errand> {
        if self.is_engines_turn() {
            return Some(Errand::Move { time: self.time_for_move(crowd) });
        }
        if let Phase::Scoring { judged: false, .. } = self.phase {
            return Some(Errand::Judge);
        }
        if let Some(point) = self.why.take() {
            return Some(Errand::Why(point));
        }
        if std::mem::take(&mut self.wants_solution) {
            let (backend, time) = (Arc::clone(&self.backend), self.limits.solve);
            return Some(Errand::Solve(backend, time));
        }
        if let Some((mut comparison, false)) = self.compare.clone() {
            comparison.played = self.next_point();
            return Some(Errand::Compare(comparison, Arc::clone(&self.backend)));
        }
        if self.sight == Some(false) {
            return Some(Errand::Sight);
        }
        let counted = self.counted();
        // Statistics and the search share the time: the statistics are soon done.
        if self.wants_statistics && counted < STATISTICS {
            return Some(Errand::Statistics { seed: counted + 1 });
        }
        let now = Instant::now();
        if let Some(analysis) = self.analysis.as_mut().filter(|analysis| !analysis.done) {
            if now < analysis.until {
                let (visits, time) = (analysis.visits, self.limits.slice);
                return Some(Errand::Analyse { visits, time });
            }
            analysis.done = true;
        }
        let review = self.review.as_ref().filter(|_| self.watchers > 0)?;
        let (number, time) = (review.number(), self.limits.slice);
        review.next().map(|job| Errand::Review { number, job: Box::new(job), time })
    }

    /// Where the move was played that follows in the game.
    fn next_point(&self) -> Option<Point> {
        let next = self.tree.first_child(self.here)?;
        record::move_of(&self.tree, next, self.size())?.1.point()
    }

    /// How long the engine may think about its move: less when many others wait.
    pub(super) fn time_for_move(&self, crowd: f64) -> Duration {
        let own = Duration::from_secs_f32(self.seconds).min(self.limits.think);
        let (game, size) = (self.game(), self.size());
        let to_come = (0.75 * size.area() as f64 - game.moves().len() as f64) / 2.0;
        let to_come = to_come.max(0.15 * size.area() as f64);
        let time = match &self.clock {
            Some(clock) => own.min(clock.allowance(game.to_move(), to_come)),
            None => own,
        };
        time.div_f64(crowd.max(1.0)).max(Duration::from_millis(20))
    }

    /// A report about what is still being thought.
    pub fn glimpse(&mut self, epoch: u64, insight: Value) {
        if epoch == self.epoch {
            self.show_insight(insight);
        }
    }

    pub(super) fn show_insight(&mut self, insight: Value) {
        self.show_about(Pane::Insight, "insight", insight);
    }

    /// Shows something about the position that is looked at.
    fn show_about(&self, pane: Pane, kind: &str, mut value: Value) {
        value["type"] = kind.into();
        value["node"] = self.here.index().into();
        self.panes.show(pane, &value);
    }

    /// Takes the engine back, and what it found if that is still wanted.
    pub fn bring_back(&mut self, engine: Option<Engine>, epoch: u64, finding: Option<Finding>) {
        self.visited = false;
        self.engine = engine;
        if self.watchers == 0
            && let Some(engine) = &mut self.engine
        {
            engine.forget();
        }
        // What was interrupted is not thought through; a position of a review is thought about again.
        if epoch != self.epoch {
            return;
        }
        match finding {
            Some(Finding::Chosen { choice, words }) => self.chosen(choice, words),
            Some(Finding::Judged(found)) => {
                if let Phase::Scoring { marks, judged, .. } = &mut self.phase {
                    (*marks, *judged) = (found, true);
                }
                self.show();
            }
            Some(Finding::Why(value)) => self.show_about(Pane::Why, "why", value),
            Some(Finding::Analysed { insight, visits }) => {
                if let Some(analysis) = &mut self.analysis {
                    analysis.done = visits >= analysis.visits;
                }
                self.show_insight(insight);
            }
            Some(Finding::Counted(counts)) => {
                match &mut self.statistics {
                    Some(all) => all.merge(&counts),
                    None => self.statistics = Some(counts),
                }
                if let Some(counts) = &self.statistics {
                    let value = view::statistics(counts, self.game());
                    self.show_about(Pane::Statistics, "statistics", value);
                }
            }
            Some(Finding::Seen(value)) => {
                self.sight = self.sight.map(|_| true);
                self.show_about(Pane::Sight, "sight", value);
            }
            Some(Finding::Solved(value)) => self.show_about(Pane::Solution, "solution", value),
            Some(Finding::Compared(done, value)) => {
                // Another pair or another move may have been asked for meanwhile; that is still to
                // be done, and what came back is of no use.
                let asked = self.compare.as_mut();
                if let Some((_, known)) = asked.filter(|(wanted, _)| wanted.asks_as(&done)) {
                    *known = true;
                    self.show_about(Pane::Compare, "compare", value);
                }
            }
            Some(Finding::Reviewed { number, found: Some(found) }) => {
                let asked = self.review.as_mut();
                if let Some(review) = asked.filter(|review| review.takes(number)) {
                    review.take(*found);
                    self.panes.show(Pane::Review, &review.to_json());
                }
            }
            Some(Finding::Reviewed { found: None, .. }) => {}
            // The worker broke down: what was asked for is given up, or it would break down again.
            None => {
                self.analysis = None;
                self.wants_statistics = false;
                self.sight = None;
                self.compare = None;
                self.stop_review();
                // A game that is over stays so.
                if !self.is_over() {
                    self.phase = Phase::Study;
                }
                self.show();
            }
        }
    }

    pub(super) fn chosen(&mut self, choice: Choice, words: Value) {
        self.check_clock();
        if !self.is_engines_turn() {
            self.show();
            return;
        }
        let color = self.game().to_move();
        let made = match choice {
            Choice::Resign => {
                self.finish(format!("{}+R", (!color).letter()));
                Ok(())
            }
            Choice::Play(mv) => self.make(color, mv),
        };
        if made.is_err() {
            // The limits of the game are reached, so it ends here.
            self.begin_scoring();
        }
        self.words = Some((self.here, words));
        self.show();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::EmptyBackend;
    use crate::parsing::{Text, parse};

    fn table() -> Table {
        let library = Library::new(|of, _| {
            let bytes: &[u8] = match of {
                policy::Use::Uct => include_bytes!("../../../../weights/uct9.model"),
                policy::Use::Mc => include_bytes!("../../../../weights/mc9.model"),
            };
            engine::Model::from_bytes(bytes).unwrap()
        });
        Table::new("0".repeat(32), Arc::new(library), Arc::new(EmptyBackend), Limits::default())
    }

    #[test]
    fn a_comparison_of_other_models_is_not_shown() {
        let mut table = table();
        let ask = |table: &mut Table, second: &str| {
            let models = ["a".to_owned(), second.to_owned()];
            table.handle(Request::Compare { on: true, models, at: None }).unwrap();
        };
        let shown =
            |table: &Table| table.panes.views()[Pane::Compare as usize].borrow().to_string();
        ask(&mut table, "b");
        let mut visit = table.fetch(1.0).unwrap();
        let found = visit.run(&mut |_| ());
        // Meanwhile the second model was changed.
        ask(&mut table, "c");
        table.bring_back(Some(visit.engine), visit.epoch, Some(found));
        assert_eq!(shown(&table), "");
        assert_eq!(table.wants(), Some(false));
        let mut visit = table.fetch(1.0).unwrap();
        let found = visit.run(&mut |_| ());
        table.bring_back(Some(visit.engine), visit.epoch, Some(found));
        assert!(shown(&table).contains(r#""asked":["a","c"]"#), "{}", shown(&table));
        assert_eq!(table.wants(), None);
    }

    /// A review of a short game at a table where somebody looks.
    fn reviewing() -> Table {
        let mut table = table();
        let _views = table.attend();
        let record = Text::Record("(;SZ[9]KM[7];B[ee];W[ec])".into());
        table.take(parse(record, &Limits::default()).unwrap()).unwrap();
        table.handle(Request::Review { on: true, visits: Some(20) }).unwrap();
        table
    }

    fn shown_review(table: &Table) -> Value {
        let text = table.panes.views()[Pane::Review as usize].borrow().to_string();
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_review_ends_where_a_worker_breaks_down() {
        let mut table = reviewing();
        let visit = table.fetch(1.0).unwrap();
        table.bring_back(None, visit.epoch, None);
        assert_eq!(table.wants(), None, "or it would break down there for ever");
        let review = shown_review(&table);
        assert_eq!((&review["running"], &review["done"]), (&json!(false), &json!(0)));
    }

    #[test]
    fn a_game_that_is_over_stays_so_where_a_worker_breaks_down() {
        let mut table = reviewing();
        let people = [true, true];
        table.handle(Request::Seats { people, level: None, seconds: None }).unwrap();
        table.handle(Request::Resign).unwrap();
        let visit = table.fetch(1.0).unwrap();
        table.bring_back(None, visit.epoch, None);
        assert!(table.is_over());
    }

    #[test]
    fn a_review_takes_the_memory_of_harie_review_within_the_limit() {
        let wanted = engine::review::Effort::visits(20).megabytes();
        for (limit, taken) in [(4 * wanted, wanted), (wanted / 2, wanted / 2)] {
            let mut table = reviewing();
            table.limits.megabytes = limit;
            assert_eq!(table.fetch(1.0).unwrap().engine.options().megabytes, taken);
        }
    }

    #[test]
    fn what_was_found_for_another_review_is_not_taken() {
        let mut table = reviewing();
        let mut visit = table.fetch(1.0).unwrap();
        let found = visit.run(&mut |_| ());
        // Meanwhile a longer one was asked for.
        table.handle(Request::Review { on: true, visits: Some(40) }).unwrap();
        table.bring_back(Some(visit.engine), visit.epoch, Some(found));
        assert_eq!(shown_review(&table)["done"], 0);
        while shown_review(&table)["done"] == 0 {
            let mut visit = table.fetch(1.0).unwrap();
            let found = visit.run(&mut |_| ());
            table.bring_back(Some(visit.engine), visit.epoch, Some(found));
        }
        assert_eq!(shown_review(&table)["done"], 1);
    }
}
