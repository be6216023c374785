//! Sessions and analyses in this process: lines go in, answers come out, and no program is started.

mod analysis;
mod session;
mod support;
