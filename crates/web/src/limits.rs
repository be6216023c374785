//! What a client may ask for. Every limit is here, so that it is one look to see what a server gives.

use std::time::Duration;

/// What a server gives to those who connect.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Boards that are kept at once; the longest unused goes when another is asked for.
    pub boards: usize,
    /// Connections at once.
    pub connections: usize,
    /// A socket on which nothing comes for so long is closed.
    pub silence: Duration,
    /// How long a board is kept that nobody looks at.
    pub idle: Duration,
    /// Bytes of a message, and of a game record.
    pub message: usize,
    /// Messages a second, in the long run; more are read later.
    pub rate: f64,
    /// Messages that may come at once.
    pub burst: f64,
    /// Nodes of a game with all its variations.
    pub nodes: usize,
    /// Moves from the start to the end of a line: superko looks at each pair of them.
    pub depth: usize,
    /// Problems of a set, and games of its file that are read.
    pub problems: usize,
    /// Nodes of all problems of a set together.
    pub problem_nodes: usize,
    /// Records that are read at once; the others wait.
    pub reading: usize,
    /// Bytes of comments, marks and setup that are written to a game before it is to be saved and
    /// loaded again: what is replaced stays in memory until then.
    pub written: usize,
    /// The longest that the engine thinks about a move.
    pub think: Duration,
    /// The longest that a solver reads a problem; it is not interrupted.
    pub solve: Duration,
    /// How long one analysis goes on; it can be asked for again.
    pub analyse: Duration,
    /// The most playouts of an analysis.
    pub visits: u64,
    /// Memory for what is thought at one board, in megabytes.
    pub megabytes: usize,
    /// How long a worker stays at a board before it looks after the next.
    pub slice: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            boards: 200,
            connections: 256,
            silence: Duration::from_secs(90),
            idle: Duration::from_secs(24 * 3600),
            message: 512 << 10,
            rate: 30.0,
            burst: 60.0,
            nodes: 20_000,
            depth: 2000,
            problems: 2000,
            problem_nodes: 100_000,
            reading: 2,
            written: 4 << 20,
            think: Duration::from_secs(20),
            solve: Duration::from_secs(5),
            analyse: Duration::from_secs(120),
            visits: 500_000,
            megabytes: 24,
            slice: Duration::from_millis(250),
        }
    }
}
