//! Rule sets: what is forbidden, how the score is counted.

use std::fmt;

/// Which repetitions are forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ko {
    /// Taking back a single stone at once.
    Simple,
    /// Any earlier position.
    Positional,
    /// Any earlier position with the same player to move.
    Situational,
}

/// What counts as points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scoring {
    /// Living stones and the points they surround.
    Area,
    /// Surrounded points and prisoners.
    Territory,
}

/// What White gets back for the stones that Black started with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HandicapBonus {
    /// Nothing.
    None,
    /// A point for each stone but the first.
    StonesLessOne,
    /// A point for each stone.
    Stones,
}

impl HandicapBonus {
    /// Points for White when Black was given `stones`.
    pub fn points(self, stones: usize) -> usize {
        match self {
            // One stone is no handicap: Black has moved first, as in any game.
            _ if stones < 2 => 0,
            HandicapBonus::None => 0,
            HandicapBonus::StonesLessOne => stones - 1,
            HandicapBonus::Stones => stones,
        }
    }
}

/// A rule set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Which repetitions are forbidden.
    pub ko: Ko,
    /// Whether a player may take off its own chain.
    pub suicide: bool,
    /// What counts as points.
    pub scoring: Scoring,
    /// What White gets for handicap stones.
    pub handicap_bonus: HandicapBonus,
    /// Whether all stones count that are on the board in the end, so that dead ones have to be taken
    /// off by playing; where area is counted, see [`Rules::counts_as_it_stands`].
    pub as_it_stands: bool,
}

impl Rules {
    /// Area scoring of the board as it stands, positional superko, suicide allowed.
    pub const TROMP_TAYLOR: Rules = Rules {
        ko: Ko::Positional,
        suicide: true,
        scoring: Scoring::Area,
        handicap_bonus: HandicapBonus::None,
        as_it_stands: true,
    };
    /// The Chinese rules as programs play them: simple ko, handicap stones are given back.
    pub const CHINESE: Rules = Rules {
        ko: Ko::Simple,
        suicide: false,
        scoring: Scoring::Area,
        handicap_bonus: HandicapBonus::Stones,
        as_it_stands: false,
    };
    /// The rules of the computer Go server: Chinese with positional superko, and the board counts as
    /// it stands.
    pub const CGOS: Rules = Rules {
        ko: Ko::Positional,
        handicap_bonus: HandicapBonus::None,
        as_it_stands: true,
        ..Rules::CHINESE
    };
    /// Territory scoring, simple ko.
    pub const JAPANESE: Rules = Rules {
        ko: Ko::Simple,
        suicide: false,
        scoring: Scoring::Territory,
        handicap_bonus: HandicapBonus::None,
        as_it_stands: false,
    };
    /// The rules of the American Go Association.
    pub const AGA: Rules = Rules {
        ko: Ko::Situational,
        suicide: false,
        scoring: Scoring::Area,
        handicap_bonus: HandicapBonus::StonesLessOne,
        as_it_stands: false,
    };
    /// The rules of New Zealand.
    pub const NEW_ZEALAND: Rules = Rules {
        ko: Ko::Situational,
        suicide: true,
        scoring: Scoring::Area,
        handicap_bonus: HandicapBonus::None,
        as_it_stands: false,
    };

    /// The names that [`Rules::parse`] is sure to know.
    pub const NAMES: [(&'static str, Rules); 7] = [
        ("chinese", Rules::CHINESE),
        ("japanese", Rules::JAPANESE),
        ("korean", Rules::JAPANESE),
        ("aga", Rules::AGA),
        ("new-zealand", Rules::NEW_ZEALAND),
        ("tromp-taylor", Rules::TROMP_TAYLOR),
        ("cgos", Rules::CGOS),
    ];

    /// Whether dead stones count that are still on the board in the end. Where territory is counted
    /// they are taken off in any case.
    pub fn counts_as_it_stands(&self) -> bool {
        self.as_it_stands && self.scoring == Scoring::Area
    }

    /// The name of these rules, so that reading it gives what they mean; some have none.
    pub fn name(&self) -> Option<&'static str> {
        let meant = Rules { as_it_stands: self.counts_as_it_stands(), ..*self };
        Rules::NAMES.iter().find(|&&(_, known)| known == meant).map(|&(name, _)| name)
    }

