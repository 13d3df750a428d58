//! The players mark what is dead, agree, or play on (G8).

use super::*;
use crate::rules::PerColor;

/// A game of `aga` that waits for its marking: Black has walled in two lone stones of White's.
fn marking() -> Game {
    let mut game = Game::aga(json!({}));
    game.play("F5 H5 F4 H6 F3 A1 F2 A2 F1 pass F6 pass F7 pass F8 pass F9 pass pass pass");
    assert_eq!(game.table.phase().name(), "counting");
    game
}

fn mark(game: &mut Game, by: u8, point: &str, dead: bool) -> Result<Vec<Event>, Refusal> {
    game.command(by, json!({"type": "mark", "point": point, "dead": dead}))
}

fn accept(game: &mut Game, by: u8, version: u32) -> Result<Vec<Event>, Refusal> {
    game.command(by, json!({"type": "accept_score", "marking": version}))
}

fn shown(game: &Game) -> Value {
    game.snapshot(&viewer(CHI))["marking"].clone()
}

#[test]
fn g8_a_mark_sets_a_whole_chain_and_both_agree_to_the_same_version() {
    let mut game = marking();
    let snapshot = game.snapshot(&viewer(AKI));
    let resumes_at = game.now + 120_000;
    assert_eq!(
        snapshot["marking"],
        json!({"version": 0, "dead": {"black": [], "white": []}, "accepted": {"black": false, "white": false},
            "resumes_at": resumes_at})
    );
    assert_eq!(
        (&snapshot["state"], &snapshot["counting"]),
        (&json!("counting"), &Value::Null)
    );
    assert_eq!(
        (&snapshot["clock"]["running"], &snapshot["to_move"]),
        (&Value::Null, &Value::Null)
    );
    let events = mark(&mut game, AKI, "H6", true).expect("marked");
    let told = serde_json::to_value(&events[0]).expect("serialises");
    assert_eq!(
        (&told["kind"], &told["by"], &told["dead"]),
        (&json!("marked"), &json!("black"), &json!(true))
    );
    assert_eq!(told["chain"], json!(["H5", "H6"]));
    assert_eq!(told["marking"], shown(&game));
    assert_eq!(shown(&game)["dead"]["white"], json!(["H5", "H6"]));
    assert_eq!(
        kinds(&accept(&mut game, BO, 1).expect("accepted")),
        ["score_accepted"]
    );
    assert_eq!(shown(&game)["accepted"], json!({"black": false, "white": true}));
    let events = accept(&mut game, AKI, 1).expect("accepted");
    assert_eq!(kinds(&events), ["score_accepted", "finished"]);
    let result = game.table.result().expect("a result");
    assert_eq!((result.by, &result.assessed_by), (EndedBy::Score, &None));
    let score = result.score.as_ref().expect("a score");
    assert_eq!(
        score.prisoners.black,
        PrisonerCount {
            captured: 0,
            dead: 2,
            passes: 6
        }
    );
    // Black has the 27 points on the right and 8 prisoners; the left side touches both.
    assert_eq!(
        (score.black.to_string(), score.white.to_string()),
        ("35".to_owned(), "1".to_owned())
    );
    assert_eq!(game.result(), Some("B+27.5"));
}

#[test]
fn traps_11_a_change_clears_the_confirmations_and_the_old_version_is_stale() {
    let mut game = marking();
    mark(&mut game, AKI, "H5", true).expect("marked");
    accept(&mut game, AKI, 1).expect("accepted");
    mark(&mut game, BO, "A1", true).expect("marked");
    assert_eq!(shown(&game)["accepted"], json!({"black": false, "white": false}));
    assert_eq!(accept(&mut game, BO, 1), Err(Refusal::StaleMarking));
    assert_eq!(accept(&mut game, BO, 3), Err(Refusal::StaleMarking));
    mark(&mut game, AKI, "A2", false).expect("marked");
    let now = shown(&game);
    assert_eq!(
        (&now["version"], &now["dead"]["white"]),
        (&json!(3), &json!(["H5", "H6"]))
    );
    accept(&mut game, BO, 3).expect("accepted");
    assert_eq!(
        kinds(&accept(&mut game, AKI, 3).expect("accepted")),
        ["score_accepted", "finished"]
    );
}

#[test]
fn g8_a_mark_that_changes_nothing_keeps_version_and_confirmations() {
    let mut game = marking();
    mark(&mut game, AKI, "H5", true).expect("marked");
    accept(&mut game, BO, 1).expect("accepted");
    let before = (game.table.seq(), shown(&game));
    assert_eq!(mark(&mut game, AKI, "H6", true), Ok(Vec::new()));
    assert_eq!(mark(&mut game, BO, "A1", false), Ok(Vec::new()));
    assert_eq!(accept(&mut game, BO, 1), Ok(Vec::new()));
    assert_eq!((game.table.seq(), shown(&game)), before);
}

