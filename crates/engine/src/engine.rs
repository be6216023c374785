//! The engine: a game, and someone who thinks about it.

mod explaining;

use std::sync::Arc;
use std::time::{Duration, Instant};

use goban::{Color, Game, Illegal, Move, Point, PointMap, Rules, Size};
use knowledge::Entry;
use playout::Random;
use playout::statistics::{self, Counts, Wanted, gather_quietly};
use policy::{Model, Rated, Reason};
use search::{
    Agreed, Expander, Report, Restriction, Root, Search, SearchLimits, Settings, Stop, Task,
};

use crate::assessment::{self, Assessment};
use crate::clock::{Allowance, Clock, TimeControl};
use crate::ending::Ending;
use crate::hanging::hanging;
use crate::judge::{FEW_PLAYOUTS, Judgement, judge, judge_with};
use crate::knowledge_player::{Bounds, Fired, Knowledge, Proposal};
use crate::komi::area_komi;
use crate::library::Library;
use crate::options::Options;
use crate::request::Request;
use crate::variety::Variety;

/// What the engine decides to do when asked for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// This move.
    Play(Move),
    /// Give up.
    Resign,
}

impl Choice {
    /// The move, if it is one.
    fn as_move(self) -> Option<Move> {
        match self {
            Choice::Play(mv) => Some(mv),
            Choice::Resign => None,
        }
    }
}

/// One game in progress and the engine that plays in it.
pub struct Engine {
    library: Arc<Library>,
    options: Options,
    game: Game,
    clock: Clock,
    /// Made when it is first needed, and again when the board size or the options change.
    search: Option<(Size, Search)>,
    /// What the search is about if it was begun fresh for that and has done nothing else since.
    fresh: Option<FreshSearch>,
    ending: Ending,
    /// For choices among moves that are equally good.
    random: Random,
    /// What the last choice was made from.
    last: Option<(Game, Choice, Report)>,
    /// The last choice and the game it was made in, if it came from the book.
    booked: Option<(Game, Entry)>,
    /// The last games, which are not to be played again.
    variety: Variety,
    /// What proposed the last choice.
    origin: MoveOrigin,
    /// What patterns did so far.
    fired: Fired,
    /// The handicap komi of the last move.
    more: f32,
}

/// What a move comes from.
enum MoveOrigin {
    /// By the tree search.
    Searched,
    /// By playouts of moves that were proposed; the pattern that did, if it was one.
    Weighed(Option<String>),
}

