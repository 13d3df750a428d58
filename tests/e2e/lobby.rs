//! The live lobby: tables as they come and go, and whether those who made them are there (L1).

use crate::harness::{Client, Guest, Server, Socket, breakable, server};
use serde_json::{Value, json};

fn id(table: &Value) -> String {
    table["id"].as_str().expect("an id").to_owned()
}

fn open(guest: &Guest, terms: Value) -> String {
    id(&guest.create_table(&terms))
}

/// The item of a table in the first frame of a lobby.
fn item<'a>(tables: &'a Value, table: &str) -> Option<&'a Value> {
    let items = tables["items"].as_array().expect("a list");
    items.iter().find(|item| item["id"] == table)
}

/// The next frame of this type about a table.
#[track_caller]
fn about(lobby: &mut Socket, kind: &str, table: &str) -> Value {
    lobby.wait_until(kind, |frame| {
        frame["type"] == kind && (frame["table_id"] == table || frame["table"]["id"] == table)
    })
}

#[test]
fn l1_whoever_is_connected_sees_tables_open_fill_and_close() {
    let [aki, bo] = ["Aki", "Bo"].map(|name| Guest::new(server(), name));
    let (mut lobby, _) = Client::new(server()).lobby("baduk");
    let filled = open(
        &aki,
        json!({"ruleset": "baduk", "board": "13x13", "color": "white"}),
    );
    let opened = about(&mut lobby, "table_opened", &filled);
    let table = &opened["table"];
    assert_eq!(
        (&table["state"], &table["board"]),
        (&json!("waiting"), &json!("13x13"))
    );
    assert_eq!(
        (&table["creator"]["id"], &table["creator_online"]),
        (&json!(aki.id), &json!(false))
    );
    assert_eq!(
        (&table["seats"]["white"]["id"], &table["clock"]["system"]),
        (&json!(aki.id), &json!("per_move"))
    );
    let closed = open(&aki, json!({"ruleset": "baduk"}));
    about(&mut lobby, "table_opened", &closed);
    assert_eq!(aki.delete(&format!("/api/v1/tables/{closed}")).status, 204);
    assert_eq!(about(&mut lobby, "table_closed", &closed)["state"], "closed");
    bo.join(&filled);
    assert_eq!(about(&mut lobby, "table_closed", &filled)["state"], "playing");
    let (_, tables) = bo.lobby("baduk");
    assert!(item(&tables, &filled).is_none() && item(&tables, &closed).is_none());
}

#[test]
fn l1_private_tables_other_rulesets_and_games_against_the_computer_are_not_there() {
    let aki = Guest::new(server(), "Aki");
    let (mut lobby, _) = aki.lobby("baduk");
    let others = [
        json!({"ruleset": "baduk", "visibility": "private"}),
        json!({"ruleset": "hex"}),
        json!({"ruleset": "baduk", "opponent": {"kind": "computer", "level": "easy"}}),
    ]
    .map(|terms| open(&aki, terms));
    let last = open(&aki, json!({"ruleset": "baduk"}));
    about(&mut lobby, "table_opened", &last);
    let (_, tables) = aki.lobby("baduk");
    assert!(item(&tables, &last).is_some());
    assert!(
        others.iter().all(|table| item(&tables, table).is_none()),
        "{tables}"
    );
    let (_, tables) = aki.lobby("hex");
    assert!(item(&tables, &others[1]).is_some() && item(&tables, &last).is_none());
    assert_eq!(
        aki.open("/api/v1/lobby/socket?ruleset=chess")
            .err()
            .expect("none")
            .status,
        400
    );
    aki.get("/api/v1/lobby/socket?ruleset=baduk")
        .problem(400, "bad_request");
}

