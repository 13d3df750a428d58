//! Invite links (T2): for people and for clients, before, during and after the game, and when two come at once.

use crate::harness::{Client, Guest, server};
use serde_json::json;

struct Invited {
    aki: Guest,
    table: String,
    code: String,
}

fn private() -> Invited {
    let aki = Guest::new(server(), "Aki & Co");
    let made = aki.create_table(&json!({"ruleset": "baduk", "board": "9x9", "visibility": "private", "color": "black", "clock": {"system": "none"}}));
    Invited {
        table: made["id"].as_str().expect("an id").to_owned(),
        code: made["invite"]["code"].as_str().expect("a code").to_owned(),
        aki,
    }
}

fn client() -> Client {
    Client::new(server()).with("accept", "application/json")
}

fn browser() -> Client {
    Client::new(server()).with("accept", "text/html,application/xhtml+xml,*/*;q=0.8")
}

#[test]
fn t2_the_link_is_a_page_for_people_and_json_for_clients() {
    let Invited { aki, table, code } = private();
    let link = format!("/i/{code}");
    assert_eq!(
        client().get(&link).ok(200),
        json!({"table_id": table, "invite": code})
    );
    let page = browser().get(&link);
    assert_eq!(
        (page.status, page.header("content-type")),
        (200, Some("text/html; charset=utf-8"))
    );
    assert!(
        page.body.contains("Aki &amp; Co")
            && page.body.contains("A seat is free")
            && page.body.contains(&code)
    );
    let bo = Guest::new(server(), "Bo");
    bo.join_by_invite(&table, &code);
    assert!(
        browser()
            .get(&link)
            .body
            .contains("Both seats are taken, by Aki &amp; Co (Black) and Bo (White)")
    );
    aki.command(&table, &json!({"type": "resign"})).ok(200);
    let over = browser().get(&link).body;
    assert!(
        over.contains("is over: W+R") && over.contains(&format!("/api/v1/tables/{table}/sgf?invite={code}")),
        "{over}"
    );
    assert_eq!(client().get(&link).ok(200)["table_id"], table.as_str());
}

#[test]
fn t2_the_link_opens_the_table_for_as_long_as_it_exists() {
    let Invited { aki, table, code } = private();
    let [bo, eve] = ["Bo", "Eve"].map(|name| Guest::new(server(), name));
    let snapshot = |client: &Client| client.get(&format!("/api/v1/tables/{table}?invite={code}"));
    eve.get(&format!("/api/v1/tables/{table}"))
        .problem(404, "not_found");
    assert_eq!(snapshot(&eve).ok(200)["state"], "waiting");
    let join = |guest: &Guest| guest.post(&format!("/api/v1/tables/{table}/join"), &json!({"invite": code}));
    join(&aki).problem(409, "same_player");
    join(&bo).ok(200);
    assert_eq!(
        bo.snapshot(&table)["invite"]["code"],
        code.as_str(),
        "both who sit can read it again"
    );
    join(&eve).problem(409, "seat_taken");
    join(&bo).problem(409, "same_player");
    assert_eq!(snapshot(&eve).ok(200)["state"], "playing");
    let mut watching = eve.connect_with(&table, &format!("?invite={code}"));
    watching.wait_for("snapshot");
    aki.play(&table, "E5", 0).ok(200);
    watching.wait_for_event("played");
    assert_eq!(snapshot(&eve).ok(200)["spectators"], 1);
    bo.command(&table, &json!({"type": "resign"})).ok(200);
    watching.wait_for_event("finished");
    assert_eq!(snapshot(&Client::new(server())).ok(200)["state"], "finished");
    let record = eve.get(&format!("/api/v1/tables/{table}/sgf?invite={code}"));
    assert!(record.status == 200 && record.body.contains("RE[B+R]"));
}

#[test]
fn t2_of_two_who_come_at_once_one_gets_the_seat() {
    for _ in 0..5 {
        let Invited { table, code, .. } = &private();
        let rivals = [0, 1, 2].map(|_| Guest::new(server(), "Rival"));
        let mut statuses = std::thread::scope(|scope| {
            let joins = rivals.each_ref().map(|rival| {
                scope.spawn(move || {
                    let path = format!("/api/v1/tables/{table}/join");
                    rival.post(&path, &json!({"invite": code})).status
                })
            });
            joins.map(|join| join.join().expect("answered"))
        });
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409, 409]);
    }
}

#[test]
fn t2_a_link_of_a_table_that_was_closed_is_gone_and_a_wrong_one_opens_nothing() {
    let Invited { aki, table, code } = private();
    let wrong = format!("{table}-{}", "0".repeat(26));
    client().get(&format!("/i/{wrong}")).problem(404, "not_found");
    client().get("/i/nonsense").problem(404, "not_found");
    let page = browser().get(&format!("/i/{wrong}"));
    assert!(page.status == 404 && page.body.contains("opens nothing"));
    assert_eq!(aki.delete(&format!("/api/v1/tables/{table}")).status, 204);
    client().get(&format!("/i/{code}")).problem(410, "gone");
    let page = browser().get(&format!("/i/{code}"));
    assert!(page.status == 410 && page.body.contains("closed before the game began"));
    let bo = Guest::new(server(), "Bo");
    let join = bo.post(&format!("/api/v1/tables/{table}/join"), &json!({"invite": code}));
    join.problem(410, "gone");
}

#[test]
fn t4_spectators_are_counted_once_each_and_players_are_none() {
    let aki = Guest::new(server(), "Aki");
    let [bo, eve] = ["Bo", "Eve"].map(|name| Guest::new(server(), name));
    let made = aki.create_table(&json!({"ruleset": "baduk", "board": "9x9", "clock": {"system": "none"}}));
    let table = made["id"].as_str().expect("an id");
    bo.join(table);
    let mut playing = aki.connect(table);
    assert_eq!(playing.wait_for("snapshot")["spectators"], 0);
    let eves = [eve.connect(table), eve.connect(table)];
    playing.wait_until("one watches", |frame| {
        frame["type"] == "spectators" && frame["count"] == 1
    });
    let nobody = Client::new(server()).connect(table);
    playing.wait_until("two watch", |frame| {
        frame["type"] == "spectators" && frame["count"] == 2
    });
    for socket in eves {
        socket.cut();
    }
    playing.wait_until("one is left", |frame| {
        frame["type"] == "spectators" && frame["count"] == 1
    });
    nobody.cut();
    playing.wait_until("nobody is left", |frame| {
        frame["type"] == "spectators" && frame["count"] == 0
    });
}
