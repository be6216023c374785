//! Playouts that draw their moves from a learned model.

use std::sync::Arc;

use goban::ladder::Ladders;
use goban::{Board, Color, Point};

use crate::compiled::Compiled;
use crate::experience::Experience;
use crate::ladder_escape::runs_in_ladder;
use crate::nakade::vital_point;
use crate::observer::Observer;
use crate::outcome::{Outcome, area};
use crate::random::Random;
use crate::rescue::rescue;
use crate::sampler::{Captures, Sampler};
use crate::seki::gives_away;
use crate::steering::SteeringGuide;

/// When a playout stops before both players pass, and what it does not play.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PlayoutSettings {
    /// Moves at most; by default three for each point of the board.
    pub moves: Option<u32>,
    /// Stops when one player has this many more stones on the board.
    pub mercy: Option<u32>,
    /// Shuns moves that give a chain away for nothing, as the last moves of a seki do.
    pub keep_seki: bool,
    /// Saves chains of so many stones from atari, whatever the policy prefers; 0 for none.
    pub saved: u16,
    /// Plays in the middle of an eye that the opponent's last move has closed, where that kills.
    pub nakade: bool,
    /// Shuns moves that run in a ladder which catches the runner, and reads every one for that.
    pub read_ladders: bool,
}

impl PlayoutSettings {
    /// As the engine plays: seki are kept, chains of four stones or more are saved from atari, and
    /// eyes are taken by nakade.
    pub const fn careful() -> PlayoutSettings {
        PlayoutSettings {
            moves: None,
            mercy: None,
            keep_seki: true,
            saved: 4,
            nakade: true,
            read_ladders: false,
        }
    }
}

