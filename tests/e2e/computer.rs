//! Games against the computer (A1, A2, T9), which thinks beside its table.

use crate::harness::{Guest, Server, Socket, breakable, server};
use serde_json::{Value, json};

/// A guest's game against the computer, without a clock; he is Black.
struct Match {
    table: String,
    human: Guest,
    socket: Socket,
}

impl Match {
    #[track_caller]
    fn start(server: &Server, terms: Value) -> Match {
        let human = Guest::new(server, "Kuro");
        let mut terms = terms;
        terms["color"] = terms.get("color").cloned().unwrap_or(json!("black"));
        let made = human.create_table(&terms);
        assert_eq!(made["state"], "playing", "it starts at once");
        let table = made["id"].as_str().expect("an id").to_owned();
        let mut socket = human.connect(&table);
        socket.wait_for("snapshot");
        Match { table, human, socket }
    }

    fn on_9x9(server: &Server, level: &str) -> Match {
        let opponent = json!({"kind": "computer", "level": level});
        Match::start(
            server,
            json!({"ruleset": "baduk", "board": "9x9", "opponent": opponent}),
        )
    }

    /// The next move of the computer.
    #[track_caller]
    fn reply(&mut self, color: &str) -> Value {
        self.socket.wait_until("the computer's move", |frame| {
            let made = frame["kind"] == "played" || frame["kind"] == "passed";
            frame["type"] == "event" && made && frame["color"] == color
        })
    }
}

#[test]
fn a2_the_computer_answers_every_move_and_passes_when_play_is_over() {
    let server = server();
    let mut game = Match::on_9x9(server, "easy");
    game.socket.play("E5", 0);
    let mut turn = 1;
    loop {
        let reply = game.reply("white");
        assert_eq!(reply["turn"], turn, "{reply}");
        if reply["kind"] == "passed" {
            break;
        }
        game.socket.pass(turn + 1);
        turn += 2;
        assert!(turn < 200, "it never passes");
    }
    let finished = game.socket.wait_for_event("finished");
    assert_eq!(finished["result"]["by"], "score");
    assert_eq!(finished["result"]["assessed_by"]["engine"], "hoshi");
}

#[test]
fn a2_the_computer_moves_first_as_black_on_a_hexagonal_board() {
    let server = server();
    let opponent = json!({"kind": "computer", "level": "easy"});
    let terms = json!({"ruleset": "hex", "board": "hex6", "color": "white", "opponent": opponent});
    let mut game = Match::start(server, terms);
    let table = game.table.clone();
    // It may have moved before the socket was there.
    if game.human.snapshot(&table)["turn"] == 0 {
        assert_eq!(game.reply("black")["turn"], 0);
    }
    assert_eq!(game.human.snapshot(&table)["to_move"], "white");
}

#[test]
fn a1_the_table_serves_everybody_while_the_computer_thinks() {
    let server = server();
    let opponent = json!({"kind": "computer", "level": "normal"});
    let mut game = Match::start(
        server,
        json!({"ruleset": "baduk", "board": "19x19", "opponent": opponent}),
    );
    let watcher = Guest::new(server, "Chi");
    game.socket.play("Q16", 0);
    game.socket.wait_for("ok");
    let mut watching = watcher.connect(&game.table);
    watching.wait_for("snapshot");
    for _ in 0..3 {
        watching.send(&json!({"type": "time"}));
        let answer = watching.next_but_spectators();
        assert_eq!(
            answer["type"], "time",
            "answered before the computer has moved: {answer}"
        );
    }
    assert_eq!(watching.wait_for_event("played")["color"], "white");
}

