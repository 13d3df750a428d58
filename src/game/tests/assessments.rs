//! Assessors that fail, and previews (G3, G5, G7).

use super::*;
use crate::ruleset::Assessor;

/// A game whose board is to be assessed.
fn counting() -> Game {
    let mut game = Game::baduk();
    game.play("E5 pass pass");
    game
}

fn fail(game: &mut Game, attempt: u32) -> Vec<Event> {
    game.take(Input::AssessmentFailed { attempt }).expect("taken")
}

fn verdict_of(engine: &str) -> Verdict {
    Verdict {
        dead: Vec::new(),
        assessed_by: Some(AssessedBy {
            engine: engine.to_owned(),
            network: None,
            version: "1".to_owned(),
            certainty: 0.9,
            fallback: false,
        }),
    }
}

fn wanted(game: &Game) -> Option<WantedVerdict> {
    game.table.wanted_verdict(Timestamp::from_millis(game.now))
}

#[test]
fn g5_a_failed_assessment_is_tried_again_later_each_time() {
    let mut game = counting();
    let mut waits = Vec::new();
    for attempt in 1..5 {
        let events = fail(&mut game, attempt);
        assert_eq!(kinds(&events), ["counting"]);
        let told = serde_json::to_value(&events[0]).expect("serialises");
        assert_eq!(
            (&told["attempt"], &told["reason"]),
            (&json!(attempt + 1), &json!("passes"))
        );
        assert_eq!(told["clock"]["running"], Value::Null);
        let retry_at = told["retry_at"].as_i64().expect("a time");
        assert_eq!(
            game.snapshot(&viewer(CHI))["counting"]["retry_at"],
            json!(retry_at)
        );
        assert_eq!(game.table.question_due(), Some(Timestamp::from_millis(retry_at)));
        waits.push(retry_at - game.now);
        assert_eq!(wanted(&game), None, "not before it is time");
        game.now = retry_at;
        assert_eq!(wanted(&game).map(|wanted| wanted.attempt), Some(attempt + 1));
    }
    assert_eq!(waits, [1000, 2000, 4000, 8000]);
}

#[test]
fn g5_after_three_failures_the_embedded_assessor_stands_in_and_the_result_says_so() {
    let mut game = counting();
    assert_eq!(
        wanted(&game).map(|wanted| wanted.assessor),
        Some(Assessor::Strongest)
    );
    for attempt in 1..=3 {
        fail(&mut game, attempt);
        game.now += 20_000;
    }
    let task = wanted(&game).expect("wanted");
    assert_eq!((task.attempt, task.assessor), (4, Assessor::Embedded));
    let verdict = verdict_of("stand-in");
    game.take(Input::Assessed {
        turn: task.turn,
        attempt: task.attempt,
        verdict,
    })
    .expect("taken");
    assert!(is_by_stand_in(&game));

    let mut at_once = counting();
    let verdict = verdict_of("strongest");
    let input = Input::Assessed {
        turn: 3,
        attempt: 1,
        verdict,
    };
    at_once.take(input).expect("taken");
    assert!(!is_by_stand_in(&at_once));
}

fn is_by_stand_in(game: &Game) -> bool {
    let result = game.table.result();
    let by = result.and_then(|result| result.assessed_by.clone());
    by.expect("an assessor").fallback
}

#[test]
fn g5_a_verdict_that_comes_late_is_that_of_whoever_was_asked_at_its_try() {
    for (of, stands_in) in [(1, false), (3, false), (4, true)] {
        let mut game = counting();
        for attempt in 1..=3 {
            fail(&mut game, attempt);
            game.now += 20_000;
        }
        assert_eq!(wanted(&game).map(|wanted| wanted.attempt), Some(4));
        let late = Input::Assessed {
            turn: 3,
            attempt: of,
            verdict: verdict_of("an assessor"),
        };
        assert_eq!(kinds(&game.take(late).expect("taken")), ["finished"]);
        assert_eq!(is_by_stand_in(&game), stands_in, "of try {of}");
    }
}

#[test]
fn g5_where_the_embedded_assessor_is_the_own_one_nobody_stands_in() {
    let mut game = Game::started(json!({"ruleset": "hex"}));
    game.play("F6 pass pass");
    for attempt in 1..=3 {
        assert_eq!(
            wanted(&game).map(|wanted| wanted.assessor),
            Some(Assessor::Embedded)
        );
        fail(&mut game, attempt);
        game.now += 20_000;
    }
    game.take(Input::Assessed {
        turn: 3,
        attempt: 4,
        verdict: verdict_of("embedded"),
    })
    .expect("taken");
    assert!(!is_by_stand_in(&game));
}

