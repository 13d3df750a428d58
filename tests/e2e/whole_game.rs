//! Two friends play a private game: made, shared, watched, played on several devices, counted, downloaded.

use crate::harness::{Client, Guest, Socket, points, server};
use serde_json::{Value, json};

/// A private table on 9x9 that waits, with its id and invite.
fn private_table(creator: &Guest) -> (String, String) {
    let made = creator.create_table(&json!({
        "ruleset": "baduk", "board": "9x9", "komi": 7, "color": "black", "visibility": "private"
    }));
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    (text(&made["id"]), text(&made["invite"]["code"]))
}

#[test]
fn t1_a_waiting_table_says_what_it_is() {
    let aki = Guest::new(server(), "Aki");
    let made = aki.create_table(&json!({"ruleset": "baduk", "visibility": "private"}));
    assert_eq!(made["state"], "waiting");
    assert_eq!((&made["board"], &made["komi"]), (&json!("19x19"), &json!(6.5)));
    assert_eq!((&made["handicap"], &made["ranked"]), (&json!(0), &json!(false)));
    assert_eq!(made["color"], "random");
    assert_eq!(
        made["clock"]["settings"],
        json!({"system": "per_move", "period_ms": 30000})
    );
    assert_eq!(made["seats"], json!({"black": null, "white": null}));
    assert_eq!((&made["you"], &made["to_move"]), (&Value::Null, &Value::Null));
    assert_eq!(made["creator"]["id"], aki.id.as_str());
    let url = made["invite"]["url"].as_str().expect("a link");
    let code = made["invite"]["code"].as_str().expect("a code");
    assert_eq!(url, format!("{}/i/{code}", server().origin()));
}

#[test]
fn t4_a_private_table_does_not_exist_for_strangers() {
    let (aki, eve) = (Guest::new(server(), "Aki"), Guest::new(server(), "Eve"));
    let nobody = Client::new(server());
    let (table, code) = private_table(&aki);
    let wrong = format!(
        "{}{}",
        &code[..code.len() - 1],
        if code.ends_with('a') { 'b' } else { 'a' }
    );
    let strangers: [&Client; 2] = [&eve, &nobody];
    for stranger in strangers {
        for path in ["", "/events", "/sgf", "/events?since=0"] {
            stranger
                .get(&format!("/api/v1/tables/{table}{path}"))
                .problem(404, "not_found");
        }
        for query in ["?invite=", "?invite=nonsense", &format!("?invite={wrong}")] {
            stranger
                .get(&format!("/api/v1/tables/{table}{query}"))
                .problem(404, "not_found");
        }
        let refused = stranger.try_connect(&table, "").err().expect("no socket");
        assert_eq!(refused.status, 404);
    }
    let join = format!("/api/v1/tables/{table}/join");
    eve.post(&join, &json!({})).problem(404, "not_found");
    eve.post(&join, &json!({"invite": wrong}))
        .problem(404, "not_found");
    eve.delete(&format!("/api/v1/tables/{table}"))
        .problem(404, "not_found");
    eve.play(&table, "D4", 0).problem(404, "not_found");
    eve.play(&table, "D4", 0).problem(404, "not_found");
    // To a stranger it is the same as a table that is none.
    let none = eve
        .get("/api/v1/tables/2222222222222222")
        .problem(404, "not_found");
    assert_eq!(eve.get(&format!("/api/v1/tables/{table}")).json, none);
}

#[test]
fn t2_an_invite_opens_the_table_for_people_and_for_programs() {
    let aki = Guest::new(server(), "<Aki>");
    let nobody = Client::new(server());
    let (table, code) = private_table(&aki);
    let link = format!("/i/{code}");
    let opened = nobody.with("accept", "application/json").get(&link).ok(200);
    assert_eq!(opened, json!({"table_id": table, "invite": code}));
    let page = nobody.with("accept", "text/html").get(&link);
    assert_eq!(page.status, 200);
    assert!(
        page.header("content-type")
            .is_some_and(|kind| kind.starts_with("text/html"))
    );
    assert!(
        page.body.contains("&lt;Aki&gt;") && !page.body.contains("<Aki>"),
        "{}",
        page.body
    );
    assert!(
        page.body.contains(&code) && page.body.contains("baduk"),
        "{}",
        page.body
    );
    let seen = nobody
        .get(&format!("/api/v1/tables/{table}?invite={code}"))
        .ok(200);
    assert_eq!(seen["state"], "waiting");
    // Who only holds the invite is not shown it again.
    assert_eq!(seen["invite"], Value::Null);
    nobody.get("/i/nonsense").problem(404, "not_found");
    aki.delete(&format!("/api/v1/tables/{table}")).ok(204);
    nobody.get(&link).problem(410, "gone");
}

