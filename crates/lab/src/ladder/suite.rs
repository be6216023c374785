//! Suites of test positions: fights whose end is known, that is whether a group lives, whoever plays
//! first. A search is measured by how often and how soon it judges them rightly.
//!
//! ```text
//! nakade: three in a row in the corner
//! komi 17.5, black D9
//! black first: lives
//! white first: dies
//! * * * X O O O O .
//! X X X X O O O O O
//! …
//! ```
//!
//! The komi is such that the fight decides the game: the player whose group lives wins. A race also
//! names the rival (`black A6, races A4`). Points that are open are `*`, eyes that are settled `.`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use goban::{Cell, Color, Diagram, Game, Point, PointSet, Rules, Size};
use search::{Expander, Models, Search, SearchLimits, Settings, Stop, Task};
use serde::{Deserialize, Serialize};

use super::bootstrap;
use crate::seed::mixed;

/// A test position of a suite.
#[derive(Clone)]
pub struct TestPosition {
    /// What it is about; up to the colon its kind.
    pub title: String,
    /// The stones, with komi and rules. Whose turn it is is open.
    pub diagram: Diagram,
    /// Points that White gets.
    pub komi: f32,
    /// Whose group it is about.
    pub owner: Color,
    /// A stone of the group.
    pub group: Point,
    /// A stone of the rival in a race.
    pub rival: Option<Point>,
    /// Eyes where nobody needs to play.
    pub settled: PointSet,
    /// Whether the group lives if Black, and if White, plays first; nothing if it is not said.
    pub lives: [Option<bool>; 2],
}

/// What is wrong with a suite.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// It cannot be read.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A position is not what it should be.
    #[error("{}, line {line}, '{title}': {why}", .path.display())]
    Position {
        /// The file.
        path: PathBuf,
        /// Where it begins, from 1.
        line: usize,
        /// Which one.
        title: String,
        /// What is wrong.
        why: String,
    },
}

/// Reads a suite.
///
/// # Errors
/// If the file cannot be read or says what makes no sense.
pub fn read_suite(path: &Path) -> Result<Vec<TestPosition>, SuiteError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| SuiteError::Io { path: path.to_owned(), error })?;
    let blocks = text.split("\n\n");
    let mut before = 0;
    let mut positions = Vec::new();
    for block in blocks {
        let blank = block.len() - block.trim_start().len();
        let line = 1 + text[..before + blank].matches('\n').count();
        before += block.len() + "\n\n".len();
        let block = block.trim();
        if block.is_empty() || block.starts_with('#') {
            continue;
        }
        positions.push(TestPosition::parse(block).map_err(|why| {
            let title = block.lines().next().unwrap_or_default().to_owned();
            SuiteError::Position { path: path.to_owned(), line, title, why }
        })?);
    }
    Ok(positions)
}

impl TestPosition {
    /// Reads one position.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn parse(block: &str) -> Result<TestPosition, String> {
        let mut lines = block.lines().map(str::trim);
        let title = lines.next().unwrap_or_default().to_owned();
        let about = lines.next().unwrap_or_default();
        let wanted = || {
            format!(
                "the line after a title is such as 'komi 6.5, black C3' (the group), and not '{about}'; \
                 crates/lab/tests/fights.txt has examples"
            )
        };
        let mut parts = about.split(", ");
        let komi = parts.next().and_then(|part| part.strip_prefix("komi ")?.parse().ok());
        let komi = komi.ok_or_else(wanted)?;
        let (color, group) =
            parts.next().and_then(|part| part.split_once(' ')).ok_or_else(wanted)?;
        let owner = Color::parse(color).ok_or_else(wanted)?;
        let group = Point::parse(group).ok_or_else(wanted)?;
        let rival = match parts.next() {
            None => None,
            Some(part) => {
                let point = part.strip_prefix("races ").and_then(Point::parse);
                Some(point.ok_or_else(wanted)?)
            }
        };
        let mut lives = [None; 2];
        let mut rows = Vec::new();
        for line in lines {
            let Some((player, fate)) = line.split_once(" first: ") else {
                rows.push(line);
                continue;
            };
            let player = Color::parse(player).ok_or_else(|| format!("'{player}' is no colour"))?;
            lives[player.index()] = match fate {
                "lives" => Some(true),
                "dies" => Some(false),
                _ => return Err(format!("a group lives or dies, and not '{fate}'")),
            };
        }
        let diagram = Diagram::parse(&rows.join("\n")).map_err(|error| error.to_string())?;
        let is = |p: Point, color: Color| {
            diagram.board.size().contains(p) && diagram.board.cell(p) == Cell::from(color)
        };
        if !is(group, owner) || rival.is_some_and(|rival| !is(rival, !owner)) {
            return Err("the groups are not where they are said to be".to_owned());
        }
        let mut settled = PointSet::EMPTY;
        for (y, row) in rows.iter().rev().enumerate() {
            let dots = row.split_whitespace().enumerate().filter(|(_, cell)| *cell == ".");
            settled.extend(dots.map(|(x, _)| Point::new(x as u8, y as u8)));
        }
        Ok(TestPosition { title, diagram, komi, owner, group, rival, settled, lives })
    }

    /// The kind of position that it is.
    pub fn kind(&self) -> &str {
        self.title.split(':').next().unwrap_or_default()
    }

    /// The games that it gives, one for each player who may be first, and who wins them.
    pub fn games(&self) -> impl Iterator<Item = (Game, Color)> + '_ {
        Color::BOTH.into_iter().filter_map(|first| {
            let winner = if self.lives[first.index()]? { self.owner } else { !self.owner };
            let board = self.diagram.board.clone();
            Some((Game::from_position(board, first, Rules::CGOS, self.komi), winner))
        })
    }
}

