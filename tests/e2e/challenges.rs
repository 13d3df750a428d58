//! Challenges (L3), and what blocks and preferences do to them (T6, P5).

use crate::harness::{Client, Guest, Server, breakable, server, unique};
use serde_json::{Value, json};

fn two() -> [Guest; 2] {
    ["Aki", "Bo"].map(|name| Guest::new(server(), name))
}

fn terms() -> Value {
    json!({"ruleset": "baduk", "board": "9x9", "color": "white", "komi": 5.5, "clock": {"system": "none"}})
}

fn id(challenge: &Value) -> &str {
    challenge["id"].as_str().expect("an id")
}

fn decline(guest: &Guest, challenge: &Value) -> crate::harness::Answer {
    guest.post(
        &format!("/api/v1/challenges/{}/decline", id(challenge)),
        &json!({}),
    )
}

fn withdraw(guest: &Guest, challenge: &Value) -> crate::harness::Answer {
    guest.delete(&format!("/api/v1/challenges/{}", id(challenge)))
}

fn open(guest: &Guest) -> Value {
    guest.get("/api/v1/challenges").ok(200)
}

#[test]
fn l3_an_accepted_challenge_is_a_game_at_once() {
    let [aki, bo] = two();
    let ((mut akis, _), (mut bos, hello)) = (aki.channel(), bo.channel());
    assert_eq!(hello["challenges"], json!([]));
    let made = aki.challenge(&bo, &terms());
    assert_eq!(
        (&made["from"]["id"], &made["to"]["id"]),
        (&json!(aki.id), &json!(bo.id))
    );
    assert_eq!(
        (&made["terms"]["komi"], &made["terms"]["color"]),
        (&json!(5.5), &json!("white"))
    );
    let life = made["expires_at"].as_i64().zip(made["created_at"].as_i64());
    assert_eq!(life.map(|(end, start)| end - start), Some(60_000));
    assert_eq!(bos.wait_for("challenged")["challenge"], made);
    assert_eq!(
        akis.wait_for("challenged")["challenge"],
        made,
        "on his other devices"
    );
    assert_eq!(
        (&open(&bo)["incoming"][0], &open(&aki)["outgoing"][0]),
        (&made, &made)
    );
    assert_eq!(
        bo.channel().1["challenges"][0],
        made,
        "whoever comes later finds it"
    );

    let table = bo.accept(&made).ok(200)["table_id"]
        .as_str()
        .expect("a table")
        .to_owned();
    for channel in [&mut akis, &mut bos] {
        let ended = channel.wait_for("challenge_ended");
        assert_eq!(
            (&ended["id"], &ended["how"], &ended["table_id"]),
            (&made["id"], &json!("accepted"), &json!(table))
        );
    }
    let snapshot = aki.snapshot(&table);
    assert_eq!(
        (&snapshot["state"], &snapshot["you"]),
        (&json!("playing"), &json!("white"))
    );
    assert_eq!(snapshot["creator"]["id"], aki.id);
    bo.play(&table, "E5", 0).ok(200);
    assert_eq!(open(&bo), json!({"incoming": [], "outgoing": []}));
}

#[test]
fn l3_who_may_do_what_with_a_challenge() {
    let [aki, bo] = two();
    let eve = Guest::new(server(), "Eve");
    let (mut akis, _) = aki.channel();
    let declined = aki.challenge(&bo, &terms());
    eve.accept(&declined).problem(404, "not_found");
    aki.accept(&declined).problem(403, "forbidden");
    withdraw(&bo, &declined).problem(403, "forbidden");
    let mut again = terms();
    again["to"] = json!(bo.id);
    aki.post("/api/v1/challenges", &again)
        .problem(409, "request_open");
    assert_eq!(decline(&bo, &declined).status, 204);
    assert_eq!(akis.wait_for("challenge_ended")["how"], "declined");
    assert_eq!(decline(&bo, &declined).status, 204, "the same again is no error");
    bo.accept(&declined).problem(410, "gone");
    let (mut bos, _) = bo.channel();
    let withdrawn = aki.challenge(&bo, &terms());
    assert_eq!(withdraw(&aki, &withdrawn).status, 204);
    assert_eq!(bos.wait_for("challenge_ended")["how"], "withdrawn");
    bo.accept(&withdrawn).problem(410, "gone");
}

#[test]
fn traps_20_accepting_and_withdrawing_at_once_is_one_of_the_two() {
    let [aki, bo] = two();
    for _ in 0..5 {
        let made = &aki.challenge(&bo, &terms());
        let [accepted, withdrawn] = std::thread::scope(|scope| {
            let calls = [
                scope.spawn(|| bo.accept(made)),
                scope.spawn(|| withdraw(&aki, made)),
            ];
            calls.map(|call| call.join().expect("answered"))
        });
        match accepted.status {
            200 => {
                withdrawn.problem(410, "gone");
                let table = accepted.json["table_id"].as_str().expect("a table").to_owned();
                assert_eq!(aki.snapshot(&table)["state"], "playing");
            }
            _ => {
                accepted.problem(410, "gone");
                assert_eq!(withdrawn.status, 204);
            }
        }
    }
}

