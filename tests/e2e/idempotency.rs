//! A table is made once, however often the call is repeated (X1, `Idempotency-Key`).

use crate::harness::{Client, Guest, server};
use serde_json::{Value, json};

/// Makes a table under a key, and brings its id.
#[track_caller]
fn create(client: &Client, key: &str, terms: &Value) -> String {
    let made = client
        .with("idempotency-key", key)
        .post("/api/v1/tables", terms)
        .ok(201);
    made["id"].as_str().expect("an id").to_owned()
}

fn number_of_tables(guest: &Guest) -> usize {
    let mine = guest.get("/api/v1/me/tables?limit=100").ok(200);
    mine["items"].as_array().map_or(0, Vec::len)
}

#[test]
fn x1_the_same_key_and_body_are_the_same_table() {
    let (aki, ben) = (Guest::new(server(), "Aki"), Guest::new(server(), "Ben"));
    let terms = json!({"ruleset": "baduk", "board": "9x9", "visibility": "private"});
    let table = create(&aki, "one", &terms);
    assert_eq!(create(&aki, "one", &terms), table);
    // The order of the fields does not matter.
    let body = br#"{"visibility": "private", "board": "9x9", "ruleset": "baduk"}"#;
    let again = aki
        .with("idempotency-key", "one")
        .send("POST", "/api/v1/tables", Some(body))
        .ok(201);
    assert_eq!(again["id"], table.as_str());
    assert_eq!(number_of_tables(&aki), 1);

    // It stays the same table when the game has gone on.
    ben.join_by_invite(&table, again["invite"]["code"].as_str().expect("a code"));
    let later = aki
        .with("idempotency-key", "one")
        .post("/api/v1/tables", &terms)
        .ok(201);
    assert_eq!(
        (&later["id"], &later["state"]),
        (&json!(table), &json!("playing"))
    );

    let other = json!({"ruleset": "baduk", "board": "13x13", "visibility": "private"});
    aki.with("idempotency-key", "one")
        .post("/api/v1/tables", &other)
        .problem(409, "key_reused");
    assert_ne!(create(&aki, "two", &other), table);
    // Keys are each player's own.
    assert_ne!(create(&ben, "one", &terms), table);
    assert_eq!(number_of_tables(&aki), 2);
}

#[test]
fn x1_ten_calls_at_once_make_one_table() {
    let aki = Guest::new(server(), "Aki");
    let terms = json!({"ruleset": "hex"});
    let made: Vec<String> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..10)
            .map(|_| scope.spawn(|| create(&aki, "at once", &terms)))
            .collect();
        calls.into_iter().map(|call| call.join().expect("made")).collect()
    });
    assert!(made.iter().all(|table| *table == made[0]), "{made:?}");
    assert_eq!(number_of_tables(&aki), 1);
}

#[test]
fn x1_without_a_key_each_call_makes_a_table() {
    let aki = Guest::new(server(), "Aki");
    let terms = json!({"ruleset": "baduk"});
    assert_ne!(aki.create_table(&terms)["id"], aki.create_table(&terms)["id"]);
}

#[test]
fn x5_keys_have_a_length() {
    let aki = Guest::new(server(), "Aki");
    let terms = json!({"ruleset": "baduk"});
    let long = "k".repeat(129);
    let refused = aki.with("idempotency-key", &long).post("/api/v1/tables", &terms);
    refused.problem_of(400, "bad_request", "Idempotency-Key");
    create(&aki, &"k".repeat(128), &terms);
    // A body that is refused uses no key up.
    let wrong = json!({"ruleset": "baduk", "komi": 100});
    aki.with("idempotency-key", "three")
        .post("/api/v1/tables", &wrong)
        .problem(422, "not_allowed_by_ruleset");
    create(&aki, "three", &terms);
}
