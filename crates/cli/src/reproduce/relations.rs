//! Source B: what uniform playouts tell about pairs of points, on positions of the published kinds.
//! The published boards are lost, so numbers are set beside each other and facts are compared.

use anyhow::{Context, Result, anyhow};
use goban::{Board, Color, Diagram, Point};
use playout::statistics::{Counts, Findings, JointPair, Task, Wanted, gather_quietly};

/// Positions of each kind with what is known about them; a test of the statistics asks for the facts.
const POSITIONS: &str = include_str!("../../../playout/tests/relations.txt");

/// A position: its kind and title, who plays, and points by what they are.
struct Known {
    title: String,
    to_move: Color,
    komi: f32,
    diagram: Diagram,
    words: Vec<(String, Vec<String>)>,
}

/// Pairs of which one point is enough: their least and largest joint criticality, and the largest of
/// all other pairs.
pub struct Joint {
    pub title: String,
    pub pairs: [f64; 2],
    pub next: f64,
    /// Whether these pairs, and no others, are told to be miai.
    pub told: bool,
}

/// A race: ranks by order of liberties.
pub struct Race {
    pub title: String,
    pub outside: [f64; 2],
    /// Nothing where there is no inside liberty.
    pub inside: Option<[f64; 2]>,
    pub own: [f64; 2],
    /// The largest OC of a black outside move before a black inside move.
    pub order: Option<f64>,
}

/// A nakade: the rank of the vital point before White's inside move, and after it.
pub struct Vital {
    pub title: String,
    pub before: f64,
    pub after: f64,
}

/// What was found.
#[derive(Default)]
pub struct Relations {
    pub miai: Vec<Joint>,
    pub joints: Vec<Joint>,
    pub races: Vec<Race>,
    pub nakade: Vec<Vital>,
}

impl Relations {
    /// Looks at all positions.
    ///
    /// # Errors
    /// If the file of positions is damaged.
    pub fn find(threads: usize) -> Result<Relations> {
        let mut found = Relations::default();
        let blocks = POSITIONS.split("\n\n").filter(|block| !block.starts_with('#'));
        for block in blocks {
            let known = Known::read(block)
                .with_context(|| format!("position '{}'", block.lines().next().unwrap_or("")))?;
            match known.title.split(' ').next() {
                Some("miai") => found.miai.push(known.joint(threads)?),
                Some("joints") => found.joints.push(known.joint(threads)?),
                Some("semeai") => found.races.push(known.race(threads)?),
                Some("nakade") => found.nakade.extend(known.vital(threads)?),
                _ => return Err(anyhow!("'{}' is of no known kind", known.title)),
            }
        }
        Ok(found)
    }
}

impl Known {
    fn read(block: &str) -> Result<Known> {
        let mut lines = block.trim().lines();
        let title = lines.next().context("no title")?.to_owned();
        let about = lines.next().and_then(|line| line.split_once(" to play, komi "));
        let (player, komi) = about.context("who plays, and the komi, are not said")?;
        let is_words = |line: &&str| line.split(' ').next().is_some_and(|word| word.len() > 1);
        let (words, rows): (Vec<&str>, Vec<&str>) = lines.partition(is_words);
        let words = words.iter().map(|line| {
            let mut words = line.split(' ').map(str::to_owned);
            (words.next().unwrap_or_default(), words.collect())
        });
        Ok(Known {
            title,
            to_move: Color::parse(player).context("no player")?,
            komi: komi.parse().context("no komi")?,
            diagram: Diagram::parse(&rows.join("\n")).map_err(|why| anyhow!("{why}"))?,
            words: words.collect(),
        })
    }

    /// The points that a word names.
    fn points(&self, word: &str) -> Result<Vec<Point>> {
        let lines = self.words.iter().filter(|(name, _)| name == word);
        let letters = lines.flat_map(|(_, names)| names.iter().flat_map(|name| name.chars()));
        letters.map(|c| self.diagram.label(c).with_context(|| format!("no {c}"))).collect()
    }

    fn count(&self, board: &Board, to_move: Color, threads: usize) -> Counts {
        gather_quietly(&Task {
            board,
            to_move,
            last: None,
            komi: self.komi,
            model: None,
            playouts: Task::PLAYOUTS,
            seed: 1,
            threads,
            wanted: Wanted::ALL,
        })
    }

    fn joint(&self, threads: usize) -> Result<Joint> {
        let counts = self.count(&self.diagram.board, self.to_move, threads);
        let findings = Findings::new(&counts, &self.diagram.board);
        let (_, names) = self.words.first().context("no pairs")?;
        let player = names.first().and_then(|name| Color::parse(name)).context("no player")?;
        let size = counts.size();
        let sorted = |mut ends: [Point; 2]| {
            ends.sort_by_key(|&p| size.reading_index(p));
            ends
        };
        let mut wanted = Vec::new();
        for pair in &names[1..] {
            let ends: Vec<Point> = pair.chars().filter_map(|c| self.diagram.label(c)).collect();
            let ends: [Point; 2] = ends.try_into().map_err(|_| anyhow!("'{pair}' is no pair"))?;
            wanted.push(sorted(ends));
        }
        let pairs = findings.pairs(player, &findings.empties().collect::<Vec<_>>());
        let (ours, others): (Vec<&JointPair>, Vec<&JointPair>) =
            pairs.iter().partition(|pair| wanted.contains(&sorted(pair.points)));
        let told: Vec<[Point; 2]> =
            findings.miai(player).iter().map(|pair| sorted(pair.points)).collect();
        Ok(Joint {
            title: self.title.clone(),
            pairs: range(ours.iter().map(|pair| pair.value.value)),
            next: range(others.iter().map(|pair| pair.value.value))[1],
            told: told.len() == wanted.len() && told.iter().all(|pair| wanted.contains(pair)),
        })
    }

    fn race(&self, threads: usize) -> Result<Race> {
        let counts = self.count(&self.diagram.board, self.to_move, threads);
        let [outside, inside, own] = ["outside", "inside", "own"].map(|word| self.points(word));
        let (outside, inside) = (outside?, inside?);
        let rank = |p: &Point| counts.order_rank((Color::Black, *p))[0];
        let ranks = |points: &[Point]| range(points.iter().map(rank));
        let orders = outside.iter().flat_map(|&first| {
            let of = |&then: &Point| counts.order((Color::Black, first), (Color::Black, then));
            inside.iter().map(of).map(|order| order.table.association().value).collect::<Vec<_>>()
        });
        Ok(Race {
            title: self.title.clone(),
            outside: ranks(&outside),
            inside: (!inside.is_empty()).then(|| ranks(&inside)),
            own: ranks(&own?),
            order: orders.max_by(f64::total_cmp),
        })
    }

    fn vital(&self, threads: usize) -> Result<Vec<Vital>> {
        let before = self.count(&self.diagram.board, self.to_move, threads);
        let points = self.points("vital")?;
        let mut all = Vec::new();
        for pair in points.chunks_exact(2) {
            let mut board = self.diagram.board.clone();
            board.play(pair[0], Color::White).map_err(|why| anyhow!("{why:?}"))?;
            let after = self.count(&board, Color::Black, threads);
            let [before, after] =
                [&before, &after].map(|counts| counts.order_rank((Color::Black, pair[1]))[0]);
            all.push(Vital { title: self.title.clone(), before, after });
        }
        Ok(all)
    }
}

/// The least and the largest.
fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
}