#[test]
fn traps_20_two_acceptances_are_one_game() {
    let [aki, bo] = two();
    let made = &aki.challenge(&bo, &terms());
    let tables: Vec<Value> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| bo.accept(made).ok(200)["table_id"].clone()))
            .collect();
        calls
            .into_iter()
            .map(|call| call.join().expect("answered"))
            .collect()
    });
    assert!(
        tables
            .iter()
            .all(|table| *table == tables[0] && table.is_string()),
        "{tables:?}"
    );
    let mine = bo.get("/api/v1/me/tables").ok(200);
    assert_eq!(mine["items"].as_array().map(Vec::len), Some(1));
}

#[test]
fn t6_and_traps_22_a_block_is_in_the_way_of_challenges_and_withdraws_them() {
    let [aki, bo] = two();
    let (mut akis, _) = aki.channel();
    let made = aki.challenge(&bo, &terms());
    let block = format!("/api/v1/me/blocks/{}", aki.id);
    assert_eq!(bo.put(&block, &json!({})).status, 204);
    let ended = akis.wait_for("challenge_ended");
    assert_eq!((&ended["id"], &ended["how"]), (&made["id"], &json!("blocked")));
    bo.accept(&made).problem(410, "gone");
    let body = |to: &Guest| json!({"to": to.id, "ruleset": "baduk"});
    aki.post("/api/v1/challenges", &body(&bo)).problem(403, "blocked");
    bo.post("/api/v1/challenges", &body(&aki)).problem(403, "blocked");
    assert_eq!(bo.delete(&block).status, 204);
    aki.post("/api/v1/challenges", &body(&bo)).ok(201);
}

#[test]
fn p5_a_player_says_who_may_challenge_him_and_it_is_asked_again_at_acceptance() {
    let [aki, bo] = two();
    let account = Guest::account(server(), &unique("Challenger"));
    let prefer = |who: &str| {
        bo.patch("/api/v1/me", &json!({"preferences": {"challenges_from": who}}))
            .ok(200)
    };
    let body = json!({"to": bo.id, "ruleset": "baduk"});
    prefer("accounts");
    aki.post("/api/v1/challenges", &body)
        .problem(403, "not_accepting");
    let made = account.post("/api/v1/challenges", &body).ok(201);
    prefer("nobody");
    bo.accept(&made).problem(403, "not_accepting");
    bo.accept(&made).problem(410, "gone");
    account
        .post("/api/v1/challenges", &body)
        .problem(403, "not_accepting");
}

#[test]
fn l3_accounts_are_challenged_by_name_and_guests_by_id() {
    let aki = Guest::new(server(), "Aki");
    let name = unique("Named");
    let account = Guest::account(server(), &name);
    let other = Guest::account(server(), &unique("Other"));
    let by = |to: &str, more: Value| {
        let mut body = json!({"to": to, "ruleset": "baduk", "board": "9x9"});
        body.as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        body
    };
    let made = aki
        .post("/api/v1/challenges", &by(&name.to_uppercase(), json!({})))
        .ok(201);
    assert_eq!(made["to"]["id"], account.id);
    aki.post("/api/v1/challenges", &by("Nobody Here", json!({})))
        .problem(404, "not_found");
    aki.post("/api/v1/challenges", &by(&aki.id, json!({})))
        .problem(409, "same_player");
    let rated = json!({"ranked": true});
    aki.post("/api/v1/challenges", &by(&other.id, rated.clone()))
        .problem(403, "needs_account");
    other
        .post("/api/v1/challenges", &by(&aki.id, rated.clone()))
        .problem(403, "needs_account");
    let made = other.post("/api/v1/challenges", &by(&name, rated)).ok(201);
    let table = account.accept(&made).ok(200)["table_id"]
        .as_str()
        .expect("a table")
        .to_owned();
    assert_eq!(account.snapshot(&table)["ranked"], true);
    for (body, field) in [
        (json!({"ruleset": "baduk"}), "to"),
        (json!({"to": 3, "ruleset": "baduk"}), "to"),
        (
            json!({"to": account.id, "ruleset": "baduk", "handycap": 2}),
            "handycap",
        ),
    ] {
        aki.post("/api/v1/challenges", &body)
            .problem_of(400, "bad_request", field);
    }
    Client::new(server())
        .post("/api/v1/challenges", &json!({}))
        .problem(401, "unauthenticated");
}

