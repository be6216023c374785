//! One thread of the search: down the tree, a playout, and back up with its result.

use goban::score::{self, Marks};
use goban::{Color, Point, PointMap};
use playout::{Experience, Learned, Random};

use crate::expand::Expander;
use crate::models::Models;
use crate::record::Record;
use crate::root::{Root, Variation};
use crate::settings::Settings;
use crate::steering::{SharedEvidence, ThreadEvidence};
use crate::tree::{Edge, Node, Tree, WON, scored_visits};
use crate::urgency::Urgency;

/// There is no room left in the tree.
pub struct TreeFull;

/// What all threads of a search look at.
pub struct Shared<'a> {
    /// The models.
    pub models: &'a Models,
    /// How to search.
    pub settings: &'a Settings,
    /// Where the search starts.
    pub root: &'a Root,
    /// What Black must have more of area than this to win.
    pub komi: f32,
    /// The tree; it has a root.
    pub tree: &'a Tree,
    /// Which moves may be looked at.
    pub expander: &'a Expander,
    /// What steers playouts and the tree, if anything does.
    pub evidence: Option<&'a SharedEvidence>,
    /// Whether ownership is kept apart for each move of the root.
    pub by_move: bool,
}

/// The state of one thread, kept from search to search.
pub struct ThreadState {
    /// Its random numbers.
    pub random: Random,
    /// What its playouts have learned.
    pub experience: Option<Box<Experience>>,
    /// Which points are urgent by its playouts.
    pub urgency: Option<Box<Urgency>>,
}

/// A thread's own things.
pub struct Worker<'a> {
    shared: &'a Shared<'a>,
    runner: Learned<'a>,
    random: &'a mut Random,
    /// Where what the playouts learned is kept.
    experience: &'a mut Option<Box<Experience>>,
    /// Which points are urgent by its playouts.
    urgency: Option<&'a mut Urgency>,
    /// What this thread adds to the shared evidence, and the guide drawn from that.
    evidence: Option<ThreadEvidence<'a>>,
    /// What the playouts did.
    pub record: Record,
    path: Vec<(Node, &'a Edge)>,
    moves: Vec<Option<Point>>,
    variation: Variation<'a>,
    /// Who played first where, for all-moves-as-first: 0 for nobody.
    first: PointMap<u8>,
}

