//! Playing weaker on purpose, and like a person: shapes that people play, read less far, and no
//! blunder that a player of the level would see.

use std::fmt;
use std::str::FromStr;

use goban::{Move, Point};
use playout::Random;
use search::{Candidate, Report};

use crate::hanging::Hanging;

/// How many points a move that people play is usually worse than the best, roughly.
const USUAL_LOSS: f32 = 5.0;
/// How far apart the scores of playouts after one move usually lie, roughly, and how many playouts
/// this counts for.
const USUAL_SCATTER: (f32, f32) = (15.0, 4.0);

/// Levels with less freedom than this play what reading likes best.
const BY_READING: f32 = 0.02;

/// How strong to play: a rank from 20 kyu to 3 dan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(
    /// 0 for 20 kyu, 19 for 1 kyu, 20 for 1 dan.
    u8,
);

impl Level {
    /// The weakest.
    pub const WEAKEST: Level = Level(0);
    /// The strongest that is not full strength.
    pub const STRONGEST: Level = Level(22);

    /// The levels of the ladder, two ranks apart, the weakest first.
    pub fn ladder() -> impl Iterator<Item = Level> {
        (0..=Level::STRONGEST.0).step_by(2).map(Level)
    }

    /// Steps of two ranks above the weakest.
    fn steps(self) -> f32 {
        self.0 as f32 / 2.0
    }

    /// Playouts for a move: twice as many every two ranks.
    pub fn visits(self) -> u64 {
        (4.0 * 2f32.powf(self.steps())).round() as u64
    }

    /// How freely moves are chosen: 1 as the move model likes them, 0 the best.
    fn freedom(self) -> f32 {
        (1.0 - self.steps() / 11.0).max(0.0)
    }

    /// How much worse than the best a move may look and be played all the same.
    fn slack(self) -> f32 {
        0.02 + 0.35 * self.freedom().powi(4)
    }

    /// Points: a move that seems to cost so many more than the best is played a third as often.
    fn points(self) -> f32 {
        1.0 + 7.0 * self.freedom().powi(2)
    }

    /// The power of the move model's probabilities that moves are drawn with: 1 draws as people
    /// play, more as the likeliest of them do.
    fn power(self) -> f32 {
        1.0 / (0.3 + 0.7 * self.freedom().powi(3))
    }

    /// Moves about stones that hang, and how likely this level takes them to be at least. The move model
    /// has seen many stones in atari that were lost anyway, and tells them apart badly; whoever reads
    /// more goes by what is read.
    pub fn urged(self, hanging: &[Hanging]) -> Vec<(Point, f32)> {
        let mut moves: Vec<(Point, f32)> = Vec::new();
        if self.freedom() < BY_READING {
            return moves;
        }
        for (p, stones) in
            hanging.iter().flat_map(|h| h.moves.iter().map(|&p| (p, h.stones as f32)))
        {
            match moves.iter_mut().find(|(q, _)| *q == p) {
                Some((_, about)) => *about += stones,
                None => moves.push((p, stones)),
            }
        }
        let share = |stones: f32| self.freedom().sqrt() * stones / (stones + 1.0);
        moves.iter_mut().for_each(|(_, about)| *about = share(*about));
        moves
    }

