//! `harie serve`, and `harie` alone: the board in the browser.

mod corpora;
mod jobs;
mod laboratory;
mod solver;

use std::env;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::{Args, Parser};
use web::{Limits, Server, Settings};

pub use laboratory::standing;

use crate::engine_options::{cores, library};
use crate::options;
use laboratory::Laboratory;

const EXAMPLES: &str = "\
Examples:
  harie                                      http://127.0.0.1:8361, in your browser
  harie serve --port 9000 --no-browser       another port, and no browser
  harie serve --port 0                       any port that is free
  harie serve --listen 0.0.0.0               for others in your network as well
  harie serve --listen 0.0.0.0 --name go.home  that they reach under this name
  harie serve --lab results                  with the results of matches and evaluations in a folder
  harie serve --lab results --lab-play       and pages may start matches and evaluations there

Only this machine can reach it unless --listen says otherwise; then whoever can reach it can \
play, and nothing is encrypted. The page has no way to your files but to what the laboratory has \
written into the folder of --lab. docs/web.md says more.";

/// The page is here unless you say otherwise.
const PORT: u16 = 8361;

/// Play, study and look inside in your browser
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Serve {
    /// Where to listen; 0 takes any port that is free
    #[arg(long, value_name = "N", default_value_t = PORT, value_parser = port)]
    port: u16,

    /// The address to listen at: this machine alone unless you say otherwise
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = address)]
    listen: IpAddr,

    /// A name by which browsers may call this server, beside its address and localhost
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,

    /// Threads that think, for all boards together [default: all processors]
    #[arg(long, value_name = "N", value_parser = options::counted)]
    threads: Option<usize>,

    /// Boards that are kept at once
    #[arg(long, value_name = "N", default_value_t = Limits::default().boards,
        value_parser = options::counted)]
    boards: usize,

    /// Show the results in this folder: matches, rating lists, evaluations, reports, learning curves
    /// and models; other files in it are left alone
    #[arg(long, value_name = "DIR")]
    lab: Option<PathBuf>,

    /// Pages may start matches, and evaluations of models on game records in the folder of --lab, one
    /// at a time; results are kept there
    #[arg(long, requires = "lab")]
    lab_play: bool,

    /// Do not open a browser
    #[arg(long)]
    no_browser: bool,
}

/// The command line `harie serve`, read by itself.
#[derive(Parser)]
struct Alone {
    #[command(flatten)]
    serve: Serve,
}

fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "a whole number from 0 to 65535 is wanted".to_owned())
}

fn address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "an address such as 127.0.0.1, 0.0.0.0 or ::1 is wanted".to_owned())
}

impl Serve {
    /// As `harie serve` does without options.
    pub fn usual() -> Serve {
        Alone::parse_from(["harie"]).serve
    }

    pub fn run(self, out: &mut dyn Write) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .context("the server cannot be started")?;
        runtime.block_on(self.serve(out))
    }

    async fn serve(self, out: &mut dyn Write) -> Result<()> {
        let listen = SocketAddr::new(self.listen, self.port);
        let settings = Settings {
            listen,
            names: self.name,
            threads: self.threads.unwrap_or_else(cores),
            limits: Limits { boards: self.boards, ..Limits::default() },
        };
        if let Some(folder) = self.lab.as_ref().filter(|folder| !folder.is_dir()) {
            bail!("--lab {}: there is no such folder", folder.display());
        }
        let library = Arc::new(library(None, None)?);
        let backend = Arc::new(Laboratory::new(self.lab, self.lab_play));
        let server = Server::bind(settings, library, backend).await.map_err(|error| match error
            .kind()
        {
            io::ErrorKind::AddrInUse => anyhow::anyhow!(
                "{listen} is in use, perhaps by another Harie; --port 0 takes a port that is free"
            ),
            _ => anyhow::Error::new(error).context(format!("cannot listen at {listen}")),
        })?;
        let address = server.address()?;
        // A browser cannot go to 'every address'.
        let shown = match address.ip() {
            ip if ip.is_unspecified() => {
                SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port())
            }
            _ => address,
        };
        writeln!(
            out,
            "Harie is at http://{shown} (Ctrl-C ends it; 'harie help' says what else it can do)"
        )?;
        out.flush()?;
        if !self.no_browser
            && has_desktop()
            && open::that_detached(format!("http://{shown}")).is_err()
        {
            writeln!(out, "No browser could be opened: go there yourself.")?;
            out.flush()?;
        }
        server.run(asked_to_end()).await?;
        Ok(())
    }
}

/// Whether somebody sits in front of a screen.
fn has_desktop() -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(target_os = "macos", target_os = "windows"))
        || set("DISPLAY")
        || set("WAYLAND_DISPLAY")
}

/// Ctrl-C, or the signal that ends programs.
async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
