//! The tactical features of every point, kept up to date: what a move does to the chains around it.
//!
//! The definition is [`crate::Tactics`]; here is the same from the counts that the board keeps, and
//! only for points whose surroundings changed: liberties of chains whose liberties changed, points
//! that became empty, and the last liberties of chains in atari, whose capture may rescue a chain
//! that is not around the point.

use super::pattern_layout::PatternLayout;
use crate::feature::{Feature, Meaning, Use};
use goban::{Board, Cell, Chain, Changes, Color, Point, PointSet};

/// More than any move has: four chains around, a capture, a self-atari, and sixteen rescues.
const MOST: usize = 22;

/// The tactical features of a move, and whether it is legal, ko aside.
#[derive(Clone, Copy)]
pub(crate) struct Contact {
    pub(crate) alive: bool,
    len: u8,
    features: [u16; MOST],
}

impl Contact {
    const NONE: Contact = Contact { alive: false, len: 0, features: [0; MOST] };

    /// The features.
    #[inline(always)]
    pub(crate) fn features(&self) -> &[u16] {
        &self.features[..self.len as usize]
    }

    fn add(&mut self, feature: Option<Feature>) {
        if let Some(Feature(n)) = feature
            && (self.len as usize) < MOST
        {
            self.features[self.len as usize] = n;
            self.len += 1;
        }
    }

    /// The features of the move of `color` at the empty point `p`; `changed` are the chains that
    /// the last move changed.
    fn of(of: Use, board: &Board, p: Point, color: Color, changed: &[Chain]) -> Contact {
        let mut contact = Contact { alive: true, ..Contact::NONE };
        let ring = board.ring(p);
        if board.fewest_liberties_around(p) > 2 {
            // A friend has liberties to spare; without one the stone has those that it finds.
            if !ring.has_neighbour(color) {
                match ring.liberties() {
                    0 => contact.alive = false,
                    1 => contact.add(of.number(Meaning::SelfAtari(1))),
                    _ => {}
                }
            }
            return contact;
        }
        let around = board.around(p);
        let (own, other) = (around.of(color), around.of(!color));
        let after = board.after_move_among(p, color, &around);
        if after.liberties == 0 {
            contact.alive = false;
            return contact;
        }
        let small = |n: u16| n.min(3) as u8;
        let gained = |before: u16| (after.liberties as i32 - before as i32).clamp(-1, 2) as i8;
        let taken = other.among(around.in_atari);
        if !taken.is_empty() {
            let stones: u16 = taken.iter().map(|d| around.lengths[d]).sum();
            let running = board.after_move_among(p, !color, &around).liberties as i32 - 1;
            contact.add(of.number(Meaning::Capture(small(stones), running.clamp(-1, 2) as i8)));
        }
        for d in own.iter().filter(|&d| around.liberties[d] <= 2) {
            let (stones, liberties) = (small(around.lengths[d]), around.liberties[d]);
            let updated = changed.contains(&around.chains[d]);
            let extension = Meaning::Extension(stones, liberties as u8, gained(liberties), updated);
            contact.add(of.number(extension));
        }
        for d in other.among(around.with_two).iter() {
            let updated = changed.contains(&around.chains[d]);
            contact.add(of.number(Meaning::Atari(small(around.lengths[d]), updated)));
        }
        if !taken.is_empty() {
            contact.add_rescues(of, board, color, taken.iter().map(|d| around.chains[d]));
        }
        if after.liberties == 1 {
            contact.add(of.number(Meaning::SelfAtari(small(after.length.min(3) as u16))));
        }
        contact
    }

    /// Own chains in atari that touch a captured chain, each once.
    fn add_rescues(
        &mut self,
        of: Use,
        board: &Board,
        color: Color,
        taken: impl Iterator<Item = Chain>,
    ) {
        let mut known = [None; 16];
        let mut count = 0;
        for stone in taken.flat_map(|enemy| board.chain_stones(enemy)) {
            for q in board.neighbours(stone).filter(|&q| board.cell(q) == Cell::from(color)) {
                let Some(friend) = board.chain(q) else { continue };
                let new = !known[..count].contains(&Some(friend)) && count < known.len();
                if board.liberty_count(friend) == 1 && new {
                    known[count] = Some(friend);
                    count += 1;
                    let stones = board.length(friend).min(3) as u8;
                    self.add(of.number(Meaning::Rescue(stones)));
                }
            }
        }
    }
}

/// The tactical features of all points for both players.
#[derive(Clone)]
pub(crate) struct Contacts {
    of: Use,
    /// By colour and place.
    contacts: [Vec<Contact>; 2],
    /// By colour: points to look at again.
    stale: [PointSet; 2],
    /// Last liberties of chains in atari.
    last_liberties: PointSet,
}

impl Contacts {
    pub(crate) fn new(of: Use, layout: &PatternLayout) -> Contacts {
        let mut contacts = Contacts {
            of,
            contacts: [0, 1].map(|_| vec![Contact::NONE; layout.points().len()]),
            stale: [PointSet::EMPTY; 2],
            last_liberties: PointSet::EMPTY,
        };
        contacts.clear(&Board::new(layout.size()));
        contacts
    }

    /// Everything is to be looked at again.
    pub(crate) fn clear(&mut self, board: &Board) {
        let empties: PointSet = board.empties().collect();
        self.stale = [empties; 2];
        self.last_liberties = PointSet::EMPTY;
        for chain in board.all_chains().filter(|&chain| board.liberty_count(chain) == 1) {
            board.add_liberties(chain, &mut self.last_liberties);
        }
    }

    pub(crate) fn copy_from(&mut self, other: &Contacts) {
        for (contacts, other) in self.contacts.iter_mut().zip(&other.contacts) {
            contacts.copy_from_slice(other);
        }
        self.stale = other.stale;
        self.last_liberties = other.last_liberties;
    }

    /// Takes note of what the last move changed.
    pub(crate) fn played(&mut self, board: &Board, changes: &Changes) {
        let mut touched = PointSet::EMPTY;
        for &chain in changes.chains() {
            board.add_liberties(chain, &mut touched);
            if board.liberty_count(chain) == 1 {
                board.add_liberties(chain, &mut self.last_liberties);
            }
        }
        touched.extend(changes.captured().iter().copied());
        for stale in &mut self.stale {
            stale.unite(&touched);
        }
    }

    /// Brings the points of a player up to date and tells which were looked at.
    pub(crate) fn refresh(
        &mut self,
        layout: &PatternLayout,
        board: &Board,
        color: Color,
        changed: &[Chain],
        mut seen: impl FnMut(usize),
    ) {
        let mut stale = std::mem::take(&mut self.stale[color.index()]);
        stale.unite(&self.last_liberties);
        let contacts = &mut self.contacts[color.index()];
        let last_liberties = &mut self.last_liberties;
        stale.drain(|p| {
            let place = layout.place(p);
            if board.cell(p) != Cell::Empty {
                last_liberties.remove(p);
                contacts[place] = Contact::NONE;
            } else {
                contacts[place] = Contact::of(self.of, board, p, color, changed);
                last_liberties.set(p, board.fewest_liberties_around(p) == 1);
            }
            seen(place);
        });
        // "The last move touched it" is over when this player moves again.
        if self.of == Use::Uct {
            for &chain in changed {
                board.add_liberties(chain, &mut self.stale[color.index()]);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn of_player(&self, color: Color) -> &[Contact] {
        &self.contacts[color.index()]
    }
}
