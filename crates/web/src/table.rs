//! One board and all that belongs to it: the game with its variations, who plays, clocks, what is to
//! be thought about, and what was found. Requests change it at once; whatever takes time is an
//! [`Errand`] that a worker fetches here and brings back.

mod keeping;
mod scoring;
mod thinking;
mod trying;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine::statistics::Counts;
use engine::{Choice, Engine, Language, Level, Library, Options, Stop};
use goban::score::Marks;
use goban::{Color, Game, Move, Point, PointSet, Rules, Size, handicap, result_text};
use kifu::{Layout, NodeId, Tree};
use serde_json::{Value, json};

use crate::backend::Backend;
use crate::clocks::PlayerClocks;
use crate::compare::Comparison;
use crate::errand::{Errand, Finding, Visit};
use crate::limits::Limits;
use crate::panes::{Pane, Panes};
use crate::parsing::{Parsed, Sheet, Text};
use crate::problems::Problems;
use crate::record::{self, Standing};
use crate::request::{Kept, NewGame, Request, Stage};
use crate::review::Review;
use crate::view::{self, color_name};

/// A table that workers and connections share.
pub type Shared = Arc<Mutex<Table>>;

/// A table is in order whatever happened to a thread that had it.
pub fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Playouts that the statistics are made of.
const STATISTICS: u64 = 10_000;
/// Playouts of statistics in one visit.
pub const STATISTICS_PART: u64 = 1000;
/// Playouts of an analysis unless the page says.
const VISITS: u64 = 5000;
/// Playouts for each position of a review unless the page says.
const REVIEW: u64 = 200;

/// How far the game is.
#[derive(Clone, Debug)]
enum Phase {
    /// Moves are made in turn.
    Playing,
    /// Dead stones are being agreed on; whether the engine has said which, and whether the game is
    /// played on if they are not.
    Scoring { marks: Marks, judged: bool, playing: bool },
    /// There is a result. No move is made any more, but every position can be looked at.
    Over,
    /// Anything may be tried.
    Study,
}

/// Why a game that is over takes no move.
const OVER: &str = "the game is over; study it to go on";

/// What is being thought about apart from moves.
struct Analysis {
    visits: u64,
    until: Instant,
    done: bool,
}

/// One board and all that belongs to it.
pub struct Table {
    id: String,
    limits: Limits,
    library: Arc<Library>,
    backend: Arc<dyn Backend>,
    tree: Tree,
    here: NodeId,
    standing: Standing,
    /// The end of the game that is being played.
    tip: NodeId,
    phase: Phase,
    result: Option<String>,
    people: [bool; 2],
    level: Option<Level>,
    seconds: f32,
    clock: Option<PlayerClocks>,
    /// `None` while a worker has it.
    engine: Option<Engine>,
    /// Whether a worker is here.
    visited: bool,
    stop: Stop,
    /// Goes up with every change that makes what is being thought worthless.
    epoch: u64,
    analysis: Option<Analysis>,
    statistics: Option<Counts>,
    wants_statistics: bool,
    /// Whether links, groups and territory are wanted, and whether they are known.
    sight: Option<bool>,
    /// Whether the solver is to be asked.
    wants_solution: bool,
    /// Which models are compared, and whether they have been.
    compare: Option<(Comparison, bool)>,
    why: Option<Point>,
    review: Option<Review>,
    /// How many reviews were begun: a worker may bring back what the last one asked for.
    reviews: u64,
    /// How many games and records were put on the board: a page sees by it that another one is there.
    records: u64,
    /// The problems that are worked through, if the record has any.
    problems: Option<Problems>,
    /// Nodes of the record on the board when it was loaded; 1 where a game was begun.
    loaded: usize,
    /// Bytes written to the game beside its moves.
    written: usize,
    /// What the engine said about its last move, and where that led.
    words: Option<(NodeId, Value)>,
    panes: Panes,
    watchers: usize,
    used: Instant,
}

