//! Where nothing is proved: the tree search on a board of which only the room is open.
//!
//! All points outside the room become stones of one side or the other with eyes among them, so that playouts
//! have nothing to do there. Komi is set so that the defender wins if he keeps a few points in the room: what wins
//! is what reaches the goal.

use std::sync::Arc;
use std::time::Duration;

use goban::{Board, Color, Game, Move, Point, PointMap, Rules};
use search::{Expander, Models, Restriction, Search, SearchLimits, Settings, Stop, Task};

use crate::closing::Closed;
use crate::room::{Room, Side};

/// The points that the defender keeps in the room at least if he lives.
const LIFE: f32 = 4.0;

/// Bytes for the tree.
const MEMORY: usize = 64 << 20;

/// How deep moves are kept in the room: always.
const ALWAYS: usize = usize::MAX;

/// A move that the search looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Played {
    pub(crate) point: Point,
    /// Its share of the visits, 0 to 1.
    pub(crate) share: f32,
    /// How often it led to the goal, 0 to 1.
    pub(crate) winrate: f32,
}

/// Plays the room out for so long. Nothing if the board cannot be filled, or the models are for another board.
pub(crate) fn play(
    board: &Board,
    closed: &Closed,
    models: &Arc<Models>,
    time: Duration,
    stop: &Stop,
) -> Vec<Played> {
    let Closed { room, position, .. } = closed;
    if models.playouts.size() != board.size() {
        return Vec::new();
    }
    let Some((framed, komi)) = frame(board, closed) else { return Vec::new() };
    let color = room.color(position.to_move);
    let game = Game::from_position(framed, color, Rules::CHINESE, komi);
    let inside: Vec<Move> =
        room.points(room.inside).into_iter().map(Move::Play).chain([Move::Pass]).collect();
    let allow = [Color::Black, Color::White].map(|color| Restriction {
        color,
        moves: inside.clone(),
        until_depth: ALWAYS,
    });
    let expander = Expander { allow: allow.to_vec(), ..Expander::default() };
    let mut settings = Settings::new(board.size());
    settings.memory = MEMORY;
    // The margin says nothing here: alive is alive.
    settings.margin = 0.0;
    let mut search = Search::new(Arc::clone(models), settings);
    let task = Task { game: &game, color, komi, expander: &expander, agreed: None };
    let limits = SearchLimits { time: Some(time), ..SearchLimits::default() };
    let report = search.run(&task, &limits, stop, &mut |_| {});
    let visits = report.candidates.iter().map(|found| found.visits).sum::<u64>().max(1) as f32;
    report
        .candidates
        .iter()
        .filter_map(|found| match found.mv {
            Move::Play(point) => {
                Some(Played { point, share: found.visits as f32 / visits, winrate: found.winrate })
            }
            Move::Pass => None,
        })
        .collect()
}

/// The board with everything outside the room filled, and the komi that makes life and death decide.
fn frame(board: &Board, closed: &Closed) -> Option<(Board, f32)> {
    let Closed { room, position, .. } = closed;
    if room.befriended != 0 {
        return None;
    }
    let (attacker, defender) = (room.color(Side::Attacker), room.color(Side::Defender));
    let size = board.size();
    // The half that is nearer to the room is the wall, the rest is the defender's, so that komi stays small.
    let mut outside: Vec<(u32, Point)> =
        size.points().filter(|&p| room.cell(p).is_none()).map(|p| (distance(p, room), p)).collect();
    outside.sort_by_key(|&(far, p)| (far, p.y(), p.x()));
    let half = outside.len() / 2;
    for wall in [half, outside.len()] {
        let mut owner = PointMap::filled(None);
        for (i, &(far, p)) in outside.iter().enumerate() {
            owner[p] = Some(if i < wall || far <= 2 { attacker } else { defender });
        }
        let mut eyes = [0, 0];
        let mut stones: Vec<(Point, Color)> = Vec::new();
        let mut lead = 0.0;
        for &(_, p) in &outside {
            let Some(color) = owner[p] else { continue };
            lead += if color == defender { 1.0 } else { -1.0 };
            let is_eye = p.x() % 4 == 1
                && p.y() % 4 == 1
                && around(p).all(|(x, y)| {
                    let inside = x >= 0 && y >= 0 && x < side(size) && y < side(size);
                    !inside || owner[Point::new(x as u8, y as u8)] == Some(color)
                });
            if is_eye {
                eyes[usize::from(color == defender)] += 1;
            } else {
                stones.push((p, color));
            }
        }
        let enough = eyes[0] >= 2 && (eyes[1] >= 2 || wall == outside.len());
        if !enough {
            continue;
        }
        for side in [Side::Attacker, Side::Defender] {
            let color = room.color(side);
            stones.extend(room.points(position.of(side)).into_iter().map(|p| (p, color)));
        }
        let Ok(framed) = Board::with_stones(size, stones) else { continue };
        // What the defender leads by if he keeps just under what life is worth.
        let base = lead - room.cells() as f32 + 2.0 * LIFE - 1.0;
        let komi = if defender == Color::Black { base } else { -base };
        return Some((framed, komi));
    }
    None
}

fn side(size: goban::Size) -> i32 {
    i32::from(size.side())
}

fn around(p: Point) -> impl Iterator<Item = (i32, i32)> {
    let (x, y) = (i32::from(p.x()), i32::from(p.y()));
    (-1..=1).flat_map(move |dx| (-1..=1).map(move |dy| (x + dx, y + dy)))
}

/// Steps from the room.
fn distance(p: Point, room: &Room) -> u32 {
    room.points(room.inside)
        .into_iter()
        .map(|q| u32::from(p.x().abs_diff(q.x()).max(p.y().abs_diff(q.y()))))
        .min()
        .unwrap_or(0)
}
