//! Who somebody is: guests, tokens, cookies, tickets, and pages of other sites (P1, X4).

use crate::harness::{Client, FRIEND, Game, Guest, SECRET, server};
use hoshi::clock::Timestamp;
use hoshi::game::PlayerKind;
use hoshi::players::{Claims, Purpose, SessionId, TokenKeys};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// The time in seconds since 1970.
fn seconds() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("after 1970")
        .as_secs() as i64
}

/// What a good token says.
fn claims(token: &str, purpose: Purpose) -> Claims {
    let keys = TokenKeys::new(SECRET.as_bytes()).expect("a long enough secret");
    keys.verify(token, purpose, Timestamp::from_millis(seconds() * 1000))
        .expect("a good token")
}

fn sign(claims: &Claims, secret: &str) -> String {
    let keys = TokenKeys::new(secret.as_bytes()).expect("a long enough secret");
    keys.sign(claims).expect("signed")
}

fn bearer(token: &str) -> Client {
    Client::new(server()).with("authorization", &format!("Bearer {token}"))
}

#[test]
fn p1_one_call_makes_a_guest_with_a_cookie_and_the_same_token() {
    let answer = Client::new(server()).post("/api/v1/guests", &json!({"name": "Aki"}));
    let cookie = answer.header("set-cookie").expect("a cookie").to_owned();
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let made = answer.ok(201);
    let token = made["token"].as_str().expect("a token");
    let mut parts = cookie.split("; ");
    assert_eq!(parts.next(), Some(format!("hoshi_session={token}").as_str()));
    let mut flags: Vec<&str> = parts.collect();
    flags.sort_unstable();
    assert_eq!(
        flags,
        ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax", "Secure"]
    );
    assert_eq!(made["player"]["kind"], "guest");
    assert_eq!(made["player"]["ratings"], json!({}));
    let life = made["expires_at"].as_i64().expect("a time") - seconds() * 1000;
    assert!((life - 30 * 24 * 3_600_000).abs() < 60_000, "{life}");

    // Use does not extend it: neither the session, nor the cookie.
    let id = made["player"]["id"].as_str().expect("an id");
    let ends = || {
        let sql = format!("select expires_at from sessions where player_id = '{id}'");
        crate::harness::Stored::of(server()).ask(&sql)
    };
    let before = ends();
    // A token ends at a whole second.
    let stored = before.as_deref().and_then(|end| end.parse::<i64>().ok());
    assert_eq!(stored.map(|end| end / 1000 * 1000), made["expires_at"].as_i64());
    for carried in [
        bearer(token),
        Client::new(server()).with("authorization", &format!("bearer  {token}")),
        Client::new(server()).with("cookie", &format!("a=b; hoshi_session={token}; c=d")),
    ] {
        let answer = carried.get("/api/v1/me");
        assert_eq!((answer.header("set-cookie"), ends()), (None, before.clone()));
        let me = answer.ok(200);
        for member in ["id", "name", "kind", "ratings"] {
            assert_eq!(me[member], made["player"][member], "{member}");
        }
    }
}

#[test]
fn p1_a_token_that_is_worth_nothing_is_nobody() {
    let aki = Guest::new(server(), "Aki");
    let good = claims(&aki.token, Purpose::Session);
    let expired = Claims {
        exp: seconds() - 1,
        ..good.clone()
    };
    let ticket = Claims {
        purpose: Purpose::SocketTicket,
        ..good.clone()
    };
    let ended = Claims {
        session: SessionId("2222222222222222".to_owned()),
        ..good.clone()
    };
    let another = Claims {
        kind: PlayerKind::Guest,
        name: "Eve".to_owned(),
        ..good.clone()
    };
    let parts: Vec<&str> = aki.token.split('.').collect();
    let tokens = [
        sign(&expired, SECRET),
        sign(&ticket, SECRET),
        sign(&ended, SECRET),
        sign(&good, "another key that is long enough to sign with"),
        format!("{}.{}", parts[0], parts[1]),
        format!("{}.{}.{}x", parts[0], parts[1], parts[2]),
        // {"alg":"none"}
        format!("eyJhbGciOiJub25lIn0.{}.", parts[1]),
        "x".repeat(5000),
        "..".to_owned(),
    ];
    let table = aki.create_table(&json!({"ruleset": "baduk"}));
    let table = table["id"].as_str().expect("an id");
    for token in tokens {
        bearer(&token).get("/api/v1/me").problem(401, "unauthenticated");
        bearer(&token)
            .post("/api/v1/tables", &json!({"ruleset": "baduk"}))
            .problem(401, "unauthenticated");
        // A bad bearer is an error even where nobody needs to be known; a stale cookie is what browsers send.
        bearer(&token)
            .get(&format!("/api/v1/tables/{table}"))
            .problem(401, "unauthenticated");
        let stale = Client::new(server()).with("cookie", &format!("hoshi_session={token}"));
        assert_eq!(stale.snapshot(table)["you"], Value::Null);
        stale.get("/api/v1/me").problem(401, "unauthenticated");
        let refused = bearer(&token).try_connect(table, "").err().expect("no socket");
        assert_eq!(refused.status, 401);
    }
    // The name in a token is only a stand-in: the player is who the session says.
    assert_eq!(
        bearer(&sign(&another, SECRET)).get("/api/v1/me").ok(200)["name"],
        "Aki"
    );
}

