//! Two-by-two tables: how something that happens in playouts goes together with winning them.

/// A value and its standard error.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    /// Whether the value is at least this many standard errors away from 0.
    pub fn is_beyond(&self, errors: f64) -> bool {
        self.value != 0.0 && self.value.abs() >= errors * self.error
    }

    /// The difference of two values; the errors are taken as independent.
    pub fn minus(&self, other: &Estimate) -> Estimate {
        Estimate { value: self.value - other.value, error: self.error.hypot(other.error) }
    }
}

/// Playouts by whether a player won (a, b) or lost (c, d) and whether something happened (a, c) or
/// did not (b, d).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Contingency {
    /// a: it happened and the player won.
    pub won_with: u64,
    /// b: it did not happen and the player won.
    pub won_without: u64,
    /// c: it happened and the player lost.
    pub lost_with: u64,
    /// d: it did not happen and the player lost.
    pub lost_without: u64,
}

impl Contingency {
    /// Playouts in the table.
    pub fn total(&self) -> u64 {
        self.with() + self.without()
    }

    /// Playouts in which it happened.
    pub fn with(&self) -> u64 {
        self.won_with + self.lost_with
    }

    /// Playouts in which it did not happen.
    pub fn without(&self) -> u64 {
        self.won_without + self.lost_without
    }

    /// The association, 2(ad - bc) / N^2: 0 if one tells nothing about the other, at most 1/2.
    ///
    /// The error is that of a function of multinomial shares p to first order: with g the
    /// derivatives of the value, its variance is (sum of g^2 p - (sum of g p)^2) / N.
    pub fn association(&self) -> Estimate {
        let total = self.total() as f64;
        if total == 0.0 {
            return Estimate::default();
        }
        let [a, b, c, d] = [self.won_with, self.won_without, self.lost_with, self.lost_without]
            .map(|n| n as f64 / total);
        let value = 2.0 * (a * d - b * c);
        let squares = 4.0 * (d * d * a + c * c * b + b * b * c + a * a * d);
        let variance = (squares - 4.0 * value * value) / total;
        Estimate { value, error: variance.max(0.0).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn association_and_error_are_those_of_drawn_playouts() {
        // Playouts with known shares, drawn again and again: the values scatter by the error.
        let shares = [0.3, 0.1, 0.15, 0.45];
        let mut random = crate::Random::new(3);
        let (rounds, playouts) = (400, 1000);
        let mut values = Vec::new();
        let mut errors = 0.0;
        for _ in 0..rounds {
            let mut cells = [0; 4];
            for _ in 0..playouts {
                let at = random.below(1 << 20) as f64 / f64::from(1 << 20);
                let mut sum = 0.0;
                let cell = shares.iter().position(|share| {
                    sum += share;
                    at < sum
                });
                cells[cell.unwrap_or(3)] += 1;
            }
            let [won_with, won_without, lost_with, lost_without] = cells;
            let table = Contingency { won_with, won_without, lost_with, lost_without };
            let Estimate { value, error } = table.association();
            values.push(value);
            errors += error / rounds as f64;
        }
        let mean = values.iter().sum::<f64>() / rounds as f64;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / rounds as f64;
        let exact = 2.0 * (0.3 * 0.45 - 0.1 * 0.15);
        assert!((mean - exact).abs() < 4.0 * errors / f64::from(rounds).sqrt());
        assert!((variance.sqrt() / errors - 1.0).abs() < 0.15, "{variance} {errors}");
        assert_eq!(Contingency::default().association(), Estimate::default());
    }
}
