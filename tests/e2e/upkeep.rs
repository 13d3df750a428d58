//! What the scheduled trigger ends, at whatever time it says: waiting tables after an hour (T3), challenges after a minute (L3),
//! sessions whose time is over. On a server of its own, where it may get late.

use crate::harness::{Client, Guest, Server, Stored};
use serde_json::{Value, json};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

fn open(guest: &Guest, terms: &Value) -> String {
    guest.create_table(terms)["id"]
        .as_str()
        .expect("an id")
        .to_owned()
}

#[test]
fn t3_l3_and_p1_what_has_had_its_time_ends_and_nothing_else_does() {
    let server = Server::alone("upkeep");
    let [aki, bo] = ["Aki", "Bo"].map(|name| Guest::new(&server, name));
    let untimed = json!({"ruleset": "baduk", "board": "9x9", "clock": {"system": "none"}});
    let waiting = [
        untimed.clone(),
        json!({"ruleset": "baduk", "visibility": "private"}),
    ]
    .map(|terms| open(&aki, &terms));
    let playing = open(&aki, &untimed);
    bo.join(&playing);
    let mut at_table = bo.connect(&waiting[0]);
    at_table.wait_for("snapshot");
    let (mut lobby, _) = Client::new(&server).lobby("baduk");
    let ((mut akis, _), (mut bos, _)) = (aki.channel(), bo.channel());
    let challenge = aki.challenge(&bo, &json!({"ruleset": "baduk"}));
    for channel in [&mut akis, &mut bos] {
        channel.wait_for("challenged");
    }

    // Too early for anything, however often.
    for _ in 0..2 {
        server.tick_after(0);
    }
    assert_eq!(bo.get("/api/v1/challenges").ok(200)["incoming"][0], challenge);
    server.tick_after(MINUTE);
    for channel in [&mut akis, &mut bos] {
        let ended = channel.wait_for("challenge_ended");
        assert_eq!(
            (&ended["id"], &ended["how"]),
            (&challenge["id"], &json!("expired"))
        );
    }
    bo.accept(&challenge).problem(410, "gone");
    assert!(
        waiting
            .iter()
            .all(|table| aki.snapshot(table)["state"] == "waiting")
    );

    server.tick_after(HOUR - MINUTE);
    assert!(
        waiting
            .iter()
            .all(|table| aki.snapshot(table)["state"] == "waiting")
    );
    server.tick_after(HOUR + MINUTE);
    at_table.wait_for_event("closed");
    let closed = lobby.wait_for("table_closed");
    let closed = if closed["table_id"] == playing.as_str() {
        lobby.wait_for("table_closed")
    } else {
        closed
    };
    assert_eq!(
        (&closed["table_id"], &closed["state"]),
        (&json!(waiting[0]), &json!("closed"))
    );
    for _ in &waiting {
        akis.wait_for("closed");
    }
    // A game without a clock is never swept away, and doing it again changes nothing.
    server.tick_after(HOUR + MINUTE);
    server.tick_after(20 * DAY);
    assert_eq!(aki.snapshot(&playing)["state"], "playing");
    let seqs: Vec<Value> = waiting
        .iter()
        .map(|table| aki.snapshot(table)["seq"].clone())
        .collect();
    assert_eq!(seqs, [json!(2), json!(2)]);

    let left = |table: &str| Stored::of(&server).ask(&format!("select count(*) from {table}"));
    assert_eq!(
        (left("sessions").as_deref(), left("challenges").as_deref()),
        (Some("2"), Some("0"))
    );
    server.tick_after(31 * DAY);
    assert_eq!(
        (left("sessions").as_deref(), left("rate_limits").as_deref()),
        (Some("0"), Some("0"))
    );
    aki.get("/api/v1/me").problem(401, "unauthenticated");
}
