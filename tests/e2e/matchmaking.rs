//! Searching for an opponent (L2).

use crate::harness::{Client, Guest, PASSWORD, Server, Stored, breakable, server, unique, wait_until};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A search that nobody else makes: the clock marks whose story it is.
fn request(marks: u32) -> Value {
    json!({"ruleset": "baduk", "board": "9x9", "clock": {"system": "byoyomi", "main_ms": 1000 * marks, "period_ms": 60_000, "periods": 3}})
}

fn guests<const N: usize>(server: &Server) -> [Guest; N] {
    std::array::from_fn(|number| Guest::new(server, &format!("Searcher {number}")))
}

fn current(guest: &Guest) -> crate::harness::Answer {
    guest.get("/api/v1/seeks/current")
}

/// Searches for an opponent who is there. On a machine that has much else to do the pairing may come after the answer.
#[track_caller]
fn find(guest: &Guest, request: &Value) -> Value {
    let answer = guest.seek(request);
    if answer.status == 201 {
        wait_until("a match is found", || {
            current(guest).ok(200)["match_found"].is_object()
        });
        return current(guest).ok(200);
    }
    answer.ok(200)
}

#[test]
fn l2_two_who_search_for_the_same_are_paired() {
    let [aki, bo] = guests(server());
    let (mut channel, hello) = aki.channel();
    assert_eq!(hello["search"], Value::Null);
    let begun = aki.seek(&request(101)).ok(201);
    assert!(begun["expires_at"].is_i64());
    let shown = current(&aki).ok(200);
    assert_eq!(
        (&shown["id"], &shown["board"], &shown["ruleset"]),
        (&begun["id"], &json!("9x9"), &json!("baduk"))
    );
    let found = find(&bo, &request(101));
    let table = found["match_found"]["table_id"].as_str().expect("a table");
    assert_eq!(found["match_found"]["opponent"]["id"], aki.id);
    let told = channel.wait_for("match_found");
    assert_eq!(
        (&told["table_id"], &told["opponent"]["id"]),
        (&json!(table), &json!(bo.id))
    );
    assert_eq!(channel.wait_for("started")["table"]["table_id"], table);
    let snapshot = aki.snapshot(table);
    assert_eq!(
        (&snapshot["state"], &snapshot["ranked"], &snapshot["color"]),
        (&json!("playing"), &json!(false), &json!("random"))
    );
    assert_eq!(snapshot["clock"]["settings"]["main_ms"], 101_000);
    let seats = ["black", "white"].map(|color| snapshot["seats"][color]["id"].clone());
    assert!(seats.contains(&json!(aki.id)) && seats.contains(&json!(bo.id)));
    // Whoever asks instead of listening learns it, too.
    assert_eq!(current(&aki).ok(200)["match_found"]["table_id"], table);
    aki.delete("/api/v1/seeks/current").problem(409, "wrong_state");
}

#[test]
fn l2_who_searches_for_something_else_is_not_met() {
    let [aki, bo, chi, dai] = guests(server());
    aki.seek(&request(110)).ok(201);
    bo.seek(&request(111)).ok(201);
    let mut board = request(110);
    board["board"] = json!("13x13");
    chi.seek(&board).ok(201);
    let found = find(&dai, &request(110));
    assert_eq!(found["match_found"]["opponent"]["id"], aki.id);
    for other in [&bo, &chi] {
        assert!(current(other).ok(200)["id"].is_string());
        assert_eq!(other.delete("/api/v1/seeks/current").status, 204);
    }
}

#[test]
fn l2_one_search_at_a_time_whatever_the_device_and_the_ruleset() {
    let [aki] = guests(server());
    let (mut channel, _) = aki.channel();
    let begun = aki.seek(&request(120)).ok(201);
    aki.seek(&request(120)).problem(409, "search_open");
    aki.seek(&json!({"ruleset": "hex"})).problem(409, "search_open");
    let (_, hello) = aki.channel();
    assert_eq!(hello["search"]["id"], begun["id"]);
    assert_eq!(aki.delete("/api/v1/seeks/current").status, 204);
    let ended = channel.wait_for("search_ended");
    assert_eq!((&ended["id"], &ended["why"]), (&begun["id"], &json!("cancelled")));
    current(&aki).problem(404, "not_found");
    aki.delete("/api/v1/seeks/current").problem(404, "not_found");
    aki.seek(&json!({"ruleset": "hex"})).ok(201);
    aki.delete("/api/v1/seeks/current");
}

