//! Clocks on the real runtime: flags fall with nobody connected, and an outage is nobody's loss (C6, C9, C10).

use crate::harness::{Client, Game, Guest, Server, breakable, server, wait_until_listed};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// One second for each move, from the first.
fn one_second() -> Value {
    byoyomi(1000)
}

fn byoyomi(period_ms: i64) -> Value {
    json!({"system": "byoyomi", "main_ms": 0, "period_ms": period_ms, "periods": 1})
}

fn timed(server: &Server, clock: Value) -> Game {
    Game::start(
        server,
        &json!({"ruleset": "baduk", "board": "9x9", "clock": clock}),
    )
}

/// The server's time now: it runs on this machine.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    since.as_millis() as i64
}

/// Waits for a moment that a test is about, such as a deadline that must pass.
fn wait_until(moment: i64) {
    while now() < moment {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until the index lists the game as finished, without calling the table: only its alarm can have done it.
fn wait_until_flagged(server: &Server, game: &Game) -> Value {
    wait_until_listed(server, &game.black.id, "finished")
}

#[test]
fn c6_a_flag_falls_with_nobody_connected_and_is_dated_at_its_deadline() {
    let game = timed(server(), one_second());
    let item = wait_until_flagged(server(), &game);
    assert_eq!(
        (&item["result"]["sgf"], &item["result"]["by"]),
        (&json!("W+T"), &json!("time"))
    );
    let started = item["started_at"].as_i64().expect("a time");
    assert_eq!(item["ended_at"], json!(started + 1000));
    let late = game.black.play(&game.table, "E5", 0);
    late.problem(409, "wrong_state");
    assert_eq!(game.snapshot()["stones"], json!({"black": [], "white": []}));
    let sgf = game.black.get(&format!("/api/v1/tables/{}/sgf", game.table));
    assert!(
        sgf.body.contains("RE[W+T]") && sgf.body.contains("TM[0]"),
        "{}",
        sgf.body
    );
}

#[test]
fn c6_everybody_at_the_table_hears_of_the_flag_at_once() {
    // They connect while the table waits: however long that takes, no clock runs.
    let (black, white) = (Guest::new(server(), "Kuro"), Guest::new(server(), "Shiro"));
    let terms = json!({"ruleset": "baduk", "board": "9x9", "color": "black", "clock": one_second()});
    let made = black.create_table(&terms);
    let table = made["id"].as_str().expect("an id");
    let nobody = Client::new(server());
    let mut viewers = [&*black, &*white, &nobody].map(|viewer| viewer.connect(table));
    for viewer in &mut viewers {
        viewer.wait_for("snapshot");
    }
    white.join(table);
    let told = viewers.each_mut().map(|viewer| viewer.wait_for_event("finished"));
    assert_eq!(told[0]["result"]["sgf"], "W+T");
    assert_eq!(told[0]["clock"]["running"], Value::Null);
    assert_eq!((&told[1], &told[2]), (&told[0], &told[0]));
}

#[test]
fn c10_a_move_tells_both_clocks() {
    let clock = json!({"system": "fischer", "initial_ms": 60000, "increment_ms": 10000, "max_ms": 60000});
    let game = timed(server(), clock.clone());
    let mut white = game.white.connect(&game.table);
    white.wait_for("snapshot");
    game.play(0, "E5");
    let told = &white.wait_for_event("played")["clock"];
    assert_eq!((&told["settings"], &told["system"]), (&clock, &json!("fischer")));
    assert_eq!(
        (&told["running"], &told["black"]),
        (&json!("white"), &json!({"main_ms": 60000}))
    );
    assert_eq!(&game.snapshot()["clock"], told);
}

#[test]
fn c1_settings_out_of_bounds_are_refused_by_their_field() {
    let game = Game::on_9x9(server());
    let refused = |clock: Value, field: &str| {
        let terms = json!({"ruleset": "baduk", "clock": clock});
        game.black
            .post("/api/v1/tables", &terms)
            .problem_of(400, "bad_request", field);
    };
    refused(
        json!({"system": "per_move", "period_ms": 31000}),
        "clock.period_ms",
    );
    refused(byoyomi(1500), "clock.period_ms");
    refused(json!({"system": "hourglass"}), "clock.system");
    refused(
        json!({"system": "canadian", "main_ms": 0, "period_ms": 60000}),
        "clock.stones",
    );
    refused(
        json!({"system": "fischer", "initial_ms": 60000, "increment_ms": 0, "max_ms": 59000}),
        "clock.max_ms",
    );
    refused(json!({"system": "none", "main_ms": 0}), "clock.main_ms");
}

#[test]
fn c9_a_short_absence_does_not_save_a_flag() {
    let mut server = breakable();
    // On a slow machine the absence may be a long one; then it says nothing, and there is another game.
    for _ in 0..5 {
        let game = timed(&server, byoyomi(2000));
        game.play(0, "E5");
        let deadline = game.snapshot()["clock"]["as_of"].as_i64().expect("a time") + 2000;
        server.restart();
        if now() > deadline + 9000 {
            continue;
        }
        let item = wait_until_flagged(&server, &game);
        assert_eq!(
            (&item["result"]["sgf"], &item["ended_at"]),
            (&json!("B+T"), &json!(deadline))
        );
        return;
    }
    panic!("the server took more than ten seconds to come back, five times");
}

#[test]
fn c9_an_outage_past_a_deadline_is_nobodys_loss() {
    let mut server = breakable();
    let game = timed(&server, byoyomi(20_000));
    game.play(0, "E5 D5");
    let asked = json!({"type": "request", "kind": "takeback", "turn": 2});
    let asked = game.white.command(&game.table, &asked).ok(200);
    let before = game.snapshot();
    let deadline = before["clock"]["as_of"].as_i64().expect("a time") + 20_000;
    server.kill();
    wait_until(deadline + 10_500);
    server.restart();
    let mut black = game
        .black
        .connect_with(&game.table, &format!("?since={}", asked["seq"]));
    let outage = black.wait_for_event("outage");
    assert_eq!(
        (&outage["clock"]["running"], &outage["clock"]["as_of"]),
        (&json!("black"), &outage["at"])
    );
    // What was left when the request came, the last thing that was stored.
    let left = deadline - asked["events"][0]["at"].as_i64().expect("a time");
    assert_eq!(outage["clock"]["black"]["period_ms"], json!(left));
    assert_eq!(black.wait_for_event("expired")["request"], "takeback");
    game.play(2, "E6");
    assert_eq!(game.snapshot()["turn"], 3);
}