/// What is said to the page that asked, and to nobody else.
#[derive(Debug)]
pub enum Reply {
    /// All went well; the panes show it.
    Done,
    /// A game record.
    Record(String),
    /// A game with all that is needed to go on with it.
    Kept(Value),
    /// All went well, but there is something to say about it.
    Note(String),
    /// This is to be read first, and to be brought back ([`Table::take`]).
    Read(Text),
}

impl Table {
    /// A table with an empty 9x9 board that is to be played on.
    pub fn new(
        id: String,
        library: Arc<Library>,
        backend: Arc<dyn Backend>,
        limits: Limits,
    ) -> Table {
        let game = Game::new(Size::NINE, Rules::CHINESE, 7.0);
        let tree = record::begin(&game, ["", ""]);
        Table {
            id,
            limits,
            library,
            backend,
            here: tree.root(),
            tip: tree.root(),
            tree,
            standing: Standing { game, note: None },
            phase: Phase::Study,
            result: None,
            people: [true, true],
            level: None,
            seconds: 3.0,
            clock: None,
            engine: None,
            visited: false,
            stop: Stop::new(),
            epoch: 0,
            analysis: None,
            statistics: None,
            wants_statistics: false,
            sight: None,
            wants_solution: false,
            compare: None,
            why: None,
            review: None,
            reviews: 0,
            records: 0,
            problems: None,
            loaded: 1,
            written: 0,
            words: None,
            panes: Panes::default(),
            watchers: 0,
            used: Instant::now(),
        }
    }

    /// The name by which it is found again.
    #[cfg(test)]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Someone looks at the table from now on.
    pub fn attend(&mut self) -> crate::panes::Views {
        self.watchers += 1;
        self.used = Instant::now();
        self.show();
        self.show_tree();
        self.panes.views()
    }

    /// Someone has gone. Where nobody is left nothing is thought about but a move that is due.
    pub fn leave(&mut self) {
        self.watchers = self.watchers.saturating_sub(1);
        self.used = Instant::now();
        if self.watchers == 0 {
            self.analysis = None;
            self.wants_statistics = false;
            self.statistics = None;
            self.sight = None;
            self.compare = None;
            self.interrupt();
            if let Some(engine) = &mut self.engine {
                engine.forget();
            }
        }
    }

    /// How many look at it, and since when it is unused.
    pub fn attention(&self) -> (usize, Instant) {
        (self.watchers, self.used)
    }

    fn game(&self) -> &Game {
        &self.standing.game
    }

    fn size(&self) -> Size {
        self.game().board().size()
    }

    fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    fn is_live(&self) -> bool {
        matches!(self.phase, Phase::Playing) && self.here == self.tip
    }

    /// Whether a move of the engine is due. It does not play with itself where nobody looks.
    fn is_engines_turn(&self) -> bool {
        let seen = self.watchers > 0 || self.people.contains(&true);
        seen && self.is_live() && !self.people[self.game().to_move().index()]
    }

    /// What was thought so far is about something else from now on.
    fn interrupt(&mut self) {
        self.epoch += 1;
        self.stop.raise();
    }

