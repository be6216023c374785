//! What can be said of a move in a problem, as numbers: lines and distances, the chains around, what
//! the move does to them and what the opponent's move at the same point would do, eyes and room,
//! ladders, and what models of shape think of it.
//!
//! Every fact is the same under the eight symmetries and when the colours change places. Most come
//! twice, for the player's stone and for the opponent's at the same point: the enemy's vital point
//! is mine.

use goban::{Board, Cell, Chain, Color, Point, PointSet, ladder::Ladders};
use policy::{Model, Situation};

use crate::scene::{Paths, Regions, Scene, caught};

/// Takes facts down in their order.
trait Sheet {
    fn note(&mut self, name: &'static str, value: f32);
}

/// The numbers.
impl Sheet for Vec<f32> {
    fn note(&mut self, _: &'static str, value: f32) {
        self.push(value);
    }
}

/// The names.
impl Sheet for Vec<&'static str> {
    fn note(&mut self, name: &'static str, _: f32) {
        self.push(name);
    }
}

/// The facts of all moves that come into question, move by move.
pub struct Facts {
    /// The moves.
    pub moves: Vec<Point>,
    /// Numbers of a move.
    pub width: usize,
    /// The numbers.
    pub numbers: Vec<f32>,
}

impl Facts {
    /// The facts of a move by its place.
    pub fn of(&self, place: usize) -> &[f32] {
        &self.numbers[place * self.width..(place + 1) * self.width]
    }
}

/// The names of the facts, in their order.
pub fn names() -> Vec<&'static str> {
    let mut board = Board::new(goban::Size::NINE);
    let [e5, e4] = ["E5", "E4"].map(|name| Point::parse(name).expect("a point"));
    let played = board.play(e5, Color::Black).and_then(|()| board.play(e4, Color::White));
    debug_assert!(played.is_ok());
    let scene = Scene::new(&board, Color::Black);
    let mut names = Vec::new();
    note_all(&scene, scene.moves[0], &mut Ladders::new(), &mut names);
    names.extend(["as in games", "below the best as in games", "rank as in games"]);
    names.extend(["enemy as in games", "enemy below the best", "rank for the enemy"]);
    names
}

/// What a model thinks of some moves of a colour: each logarithm of a value, how far it is below the
/// best, and how many are better.
fn opinions(scene: &Scene<'_>, color: Color, model: &Model) -> Vec<[f32; 3]> {
    let situation = Situation::new(scene.board, color);
    let value = |&p: &Point| model.value(&situation, p).max(1e-30).ln();
    let values: Vec<f32> = scene.moves.iter().map(value).collect();
    let best = values.iter().copied().fold(f32::MIN, f32::max);
    let rank = |value: f32| values.iter().filter(|&&other| other > value).count() as f32;
    values.iter().map(|&value| [value, best - value, rank(value)]).collect()
}

/// The facts of a position, with what the model of moves in games thinks of them.
pub fn facts(scene: &Scene<'_>, game: &Model) -> Facts {
    let mut numbers: Vec<f32> = Vec::new();
    let mut ladders = Ladders::new();
    let own = opinions(scene, scene.to_play, game);
    let enemy = opinions(scene, !scene.to_play, game);
    let mut width = 0;
    for (place, &p) in scene.moves.iter().enumerate() {
        let start = numbers.len();
        note_all(scene, p, &mut ladders, &mut numbers);
        numbers.extend(own[place]);
        numbers.extend(enemy[place]);
        width = numbers.len() - start;
    }
    Facts { moves: scene.moves.clone(), width, numbers }
}

fn note_all(scene: &Scene<'_>, p: Point, ladders: &mut Ladders, sheet: &mut impl Sheet) {
    note_place(scene, p, sheet);
    note_stones(scene, p, sheet);
    note_regions(scene, p, sheet);
    note_targets(scene, p, sheet);
    let own = scene.to_play;
    note_chains(scene.board, p, own, OWN_CHAINS, sheet);
    note_chains(scene.board, p, !own, ENEMY_CHAINS, sheet);
    note_after(scene, p, own, ladders, OWN_MOVE, sheet);
    note_after(scene, p, !own, ladders, ENEMY_MOVE, sheet);
    note_symmetry(scene, p, sheet);
}

