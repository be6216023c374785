//! The settings of the search. Every technique can be switched off, so that its worth can be measured.

use goban::Size;
use playout::Rates;
use playout::steering::SteeringStrengths;

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
    /// The exploration constant (c_puct): the weight of the move prior.
    pub exploration: f32,
    /// The exploration constant of UCB, which ignores the prior; 0 to switch off.
    pub ucb: f32,
    /// The published widening: a node looks at this many moves at first, and at one more whenever
    /// its visits have grown by `widening_growth`; 0 looks at all.
    pub widening: usize,
    /// See [`Settings::widening`].
    pub widening_growth: f32,
    /// AMAF (all moves as first): how many visits the later moves of playouts are worth at most; 0
    /// to switch off.
    pub amaf: f32,
    /// The share of a playout's moves that count for `amaf` and `urgency`.
    pub amaf_share: f32,
    /// How much the prior of moves at urgent points rises: for each percent that the player wins more
    /// often when it is first there, by so many percent; 0 to switch off.
    pub urgency: f32,
    /// How much of that gain is added to the first-play urgency of a move; 0 to switch off.
    pub lift: f32,
    /// First-play urgency (FPU): how much lower it is for a move that is a hundred times less likely
    /// than the likeliest move.
    pub fpu_reduction: f32,
    /// How many visits the first-play urgency of a move counts as.
    pub fpu_visits: f32,
    /// How much of a playout's worth is its margin and not whether it was won.
    pub margin: f32,
    /// Moves are chosen by a lower bound of their win rate, not by visits alone.
    pub lcb: bool,
    /// How fast playouts learn from each other.
    pub rates: Rates,
    /// How strongly statistics of points and pairs of points steer playouts and the tree.
    pub steering: SteeringStrengths,
    /// Move priors are raised to this power.
    pub sharpness: f32,
    /// Positions that are reached in several ways share one node.
    pub transpositions: bool,
    /// Playouts save chains of at least so many stones from atari; 0 leaves all to the playout policy.
    pub saved: u16,
    /// Playouts play nakade in eyes that were just closed.
    pub nakade: bool,
    /// Playouts read ladders and do not extend in those that work.
    pub ladders: bool,
    /// The share of its prior that a move keeps which extends in a long ladder that works; with 0 it
    /// is not searched.
    pub ladder_prior: f32,
}

impl Settings {
    /// What Harie plays with on boards of a size; docs/experiments.md says which of these were measured.
    pub fn new(size: Size) -> Settings {
        let large = size.side() > 11;
        Settings {
            threads: 1,
            memory: 512 << 20,
            seed: 1,
            expand_at: if large { 4 } else { 2 },
            exploration: 1.2,
            ucb: 0.0,
            widening: 0,
            widening_growth: 1.4,
            amaf: 300.0,
            amaf_share: 1.0,
            urgency: 8.0,
            lift: 2.0,
            fpu_reduction: 0.15,
            fpu_visits: if large { 15.0 } else { 8.0 },
            margin: 0.05,
            lcb: true,
            rates: Rates { points: 0.02, answers: 0.1 },
            steering: SteeringStrengths::default(),
            sharpness: 1.0,
            transpositions: true,
            saved: playout::PlayoutSettings::careful().saved,
            nakade: playout::PlayoutSettings::careful().nakade,
            ladders: false,
            ladder_prior: 0.0,
        }
    }

    /// How playouts are played.
    pub fn playouts(&self) -> playout::PlayoutSettings {
        let &Settings { ladders: read_ladders, saved, nakade, .. } = self;
        playout::PlayoutSettings {
            read_ladders,
            saved,
            nakade,
            ..playout::PlayoutSettings::careful()
        }
    }
}

/// The names of the settings that a [`Change`] can be about, and what they mean to a reader.
pub const NAMES: [(&str, &str); 24] = [
    ("expand", "visits of a move before its replies get a node"),
    ("exploration", "exploration constant (c_puct): weight of the move prior"),
    ("ucb", "exploration constant of UCB, without the move prior; 0 is off"),
    ("widening", "moves that a node looks at first; 0 looks at all"),
    ("growth", "by what factor visits grow before a node looks at one move more"),
    ("amaf", "visits that later moves of playouts (AMAF) are worth at most; 0 is off"),
    ("amaf-share", "share of a playout's moves that count for amaf and urgency"),
    ("urgency", "how much the prior rises where being first wins playouts; 0 is off"),
    ("lift", "how much of what being first wins is added to first-play urgency; 0 is off"),
    ("fpu-reduction", "how much lower first-play urgency is for a move 100 times less likely"),
    ("fpu-visits", "how many visits first-play urgency counts as"),
    ("margin", "share of the margin in what a playout is worth; 0 is off"),
    ("lcb", "1: choose by a lower bound of the win rate, 0: by visits"),
    ("learn-points", "how fast playouts learn which points matter; 0 is off"),
    ("learn-answers", "how fast playouts learn how to answer; 0 is off"),
    (
        "miai",
        "how often playouts answer one point of a miai pair with the other, up to 1; 0 is off",
    ),
    ("order", "how much playouts prefer moves that should come early; 0 is off"),
    ("criticality", "how much critical points raise the prior in the tree; 0 is off"),
    ("sharpness", "power that move priors are raised to"),
    ("transpositions", "1: a position that is reached in several ways has one node, 0: off"),
    ("saved", "playouts save chains of so many stones or more from atari; 0 is off"),
    ("nakade", "1: playouts play nakade in eyes that were just closed, 0: off"),
    ("ladders", "1: playouts read ladders and do not extend in those that work, 0: off"),
    ("ladder-prior", "share of its prior that a move keeps in a long ladder that works; 1 is off"),
];

