//! A client without sockets can play a whole game (X2).

use crate::harness::{Client, Game, points, server};
use serde_json::json;

#[test]
fn x2_a_game_by_rest_alone() {
    let game = Game::on_9x9(server());
    let nobody = Client::new(server());
    let path = format!("/api/v1/tables/{}", game.table);
    let events = format!("{path}/events");

    let start = game.snapshot();
    assert_eq!(
        (&start["state"], &start["you"]),
        (&json!("playing"), &json!("black"))
    );
    assert_eq!((&start["turn"], &start["to_move"]), (&json!(0), &json!("black")));
    let mut seq = start["seq"].as_u64().expect("a number");

    // Each move answers with its event, and whoever asks for what he missed finds exactly that.
    for (turn, name) in (0..).zip(["A2", "A1", "B1", "E5", "pass", "E4"]) {
        let answer = game.make_move(turn, name).ok(200);
        assert_eq!(answer["turn"], turn + 1);
        assert_eq!(answer["seq"], seq + 1);
        let asked = game.white.get(&format!("{events}?since={seq}")).ok(200);
        assert_eq!(asked["events"], answer["events"]);
        let event = &answer["events"][0];
        let kind = if name == "pass" { "passed" } else { "played" };
        assert_eq!((&event["kind"], &event["turn"]), (&json!(kind), &json!(turn)));
        seq += 1;
    }
    assert_eq!(
        nobody.get(&format!("{events}?since={seq}")).ok(200)["events"],
        json!([])
    );

    game.play(6, "pass");
    let last = game.white.pass(&game.table, 7).ok(200);
    for (number, kind) in ["passed", "counting"].into_iter().enumerate() {
        assert_eq!(last["events"][number]["kind"], kind, "{last}");
    }
    let result = &game.result();
    assert_eq!(points(&result["score"]["dead"]["black"]), [""; 0]);
    assert_eq!(&nobody.get(&path).ok(200)["result"], result);

    // The whole story from the beginning, without the invite that the first event holds.
    let all = nobody.get(&format!("{events}?since=0")).ok(200);
    let kinds: Vec<&str> = all["events"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|event| event["kind"].as_str())
        .collect();
    let expected = "joined started played played played played passed played passed passed counting finished";
    assert_eq!(kinds.join(" "), expected);
    assert!(!all.to_string().contains("invite"), "{all}");
}

#[test]
fn t3_the_creator_closes_a_waiting_table_and_nobody_else() {
    let game = Game::on_9x9(server());
    game.black
        .delete(&format!("/api/v1/tables/{}", game.table))
        .problem(409, "wrong_state");

    let made = game.black.create_table(&json!({"ruleset": "baduk"}));
    let table = made["id"].as_str().expect("an id");
    let path = format!("/api/v1/tables/{table}");
    game.white.delete(&path).problem(403, "forbidden");
    Client::new(server())
        .delete(&path)
        .problem(401, "unauthenticated");
    let mut watcher = Client::new(server()).connect(table);
    game.black.delete(&path).ok(204);
    watcher.wait_for_event("closed");
    game.white
        .post(&format!("{path}/join"), &json!({}))
        .problem(410, "gone");
    game.black.delete(&path).problem(410, "gone");
    assert_eq!(game.white.snapshot(table)["state"], "closed");
}

#[test]
fn the_result_comes_in_the_same_answer_as_the_last_pass_if_the_verdict_is_quick() {
    // The answer waits for two seconds at most. A machine that has much else to do may take longer now and then, not always.
    let kinds = (0..10).map(|_| {
        let game = Game::on_9x9(server());
        game.play(0, "E5 pass");
        let last = game.make_move(2, "pass").ok(200);
        let events = last["events"].as_array().expect("events").iter();
        let kinds: Vec<String> = events.map(|event| event["kind"].to_string()).collect();
        (kinds.join(" "), last["seq"] == game.snapshot()["seq"])
    });
    let together = ("\"passed\" \"counting\" \"finished\"".to_owned(), true);
    let mut seen = Vec::new();
    for answer in kinds {
        if answer == together {
            return;
        }
        seen.push(answer);
    }
    panic!("{seen:?}");
}

#[test]
fn chat_is_answered_at_once_while_the_board_is_counted() {
    let game = Game::on_9x9(server());
    game.play(0, "E5 pass");
    // The assessor fails, so that it is counted for a moment.
    let mut white = game.white.connect(&game.table);
    white.wait_for("snapshot");
    game.black.connect(&game.table).wait_for("snapshot");
    let failing = game.black.with("x-hoshi-fault", "assessor");
    std::thread::scope(|scope| {
        let passed = scope.spawn(|| failing.pass(&game.table, 2).ok(200));
        white.wait_for_event("counting");
        let said = game
            .white
            .command(&game.table, &json!({"type": "chat", "text": "thanks"}))
            .ok(200);
        // Whatever the verdict brings is not waited for, and so is not in the answer.
        let events = said["events"].as_array().expect("events");
        assert_eq!((events.len(), &events[0]["kind"]), (1, &json!("chat")), "{said}");
        assert_eq!(said["seq"], events[0]["seq"]);
        passed.join().expect("answered");
    });
    assert_eq!(game.result()["sgf"], "B+74");
}
