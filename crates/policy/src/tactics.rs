//! What a move does to the chains around it: captures, extensions, ataris, self-atari.
//!
//! This is the definition, computed from the board alone. The playouts keep the same facts up to
//! date as they go and are tested against this.

use goban::{Board, Cell, Chain, Color, Point, PointSet};

use crate::situation::Situation;

/// Things of which a move has at most one for each neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Few<T, const N: usize> {
    items: [Option<T>; N],
}

impl<T: Copy, const N: usize> Default for Few<T, N> {
    fn default() -> Few<T, N> {
        Few { items: [None; N] }
    }
}

impl<T: Copy, const N: usize> Few<T, N> {
    fn push(&mut self, item: T) {
        // A full list takes no more: it is long enough for every move there can be.
        if let Some(free) = self.items.iter_mut().find(|i| i.is_none()) {
            *free = Some(item);
        }
    }

    /// The things.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.items.iter().flatten().copied()
    }
}

/// Capture: enemy chains next to the move have one liberty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capture {
    /// Stones that are taken.
    pub stones: usize,
    /// Liberties that the enemy would gain by playing there itself.
    pub increase: i32,
}

/// Extension: an own chain next to the move has one or two liberties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extension {
    /// Stones of the chain.
    pub stones: usize,
    /// Its liberties before the move.
    pub liberties: usize,
    /// Liberties that it has more after the move.
    pub increase: i32,
    /// Whether the last move changed the chain.
    pub updated: bool,
}

/// Atari: an enemy chain next to the move has two liberties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atari {
    /// Stones of the chain.
    pub stones: usize,
    /// Whether the last move changed the chain.
    pub updated: bool,
}

/// What a move does to the chains around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tactics {
    /// The capture, if it is one.
    pub capture: Option<Capture>,
    /// The chains it extends.
    pub extensions: Few<Extension, 4>,
    /// The chains it puts into atari.
    pub ataris: Few<Atari, 4>,
    /// Stones of each own chain in atari that the capture frees.
    pub rescues: Few<usize, 16>,
    /// Stones of the own chain if it has one liberty after the move.
    pub self_atari: Option<usize>,
}

/// The distinct chains of a colour next to a point.
fn chains_around(board: &Board, p: Point, color: Color) -> Few<Chain, 4> {
    let mut found = Few::default();
    for q in board.neighbours(p).filter(|&q| board.cell(q) == Cell::from(color)) {
        let chain = board.chain(q).expect("a stone belongs to a chain");
        if !found.iter().any(|known| known == chain) {
            found.push(chain);
        }
    }
    found
}

/// The chain that a stone of `color` at the empty point `p` would belong to: its stones and its
/// liberties, captures taken off. A suicide has no liberties.
pub fn after_move(board: &Board, p: Point, color: Color) -> (usize, PointSet) {
    let mut stones = 1;
    let mut own = PointSet::EMPTY;
    own.insert(p);
    let mut liberties: PointSet =
        board.neighbours(p).filter(|&q| board.cell(q) == Cell::Empty).collect();
    for chain in chains_around(board, p, color).iter() {
        stones += board.length(chain);
        liberties.extend(board.liberties(chain));
        own.extend(board.chain_stones(chain));
    }
    liberties.remove(p);
    for chain in chains_around(board, p, !color).iter() {
        if board.liberty_count(chain) == 1 {
            let freed =
                board.chain_stones(chain).filter(|&q| board.neighbours(q).any(|n| own.contains(n)));
            liberties.extend(freed);
        }
    }
    (stones, liberties)
}

impl Tactics {
    /// What the move at the empty point `p` does.
    pub fn new(situation: &Situation<'_>, p: Point) -> Tactics {
        let (board, color) = (situation.board, situation.to_move);
        let mut tactics = Tactics::default();
        let (stones, liberties) = after_move(board, p, color);
        let liberties = liberties.len();
        if liberties == 1 {
            tactics.self_atari = Some(stones);
        }
        for chain in chains_around(board, p, color).iter() {
            let before = board.liberty_count(chain);
            if before <= 2 {
                tactics.extensions.push(Extension {
                    stones: board.length(chain),
                    liberties: before,
                    increase: liberties as i32 - before as i32,
                    updated: situation.changed.contains(&chain),
                });
            }
        }
        let mut taken = 0;
        let mut rescued = Few::<Chain, 16>::default();
        for chain in chains_around(board, p, !color).iter() {
            match board.liberty_count(chain) {
                1 => {
                    taken += board.length(chain);
                    for friend in threatened_by(board, chain, color) {
                        if !rescued.iter().any(|known| known == friend) {
                            rescued.push(friend);
                        }
                    }
                }
                2 => tactics.ataris.push(Atari {
                    stones: board.length(chain),
                    updated: situation.changed.contains(&chain),
                }),
                _ => {}
            }
        }
        if taken > 0 {
            // The enemy's chains in atari have this one liberty between them.
            let increase = after_move(board, p, !color).1.len() as i32 - 1;
            tactics.capture = Some(Capture { stones: taken, increase });
        }
        for friend in rescued.iter() {
            tactics.rescues.push(board.length(friend));
        }
        tactics
    }
}

/// Chains of `color` in atari that touch an enemy chain.
fn threatened_by(board: &Board, enemy: Chain, color: Color) -> impl Iterator<Item = Chain> + '_ {
    board
        .chain_stones(enemy)
        .flat_map(move |q| board.neighbours(q))
        .filter(move |&q| board.cell(q) == Cell::from(color))
        .filter_map(move |q| board.chain(q))
        .filter(move |&chain| board.liberty_count(chain) == 1)
}
