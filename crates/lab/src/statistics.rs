//! What results prove: shares with their intervals, Elo, and the test that stops a match early.
//! Nothing here knows what was played.

/// The quantile of the normal distribution that leaves 2.5 % on either side.
const Z: f64 = 1.959_964;

/// Results of one player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games won.
    pub wins: usize,
    /// Games nobody won.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
}

impl Tally {
    /// Games played.
    pub fn games(&self) -> usize {
        self.wins + self.draws + self.losses
    }

    /// The share of the points, a draw being half a point; 1/2 before the first game.
    pub fn share(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            n => (self.wins as f64 + self.draws as f64 / 2.0) / n as f64,
        }
    }

    /// The 95 % interval of the share (Wilson, 1927). A draw counts as half a win and half a loss,
    /// which makes the interval rather too wide than too narrow.
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.share(), self.games())
    }
}

/// The 95 % interval of a share of `n`.
pub fn wilson(share: f64, n: usize) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let (p, n) = (share, n as f64);
    let middle = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    // Nothing and all are bounds themselves, which rounding may miss.
    let low = if p <= 0.0 { 0.0 } else { (middle - half) / scale };
    let high = if p >= 1.0 { 1.0 } else { (middle + half) / scale };
    (low.max(0.0), high.min(1.0))
}

/// The difference in Elo that makes this share likely; infinite at 0 and 1.
pub fn elo(share: f64) -> f64 {
    -400.0 * (1.0 / share - 1.0).log10()
}

/// The share that a difference in Elo makes likely.
pub fn share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// What a sequential test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Rather the lower difference.
    Lower,
    /// Rather the upper one.
    Upper,
    /// More games are needed.
    Open,
}

/// The sequential probability ratio test (Wald, 1945): is the difference rather `elo0` or `elo1`? It
/// errs in at most 5 % of the matches either way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The lower difference.
    pub elo0: f64,
    /// The upper one.
    pub elo1: f64,
}

impl Sprt {
    /// ln((1 - 0.05) / 0.05): where the test ends.
    pub const BOUND: f64 = 2.944_438_979_166_44;

    /// The log-likelihood ratio of the two differences. How often games are drawn is not known, so
    /// that each difference gets the likeliest shares of wins, draws and losses that go with it
    /// (the generalised test; M. Van den Bergh, "The generalized maximum likelihood ratio for the
    /// expectation value of a distribution").
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.games() == 0 {
            return 0.0;
        }
        // What has not happened yet is not impossible.
        let counts = [tally.losses, tally.draws, tally.wins].map(|n| (n as f64).max(1e-3));
        let n: f64 = counts.iter().sum();
        let pdf: Vec<(f64, f64)> =
            [0.0, 0.5, 1.0].into_iter().zip(counts.map(|count| count / n)).collect();
        let (s0, s1) = (share(self.elo0), share(self.elo1));
        let (x0, x1) = (tilt(&pdf, s0), tilt(&pdf, s1));
        let term =
            |&(a, p): &(f64, f64)| p * ((1.0 + x0 * (a - s0)).ln() - (1.0 + x1 * (a - s1)).ln());
        n * pdf.iter().map(term).sum::<f64>()
    }

    /// What the test says.
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        match self.llr(tally) {
            llr if llr >= Sprt::BOUND => Verdict::Upper,
            llr if llr <= -Sprt::BOUND => Verdict::Lower,
            _ => Verdict::Open,
        }
    }
}

/// The x for which p / (1 + x (a - s)) is a distribution with mean s: the likeliest one of that mean.
/// The sum falls in x, so that halving finds it.
fn tilt(pdf: &[(f64, f64)], s: f64) -> f64 {
    let sum = |x: f64| pdf.iter().map(|(a, p)| p * (a - s) / (1.0 + x * (a - s))).sum::<f64>();
    let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if sum(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: usize, draws: usize, losses: usize) -> Tally {
        Tally { wins, draws, losses }
    }

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} is not {b}");
    }

    #[test]
    fn wilsons_interval_is_the_published_one() {
        // Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (wins, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let (l, h) = tally(wins, 0, n - wins).interval();
            near(l, low, 5e-5);
            near(h, high, 5e-5);
        }
        assert_eq!(tally(0, 0, 0).interval(), (0.0, 1.0));
        for n in 1..100 {
            assert_eq!((tally(n, 0, 0).interval().1, tally(0, 0, n).interval().0), (1.0, 0.0));
        }
        // A draw is half a win and half a loss.
        assert_eq!(tally(10, 20, 10).interval(), tally(20, 0, 20).interval());
    }

    #[test]
    fn elo_and_shares() {
        near(elo(0.75), 190.848, 1e-3);
        near(elo(0.5), 0.0, 1e-9);
        near(elo(10.0 / 11.0), 400.0, 1e-9);
        assert_eq!(elo(1.0), f64::INFINITY);
        assert_eq!(elo(0.0), f64::NEG_INFINITY);
        for e in [-300.0, -1.0, 0.0, 50.0] {
            near(elo(share(e)), e, 1e-9);
        }
    }

    #[test]
    fn without_draws_the_test_is_walds() {
        let sprt = Sprt { elo0: 0.0, elo1: 50.0 };
        let (s0, s1) = (share(0.0), share(50.0));
        for (wins, losses) in [(60, 40), (40, 60), (500, 450), (3, 1)] {
            let (w, l) = (wins as f64, losses as f64);
            let exact = w * (s1 / s0).ln() + l * ((1.0 - s1) / (1.0 - s0)).ln();
            near(sprt.llr(&tally(wins, 0, losses)), exact, 2e-3);
        }
        assert_eq!(sprt.llr(&tally(0, 0, 0)), 0.0);
    }

    #[test]
    fn with_draws_it_is_the_generalised_one() {
        // For many games it is n (s1 - s0) (2 s - s0 - s1) / (2 variance).
        let sprt = Sprt { elo0: 0.0, elo1: 5.0 };
        let t = tally(2_100, 6_000, 1_900);
        let (s0, s1, s) = (share(0.0), share(5.0), t.share());
        let variance =
            (2_100.0 * (1.0 - s).powi(2) + 6_000.0 * (0.5 - s).powi(2) + 1_900.0 * s.powi(2))
                / 10_000.0;
        let normal = 10_000.0 * (s1 - s0) * (2.0 * s - s0 - s1) / (2.0 * variance);
        near(sprt.llr(&t), normal, 0.01);
        assert_eq!(sprt.verdict(&t), Verdict::Upper);
        assert_eq!(sprt.verdict(&tally(2_050, 6_000, 1_950)), Verdict::Open);
        assert_eq!(sprt.verdict(&tally(1_700, 6_000, 2_300)), Verdict::Lower);
    }

    #[test]
    fn the_test_survives_what_it_may_meet() {
        let sprt = Sprt { elo0: -10.0, elo1: 10.0 };
        for t in [tally(1, 0, 0), tally(0, 1, 0), tally(0, 0, 1), tally(100, 0, 0), tally(0, 50, 0)]
        {
            assert!(sprt.llr(&t).is_finite(), "{t:?}");
        }
        near(sprt.llr(&tally(7, 3, 5)), -sprt.llr(&tally(5, 3, 7)), 1e-9);
    }
}