#[test]
fn h5_a_hexagonal_handicap_comes_by_a_challenge_and_its_receiver_plays_black() {
    let [aki, bo] = two();
    let handicap = |more: Value| {
        let mut body = json!({"to": bo.id, "ruleset": "hex", "handicap": 2, "clock": {"system": "none"}});
        body.as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        aki.post("/api/v1/challenges", &body)
    };
    handicap(json!({})).problem_of(422, "not_allowed_by_ruleset", "handicap_receiver");
    let stranger = Guest::new(server(), "Stranger").id;
    handicap(json!({"handicap_receiver": stranger})).problem_of(
        422,
        "not_allowed_by_ruleset",
        "handicap_receiver",
    );
    handicap(json!({"handicap_receiver": bo.id, "color": "white"})).problem_of(
        422,
        "not_allowed_by_ruleset",
        "color",
    );
    let given = json!({"ruleset": "hex", "handicap": 2});
    aki.post("/api/v1/tables", &given)
        .problem_of(422, "not_allowed_by_ruleset", "handicap_receiver");
    for receiver in [&bo, &aki] {
        let made = handicap(json!({"handicap_receiver": receiver.id})).ok(201);
        assert_eq!(
            (&made["terms"]["handicap_receiver"], &made["terms"]["komi"]),
            (&json!(receiver.id), &json!(1.5))
        );
        let table = bo.accept(&made).ok(200)["table_id"]
            .as_str()
            .expect("a table")
            .to_owned();
        let snapshot = receiver.snapshot(&table);
        assert_eq!(
            (&snapshot["you"], &snapshot["opening_stones_left"]),
            (&json!("black"), &json!(2))
        );
        receiver.play(&table, "F6", 0).ok(200);
        receiver.play(&table, "E6", 1).ok(200);
        assert_eq!(aki.snapshot(&table)["to_move"], "white");
    }
}

#[test]
fn x1_a_challenge_is_not_made_twice_by_one_key() {
    let [aki, bo] = two();
    let keyed = aki.with("idempotency-key", "mine");
    let body = json!({"to": bo.id, "ruleset": "baduk"});
    let made = keyed.post("/api/v1/challenges", &body).ok(201);
    assert_eq!(keyed.post("/api/v1/challenges", &body).ok(201), made);
    assert_eq!(open(&bo)["incoming"].as_array().map(Vec::len), Some(1));
}

#[test]
fn s5_challenges_have_a_limit() {
    let server = Server::limited("limited-challenges", "3/1h");
    let [aki, bo] = ["Aki", "Bo"].map(|name| Guest::new(&server, name));
    for _ in 0..3 {
        let made = aki.challenge(&bo, &terms());
        withdraw(&aki, &made);
    }
    let refused = aki.post("/api/v1/challenges", &json!({"to": bo.id, "ruleset": "baduk"}));
    assert!(refused.header("retry-after").is_some());
    refused.problem(429, "rate_limited");
}

#[test]
fn l3_an_acceptance_that_breaks_off_is_carried_out_when_it_is_sent_again() {
    let server = breakable();
    let [aki, bo] = ["Aki", "Bo"].map(|name| Guest::new(&server, name));
    let made = aki.challenge(&bo, &terms());
    // As it would stand if the Worker had died between the decision and the game.
    crate::harness::Stored::of(&server).change(&format!(
        "update challenges set ended = 'accepted' where id = '{}'",
        id(&made)
    ));
    server.tick();
    let table = bo.accept(&made).ok(200)["table_id"]
        .as_str()
        .expect("a table")
        .to_owned();
    assert_eq!(aki.snapshot(&table)["state"], "playing");
    withdraw(&aki, &made).problem(410, "gone");
}

#[test]
fn x1_a_challenge_is_made_once_however_often_the_call_is_repeated() {
    let [aki, bo] = two();
    let mut body = terms();
    body["to"] = json!(bo.id);
    let keyed = aki.with("idempotency-key", "at once");
    let made: Vec<Value> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..5)
            .map(|_| scope.spawn(|| keyed.post("/api/v1/challenges", &body).ok(201)))
            .collect();
        calls.into_iter().map(|call| call.join().expect("made")).collect()
    });
    assert!(made.iter().all(|each| *each == made[0]), "{made:?}");
    // Whoever repeats a call has not heard what came of it; perhaps nobody has.
    let (mut bos, _) = bo.channel();
    assert_eq!(keyed.post("/api/v1/challenges", &body).ok(201), made[0]);
    assert_eq!(bos.wait_for("challenged")["challenge"], made[0]);
    // Another call is another challenge.
    aki.post("/api/v1/challenges", &body).problem(409, "request_open");
}

#[test]
fn p4_whoever_waits_for_an_answer_hears_that_the_other_is_gone() {
    let [aki, bo] = two();
    let third = Guest::new(server(), "Third");
    let from_him = aki.challenge(&bo, &terms());
    let to_him = third.challenge(&aki, &terms());
    let ((mut bos, _), (mut thirds, _)) = (bo.channel(), third.channel());
    assert_eq!(aki.delete_with("/api/v1/me", &json!({})).status, 204);
    for (channel, challenge, how) in [
        (&mut bos, &from_him, "withdrawn"),
        (&mut thirds, &to_him, "declined"),
    ] {
        let ended = channel.wait_for("challenge_ended");
        assert_eq!((&ended["id"], &ended["how"]), (&challenge["id"], &json!(how)));
    }
    bo.accept(&from_him).problem(410, "gone");
    assert_eq!(open(&bo), json!({"incoming": [], "outgoing": []}));
    let mut body = terms();
    body["to"] = json!(aki.id);
    bo.post("/api/v1/challenges", &body).problem(404, "not_found");
}
