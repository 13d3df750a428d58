//! Things that happen at the same moment: one of them wins, and everybody sees the same.

use crate::harness::{Answer, Game, Guest, play_all, server};
use serde_json::{Value, json};
use std::sync::Barrier;

/// A call that is made at the same moment as others.
type Call<'a> = &'a (dyn Fn() -> Answer + Sync);

/// Makes all calls at once and brings their answers in order.
fn at_once(calls: &[Call<'_>]) -> Vec<Answer> {
    let start = &Barrier::new(calls.len());
    std::thread::scope(|scope| {
        let running: Vec<_> = calls
            .iter()
            .map(|call| {
                scope.spawn(move || {
                    start.wait();
                    call()
                })
            })
            .collect();
        running
            .into_iter()
            .map(|call| call.join().expect("answered"))
            .collect()
    })
}

fn id(snapshot: &Value) -> String {
    snapshot["id"].as_str().expect("an id").to_owned()
}

#[test]
fn traps_20_of_two_who_join_at_once_one_sits_down() {
    let aki = Guest::new(server(), "Aki");
    let guests: Vec<Guest> = ["Ben", "Cho", "Dai", "Eri"]
        .map(|name| Guest::new(server(), name))
        .into();
    for _ in 0..3 {
        let table = id(&aki.create_table(&json!({"ruleset": "baduk", "color": "black"})));
        let path = format!("/api/v1/tables/{table}/join");
        let joins: Vec<_> = guests
            .iter()
            .map(|guest| || guest.post(&path, &json!({})))
            .collect();
        let calls: Vec<Call<'_>> = joins.iter().map(|join| join as _).collect();
        let answers = at_once(&calls);
        let seated: Vec<usize> = (0..guests.len())
            .filter(|&index| answers[index].status == 200)
            .collect();
        assert_eq!(seated.len(), 1);
        for answer in answers.into_iter().filter(|answer| answer.status != 200) {
            answer.problem(409, "seat_taken");
        }
        let snapshot = aki.snapshot(&table);
        assert_eq!(snapshot["seats"]["white"]["id"], guests[seated[0]].id.as_str());
        let events = aki.get(&format!("/api/v1/tables/{table}/events")).ok(200);
        assert_eq!(
            events["events"].as_array().map(Vec::len),
            Some(2),
            "joined and started, once"
        );
    }
}

#[test]
fn traps_18_the_same_play_from_everywhere_at_once_is_one_stone() {
    let game = play_all(server(), "A1");
    let mut sockets = [game.white.connect(&game.table), game.white.connect(&game.table)];
    for socket in &mut sockets {
        socket.wait_for("snapshot");
    }
    let play = || game.white.play(&game.table, "D4", 1);
    let start = Barrier::new(2);
    let (by_rest, by_socket) = std::thread::scope(|scope| {
        let rest = scope.spawn(|| {
            start.wait();
            at_once(&[&play, &play, &play])
        });
        start.wait();
        for socket in &mut sockets {
            socket.play("D4", 1);
        }
        let by_socket: Vec<Value> = sockets.iter_mut().map(|socket| socket.wait_for("ok")).collect();
        (rest.join().expect("answered"), by_socket)
    });
    let mut answers: Vec<Value> = by_rest.into_iter().map(|answer| answer.ok(200)).collect();
    answers.extend(by_socket);
    let fresh = answers
        .iter()
        .filter(|answer| answer["repeated"].is_null())
        .count();
    assert_eq!(fresh, 1, "{answers:?}");
    assert!(
        answers
            .iter()
            .all(|answer| answer["seq"] == answers[0]["seq"] && answer["turn"] == 2),
        "{answers:?}"
    );
    let snapshot = game.snapshot();
    assert_eq!(
        (&snapshot["turn"], &snapshot["stones"]["white"]),
        (&json!(2), &json!(["D4"]))
    );
}

#[test]
fn t7_of_two_plays_for_one_turn_one_stands() {
    for _ in 0..3 {
        let game = play_all(server(), "A1");
        let answers = at_once(&[
            &|| game.white.play(&game.table, "D4", 1),
            &|| game.white.play(&game.table, "E5", 1),
            &|| game.white.pass(&game.table, 1),
        ]);
        let stands = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(stands, 1);
        for answer in answers.into_iter().filter(|answer| answer.status != 200) {
            answer.problem(409, "stale_turn");
        }
        assert_eq!(game.snapshot()["turn"], 2);
    }
}

#[test]
fn t3_closing_and_joining_at_once_leave_one_truth() {
    let (aki, ben) = (Guest::new(server(), "Aki"), Guest::new(server(), "Ben"));
    for _ in 0..4 {
        let table = id(&aki.create_table(&json!({"ruleset": "baduk"})));
        let path = format!("/api/v1/tables/{table}");
        let join = format!("{path}/join");
        let mut answers = at_once(&[&|| aki.delete(&path), &|| ben.post(&join, &json!({}))]);
        let (joined, closed) = (answers.pop().expect("two"), answers.pop().expect("two"));
        let state = aki.snapshot(&table)["state"].clone();
        if closed.status == 204 {
            joined.problem(410, "gone");
            assert_eq!(state, "closed");
        } else {
            joined.ok(200);
            closed.problem(409, "wrong_state");
            assert_eq!(state, "playing");
        }
    }
}

#[test]
fn t10_both_resign_at_once_and_one_has_lost() {
    let game = Game::on_9x9(server());
    let resign = json!({"type": "resign"});
    let answers = at_once(&[&|| game.black.command(&game.table, &resign), &|| {
        game.white.command(&game.table, &resign)
    }]);
    let won = if answers[0].status == 200 { "W+R" } else { "B+R" };
    let mut late = answers.into_iter().filter(|answer| answer.status != 200);
    late.next()
        .expect("only one can be first")
        .problem(409, "wrong_state");
    assert!(late.next().is_none());
    assert_eq!(game.snapshot()["result"]["sgf"], won);
}
