//! From a board to a closed room: who defends, which points matter, and what is wall.

use std::collections::VecDeque;

use goban::{Board, Cell, Color, Point, PointMap, PointSet};

use crate::aim::Aim;
use crate::position::Position;
use crate::room::{Cells, Room, Side};

/// What a problem is about, on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stakes {
    /// All stones of the defender.
    Everything,
    /// The chain of this stone.
    Chain(Point),
    /// The chains of these two stones, which are to become one.
    Link(Point, Point),
}

/// A problem in its room.
#[derive(Clone, Debug)]
pub(crate) struct Closed {
    pub(crate) room: Room,
    pub(crate) position: Position,
    pub(crate) aim: Aim,
}

/// A distance that nothing reaches.
const FAR: u8 = 12;

/// How far the empty points are from the open board, where no stone is near.
fn openness(board: &Board) -> PointMap<u8> {
    let size = board.size();
    let stones: Vec<Point> = size.points().filter(|&p| board.cell(p).color().is_some()).collect();
    let gap = |p: Point, q: Point| p.x().abs_diff(q.x()).max(p.y().abs_diff(q.y()));
    let mut distance = PointMap::filled(FAR);
    let mut queue = VecDeque::new();
    for p in board.empties() {
        if stones.iter().all(|&q| gap(p, q) >= 3) {
            distance[p] = 0;
            queue.push_back(p);
        }
    }
    while let Some(p) = queue.pop_front() {
        for q in board.neighbours(p) {
            if board.cell(q) == Cell::Empty && distance[q] > distance[p] + 1 {
                distance[q] = distance[p] + 1;
                queue.push_back(q);
            }
        }
    }
    distance
}

/// How much more enclosed black is than white: the difference of the mean distances of their stones
/// from the open board. The one that is more enclosed defends.
fn enclosure(board: &Board) -> f32 {
    let distance = openness(board);
    let mean = |color: Color| {
        let mut sum = 0.0;
        let mut count = 0.0;
        for p in board.size().points() {
            if board.cell(p).color() == Some(color) {
                sum += f32::from(board.neighbours(p).map(|q| distance[q]).min().unwrap_or(FAR));
                count += 1.0;
            }
        }
        if count == 0.0 { 0.0 } else { sum / count }
    };
    mean(Color::Black) - mean(Color::White)
}

/// Who defends, most likely.
pub(crate) fn defender(board: &Board) -> Color {
    if enclosure(board) >= 0.0 { Color::Black } else { Color::White }
}

/// The defender's stones that stand on the open side, if there are others: they live anyway.
fn friends(board: &Board, defender: Color) -> PointSet {
    let distance = openness(board);
    let mut friends = PointSet::default();
    let mut inner = 0;
    for chain in board.all_chains() {
        let mut stones = board.chain_stones(chain).peekable();
        if stones.peek().is_none_or(|&p| board.cell(p).color() != Some(defender)) {
            continue;
        }
        let near = board.liberties(chain).map(|p| distance[p]).min().unwrap_or(FAR);
        if near <= 2 {
            for p in stones {
                friends.insert(p);
            }
        } else {
            inner += 1;
        }
    }
    if inner == 0 { PointSet::default() } else { friends }
}

/// Why there is no room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoRoom {
    /// The stones that it is about are not there.
    Nothing,
    /// It does not fit.
    TooLarge,
}

/// Closes the board around what is at stake. Points are in the room if the defender comes to them within
/// `reach` steps; a step beside a stone of the attacker counts twice. Of a region that is given nothing outside is
/// in the room.
pub(crate) fn close(
    board: &Board,
    stakes: Stakes,
    defender: Color,
    to_move: Color,
    reach: u8,
    region: Option<&PointSet>,
) -> Result<Closed, NoRoom> {
    let size = board.size();
    let attacker = !defender;
    let is = |p: Point, color: Color| board.cell(p).color() == Some(color);
    let is_within = |p: Point| region.is_none_or(|region| region.contains(p));
    let mut friends = match (stakes, region) {
        (Stakes::Everything, None) => friends(board, defender),
        _ => PointSet::default(),
    };
    let mut inside = PointSet::default();
    let mut cost = PointMap::filled(u8::MAX);
    let mut queue = VecDeque::new();
    let core: Vec<Point> = match stakes {
        Stakes::Everything => {
            size.points().filter(|&p| is(p, defender) && !friends.contains(p)).collect()
        }
        Stakes::Chain(p) => chain_of(board, p),
        Stakes::Link(p, q) => [chain_of(board, p), chain_of(board, q)].concat(),
    };
    for p in core.into_iter().filter(|&p| is_within(p)) {
        cost[p] = 0;
        inside.insert(p);
        queue.push_back(p);
    }
    let is_wide = stakes == Stakes::Everything;
    while let Some(p) = queue.pop_front() {
        // Other stones of his are as good as those at stake, where he comes to them.
        if !is_wide && board.cell(p) == Cell::Empty {
            for q in board.neighbours(p).filter(|&q| is(q, defender)) {
                for r in chain_of(board, q).into_iter().filter(|&r| is_within(r)) {
                    if cost[p] < cost[r] {
                        cost[r] = cost[p];
                        inside.insert(r);
                        queue.push_back(r);
                    }
                }
            }
        }
        for q in board.neighbours(p) {
            if board.cell(q) != Cell::Empty || !is_within(q) {
                continue;
            }
            let beside = board.neighbours(q).any(|r| is(r, attacker));
            let there = cost[p] + 1 + u8::from(beside);
            if there <= reach && there < cost[q] {
                cost[q] = there;
                inside.insert(q);
                queue.push_back(q);
            }
        }
    }
    // Stones of the attacker that are short of liberties may be taken: their liberties belong here.
    for chain in board.all_chains() {
        let Some(stone) = board.chain_stones(chain).next() else { continue };
        let touches =
            board.chain_stones(chain).any(|p| board.neighbours(p).any(|q| inside.contains(q)));
        if is(stone, attacker) && touches && board.liberty_count(chain) <= 2 {
            for p in board.liberties(chain).filter(|&p| is_within(p)) {
                inside.insert(p);
            }
        }
    }
    // Where only some stones are at stake, or a region is given, his other stones outside live. They do not
    // help to join two chains, as nobody knows what they are joined with.
    if !matches!(stakes, Stakes::Link(..)) && (!is_wide || region.is_some()) {
        for p in size.points().filter(|&p| is(p, defender) && !inside.contains(p)) {
            friends.insert(p);
        }
    }
    furnish(board, stakes, defender, to_move, inside, &friends)
}

