//! Commands that show what is being thought, line by line, as Leela Zero, KataGo and the computer Go
//! server have them.

use std::time::Duration;

use engine::{Report, Request, Restriction};
use goban::{Color, Move, Size};
use gtp::{Arguments, By, Failure, Talk};

use super::report::{Dialect, Wanted};
use super::think::choice_text;
use super::{Commands, Reply, Session};

pub const COMMANDS: Commands = &[
    ("lz-analyze", |s, a, t| analyze(s, a, t, Dialect::Leela)),
    ("kata-analyze", |s, a, t| analyze(s, a, t, Dialect::Kata)),
    // What Sabaki asks for first. It wants a decimal point in every number, which ours have.
    ("analyze", |s, a, t| analyze(s, a, t, Dialect::Kata)),
    ("cgos-analyze", |s, a, t| analyze(s, a, t, Dialect::Cgos)),
    ("lz-genmove_analyze", |s, a, t| genmove(s, a, t, Dialect::Leela)),
    ("kata-genmove_analyze", |s, a, t| genmove(s, a, t, Dialect::Kata)),
    ("genmove_analyze", |s, a, t| genmove(s, a, t, Dialect::Kata)),
    ("cgos-genmove_analyze", |s, a, t| genmove(s, a, t, Dialect::Cgos)),
    ("kata-search_analyze", |s, a, t| search(s, a, t, By::Request)),
    ("kata-search_analyze_cancellable", |s, a, t| search(s, a, t, By::AnyLine)),
];

/// How often to report when the command does not say.
const USUAL: Duration = Duration::from_secs(1);

/// Reports come no more often than this.
const MOST_OFTEN: Duration = Duration::from_millis(10);

/// The arguments of an analysis.
struct Order {
    color: Color,
    every: Option<Duration>,
    request: Request,
    wanted: Wanted,
}

impl Order {
    /// Reads `[color] [interval] [key value]...`.
    fn read(session: &Session, arguments: &mut Arguments<'_>) -> Result<Order, Failure> {
        let size = session.size();
        let mut order = Order {
            color: super::think::color_or_turn(session, arguments),
            every: None,
            request: Request::default(),
            wanted: Wanted::default(),
        };
        if arguments.peek().is_some_and(|word| word.parse::<f64>().is_ok()) {
            order.every = Some(interval(arguments)?);
        }
        while let Some(key) = arguments.next_word() {
            let wanted = &mut order.wanted;
            match key.to_ascii_lowercase().as_str() {
                "interval" => order.every = Some(interval(arguments)?),
                "minmoves" => wanted.least_moves = arguments.integer(0)?,
                "maxmoves" => wanted.most_moves = arguments.integer(0)?,
                "rootinfo" => wanted.root_info = arguments.boolean()?,
                "ownership" => wanted.ownership = arguments.boolean()?,
                "movesownership" => wanted.moves_ownership = arguments.boolean()?,
                "pvvisits" => wanted.line_visits = arguments.boolean()?,
                "pvedgevisits" => wanted.line_edge_visits = arguments.boolean()?,
                // What there is nothing to say about is asked for in vain, but may be asked.
                "ownershipstdev" | "movesownershipstdev" | "noresultvalue" => {
                    arguments.boolean()?;
                }
                "avoid" => order.request.avoid.push(restriction(arguments, size)?),
                "allow" => order.request.allow.push(restriction(arguments, size)?),
                _ => {
                    let key: String = key.chars().take(40).collect();
                    return Err(Failure::new(format!(
                        "syntax error: expected interval, minmoves, maxmoves, avoid, allow, \
                         rootInfo, ownership, movesOwnership, pvVisits, got '{key}'"
                    )));
                }
            }
        }
        order.request.candidate_ownership = order.wanted.moves_ownership;
        let moves: Vec<Move> = order.request.moves(session.game(), order.color).collect();
        if moves.is_empty() {
            return Err(Failure::new("illegal move: none of the moves allowed can be played"));
        }
        if order.wanted.least_moves > 0 {
            let rated = session.engine.policy(order.color);
            let rated = rated.iter().map(|rated| (Move::Play(rated.point), rated.probability));
            let all = rated.chain([(Move::Pass, 0.0)]);
            order.wanted.moves = all.filter(|(mv, _)| moves.contains(mv)).collect();
        }
        Ok(order)
    }
}

