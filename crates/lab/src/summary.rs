//! What came out of a match, as data.

use std::collections::{BTreeMap, BTreeSet};

use goban::Color;
use serde::Serialize;

use crate::contest::Plan;
use crate::finished::{Effort, Ended, Finished, Side};
use crate::folder::Header;
use crate::statistics::{Sprt, Tally, Verdict, elo};

/// Results of the first player.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Counts {
    /// Games won.
    pub wins: usize,
    /// Games nobody won.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
    /// Share of the points, draws counting half.
    pub share: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

impl From<Tally> for Counts {
    fn from(tally: Tally) -> Counts {
        let Tally { wins, draws, losses } = tally;
        let (low, high) = tally.interval();
        Counts { wins, draws, losses, share: tally.share(), interval: [low, high] }
    }
}

/// What a player did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerSummary {
    /// As described.
    pub player: String,
    /// Moves that it was asked for.
    pub moves: usize,
    /// Mean of a move.
    pub seconds_a_move: f64,
    /// The longest move.
    pub longest: f64,
    /// Games lost because the clock ran out.
    pub lost_on_time: usize,
    /// Games lost by a crash, an illegal move, a refusal or no answer.
    pub forfeits: usize,
}

/// The sequential test.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtSummary {
    /// The lower difference.
    pub elo0: f64,
    /// The upper one.
    pub elo1: f64,
    /// Log-likelihood ratio.
    pub llr: f64,
    /// Where it ends, above and, negative, below.
    pub bound: f64,
    /// `elo0`, `elo1` or `open`.
    pub verdict: &'static str,
}

/// What came out of a match, seen from the first player.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// What was played.
    #[serde(rename = "match")]
    pub header: Header,
    /// Games that were to be played.
    pub planned: usize,
    /// Games that were.
    pub games: usize,
    /// All games.
    pub all: Counts,
    /// Those with Black.
    pub as_black: Counts,
    /// Those with White.
    pub as_white: Counts,
    /// The difference in Elo; none if one player took all the points.
    pub elo: Option<f64>,
    /// Its 95 % interval, from that of the share.
    pub elo_interval: [Option<f64>; 2],
    /// How games ended.
    pub endings: BTreeMap<Ended, usize>,
    /// The first and the second player.
    pub players: [PlayerSummary; 2],
    /// The test, if there is one.
    pub sprt: Option<SprtSummary>,
    /// Who did not play, or count, by the rules of the match, and by which.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub notes: BTreeSet<String>,
}

impl Summary {
    pub(crate) fn new<'a>(
        header: &Header,
        games: impl Iterator<Item = &'a Finished>,
        plan: &Plan,
    ) -> Summary {
        let mut by_color = [Tally::default(); 2];
        let (mut endings, mut notes) = (BTreeMap::new(), BTreeSet::new());
        let mut efforts = [Effort::default(); 2];
        let (mut on_time, mut forfeits) = ([0; 2], [0; 2]);
        for game in games {
            let color = if game.black == Side::First { Color::Black } else { Color::White };
            let tally = &mut by_color[color.index()];
            match game.winner {
                Some(Side::First) => tally.wins += 1,
                Some(Side::Second) => tally.losses += 1,
                None => tally.draws += 1,
            }
            *endings.entry(game.ended).or_default() += 1;
            notes.extend(game.notes.iter().cloned());
            for side in Side::BOTH {
                efforts[side.index()].join(game.effort(side));
            }
            if let Some(loser) = game.winner.map(Side::other) {
                match game.ended {
                    Ended::Time => on_time[loser.index()] += 1,
                    Ended::Score | Ended::Resignation | Ended::Length => {}
                    _ => forfeits[loser.index()] += 1,
                }
            }
        }
        let [black, white] = by_color;
        let all = Tally {
            wins: black.wins + white.wins,
            draws: black.draws + white.draws,
            losses: black.losses + white.losses,
        };
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        let (low, high) = all.interval();
        let player = |side: Side, name: &str| {
            let (index, effort) = (side.index(), &efforts[side.index()]);
            PlayerSummary {
                player: name.to_owned(),
                moves: effort.moves,
                seconds_a_move: effort.seconds / effort.moves.max(1) as f64,
                longest: effort.longest,
                lost_on_time: on_time[index],
                forfeits: forfeits[index],
            }
        };
        Summary {
            header: header.clone(),
            planned: plan.games,
            games: all.games(),
            all: all.into(),
            as_black: black.into(),
            as_white: white.into(),
            elo: finite(elo(all.share())),
            elo_interval: [finite(elo(low)), finite(elo(high))],
            endings,
            players: [player(Side::First, &header.first), player(Side::Second, &header.second)],
            sprt: plan.sprt.map(|sprt| SprtSummary {
                elo0: sprt.elo0,
                elo1: sprt.elo1,
                llr: sprt.llr(&all),
                bound: Sprt::BOUND,
                verdict: match sprt.verdict(&all) {
                    Verdict::Lower => "elo0",
                    Verdict::Upper => "elo1",
                    Verdict::Open => "open",
                },
            }),
            notes,
        }
    }

    /// The results of the first player.
    pub fn tally(&self) -> Tally {
        let Counts { wins, draws, losses, .. } = self.all;
        Tally { wins, draws, losses }
    }
}
