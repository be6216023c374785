//! The patterns that stand at the points of a game, noted when they change.
//!
//! Hashes that follow the game say where that is. Families with sectors or ataris have none; of these
//! every point is looked at after every move, which takes some ten times as long.

use goban::{Board, Cell, Changes, Color};
use policy::{PatternLayout, RingHashes};
use shape::PatternId;

use crate::games::Game;
use crate::sketch::Sketch;
use crate::tally::{Note, Spot, region};

/// What a pass counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Seen,
    Played,
    Both,
}

/// Lets through what may be frequent.
#[derive(Clone, Copy)]
pub(crate) struct Gate<'a> {
    pub(crate) sketches: &'a [Sketch],
    pub(crate) least: u32,
}

impl Gate<'_> {
    #[inline]
    fn lets(&self, id: u64) -> bool {
        self.sketches[region(id)].count(id) >= self.least
    }
}

/// The identity of a pattern that is not frequent; those that contain it are not either.
const RARE: u64 = 0;

/// A pattern that stands at a point.
#[derive(Clone, Copy, Default)]
struct Standing {
    id: u64,
    /// The position of the player from which on it stands.
    since: u32,
    /// The number of moves then.
    number: u16,
}

/// Follows games and notes patterns as they go.
pub(crate) struct PatternTracker<'a> {
    layout: &'a PatternLayout,
    wanted: Wanted,
    gate: Option<Gate<'a>>,
    rings: RingHashes<'a>,
    /// By colour, then slot and stage.
    standing: [Vec<Standing>; 2],
    /// By colour: whether the place was legal when the player was last to move.
    legal: [Vec<bool>; 2],
    /// By colour: positions in which the player was to move.
    clock: [u32; 2],
}

