//! What must not be possible: another player's things, and bodies that are made to hurt (X4, X5).

use crate::harness::{Client, Game, Guest, PASSWORD, server, unique};
use serde_json::json;

#[test]
fn another_players_seat_session_and_lists_are_out_of_reach() {
    let game = Game::on_9x9(server());
    let eve = Guest::account(server(), &unique("Eve"));
    // The seat.
    eve.play(&game.table, "E5", 0).problem(403, "forbidden");
    eve.command(&game.table, &json!({"type": "resign"}))
        .problem(403, "forbidden");
    // Sessions: there is no address for another's, and ending one's own ends no other.
    assert_eq!(eve.delete("/api/v1/sessions").status, 204);
    game.black.get("/api/v1/me").ok(200);
    let eve = Guest::account(server(), &unique("Eve"));
    for path in ["/api/v1/sessions/", "/api/v1/me/", "/api/v1/players/"] {
        let path = format!("{path}{}", game.black.id);
        for method in ["PUT", "PATCH", "DELETE", "POST"] {
            let status = eve.send(method, &path, Some(b"{}")).status;
            assert!(status == 404 || status == 405, "{method} {path}: {status}");
        }
    }
    for path in ["export", "blocks", "password", "preferences"] {
        let path = format!("/api/v1/players/{}/{path}", game.black.id);
        eve.get(&path).problem(404, "not_found");
    }
    // Nobody is another by saying so.
    for (path, body) in [
        (
            "/api/v1/accounts",
            json!({"name": unique("Eve"), "password": PASSWORD, "id": game.black.id}),
        ),
        (
            "/api/v1/sessions",
            json!({"name": "x", "password": PASSWORD, "player_id": game.black.id}),
        ),
        ("/api/v1/guests", json!({"id": game.black.id})),
    ] {
        let answer = Client::new(server())
            .post(path, &body)
            .problem(400, "bad_request");
        assert!(answer["field"] == "id" || answer["field"] == "player_id");
    }
}

#[test]
fn x5_bodies_that_are_made_to_hurt_are_refused() {
    let guest = Guest::new(server(), "Guest");
    let megabyte = json!({"name": "x".repeat(1 << 20), "password": PASSWORD}).to_string();
    let mut deep = "[".repeat(10_000);
    deep.push_str(&"]".repeat(10_000));
    let deep_field = format!("{{\"name\": {deep}}}");
    for (method, path) in [
        ("POST", "/api/v1/guests"),
        ("POST", "/api/v1/accounts"),
        ("POST", "/api/v1/sessions"),
        ("PATCH", "/api/v1/me"),
        ("DELETE", "/api/v1/me"),
        ("PUT", "/api/v1/me/password"),
    ] {
        guest
            .send(method, path, Some(megabyte.as_bytes()))
            .problem(413, "payload_too_large");
        guest
            .send(method, path, Some(deep.as_bytes()))
            .problem(400, "bad_json");
        guest
            .send(method, path, Some(deep_field.as_bytes()))
            .problem(400, "bad_json");
        guest
            .send(method, path, Some(b"\xff\xfe{}"))
            .problem(400, "bad_json");
        guest.send(method, path, Some(b"[]")).problem(400, "bad_request");
        guest
            .send(method, path, Some(b"null"))
            .problem(400, "bad_request");
    }
    guest.get("/api/v1/me").ok(200);
}

#[test]
fn x4_pages_of_other_sites_cannot_touch_an_account() {
    let account = Guest::account(server(), &unique("Csrf"));
    let with_cookie = Client::new(server())
        .with("cookie", &format!("hoshi_session={}", account.token))
        .with("origin", "https://evil.example");
    let body = json!({"password": PASSWORD, "name": unique("Evil")});
    for (method, path) in [
        ("POST", "/api/v1/accounts"),
        ("POST", "/api/v1/sessions"),
        ("DELETE", "/api/v1/sessions"),
        ("DELETE", "/api/v1/sessions/current"),
        ("PATCH", "/api/v1/me"),
        ("DELETE", "/api/v1/me"),
        ("PUT", "/api/v1/me/password"),
        ("PUT", "/api/v1/me/blocks/2222222222222222"),
        ("POST", "/api/v1/socket-tickets"),
    ] {
        let answer = with_cookie.send(method, path, Some(body.to_string().as_bytes()));
        answer.problem(403, "forbidden");
    }
    // What it reads it reads as nobody, and its browser does not show it the answer.
    let read = with_cookie.get("/api/v1/me");
    assert_eq!(read.header("access-control-allow-origin"), None);
    read.problem(401, "unauthenticated");
    with_cookie
        .get("/api/v1/me/export")
        .problem(401, "unauthenticated");
    account.get("/api/v1/me").ok(200);
}
