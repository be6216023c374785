//! Commands about the end of a game: the score, and which stones are dead.

use engine::Judgement;
use goban::{Cell, Color, Point, result_text, score};
use gtp::{Arguments, Talk};

use super::{Commands, Reply, Session};

pub const COMMANDS: Commands =
    &[("final_score", final_score), ("final_status_list", final_status_list)];

fn final_score(session: &mut Session, arguments: Arguments<'_>, _: &mut Talk<'_>) -> Reply {
    arguments.end()?;
    Ok(result_text(session.engine.judge().score))
}

/// What a list can be asked for.
#[derive(Clone, Copy, PartialEq)]
enum Status {
    Alive,
    Seki,
    Dead,
    Territory(Option<Color>),
}

fn final_status_list(
    session: &mut Session,
    mut arguments: Arguments<'_>,
    _: &mut Talk<'_>,
) -> Reply {
    let status = arguments.read("alive, seki or dead", |word| match word {
        "alive" => Some(Status::Alive),
        "seki" => Some(Status::Seki),
        "dead" => Some(Status::Dead),
        "black_territory" => Some(Status::Territory(Some(Color::Black))),
        "white_territory" => Some(Status::Territory(Some(Color::White))),
        "dame" => Some(Status::Territory(None)),
        _ => None,
    })?;
    arguments.end()?;
    let judgement = session.engine.judge();
    let lines = match status {
        Status::Territory(owner) => vec![territory(session, &judgement, owner)],
        _ => chains(session, &judgement, status),
    };
    let text =
        |points: &Vec<Point>| points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ");
    Ok(lines.iter().map(text).collect::<Vec<_>>().join("\n"))
}

/// The chains of a status, each with its stones.
fn chains(session: &Session, judgement: &Judgement, status: Status) -> Vec<Vec<Point>> {
    let board = session.game().board();
    let marks = &judgement.marks;
    let all = board.all_chains().map(|chain| {
        let mut stones: Vec<Point> = board.chain_stones(chain).collect();
        stones.sort_by_key(|&p| board.size().reading_index(p));
        stones
    });
    let mut chosen: Vec<Vec<Point>> = all
        .filter(|stones| {
            let is = stones.first().map(|&p| match p {
                p if marks.dead.contains(p) => Status::Dead,
                p if marks.seki.contains(p) => Status::Seki,
                _ => Status::Alive,
            });
            is == Some(status)
        })
        .collect();
    chosen.sort_by_key(|stones| stones.first().map(|&p| board.size().reading_index(p)));
    chosen
}

/// The points without living stones that a player surrounds, or nobody.
fn territory(session: &Session, judgement: &Judgement, owner: Option<Color>) -> Vec<Point> {
    let board = session.game().board();
    let dead = &judgement.marks.dead;
    let owners = score::owners(board, dead);
    let open = |&p: &Point| board.cell(p) == Cell::Empty || dead.contains(p);
    board.size().points().filter(open).filter(|&p| owners[p] == owner).collect()
}