/// A number of centiseconds.
fn interval(arguments: &mut Arguments<'_>) -> Result<Duration, Failure> {
    let seconds = arguments.read("a number of centiseconds", |word| {
        let centiseconds: f64 = word.parse().ok()?;
        (0.0..=1e9).contains(&centiseconds).then_some(centiseconds / 100.0)
    })?;
    Ok(Duration::from_secs_f64(seconds).max(MOST_OFTEN))
}

/// `COLOR VERTEX,VERTEX,... UNTILDEPTH`
fn restriction(arguments: &mut Arguments<'_>, size: Size) -> Result<Restriction, Failure> {
    let color = arguments.color()?;
    let words: Vec<String> = arguments
        .word("vertices, with commas between them")?
        .split(',')
        .map(str::to_owned)
        .collect();
    let mut list = Arguments::new(&words);
    let mut moves = Vec::new();
    while !list.is_empty() {
        moves.push(list.vertex(size)?);
    }
    Ok(Restriction { color, moves, until_depth: arguments.integer(1)? })
}

/// Thinks until any line comes.
fn analyze(
    session: &mut Session,
    mut arguments: Arguments<'_>,
    talk: &mut Talk<'_>,
    dialect: Dialect,
) -> Reply {
    let order = Order::read(session, &mut arguments)?;
    let size = session.size();
    let request = Request { every: Some(order.every.unwrap_or(USUAL)), ..order.request };
    // Front ends take the first sign of life for consent.
    if talk.begin().is_err() {
        return Ok(String::new());
    }
    if order.wanted.moves_ownership {
        session.engine.forget_search();
    }
    let interrupt = session.interruptible(By::AnyLine, talk);
    let stop = session.stop.clone();
    session.engine.analyse(order.color, &request, &stop, &mut |report: &Report| {
        if talk.line(&dialect.line(report, size, &order.wanted)).is_err() {
            stop.raise();
        }
    });
    drop(interrupt);
    // Who has nothing more to think about still says so only when asked for something else:
    // front ends take the end of the reply for an answer to their next command.
    if !stop.is_raised() {
        talk.wait_for_input();
    }
    Ok(String::new())
}

/// Thinks as long as a move takes, and makes it.
fn genmove(
    session: &mut Session,
    mut arguments: Arguments<'_>,
    talk: &mut Talk<'_>,
    dialect: Dialect,
) -> Reply {
    let order = Order::read(session, &mut arguments)?;
    let color = order.color;
    let choice = session.tell_while_thinking(order, talk, By::Request, dialect);
    // The reply has begun: what goes wrong now can only be seen in the log.
    let text = session.make(color, choice).unwrap_or_else(|failure| {
        tracing::error!("{failure}");
        "resign".to_owned()
    });
    Ok(format!("play {text}"))
}

/// The same without making the move.
fn search(
    session: &mut Session,
    mut arguments: Arguments<'_>,
    talk: &mut Talk<'_>,
    by: By,
) -> Reply {
    let order = Order::read(session, &mut arguments)?;
    let choice = session.tell_while_thinking(order, talk, by, Dialect::Kata);
    let cancelled = by == By::AnyLine && session.stop.is_raised();
    let text = if cancelled { "cancelled".to_owned() } else { choice_text(choice) };
    Ok(format!("play {text}"))
}

impl Session {
    fn tell_while_thinking(
        &mut self,
        order: Order,
        talk: &mut Talk<'_>,
        by: By,
        dialect: Dialect,
    ) -> engine::Choice {
        let size = self.size();
        let stop = self.stop.clone();
        // A server wants one line, the last.
        let every = if dialect == Dialect::Cgos { None } else { order.every };
        let request = Request { every, ..order.request };
        let _ = talk.begin();
        let interrupt = self.interruptible(by, talk);
        let choice = self.engine.think(order.color, &request, &stop, &mut |report: &Report| {
            if talk.line(&dialect.line(report, size, &order.wanted)).is_err() {
                stop.raise();
            }
        });
        drop(interrupt);
        choice
    }
}

/// Moves as the protocols write a line of play.
pub fn line_text(line: &[Move]) -> String {
    line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}
