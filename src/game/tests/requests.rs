//! Takebacks, draws, requests to score (T7, T8, T9).

use super::*;
use crate::rules::MoveError;
use crate::ruleset::RequestKind;

fn ask(game: &mut Game, by: u8, kind: &str) -> Result<Vec<Event>, Refusal> {
    let turn = game.table.turn();
    game.command(by, json!({"type": "request", "kind": kind, "turn": turn}))
}

fn answer(game: &mut Game, by: u8, kind: &str, accept: bool) -> Result<Vec<Event>, Refusal> {
    game.command(by, json!({"type": "answer", "kind": kind, "accept": accept}))
}

#[test]
fn t9_a_takeback_undoes_exactly_the_last_move() {
    let mut game = Game::baduk();
    game.play("A2 A1");
    let before = game.snapshot(&viewer(CHI));
    game.play("B1");
    assert_eq!(
        kinds(&ask(&mut game, AKI, "takeback").expect("asked")),
        ["requested"]
    );
    let events = answer(&mut game, BO, "takeback", true).expect("accepted");
    assert_eq!(kinds(&events), ["answered", "taken_back"]);
    let after = game.snapshot(&viewer(CHI));
    for same in [
        "turn",
        "to_move",
        "stones",
        "captures",
        "prisoners",
        "forbidden",
        "moves",
    ] {
        assert_eq!(after[same], before[same], "{same}");
    }
    let told = serde_json::to_value(&events[1]).expect("serialises");
    assert_eq!((&told["stones"], &told["turn"]), (&after["stones"], &json!(2)));
    // Its position is forgotten, so the same play is legal again.
    game.play("B1");
}

#[test]
fn b5_a_takeback_forgets_the_positions_that_it_takes_back() {
    let mut game = Game::baduk();
    game.play("D6 E6 C5 F5 D4 E4 E5 D5");
    assert_eq!(game.refused("E5"), Refusal::Illegal(MoveError::Superko));
    ask(&mut game, BO, "takeback").expect("asked");
    answer(&mut game, AKI, "takeback", true).expect("accepted");
    game.play("D5");
    assert_eq!(game.refused("E5"), Refusal::Illegal(MoveError::Superko));
}

#[test]
fn t9_a_pass_is_taken_back_with_its_prisoner() {
    let mut game = Game::baduk();
    game.play("E5 pass");
    ask(&mut game, BO, "takeback").expect("asked");
    answer(&mut game, AKI, "takeback", true).expect("accepted");
    let snapshot = game.snapshot(&viewer(CHI));
    assert_eq!(snapshot["prisoners"]["black"]["passes"], 0);
    assert_eq!(snapshot["to_move"], "white");
}

#[test]
fn t9_only_whoever_made_the_last_move_may_ask_for_it_back() {
    let mut game = Game::baduk();
    assert_eq!(ask(&mut game, AKI, "takeback"), Err(Refusal::NotYourLastMove));
    game.play("E5");
    assert_eq!(ask(&mut game, BO, "takeback"), Err(Refusal::NotYourLastMove));
}

#[test]
fn traps_17b_a_delayed_copy_of_a_move_taken_back_is_stale() {
    let mut game = Game::baduk();
    game.play("E5 C3");
    let delayed = json!({"type": "play", "point": "C3", "turn": 1, "seq": 4});
    ask(&mut game, BO, "takeback").expect("asked");
    answer(&mut game, AKI, "takeback", true).expect("accepted");
    assert_eq!(game.command(BO, delayed), Err(Refusal::StaleTurn));
    // Who has seen the takeback may play there again.
    let seq = game.table.seq();
    let again = json!({"type": "play", "point": "C3", "turn": 1, "seq": seq});
    assert_eq!(kinds(&game.command(BO, again).expect("legal")), ["played"]);
}

#[test]
fn t8_a_request_is_void_at_exactly_thirty_seconds() {
    let mut game = Game::baduk();
    game.play("E5");
    ask(&mut game, AKI, "takeback").expect("asked");
    let expires_at = game.now + 30_000;
    assert_eq!(
        game.table.next_deadline(),
        Some(Timestamp::from_millis(expires_at))
    );
    assert_eq!(game.wait(expires_at - 1), []);
    let events = game.wait(expires_at + 5000);
    assert_eq!(kinds(&events), ["expired"]);
    assert_eq!(events[0].at, Timestamp::from_millis(expires_at));
    assert_eq!(answer(&mut game, BO, "takeback", true), Err(Refusal::NoRequest));
    assert_eq!(game.table.next_deadline(), None);
}

