//! One position: where models would play, the rank of the move that was played, and why.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use goban::{Board, Cell, Point, PointMap};
use kifu::Replay;
use policy::{Model, Rated, Situation};

use super::{Eval, Named};
use crate::chosen::Chosen;
use crate::hints;
use crate::show::follow;

/// Moves whose reasons are told.
const SHOWN: usize = 5;

impl Eval {
    /// Shows what the models think of a position.
    pub(super) fn explain(&self, out: &mut dyn Write, file: &Path) -> Result<()> {
        let chosen = Chosen::open(file, self.game)?;
        let (record, at) = (&chosen.record, chosen.at());
        let moves = record.moves.len();
        if moves == 0 {
            bail!("{at}: the game has no moves");
        }
        let number = self.number.unwrap_or(moves);
        chosen.check_move(number)?;
        let mut replay = Replay::new(record);
        while replay.played() + 1 < number && replay.next_move().is_some() {}
        if replay.played() + 1 < number {
            bail!("{at}: the game cannot be played beyond move {}", replay.played());
        }
        let follower = follow(record, number - 1);
        let mut situation = follower.situation();
        let played = record.moves[number - 1];
        situation.to_move = played.color;
        // Without models of their own, the one for the tree is what people ask for.
        let mut models = self.models(record.size)?;
        if self.model.is_empty() {
            models.truncate(1);
        }
        for (i, Named { name, model }) in models.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            explain(out, name, model, &situation, number, played.point)?;
        }
        Ok(())
    }
}

fn explain(
    out: &mut dyn Write,
    name: &str,
    model: &Model,
    situation: &Situation<'_>,
    number: usize,
    played: Option<Point>,
) -> Result<()> {
    let rated = model.rate(situation);
    writeln!(
        out,
        "Move {number}, {} to play: how likely {name} thinks each point is, in percent\n",
        situation.to_move
    )?;
    print_board(out, situation.board, &rated, played)?;
    match played {
        None => writeln!(out, "\nThe move played was a pass, which models do not rate.")?,
        Some(p) => {
            let share = rated.iter().find(|r| r.point == p).map(|r| r.probability);
            match (model.rank(situation, p), share) {
                (Some(rank), Some(share)) => writeln!(
                    out,
                    "\n{p} was played: rank {rank} of {}, {:.1} %",
                    rated.len(),
                    100.0 * share
                )?,
                _ => writeln!(out, "\n{p} was played, which is not legal here.")?,
            }
        }
    }
    hints::print(out, model, situation, SHOWN)
}

/// The board with the probability of each point that has more than half a percent; the move played
/// is in brackets.
fn print_board(
    out: &mut dyn Write,
    board: &Board,
    rated: &[Rated],
    played: Option<Point>,
) -> Result<()> {
    let size = board.size();
    let mut shares = PointMap::filled(0.0);
    rated.iter().for_each(|r| shares[r.point] = r.probability);
    let letters: String =
        (0..size.side()).map(|x| format!("{:>4}", Point::column_letter(x))).collect();
    writeln!(out, "  {letters}")?;
    for y in (0..size.side()).rev() {
        write!(out, "{:2}", y + 1)?;
        for x in 0..size.side() {
            let p = Point::new(x, y);
            let text = match board.cell(p) {
                Cell::Black => "X".to_owned(),
                Cell::White => "O".to_owned(),
                _ if shares[p] >= 0.005 => format!("{:.0}", 100.0 * shares[p]),
                _ => ".".to_owned(),
            };
            match played {
                Some(q) if q == p => write!(out, "{:>4}", format!("({text})"))?,
                _ => write!(out, "{text:>3} ")?,
            }
        }
        writeln!(out, " {}", y + 1)?;
    }
    writeln!(out, "  {letters}")?;
    Ok(())
}
