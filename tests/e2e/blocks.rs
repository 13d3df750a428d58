//! Blocks: who has been blocked is met nowhere, whichever of the two did it (T6).

use crate::harness::{Client, Game, Guest, Server, server};
use serde_json::{Value, json};

fn block(one: &Guest, other: &Guest) {
    let answer = one.put(&format!("/api/v1/me/blocks/{}", other.id), &json!({}));
    assert_eq!(answer.status, 204, "{}", answer.body);
}

fn unblock(one: &Guest, other: &Guest) {
    assert_eq!(one.delete(&format!("/api/v1/me/blocks/{}", other.id)).status, 204);
}

fn join(guest: &Guest, table: &Value) -> crate::harness::Answer {
    let invite = &table["invite"]["code"];
    let body = if invite.is_null() {
        json!({})
    } else {
        json!({"invite": invite})
    };
    let id = table["id"].as_str().expect("an id");
    guest.post(&format!("/api/v1/tables/{id}/join"), &body)
}

#[test]
fn p5_the_block_list_is_ones_own() {
    let [aki, bo, chi] = ["Aki", "Bo", "Chi"].map(|name| Guest::new(server(), name));
    for other in [&bo, &chi, &bo] {
        block(&aki, other);
    }
    let list = aki.get("/api/v1/me/blocks").ok(200);
    let mut ids: Vec<&str> = list["items"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|item| item["id"].as_str())
        .collect();
    let mut expected = [bo.id.as_str(), chi.id.as_str()];
    ids.sort_unstable();
    expected.sort_unstable();
    assert_eq!(ids, expected);
    let first = aki.get("/api/v1/me/blocks?limit=1").ok(200);
    let cursor = first["next_cursor"].as_str().expect("a cursor");
    let second = aki
        .get(&format!("/api/v1/me/blocks?limit=1&cursor={cursor}"))
        .ok(200);
    assert_ne!(first["items"][0]["id"], second["items"][0]["id"]);
    assert_eq!(second["next_cursor"], Value::Null);
    assert_eq!(
        bo.get("/api/v1/me/blocks").ok(200)["items"],
        json!([]),
        "nobody learns who has blocked him"
    );
    Client::new(server())
        .get("/api/v1/me/blocks")
        .problem(401, "unauthenticated");
    for _ in 0..2 {
        unblock(&aki, &bo);
    }
    let rest = aki.get("/api/v1/me/blocks").ok(200);
    assert_eq!(rest["items"][0]["id"], json!(chi.id));
    aki.put(&format!("/api/v1/me/blocks/{}", aki.id), &json!({}))
        .problem(409, "same_player");
    for nobody in ["2222222222222222", "'--", "x"] {
        aki.put(&format!("/api/v1/me/blocks/{nobody}"), &json!({}))
            .problem(404, "not_found");
    }
}

#[test]
fn t6_neither_of_the_two_joins_a_table_of_the_other() {
    let [aki, bo, chi] = ["Aki", "Bo", "Chi"].map(|name| Guest::new(server(), name));
    block(&aki, &bo);
    let terms = json!({"ruleset": "baduk", "board": "9x9", "clock": {"system": "none"}});
    let private =
        json!({"ruleset": "baduk", "board": "9x9", "clock": {"system": "none"}, "visibility": "private"});
    for (host, guest) in [(&aki, &bo), (&bo, &aki)] {
        for terms in [&terms, &private] {
            let table = host.create_table(terms);
            join(guest, &table).problem(403, "blocked");
            assert_eq!(
                host.snapshot(table["id"].as_str().expect("an id"))["state"],
                "waiting"
            );
            // Nobody else is in the way.
            join(&chi, &table).ok(200);
            // They may watch each other's games.
            if terms["visibility"].is_null() {
                guest.snapshot(table["id"].as_str().expect("an id"));
            }
        }
    }
    unblock(&aki, &bo);
    join(&bo, &aki.create_table(&terms)).ok(200);
}

#[test]
fn t6_a_block_never_touches_a_running_game_but_there_is_no_rematch() {
    let game = Game::on_9x9(server());
    game.play(0, "E5");
    block(&game.white, &game.black);
    game.play(1, "D4 C3");
    let mut socket = game.black.connect(&game.table);
    socket.wait_for("snapshot");
    game.white
        .command(&game.table, &json!({"type": "resign"}))
        .ok(200);
    game.white
        .command(&game.table, &json!({"type": "rematch"}))
        .problem(403, "blocked");
    socket.send(&json!({"type": "rematch", "id": 7}));
    let refused = socket.wait_for("refused");
    assert_eq!((&refused["code"], &refused["id"]), (&json!("blocked"), &json!(7)));
    unblock(&game.white, &game.black);
    game.black
        .command(&game.table, &json!({"type": "rematch"}))
        .ok(200);
    game.white
        .command(&game.table, &json!({"type": "rematch"}))
        .ok(200);
}

#[test]
fn t6_what_the_table_knows_of_a_block_holds_while_the_database_does_not_say_so() {
    let server = Server::alone("blocks-away");
    let switch = |fault: &str| {
        let _ = Client::new(&server).with("x-hoshi-fault", fault).get("/healthz");
    };
    let game = Game::on_9x9(&server);
    game.play(0, "E5");
    block(&game.white, &game.black);
    // He comes, and the table hears of whom he has blocked.
    game.white.snapshot(&game.table);
    game.white
        .command(&game.table, &json!({"type": "resign"}))
        .ok(200);
    switch("database_away");
    for player in [&game.black, &game.white] {
        let mut socket = player.connect(&game.table);
        socket.wait_for("snapshot");
        socket.send(&json!({"type": "rematch"}));
        assert_eq!(socket.wait_for("refused")["code"], "blocked");
    }

    // A table that was made meanwhile is not in the index when the database is back.
    let terms = json!({"ruleset": "baduk", "board": "9x9", "clock": {"system": "none"}});
    let table = game.black.create_table(&terms);
    switch("database_back");
    join(&game.white, &table).problem(403, "blocked");
    let id = table["id"].as_str().expect("an id");
    assert_eq!(game.black.snapshot(id)["state"], "waiting");
    unblock(&game.white, &game.black);
    join(&game.white, &table).ok(200);
}