    /// Does what a page asks for.
    ///
    /// # Errors
    /// Why it is not done, in words.
    pub fn handle(&mut self, request: Request) -> Result<Reply, String> {
        self.used = Instant::now();
        self.check_clock();
        match request {
            Request::New(game) => self.begin(&game)?,
            Request::Play { at } => self.play(&at)?,
            Request::Resign => self.resign()?,
            Request::Undo => self.undo()?,
            Request::Seats { people, level, seconds } => {
                self.sit(people, level.as_deref(), seconds)?;
                self.phase = Phase::Playing;
                self.result = None;
                self.tip = self.here;
                self.interrupt();
            }
            Request::Score if self.is_over() => return Err(OVER.to_owned()),
            Request::Score => self.begin_scoring(),
            Request::Dead { at } => self.toggle_dead(&at)?,
            Request::Accept => self.accept()?,
            Request::Resume => self.resume(),
            Request::Flag => {}
            Request::Go { node } => {
                let node = self.node(node)?;
                self.go(node);
            }
            Request::Comment { node, text } => {
                let node = self.node(node)?;
                self.charge(text.len() + 64)?;
                record::set_text(&mut self.tree, node, "C", &text);
                self.show_tree();
            }
            Request::Delete { node } => self.delete(node)?,
            Request::Promote { node } => {
                let node = self.node(node)?;
                self.tree.promote(node);
                self.touch();
                self.show_tree();
            }
            Request::Mark { at, mark } => {
                let point = self.point(&at)?;
                let size = self.size();
                self.charge(512)?;
                record::toggle_mark(&mut self.tree, self.here, &mark, point, size)?;
            }
            Request::Setup { at, stone } => self.set_up(&at, &stone)?,
            Request::Study if self.is_over() => self.phase = Phase::Study,
            Request::Study => {}
            Request::Keep => {
                return Ok(Reply::Kept(json!({
                    "type": "kept", "board": self.id, "records": self.records,
                    "worthKeeping": self.is_worth_keeping(), "game": self.keep(),
                })));
            }
            Request::Restore { kept, replace } => {
                let kept = serde_json::from_value(kept)
                    .map_err(|_| "the game that was kept is damaged".to_owned())?;
                return Ok(Reply::Read(Text::Kept(kept, replace)));
            }
            Request::Save => return Ok(Reply::Record(self.tree.to_sgf_in(Layout::default()))),
            Request::Analyse { on, visits } => self.analyse(on, visits),
            Request::Statistics { on } => {
                self.wants_statistics = on;
                if !on {
                    self.statistics = None;
                }
            }
            Request::Sight { on } => self.sight = on.then_some(false),
            Request::Compare { on, models, at } => {
                let at = at.map(|at| self.point(&at)).transpose()?;
                let comparison = Comparison { models, at, played: None };
                self.compare = on.then_some((comparison, false));
            }
            Request::Why { at } => self.why = Some(self.point(&at)?),
            Request::Review { on, visits } => self.begin_review(on, visits)?,
            Request::Problem { number } => return self.problem_text(number).map(Reply::Read),
            Request::Try { at } => self.try_move(&at)?,
            Request::Solve if !self.backend.has_solver() => {
                return Err("there is no solver here".to_owned());
            }
            Request::Solve => self.wants_solution = true,
            Request::Annotate { language } => {
                self.charge(256 * self.tree.len())?;
                if let Some(review) = &self.review {
                    let language = language.parse::<Language>().unwrap_or_default();
                    review.annotate(&mut self.tree, language);
                }
                self.show_tree();
            }
        }
        self.show();
        Ok(Reply::Done)
    }

    /// Takes what was read: a record is studied from its start, a game that was kept goes on. Says what
    /// there is to say about it.
    ///
    /// # Errors
    /// Why it is not taken, in words.
    pub fn take(&mut self, parsed: Parsed) -> Result<Reply, String> {
        let note = match parsed {
            Parsed::Record(sheet, problems, note) => {
                self.put(sheet);
                self.records += 1;
                self.problems = problems;
                note
            }
            Parsed::Problem { number, records, opened, sheet } => {
                self.show_problem(number, records, opened, sheet)?;
                None
            }
            Parsed::Kept(kept, tip, sheet, replace) => {
                self.restore(&kept, tip, sheet, replace)?;
                None
            }
        };
        self.show();
        Ok(note.map_or(Reply::Done, Reply::Note))
    }

    /// Puts a record on the table, to be studied.
    fn put(&mut self, sheet: Sheet) {
        self.interrupt();
        self.used = Instant::now();
        self.written = 0;
        self.tree = sheet.tree;
        self.loaded = self.tree.len();
        self.here = sheet.here;
        self.tip = self.here;
        self.standing = sheet.standing;
        self.phase = Phase::Study;
        self.people = [true, true];
        self.result = record::result(&self.tree);
        self.clock = None;
        self.words = None;
        self.renew();
        self.clear_review();
        self.show_tree();
    }

