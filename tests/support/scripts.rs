//! The golden games of each ruleset (`tests/golden/rulesets/README.md`), for whoever plays them.
//!
//! Any test may include this file with `#[path]`; it needs only `serde_json`.

#![allow(dead_code, reason = "whoever includes this file uses a part of it")]

use serde_json::{Value, json};

const GAMES: &str = include_str!("../golden/rulesets/games.json");

/// A game from its terms to its result.
#[derive(Clone, Debug)]
pub struct Script {
    pub id: String,
    pub ruleset: String,
    /// The body of `POST /tables`.
    pub terms: Value,
    /// Whether it is a challenge in which Black receives the handicap.
    pub black_receives: bool,
    pub steps: Vec<Step>,
    /// Whether the last step leads to `counting` or `finished`.
    pub ends: String,
    /// Both scores, without komi.
    pub score: [f64; 2],
    pub sgf: String,
}

/// Something that happens in the game.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A player's stone or pass.
    Move { black: bool, point: Option<String> },
    /// Another command of a player's; an agreement lacks the version.
    Command { black: bool, command: Value },
    /// The time for marking is over.
    TimeIsOver,
}

/// Every golden game.
pub fn scripts() -> Vec<Script> {
    let games: Vec<Value> = serde_json::from_str(GAMES).expect("games");
    games.iter().map(script).collect()
}

fn script(game: &Value) -> Script {
    let text = |field: &str| game[field].as_str().expect("a text").to_owned();
    let number = |field: &str| game[field].as_f64().expect("a number");
    Script {
        id: text("id"),
        ruleset: text("ruleset"),
        terms: game["terms"].clone(),
        black_receives: game["black_receives"].as_bool().expect("yes or no"),
        steps: text("script").split(", ").map(step).collect(),
        ends: text("ends"),
        score: [number("black"), number("white")],
        sgf: text("sgf"),
    }
}

fn step(text: &str) -> Step {
    if text == "time is over" {
        return Step::TimeIsOver;
    }
    let words: Vec<&str> = text.split(' ').collect();
    let black = match words[0] {
        "B" => true,
        "W" => false,
        other => panic!("who is {other}?"),
    };
    let command = match words[1..] {
        ["pass"] => return Step::Move { black, point: None },
        ["accepts"] => json!({"type": "accept_score"}),
        ["resumes"] => json!({"type": "resume"}),
        ["mark", point, state] => json!({"type": "mark", "point": point, "dead": state == "dead"}),
        [point] => {
            let point = Some(point.to_owned());
            return Step::Move { black, point };
        }
        _ => panic!("what is {text}?"),
    };
    Step::Command { black, command }
}

impl Step {
    /// A move as a command for this turn.
    pub fn at(&self, turn: u32) -> Option<Value> {
        match self {
            Step::Move {
                point: Some(point), ..
            } => Some(json!({"type": "play", "point": point, "turn": turn})),
            Step::Move { point: None, .. } => Some(json!({"type": "pass", "turn": turn})),
            Step::Command { .. } | Step::TimeIsOver => None,
        }
    }
}
