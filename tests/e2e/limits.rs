//! Rate limits (S5): what is done too often is refused for a while, after a restart, too.

use crate::harness::{Client, Guest, PASSWORD, Server};
use serde_json::{Value, json};

/// What is refused for a while, with how long.
#[track_caller]
fn limited(answer: crate::harness::Answer) -> u64 {
    let retry = answer.header("retry-after").map(str::to_owned);
    answer.problem(429, "rate_limited");
    let seconds = retry.expect("retry-after").parse().expect("seconds");
    assert!((1..=3600).contains(&seconds), "{seconds}");
    seconds
}

fn sign_in(server: &Server, name: &str, password: &str) -> crate::harness::Answer {
    Client::new(server).post("/api/v1/sessions", &json!({"name": name, "password": password}))
}

#[test]
fn s5_each_call_has_its_limit_and_restarts_do_not_lift_it() {
    let mut server = Server::limited("limited", "3/1h");
    let nobody = |server: &Server| Client::new(server);
    let aki = Guest::new(&server, "Aki");
    let bo = Guest::new(&server, "Bo");
    Guest::new(&server, "Chi");
    assert!(limited(nobody(&server).post("/api/v1/guests", &json!({}))) > 1000);

    // Bad requests cost nothing, and neither do other calls.
    let account = |client: &Client, name: &str| {
        client.post("/api/v1/accounts", &json!({"name": name, "password": PASSWORD}))
    };
    for _ in 0..4 {
        account(&nobody(&server), "a b").problem(400, "bad_name");
    }
    account(&aki, "Akimoto").ok(201);
    account(&bo, "Botan").ok(201);
    account(&nobody(&server), "Chidori").ok(201);
    limited(account(&nobody(&server), "Daruma"));

    let terms = json!({"ruleset": "baduk"});
    let keyed = aki.with("idempotency-key", "k");
    let made = keyed.post("/api/v1/tables", &terms).ok(201);
    aki.post("/api/v1/tables", &terms).ok(201);
    aki.post("/api/v1/tables", &json!({"ruleset": "chess"}))
        .problem_of(400, "bad_request", "ruleset");
    aki.post("/api/v1/tables", &terms).ok(201);
    limited(aki.post("/api/v1/tables", &terms));
    // The same call once more makes nothing, so it is answered. Others have limits of their own.
    assert_eq!(keyed.post("/api/v1/tables", &terms).ok(201)["id"], made["id"]);
    bo.post("/api/v1/tables", &terms).ok(201);
    // What was refused is refused again, however often it is repeated under its key.
    let refused = aki.with("idempotency-key", "refused");
    for _ in 0..3 {
        limited(refused.post("/api/v1/tables", &terms));
    }
    let seek = json!({"ruleset": "baduk"});
    for _ in 0..3 {
        assert_ne!(bo.post("/api/v1/seeks", &seek).status, 429);
    }
    for _ in 0..3 {
        limited(bo.with("idempotency-key", "seek").post("/api/v1/seeks", &seek));
    }

    server.restart();
    limited(nobody(&server).post("/api/v1/guests", &json!({})));
    limited(account(&nobody(&server), "Daruma"));
    limited(Guest::clone(&aki).post("/api/v1/tables", &terms));
}

#[test]
fn s5_guessing_is_slowed_by_account_whether_it_exists_or_not() {
    let server = Server::limited_in("guessing", &[("LIMIT_SIGN_INS_TO", "3/1h")]);
    Guest::account(&server, "Akimoto");
    let problems: Vec<Value> = (0..4)
        .map(|_| sign_in(&server, "Akimoto", "not the password").json)
        .collect();
    let codes: Vec<&str> = problems
        .iter()
        .filter_map(|problem| problem["code"].as_str())
        .collect();
    assert_eq!(
        codes,
        [
            "bad_credentials",
            "bad_credentials",
            "bad_credentials",
            "rate_limited"
        ]
    );
    // The right password is no way around it, nor is the name in another case.
    limited(sign_in(&server, "Akimoto", PASSWORD));
    limited(sign_in(&server, "AKIMOTO", PASSWORD));
    // Each name has its own, that of nobody, too: so it says nothing.
    for _ in 0..3 {
        sign_in(&server, "Nobody", PASSWORD).problem(401, "bad_credentials");
    }
    limited(sign_in(&server, "Nobody", PASSWORD));
    // No address is stored, in whatever form it is written.
    let stored = crate::harness::Stored::of(&server);
    assert_eq!(stored.places_of("127.0.0.1"), [] as [&str; 0]);
    assert!(
        stored
            .ask("select key from rate_limits")
            .is_some_and(|key| key.len() == 32)
    );
}

#[test]
fn s5_guessing_is_slowed_by_address_whatever_the_account() {
    let server = Server::limited_in("guessing-around", &[("LIMIT_SIGN_INS_FROM", "3/1h")]);
    Guest::account(&server, "Akimoto");
    for name in ["Akimoto", "Botan", "Chidori"] {
        sign_in(&server, name, "not the password").problem(401, "bad_credentials");
    }
    limited(sign_in(&server, "Akimoto", PASSWORD));
    limited(sign_in(&server, "Daruma", PASSWORD));
}

#[test]
fn s5_a_limit_is_lifted_with_time() {
    let server = Server::limited("patience", "2/2s");
    let guest = |server: &Server| Client::new(server).post("/api/v1/guests", &json!({}));
    guest(&server).ok(201);
    guest(&server).ok(201);
    // More may get through on a slow machine, but never ten times as many.
    let refused = (0..20)
        .map(|_| guest(&server))
        .find(|answer| answer.status == 429);
    let wait = limited(refused.expect("a refusal"));
    crate::harness::wait_until("there is room again", || guest(&server).status == 201);
    assert!(wait <= 2);
}
