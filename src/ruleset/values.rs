//! The rulesets that Hoshi plays (SPEC, section 0). A further one is a further value here and nothing else.

use super::clocks::{CANADIAN_OVERTIME, HALF_A_MINUTE};
use super::{
    Assessor, BoardRule, ColorChoice, Counting, DeadChains, Ending, HandicapFor, HandicapKomi, HandicapRule,
    KomiChoice, KomiRule, Preview, RankedRule, Removes, RequestKind, Ruleset,
};
use crate::clock::{ClockRule, Millis};
use crate::rules::{Board, HalfPoints};

/// Where the rules know no limit, one that no game between people comes near, so that a table cannot grow without end.
const ENDLESS: u32 = 5000;

/// So many halves of a point.
const fn halves(halves: i32) -> HalfPoints {
    HalfPoints::from_halves(halves)
}

/// Every ruleset, in the order in which they are shown.
pub static RULESETS: [Ruleset; 4] = [
    Ruleset {
        id: "baduk",
        name: "Baduk",
        record_name: "Chinese",
        boards: BoardRule {
            allowed: || (5..=25).filter_map(Board::square).collect(),
            default: "19x19",
        },
        counting: Counting::Area,
        komi: KomiRule {
            even: KomiChoice::Between {
                least: halves(-199),
                most: halves(199),
                default: halves(13),
            },
            with_handicap: HandicapKomi::Any(KomiChoice::Between {
                least: halves(-199),
                most: halves(199),
                default: halves(1),
            }),
        },
        handicap: HandicapRule::SetUp { least: 2 },
        handicap_for: HandicapFor::Black,
        ending: Ending::TwoPasses,
        move_limit: ENDLESS,
        dead_chains: DeadChains::Assessor {
            assessor: Assessor::Strongest,
            removes: Removes::Dead,
        },
        preview: Preview::No,
        requests: &[RequestKind::Takeback, RequestKind::Score],
        clocks: ClockRule::EVERY,
        colors: &ColorChoice::EVERY,
        ranked: Some(RankedRule {
            boards: Some(&["9x9", "13x13", "19x19"]),
            komi: KomiChoice::Between {
                least: halves(11),
                most: halves(15),
                default: halves(13),
            },
        }),
    },
    Ruleset {
        id: "hex",
        name: "Hexagonal",
        record_name: "Hexagonal",
        boards: BoardRule {
            allowed: || [6, 8, 12].into_iter().filter_map(Board::hexagonal).collect(),
            default: "hex6",
        },
        counting: Counting::Area,
        komi: KomiRule {
            even: KomiChoice::Always(halves(13)),
            with_handicap: HandicapKomi::StonesLessHalf,
        },
        handicap: HandicapRule::Moves { most: 5 },
        handicap_for: HandicapFor::NamedPlayer,
        ending: Ending::TwoPasses,
        move_limit: ENDLESS,
        dead_chains: DeadChains::Assessor {
            assessor: Assessor::Embedded,
            removes: Removes::Dead,
        },
        preview: Preview::No,
        requests: &[RequestKind::Takeback, RequestKind::Score],
        clocks: ClockRule::EVERY,
        colors: &ColorChoice::EVERY,
        ranked: Some(RankedRule {
            boards: None,
            komi: KomiChoice::Always(halves(13)),
        }),
    },
    Ruleset {
        id: "aga",
        name: "AGA",
        record_name: "AGA",
        boards: BoardRule {
            allowed: || [9, 13, 19].into_iter().filter_map(Board::square).collect(),
            default: "19x19",
        },
        counting: Counting::TerritoryWithPassStones,
        komi: KomiRule {
            even: KomiChoice::OneOf {
                values: &[halves(1), halves(11), halves(13), halves(15)],
                default: halves(13),
            },
            with_handicap: HandicapKomi::Any(KomiChoice::Always(halves(1))),
        },
        handicap: HandicapRule::SetUp { least: 1 },
        handicap_for: HandicapFor::Black,
        ending: Ending::TwoPassesWhiteLast,
        move_limit: ENDLESS,
        dead_chains: DeadChains::Players {
            resumptions: 1,
            resumes_after: Millis::from_secs(2 * 60),
        },
        preview: Preview::No,
        requests: &[RequestKind::Takeback],
        clocks: CANADIAN_OVERTIME,
        colors: &ColorChoice::EVERY,
        ranked: None,
    },
    Ruleset {
        id: "nine",
        name: "Nine by nine",
        record_name: "Chinese",
        boards: BoardRule {
            allowed: || Board::square(9).into_iter().collect(),
            default: "9x9",
        },
        counting: Counting::Area,
        komi: KomiRule {
            even: KomiChoice::Always(HalfPoints::from_points(7)),
            with_handicap: HandicapKomi::Any(KomiChoice::Always(HalfPoints::from_points(7))),
        },
        handicap: HandicapRule::None,
        handicap_for: HandicapFor::Black,
        ending: Ending::TwoPasses,
        move_limit: 300,
        dead_chains: DeadChains::Assessor {
            assessor: Assessor::Embedded,
            removes: Removes::ClearlyDead,
        },
        preview: Preview::ForPlayers,
        requests: &[RequestKind::Draw],
        clocks: HALF_A_MINUTE,
        colors: &[ColorChoice::Random],
        ranked: Some(RankedRule {
            boards: None,
            komi: KomiChoice::Always(HalfPoints::from_points(7)),
        }),
    },
];
