//! Two players of `aga` mark what is dead and agree (G8).

use crate::harness::{Game, points, server};
use serde_json::{Value, json};

/// A game that waits for its marking: White's two stones on the right are walled in.
fn marking() -> Game {
    let clock = json!({"system": "canadian", "main_ms": 3_600_000, "period_ms": 300_000, "stones": 25});
    let game = Game::start(
        server(),
        &json!({"ruleset": "aga", "board": "9x9", "clock": clock}),
    );
    game.play(
        0,
        "F5 H5 F4 H6 F3 A1 F2 A2 F1 pass F6 pass F7 pass F8 pass F9 pass pass pass",
    );
    game
}

fn mark(point: &str, dead: bool) -> Value {
    json!({"type": "mark", "point": point, "dead": dead})
}

fn accept(version: u32) -> Value {
    json!({"type": "accept_score", "marking": version})
}

#[test]
fn g8_traps_11_the_players_mark_agree_and_are_told_what_has_changed() {
    let game = marking();
    let (mut black, mut white) = (game.black.connect(&game.table), game.white.connect(&game.table));
    let snapshot = black.wait_for("snapshot");
    white.wait_for("snapshot");
    assert_eq!(
        (&snapshot["state"], &snapshot["marking"]["version"]),
        (&json!("counting"), &json!(0))
    );
    assert_eq!(
        (&snapshot["counting"], &snapshot["clock"]["running"]),
        (&Value::Null, &Value::Null)
    );

    black.send(&mark("H5", true));
    let marked = white.wait_for_event("marked");
    assert_eq!(points(&marked["chain"]), ["H5", "H6"]);
    black.send(&accept(1));
    assert_eq!(white.wait_for_event("score_accepted")["by"], "black");
    // White changes something: Black has to agree again, and an agreement to what he had seen is stale.
    white.send(&mark("A1", true));
    black.wait_until("White's mark", |frame| {
        frame["kind"] == "marked" && frame["by"] == "white"
    });
    let stale = game
        .black
        .command(&game.table, &accept(1))
        .problem(409, "stale_marking");
    assert_eq!(stale["marking"]["version"], 2);
    assert_eq!(
        stale["marking"]["accepted"],
        json!({"black": false, "white": false})
    );
    white.send(&accept(1));
    let refused = white.wait_for("refused");
    assert_eq!(
        (&refused["code"], &refused["marking"]["version"]),
        (&json!("stale_marking"), &json!(2))
    );
    game.black
        .command(&game.table, &mark("E5", true))
        .problem(409, "no_chain");
    white.send(&mark("A1", false));
    white.send(&accept(3));
    black.wait_for_event("score_accepted");
    // Whoever comes back in the middle sees marks and confirmations.
    let back = game.black.snapshot(&game.table)["marking"].clone();
    assert_eq!(points(&back["dead"]["white"]), ["H5", "H6"]);
    assert_eq!(back["accepted"], json!({"black": false, "white": true}));
    black.send(&accept(3));
    for socket in [&mut black, &mut white] {
        let result = &socket.wait_for_event("finished")["result"];
        assert_eq!(
            (&result["sgf"], &result["assessed_by"]),
            (&json!("B+27.5"), &Value::Null)
        );
        assert_eq!(
            result["score"]["prisoners"]["black"],
            json!({"captured": 0, "dead": 2, "passes": 6})
        );
    }
    let sgf = game.black.get(&format!("/api/v1/tables/{}/sgf", game.table)).body;
    assert!(sgf.contains("RU[AGA]") && sgf.contains("TB["), "{sgf}");
}

#[test]
fn g8_either_player_may_resume_and_the_second_ending_is_final() {
    let game = marking();
    let mut black = game.black.connect(&game.table);
    let turn = black.wait_for("snapshot")["turn"].as_u64().expect("a number") as u32;
    game.white
        .command(&game.table, &json!({"type": "resume"}))
        .ok(200);
    let resumed = black.wait_for_event("resumed");
    assert_eq!(
        (&resumed["by"], &resumed["to_move"]),
        (&json!("white"), &json!("black"))
    );
    assert_eq!(resumed["turn"], turn);
    // What was meant for the game before the resumption is stale.
    let delayed =
        json!({"type": "pass", "turn": turn, "seq": resumed["seq"].as_u64().expect("a number") - 1});
    game.black
        .command(&game.table, &delayed)
        .problem(409, "stale_turn");
    game.play(turn, "pass pass");
    let result = &black.wait_for_event("finished")["result"];
    assert_eq!(result["score"]["dead"], json!({"black": [], "white": []}));
    assert_eq!(game.snapshot()["resumptions"], 1);
}

#[test]
fn traps_12_resigning_works_while_marking() {
    let game = marking();
    game.black
        .command(&game.table, &json!({"type": "resign"}))
        .ok(200);
    assert_eq!(game.snapshot()["result"]["sgf"], "W+R");
}
