//! A ruleset as `GET /api/v1/rulesets` tells it: every option with its values and its default.

use super::{ColorChoice, Counting, DeadChains, Ending, RequestKind, Ruleset};
use crate::clock::{ClockRule, TimeControl};
use crate::rules::{Board, HalfPoints};
use serde::Serialize;
use std::collections::BTreeMap;

/// All that a client needs for its "new table" form.
#[derive(Debug, Serialize)]
pub struct Description {
    id: &'static str,
    name: &'static str,
    boards: Choice<Board>,
    komi: KomiRange,
    /// By board, the handicaps that it offers; 0 is an even game.
    handicap: BTreeMap<String, Vec<u8>>,
    counting: Counting,
    ending: Ending,
    move_limit: u32,
    dead_chains: DeadChains,
    /// The kind of repetition that is illegal.
    repetition: &'static str,
    /// Whether a play that leaves its own chain without a liberty is legal.
    suicide: bool,
    /// What may be asked for in a friendly game. A rated one has no takebacks.
    requests: &'static [RequestKind],
    clocks: ClockRule,
    colors: Choice<ColorChoice>,
    ranked: bool,
    visibility: Choice<&'static str>,
    opponents: Choice<&'static str>,
    against_computer: AgainstComputer,
}

/// What is different in a game against the computer (A1, A2): no clock unless one is asked for, every color, takebacks
/// without asking, and no rating.
#[derive(Debug, Serialize)]
struct AgainstComputer {
    levels: &'static [&'static str],
    clock: TimeControl,
    colors: Choice<ColorChoice>,
    takeback: bool,
    ranked: bool,
}

/// The values that may be chosen, and what is taken when none is.
#[derive(Debug, Serialize)]
struct Choice<T> {
    allowed: Vec<T>,
    default: Option<T>,
}

/// The komi that may be chosen: every multiple of `step` from `least` to `most`.
#[derive(Debug, Serialize)]
pub struct KomiRange {
    least: HalfPoints,
    most: HalfPoints,
    step: HalfPoints,
    default: HalfPoints,
    default_with_handicap: HalfPoints,
}

impl<T: Copy> Choice<T> {
    /// A choice whose default is its first value.
    fn of(values: &[T]) -> Choice<T> {
        Choice {
            allowed: values.to_vec(),
            default: values.first().copied(),
        }
    }
}

impl Ruleset {
    /// The ruleset for a client.
    pub fn describe(&self) -> Description {
        let boards = (self.boards.allowed)();
        Description {
            id: self.id,
            name: self.name,
            handicap: boards
                .iter()
                .map(|&board| (board.to_string(), self.handicaps(board)))
                .collect(),
            boards: Choice {
                allowed: boards,
                default: self.default_board(),
            },
            komi: KomiRange {
                least: self.komi.least,
                most: self.komi.most,
                step: HalfPoints::from_halves(1),
                default: self.komi.default,
                default_with_handicap: self.komi.default_with_handicap,
            },
            counting: self.counting,
            ending: self.ending,
            move_limit: self.move_limit,
            dead_chains: self.dead_chains,
            repetition: "positional_superko",
            suicide: false,
            requests: self.requests,
            clocks: self.clocks,
            colors: Choice::of(self.colors),
            ranked: self.ranked,
            visibility: Choice::of(&["public", "private"]),
            opponents: Choice::of(&["anyone", "computer"]),
            against_computer: AgainstComputer {
                levels: &["easy", "normal", "hard"],
                clock: TimeControl::None,
                colors: Choice::of(&ColorChoice::EVERY),
                takeback: true,
                ranked: false,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::RULESETS;
    use super::*;

    #[test]
    fn every_ruleset_has_a_default_board_that_it_allows_and_an_id_of_its_own() {
        for ruleset in &RULESETS {
            let board = ruleset.default_board().expect("a default board");
            assert!(ruleset.allows_board(board), "{}", ruleset.id);
            assert_eq!(Ruleset::by_id(ruleset.id), Some(ruleset));
        }
    }

    #[test]
    fn the_description_tells_boards_komi_and_handicap() {
        let told = serde_json::to_value(RULESETS[0].describe()).expect("serialises");
        assert_eq!(told["boards"]["default"], "19x19");
        assert_eq!(told["komi"]["least"], -99.5);
        assert_eq!(told["komi"]["default"], 6.5);
        assert_eq!(
            told["handicap"]["19x19"],
            serde_json::json!([0, 2, 3, 4, 5, 6, 7, 8, 9])
        );
        assert_eq!(told["handicap"]["5x5"], serde_json::json!([0]));
        assert_eq!(told["clocks"]["default"]["system"], "per_move");
        assert_eq!(told["clocks"]["allowed"].as_array().map(Vec::len), Some(6));
    }
}