#[test]
fn t8_a_move_makes_what_was_asked_void() {
    let mut game = Game::baduk();
    game.play("E5");
    ask(&mut game, AKI, "takeback").expect("asked");
    ask(&mut game, BO, "score").expect("asked");
    let events = game
        .command(BO, json!({"type": "play", "point": "C3", "turn": 1}))
        .expect("legal");
    assert_eq!(kinds(&events), ["played", "expired", "expired"]);
    assert_eq!(game.snapshot(&viewer(CHI))["requests"], json!([]));
}

#[test]
fn t8_ten_requests_a_game_refused_and_withdrawn_ones_included() {
    let mut game = Game::baduk();
    game.play("E5");
    for number in 0..10 {
        ask(&mut game, AKI, "takeback").expect("asked");
        assert_eq!(ask(&mut game, AKI, "score"), Err(Refusal::RequestOpen));
        let ended = match number % 2 {
            0 => answer(&mut game, BO, "takeback", false),
            _ => game.command(AKI, json!({"type": "withdraw", "kind": "takeback"})),
        };
        ended.expect("ended");
    }
    assert_eq!(ask(&mut game, AKI, "takeback"), Err(Refusal::RequestLimit));
    assert_eq!(
        game.snapshot(&viewer(CHI))["requests_left"],
        json!({"black": 0, "white": 10})
    );
    // What the opponent asks for can still be agreed to.
    ask(&mut game, BO, "score").expect("asked");
    assert_eq!(
        kinds(&ask(&mut game, AKI, "score").expect("agreed")),
        ["answered", "counting"]
    );
}

#[test]
fn t8_asking_for_what_the_opponent_asks_for_accepts_it_and_costs_nothing() {
    let mut game = Game::baduk();
    game.play("E5");
    ask(&mut game, AKI, "score").expect("asked");
    assert_eq!(
        kinds(&ask(&mut game, BO, "score").expect("agreed")),
        ["answered", "counting"]
    );
    let snapshot = game.snapshot(&viewer(CHI));
    assert_eq!(snapshot["counting"]["reason"], "score_request");
    assert_eq!(snapshot["requests_left"], json!({"black": 9, "white": 10}));
    game.assess(&[]);
    assert_eq!(
        game.table.result().map(|result| result.sgf.as_str()),
        Some("B+74.5")
    );
}

#[test]
fn t8_what_the_ruleset_lacks_and_what_is_not_open_is_refused() {
    let mut game = Game::baduk();
    game.play("E5");
    assert_eq!(ask(&mut game, AKI, "draw"), Err(Refusal::NotAllowedByRuleset));
    assert_eq!(ask(&mut game, CHI, "score"), Err(Refusal::Forbidden));
    assert_eq!(answer(&mut game, AKI, "score", true), Err(Refusal::NoRequest));
    let withdraw = json!({"type": "withdraw", "kind": "score"});
    assert_eq!(game.command(AKI, withdraw.clone()), Err(Refusal::NoRequest));
    let stale = json!({"type": "request", "kind": "score", "turn": 0});
    assert_eq!(game.command(AKI, stale), Err(Refusal::StaleTurn));
    ask(&mut game, AKI, "score").expect("asked");
    assert_eq!(answer(&mut game, AKI, "score", true), Err(Refusal::NoRequest));
    let stale = json!({"type": "answer", "kind": "score", "accept": true, "turn": 0});
    assert_eq!(game.command(BO, stale), Err(Refusal::StaleTurn));
    game.command(AKI, withdraw.clone()).expect("withdrawn");
    assert_eq!(answer(&mut game, BO, "score", true), Err(Refusal::NoRequest));
    game.command(AKI, json!({"type": "resign"})).expect("resigns");
    assert_eq!(game.command(AKI, withdraw), Err(Refusal::WrongState));
}

#[test]
fn t8_a_rated_game_has_no_takebacks() {
    let mut terms = Game::baduk().table.terms().clone();
    assert!(terms.allow_request(RequestKind::Takeback));
    terms.ranked = true;
    assert!(!terms.allow_request(RequestKind::Takeback));
    assert!(terms.allow_request(RequestKind::Score));
}

#[test]
fn t8_an_acceptance_makes_what_the_other_had_asked_for_void() {
    let mut game = Game::baduk();
    game.play("E5");
    ask(&mut game, BO, "score").expect("asked");
    ask(&mut game, AKI, "takeback").expect("asked");
    let events = answer(&mut game, BO, "takeback", true).expect("accepted");
    assert_eq!(kinds(&events), ["answered", "expired", "taken_back"]);
    assert_eq!(game.snapshot(&viewer(CHI))["requests"], json!([]));
}
