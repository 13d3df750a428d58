//! Deleting oneself for good (P4), and taking everything along (P6).

use crate::harness::{Client, Game, Guest, PASSWORD, Server, Stored, unique, wait_until};
use serde_json::{Value, json};

fn delete(guest: &Guest, body: &Value) -> crate::harness::Answer {
    guest.delete_with("/api/v1/me", body)
}

/// Rated terms.
fn rated() -> Value {
    json!({"ruleset": "baduk", "board": "9x9", "ranked": true, "color": "black",
        "clock": {"system": "fischer", "initial_ms": 3_600_000, "increment_ms": 10_000}})
}

#[test]
fn p4_nothing_of_a_deleted_account_is_left_but_his_games() {
    let server = Server::alone("deletion");
    // Names that stand nowhere else, so that they can be looked for.
    let (first, name) = ("Zxwguestname", unique("Zxwaccount"));
    let guest = Guest::new(&server, first);
    let other = Guest::account(&server, &unique("Stays"));

    // A game as a guest that is over, one that goes on, and one at a private table that waits.
    let friendly = json!({"ruleset": "baduk", "board": "9x9", "color": "black", "clock": {"system": "none"}});
    let over = guest.create_table(&friendly)["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    other.join(&over);
    other.command(&over, &json!({"type": "resign"})).ok(200);
    let running = guest.create_table(&friendly)["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    other.join(&running);
    guest.save_as(&name);
    let private = json!({"ruleset": "baduk", "visibility": "private"});
    let waiting = guest.create_table(&private)["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let ranked = guest.create_table(&rated())["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    other.join(&ranked);
    guest.put(&format!("/api/v1/me/blocks/{}", other.id), &json!({}));
    other.put(&format!("/api/v1/me/blocks/{}", guest.id), &json!({}));
    let keyed = guest.with("idempotency-key", "zxwkey");
    keyed.post("/api/v1/tables", &friendly).ok(201);
    let elsewhere = Guest::sign_in(&server, &name);
    let mut his = [guest.connect(&running), elsewhere.connect(&ranked)];
    let mut watcher = Client::new(&server).connect(&running);
    for socket in his.iter_mut().chain([&mut watcher]) {
        socket.wait_for("snapshot");
    }
    let connected = || Stored::of(&server).ask("select count(*) from presence");
    wait_until("the index knows of the sockets", || {
        connected().as_deref() == Some("2")
    });
    for text in [first, name.as_str()] {
        assert!(
            !Stored::of(&server).places_of(text).is_empty(),
            "{text} is looked for in the right places"
        );
    }

    delete(&guest, &json!({})).problem_of(400, "bad_request", "password");
    delete(&guest, &json!({"password": "not the password"})).problem(401, "bad_credentials");
    assert_eq!(delete(&guest, &json!({"password": PASSWORD})).status, 204);

    // Everywhere at once: sessions, sockets, games, tables.
    for session in [&guest, &elsewhere] {
        session.get("/api/v1/me").problem(401, "unauthenticated");
    }
    assert_eq!(watcher.wait_for_event("finished")["result"]["sgf"], "W+R");
    assert_eq!(watcher.wait_for_event("left")["player"]["name"], "(deleted)");
    for socket in &mut his {
        socket.wait_for_close();
    }
    let nobody = Client::new(&server);
    for path in [
        format!("/api/v1/players/{}", guest.id),
        format!("/api/v1/players/{name}"),
    ] {
        nobody.get(&path).problem(404, "not_found");
    }
    let body = json!({"name": name, "password": PASSWORD});
    nobody
        .post("/api/v1/sessions", &body)
        .problem(401, "bad_credentials");
    for (table, sgf) in [(&over, "B+R"), (&running, "W+R"), (&ranked, "W+R")] {
        let seen = other.snapshot(table);
        assert_eq!(
            (&seen["seats"]["black"]["name"], &seen["result"]["sgf"]),
            (&json!("(deleted)"), &json!(sgf))
        );
        let record = other.get(&format!("/api/v1/tables/{table}/sgf")).body;
        assert!(record.contains("PB[(deleted)]"), "{record}");
    }
    // The rated game counts for the one who stays.
    wait_until("the game is rated", || {
        other.get("/api/v1/me").ok(200)["ratings"]["baduk"]["rating"] == json!(1216.0)
    });
    let history = nobody.get(&format!("/api/v1/players/{}/games", other.id)).ok(200);
    for game in history["items"].as_array().expect("a list") {
        assert_eq!(game["seats"]["black"]["name"], "(deleted)");
    }

    // And in what is stored: no name, no key, no session, no block, in the database or at any table.
    let stored = Stored::of(&server);
    wait_until("every table has heard", || {
        stored.ask("select count(*) from errands").as_deref() == Some("0")
    });
    for text in [first, name.as_str(), &name.to_lowercase(), "zxwkey"] {
        assert_eq!(stored.places_of(text), [] as [&str; 0], "{text}");
    }
    let id = &guest.id;
    for sql in [
        format!("select 1 from accounts where player_id = '{id}'"),
        format!("select 1 from name_shapes where player_id = '{id}'"),
        format!("select 1 from sessions where player_id = '{id}'"),
        format!("select 1 from presence where player_id = '{id}'"),
        format!("select 1 from blocks where player_id = '{id}' or blocked_id = '{id}'"),
        format!("select 1 from idempotency_keys where player_id = '{id}'"),
    ] {
        assert_eq!(stored.ask(&sql), None, "{sql}");
    }
    let closed = stored.ask(&format!("select state from games where id = '{waiting}'"));
    assert_eq!(closed.as_deref(), Some("closed"));
    // Somebody else may have the name now; that does not bring anything back.
    let next = Guest::account(&server, &name);
    assert_ne!(next.id, guest.id);
    assert_eq!(next.get("/api/v1/me/tables").ok(200)["items"], json!([]));
}

#[test]
fn p4_a_guest_needs_no_password() {
    let server = crate::harness::server();
    let game = Game::on_9x9(server);
    assert_eq!(delete(&game.black, &json!({})).status, 204);
    game.black.get("/api/v1/me").problem(401, "unauthenticated");
    let seen = game.white.snapshot(&game.table);
    assert_eq!(
        (&seen["state"], &seen["result"]["sgf"]),
        (&json!("finished"), &json!("W+R"))
    );
    game.white
        .command(&game.table, &json!({"type": "rematch"}))
        .problem(409, "wrong_state");
}

#[test]
fn p4_what_a_table_missed_it_is_told_later() {
    let server = Server::alone("deleted-later");
    let game = Game::on_9x9(&server);
    let mut his = game.black.connect(&game.table);
    let mut white = game.white.connect(&game.table);
    for socket in [&mut his, &mut white] {
        socket.wait_for("snapshot");
    }
    // The deletion stands in the database, and its table has not heard of it.
    Stored::of(&server).change(&format!(
        "insert into errands (table_id, kind, subject, player_id, due) values ('{}', 'left', '{1}', '{1}', 0);
         delete from sessions where player_id = '{1}';
         update players set name = '(deleted)', deleted_at = 1 where id = '{1}'",
        game.table, game.black.id
    ));
    assert_eq!(game.white.snapshot(&game.table)["state"], "playing");
    server.tick();
    let seen = game.white.snapshot(&game.table);
    assert_eq!(
        (&seen["result"]["sgf"], &seen["seats"]["black"]["name"]),
        (&json!("W+R"), &json!("(deleted)"))
    );
    // From then on nothing comes from his socket, whatever his client does with it.
    his.send(&json!({"type": "chat", "text": "zxwghost"}));
    his.wait_for("signed_out");
    his.wait_for_close();
    white.wait_for_event("left");
    white.send(&json!({"type": "chat", "text": "who was that?"}));
    assert_eq!(white.wait_for_event("chat")["text"], "who was that?");
    assert_eq!(Stored::of(&server).places_of("zxwghost"), [] as [&str; 0]);
    assert_eq!(Stored::of(&server).places_of("Kuro"), [] as [&str; 0]);
}

#[test]
fn p6_the_export_has_everything_and_is_nobody_elses() {
    let server = crate::harness::server();
    let name = unique("Export");
    let account = Guest::account(server, &name);
    let other = Guest::account(server, &unique("Other"));
    let mut tables = Vec::new();
    for terms in [
        rated(),
        json!({"ruleset": "baduk", "board": "9x9", "visibility": "private", "clock": {"system": "none"}}),
    ] {
        let made = account.create_table(&terms);
        let table = made["id"].as_str().expect("an id").to_owned();
        match made["invite"]["code"].as_str() {
            Some(code) => other.join_by_invite(&table, code),
            None => other.join(&table),
        };
        other.command(&table, &json!({"type": "resign"})).ok(200);
        tables.push(table);
    }
    let waiting = account.create_table(&json!({"ruleset": "hex"}));
    account.put(&format!("/api/v1/me/blocks/{}", other.id), &json!({}));
    account
        .patch("/api/v1/me", &json!({"preferences": {"language": "ko"}}))
        .ok(200);

    let answer = account.get("/api/v1/me/export");
    let disposition = answer
        .header("content-disposition")
        .expect("a file's name")
        .to_owned();
    assert_eq!(
        disposition,
        format!("attachment; filename=\"hoshi-{}.json\"", account.id)
    );
    let export = answer.ok(200);
    assert_eq!(
        (
            &export["player"]["name"],
            &export["player"]["preferences"]["language"]
        ),
        (&json!(name), &json!("ko"))
    );
    assert_eq!(export["blocks"][0]["id"], json!(other.id));
    assert_eq!(export["sessions"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        export["record"]["baduk"],
        json!({"wins": 1, "draws": 0, "losses": 0})
    );
    let games = export["games"].as_array().expect("a list");
    assert_eq!(games.len(), 3);
    let game = |id: &str| games.iter().find(|game| game["id"] == id).expect("his game");
    assert_eq!(game(&tables[0])["rating"]["change"], json!(16.0));
    assert_eq!(game(&tables[1])["rating"], Value::Null);
    game(waiting["id"].as_str().expect("an id"));
    // Nothing that would let somebody in.
    let text = export.to_string();
    for secret in ["argon2", "password", account.token.as_str()] {
        assert!(!text.contains(secret), "{secret}");
    }

    let records = account.get("/api/v1/me/export?format=sgf");
    assert!(
        records
            .header("content-type")
            .is_some_and(|kind| kind.starts_with("application/x-go-sgf"))
    );
    assert_eq!(records.body.matches("(;FF[4]").count(), 2, "{}", records.body);
    assert!(records.body.contains(&format!("PB[{name}]")), "{}", records.body);
    account
        .get("/api/v1/me/export?format=pdf")
        .problem_of(400, "bad_request", "format");
    Client::new(server)
        .get("/api/v1/me/export")
        .problem(401, "unauthenticated");
    // The private game is in his own list, and in nobody else's of him.
    let listed = |client: &Client| {
        let games = client
            .get(&format!("/api/v1/players/{}/games", account.id))
            .ok(200);
        games["items"].as_array().map(Vec::len)
    };
    assert_eq!(
        (listed(&account), listed(&other), listed(&Client::new(server))),
        (Some(2), Some(1), Some(1))
    );
}