/// Lines and distances.
fn note_place(scene: &Scene<'_>, p: Point, sheet: &mut impl Sheet) {
    let side = scene.board.size().side();
    let line = |v: u8| (v.min(side - 1 - v) + 1) as f32;
    let (x, y) = (line(p.x()), line(p.y()));
    sheet.note("line", x.min(y));
    sheet.note("other line", x.max(y).min(10.0));
    sheet.note("steps from own", scene.paths.steps(scene.to_play, p) as f32);
    sheet.note("steps from enemy", scene.paths.steps(!scene.to_play, p) as f32);
}

/// Stones around, ring by ring.
fn note_stones(scene: &Scene<'_>, p: Point, sheet: &mut impl Sheet) {
    const BESIDE: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    const CORNERS: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    const JUMPS: [(i8, i8); 4] = [(2, 0), (-2, 0), (0, 2), (0, -2)];
    const KNIGHTS: [(i8, i8); 8] =
        [(1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (-2, 1), (2, -1), (-2, -1)];
    let size = scene.board.size();
    let count = |offsets: &[(i8, i8)]| {
        let mut counts = [0.0f32; 3];
        for &(dx, dy) in offsets {
            let cell = p.offset(dx, dy, size).map(|q| scene.board.cell(q));
            match cell.and_then(Cell::color) {
                Some(color) if color == scene.to_play => counts[0] += 1.0,
                Some(_) => counts[1] += 1.0,
                None if cell.is_some() => counts[2] += 1.0,
                None => {}
            }
        }
        counts
    };
    let [own, enemy, empty] = count(&BESIDE);
    sheet.note("own beside", own);
    sheet.note("enemy beside", enemy);
    sheet.note("empty beside", empty);
    let [own, enemy, empty] = count(&CORNERS);
    sheet.note("own at corners", own);
    sheet.note("enemy at corners", enemy);
    sheet.note("empty at corners", empty);
    let [own, enemy, empty] = count(&JUMPS);
    sheet.note("own two away", own);
    sheet.note("enemy two away", enemy);
    sheet.note("empty two away", empty);
    let [own, enemy, empty] = count(&KNIGHTS);
    sheet.note("own a knight's move away", own);
    sheet.note("enemy a knight's move away", enemy);
    sheet.note("empty a knight's move away", empty);
    let [mut own, mut enemy] = [0.0, 0.0];
    // In whole numbers, so that the order in which stones are met does not matter.
    let [mut pull, mut push] = [0, 0];
    for &(q, color) in &scene.stones {
        let (dx, dy) = (p.x().abs_diff(q.x()), p.y().abs_diff(q.y()));
        let near = dx.max(dy) <= 4;
        let weight = 5040 / (dx as u32 * dx as u32 + dy as u32 * dy as u32);
        if color == scene.to_play {
            own += near as u8 as f32;
            pull += weight;
        } else {
            enemy += near as u8 as f32;
            push += weight;
        }
    }
    sheet.note("own within four", own);
    sheet.note("enemy within four", enemy);
    sheet.note("weight of own stones", pull as f32);
    sheet.note("weight of enemy stones", push as f32);
    // What lies between the point and the edge: hane and placements on the second line.
    let towards_edge = |p: Point| -> Option<Cell> {
        let side = size.side();
        let (x, y) = (p.x(), p.y());
        let steps = [(x, (-1, 0)), (side - 1 - x, (1, 0)), (y, (0, -1)), (side - 1 - y, (0, 1))];
        let (_, (dx, dy)) = steps.into_iter().min_by_key(|&(steps, _)| steps)?;
        // Below and above are told apart by the nearest edge; in a corner either will do only if
        // both agree.
        let least = steps.iter().map(|&(steps, _)| steps).min()?;
        if steps.iter().filter(|&&(steps, _)| steps == least).count() > 1 {
            return None;
        }
        p.offset(-dx, -dy, size).map(|q| scene.board.cell(q))
    };
    let above = match towards_edge(p) {
        None => 0.0,
        Some(Cell::Empty) => 1.0,
        Some(cell) if cell == Cell::from(scene.to_play) => 2.0,
        Some(_) => 3.0,
    };
    sheet.note("above", above);
}

/// The regions that the point is in.
fn note_regions(scene: &Scene<'_>, p: Point, sheet: &mut impl Sheet) {
    let mut note = |names: [&'static str; 4], color: Color| {
        let region = scene.regions[color.index()].at(p);
        let inside =
            scene.board.neighbours(p).filter(|&q| scene.board.cell(q) != Cell::from(color)).count();
        sheet.note(names[0], region.map_or(40.0, |region| region.points as f32));
        sheet.note(names[1], region.map_or(40.0, |region| region.empties as f32));
        sheet.note(names[2], inside as f32);
        sheet.note(names[3], region.map_or(9.0, |region| (region.degree - inside) as f32));
    };
    let own = scene.to_play;
    note(["own region", "own region's empties", "ways in own region", "below its best"], own);
    note(["enemy region", "enemy region's empties", "ways in it", "below its best place"], !own);
}

/// Where the point lies from the groups that are hemmed in.
fn note_targets(scene: &Scene<'_>, p: Point, sheet: &mut impl Sheet) {
    let ease = |color: Color| {
        scene.targets[color.index()].as_ref().map_or(20.0, |group| group.ease().min(20.0))
    };
    let own = scene.to_play;
    sheet.note("own ease", ease(own));
    sheet.note("enemy ease", ease(!own));
    sheet.note("defends", (ease(own) < ease(!own)) as u8 as f32);
    let mut note = |names: [&'static str; 6], color: Color| {
        let Some(group) = &scene.targets[color.index()] else {
            names.iter().for_each(|name| sheet.note(name, -1.0));
            return;
        };
        let far = |q: Point| p.x().abs_diff(q.x()) + p.y().abs_diff(q.y());
        let nearest = group.stones.iter().map(far).min().unwrap_or(40);
        sheet.note(names[0], nearest as f32);
        sheet.note(names[1], group.liberties.contains(p) as u8 as f32);
        sheet.note(names[2], group.liberties.len() as f32);
        sheet.note(names[3], group.room as f32);
        sheet.note(names[4], group.stones.len() as f32);
        let n = group.liberties.len().max(1) as f32;
        let mean =
            |v: fn(Point) -> u8| group.liberties.iter().map(|q| v(q) as f32).sum::<f32>() / n;
        let (x, y) = (mean(Point::x), mean(Point::y));
        let (dx, dy) = ((p.x() as f32 - x).abs(), (p.y() as f32 - y).abs());
        sheet.note(names[5], (dx * dx + dy * dy).sqrt());
    };
    note(
        [
            "from own target",
            "its liberty",
            "own target's liberties",
            "own target's room",
            "own target's stones",
            "from the middle of own target",
        ],
        own,
    );
    note(
        [
            "from enemy target",
            "its enemy liberty",
            "enemy target's liberties",
            "enemy target's room",
            "enemy target's stones",
            "from the middle of enemy target",
        ],
        !own,
    );
    sheet.note("in the arena", scene.arena.contains(p) as u8 as f32);
    sheet.note("own room", scene.room[own.index()] as f32);
    sheet.note("enemy room", scene.room[(!own).index()] as f32);
}

const OWN_CHAINS: [&str; 6] = [
    "own chains",
    "stones of own chains",
    "fewest own liberties",
    "stones of the weakest own chain",
    "most own liberties",
    "own common liberties",
];
const ENEMY_CHAINS: [&str; 6] = [
    "enemy chains",
    "stones of enemy chains",
    "fewest enemy liberties",
    "stones of the weakest enemy chain",
    "most enemy liberties",
    "enemy common liberties",
];

fn chains_beside(board: &Board, p: Point, color: Color) -> Vec<Chain> {
    let mut chains = Vec::with_capacity(4);
    for q in board.neighbours(p).filter(|&q| board.cell(q) == Cell::from(color)) {
        if let Some(chain) = board.chain(q)
            && !chains.contains(&chain)
        {
            chains.push(chain);
        }
    }
    chains
}

/// The chains of a colour beside the point.
fn note_chains(
    board: &Board,
    p: Point,
    color: Color,
    names: [&'static str; 6],
    sheet: &mut impl Sheet,
) {
    let chains = chains_beside(board, p, color);
    let weakest =
        chains.iter().min_by_key(|&&c| (board.liberty_count(c), usize::MAX - board.length(c)));
    let stones: usize = chains.iter().map(|&chain| board.length(chain)).sum();
    let most = chains.iter().map(|&chain| board.liberty_count(chain)).max().unwrap_or(0);
    // Liberties that two of the chains share are where they can be cut or joined.
    let mut seen = PointSet::EMPTY;
    let mut common = 0;
    for &chain in &chains {
        common += board.liberties(chain).filter(|&q| !seen.insert(q)).count();
    }
    sheet.note(names[0], chains.len() as f32);
    sheet.note(names[1], stones as f32);
    sheet.note(names[2], weakest.map_or(20.0, |&chain| board.liberty_count(chain) as f32));
    sheet.note(names[3], weakest.map_or(0.0, |&chain| board.length(chain) as f32));
    sheet.note(names[4], most as f32);
    sheet.note(names[5], common as f32);
}

const OWN_MOVE: [&str; 19] = [
    "takes",
    "length",
    "liberties",
    "puts in atari",
    "leaves with two liberties",
    "is caught in a ladder",
    "own stones caught",
    "enemy stones caught",
    "own room gained",
    "enemy room lost",
    "own eyes",
    "own regions",
    "enemy regions",
    "liberties gained",
    "thrown in",
    "snaps back",
    "fills own eye",
    "own region after",
    "joins",
];
const ENEMY_MOVE: [&str; 19] = [
    "enemy takes",
    "enemy length",
    "enemy liberties",
    "enemy puts in atari",
    "enemy leaves with two liberties",
    "enemy is caught in a ladder",
    "enemy stones caught after enemy",
    "own stones caught after enemy",
    "enemy room gained",
    "own room lost",
    "enemy eyes",
    "enemy regions after enemy",
    "own regions after enemy",
    "enemy liberties gained",
    "enemy thrown in",
    "enemy snaps back",
    "fills enemy eye",
    "enemy region after",
    "enemy joins",
];

/// What a move of a colour at the point leads to.
fn note_after(
    scene: &Scene<'_>,
    p: Point,
    color: Color,
    ladders: &mut Ladders,
    names: [&'static str; 19],
    sheet: &mut impl Sheet,
) {
    let before = scene.board;
    if !before.is_legal(p, color) {
        names.iter().for_each(|name| sheet.note(name, -2.0));
        return;
    }
    let mut after = before.clone();
    let taken = before.captures(p, color).len();
    let friends = chains_beside(before, p, color);
    after.play_assume_legal(p, color, &mut ());
    let (length, liberties) = match after.chain(p) {
        Some(chain) => (after.length(chain), after.liberty_count(chain)),
        None => (0, 0),
    };
    let with = |liberties: usize| -> usize {
        let beside = chains_beside(&after, p, !color);
        let weak = beside.iter().filter(|&&chain| after.liberty_count(chain) == liberties);
        weak.map(|&chain| after.length(chain)).sum()
    };
    let chased = liberties <= 2 && ladders.can_catch(&after, p);
    sheet.note(names[0], taken as f32);
    sheet.note(names[1], length as f32);
    sheet.note(names[2], (liberties as f32).min(12.0));
    sheet.note(names[3], with(1) as f32);
    sheet.note(names[4], with(2) as f32);
    sheet.note(names[5], if chased { length as f32 } else { 0.0 });
    let difference = |after: usize, before: usize| after as f32 - before as f32;
    let mine = caught(&after, color, ladders);
    let theirs = caught(&after, !color, ladders);
    sheet.note(names[6], difference(mine, scene.caught[color.index()]));
    sheet.note(names[7], difference(theirs + taken, scene.caught[(!color).index()]));
    let paths = Paths::new(&after);
    let room = |of: Color| difference(paths.room(&after, &scene.arena, of), scene.room[of.index()]);
    sheet.note(names[8], room(color));
    sheet.note(names[9], -room(!color));
    let size = before.size();
    let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
    let eyes = around
        .filter_map(|(dx, dy)| p.offset(dx, dy, size))
        .filter(|&q| after.cell(q) == Cell::Empty && after.is_eye(q, color))
        .count();
    sheet.note(names[10], eyes as f32);
    let own = Regions::new(&after, color);
    let others = Regions::new(&after, !color);
    let count = |regions: &Regions| regions.regions.iter().filter(|r| r.points <= 12).count();
    sheet.note(names[11], difference(count(&own), count(&scene.regions[color.index()])));
    sheet.note(names[12], difference(count(&others), count(&scene.regions[(!color).index()])));
    let most = friends.iter().map(|&chain| before.liberty_count(chain)).max().unwrap_or(0);
    sheet.note(names[13], if friends.is_empty() { 0.0 } else { difference(liberties, most) });
    let (mut thrown, mut back) = (0, 0);
    if liberties == 1
        && let Some(last) = after.chain(p).and_then(|chain| after.liberties(chain).next())
    {
        thrown = length;
        if after.is_legal(last, !color) {
            let mut later = after.clone();
            later.play_assume_legal(last, !color, &mut ());
            if let Some(chain) = later.chain(last)
                && later.liberty_count(chain) == 1
                && later.liberties(chain).next().is_some_and(|q| later.is_legal(q, color))
            {
                back = later.length(chain);
            }
        }
    }
    sheet.note(names[14], thrown as f32);
    sheet.note(names[15], back as f32);
    sheet.note(names[16], before.is_eye(p, color) as u8 as f32);
    let smallest = before.neighbours(p).filter_map(|q| own.at(q)).map(|r| r.points).min();
    sheet.note(names[17], smallest.unwrap_or(40) as f32);
    sheet.note(names[18], friends.len() as f32);
}

/// How far the stones are from being symmetric about a line through the point: in a symmetric
/// position the middle is often vital.
fn note_symmetry(scene: &Scene<'_>, p: Point, sheet: &mut impl Sheet) {
    let size = scene.board.size();
    let near = |q: &Point| p.x().abs_diff(q.x()).max(p.y().abs_diff(q.y())) <= 5;
    let odd = |mirror: &dyn Fn(i8, i8) -> (i8, i8)| {
        let stones = scene.stones.iter().filter(|(q, _)| near(q));
        let (mut odd, mut all) = (0, 0);
        for &(q, color) in stones {
            let (dx, dy) = (q.x() as i8 - p.x() as i8, q.y() as i8 - p.y() as i8);
            let (dx, dy) = mirror(dx, dy);
            let image = p.offset(dx, dy, size).map(|q| scene.board.cell(q));
            odd += (image != Some(Cell::from(color))) as usize;
            all += 1;
        }
        odd as f32 / all.max(1) as f32
    };
    let columns = odd(&|dx, dy| (-dx, dy));
    let rows = odd(&|dx, dy| (dx, -dy));
    sheet.note("oddness", columns.min(rows));
    let diagonal = odd(&|dx, dy| (dy, dx)).min(odd(&|dx, dy| (-dy, -dx)));
    sheet.note("oddness about the diagonal", diagonal);
}