    /// Chooses by what a search of this level's size has found. What it has not looked at is played
    /// too: a few playouts look at no more than what the move model likes best, and whoever plays
    /// nothing else plays well.
    pub fn choose(self, report: &Report, random: &mut Random) -> Option<Move> {
        let best = report.candidates.first()?;
        let freedom = self.freedom();
        if freedom < BY_READING {
            return Some(best.mv);
        }
        // What the search has looked at is judged by it; what it has not is taken to be like the
        // position as a whole.
        let worth = |c: &Candidate| {
            let trust = c.visits as f32 / (c.visits as f32 + 2.0);
            trust * c.winrate + (1.0 - trust) * report.winrate
        };
        let bar = worth(best) - self.slack();
        // Points count too, so that nothing is given away where every move wins, or none. A few
        // playouts say little about them while their scores are far apart.
        let shrinkage = 0.5 + variance(report) / USUAL_LOSS.powi(2);
        let points = |c: &Candidate| {
            let trust = c.visits as f32 / (c.visits as f32 + shrinkage);
            trust * c.score + (1.0 - trust) * report.score
        };
        let most = points(best);
        let kept = |c: &Candidate| (-(most - points(c)).max(0.0) / self.points()).exp();
        let power = self.power();
        let weight = |c: &Candidate| {
            let liked = c.prior.max(1e-6).powf(power);
            let tried = c.visits as f32 / report.visits.max(1) as f32;
            (liked * freedom * freedom + tried * (1.0 - freedom * freedom)) * kept(c)
        };
        let eligible = |c: &&Candidate| {
            c.mv == best.mv || c.mv != Move::Pass && c.prior > 0.005 && worth(c) >= bar
        };
        let unseen: Vec<Candidate> = report.unvisited().collect();
        let choices = report.candidates.iter().chain(&unseen).filter(eligible);
        let choices: Vec<(Move, f32)> = choices.map(|c| (c.mv, weight(c))).collect();
        let sum: f32 = choices.iter().map(|&(_, weight)| weight).sum();
        let mut left = sum * random.below(1 << 24) as f32 / (1 << 24) as f32;
        for (mv, weight) in choices {
            left -= weight;
            if left <= 0.0 {
                return Some(mv);
            }
        }
        Some(best.mv)
    }
}

/// The variance of the scores of playouts after one and the same move. That of all of them would
/// take what a bad move costs for chance.
fn variance(report: &Report) -> f32 {
    let (usual, counts) = USUAL_SCATTER;
    // Not every player knows how far scores lie apart.
    if report.score_deviation == 0.0 {
        return usual * usual;
    }
    let [mut visits, mut between] = [0.0; 2];
    for c in &report.candidates {
        visits += c.visits as f32;
        between += c.visits as f32 * (c.score - report.score).powi(2);
    }
    let within = (visits * report.score_deviation.powi(2) - between).max(0.0);
    let free = (visits - report.candidates.len() as f32).max(0.0);
    (counts * usual * usual + within) / (counts + free)
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            kyu @ 0..20 => f.pad(&format!("{}k", 20 - kyu)),
            dan => f.pad(&format!("{}d", dan - 19)),
        }
    }
}

/// Why a text is no level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoLevel(String);

impl fmt::Display for NoLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is no level: give a rank from {} to {}, such as 12k or 1d",
            self.0,
            Level::WEAKEST,
            Level::STRONGEST
        )
    }
}

impl std::error::Error for NoLevel {}

impl FromStr for Level {
    type Err = NoLevel;