#[test]
fn t9_a_takeback_while_the_computer_thinks_makes_its_answer_stale() {
    let server = server();
    let mut game = Match::on_9x9(server, "normal");
    game.socket.play("E5", 0);
    game.socket.wait_for("ok");
    game.socket
        .send(&json!({"type": "request", "kind": "takeback", "turn": 1}));
    assert_eq!(game.socket.wait_for_event("taken_back")["turn"], 0);
    game.socket.play("C3", 0);
    // The reply is to the new move, and there is one only.
    assert_eq!(game.reply("white")["turn"], 1);
    let snapshot = game.human.snapshot(&game.table);
    assert_eq!(snapshot["turn"], 2);
    assert_eq!(snapshot["stones"]["black"], json!(["C3"]));
    game.socket
        .send(&json!({"type": "request", "kind": "takeback", "turn": 2}));
    let back = game.socket.wait_for_event("taken_back");
    assert_eq!((&back["turn"], &back["to_move"]), (&json!(0), &json!("black")));
    assert_eq!(game.human.snapshot(&game.table)["requests_left"]["black"], 10);
}

#[test]
fn t9_moves_that_are_taken_back_leave_no_searches_behind() {
    let server = server();
    let opponent = json!({"kind": "computer", "level": "hard"});
    let mut game = Match::start(
        server,
        json!({"ruleset": "baduk", "board": "19x19", "opponent": opponent}),
    );
    // Each of these searches takes seconds. All of them together would keep the last one from its answer for minutes.
    for _ in 0..60 {
        game.socket.play("Q16", 0);
        game.socket
            .send(&json!({"type": "request", "kind": "takeback", "turn": 1}));
        assert_eq!(game.socket.wait_for_event("taken_back")["turn"], 0);
    }
    game.socket.play("D4", 0);
    assert_eq!(game.reply("white")["turn"], 1);
    let events = game
        .human
        .get(&format!("/api/v1/tables/{}/events?since=0", game.table))
        .ok(200);
    let kinds = events["events"].as_array().expect("events").iter();
    assert_eq!(
        kinds.filter(|event| event["kind"] == "computer_failed").count(),
        0
    );
}

#[test]
fn t8_the_computer_declines_to_score_a_game_that_has_hardly_begun() {
    let server = server();
    let mut game = Match::on_9x9(server, "easy");
    game.socket.play("E5", 0);
    game.reply("white");
    game.socket
        .send(&json!({"type": "request", "kind": "score", "turn": 2}));
    let answered = game.socket.wait_for_event("answered");
    assert_eq!(
        (&answered["by"], &answered["accepted"]),
        (&json!("white"), &json!(false))
    );
}

#[test]
fn t11_the_computer_plays_again() {
    let server = server();
    let mut game = Match::on_9x9(server, "easy");
    game.socket.send(&json!({"type": "resign"}));
    game.socket.wait_for_event("finished");
    game.socket.send(&json!({"type": "rematch"}));
    let next = game.socket.wait_for_event("rematch")["table_id"].clone();
    let next = game.human.snapshot(next.as_str().expect("an id"));
    assert_eq!(
        (&next["state"], &next["you"]),
        (&json!("playing"), &json!("black"))
    );
    assert_eq!(next["seats"]["white"]["kind"], "computer");
}

#[test]
fn a2_a_search_that_breaks_off_is_begun_again() {
    for fault in ["thinker_fails", "thinker_panics"] {
        let server = breakable();
        let mut game = Match::on_9x9(&server, "easy");
        let breaking = game.human.with("x-hoshi-fault", fault);
        // Whatever the panic takes with it, the move had been stored before.
        breaking.play(&game.table, "E5", 0);
        let mut back = game.human.connect(&game.table);
        let standing = back.wait_for("snapshot");
        if standing["turn"] != 2 {
            let reply = back.wait_for_event("played");
            assert_eq!(
                (&reply["turn"], &reply["color"]),
                (&json!(1), &json!("white")),
                "{fault}"
            );
        }
        game.socket = back;
        assert_eq!(game.human.snapshot(&game.table)["turn"], 2, "{fault}");
    }
}

#[test]
fn traps_21_the_computer_goes_on_after_a_restart() {
    let mut server = breakable();
    let mut game = Match::on_9x9(&server, "normal");
    game.socket.play("E5", 0);
    game.socket.wait_for("ok");
    server.restart();
    let mut back = game.human.connect(&game.table);
    if back.wait_for("snapshot")["turn"] == 1 {
        back.wait_for_event("played");
    }
    assert_eq!(game.human.snapshot(&game.table)["turn"], 2);
}
