//! Plays, passes, resignations, and what is refused (B4 to B8, T7, T10).

use super::*;
use crate::rules::MoveError;

#[test]
fn b8_refusals_come_in_their_order() {
    let mut game = Game::baduk();
    game.play("E5");
    let play = |point: &str, turn: u32| json!({"type": "play", "point": point, "turn": turn});
    let act = |game: &mut Game, by, command| game.command(by, command).map(|_| ());
    // A seat comes before everything about the move.
    assert_eq!(act(&mut game, CHI, play("Z99", 7)), Err(Refusal::Forbidden));
    // The turn number comes before whose turn it is.
    assert_eq!(act(&mut game, AKI, play("D4", 7)), Err(Refusal::StaleTurn));
    assert_eq!(act(&mut game, AKI, play("D4", 1)), Err(Refusal::NotYourTurn));
    assert_eq!(act(&mut game, AKI, play("Z99", 1)), Err(Refusal::NotYourTurn));
    assert_eq!(act(&mut game, BO, play("Z99", 1)), Err(Refusal::OffBoard));
    assert_eq!(act(&mut game, BO, play("K9", 1)), Err(Refusal::OffBoard));
    assert_eq!(
        act(&mut game, BO, play("E5", 1)),
        Err(Refusal::Illegal(MoveError::Occupied))
    );
    assert_eq!(game.table.turn(), 1);
    game.command(BO, json!({"type": "resign"})).expect("resigns");
    // The table's state comes first.
    assert_eq!(act(&mut game, CHI, play("Z99", 7)), Err(Refusal::WrongState));
}

#[test]
fn traps_1_superko_forbids_what_simple_ko_lets_pass() {
    let mut game = Game::baduk();
    game.play("A8 B6 B7 B5 A6 A4 J1 B4 A5 A7");
    assert_eq!(game.refused("A6"), Refusal::Illegal(MoveError::Superko));
    let forbidden = &game.snapshot(&viewer(CHI))["forbidden"];
    assert!(
        forbidden
            .as_array()
            .expect("a list")
            .contains(&json!({"point": "A6", "why": "superko"})),
        "{forbidden}"
    );
}

#[test]
fn traps_2_snapback_is_no_ko() {
    let mut game = Game::baduk();
    game.play("A3 A2 B3 B2 C3 C2 D2 C1 D1 J9 B1 A1");
    let events = game
        .command(AKI, json!({"type": "play", "point": "B1", "turn": 12}))
        .expect("legal");
    let played = serde_json::to_value(&events[0]).expect("serialises");
    assert_eq!(played["captured"].as_array().map(Vec::len), Some(5));
}

#[test]
fn traps_3_suicide_is_told_from_superko() {
    let mut game = Game::baduk();
    game.play("A2 A1 B1");
    assert_eq!(game.refused("A1"), Refusal::Illegal(MoveError::Suicide));
}

#[test]
fn traps_4_a_ko_is_taken_back_after_a_move_elsewhere() {
    let mut game = Game::baduk();
    game.play("D6 E6 C5 F5 D4 E4 E5 D5");
    assert_eq!(game.refused("E5"), Refusal::Illegal(MoveError::Superko));
    game.play("A9 A1 E5");
}

#[test]
fn b6_an_event_tells_where_the_opponent_may_not_play() {
    let mut game = Game::baduk();
    game.play("D6 E6 C5 F5 D4 E4 E5");
    let events = game
        .command(BO, json!({"type": "play", "point": "D5", "turn": 7}))
        .expect("legal");
    let played = serde_json::to_value(&events[0]).expect("serialises");
    assert_eq!(played["forbidden"], json!([{"point": "E5", "why": "superko"}]));
    assert_eq!(played["captured"], json!(["E5"]));
}

#[test]
fn t7_the_same_move_for_the_same_turn_is_a_repeat_until_the_seat_moves_again() {
    let mut game = Game::baduk();
    game.play("D4 pass");
    let again = input(AKI, json!({"type": "play", "point": "D4", "turn": 0, "seq": 3}));
    let now = Timestamp::from_millis(game.now);
    assert_eq!(
        step(&game.table, again.clone(), now),
        Ok(Outcome::Repeated(Seq(4)))
    );
    let passed_again = input(BO, json!({"type": "pass", "turn": 1}));
    assert_eq!(
        step(&game.table, passed_again, now),
        Ok(Outcome::Repeated(Seq(5)))
    );
    for other in [
        json!({"type": "play", "point": "D5", "turn": 0}),
        json!({"type": "pass", "turn": 0}),
        json!({"type": "play", "point": "D4", "turn": 1}),
    ] {
        assert_eq!(step(&game.table, input(AKI, other), now), Err(Refusal::StaleTurn));
    }
    game.play("E5");
    assert_eq!(step(&game.table, again, now), Err(Refusal::StaleTurn));
}

