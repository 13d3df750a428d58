//! The accounts' database is away: games go on, and nothing is lost.

use crate::harness::{Client, Guest, PASSWORD, Server, Stored, unique, wait_until};
use serde_json::json;

fn switch(server: &Server, fault: &str) {
    let _ = Client::new(server).with("x-hoshi-fault", fault).get("/healthz");
}

#[test]
fn games_start_go_on_and_end_while_the_database_is_away_and_their_results_arrive() {
    let server = Server::alone("database-away");
    let nobody = Client::new(&server);
    let (black, white) = (
        Guest::account(&server, &unique("Awa")),
        Guest::account(&server, &unique("Bwa")),
    );
    let rated = json!({"ruleset": "baduk", "board": "9x9", "ranked": true, "color": "black",
        "clock": {"system": "fischer", "initial_ms": 3_600_000, "increment_ms": 10_000}});

    switch(&server, "database_away");
    let health = nobody.get("/healthz");
    assert_eq!(
        (health.status, &health.json["status"]),
        (503, &json!("unavailable"))
    );
    let made = black.create_table(&rated);
    let table = made["id"].as_str().expect("an id");
    white.join(table);
    let mut socket = black.connect(table);
    socket.wait_for("snapshot");
    black.play(table, "E5", 0).ok(200);
    white.play(table, "D4", 1).ok(200);
    assert_eq!(socket.wait_until("D4", |frame| frame["point"] == "D4")["turn"], 1);
    white.command(table, &json!({"type": "resign"})).ok(200);
    assert_eq!(black.snapshot(table)["result"]["sgf"], "B+R");
    // Playing again does not wait for it either.
    black.command(table, &json!({"type": "rematch"})).ok(200);
    let agreed = white.command(table, &json!({"type": "rematch"})).ok(200);
    let next = agreed["events"][0]["table_id"].as_str().expect("an id");
    white.play(next, "E5", 0).ok(200);

    // What cannot be done without it says so, and may be tried again.
    let name = unique("Cwa");
    let credentials = json!({"name": name, "password": PASSWORD});
    let id = &black.id;
    for answer in [
        nobody.post("/api/v1/guests", &json!({})),
        nobody.post("/api/v1/accounts", &credentials),
        nobody.post("/api/v1/sessions", &credentials),
        black.get("/api/v1/me"),
        black.patch("/api/v1/me", &json!({"preferences": {}})),
        black.get("/api/v1/me/tables"),
        black.get("/api/v1/me/export"),
        black.get("/api/v1/me/export?format=sgf"),
        black.get("/api/v1/me/blocks"),
        black.put(&format!("/api/v1/me/blocks/{}", white.id), &json!({})),
        black.put(
            "/api/v1/me/password",
            &json!({"old": PASSWORD, "new": "another password"}),
        ),
        black.delete("/api/v1/sessions/current"),
        black.delete("/api/v1/sessions"),
        black.delete_with("/api/v1/me", &json!({"password": PASSWORD})),
        nobody.get(&format!("/api/v1/players/{id}")),
        nobody.get(&format!("/api/v1/players/{id}/games")),
        nobody.get("/api/v1/leaderboards/baduk"),
        nobody.get("/api/v1/tables"),
    ] {
        assert_eq!(answer.header("retry-after"), Some("1"));
        answer.problem(503, "unavailable");
    }

    switch(&server, "database_back");
    assert_eq!(nobody.get("/healthz").status, 200);
    black.get("/api/v1/me").ok(200);
    let rating = |player: &Guest| {
        let seen = nobody.get(&format!("/api/v1/players/{}", player.id)).ok(200);
        seen["ratings"]["baduk"]["rating"].clone()
    };
    wait_until("the result has arrived", || rating(&black) == json!(1216.0));
    assert_eq!(rating(&white), json!(1184.0));
    let games = nobody.get(&format!("/api/v1/players/{id}/games")).ok(200);
    assert_eq!(games["items"][0]["id"], made["id"]);
    wait_until("the next game is listed", || {
        let mine = white.get("/api/v1/me/tables?state=playing").ok(200);
        mine["items"][0]["id"] == json!(next)
    });
    nobody.post("/api/v1/accounts", &credentials).ok(201);
}

