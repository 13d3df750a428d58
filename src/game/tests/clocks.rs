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