/// Playouts from one position by a model. Nothing is allocated while they run.
pub enum Learned<'a> {
    /// With a look at the neighbours only.
    Small(Box<Runner<'a, 1, 0>>),
    /// With centre patterns up to Rémi distance 5.
    Middle(Box<Runner<'a, 1, 2>>),
    /// With larger centre patterns.
    Large(Box<Runner<'a, 1, 6>>),
    /// With four quadrants.
    Collage(Box<Runner<'a, 4, 3>>),
    /// With anything else that playouts can follow.
    General(Box<Runner<'a, 4, 8>>),
}

impl<'a> Learned<'a> {
    /// Playouts from `board`, with `to_move` to play after the move `last`.
    pub fn new(
        compiled: &'a Compiled,
        board: &Board,
        to_move: Color,
        last: Option<Point>,
        settings: PlayoutSettings,
    ) -> Learned<'a> {
        // One kind for each shape of model, so that loops over parts and stages are unrolled.
        match (compiled.parts, compiled.outer) {
            (1, 0) => Learned::Small(Runner::new(compiled, board, to_move, last, settings)),
            (1, 1..=2) => Learned::Middle(Runner::new(compiled, board, to_move, last, settings)),
            (1, 3..=6) => Learned::Large(Runner::new(compiled, board, to_move, last, settings)),
            (2.., ..=3) => Learned::Collage(Runner::new(compiled, board, to_move, last, settings)),
            _ => Learned::General(Runner::new(compiled, board, to_move, last, settings)),
        }
    }

    /// Lets playouts learn from each other, from this on.
    pub fn set_experience(&mut self, experience: Option<Box<Experience>>) {
        *self.experience() = experience;
    }

    /// Lets playouts follow a guide, from this on. They lean by the order of moves only if they have
    /// an [`Experience`], which holds all factors.
    pub fn set_guide(&mut self, guide: Option<Arc<SteeringGuide>>) {
        if let Some(experience) = self.experience() {
            experience.lean(guide.as_ref().and_then(|guide| guide.leanings()));
        }
        match self {
            Learned::Small(runner) => runner.guide = guide,
            Learned::Middle(runner) => runner.guide = guide,
            Learned::Large(runner) => runner.guide = guide,
            Learned::Collage(runner) => runner.guide = guide,
            Learned::General(runner) => runner.guide = guide,
        }
    }

    /// What playouts have learned, which they go on without.
    pub fn take_experience(&mut self) -> Option<Box<Experience>> {
        self.experience().take()
    }

    fn experience(&mut self) -> &mut Option<Box<Experience>> {
        match self {
            Learned::Small(runner) => &mut runner.experience,
            Learned::Middle(runner) => &mut runner.experience,
            Learned::Large(runner) => &mut runner.experience,
            Learned::Collage(runner) => &mut runner.experience,
            Learned::General(runner) => &mut runner.experience,
        }
    }

    /// Says what the last playout was worth for Black, from 0 to 1, to playouts that learn.
    pub fn learn(&mut self, black: f32) {
        if let Some(experience) = self.experience() {
            experience.learn(black);
        }
    }

    /// The position that the last playout ended in.
    pub fn board(&self) -> &Board {
        match self {
            Learned::Small(runner) => &runner.board,
            Learned::Middle(runner) => &runner.board,
            Learned::Large(runner) => &runner.board,
            Learned::Collage(runner) => &runner.board,
            Learned::General(runner) => &runner.board,
        }
    }

    /// Plays to the end and scores by area.
    pub fn run(&mut self, random: &mut Random, observer: &mut impl Observer) -> Outcome {
        self.run_after(&[], random, observer)
    }

    /// Makes the moves of `path`, which must be legal, from the position that this was made for,
    /// then plays to the end and scores by area. `None` is a pass.
    // A function of its own in every program, so that `.ci/instructions` can count in it.
    #[inline(never)]
    pub fn run_after(
        &mut self,
        path: &[Option<Point>],
        random: &mut Random,
        observer: &mut impl Observer,
    ) -> Outcome {
        match self {
            Learned::Small(runner) => runner.run(path, random, observer),
            Learned::Middle(runner) => runner.run(path, random, observer),
            Learned::Large(runner) => runner.run(path, random, observer),
            Learned::Collage(runner) => runner.run(path, random, observer),
            Learned::General(runner) => runner.run(path, random, observer),
        }
    }
}

/// Playouts of models with up to `P` parts and `S` stages beyond the neighbours.
pub struct Runner<'a, const P: usize, const S: usize> {
    compiled: &'a Compiled,
    start: Board,
    start_sampler: Box<Sampler<P, S>>,
    to_move: Color,
    last: Option<Point>,
    settings: PlayoutSettings,
    board: Board,
    sampler: Box<Sampler<P, S>>,
    captures: Captures,
    ladders: Option<Ladders>,
    experience: Option<Box<Experience>>,
    guide: Option<Arc<SteeringGuide>>,
}

impl<'a, const P: usize, const S: usize> Runner<'a, P, S> {
    // On its own, so that its stack is that of one kind and not of all.
    #[inline(never)]
    fn new(
        compiled: &'a Compiled,
        board: &Board,
        to_move: Color,
        last: Option<Point>,
        settings: PlayoutSettings,
    ) -> Box<Runner<'a, P, S>> {
        let sampler = Sampler::new(compiled, board);
        Box::new(Runner {
            compiled,
            start: board.clone(),
            start_sampler: sampler.clone(),
            to_move,
            last,
            settings,
            board: board.clone(),
            sampler,
            captures: Captures::new(),
            ladders: settings.read_ladders.then(|| Ladders::ready(board)),
            experience: None,
            guide: None,
        })
    }

    fn run(
        &mut self,
        path: &[Option<Point>],
        random: &mut Random,
        observer: &mut impl Observer,
    ) -> Outcome {
        self.board.copy_from(&self.start);
        self.sampler.copy_from(self.compiled, &self.start_sampler);
        observer.started(&self.board, self.to_move);
        let longest = self.settings.moves.unwrap_or(3 * self.board.size().area() as u32);
        let mercy = self.settings.mercy.map_or(usize::MAX, |stones| stones as usize);
        let mut color = self.to_move;
        let mut last = self.last;
        let (mut moves, mut passes) = (0, 0);
        if let Some(experience) = &mut self.experience {
            experience.begin();
        }
        for &given in path {
            self.make(color, given, observer);
            last = given;
            color = !color;
        }
        while passes < 2 && moves < longest {
            let ko = self.board.ko(color);
            let needed = self.rescue(color, last, ko).or_else(|| self.nakade(color, last));
            let reply = needed.or_else(|| self.reply(color, last, ko, random));
            let drawn = loop {
                if reply.is_some() {
                    break reply;
                }
                let drawn = match &mut self.experience {
                    None => self.sampler.draw(self.compiled, color, last, ko, random),
                    Some(experience) => {
                        self.sampler.draw_with(self.compiled, experience, color, last, ko, random)
                    }
                };
                match drawn {
                    Some(p) if self.is_shunned(p, color) => {
                        // Until something changes nearby.
                        self.sampler.shut(p, color);
                        if let Some(experience) = &mut self.experience {
                            experience.take_back();
                        }
                    }
                    _ => break drawn,
                }
            };
            self.make(color, drawn, observer);
            match drawn {
                Some(_) => {
                    passes = 0;
                    let stones = Color::BOTH.map(|c| self.board.stones(c));
                    if stones[0].abs_diff(stones[1]) >= mercy {
                        moves += 1;
                        break;
                    }
                }
                None => passes += 1,
            }
            last = drawn;
            color = !color;
            moves += 1;
        }
        let outcome = Outcome { moves: moves + path.len() as u32, score: area(&self.board) };
        observer.finished(&self.board, &outcome);
        outcome
    }

    /// The move that saves a chain from the last one, if it can be made.
    #[inline(always)]
    fn rescue(&self, color: Color, last: Option<Point>, ko: Option<Point>) -> Option<Point> {
        let stones = self.settings.saved as usize;
        if stones > 0 { rescue(&self.board, last?, color, ko, stones) } else { None }
    }

    /// The middle of an eye that the last move has closed.
    #[inline(always)]
    fn nakade(&self, color: Color, last: Option<Point>) -> Option<Point> {
        if self.settings.nakade { vital_point(&self.board, last?, color) } else { None }
    }

    /// The answer to the last move that a guide asks for, if it can be played.
    #[inline(always)]
    fn reply(
        &mut self,
        color: Color,
        last: Option<Point>,
        ko: Option<Point>,
        random: &mut Random,
    ) -> Option<Point> {
        let p = self.guide.as_ref()?.reply(color, last?, random)?;
        let open = self.sampler.is_open(p, color) && ko != Some(p);
        (open && !self.is_shunned(p, color)).then_some(p)
    }

    /// Whether a move that was drawn is not to be made.
    #[inline(always)]
    fn is_shunned(&mut self, p: Point, color: Color) -> bool {
        self.settings.keep_seki && gives_away(&self.board, p, color)
            || match &mut self.ladders {
                Some(ladders) => runs_in_ladder(&self.board, p, color, ladders).is_some(),
                None => false,
            }
    }

    #[inline(always)]
    fn make(&mut self, color: Color, mv: Option<Point>, observer: &mut impl Observer) {
        match mv {
            Some(p) => {
                let captures = &mut self.captures;
                self.sampler.play(self.compiled, &mut self.board, p, color, captures);
                observer.played(color, mv, self.captures.stones());
            }
            None => {
                self.board.pass();
                observer.played(color, None, &[]);
            }
        }
    }
}
