//! From a board to a closed room: who defends, which points matter, and what is wall.

use std::collections::VecDeque;

use goban::{Board, Cell, Color, Point, PointMap, PointSet};

use crate::position::Position;
use crate::room::{Cells, Room, Side};

/// A problem in its room.
#[derive(Clone, Debug)]
pub(crate) struct Closed {
    pub(crate) room: Room,
    pub(crate) position: Position,
    /// The defender's stones of which one must live.
    pub(crate) target: Cells,
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

/// Closes the board around the stones of `defender`. Points are in the room if he comes to them
/// within `reach` steps; a step beside a stone of the attacker counts twice.
pub(crate) fn close(board: &Board, defender: Color, to_move: Color, reach: u8) -> Option<Closed> {
    let size = board.size();
    let attacker = !defender;
    let is = |p: Point, color: Color| board.cell(p).color() == Some(color);
    let friends = friends(board, defender);
    let mut inside = PointSet::default();
    let mut cost = PointMap::filled(u8::MAX);
    let mut queue = VecDeque::new();
    for p in size.points() {
        if is(p, defender) && !friends.contains(p) {
            cost[p] = 0;
            inside.insert(p);
            queue.push_back(p);
        }
    }
    while let Some(p) = queue.pop_front() {
        for q in board.neighbours(p) {
            if board.cell(q) != Cell::Empty {
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
            for p in board.liberties(chain) {
                inside.insert(p);
            }
        }
    }
    furnish(board, defender, to_move, inside, &friends)
}

/// Closes the board around a region that is given. The defender's stones outside it live.
pub(crate) fn close_region(
    board: &Board,
    defender: Color,
    to_move: Color,
    region: &PointSet,
) -> Option<Closed> {
    let mut friends = PointSet::default();
    for p in board.size().points() {
        if !region.contains(p) && board.cell(p).color() == Some(defender) {
            friends.insert(p);
        }
    }
    furnish(board, defender, to_move, *region, &friends)
}

/// The room of these points, with the stones of the attacker that stand around them.
fn furnish(
    board: &Board,
    defender: Color,
    to_move: Color,
    mut inside: PointSet,
    friends: &PointSet,
) -> Option<Closed> {
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
    let room = Room::new(
        &points,
        defender,
        |p| board.neighbours(p).any(|q| !inside.contains(q) && !friends.contains(q)),
        |p| board.neighbours(p).any(|q| friends.contains(q)),
    )?;
    let mut stones = [0, 0];
    for &p in &points {
        if let Some(color) = board.cell(p).color() {
            stones[room.side(color) as usize] |= room.cell(p).expect("it is in the room");
        }
    }
    let mut position = Position::new(stones[0], stones[1], room.side(to_move));
    position.ko = board.ko(to_move).and_then(|p| room.cell(p)).unwrap_or(0);
    if position.of(Side::Defender) == 0 {
        return None;
    }
    Some(Closed { target: position.of(Side::Defender), room, position })
}
