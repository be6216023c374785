//! The clocks of a game: main time, then periods of which one is lost whenever a move takes longer.
//! The server keeps them; the page only shows them run.

use std::time::{Duration, Instant};

use goban::Color;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::request::Control;

/// What a player has left.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
struct TimeLeft {
    /// In main time, or in the period that runs.
    time: f64,
    /// Periods, the one that runs among them.
    periods: u32,
    in_overtime: bool,
}

/// Clocks that stand, as they are kept with a game.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct StoppedClocks {
    control: Control,
    left: [TimeLeft; 2],
}

/// Both players' clocks, of which one may run.
#[derive(Clone, Debug)]
pub struct PlayerClocks {
    control: Control,
    left: [TimeLeft; 2],
    running: Option<(Color, Instant)>,
}

impl PlayerClocks {
    /// Full clocks; times are brought within a day.
    pub fn new(control: Control) -> PlayerClocks {
        let day = 86_400.0;
        let bounded = |x: f64| if x.is_finite() { x.clamp(0.0, day) } else { 0.0 };
        let control = Control {
            main: bounded(control.main),
            period: bounded(control.period),
            periods: if control.period > 0.0 { control.periods.clamp(1, 99) } else { 0 },
        };
        let left = TimeLeft { time: control.main, periods: control.periods, in_overtime: false };
        PlayerClocks { control, left: [left; 2], running: None }
    }

    /// The clocks as they are now.
    pub fn stopped(&self, now: Instant) -> StoppedClocks {
        let left = [Color::Black, Color::White].map(|color| self.left_at(color, now));
        StoppedClocks { control: self.control, left }
    }

    /// Clocks that were kept; nobody has more than at the start.
    pub fn go_on(kept: StoppedClocks) -> PlayerClocks {
        let mut clock = PlayerClocks::new(kept.control);
        let Control { main, period, periods } = clock.control;
        clock.left = kept.left.map(|left| TimeLeft {
            time: left.time.clamp(0.0, if left.in_overtime { period } else { main }),
            periods: left.periods.min(periods),
            in_overtime: left.in_overtime,
        });
        clock
    }

    /// The player's clock runs from now on, or none does.
    pub fn run(&mut self, color: Option<Color>, now: Instant) {
        if self.running.map(|(color, _)| color) != color {
            self.halt(now);
            self.running = color.map(|color| (color, now));
        }
    }

    /// Takes the time of the move that is being made off; the clock stands.
    fn halt(&mut self, now: Instant) {
        if let Some((color, since)) = self.running.take() {
            let left = self.after(color, now - since);
            // A period that was not used up is whole again.
            let time = if left.in_overtime { self.control.period } else { left.time };
            self.left[color.index()] = TimeLeft { time, ..left };
        }
    }

    /// What is left when a move has taken so long.
    fn after(&self, color: Color, spent: Duration) -> TimeLeft {
        let mut left = self.left[color.index()];
        left.time -= spent.as_secs_f64();
        while left.time <= 0.0 && left.periods > 0 {
            if left.in_overtime {
                left.periods -= 1;
            }
            left.in_overtime = true;
            if left.periods > 0 {
                left.time += self.control.period;
            }
        }
        left
    }

    /// What is left now.
    fn left_at(&self, color: Color, now: Instant) -> TimeLeft {
        match self.running {
            Some((running, since)) if running == color => self.after(color, now - since),
            _ => self.left[color.index()],
        }
    }

    /// The player whose time is up.
    pub fn flagged(&self, now: Instant) -> Option<Color> {
        let (color, since) = self.running?;
        let left = self.after(color, now - since);
        (left.time <= 0.0).then_some(color)
    }

    /// How long the engine may take for its next move, of which so many are to come.
    pub fn allowance(&self, color: Color, to_come: f64) -> Duration {
        let left = self.left[color.index()];
        let main = if left.in_overtime { 0.0 } else { left.time / to_come.max(1.0) };
        let period = if left.periods > 0 { 0.8 * self.control.period } else { 0.0 };
        // A part of what is there is kept back, or a busy machine would lose on time.
        Duration::from_secs_f64((0.8 * (main + period) - 0.05).max(0.02))
    }

    /// What a page shows.
    pub fn to_json(&self, now: Instant) -> Value {
        let side = |color: Color| {
            let left = self.left_at(color, now);
            json!({
                "time": (left.time.max(0.0) * 10.0).round() / 10.0,
                "periods": left.periods,
                "overtime": left.in_overtime,
            })
        };
        json!({
            "black": side(Color::Black),
            "white": side(Color::White),
            "running": self.running.map(|(color, _)| crate::view::color_name(color)),
            "period": self.control.period,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(start: Instant, seconds: f64) -> Instant {
        start + Duration::from_secs_f64(seconds)
    }

    #[test]
    fn main_time_then_periods_then_nothing() {
        let start = Instant::now();
        let mut clock = PlayerClocks::new(Control { main: 10.0, period: 5.0, periods: 2 });
        clock.run(Some(Color::Black), start);
        clock.run(Some(Color::White), at(start, 8.0));
        clock.run(Some(Color::Black), at(start, 9.0));
        // Two seconds of main time are left: four more are in the first period.
        assert_eq!(clock.flagged(at(start, 15.0)), None);
        clock.run(Some(Color::White), at(start, 15.0));
        assert_eq!(clock.left[0], TimeLeft { time: 5.0, periods: 2, in_overtime: true });
        clock.run(Some(Color::Black), at(start, 16.0));
        assert_eq!(clock.flagged(at(start, 25.9)), None);
        assert_eq!(clock.flagged(at(start, 26.1)), Some(Color::Black));
    }

    #[test]
    fn clocks_that_were_kept_go_on_where_they_stood() {
        let start = Instant::now();
        let mut clock = PlayerClocks::new(Control { main: 10.0, period: 5.0, periods: 2 });
        clock.run(Some(Color::Black), start);
        // Two seconds into the first period.
        let kept = clock.stopped(at(start, 12.0));
        let text = serde_json::to_string(&kept).unwrap();
        let mut clock = PlayerClocks::go_on(serde_json::from_str(&text).unwrap());
        assert_eq!(clock.left[0], TimeLeft { time: 3.0, periods: 2, in_overtime: true });
        assert_eq!(clock.left[1], TimeLeft { time: 10.0, periods: 2, in_overtime: false });
        clock.run(Some(Color::Black), start);
        assert_eq!(clock.flagged(at(start, 7.9)), None);
        assert_eq!(clock.flagged(at(start, 8.1)), Some(Color::Black));
        // What was changed meanwhile gives nobody more time.
        let much = TimeLeft { time: 1e9, periods: 500, in_overtime: false };
        let clock = PlayerClocks::go_on(StoppedClocks { left: [much; 2], ..kept });
        assert_eq!(clock.left[0], TimeLeft { time: 10.0, periods: 2, in_overtime: false });
    }

    #[test]
    fn without_periods_the_end_is_the_end() {
        let start = Instant::now();
        let mut clock = PlayerClocks::new(Control { main: 3.0, period: 0.0, periods: 7 });
        clock.run(Some(Color::White), start);
        assert_eq!(clock.flagged(at(start, 2.9)), None);
        assert_eq!(clock.flagged(at(start, 3.0)), Some(Color::White));
        let odd = PlayerClocks::new(Control { main: f64::NAN, period: f64::INFINITY, periods: 0 });
        assert_eq!(odd.flagged(start), None);
    }
}
