//! A ruleset as `GET /api/v1/rulesets` tells it: every option with its values and its default.

use super::{
    ColorChoice, Counting, DeadChains, Ending, HandicapFor, HandicapRule, KomiChoice, Preview, RequestKind,
    Ruleset,
};
use crate::clock::{ClockRule, TimeControl};
use crate::rules::Board;
use serde::Serialize;
use std::collections::BTreeMap;

/// All that a client needs for its "new table" form.
#[derive(Debug, Serialize)]
pub struct Description {
    id: &'static str,
    name: &'static str,
    boards: Choice<Board>,
    komi: Komi,
    /// By board, the handicaps that it offers; 0 is an even game.
    handicap: BTreeMap<String, Vec<u8>>,
    /// How a handicap is given.
    handicap_rule: HandicapRule,
    /// Who receives it.
    handicap_for: HandicapFor,
    counting: Counting,
    ending: Ending,
    move_limit: u32,
    dead_chains: DeadChains,
    preview: Preview,
    /// The kind of repetition that is illegal.
    repetition: &'static str,
    /// Whether a play that leaves its own chain without a liberty is legal.
    suicide: bool,
    /// What may be asked for in a friendly game. A rated one has no takebacks.
    requests: &'static [RequestKind],
    clocks: ClockRule,
    colors: Choice<ColorChoice>,
    /// Whether games can be rated.
    ranked: bool,
    /// What a rated game keeps to, where there are any.
    ranked_rule: Option<Ranked>,
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

/// The komi that may be chosen.
#[derive(Debug, Serialize)]
struct Komi {
    even: KomiChoice,
    /// By handicap.
    with_handicap: BTreeMap<u8, KomiChoice>,
}

/// What a rated game keeps to.
#[derive(Debug, Serialize)]
struct Ranked {
    boards: Vec<Board>,
    komi: KomiChoice,
    handicap: u8,
    needs_clock: bool,
    needs_account: bool,
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
            komi: self.describe_komi(),
            handicap_rule: self.handicap,
            handicap_for: self.handicap_for,
            counting: self.counting,
            ending: self.ending,
            move_limit: self.move_limit,
            dead_chains: self.dead_chains,
            preview: self.preview,
            repetition: "positional_superko",
            suicide: false,
            requests: self.requests,
            clocks: self.clocks,
            colors: Choice::of(self.colors),
            ranked: self.ranked.is_some(),
            ranked_rule: self.describe_ranked(),
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

    fn describe_komi(&self) -> Komi {
        let boards = (self.boards.allowed)().into_iter();
        let handicaps = boards.flat_map(|board| self.handicaps(board));
        Komi {
            even: self.komi.even,
            with_handicap: handicaps
                .filter(|&handicap| handicap > 0)
                .map(|handicap| (handicap, self.komi.choice(handicap)))
                .collect(),
        }
    }

    fn describe_ranked(&self) -> Option<Ranked> {
        let rule = self.ranked?;
        let boards = (self.boards.allowed)().into_iter();
        Some(Ranked {
            boards: boards.filter(|&board| self.ranks_board(board)).collect(),
            komi: rule.komi,
            handicap: 0,
            needs_clock: true,
            needs_account: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::RULESETS;
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn every_ruleset_has_a_default_board_that_it_allows_and_an_id_of_its_own() {
        for ruleset in &RULESETS {
            let board = ruleset.default_board().expect("a default board");
            assert!(ruleset.allows_board(board), "{}", ruleset.id);
            assert_eq!(Ruleset::by_id(ruleset.id), Some(ruleset));
        }
    }

    fn told(id: &str) -> Value {
        let ruleset = Ruleset::by_id(id).expect("a ruleset");
        serde_json::to_value(ruleset.describe()).expect("serialises")
    }

    #[test]
    fn every_default_is_among_what_is_allowed() {
        for ruleset in &RULESETS {
            for board in (ruleset.boards.allowed)() {
                for handicap in ruleset.handicaps(board) {
                    let komi = ruleset.komi.choice(handicap);
                    assert!(komi.allows(komi.default()), "{} {handicap}", ruleset.id);
                }
            }
            if let Some(ranked) = ruleset.ranked {
                let (default, rule) = (ruleset.komi.even.default(), ranked.komi);
                assert!(
                    rule.allows(default) && rule.allows(rule.default()),
                    "{}",
                    ruleset.id
                );
                let board = ruleset.default_board().expect("a default board");
                assert!(ruleset.ranks_board(board), "{}", ruleset.id);
                for name in ranked.boards.into_iter().flatten() {
                    let board = name.parse().expect("a board");
                    assert!(ruleset.allows_board(board), "{} {name}", ruleset.id);
                }
            }
        }
    }

    #[test]
    fn the_description_tells_boards_komi_and_handicap() {
        let told = told("baduk");
        assert_eq!(told["boards"]["default"], "19x19");
        assert_eq!(
            told["komi"]["even"],
            json!({"least": -99.5, "most": 99.5, "step": 0.5, "default": 6.5})
        );
        assert_eq!(told["komi"]["with_handicap"]["9"]["default"], 0.5);
        assert_eq!(told["handicap"]["19x19"], json!([0, 2, 3, 4, 5, 6, 7, 8, 9]));
        assert_eq!(told["handicap"]["5x5"], json!([0]));
        assert_eq!(told["handicap_rule"], json!({"stones": "set_up", "least": 2}));
        assert_eq!(told["clocks"]["default"]["system"], "per_move");
        assert_eq!(told["clocks"]["allowed"].as_array().map(Vec::len), Some(6));
        assert_eq!(told["ranked_rule"]["boards"], json!(["9x9", "13x13", "19x19"]));
        assert_eq!(told["ranked_rule"]["komi"]["least"], 5.5);
    }

    #[test]
    fn the_description_tells_the_ladder_and_who_receives_it() {
        let told = told("hex");
        assert_eq!(told["handicap"]["hex8"], json!([0, 1, 2, 3, 4, 5]));
        assert_eq!(told["handicap_rule"], json!({"stones": "moves", "most": 5}));
        assert_eq!(told["handicap_for"], "named_player");
        assert_eq!(
            told["komi"]["with_handicap"]["3"],
            json!({"one_of": [2.5], "default": 2.5})
        );
    }

    #[test]
    fn the_description_tells_endings_and_who_says_what_is_dead() {
        let aga = told("aga");
        assert_eq!(
            (&aga["counting"], &aga["ending"]),
            (
                &json!("territory_with_pass_stones"),
                &json!("two_passes_white_last")
            )
        );
        assert_eq!(
            aga["dead_chains"],
            json!({"by": "players", "resumptions": 1, "resumes_after_ms": 120_000})
        );
        assert_eq!(aga["komi"]["even"]["one_of"], json!([0.5, 5.5, 6.5, 7.5]));
        assert_eq!(
            (&aga["ranked"], &aga["ranked_rule"]),
            (&json!(false), &Value::Null)
        );
        assert_eq!(aga["handicap"]["9x9"], json!([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
        let nine = told("nine");
        assert_eq!(
            (&nine["move_limit"], &nine["preview"]),
            (&json!(300), &json!("for_players"))
        );
        assert_eq!(
            nine["dead_chains"],
            json!({"by": "assessor", "assessor": "embedded", "removes": "clearly_dead"})
        );
        assert_eq!(nine["requests"], json!(["draw"]));
        assert_eq!(
            nine["colors"],
            json!({"allowed": ["random"], "default": "random"})
        );
    }
}