impl Engine {
    /// An engine before an empty 19x19 board, komi 7.5, Chinese rules.
    pub fn new(library: Arc<Library>, options: Options) -> Engine {
        Engine {
            library,
            game: Game::new(Size::NINETEEN, Rules::CHINESE, 7.5),
            clock: Clock::new(TimeControl::None),
            search: None,
            fresh: None,
            ending: Ending::default(),
            random: Random::new(!options.seed),
            last: None,
            booked: None,
            variety: Variety::default(),
            origin: MoveOrigin::Searched,
            fired: Fired::new(),
            more: 0.0,
            options,
        }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options.
    pub fn set_options(&mut self, options: Options) {
        if options != self.options {
            self.search = None;
        }
        self.options = options;
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Begins or goes on with another game. What was thought about positions that it shares with
    /// the game so far is kept.
    pub fn set_game(&mut self, game: Game) {
        self.ending = Ending::default();
        if game.moves().is_empty() {
            self.variety.keep(&self.game);
        }
        self.game = game;
    }

    /// Changes the komi.
    pub fn set_komi(&mut self, komi: f32) {
        self.game.set_komi(komi);
    }

    /// Makes a move in the game.
    ///
    /// # Errors
    /// What is wrong with the move; the game is as it was.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), Illegal> {
        self.game.play_as(color, mv)
    }

    /// Takes the last move back.
    pub fn undo(&mut self) -> Option<(Color, Move)> {
        self.game.undo()
    }

    /// Sets the time control; both players have all their time.
    pub fn set_time(&mut self, control: TimeControl) {
        self.clock = Clock::new(control);
    }

    /// Gives both players all their time again, for another game.
    pub fn restart_clock(&mut self) {
        self.clock.restart();
    }

    /// Says how much time a player has left: in main time if `stones` is 0, else in a period in
    /// which so many stones are to be played, or with so many periods in Japanese overtime.
    pub fn set_time_left(&mut self, color: Color, left: Duration, stones: u32) {
        self.clock.set_left(color, left, stones);
    }

    /// Forgets what was searched: what is kept of one search does not tell the next everything, such as
    /// who owns what after each move.
    pub fn forget_search(&mut self) {
        self.fresh = None;
        if let Some((_, search)) = &mut self.search {
            search.clear();
        }
    }

    /// Forgets everything that was thought so far.
    pub fn forget(&mut self) {
        self.search = None;
        self.last = None;
        self.booked = None;
    }

    /// Thinks about a move for `color`, as long as the clock and the options say or until stopped,
    /// and decides. The move is not made. `request` bounds it further; `watch` sees reports as often
    /// as the request asks, and the last one.
    pub fn think(
        &mut self,
        color: Color,
        request: &Request,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report),
    ) -> Choice {
        let start = Instant::now();
        self.booked = None;
        if let Some(entry) = self.book_move(color, request) {
            self.booked = Some((self.game.clone(), entry));
            self.last = None;
            self.clock.spend(color, start.elapsed());
            return Choice::Play(Move::Play(entry.point));
        }
        let mut limits = limits(request);
        let size = self.game.board().size();
        // Read when they are first needed, and that takes time of the clock too.
        self.library.models(size);
        let on_clock = self.clock.allowance(color, size, self.game.moves().len());
        let allowance = request.time.is_none().then(|| {
            let time = self.options.time;
            on_clock.unwrap_or(Allowance { time, most: time, is_kept: false })
        });
        limits.visits = request.visits.or(self.options.visits);
        let by_visits = limits.visits.is_some() || self.options.level.is_some();
        // A level is not bound by time, but its games are.
        let is_timed = limits.visits.is_none() && (!by_visits || on_clock.is_some());
        let hurried = is_timed && allowance.is_some_and(|allowance| allowance.time < SHORT);
        let judgement = self.second_pass(color, hurried);
        let urged = self.urged(color, hurried);
        if let Some(Allowance { time, most, is_kept }) = allowance {
            let used = start.elapsed();
            limits.time = Some(time.saturating_sub(used));
            // Whoever asks for so many visits wants them all.
            if limits.visits.is_none() {
                limits.early = is_kept;
                limits.stretch = Some(most.saturating_sub(used));
            }
        }
        let expander = Expander { urged, ..expander(request) };
        if let Some(level) = self.options.level {
            // Playouts of this move alone, or a well-known opponent would be a stronger one.
            limits.playouts = Some(level.visits());
            self.forget_search();
        }
        let (komi, more) = (area_komi(&self.game, color), self.handicap_komi());
        let (report, proposals) = match self.options.knowledge.clone() {
            Some(knowledge) => self.weigh(&knowledge, color, komi + more, &limits, stop),
            None => {
                let plan = SearchPlan { komi: komi + more, expander: &expander, limits: &limits };
                let mut shown = |report: &Report| {
                    let mut report = report.clone();
                    take_back_komi(&mut report, more);
                    watch(&report);
                };
                let agreed = judgement.as_ref().map(|judgement| agreed(judgement, more));
                (self.search(color, &plan, agreed, stop, &mut shown), Vec::new())
            }
        };
        let mut adjusted = report.clone();
        take_back_komi(&mut adjusted, more);
        watch(&adjusted);
        // Moves are compared as they were searched: the shift brings win rates together.
        let may_pass = may_pass(request, color);
        let think = Think { komi, is_timed, hurried, may_pass, judgement, searched: &report };
        let choice = self.decide(color, &think, &adjusted, stop);
        let choice = match choice {
            Choice::Play(mv) if self.options.book.is_some() => {
                let other = self.variety.other(&self.game, color, mv, &report);
                let other = other.filter(|&mv| self.game.check(color, mv).is_ok());
                Choice::Play(other.unwrap_or(mv))
            }
            choice => choice,
        };
        let report = adjusted;
        self.more = more;
        Knowledge::count(&mut self.fired, &proposals, choice.as_move());
        self.origin = match &self.options.knowledge {
            Some(_) => {
                let proposer = choice.as_move().and_then(|mv| Knowledge::proposer(&proposals, mv));
                MoveOrigin::Weighed(proposer.map(str::to_owned))
            }
            None => MoveOrigin::Searched,
        };
        self.clock.spend(color, start.elapsed());
        self.last = Some((self.game.clone(), choice, report));
        choice
    }