    /// The rule set of a name as records and protocols write it: any case, and `_`, `-` or spaces
    /// between words; `nz`, `goe`, `ing` and `tt` are known as well.
    pub fn parse(name: &str) -> Option<Rules> {
        let plain: String = name
            .chars()
            .filter(|c| c.is_ascii_alphanumeric())
            .map(|c| c.to_ascii_lowercase())
            .collect();
        match plain.as_str() {
            "nz" => Some(Rules::NEW_ZEALAND),
            "goe" | "ing" => Some(Rules::TROMP_TAYLOR),
            "tt" => Some(Rules::TROMP_TAYLOR),
            _ => {
                let known = Rules::NAMES.iter().find(|(name, _)| name.replace('-', "") == plain);
                known.map(|&(_, rules)| rules)
            }
        }
    }
}

impl Default for Rules {
    /// Chinese: what programs count by.
    fn default() -> Rules {
        Rules::CHINESE
    }
}

impl fmt::Display for Rules {
    /// In words: `area scoring, simple ko, no suicide`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scoring = match self.scoring {
            Scoring::Area => "area",
            Scoring::Territory => "territory",
        };
        let ko = match self.ko {
            Ko::Simple => "simple ko",
            Ko::Positional => "positional superko",
            Ko::Situational => "situational superko",
        };
        let suicide = if self.suicide { "suicide allowed" } else { "no suicide" };
        write!(f, "{scoring} scoring, {ko}, {suicide}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_people_write_them() {
        for (name, rules) in Rules::NAMES {
            assert_eq!(Rules::parse(name), Some(rules));
        }
        assert_eq!(Rules::parse("New Zealand"), Some(Rules::NEW_ZEALAND));
        assert_eq!(Rules::parse("tromp_taylor"), Some(Rules::TROMP_TAYLOR));
        assert_eq!(Rules::parse("Chinese"), Some(Rules::CHINESE));
        assert_eq!(Rules::parse("whatever"), None);
        assert_eq!(Rules::parse(""), None);
    }

    #[test]
    fn presets_are_the_rules_they_name() {
        use {HandicapBonus as Bonus, Ko::*, Scoring::*};
        let facts = |r: Rules| (r.ko, r.suicide, r.scoring, r.handicap_bonus);
        assert_eq!(facts(Rules::TROMP_TAYLOR), (Positional, true, Area, Bonus::None));
        assert_eq!(facts(Rules::CHINESE), (Simple, false, Area, Bonus::Stones));
        assert_eq!(facts(Rules::CGOS), (Positional, false, Area, Bonus::None));
        assert_eq!(facts(Rules::JAPANESE), (Simple, false, Territory, Bonus::None));
        assert_eq!(facts(Rules::AGA), (Situational, false, Area, Bonus::StonesLessOne));
        assert_eq!(facts(Rules::NEW_ZEALAND), (Situational, true, Area, Bonus::None));
        for (name, rules) in Rules::NAMES {
            assert_eq!(rules.as_it_stands, ["tromp-taylor", "cgos"].contains(&name), "{name}");
        }
    }

    #[test]
    fn handicap_is_given_back() {
        assert_eq!(HandicapBonus::Stones.points(4), 4);
        assert_eq!(HandicapBonus::StonesLessOne.points(4), 3);
        assert_eq!(HandicapBonus::StonesLessOne.points(0), 0);
        assert_eq!(HandicapBonus::Stones.points(1), 0);
        assert_eq!(HandicapBonus::None.points(9), 0);
    }
}
