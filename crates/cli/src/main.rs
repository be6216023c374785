//! `harie`: the one program. A file a subcommand; this one reads the command line, hands over, and
//! turns errors into messages and exit codes.

mod analysis;
mod bench;
mod book;
mod chosen;
mod completions;
mod engine_options;
mod eval;
mod explain;
mod extract;
mod games;
mod gtp;
mod hints;
mod interrupt;
mod learned;
mod lettered;
mod matches;
mod options;
mod oracle;
mod output;
mod patterns;
mod progress;
mod rate;
mod records;
mod report;
mod reproduce;
mod review;
mod score;
mod serve;
mod show;
mod stats;
mod synthetic;
mod terms;
mod train;
mod tsumego;
mod weights;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  harie                                       the board in your browser: play, study, see why
  harie show samples/19x19.sgf --move 120     a position of a game
  harie show game.sgf --move 50 --hints       where the model would play, and why
  harie records my-games/                     what a folder of game records holds
  harie train my-games/ -o my.model           learn a move model from them
  harie score game.sgf                        dead stones and the score
  harie stats game.sgf --move 40              what it hangs on: critical points, miai, order
  harie explain game.sgf --move 57            what was wrong with a move, in words
  harie review game.sgf -o reviewed.sgf       the moves that decided a game
  harie eval my-games/                        how well models predict the moves of games
  harie tsumego test problems.sgf             how often answers of problems are guessed
  harie bench                                 how fast the playouts are here
  harie gtp                                   play with a front end such as Sabaki or GoGui
  harie match --first harie --second gnugo    a match with another engine

'harie help COMMAND' explains a command and its options. Exit codes: 0 done, 1 something went \
wrong (the message says what), 2 a wrong command line.";

/// Harie, a Go engine and laboratory for learned shape. Without a command it serves the board in the
/// browser, as 'harie serve' does.
#[derive(Parser)]
#[command(name = "harie", version, about, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Serve),
    Show(show::Show),
    Records(records::Records),
    Extract(extract::Extract),
    Train(train::Train),
    Score(score::Score),
    Stats(stats::Stats),
    Explain(explain::Explain),
    Review(review::Review),
    Patterns(patterns::Patterns),
    Book(book::Book),
    Tsumego(Box<tsumego::Tsumego>),
    Eval(Box<eval::Eval>),
    Oracle(oracle::Oracle),
    Bench(bench::Bench),
    Gtp(Box<gtp::Gtp>),
    Analysis(Box<analysis::Analysis>),
    Match(Box<matches::Match>),
    Rate(Box<rate::Rate>),
    Report(report::Report),
    Reproduce(reproduce::Reproduce),
    Completions(completions::Completions),
}

fn main() -> ExitCode {
    let matches = command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let mut out = io::BufWriter::new(io::stdout().lock());
    let done = run(cli, &mut out).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    match done {
        Ok(code) => code,
        // The reader of a pipe has seen enough, as in `harie records … | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // What was written so far is not lost.
            let _ = out.flush();
            // Some options are refused only when they are seen together.
            if let Some(refusal) = error.downcast_ref::<clap::Error>() {
                refusal.exit();
            }
            eprintln!("harie: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The command line. Every option that takes a value takes negative numbers: what is wrong with one
/// is said by the option, not by the reader of options, which would take it for another.
fn command() -> clap::Command {
    Cli::command().mut_subcommands(|command| {
        command.mut_args(|arg| match arg.get_action().takes_values() {
            true => arg.allow_negative_numbers(true),
            false => arg,
        })
    })
}

fn run(cli: Cli, out: &mut dyn Write) -> Result<ExitCode> {
    match cli.command {
        None => serve::Serve::usual().run(out)?,
        Some(Command::Serve(serve)) => serve.run(out)?,
        Some(Command::Show(show)) => show.run(out)?,
        Some(Command::Records(records)) => return records.run(out),
        Some(Command::Extract(extract)) => extract.run(out)?,
        Some(Command::Train(train)) => train.run(out)?,
        Some(Command::Score(score)) => score.run(out)?,
        Some(Command::Stats(stats)) => stats.run(out)?,
        Some(Command::Explain(explain)) => explain.run(out)?,
        Some(Command::Review(review)) => review.run(out)?,
        Some(Command::Patterns(patterns)) => patterns.run(out)?,
        Some(Command::Book(book)) => book.run(out)?,
        Some(Command::Tsumego(tsumego)) => tsumego.run(out)?,
        Some(Command::Eval(eval)) => eval.run(out)?,
        Some(Command::Oracle(oracle)) => oracle.run(out)?,
        Some(Command::Bench(bench)) => bench.run(out)?,
        Some(Command::Gtp(gtp)) => gtp.run(out)?,
        Some(Command::Analysis(analysis)) => analysis.run(out)?,
        Some(Command::Match(contest)) => return contest.run(out),
        Some(Command::Rate(rate)) => return rate.run(out),
        Some(Command::Report(report)) => report.run(out)?,
        Some(Command::Reproduce(reproduce)) => reproduce.run(out)?,
        Some(Command::Completions(completions)) => completions.run(out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
