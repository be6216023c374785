//! Commands that read and write game records.

use std::fs;
use std::path::Path;

use goban::{Board, Cell, Color, Game, Move, PointMap, Rules, result_text};
use gtp::{Arguments, Failure, Talk};
use kifu::{Change, Layout, Record, Tree, point_text};

use super::session::{Commands, Reply, Session};
use crate::{rules, show};

pub const COMMANDS: Commands = &[("loadsgf", load), ("printsgf", print)];

fn cannot_load(why: impl std::fmt::Display) -> Failure {
    Failure::new(format!("cannot load file: {why}"))
}

/// `loadsgf FILE [NUMBER]`: the position before the move of that number, or the last one. A name
/// may have blanks in it.
fn load(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let mut name = arguments.word("the name of a file")?.to_owned();
    let mut number = None;
    while let Some(word) = arguments.next_word() {
        match word.parse::<usize>() {
            Ok(n) if arguments.is_empty() => number = Some(n),
            _ => {
                name.push(' ');
                name.push_str(word);
            }
        }
    }
    let (tree, mut warnings) =
        show::find_game(Path::new(&name), 1).map_err(|error| cannot_load(format!("{error:#}")))?;
    let record = Record::new(&tree, &mut warnings).map_err(cannot_load)?;
    for warning in &warnings {
        tracing::warn!("{warning}");
    }
    let moves = number.map_or(usize::MAX, |n| n.saturating_sub(1));
    let (start, game) = replay(session.game(), &record, moves)?;
    session.resume(start, game);
    Ok(String::new())
}

/// Plays a record up to a number of moves. What it does not say is as in `present`.
fn replay(present: &Game, record: &Record, moves: usize) -> Result<(Game, Game), Failure> {
    let by = record.rules.as_deref().and_then(rules::named).unwrap_or(*present.rules());
    let komi = record.komi.unwrap_or(present.komi());
    let no_liberty = |wrong| cannot_load(rules::misplaced(wrong));
    let begin = |board: Board, to_move: Color| {
        let mut game = Game::from_position(board, to_move, by, komi);
        game.set_handicap(record.handicap);
        game
    };
    let board = Board::with_stones(record.size, record.stones.iter().copied());
    let mut start = begin(board.map_err(no_liberty)?, record.first);
    let mut game = start.clone();
    let mut changes = record.changes.iter().peekable();
    for played in 0..=record.moves.len().min(moves) {
        while let Some(change) = changes.next_if(|change| change.after <= played) {
            let board = changed(game.board(), change).map_err(no_liberty)?;
            // Before a setup it was another game.
            start = begin(board, game.to_move());
            game = start.clone();
        }
        let Some(next) = record.moves.get(played).filter(|_| played < moves) else { break };
        let mv = next.point.map_or(Move::Pass, Move::Play);
        game.play_as(next.color, mv).map_err(|why| {
            cannot_load(format!("move {}, {} {mv}: {why}", played + 1, next.color))
        })?;
    }
    Ok((start, game))
}

fn changed(board: &Board, change: &Change) -> Result<Board, (goban::Point, goban::Illegal)> {
    let size = board.size();
    let mut cells = PointMap::filled(Cell::Empty);
    for p in size.points() {
        cells[p] = board.cell(p);
    }
    for (p, cell) in change.cells() {
        cells[p] = cell;
    }
    Board::with_stones(size, size.points().filter_map(|p| Some((p, cells[p].color()?))))
}

/// `printsgf [FILE]`: the game as a record, as the reply or into a file.
fn print(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let name = arguments.rest();
    let text = record_of(session).to_sgf_in(Layout::default());
    if name.is_empty() || name == "-" {
        return Ok(text);
    }
    fs::write(&name, text)
        .map_err(|error| Failure::new(format!("cannot write {name}: {error}")))?;
    Ok(String::new())
}

fn record_of(session: &Session) -> Tree {
    let (start, game) = (session.start(), session.game());
    let size = session.size();
    let mut tree = Tree::new();
    let root = tree.root();
    let mut set = |name: &str, values: &[String]| {
        // These names are all right.
        let _ = tree.set(root, name, values);
    };
    set("FF", &["4".to_owned()]);
    set("GM", &["1".to_owned()]);
    set("AP", &[format!("Harie:{}", env!("CARGO_PKG_VERSION"))]);
    set("SZ", &[size.side().to_string()]);
    set("KM", &[game.komi().to_string()]);
    set("RU", &[rules_text(game.rules())]);
    if game.handicap() >= 2 {
        set("HA", &[game.handicap().to_string()]);
    }
    for (name, cell) in [("AB", Cell::Black), ("AW", Cell::White)] {
        let stones: Vec<String> = size
            .points()
            .filter(|&p| start.board().cell(p) == cell)
            .map(|p| point_text(p, size))
            .collect();
        if !stones.is_empty() {
            set(name, &stones);
        }
    }
    if start.to_move() == Color::White {
        set("PL", &["W".to_owned()]);
    }
    if game.is_over() {
        let score = game.score(&goban::score::Marks::default());
        // Without knowing which stones are dead this is the score of the stones as they stand.
        set("C", &[format!("As it stands: {}", result_text(score))]);
    }
    let mut node = root;
    for &(color, mv) in game.moves() {
        let point = match mv {
            Move::Play(p) => Some(p),
            Move::Pass => None,
        };
        node = tree.add_move(node, color, point, size);
    }
    tree
}

/// The name of the rules, so that reading it gives the same; in words if they have none.
fn rules_text(rules: &Rules) -> String {
    let named = Rules::NAMES.iter().find(|(_, known)| known == rules);
    named.map_or_else(|| rules.to_string(), |&(name, _)| name.to_owned())
}