#[test]
fn l1_the_lobby_says_whether_the_creator_is_there() {
    let aki = Guest::new(server(), "Aki");
    let table = open(&aki, json!({"ruleset": "baduk"}));
    let (mut lobby, tables) = Client::new(server()).lobby("baduk");
    assert_eq!(item(&tables, &table).expect("the table")["creator_online"], false);
    let online = |lobby: &mut Socket| about(lobby, "creator_online", &table)["online"].clone();
    let listed = || {
        let list = aki.get(&format!("/api/v1/tables?player={}", aki.id)).ok(200);
        list["items"][0]["creator_online"].clone()
    };
    // On his own channel, at the table, in the lobby: each is enough.
    let (channel, _) = aki.channel();
    assert_eq!((online(&mut lobby), listed()), (json!(true), json!(true)));
    channel.cut();
    assert_eq!((online(&mut lobby), listed()), (json!(false), json!(false)));
    let mut at_table = aki.connect(&table);
    at_table.wait_for("snapshot");
    assert_eq!(online(&mut lobby), true);
    at_table.cut();
    assert_eq!(online(&mut lobby), false);
    let (here, _) = aki.lobby("baduk");
    assert_eq!((online(&mut lobby), listed()), (json!(true), json!(true)));
    here.cut();
    assert_eq!(online(&mut lobby), false);
    // One that opens while he is there is told with it.
    let _channel = aki.channel();
    assert_eq!(online(&mut lobby), true);
}

/// Looks at the lobby once it answers, and at what it says.
fn looked(server: &Server, open_still: &str, gone: &str) {
    let (_, tables) = Client::new(server).lobby("baduk");
    assert!(item(&tables, open_still).is_some(), "{tables}");
    assert!(item(&tables, gone).is_none(), "{tables}");
}

#[test]
fn l1_a_lobby_that_was_away_knows_at_once_what_it_has_missed() {
    let mut server = breakable();
    let [aki, bo] = ["Aki", "Bo"].map(|name| Guest::new(&server, name));
    let untimed = json!({"ruleset": "baduk", "clock": {"system": "none"}});
    let [stays, fills] = [0, 1].map(|_| open(&aki, untimed.clone()));
    bo.join(&fills);
    looked(&server, &stays, &fills);
    // It dies with everything in its memory; its sockets break, and whoever connects again sees what is.
    let (mut lobby, _) = aki.lobby("baduk");
    let dying = aki.with("x-hoshi-fault", "panic");
    assert!(dying.open("/api/v1/lobby/socket?ruleset=baduk").is_err());
    lobby.wait_for_close();
    looked(&server, &stays, &fills);
    server.restart();
    looked(&server, &stays, &fills);
    // It never was: nobody has told it anything, and the index has.
    let (mut lobby, _) = aki.lobby("baduk");
    bo.join(&stays);
    about(&mut lobby, "table_closed", &stays);
}

#[test]
fn the_lobby_tells_and_is_not_told() {
    let (mut lobby, _) = Client::new(server()).lobby("hex");
    lobby.send(&json!({"type": "time"}));
    assert!(lobby.wait_for("time")["at"].is_i64());
    lobby.send(&json!({"type": "play", "point": "D4"}));
    assert_eq!(lobby.wait_for("refused")["code"], "bad_request");
    lobby.send_text("ping");
    lobby.wait_until("pong", |frame| frame == "pong");
    lobby.send_text("{");
    assert_eq!(lobby.wait_for("refused")["code"], "bad_json");
}

#[test]
fn l1_a_lobby_that_has_lost_its_memory_tells_who_comes_and_goes_and_nothing_else() {
    let server = Server::alone("sleeping-lobby");
    let [aki, bo] = ["Aki", "Bo"].map(|name| Guest::new(&server, name));
    let [akis, bos] = [&aki, &bo].map(|guest| open(guest, json!({"ruleset": "baduk"})));
    let (channel, _) = aki.channel();
    let (mut lobby, tables) = Client::new(&server).lobby("baduk");
    if item(&tables, &akis).expect("the table")["creator_online"] == false {
        about(&mut lobby, "creator_online", &akis);
    }
    // A panic in another object takes the memory of all of them with it and leaves their sockets open, as sleep does.
    let broken = bo.with("x-hoshi-fault", "panic");
    broken
        .get(&format!("/api/v1/tables/{akis}"))
        .problem(503, "unavailable");
    let _bos_channel = bo.channel();
    let told = lobby.wait_for("creator_online");
    assert_eq!((&told["table_id"], &told["online"]), (&json!(bos), &json!(true)));
    channel.cut();
    let told = lobby.wait_for("creator_online");
    assert_eq!(
        (&told["table_id"], &told["online"]),
        (&json!(akis), &json!(false))
    );
}