    fn from_str(text: &str) -> Result<Level, NoLevel> {
        let none = || NoLevel(text.to_owned());
        let lower = text.trim().to_ascii_lowercase();
        let split = lower.find(|c: char| !c.is_ascii_digit()).ok_or_else(none)?;
        let number: i32 = lower[..split].parse().map_err(|_| none())?;
        let rank = match lower[split..].trim() {
            "k" | "kyu" if number >= 1 => 20i32.checked_sub(number),
            "d" | "dan" if number >= 1 => number.checked_add(19),
            _ => None,
        };
        let known = |rank: &i32| (0..=Level::STRONGEST.0 as i32).contains(rank);
        rank.filter(known).map(|rank| Level(rank as u8)).ok_or_else(none)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use goban::{Color, PointMap};

    use super::*;

    /// A won game with two moves that people like as well, which so many playouts have looked at. The
    /// scores after each lie about nine points apart; the second costs so many points.
    fn won(cost: f32, visits: [u64; 2]) -> Report {
        let candidate = |name: &str, score: f32, visits: u64| Candidate {
            mv: Move::Play(Point::parse(name).unwrap()),
            visits,
            winrate: 0.99,
            lcb: 0.9,
            score,
            prior: 0.4,
            line: Vec::new(),
            line_visits: Vec::new(),
            ownership: None,
        };
        let all = visits[0] + visits[1];
        let share = visits[1] as f32 / all as f32;
        Report {
            to_move: Color::Black,
            visits: all,
            playouts: all,
            elapsed: Duration::ZERO,
            winrate: 0.99,
            score: 40.0 - share * cost,
            score_deviation: (81.0 + share * (1.0 - share) * cost * cost).sqrt(),
            candidates: vec![
                candidate("C3", 40.0, visits[0]),
                candidate("G7", 40.0 - cost, visits[1]),
            ],
            others: Vec::new(),
            ownership: PointMap::filled(0.0),
        }
    }

    /// How often the second move is played.
    fn second(level: Level, report: &Report) -> f32 {
        let mut random = Random::new(1);
        let other = report.candidates[1].mv;
        let played = (0..4000).filter(|_| level.choose(report, &mut random) == Some(other));
        played.count() as f32 / 4000.0
    }

    #[test]
    fn points_count_where_every_move_wins() {
        for level in Level::ladder().filter(|&level| level < Level::STRONGEST) {
            let equal = [level.visits() / 2; 2];
            let shares = [0.0, 6.0, 15.0, 30.0, 60.0].map(|cost| second(level, &won(cost, equal)));
            assert!((shares[0] - 0.5).abs() < 0.03, "{level}: {} of two as good", shares[0]);
            assert!(
                shares.is_sorted_by(|less, more| less > more || *more < 0.01),
                "{level}: {shares:?}: the more is given away the less often"
            );
            // Four playouts tell a little, a hundred what fifteen stones are.
            let most = if level.visits() < 100 { 0.35 } else { 0.01 };
            assert!(shares[3] < most, "{level}: {} with fifteen stones given away", shares[3]);
        }
    }

    #[test]
    fn who_is_ahead_does_not_change_the_choice() {
        for level in Level::ladder() {
            let ahead = won(3.0, [level.visits() - 1, 1]);
            let mut behind = ahead.clone();
            behind.score -= 80.0;
            behind.candidates.iter_mut().for_each(|c| c.score -= 80.0);
            assert_eq!(second(level, &ahead), second(level, &behind), "{level}");
        }
    }

    #[test]
    fn moves_that_were_not_looked_at_are_played_less_the_higher_the_level() {
        let unseen = Move::Play(Point::parse("E5").unwrap());
        let share = |level: Level| {
            let mut report = won(0.0, [level.visits() / 2; 2]);
            report.others = vec![(unseen, 0.1), (Move::Pass, 0.1)];
            let mut random = Random::new(1);
            let drawn: Vec<_> = (0..4000).map(|_| level.choose(&report, &mut random)).collect();
            assert!(!drawn.contains(&Some(Move::Pass)), "{level}: a pass is never drawn");
            drawn.iter().filter(|&&mv| mv == Some(unseen)).count() as f32 / 4000.0
        };
        let shares: Vec<f32> = Level::ladder().map(share).collect();
        assert!((shares[0] - 1.0 / 9.0).abs() < 0.02, "as the model likes it: {shares:?}");
        let falls = shares.is_sorted_by(|low, high| low > high || *high < 0.002);
        assert!(falls, "{shares:?}");
        assert_eq!(shares.last(), Some(&0.0));
    }

    #[test]
    fn points_of_players_that_do_not_know_their_scatter_count_little() {
        let level = Level::WEAKEST;
        let unknown = Report { score_deviation: 0.0, ..won(6.0, [4, 4]) };
        assert!(second(level, &unknown) > 0.4);
    }

    #[test]
    fn ranks_are_read_and_written() {
        for level in Level::ladder() {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert_eq!(" 12 Kyu".parse(), Ok(Level(8)));
        assert_eq!("1dan".parse(), Ok(Level(20)));
        for bad in ["", "k", "0k", "21k", "4d", "12", "12x", "99999999999k", "-3k", "2147483647d"] {
            assert!(bad.parse::<Level>().is_err(), "{bad}");
        }
    }

    #[test]
    fn stronger_levels_think_more_and_choose_less_freely() {
        let ladder: Vec<Level> = Level::ladder().collect();
        for two in ladder.windows(2) {
            assert!(two[0].visits() < two[1].visits());
            assert!(two[0].freedom() >= two[1].freedom());
        }
    }
}