    fn begin(&mut self, new: &NewGame) -> Result<(), String> {
        let size = Size::new(new.size).ok_or("a board has from 2 to 25 lines")?;
        let rules = Rules::parse(&new.rules).ok_or("these rules are not known")?;
        if !(new.komi.abs() <= 1000.0 && (new.komi * 2.0).fract() == 0.0) {
            return Err("the komi is a number of half points from -1000 to 1000".to_owned());
        }
        let stones = match new.handicap {
            0 | 1 => Vec::new(),
            n => handicap::fixed(size, n).ok_or_else(|| {
                format!("this board has places for {} stones at most", handicap::most_fixed(size))
            })?,
        };
        self.sit(new.people, new.level.as_deref(), new.seconds)?;
        let game = Game::with_handicap(size, rules, new.komi, &stones)
            .map_err(|(point, why)| format!("{point}: {why}"))?;
        self.interrupt();
        self.written = 0;
        let engine = match self.level {
            Some(level) => format!("Harie {level}"),
            None => "Harie".to_owned(),
        };
        let name = |person: bool| if person { "" } else { engine.as_str() };
        self.tree = record::begin(&game, new.people.map(name));
        self.loaded = 1;
        self.here = self.tree.root();
        self.tip = self.here;
        self.standing = Standing { game, note: None };
        self.phase = Phase::Playing;
        self.result = None;
        self.words = None;
        self.problems = None;
        self.records += 1;
        self.clock = new.clock.map(PlayerClocks::new);
        self.renew();
        self.clear_review();
        self.show_tree();
        Ok(())
    }

    fn sit(
        &mut self,
        people: [bool; 2],
        level: Option<&str>,
        seconds: Option<f32>,
    ) -> Result<(), String> {
        let level = level.map(|text| text.parse::<Level>().map_err(|why| why.to_string()));
        self.level = level.transpose()?;
        self.people = people;
        if let Some(seconds) = seconds.filter(|s| s.is_finite()) {
            self.seconds = seconds.clamp(0.1, self.limits.think.as_secs_f32());
        }
        Ok(())
    }

    /// Writes so many bytes down, if they may still be written.
    fn charge(&mut self, bytes: usize) -> Result<(), String> {
        self.written += bytes;
        if self.written <= self.limits.written {
            return Ok(());
        }
        Err("too much was written to this game; save it and load it again".to_owned())
    }

    /// What is in the record is not as it was loaded any more, though nothing was added.
    fn touch(&mut self) {
        self.written += 1;
    }

    /// Whether another node may follow the present one.
    fn room(&self) -> Result<(), String> {
        let (nodes, depth) = (self.limits.nodes, self.limits.depth);
        if self.tree.len() >= nodes {
            return Err(format!(
                "a game has at most {nodes} nodes here; save it and load it again"
            ));
        }
        if self.tree.path(self.here).len() > depth {
            return Err(format!("a game has at most {depth} moves here"));
        }
        Ok(())
    }

    fn node(&self, index: usize) -> Result<NodeId, String> {
        let node = self.tree.node(index).ok_or("there is no such position")?;
        // Nodes that were taken out are still there, without a way to the root.
        let reachable = self.tree.path(node).first() == Some(&self.tree.root());
        if reachable { Ok(node) } else { Err("there is no such position".to_owned()) }
    }

    fn point(&self, text: &str) -> Result<Point, String> {
        self.size().parse_point(text).ok_or_else(|| "there is no such point".to_owned())
    }

    fn play(&mut self, at: &str) -> Result<(), String> {
        if let Phase::Scoring { .. } = self.phase {
            return Err("dead stones are being marked; play on first".to_owned());
        }
        if self.is_over() {
            return Err(OVER.to_owned());
        }
        let color = self.game().to_move();
        if matches!(self.phase, Phase::Playing) && !self.people[color.index()] {
            return Err("it is the engine's turn".to_owned());
        }
        let mv = match at {
            "pass" => Move::Pass,
            at => Move::Play(self.point(at)?),
        };
        self.make(color, mv)
    }

