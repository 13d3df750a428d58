//! Operators (S4): who may do what, suspensions, the removal of chat, the log.

use crate::harness::{Client, Game, Guest, Server, Stored, server, unique, wait_until, wait_until_present};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// A moment in an hour.
fn later() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    now.as_millis() as u64 + 3_600_000
}

fn suspend(operator: &Guest, player: &Guest, what: &Value) -> Value {
    let path = format!("/api/v1/operator/players/{}/suspend", player.id);
    let mut body = what.clone();
    body["reason"] = json!("enough");
    operator.post(&path, &body).ok(200)
}

#[test]
fn s4_every_call_is_for_operators_only() {
    let server = server();
    let operator = Guest::operator(server);
    let [account, other, suspended] = ["Opa", "Opb", "Opc"].map(|name| Guest::account(server, &unique(name)));
    suspend(&operator, &suspended, &json!({"chat": later(), "play": later()}));
    let guest = Guest::new(server, "Guest");
    let nobody = Client::new(server);
    let nothing = "0000000000000000";
    let dead = json!({"dead": {"black": [], "white": []}, "reason": "x"});
    let noted = json!({"note": "x"});
    let chat = json!({"seq": 1, "reason": "x"});
    let lifted = json!({"chat": null, "reason": "x"});
    let other_path = format!("/api/v1/operator/players/{}/suspend", other.id);
    // Of each call: what it answers to an operator.
    let calls: [(&str, String, Option<&Value>, u16); 8] = [
        ("GET", "/api/v1/operator/reports".to_owned(), None, 200),
        (
            "POST",
            format!("/api/v1/operator/reports/{nothing}/close"),
            Some(&noted),
            404,
        ),
        ("GET", "/api/v1/operator/appeals".to_owned(), None, 200),
        (
            "POST",
            format!("/api/v1/operator/appeals/{nothing}/decide"),
            Some(&dead),
            404,
        ),
        (
            "POST",
            format!("/api/v1/operator/tables/{nothing}/correct"),
            Some(&dead),
            404,
        ),
        (
            "POST",
            format!("/api/v1/operator/tables/{nothing}/remove_chat"),
            Some(&chat),
            404,
        ),
        ("POST", other_path, Some(&lifted), 200),
        ("GET", "/api/v1/operator/log".to_owned(), None, 200),
    ];
    for (method, path, body, status) in &calls {
        let bytes = body.map(|body| body.to_string().into_bytes());
        let send = |client: &Client| client.send(method, path, bytes.as_deref());
        send(&nobody).problem(401, "unauthenticated");
        for (who, client) in [
            ("guest", &guest),
            ("account", &account),
            ("other player", &other),
            ("suspended player", &suspended),
        ] {
            let refused = send(client);
            assert_eq!(refused.status, 403, "{who}: {method} {path}: {}", refused.body);
            refused.problem(403, "forbidden");
        }
        let answer = send(&operator);
        assert_eq!(answer.status, *status, "{method} {path}: {}", answer.body);
    }
    for (path, field) in [
        ("/api/v1/operator/appeals?state=x", "state"),
        ("/api/v1/operator/reports?cursor=x", "cursor"),
        ("/api/v1/operator/log?cursor=x", "cursor"),
        ("/api/v1/operator/log?cursor=9007199254740993", "cursor"),
        (
            "/api/v1/operator/reports?cursor=9007199254740993.0123456789abcdef",
            "cursor",
        ),
        ("/api/v1/operator/appeals?cursor=1.nobody", "cursor"),
        ("/api/v1/operator/log?limit=0", "limit"),
        ("/api/v1/operator/log?x=0", "x"),
    ] {
        operator.get(path).problem_of(400, "bad_request", field);
    }
    // A moment that no date can be is none.
    let suspend = format!("/api/v1/operator/players/{}/suspend", other.id);
    for until in [9_007_199_254_740_993i64, 8_640_000_000_000_001, i64::MAX, 1] {
        operator
            .post(&suspend, &json!({"chat": until, "reason": "x"}))
            .problem_of(400, "bad_request", "chat");
    }
    assert_eq!(operator.get("/api/v1/me").ok(200)["operator"], true);
    assert_eq!(account.get("/api/v1/me").ok(200)["operator"], Value::Null);
}