    /// A move of the opening book, if there is one and nothing was said about which moves to look at.
    fn book_move(&mut self, color: Color, request: &Request) -> Option<Entry> {
        let book = self.options.book.clone()?;
        if !request.avoid.is_empty() || !request.allow.is_empty() {
            return None;
        }
        let chance = self.random.below(1 << 24) as f64 / (1 << 24) as f64;
        let point = book.choose(self.game.board(), color, chance)?;
        let entry = book.moves(self.game.board(), color).into_iter().find(|e| e.point == point)?;
        self.game.check(color, Move::Play(point)).is_ok().then_some(entry)
    }

    /// Moves that known shapes and influence propose, judged by playouts.
    fn weigh(
        &self,
        knowledge: &Knowledge,
        color: Color,
        komi: f32,
        limits: &SearchLimits,
        stop: &Stop,
    ) -> (Report, Vec<Proposal>) {
        let models = self.library.models(self.game.board().size());
        let proposals = knowledge.propose(&self.game, color);
        let bounds = Bounds {
            playouts: limits.visits.or(limits.playouts),
            until: limits.time.map(|time| Instant::now() + time),
            stop,
            threads: self.options.threads,
            seed: self.options.seed ^ self.game.hash(),
            komi,
        };
        let report = knowledge.weigh(&models, &self.game, color, &proposals, &bounds);
        (report, proposals)
    }

    /// How often each pattern proposed a move since the engine was made, and how often that move was
    /// played.
    pub fn fired(&self) -> &Fired {
        &self.fired
    }

    /// Thinks about the position with `color` to move until the bounds of the request are reached
    /// or the flag is raised. `watch` sees reports as often as the request asks, and the last one,
    /// which is returned as well.
    pub fn analyse(
        &mut self,
        color: Color,
        request: &Request,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        let komi = area_komi(&self.game, color);
        let plan = SearchPlan { komi, expander: &expander(request), limits: &limits(request) };
        let agreed = self.second_pass(color, false).map(|judgement| agreed(&judgement, 0.0));
        let report = self.search(color, &plan, agreed, stop, watch);
        watch(&report);
        report
    }

    /// The same by a search that knows nothing from before and draws the first random numbers of its
    /// seed: with one thread and a bound of visits, what it finds depends on the position, the request
    /// and the options alone. Asked again about the same position it goes on where it ended, and finds
    /// what it would have found without the break.
    pub fn analyse_anew(
        &mut self,
        color: Color,
        request: &Request,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        let fresh = FreshSearch::new(&self.game, color, request);
        // Nothing is kept of a search that may not look at all moves.
        let is_plain = expander(request) == Expander::default();
        if !is_plain || self.fresh.as_ref() != Some(&fresh) {
            self.search = None;
        }
        let report = self.analyse(color, request, stop, watch);
        self.fresh = is_plain.then_some(fresh);
        report
    }

    /// Thinks while the opponent does, until stopped. A level does not: it would forget what it found.
    pub fn ponder(&mut self, stop: &Stop) {
        let color = self.game.to_move();
        if !self.game.is_over() && self.options.level.is_none() {
            let more = self.handicap_komi();
            let komi = area_komi(&self.game, color) + more;
            let plan = SearchPlan {
                komi,
                expander: &Expander::default(),
                limits: &SearchLimits::default(),
            };
            let agreed = self.second_pass(color, false).map(|judgement| agreed(&judgement, more));
            self.search(color, &plan, agreed, stop, &mut |_| {});
        }
    }

    /// The move model's probabilities for `color`, the most likely first; no search.
    pub fn policy(&self, color: Color) -> Vec<Rated> {
        let models = self.library.models(self.game.board().size());
        models.tree.rate(&Root::new(&self.game, color).situation())
    }

    /// What the search takes a pass for at its start, beside those probabilities.
    pub fn pass_share(&self) -> f32 {
        search::PASS
    }

    /// The probabilities of another model for `color`, the most likely first.
    pub fn policy_of(&self, model: &Model, color: Color) -> Vec<Rated> {
        model.rate(&Root::new(&self.game, color).situation())
    }

