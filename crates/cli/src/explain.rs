//! `harie explain`: why a move is good and what was wrong with the one played, in sentences.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use engine::{Engine, ExplainedMove, Explanation, Grade, Language, Request, Stop};
use goban::{Color, Game, Move};
use serde_json::{Value, json};

use crate::chosen::Chosen;
use crate::engine_options::{Thinking, cores};
use crate::options;

const EXAMPLES: &str = "\
Examples:
  harie explain game.sgf --move 57              what was right or wrong with move 57
  harie explain game.sgf --move 57 --lang ja    the same in Japanese
  harie explain game.sgf                        what to play at the end of the record
  harie explain game.sgf --move 57 --json       for a program to read
  harie explain game.sgf --move 57 --visits 20000   after thinking longer

The sentences are made from what the program has found: captures, ataris, ladders, links and \
eyes, what the move model expects, which stones live more often after which move, territory, \
miai and the order of moves from playouts, and the lines that the search expects.

With several threads, what is found differs a little from run to run; with --threads 1 and \
without --seconds, the same command says the same again.";

/// Playouts for each of the two positions unless told otherwise.
const VISITS: u64 = 2000;

/// Say in words why a move is good and what was wrong with the one played
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("seconds", |arg| arg.help("Seconds for each position [default: no limit]")),
    mut_arg("visits", |arg| {
        arg.help("Playouts for each position [default: 2000 unless --seconds is given]")
    })
)]
pub struct Explain {
    /// A game record (SGF, also .gz or .zip)
    file: PathBuf,

    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = options::counted)]
    game: usize,

    /// The move to explain, from 1 [default: the one after the last]
    #[arg(long = "move", value_name = "N", value_parser = options::counted)]
    number: Option<usize>,

    /// The language: en, ja
    #[arg(long, value_name = "LANGUAGE", default_value_t = Language::English)]
    lang: Language,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    thinking: Thinking,
}

impl Explain {
    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        let (game, played, number) = self.read()?;
        let color = game.to_move();
        if game.is_over() {
            return self.say_over(out, color, number);
        }
        let options = self.thinking.options(cores());
        let mut engine = Engine::new(self.thinking.library()?.into(), options);
        engine.set_game(game);
        let (visits, time) = self.thinking.bounds(VISITS);
        let request = Request { visits, time, ..Request::default() };
        let told = engine.explain_move(color, played, &request, &Stop::new(), &mut |_| {});
        if self.json {
            writeln!(out, "{}", to_json(&told, number, played, self.lang))?;
        } else {
            for sentence in told.sentences(self.lang) {
                writeln!(out, "{sentence}")?;
            }
        }
        Ok(())
    }

    /// After two passes there is no move to advise.
    fn say_over(&self, out: &mut dyn Write, color: Color, number: usize) -> Result<()> {
        let words = match self.lang {
            Language::English => {
                "Both players have passed: the game is over. --move N asks about a move before that."
            }
            Language::Japanese => "双方のパスで終局している。--move N で途中の手を尋ねられる。",
        };
        if self.json {
            let told = json!({
                "number": number,
                "player": color.letter().to_string(),
                "over": true,
                "language": self.lang.to_string(),
                "words": [words],
            });
            writeln!(out, "{told}")?;
        } else {
            writeln!(out, "{words}")?;
        }
        Ok(())
    }

    /// The game before the move, the move that was played if there is one, and its number.
    fn read(&self) -> Result<(Game, Option<Move>, usize)> {
        let chosen = Chosen::open(&self.file, self.game)?;
        let moves = &chosen.record.moves;
        let number = self.number.unwrap_or(moves.len() + 1);
        if number > moves.len() + 1 {
            chosen.check_move(number)?;
        }
        let (_, mut game) = chosen.replay(number - 1)?;
        let Some(next) = moves.get(number - 1) else { return Ok((game, None, number)) };
        if next.color != game.to_move() {
            // A record may let a player move twice.
            game =
                Game::from_position(game.board().clone(), next.color, *game.rules(), game.komi());
        }
        Ok((game, Some(next.point.map_or(Move::Pass, Move::Play)), number))
    }
}

/// Two digits are more than playouts can tell.
fn rounded(x: f32) -> f64 {
    (f64::from(x) * 1e4).round() / 1e4
}

fn move_json(explained: &ExplainedMove) -> Value {
    json!({
        "move": explained.mv.to_string(),
        "winrate": rounded(explained.winrate),
        "score": rounded(explained.score),
        "visits": explained.visits,
        "prior": explained.prior.map(|prior| rounded(prior.probability)),
        "line": explained.line.iter().map(Move::to_string).collect::<Vec<_>>(),
    })
}

fn to_json(
    explanation: &Explanation,
    number: usize,
    played: Option<Move>,
    language: Language,
) -> Value {
    let (winrate, score) = explanation.loss();
    let swings: Vec<Value> = explanation
        .swings
        .iter()
        .map(|swing| {
            json!({
                "stones": swing.stones.at.to_string(),
                "count": swing.stones.count,
                "color": swing.stones.color.letter().to_string(),
                "survivesAfterBest": rounded(swing.best),
                "survivesAfterPlayed": rounded(swing.played),
            })
        })
        .collect();
    let grade = match explanation.grade() {
        _ if played.is_none() => Value::Null,
        Grade::Good => json!("good"),
        Grade::Slip => json!("slip"),
        Grade::Mistake => json!("mistake"),
        Grade::Blunder => json!("blunder"),
    };
    json!({
        "number": number,
        "player": explanation.color.letter().to_string(),
        "played": explanation.played.as_ref().map_or_else(
            || played.map_or(Value::Null, |_| move_json(&explanation.best)),
            move_json,
        ),
        "best": move_json(&explanation.best),
        "grade": grade,
        "loss": {"winrate": rounded(winrate), "score": rounded(score)},
        "swings": swings,
        "miai": explanation.miai.map(|pair| pair.points.map(|p| p.to_string())),
        "order": explanation.order.map(|order| [order.first, order.then].map(|(_, p)| p.to_string())),
        "language": language.to_string(),
        "words": explanation.sentences(language),
    })
}
