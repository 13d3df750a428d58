//! Clocks at a table. A step of these games takes a second.

use super::*;

fn byoyomi() -> Value {
    json!({"system": "byoyomi", "main_ms": 2000, "period_ms": 5000, "periods": 3})
}

/// What the newest event says of both clocks.
#[track_caller]
fn check_clock(game: &Game, running: Value, black: Value, white: Value) {
    let event = game.events.last().expect("an event");
    let event = serde_json::to_value(event).expect("serialises");
    let expected = json!({"settings": byoyomi(), "system": "byoyomi", "running": running, "as_of": event["at"],
        "black": black, "white": white});
    assert_eq!(event["clock"], expected);
    assert_eq!(game.snapshot(&viewer(CHI))["clock"], expected);
}

fn left(main: i64, period: i64) -> Value {
    json!({"main_ms": main, "period_ms": period, "periods_left": 3})
}

#[test]
fn c10_every_event_that_changes_a_clock_carries_both_in_full() {
    let mut game = Game::timed(byoyomi());
    check_clock(&game, json!("black"), left(2000, 5000), left(2000, 5000));
    game.play("E5");
    check_clock(&game, json!("white"), left(1000, 5000), left(2000, 5000));
    game.play("pass E6");
    check_clock(&game, json!("white"), left(0, 5000), left(1000, 5000));
}

#[test]
fn c7_the_ending_pass_is_completed_then_both_clocks_stop() {
    let mut game = Game::timed(byoyomi());
    game.play("E5 pass pass");
    check_clock(&game, Value::Null, left(0, 5000), left(1000, 5000));
    game.assess(&[]);
    check_clock(&game, Value::Null, left(0, 5000), left(1000, 5000));
}

#[test]
fn c7_a_resignation_stops_the_clock_of_whoever_is_to_move() {
    let mut game = Game::timed(byoyomi());
    game.play("E5");
    game.command(AKI, json!({"type": "resign"})).expect("resigns");
    check_clock(&game, Value::Null, left(1000, 5000), left(1000, 5000));
}

#[test]
fn c8_every_move_remembers_the_clocks_at_its_arrival() {
    let mut game = Game::timed(json!({"system": "per_move", "period_ms": 30000}));
    game.now += 16_000;
    game.play("E5");
    let moves = game.table.moves();
    let arrived = moves.last().expect("a move").arrived;
    assert_eq!(arrived.running(), Some(Color::Black));
    assert_eq!(arrived.left(Color::Black).period.get(), 13_000);
    let replayed = Table::replay(game.events.clone()).expect("replays");
    assert_eq!(replayed.moves(), moves);
}

#[test]
fn c6_no_move_stands_at_or_after_the_deadline() {
    let mut game = Game::timed(byoyomi());
    game.now += 17_000;
    assert_eq!(game.refused("E5"), Refusal::WrongState);
    assert_eq!(game.refused("pass"), Refusal::WrongState);
    // A step takes a second.
    game.now -= 1001;
    game.play("E5");
}

#[test]
fn c6_the_loss_is_dated_at_the_deadline_however_late_it_is_noticed() {
    let mut game = Game::timed(byoyomi());
    let deadline = game.now + 17_000;
    assert_eq!(game.table.next_deadline(), Some(Timestamp::from_millis(deadline)));
    assert_eq!(game.wait(deadline - 1), []);
    // Ten seconds late still holds (C9).
    let events = game.wait(deadline + 10_000);
    assert_eq!(kinds(&events), ["finished"]);
    assert_eq!(events[0].at, Timestamp::from_millis(deadline));
    let result = game.table.result().expect("a result");
    assert_eq!((result.sgf.as_str(), result.by), ("W+T", EndedBy::Time));
    check_clock(
        &game,
        Value::Null,
        json!({"main_ms": 0, "period_ms": 0, "periods_left": 0}),
        left(2000, 5000),
    );
    assert_eq!(game.table.next_deadline(), None);
    assert!(game.table.sgf().contains("RE[W+T]"));
}

#[test]
fn traps_16_a_move_before_the_deadline_stands_and_one_at_it_finds_the_game_over() {
    for (at, stands) in [(-100, true), (-1, true), (0, false), (1, false)] {
        let mut game = Game::timed(byoyomi());
        game.now += 16_000 + at;
        let played = game.command(AKI, json!({"type": "play", "point": "E5", "turn": 0}));
        assert_eq!(played.is_ok(), stands, "{at} ms");
        let over = matches!(game.table.phase(), Phase::Finished(_));
        assert_eq!(over, !stands, "{at} ms");
        assert_eq!(game.table.turn(), u32::from(stands));
    }
}