#[test]
fn x1_a_search_is_not_begun_twice_by_one_key() {
    let [aki] = guests(server());
    let keyed = aki.with("idempotency-key", "mine");
    let begun = keyed.post("/api/v1/seeks", &request(130)).ok(201);
    // It is the same search, with the same end.
    assert_eq!(keyed.post("/api/v1/seeks", &request(130)).ok(201), begun);
    keyed
        .post("/api/v1/seeks", &request(131))
        .problem(409, "key_reused");
    aki.delete("/api/v1/seeks/current");
    keyed.post("/api/v1/seeks", &request(130)).problem(410, "gone");
}

#[test]
fn t6_and_traps_22_a_blocked_player_is_not_met_by_searching() {
    let [aki, bo, chi] = guests(server());
    bo.put(&format!("/api/v1/me/blocks/{}", aki.id), &json!({}));
    aki.seek(&request(140)).ok(201);
    bo.seek(&request(140)).ok(201);
    let found = find(&chi, &request(140));
    assert_eq!(
        found["match_found"]["opponent"]["id"], aki.id,
        "the one who has waited longest"
    );
    assert!(current(&bo).ok(200)["id"].is_string());
    bo.delete("/api/v1/seeks/current");
}

#[test]
fn e1_and_traps_22_a_guest_does_not_search_for_rated_games() {
    let [aki] = guests(server());
    let mut rated = request(150);
    rated["ranked"] = json!(true);
    aki.seek(&rated).problem(403, "needs_account");
    aki.seek(&json!({"ruleset": "baduk", "board": "hex6"}))
        .problem_of(422, "not_allowed_by_ruleset", "board");
    aki.seek(&json!({"ruleset": "baduk", "level": 3}))
        .problem_of(400, "bad_request", "level");
    aki.seek(&json!({"ruleset": "baduk", "computer_after_ms": -1}))
        .problem_of(400, "bad_request", "computer_after_ms");
    current(&aki).problem(404, "not_found");
}

#[test]
fn l2_the_computer_stands_in_and_is_plainly_one() {
    let [aki] = guests(server());
    let (mut channel, _) = aki.channel();
    let mut patient = request(160);
    patient["computer_after_ms"] = json!(300);
    // On a slow machine the wait may be over before the answer.
    let begun = aki.seek(&patient);
    assert!([200, 201].contains(&begun.status), "{}", begun.body);
    let found = channel.wait_for("match_found");
    assert_eq!(found["opponent"]["kind"], "computer");
    let snapshot = aki.snapshot(found["table_id"].as_str().expect("a table"));
    assert_eq!(
        (&snapshot["opponent"]["kind"], &snapshot["ranked"]),
        (&json!("computer"), &json!(false))
    );
    assert_eq!(snapshot["state"], "playing");
}

#[test]
fn l2_who_loses_his_connection_is_not_paired_and_leaves_after_a_while() {
    let [aki, bo] = guests(server());
    // The lobby tells when his object has noticed that he is gone.
    let waits = json!({"ruleset": "hex", "clock": {"system": "none"}});
    let table = aki.create_table(&waits)["id"].as_str().expect("an id").to_owned();
    let (mut lobby, _) = bo.lobby("hex");
    let mut online = |online: bool| {
        lobby.wait_until("whether he is there", |frame| {
            frame["table_id"] == table.as_str() && frame["online"] == online
        });
    };
    let (channel, _) = aki.channel();
    online(true);
    aki.seek(&request(170)).ok(201);
    channel.cut();
    online(false);
    bo.seek(&request(170)).ok(201);
    assert_eq!(bo.delete("/api/v1/seeks/current").status, 204);
    wait_until("his search ends", || current(&aki).status == 404);
}

