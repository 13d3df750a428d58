//! The assessor fails and is asked again (G5); players see the score of a running game where their ruleset shows it (G7).

use crate::harness::{Client, Game, Guest, play_all, server};
use serde_json::{Value, json};

#[test]
fn g5_when_the_assessor_fails_the_table_says_so_tries_again_and_ends() {
    let game = play_all(server(), "E5 pass");
    let mut white = game.white.connect(&game.table);
    white.wait_for("snapshot");
    let failing = game.black.with("x-hoshi-fault", "assessor");
    let passed = failing.pass(&game.table, 2).ok(200);
    // More may have happened before the call is answered.
    for (number, kind) in ["passed", "counting"].into_iter().enumerate() {
        assert_eq!(passed["events"][number]["kind"], kind, "{passed}");
    }
    assert_eq!(white.wait_for_event("counting")["attempt"], 1);
    let retry = white.wait_for_event("counting");
    assert_eq!(retry["attempt"], 2);
    assert!(retry["retry_at"].as_i64() > retry["at"].as_i64(), "{retry}");
    // Nobody does anything: the alarm brings the next try.
    let finished = white.wait_for_event("finished");
    assert!(
        finished["at"].as_i64() >= retry["retry_at"].as_i64(),
        "{finished}"
    );
    assert_eq!(finished["result"]["sgf"], "B+74");
}

/// A game of `nine`, its players in the order of their colors.
fn nine() -> (String, Guest, Guest) {
    let (aki, bo) = (Guest::new(server(), "Aki"), Guest::new(server(), "Bo"));
    let table = aki.create_table(&json!({"ruleset": "nine"}))["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let joined = bo.join(&table);
    match joined["you"] == "white" {
        true => (table, aki, bo),
        false => (table, bo, aki),
    }
}

#[test]
fn g7_the_players_of_nine_see_the_score_as_it_stands_and_nobody_else_does() {
    let (table, black, white) = nine();
    let (mut blacks, mut whites) = (black.connect(&table), white.connect(&table));
    let mut watching = Client::new(server()).connect(&table);
    for socket in [&mut blacks, &mut whites, &mut watching] {
        socket.wait_for("snapshot");
    }
    blacks.play("E5", 0);
    whites.wait_for_event("played");
    whites.pass(1);
    let pushed = blacks.wait_for("preview");
    assert_eq!(
        (&pushed["turn"], &pushed["score"]["black"]),
        (&json!(2), &json!(81))
    );
    assert_eq!(
        (&pushed["score"]["komi"], &pushed["dead"]["black"]),
        (&json!(7), &json!([]))
    );
    // A watcher is told of the pass and of what comes after it, but not of the score in between; nor is White.
    blacks.play("D5", 2);
    for socket in [&mut whites, &mut watching] {
        let next = socket.wait_until("the stone", |frame| {
            assert_ne!(frame["type"], "preview", "{frame}");
            frame["kind"] == "played" && frame["turn"] == 2
        });
        assert_eq!(next["point"], "D5");
    }
    let path = format!("/api/v1/tables/{table}/preview");
    for player in [&black, &white] {
        let asked = player.get(&path).ok(200);
        assert_eq!(
            (&asked["turn"], &asked["score"]["black"]),
            (&json!(3), &json!(81))
        );
        assert_eq!(asked["type"], Value::Null);
    }
    Guest::new(server(), "Eve").get(&path).problem(403, "forbidden");
    Client::new(server()).get(&path).problem(401, "unauthenticated");
    black.command(&table, &json!({"type": "resign"})).ok(200);
    black.get(&path).problem(409, "wrong_state");
}

#[test]
fn t13_no_other_ruleset_shows_a_score_before_the_end() {
    let canadian = json!({"system": "canadian", "main_ms": 3_600_000, "period_ms": 300_000, "stones": 25});
    for terms in [
        json!({"ruleset": "baduk", "board": "9x9"}),
        json!({"ruleset": "hex"}),
        json!({"ruleset": "aga", "clock": canadian}),
    ] {
        let game = Game::start(server(), &terms);
        let path = format!("/api/v1/tables/{}/preview", game.table);
        game.black
            .get(&path)
            .problem_of(422, "not_allowed_by_ruleset", "preview");
    }
}

#[test]
fn t10_in_nine_an_offer_of_a_draw_that_is_accepted_draws() {
    let (table, black, white) = nine();
    let offer = json!({"type": "request", "kind": "draw", "turn": 0});
    white.command(&table, &offer).ok(200);
    black
        .command(&table, &json!({"type": "answer", "kind": "draw", "accept": true}))
        .ok(200);
    let result = &black.snapshot(&table)["result"];
    assert_eq!(
        (&result["by"], &result["sgf"]),
        (&json!("agreement"), &json!("0"))
    );
    let takeback = json!({"type": "request", "kind": "takeback", "turn": 0});
    let (other, first, _) = nine();
    first
        .command(&other, &takeback)
        .problem_of(422, "not_allowed_by_ruleset", "kind");
}