/// Former names of settings, and their present ones. [`Change::read`] takes them for one release.
const RENAMED: [(&str, &str); 6] = [
    ("crossings", "transpositions"),
    ("curiosity", "ucb"),
    ("doubt", "fpu-reduction"),
    ("doubt-visits", "fpu-visits"),
    ("reach", "amaf-share"),
    ("running", "ladder-prior"),
];

/// Whether [`Change::read`] knows a name.
pub fn is_setting(name: &str) -> bool {
    RENAMED.iter().any(|&(former, _)| former == name)
        || NAMES.iter().any(|&(known, _)| known == name)
}

impl Settings {
    /// The value of a setting by its present name, as [`Change::read`] takes it.
    pub fn get(&self, name: &str) -> Option<f32> {
        let flag = |on: bool| f32::from(u8::from(on));
        Some(match name {
            "expand" => self.expand_at as f32,
            "exploration" => self.exploration,
            "ucb" => self.ucb,
            "widening" => self.widening as f32,
            "growth" => self.widening_growth,
            "amaf" => self.amaf,
            "amaf-share" => self.amaf_share,
            "urgency" => self.urgency,
            "lift" => self.lift,
            "fpu-reduction" => self.fpu_reduction,
            "fpu-visits" => self.fpu_visits,
            "margin" => self.margin,
            "lcb" => flag(self.lcb),
            "learn-points" => self.rates.points,
            "learn-answers" => self.rates.answers,
            "miai" => self.steering.miai,
            "order" => self.steering.order,
            "criticality" => self.steering.criticality,
            "sharpness" => self.sharpness,
            "transpositions" => flag(self.transpositions),
            "saved" => f32::from(self.saved),
            "nakade" => flag(self.nakade),
            "ladders" => flag(self.ladders),
            "ladder-prior" => self.ladder_prior,
            _ => return None,
        })
    }

    /// Changes a setting.
    pub fn change(&mut self, change: Change) {
        let Change { name, value: number, .. } = change;
        match name {
            "expand" => self.expand_at = number as u32,
            "exploration" => self.exploration = number,
            "ucb" => self.ucb = number,
            "widening" => self.widening = number as usize,
            "growth" => self.widening_growth = number.max(1.01),
            "amaf" => self.amaf = number,
            "amaf-share" => self.amaf_share = number.min(1.0),
            "urgency" => self.urgency = number,
            "lift" => self.lift = number,
            "fpu-reduction" => self.fpu_reduction = number,
            "fpu-visits" => self.fpu_visits = number,
            "margin" => self.margin = number.min(1.0),
            "lcb" => self.lcb = number > 0.0,
            "learn-points" => self.rates.points = number.min(1.0),
            "learn-answers" => self.rates.answers = number.min(1.0),
            "miai" => self.steering.miai = number.min(1.0),
            "order" => self.steering.order = number.min(100.0),
            "criticality" => self.steering.criticality = number,
            "sharpness" => self.sharpness = number,
            "transpositions" => self.transpositions = number > 0.0,
            "saved" => self.saved = number as u16,
            "nakade" => self.nakade = number > 0.0,
            "ladders" => self.ladders = number > 0.0,
            "ladder-prior" => self.ladder_prior = number.min(1.0),
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
    /// What it was called, if that is a former name.
    former: Option<&'static str>,
}

impl Change {
    /// A setting by its name, which may be a former one, and its new value.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn read(name: &str, value: &str) -> Result<Change, String> {
        let number: f32 =
            value.parse().map_err(|_| format!("{name}: '{value}' is not a number"))?;
        if !(0.0..=1e9).contains(&number) {
            return Err(format!("{name}: {value} is not a number from 0 to 1,000,000,000"));
        }
        let (former, name) = match RENAMED.iter().find(|&&(former, _)| former == name) {
            Some(&(former, present)) => (Some(former), present),
            None => (None, name),
        };
        let known = NAMES.iter().find(|&&(known, _)| known == name);
        let &(name, _) = known.ok_or_else(|| {
            let names: Vec<&str> = NAMES.iter().map(|&(name, _)| name).collect();
            format!("no setting '{name}'; there are {}", names.join(", "))
        })?;
        Ok(Change { name, value: number, former })
    }

    /// The former name that the setting was called by, and its present one.
    pub fn renamed(&self) -> Option<(&'static str, &'static str)> {
        self.former.map(|former| (former, self.name))
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

    #[test]
    fn former_names_still_change_a_setting() {
        for (former, present) in RENAMED {
            assert!(
                is_setting(former) && Settings::new(Size::NINE).get(former).is_none(),
                "{former}"
            );
            let change = Change::read(former, "0.5").unwrap();
            assert_eq!(change.renamed(), Some((former, present)));
            let (mut by_former, mut by_present) =
                (Settings::new(Size::NINE), Settings::new(Size::NINE));
            by_former.change(change);
            by_present.change(Change::read(present, "0.5").unwrap());
            assert_eq!(by_former, by_present, "{former}");
        }
    }
}