    /// What another model says for and against a move, the strongest first.
    pub fn why_of(&self, model: &Model, color: Color, point: Point) -> Vec<Reason> {
        model.explain(&Root::new(&self.game, color).situation(), point)
    }

    /// Links, groups and territory of the position.
    pub fn assess(&self) -> Assessment {
        let models = self.library.models(self.game.board().size());
        assessment::assess(&models, &self.game, self.options.seed)
    }

    /// Which stones are dead and what the score is, or what it is expected to be before the game has ended.
    pub fn judge(&mut self) -> Judgement {
        let models = self.library.models(self.game.board().size());
        judge(&models, &self.game, self.options.seed).by_the_rules_of(&self.game)
    }

    /// The game in which the engine chose last, if the game at hand goes on from it.
    pub fn chosen_in(&self) -> Option<&Game> {
        let booked = self.booked.as_ref().map(|(game, _)| game);
        let before = booked.or(self.last.as_ref().map(|(game, ..)| game))?;
        self.goes_on_from(before).then_some(before)
    }

    /// Whether the game goes on from another, or is the same.
    fn goes_on_from(&self, before: &Game) -> bool {
        before.board().size() == self.game.board().size()
            && self.game.history().starts_with(before.history())
    }

    /// Uniform playouts for statistics of pairs of points and of the order of moves.
    fn light_playouts(&self, color: Color) -> statistics::Task<'_> {
        statistics::Task {
            board: self.game.board(),
            to_move: color,
            last: None,
            komi: area_komi(&self.game, color),
            model: None,
            playouts: 10_000,
            seed: self.options.seed,
            threads: self.options.threads.max(1),
            wanted: Wanted::ALL,
        }
    }

    /// What the move model says for and against a move, the strongest first.
    pub fn why(&self, color: Color, point: Point) -> Vec<Reason> {
        let models = self.library.models(self.game.board().size());
        models.tree.explain(&Root::new(&self.game, color).situation(), point)
    }

    /// Statistics of so many light playouts about the points of the position and about pairs of them;
    /// other seeds play other games, and counts of the same position add up.
    pub fn statistics(&self, playouts: u64, seed: u64) -> Counts {
        let task = self.light_playouts(self.game.to_move());
        let task = statistics::Task { playouts, seed, threads: 1, ..task };
        gather_quietly(&task)
    }

    /// Points that White is taken to have more in a handicap game, fewer as it goes on: with a
    /// hopeless or an overwhelming position every move looks the same, and play grows slack.
    fn handicap_komi(&self) -> f32 {
        let stones = self.game.handicap();
        if stones < 2 || !self.options.dynamic_komi {
            return 0.0;
        }
        let made = self.game.moves().len() as f32 / self.game.board().size().area() as f32;
        let worth = 7.0 * stones as f32 * (1.0 - made / 0.35).max(0.0);
        // In steps, because the tree is of no use for another komi.
        let worth = (worth / STEP).round() * STEP;
        // Not so many that Black would be behind, as far as the last move showed.
        let before = |game: &Game| game.handicap() == stones && self.goes_on_from(game);
        let Some((_, _, report)) = self.last.as_ref().filter(|(game, ..)| before(game)) else {
            return worth;
        };
        let lead = if report.to_move == Color::Black { report.score } else { -report.score };
        let stays = (self.more..self.more + 2.0 * STEP).contains(&lead);
        let most = if stays { self.more } else { (lead / STEP).floor() * STEP };
        worth.min(most.max(0.0))
    }

    /// Whether stones of a colour are dead on the board, by a few playouts.
    pub fn has_dead_stones(&self, color: Color) -> bool {
        let dead = self.judge_roughly(false).marks.dead;
        dead.iter().any(|p| self.game.board().cell(p).color() == Some(color))
    }

    /// The status of the stones by a few playouts.
    fn judge_roughly(&self, hurried: bool) -> Judgement {
        let models = self.library.models(self.game.board().size());
        let playouts = if hurried { FEW_PLAYOUTS / 8 } else { FEW_PLAYOUTS };
        judge_with(&models, &self.game, self.options.seed, playouts)
    }

    /// Moves that a level looks at in any case: about stones that hang and whose fate is open.
    fn urged(&self, color: Color, hurried: bool) -> Vec<(Point, f32)> {
        let Some(level) = self.options.level.filter(|_| self.options.knowledge.is_none()) else {
            return Vec::new();
        };
        let mut found = hanging(self.game.board(), color);
        if !found.is_empty() {
            let judgement = self.judge_roughly(hurried);
            found.retain(|h| judgement.is_open(self.game.board(), h.chain));
        }
        level.urged(&found)
    }

    /// How the position stands if a second pass, of `color`, ends the game now; `None` if it does not or
    /// the rules count the board as it stands.
    fn second_pass(&self, color: Color, hurried: bool) -> Option<Judgement> {
        let ends = self.game.pass_ends(color) && !self.game.rules().counts_as_it_stands();
        ends.then(|| self.judge_roughly(hurried))
    }

    fn search(
        &mut self,
        color: Color,
        plan: &SearchPlan<'_>,
        agreed: Option<Agreed>,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        let SearchPlan { komi, expander, limits } = *plan;
        self.fresh = None;
        let size = self.game.board().size();
        if self.search.as_ref().is_none_or(|&(of, _)| of != size) {
            let settings = self.options.search_settings(size);
            self.search = Some((size, Search::new(self.library.models(size), settings)));
        }
        let (_, search) = self.search.as_mut().expect("made above");
        let task = Task { game: &self.game, color, komi, expander, agreed };
        search.run(&task, limits, stop, watch)
    }

    /// Chooses among what the search found: a move, a pass when nothing is to be gained any more, or
    /// to give up.
    fn decide(&mut self, color: Color, think: &Think<'_>, report: &Report, stop: &Stop) -> Choice {
        // Another way to a position of the tree may have been free of what superko forbids in this game.
        let is_legal = |mv: Move| self.game.check(color, mv).is_ok();
        let best = report.candidates.iter().find(|candidate| is_legal(candidate.mv));
        let best_move = best.map_or(Move::Pass, |candidate| candidate.mv);
        let chosen =
            self.options.level.and_then(|level| level.choose(think.searched, &mut self.random));
        let mv = chosen.filter(|&mv| is_legal(mv)).unwrap_or(best_move);
        if self.ending.gives_up(&self.game, color, best, self.options.resign) {
            return Choice::Resign;
        }
        if mv == Move::Pass || !think.may_pass || !self.ending.is_settled(&self.game, report) {
            return Choice::Play(mv);
        }
        // All is settled: does a pass cost anything?
        let judged = think.judgement.clone();
        let judgement = judged.unwrap_or_else(|| self.judge_roughly(think.hurried));
        let may_pass = self.ending.may_pass(&self.game, color, report, &judgement);
        // After a pass another one ends the game, and an engine that knows does not read.
        let ends = self.game.pass_ends(color) || self.options.knowledge.is_some();
        if may_pass && (ends || self.stands_a_pass(color, think, report, stop)) {
            return Choice::Play(Move::Pass);
        }
        Choice::Play(mv)
    }

    /// Whether nothing is lost if the opponent goes on after a pass, by a short search: what looks
    /// settled may be so only because every playout begins with the answer to a threat.
    fn stands_a_pass(&self, color: Color, think: &Think<'_>, report: &Report, stop: &Stop) -> bool {
        let Some(best) = report.candidates.first() else { return true };
        let mut game = self.game.clone();
        if game.play_as(color, Move::Pass).is_err() {
            return false;
        }
        // A second pass ends the game, and the search would count the dead stones as alive.
        let avoid = vec![Restriction { color: !color, moves: vec![Move::Pass], until_depth: 1 }];
        let expander = Expander { avoid, ..Expander::default() };
        let komi = think.komi;
        let task = Task { game: &game, color: !color, komi, expander: &expander, agreed: None };
        let limits = SearchLimits {
            // Also for a level that has a few of its own: a game is not given away for so little.
            playouts: Some(CHECK),
            // Whoever asks for so many visits gets the same move every time.
            time: think.is_timed.then_some(LONGEST_CHECK),
            ..SearchLimits::default()
        };
        // With a tree of its own: the other one is needed if there is no pass.
        let size = game.board().size();
        let settings =
            Settings { memory: 16 << 20, threads: 1, ..self.options.search_settings(size) };
        let mut search = Search::new(self.library.models(size), settings);
        Ending::stands(best, &search.run(&task, &limits, stop, &mut |_| ()))
    }
}

