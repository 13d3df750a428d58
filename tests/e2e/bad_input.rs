//! Whatever comes in, the answer is a clear 4xx, nothing changes, and the server lives on (X5).

use crate::harness::{Answer, Client, Guest, play_all, server};
use serde_json::{Value, json};
use tungstenite::Message;

/// JSON that is nested this deep.
fn deep(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

fn post(client: &Client, path: &str, body: impl AsRef<[u8]>) -> Answer {
    client.send("POST", path, Some(body.as_ref()))
}

#[test]
fn what_is_not_json_is_bad_json_everywhere() {
    let game = play_all(server(), "A1");
    let commands = format!("/api/v1/tables/{}/commands", game.table);
    let join = format!("/api/v1/tables/{}/join", game.table);
    let before = game.snapshot();
    let ten_thousand = deep(10_000);
    let bodies: [&[u8]; 9] = [
        b"{",
        b"nonsense",
        b"{\"ruleset\": \"baduk\",}",
        b"\xff\xfe\x00",
        b"{\"name\": \"\xc3\x28\"}",
        b"{\"name\": \"\\ud800\"}",
        b"{\"komi\": 1e400}",
        b"{} {}",
        ten_thousand.as_bytes(),
    ];
    for path in ["/api/v1/guests", "/api/v1/tables", &commands, &join] {
        for body in bodies {
            post(&game.white, path, body).problem(400, "bad_json");
        }
        for body in ["[]", "5", "null", "\"text\"", "true", "[{}]"] {
            post(&game.white, path, body).problem(400, "bad_request");
        }
        let deep_field = format!("{{\"ruleset\": {}}}", deep(100));
        post(&game.white, path, deep_field).problem(400, "bad_request");
    }
    for path in ["/api/v1/tables", &commands] {
        post(&game.white, path, "").problem(400, "bad_json");
    }
    assert_eq!(game.snapshot(), before);
}

#[test]
fn a_body_that_is_too_large_is_not_read() {
    let aki = Guest::new(server(), "Aki");
    let megabyte = json!({"ruleset": "x".repeat(1 << 20)});
    for path in [
        "/api/v1/guests",
        "/api/v1/tables",
        "/api/v1/tables/2222222222222222/commands",
    ] {
        aki.post(path, &megabyte).problem(413, "payload_too_large");
        aki.post(path, &json!({"ruleset": "x".repeat(65 * 1024)}))
            .problem(413, "payload_too_large");
    }
    aki.post("/api/v1/tables", &json!({"ruleset": "x".repeat(60 * 1024)}))
        .problem(400, "bad_request");
}

#[test]
fn fields_of_wrong_types_and_sizes_are_named() {
    let aki = Guest::new(server(), "Aki");
    let cases = [
        (json!({}), "ruleset"),
        (json!({"ruleset": 5}), "ruleset"),
        (json!({"ruleset": "baduk", "board": 9}), "board"),
        (json!({"ruleset": "baduk", "board": "9x13"}), "board"),
        (
            json!({"ruleset": "baduk", "board": "999999999999999999999x9"}),
            "board",
        ),
        (json!({"ruleset": "baduk", "komi": "6.5"}), "komi"),
        (json!({"ruleset": "baduk", "komi": 0.3}), "komi"),
        (json!({"ruleset": "baduk", "komi": 1e300}), "komi"),
        (json!({"ruleset": "baduk", "handicap": -1}), "handicap"),
        (json!({"ruleset": "baduk", "handicap": 256}), "handicap"),
        (json!({"ruleset": "baduk", "handicap": u64::MAX}), "handicap"),
        (json!({"ruleset": "baduk", "handicap": 2.0}), "handicap"),
        (json!({"ruleset": "baduk", "clock": "none"}), "clock"),
        (
            json!({"ruleset": "baduk", "clock": {"system": "sundial"}}),
            "clock",
        ),
        (json!({"ruleset": "baduk", "clock": ["none"]}), "clock"),
        (json!({"ruleset": "baduk", "opponent": ["anyone"]}), "opponent"),
        (json!({"ruleset": "baduk", "ranked": "no"}), "ranked"),
        (json!({"ruleset": "baduk", "color": "Black"}), "color"),
        (json!({"ruleset": "baduk", "visibility": "secret"}), "visibility"),
        (json!({"ruleset": "baduk", "opponent": "anyone"}), "opponent"),
        (
            json!({"ruleset": "baduk", "opponent": {"kind": "ghost"}}),
            "opponent",
        ),
        (json!({"ruleset": "baduk", "colour": "black"}), "colour"),
        (json!({"ruleset": "baduk", "__proto__": {}}), "__proto__"),
    ];
    for (terms, field) in cases {
        let problem = aki.post("/api/v1/tables", &terms).problem(400, "bad_request");
        let named = problem["field"].as_str().unwrap_or_default();
        assert!(
            named == field || named.starts_with(&format!("{field}.")),
            "{terms}: {problem}"
        );
    }
    aki.post("/api/v1/guests", &json!({"name": 5}))
        .problem_of(400, "bad_request", "name");
    aki.post("/api/v1/guests", &json!({"nmae": "Aki"}))
        .problem_of(400, "bad_request", "nmae");
    assert_eq!(aki.get("/api/v1/me/tables").ok(200)["items"], json!([]));
}

#[test]
fn odd_names_are_kept_whole_or_refused() {
    let nobody = Client::new(server());
    let twenty = "九".repeat(20);
    for name in [
        "a[3k]\\",
        "<b>",
        "신진서",
        "O'Neil \"Q\"",
        "🀄️".trim_end_matches('\u{fe0f}'),
        "x",
        twenty.as_str(),
    ] {
        let made = nobody.post("/api/v1/guests", &json!({"name": name})).ok(201);
        assert_eq!(made["player"]["name"], name);
        let token = made["token"].as_str().expect("a token");
        let me = nobody
            .with("authorization", &format!("Bearer {token}"))
            .get("/api/v1/me")
            .ok(200);
        assert_eq!(me["name"], name);
    }
    let long = "x".repeat(21);
    for name in [
        "",
        "   ",
        long.as_str(),
        "a\u{202e}b",
        "a\nb",
        "\0",
        "\u{200b}",
        "\u{feff}",
        "a\u{7f}b",
        "\u{e0041}x",
    ] {
        nobody
            .post("/api/v1/guests", &json!({"name": name}))
            .problem_of(400, "bad_name", "name");
    }
    let named = nobody.send("POST", "/api/v1/guests", None).ok(201);
    assert!(
        named["player"]["name"]
            .as_str()
            .is_some_and(|name| name.starts_with("Guest "))
    );
    let named = nobody.post("/api/v1/guests", &json!({"name": null})).ok(201);
    assert_eq!(named["player"]["kind"], "guest");
}

#[test]
fn ids_that_are_none_find_nothing() {
    let aki = Guest::new(server(), "Aki");
    let long = "a".repeat(5000);
    for id in [
        "1",
        "nonsense",
        "%00",
        "%ff",
        "..%2f..",
        "2222222222222222",
        "AAAAAAAAAAAAAAAA",
        "%F0%9F%8E%89",
        &long,
    ] {
        for rest in ["", "/events", "/sgf"] {
            aki.get(&format!("/api/v1/tables/{id}{rest}"))
                .problem(404, "not_found");
        }
        aki.post(&format!("/api/v1/tables/{id}/join"), &json!({}))
            .problem(404, "not_found");
        aki.play(id, "D4", 0).problem(404, "not_found");
        aki.delete(&format!("/api/v1/tables/{id}"))
            .problem(404, "not_found");
        assert_eq!(
            aki.try_connect(id, "").err().map(|answer| answer.status),
            Some(404)
        );
        aki.get(&format!("/i/{id}")).problem(404, "not_found");
    }
}

#[test]
fn parameters_that_are_none_are_named() {
    let game = play_all(server(), "A1");
    let table = format!("/api/v1/tables/{}", game.table);
    let seq = game.snapshot()["seq"].as_u64().expect("a number");
    let beyond = (seq + 1).to_string();
    for since in ["-1", "x", "", "1e3", "1.0", "99999999999999999999", &beyond] {
        game.white
            .get(&format!("{table}/events?since={since}"))
            .problem_of(400, "bad_request", "since");
        let refused = game.white.try_connect(&game.table, &format!("?since={since}"));
        assert_eq!(refused.err().map(|answer| answer.status), Some(400), "{since}");
    }
    let cases = [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=-5", "limit"),
        ("limit=ten", "limit"),
        ("cursor=nonsense", "cursor"),
        ("cursor=-", "cursor"),
        ("cursor=99999999999999999999-2222222222222222", "cursor"),
        ("state=asleep", "state"),
        ("ruleset=chess", "ruleset"),
        ("board=9x13", "board"),
        ("ranked=perhaps", "ranked"),
        ("player=%27%20or%201=1", "player"),
        ("stat=waiting", "stat"),
    ];
    for (query, field) in cases {
        game.white
            .get(&format!("/api/v1/tables?{query}"))
            .problem_of(400, "bad_request", field);
    }
    game.white
        .get(&format!("{table}?invitation=x"))
        .problem_of(400, "bad_request", "invitation");
    game.white
        .get("/api/v1/me/tables?player=x")
        .problem_of(400, "bad_request", "player");
}

#[test]
fn frames_that_are_none_are_refused_and_the_socket_lives_on() {
    let game = play_all(server(), "A1");
    let mut socket = game.white.connect(&game.table);
    let mut opponent = game.black.connect(&game.table);
    let before = socket.wait_for("snapshot");
    let huge = "x".repeat(100 * 1024);
    let texts = [
        ("", "bad_json"),
        ("nonsense", "bad_json"),
        ("{", "bad_json"),
        ("PING", "bad_json"),
        (&deep(4000), "bad_json"),
        ("[]", "bad_request"),
        ("null", "bad_request"),
        ("{}", "bad_request"),
        ("{\"type\": \"time\", \"more\": 1}", "bad_request"),
        (&format!("{{\"type\": {}}}", deep(100)), "bad_request"),
        (&huge, "payload_too_large"),
        ("{\"type\": \"resign\", \"id\": {}}", "bad_request"),
        (
            &format!("{{\"type\": \"resign\", \"id\": \"{}\"}}", "x".repeat(200)),
            "bad_request",
        ),
    ];
    for (text, code) in texts {
        socket.send_text(text);
        let refused = socket.next_but_spectators();
        assert_eq!(
            (&refused["type"], &refused["code"]),
            (&json!("refused"), &json!(code)),
            "{text:.100}"
        );
        assert_eq!((&refused["seq"], &refused["turn"]), (&before["seq"], &json!(1)));
    }
    for bytes in [&b""[..], &[0, 159, 255], b"{}", &[7; 100 * 1024]] {
        socket.send_message(Message::binary(bytes.to_vec()));
        assert_eq!(socket.next_but_spectators()["code"], "bad_request");
    }
    socket.send(&json!({"type": "jump", "id": 7}));
    assert_eq!(
        socket.next_but_spectators()["id"],
        7,
        "an id is echoed even to what is no command"
    );
    socket.play("D4", 1);
    assert_eq!(opponent.wait_for_event("played")["point"], "D4");
    assert_eq!(socket.wait_for("ok")["turn"], 2);
}

#[test]
fn a_request_of_any_shape_gets_an_answer() {
    let nobody = Client::new(server());
    let long = format!("/api/v1/tables?cursor={}", "1".repeat(6000));
    nobody.get(&long).problem(400, "bad_request");
    nobody
        .with("authorization", "Basic QTpC")
        .get("/api/v1/me")
        .problem(401, "unauthenticated");
    nobody
        .with("authorization", "Bearer")
        .get("/api/v1/me")
        .problem(401, "unauthenticated");
    nobody
        .with("cookie", "hoshi_session=\u{e9}")
        .get("/api/v1/me")
        .problem(401, "unauthenticated");
    nobody
        .with("cookie", "=;;hoshi_session")
        .get("/api/v1/me")
        .problem(401, "unauthenticated");
    nobody
        .with("content-type", "text/plain")
        .post("/api/v1/guests", &json!({"name": "Aki"}))
        .ok(201);
    // What is neither known nor GET is not taken for it.
    for method in ["PROPFIND", "MKCOL", "SEARCH"] {
        let refused = nobody.send(method, "/api/v1/tables", None);
        assert_eq!(refused.header("allow"), Some("GET, POST"), "{method}");
        refused.problem(405, "method_not_allowed");
    }
    for (path, field) in [
        (
            "/api/v1/leaderboards/baduk?cursor=9007199254740993.1.1.0123456789abcdef",
            "cursor",
        ),
        (
            "/api/v1/tables?cursor=9007199254740993-0123456789abcdef",
            "cursor",
        ),
    ] {
        nobody.get(path).problem_of(400, "bad_request", field);
    }
    let aki = Guest::new(server(), "Aki");
    aki.get("/api/v1/me/blocks?cursor=nobody")
        .problem_of(400, "bad_request", "cursor");
    let licenses = nobody.get("/licenses");
    assert_eq!(licenses.status, 200);
    assert!(licenses.body.contains("BSD-3-Clause") && licenses.body.contains("Unicode-3.0"));
    let head = nobody.send("HEAD", "/healthz", None);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    let health = nobody.get("/healthz").ok(200);
    assert_eq!(health["status"], "ok");
    assert!(
        health["schema"]
            .as_str()
            .is_some_and(|schema| schema.ends_with(".sql")),
        "{health}"
    );
    let home = nobody.get("/");
    assert_eq!((home.status, home.json), (200, Value::Null));
    assert_eq!(
        home.headers
            .iter()
            .find(|(name, _)| name == "x-content-type-options")
            .map(|(_, v)| v.as_str()),
        Some("nosniff")
    );
}
