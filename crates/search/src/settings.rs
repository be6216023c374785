//! The parts of the search and their sizes. Every part can be switched off, so that its worth can be
//! measured.

use goban::Size;
use playout::Rates;
use playout::steering::Steers;

/// How to search.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Threads that share the tree.
    pub threads: usize,
    /// Bytes that the tree may take.
    pub memory: usize,
    /// Seed of the playouts.
    pub seed: u64,
    /// Visits of a move before its replies get a node of their own.
    pub expand_at: u32,
    /// How far the model's probability draws towards a move that was tried little.
    pub exploration: f32,
    /// How far a move that was tried little draws by itself (UCB); 0 to switch off.
    pub curiosity: f32,
    /// The published widening: a node looks at this many moves at first, and at one more whenever
    /// its visits have grown by `widening_growth`; 0 looks at all.
    pub widening: usize,
    /// See [`Settings::widening`].
    pub widening_growth: f32,
    /// All moves as first: how many visits the later moves of playouts are worth at most; 0 to
    /// switch off.
    pub amaf: f32,
    /// What share of a playout's moves count for `amaf` and `urgency`.
    pub amaf_reach: f32,
    /// How much likelier moves at urgent points are taken to be: for each part in a hundred that the
    /// player wins more often when it is first there, so many in a hundred; 0 to switch off.
    pub urgency: f32,
    /// How much of that win is expected of a move before it is tried, for `doubt_visits`; 0 to switch
    /// off.
    pub lift: f32,
    /// How much worse than the likeliest move one that is a hundred times less likely is taken to be
    /// before it was tried.
    pub doubt: f32,
    /// How many visits that assumption is worth.
    pub doubt_visits: f32,
    /// How much of a playout's worth is its margin and not whether it was won.
    pub margin: f32,
    /// Moves are chosen by a lower bound of their win rate, not by visits alone.
    pub lcb: bool,
    /// How fast playouts learn from each other.
    pub rates: Rates,
    /// How strongly what playouts tell about points and pairs of points steers them and the tree.
    pub steers: Steers,
    /// Probabilities of the tree's model are raised to this power.
    pub sharpness: f32,
    /// Positions that are reached in several ways have one node.
    pub crossings: bool,
    /// Playouts save chains of so many stones from atari; 0 leaves all to the model.
    pub saved: u16,
    /// Playouts play in the middle of eyes that were just closed, where that kills.
    pub nakade: bool,
    /// Playouts read ladders and do not run in those that catch them.
    pub ladders: bool,
    /// What is left of the probability of a move that runs in a long ladder which catches it;
    /// with 0 it is not looked at.
    pub running: f32,
}

impl Settings {
    /// What Harie plays with on boards of a size; docs/search.md says what of it was measured.
    pub fn new(size: Size) -> Settings {
        let large = size.side() > 11;
        Settings {
            threads: 1,
            memory: 512 << 20,
            seed: 1,
            expand_at: if large { 4 } else { 2 },
            exploration: 1.2,
            curiosity: 0.0,
            widening: 0,
            widening_growth: 1.4,
            amaf: 300.0,
            amaf_reach: 1.0,
            urgency: 8.0,
            lift: 2.0,
            doubt: 0.15,
            doubt_visits: if large { 15.0 } else { 8.0 },
            margin: 0.05,
            lcb: true,
            rates: Rates { points: 0.02, answers: 0.1 },
            steers: Steers::default(),
            sharpness: 1.0,
            crossings: true,
            saved: playout::Limits::careful().saved,
            nakade: playout::Limits::careful().nakade,
            ladders: false,
            running: 0.0,
        }
    }

    /// How playouts are played.
    pub fn playouts(&self) -> playout::Limits {
        let &Settings { ladders: read_ladders, saved, nakade, .. } = self;
        playout::Limits { read_ladders, saved, nakade, ..playout::Limits::careful() }
    }
}

/// The names of the settings that a [`Change`] can be about, and what they mean to a reader.
pub const NAMES: [(&str, &str); 24] = [
    ("expand", "visits of a move before its replies get a node"),
    ("exploration", "pull of the model's probability"),
    ("curiosity", "pull of moves that were tried little (UCB); 0 is off"),
    ("widening", "moves that a node looks at first; 0 looks at all"),
    ("growth", "by what factor visits grow before a node looks at one move more"),
    ("amaf", "visits that later moves of playouts are worth at most; 0 is off"),
    ("reach", "share of a playout's moves that count for amaf and urgency"),
    ("urgency", "how much likelier moves are made where being first wins playouts; 0 is off"),
    ("lift", "how much of what being first wins an untried move is expected to; 0 is off"),
    ("doubt", "how much worse an untried move is taken to be that is 100 times less likely"),
    ("doubt-visits", "how many visits doubt and lift count as"),
    ("margin", "share of the margin in what a playout is worth; 0 is off"),
    ("lcb", "1: choose by a lower bound of the win rate, 0: by visits"),
    ("learn-points", "how fast playouts learn which points matter; 0 is off"),
    ("learn-answers", "how fast playouts learn how to answer; 0 is off"),
    (
        "miai",
        "how often playouts answer one point of a miai pair with the other, up to 1; 0 is off",
    ),
    ("order", "how much playouts prefer moves that should come early; 0 is off"),
    ("criticality", "how much the tree is drawn to points that go with winning; 0 is off"),
    ("sharpness", "power of the model's probabilities in the tree"),
    ("crossings", "1: a position that is reached in several ways has one node (transpositions)"),
    ("saved", "playouts save chains of so many stones or more from atari; 0 is off"),
    ("nakade", "1: playouts play in the middle of eyes that were just closed, 0: off"),
    ("ladders", "1: playouts read ladders and do not run in those that catch them"),
    (
        "running",
        "share of the probability left to moves that run in long ladders in vain; 1 is off",
    ),
];

