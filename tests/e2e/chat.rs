//! Speech at a table (S1, S2, S4, P4, P5): who hears what, live and replayed.

use crate::harness::{
    Client, Game, Guest, PASSWORD, Server, Socket, Stored, server, unique, wait_until, wait_until_present,
};
use serde_json::{Value, json};

fn chat(text: &str) -> Value {
    json!({"type": "chat", "text": text})
}

/// Says something over REST, and brings the number of its event.
fn say(guest: &Guest, table: &str, text: &str) -> u64 {
    let said = guest.command(table, &chat(text)).ok(200);
    said["events"][0]["seq"].as_u64().expect("a number")
}

fn texts(lines: &Value) -> Vec<String> {
    let lines = lines.as_array().expect("lines").iter();
    lines
        .map(|line| line["text"].as_str().expect("a text").to_owned())
        .collect()
}

/// What a viewer hears, asked in every way in which it can be replayed.
fn heard(viewer: &Client, table: &str) -> Vec<String> {
    let shown = texts(&viewer.snapshot(table)["chat"]);
    let events = viewer
        .get(&format!("/api/v1/tables/{table}/events?since=0"))
        .ok(200);
    let only_chat = |events: &[Value]| -> Vec<String> {
        let chat = events.iter().filter(|event| event["kind"] == "chat");
        texts(&chat.cloned().collect())
    };
    assert_eq!(only_chat(events["events"].as_array().expect("events")), shown);
    let mut socket = viewer.connect_with(table, "?since=0");
    let mut missed = Vec::new();
    loop {
        let frame = socket.next();
        match frame["type"].as_str() {
            Some("event") => missed.push(frame),
            _ => break,
        }
    }
    assert_eq!(only_chat(&missed), shown);
    shown
}

/// The next line of chat.
fn next_line(socket: &mut Socket) -> String {
    let event = socket.wait_for_event("chat");
    event["text"].as_str().expect("a text").to_owned()
}

fn connect(viewer: &Client, table: &str) -> Socket {
    let mut socket = viewer.connect(table);
    socket.wait_for("snapshot");
    socket
}

#[test]
fn s1_players_and_spectators_talk_masked_in_order_and_replayed() {
    let game = Game::on_9x9(server());
    let watcher = Guest::new(server(), "Chi");
    let nobody = Client::new(server());
    let mut black = connect(&game.black, &game.table);
    let mut watching = connect(&watcher, &game.table);
    black.send(&json!({"type": "chat", "text": "onegai shimasu", "id": 1}));
    let event = watching.wait_for_event("chat");
    assert_eq!(
        (&event["player"]["name"], &event["role"], &event["text"]),
        (&json!("Kuro"), &json!("player"), &json!("onegai shimasu"))
    );
    let ok = black.wait_for("ok");
    assert_eq!((&ok["id"], &ok["seq"]), (&json!(1), &event["seq"]));
    watching.send(&chat("what the fuck"));
    let event = black.wait_until("the spectator's line", |frame| frame["role"] == "spectator");
    assert_eq!(event["text"], "what the f***");
    say(&game.white, &game.table, "thanks");
    let all = ["onegai shimasu", "what the f***", "thanks"];
    for viewer in [&*game.black, &*watcher, &nobody] {
        assert_eq!(heard(viewer, &game.table), all);
    }
    // Nobody in particular may listen, and say nothing.
    nobody
        .command(&game.table, &chat("hi"))
        .problem(401, "unauthenticated");
    for (bad, field) in [
        (json!({"type": "chat"}), "text"),
        (chat(" "), "text"),
        (chat(&"x".repeat(301)), "text"),
        (json!({"type": "chat", "text": ["x"]}), "text"),
    ] {
        game.black
            .command(&game.table, &bad)
            .problem_of(400, "bad_request", field);
    }
    say(&game.black, &game.table, &"碁".repeat(300));
    // It is no move, and stops nothing.
    game.play(0, "E5");
}

