//! How a position stands: which stones are dead, which are in seki, the score.

use goban::score::{self, Marks};
use goban::{Board, Cell, Chain, Color, Game, Point, PointMap, PointSet, Scoring};
use playout::{Learned, Observer, Outcome, PlayoutSettings, Random};
use search::Models;

/// How a position stands.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Stones that are dead and stones that live in seki.
    pub marks: Marks,
    /// Black's points less White's, komi and handicap bonus counted, by the rules of the game.
    pub score: f32,
    /// Who owns each point, from -1 for White to +1 for Black.
    pub ownership: PointMap<f32>,
    /// Empty points that neither player will fill: what chains in seki live by.
    pub shared: PointSet,
}

impl Judgement {
    /// What counts when the game has ended: by some rules, all that stands on the board.
    pub fn by_the_rules_of(self, game: &Game) -> Judgement {
        if !game.is_over() || !game.rules().counts_as_it_stands() {
            return self;
        }
        let marks = Marks::default();
        Judgement { marks, score: game.score(&marks), ..self }
    }

    /// Whether it is open who gets a chain.
    pub(crate) fn is_open(&self, board: &Board, chain: Chain) -> bool {
        kept(board, chain, &self.ownership).abs() < OPEN
    }

    /// By how many points Black will do better than counting says, because ground is not surrounded yet.
    fn unsettled(&self, game: &Game) -> f32 {
        let board = game.board();
        let is_territory = game.rules().scoring == Scoring::Territory;
        let regions = score::regions(board, &self.marks.dead);
        let large = regions.into_iter().filter(|region| region.points.len() > MOST_DAME);
        let unsettled = large.map(|region| {
            let expected: f32 = region.points.iter().map(|&p| self.ownership[p]).sum();
            let Some(owner) = region.owner() else { return expected };
            if is_territory && region.is_beside(board, &self.marks.seki) {
                return 0.0;
            }
            let len = region.points.len() as f32;
            let counted = if owner == Color::Black { len } else { -len };
            // The larger a region is, the less is it believed to be surrounded.
            let sure = SURE + len / board.size().area() as f32;
            let open = ((sure - expected / counted) / DOUBT).clamp(0.0, 1.0);
            open * (expected - counted)
        });
        unsettled.sum::<f32>().round()
    }
}

/// A chain that one of the players gets more surely than this is decided.
const OPEN: f32 = 0.7;

/// A region with no more points than this is dame if both players border it, and settled if one does.
const MOST_DAME: usize = 12;

/// A larger region that is its owner's as surely as this, and more by its share of the board, is settled;
/// one that is less sure by so much is quite open.
const SURE: f32 = 0.45;
const DOUBT: f32 = 0.2;

/// Playouts with each player to move first: enough for a verdict.
const PLAYOUTS: usize = 256;

/// Enough to see whether anything is left to play for.
pub(crate) const FEW_PLAYOUTS: usize = 64;

/// What the ends of playouts have in common.
pub(crate) struct Ends {
    /// Ends with a point Black's less those with it White's.
    owners: PointMap<i32>,
    /// Ends with a point left empty between both players.
    open: PointMap<i32>,
}

impl Ends {
    /// Nothing seen yet.
    pub(crate) fn new() -> Ends {
        Ends { owners: PointMap::filled(0), open: PointMap::filled(0) }
    }

    /// Ends with a point Black's less those with it White's.
    pub(crate) fn owner(&self, p: Point) -> i32 {
        self.owners[p]
    }

    /// Adds what was seen elsewhere.
    pub(crate) fn join(&mut self, other: &Ends) {
        let add = |mine: &mut PointMap<i32>, theirs: &PointMap<i32>| {
            mine.as_mut_slice().iter_mut().zip(theirs.as_slice()).for_each(|(a, b)| *a += b);
        };
        add(&mut self.owners, &other.owners);
        add(&mut self.open, &other.open);
    }
}

impl Observer for Ends {
    fn finished(&mut self, board: &Board, _: &Outcome) {
        for p in board.size().points() {
            self.owners[p] += playout::owner(board, p) as i32;
            if board.cell(p) == Cell::Empty {
                let ring = board.ring(p);
                self.open[p] += Color::BOTH.iter().all(|&c| ring.has_neighbour(c)) as i32;
            }
        }
    }
}

/// Judges the position of a game by how playouts end, whoever moves first. Before the game has ended the
/// score is an estimate: large ground that is not surrounded counts as playouts share it.
pub fn judge(models: &Models, game: &Game, seed: u64) -> Judgement {
    let judgement = judge_with(models, game, seed, PLAYOUTS);
    let more = if game.is_over() { 0.0 } else { judgement.unsettled(game) };
    Judgement { score: judgement.score + more, ..judgement }
}

/// Judges by so many playouts for each player to move first how the position stands if play stops here.
pub(crate) fn judge_with(models: &Models, game: &Game, seed: u64, playouts: usize) -> Judgement {
    let board = game.board();
    let mut ends = Ends::new();
    let mut random = Random::new(seed);
    for color in Color::BOTH {
        let settings = PlayoutSettings::careful();
        let mut runner = Learned::new(&models.playouts, board, color, None, settings);
        for _ in 0..playouts {
            runner.run(&mut random, &mut ends);
        }
    }
    let mut ownership = PointMap::filled(0.0);
    for p in board.size().points() {
        ownership[p] = ends.owners[p] as f32 / (2 * playouts) as f32;
    }
    let mut dead = PointSet::EMPTY;
    for chain in board.all_chains().filter(|&chain| kept(board, chain, &ownership) < 0.0) {
        board.chain_stones(chain).for_each(|p| {
            dead.insert(p);
        });
    }
    // Playouts fill every dame that one of the players can fill: what mostly stays open lies
    // between chains that live in seki.
    let (mut seki, mut shared) = (PointSet::EMPTY, PointSet::EMPTY);
    for p in board.empties().filter(|&p| ends.open[p] > playouts as i32) {
        shared.insert(p);
        let beside = board.neighbours(p).filter(|&q| !dead.contains(q));
        for chain in beside.filter_map(|q| board.chain(q)) {
            board.chain_stones(chain).for_each(|stone| {
                seki.insert(stone);
            });
        }
    }
    let marks = Marks { dead, seki };
    Judgement { marks, score: game.score(&marks), ownership, shared }
}

/// How far a chain stays its owner's: from -1 to +1.
fn kept(board: &Board, chain: Chain, ownership: &PointMap<f32>) -> f32 {
    let stones = || board.chain_stones(chain);
    let sum: f32 = stones().map(|p| sign(board, p) * ownership[p]).sum();
    sum / board.length(chain) as f32
}

fn sign(board: &Board, p: Point) -> f32 {
    if board.cell(p) == Cell::Black { 1.0 } else { -1.0 }
}
