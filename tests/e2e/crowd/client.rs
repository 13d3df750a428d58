//! One of the crowd.

use crate::harness::{Answer, Guest, Socket};
use crate::storm::dice::Dice;
use serde_json::{Value, json};
use std::time::Instant;

/// What all of them know.
pub struct Crowd {
    pub ids: Vec<String>,
    pub until: Instant,
}

/// One of the crowd, and what he was promised.
pub struct Wanderer<'a> {
    pub guest: &'a Guest,
    crowd: &'a Crowd,
    dice: Dice,
    sockets: Vec<Socket>,
    /// The tables that he was told are there, with his seat or as his own.
    pub promised: Vec<String>,
    /// How much he has done.
    pub done: usize,
}

impl<'a> Wanderer<'a> {
    pub fn new(guest: &'a Guest, crowd: &'a Crowd, seed: u64) -> Wanderer<'a> {
        Wanderer {
            guest,
            crowd,
            dice: Dice::new(seed),
            sockets: Vec::new(),
            promised: Vec::new(),
            done: 0,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.dice.roll(bound)
    }

    /// Does this and that until it is time to stop.
    pub fn wander(mut self) -> Self {
        while Instant::now() < self.crowd.until {
            match self.below(12) {
                0 | 1 => self.seek(),
                2 => self.cancel(),
                3 => self.challenge(),
                4 | 5 => self.answer_challenge(),
                6 => self.open(),
                7 | 8 => self.join(),
                9 => self.watch(),
                10 => self.leave_a_game(),
                _ => self.come_or_vanish(),
            }
            self.done += 1;
        }
        self
    }

    /// An answer that is no fault of the server's. One that is away for a moment has promised nothing.
    #[track_caller]
    fn fair(&self, answer: Answer) -> Option<Value> {
        match answer.status {
            200..300 => Some(answer.json),
            400..500 | 503 => None,
            _ => panic!("{}: {}", answer.status, answer.body),
        }
    }

    fn seek(&mut self) {
        let board = ["9x9", "13x13"][self.below(2)];
        let mut request = json!({"ruleset": "baduk", "board": board});
        if self.below(4) == 0 {
            request["computer_after_ms"] = json!(1000);
        }
        let answer = self.guest.seek(&request);
        if let Some(found) = self.fair(answer) {
            self.promised.extend(table_of(&found["match_found"]));
        }
    }

    fn cancel(&mut self) {
        let before = self.guest.get("/api/v1/seeks/current");
        let before = self.fair(before);
        if let Some(found) = &before {
            self.promised.extend(table_of(&found["match_found"]));
        }
        let cancelled = self.guest.delete("/api/v1/seeks/current").status == 204;
        let after = self.guest.get("/api/v1/seeks/current");
        // Only he himself begins searches, so one that was cancelled must not have led to a game.
        assert!(
            !cancelled || matches!(after.status, 404 | 503),
            "{before:?} was cancelled, and then: {}",
            after.body
        );
    }

    fn challenge(&mut self) {
        let index = self.below(self.crowd.ids.len());
        let clock = self.clock();
        let body = json!({"to": self.crowd.ids[index], "ruleset": "baduk", "board": "9x9", "clock": clock});
        let answer = self.guest.post("/api/v1/challenges", &body);
        if let Some(made) = self.fair(answer) {
            assert_eq!(made["from"]["id"], self.guest.id);
        }
    }

    fn clock(&mut self) -> Value {
        match self.below(2) {
            0 => json!({"system": "none"}),
            _ => json!({"system": "per_move", "period_ms": 60_000}),
        }
    }

    fn answer_challenge(&mut self) {
        let answer = self.guest.get("/api/v1/challenges");
        let Some(open) = self.fair(answer) else {
            return;
        };
        let (side, what) = match self.below(4) {
            0 => ("incoming", "decline"),
            1 => ("outgoing", "withdraw"),
            _ => ("incoming", "accept"),
        };
        let Some(id) = open[side][0]["id"].as_str() else {
            return;
        };
        let answer = match what {
            "withdraw" => self.guest.delete(&format!("/api/v1/challenges/{id}")),
            _ => self
                .guest
                .post(&format!("/api/v1/challenges/{id}/{what}"), &json!({})),
        };
        if let Some(ended) = self.fair(answer) {
            self.promised.extend(table_of(&ended));
        }
    }

    fn open(&mut self) {
        let visibility = if self.below(3) == 0 { "private" } else { "public" };
        let clock = self.clock();
        let terms = json!({"ruleset": "baduk", "board": "9x9", "clock": clock, "visibility": visibility});
        let answer = self.guest.post("/api/v1/tables", &terms);
        if let Some(made) = self.fair(answer) {
            self.promised.extend(made["id"].as_str().map(str::to_owned));
        }
    }

    /// A table of the list, in this state.
    fn listed(&mut self, state: &str) -> Option<String> {
        let answer = self.guest.get(&format!("/api/v1/tables?state={state}&limit=20"));
        let list = self.fair(answer)?;
        let items = list["items"].as_array().filter(|items| !items.is_empty())?;
        let index = self.below(items.len());
        items[index]["id"].as_str().map(str::to_owned)
    }

    fn join(&mut self) {
        let Some(table) = self.listed("waiting") else {
            return;
        };
        let answer = self
            .guest
            .post(&format!("/api/v1/tables/{table}/join"), &json!({}));
        if let Some(joined) = self.fair(answer) {
            assert!(!joined["you"].is_null(), "{joined}");
            self.promised.push(table);
        }
    }

    fn watch(&mut self) {
        if let Some(table) = self.listed("playing")
            && let Ok(socket) = self.guest.try_connect(&table, "")
        {
            self.sockets.push(socket);
        }
    }

    /// Resigns, so that there is an end to games.
    fn leave_a_game(&mut self) {
        let answer = self.guest.get("/api/v1/me/tables?state=playing&limit=5");
        let table = self
            .fair(answer)
            .and_then(|mine| mine["items"][0]["id"].as_str().map(str::to_owned));
        if let Some(table) = table {
            let answer = self.guest.command(&table, &json!({"type": "resign"}));
            self.fair(answer);
        }
    }

    /// Opens his channel or the lobby; or loses every connection, without a word.
    fn come_or_vanish(&mut self) {
        match self.below(3) {
            0 => self.sockets.drain(..).for_each(Socket::cut),
            1 => self.sockets.extend(self.guest.open("/api/v1/me/socket").ok()),
            _ => self
                .sockets
                .extend(self.guest.open("/api/v1/lobby/socket?ruleset=baduk").ok()),
        }
    }
}

fn table_of(answer: &Value) -> Option<String> {
    answer["table_id"].as_str().map(str::to_owned)
}
