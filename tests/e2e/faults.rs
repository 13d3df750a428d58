//! Things break inside: the caller hears so at once, nothing is half done, and everything goes on (X5, G5).

use crate::harness::{Answer, Client, FRIEND, Game, Guest, Server, Socket, breakable, play_all};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How soon a call must be answered when its table breaks: well before anybody would give up, and soon after the time
/// that the Worker gives a table.
const SOON: Duration = Duration::from_secs(6);

/// The same player, whose calls make this fault.
fn breaking(client: &Client, fault: &str) -> Client {
    client.with("x-hoshi-fault", fault)
}

#[track_caller]
fn soon(call: impl FnOnce() -> Answer) -> Answer {
    let begun = Instant::now();
    let answer = call();
    assert!(begun.elapsed() < SOON, "answered after {:?}", begun.elapsed());
    answer
}

/// The answer to a call that its table cannot carry out: soon, and `unavailable`.
#[track_caller]
fn unavailable(call: impl FnOnce() -> Answer) {
    let answer = soon(call);
    let retry = answer.header("retry-after").map(str::to_owned);
    answer.problem(503, "unavailable");
    assert_eq!(retry.as_deref(), Some("1"));
}

/// The ways in which a change can break.
const FAULTS: [&str; 3] = ["storage", "panic", "panic_after_store"];

fn connect(guest: &Guest, table: &str) -> Socket {
    let mut socket = guest.connect(table);
    socket.wait_for("snapshot");
    socket
}

/// The next two moves stand, each told once to somebody who comes back with the last event seen.
#[track_caller]
fn goes_on(game: &Game, turn: u32, seq: u64) {
    game.play(turn, "D4 E5");
    let mut back = game.black.connect_with(&game.table, &format!("?since={seq}"));
    for (number, point) in [(1, "D4"), (2, "E5")] {
        let event = back.next_but_spectators();
        assert_eq!(
            (&event["seq"], &event["point"]),
            (&json!(seq + number), &json!(point))
        );
    }
    assert_eq!(game.snapshot()["turn"], turn + 2);
}

fn seq(game: &Game) -> u64 {
    game.snapshot()["seq"].as_u64().expect("a number")
}

#[test]
fn a_panic_before_anything_is_stored_undoes_the_move() {
    let server = breakable();
    let game = play_all(&server, "A1 B2");
    let other = play_all(&server, "A1 B2");
    let mut broken = connect(&game.white, &game.table);
    let mut elsewhere = connect(&other.white, &other.table);
    let before = seq(&game);

    unavailable(|| breaking(&game.black, "panic").play(&game.table, "D4", 2));
    // Its sockets close, so that their clients come back; those of other tables notice nothing.
    broken.wait_for_close();
    assert_eq!((seq(&game), &game.snapshot()["turn"]), (before, &json!(2)));
    other.play(2, "D4");
    assert_eq!(elsewhere.wait_for_event("played")["point"], "D4");
    goes_on(&game, 2, before);
}

#[test]
fn x4_an_answer_for_an_instance_that_has_died_is_as_any_other() {
    let server = breakable();
    let game = play_all(&server, "A1 B2");
    let headers = [
        "access-control-allow-origin",
        "vary",
        "x-content-type-options",
        "referrer-policy",
    ];
    for origin in [Some(FRIEND), Some("https://elsewhere.example"), None] {
        let client = match origin {
            Some(origin) => game.black.with("origin", origin),
            None => Client::clone(&game.black),
        };
        let path = format!("/api/v1/tables/{}", game.table);
        let died = breaking(&client, "panic").get(&path);
        let lives = client.get(&path);
        for name in headers {
            assert_eq!(died.header(name), lives.header(name), "{name} for {origin:?}");
        }
        died.problem(503, "unavailable");
        assert_eq!(lives.status, 200);
    }
}

#[test]
fn a_panic_again_and_again_leaves_the_table_as_it_was() {
    let server = breakable();
    let game = play_all(&server, "A1 B2");
    let before = game.snapshot();
    for _ in 0..2 {
        unavailable(|| breaking(&game.black, "panic").play(&game.table, "D4", 2));
        unavailable(|| breaking(&game.black, "panic").get(&format!("/api/v1/tables/{}", game.table)));
    }
    assert_eq!(game.snapshot(), before);
}

#[test]
fn a_panic_after_the_move_was_written_takes_it_back_with_everything() {
    let server = breakable();
    let game = play_all(&server, "A1 B2");
    let before = seq(&game);
    let mut broken = connect(&game.white, &game.table);
    unavailable(|| breaking(&game.black, "panic_after_store").play(&game.table, "D4", 2));
    broken.wait_for_close();
    // The platform commits a turn as a whole, and this one was cut off.
    assert_eq!((seq(&game), &game.snapshot()["turn"]), (before, &json!(2)));
    let again = game.black.play(&game.table, "D4", 2).ok(200);
    assert_eq!((&again["repeated"], &again["turn"]), (&Value::Null, &json!(3)));
    game.play(3, "E5");
    assert_eq!(seq(&game), before + 2);
}