#[test]
fn c9_a_deadline_noticed_more_than_ten_seconds_late_is_nobodys_loss() {
    let mut game = Game::timed(byoyomi());
    game.play("E5 D4 E6");
    game.command(AKI, json!({"type": "request", "kind": "takeback", "turn": 3}))
        .expect("asked");
    let deadline = game.table.next_deadline().expect("a deadline").as_millis();
    let back = deadline + 10_001;
    let events = game.wait(back);
    assert_eq!(kinds(&events), ["outage", "expired"]);
    assert!(
        events
            .iter()
            .all(|event| event.at == Timestamp::from_millis(back))
    );
    let clock = &game.snapshot(&viewer(CHI))["clock"];
    // White had thought for a second when the request came, the last thing that was stored.
    assert_eq!(
        (&clock["running"], &clock["white"]),
        (&json!("white"), &left(0, 5000))
    );
    assert_eq!(clock["as_of"], json!(back));
    // The game goes on with what was left then.
    assert_eq!(
        game.table.next_deadline(),
        Some(Timestamp::from_millis(back + 15_000))
    );
    game.play("D5");
}

#[test]
fn c9_an_absence_that_crosses_no_deadline_counts() {
    let mut game =
        Game::timed(json!({"system": "canadian", "main_ms": 3_600_000, "period_ms": 60000, "stones": 5}));
    game.now += 600_000;
    game.play("E5");
    let clock = &game.snapshot(&viewer(CHI))["clock"];
    assert_eq!(clock["black"]["main_ms"], 3_600_000 - 601_000);
}

#[test]
fn traps_16b_a_move_taken_back_leaves_what_was_left_when_it_arrived() {
    let mut game = Game::timed(json!({"system": "per_move", "period_ms": 30000}));
    game.now += 16_000;
    game.play("E5");
    game.now += 4000;
    game.command(AKI, json!({"type": "request", "kind": "takeback", "turn": 1}))
        .expect("asked");
    let events = game
        .command(BO, json!({"type": "answer", "kind": "takeback", "accept": true}))
        .expect("accepted");
    let taken_back = serde_json::to_value(&events[1]).expect("serialises");
    let clock = &taken_back["clock"];
    assert_eq!(
        (&clock["running"], &clock["as_of"]),
        (&json!("black"), &json!(game.now))
    );
    assert_eq!(clock["black"], json!({"period_ms": 13_000}));
    assert_eq!(clock["white"], json!({"period_ms": 30_000}));
    // Running at once, and it can run out (TRAPS 17).
    assert_eq!(kinds(&game.wait(game.now + 13_000)), ["finished"]);
    assert_eq!(game.table.result().map(|result| result.sgf.as_str()), Some("W+T"));
}

#[test]
fn traps_17_a_request_neither_stops_nor_refreshes_a_clock() {
    let mut game = Game::timed(json!({"system": "per_move", "period_ms": 30000}));
    game.play("E5");
    let deadline = game.table.clock.deadline();
    for command in [
        json!({"type": "request", "kind": "takeback", "turn": 1}),
        json!({"type": "withdraw", "kind": "takeback"}),
        json!({"type": "request", "kind": "score", "turn": 1}),
    ] {
        game.command(AKI, command).expect("taken");
        assert_eq!(game.table.clock.deadline(), deadline);
    }
    game.command(BO, json!({"type": "answer", "kind": "score", "accept": false}))
        .expect("answered");
    assert_eq!(game.table.clock.deadline(), deadline);
}

#[test]
fn t8_deadlines_come_first_an_answer_at_the_flag_finds_the_game_over() {
    let mut game = Game::timed(json!({"system": "per_move", "period_ms": 30000}));
    game.play("E5");
    game.now += 15_000;
    game.command(AKI, json!({"type": "request", "kind": "score", "turn": 1}))
        .expect("asked");
    let deadline = game.table.clock.deadline().expect("a deadline").as_millis();
    game.now = deadline - 1000;
    let answered = game.command(BO, json!({"type": "answer", "kind": "score", "accept": true}));
    assert_eq!(answered, Err(Refusal::WrongState));
    assert_eq!(game.table.result().map(|result| result.sgf.as_str()), Some("B+T"));
}

#[test]
fn c7_an_accepted_score_request_stops_the_running_clock() {
    let mut game = Game::timed(byoyomi());
    game.play("E5");
    game.command(BO, json!({"type": "request", "kind": "score", "turn": 1}))
        .expect("asked");
    game.command(AKI, json!({"type": "answer", "kind": "score", "accept": true}))
        .expect("accepted");
    check_clock(&game, Value::Null, left(1000, 5000), left(0, 5000));
    // No clock runs while the board is counted, however long that takes.
    assert_eq!(kinds(&game.wait(game.now + 100_000)), ["counting"]);
    check_clock(&game, Value::Null, left(1000, 5000), left(0, 5000));
}

#[test]
fn a_time_that_steps_back_costs_nobody_anything() {
    let mut game = Game::timed(byoyomi());
    game.now -= 5000;
    game.play("E5");
    let event = game.events.last().expect("an event");
    assert_eq!(event.at, game.events[2].at);
    check_clock(&game, json!("white"), left(2000, 5000), left(2000, 5000));
}
