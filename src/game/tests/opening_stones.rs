//! The ladder of opening stones that are moves (H3, H4, H5).

use super::*;
use crate::rules::MoveError;

#[test]
fn traps_10_black_plays_the_opening_stones_in_a_row_and_the_table_says_how_many_are_left() {
    let mut game = Game::with_opening_stones(3, json!({}));
    assert_eq!(game.snapshot(&viewer(CHI))["komi"], 2.5);
    for (turn, point) in (0..).zip(["F6", "A6", "A7"]) {
        let snapshot = game.snapshot(&viewer(CHI));
        assert_eq!(
            (&snapshot["to_move"], &snapshot["opening_stones_left"]),
            (&json!("black"), &json!(3 - turn))
        );
        let early = json!({"type": "play", "point": "K1", "turn": turn});
        assert_eq!(game.command(BO, early), Err(Refusal::NotYourTurn));
        let pass = json!({"type": "pass", "turn": turn});
        assert_eq!(game.command(AKI, pass), Err(Refusal::PassNotAllowed));
        game.play(point);
    }
    let snapshot = game.snapshot(&viewer(CHI));
    assert_eq!(
        (&snapshot["to_move"], &snapshot["opening_stones_left"]),
        (&json!("white"), &json!(0))
    );
    assert_eq!(snapshot["setup"], json!([]));
    game.play("K1 pass pass");
    assert_eq!(game.assess(&[]).len(), 1);
}

#[test]
fn h3_one_opening_stone_is_blacks_first_move_at_komi_half_a_point() {
    let mut game = Game::with_opening_stones(1, json!({}));
    assert_eq!(game.snapshot(&viewer(CHI))["opening_stones_left"], 1);
    assert_eq!(game.refused("pass"), Refusal::PassNotAllowed);
    game.play("F6");
    assert_eq!(game.table.to_move(), Color::White);
    game.play("pass pass");
    game.assess(&[]);
    assert_eq!(game.result(), Some("B+90.5"));
}

#[test]
fn h4_each_opening_stone_is_a_move_for_the_clock_and_black_can_lose_there() {
    let fischer = json!({"system": "fischer", "initial_ms": 10_000, "increment_ms": 2000});
    let mut game = Game::with_opening_stones(2, json!({"clock": fischer}));
    let told = |events: &[Event]| serde_json::to_value(&events[0]).expect("serialises")["clock"].clone();
    let first = game
        .command(AKI, json!({"type": "play", "point": "F6", "turn": 0}))
        .expect("legal");
    assert_eq!(told(&first)["running"], "black");
    assert_eq!(told(&first)["black"]["main_ms"], 11_000);
    let second = game
        .command(AKI, json!({"type": "play", "point": "G6", "turn": 1}))
        .expect("legal");
    assert_eq!(told(&second)["running"], "white");
    assert_eq!(told(&second)["black"]["main_ms"], 12_000);

    let clock = json!({"system": "per_move", "period_ms": 15_000});
    let mut slow = Game::with_opening_stones(2, json!({"clock": clock}));
    slow.play("F6");
    slow.wait(slow.now + 15_000);
    assert_eq!(slow.result(), Some("W+T"));
}

#[test]
fn h4_an_opening_stone_keeps_to_the_rules() {
    let mut game = Game::with_opening_stones(2, json!({}));
    assert_eq!(game.refused("A1"), Refusal::OffBoard);
    game.play("F6");
    assert_eq!(game.refused("F6"), Refusal::Illegal(MoveError::Occupied));
}

#[test]
fn h4_where_nobody_may_play_is_told_for_whoever_moves_next() {
    let mut game = Game::with_opening_stones(4, json!({}));
    let mut told = Vec::new();
    // Three stones around the corner A6, where White would have no liberty: it is Black's turn still.
    for (turn, point) in (0..).zip(["B6", "A7", "B5", "F6"]) {
        let events = game.command(AKI, json!({"type": "play", "point": point, "turn": turn}));
        let played = serde_json::to_value(&events.expect("legal")[0]).expect("serialises");
        assert_eq!(played["forbidden"], game.snapshot(&viewer(CHI))["forbidden"]);
        told.push(played["forbidden"].clone());
    }
    let corner = json!([{"point": "A6", "why": "suicide"}]);
    assert_eq!(told, [json!([]), json!([]), json!([]), corner]);
    assert_eq!(game.refused("A6"), Refusal::Illegal(MoveError::Suicide));
}

