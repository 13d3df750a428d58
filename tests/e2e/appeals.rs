//! Appeals and decisions (G10, G11), with what they change in ratings.

use crate::harness::{Client, Guest, Server, server, unique};
use serde_json::{Value, json};

/// The border fixture F1 of TRAPS 7: Black's area is 44, White's 37. Every chain lives.
const F1: &str = "E5 F5 E4 F4 E3 F3 E2 F2 E6 F6 E7 F7 E8 F8 E9 F9 D1 E1 pass pass";

fn terms() -> Value {
    json!({"ruleset": "baduk", "board": "9x9", "komi": 6.5, "ranked": true, "color": "black",
        "clock": {"system": "fischer", "initial_ms": 3_600_000, "increment_ms": 10_000}})
}

/// A rated game of F1, which Black wins by half a point.
fn counted(black: &Guest, white: &Guest) -> String {
    let made = black.create_table(&terms());
    let table = made["id"].as_str().expect("an id").to_owned();
    white.join(&table);
    for (turn, name) in (0..).zip(F1.split(' ')) {
        let mover = if turn % 2 == 0 { black } else { white };
        match name {
            "pass" => mover.pass(&table, turn).ok(200),
            point => mover.play(&table, point, turn).ok(200),
        };
    }
    crate::harness::wait_until("it is counted", || {
        black.snapshot(&table)["result"]["sgf"] == "B+0.5"
    });
    table
}

