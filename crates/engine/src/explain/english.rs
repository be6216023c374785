//! Explanations in English.

use goban::{Color, Move, Point};
use knowledge::{Fact, LinkKind, Region, Stones};
use playout::statistics::{Before, JointPair, Wins};
use policy::grouped;

use super::{ExplainedMove, Explanation, Grade, MovePrior, Swing};

/// Moves of an expected line that are shown.
const LINE: usize = 6;

/// Everything there is to say, the most important first.
pub fn sentences(explanation: &Explanation) -> Vec<String> {
    let (color, best) = (explanation.color, &explanation.best);
    let mut all = Vec::new();
    match &explanation.played {
        None if explanation.is_drawn => {
            let looked = match best.visits {
                0 => "no playout".to_owned(),
                1 => "only one playout".to_owned(),
                n => format!("only {n} playouts"),
            };
            let mv = name(best.mv);
            all.push(format!("{mv} was drawn as people play: {looked} began with it."));
        }
        None => {
            let mv = if best.mv == Move::Pass { "to pass".to_owned() } else { name(best.mv) };
            all.push(format!("{color}'s best move is {mv}: {}.", worth(best, None)))
        }
        Some(played) => {
            all.push(verdict(explanation, played));
            // A move that is as good needs no better one; what comes out first is explanation.
            let what = match explanation.grade() {
                Grade::Good if explanation.is_searched => "The first choice of the search is",
                Grade::Good => "The first choice of the playouts is",
                _ => "Better was",
            };
            let mv = if best.mv == Move::Pass { "to pass".to_owned() } else { name(best.mv) };
            all.push(format!("{what} {mv}: {}.", worth(best, Some(played))));
        }
    }
    if let Some(prior) = best.prior {
        all.push(liked(explanation, prior));
    }
    all.extend(best.facts.iter().map(|fact| format!("{} {}.", name(best.mv), does(fact))));
    if let Some(played) = &explanation.played {
        all.extend(
            played
                .facts
                .iter()
                .filter(|fact| fact.is_bad())
                .map(|fact| format!("{} {}.", name(played.mv), does(fact))),
        );
        all.extend(explanation.swings.iter().map(|swing| fate(swing, best.mv, played.mv)));
        if let Some((region, points)) = explanation.territory {
            let place = place(region);
            all.push(format!("{} is worth about {points:.0} points more {place}.", name(best.mv)));
        }
    }
    let counts = [
        explanation.miai.as_ref().map(counted_pair),
        explanation.order.as_ref().map(counted_order),
    ];
    all.extend(
        counts.iter().flatten().map(|counted| format!("Counted in uniform playouts: {counted}")),
    );
    all.extend(line(explanation.color, best, "Expected"));
    if let Some(played) = &explanation.played {
        all.extend(line(explanation.color, played, "After the move played"));
    }
    all.into_iter().map(capital).collect()
}

/// A sentence begins with a capital, also where its first word is the pass.
fn capital(sentence: String) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `Black won 900 of the 1,200 playouts (75 %) in which it owned D4 or E5 at the end, …`
pub fn counted_pair(pair: &JointPair) -> String {
    let ([x, y], player) = (pair.points, pair.player);
    format!(
        "{player} won {} in which it owned {x} or {y} at the end, and {} in which it owned neither.",
        won(&pair.either, "playouts "),
        won(&pair.neither, "")
    )
}

/// `White won 900 of the 1,200 playouts (75 %) in which it played D4 before E5, …`
pub fn counted_order(order: &Before) -> String {
    let ((player, m), (_, n)) = (order.first, order.then);
    format!(
        "{player} won {} in which it played {m} before {n}, and {} in which it played {n} before {m}.",
        won(&order.ordered, "playouts "),
        won(&order.reversed, "")
    )
}

/// `900 of the 1,200 playouts (75 %)`
fn won(wins: &Wins, what: &str) -> String {
    let percent = 100.0 * wins.share().value;
    format!("{} of the {} {what}({percent:.0} %)", grouped(wins.won), grouped(wins.of))
}

fn verdict(explanation: &Explanation, played: &ExplainedMove) -> String {
    let (winrate, score) = explanation.loss();
    let word = match explanation.grade() {
        Grade::Good => return format!("{} is as good as the best move.", name(played.mv)),
        Grade::Slip => "a slip",
        Grade::Mistake => "a mistake",
        Grade::Blunder => "a blunder",
    };
    let costs = match (winrate >= 0.01, score >= 0.5) {
        (true, true) => format!("{:.0} % of the win rate and {score:.1} points", 100.0 * winrate),
        (true, false) => format!("{:.0} % of the win rate", 100.0 * winrate),
        _ => format!("{score:.1} points"),
    };
    let what = match played.mv {
        Move::Play(p) => format!("{} {p}", explanation.color),
        Move::Pass => format!("{}'s pass", explanation.color),
    };
    format!("{what} was {word}: it costs {costs}.")
}

/// `it wins 62 % of the playouts, ahead by 3.5 points`
fn worth(explained: &ExplainedMove, other: Option<&ExplainedMove>) -> String {
    let instead = other.map_or(String::new(), |other| {
        let few = other.few().map_or(String::new(), |_| format!(" of {}", playouts(other)));
        format!(" instead of {:.0} %{few}", 100.0 * other.winrate)
    });
    let stands = match explained.score {
        s if s >= 0.5 => format!("ahead by {s:.1} points"),
        s if s <= -0.5 => format!("behind by {:.1} points", -s),
        _ => "the score is even".to_owned(),
    };
    format!(
        "it wins {:.0} % of {}{instead}, {stands}",
        100.0 * explained.winrate,
        playouts(explained)
    )
}

