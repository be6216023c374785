//! Reading from streams: memory, borders of pieces, errors, games that are too long.

use std::io::{self, Read};

use kifu::{NodeId, Reader};

use crate::texts;

/// Makes games as they are asked for.
struct Endless {
    game: Vec<u8>,
    at: usize,
    left: u64,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = buffer.len().min(self.left as usize).min(self.game.len() - self.at);
        buffer[..n].copy_from_slice(&self.game[self.at..self.at + n]);
        self.at = (self.at + n) % self.game.len();
        self.left -= n as u64;
        Ok(n)
    }
}

#[test]
fn memory_is_that_of_a_game_not_of_the_file() {
    let game = format!("(;GM[1]SZ[19]{})\n", ";B[pd];W[dp]".repeat(100)).into_bytes();
    let games = 100_000;
    let length = game.len() as u64 * games;
    assert!(length > 100_000_000);
    let mut reader = Reader::new(Endless { game, at: 0, left: length });
    let mut warnings = Vec::new();
    let (mut count, mut most) = (0, 0);
    while let Some(tree) = reader.next_game(&mut warnings).unwrap() {
        count += 1;
        most = most.max(reader.buffered());
        assert_eq!(tree.len(), 201);
        assert_eq!(tree.origin().line, count);
    }
    assert_eq!((count as u64, warnings.len()), (games, 0));
    assert!(most <= 256 * 1024, "the buffer grew to {most} bytes");
}

#[test]
fn stray_text_takes_no_memory() {
    let game = b"all work and no play (makes jack a dull boy)\n".to_vec();
    let mut reader = Reader::new(Endless { game, at: 0, left: 100_000_000 });
    let mut warnings = Vec::new();
    assert_eq!(reader.next_game(&mut warnings).unwrap(), None);
    assert!(reader.buffered() <= 256 * 1024);
    assert_eq!(warnings.len(), 1);
}

#[test]
fn a_large_buffer_is_given_back() {
    let large = format!("(;C[{}])", "x".repeat(8 << 20));
    let small = "(;B[aa])\n".repeat(100_000);
    let text = large + &small;
    let mut reader = Reader::new(text.as_bytes());
    let mut warnings = Vec::new();
    reader.next_game(&mut warnings).unwrap().unwrap();
    assert!(reader.buffered() >= 8 << 20);
    while reader.next_game(&mut warnings).unwrap().is_some() {}
    assert!(reader.buffered() <= 256 * 1024, "{}", reader.buffered());
}

#[test]
fn games_longer_than_the_limit_are_skipped() {
    let long = format!("(;GM[1]C[{}]\n;B[aa]\n(;W[bb]))\n", "x".repeat(1000));
    let short = "(;GM[1];B[cc])\n";
    let text = format!("{short}{long}{short}{long}{long}{short}");
    let mut reader = Reader::new(text.as_bytes()).with_limit(1000);
    let mut warnings = Vec::new();
    let mut lines = Vec::new();
    while let Some(tree) = reader.next_game(&mut warnings).unwrap() {
        assert_eq!(tree.len(), 2);
        lines.push(tree.origin().to_string());
    }
    assert_eq!(lines, ["game 1, line 1", "game 3, line 5", "game 6, line 12"]);
    let skipped = "the game is longer than 1000 bytes; 1028 bytes were skipped, up to the next \
                   line that starts a game";
    let places = ["game 2, line 2", "game 4, line 6", "game 5, line 9"];
    assert_eq!(texts(&warnings), places.map(|place| format!("{place}: {skipped}")));
}

#[test]
fn the_limit_is_exact() {
    let game = "(;GM[1];B[aa])";
    for (limit, taken) in [(game.len(), true), (game.len() - 1, false)] {
        let mut reader = Reader::new(game.as_bytes()).with_limit(limit);
        let mut warnings = Vec::new();
        assert_eq!(reader.next_game(&mut warnings).unwrap().is_some(), taken);
        assert_eq!(warnings.is_empty(), taken);
    }
}

#[test]
fn an_endless_game_takes_bounded_memory() {
    let game = b";B[aa]".to_vec();
    let source = b"(;GM[1]".chain(Endless { game, at: 0, left: 100_000_000 });
    let mut reader = Reader::new(source.chain(&b"\n(;GM[1];B[cc])"[..])).with_limit(1 << 20);
    let mut warnings = Vec::new();
    let tree = reader.next_game(&mut warnings).unwrap().unwrap();
    assert_eq!((tree.len(), tree.origin().game), (2, 2));
    assert!(reader.buffered() < 4 << 20, "{}", reader.buffered());
    assert_eq!(
        texts(&warnings),
        ["game 1, line 1: the game is longer than 1048576 bytes; 100000008 bytes were skipped, \
          up to the next line that starts a game"]
    );
}

#[test]
fn borders_of_pieces_do_not_matter() {
    // Whatever lies across the border: escapes, pairs, starts of games, line breaks.
    // The second game is long, or its start would have brought its end into the window.
    let long = "y".repeat(300);
    let tail = format!(
        "]PB[表評]C[a\\]b\\\\](;B[aa])(;B[bb]))\r\n(;GM[1]C[{long}]\r\n(;SZ[9]C[\r\n\
         (;PB[x]B[bb])\r\n junk (;)\n\r(GM[1])"
    );
    let read = |padding: usize| {
        let text = format!("(;CA[Shift_JIS]N[{}{tail}", "x".repeat(padding));
        kifu::read(&encoding_rs::SHIFT_JIS.encode(&text).0)
    };
    let (plain, wanted) = read(0);
    assert_eq!((plain.len(), wanted.len()), (6, 4));
    for padding in 65_536 - 2 * tail.len()..65_536 {
        let (mut trees, warnings) = read(padding);
        trees[0].set(NodeId::ROOT, "N", [""]).unwrap();
        assert_eq!(trees, plain, "{padding}");
        assert_eq!(texts(&warnings), texts(&wanted), "{padding}");
    }
}

/// Fails after some bytes.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk is on fire")),
            n => Ok(n),
        }
    }
}

#[test]
fn what_came_before_an_error_is_kept() {
    let mut reader = Reader::new(Failing(b"(;GM[1];B[aa])(;GM[1];B[bb]"));
    let mut warnings = Vec::new();
    assert_eq!(reader.next_game(&mut warnings).unwrap().unwrap().len(), 2);
    assert_eq!(warnings, []);
    assert_eq!(reader.next_game(&mut warnings).unwrap().unwrap().len(), 2);
    assert_eq!(warnings.len(), 1);
    let error = reader.next_game(&mut warnings).unwrap_err();
    assert_eq!(error.to_string(), "the disk is on fire");
    assert_eq!(reader.next_game(&mut warnings).unwrap(), None);
}