#[test]
fn t3_a_game_that_starts_ends_the_search_and_closes_what_else_waits() {
    let [aki, bo] = guests(server());
    let (mut channel, _) = aki.channel();
    let terms = json!({"ruleset": "baduk", "board": "9x9"});
    let [joined, other] = [0, 1].map(|_| aki.create_table(&terms)["id"].as_str().expect("an id").to_owned());
    aki.seek(&request(180)).ok(201);
    bo.join(&joined);
    assert_eq!(channel.wait_for("search_ended")["why"], "started");
    assert_eq!(channel.wait_for("closed")["table_id"], other.as_str());
    assert_eq!(aki.snapshot(&other)["state"], "closed");
    current(&aki).problem(404, "not_found");
    bo.seek(&request(180)).ok(201);
    bo.delete("/api/v1/seeks/current");
}

#[test]
fn l2_a_search_survives_the_lobby_and_the_server() {
    let mut server = breakable();
    let [aki, bo] = guests(&server);
    let begun = aki.seek(&request(190)).ok(201);
    server.restart();
    assert_eq!(current(&aki).ok(200)["id"], begun["id"]);
    let dying = aki.with("x-hoshi-fault", "panic");
    assert!(dying.open("/api/v1/lobby/socket?ruleset=baduk").is_err());
    let found = find(&bo, &request(190));
    assert_eq!(found["match_found"]["opponent"]["id"], aki.id);
}

#[test]
fn l2_many_who_search_at_once_are_all_paired_once() {
    let searchers: [Guest; 12] = guests(server());
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let calls: Vec<_> = searchers
            .iter()
            .map(|guest| scope.spawn(move || guest.seek(&request(200)).status))
            .collect();
        calls
            .into_iter()
            .map(|call| call.join().expect("answered"))
            .collect()
    });
    assert!(
        answers.iter().all(|status| [200, 201].contains(status)),
        "{answers:?}"
    );
    let found = |guest: &Guest| {
        current(guest).ok(200)["match_found"]["table_id"]
            .as_str()
            .map(str::to_owned)
    };
    wait_until("everybody has a game", || {
        searchers.iter().all(|guest| found(guest).is_some())
    });
    let mut tables: Vec<String> = searchers.iter().filter_map(found).collect();
    tables.sort();
    for two in tables.chunks(2) {
        assert_eq!(two[0], two[1]);
    }
    tables.dedup();
    assert_eq!(tables.len(), 6);
}

/// The games of a player that go on, have a clock, and are against a person: his channel asks the tables themselves.
fn pressing(guest: &Guest) -> Vec<String> {
    let (_, hello) = guest.channel();
    let tables = hello["tables"].as_array().expect("a list").iter();
    let pressing = tables.filter(|table| {
        table["started_at"].is_i64() && table["timed"] == true && table["opponent"]["kind"] != "computer"
    });
    let id = |table: &Value| table["table_id"].as_str().expect("an id").to_owned();
    pressing.map(id).collect()
}

#[test]
fn t3_who_is_found_and_joined_in_the_same_moment_is_in_one_game() {
    let server = server();
    for round in 0..6u32 {
        let [aki, bo, chi, dai] = guests(server);
        let terms = json!({"ruleset": "baduk", "board": "9x9"});
        let id = |table: Value| table["id"].as_str().expect("an id").to_owned();
        let (waiting, other) = (id(aki.create_table(&terms)), id(dai.create_table(&terms)));
        aki.seek(&request(300 + round)).ok(201);
        // Chi is found for him, Bo sits down at his table, and he himself sits down at Dai's.
        std::thread::scope(|scope| {
            scope.spawn(|| chi.seek(&request(300 + round)));
            scope.spawn(|| bo.post(&format!("/api/v1/tables/{waiting}/join"), &json!({})));
            if round % 2 == 1 {
                scope.spawn(|| aki.post(&format!("/api/v1/tables/{other}/join"), &json!({})));
            }
        });
        // One of them at least has come to something, and then everything else comes to nothing.
        wait_until("what waited is over", || {
            aki.snapshot(&waiting)["state"] != "waiting" && !current(&aki).json["id"].is_string()
        });
        let _ = chi.delete("/api/v1/seeks/current");
        let games = pressing(&aki);
        // To sit down at a table is his own doing, and somebody may have sat down at his before.
        let his_own = games.iter().filter(|game| **game == other).count();
        let found = current(&aki).json["match_found"]["table_id"].clone();
        assert!(games.len() - his_own <= 1, "{games:?}");
        assert!(
            found.is_null() || games.iter().all(|game| found == **game || *game == other),
            "{games:?} besides {found}"
        );
    }
}