/// How the positions of a suite are searched.
#[derive(Clone, Debug)]
pub struct SuiteTask {
    /// Playouts at most.
    pub playouts: u64,
    /// Searches of each, with another seed each.
    pub searches: usize,
    /// Seed of the searches.
    pub seed: u64,
}

/// How a search with some settings judged a suite.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct SuiteResult {
    /// The settings that differ from the usual.
    pub name: String,
    /// Positions; each counts for every player who may be first.
    pub positions: usize,
    /// Searches of each.
    pub searches: usize,
    /// Playouts at most.
    pub playouts: u64,
    /// Share judged rightly after all playouts, and its 95 % interval by drawing positions again.
    pub right: f64,
    /// See `right`.
    pub right_interval: [f64; 2],
    /// Playouts from which on the judgement is right and stays so, the geometric mean; twice as many
    /// as were made where it is never right.
    pub needed: f64,
    /// Its 95 % interval.
    pub needed_interval: [f64; 2],
    /// Times as many as with the first settings, and the 95 % interval of that.
    pub times: f64,
    /// See `times`.
    pub times_interval: [f64; 2],
    /// Seconds that all searches took.
    pub seconds: f64,
    /// By kind: positions, share judged rightly, playouts needed.
    pub kinds: Vec<KindResult>,
    /// For each position, the mean logarithm (base 2) of the playouts needed.
    #[serde(skip)]
    logs: Vec<f64>,
    /// Titles of positions that were judged wrongly by half of the searches or more.
    pub wrong: Vec<String>,
}

/// How positions of a kind were judged.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct KindResult {
    /// The kind.
    pub kind: String,
    /// Positions.
    pub positions: usize,
    /// Share judged rightly.
    pub right: f64,
    /// Playouts needed, the geometric mean.
    pub needed: f64,
}

/// After how many playouts a search is asked for its judgement: about three times each doubling.
fn stations(most: u64) -> Vec<u64> {
    let next = |&last: &u64| (last < most).then(|| (last * 5 / 4).max(last + 1).min(most));
    std::iter::successors(Some(1), next).collect()
}