#[test]
fn s4_suspended_from_play_begins_no_game_and_finishes_what_runs() {
    let server = server();
    let operator = Guest::operator(server);
    let game = Game::on_9x9(server);
    let mut black = game.black.connect(&game.table);
    black.wait_for("snapshot");
    let terms = json!({"ruleset": "baduk", "board": "9x9", "clock": {"system": "none"}});
    let waiting = game.black.create_table(&terms)["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    wait_until_present(&game.black);
    let until = later();
    let mut channel = game.black.open("/api/v1/me/socket").expect("a channel");
    channel.wait_for("hello");
    let asked = json!({"to": game.white.id, "ruleset": "hex"});
    let challenge = game.black.post("/api/v1/challenges", &asked).ok(201);
    let answer = suspend(&operator, &game.black, &json!({"play": until}));
    assert_eq!(channel.wait_for("suspended")["suspended"]["play"], until);
    game.black
        .post("/api/v1/seeks", &json!({"ruleset": "hex"}))
        .problem(403, "suspended");
    game.black
        .post("/api/v1/challenges", &asked)
        .problem(403, "suspended");
    let accept = challenge["id"].as_str().expect("an id");
    game.white
        .post(&format!("/api/v1/challenges/{accept}/accept"), &json!({}))
        .problem(403, "suspended");
    assert_eq!(answer["suspended"], json!({"chat": null, "play": until}));
    assert_eq!(
        game.black.get("/api/v1/me").ok(200)["suspended"],
        json!({"chat": null, "play": until})
    );
    let refused = game
        .black
        .post("/api/v1/tables", &terms)
        .problem(403, "suspended");
    assert_eq!(refused["until_at"], until);
    let open = game.white.create_table(&terms)["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    game.black
        .post(&format!("/api/v1/tables/{open}/join"), &json!({}))
        .problem(403, "suspended");
    // The table at which he waited is closed, so that nobody sits down there.
    wait_until("his waiting table is closed", || {
        game.white.snapshot(&waiting)["state"] == "closed"
    });
    // What runs goes on, over his socket too; he may talk, and look on.
    black.play("E5", 0);
    black.wait_for("ok");
    game.play(1, "C3");
    let said = json!({"type": "chat", "text": "still here"});
    game.black.command(&game.table, &said).ok(200);
    game.black.connect(&open).wait_for("snapshot");
    game.white
        .command(&game.table, &json!({"type": "resign"}))
        .ok(200);
    // There is no rematch, whoever proposes it.
    black.send(&json!({"type": "rematch"}));
    assert_eq!(black.wait_for("refused")["code"], "suspended");
    game.white
        .command(&game.table, &json!({"type": "rematch"}))
        .problem(403, "suspended");
    // Lifted, all is as before.
    suspend(&operator, &game.black, &json!({"play": null}));
    game.black.create_table(&terms);
    game.black
        .command(&game.table, &json!({"type": "rematch"}))
        .ok(200);
}

#[test]
fn s4_suspended_from_chat_says_nothing_anywhere_and_plays_on() {
    let server = server();
    let operator = Guest::operator(server);
    let game = Game::on_9x9(server);
    let chat = json!({"type": "chat", "text": "hi"});
    let mut black = game.black.connect(&game.table);
    black.wait_for("snapshot");
    black.send(&chat);
    black.wait_for("ok");
    let path = format!("/api/v1/operator/players/{}/suspend", game.black.id);
    for (body, field) in [
        (json!({"reason": "x"}), "chat"),
        (json!({"chat": 1000, "reason": "x"}), "chat"),
        (json!({"play": 1000, "reason": "x"}), "play"),
        (json!({"play": "forever", "reason": "x"}), "play"),
        (json!({"chat": later()}), "reason"),
    ] {
        operator.post(&path, &body).problem_of(400, "bad_request", field);
    }
    wait_until_present(&game.black);
    let until = later();
    suspend(&operator, &game.black, &json!({"chat": until}));
    // At once, over the socket that was open before.
    black.send(&chat);
    let refused = black.wait_for("refused");
    assert_eq!(
        (&refused["code"], &refused["until_at"]),
        (&json!("suspended"), &json!(until))
    );
    game.black.command(&game.table, &chat).problem(403, "suspended");
    let elsewhere = Game::on_9x9(server);
    game.black
        .command(&elsewhere.table, &chat)
        .problem(403, "suspended");
    game.play(0, "E5");
    suspend(&operator, &game.black, &json!({"chat": null}));
    black.send(&chat);
    black.wait_for("ok");
    // He finds in his own file what was done about him.
    let export = game.black.get("/api/v1/me/export").ok(200);
    let done = export["operators"].as_array().expect("entries");
    assert_eq!((done.len(), &done[0]["reason"]), (2, &json!("enough")));
}

#[test]
fn s4_a_removed_line_is_replaced_everywhere() {
    let server = Server::alone("removal");
    let operator = Guest::operator(&server);
    let game = Game::start(&server, &json!({"ruleset": "baduk", "visibility": "private"}));
    let said = json!({"type": "chat", "text": "zxwline to be removed"});
    let seq = game.white.command(&game.table, &said).ok(200)["events"][0]["seq"].clone();
    let mut black = game.black.connect(&game.table);
    black.wait_for("snapshot");
    let path = format!("/api/v1/operator/tables/{}/remove_chat", game.table);
    operator
        .post(&path, &json!({"seq": 1, "reason": "x"}))
        .problem(404, "not_found");
    // An operator may look at a private table.
    assert_eq!(
        operator.snapshot(&game.table)["chat"][0]["text"],
        "zxwline to be removed"
    );
    let remove = json!({"seq": seq, "reason": "an address"});
    operator.post(&path, &remove).ok(200);
    operator.post(&path, &remove).ok(200);
    assert_eq!(black.wait_for_event("chat_removed")["line"], seq);
    let line = game.snapshot()["chat"][0].clone();
    assert_eq!(
        (&line["text"], &line["removed"]),
        (&json!("(removed)"), &json!("by_operator"))
    );
    let events = game
        .black
        .get(&format!("/api/v1/tables/{}/events?since=0", game.table))
        .ok(200);
    assert!(!events.to_string().contains("zxwline"));
    assert_eq!(
        Stored::of(&server).places_of("zxwline"),
        [] as [&str; 0],
        "not in the storage either"
    );
    // Twice is one entry.
    let log = operator.get("/api/v1/operator/log").ok(200);
    let actions: Vec<&str> = log["items"]
        .as_array()
        .expect("entries")
        .iter()
        .filter_map(|entry| entry["action"].as_str())
        .collect();
    assert_eq!(actions, ["remove_chat", "make_operator"]);
    // The log stays as it is; operators are unmade as they are made.
    assert_eq!(
        (&log["items"][0]["subject"], &log["items"][0]["reason"]),
        (&json!(seq.to_string()), &json!("an address"))
    );
    // It says whose line it was, and he can read that it was removed.
    assert_eq!(log["items"][0]["player"]["id"], json!(game.white.id));
    let export = game.white.get("/api/v1/me/export").ok(200);
    let entry = &export["operators"][0];
    assert_eq!(
        (
            &entry["action"],
            &entry["table_id"],
            &entry["subject"],
            &entry["reason"]
        ),
        (
            &json!("remove_chat"),
            &json!(game.table),
            &json!(seq.to_string()),
            &json!("an address")
        )
    );
    let other = game.black.get("/api/v1/me/export").ok(200);
    assert_eq!(other["operators"], json!([]));
}

#[test]
fn t6_a_blocked_player_is_refused_everywhere_and_a_guest_in_rated_games() {
    // TRAPS 22, over the roads that there are here; challenges and searches have stories of their own.
    let server = server();
    let [a, b] = ["Blk", "Bll"].map(|name| Guest::account(server, &unique(name)));
    a.put(&format!("/api/v1/me/blocks/{}", b.id), &json!({}));
    let terms =
        json!({"ruleset": "baduk", "board": "9x9", "clock": {"system": "none"}, "visibility": "private"});
    let made = a.create_table(&terms);
    let (table, code) = (
        made["id"].as_str().expect("an id").to_owned(),
        made["invite"]["code"].clone(),
    );
    b.post(&format!("/api/v1/tables/{table}/join"), &json!({"invite": code}))
        .problem(403, "blocked");
    let rated = json!({"ruleset": "baduk", "board": "9x9", "ranked": true,
        "clock": {"system": "per_move", "period_ms": 60_000}});
    let guest = Guest::new(server, "Chi");
    guest.post("/api/v1/tables", &rated).problem(403, "needs_account");
    // A guest who becomes an account keeps seat and game, and what he has said.
    let game = Game::on_9x9(server);
    game.black
        .command(&game.table, &json!({"type": "chat", "text": "me"}))
        .ok(200);
    game.black.save_as(&unique("Saved"));
    game.play(0, "E5");
    let snapshot = game.snapshot();
    assert_eq!(
        (&snapshot["you"], &snapshot["chat"][0]["player"]["id"]),
        (&json!("black"), &json!(game.black.id))
    );
}