#[test]
fn a_command_cannot_have_seen_what_has_not_happened() {
    let mut game = Game::baduk();
    let command = json!({"type": "play", "point": "D4", "turn": 0, "seq": 99});
    assert_eq!(game.command(AKI, command), Err(Refusal::UnknownSeq));
}

#[test]
fn t10_a_player_resigns_on_either_turn() {
    for (by, result) in [(AKI, "W+R"), (BO, "B+R")] {
        let mut game = Game::baduk();
        game.play("E5");
        assert_eq!(
            game.command(CHI, json!({"type": "resign"})),
            Err(Refusal::Forbidden)
        );
        let events = game.command(by, json!({"type": "resign"})).expect("resigns");
        assert_eq!(kinds(&events), ["finished"]);
        assert_eq!(
            game.table.result().map(|result| result.sgf.as_str()),
            Some(result)
        );
        assert_eq!(
            game.command(by, json!({"type": "resign"})),
            Err(Refusal::WrongState)
        );
    }
}

#[test]
fn nobody_moves_or_resigns_before_the_start() {
    let mut game = Game::waiting(json!({"ruleset": "baduk", "color": "black"}));
    assert_eq!(
        game.command(AKI, json!({"type": "pass", "turn": 0})),
        Err(Refusal::WrongState)
    );
    assert_eq!(
        game.command(AKI, json!({"type": "resign"})),
        Err(Refusal::WrongState)
    );
}

/// A game in which BO's last move was taken back: the last event that he may not have seen, and the one before.
fn taken_back() -> (Game, Seq) {
    let mut game = Game::baduk();
    game.play("E5 D4");
    let ask = json!({"type": "request", "kind": "takeback", "turn": 2});
    game.command(BO, ask).expect("asked");
    let before = game.table.seq();
    let yes = json!({"type": "answer", "kind": "takeback", "accept": true});
    game.command(AKI, yes).expect("accepted");
    (game, before)
}

#[test]
fn t7_whoever_has_not_seen_a_takeback_means_another_game_whatever_he_says() {
    let (mut game, before) = taken_back();
    for command in [
        json!({"type": "play", "point": "D5", "turn": 1}),
        json!({"type": "pass", "turn": 1}),
        json!({"type": "resign"}),
        json!({"type": "request", "kind": "score", "turn": 1}),
        json!({"type": "answer", "kind": "takeback", "accept": true}),
        json!({"type": "withdraw", "kind": "takeback"}),
        json!({"type": "mark", "point": "E5", "dead": true}),
        json!({"type": "accept_score", "marking": 0}),
        json!({"type": "resume"}),
    ] {
        let mut command = command;
        command["seq"] = json!(before);
        assert_eq!(
            game.command(BO, command.clone()),
            Err(Refusal::StaleTurn),
            "{command}"
        );
    }
    assert_eq!(game.table.phase(), &Phase::Playing);
}

#[test]
fn t7_t10_a_resignation_stands_unless_its_sender_has_not_seen_a_takeback_or_a_resumption() {
    for seen in [None, Some(0)] {
        let (mut game, _) = taken_back();
        let mut resign = json!({"type": "resign"});
        if let Some(later) = seen {
            resign["seq"] = json!(game.table.seq().0 - later);
        }
        game.command(BO, resign).expect("resigns");
        assert_eq!(game.result(), Some("B+R"));
    }
    let mut aga = Game::aga(json!({}));
    aga.play("pass pass");
    let marking = aga.table.seq();
    aga.command(AKI, json!({"type": "resume"})).expect("plays on");
    let late = json!({"type": "resign", "seq": marking});
    assert_eq!(aga.command(BO, late.clone()), Err(Refusal::StaleTurn));
    // Only a game that goes on can be mistaken for another, and only its players are told so.
    assert_eq!(aga.command(CHI, late.clone()), Err(Refusal::Forbidden));
    aga.command(BO, json!({"type": "resign"})).expect("resigns");
    assert_eq!(aga.command(BO, late), Err(Refusal::WrongState));
}

#[test]
fn t7_t11_what_is_said_after_the_game_is_never_stale() {
    let (mut game, before) = taken_back();
    game.command(BO, json!({"type": "resign"})).expect("resigns");
    for (by, kind) in [(AKI, "rematch"), (BO, "decline_rematch")] {
        game.command(by, json!({"type": kind, "seq": before}))
            .expect(kind);
    }
    let future = json!({"type": "rematch", "seq": game.table.seq().0 + 1});
    assert_eq!(game.command(BO, future), Err(Refusal::UnknownSeq));
}