/// Judges all positions of a suite with some settings, and compares with `first`.
/// `watch` hears how many positions are done and ends it by saying false: then there is nothing.
pub fn judge_suite(
    name: &str,
    positions: &[TestPosition],
    task: &SuiteTask,
    models: impl Fn(Size) -> Arc<Models>,
    settings: impl Fn(Size) -> Settings,
    first: Option<&SuiteResult>,
    mut watch: impl FnMut(usize) -> bool,
) -> Option<SuiteResult> {
    let start = std::time::Instant::now();
    let games = positions.iter().flat_map(|p| p.games().map(move |(g, w)| (p, g, w)));
    let (mut rights, mut logs, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    let mut wrong = Vec::new();
    let searches = task.searches.max(1);
    for (number, (position, game, winner)) in games.enumerate() {
        let size = game.board().size();
        let models = models(size);
        let (mut right, mut log) = (0.0, 0.0);
        for repeat in 0..searches {
            let seed = mixed(&[task.seed, number as u64, repeat as u64]);
            let settings = Settings { seed, memory: 32 << 20, ..settings(size) };
            let needed =
                needed(Search::new(models.clone(), settings), &game, winner, task.playouts);
            right += needed.is_some() as u8 as f64 / searches as f64;
            let playouts = needed.unwrap_or(2 * task.playouts) as f64;
            log += playouts.log2() / searches as f64;
        }
        if right <= 0.5 {
            wrong.push(format!("{}, {} first", position.title, game.to_move()));
        }
        rights.push(right);
        logs.push(log);
        kinds.push(position.kind());
        if !watch(number + 1) {
            return None;
        }
    }
    let n = rights.len().max(1) as f64;
    let before = first.map_or_else(|| logs.clone(), |first| first.logs.clone());
    let mean = |of: &[f64], times: &[u32]| {
        of.iter().zip(times).map(|(x, &k)| x * f64::from(k)).sum::<f64>() / n
    };
    let figures = |times: &[u32]| {
        let needed = mean(&logs, times);
        vec![mean(&rights, times), needed.exp2(), (needed - mean(&before, times)).exp2()]
    };
    let [right, needed, times] = figures(&vec![1; rights.len()])[..] else { return None };
    let ends = bootstrap::interval(rights.len(), task.seed, figures);
    let end = |i: usize| ends.get(i).copied().unwrap_or_default();
    let mut names: Vec<&str> = kinds.clone();
    names.dedup();
    let of_kind = |kind: &str| {
        let chosen: Vec<usize> = (0..kinds.len()).filter(|&i| kinds[i] == kind).collect();
        let mean = |of: &[f64]| chosen.iter().map(|&i| of[i]).sum::<f64>() / chosen.len() as f64;
        KindResult {
            kind: kind.to_owned(),
            positions: chosen.len(),
            right: mean(&rights),
            needed: mean(&logs).exp2(),
        }
    };
    Some(SuiteResult {
        name: name.to_owned(),
        positions: rights.len(),
        searches,
        playouts: task.playouts,
        right,
        right_interval: end(0),
        needed,
        needed_interval: end(1),
        times,
        times_interval: end(2),
        seconds: start.elapsed().as_secs_f64(),
        kinds: names.into_iter().map(of_kind).collect(),
        logs,
        wrong,
    })
}

/// The playouts from which on a search judges a game rightly: the win rate of the move it would play
/// is on the side of the winner. Nothing if it is wrong at the end.
fn needed(mut search: Search, game: &Game, winner: Color, most: u64) -> Option<u64> {
    let expander = Expander::default();
    let task =
        Task { game, color: game.to_move(), komi: game.komi(), expander: &expander, agreed: None };
    let mut since = None;
    let mut made = 0;
    for station in stations(most) {
        let limits = SearchLimits { playouts: Some(station - made), ..SearchLimits::default() };
        made = station;
        let report = search.run(&task, &limits, &Stop::new(), &mut |_| ());
        let winrate = report.candidates.first().map_or(report.winrate, |c| c.winrate);
        let right = (winrate > 0.5) == (game.to_move() == winner);
        since = if right { since.or(Some(station)) } else { None };
    }
    since
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stations_end_with_the_last_playout() {
        assert_eq!(stations(1), [1]);
        assert_eq!(stations(8), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(stations(20), [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 20]);
    }

    #[test]
    fn what_is_wrong_with_a_position_is_said() {
        let position = "a: b\nkomi 0.5, black A1\nblack first: lives\n* O\nX O";
        assert!(TestPosition::parse(position).is_ok());
        for (from, to, why) in [
            ("komi 0.5", "komi x", "(the group), and not 'komi x, black A1'"),
            ("black A1", "black B1", "not where they are said"),
            ("black A1", "black A9", "not where they are said"),
            ("lives", "runs", "not 'runs'"),
            ("black first", "grey first", "'grey' is no colour"),
            ("* O", "* ?", "row"),
        ] {
            let error = TestPosition::parse(&position.replace(from, to)).err().unwrap_or_default();
            assert!(error.contains(why), "{to}: {error}");
        }
    }
}
