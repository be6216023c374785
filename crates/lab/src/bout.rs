//! One game of a match, from the opening to the result.

use std::time::{Duration, Instant};

use engine::{Choice, Stop};
use goban::{Color, Game, result_text};
use kifu::{Margin, Outcome};

use crate::contest::{Contest, ContestError};
use crate::finished::{Effort, Ended, Finished, Side};
use crate::player::Kind;
use crate::record::{self, About, Thought};
use crate::seat::{Failed, Fault, Seat};
use crate::seed::mixed;

/// Streams of chance in a game, beside those of the players, which are their indices.
const JUDGING: u64 = 2;
/// That of the opening is shared by both games of a pair.
const OPENING: u64 = 3;

/// A game longer than so many times the points of the board is counted as it stands.
const LONGEST: usize = 3;

/// Who won and how.
enum End {
    /// By points, for Black if above 0.
    Score(f32, Ended),
    /// The player of this colour has lost.
    Lost(Color, Ended, Option<String>),
}

/// Keeps by which rules somebody plays or counts, if not by those of the match.
pub fn note(notes: &mut Vec<String>, who: &str, rules: Option<&str>) {
    notes.extend(rules.map(|rules| format!("{who}: {rules}")));
    // Two players of the same make say the same.
    notes.dedup();
}

/// Plays a game; its number counts from 0. Gives its line and its record, or nothing if it was
/// stopped.
pub fn play(
    contest: &Contest,
    number: usize,
    stop: &Stop,
) -> Result<Option<(Finished, String)>, ContestError> {
    let pair = number / 2;
    let black = Side::black_in(number);
    let seed = |stream: u64| mixed(&[contest.seed, number as u64, stream]);
    let start = Game::new(contest.size, contest.rules, contest.komi);
    let opening_seed = mixed(&[contest.seed, pair as u64, OPENING]);
    let mut game = contest.openings.play(start, pair, opening_seed, &contest.library);
    let opening = game.moves().len();

    let mut seats = Vec::with_capacity(2);
    for side in Side::BOTH {
        let player = &contest.players[side.index()];
        let own_seed = match player.kind {
            Kind::Own { seed: Some(own), .. } => mixed(&[own, number as u64, side.index() as u64]),
            _ => seed(side.index() as u64),
        };
        match Seat::new(contest, player, &game, own_seed, stop) {
            Ok(seat) => seats.push(seat),
            Err(_) if stop.is_raised() => return Ok(None),
            Err(error) => return Err(ContestError::Player(player.label.clone(), error)),
        }
    }

    let mut notes: Vec<String> = Vec::new();
    for (player, seat) in contest.players.iter().zip(&seats) {
        note(&mut notes, &player.label, seat.note());
    }
    let mut efforts = [Effort::default(); 2];
    let mut thoughts = Vec::new();
    let end = loop {
        if game.is_over() || game.moves().len() >= LONGEST * game.board().size().area() {
            let ended = if game.is_over() { Ended::Score } else { Ended::Length };
            let score =
                contest.referee.score(contest, &contest.library, &game, seed(JUDGING), stop);
            match score {
                Ok((score, counted_by)) => {
                    note(&mut notes, "the referee", counted_by.as_deref());
                    break End::Score(score, ended);
                }
                Err(_) if stop.is_raised() => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let color = game.to_move();
        let side = if color == Color::Black { black } else { black.other() };
        let lost = |fault: Fault| End::Lost(color, fault.ended, Some(fault.why));
        let effort = &mut efforts[side.index()];
        let left =
            contest.time.map(|time| time.saturating_sub(Duration::from_secs_f64(effort.seconds)));
        let begun = Instant::now();
        let thought = seats[side.index()].think(color, left);
        let spent = begun.elapsed();
        if stop.is_raised() {
            return Ok(None);
        }
        effort.add(spent.as_secs_f64());
        if left.is_some_and(|left| spent > left)
            && !matches!(thought, Err(Failed::Fault(Fault { ended: Ended::Crash, .. })))
        {
            break End::Lost(color, Ended::Time, None);
        }
        let (mv, opinion) = match thought {
            Err(Failed::Stopped) => return Ok(None),
            Err(Failed::Fault(fault)) => break lost(fault),
            Ok(_) if spent > contest.move_timeout => {
                let why = format!("a move took {:.1} s", spent.as_secs_f64());
                break lost(Fault { ended: Ended::Timeout, why });
            }
            Ok((Choice::Resign, _)) => break End::Lost(color, Ended::Resignation, None),
            Ok((Choice::Play(mv), opinion)) => (mv, opinion),
        };
        if let Err(illegal) = game.play_as(color, mv) {
            let why = format!("move {}, {color} {mv}: {illegal}", game.moves().len() + 1);
            break lost(Fault { ended: Ended::Illegal, why });
        }
        thoughts.push(Thought { seconds: spent.as_secs_f64(), opinion });
        let mut trouble = None;
        for seat in Side::BOTH {
            match seats[seat.index()].send_move(color, mv, seat == side) {
                Ok(()) => {}
                Err(Failed::Stopped) => return Ok(None),
                Err(Failed::Fault(fault)) => {
                    let color = if seat == side { color } else { !color };
                    trouble = Some(End::Lost(color, fault.ended, Some(fault.why)));
                }
            }
        }
        if let Some(end) = trouble {
            break end;
        }
    };

    let side_of = |color| if color == Color::Black { black } else { black.other() };
    let (winner, result, ended, why) = match end {
        End::Score(score, ended) => {
            let winner = match score {
                s if s > 0.0 => Some(side_of(Color::Black)),
                s if s < 0.0 => Some(side_of(Color::White)),
                _ => None,
            };
            (winner, result_text(score), ended, None)
        }
        End::Lost(color, ended, why) => {
            let margin = match ended {
                Ended::Resignation => Margin::Resignation,
                Ended::Time => Margin::Time,
                _ => Margin::Forfeit,
            };
            let result = Outcome::Win(!color, margin).to_string();
            (Some(side_of(!color)), result, ended, why)
        }
    };
    let [first, second] = efforts.map(Effort::rounded);
    let finished = Finished {
        game: number + 1,
        black,
        white: black.other(),
        result,
        winner,
        ended,
        moves: game.moves().len(),
        opening,
        first,
        second,
        why,
        notes,
    };
    let name = |side: Side| {
        let label = &contest.players[side.index()].label;
        match seats[side.index()].program() {
            Some(program) => format!("{label} ({program})"),
            None => label.clone(),
        }
    };
    let about = About {
        finished: &finished,
        names: [name(black), name(black.other())],
        thoughts: &thoughts,
        time: contest.time.map(|time| time.as_secs_f64()),
    };
    let sgf = record::to_sgf(&game, &about);
    Ok(Some((finished, sgf)))
}
