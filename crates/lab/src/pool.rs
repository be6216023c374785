//! A pool of players that are to be rated: who plays whom next, and the rating list.

use serde::{Deserialize, Serialize};

use crate::finished::{Finished, Side};
use crate::folder::Header;
use crate::rating::{Meeting, Ratings};
use crate::statistics::Tally;

/// How opponents are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pairing {
    /// All play all, equally often.
    All,
    /// Games go where they tell most: between players of whom it is least known how far apart they
    /// are, and who are close enough for a game to tell.
    Adaptive,
}

/// Players that are to be rated.
#[derive(Clone, Debug)]
pub struct Pool {
    /// What tables call them.
    pub players: Vec<String>,
    /// The ratings of those that are known.
    pub anchors: Vec<Option<f64>>,
    /// How opponents are found.
    pub pairing: Pairing,
    /// Games of each pair; adaptive pairing plays as many in all and divides them.
    pub games: usize,
    /// Games that a pair plays in a row.
    pub batch: usize,
}

/// A player of the list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rated {
    /// Its place, from 1.
    pub rank: usize,
    /// The player.
    pub player: String,
    /// Its rating.
    pub elo: f64,
    /// Half of its 95 % interval.
    pub error: f64,
    /// Whether it was given.
    pub anchor: bool,
    /// Games played.
    pub games: usize,
    /// Share of the points, draws counting half.
    pub score: f64,
    /// Mean rating of the opponents it played.
    pub opposition: f64,
    /// How likely it is stronger than the next of the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above_next: Option<f64>,
}

/// The results of two players against each other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairResult {
    /// The one whose results they are.
    pub first: String,
    /// The other.
    pub second: String,
    /// Games won.
    pub wins: usize,
    /// Games nobody won.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
    /// Share of the points that the ratings make likely.
    pub expected: f64,
}

/// A rating list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RatingList {
    /// The command that made it.
    pub command: String,
    /// Lines of the board.
    pub size: u8,
    /// Points for White.
    pub komi: f32,
    /// The name of the rules.
    pub rules: String,
    /// Games played.
    pub games: usize,
    /// The strongest first.
    pub ratings: Vec<Rated>,
    /// Who played whom.
    pub pairs: Vec<PairResult>,
}

impl Pool {
    /// All who played these matches, and how each pair of them fared.
    pub fn of(
        played: &[(Header, Tally)],
        anchor: impl Fn(&str) -> Option<f64>,
    ) -> (Pool, Vec<Tally>) {
        let mut players: Vec<String> = Vec::new();
        for name in played.iter().flat_map(|(header, _)| [&header.first, &header.second]) {
            if !players.contains(name) {
                players.push(name.clone());
            }
        }
        let anchors = players.iter().map(|name| anchor(name)).collect();
        let pool = Pool { players, anchors, pairing: Pairing::All, games: 0, batch: 2 };
        let fared = |(i, j): (usize, usize)| {
            let (first, second) = (&pool.players[i], &pool.players[j]);
            let mut all = Tally::default();
            for (header, tally) in played {
                let (wins, losses) = match (&header.first, &header.second) {
                    pair if pair == (first, second) => (tally.wins, tally.losses),
                    pair if pair == (second, first) => (tally.losses, tally.wins),
                    _ => continue,
                };
                all.wins += wins;
                all.losses += losses;
                all.draws += tally.draws;
            }
            all
        };
        let tallies = pool.pairs().into_iter().map(fared).collect();
        (pool, tallies)
    }

    /// All pairs, in the order of the players.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let n = self.players.len();
        (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).collect()
    }

    /// Games that are to be played in all.
    pub fn total(&self) -> usize {
        self.pairs().len() * self.games
    }

    /// The pair that plays next, by its place in [`Pool::pairs`], and up to how many games; nothing
    /// if all is played. `tallies` has the results of each pair. Two players whose ratings are both
    /// given learn nothing from each other and do not play.
    pub fn next(&self, tallies: &[Tally]) -> Option<(usize, usize)> {
        let pairs = self.pairs();
        let both_known = |&(i, j): &(usize, usize)| {
            self.anchors[i].is_some() && self.anchors[j].is_some() && self.players.len() > 2
        };
        let open: Vec<usize> = (0..pairs.len()).filter(|&k| !both_known(&pairs[k])).collect();
        let batch = self.batch.max(1);
        match self.pairing {
            Pairing::All => {
                // The pair that has played least, so that the list is fair at any time.
                let left = open.into_iter().filter(|&k| tallies[k].games() < self.games);
                let next = left.min_by_key(|&k| (tallies[k].games() / batch, k))?;
                Some((next, (tallies[next].games() + batch).min(self.games)))
            }
            Pairing::Adaptive => {
                let played: usize = tallies.iter().map(Tally::games).sum();
                let left = (open.len() * self.games).saturating_sub(played);
                if left == 0 {
                    return None;
                }
                let ratings = self.ratings(tallies);
                // A game adds ln(1 + v p (1 - p)) to what is known of all ratings together, the
                // logarithm of the determinant of their information, v in natural units.
                let gain = |k: usize| {
                    let (i, j) = pairs[k];
                    let p = ratings.chance(i, j);
                    ratings.variance(i, j) * p * (1.0 - p)
                };
                let next = open.into_iter().reduce(|a, b| if gain(b) > gain(a) { b } else { a })?;
                Some((next, tallies[next].games() + batch.min(left)))
            }
        }
    }

    fn meetings(&self, tallies: &[Tally]) -> Vec<Meeting> {
        let pairs = self.pairs().into_iter().zip(tallies);
        pairs.map(|((first, second), &tally)| Meeting { first, second, tally }).collect()
    }

    fn ratings(&self, tallies: &[Tally]) -> Ratings {
        Ratings::new(self.players.len(), &self.meetings(tallies), &self.anchors)
    }

    /// The list, from what was played.
    pub fn list(&self, tallies: &[Tally], header: &Header, command: &str) -> RatingList {
        let ratings = self.ratings(tallies);
        let meetings = self.meetings(tallies);
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| ratings.elo[b].total_cmp(&ratings.elo[a]).then(a.cmp(&b)));
        let rated = |(place, &i): (usize, &usize)| {
            let (mut games, mut points, mut opposition) = (0, 0.0, 0.0);
            for meeting in &meetings {
                let n = meeting.tally.games();
                let won = meeting.tally.wins as f64 + meeting.tally.draws as f64 / 2.0;
                let (won, other) = match i {
                    _ if i == meeting.first => (won, meeting.second),
                    _ if i == meeting.second => (n as f64 - won, meeting.first),
                    _ => continue,
                };
                games += n;
                points += won;
                opposition += n as f64 * ratings.elo[other];
            }
            let n = games.max(1) as f64;
            Rated {
                rank: place + 1,
                player: self.players[i].clone(),
                elo: ratings.elo[i],
                error: ratings.error(i),
                anchor: self.anchors[i].is_some(),
                games,
                score: points / n,
                opposition: opposition / n,
                above_next: order.get(place + 1).map(|&j| ratings.superiority(i, j)),
            }
        };
        let result = |m: &Meeting| PairResult {
            first: self.players[m.first].clone(),
            second: self.players[m.second].clone(),
            wins: m.tally.wins,
            draws: m.tally.draws,
            losses: m.tally.losses,
            expected: ratings.chance(m.first, m.second),
        };
        RatingList {
            command: command.to_owned(),
            size: header.size,
            komi: header.komi,
            rules: header.rules.clone(),
            games: tallies.iter().map(Tally::games).sum(),
            ratings: order.iter().enumerate().map(rated).collect(),
            pairs: meetings.iter().filter(|m| m.tally.games() > 0).map(result).collect(),
        }
    }
}