#[test]
fn p2_whoever_becomes_an_account_speaks_under_his_new_name_on_the_socket_that_he_has() {
    let game = Game::on_9x9(server());
    let watcher = Guest::new(server(), "Chi");
    let mut sockets = [&game.black, &watcher].map(|guest| connect(guest, &game.table));
    let mut white = connect(&game.white, &game.table);
    for guest in [&game.black, &watcher] {
        wait_until_present(guest);
    }
    for (guest, socket) in [&game.black, &watcher].into_iter().zip(&mut sockets) {
        let name = unique("Saved");
        guest.save_as(&name);
        // The table is told by an errand, which is run at once; an errand that waits is run by the trigger.
        wait_until("the table has heard", || {
            let errands = format!("select count(*) from errands where player_id = '{}'", guest.id);
            Stored::of(server()).ask(&errands).as_deref() == Some("0")
        });
        socket.send(&chat("hello"));
        let line = white.wait_for_event("chat");
        assert_eq!(
            (&line["player"]["name"], &line["player"]["kind"]),
            (&json!(name), &json!("account"))
        );
    }
}

#[test]
fn s1_at_a_rated_table_those_who_watch_write_before_and_after_only() {
    let [a, b] = ["Cha", "Chb"].map(|name| Guest::account(server(), &unique(name)));
    let watcher = Guest::new(server(), "Chi");
    let terms = json!({"ruleset": "baduk", "board": "9x9", "ranked": true,
        "clock": {"system": "fischer", "initial_ms": 3_600_000, "increment_ms": 0}});
    let table = a.create_table(&terms)["id"].as_str().expect("an id").to_owned();
    say(&watcher, &table, "who plays?");
    b.join(&table);
    let mut socket = connect(&watcher, &table);
    watcher.command(&table, &chat("D4")).problem(409, "wrong_state");
    socket.send(&chat("D4"));
    assert_eq!(socket.wait_for("refused")["code"], "wrong_state");
    say(&a, &table, "hello");
    assert_eq!(next_line(&mut socket), "hello");
    b.command(&table, &json!({"type": "resign"})).ok(200);
    say(&watcher, &table, "well played");
    assert_eq!(heard(&a, &table), ["who plays?", "hello", "well played"]);
}

#[test]
fn s1_at_a_private_table_it_needs_a_seat_or_the_invite() {
    let terms = json!({"ruleset": "baduk", "board": "9x9", "visibility": "private"});
    let game = Game::start(server(), &terms);
    let stranger = Guest::new(server(), "Chi");
    stranger
        .command(&game.table, &chat("hi"))
        .problem(404, "not_found");
    let code = game.snapshot()["invite"]["code"].clone();
    let path = format!(
        "/api/v1/tables/{}/commands?invite={}",
        game.table,
        code.as_str().expect("a code")
    );
    stranger.post(&path, &chat("hi")).ok(200);
    assert_eq!(heard(&game.white, &game.table), ["hi"]);
}

#[test]
fn s2_a_block_hides_both_ways_at_once_and_lifting_it_brings_all_back() {
    let game = Game::on_9x9(server());
    let watcher = Guest::new(server(), "Chi");
    let block = format!("/api/v1/me/blocks/{}", watcher.id);
    let mut black = connect(&game.black, &game.table);
    let mut white = connect(&game.white, &game.table);
    let mut watching = connect(&watcher, &game.table);
    say(&watcher, &game.table, "one");
    for socket in [&mut black, &mut white] {
        assert_eq!(next_line(socket), "one");
    }
    wait_until_present(&game.black);
    // While the sockets are open.
    assert_eq!(game.black.put(&block, &json!({})).status, 204);
    say(&watcher, &game.table, "two");
    say(&game.black, &game.table, "three");
    say(&game.white, &game.table, "four");
    let white_hears = [(); 3].map(|()| next_line(&mut white));
    assert_eq!(white_hears, ["two", "three", "four"]);
    assert_eq!([(); 2].map(|()| next_line(&mut black)), ["three", "four"]);
    // He has heard "one" of himself before.
    let watcher_hears = [(); 3].map(|()| next_line(&mut watching));
    assert_eq!(watcher_hears, ["one", "two", "four"]);
    assert_eq!(heard(&game.black, &game.table), ["three", "four"]);
    assert_eq!(heard(&watcher, &game.table), ["one", "two", "four"]);
    assert_eq!(heard(&game.white, &game.table), ["one", "two", "three", "four"]);
    assert_eq!(game.black.delete(&block).status, 204);
    say(&watcher, &game.table, "five");
    assert_eq!(next_line(&mut black), "five");
    assert_eq!(heard(&game.black, &game.table).len(), 5);
    // The other way round it is the same.
    let back = format!("/api/v1/me/blocks/{}", game.black.id);
    watcher.put(&back, &json!({}));
    say(&watcher, &game.table, "six");
    say(&game.white, &game.table, "seven");
    assert_eq!(next_line(&mut black), "seven");
    assert_eq!(heard(&game.black, &game.table), ["three", "four", "seven"]);
}