#[test]
fn a_panic_at_a_frame_closes_the_socket() {
    let server = breakable();
    let game = play_all(&server, "A1 B2");
    let before = seq(&game);
    let mut socket = connect(&game.black, &game.table);
    breaking(&game.black, "panic_at_frame").snapshot(&game.table);
    socket.play("D4", 2);
    socket.wait_for_close();
    assert_eq!(game.snapshot()["turn"], 2);
    goes_on(&game, 2, before);
}

#[test]
fn what_the_storage_refuses_has_not_happened() {
    let server = breakable();
    let game = play_all(&server, "A1 B2");
    let before = seq(&game);
    let mut socket = connect(&game.white, &game.table);
    unavailable(|| breaking(&game.black, "storage").play(&game.table, "D4", 2));
    assert_eq!((seq(&game), &game.snapshot()["turn"]), (before, &json!(2)));
    // Nobody was told of it, and the socket is still good for what comes next.
    game.play(2, "D4");
    let told = socket.next_but_spectators();
    assert_eq!((&told["seq"], &told["point"]), (&json!(before + 1), &json!("D4")));
    game.play(3, "E5");
    assert_eq!(seq(&game), before + 2);
}

#[test]
fn g5_an_end_that_breaks_is_reached_all_the_same() {
    let server = breakable();
    for fault in FAULTS {
        let game = play_all(&server, "E5 pass");
        unavailable(|| breaking(&game.black, fault).pass(&game.table, 2));
        let waits = game.snapshot();
        assert_eq!(
            (&waits["state"], &waits["turn"]),
            (&json!("playing"), &json!(2)),
            "{fault}"
        );
        game.black.pass(&game.table, 2).ok(200);
        assert_eq!(game.result()["sgf"], "B+74", "{fault}");
        assert_eq!(game.snapshot()["state"], "finished", "{fault}");
    }
}

#[test]
fn a_table_whose_making_breaks_is_made_by_the_same_key() {
    let server = breakable();
    let terms = json!({"ruleset": "baduk", "board": "9x9"});
    for fault in &FAULTS[..2] {
        let aki = Guest::new(&server, "Aki");
        let keyed = aki.with("idempotency-key", fault);
        unavailable(|| breaking(&keyed, fault).post("/api/v1/tables", &terms));
        let made = keyed.post("/api/v1/tables", &terms).ok(201);
        assert_eq!(
            (&made["state"], &made["seq"]),
            (&json!("waiting"), &json!(1)),
            "{fault}"
        );
        let mine = aki.get("/api/v1/me/tables").ok(200);
        assert_eq!(mine["items"].as_array().map(Vec::len), Some(1), "{fault}");
        assert_eq!(mine["items"][0]["id"], made["id"], "{fault}");
    }
}

#[test]
fn a_seat_whose_taking_breaks_stays_free() {
    let server = breakable();
    for fault in &FAULTS[1..] {
        let (aki, ben) = (Guest::new(&server, "Aki"), Guest::new(&server, "Ben"));
        let made = aki.create_table(&json!({"ruleset": "baduk"}));
        let table = made["id"].as_str().expect("an id");
        let join = format!("/api/v1/tables/{table}/join");
        unavailable(|| breaking(&ben, fault).post(&join, &json!({})));
        assert_eq!(aki.snapshot(table)["state"], "waiting", "{fault}");
        assert_eq!(ben.join(table)["state"], "playing", "{fault}");
    }
}

#[test]
fn a_table_that_hangs_keeps_nobody_waiting() {
    let server = breakable();
    let game = play_all(&server, "A1 B2");
    let before = seq(&game);
    let mut socket = connect(&game.white, &game.table);
    std::thread::scope(|scope| {
        let hanging = scope.spawn(|| {
            unavailable(|| breaking(&game.black, "hang").get(&format!("/api/v1/tables/{}", game.table)));
        });
        // Others are served meanwhile.
        goes_on(&game, 2, before);
        assert_eq!(socket.wait_for_event("played")["point"], "D4");
        hanging.join().expect("answered");
    });
}

#[test]
fn players_are_served_while_another_table_panics() {
    let server: &Server = &breakable();
    let games: Vec<Game> = (0..3).map(|_| Game::on_9x9(server)).collect();
    let bad = Game::on_9x9(server);
    for (turn, point) in (0..).zip(["D4", "E5"]) {
        unavailable(|| breaking(&bad.black, "panic").play(&bad.table, "D4", 0));
        for game in &games {
            game.play(turn, point);
        }
    }
    for game in &games {
        assert_eq!(game.snapshot()["turn"], 2);
    }
    assert_eq!(bad.snapshot()["turn"], 0);
}