impl<'a> PatternTracker<'a> {
    pub(crate) fn new(
        layout: &'a PatternLayout,
        wanted: Wanted,
        gate: Option<Gate<'a>>,
    ) -> PatternTracker<'a> {
        let standing = vec![Standing::default(); layout.slots() * layout.family().stages()];
        PatternTracker {
            layout,
            wanted,
            gate,
            rings: RingHashes::new(layout),
            standing: [standing.clone(), standing],
            legal: [0, 1].map(|_| vec![false; layout.points().len()]),
            clock: [0; 2],
        }
    }

    pub(crate) fn follow(&mut self, game: u32, record: &Game, note: &mut impl FnMut(Note)) {
        let layout = self.layout;
        let mut board = record.start(layout.size());
        let mut changes = Changes::new();
        self.rings.clear();
        self.clock = [0; 2];
        self.legal.iter_mut().for_each(|legal| legal.fill(false));
        for (place, &p) in layout.points().iter().enumerate() {
            if let Some(color) = board.cell(p).color() {
                self.rings.toggle(place, color);
            }
        }
        let (parts, stages) = (layout.family().parts(), layout.family().stages());
        for (number, (color, point)) in record.moves().enumerate() {
            let number = number as u16;
            if let Some(p) = point {
                self.look(&board, color, game, number, note);
                if self.wanted != Wanted::Seen {
                    let place = layout.place(p);
                    for slot in layout.slot(place, 0)..layout.slot(place, 0) + parts {
                        for stage in 0..stages {
                            let id = self.standing[color.index()][slot * stages + stage].id;
                            if id == RARE {
                                break;
                            }
                            let spot = spot(parts, number, slot, stage, color);
                            note(Note { id, seen: 0, game, spot });
                        }
                    }
                }
            }
            changes.clear();
            match point {
                Some(p) => {
                    board.play_assume_legal(p, color, &mut changes);
                    self.rings.toggle(layout.place(p), color);
                    for &q in changes.captured() {
                        self.rings.toggle(layout.place(q), !color);
                        self.rings.mark_place(layout.place(q));
                    }
                }
                None => board.pass(),
            }
        }
        // What stands at the end was seen as well.
        for color in Color::BOTH {
            for place in 0..layout.points().len() {
                if self.legal[color.index()][place] {
                    self.flush(place, color, self.clock[color.index()], game, note);
                }
            }
        }
    }

    /// Brings what stands at the points of a player up to date.
    fn look(
        &mut self,
        board: &Board,
        color: Color,
        game: u32,
        number: u16,
        note: &mut impl FnMut(Note),
    ) {
        let layout = self.layout;
        let (parts, stages) = (layout.family().parts(), layout.family().stages());
        let c = color.index();
        let now = self.clock[c];
        self.clock[c] += 1;
        if self.wanted != Wanted::Played {
            for (place, &p) in layout.points().iter().enumerate() {
                let legal = board.is_legal(p, color);
                if legal == self.legal[c][place] {
                    continue;
                }
                if legal {
                    let first = layout.slot(place, 0) * stages;
                    let all = &mut self.standing[c][first..first + parts * stages];
                    for standing in all {
                        (standing.since, standing.number) = (now, number);
                    }
                } else {
                    self.flush(place, color, now, game, note);
                }
                self.legal[c][place] = legal;
            }
        }
        let counts = self.wanted != Wanted::Played;
        let PatternTracker { rings, standing, legal, gate, .. } = self;
        // From a stage on another pattern stands in a slot: what stood there is noted.
        let mut ends = |all: &[Standing], slot: usize, from: usize| {
            if !counts || !legal[c][slot / parts] {
                return;
            }
            for (stage, old) in all.iter().enumerate().skip(from) {
                if old.id != RARE && now > old.since {
                    let spot = spot(parts, old.number, slot, stage, color);
                    note(Note { id: old.id, seen: now - old.since, game, spot });
                }
            }
        };
        // And the new one begins, as far as it is frequent.
        let begins = |all: &mut [Standing], stage: usize, id: PatternId| {
            let frequent = gate.is_none_or(|gate| gate.lets(id.0));
            if frequent {
                all[stage] = Standing { id: id.0, since: now, number };
            } else {
                all[stage..].fill(Standing { id: RARE, since: now, number });
            }
            frequent
        };
        if !layout.is_plain() {
            for slot in 0..layout.slots() {
                let p = layout.points()[slot / parts];
                if board.cell(p) != Cell::Empty {
                    continue;
                }
                let view = layout.family().look(board, p, color, slot % parts);
                let all = &mut standing[c][slot * stages..(slot + 1) * stages];
                // Stages are nested: those before the first that differs are the same.
                let differs = |stage: &usize| view.id(*stage).0 != all[*stage].id;
                let Some(from) = (0..stages).find(differs) else { continue };
                ends(all, slot, from);
                let _ = (from..stages).all(|stage| begins(all, stage, view.id(stage)));
            }
            return;
        }
        rings.take_changed(color, |rings, slot, from| {
            let all = &mut standing[c][slot * stages..(slot + 1) * stages];
            let is_empty = board.cell(layout.points()[slot / parts]) == Cell::Empty;
            if !is_empty || (from > 0 && all[from - 1].id == RARE) {
                return;
            }
            ends(all, slot, from);
            rings.ids(color, slot, from, |stage, id| begins(all, stage, id));
        });
    }

    /// Notes what stood at a place that is no longer legal.
    fn flush(&self, place: usize, color: Color, now: u32, game: u32, note: &mut impl FnMut(Note)) {
        if self.wanted == Wanted::Played {
            return;
        }
        let (parts, stages) = (self.layout.family().parts(), self.layout.family().stages());
        for slot in self.layout.slot(place, 0)..self.layout.slot(place, 0) + parts {
            for stage in 0..stages {
                let Standing { id, since, number } =
                    self.standing[color.index()][slot * stages + stage];
                if now > since && id != RARE {
                    let spot = spot(parts, number, slot, stage, color);
                    note(Note { id, seen: now - since, game, spot });
                }
            }
        }
    }
}

fn spot(parts: usize, number: u16, slot: usize, stage: usize, color: Color) -> Spot {
    Spot {
        number,
        place: (slot / parts) as u16,
        part: (slot % parts) as u8,
        stage: stage as u8,
        color: color.index() as u8,
    }
}