#[test]
fn g8_only_stones_are_marked_and_only_by_the_players_while_they_mark() {
    let mut game = marking();
    assert_eq!(mark(&mut game, AKI, "E5", true), Err(Refusal::NoChain));
    assert_eq!(mark(&mut game, AKI, "K10", true), Err(Refusal::OffBoard));
    assert_eq!(mark(&mut game, CHI, "H5", true), Err(Refusal::Forbidden));
    assert_eq!(accept(&mut game, CHI, 0), Err(Refusal::Forbidden));
    assert_eq!(
        game.command(CHI, json!({"type": "resume"})),
        Err(Refusal::Forbidden)
    );
    let play = json!({"type": "play", "point": "E5", "turn": game.table.turn()});
    assert_eq!(game.command(AKI, play), Err(Refusal::WrongState));
    let mut running = Game::aga(json!({}));
    assert_eq!(mark(&mut running, AKI, "E5", true), Err(Refusal::WrongState));
    assert_eq!(
        running.command(AKI, json!({"type": "resume"})),
        Err(Refusal::WrongState)
    );
    let mut assessed = Game::baduk();
    assessed.play("E5 pass pass");
    assert_eq!(mark(&mut assessed, AKI, "E5", true), Err(Refusal::WrongState));
}

#[test]
fn traps_12_resigning_works_while_marking() {
    let mut game = marking();
    mark(&mut game, AKI, "H5", true).expect("marked");
    assert_eq!(
        kinds(&game.command(AKI, json!({"type": "resign"})).expect("resigns")),
        ["finished"]
    );
    assert_eq!(game.result(), Some("W+R"));
    assert_eq!(game.snapshot(&viewer(AKI))["marking"], Value::Null);
}

#[test]
fn traps_9_after_a_resumption_black_moves_with_the_clocks_as_the_ending_pass_left_them() {
    let clock = json!({"system": "canadian", "main_ms": 60_000, "period_ms": 60_000, "stones": 25});
    let mut game = Game::aga(json!({"clock": clock}));
    game.play("D6 E6 C5 F5 D4 E4 E5 D5 pass pass");
    let stopped = game.snapshot(&viewer(CHI))["clock"].clone();
    game.wait(game.now + 50_000);
    let events = game.command(BO, json!({"type": "resume"})).expect("resumed");
    let told = serde_json::to_value(&events[0]).expect("serialises");
    assert_eq!(
        (&told["kind"], &told["by"], &told["to_move"]),
        (&json!("resumed"), &json!("white"), &json!("black"))
    );
    assert_eq!((&told["turn"], &told["resumptions"]), (&json!(10), &json!(1)));
    assert_eq!(told["clock"]["running"], "black");
    for color in ["black", "white"] {
        assert_eq!(told["clock"][color], stopped[color], "{color}");
    }
    // The ko is still closed, and the earlier pass is still paid for.
    assert_eq!(told["forbidden"], json!([{"point": "E5", "why": "superko"}]));
    assert_eq!(
        game.refused("E5"),
        Refusal::Illegal(crate::rules::MoveError::Superko)
    );
    let prisoners = &game.snapshot(&viewer(CHI))["prisoners"];
    assert_eq!(
        (&prisoners["black"]["passes"], &prisoners["white"]["passes"]),
        (&json!(1), &json!(1))
    );
}

#[test]
fn traps_9_the_second_ending_finishes_at_once_with_every_stone_alive() {
    let mut game = marking();
    mark(&mut game, AKI, "H5", true).expect("marked");
    game.command(AKI, json!({"type": "resume"})).expect("resumed");
    assert_eq!(game.snapshot(&viewer(CHI))["marking"], Value::Null);
    game.play("pass");
    // White's pass before the resumption does not make this the second of two.
    assert_eq!(*game.table.phase(), Phase::Playing);
    let turn = game.table.turn();
    let events = game
        .command(BO, json!({"type": "pass", "turn": turn}))
        .expect("passes");
    assert_eq!(kinds(&events), ["passed", "finished"]);
    let score = game
        .table
        .result()
        .and_then(|result| result.score.clone())
        .expect("a score");
    assert_eq!(score.dead, PerColor::default());
    // Its own pass is on the record, too.
    assert_eq!(
        (score.prisoners.black.passes, score.prisoners.white.passes),
        (7, 2)
    );
}

