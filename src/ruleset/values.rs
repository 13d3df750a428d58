//! The rulesets that Hoshi plays (SPEC, section 0). A further one is a further value here and nothing else.

use super::{
    BoardRule, ColorChoice, Counting, DeadChains, Ending, HandicapRule, KomiRule, RequestKind, Ruleset,
};
use crate::clock::ClockRule;
use crate::rules::{Board, HalfPoints};

/// Where the rules know no limit, one that no game between people comes near, so that a table cannot grow without end.
const ENDLESS: u32 = 5000;

/// Every ruleset, in the order in which they are shown.
pub static RULESETS: [Ruleset; 2] = [
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
            least: HalfPoints::from_halves(-199),
            most: HalfPoints::from_halves(199),
            default: HalfPoints::from_halves(13),
            default_with_handicap: HalfPoints::from_halves(1),
        },
        handicap: HandicapRule::SetUp,
        ending: Ending::TwoPasses,
        move_limit: ENDLESS,
        dead_chains: DeadChains::Assessed,
        requests: &[RequestKind::Takeback, RequestKind::Score],
        clocks: ClockRule::EVERY,
        colors: &[ColorChoice::Random, ColorChoice::Black, ColorChoice::White],
        ranked: true,
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
            least: HalfPoints::from_halves(13),
            most: HalfPoints::from_halves(13),
            default: HalfPoints::from_halves(13),
            default_with_handicap: HalfPoints::from_halves(13),
        },
        handicap: HandicapRule::None,
        ending: Ending::TwoPasses,
        move_limit: ENDLESS,
        dead_chains: DeadChains::Assessed,
        requests: &[RequestKind::Takeback, RequestKind::Score],
        clocks: ClockRule::EVERY,
        colors: &[ColorChoice::Random, ColorChoice::Black, ColorChoice::White],
        ranked: false,
    },
];