#[test]
fn x4_a_ticket_opens_sockets_and_nothing_else() {
    let game = Game::on_9x9(server());
    let made = game.black.post("/api/v1/socket-tickets", &json!({})).ok(201);
    let ticket = made["ticket"].as_str().expect("a ticket");
    let life = made["expires_at"].as_i64().expect("a time") - seconds() * 1000;
    assert!((0..=62_000).contains(&life), "{life}");
    let nobody = Client::new(server());
    for client in [nobody.clone(), nobody.with("origin", FRIEND)] {
        let mut socket = client.connect_with(&game.table, &format!("?ticket={ticket}"));
        assert_eq!(socket.wait_for("snapshot")["you"], "black");
    }
    bearer(ticket).get("/api/v1/me").problem(401, "unauthenticated");
    nobody
        .get(&format!("/api/v1/tables/{}?ticket={ticket}", game.table))
        .problem(400, "bad_request");

    let good = claims(ticket, Purpose::SocketTicket);
    let expired = sign(
        &Claims {
            exp: seconds() - 1,
            ..good
        },
        SECRET,
    );
    for bad in [expired.as_str(), game.black.token.as_str(), "nonsense", ""] {
        let refused = nobody
            .try_connect(&game.table, &format!("?ticket={bad}"))
            .err()
            .expect("no socket");
        assert_eq!(refused.status, 401, "{bad}");
    }
}

#[test]
fn x4_pages_of_foreign_sites_can_change_nothing() {
    let game = Game::on_9x9(server());
    let terms = json!({"ruleset": "baduk"});
    let with_cookie = Client::new(server()).with("cookie", &format!("hoshi_session={}", game.black.token));
    for origin in [
        "https://evil.example",
        "null",
        "http://127.0.0.1",
        &format!("{}.evil.example", server().origin()),
    ] {
        for client in [&with_cookie, &*game.black] {
            let foreign = client.with("origin", origin);
            foreign.post("/api/v1/tables", &terms).problem(403, "forbidden");
            foreign.play(&game.table, "D4", 0).problem(403, "forbidden");
            foreign
                .post("/api/v1/guests", &json!({}))
                .problem(403, "forbidden");
            foreign
                .delete(&format!("/api/v1/tables/{}", game.table))
                .problem(403, "forbidden");
            let refused = foreign.try_connect(&game.table, "").err().expect("no socket");
            assert_eq!(refused.status, 403);
            // Reading public things is harmless, and no page is let to see the answer.
            let read = foreign.get(&format!("/api/v1/tables/{}", game.table));
            assert_eq!(read.header("access-control-allow-origin"), None);
            assert_eq!(read.ok(200)["turn"], 0);
        }
        // The cookie that the browser adds says nothing about who is at the page.
        let read = with_cookie.with("origin", origin).snapshot(&game.table);
        assert_eq!(read["you"], Value::Null);
    }
    let own = with_cookie.with("origin", &server().origin());
    own.post("/api/v1/tables", &terms).ok(201);
    assert_eq!(own.connect(&game.table).wait_for("snapshot")["you"], "black");
}

#[test]
fn x4_pages_of_listed_sites_use_tokens_and_never_cookies() {
    let game = Game::on_9x9(server());
    let friend = Client::new(server()).with("origin", FRIEND);
    let asked = friend.send("OPTIONS", "/api/v1/tables", None);
    assert_eq!(asked.status, 204);
    assert_eq!(asked.header("access-control-allow-origin"), Some(FRIEND));
    assert_eq!(asked.header("access-control-allow-credentials"), None);
    assert!(
        asked
            .header("vary")
            .is_some_and(|vary| vary.to_lowercase().contains("origin"))
    );
    let allowed = asked.header("access-control-allow-headers").expect("headers");
    assert!(
        ["authorization", "content-type", "idempotency-key"]
            .iter()
            .all(|each| allowed.contains(each))
    );

    let by_token = friend.with("authorization", &format!("Bearer {}", game.black.token));
    let answer = by_token.play(&game.table, "D4", 0);
    assert_eq!(answer.header("access-control-allow-origin"), Some(FRIEND));
    answer.ok(200);
    let by_cookie = friend.with("cookie", &format!("hoshi_session={}", game.white.token));
    let refused = by_cookie.play(&game.table, "E5", 1);
    assert_eq!(
        refused.header("access-control-allow-origin"),
        Some(FRIEND),
        "errors can be read too"
    );
    refused.problem(401, "unauthenticated");
    assert_eq!(
        by_cookie.connect(&game.table).wait_for("snapshot")["you"],
        Value::Null
    );
}