/// The results of the first player of a match.
pub fn tally<'a>(games: impl IntoIterator<Item = &'a Finished>) -> Tally {
    let mut tally = Tally::default();
    for game in games {
        match game.winner {
            Some(Side::First) => tally.wins += 1,
            Some(Side::Second) => tally.losses += 1,
            None => tally.draws += 1,
        }
    }
    tally
}

/// A game as PGN, as BayesElo and others read results; White is who played White.
pub fn pgn(first: &str, second: &str, game: &Finished, size: u8) -> String {
    let name = |side: Side| if side == Side::First { first } else { second };
    let result = match game.winner {
        Some(winner) if winner == game.white => "1-0",
        Some(_) => "0-1",
        None => "1/2-1/2",
    };
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        "[Event \"Go, {size}x{size}\"]\n[Round \"{}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]\n\n{result}\n\n",
        game.game,
        quoted(name(game.white)),
        quoted(name(game.black)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(pairing: Pairing) -> Pool {
        Pool {
            players: ["a", "b", "c"].map(str::to_owned).into(),
            anchors: vec![None; 3],
            pairing,
            games: 6,
            batch: 2,
        }
    }

    fn won(wins: usize, losses: usize) -> Tally {
        Tally { wins, draws: 0, losses }
    }

    #[test]
    fn all_play_all_in_turn() {
        let pool = pool(Pairing::All);
        assert_eq!(pool.total(), 18);
        let mut tallies = [Tally::default(); 3];
        let mut order = Vec::new();
        while let Some((pair, games)) = pool.next(&tallies) {
            tallies[pair] = won(games, 0);
            order.push(pair);
        }
        assert_eq!(order, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
        assert!(tallies.iter().all(|t| t.games() == 6));
    }

    #[test]
    fn adaptive_pairing_asks_where_least_is_known() {
        let pool = pool(Pairing::Adaptive);
        // a and b have played much; c has not.
        let next = pool.next(&[won(5, 5), won(1, 1), won(1, 0)]);
        assert_eq!(next.map(|(pair, _)| pair != 0), Some(true));
        // All that was to be played is played.
        assert_eq!(pool.next(&[won(9, 9), won(0, 0), won(0, 0)]), None);
        // Of two who are far apart a game tells little.
        let mut lopsided = pool.clone();
        lopsided.games = 100;
        let next = lopsided.next(&[won(40, 0), won(40, 0), won(3, 3)]);
        assert_eq!(next, Some((2, 8)));
    }

    #[test]
    fn known_players_do_not_play_each_other_and_lists_are_sorted() {
        let mut pool = pool(Pairing::All);
        pool.anchors = vec![Some(1000.0), Some(1200.0), None];
        let (pair, _) = pool.next(&[Tally::default(); 3]).unwrap();
        assert_eq!(pair, 1);
        let header = Header {
            format: 1,
            first: String::new(),
            second: String::new(),
            size: 9,
            komi: 7.5,
            rules: "chinese".to_owned(),
            openings: String::new(),
            time: None,
            move_timeout: 1.0,
            referee: String::new(),
            seed: 1,
        };
        let list = pool.list(&[won(0, 0), won(3, 7), won(5, 5)], &header, "harie rate");
        let names: Vec<&str> = list.ratings.iter().map(|r| r.player.as_str()).collect();
        assert_eq!(names, ["b", "c", "a"]);
        assert!(list.ratings[0].anchor && list.ratings[0].error == 0.0);
        assert_eq!((list.ratings[1].games, list.ratings[1].score), (20, 0.6));
        assert_eq!((list.games, list.pairs.len()), (20, 2));
        let text = serde_json::to_string(&list).unwrap();
        assert_eq!(serde_json::from_str::<RatingList>(&text).unwrap().ratings.len(), 3);
    }
}