    /// Makes a move after the present position, in a variation if another one is there.
    fn make(&mut self, color: Color, mv: Move) -> Result<(), String> {
        self.room()?;
        self.standing.game.play_as(color, mv).map_err(|why| why.to_string())?;
        let size = self.size();
        let known = self
            .tree
            .children(self.here)
            .find(|&child| record::move_of(&self.tree, child, size) == Some((color, mv)));
        self.here = match known {
            Some(node) => node,
            None => {
                let point = match mv {
                    Move::Play(p) => Some(p),
                    Move::Pass => None,
                };
                self.tree.add_move(self.here, color, point, size)
            }
        };
        self.interrupt();
        self.renew();
        if matches!(self.phase, Phase::Playing) {
            self.tip = self.here;
            if self.standing.game.is_over() {
                self.begin_scoring();
            }
        }
        if known.is_none() {
            self.show_tree();
        }
        Ok(())
    }

    fn resign(&mut self) -> Result<(), String> {
        if !matches!(self.phase, Phase::Playing) {
            return Err("no game is being played".to_owned());
        }
        let turn = self.game().to_move();
        let loser = if self.people[turn.index()] { turn } else { !turn };
        self.finish(format!("{}+R", (!loser).letter()));
        Ok(())
    }

    /// The game is over.
    fn finish(&mut self, result: String) {
        self.interrupt();
        let root = self.tree.root();
        record::set_text(&mut self.tree, root, "RE", &result);
        self.result = Some(result);
        self.phase = Phase::Over;
    }

    /// Takes back moves until it is a person's turn again: at least one of them is a person's.
    fn undo(&mut self) -> Result<(), String> {
        if let Phase::Scoring { .. } = self.phase {
            self.resume();
            return Ok(());
        }
        if self.is_over() {
            return Err(OVER.to_owned());
        }
        let playing = matches!(self.phase, Phase::Playing);
        let mut undone = false;
        while let Some(parent) = self.tree.parent(self.here) {
            let leaf = self.tree.first_child(self.here).is_none();
            let mover = record::move_of(&self.tree, self.here, self.size()).map(|(color, _)| color);
            if playing && leaf {
                self.tree.detach(self.here);
            }
            self.here = parent;
            undone = true;
            if !playing || mover.is_none_or(|color| self.people[color.index()]) {
                break;
            }
        }
        if !undone {
            return Err("there is nothing to take back".to_owned());
        }
        self.tip = self.here;
        self.interrupt();
        self.stand()?;
        self.renew();
        self.show_tree();
        Ok(())
    }

    /// Finds the position at the present node.
    fn stand(&mut self) -> Result<(), String> {
        self.standing = record::standing(&self.tree, self.here, &self.standing.game)?;
        Ok(())
    }

    fn go(&mut self, node: NodeId) {
        if node == self.here {
            return;
        }
        if let Phase::Scoring { playing, .. } = self.phase {
            self.phase = if playing { Phase::Playing } else { Phase::Study };
        }
        self.interrupt();
        self.here = node;
        if self.stand().is_ok() {
            self.renew();
        }
    }

    fn delete(&mut self, node: usize) -> Result<(), String> {
        if self.is_over() {
            return Err(OVER.to_owned());
        }
        let node = self.node(node)?;
        let parent = self.tree.parent(node).ok_or("the start of the game stays")?;
        let inside = self.tree.path(self.here).contains(&node);
        let cut = self.tree.path(self.tip).contains(&node);
        self.tree.detach(node);
        self.touch();
        if cut {
            self.tip = parent;
        }
        if inside {
            self.go(parent);
        }
        self.show_tree();
        Ok(())
    }

