//! Commands that change the game: board, rules, komi, handicap, moves.

use goban::{Board, Cell, Color, Diagram, Game, Illegal, Move, Point, PointMap, Rules, Size};
use gtp::{Arguments, Failure, Talk};
use serde_json::Value;

use super::{Commands, Reply, Session};
use crate::limits::MOST_KOMI;
use crate::rules;

pub const COMMANDS: Commands = &[
    ("boardsize", boardsize),
    ("rectangular_boardsize", rectangular_boardsize),
    ("query_boardsize", query_boardsize),
    ("clear_board", clear_board),
    ("komi", komi),
    ("get_komi", get_komi),
    ("play", play),
    ("gogui-play_sequence", play_sequence),
    ("undo", undo),
    ("gg-undo", undo_many),
    ("gogui-setup", setup),
    ("gogui-setup_player", setup_player),
    ("fixed_handicap", fixed_handicap),
    ("place_free_handicap", place_free_handicap),
    ("set_free_handicap", set_free_handicap),
    ("showboard", showboard),
    ("kata-get-rules", get_rules),
    ("kata-set-rules", set_rules),
    ("kata-set-rule", set_rule),
    ("kgs-rules", kgs_rules),
];

fn done() -> Reply {
    Ok(String::new())
}

fn size_of(side: u64) -> Result<Size, Failure> {
    let size = usize::try_from(side).ok().and_then(Size::new);
    size.ok_or_else(|| {
        let (least, most) = (Size::MIN, Size::MAX);
        Failure::new(format!("unacceptable size: boards go from {least} to {most}"))
    })
}

fn boardsize(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let size = size_of(arguments.integer(0)?)?;
    arguments.end()?;
    session.clear(size);
    done()
}

fn rectangular_boardsize(
    session: &mut Session,
    mut arguments: Arguments<'_>,
    _: &mut Talk<'_>,
) -> Reply {
    let (width, height) = (arguments.integer(0)?, arguments.integer(0)?);
    arguments.end()?;
    if width != height {
        return Err(Failure::new("unacceptable size: only square boards are offered"));
    }
    session.clear(size_of(width)?);
    done()
}

fn query_boardsize(session: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    Ok(session.size().side().to_string())
}

fn clear_board(session: &mut Session, arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    arguments.end()?;
    session.clear(session.size());
    done()
}

fn komi(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let komi = arguments.number()? as f32;
    arguments.end()?;
    if komi.abs() > MOST_KOMI {
        let range = format!("from -{MOST_KOMI} to {MOST_KOMI}");
        return Err(Failure::new(format!("syntax error: komi goes {range}")));
    }
    session.set_komi(komi);
    done()
}

fn get_komi(session: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    Ok(session.game().komi().to_string())
}

fn illegal(color: Color, mv: Move, why: Illegal) -> Failure {
    Failure::new(format!("illegal move: {color} {mv}: {why}"))
}

fn play(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let (color, mv) = (arguments.color()?, arguments.vertex(session.size())?);
    arguments.end()?;
    session.engine.play(color, mv).map_err(|why| illegal(color, mv, why))?;
    done()
}

/// Plays many moves at once; all or none.
fn play_sequence(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let mut game = session.game().clone();
    while !arguments.is_empty() {
        let (color, mv) = (arguments.color()?, arguments.vertex(session.size())?);
        game.play_as(color, mv).map_err(|why| illegal(color, mv, why))?;
    }
    let start = session.start().clone();
    session.resume(start, game);
    done()
}

fn undo(session: &mut Session, arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    arguments.end()?;
    match session.undo() {
        Some(_) => done(),
        None => Err(Failure::new("cannot undo: there are no moves")),
    }
}

fn undo_many(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let wanted: usize = if arguments.is_empty() { 1 } else { arguments.integer(0)? };
    arguments.end()?;
    let moves = session.game().moves();
    let Some(left) = moves.len().checked_sub(wanted) else {
        return Err(Failure::new(format!("cannot undo: there are only {} moves", moves.len())));
    };
    let mut game = session.start().clone();
    for &(color, mv) in &moves[..left] {
        game.play_as(color, mv).map_err(|why| illegal(color, mv, why))?;
    }
    let start = session.start().clone();
    session.resume(start, game);
    done()
}

/// Sets stones up on top of what is on the board: `gogui-setup b A1 w B2`. Moves so far are
/// forgotten.
fn setup(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let size = session.size();
    let mut cells = PointMap::filled(Cell::Empty);
    for p in size.points() {
        cells[p] = session.game().board().cell(p);
    }
    while !arguments.is_empty() {
        let color =
            arguments.read("b, w or e", |word| match word.to_ascii_lowercase().as_str() {
                "e" | "empty" => Some(None),
                _ => Color::parse(word).map(Some),
            })?;
        cells[arguments.point(size)?] = color.map_or(Cell::Empty, Cell::from);
    }
    let stones = size.points().filter_map(|p| Some((p, cells[p].color()?)));
    let board = Board::with_stones(size, stones)
        .map_err(|wrong| Failure::new(format!("illegal position: {}", rules::misplaced(wrong))))?;
    let to_move = session.game().to_move();
    session.begin_at(board, to_move);
    done()
}

fn setup_player(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let color = arguments.color()?;
    arguments.end()?;
    session.begin_at(session.game().board().clone(), color);
    done()
}

/// Handicap stones can be put only on an empty board.
fn need_empty(session: &Session) -> Result<(), Failure> {
    let empty = session.size().points().all(|p| session.game().board().cell(p) == Cell::Empty);
    if empty { Ok(()) } else { Err(Failure::new("board not empty")) }
}

