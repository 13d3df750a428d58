//! A player's own channel: it opens with what is pending, and tells what concerns him wherever he is (L4).

use crate::harness::{Client, Game, Guest, Server, Socket, Stored, breakable, server, unique};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

fn terms() -> Value {
    json!({"ruleset": "baduk", "board": "9x9", "color": "black", "clock": {"system": "none"}})
}

fn open(guest: &Guest) -> String {
    guest.create_table(&terms())["id"]
        .as_str()
        .expect("an id")
        .to_owned()
}

#[test]
fn l4_a_game_starts_goes_on_and_ends_on_the_channel() {
    let [aki, bo] = ["Aki", "Bo"].map(|name| Guest::new(server(), name));
    let ((mut akis, _), (mut bos, _)) = (aki.channel(), bo.channel());
    let table = open(&aki);
    bo.join(&table);
    let started = akis.wait_for("started");
    assert_eq!(
        (&started["table"]["table_id"], &started["table"]["opponent"]["id"]),
        (&json!(table), &json!(bo.id))
    );
    assert_eq!(
        (&started["table"]["color"], &started["table"]["your_turn"]),
        (&json!("black"), &json!(true))
    );
    bos.wait_for("started");
    assert_eq!(akis.wait_for("your_turn")["turn"], 0);
    aki.play(&table, "D4", 0).ok(200);
    let turn = bos.wait_for("your_turn");
    assert_eq!((&turn["table_id"], &turn["turn"]), (&json!(table), &json!(1)));
    // A game that is open says so by itself: his channel is silent.
    let mut at_table = bo.connect(&table);
    at_table.wait_for("snapshot");
    bo.play(&table, "E5", 1).ok(200);
    assert_eq!(akis.wait_for("your_turn")["turn"], 2);
    aki.play(&table, "C3", 2).ok(200);
    at_table.wait_for_event("played");
    bo.command(&table, &json!({"type": "resign"})).ok(200);
    for channel in [&mut akis, &mut bos] {
        let told = channel.next();
        assert_eq!(
            (&told["type"], &told["table_id"], &told["result"]["sgf"]),
            (&json!("finished"), &json!(table), &json!("B+R"))
        );
    }
}

#[test]
fn l4_it_opens_with_what_is_pending() {
    let game = Game::on_9x9(server());
    let waiting = open(&game.white);
    game.black.challenge(&game.white, &terms());
    let seek =
        json!({"ruleset": "baduk", "board": "25x25", "clock": {"system": "per_move", "period_ms": 60000}});
    let search = game.white.seek(&seek).ok(201);
    game.play(0, "D4");
    let (_, hello) = game.white.channel();
    let tables = hello["tables"].as_array().expect("a list");
    let states: Vec<(&Value, &Value)> = tables
        .iter()
        .map(|table| (&table["table_id"], &table["your_turn"]))
        .collect();
    assert_eq!(
        states,
        [
            (&json!(game.table), &json!(true)),
            (&json!(waiting), &json!(false))
        ]
    );
    assert_eq!(
        (&tables[0]["turn"], &tables[0]["color"]),
        (&json!(1), &json!("white"))
    );
    assert_eq!(hello["challenges"][0]["from"]["id"], game.black.id);
    assert_eq!(hello["search"]["id"], search["id"]);
    game.white.delete("/api/v1/seeks/current");
}

#[test]
fn l4_it_is_right_after_a_restart() {
    let mut server = breakable();
    let game = Game::on_9x9(&server);
    game.play(0, "D4 E5");
    server.restart();
    let (mut channel, hello) = game.black.channel();
    assert_eq!(
        (&hello["tables"][0]["table_id"], &hello["tables"][0]["turn"]),
        (&json!(game.table), &json!(2))
    );
    game.black.play(&game.table, "C3", 2).ok(200);
    game.white.play(&game.table, "C4", 3).ok(200);
    assert_eq!(channel.wait_for("your_turn")["turn"], 4);
}