    fn set_up(&mut self, at: &str, stone: &str) -> Result<(), String> {
        if self.is_over() {
            return Err(OVER.to_owned());
        }
        let point = self.point(at)?;
        let color = match stone {
            "empty" => None,
            name => Some(Color::parse(name).ok_or("a stone is black, white or empty")?),
        };
        self.room()?;
        self.charge(4096)?;
        let before = match self.tree.parent(self.here) {
            Some(parent) => Some(record::standing(&self.tree, parent, self.game())?.game),
            None => None,
        };
        let (tree, node) =
            record::set_up(&self.tree, self.here, before.as_ref(), self.game(), point, color);
        // It may leave a chain without liberties.
        let standing = record::standing(&tree, node, self.game())?;
        if standing.note.is_some() {
            return Err(standing.note.unwrap_or_default());
        }
        self.interrupt();
        (self.tree, self.here, self.standing) = (tree, node, standing);
        self.phase = Phase::Study;
        self.renew();
        self.show_tree();
        Ok(())
    }

    /// Ends the game of whoever's time is up. Everybody hears of it, whatever is asked for just then.
    fn check_clock(&mut self) {
        let late = self.clock.as_ref().and_then(|clock| clock.flagged(Instant::now()));
        if let Some(loser) = late.filter(|_| matches!(self.phase, Phase::Playing)) {
            self.finish(format!("{}+T", (!loser).letter()));
            self.show();
        }
    }

    fn show_tree(&mut self) {
        let nodes = view::tree(&self.tree);
        self.panes.show(Pane::Tree, &json!({"type": "tree", "nodes": nodes}));
    }

    /// Tells everybody how the table stands.
    fn show(&mut self) {
        let now = Instant::now();
        let turn = self.is_live().then(|| self.game().to_move());
        if let Some(clock) = &mut self.clock {
            clock.run(turn, now);
        }
        let game = self.game();
        let (phase, count) = match &self.phase {
            Phase::Playing => ("playing", None),
            Phase::Scoring { marks, judged: true, .. } => {
                ("scoring", Some(view::count(game, marks)))
            }
            Phase::Scoring { .. } => ("judging", None),
            Phase::Over => ("over", None),
            Phase::Study => ("study", None),
        };
        let last = game.moves().last();
        let ko = game.board().ko(game.to_move()).map(|p| p.to_string());
        let number = record::number(&self.tree, self.here);
        let words = self.words.as_ref().filter(|(node, _)| *node == self.here);
        let stars = handicap::star_points(self.size());
        let state = json!({
            "type": "state",
            "board": self.id,
            "size": self.size().side(),
            "stones": view::stones(game),
            "stars": stars.iter().map(|p| p.to_string()).collect::<Vec<_>>(),
            "toMove": color_name(game.to_move()),
            "last": last.map(|(_, mv)| mv.to_string()),
            "ko": ko,
            "forbidden": view::forbidden(game),
            "captures": game.prisoners(),
            "number": number,
            "komi": game.komi(),
            "handicap": game.handicap(),
            "rules": record::rules_name(game.rules()),
            "people": self.people,
            "level": self.level.map(|level| level.to_string()),
            "phase": phase,
            "live": self.is_live(),
            "thinking": self.is_engines_turn(),
            "count": count,
            "result": self.result,
            "clock": self.clock.as_ref().map(|clock| clock.to_json(now)),
            "node": self.here.index(),
            "tip": self.tip.index(),
            "comment": record::text(&self.tree, self.here, "C"),
            "marks": record::marks(&self.tree, self.here, self.size()),
            "header": record::header(&self.tree),
            "note": self.standing.note,
            "words": words.map(|(_, words)| words),
            "records": self.records,
            "largest": self.limits.message,
            "fresh": self.is_fresh(),
            "worthKeeping": self.is_worth_keeping(),
            "problem": self.problem(),
            "solver": self.backend.has_solver(),
            "lab": self.backend.has_laboratory(),
        });
        self.panes.show(Pane::State, &state);
    }
}
