//! The record of a game of a match.

use goban::{Color, Game};
use kifu::Tree;
use policy::{grouped, many};

use crate::finished::Finished;
use crate::seat::Opinion;

/// How a move came about.
pub struct Thought {
    /// How long it took.
    pub seconds: f64,
    /// What its player thinks of it.
    pub opinion: Option<Opinion>,
}

/// What a record says beyond the moves.
pub struct About<'a> {
    pub finished: &'a Finished,
    /// Names of Black and White.
    pub names: [String; 2],
    /// How the moves came about that somebody was asked for.
    pub thoughts: &'a [Thought],
    /// Seconds that each player had, if there was a clock.
    pub time: Option<f64>,
}

/// A game as SGF, with the time of each move, what is left on the clock or else a comment, and what its
/// player thinks of it.
pub fn to_sgf(game: &Game, about: &About<'_>) -> String {
    let size = game.board().size();
    let mut tree = Tree::new();
    let root = tree.root();
    let [black, white] = &about.names;
    let rules = game.rules().name().map_or_else(|| game.rules().to_string(), str::to_owned);
    let finished = about.finished;
    let mut comment = format!("Ended {} after {} moves", finished.ended, finished.moves);
    if finished.opening > 0 {
        comment += &format!(", {} of them the opening", finished.opening);
    }
    if let Some(why) = &finished.why {
        comment += &format!("\n{why}");
    }
    for note in &finished.notes {
        comment += &format!("\n{note}");
    }
    let mut properties = vec![
        ("FF", "4".to_owned()),
        ("GM", "1".to_owned()),
        ("AP", format!("Harie:{}", env!("CARGO_PKG_VERSION"))),
        ("SZ", size.side().to_string()),
        ("KM", game.komi().to_string()),
        ("RU", rules),
        ("GN", format!("Game {}", finished.game)),
        ("PB", black.clone()),
        ("PW", white.clone()),
        ("RE", finished.result.clone()),
        ("C", comment),
    ];
    if let Some(time) = about.time {
        properties.insert(9, ("TM", time.to_string()));
    }
    for (name, value) in &properties {
        // These names are all right.
        let _ = tree.set(root, name, [value]);
    }
    let mut left = [about.time; 2];
    let mut node = root;
    for (number, &(color, mv)) in game.moves().iter().enumerate() {
        node = tree.add_move(node, color, mv.point(), size);
        let thought = number.checked_sub(finished.opening).and_then(|n| about.thoughts.get(n));
        let Some(Thought { seconds, opinion }) = thought else { continue };
        let mut comment = Vec::new();
        match &mut left[color.index()] {
            Some(left) => {
                *left = (*left - seconds).max(0.0);
                let name = if color == Color::Black { "BL" } else { "WL" };
                let _ = tree.set(node, name, [format!("{left:.3}")]);
            }
            None => comment.push(format!("{seconds:.3} s")),
        }
        if let &Some(Opinion { winrate, score, visits, all }) = opinion {
            let (percent, all) = (100.0 * winrate, many(all as usize, "playout"));
            let visits = grouped(visits);
            comment.push(format!("{percent:.1} %, {score:+.1} points, {visits} of {all}"));
        }
        if !comment.is_empty() {
            let _ = tree.set(node, "C", [comment.join("; ")]);
        }
    }
    tree.to_sgf()
}
