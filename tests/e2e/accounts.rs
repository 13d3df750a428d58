//! Accounts: keeping what a guest has begun, signing in elsewhere, names, passwords (P2, P3, P5, P7).

use crate::harness::{Client, Game, Guest, PASSWORD, Server, server, unique};
use serde_json::{Value, json};

fn new_account(client: &Client, name: &str, password: &str) -> crate::harness::Answer {
    client.post("/api/v1/accounts", &json!({"name": name, "password": password}))
}

fn sign_in(server: &Server, name: &str, password: &str) -> crate::harness::Answer {
    let body = json!({"name": name, "password": password});
    Client::new(server).post("/api/v1/sessions", &body)
}

#[test]
fn p2_a_guest_becomes_an_account_in_the_middle_of_a_game() {
    let game = Game::on_9x9(server());
    let (mut black, mut white) = (game.black.connect(&game.table), game.white.connect(&game.table));
    for socket in [&mut black, &mut white] {
        socket.wait_for("snapshot");
    }
    black.play("E5", 0);
    black.wait_for("ok");

    let name = unique("Kuro");
    let made = game.black.save_as(&name);
    assert_eq!(
        (
            &made["player"]["id"],
            &made["player"]["kind"],
            &made["player"]["name"]
        ),
        (&json!(game.black.id), &json!("account"), &json!(name))
    );
    // Everybody at the table hears of it, on the sockets that were open before.
    for socket in [&mut black, &mut white] {
        let told = socket.wait_for_event("renamed");
        assert_eq!(
            (&told["player"]["id"], &told["player"]["name"]),
            (&json!(game.black.id), &json!(name))
        );
    }
    white.play("D4", 1);
    assert_eq!(
        black.wait_until("D4", |frame| frame["point"] == "D4")["color"],
        "white"
    );
    black.play("C3", 2);
    assert_eq!(
        white.wait_until("C3", |frame| frame["point"] == "C3")["color"],
        "black"
    );

    // The session is the same one: the old token is as good as the new one, and the seat is his.
    let anew = Guest::from_answer(server(), &made);
    for token in [&game.black, &anew] {
        assert_eq!(token.get("/api/v1/me").ok(200)["kind"], "account");
        let seen = token.snapshot(&game.table);
        assert_eq!(
            (&seen["you"], &seen["seats"]["black"]["name"]),
            (&json!("black"), &json!(name))
        );
    }
    // So are his games, from everywhere.
    let elsewhere = Guest::sign_in(server(), &name.to_uppercase());
    assert_eq!(elsewhere.id, game.black.id);
    let mine = elsewhere.get("/api/v1/me/tables").ok(200);
    assert_eq!(mine["items"][0]["id"], json!(game.table));
    elsewhere.command(&game.table, &json!({"type": "resign"})).ok(200);
    let sgf = game.white.get(&format!("/api/v1/tables/{}/sgf", game.table)).body;
    assert!(sgf.contains(&format!("PB[{name}]")), "{sgf}");
}

#[test]
fn p2_without_an_identity_an_account_is_made_from_nothing() {
    let name = unique("Fresh");
    let answer = new_account(&Client::new(server()), &name, PASSWORD);
    let cookie = answer.header("set-cookie").expect("a cookie").to_owned();
    let made = answer.ok(201);
    let mut flags: Vec<&str> = cookie.split("; ").skip(1).collect();
    flags.sort_unstable();
    assert_eq!(
        flags,
        ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax", "Secure"]
    );
    let account = Guest::from_answer(server(), &made);
    let me = account.get("/api/v1/me").ok(200);
    assert_eq!(
        (&me["name"], &me["kind"], &me["ratings"]),
        (&json!(name), &json!("account"), &json!({}))
    );
    assert_eq!(
        me["operator"],
        Value::Null,
        "only the command line makes operators"
    );
    // Whoever has one already does not get another by the same call.
    new_account(&account, &unique("Second"), PASSWORD).problem(403, "forbidden");
}

