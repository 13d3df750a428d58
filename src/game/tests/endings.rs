//! Two passes, the count, the result (B7, G1, G3, G9).

use super::*;
use crate::rules::HalfPoints;
use crate::ruleset::Ruleset;

/// The border fixture F1 of TRAPS 7: Black's area is 44, White's 37.
const F1: &str = "E5 F5 E4 F4 E3 F3 E2 F2 E6 F6 E7 F7 E8 F8 E9 F9 D1 E1";

#[track_caller]
fn check(terms: Value, moves: &str, dead: &[&str], expected: &str) -> Game {
    let mut game = Game::started(terms);
    game.play(moves);
    assert!(
        matches!(game.table.phase(), Phase::Counting(_)),
        "{:?}",
        game.table.phase()
    );
    assert_eq!(kinds(&game.assess(dead)), ["finished"]);
    assert_eq!(
        game.table.result().map(|result| result.sgf.as_str()),
        Some(expected)
    );
    game
}

fn nine_with_komi(komi: f64) -> Value {
    json!({"ruleset": "baduk", "board": "9x9", "komi": komi})
}

#[test]
fn traps_5_an_empty_board_is_nobodys() {
    check(nine_with_komi(6.5), "pass pass", &[], "W+6.5");
    check(nine_with_komi(-6.5), "pass pass", &[], "B+6.5");
    let jigo = check(nine_with_komi(0.0), "pass pass", &[], "0");
    let result = jigo.table.result().expect("a result");
    assert_eq!(
        (result.winner, result.margin, result.by),
        (None, Some(HalfPoints::ZERO), EndedBy::Score)
    );
}

#[test]
fn traps_5_one_stone_owns_the_whole_board() {
    let game = check(nine_with_komi(6.5), "E5 pass pass", &[], "B+74.5");
    let score = game
        .table
        .result()
        .and_then(|result| result.score.clone())
        .expect("a score");
    assert_eq!(
        (score.black, score.white),
        (HalfPoints::from_points(81), HalfPoints::ZERO)
    );
    assert_eq!(score.territory.black.len(), 80);
    check(json!({"ruleset": "hex"}), "F6 pass pass", &[], "B+84.5");
}

#[test]
fn traps_7_the_komi_decides_and_a_tie_is_a_jigo() {
    let moves = format!("{F1} pass pass");
    check(nine_with_komi(7.0), &moves, &[], "0");
    check(nine_with_komi(6.5), &moves, &[], "B+0.5");
    check(nine_with_komi(7.5), &moves, &[], "W+0.5");
}

#[test]
fn g1_dead_stones_and_their_points_are_the_opponents() {
    // White's lone H5 is dead behind Black's line; alive it would leave the right side to nobody.
    let moves = "F5 H5 F4 pass F3 pass F2 pass F1 pass F6 pass F7 pass F8 pass F9 pass pass";
    let dead = check(nine_with_komi(6.5), moves, &["H5"], "B+74.5");
    let score = dead
        .table
        .result()
        .and_then(|result| result.score.clone())
        .expect("a score");
    assert_eq!(score.dead.white.len(), 1);
    assert_eq!(score.prisoners.black.dead, 1);
    check(nine_with_komi(6.5), moves, &[], "B+46.5");
}

#[test]
fn g3_play_has_ended_while_the_chains_are_assessed() {
    let mut game = Game::baduk();
    game.play("E5 pass");
    assert_eq!(game.table.next_deadline(), None);
    let events = game
        .command(AKI, json!({"type": "pass", "turn": 2}))
        .expect("passes");
    assert_eq!(kinds(&events), ["passed", "counting"]);
    let now = Timestamp::from_millis(game.now);
    let wanted = game.table.wanted_verdict(now).expect("an assessment is wanted");
    assert_eq!((wanted.turn, wanted.attempt), (3, 1));
    assert_eq!(game.table.question_due(), Some(now));
    assert_eq!(
        game.command(BO, json!({"type": "play", "point": "A1", "turn": 3})),
        Err(Refusal::WrongState)
    );
    assert_eq!(
        game.command(AKI, json!({"type": "pass", "turn": 2})),
        Err(Refusal::WrongState)
    );
    let snapshot = game.snapshot(&viewer(CHI));
    assert_eq!(snapshot["state"], "counting");
    assert_eq!(snapshot["to_move"], Value::Null);
    assert_eq!(
        snapshot["counting"],
        json!({"reason": "passes", "attempt": 1, "retry_at": null})
    );
}

#[test]
fn traps_12_a_player_may_resign_while_the_chains_are_assessed() {
    let mut game = Game::baduk();
    game.play("pass pass");
    game.command(AKI, json!({"type": "resign"})).expect("resigns");
    assert_eq!(game.table.result().map(|result| result.sgf.as_str()), Some("W+R"));
    // The verdict comes too late, and nobody minds.
    assert_eq!(game.assess(&[]), []);
}

#[test]
fn a_verdict_on_another_position_is_dropped() {
    let mut game = Game::baduk();
    game.play("pass pass");
    let stale = Input::Assessed {
        turn: 1,
        attempt: 1,
        verdict: Verdict::default(),
    };
    assert_eq!(game.take(stale), Ok(Vec::new()));
    assert!(matches!(game.table.phase(), Phase::Counting(_)));
}

#[test]
fn b7_passes_apart_do_not_end_the_game() {
    let mut game = Game::baduk();
    game.play("pass E5 pass D4");
    assert_eq!(*game.table.phase(), Phase::Playing);
    let prisoners = &game.snapshot(&viewer(CHI))["prisoners"];
    assert_eq!(prisoners["white"]["passes"], 2);
}

/// A game under a ruleset whose last move is the fourth.
fn of_four_moves() -> Game {
    let mut game = Game::baduk();
    game.table.terms.ruleset = Box::leak(Box::new(Ruleset {
        move_limit: 4,
        ..*game.table.terms.ruleset
    }));
    game
}

#[test]
fn g6_at_the_last_move_play_ends_as_if_both_had_passed() {
    for last in ["D4", "pass"] {
        let mut game = of_four_moves();
        game.play(&format!("E5 pass E6 {last}"));
        let snapshot = game.snapshot(&viewer(CHI));
        assert_eq!(snapshot["counting"]["reason"], "move_limit", "{last}");
        assert_eq!(snapshot["clock"]["running"], Value::Null);
        assert_eq!(kinds(&game.assess(&[])), ["finished"]);
    }
    let mut game = of_four_moves();
    game.play("E5 E6 pass pass");
    assert_eq!(game.snapshot(&viewer(CHI))["counting"]["reason"], "passes");
}
