//! An assessment of a position as a player makes it: links, groups and territory. Knowledge judges by the
//! board and by ownership; the playouts that give the ownership are played here.

use goban::{Board, Game, PointMap};
use knowledge::{Groups, Territory};
use search::Models;

use crate::judge::judge_with;

/// How surely a point must be a player's to count as territory.
pub const SURE: f32 = 0.75;

/// Playouts with each player to move first.
const PLAYOUTS: usize = 128;

/// Links, groups and territory of a position.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// Who owns the points at the ends of playouts, from -1 for White to +1 for Black.
    pub ownership: PointMap<f32>,
    /// Groups, and the links between their chains.
    pub groups: Groups,
    /// Territory by the published procedure, which looks along the lines.
    pub by_lines: Territory,
    /// Territory by the ends of playouts.
    pub by_ownership: Territory,
}

impl Assessment {
    /// A position, with who owns its points at the ends of playouts.
    pub fn new(board: &Board, ownership: PointMap<f32>) -> Assessment {
        let groups = Groups::new(board, &ownership);
        Assessment {
            by_lines: Territory::by_lines(board, &groups),
            by_ownership: Territory::by_ownership(board, &ownership, SURE),
            groups,
            ownership,
        }
    }
}

/// Assesses the position of a game.
pub(crate) fn assess(models: &Models, game: &Game, seed: u64) -> Assessment {
    Assessment::new(game.board(), judge_with(models, game, seed, PLAYOUTS).ownership)
}
