//! Appeals against an automatic count, and decisions about it (G10, G11).

use super::*;

/// The border fixture F1 of TRAPS 7: Black's area is 44, White's 37.
const F1: &str = "E5 F5 E4 F4 E3 F3 E2 F2 E6 F6 E7 F7 E8 F8 E9 F9 D1 E1";

const WEEK: i64 = 7 * 24 * 3600 * 1000;

/// F1 with a white stone in Black's area, counted with every chain alive: nothing there is Black's.
fn counted() -> Game {
    let mut game = Game::started(json!({"ruleset": "baduk", "board": "9x9", "komi": 6.5}));
    game.play(F1);
    game.play("C3 B7 pass pass");
    game.assess(&[]);
    assert_eq!(game.result(), Some("W+34.5"));
    game
}

fn id(number: u8) -> AppealId {
    AppealId::from_seed([number; 16])
}

fn reason(text: &str) -> Reason {
    Reason::try_from(text.to_owned()).expect("a reason")
}

fn vertices(names: &str) -> Vec<Vertex> {
    names
        .split_whitespace()
        .map(|name| name.parse().expect("a name"))
        .collect()
}

fn appeal(by: u8, number: u8, points: &str) -> Input {
    let appeal = NewAppeal {
        id: id(number),
        points: vertices(points),
        reason: reason("B7 is dead"),
    };
    Input::Appeal {
        by: player(by).id,
        appeal,
    }
}

fn correct(cause: Cause, black: &str, white: &str) -> Input {
    let dead = PerColor {
        black: vertices(black),
        white: vertices(white),
    };
    Input::Decide {
        cause,
        judgment: Judgment::Correct { dead },
        reason: reason("it has one eye"),
    }
}

fn uphold(cause: Cause) -> Input {
    Input::Decide {
        cause,
        judgment: Judgment::Uphold,
        reason: reason("it stands"),
    }
}

#[test]
fn g10_an_appeal_needs_an_automatic_count_a_seat_points_on_the_board_and_comes_once() {
    let mut game = counted();
    assert_eq!(game.take(appeal(CHI, 1, "B7")), Err(Refusal::Forbidden));
    assert_eq!(game.take(appeal(AKI, 1, "K1")), Err(Refusal::PointsOffBoard));
    let appealed = game.take(appeal(AKI, 1, "B7 A1")).expect("taken");
    assert_eq!(kinds(&appealed), ["appealed"]);
    assert!(appealed[0].changes_review() && !appealed[0].changes_summary());
    // The result stands while it is open.
    assert_eq!(game.result(), Some("W+34.5"));
    assert_eq!(game.take(appeal(AKI, 2, "B7")), Err(Refusal::AlreadyAppealed));
    let again = step(
        &game.table,
        appeal(AKI, 1, "B7 A1"),
        Timestamp::from_millis(game.now),
    );
    assert_eq!(again, Ok(Outcome::Repeated(appealed[0].seq)));
    // The other has an appeal of his own.
    game.take(appeal(BO, 3, "C3")).expect("taken");
    let shown = game.snapshot(&viewer(CHI));
    assert_eq!(
        shown["appeals"][0],
        json!({"id": id(1), "seq": appealed[0].seq, "at": appealed[0].at, "by": "black", "points": ["B7", "A1"],
            "reason": "B7 is dead", "against": "W+34.5", "decision": null})
    );
    assert_eq!(shown["original_result"], json!(null));
}

#[test]
fn g10_the_window_is_seven_days_from_the_end() {
    let game = counted();
    let ended_at = game.table.times().2.expect("it has ended").as_millis();
    let at = |millis| {
        let taken = step(&game.table, appeal(AKI, 1, "B7"), Timestamp::from_millis(millis));
        taken.map(|_| ())
    };
    assert_eq!(at(ended_at + WEEK - 1), Ok(()));
    assert_eq!(at(ended_at + WEEK), Err(Refusal::TooLateToAppeal));
}

#[test]
fn g10_there_is_no_appeal_after_anything_else_than_an_automatic_count() {
    let mut game = Game::baduk();
    assert_eq!(game.take(appeal(AKI, 1, "B7")), Err(Refusal::WrongState));
    game.play("pass pass");
    assert_eq!(
        game.take(appeal(AKI, 1, "B7")),
        Err(Refusal::WrongState),
        "while it is counted"
    );
    game.command(AKI, json!({"type": "resign"})).expect("resigns");
    assert_eq!(game.take(appeal(AKI, 1, "B7")), Err(Refusal::NotCounted));
    assert_eq!(
        game.take(correct(Cause::OwnAccord, "", "")),
        Err(Refusal::NotCounted)
    );
    let mut closed = Game::waiting(json!({"ruleset": "baduk"}));
    closed.take(Input::Close { by: player(AKI).id }).expect("closes");
    assert_eq!(closed.take(appeal(AKI, 1, "B7")), Err(Refusal::Gone));
    // Where the players say what is dead there is no count to appeal against.
    let mut agreed = Game::aga(json!({}));
    agreed.play("E5 pass pass pass");
    for by in [AKI, BO] {
        agreed
            .command(by, json!({"type": "accept_score", "marking": 0}))
            .expect("agrees");
    }
    assert!(agreed.result().is_some());
    assert_eq!(agreed.take(appeal(AKI, 1, "B7")), Err(Refusal::NoAppeals));
}