#[test]
fn p2_names_are_unique_whatever_their_case_and_however_they_look() {
    let name = unique("Paul");
    Guest::account(server(), &name);
    let nobody = Client::new(server());
    for taken in [
        name.to_uppercase(),
        name.to_lowercase(),
        name.replace('l', "I"),
        name.replace('l', "1"),
        name.replace('a', "а"),  // Cyrillic
        name.replace('P', "Ｐ"), // full width
        name.replace('_', "-"),
        name.replace('_', ""),
    ] {
        new_account(&nobody, &taken, PASSWORD).problem_of(409, "name_taken", "name");
        // Nor may a guest look like the account.
        nobody
            .post("/api/v1/guests", &json!({"name": taken}))
            .problem_of(409, "name_taken", "name");
    }
    // Guests' names are not unique among themselves.
    let guest = unique("Two");
    Guest::new(server(), &guest);
    Guest::new(server(), &guest);
}

#[test]
fn p2_odd_names_are_refused_and_harm_nothing() {
    let nobody = Client::new(server());
    for (name, code) in [
        ("", "bad_name"),
        ("a", "bad_name"),
        ("abcdefghijklmnopqrstu", "bad_name"),
        ("a b", "bad_name"),
        ("x'; drop table--", "bad_name"),
        ("<script>", "bad_name"),
        ("a\u{202e}b", "bad_name"),
        ("a\u{200d}b", "bad_name"),
        ("operator", "bad_name"),
        ("0123456789abcdef", "bad_name"),
        ("fuck_you", "bad_name"),
    ] {
        new_account(&nobody, name, PASSWORD).problem_of(400, code, "name");
    }
    // What a guest may be called is told as it stands, and looked for as a value.
    for name in ["'; drop table g", "<script>alert(1)</s", "%_%"] {
        let guest = Guest::new(server(), name);
        assert_eq!(guest.get("/api/v1/me").ok(200)["name"], name);
    }
    for named in ["'%20or%20'1'='1", "%25", "%3Cscript%3E", "%ff", "..%2Fme"] {
        nobody
            .get(&format!("/api/v1/players/{named}"))
            .problem(404, "not_found");
    }
    for (body, field) in [
        (json!({"name": unique("Field")}), "password"),
        (json!({"password": PASSWORD}), "name"),
        (json!({"name": 7, "password": PASSWORD}), "name"),
        (
            json!({"name": unique("Field"), "password": PASSWORD, "operator": true}),
            "operator",
        ),
    ] {
        nobody
            .post("/api/v1/accounts", &body)
            .problem_of(400, "bad_request", field);
    }
}

#[test]
fn p3_passwords_have_10_to_128_characters() {
    let nobody = Client::new(server());
    for password in ["x".repeat(9), "x".repeat(129)] {
        new_account(&nobody, &unique("Weak"), &password).problem_of(400, "weak_password", "password");
    }
    let long = "é".repeat(128);
    let name = unique("Long");
    new_account(&nobody, &name, &long).ok(201);
    sign_in(server(), &name, &long).ok(201);
}

#[test]
fn p3_a_wrong_name_and_a_wrong_password_are_not_told_apart() {
    let name = unique("Known");
    Guest::account(server(), &name);
    let wrong = sign_in(server(), &name, "not the password").problem(401, "bad_credentials");
    for (name, password) in [
        (unique("Unknown"), PASSWORD.to_owned()),
        (name.replace('n', "п"), PASSWORD.to_owned()), // looks like it, but is not it
        (name.clone(), "short".to_owned()),
        (name.clone(), "x".repeat(5000)),
        ("x".repeat(5000), PASSWORD.to_owned()),
        ("' or 1=1 --".to_owned(), PASSWORD.to_owned()),
        (String::new(), PASSWORD.to_owned()),
    ] {
        let answer = sign_in(server(), &name, &password).problem(401, "bad_credentials");
        assert_eq!(answer, wrong, "{name}");
    }
}

#[test]
fn p3_a_new_password_is_the_only_one_and_ends_the_other_sessions() {
    let name = unique("Change");
    let here = Guest::account(server(), &name);
    let there = Guest::sign_in(server(), &name);
    let change = |old: &str, new: &str| here.put("/api/v1/me/password", &json!({"old": old, "new": new}));
    change("not the password", "another password").problem(401, "bad_credentials");
    change(PASSWORD, "short").problem_of(400, "weak_password", "new");
    assert_eq!(change(PASSWORD, "another password").status, 204);
    here.get("/api/v1/me").ok(200);
    there.get("/api/v1/me").problem(401, "unauthenticated");
    sign_in(server(), &name, PASSWORD).problem(401, "bad_credentials");
    sign_in(server(), &name, "another password").ok(201);
    let guest = Guest::new(server(), "Guest");
    guest
        .put("/api/v1/me/password", &json!({"old": PASSWORD, "new": PASSWORD}))
        .problem(403, "needs_account");
}

