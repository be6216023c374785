//! The Go Text Protocol, version 2: the language in which front ends and match tools talk to
//! engines. This crate knows lines, replies and interruptions; what a command does is up to a
//! [`Handler`], and how a move is found is not known here at all.
//!
//! - the language: [`Command`] reads a line, [`Arguments`] its words, [`reply`] writes the answer;
//! - an engine: [`serve`] reads commands while one is being carried out, so that an analysis ends
//!   when the next line comes ([`Talk::interrupt`]);
//! - the other side: [`Client`] runs an engine and asks it; a [`Process`] is a program that is spoken
//!   to line by line, in whatever language; [`end_all`] ends them before an exit.

mod argument;
mod child;
mod client;
mod command;
mod input;
mod last_words;
mod process;
pub mod reply;
mod server;

pub use argument::{Arguments, Syntax};
pub use child::end_all;
pub use client::{Client, ClientError};
pub use command::Command;
pub use input::{By, Interrupt, LONGEST_LINE};
pub use process::Process;
pub use server::{Failure, Handler, Reply, Talk, serve};