#[test]
fn p3_a_token_that_was_revoked_does_nothing_but_play_while_the_database_is_slow() {
    let server = Server::alone("database-slow");
    let nobody = Client::new(&server);
    let other = Guest::new(&server, "Other");
    let made = other.challenge(&Guest::new(&server, "Third"), &json!({"ruleset": "baduk"}));
    let (revoked, lives) = (Guest::new(&server, "Revoked"), Guest::new(&server, "Lives"));
    // One who was a guest when his token was made, and has an account since.
    let saved = Guest::new(&server, "Saved");
    saved.save_as(&unique("Saved"));
    assert_eq!(revoked.delete("/api/v1/sessions").status, 204);

    switch(&server, "database_slow");
    // Games wait for nobody, so there its word suffices.
    let table = revoked.create_table(&json!({"ruleset": "baduk", "board": "9x9"}));
    lives.join(table["id"].as_str().expect("an id"));
    let block = format!("/api/v1/me/blocks/{}", other.id);
    let accept = format!(
        "/api/v1/challenges/{}/accept",
        made["id"].as_str().expect("an id")
    );
    let report = json!({"player_id": other.id, "reason": "x"});
    let appeal = json!({"points": ["A1"], "reason": "x"});
    let appeals = format!("/api/v1/tables/{}/appeals", table["id"].as_str().expect("an id"));
    let account = json!({"name": unique("Taken"), "password": PASSWORD});
    for answer in [
        revoked.get("/api/v1/me"),
        revoked.patch("/api/v1/me", &json!({"preferences": {}})),
        revoked.delete_with("/api/v1/me", &json!({})),
        revoked.post("/api/v1/accounts", &account),
        revoked.put(
            "/api/v1/me/password",
            &json!({"old": PASSWORD, "new": "another password"}),
        ),
        revoked.delete("/api/v1/sessions"),
        revoked.delete("/api/v1/sessions/current"),
        revoked.get("/api/v1/me/export"),
        revoked.get("/api/v1/me/export?format=sgf"),
        revoked.get("/api/v1/me/tables"),
        revoked.get(&format!("/api/v1/tables?player={}", revoked.id)),
        revoked.get(&format!("/api/v1/players/{}/games", revoked.id)),
        revoked.get("/api/v1/me/blocks"),
        revoked.put(&block, &json!({})),
        revoked.delete(&block),
        revoked.get("/api/v1/challenges"),
        revoked.post("/api/v1/challenges", &json!({"to": other.id, "ruleset": "baduk"})),
        revoked.post(&accept, &json!({})),
        revoked.post("/api/v1/reports", &report),
        revoked.post(&appeals, &appeal),
        revoked.get("/api/v1/operator/log"),
    ] {
        answer.problem(401, "unauthenticated");
    }
    saved
        .delete_with("/api/v1/me", &json!({}))
        .problem_of(400, "bad_request", "password");
    // Whose session lives is kept waiting a little, and served.
    lives.get("/api/v1/me").ok(200);
    assert_eq!(lives.put(&block, &json!({})).status, 204);

    switch(&server, "database_back");
    nobody.post("/api/v1/accounts", &account).ok(201);
    assert_eq!(
        nobody.get(&format!("/api/v1/players/{}", revoked.id)).ok(200)["kind"],
        "guest"
    );
}

#[test]
fn a_session_that_ended_unheard_of_loses_its_socket_when_the_database_is_back() {
    let server = Server::alone("away-and-signed-out");
    let game = crate::harness::Game::on_9x9(&server);
    switch(&server, "database_away");
    // He is believed meanwhile; that his session has ended only the database knows.
    let sql = format!("delete from sessions where player_id = '{}'", game.black.id);
    crate::harness::Stored::of(&server).change(&sql);
    let mut socket = game.black.connect(&game.table);
    socket.wait_for("snapshot");
    game.play(0, "E5");
    socket.wait_for_event("played");
    switch(&server, "database_back");
    socket.wait_for("signed_out");
    socket.wait_for_close();
}

#[test]
fn l2_the_computer_stands_in_while_the_database_cannot_say_who_may_meet() {
    let server = Server::alone("stand-in-away");
    let both = [Guest::new(&server, "Aki"), Guest::new(&server, "Bo")];
    switch(&server, "database_away");
    let request = json!({"ruleset": "baduk", "board": "9x9", "computer_after_ms": 500});
    for guest in &both {
        let status = guest.seek(&request).status;
        assert!([200, 201].contains(&status), "{status}");
    }
    for guest in &both {
        wait_until("the computer stands in", || {
            let found = guest.get("/api/v1/seeks/current").json;
            found["match_found"]["opponent"]["kind"] == "computer"
        });
    }
}

#[test]
fn p3_a_channel_that_opened_on_a_tokens_word_closes_when_the_session_turns_out_to_be_gone() {
    let server = Server::alone("channel-away");
    let aki = Guest::new(&server, "Aki");
    switch(&server, "database_away");
    let (mut channel, _) = aki.channel();
    Stored::of(&server).change(&format!("delete from sessions where player_id = '{}'", aki.id));
    switch(&server, "database_back");
    channel.wait_for("signed_out");
    channel.wait_for_close();
}