#[test]
fn t11_a_rematch_is_told_to_whoever_has_left_the_table() {
    let game = Game::on_9x9(server());
    game.play(0, "E5");
    game.black
        .command(&game.table, &json!({"type": "resign"}))
        .ok(200);
    let ((mut black, _), (mut white, _)) = (game.black.channel(), game.white.channel());
    game.white
        .command(&game.table, &json!({"type": "rematch"}))
        .ok(200);
    let offered = black.wait_for("rematch");
    assert_eq!(
        (&offered["table_id"], &offered["next"]),
        (&json!(game.table), &Value::Null)
    );
    game.black
        .command(&game.table, &json!({"type": "rematch"}))
        .ok(200);
    for channel in [&mut black, &mut white] {
        let agreed = channel.wait_until("the next game", |frame| {
            frame["type"] == "rematch" && !frame["next"].is_null()
        });
        assert!(agreed["invite"].is_string());
        assert_eq!(channel.wait_for("started")["table"]["table_id"], agreed["next"]);
    }
}

#[test]
fn x4_the_channel_needs_an_identity_and_takes_a_ticket() {
    let aki = Guest::new(server(), "Aki");
    let nobody = Client::new(server());
    assert_eq!(nobody.open("/api/v1/me/socket").err().expect("none").status, 401);
    let ticket = aki.post("/api/v1/socket-tickets", &json!({})).ok(201);
    let path = format!(
        "/api/v1/me/socket?ticket={}",
        ticket["ticket"].as_str().expect("a ticket")
    );
    let mut socket = nobody.open(&path).expect("a channel");
    socket.wait_for("hello");
    let foreign = aki.with("origin", "https://evil.example");
    assert_eq!(foreign.open("/api/v1/me/socket").err().expect("none").status, 403);
    aki.get("/api/v1/me/socket").problem(400, "bad_request");
}

/// Whether a socket still answers.
fn lives(socket: &mut Socket) {
    socket.send(&json!({"type": "time"}));
    socket.wait_for("time");
}

#[test]
fn p3_signing_out_closes_the_channels_of_that_session() {
    let name = unique("Channels");
    let here = Guest::account(server(), &name);
    let there = Guest::sign_in(server(), &name);
    let ((mut heres, _), (mut theres, _)) = (here.channel(), there.channel());
    assert_eq!(there.delete("/api/v1/sessions/current").status, 204);
    theres.wait_for("signed_out");
    theres.wait_for_close();
    lives(&mut heres);
    assert_eq!(here.delete("/api/v1/sessions").status, 204);
    heres.wait_for("signed_out");
    heres.wait_for_close();
}

#[test]
fn p3_a_channel_closes_when_its_session_ends_by_itself() {
    let server = server();
    let aki = Guest::new(server, "Aki");
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("after 1970")
        .as_millis();
    // Its row says when; the token would be good for longer.
    Stored::of(server).change(&format!(
        "update sessions set expires_at = {} where player_id = '{}'",
        now + 4000,
        aki.id
    ));
    let (mut channel, _) = aki.channel();
    lives(&mut channel);
    channel.wait_for("signed_out");
    channel.wait_for_close();
}

#[test]
fn p3_a_channel_that_could_not_be_told_of_a_sessions_end_is_told_later() {
    let server = Server::alone("channel-later");
    let aki = Guest::new(&server, "Aki");
    let (mut channel, _) = aki.channel();
    lives(&mut channel);
    // As if whoever ended it had died before he could tell.
    Stored::of(&server).change(&format!(
        "insert into channel_errands (session_id, player_id, due) select id, player_id, 0 from sessions where player_id = '{0}';
         delete from sessions where player_id = '{0}'",
        aki.id
    ));
    server.tick();
    channel.wait_for("signed_out");
    channel.wait_for_close();
    let left = Stored::of(&server).ask("select count(*) from channel_errands");
    assert_eq!(left.as_deref(), Some("0"));
}