#[test]
fn t8_no_score_is_asked_for_before_the_opening_stones_are_placed() {
    let mut game = Game::with_opening_stones(2, json!({}));
    let ask = |turn: u32| json!({"type": "request", "kind": "score", "turn": turn});
    for by in [AKI, BO] {
        assert_eq!(game.command(by, ask(0)), Err(Refusal::OpeningStonesLeft));
    }
    game.play("F6");
    assert_eq!(game.command(AKI, ask(1)), Err(Refusal::OpeningStonesLeft));
    game.play("G6");
    assert_eq!(kinds(&game.command(AKI, ask(2)).expect("asked")), ["requested"]);
}

#[test]
fn t9_an_opening_stone_is_taken_back_like_any_move() {
    let mut game = Game::with_opening_stones(2, json!({}));
    game.play("F6 G6");
    let ask = json!({"type": "request", "kind": "takeback", "turn": 2});
    game.command(AKI, ask).expect("asked");
    let answer = json!({"type": "answer", "kind": "takeback", "accept": true});
    let events = game.command(BO, answer).expect("accepted");
    let told = serde_json::to_value(&events[1]).expect("serialises");
    assert_eq!(
        (&told["kind"], &told["to_move"], &told["opening_stones_left"]),
        (&json!("taken_back"), &json!("black"), &json!(1))
    );
    assert_eq!(game.refused("pass"), Refusal::PassNotAllowed);
    game.play("H6");
    assert_eq!(game.table.to_move(), Color::White);
}

#[test]
fn t7_the_last_opening_stone_sent_again_is_a_repeat() {
    let mut game = Game::with_opening_stones(2, json!({}));
    game.play("F6 G6");
    let now = Timestamp::from_millis(game.now);
    let again = input(AKI, json!({"type": "play", "point": "G6", "turn": 1}));
    assert_eq!(
        step(&game.table, again, now),
        Ok(Outcome::Repeated(game.table.seq()))
    );
    let other = input(AKI, json!({"type": "play", "point": "F6", "turn": 0}));
    assert_eq!(step(&game.table, other, now), Err(Refusal::StaleTurn));
}

#[test]
fn h5_the_receiver_plays_black_and_a_rematch_keeps_it_so() {
    let mut terms = json!({"ruleset": "hex", "handicap": 2});
    terms["handicap_receiver"] = json!(player(BO).id);
    let mut game = Game::waiting(terms).joined();
    let seats = game.table.seats().expect("seats").clone();
    assert_eq!((seats.black.id, seats.white.id), (player(BO).id, player(AKI).id));
    let snapshot = game.snapshot(&viewer(BO));
    assert_eq!(
        (&snapshot["you"], &snapshot["handicap_receiver"]),
        (&json!("black"), &json!(player(BO).id))
    );
    game.command(AKI, json!({"type": "resign"})).expect("resigns");
    for by in [AKI, BO] {
        game.command(by, json!({"type": "rematch"})).expect("agreed");
    }
    let opening = game.table.rematch().expect("a next game");
    assert_eq!(opening.seats.black.id, player(BO).id);
    assert_eq!(
        opening.terms.handicap_receiver,
        Some(HandicapReceiver::Player(player(BO).id))
    );
    let events = open_started(opening, Timestamp::from_millis(game.now));
    assert_eq!(Table::replay(events).expect("replays").opening_stones_left(), 2);
}

#[test]
fn traps_23_opening_stones_are_moves_on_the_record() {
    let mut game = Game::with_opening_stones(3, json!({}));
    game.play("F6 A6 A7 K1 pass pass");
    game.assess(&[]);
    let sgf = game.table.sgf();
    assert!(
        sgf.contains("HA[3]") && sgf.contains("KM[2.5]") && !sgf.contains("AB["),
        "{sgf}"
    );
    assert!(!sgf.contains("PL["), "{sgf}");
    let imported = crate::record::read_sgf(sgf.as_bytes()).expect("readable");
    assert_eq!(
        (&imported.record, imported.warnings.len()),
        (&game.table.record(), 0)
    );
    let mut one = Game::with_opening_stones(1, json!({}));
    one.play("F6");
    assert!(!one.table.sgf().contains("HA["));
}
