//! Takebacks, and requests to score, between two devices (T8, T9).

use crate::harness::{Game, play_all, server};
use serde_json::{Value, json};

fn request(kind: &str, turn: u32) -> Value {
    json!({"type": "request", "kind": kind, "turn": turn})
}

fn answer(kind: &str, accept: bool) -> Value {
    json!({"type": "answer", "kind": kind, "accept": accept})
}

#[test]
fn t9_a_takeback_is_asked_for_and_granted() {
    let game = play_all(server(), "A2 A1");
    let before = game.snapshot();
    let (mut black, mut white) = (game.black.connect(&game.table), game.white.connect(&game.table));
    black.wait_for("snapshot");
    white.wait_for("snapshot");
    game.play(2, "B1");
    black.send(&request("takeback", 3));
    let asked = white.wait_for_event("requested");
    assert_eq!(
        (&asked["request"], &asked["by"]),
        (&json!("takeback"), &json!("black"))
    );
    let open = &game.snapshot()["requests"][0];
    assert_eq!(
        (&open["kind"], &open["expires_at"]),
        (&json!("takeback"), &asked["expires_at"])
    );
    white.send(&answer("takeback", true));
    let undone = black.wait_for_event("taken_back");
    assert_eq!(
        (&undone["turn"], &undone["to_move"]),
        (&json!(2), &json!("black"))
    );
    assert_eq!(
        (&undone["stones"], &undone["captures"]),
        (&before["stones"], &before["captures"])
    );
    let after = game.snapshot();
    for same in ["turn", "stones", "captures", "moves", "forbidden"] {
        assert_eq!(after[same], before[same], "{same}");
    }
    // A copy of the move that was on its way must not play it again (TRAPS 17b).
    let delayed = json!({"type": "play", "point": "B1", "turn": 2, "seq": before["seq"]});
    game.black
        .command(&game.table, &delayed)
        .problem(409, "stale_turn");
    game.play(2, "C3");
}

#[test]
fn t8_a_score_request_counts_the_board_as_it_is() {
    let game = play_all(server(), "E5");
    game.white.command(&game.table, &request("score", 1)).ok(200);
    let accepted = game.black.command(&game.table, &answer("score", true)).ok(200);
    for (number, kind) in ["answered", "counting"].into_iter().enumerate() {
        assert_eq!(accepted["events"][number]["kind"], kind, "{accepted}");
    }
    assert_eq!(game.result()["sgf"], "B+74");
}

#[test]
fn t8_the_refusals_of_requests() {
    let game = play_all(server(), "E5");
    let refused = |by_black: bool, command: Value, code: &str| {
        let player = if by_black { &game.black } else { &game.white };
        let status = if code == "not_allowed_by_ruleset" {
            422
        } else {
            409
        };
        let problem = player.command(&game.table, &command).problem(status, code);
        assert_eq!(problem["turn"], 1);
    };
    refused(true, request("draw", 1), "not_allowed_by_ruleset");
    refused(true, request("score", 0), "stale_turn");
    refused(true, answer("score", true), "no_request");
    refused(true, json!({"type": "withdraw", "kind": "score"}), "no_request");
    refused(false, request("takeback", 1), "wrong_state");
    for _ in 0..10 {
        game.black.command(&game.table, &request("takeback", 1)).ok(200);
        refused(true, request("score", 1), "request_open");
        let withdraw = json!({"type": "withdraw", "kind": "takeback", "turn": 1});
        game.black.command(&game.table, &withdraw).ok(200);
    }
    refused(true, request("takeback", 1), "request_limit");
    assert_eq!(game.snapshot()["requests_left"], json!({"black": 0, "white": 10}));
}

#[test]
fn traps_20_accepting_and_withdrawing_at_once_has_one_winner() {
    for _ in 0..5 {
        let game: &Game = &play_all(server(), "E5");
        game.black.command(&game.table, &request("takeback", 1)).ok(200);
        let (accepted, withdrawn) = std::thread::scope(|scope| {
            let accept = scope.spawn(move || game.white.command(&game.table, &answer("takeback", true)));
            let withdraw = json!({"type": "withdraw", "kind": "takeback"});
            let withdraw = scope.spawn(move || game.black.command(&game.table, &withdraw).status);
            (
                accept.join().expect("answered").status,
                withdraw.join().expect("answered"),
            )
        });
        assert!(
            [(200, 409), (409, 200)].contains(&(accepted, withdrawn)),
            "{accepted} {withdrawn}"
        );
    }
}