#[test]
fn a_private_game_from_the_invite_to_the_record() {
    let (aki, ben) = (Guest::new(server(), "Aki"), Guest::new(server(), "Ben"));
    let nobody = Client::new(server());
    let (table, code) = private_table(&aki);
    let mut waiting = aki.connect(&table);
    assert_eq!(waiting.next()["type"], "snapshot");

    // Ben takes the seat; Aki, who waits, is told.
    let joined = ben.join_by_invite(&table, &code);
    assert_eq!(
        (&joined["state"], &joined["you"]),
        (&json!("playing"), &json!("white"))
    );
    assert_eq!(
        joined["invite"]["code"],
        code.as_str(),
        "both seated players can read the invite"
    );
    assert_eq!(waiting.next_but_spectators()["kind"], "joined");
    let started = waiting.next_but_spectators();
    assert_eq!(started["kind"], "started");
    assert_eq!(started["seats"]["white"]["id"], ben.id.as_str());
    assert_eq!(started["clock"]["running"], "black");

    // Each has two devices.
    let mut black = [waiting, aki.connect(&table)];
    let mut white = [ben.connect(&table), ben.connect(&table)];
    let arriving = black[1..].iter_mut().map(|socket| (socket, "black"));
    for (socket, you) in arriving.chain(white.iter_mut().map(|socket| (socket, "white"))) {
        let snapshot = socket.wait_for("snapshot");
        assert_eq!(snapshot["you"], you);
        assert_eq!(snapshot["spectators"], 0, "players are no spectators");
    }

    // Somebody with the invite watches, then leaves.
    let mut watcher = nobody.connect_with(&table, &format!("?invite={code}"));
    assert_eq!(watcher.next()["you"], Value::Null);
    assert_eq!(black[0].wait_for("spectators")["count"], 1);
    assert_eq!(white[1].wait_for("spectators")["count"], 1);

    // The devices take turns; every one sees every move.
    let moves = ["A2", "A1", "B1", "E5", "E4"];
    for (turn, point) in (0..).zip(moves) {
        let devices = if turn % 2 == 0 { &mut black } else { &mut white };
        devices[turn as usize / 2 % 2].play(point, turn);
        let all: Vec<Value> = black
            .iter_mut()
            .chain(&mut white)
            .chain([&mut watcher])
            .map(|socket| socket.wait_for_event("played"))
            .collect();
        assert_eq!((&all[0]["point"], &all[0]["turn"]), (&json!(point), &json!(turn)));
        assert!(all.iter().all(|event| event == &all[0]), "{all:?}");
        let taken: &[&str] = if point == "B1" { &["A1"] } else { &[] };
        assert_eq!(points(&all[0]["captured"]), taken);
    }
    watcher.cut();
    assert_eq!(black[0].wait_for("spectators")["count"], 0);
    let seen = aki.snapshot(&table);
    assert_eq!(seen["captures"], json!({"black": 1, "white": 0}));
    assert_eq!(points(&seen["stones"]["black"]), ["A2", "B1", "E4"]);
    assert_eq!(points(&seen["stones"]["white"]), ["E5"]);

    // Two passes end it, and it is counted at once.
    white[0].pass(5);
    black[1].wait_for_event("passed");
    black[1].pass(6);
    let finished: Vec<Value> = black
        .iter_mut()
        .chain(&mut white)
        .map(|socket| {
            assert_eq!(socket.wait_for_event("counting")["reason"], "passes");
            socket.wait_for_event("finished")
        })
        .collect();
    let result = &finished[0]["result"];
    assert!(finished.iter().all(|event| event["result"] == *result));
    assert_eq!(
        (&result["winner"], &result["by"]),
        (&json!("white"), &json!("score"))
    );
    assert_eq!(result["score"]["komi"], 7);
    assert_eq!(finished[0]["clock"]["running"], Value::Null);

    // The table says the same to whoever comes later, and its devices stay connected.
    let over = ben.snapshot(&table);
    assert_eq!((&over["state"], &over["result"]), (&json!("finished"), result));
    assert_eq!((&over["to_move"], &over["turn"]), (&Value::Null, &json!(7)));
    assert!(over["ended_at"].as_i64() >= over["started_at"].as_i64());
    black[0].play("C3", 7);
    let refused = black[0].wait_for("refused");
    assert_eq!(refused["code"], "wrong_state");
    let sgf = ben.get(&format!("/api/v1/tables/{table}/sgf"));
    assert_eq!(sgf.status, 200);
    assert_eq!(
        sgf.header("content-type"),
        Some("application/x-go-sgf; charset=utf-8")
    );
    assert!(
        sgf.header("content-disposition")
            .is_some_and(|value| value.contains(".sgf"))
    );
}