impl Settings {
    /// The value of a setting by its name, as [`Change::read`] takes it.
    pub fn get(&self, name: &str) -> Option<f32> {
        let flag = |on: bool| f32::from(u8::from(on));
        Some(match name {
            "expand" => self.expand_at as f32,
            "exploration" => self.exploration,
            "curiosity" => self.curiosity,
            "widening" => self.widening as f32,
            "growth" => self.widening_growth,
            "amaf" => self.amaf,
            "reach" => self.amaf_reach,
            "urgency" => self.urgency,
            "lift" => self.lift,
            "doubt" => self.doubt,
            "doubt-visits" => self.doubt_visits,
            "margin" => self.margin,
            "lcb" => flag(self.lcb),
            "learn-points" => self.rates.points,
            "learn-answers" => self.rates.answers,
            "miai" => self.steers.miai,
            "order" => self.steers.order,
            "criticality" => self.steers.criticality,
            "sharpness" => self.sharpness,
            "crossings" => flag(self.crossings),
            "saved" => f32::from(self.saved),
            "nakade" => flag(self.nakade),
            "ladders" => flag(self.ladders),
            "running" => self.running,
            _ => return None,
        })
    }

    /// Changes a setting.
    pub fn change(&mut self, change: Change) {
        let Change { name, value: number } = change;
        match name {
            "expand" => self.expand_at = number as u32,
            "exploration" => self.exploration = number,
            "curiosity" => self.curiosity = number,
            "widening" => self.widening = number as usize,
            "growth" => self.widening_growth = number.max(1.01),
            "amaf" => self.amaf = number,
            "reach" => self.amaf_reach = number.min(1.0),
            "urgency" => self.urgency = number,
            "lift" => self.lift = number,
            "doubt" => self.doubt = number,
            "doubt-visits" => self.doubt_visits = number,
            "margin" => self.margin = number.min(1.0),
            "lcb" => self.lcb = number > 0.0,
            "learn-points" => self.rates.points = number.min(1.0),
            "learn-answers" => self.rates.answers = number.min(1.0),
            "miai" => self.steers.miai = number.min(1.0),
            "order" => self.steers.order = number.min(100.0),
            "criticality" => self.steers.criticality = number,
            "sharpness" => self.sharpness = number,
            "crossings" => self.crossings = number > 0.0,
            "saved" => self.saved = number as u16,
            "nakade" => self.nakade = number > 0.0,
            "ladders" => self.ladders = number > 0.0,
            "running" => self.running = number.min(1.0),
            _ => unreachable!("a change has one of the names"),
        }
    }
}

/// A new value for one of the settings, read from text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Change {
    /// One of [`NAMES`].
    name: &'static str,
    value: f32,
}

impl Change {
    /// A setting by its name, and its new value.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn read(name: &str, value: &str) -> Result<Change, String> {
        let number: f32 =
            value.parse().map_err(|_| format!("{name}: '{value}' is not a number"))?;
        if !(0.0..=1e9).contains(&number) {
            return Err(format!("{name}: {value} is not a number from 0 to 1,000,000,000"));
        }
        let known = NAMES.iter().find(|&&(known, _)| known == name);
        let &(name, _) = known.ok_or_else(|| {
            let names: Vec<&str> = NAMES.iter().map(|&(name, _)| name).collect();
            format!("no setting '{name}'; there are {}", names.join(", "))
        })?;
        Ok(Change { name, value: number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_a_value_that_can_be_changed() {
        for (name, _) in NAMES {
            for size in [Size::NINE, Size::NINETEEN] {
                let mut settings = Settings::new(size);
                let plain = settings.get(name).unwrap_or_else(|| panic!("{name}"));
                settings.change(Change::read(name, &plain.to_string()).unwrap());
                assert_eq!(settings, Settings::new(size), "{name}");
                let other = if plain > 0.5 { "0" } else { "1" };
                settings.change(Change::read(name, other).unwrap());
                assert_ne!(settings.get(name), Some(plain), "{name}");
            }
        }
        assert_eq!(Settings::new(Size::NINE).get("wind"), None);
    }

    #[test]
    fn a_change_that_cannot_be_read_is_refused() {
        for (name, value, why) in [
            ("amaf", "many", "amaf: 'many' is not a number"),
            ("amaf", "-1", "amaf: -1 is not a number from 0 to 1,000,000,000"),
            ("amaf", "NaN", "amaf: NaN is not a number from 0 to 1,000,000,000"),
            ("wind", "1", "no setting 'wind'; there are expand, exploration, "),
        ] {
            let said = Change::read(name, value).unwrap_err();
            assert!(said.starts_with(why), "{said}");
        }
    }
}