/// How a position is searched.
struct SearchPlan<'a> {
    komi: f32,
    expander: &'a Expander,
    limits: &'a SearchLimits,
}

/// What a fresh search was begun for.
#[derive(PartialEq)]
struct FreshSearch {
    /// The positions up to the one that is searched.
    history: Vec<u64>,
    size: Size,
    color: Color,
    komi: f32,
    rules: Rules,
    candidate_ownership: bool,
}

impl FreshSearch {
    fn new(game: &Game, color: Color, request: &Request) -> FreshSearch {
        FreshSearch {
            history: game.history().to_vec(),
            size: game.board().size(),
            color,
            komi: area_komi(game, color),
            rules: *game.rules(),
            candidate_ownership: request.candidate_ownership,
        }
    }
}

/// How a move was thought about.
struct Think<'a> {
    komi: f32,
    /// Whether it should be over soon.
    is_timed: bool,
    hurried: bool,
    may_pass: bool,
    judgement: Option<Judgement>,
    /// What was found, before the komi of handicap games was taken back.
    searched: &'a Report,
}

/// With less time for a move, stones are judged by fewer playouts.
const SHORT: Duration = Duration::from_millis(200);

/// Points by which the komi of handicap games changes.
const STEP: f32 = 5.0;

/// Playouts that look at a pass again.
const CHECK: u64 = 200;

