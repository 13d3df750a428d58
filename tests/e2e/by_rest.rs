//! A client without sockets can play a whole game (X2).

use crate::harness::{Client, Game, points, server};
use serde_json::{Value, json};

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
    let kinds: Vec<&Value> = last["events"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|event| &event["kind"])
        .collect();
    assert_eq!(kinds, ["passed", "counting", "finished"]);
    let result = &last["events"][2]["result"];
    assert_eq!(
        points(&last["events"][2]["result"]["score"]["dead"]["black"]),
        [""; 0]
    );
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