impl<'a> Worker<'a> {
    /// Gets ready at the root.
    pub fn new(shared: &'a Shared<'a>, state: &'a mut ThreadState) -> Worker<'a> {
        let ThreadState { random, experience, urgency } = state;
        let root = shared.root;
        let last = root.game.moves().last().and_then(|(_, mv)| mv.point());
        let settings = shared.settings.playouts();
        let compiled = &shared.models.playouts;
        let mut runner = Learned::new(compiled, root.game.board(), root.color, last, settings);
        runner.set_experience(experience.take());
        let evidence = shared.evidence.map(|all| ThreadEvidence::new(all, root.game.board()));
        runner.set_guide(evidence.as_ref().and_then(ThreadEvidence::guide).cloned());
        Worker {
            shared,
            runner,
            random,
            experience,
            urgency: urgency.as_deref_mut(),
            evidence,
            record: Record::new(shared.by_move),
            path: Vec::with_capacity(256),
            moves: Vec::with_capacity(256),
            variation: root.variation(&shared.models.rater),
            first: PointMap::filled(0),
        }
    }

    /// Ends the work and gives what the playouts did.
    pub fn finish(mut self) -> Record {
        *self.experience = self.runner.take_experience();
        if let Some(evidence) = self.evidence {
            evidence.finish();
        }
        self.record
    }

    /// One playout. The tree may be full: then it is counted all the same, but should be the last.
    pub fn simulate(&mut self) -> Result<(), TreeFull> {
        let result = self.descend();
        let score = self.play_out();
        self.add_evidence(score);
        if let Some(&first) = self.moves.first() {
            self.record.count_for(first);
        }
        self.climb(score);
        result
    }

    /// Adds the last playout to the evidence, and follows a new guide if there is one.
    fn add_evidence(&mut self, score: i32) {
        let Some(evidence) = &mut self.evidence else { return };
        let winner = match score as f32 - self.shared.komi {
            ahead if ahead > 0.0 => Color::Black,
            ahead if ahead < 0.0 => Color::White,
            _ => return,
        };
        if evidence.add(&self.record.moves, self.record.owners(), winner) {
            self.runner.set_guide(evidence.guide().cloned());
        }
    }

    /// Goes down to a move without a node behind it.
    fn descend(&mut self) -> Result<(), TreeFull> {
        let Shared { tree, settings, root, .. } = *self.shared;
        self.path.clear();
        self.moves.clear();
        let mut passed = root.game.pass_ends(root.color);
        let mut visits = tree.tally.visit();
        let mut tally = &tree.tally;
        let mut node = tree.root().expect("a search has a root");
        let guide = self.evidence.as_ref().and_then(ThreadEvidence::guide).map(|guide| &**guide);
        let guide = guide.filter(|_| settings.steering.criticality > 0.0);
        let urgency = self.urgency.as_deref();
        let mut color = root.color;
        loop {
            let biases = urgency.map(|urgency| urgency.biases(color));
            color = !color;
            let wanted = settings.moves_looked_at(visits);
            let grown = match wanted > tree.open(node) {
                true => tree.grow(node, wanted, biases),
                false => Some(()),
            };
            let (n, won) = tally.read();
            // The tally is the opponent's, and has a virtual loss for each visit under way; those are ours.
            let mean = if n > 0.0 { 1.0 - won / n } else { 0.5 };
            let edges = tree.edges(node).take(wanted);
            let edge = settings.select(edges, tree.most(node), visits, mean, guide, biases);
            let Some(edge) = edge else { return Ok(()) };
            visits = edge.tally.visit();
            tally = &edge.tally;
            self.path.push((node, edge));
            let mv = edge.mv();
            self.moves.push(mv);
            if mv.is_none() && passed {
                return Ok(());
            }
            passed = mv.is_none();
            if grown.is_none() {
                return Err(TreeFull);
            }
            node = match edge.child() {
                Some(child) => child,
                None if visits >= settings.expand_at && edge.claim() => {
                    self.variation.follow(root, &self.moves);
                    let key = self.variation.key();
                    let child = key.and_then(|key| tree.transpositions.find(key)).or_else(|| {
                        let depth = self.moves.len();
                        let child = self.shared.expander.expand(
                            self.shared,
                            &mut self.variation,
                            depth,
                            urgency,
                        );
                        key.zip(child).inspect(|&(key, node)| tree.transpositions.put(key, node));
                        child
                    });
                    edge.publish(child);
                    child.ok_or(TreeFull)?
                }
                None => return Ok(()),
            };
        }
    }

    /// Plays from the end of the path; Black's area less White's.
    fn play_out(&mut self) -> i32 {
        let root = self.shared.root;
        let over = match self.moves[..] {
            [.., None, None] => true,
            [None] => root.game.pass_ends(root.color),
            _ => false,
        };
        if !over {
            let score = self.runner.run_after(&self.moves, self.random, &mut self.record).score;
            let ahead = score as f32 - self.shared.komi;
            let black = if ahead > 0.0 { 1.0 } else { 0.5 * (ahead == 0.0) as u32 as f32 };
            self.runner.learn(black);
            return score;
        }
        // Two passes: what the players agree about, or else the stones as they stand.
        self.variation.follow(root, &self.moves);
        let board = self.variation.situation().board;
        let agreed = root.agreed.as_ref().filter(|_| self.moves.len() == 1);
        let score = match agreed {
            Some(agreed) => area_for(agreed.lead, self.shared.komi),
            None => score::area(board, &Marks::default()).difference(),
        };
        self.record.moves.clear();
        let mut color = root.color;
        for &mv in &self.moves {
            self.record.moves.extend(mv.map(|p| (color, p)));
            color = !color;
        }
        match agreed {
            Some(agreed) => self.record.count(board.size(), score, |p| agreed.owners[p]),
            None => self.record.count(board.size(), score, |p| playout::owner(board, p)),
        }
        score
    }

    /// Takes the result up to the root.
    fn climb(&mut self, score: i32) {
        let Shared { tree, settings, root, komi, .. } = *self.shared;
        let worth = settings.worth(score as f32 - komi, root.game.board().size());
        let parts = |color| match color {
            Color::Black => (worth * WON as f32).round() as u64,
            Color::White => WON - (worth * WON as f32).round() as u64,
        };
        tree.tally.win(parts(!root.color));
        let scored = scored_visits(root.game.board().size());
        let mut color = if self.path.len().is_multiple_of(2) { !root.color } else { root.color };
        let amaf = settings.amaf > 0.0;
        let who_was_first = amaf || self.urgency.is_some();
        let stones = self.moves.iter().flatten().count();
        let after = self.record.moves.len() - stones.min(self.record.moves.len());
        let counted = stones + (after as f32 * settings.amaf_share) as usize;
        // Later moves first, so that the first to play at a point has the last word.
        let mut made = counted.min(self.record.moves.len());
        let mut left = stones;
        for (&(node, edge), mv) in self.path.iter().zip(&self.moves).rev() {
            edge.tally.win(parts(color));
            if edge.tally.visits() <= scored {
                edge.score.fetch_add(score, std::sync::atomic::Ordering::Relaxed);
            }
            left -= mv.is_some() as usize;
            if who_was_first {
                for &(player, p) in self.record.moves[left..made].iter().rev() {
                    self.first[p] = player as u8;
                }
                made = made.min(left);
            }
            if amaf {
                for edge in tree.edges(node) {
                    if edge.mv().is_some_and(|p| self.first[p] == color as u8) {
                        edge.amaf.add(parts(color));
                    }
                }
            }
            color = !color;
        }
        // Each point once, with who was first there; nothing is left for the next playout.
        let firsts = self.record.moves.iter().filter_map(|&(player, p)| {
            let first = std::mem::take(&mut self.first[p]);
            (first == player as u8).then_some((player, p))
        });
        match &mut self.urgency {
            Some(urgency) => urgency.add(firsts, worth),
            None => firsts.for_each(drop),
        }
    }
}

/// The area that leaves Black ahead by so many points after komi, or behind. Under territory rules the
/// komi of a search is half a point off, so a lead stays one, and a draw goes to one of the players.
fn area_for(lead: f32, komi: f32) -> i32 {
    let area = lead + komi;
    let whole = area.round();
    // A komi such as 6.3 leaves sums that are not quite whole.
    let rounded = match lead {
        _ if (area - whole).abs() < 1e-3 => whole,
        ahead if ahead > 0.0 => area.ceil(),
        _ => area.floor(),
    };
    rounded as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_stays_a_lead() {
        for (lead, komi, area) in [
            (3.0, 7.0, 10),
            (-8.5, -8.5, -17),
            (0.0, 7.0, 7),
            (0.5, 4.0, 5),
            (-0.5, 4.0, 3),
            (5.7, 6.3, 12),
            (-5.3, -6.7, -12),
        ] {
            assert_eq!(area_for(lead, komi), area, "{lead} {komi}");
        }
    }
}