fn begin_handicap(session: &mut Session, stones: &[Point]) -> Reply {
    let (by, komi) = (*session.game().rules(), session.game().komi());
    let game = Game::with_handicap(session.size(), by, komi, stones)
        .map_err(|wrong| Failure::new(format!("bad vertex list: {}", rules::misplaced(wrong))))?;
    session.begin(game);
    let names: Vec<String> = stones.iter().map(Point::to_string).collect();
    Ok(names.join(" "))
}

fn fixed_handicap(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let wanted = arguments.integer(0)?;
    arguments.end()?;
    need_empty(session)?;
    let size = session.size();
    let stones = goban::handicap::fixed(size, wanted).ok_or_else(|| {
        Failure::new(match goban::handicap::most_fixed(size) {
            0 => format!("invalid number of stones: {size} has no fixed places"),
            most => format!("invalid number of stones: {size} has fixed places for 2 to {most}"),
        })
    })?;
    begin_handicap(session, &stones)
}

/// The fixed places first, then where the move model would like to have a stone.
fn place_free_handicap(
    session: &mut Session,
    mut arguments: Arguments<'_>,
    _: &mut Talk<'_>,
) -> Reply {
    let wanted: usize = arguments.integer(0)?;
    arguments.end()?;
    need_empty(session)?;
    let size = session.size();
    // A protocol of goodwill: fewer stones may be placed than were asked for, but two at least.
    let most = size.area() / 3;
    if most < 2 {
        return Err(Failure::new(format!("invalid number of stones: {size} is too small")));
    }
    if wanted < 2 {
        return Err(Failure::new(format!("invalid number of stones: 2 to {most} on {size}")));
    }
    let wanted = wanted.min(most);
    let fixed = goban::handicap::fixed(size, wanted.min(goban::handicap::most_fixed(size)));
    let mut stones = fixed.unwrap_or_default();
    let before = (session.start().clone(), session.game().clone());
    while stones.len() < wanted {
        begin_handicap(session, &stones)?;
        match session.engine.policy(Color::Black).first() {
            Some(rated) => stones.push(rated.point),
            None => break,
        }
    }
    if stones.len() < 2 {
        session.resume(before.0, before.1);
        return Err(Failure::new(format!("invalid number of stones: {size} is too small")));
    }
    begin_handicap(session, &stones)
}

fn set_free_handicap(
    session: &mut Session,
    mut arguments: Arguments<'_>,
    _: &mut Talk<'_>,
) -> Reply {
    need_empty(session)?;
    let mut stones = Vec::new();
    while !arguments.is_empty() {
        let Ok(Move::Play(point)) = arguments.vertex(session.size()) else {
            return Err(Failure::new("bad vertex list: points of the board are wanted"));
        };
        stones.push(point);
    }
    if stones.len() < 2 {
        return Err(Failure::new("bad vertex list: at least two stones are a handicap"));
    }
    begin_handicap(session, &stones)?;
    done()
}

fn showboard(session: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let game = session.game();
    let mut diagram = Diagram::new(game.board());
    diagram.last = match game.moves().last() {
        Some(&(_, Move::Play(p))) => Some(p),
        _ => None,
    };
    let last = match game.moves().last() {
        Some((color, mv)) => format!("move {}: {color} {mv}", game.moves().len()),
        None => "before the first move".to_owned(),
    };
    let [black, white] = game.prisoners();
    let komi = game.komi();
    Ok(format!(
        "{}, {last}, {} to play\n{diagram}\nStones taken: Black {black}, White {white}; \
         komi {komi}; {}",
        game.board().size(),
        game.to_move(),
        game.rules(),
    ))
}

fn get_rules(session: &mut Session, _: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    Ok(rules::to_json(session.game().rules()).to_string())
}

fn set_rules(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let text = arguments.rest();
    let rules = rules::from_text(&text, *session.game().rules()).map_err(Failure::new)?;
    session.change_rules(rules)
}

fn set_rule(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let name = arguments.word("the name of a rule")?;
    let value = Value::String(arguments.word("the value of the rule")?.to_owned());
    arguments.end()?;
    let rules = rules::with(*session.game().rules(), name, &value).map_err(Failure::new)?;
    session.change_rules(rules)
}

fn kgs_rules(session: &mut Session, mut arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    let rules = arguments.read("chinese, aga, japanese or new_zealand", |word| {
        // The server forbids every repetition when it says Chinese.
        let is_chinese = word.eq_ignore_ascii_case("chinese");
        rules::named(if is_chinese { "chinese-kgs" } else { word })
    })?;
    arguments.end()?;
    session.change_rules(rules)
}

impl Session {
    /// A game without moves from a position; rules and komi stay.
    fn begin_at(&mut self, board: Board, to_move: Color) {
        let (rules, komi) = (*self.game().rules(), self.game().komi());
        self.begin(Game::from_position(board, to_move, rules, komi));
    }

    /// The same game by other rules.
    fn change_rules(&mut self, rules: Rules) -> Reply {
        let old = self.start();
        let mut start = Game::from_position(old.board().clone(), old.to_move(), rules, old.komi());
        start.set_handicap(old.handicap());
        let mut game = start.clone();
        for (number, &(color, mv)) in self.game().moves().iter().enumerate() {
            game.play_as(color, mv).map_err(|why| {
                let number = number + 1;
                Failure::new(format!("by these rules move {number} is illegal: {mv}: {why}"))
            })?;
        }
        self.resume(start, game);
        done()
    }
}
