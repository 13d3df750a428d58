//! Coming back: exactly what was missed, or everything (T7), and what keeps a socket alive.

use crate::harness::{Game, play_all, server};
use serde_json::{Value, json};

/// The most events that come back one by one (API.md).
const MOST: u64 = 500;

#[test]
fn t7_exactly_the_missed_events_come() {
    let game = play_all(server(), "A1 B2 C3");
    let seq = game.snapshot()["seq"].as_u64().expect("a number");
    for missed in 0..=3 {
        let mut socket = game
            .white
            .connect_with(&game.table, &format!("?since={}", seq - missed));
        for number in seq - missed + 1..=seq {
            let event = socket.next_but_spectators();
            assert_eq!((&event["type"], &event["seq"]), (&json!("event"), &json!(number)));
        }
        // Nothing more comes: the next frame is the answer to this.
        socket.send(&json!({"type": "time"}));
        assert_eq!(socket.next_but_spectators()["type"], "time");
    }
    // From the beginning on; the first event, which opened the table, is for nobody.
    let mut socket = game.white.connect_with(&game.table, "?since=0");
    let events: Vec<Value> = (2..=seq).map(|_| socket.next_but_spectators()).collect();
    let seqs: Vec<u64> = events.iter().filter_map(|event| event["seq"].as_u64()).collect();
    assert_eq!(seqs, (2..=seq).collect::<Vec<u64>>());
    let asked = game
        .white
        .get(&format!("/api/v1/tables/{}/events", game.table))
        .ok(200);
    let told: Vec<Value> = events
        .into_iter()
        .map(|mut event| {
            event.as_object_mut().expect("an object").remove("type");
            event
        })
        .collect();
    assert_eq!(asked["events"], json!(told), "REST tells the same");
}

#[test]
fn t7_who_has_missed_too_much_gets_a_snapshot() {
    let game = Game::start(server(), &json!({"ruleset": "baduk", "board": "19x19"}));
    let (mut black, mut white) = (game.black.connect(&game.table), game.white.connect(&game.table));
    // Black fills the board row by row while White passes, except when a pass would be the second.
    let columns = "ABCDEFGHJKLMNOPQRST";
    let stones = (1..=19).flat_map(|row| columns.chars().map(move |column| format!("{column}{row}")));
    for (round, stone) in (0..).zip(stones.take(253)) {
        black.play(&stone, round * 2);
        white.wait_until(&stone, |frame| frame["turn"] == round * 2);
        white.pass(round * 2 + 1);
        black.wait_until("a pass", |frame| {
            frame["turn"] == round * 2 + 1 && frame["type"] == "event"
        });
    }
    let seq = game.snapshot()["seq"].as_u64().expect("a number");
    assert!(seq > MOST + 2);
    let mut far = game
        .white
        .connect_with(&game.table, &format!("?since={}", seq - MOST));
    assert_eq!(far.next_but_spectators()["seq"], seq - MOST + 1);
    let mut too_far = game
        .white
        .connect_with(&game.table, &format!("?since={}", seq - MOST - 1));
    let snapshot = too_far.next_but_spectators();
    assert_eq!(
        (&snapshot["type"], &snapshot["seq"]),
        (&json!("snapshot"), &json!(seq))
    );

    // Over REST one asks on, until nothing is missing.
    let (mut since, mut found) = (0, Vec::new());
    while since < seq {
        let page = game
            .white
            .get(&format!("/api/v1/tables/{}/events?since={since}", game.table))
            .ok(200);
        assert_eq!(page["seq"], seq);
        let events = page["events"].as_array().expect("a list");
        assert!(!events.is_empty() && events.len() as u64 <= MOST);
        found.extend(events.iter().filter_map(|event| event["seq"].as_u64()));
        since = *found.last().expect("some");
    }
    assert_eq!(found, (2..=seq).collect::<Vec<u64>>());
}

#[test]
fn a_socket_is_kept_alive_and_tells_the_time() {
    let game = Game::on_9x9(server());
    let mut socket = game.black.connect(&game.table);
    let as_of = socket.wait_for("snapshot")["clock"]["as_of"]
        .as_i64()
        .expect("a time");
    socket.send_text("ping");
    assert_eq!(socket.next_but_spectators(), "pong");
    socket.send(&json!({"type": "time"}));
    let time = socket.next_but_spectators();
    assert!(time["at"].as_i64().is_some_and(|at| at >= as_of), "{time}");
    assert_eq!(time["type"], "time");
}

#[test]
fn t7_a_command_says_what_its_sender_has_seen() {
    let game = play_all(server(), "A1");
    let seq = game.snapshot()["seq"].as_u64().expect("a number");
    let mut socket = game.white.connect(&game.table);
    socket.send(&json!({"type": "play", "point": "B2", "turn": 1, "seq": seq, "id": "x"}));
    let ok = socket.wait_for("ok");
    assert_eq!(
        (&ok["id"], &ok["seq"], &ok["turn"]),
        (&json!("x"), &json!(seq + 1), &json!(2))
    );
    socket.send(&json!({"type": "play", "point": "B2", "turn": 1, "seq": seq - 1, "id": 5}));
    let repeated = socket.wait_for("ok");
    assert_eq!(
        (&repeated["id"], &repeated["repeated"]),
        (&json!(5), &json!(true))
    );
    assert_eq!(
        (&repeated["seq"], &repeated["event"]["point"]),
        (&json!(seq + 1), &json!("B2"))
    );
}
