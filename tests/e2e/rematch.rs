//! Playing again (T11): one new private table, both are told of it, watchers are not.

use crate::harness::{Client, Game, server};
use serde_json::{Value, json};

fn over(komi: f64) -> Game {
    let game = Game::start(
        server(),
        &json!({"ruleset": "baduk", "board": "9x9", "komi": komi}),
    );
    game.play(0, "E5");
    game.black
        .command(&game.table, &json!({"type": "resign"}))
        .ok(200);
    game
}

fn rematch() -> Value {
    json!({"type": "rematch"})
}

#[test]
fn t11_both_are_told_and_play_again_with_colors_swapped() {
    let game = over(5.5);
    let (mut black, mut white) = (game.black.connect(&game.table), game.white.connect(&game.table));
    let mut watcher = Client::new(server()).connect(&game.table);
    for socket in [&mut black, &mut white, &mut watcher] {
        socket.wait_for("snapshot");
    }
    white.send(&rematch());
    assert_eq!(black.wait_for_event("rematch_offered")["by"], "white");
    watcher.wait_for_event("rematch_offered");
    black.send(&rematch());
    let told = white.wait_for_event("rematch");
    assert_eq!(black.wait_for_event("rematch"), told);
    // The new table is there as soon as anybody knows of it.
    let next = told["table_id"].as_str().expect("an id");
    let snapshot = game.black.snapshot(next);
    assert_eq!(
        (&snapshot["state"], &snapshot["you"]),
        (&json!("playing"), &json!("white"))
    );
    assert_eq!(
        (&snapshot["komi"], &snapshot["visibility"]),
        (&json!(5.5), &json!("private"))
    );
    assert_eq!(snapshot["invite"]["code"], told["invite"]);
    game.white.play(next, "D4", 0).ok(200);
    // It is nobody else's: not in what watchers are sent, not in what they ask for.
    let seq = told["seq"].as_u64().expect("a number");
    let nobody = Client::new(server());
    nobody
        .get(&format!("/api/v1/tables/{next}"))
        .problem(404, "not_found");
    let since = format!("/api/v1/tables/{}/events?since={}", game.table, seq - 1);
    assert_eq!(nobody.get(&since).ok(200)["events"], json!([]));
    assert_eq!(
        game.white.get(&since).ok(200)["events"][0]["table_id"],
        json!(next)
    );
    assert_eq!(nobody.snapshot(&game.table)["rematch"], Value::Null);
    let mine = game.white.get("/api/v1/me/tables?state=playing").ok(200);
    assert_eq!(mine["items"][0]["id"], json!(next));
}

#[test]
fn traps_20_two_offers_at_once_make_one_table() {
    for _ in 0..5 {
        let game = &over(6.5);
        let answers = std::thread::scope(|scope| {
            let offers = [&game.black, &game.white]
                .map(|player| scope.spawn(move || player.command(&game.table, &rematch()).ok(200)));
            offers.map(|offer| offer.join().expect("answered"))
        });
        assert!(
            answers
                .iter()
                .any(|answer| answer["events"][0]["kind"] == "rematch"),
            "{answers:?}"
        );
        let told = [&game.black, &game.white].map(|player| {
            let again = player.command(&game.table, &rematch()).ok(200);
            assert_eq!(again["repeated"], true);
            again["events"][0]["table_id"].clone()
        });
        assert_eq!(told[0], told[1]);
    }
}

#[test]
fn t11_a_rematch_is_declined_or_refused() {
    let game = over(6.5);
    let decline = json!({"type": "decline_rematch"});
    game.white
        .command(&game.table, &decline)
        .problem(409, "no_request");
    game.black.command(&game.table, &rematch()).ok(200);
    let declined = game.white.command(&game.table, &decline).ok(200);
    assert_eq!(declined["events"][0]["kind"], "rematch_declined");
    assert_eq!(game.snapshot()["rematch"], Value::Null);
    let running = Game::on_9x9(server());
    running
        .black
        .command(&running.table, &rematch())
        .problem(409, "wrong_state");
    game.black
        .command(&running.table, &rematch())
        .problem(409, "wrong_state");
}
