//! Reports (S3): what players report, and what operators see of it.

use crate::harness::{Client, Game, Guest, Server, server, wait_until};
use serde_json::{Value, json};

fn report(guest: &Guest, body: &Value) -> crate::harness::Answer {
    guest.post("/api/v1/reports", body)
}

#[test]
fn s3_a_report_keeps_what_there_was_to_be_seen() {
    let server = Server::alone("reports");
    let operator = Guest::operator(&server);
    let game = Game::on_9x9(&server);
    game.play(0, "E5 C3");
    let line = |guest: &Guest, text: &str| {
        let said = guest.command(&game.table, &json!({"type": "chat", "text": text}));
        said.ok(200)["events"][0]["seq"].clone()
    };
    line(&game.white, "hurry");
    let insult = line(&game.white, "you idiot");
    line(&game.black, "please");
    let made = report(
        &game.black,
        &json!({"table_id": game.table, "seq": insult, "reason": "insult", "text": "twice now"}),
    )
    .ok(201);
    assert_eq!(
        (&made["state"], &made["player_id"]),
        (&json!("open"), &json!(game.white.id))
    );
    // What comes later is not part of it.
    game.play(2, "G7");
    line(&game.white, "later");
    report(
        &game.white,
        &json!({"player_id": game.black.id, "reason": "stalling"}),
    )
    .ok(201);
    let queue = operator.get("/api/v1/operator/reports").ok(200);
    let items = queue["items"].as_array().expect("a queue");
    let reasons: Vec<&str> = items.iter().filter_map(|item| item["reason"].as_str()).collect();
    assert_eq!(reasons, ["insult", "stalling"], "the oldest first");
    let first = &items[0];
    assert_eq!(
        (
            &first["reporter"]["name"],
            &first["player"]["name"],
            &first["seq"],
            &first["text"]
        ),
        (&json!("Kuro"), &json!("Shiro"), &insult, &json!("twice now"))
    );
    assert_eq!(
        first["context"]["table"]["stones"],
        json!({"black": ["E5"], "white": ["C3"]})
    );
    assert_eq!(first["context"]["table"]["turn"], 2);
    let chat: Vec<(&Value, &Value)> = first["context"]["chat"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|line| (&line["text"], &line["player"]["name"]))
        .collect();
    assert_eq!(
        chat,
        [
            (&json!("hurry"), &json!("Shiro")),
            (&json!("you idiot"), &json!("Shiro"))
        ]
    );
    // Page by page it is the same.
    let page = operator.get("/api/v1/operator/reports?limit=1").ok(200);
    let cursor = page["next_cursor"].as_str().expect("there is more");
    let rest = operator
        .get(&format!("/api/v1/operator/reports?limit=1&cursor={cursor}"))
        .ok(200);
    assert_eq!(
        (&rest["items"][0], &rest["next_cursor"]),
        (&items[1], &Value::Null)
    );
    // Closing, once, with a note.
    let close = format!(
        "/api/v1/operator/reports/{}/close",
        first["id"].as_str().expect("an id")
    );
    operator
        .post(&close, &json!({"note": ""}))
        .problem_of(400, "bad_request", "note");
    operator.post(&close, &json!({"note": "warned"})).ok(200);
    operator
        .post(&close, &json!({"note": "again"}))
        .problem(409, "wrong_state");
    operator
        .post(
            "/api/v1/operator/reports/0000000000000000/close",
            &json!({"note": "x"}),
        )
        .problem(404, "not_found");
    let open = operator.get("/api/v1/operator/reports").ok(200);
    assert_eq!(open["items"].as_array().map(Vec::len), Some(1));
    let closed = operator.get("/api/v1/operator/reports?state=closed").ok(200);
    assert_eq!(closed["items"][0]["note"], "warned");
    let log = operator.get("/api/v1/operator/log").ok(200);
    assert_eq!(
        (
            &log["items"][0]["action"],
            &log["items"][0]["player"]["id"],
            &log["items"][0]["reason"]
        ),
        (&json!("close_report"), &json!(game.white.id), &json!("warned"))
    );
    let actions: Vec<&str> = log["items"]
        .as_array()
        .expect("entries")
        .iter()
        .filter_map(|entry| entry["action"].as_str())
        .collect();
    assert_eq!(actions, ["close_report", "make_operator"]);
    // Nobody is punished by a report alone.
    game.play(3, "D7");
}