#[test]
fn t10_resigning_ends_the_game_on_either_turn() {
    for (resigner, winner) in [("white", "black"), ("black", "white")] {
        let (aki, ben) = (Guest::new(server(), "Aki"), Guest::new(server(), "Ben"));
        let (table, code) = private_table(&aki);
        ben.join_by_invite(&table, &code);
        let mut sockets: Vec<Socket> = [&aki, &ben].map(|player| player.connect(&table)).into();
        let speaks = usize::from(resigner == "white");
        sockets[speaks].send(&json!({"type": "resign", "id": "r"}));
        for socket in &mut sockets {
            let result = &socket.wait_for_event("finished")["result"];
            assert_eq!(
                (&result["winner"], &result["by"]),
                (&json!(winner), &json!("resignation"))
            );
            let letter = if winner == "black" { "B+R" } else { "W+R" };
            assert_eq!((&result["sgf"], &result["score"]), (&json!(letter), &Value::Null));
        }
        assert_eq!(sockets[speaks].wait_for("ok")["id"], "r");
    }
}

#[test]
fn t4_spectators_are_counted_once_each() {
    let (aki, ben, eve) = (
        Guest::new(server(), "Aki"),
        Guest::new(server(), "Ben"),
        Guest::new(server(), "Eve"),
    );
    let (table, code) = private_table(&aki);
    ben.join_by_invite(&table, &code);
    let invited = format!("?invite={code}");
    let mut player = aki.connect(&table);
    player.wait_for("snapshot");
    let mut first = eve.connect_with(&table, &invited);
    assert_eq!(first.wait_for("snapshot")["spectators"], 1);
    let mut second = eve.connect_with(&table, &invited);
    assert_eq!(
        second.wait_for("snapshot")["spectators"],
        1,
        "a second device is not a second person"
    );
    let nobody = Client::new(server());
    let mut nameless = nobody.connect_with(&table, &invited);
    assert_eq!(nameless.wait_for("snapshot")["spectators"], 2);
    first.cut();
    nameless.cut();
    let counts = [&mut player, &mut second].map(|socket| {
        socket.wait_until("two spectators", |frame| {
            frame["type"] == "spectators" && frame["count"] == 2
        });
        socket.wait_until("one spectator", |frame| {
            frame["type"] == "spectators" && frame["count"] == 1
        });
    });
    assert_eq!(counts.len(), 2);
    second.cut();
    player.wait_until("no spectator", |frame| {
        frame["type"] == "spectators" && frame["count"] == 0
    });
}

#[test]
fn t2_an_invite_opens_its_own_table_and_gives_no_seat() {
    let (aki, ben, eve) = (
        Guest::new(server(), "Aki"),
        Guest::new(server(), "Ben"),
        Guest::new(server(), "Eve"),
    );
    let (table, code) = private_table(&aki);
    let (_, another) = private_table(&aki);
    eve.get(&format!("/api/v1/tables/{table}?invite={another}"))
        .problem(404, "not_found");
    ben.join_by_invite(&table, &code);
    // Who holds the invite when the seats are taken can watch, and no more.
    let join = format!("/api/v1/tables/{table}/join");
    eve.post(&join, &json!({"invite": code}))
        .problem(409, "seat_taken");
    let seen = eve.get(&format!("/api/v1/tables/{table}?invite={code}")).ok(200);
    assert_eq!(seen["you"], Value::Null);
    let commands = format!("/api/v1/tables/{table}/commands?invite={code}");
    let play = json!({"type": "play", "point": "D4", "turn": 0});
    eve.post(&commands, &play).problem(403, "forbidden");
    let mut watching = eve.connect_with(&table, &format!("?invite={code}"));
    watching.wait_for("snapshot");
    watching.send(&play);
    assert_eq!(watching.wait_for("refused")["code"], "forbidden");
    aki.play(&table, "D4", 0).ok(200);
    assert_eq!(watching.wait_for_event("played")["point"], "D4");
}
