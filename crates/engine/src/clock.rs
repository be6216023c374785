//! Time: the controls that games are played with, what is left, and how much a move may take.

use std::time::Duration;

use goban::{Color, Size};

/// The time control of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// No limit: the engine thinks as long as its options say.
    None,
    /// All moves in this time.
    Absolute {
        /// For the whole game.
        main: Duration,
    },
    /// Each move adds to the time left.
    Increment {
        /// At the start.
        main: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// After the main time, so many stones in each period.
    Canadian {
        /// Before overtime.
        main: Duration,
        /// Of overtime.
        period: Duration,
        /// To be played in each period, at least 1.
        stones: u32,
    },
    /// After the main time, periods of which one is lost whenever a move takes longer.
    Byoyomi {
        /// Before overtime.
        main: Duration,
        /// For a move.
        period: Duration,
        /// That may be used up, at least 1.
        periods: u32,
    },
}

/// Kept back from every move for what the clock sees and we do not: pipes, front ends, networks.
const LAG: Duration = Duration::from_millis(40);

/// What a player has left: in main time if `stones` is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Left {
    time: Duration,
    stones: u32,
}

/// How long a move may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// As a rule.
    pub time: Duration,
    /// At most, when the choice is open.
    pub most: Duration,
    /// Whether time that is not used is there for later moves.
    pub is_kept: bool,
}

/// Both players' clocks.
#[derive(Clone, Debug)]
pub struct Clock {
    /// As it was set.
    control: TimeControl,
    /// What each player's clock goes by: what the server says is left, where nothing was set.
    controls: [TimeControl; 2],
    left: [Left; 2],
}

impl Clock {
    /// Full clocks.
    pub fn new(control: TimeControl) -> Clock {
        let left = match control {
            TimeControl::None => Left { time: Duration::ZERO, stones: 0 },
            TimeControl::Absolute { main } | TimeControl::Increment { main, .. } => {
                Left { time: main, stones: 0 }
            }
            TimeControl::Canadian { main, period, stones } if main.is_zero() => {
                Left { time: period, stones: stones.max(1) }
            }
            TimeControl::Byoyomi { main, period, periods } if main.is_zero() => {
                Left { time: period, stones: periods.max(1) }
            }
            TimeControl::Canadian { main, .. } | TimeControl::Byoyomi { main, .. } => {
                Left { time: main, stones: 0 }
            }
        };
        Clock { control, controls: [control; 2], left: [left; 2] }
    }

    /// Full clocks again, for another game.
    pub fn restart(&mut self) {
        *self = Clock::new(self.control);
    }

    /// What the server says a player has left: in main time if `stones` is 0.
    pub fn set_left(&mut self, color: Color, time: Duration, stones: u32) {
        self.left[color.index()] = Left { time, stones };
        if self.control == TimeControl::None {
            self.controls[color.index()] = match stones {
                // Some servers tell zero where there is no limit.
                0 if time.is_zero() && self.controls[color.index()] == TimeControl::None => {
                    TimeControl::None
                }
                0 => TimeControl::Absolute { main: time },
                _ => TimeControl::Canadian { main: Duration::ZERO, period: time, stones },
            };
        }
    }

    /// Takes the time of a move off a clock, where nobody else keeps it.
    pub fn spend(&mut self, color: Color, spent: Duration) {
        let control = self.controls[color.index()];
        let left = &mut self.left[color.index()];
        if left.stones == 0 && spent <= left.time {
            left.time -= spent;
            if let TimeControl::Increment { increment, .. } = control {
                left.time += increment;
            }
            return;
        }
        let over = if left.stones == 0 { spent - left.time } else { spent };
        match control {
            TimeControl::None | TimeControl::Absolute { .. } | TimeControl::Increment { .. } => {
                left.time = Duration::ZERO;
            }
            TimeControl::Canadian { period, stones, .. } => {
                let was = if left.stones == 0 {
                    (period, stones.max(1))
                } else {
                    (left.time, left.stones)
                };
                *left = Left { time: was.0.saturating_sub(over), stones: was.1 - 1 };
                if left.stones == 0 {
                    *left = Left { time: period, stones: stones.max(1) };
                }
            }
            TimeControl::Byoyomi { period, periods, .. } => {
                let had = if left.stones == 0 { periods.max(1) } else { left.stones };
                let used = (over.as_secs_f64() / period.as_secs_f64().max(1e-3)) as u32;
                *left = Left { time: period, stones: had.saturating_sub(used).max(1) };
            }
        }
    }