#[test]
fn g5_if_everybody_fails_every_chain_counts_as_alive() {
    let mut game = counting();
    for attempt in 1..=4 {
        fail(&mut game, attempt);
    }
    assert_eq!(kinds(&fail(&mut game, 5)), ["finished"]);
    assert_eq!(game.result(), Some("B+74.5"));
    assert_eq!(
        game.table.result().and_then(|result| result.assessed_by.clone()),
        None
    );
    assert_eq!(fail(&mut game, 5), []);
}

#[test]
fn g5_a_table_whose_assessor_never_answers_comes_to_its_end_by_time_alone() {
    let mut game = counting();
    let mut events = Vec::new();
    for _ in 0..200 {
        let next = game.now + 1000;
        events.extend(game.wait(next));
    }
    assert_eq!(
        kinds(&events),
        ["counting", "counting", "counting", "counting", "finished"]
    );
    assert_eq!(game.result(), Some("B+74.5"));
}

#[test]
fn g5_the_failure_of_a_try_that_is_over_leads_to_nothing() {
    let mut game = counting();
    fail(&mut game, 1);
    assert_eq!(fail(&mut game, 1), []);
    game.assess(&[]);
    assert_eq!(fail(&mut game, 2), []);
    let mut running = Game::baduk();
    assert_eq!(fail(&mut running, 1), []);
}

#[test]
fn g7_a_preview_is_pushed_to_whoevers_opponent_has_just_passed() {
    let mut game = Game::on_nine();
    game.play("E5");
    let last = game.events.last().cloned().into_iter().collect::<Vec<_>>();
    assert_eq!(game.table.preview_after(&last), None);
    let events = game
        .command(BO, json!({"type": "pass", "turn": 1}))
        .expect("passes");
    assert_eq!(game.table.preview_after(&events), Some(&player(AKI).id));
    let told = serde_json::to_value(game.table.preview(&Verdict::default())).expect("serialises");
    assert_eq!(
        (&told["turn"], &told["score"]["black"], &told["score"]["komi"]),
        (&json!(2), &json!(81), &json!(7))
    );
    assert_eq!(told["dead"], json!({"black": [], "white": []}));
    // The second pass ends the game, and the result says it all.
    let ending = game
        .command(AKI, json!({"type": "pass", "turn": 2}))
        .expect("passes");
    assert_eq!(game.table.preview_after(&ending), None);
}

#[test]
fn g7_t13_a_preview_is_for_the_players_of_a_running_game_that_has_them() {
    let mut game = Game::on_nine();
    for by in [AKI, BO] {
        assert_eq!(game.table.check_preview(&player(by).id), Ok(()));
    }
    assert_eq!(game.table.check_preview(&player(CHI).id), Err(Refusal::Forbidden));
    let mut baduk = Game::baduk();
    assert_eq!(
        baduk.table.check_preview(&player(AKI).id),
        Err(Refusal::NoPreview)
    );
    let events = baduk
        .command(AKI, json!({"type": "pass", "turn": 0}))
        .expect("passes");
    assert_eq!(baduk.table.preview_after(&events), None);
    game.command(AKI, json!({"type": "resign"})).expect("resigns");
    assert_eq!(
        game.table.check_preview(&player(AKI).id),
        Err(Refusal::WrongState)
    );
}

#[test]
fn g7_a_preview_takes_the_dead_off_and_changes_nothing() {
    let mut game = Game::on_nine();
    game.play("F5 H5 F4 pass F3 pass F2 pass F1 pass F6 pass F7 pass F8 pass F9 pass");
    let seq = game.table.seq();
    let geometry = game.table.position().geometry();
    let dead = vec![geometry.point("H5".parse().expect("a name")).expect("a point")];
    let verdict = Verdict {
        dead,
        assessed_by: None,
    };
    let told = serde_json::to_value(game.table.preview(&verdict)).expect("serialises");
    assert_eq!(told["dead"]["white"], json!(["H5"]));
    assert_eq!(
        (&told["score"]["black"], &told["score"]["white"]),
        (&json!(81), &json!(0))
    );
    assert_eq!(game.table.seq(), seq);
}