#[test]
fn g8_with_no_decision_in_two_minutes_play_resumes_by_itself() {
    let mut game = marking();
    let ended = game.now;
    mark(&mut game, AKI, "H5", true).expect("marked");
    accept(&mut game, AKI, 1).expect("accepted");
    assert_eq!(
        game.table.next_deadline(),
        Some(Timestamp::from_millis(ended + 120_000))
    );
    assert_eq!(game.wait(ended + 119_999), []);
    let events = game.wait(ended + 121_000);
    assert_eq!(kinds(&events), ["resumed"]);
    let told = serde_json::to_value(&events[0]).expect("serialises");
    assert_eq!(
        (&told["at"], &told["by"]),
        (&json!(ended + 120_000), &Value::Null)
    );
    assert_eq!(told["clock"]["as_of"], json!(ended + 120_000));
    assert_eq!(accept(&mut game, BO, 1), Err(Refusal::WrongState));
}

#[test]
fn c9_after_an_outage_a_marking_gets_a_fresh_two_minutes() {
    let mut game = marking();
    mark(&mut game, AKI, "H5", true).expect("marked");
    accept(&mut game, AKI, 1).expect("accepted");
    let before = shown(&game);
    let back = game.now + 500_000;
    let events = game.wait(back);
    assert_eq!(kinds(&events), ["outage"]);
    let told = serde_json::to_value(&events[0]).expect("serialises");
    assert_eq!(told["marking"]["resumes_at"], json!(back + 120_000));
    let after = shown(&game);
    assert_eq!(after, told["marking"]);
    assert_eq!(
        (&after["version"], &after["accepted"]),
        (&before["version"], &before["accepted"])
    );
    assert_eq!(
        kinds(&accept(&mut game, BO, 1).expect("accepted")),
        ["score_accepted", "finished"]
    );
}

#[test]
fn t7_a_command_from_before_a_resumption_is_stale() {
    let mut game = marking();
    let before = game.table.seq();
    game.command(BO, json!({"type": "resume"})).expect("resumed");
    let turn = game.table.turn();
    let delayed = json!({"type": "play", "point": "A3", "turn": turn, "seq": before});
    assert_eq!(game.command(AKI, delayed), Err(Refusal::StaleTurn));
}

#[test]
fn t9_no_takeback_reaches_across_a_resumption() {
    let mut game = marking();
    game.command(BO, json!({"type": "resume"})).expect("resumed");
    let ask = |game: &mut Game, by: u8| {
        let turn = game.table.turn();
        game.command(by, json!({"type": "request", "kind": "takeback", "turn": turn}))
    };
    assert_eq!(ask(&mut game, BO), Err(Refusal::NotYourLastMove));
    game.play("A3");
    assert_eq!(kinds(&ask(&mut game, AKI).expect("asked")), ["requested"]);
    game.command(BO, json!({"type": "answer", "kind": "takeback", "accept": true}))
        .expect("accepted");
    assert_eq!(ask(&mut game, BO), Err(Refusal::NotYourLastMove));
}

#[test]
fn traps_11_whoever_comes_back_sees_marks_and_confirmations() {
    let mut game = marking();
    mark(&mut game, AKI, "H5", true).expect("marked");
    accept(&mut game, BO, 1).expect("accepted");
    let replayed = Table::replay(game.events.clone()).expect("replays");
    assert_eq!(replayed.marking(), game.table.marking());
    assert_eq!(
        replayed.marking().map(|marking| marking.accepted.white),
        Some(true)
    );
}

#[test]
fn g8_a_marking_changes_so_often_and_then_stands_as_it_is() {
    let mut game = marking();
    let mut dead = false;
    for _ in 0..1000 {
        dead = !dead;
        assert_eq!(mark(&mut game, AKI, "H6", dead).expect("marked").len(), 1);
        // The clock of the marking is not what is tested here.
        game.now -= 1000;
    }
    assert_eq!(mark(&mut game, BO, "H6", !dead), Err(Refusal::NoRoom));
    assert_eq!(
        mark(&mut game, BO, "H6", dead),
        Ok(Vec::new()),
        "which says nothing new"
    );
    let mut resumed = Game {
        table: game.table.clone(),
        events: Vec::new(),
        now: game.now,
    };
    assert_eq!(
        kinds(&resumed.command(BO, json!({"type": "resume"})).expect("plays on")),
        ["resumed"]
    );
    for by in [AKI, BO] {
        accept(&mut game, by, 1000).expect("accepted");
    }
    assert!(game.table.result().is_some());
}