fn beat(winner: &Guest, loser: &Guest) {
    let table = winner.create_table(&terms())["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    loser.join(&table);
    loser.command(&table, &json!({"type": "resign"})).ok(200);
}

fn appeal(guest: &Guest, table: &str, points: &[&str]) -> crate::harness::Answer {
    let body = json!({"points": points, "reason": "these stones are dead"});
    guest.post(&format!("/api/v1/tables/{table}/appeals"), &body)
}

fn points(server: &Server, player: &Guest) -> f64 {
    let seen = Client::new(server)
        .get(&format!("/api/v1/players/{}", player.id))
        .ok(200);
    seen["ratings"]["baduk"]["rating"].as_f64().unwrap_or(1200.0)
}

fn record(player: &Guest) -> Value {
    player.get(&format!("/api/v1/players/{}", player.id)).ok(200)["record"]["baduk"].clone()
}

#[test]
fn g11_the_worked_example_corrected() {
    let server = server();
    let operator = Guest::operator(server);
    let [a, b, c] = ["Apa", "Apb", "Apc"].map(|name| Guest::account(server, &unique(name)));
    // As in E1's example: A beats B, from 1200 and 1200, then C.
    let table = counted(&a, &b);
    assert_eq!((points(server, &a), points(server, &b)), (1216.0, 1184.0));
    beat(&a, &c);
    assert_eq!((points(server, &a), points(server, &c)), (1231.26, 1184.74));

    let mut watching = [a.connect(&table), b.connect(&table)];
    for socket in &mut watching {
        socket.wait_for("snapshot");
    }
    let mut channel = a.open("/api/v1/me/socket").expect("a channel");
    channel.wait_for("hello");
    let appealed = appeal(&b, &table, &["E5"]).ok(201);
    let id = appealed["id"].as_str().expect("an id").to_owned();
    for socket in &mut watching {
        assert_eq!(socket.wait_for_event("appealed")["appeal"], json!(id));
    }
    // The result stands while it is open.
    assert_eq!(points(server, &a), 1231.26);
    let queued = operator.get("/api/v1/operator/appeals?limit=100").ok(200);
    let queued = queued["items"].as_array().expect("a queue");
    let found = queued
        .iter()
        .find(|each| each["id"] == json!(id))
        .expect("queued");
    assert_eq!(
        (
            &found["table_id"],
            &found["player"]["id"],
            &found["appeal"]["points"],
            &found["table"]["result"]["sgf"]
        ),
        (&json!(table), &json!(b.id), &json!(["E5"]), &json!("B+0.5"))
    );

    // Black's wall is dead: all is White's, 81 points and komi.
    let decide = format!("/api/v1/operator/appeals/{id}/decide");
    let dead = json!({"dead": {"black": ["E5", "D1"], "white": []}, "reason": "one eye only"});
    let decided = operator.post(&decide, &dead).ok(200);
    assert_eq!(decided["result"]["sgf"], "W+87.5");
    assert_eq!(decided["original_result"]["sgf"], "B+0.5");
    // The change is computed anew from 1200 and 1200: -16 instead of +16, so 1231.26 - 32, and 1184 + 32. C is not played again.
    assert_eq!(
        decided["ratings"][&a.id],
        json!({"before": 1200.0, "change": -16.0, "after": 1184.0, "original_change": 16.0})
    );
    assert_eq!(
        (points(server, &a), points(server, &b), points(server, &c)),
        (1199.26, 1216.0, 1184.74)
    );
    assert_eq!(record(&a), json!({"wins": 1, "draws": 0, "losses": 1}));
    assert_eq!(record(&b), json!({"wins": 1, "draws": 0, "losses": 0}));
    // Both are told, at once and later.
    for socket in &mut watching {
        let told = socket.wait_for_event("decided");
        assert_eq!(
            (&told["ruling"], &told["result"]["sgf"], &told["appeals"]),
            (&json!("corrected"), &json!("W+87.5"), &json!([id]))
        );
    }
    let told = channel.wait_for("decided");
    assert_eq!(
        (&told["table_id"], &told["ruling"], &told["result"]["sgf"]),
        (&json!(table), &json!("corrected"), &json!("W+87.5"))
    );
    let seen = Client::new(server)
        .get(&format!("/api/v1/tables/{table}/appeals"))
        .ok(200);
    assert_eq!(seen["items"][0]["decision"]["reason"], "one eye only");
    let snapshot = a.snapshot(&table);
    assert_eq!(
        (
            &snapshot["result"]["sgf"],
            &snapshot["original_result"]["sgf"],
            &snapshot["appeals"][0]["id"]
        ),
        (&json!("W+87.5"), &json!("B+0.5"), &json!(id))
    );
    // Lists and the record show it, with a remark.
    let games = a.get(&format!("/api/v1/players/{}/games", b.id)).ok(200);
    assert_eq!(
        games["items"][0]["result"]["corrected"],
        json!({"from": "B+0.5", "reason": "one eye only"})
    );
    assert_eq!(games["items"][0]["rating"]["original_change"], -16.0);
    let sgf = a.get(&format!("/api/v1/tables/{table}/sgf")).body;
    assert!(
        sgf.contains("RE[W+87.5]") && sgf.contains("counted automatically it was B+0.5"),
        "{sgf}"
    );

    // A second decision on it is refused; correcting again is an action of its own.
    operator.post(&decide, &dead).problem(409, "wrong_state");
    let upheld = json!({"uphold": true, "reason": "no"});
    operator.post(&decide, &upheld).problem(409, "wrong_state");
    let correct = format!("/api/v1/operator/tables/{table}/correct");
    operator.post(&correct, &dead).problem(409, "wrong_state");
    let alive = json!({"dead": {"black": [], "white": []}, "reason": "a mistake of mine"});
    let back = operator.post(&correct, &alive).ok(200);
    assert_eq!(back["result"]["sgf"], "B+0.5");
    assert_eq!((points(server, &a), points(server, &b)), (1231.26, 1184.0));
    // Who has not appealed still may, once.
    appeal(&a, &table, &["F5"]).ok(201);
    appeal(&a, &table, &["F5"]).problem(409, "already_appealed");
    appeal(&b, &table, &["F5"]).problem(409, "already_appealed");
    // Each action has its own entry, about what it was.
    let log = operator.get("/api/v1/operator/log?limit=100").ok(200);
    let entries = log["items"].as_array().expect("entries").iter();
    let actions: Vec<(&str, &str)> = entries
        .filter(|entry| entry["table_id"] == json!(table))
        .map(|entry| {
            assert_eq!(entry["operator"]["id"], json!(operator.id));
            (
                entry["action"].as_str().expect("an action"),
                entry["reason"].as_str().expect("a reason"),
            )
        })
        .collect();
    assert_eq!(
        actions,
        [
            ("correct", "a mistake of mine"),
            ("decide_appeal", "one eye only")
        ]
    );
}

#[test]
fn g10_who_may_appeal_against_what() {
    let server = server();
    let [a, b, c] = ["Wha", "Whb", "Whc"].map(|name| Guest::account(server, &unique(name)));
    let table = counted(&a, &b);
    appeal(&c, &table, &["E5"]).problem(403, "forbidden");
    let path = format!("/api/v1/tables/{table}/appeals");
    Client::new(server)
        .post(&path, &json!({"points": ["E5"], "reason": "x"}))
        .problem(401, "unauthenticated");
    for (body, field) in [
        (json!({"points": [], "reason": "x"}), "points"),
        (json!({"points": ["Z30"], "reason": "x"}), "points"),
        (json!({"points": ["K9"], "reason": "x"}), "points"),
        (json!({"points": "E5", "reason": "x"}), "points"),
        (json!({"reason": "x"}), "points"),
        (json!({"points": ["E5"]}), "reason"),
        (json!({"points": ["E5"], "reason": ""}), "reason"),
        (json!({"points": ["E5"], "reason": "x".repeat(1001)}), "reason"),
        (json!({"points": vec!["E5"; 51], "reason": "x"}), "points"),
        (json!({"points": ["E5"], "reason": "x", "more": 1}), "more"),
    ] {
        let refused = a.post(&path, &body).problem(400, "bad_request");
        let named = refused["field"].as_str().unwrap_or_default();
        assert!(named.starts_with(field), "{body}: {refused}");
    }
    // The same call twice is one appeal; its words are fit for all to read.
    let keyed = a.with("idempotency-key", "appeal");
    let body = json!({"points": ["E5"], "reason": "this is fucking dead"});
    let one = keyed.post(&path, &body).ok(201);
    assert_eq!(keyed.post(&path, &body).ok(201), one);
    assert!(!one["reason"].as_str().expect("a reason").contains("fuck"));
    // Nothing of the kind after a resignation.
    let table = a.create_table(&terms())["id"].as_str().expect("an id").to_owned();
    appeal(&a, &table, &["E5"]).problem(409, "wrong_state");
    b.join(&table);
    b.command(&table, &json!({"type": "resign"})).ok(200);
    appeal(&b, &table, &["E5"]).problem(409, "wrong_state");
    // In a ruleset in which the players mark there is no appeal at all.
    let aga = json!({"ruleset": "aga", "board": "9x9", "color": "black"});
    let table = a.create_table(&aga)["id"].as_str().expect("an id").to_owned();
    b.join(&table);
    b.command(&table, &json!({"type": "resign"})).ok(200);
    appeal(&b, &table, &["E5"]).problem_of(422, "not_allowed_by_ruleset", "ruleset");
}
