//! `harie show`: a position of a game record.

pub mod overlay;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use goban::{Board, Color, Diagram, Picture, Point, PointMap, Rules};
use kifu::{Record, Replay, Tree, Warning};
use policy::{Follower, Model, Use};
use protocol::replay;

use crate::chosen::{Chosen, plain};
use crate::score::ready;
use crate::{hints, options, output, weights};
use overlay::{Overlay, Sight};

const EXAMPLES: &str = "\
Examples:
  harie show game.sgf                       the last position
  harie show game.sgf --move 0              the position before the first move
  harie show games.sgf.gz --game 17         the seventeenth game of a file
  harie show game.sgf --move 50 --svg a.svg a picture of it
  harie show game.sgf --move 50 --hints     where the model would play, and why
  harie show game.sgf --overlay groups      which stones belong together, and which live

Overlays: influence (points within two steps of the stones), links (stones that belong \
together), groups (chains joined by links, with eyes and how surely they survive), territory \
(by the lines from each point, and by playouts), ladders (read to the end). docs/knowledge.md \
says more.";

/// Print a position of a game record: board, captures, rules, result
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Show {
    /// A game record (SGF, also .gz or .zip)
    file: PathBuf,

    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = options::counted)]
    game: usize,

    /// The position after this many moves [default: all]
    #[arg(long = "move", value_name = "N", value_parser = options::whole::<usize>)]
    number: Option<usize>,

    /// Write a picture of the position to this file as well
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Say where the move model would play and why, N moves [default: 5]; the file comes before it
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "5",
        value_parser = hinted)]
    hints: Option<usize>,

    /// Draw what is recognised in the position; with --svg in the picture too
    #[arg(long, value_name = "WHAT")]
    overlay: Option<Overlay>,

    /// With --hints: a model for the tree in place of the one that comes with Harie
    #[arg(long, value_name = "FILE", requires = "hints")]
    model: Option<PathBuf>,
}

/// How many hints. What follows the option belongs to it, so that a file may end up here.
fn hinted(text: &str) -> Result<usize, String> {
    options::counted(text).map_err(|why| {
        format!("{why}; a file comes before it, as in 'show game.sgf --hints', or write --hints=5")
    })
}

impl Show {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        output::check_all(&[self.svg.as_ref()], &[&self.file])?;
        let chosen = Chosen::open(&self.file, self.game)?;
        let Chosen { tree, record, .. } = &chosen;
        let position =
            Position::new(tree, record, self.number).with_context(|| chosen.at().to_owned())?;
        if let Some(broken) = &position.broken {
            eprintln!("warning: {broken}");
        }
        let model = self.hints.is_some().then(|| self.read_model(record)).transpose()?;
        position.print(out)?;
        if let (Some(count), Some(model)) = (self.hints, model) {
            match position.passes() {
                2.. => writeln!(
                    out,
                    "\nNothing is left to play; --move N asks about another position."
                )?,
                _ => hints::print(out, &model, &position.follower.situation(), count)?,
            }
        }
        let sight =
            self.overlay.map(|overlay| Ok::<_, anyhow::Error>((overlay, position.sight(overlay)?)));
        let sight = sight.transpose()?;
        if let Some((overlay, sight)) = &sight {
            sight.print(out, *overlay, position.to_move())?;
        }
        if let Some(path) = &self.svg {
            output::write(path, position.picture(sight.as_ref()).as_bytes())?;
        }
        Ok(())
    }
}

impl Show {
    fn read_model(&self, record: &Record) -> Result<Model> {
        let Some(path) = &self.model else { return Ok(weights::model(Use::Uct, record.size)) };
        let model = weights::read(path)?;
        let about = &model.about;
        if about.of != Use::Uct || about.size != record.size.side() {
            let (name, size) = (&about.name, record.size);
            eprintln!("warning: the model {name:?} is not one for the tree on {size}");
        }
        Ok(model)
    }
}

/// A position of a record, with what people want to know about it.
pub struct Position<'a> {
    tree: &'a Tree,
    record: &'a Record,
    board: Board,
    /// The same with the moves that led to it.
    follower: Follower,
    /// Moves on the board.
    played: usize,
    /// Stones that black and white have taken.
    prisoners: [usize; 2],
    broken: Option<Warning>,
}

