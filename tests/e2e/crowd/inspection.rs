//! What must hold when the crowd has gone.

use super::client::Wanderer;
use crate::harness::{Client, Guest, Server, Stored, wait_until};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A server after the crowd.
pub struct Inspection<'a> {
    server: &'a Server,
    wanderers: &'a [Wanderer<'a>],
    by_id: BTreeMap<&'a str, &'a Guest>,
}

impl<'a> Inspection<'a> {
    pub fn new(server: &'a Server, wanderers: &'a [Wanderer<'a>]) -> Inspection<'a> {
        let by_id = wanderers.iter().map(|each| (each.guest.id.as_str(), each.guest));
        Inspection {
            server,
            by_id: by_id.collect(),
            wanderers,
        }
    }

    pub fn inspect(&self) {
        self.searches_end();
        self.promises_are_kept();
        let tables = self.tables();
        assert!(!tables.is_empty());
        for table in tables.values() {
            check_seats(table);
        }
        self.nothing_waits_beside_a_game(&tables);
        self.index_and_lobby_agree();
        self.pool_is_empty();
    }

    /// Every search is over, or has led to a game that is there.
    fn searches_end(&self) {
        for each in self.wanderers {
            // Cancelling one that is being paired right now is refused, until it is decided.
            wait_until("a search is over", || {
                each.guest.delete("/api/v1/seeks/current");
                let current = each.guest.get("/api/v1/seeks/current");
                current.status == 404 || current.json["match_found"].is_object()
            });
            let current = each.guest.get("/api/v1/seeks/current").json;
            if let Some(table) = current["match_found"]["table_id"].as_str() {
                check_seat(&each.guest.snapshot(table), &each.guest.id);
            }
        }
    }

    fn promises_are_kept(&self) {
        for each in self.wanderers {
            for table in &each.promised {
                check_seat(&each.guest.snapshot(table), &each.guest.id);
            }
        }
    }

    /// Every table that the index knows, as one of its players sees it.
    fn tables(&self) -> BTreeMap<String, Value> {
        let mut tables = BTreeMap::new();
        for each in self.wanderers {
            for id in self.all_of(each.guest) {
                tables
                    .entry(id.clone())
                    .or_insert_with(|| each.guest.snapshot(&id));
            }
        }
        tables
    }

    fn all_of(&self, guest: &Guest) -> Vec<String> {
        let (mut ids, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = guest.get(&format!("/api/v1/me/tables?limit=100{cursor}")).ok(200);
            let items = page["items"].as_array().expect("a list");
            ids.extend(
                items
                    .iter()
                    .filter_map(|item| item["id"].as_str().map(str::to_owned)),
            );
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return ids,
            }
        }
    }

    /// A game with a clock against a person has closed what its players had waiting (T3).
    fn nothing_waits_beside_a_game(&self, tables: &BTreeMap<String, Value>) {
        let pressing = |table: &&Value| {
            table["clock"]["system"] != "none"
                && table["opponent"]["kind"] == "anyone"
                && table["started_at"].is_i64()
        };
        let games: Vec<&Value> = tables.values().filter(pressing).collect();
        for waiting in tables.values().filter(|table| table["state"] == "waiting") {
            let creator = &waiting["creator"]["id"];
            let later = |game: &&&Value| {
                let plays = ["black", "white"]
                    .iter()
                    .any(|color| game["seats"][color]["id"] == *creator);
                plays && game["started_at"].as_i64() >= waiting["created_at"].as_i64()
            };
            let table = waiting["id"].as_str().expect("an id");
            let Some(game) = games.iter().find(later) else {
                continue;
            };
            // What is owed may still be on its way.
            let owner = self.by_id[creator.as_str().expect("an id")];
            wait_until(&format!("{table} closes for {}", game["id"]), || {
                owner.snapshot(table)["state"] == "closed"
            });
        }
    }

    /// The index says what the tables say, and the lobby shows what waits.
    fn index_and_lobby_agree(&self) {
        let stored = || {
            let rows = "select json_group_array(json_object('id', id, 'state', state, 'public', visibility = 'public',
                'creator', summary ->> '$.creator.id')) from games";
            let rows = Stored::of(self.server).ask(rows).expect("rows");
            serde_json::from_str::<Vec<Value>>(&rows).expect("JSON")
        };
        wait_until("the index agrees with the tables", || {
            stored().iter().all(|row| {
                let owner = self.by_id[row["creator"].as_str().expect("an id")];
                let snapshot = owner.snapshot(row["id"].as_str().expect("an id"));
                // Play and counting do not change what the index says.
                snapshot["state"] == row["state"]
                    || (snapshot["state"] == "counting" && row["state"] == "playing")
            })
        });
        let waiting: BTreeSet<String> = stored()
            .iter()
            .filter(|row| row["state"] == "waiting" && row["public"] == 1)
            .filter_map(|row| row["id"].as_str().map(str::to_owned))
            .collect();
        wait_until("the lobby agrees with the index", || {
            let (_, tables) = Client::new(self.server).lobby("baduk");
            let items = tables["items"].as_array().expect("a list");
            let shown: BTreeSet<String> = items
                .iter()
                .filter_map(|item| item["id"].as_str().map(str::to_owned))
                .collect();
            shown == waiting
        });
    }

    /// Nobody is left in the pool: two who come now meet each other.
    fn pool_is_empty(&self) {
        for board in ["9x9", "13x13"] {
            let [one, other] = ["One", "Other"].map(|name| Guest::new(self.server, name));
            let request = json!({"ruleset": "baduk", "board": board});
            one.seek(&request).ok(201);
            // They may be paired a moment later.
            other.seek(&request);
            wait_until("the two have met", || {
                let found = other.get("/api/v1/seeks/current").ok(200);
                found["match_found"]["opponent"]["id"] == json!(one.id)
            });
        }
    }
}

/// Both seats of a game are taken, by two.
#[track_caller]
fn check_seats(table: &Value) {
    let seats = ["black", "white"].map(|color| table["seats"][color]["id"].clone());
    match table["state"].as_str() {
        Some("playing" | "counting" | "finished") => {
            assert!(
                seats.iter().all(Value::is_string) && seats[0] != seats[1],
                "{table}"
            );
        }
        Some("waiting" | "closed") => assert!(table["started_at"].is_null(), "{table}"),
        other => panic!("a table in {other:?}"),
    }
}

/// The table is there, and it is his: his seat, or made by him.
#[track_caller]
fn check_seat(table: &Value, player: &str) {
    let seated = ["black", "white"]
        .iter()
        .any(|color| table["seats"][color]["id"] == player);
    assert!(
        seated || table["creator"]["id"] == player,
        "{player} is not at {table}"
    );
}