#[test]
fn g11_a_correction_flips_whole_chains_and_recounts_with_komi() {
    let mut game = counted();
    game.take(appeal(AKI, 1, "B7")).expect("taken");
    game.take(appeal(BO, 2, "C3")).expect("taken");
    // A point that is none, an empty one, and a stone of the other color name no chain.
    let of = |black: &str, white: &str| correct(Cause::Appeal(id(1)), black, white);
    assert_eq!(game.take(of("", "Z9")), Err(Refusal::OffBoard));
    assert_eq!(game.take(of("", "A1")), Err(Refusal::NoChain));
    assert_eq!(game.take(of("B7", "")), Err(Refusal::NoChain));
    let decided = game.take(of("", "B7")).expect("decided");
    assert_eq!(kinds(&decided), ["decided"]);
    assert!(decided[0].changes_summary());
    // F1's 44 to 37, and komi.
    let result = game.table.result().expect("a result");
    assert_eq!(
        (result.sgf.as_str(), result.winner),
        ("B+0.5", Some(Color::Black))
    );
    let score = result.score.as_ref().expect("a score");
    assert_eq!(
        (score.black.to_string(), score.white.to_string()),
        ("44".to_owned(), "37".to_owned())
    );
    assert_eq!(score.dead.white, vertices("B7"));
    assert_eq!(
        result.corrected.as_ref().map(|corrected| corrected.from.as_str()),
        Some("W+34.5")
    );
    // It closes both appeals; the first result stays on the record.
    let shown = game.snapshot(&viewer(CHI));
    for number in 0..2 {
        assert_eq!(
            (
                &shown["appeals"][number]["decision"]["ruling"],
                &shown["appeals"][number]["decision"]["reason"]
            ),
            (&json!("corrected"), &json!("it has one eye"))
        );
    }
    assert_eq!(
        (&shown["result"]["sgf"], &shown["original_result"]["sgf"]),
        (&json!("B+0.5"), &json!("W+34.5"))
    );
    // One stone names its chain.
    let whole = correct(Cause::OwnAccord, "E5 C3", "B7");
    game.take(whole).expect("corrected again");
    let score = game.table.result().and_then(|result| result.score.clone());
    assert_eq!(score.expect("a score").dead.black.len(), 9);
    assert_eq!(game.snapshot(&viewer(AKI))["original_result"]["sgf"], "W+34.5");
}

#[test]
fn g11_a_second_decision_on_one_appeal_is_refused_and_correcting_again_is_an_action_of_its_own() {
    let mut game = counted();
    assert_eq!(
        game.take(uphold(Cause::Appeal(id(1)))),
        Err(Refusal::NoSuchAppeal)
    );
    game.take(appeal(AKI, 1, "B7")).expect("taken");
    assert_eq!(
        game.take(correct(Cause::OwnAccord, "", "B7")),
        Err(Refusal::AppealsOpen)
    );
    let upheld = game.take(uphold(Cause::Appeal(id(1)))).expect("decided");
    assert_eq!(kinds(&upheld), ["decided"]);
    assert_eq!(game.result(), Some("W+34.5"));
    assert_eq!(game.table.original_result(), None);
    for again in [
        uphold(Cause::Appeal(id(1))),
        correct(Cause::Appeal(id(1)), "", "B7"),
    ] {
        assert_eq!(game.take(again), Err(Refusal::AlreadyDecided));
    }
    game.take(correct(Cause::OwnAccord, "", "B7")).expect("corrected");
    assert_eq!(game.result(), Some("B+0.5"));
    // Saying the same once more is no action.
    let same = correct(Cause::OwnAccord, "", "B7");
    assert_eq!(game.take(same), Err(Refusal::NothingToCorrect));
    assert_eq!(
        game.take(uphold(Cause::OwnAccord)),
        Err(Refusal::NothingToCorrect)
    );
    let rulings: Vec<Ruling> = game
        .table
        .decisions()
        .iter()
        .map(|decision| decision.ruling)
        .collect();
    assert_eq!(rulings, [Ruling::Upheld, Ruling::Corrected]);
    // Who has not appealed still may, against the result as it stands.
    game.take(appeal(BO, 2, "B7")).expect("taken");
    assert_eq!(game.table.appeals()[1].against, "B+0.5");
    game.take(correct(Cause::Appeal(id(2)), "", "")).expect("decided");
    assert_eq!(game.result(), Some("W+34.5"), "back to what was counted");
}

#[test]
fn g11_the_record_and_the_list_show_the_corrected_result_with_a_remark() {
    let mut game = counted();
    assert!(!game.table.sgf().contains("corrected"));
    game.take(correct(Cause::OwnAccord, "", "B7")).expect("corrected");
    let sgf = game.table.sgf();
    assert!(sgf.contains("RE[B+0.5]"), "{sgf}");
    assert!(
        sgf.contains("counted automatically it was W+34.5") && sgf.contains("it has one eye"),
        "{sgf}"
    );
    let listed = serde_json::to_value(game.table.summary()).expect("serialises");
    assert_eq!(listed["result"]["sgf"], "B+0.5");
    assert_eq!(
        listed["result"]["corrected"],
        json!({"from": "W+34.5", "reason": "it has one eye"})
    );
    // What was stored replays to the same.
    let replayed = Table::replay(game.events.clone()).expect("replays");
    assert_eq!(
        serde_json::to_value(replayed.summary()).expect("serialises"),
        listed
    );
    assert_eq!(replayed.original_result(), game.table.original_result());
}