/// What looking at a pass again may take: it comes on top of the time for the move.
const LONGEST_CHECK: Duration = Duration::from_millis(20);

fn limits(request: &Request) -> SearchLimits {
    SearchLimits {
        visits: request.visits,
        time: request.time,
        every: request.every,
        ownership_by_move: request.candidate_ownership,
        ..SearchLimits::default()
    }
}

/// How a game ends by a second pass, for a search with so much more komi.
fn agreed(judgement: &Judgement, more: f32) -> Agreed {
    let mut owners = PointMap::filled(0);
    for (owner, owned) in owners.as_mut_slice().iter_mut().zip(judgement.ownership.as_slice()) {
        *owner = owned.round() as i8;
    }
    Agreed { lead: judgement.score - more, owners }
}

/// Whether a request leaves the player the choice to pass.
fn may_pass(request: &Request, color: Color) -> bool {
    let names_pass = |r: &Restriction| r.color == color && r.moves.contains(&Move::Pass);
    let is_bound = request.allow.iter().any(|r| r.color == color);
    !request.avoid.iter().any(names_pass) && (!is_bound || request.allow.iter().any(names_pass))
}

/// Takes the effect of a komi so much larger out of a report. Win rates are shifted by the scatter of the
/// scores.
fn take_back_komi(report: &mut Report, more: f32) {
    if more == 0.0 {
        return;
    }
    let gain = if report.to_move == Color::Black { more } else { -more };
    let scatter = report.score_deviation;
    let steepness = 1.7 / scatter.max(1.0);
    let shifted = |rate: f32| {
        // Not every report has the scatter of the scores.
        if scatter == 0.0 {
            return rate;
        }
        let rate = rate.clamp(1e-3, 1.0 - 1e-3);
        1.0 / (1.0 + (1.0 - rate) / rate * (-steepness * gain).exp())
    };
    report.winrate = shifted(report.winrate);
    report.score += gain;
    for candidate in &mut report.candidates {
        candidate.winrate = shifted(candidate.winrate);
        candidate.lcb = shifted(candidate.lcb);
        candidate.score += gain;
    }
}

pub(crate) fn expander(request: &Request) -> Expander {
    let Request { avoid, allow, .. } = request.clone();
    Expander { avoid, allow, urged: Vec::new() }
}

impl Options {
    /// How the search is to be set up for boards of a size.
    fn search_settings(&self, size: Size) -> Settings {
        let mut settings = Settings::new(size);
        settings.threads = self.threads.max(1);
        settings.memory = self.megabytes.max(1) << 20;
        settings.seed = self.seed;
        for &change in &self.changes {
            settings.change(change);
        }
        settings
    }
}

#[cfg(test)]
mod tests {
    use goban::Diagram;
    use policy::Use;

    use super::*;
    use crate::level::Level;