#[test]
fn p5_whoever_hides_the_chat_of_spectators_hears_players_only() {
    let game = Game::on_9x9(server());
    let watcher = Guest::new(server(), "Chi");
    let mut black = connect(&game.black, &game.table);
    say(&watcher, &game.table, "one");
    assert_eq!(next_line(&mut black), "one");
    wait_until_present(&game.black);
    let hide = |hide: bool| json!({"preferences": {"hide_spectator_chat": hide}});
    game.black.patch("/api/v1/me", &hide(true)).ok(200);
    say(&watcher, &game.table, "two");
    say(&game.white, &game.table, "three");
    assert_eq!(next_line(&mut black), "three");
    assert_eq!(heard(&game.black, &game.table), ["three"]);
    game.black.patch("/api/v1/me", &hide(false)).ok(200);
    assert_eq!(heard(&game.black, &game.table), ["one", "two", "three"]);
}

#[test]
fn s1_whoever_says_too_much_waits() {
    let server = Server::limited("chatty", "3/1h");
    let guests = ["Aki", "Bo"].map(|name| Guest::new(&server, name));
    let table = guests[0].create_table(&json!({"ruleset": "baduk"}))["id"].clone();
    let table = table.as_str().expect("an id");
    for number in 0..3 {
        say(&guests[0], table, &number.to_string());
    }
    let refused = guests[0].command(table, &chat("more"));
    let wait = refused.header("retry-after").map(str::to_owned);
    refused.problem(429, "rate_limited");
    assert!(wait.is_some_and(|wait| wait.parse::<u64>().is_ok_and(|wait| wait > 1000)));
    say(&guests[1], table, "each has his own");
    let mut socket = connect(&guests[0], table);
    socket.send(&chat("more"));
    assert_eq!(socket.wait_for("refused")["code"], "rate_limited");
}

#[test]
fn s1_people_talk_while_the_database_is_away() {
    let server = Server::alone("talk");
    let game = Game::on_9x9(&server);
    let mut black = connect(&game.black, &game.table);
    let switch = |fault: &str| {
        let _ = Client::new(&server).with("x-hoshi-fault", fault).get("/healthz");
    };
    switch("database_away");
    say(&game.white, &game.table, "is it me?");
    assert_eq!(next_line(&mut black), "is it me?");
    black.send(&chat("no"));
    black.wait_for("ok");
    switch("database_back");
    // Where they have spoken is found out all the same.
    wait_until("the index knows of both", || {
        Stored::of(&server)
            .ask("select count(*) from chat_authors")
            .as_deref()
            == Some("2")
    });
}

#[test]
fn p4_p6_what_somebody_has_said_goes_with_him_and_he_can_take_it_along() {
    let server = Server::alone("speech-forgotten");
    let game = Game::on_9x9(&server);
    let name = unique("Zxwtalker");
    let watcher = Guest::account(&server, &name);
    let first = say(&watcher, &game.table, "zxwsecret one");
    say(&game.black, &game.table, "hello");
    let report = json!({"table_id": game.table, "seq": first, "reason": "zxwreport"});
    game.black.post("/api/v1/reports", &report).ok(201);
    wait_until("the index knows where he has spoken", || {
        Stored::of(&server)
            .ask("select count(*) from chat_authors")
            .as_deref()
            == Some("2")
    });
    let export = watcher.get("/api/v1/me/export").ok(200);
    assert_eq!(export["chat"][0]["table_id"], json!(game.table));
    assert_eq!(texts(&export["chat"][0]["lines"]), ["zxwsecret one"]);
    assert_eq!(export["reports_about_me"][0]["reason"], "zxwreport");
    assert_eq!(
        game.black.get("/api/v1/me/export").ok(200)["reports"][0]["seq"],
        first
    );
    let mut black = connect(&game.black, &game.table);
    assert!(!Stored::of(&server).places_of("zxwsecret").is_empty());
    let gone = watcher.delete_with("/api/v1/me", &json!({"password": PASSWORD}));
    assert_eq!(gone.status, 204);
    assert_eq!(black.wait_for_event("left")["player"]["name"], "(deleted)");
    assert_eq!(heard(&game.black, &game.table), ["", "hello"]);
    wait_until("nothing of it is left", || {
        let stored = Stored::of(&server);
        stored.places_of("zxwsecret").is_empty() && stored.places_of(&name).is_empty()
    });
    game.play(0, "E5");
}