/// What a win rate is a share of, and how little that is.
fn playouts(explained: &ExplainedMove) -> String {
    match explained.few() {
        Some(1) => "its only playout".to_owned(),
        Some(n) => format!("only {n} playouts"),
        None => "the playouts".to_owned(),
    }
}

/// What the move model thinks of the best move, and who prefers it where the model does not.
fn liked(explanation: &Explanation, prior: MovePrior) -> String {
    let (mv, share) = (explanation.best.mv, 100.0 * prior.probability);
    match prior.better {
        0 => format!(
            "By its shape {} is the first choice of the move model ({share:.0} %).",
            name(mv)
        ),
        n @ 1..5 => {
            format!(
                "By its shape {} is choice {} of the move model ({share:.0} %).",
                name(mv),
                n + 1
            )
        }
        _ => {
            let found = match (explanation.is_drawn, explanation.is_searched) {
                (true, _) => "",
                (false, true) => ": the search found it",
                (false, false) => ": it did best in the playouts",
            };
            format!("By its shape {} is unusual ({share:.1} %){found}.", name(mv))
        }
    }
}

/// What a move does, as a predicate.
fn does(fact: &Fact) -> String {
    match fact {
        Fact::Captures(taken, 0) => format!("captures {}", stones(taken)),
        Fact::Captures(taken, 1) => format!("captures {} and so frees one in atari", stones(taken)),
        Fact::Captures(taken, freed) => {
            format!("captures {} and so frees {} in atari", stones(taken), number(*freed))
        }
        Fact::Ladder(caught) => format!("catches {} in a ladder", stones(caught)),
        Fact::Atari(chased) => format!("puts {} into atari", stones(chased)),
        Fact::Saves(saved) => format!("brings {} out of atari", stones(saved)),
        Fact::RunsInLadder(caught) => {
            format!("runs with {}, but the ladder catches {}", stones(caught), them(caught))
        }
        Fact::StopsLadder(saved) => {
            format!("protects {}, which a ladder would have caught", stones(saved))
        }
        Fact::SelfAtari(own) => format!("puts {} into atari by itself", stones(own)),
        Fact::FillsEye => "fills an eye of its own".to_owned(),
        Fact::Ko => "takes the ko".to_owned(),
        Fact::Connects(a, b) => format!("connects {} with {}", stones(a), plain(b)),
        Fact::Cuts(a, b) => format!("cuts {} off from {}", stones(b), plain(a)),
        Fact::MakesEye(own) => format!("makes an eye for {}", stones(own)),
        Fact::TakesEye(of) => format!("takes an eye from {}", stones(of)),
        Fact::Shape(kind, from) => format!("is {} from {from}", shape(*kind)),
        Fact::Opens(region) => format!("takes the open area {}", place(*region)),
        Fact::Reaches(points) => format!("extends the influence by {points} points"),
    }
}

fn shape(kind: LinkKind) -> String {
    match kind {
        LinkKind::Bamboo => "a bamboo joint".to_owned(),
        LinkKind::Diagonal => "a diagonal move".to_owned(),
        other => format!("a {}", other.name()),
    }
}

/// `With H3 the four black stones at C3 die with 83 %, with E5 with 21 %.`
fn fate(swing: &Swing, best: Move, played: Move) -> String {
    let (whose, one) = (stones(&swing.stones), swing.stones.count == 1);
    let percent = |survives: f32| format!("{:.0} %", 100.0 * survives);
    let (dies, lives) = if one { ("dies", "lives") } else { ("die", "live") };
    let (best, played) = (name(best), name(played));
    match swing.best > swing.played {
        true => {
            let [bad, good] = [1.0 - swing.played, 1.0 - swing.best].map(percent);
            format!("After {played} {whose} {dies} with {bad}, after {best} with {good}.")
        }
        false => {
            let [bad, good] = [swing.played, swing.best].map(percent);
            format!("After {played} {whose} {lives} with {bad}, after {best} with {good}.")
        }
    }
}

/// `the four black stones at C3`
fn stones(stones: &Stones) -> String {
    let Stones { color, at, count } = *stones;
    let color = color.to_string().to_lowercase();
    match count {
        1 => format!("the {color} stone at {at}"),
        n => format!("the {} {color} stones at {at}", number(n)),
    }
}

fn plain(stones: &Stones) -> String {
    match stones.count {
        1 => format!("the stone at {}", stones.at),
        n => format!("the {} at {}", number(n), stones.at),
    }
}

fn them(stones: &Stones) -> &'static str {
    if stones.count == 1 { "it" } else { "them" }
}

fn number(n: usize) -> String {
    const WORDS: [&str; 12] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let word = n.checked_sub(1).and_then(|i| WORDS.get(i));
    word.map_or_else(|| n.to_string(), |word| (*word).to_owned())
}

fn place(region: Region) -> &'static str {
    match region {
        Region::UpperLeft => "in the upper left corner",
        Region::Upper => "on the upper side",
        Region::UpperRight => "in the upper right corner",
        Region::Left => "on the left side",
        Region::Centre => "in the centre",
        Region::Right => "on the right side",
        Region::LowerLeft => "in the lower left corner",
        Region::Lower => "on the lower side",
        Region::LowerRight => "in the lower right corner",
    }
}

fn name(mv: Move) -> String {
    match mv {
        Move::Play(p) => Point::to_string(&p),
        Move::Pass => "the pass".to_owned(),
    }
}

/// `Expected: Black D4, White C3, …`
fn line(color: Color, explained: &ExplainedMove, what: &str) -> Option<String> {
    let mut player = color;
    let mut moves = Vec::new();
    for mv in explained.line.iter().take(LINE) {
        moves.push(format!("{player} {mv}"));
        player = !player;
    }
    (moves.len() > 1).then(|| format!("{what}: {}.", moves.join(", ")))
}