    /// How long the next move of a player may take, or `None` if there is no clock. `made` moves of
    /// both players were made on a board of this size.
    pub fn allowance(&self, color: Color, size: Size, made: usize) -> Option<Allowance> {
        let control = self.controls[color.index()];
        let left = self.left[color.index()];
        // Own moves still to come: a game takes about three quarters of the points, but is never
        // just about to end.
        let to_come = (0.75 * size.area() as f64 - made as f64) / 2.0;
        let to_come = to_come.max(0.15 * size.area() as f64).max(4.0);
        let lag = match control {
            // Every move to come costs that much: with less, moves are made at once.
            TimeControl::Absolute { .. } => LAG.mul_f64(to_come),
            // So does every stone of a period, but some time is left to think in short ones.
            TimeControl::Canadian { .. } if left.stones > 1 => {
                LAG.saturating_mul(left.stones).min(left.time / 2)
            }
            _ => LAG,
        };
        let usable = left.time.saturating_sub(lag);
        let (time, most) = match control {
            TimeControl::None => return None,
            TimeControl::Byoyomi { .. } if left.stones > 0 => {
                // Periods beyond the last may be used up when the choice is open.
                let spare = if left.stones > 1 { left.time } else { Duration::ZERO };
                (usable, usable + spare / 2)
            }
            TimeControl::Canadian { .. } if left.stones > 0 => {
                let share = usable / left.stones;
                (share, if left.stones > 1 { share * 3 / 2 } else { share })
            }
            TimeControl::Absolute { .. } | TimeControl::Increment { .. } => {
                let increment = match control {
                    TimeControl::Increment { increment, .. } => increment,
                    _ => Duration::ZERO,
                };
                let share = usable.div_f64(to_come) + increment.mul_f64(0.9);
                (share, share * 2)
            }
            TimeControl::Canadian { period, stones, .. } => {
                let share = usable.div_f64(to_come) + period / stones.max(1);
                (share, share * 2)
            }
            TimeControl::Byoyomi { period, .. } => {
                let share = usable.div_f64(to_come) + period.saturating_sub(LAG);
                (share, share * 2)
            }
        };
        // Where time runs out for good, never more than a part of what is left.
        let last = match control {
            TimeControl::Absolute { .. } | TimeControl::Increment { .. } => usable / 4,
            TimeControl::Byoyomi { period, .. } if left.stones == 0 => {
                usable + period.saturating_sub(LAG)
            }
            TimeControl::Canadian { period, stones, .. } if left.stones == 0 => {
                usable + period / stones.max(1) / 2
            }
            TimeControl::Byoyomi { .. } if left.stones > 1 => usable * 2,
            _ => usable,
        };
        let is_kept = match control {
            TimeControl::Byoyomi { .. } => left.stones == 0,
            TimeControl::Canadian { .. } => left.stones != 1,
            _ => true,
        };
        Some(Allowance { time: time.min(last), most: most.min(last), is_kept })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(s: f64) -> Duration {
        Duration::from_secs_f64(s)
    }

    /// Plays as slowly as it may and says the least time that was ever left.
    fn play(control: TimeControl, size: Size, moves: usize) -> Duration {
        let mut clock = Clock::new(control);
        let mut least = Duration::MAX;
        for made in 0..moves {
            let allowance = clock.allowance(Color::Black, size, 2 * made).unwrap();
            let left = clock.left[0];
            let spent = allowance.most + LAG / 2;
            if left.stones == 1
                || !matches!(control, TimeControl::Byoyomi { .. }) && left.stones == 0
            {
                least = least.min((left.time + overtime(control)).saturating_sub(spent));
            }
            clock.spend(Color::Black, spent);
        }
        least
    }

    fn overtime(control: TimeControl) -> Duration {
        match control {
            TimeControl::Canadian { period, .. } | TimeControl::Byoyomi { period, .. } => period,
            _ => Duration::ZERO,
        }
    }

    #[test]
    fn time_is_never_used_up() {
        let period = seconds(5.0);
        let controls = [
            TimeControl::Absolute { main: seconds(10.0) },
            TimeControl::Absolute { main: seconds(900.0) },
            TimeControl::Increment { main: seconds(5.0), increment: seconds(0.5) },
            TimeControl::Canadian { main: seconds(20.0), period, stones: 10 },
            TimeControl::Canadian { main: seconds(0.0), period, stones: 1 },
            TimeControl::Byoyomi { main: seconds(30.0), period, periods: 3 },
            TimeControl::Byoyomi { main: seconds(0.0), period, periods: 1 },
        ];
        for control in controls {
            for size in [Size::NINE, Size::NINETEEN] {
                let least = play(control, size, size.area() * 6 / 10);
                assert!(least > Duration::ZERO, "{control:?} {size}: {least:?}");
            }
        }
    }

    #[test]
    fn overtime_is_counted_as_the_rules_say() {
        let period = seconds(10.0);
        let mut clock = Clock::new(TimeControl::Canadian { main: seconds(5.0), period, stones: 2 });
        clock.spend(Color::White, seconds(6.0));
        assert_eq!(clock.left[1], Left { time: seconds(9.0), stones: 1 });
        clock.spend(Color::White, seconds(3.0));
        assert_eq!(clock.left[1], Left { time: period, stones: 2 });
        let mut clock = Clock::new(TimeControl::Byoyomi { main: seconds(5.0), period, periods: 3 });
        clock.spend(Color::Black, seconds(16.0));
        assert_eq!(clock.left[0], Left { time: period, stones: 2 });
        clock.spend(Color::Black, seconds(9.0));
        assert_eq!(clock.left[0], Left { time: period, stones: 2 });
    }

    #[test]
    fn every_stone_of_a_period_may_come_late() {
        let period = seconds(5.0);
        let mut clock =
            Clock::new(TimeControl::Canadian { main: seconds(0.0), period, stones: 25 });
        let mut spent = Duration::ZERO;
        for made in 0..25 {
            let allowance = clock.allowance(Color::Black, Size::NINETEEN, 2 * made).unwrap();
            clock.spend(Color::Black, allowance.most + LAG / 2);
            spent += allowance.most + LAG / 2;
        }
        assert!(spent < period, "{spent:?}");
        // A period that is too short for that is not given up.
        clock.set_left(Color::Black, seconds(0.5), 25);
        let allowance = clock.allowance(Color::Black, Size::NINETEEN, 50).unwrap();
        assert_eq!(allowance.time, seconds(0.01));
    }

    #[test]
    fn what_is_left_counts_without_settings() {
        let mut clock = Clock::new(TimeControl::None);
        let allowance = |clock: &Clock, color| clock.allowance(color, Size::NINE, 0);
        clock.set_left(Color::Black, seconds(10.0), 0);
        let absolute = Clock::new(TimeControl::Absolute { main: seconds(10.0) });
        assert_eq!(allowance(&clock, Color::Black), allowance(&absolute, Color::Black));
        assert_eq!(allowance(&clock, Color::White), None);
        clock.set_left(Color::White, seconds(10.0), 5);
        assert!(allowance(&clock, Color::White).unwrap().time < seconds(2.0));
        clock.restart();
        assert_eq!(allowance(&clock, Color::Black), None);
        clock.set_left(Color::Black, Duration::ZERO, 0);
        assert_eq!(allowance(&clock, Color::Black), None, "no limit was ever named");
    }

    #[test]
    fn another_game_has_all_its_time() {
        let mut clock = Clock::new(TimeControl::Absolute { main: seconds(10.0) });
        clock.spend(Color::Black, seconds(9.0));
        clock.set_left(Color::White, seconds(1.0), 0);
        clock.restart();
        assert_eq!(clock.left, [Left { time: seconds(10.0), stones: 0 }; 2]);
    }
}