#[test]
fn p3_a_hash_of_less_work_is_made_again_at_the_next_sign_in() {
    // The password "correct horse battery" with m=16, t=1, as an old server might have kept it.
    let weak = hoshi::players::Password::new(PASSWORD.to_owned())
        .expect("a password")
        .hash(
            hoshi::players::Work {
                memory: 16,
                passes: 1,
            },
            &[7; 16],
        )
        .expect("hashed");
    let mut alone = Server::alone("weak-hash");
    let name = "Oldtimer";
    Guest::account(&alone, name);
    alone.kill();
    crate::harness::Stored::of(&alone).change(&format!("update accounts set password_hash = '{weak}'"));
    alone.restart();
    let hash = |server: &Server| {
        let kept = crate::harness::Stored::of(server).ask("select password_hash from accounts");
        kept.expect("an account")
    };
    sign_in(&alone, name, "not the password").problem(401, "bad_credentials");
    assert_eq!(hash(&alone), weak);
    sign_in(&alone, name, PASSWORD).ok(201);
    assert!(
        hash(&alone).starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
        "{}",
        hash(&alone)
    );
    sign_in(&alone, name, PASSWORD).ok(201);
}

#[test]
fn p5_preferences_are_kept() {
    let account = Guest::account(server(), &unique("Prefers"));
    let me = account.get("/api/v1/me").ok(200);
    assert_eq!(
        me["preferences"],
        json!({"challenges_from": "anyone", "hide_spectator_chat": false, "language": null})
    );
    let change = json!({"preferences": {"challenges_from": "nobody", "language": "pt-BR"}});
    let changed = account.patch("/api/v1/me", &change).ok(200);
    assert_eq!(account.get("/api/v1/me").ok(200), changed);
    account
        .patch(
            "/api/v1/me",
            &json!({"preferences": {"hide_spectator_chat": true}}),
        )
        .ok(200);
    assert_eq!(
        account.get("/api/v1/me").ok(200)["preferences"],
        json!({"challenges_from": "nobody", "hide_spectator_chat": true, "language": "pt-BR"})
    );
    for (body, field) in [
        (json!({"preferences": {"theme": "dark"}}), "preferences.theme"),
        (
            json!({"preferences": {"challenges_from": "friends"}}),
            "preferences.challenges_from",
        ),
        (
            json!({"preferences": {"language": "'; drop"}}),
            "preferences.language",
        ),
        (json!({"name": "Another"}), "name"),
        (json!({"operator": true}), "operator"),
    ] {
        account
            .patch("/api/v1/me", &body)
            .problem_of(400, "bad_request", field);
    }
}

#[test]
fn p7_an_account_is_found_by_its_name_and_by_its_id() {
    let name = unique("Ünïcode");
    let account = Guest::account(server(), &name);
    let nobody = Client::new(server());
    let by_id = nobody.get(&format!("/api/v1/players/{}", account.id)).ok(200);
    let encoded: String = name
        .to_uppercase()
        .bytes()
        .map(|byte| format!("%{byte:02X}"))
        .collect();
    assert_eq!(nobody.get(&format!("/api/v1/players/{encoded}")).ok(200), by_id);
    assert_eq!(
        (&by_id["name"], &by_id["kind"]),
        (&json!(name), &json!("account"))
    );
    assert_eq!(
        (&by_id["record"], &by_id["recent_games"]),
        (&json!({}), &json!([]))
    );
    assert_eq!(by_id["preferences"], Value::Null, "nobody else's business");
    let guest = Guest::new(server(), "Somebody");
    assert_eq!(
        nobody.get(&format!("/api/v1/players/{}", guest.id)).ok(200)["kind"],
        "guest"
    );
    nobody.get("/api/v1/players/Somebody").problem(404, "not_found");
    nobody
        .get("/api/v1/players/2222222222222222")
        .problem(404, "not_found");
}