/// The stones of a chain, or none.
pub(crate) fn chain_of(board: &Board, p: Point) -> Vec<Point> {
    board.chain(p).map(|chain| board.chain_stones(chain).collect()).unwrap_or_default()
}

/// Closes the board around a region that is given. The defender's stones outside it live.
pub(crate) fn close_region(
    board: &Board,
    stakes: Stakes,
    defender: Color,
    to_move: Color,
    region: &PointSet,
) -> Result<Closed, NoRoom> {
    let mut friends = PointSet::default();
    for p in board.size().points() {
        let is_his = board.cell(p).color() == Some(defender);
        if !region.contains(p) && is_his && !matches!(stakes, Stakes::Link(..)) {
            friends.insert(p);
        }
    }
    furnish(board, stakes, defender, to_move, *region, &friends)
}

/// Chains of a colour that may be taken, those with the fewest liberties first.
pub(crate) fn weak_chains(board: &Board, color: Color) -> Vec<Point> {
    let mut chains: Vec<(usize, usize, Point)> = board
        .all_chains()
        .filter_map(|chain| {
            let p = board.chain_stones(chain).next()?;
            let is_his = board.cell(p).color() == Some(color);
            is_his.then(|| {
                let stones = board.chain_stones(chain).count();
                (board.liberty_count(chain), usize::MAX - stones, p)
            })
        })
        .collect();
    chains.sort_by_key(|&(liberties, stones, p)| (liberties, stones, p.y(), p.x()));
    chains.into_iter().map(|(_, _, p)| p).collect()
}

/// Pairs of chains of a colour that may be joined, those that are nearest to each other first, and of these the weak
/// ones.
pub(crate) fn loose_pairs(board: &Board, color: Color) -> Vec<(Point, Point)> {
    let chains: Vec<Point> = weak_chains(board, color);
    let mut pairs = Vec::new();
    for (i, &p) in chains.iter().enumerate() {
        for &q in &chains[i + 1..] {
            let gap = chain_of(board, p)
                .iter()
                .flat_map(|a| {
                    let a = *a;
                    chain_of(board, q)
                        .into_iter()
                        .map(move |b| a.x().abs_diff(b.x()) + a.y().abs_diff(b.y()))
                })
                .min()
                .unwrap_or(u8::MAX);
            let liberties = |p: Point| board.chain(p).map_or(0, |chain| board.liberty_count(chain));
            pairs.push((gap, liberties(p).min(liberties(q)), p, q));
        }
    }
    pairs.sort_by_key(|&(gap, liberties, p, q)| (gap, liberties, p.y(), p.x(), q.y(), q.x()));
    pairs.into_iter().filter(|&(gap, ..)| gap <= 6).map(|(_, _, p, q)| (p, q)).collect()
}

/// The room of these points, with the stones of the attacker that stand around them.
fn furnish(
    board: &Board,
    stakes: Stakes,
    defender: Color,
    to_move: Color,
    mut inside: PointSet,
    friends: &PointSet,
) -> Result<Closed, NoRoom> {
    let is = |p: Point, color: Color| board.cell(p).color() == Some(color);
    let attacker = !defender;
    let beside: Vec<Point> = board
        .size()
        .points()
        .filter(|&p| is(p, attacker))
        .filter(|&p| board.neighbours(p).any(|q| inside.contains(q) && !is(q, attacker)))
        .collect();
    for p in beside {
        inside.insert(p);
    }
    let points: Vec<Point> = board.size().points().filter(|&p| inside.contains(p)).collect();
    if points.is_empty() {
        return Err(NoRoom::Nothing);
    }
    let room = Room::new(
        &points,
        defender,
        |p| board.neighbours(p).any(|q| !inside.contains(q) && !friends.contains(q)),
        |p| board.neighbours(p).any(|q| friends.contains(q)),
    )
    .ok_or(NoRoom::TooLarge)?;
    let mut stones = [0, 0];
    for &p in &points {
        if let Some(color) = board.cell(p).color() {
            stones[room.side(color) as usize] |= room.cell(p).expect("it is in the room");
        }
    }
    let mut position = Position::new(stones[0], stones[1], room.side(to_move));
    position.ko = board.ko(to_move).and_then(|p| room.cell(p)).unwrap_or(0);
    let cells = |p: Point| -> Cells {
        let his = chain_of(board, p).into_iter().filter(|&q| is(q, defender));
        his.filter_map(|q| room.cell(q)).fold(0, |all, cell| all | cell)
    };
    let aim = match stakes {
        Stakes::Everything => Aim::Take(position.of(Side::Defender)),
        Stakes::Chain(p) => Aim::Take(cells(p)),
        Stakes::Link(p, q) => Aim::Link(cells(p), cells(q)),
    };
    match aim {
        Aim::Take(0) | Aim::Link(0, _) | Aim::Link(_, 0) => Err(NoRoom::Nothing),
        _ => Ok(Closed { room, position, aim }),
    }
}
