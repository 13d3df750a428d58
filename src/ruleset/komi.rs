//! The komi that a table may have.

use crate::rules::HalfPoints;
use serde::{Serialize, Serializer};
use std::fmt;

/// The komi of a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KomiRule {
    /// What an even game may have.
    pub even: KomiChoice,
    /// What a handicap game may have.
    pub with_handicap: HandicapKomi,
}

/// The komi of a handicap game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandicapKomi {
    /// The same choice for every handicap.
    Any(KomiChoice),
    /// A ladder: the number of stones less one half, for White (H3).
    StonesLessHalf,
}

/// The komi that may be chosen, in steps of one half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KomiChoice {
    /// Anything between two bounds.
    Between {
        /// The smallest.
        least: HalfPoints,
        /// The largest.
        most: HalfPoints,
        /// What is taken when nothing is asked for.
        default: HalfPoints,
    },
    /// One of a few.
    OneOf {
        /// Them, smallest first.
        values: &'static [HalfPoints],
        /// What is taken when nothing is asked for.
        default: HalfPoints,
    },
    /// Nothing else than this.
    Always(HalfPoints),
}

impl KomiRule {
    /// What a game with this handicap may have; 0 is an even game.
    pub fn choice(&self, handicap: u8) -> KomiChoice {
        match (handicap, self.with_handicap) {
            (0, _) => self.even,
            (_, HandicapKomi::Any(choice)) => choice,
            (stones, HandicapKomi::StonesLessHalf) => {
                KomiChoice::Always(HalfPoints::from_halves(2 * i32::from(stones) - 1))
            }
        }
    }
}

impl KomiChoice {
    /// What is taken when nothing is asked for.
    pub const fn default(&self) -> HalfPoints {
        match *self {
            KomiChoice::Between { default, .. } | KomiChoice::OneOf { default, .. } => default,
            KomiChoice::Always(komi) => komi,
        }
    }

    /// Whether this komi may be chosen.
    pub fn allows(&self, komi: HalfPoints) -> bool {
        match *self {
            KomiChoice::Between { least, most, .. } => least <= komi && komi <= most,
            KomiChoice::OneOf { values, .. } => values.contains(&komi),
            KomiChoice::Always(only) => komi == only,
        }
    }
}

/// What may be chosen, for people: `from -99.5 to 99.5`.
impl fmt::Display for KomiChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            KomiChoice::Between { least, most, .. } => write!(f, "from {least} to {most}"),
            KomiChoice::OneOf { values, .. } => {
                let values: Vec<String> = values.iter().map(HalfPoints::to_string).collect();
                write!(f, "one of {}", values.join(", "))
            }
            KomiChoice::Always(komi) => write!(f, "always {komi}"),
        }
    }
}

/// As settings of clocks are told: `{least, most, step, default}` or `{one_of, default}`.
impl Serialize for KomiChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Told {
            Between {
                least: HalfPoints,
                most: HalfPoints,
                step: HalfPoints,
                default: HalfPoints,
            },
            OneOf {
                one_of: Vec<HalfPoints>,
                default: HalfPoints,
            },
        }
        let default = self.default();
        let told = match *self {
            KomiChoice::Between { least, most, .. } => Told::Between {
                least,
                most,
                step: HalfPoints::from_halves(1),
                default,
            },
            KomiChoice::OneOf { values, .. } => Told::OneOf {
                one_of: values.to_vec(),
                default,
            },
            KomiChoice::Always(komi) => Told::OneOf {
                one_of: vec![komi],
                default,
            },
        };
        told.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const LADDER: KomiRule = KomiRule {
        even: KomiChoice::Always(HalfPoints::from_halves(13)),
        with_handicap: HandicapKomi::StonesLessHalf,
    };

    #[test]
    fn h3_the_ladders_komi_is_the_stones_less_one_half() {
        let komi = |handicap| LADDER.choice(handicap).default().to_string();
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(komi),
            ["6.5", "0.5", "1.5", "2.5", "3.5", "4.5"]
        );
    }

    #[test]
    fn a_choice_tells_what_it_allows() {
        const HALF: HalfPoints = HalfPoints::from_halves(1);
        const USUAL: HalfPoints = HalfPoints::from_halves(13);
        let few = KomiChoice::OneOf {
            values: &[HALF, USUAL],
            default: USUAL,
        };
        assert!(few.allows(HALF) && !few.allows(HalfPoints::from_halves(2)));
        assert_eq!(few.to_string(), "one of 0.5, 6.5");
        assert_eq!(json!(few), json!({"one_of": [0.5, 6.5], "default": 6.5}));
        let range = KomiChoice::Between {
            least: HalfPoints::from_halves(11),
            most: HalfPoints::from_halves(15),
            default: HalfPoints::from_halves(13),
        };
        assert!(range.allows(HalfPoints::from_points(7)) && !range.allows(HalfPoints::from_points(5)));
        assert_eq!(
            json!(range),
            json!({"least": 5.5, "most": 7.5, "step": 0.5, "default": 6.5})
        );
        let only = KomiChoice::Always(HalfPoints::from_points(7));
        assert_eq!(
            (only.to_string(), json!(only)),
            ("always 7".to_owned(), json!({"one_of": [7], "default": 7}))
        );
    }
}