#[test]
fn s3_what_can_be_reported() {
    let game = Game::on_9x9(server());
    let private = Game::start(server(), &json!({"ruleset": "baduk", "visibility": "private"}));
    let mover = &game.black;
    Client::new(server())
        .post("/api/v1/reports", &json!({"table_id": game.table, "reason": "x"}))
        .problem(401, "unauthenticated");
    for (body, field) in [
        (json!({"reason": "x"}), "player_id"),
        (json!({"table_id": game.table}), "reason"),
        (
            json!({"table_id": game.table, "reason": "x".repeat(101)}),
            "reason",
        ),
        (
            json!({"table_id": game.table, "reason": "x", "text": "y".repeat(1001)}),
            "text",
        ),
        (json!({"table_id": game.table, "reason": "x", "seq": 999}), "seq"),
        (json!({"table_id": game.table, "reason": "x", "seq": 1}), "seq"),
        (
            json!({"player_id": game.white.id, "seq": 4, "reason": "x"}),
            "table_id",
        ),
        (
            json!({"player_id": "0000000000000000", "reason": "x"}),
            "player_id",
        ),
        (json!({"player_id": "nobody", "reason": "x"}), "player_id"),
        (json!({"table_id": "0000000000000000", "reason": "x"}), "table_id"),
        (json!({"table_id": private.table, "reason": "x"}), "table_id"),
        (json!({"table_id": game.table, "reason": "x", "why": 1}), "why"),
    ] {
        report(mover, &body).problem_of(400, "bad_request", field);
    }
    report(mover, &json!({"player_id": mover.id, "reason": "x"})).problem(409, "same_player");
    report(&private.black, &json!({"table_id": private.table, "reason": "x"})).ok(201);
    let keyed = mover.with("idempotency-key", "report");
    let body = json!({"table_id": game.table, "reason": "the whole game"});
    let one = keyed.post("/api/v1/reports", &body).ok(201);
    // The same answer, and the report as it was kept, whatever has been said since.
    game.white
        .command(&game.table, &json!({"type": "chat", "text": "later"}))
        .ok(200);
    assert_eq!(keyed.post("/api/v1/reports", &body).ok(201), one);
    let later = format!(
        "select count(*) from report_lines where report_id = '{}'",
        one["id"].as_str().expect("an id")
    );
    assert_eq!(
        crate::harness::Stored::of(server()).ask(&later).as_deref(),
        Some("0")
    );
    keyed
        .post("/api/v1/reports", &json!({"table_id": game.table, "reason": "y"}))
        .problem(409, "key_reused");
}

#[test]
fn s5_reports_are_limited() {
    let server = Server::limited("tell-tales", "2/1h");
    let game = Game::on_9x9(&server);
    let body = json!({"table_id": game.table, "reason": "x"});
    let keyed = game.black.with("idempotency-key", "one");
    let one = keyed.post("/api/v1/reports", &body).ok(201);
    report(&game.black, &body).ok(201);
    report(&game.black, &body).problem(429, "rate_limited");
    // What stands is answered again, and what was refused is refused again.
    assert_eq!(keyed.post("/api/v1/reports", &body).ok(201), one);
    let refused = game.black.with("idempotency-key", "two");
    for _ in 0..2 {
        refused
            .post("/api/v1/reports", &body)
            .problem(429, "rate_limited");
    }
    report(&game.white, &body).ok(201);
    wait_until("nothing else is in the way", || {
        game.snapshot()["state"] == "playing"
    });
}
