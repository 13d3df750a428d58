//! The server is killed and started again: whatever was acknowledged is still there (TRAPS 21).

use crate::harness::{Game, breakable, play_all, wait_until_listed};
use serde_json::{Value, json};

/// What must survive: the whole snapshot but the number of those who watch, who come back by themselves.
fn lasting(game: &Game) -> Value {
    let mut snapshot = game.snapshot();
    snapshot["spectators"] = json!(0);
    snapshot
}

#[test]
fn traps_21_a_game_goes_on_after_a_restart() {
    let mut server = breakable();
    // Ten moves each: a superko that only the whole history shows, and a ko.
    let game = play_all(&server, "A8 B6 B7 B5 A6 A4 J1 B4 A5 A7");
    let ko = play_all(&server, "D6 E6 C5 F5 D4 E4 E5 D5");
    let waiting = game
        .black
        .create_table(&json!({"ruleset": "hex", "visibility": "private"}));
    let mut black = game.black.connect(&game.table);
    let mut white = game.white.connect(&game.table);
    let seq = black.wait_for("snapshot")["seq"].as_u64().expect("a number");
    white.wait_for("snapshot");
    let before = [lasting(&game), lasting(&ko)];

    server.restart();
    black.wait_for_close();
    white.wait_for_close();
    assert_eq!([lasting(&game), lasting(&ko)], before);
    assert_eq!(before[0]["captures"], json!({"black": 0, "white": 2}));
    let found = game.black.snapshot(waiting["id"].as_str().expect("an id"));
    assert_eq!(found, waiting);

    // Nothing was missed, so nothing comes; then the game goes on, and the earlier positions still count.
    let mut black = game.black.connect_with(&game.table, &format!("?since={seq}"));
    let mut white = game
        .white
        .connect_with(&game.table, &format!("?since={}", seq - 1));
    assert_eq!(white.next_but_spectators()["point"], "A7");
    black.play("A6", 10);
    let refused = black.next_but_spectators();
    assert_eq!(
        (&refused["code"], &refused["seq"]),
        (&json!("superko"), &json!(seq))
    );
    black.play("J9", 10);
    assert_eq!(white.next_but_spectators()["seq"], seq + 1);
    game.make_move(11, "H9").ok(200);

    ko.make_move(8, "E5").problem(409, "superko");
    ko.play(8, "A9 A1 E5");
    assert_eq!(ko.snapshot()["captures"], json!({"black": 1, "white": 1}));
}

#[test]
fn traps_21_a_second_pass_that_was_acknowledged_is_the_end() {
    let mut server = breakable();
    let by_rest = play_all(&server, "E5 pass");
    let by_socket = play_all(&server, "E5 pass");
    let mut socket = by_socket.black.connect(&by_socket.table);
    socket.wait_for("snapshot");
    by_rest.make_move(2, "pass").ok(200);
    socket.pass(2);
    socket.wait_for("ok");
    server.restart();

    // The index first, since to look at a table would wake it.
    for game in [&by_rest, &by_socket] {
        let item = wait_until_listed(&server, &game.black.id, "finished");
        assert_eq!(
            (&item["id"], &item["result"]["sgf"]),
            (&json!(game.table), &json!("B+74"))
        );
        let snapshot = game.snapshot();
        assert_eq!(
            (&snapshot["state"], &snapshot["result"]),
            (&json!("finished"), &item["result"])
        );
    }
}

#[test]
fn t7_a_move_that_was_cut_off_by_a_kill_can_be_sent_again() {
    let mut server = breakable();
    let game = play_all(&server, "A1 B2");
    let mut socket = game.black.connect(&game.table);
    let seq = socket.wait_for("snapshot")["seq"].as_u64().expect("a number");
    socket.play("C3", 2);
    server.restart();
    // Whether it came in time is not known to its sender, and need not be.
    let stood = game.snapshot()["turn"] == 3;
    let again = game.make_move(2, "C3").ok(200);
    assert_eq!(again["repeated"] == true, stood);
    let events = game
        .white
        .get(&format!("/api/v1/tables/{}/events?since={seq}", game.table))
        .ok(200);
    assert_eq!(events["events"].as_array().map(Vec::len), Some(1));
    assert_eq!(game.snapshot()["turn"], 3);
}