#[test]
fn l2_a_lobby_that_keeps_dying_pairs_them_all_the_same() {
    let server = Server::alone("dying-lobby");
    let searchers: [Guest; 6] = guests(&server);
    let searching = AtomicBool::new(true);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let dying = Client::new(&server).with("x-hoshi-fault", "panic");
            while searching.load(Ordering::Relaxed) {
                let _ = dying.open("/api/v1/lobby/socket?ruleset=baduk");
                std::thread::sleep(std::time::Duration::from_millis(40));
            }
        });
        for guest in &searchers {
            // Where the lobby could not be reached, it says so, and one may try again.
            wait_until("the search begins", || {
                [200, 201, 409].contains(&guest.seek(&request(400)).status)
            });
        }
        searching.store(false, Ordering::Relaxed);
    });
    // Long before any of the searches is over.
    wait_until("everybody has a game", || {
        let found = |guest: &Guest| current(guest).json["match_found"].is_object();
        searchers.iter().all(found)
    });
}

#[test]
fn s4_who_is_suspended_while_he_searches_searches_no_more() {
    let server = server();
    let operator = Guest::operator(server);
    let [aki, bo, chi] = guests(server);
    let later = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("after 1970")
        .as_millis() as u64
        + 3_600_000;
    let ((mut akis, _), (mut bos, _)) = (aki.channel(), bo.channel());
    aki.seek(&request(410)).ok(201);
    let body = json!({"play": later, "reason": "enough"});
    operator
        .post(&format!("/api/v1/operator/players/{}/suspend", aki.id), &body)
        .ok(200);
    assert_eq!(akis.wait_for("search_ended")["why"], "suspended");
    assert_eq!(akis.wait_for("suspended")["suspended"]["play"], later);
    current(&aki).problem(404, "not_found");
    // His object has not been told: the lobby looks before it gives him a game.
    bo.seek(&request(410)).ok(201);
    Stored::of(server).change(&format!(
        "update players set play_suspended_until = {later} where id = '{}'",
        bo.id
    ));
    chi.seek(&request(410)).ok(201);
    assert_eq!(bos.wait_for("search_ended")["why"], "suspended");
    assert!(current(&chi).ok(200)["id"].is_string());
    chi.delete("/api/v1/seeks/current");
}

#[test]
fn p2_who_becomes_an_account_while_he_searches_is_met_as_one() {
    let [aki, bo] = guests(server());
    aki.seek(&request(420)).ok(201);
    let name = unique("Found");
    aki.save_as(&name);
    let found = find(&bo, &request(420));
    let opponent = &found["match_found"]["opponent"];
    assert_eq!(
        (&opponent["name"], &opponent["kind"]),
        (&json!(name), &json!("account"))
    );
    let snapshot = bo.snapshot(found["match_found"]["table_id"].as_str().expect("a table"));
    assert_eq!(snapshot["creator"]["name"], name);
}

#[test]
fn p4_who_has_deleted_himself_is_not_met() {
    let [aki, bo] = guests(server());
    aki.seek(&request(430)).ok(201);
    assert_eq!(
        aki.delete_with("/api/v1/me", &json!({"password": PASSWORD}))
            .status,
        204
    );
    bo.seek(&request(430)).ok(201);
    assert!(current(&bo).ok(200)["id"].is_string());
    bo.delete("/api/v1/seeks/current");
}