    fn found(to_move: Color, score: f32) -> Report {
        Report {
            to_move,
            visits: 1,
            playouts: 1,
            elapsed: Duration::ZERO,
            winrate: 0.4,
            score,
            score_deviation: 15.0,
            candidates: Vec::new(),
            others: Vec::new(),
            ownership: PointMap::filled(0.0),
        }
    }

    #[test]
    fn levels_are_urged_about_stones_whose_fate_is_open() {
        let library = Library::new(|of, _| {
            let bytes: &[u8] = match of {
                Use::Uct => include_bytes!("../../../weights/uct9.model"),
                Use::Mc => include_bytes!("../../../weights/mc9.model"),
            };
            Model::from_bytes(bytes).unwrap()
        });
        let library = Arc::new(library);
        let urged = |diagram: &str, level: Level| {
            let board = Diagram::parse(diagram).unwrap().board;
            let options = Options { level: Some(level), ..Options::default() };
            let mut engine = Engine::new(library.clone(), options);
            engine.set_game(Game::from_position(board, Color::Black, Rules::CHINESE, 7.0));
            engine.urged(Color::Black, false)
        };
        let three = "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . X X X . . .
            . . X O O O . . .
            . . . X X X . . .
            . . O . . . O . .
            . . . . . . . . .
            . . . . . . . . .";
        let take = Point::parse("G5").unwrap();
        assert_eq!(urged(three, Level::WEAKEST), [(take, 0.75)]);
        assert_eq!(urged(three, Level::STRONGEST), [], "it reads");
        // White's two stones can run to C5 and die all the same.
        let dead = "
            . . . . . X O . .
            . . . . . X O . .
            . . X X . X O . .
            X X . X . X O . .
            O O . . X X O . .
            X X . X . X . . .
            . . X X . X O . .
            . . . . . X O . .
            . . . . . X O . .";
        assert!(!hanging(&Diagram::parse(dead).unwrap().board, Color::Black).is_empty());
        assert_eq!(urged(dead, Level::WEAKEST), []);
    }

    #[test]
    fn handicap_komi_is_no_more_than_the_lead_and_changes_seldom() {
        let library = Arc::new(Library::new(|_, _| unreachable!("nothing is searched")));
        let mut engine = Engine::new(library, Options::default());
        assert_eq!(engine.handicap_komi(), 0.0, "an even game");
        let stones = [(3, 3), (15, 15), (3, 15), (15, 3)].map(|(x, y)| Point::new(x, y));
        let game = Game::with_handicap(Size::NINETEEN, Rules::CHINESE, 0.5, &stones).unwrap();
        engine.set_game(game.clone());
        assert_eq!(engine.handicap_komi(), 30.0, "seven points a stone");
        for (lead, before, after) in [
            (50.0, 30.0, 30.0),
            (24.0, 30.0, 20.0),
            (21.0, 20.0, 20.0),
            (29.0, 20.0, 20.0),
            (31.0, 20.0, 30.0),
            (-3.0, 20.0, 0.0),
        ] {
            engine.last = Some((game.clone(), Choice::Resign, found(Color::White, -lead)));
            engine.more = before;
            assert_eq!(engine.handicap_komi(), after, "{lead} after {before}");
        }
        // What was found in another game says nothing.
        let other = Game::new(Size::NINETEEN, Rules::CHINESE, 0.5);
        engine.last = Some((other, Choice::Resign, found(Color::White, 0.0)));
        assert_eq!(engine.handicap_komi(), 30.0);
    }

    #[test]
    fn komi_is_taken_back_from_scores_and_win_rates() {
        let mut black = found(Color::Black, -2.0);
        take_back_komi(&mut black, 20.0);
        assert_eq!(black.score, 18.0);
        assert!((0.8..0.95).contains(&black.winrate), "{}", black.winrate);
        let mut white = found(Color::White, -2.0);
        take_back_komi(&mut white, 20.0);
        assert_eq!(white.score, -22.0);
        assert!((0.04..0.1).contains(&white.winrate), "{}", white.winrate);
        let mut unknown = Report { score_deviation: 0.0, ..found(Color::White, -2.0) };
        take_back_komi(&mut unknown, 20.0);
        assert_eq!((unknown.winrate, unknown.score), (0.4, -22.0));
    }
}
