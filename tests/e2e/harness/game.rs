//! Games between two guests, as most stories need one.

use super::{Answer, Client, Guest, PATIENCE, Server};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A table with two guests in a game.
pub struct Game {
    pub table: String,
    pub black: Guest,
    pub white: Guest,
}

impl Game {
    /// A game under these terms: Black makes the table, White joins. Without a clock, unless the terms say otherwise:
    /// a test must not lose on time because the machine is slow.
    #[track_caller]
    pub fn start(server: &Server, terms: &Value) -> Game {
        let (black, white) = (Guest::new(server, "Kuro"), Guest::new(server, "Shiro"));
        let mut terms = terms.clone();
        terms["color"] = json!("black");
        if terms.get("clock").is_none() {
            terms["clock"] = json!({"system": "none"});
        }
        let made = black.create_table(&terms);
        let table = made["id"].as_str().expect("an id").to_owned();
        match made["invite"]["code"].as_str() {
            Some(code) => white.join_by_invite(&table, code),
            None => white.join(&table),
        };
        Game { table, black, white }
    }

    /// A public even game on 9x9 with komi 7.
    #[track_caller]
    pub fn on_9x9(server: &Server) -> Game {
        Game::start(server, &json!({"ruleset": "baduk", "board": "9x9", "komi": 7}))
    }

    /// Who makes the move with this number in an even game.
    pub fn mover(&self, turn: u32) -> &Guest {
        if turn.is_multiple_of(2) {
            &self.black
        } else {
            &self.white
        }
    }

    /// Makes the next moves over REST, from this turn on: `D4 E5 pass`. Every one must stand.
    #[track_caller]
    pub fn play(&self, from: u32, moves: &str) {
        for (turn, name) in (from..).zip(moves.split_whitespace()) {
            let answer = self.make_move(turn, name);
            assert_eq!(answer.status, 200, "move {turn}, {name}: {}", answer.body);
        }
    }

    /// Makes one move over REST.
    pub fn make_move(&self, turn: u32, name: &str) -> Answer {
        let mover = self.mover(turn);
        match name {
            "pass" => mover.pass(&self.table, turn),
            point => mover.play(&self.table, point, turn),
        }
    }

    /// The table as Black sees it.
    #[track_caller]
    pub fn snapshot(&self) -> Value {
        self.black.snapshot(&self.table)
    }

    /// The result, which comes some time after the passes: the count is waited for.
    #[track_caller]
    pub fn result(&self) -> Value {
        self.black.result(&self.table)
    }
}

/// A public even game on 9x9 with komi 7 in which these moves have been made.
#[track_caller]
pub fn play_all(server: &Server, moves: &str) -> Game {
    let game = Game::on_9x9(server);
    game.play(0, moves);
    game
}

/// The points of a list, sorted, to be compared.
pub fn points(list: &Value) -> Vec<String> {
    let names = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort();
    names
}

/// Waits until the index lists a player's table in this state, without touching the table.
pub fn wait_until_listed(server: &Server, player: &str, state: &str) -> Value {
    let deadline = Instant::now() + PATIENCE;
    let nobody = Client::new(server);
    loop {
        let list = nobody
            .get(&format!("/api/v1/tables?player={player}&state={state}"))
            .ok(200);
        if let Some(item) = list["items"].get(0) {
            return item.clone();
        }
        assert!(
            Instant::now() < deadline,
            "the index was never told that the table is {state}"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
}