impl<'a> Position<'a> {
    /// The position after `number` moves, or after all that can be played.
    pub fn new(tree: &'a Tree, record: &'a Record, number: Option<usize>) -> Result<Position<'a>> {
        let mut replay = Replay::new(record);
        let wanted = number.unwrap_or(usize::MAX);
        while replay.next_move().is_some() && replay.played() < wanted {}
        let prisoners = replay.prisoners();
        let played = replay.played();
        let broken = replay.broken().map(|broken| broken.warning(tree));
        if let Some(wanted) = number.filter(|&wanted| wanted > played) {
            match &broken {
                Some(warning) => bail!("move {wanted} cannot be shown: {warning}"),
                None => bail!("the game has {}; there is no move {wanted}", moves_text(played)),
            }
        }
        let board = replay.board().clone();
        let follower = follow(record, played);
        Ok(Position { tree, record, board, follower, played, prisoners, broken })
    }

    fn last(&self) -> Option<(Color, Option<Point>)> {
        let last = self.record.moves.get(self.played.checked_sub(1)?)?;
        Some((last.color, last.point))
    }

    fn to_move(&self) -> Color {
        match (self.record.moves.get(self.played), self.last()) {
            (Some(next), _) => next.color,
            (None, Some((color, _))) => !color,
            (None, None) => self.record.first,
        }
    }

    fn rules(&self) -> Option<String> {
        let name = self.record.rules.as_ref()?;
        Some(match Rules::parse(name) {
            Some(rules) => format!("{name} ({rules})"),
            None => name.clone(),
        })
    }

    fn player(&self, color: Color) -> String {
        let player = self.record.player(color);
        let name = player.name.as_deref().unwrap_or("?");
        match &player.rank_text {
            Some(rank) => format!("{name} ({rank})"),
            None => name.to_owned(),
        }
    }

    /// Prints the header, the board, what happened last, and the comment of the move.
    pub fn print(&self, out: &mut dyn Write) -> Result<()> {
        let mut fact = |name: &str, value: Option<String>| -> Result<()> {
            if let Some(value) = value {
                writeln!(out, "{name:<9}{}", printable(&value))?;
            }
            Ok(())
        };
        fact("Black", Some(self.player(Color::Black)))?;
        fact("White", Some(self.player(Color::White)))?;
        fact("Date", self.record.date.clone())?;
        fact("Komi", self.record.komi.map(|komi| komi.to_string()))?;
        fact("Handicap", Some(self.record.handicap).filter(|&n| n > 0).map(|n| n.to_string()))?;
        fact("Rules", self.rules())?;
        fact("Result", Some(self.record.outcome.to_string()))?;
        let mut diagram = Diagram::new(&self.board);
        diagram.last = self.last().and_then(|(_, point)| point);
        writeln!(out, "\n{diagram}\n")?;
        writeln!(out, "{}", self.sentence())?;
        if let Some(comment) = self.comment() {
            writeln!(out, "\n{}", printable(&comment))?;
        }
        Ok(())
    }

    /// `Move 12 of 240, White Q5. Stones taken by Black: 3, by White: none. Black to play.`
    fn sentence(&self) -> String {
        let moves = self.record.moves.len();
        let last = match self.last() {
            None => format!("Before the first move of {}.", moves_text(moves)),
            Some((color, point)) => {
                let point = point.map_or("pass".to_owned(), |p| p.to_string());
                format!("Move {} of {moves}, {color} {point}.", self.played)
            }
        };
        let taken = |color: Color| match self.prisoners[color.index()] {
            0 => "none".to_owned(),
            n => n.to_string(),
        };
        let (black, white) = (taken(Color::Black), taken(Color::White));
        let next = match self.passes() {
            2.. => "Both have passed: the game is over.".to_owned(),
            _ => format!("{} to play.", self.to_move()),
        };
        format!("{last} Stones taken by Black: {black}, by White: {white}. {next}")
    }

    /// Passes in a row at the end.
    fn passes(&self) -> usize {
        let moves = &self.record.moves[..self.played];
        moves.iter().rev().take_while(|m| m.point.is_none()).count()
    }

    fn comment(&self) -> Option<String> {
        let node = match self.played.checked_sub(1) {
            Some(i) => self.record.moves.get(i)?.node,
            None => self.tree.root(),
        };
        let value = self.tree.property(node, "C")?.values().next()?;
        Some(value.text().into_owned()).filter(|text| !text.trim().is_empty())
    }

    /// The position as it is seen, with playouts where they are needed.
    fn sight(&self, overlay: Overlay) -> Result<Sight<'_>> {
        let mut ownership = PointMap::filled(0.0);
        if overlay.needs_owners() {
            let (_, game) = replay(&plain(self.record), self.record, self.played)?;
            ownership = engine::judge(&ready(self.record.size), &game, 1).ownership;
        }
        Ok(Sight::new(&self.board, ownership))
    }

    /// The position as SVG.
    pub fn picture(&self, sight: Option<&(Overlay, Sight<'_>)>) -> String {
        let (black, white) = (self.player(Color::Black), self.player(Color::White));
        let picture = Picture::new(&self.board)
            .last(self.last().and_then(|(_, point)| point))
            .title(format!("{black} against {white}, after {} moves", self.played));
        match sight {
            Some((overlay, sight)) => sight.draw(picture, *overlay).to_svg(),
            None => picture.to_svg(),
        }
    }
}

/// The last two moves, played again from the position before them: what a model wants to know.
pub fn follow(record: &Record, played: usize) -> Follower {
    let mut replay = Replay::new(record);
    let before = played.saturating_sub(2);
    while replay.played() < before && replay.next_move().is_some() {}
    let next = record.moves.get(played).or_else(|| record.moves.get(before));
    let first = next.map_or(record.first, |m| m.color);
    let mut follower = Follower::new(replay.board(), first);
    for m in &record.moves[before..played] {
        follower.play(m.color, m.point);
    }
    follower
}

fn moves_text(moves: usize) -> String {
    if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") }
}

/// A text from a file without the control characters that would steer a terminal.
fn printable(text: &str) -> String {
    text.chars().filter(|&c| c == '\n' || !c.is_control()).collect()
}
